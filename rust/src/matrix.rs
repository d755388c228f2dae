//! The item matrix: respondents by items, from rows in any order.
//!
//! Rows are split between threads. Each first finds the respondents of its rows; when all are known,
//! each writes the scores of its rows to their cells. No row is remembered in between, so nothing but
//! the matrix itself grows with the rows.

use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::{FromBytes, IntoBytes};

use crate::codes::BLOCK;
use crate::duplicates::Policy;
use crate::error::Result;
use crate::group::{Grouper, Keys, Places};
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
/// touched; so a score is kept as the bits in which it differs from [`EMPTY`].
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
    let (respondents, first_rows) = find_respondents(rows.len(), keys, workers)?;
    let sheet = Sheet { rows, respondents, height: first_rows.len() };
    let mut cells = vec![f64::from_bits(BLANK); first_rows.len() * items];
    let shared = shared(&mut cells);
    workers.split(rows.len(), |start, stop| {
        sheet.visit(start, stop, workers, |place, score| {
            shared[place].store(kept(score), Ordering::Relaxed);
        })
    })?;
    let filled = finish(&mut cells, workers)?;
    let repeats = rows.len() - filled;
    let mut differing = 0;
    if repeats > 0 {
        cells.fill(f64::from_bits(BLANK));
        differing = resolve(&mut cells, &sheet, policy, workers)?;
        finish(&mut cells, workers)?;
    }
    Ok(Matrix { first_rows, cells, repeats, differing })
}

/// The respondents in the order of the result, and the first row of each.
fn find_respondents<'a>(
    rows: usize,
    keys: &'a Keys<'a>,
    workers: &Workers<'_>,
) -> Result<(Places<'a>, Vec<usize>)> {
    let parts = workers.split(rows, |start, stop| {
        let mut grouper = Grouper::new(keys);
        let mut groups = [0; BLOCK];
        workers
            .blocks(start, stop, |start, stop| grouper.read(start, &mut groups[..stop - start]))?;
        Ok(grouper)
    })?;
    let mut parts = parts.into_iter();
    let mut whole = parts.next().unwrap_or_else(|| Grouper::new(keys));
    for later in parts {
        whole.merge(&later)?;
    }
    Ok(whole.finish())
}

/// The cells as several threads may write to them.
fn shared(cells: &mut [f64]) -> &[AtomicU64] {
    // Both have the same size and alignment, so there is no error.
    <[AtomicU64]>::mut_from_bytes(cells.as_mut_bytes()).map_or(&[], |cells| cells)
}

fn kept(score: f64) -> u64 {
    if score.is_nan() { MISSING } else { score.to_bits() ^ EMPTY }
}

/// Turns what is kept of the scores into their bits, and counts the cells that were written to.
fn finish(cells: &mut [f64], workers: &Workers<'_>) -> Result<usize> {
    let counts = workers.write(cells, |_, cells, filled: &mut usize| {
        for cell in cells {
            // As floats, since of those several are compared at once; no score is kept as -0.
            *filled += usize::from(*cell != f64::from_bits(BLANK));
            let score = f64::from_bits(cell.to_bits() ^ EMPTY);
            *cell = if score.is_nan() { f64::NAN } else { score };
        }
    })?;
    Ok(counts.into_iter().sum())
}

/// Writes the cells in the order of the rows, of which several belong to one, and counts those whose
/// rows differ.
fn resolve(
    cells: &mut [f64],
    sheet: &Sheet<'_, impl Rows>,
    policy: Policy,
    workers: &Workers<'_>,
) -> Result<usize> {
    let mut differing = 0;
    sheet.visit(0, sheet.rows.len(), workers, |place, score| {
        let bits = cells[place].to_bits();
        let is_same = || bits == kept(score) || f64::from_bits(bits ^ EMPTY) == score;
        if bits == BLANK || policy == Policy::Last {
            cells[place] = f64::from_bits(kept(score));
        } else if policy == Policy::Unique && bits != DIFFERING && !is_same() {
            differing += 1;
            cells[place] = f64::from_bits(DIFFERING);
        }
    })?;
    Ok(differing)
}

/// The rows, and where they belong.
struct Sheet<'a, R> {
    rows: &'a R,
    respondents: Places<'a>,
    /// The number of respondents.
    height: usize,
}

impl<R: Rows> Sheet<'_, R> {
    /// Calls back for each of the rows with the place of its cell and its score.
    fn visit(
        &self,
        start: usize,
        stop: usize,
        workers: &Workers<'_>,
        mut visit: impl FnMut(usize, f64),
    ) -> Result<()> {
        let mut last = 0;
        let (mut places, mut items, mut scores) = ([0; BLOCK], [0; BLOCK], [0.0; BLOCK]);
        workers.blocks(start, stop, |start, stop| {
            let length = stop - start;
            self.respondents.read(start, &mut places[..length], &mut last);
            self.rows.read(start, &mut items[..length], &mut scores[..length]);
            let cells = places[..length].iter().zip(&items[..length]).zip(&scores[..length]);
            for ((place, item), score) in cells {
                // Cannot wrap: the cells fit into memory.
                let column = (*item as usize).wrapping_mul(self.height);
                visit(column.wrapping_add(*place as usize), *score);
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
        let scores = [0.0, -0.0, 2.0, 3.0, 2.0, 5.0, NAN, 1.0, NAN, NAN, NAN];
        for (policy, expected, differing) in [
            (Policy::First, [0.0, 2.0, NAN, NAN], 0),
            (Policy::Last, [0.0, 5.0, NAN, NAN], 0),
            (Policy::Unique, [0.0, NAN, NAN, NAN], 2),
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
