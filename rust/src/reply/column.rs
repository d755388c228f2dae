//! Many replies at once, on all threads that there are.

use std::sync::{Mutex, PoisonError};

use crate::reply::{Outcome, Reason, Rubric, parse};

/// One reply, as a column holds it.
#[derive(Clone, Copy, Debug)]
pub enum Cell<'a> {
    /// None.
    Missing,
    /// A text.
    Text(&'a [u8]),
    /// A number, which is the reply that is this number alone.
    Number(f64),
    /// Something that only the caller can read.
    Other,
}

/// What becomes of a reply, in the form of columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The score; NaN without one.
    pub score: f64,
    /// The [`Reason`] why there is none; 0 if there is one.
    pub reason: u8,
    /// The position of the score's level; -1 without a score.
    pub level: i32,
}

impl Row {
    /// A row without a score, for no reason yet.
    pub const EMPTY: Self = Self { score: f64::NAN, reason: 0, level: -1 };
}

impl From<Outcome> for Row {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Ok((score, level)) => Self { score, reason: 0, level: level as i32 },
            Err(reason) => Self { reason: reason as u8, ..Self::EMPTY },
        }
    }
}

fn score(cell: Cell<'_>, rubric: &Rubric) -> Row {
    match cell {
        Cell::Missing => Err(Reason::Missing).into(),
        Cell::Text(text) => parse(text, rubric).into(),
        Cell::Number(number) => rubric.verdict(number).into(),
        Cell::Other => Row::EMPTY,
    }
}

/// How many replies a thread takes at a time.
const SHARE: usize = 64;

/// Scores the replies; `rows` has to be as long as `cells`.
pub fn score_all(cells: &[Cell<'_>], rubric: &Rubric, threads: usize, rows: &mut [Row]) {
    let fill = |cells: &[Cell<'_>], rows: &mut [Row]| {
        for (cell, row) in cells.iter().zip(rows) {
            *row = score(*cell, rubric);
        }
    };
    let threads = threads.min(cells.len() / SHARE);
    if threads <= 1 {
        return fill(cells, rows);
    }
    // Replies differ in length by orders of magnitude, so the threads take what is left.
    let shares = Mutex::new(cells.chunks(SHARE).zip(rows.chunks_mut(SHARE)));
    let work = || {
        loop {
            let share = shares.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((cells, rows)) = share else { return };
            fill(cells, rows);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::rubric::tests::five;

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let texts: Vec<String> =
            (0..1000).map(|i| format!("{}Score: {}", "x\n".repeat(i % 90), i % 7)).collect();
        let mut cells: Vec<Cell<'_>> = texts.iter().map(|t| Cell::Text(t.as_bytes())).collect();
        cells.extend([Cell::Missing, Cell::Number(4.0), Cell::Number(f64::NAN), Cell::Other]);
        let mut plain = vec![Row::EMPTY; cells.len()];
        let mut threaded = plain.clone();
        score_all(&cells, &five(), 1, &mut plain);
        score_all(&cells, &five(), 3, &mut threaded);
        let key = |row: &Row| (row.score.to_bits(), row.reason, row.level);
        assert_eq!(
            plain.iter().map(key).collect::<Vec<_>>(),
            threaded.iter().map(key).collect::<Vec<_>>()
        );
        assert_eq!((plain[4].score, plain[4].level), (4.0, 1));
        assert_eq!(plain[6].reason, Reason::OutOfRange as u8);
        let reasons: Vec<u8> = plain[1000..].iter().map(|row| row.reason).collect();
        assert_eq!(reasons, [1, 0, 4, 0]);
    }
}
