//! The item matrix: respondents by items, from rows in any order.
//!
//! Rows are split between threads. Each first finds the respondents of its rows; when all are known,
//! each writes the scores of its rows to their cells. No row is remembered in between, so nothing but
//! the matrix itself grows with the rows.

use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::{FromBytes, IntoBytes};

use crate::codes::BLOCK;
use crate::duplicates::Policy;
use crate::error::{Error, Result};
use crate::group::{Grouper, Keys, Places};
use crate::rows::Rows;
use crate::workers::Workers;

/// The respondents of some rows, in the order of the result.
#[derive(Debug)]
pub struct Respondents<'a> {
    places: Places<'a>,
    first_rows: Vec<usize>,
}

impl<'a> Respondents<'a> {
    /// Finds the respondents of `rows` rows.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TooMany`], [`crate::error::Error::Interrupted`].
    pub fn find(keys: &'a Keys<'a>, rows: usize, workers: &Workers<'_>) -> Result<Self> {
        let parts = workers.split(rows, |start, stop| {
            let mut grouper = Grouper::new(keys);
            let mut groups = [0; BLOCK];
            workers.blocks(start, stop, |start, stop| {
                grouper.read(start, &mut groups[..stop - start])
            })?;
            Ok(grouper)
        })?;
        let mut parts = parts.into_iter();
        let mut whole = parts.next().unwrap_or_else(|| Grouper::new(keys));
        for later in parts {
            whole.merge(&later)?;
        }
        let (places, first_rows) = whole.finish();
        Ok(Self { places, first_rows })
    }

    /// The first row of every respondent.
    #[must_use]
    pub fn first_rows(&self) -> &[usize] {
        &self.first_rows
    }
}

/// Rows that answer what another row has answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// The number of such rows.
    pub rows: usize,
    /// The cells whose answers differ, where only equal ones are taken.
    pub differing: usize,
}

/// A cell that no row has been written to: a NaN, so it may as well stay where there is no score. No
/// score has its bits, since all that are NaN become [`f64::NAN`].
const BLANK: u64 = f64::NAN.to_bits() ^ 1;
/// A cell whose rows differ, likewise.
const DIFFERING: u64 = f64::NAN.to_bits() ^ 2;

/// Writes every row's score to the cell of its respondent and its item (which [`Rows`] calls its
/// scale). The cells are those of one item after the other; NaN is a missing score.
///
/// # Errors
///
/// [`Error::Length`] if there are not as many cells as respondents by items,
/// [`Error::Interrupted`].
pub fn matrix(
    cells: &mut [f64],
    rows: &impl Rows,
    respondents: &Respondents<'_>,
    items: usize,
    policy: Policy,
    workers: &Workers<'_>,
) -> Result<Repeats> {
    let (got, expected) = (cells.len(), respondents.first_rows.len() * items);
    if got != expected {
        return Err(Error::Length { what: "cells", got, expected });
    }
    let sheet = Sheet { rows, respondents };
    let blank = |cells: &mut [f64]| {
        workers.write(cells, 1, |_, cells, (): &mut ()| {
            cells.fill(f64::from_bits(BLANK));
            Ok(())
        })
    };
    blank(cells)?;
    let shared = shared(cells);
    workers.split(rows.len(), |start, stop| {
        sheet.visit(start, stop, workers, |place, score| {
            shared[place].store(kept(score), Ordering::Relaxed);
        })
    })?;
    let left = workers.write(cells, 1, |_, cells, left: &mut usize| {
        *left += cells.iter().filter(|cell| cell.to_bits() == BLANK).count();
        Ok(())
    })?;
    let mut repeats = Repeats { rows: rows.len() + left.iter().sum::<usize>() - got, differing: 0 };
    if repeats.rows > 0 {
        blank(cells)?;
        repeats.differing = resolve(cells, &sheet, policy, workers)?;
    }
    Ok(repeats)
}

/// The cells as several threads may write to them.
fn shared(cells: &mut [f64]) -> &[AtomicU64] {
    // Both have the same size and alignment, so there is no error.
    <[AtomicU64]>::mut_from_bytes(cells.as_mut_bytes()).map_or(&[], |cells| cells)
}

/// The bits of a score.
fn kept(score: f64) -> u64 {
    if score.is_nan() { f64::NAN.to_bits() } else { score.to_bits() }
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
        let is_same = || bits == kept(score) || f64::from_bits(bits) == score;
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
    respondents: &'a Respondents<'a>,
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
        let height = self.respondents.first_rows.len();
        let (mut places, mut items, mut scores) = ([0; BLOCK], [0; BLOCK], [0.0; BLOCK]);
        workers.blocks(start, stop, |start, stop| {
            let length = stop - start;
            self.respondents.places.read(start, &mut places[..length], &mut last);
            self.rows.read(start, &mut items[..length], &mut scores[..length]);
            let cells = places[..length].iter().zip(&items[..length]).zip(&scores[..length]);
            for ((place, item), score) in cells {
                // Cannot wrap: the cells fit into memory.
                let column = (*item as usize).wrapping_mul(height);
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

    struct Made {
        cells: Vec<f64>,
        first_rows: Vec<usize>,
        repeats: Repeats,
    }

    fn made(
        groups: &Narrow,
        items: &Narrow,
        scores: &[f64],
        number: u32,
        policy: Policy,
        threads: usize,
    ) -> Made {
        let most = (0..groups.len()).filter_map(|row| groups.get(row)).max().unwrap_or(0) as usize;
        let ranks = ranks_of(&(0..most).rev().collect::<Vec<_>>());
        let keys = Keys::new(vec![KeyColumn { rows: groups, ranks }], scores.len());
        let keys = keys.expect("equally long");
        let item_of: Vec<u32> = (0..number).collect();
        let rows = ScoredRows::new(items, &item_of, scores).expect("equally long");
        let workers = Workers::new(threads, &|| true);
        let respondents = Respondents::find(&keys, scores.len(), &workers).expect("they are few");
        let first_rows = respondents.first_rows().to_vec();
        let mut cells = vec![7.5; first_rows.len() * number as usize];
        let repeats = matrix(&mut cells, &rows, &respondents, number as usize, policy, &workers);
        Made { cells, first_rows, repeats: repeats.expect("as many cells") }
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
        assert!(same(&found.cells, &[4.0, NAN, NAN, NAN, -0.0, 5.0]), "{:?}", found.cells);
        assert_eq!(found.first_rows, [1, 0]);
        assert_eq!(found.repeats, Repeats::default());
        let keys = Keys::new(Vec::new(), 1).expect("no key is too long");
        let rows = ScoredRows::new(&items, &[0, 0, 0], &[1.0; 4]).expect("equally long");
        let alone = Workers::alone();
        let everybody = Respondents::find(&keys, 4, &alone).expect("one is not many");
        let error = Error::Length { what: "cells", got: 2, expected: 3 };
        assert_eq!(matrix(&mut [0.0; 2], &rows, &everybody, 3, Policy::First, &alone), Err(error));
        let nothing = Narrow::default();
        let found = made(&nothing, &nothing, &[], 3, Policy::First, 2);
        assert_eq!((found.cells.len(), found.first_rows.len()), (0, 0));
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
            assert!(same(&found.cells, &expected), "{policy:?} {:?}", found.cells);
            assert_eq!(found.repeats, Repeats { rows: 7, differing });
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
        assert_eq!(one.repeats.rows, 0, "an odd factor permutes the respondents of an item");
        let repeated: Narrow = (0..n).map(|row| row / respondents / 2).collect();
        let last = made(&groups, &repeated, &scores, 2, Policy::Last, 1);
        assert_eq!(last.repeats.rows, n as usize / 2);
        for threads in [2, 3] {
            let more = made(&groups, &items, &scores, 4, Policy::First, threads);
            assert_eq!((more.cells, more.first_rows), (one.cells.clone(), one.first_rows.clone()));
            let more = made(&groups, &repeated, &scores, 2, Policy::Last, threads);
            assert_eq!((more.cells, more.repeats), (last.cells.clone(), last.repeats));
        }
    }
}
