//! The item matrix: respondents by items, from rows in any order.
//!
//! Rows are split between threads. Each first numbers the respondents of its rows; when all are known,
//! each writes the scores of its rows to their cells. No row is remembered in between, so nothing but
//! the matrix itself grows with the rows.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::codes::BLOCK;
use crate::duplicates::Policy;
use crate::error::Result;
use crate::group::{Grouper, Keys};
use crate::rows::Rows;
use crate::workers::Workers;

/// Respondents by items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The first row of every respondent, in the order of the result.
    pub first_rows: Vec<usize>,
    /// The cells, one item after the other; NaN where there is no score.
    pub cells: Vec<f64>,
    /// The rows that answer what another row has answered.
    pub repeats: usize,
    /// The cells whose answers differ, where only equal ones are taken.
    pub differing: usize,
}

/// A cell that no row has been written to. All cells are this at first, for which memory need not be
/// touched; so scores are kept as the bits in which they differ from [`EMPTY`].
const BLANK: u64 = 0;
/// No score has these bits, since all that are NaN become [`f64::NAN`].
const EMPTY: u64 = f64::NAN.to_bits() ^ 1;
/// A cell whose row has no score.
const MISSING: u64 = f64::NAN.to_bits() ^ EMPTY;
/// A cell whose rows differ.
const DIFFERING: u64 = MISSING ^ 2;

/// Writes every row's score to the cell of its respondent and its item (which [`Rows`] calls its
/// scale).
///
/// # Errors
///
/// [`crate::error::Error::TooMany`], [`crate::error::Error::Interrupted`].
pub fn matrix(
    rows: &impl Rows,
    keys: &Keys<'_>,
    items: usize,
    policy: Policy,
    workers: &Workers<'_>,
) -> Result<Matrix> {
    let respondents = Respondents::find(rows.len(), keys, workers)?;
    let number = respondents.first_rows.len();
    let mut cells = blank_cells(number * items);
    workers.split(rows.len(), |start, _| {
        respondents.part(start).visit(rows, workers, |place, score| {
            cells[place].store(kept(score), Ordering::Relaxed);
        })
    })?;
    let filled = finish(&cells, workers)?;
    let repeats = rows.len() - filled;
    let mut differing = 0;
    if repeats > 0 {
        cells.iter_mut().for_each(|cell| *cell.get_mut() = BLANK);
        differing = resolve(&mut cells, rows, &respondents, policy, workers)?;
        finish(&cells, workers)?;
    }
    // Scores and cells are of one size and alignment, so that the ones become the others in place.
    let cells = cells.into_iter().map(|cell| f64::from_bits(cell.into_inner())).collect();
    Ok(Matrix { first_rows: respondents.first_rows, cells, repeats, differing })
}

fn blank_cells(number: usize) -> Vec<AtomicU64> {
    vec![BLANK; number].into_iter().map(AtomicU64::new).collect()
}

fn kept(score: f64) -> u64 {
    if score.is_nan() { MISSING } else { score.to_bits() ^ EMPTY }
}

/// Turns what is kept of the scores into their bits, and counts the cells that were written to.
fn finish(cells: &[AtomicU64], workers: &Workers<'_>) -> Result<usize> {
    let counts = workers.split(cells.len(), |start, stop| {
        let mut filled = 0;
        for cell in &cells[start..stop] {
            let kept = cell.load(Ordering::Relaxed);
            filled += usize::from(kept != BLANK);
            let score = f64::from_bits(kept ^ EMPTY);
            let score = if score.is_nan() { f64::NAN } else { score };
            cell.store(score.to_bits(), Ordering::Relaxed);
        }
        Ok(filled)
    })?;
    Ok(counts.into_iter().sum())
}

/// Writes the cells in the order of the rows, of which several belong to one, and counts those whose
/// rows differ.
fn resolve(
    cells: &mut [AtomicU64],
    rows: &impl Rows,
    respondents: &Respondents<'_>,
    policy: Policy,
    workers: &Workers<'_>,
) -> Result<usize> {
    let mut differing = 0;
    for part in &respondents.parts {
        part.visit(rows, workers, |place, score| {
            let cell = cells[place].get_mut();
            let scored = !score.is_nan();
            if *cell == BLANK || scored && (*cell == MISSING || policy == Policy::Last) {
                *cell = kept(score);
            } else if policy == Policy::Unique
                && scored
                && *cell != DIFFERING
                && score != f64::from_bits(*cell ^ EMPTY)
            {
                differing += 1;
                *cell = DIFFERING;
            }
        })?;
    }
    Ok(differing)
}

/// The respondents, as each part of the rows numbers its own.
struct Respondents<'a> {
    parts: Vec<Part<'a>>,
    first_rows: Vec<usize>,
}

struct Part<'a> {
    start: usize,
    stop: usize,
    grouper: Mutex<Grouper<'a>>,
    /// The place in the result of each of this part's respondents.
    places: Vec<u32>,
    /// The number of all respondents.
    height: usize,
}

impl<'a> Respondents<'a> {
    fn find(rows: usize, keys: &'a Keys<'a>, workers: &Workers<'_>) -> Result<Self> {
        let mut parts = workers.split(rows, |start, stop| {
            let mut grouper = Grouper::new(keys);
            let mut groups = [0; BLOCK];
            workers.blocks(start, stop, |start, stop| {
                grouper.read(start, &mut groups[..stop - start])
            })?;
            Ok((start, stop, grouper))
        })?;
        let mut whole = Grouper::new(keys);
        let numbers: Vec<Vec<u32>> =
            parts.iter().map(|(_, _, part)| whole.merge(part)).collect::<Result<_>>()?;
        let order = whole.order();
        let mut rank_of = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(group, rank)| rank_of[*group as usize] = rank);
        let parts = parts.drain(..).zip(numbers).map(|((start, stop, grouper), mut places)| {
            places.iter_mut().for_each(|place| *place = rank_of[*place as usize]);
            Part { start, stop, grouper: grouper.into(), places, height: order.len() }
        });
        let first_rows = whole.first_rows();
        Ok(Self {
            parts: parts.collect(),
            first_rows: order.iter().map(|group| first_rows[*group as usize]).collect(),
        })
    }

    /// The part that begins with a row.
    fn part(&self, start: usize) -> &Part<'a> {
        let later = self.parts.partition_point(|part| part.start <= start);
        &self.parts[later - 1]
    }
}

impl Part<'_> {
    /// Calls back for each row with the place of its cell and its score.
    fn visit(
        &self,
        rows: &impl Rows,
        workers: &Workers<'_>,
        mut visit: impl FnMut(usize, f64),
    ) -> Result<()> {
        // No other thread has this part, and none can have panicked with it.
        let mut grouper = self.grouper.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut groups, mut columns, mut scores) = ([0; BLOCK], [0; BLOCK], [0.0; BLOCK]);
        workers.blocks(self.start, self.stop, |start, stop| {
            let length = stop - start;
            grouper.read(start, &mut groups[..length])?;
            rows.read(start, &mut columns[..length], &mut scores[..length]);
            for offset in 0..length {
                let place = self.places[groups[offset] as usize] as usize;
                let column = columns[offset] as usize;
                visit(column * self.height + place, scores[offset]);
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Narrow;
    use crate::group::KeyColumn;
    use crate::order::ranks_of;
    use crate::rows::ScoredRows;
    use crate::workers::FEWEST_ROWS;

    const NAN: f64 = f64::NAN;

    fn made(
        groups: &Narrow,
        items: &Narrow,
        scores: &[f64],
        number: u32,
        policy: Policy,
        threads: usize,
    ) -> Matrix {
        let most = (0..groups.len()).filter_map(|row| groups.get(row)).max().unwrap_or(0) as usize;
        let ranks = ranks_of(&(0..most).rev().collect::<Vec<_>>());
        let keys = Keys::new(vec![KeyColumn { rows: groups, ranks }], scores.len());
        let keys = keys.expect("equally long");
        let item_of: Vec<u32> = (0..number).collect();
        let rows = ScoredRows::new(items, &item_of, scores).expect("equally long");
        let workers = Workers::new(threads, &|| true);
        matrix(&rows, &keys, number as usize, policy, &workers).expect("there is room")
    }

    fn same(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()))
    }

    #[test]
    fn every_score_has_its_cell() {
        // Respondents 1 and 2, who come in the order 2, 1; nobody answers the item 1.
        let groups: Narrow = [1, 2, 1, 2].into_iter().collect();
        let items: Narrow = [2, 0, 0, 2].into_iter().collect();
        let found = made(&groups, &items, &[5.0, 4.0, NAN, -0.0], 3, Policy::First, 1);
        assert!(same(&found.cells, &[4.0, NAN, NAN, NAN, -0.0, 5.0]), "{found:?}");
        assert_eq!(found.first_rows, [1, 0]);
        assert_eq!((found.repeats, found.differing), (0, 0));
        let nothing = Narrow::default();
        let found = made(&nothing, &nothing, &[], 3, Policy::First, 2);
        assert_eq!(found, Matrix::default());
    }

    #[test]
    fn repeated_answers_are_counted_and_chosen_from() {
        let groups: Narrow = std::iter::repeat_n(1, 11).collect();
        let items: Narrow = [0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3].into_iter().collect();
        let scores = [4.0, 4.0, 2.0, 3.0, 2.0, 5.0, NAN, 1.0, NAN, NAN, NAN];
        for (policy, expected, differing) in [
            (Policy::First, [4.0, 2.0, 1.0, NAN], 0),
            (Policy::Last, [4.0, 5.0, 1.0, NAN], 0),
            (Policy::Unique, [4.0, NAN, 1.0, NAN], 1),
        ] {
            let found = made(&groups, &items, &scores, 4, policy, 2);
            assert!(same(&found.cells, &expected), "{policy:?} {found:?}");
            assert_eq!((found.repeats, found.differing), (7, differing));
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let respondents = FEWEST_ROWS as u32;
        let n = respondents * 4;
        let groups: Narrow =
            (0..n).map(|row| row.wrapping_mul(2_654_435_761) % respondents + 1).collect();
        let items: Narrow = (0..n).map(|row| row / respondents).collect();
        let scores: Vec<f64> = (0..n).map(|row| f64::from(row % 7)).collect();
        let one = made(&groups, &items, &scores, 4, Policy::First, 1);
        assert_eq!(one.cells.len(), n as usize);
        assert_eq!(one.repeats, 0, "an odd factor permutes the respondents of an item");
        let repeated: Narrow = (0..n).map(|row| row / respondents / 2).collect();
        let last = made(&groups, &repeated, &scores, 2, Policy::Last, 1);
        assert_eq!(last.repeats, n as usize / 2);
        for threads in [2, 3] {
            assert_eq!(made(&groups, &items, &scores, 4, Policy::First, threads), one);
            assert_eq!(made(&groups, &repeated, &scores, 2, Policy::Last, threads), last);
        }
    }
}
