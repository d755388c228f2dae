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
            // Where the system has no thread left, the others do the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}
