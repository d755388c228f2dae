//! Rows of respondents, items and item scores in columns of their own, for what cannot be done while
//! answers are read: choosing between rows, counting items instead of rows, filling gaps.

use std::sync::Arc;

use crate::codes::{BLOCK, Narrow};
use crate::duplicates::{Pairs, Policy, first_repetition, first_scores, resolve};
use crate::error::{Error, Result};
use crate::group::{Grouper, KeyColumn, Keys};
use crate::order::ranks_of;
use crate::rows::{Rows, adds_exactly};
use crate::workers::Workers;

/// Rows with a respondent, an item, a scale and an item score each; a missing score is NaN.
#[derive(Clone, Debug)]
pub struct Responses {
    pub(crate) respondents: Arc<Respondents>,
    /// The number of each row's respondent plus one: a key column.
    pub(crate) groups: Arc<Narrow>,
    pub(crate) items: Arc<Narrow>,
    /// Items are below this.
    pub(crate) n_items: usize,
    pub(crate) scales: Arc<Narrow>,
    pub(crate) scores: Arc<[f64]>,
}

#[derive(Debug)]
pub(crate) struct Respondents {
    first_rows: Vec<usize>,
    ranks: Vec<u32>,
}

/// What an item score is turned into, given the lowest and highest possible score of the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// How far it is above the lowest one.
    Above,
    /// How far the highest one is above the lowest one.
    Width,
    /// The one as a percentage of the other; NaN if all scores of the item are the same.
    Percent,
}

impl Measure {
    fn of(self, score: f64, (low, high): (f64, f64)) -> f64 {
        match self {
            _ if score.is_nan() => score,
            Self::Above => score - low,
            Self::Width => high - low,
            Self::Percent if high > low => 100.0 * (score - low) / (high - low),
            Self::Percent => f64::NAN,
        }
    }
}

impl Responses {
    /// Reads all rows and numbers their respondents.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::TooMany`], [`Error::Interrupted`].
    pub fn read(
        rows: &impl Rows,
        items: Narrow,
        n_items: usize,
        keys: &Keys<'_>,
        workers: &Workers<'_>,
    ) -> Result<Self> {
        let (got, expected) = (items.len(), rows.len());
        if got != expected {
            return Err(Error::Length { what: "items", got, expected });
        }
        let mut grouper = Grouper::new(keys);
        let (mut groups, mut scales) = (Narrow::default(), Narrow::default());
        let mut scores = vec![0.0; expected];
        let mut block = [0; BLOCK];
        workers.blocks(0, expected, |start, stop| {
            let block = &mut block[..stop - start];
            grouper.read(start, block)?;
            block.iter_mut().for_each(|group| *group += 1);
            groups.extend(block);
            rows.read(start, block, &mut scores[start..stop]);
            scales.extend(block);
            Ok(())
        })?;
        let order: Vec<usize> = grouper.order().iter().map(|group| *group as usize).collect();
        let first_rows = grouper.first_rows().to_vec();
        Ok(Self {
            respondents: Respondents { first_rows, ranks: ranks_of(&order) }.into(),
            groups: groups.into(),
            items: items.into(),
            n_items,
            scales: scales.into(),
            scores: scores.into(),
        })
    }

    /// The respondents as the only key column.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`].
    pub fn keys(&self) -> Result<Keys<'_>> {
        let ranks = self.respondents.ranks.clone();
        Keys::new(vec![KeyColumn { rows: &self.groups, ranks }], self.scores.len())
    }

    /// The first of all the rows that were read that has the same respondent as this one.
    #[must_use]
    pub fn first_row(&self, row: usize) -> Option<usize> {
        let group = self.groups.get(row)?.checked_sub(1)?;
        self.respondents.first_rows.get(group as usize).copied()
    }

    pub(crate) fn pairs(&self) -> Pairs<'_> {
        let n_groups = self.respondents.ranks.len();
        Pairs { groups: &self.groups, n_groups, items: &self.items, n_items: self.n_items }
    }

    /// The first row whose item is not of the scale given for it, if there is one.
    #[must_use]
    pub fn first_misplaced(&self, scale_of: &[u32]) -> Option<usize> {
        let is_misplaced = |row: &usize| {
            let expected = self.items.get(*row).and_then(|item| scale_of.get(item as usize));
            self.scales.get(*row) != expected.copied()
        };
        (0..self.scores.len()).find(is_misplaced)
    }

    /// The first row that repeats the respondent and the item of an earlier one, after that one.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn first_repetition(&self, workers: &Workers<'_>) -> Result<Option<(usize, usize)>> {
        first_repetition(self.pairs(), &self.scores, workers)
    }

    /// The rows that stand, and the same rows with a score only where there is a conflict.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn resolve(&self, policy: Policy, workers: &Workers<'_>) -> Result<(Self, Self)> {
        let standing = resolve(self.pairs(), &self.scores, policy, workers)?;
        let kept: Vec<usize> = (0..self.scores.len()).filter(|row| standing.rows[*row]).collect();
        let column =
            |rows: &Narrow| kept.iter().filter_map(|row| rows.get(*row)).collect::<Narrow>();
        let mut conflicts = standing.conflicts.iter().peekable();
        let in_conflict: Vec<bool> = kept
            .iter()
            .map(|row| conflicts.next_if(|next| **next as usize == *row).is_some())
            .collect();
        let scores = |wanted: bool| {
            let rows = kept.iter().zip(&in_conflict);
            rows.map(|(row, conflict)| match (conflict, wanted) {
                (true, true) => 1.0,
                (false, false) => self.scores[*row],
                _ => f64::NAN,
            })
            .collect()
        };
        let resolved = Self {
            groups: column(&self.groups).into(),
            items: column(&self.items).into(),
            scales: column(&self.scales).into(),
            scores: scores(false),
            ..self.clone()
        };
        let conflicting = Self { scores: scores(true), ..resolved.clone() };
        Ok((resolved, conflicting))
    }

    /// The same rows with a score only on the first scored row of each respondent and item; nothing
    /// if no other row has one.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn distinct(&self, workers: &Workers<'_>) -> Result<Option<Self>> {
        let first = first_scores(self.pairs(), &self.scores, workers)?;
        let of = |(score, first): (&f64, &bool)| if *first { *score } else { f64::NAN };
        let scores: Arc<[f64]> = self.scores.iter().zip(&first).map(of).collect();
        let count = |scores: &[f64]| scores.iter().filter(|score| !score.is_nan()).count();
        let repeated = count(&scores) < count(&self.scores);
        Ok(repeated.then(|| Self { scores, ..self.clone() }))
    }

    /// The same rows with another measure of their scores, given the range of every item.
    #[must_use]
    pub fn measured(&self, measure: Measure, ranges: &[(f64, f64)]) -> Self {
        let range = |row| {
            let item = self.items.get(row).and_then(|item| ranges.get(item as usize));
            item.copied().unwrap_or((f64::NAN, f64::NAN))
        };
        let rows = self.scores.iter().enumerate();
        let scores = rows.map(|(row, score)| measure.of(*score, range(row))).collect();
        Self { scores, ..self.clone() }
    }
}

impl Rows for Responses {
    fn len(&self) -> usize {
        self.scores.len()
    }

    fn read(&self, start: usize, scales: &mut [u32], scores: &mut [f64]) {
        self.scales.read(start, scales);
        scores.copy_from_slice(&self.scores[start..start + scores.len()]);
    }

    fn adds_exactly(&self) -> bool {
        let rows = self.scores.len();
        self.scores.iter().all(|score| score.is_nan() || adds_exactly(*score, rows))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::aggregate::{Scales, Statistic, aggregate};
    use crate::rows::ScoredRows;

    const NAN: f64 = f64::NAN;

    /// Responses of respondents, items, scales and scores; respondents come in descending order.
    pub(crate) fn responses(rows: &[(u32, u32, u32, f64)], n_items: usize) -> Result<Responses> {
        let column = |of: fn(&(u32, u32, u32, f64)) -> u32| rows.iter().map(of).collect::<Narrow>();
        let groups = column(|row| row.0 + 1);
        let scales = column(|row| row.2);
        let scores: Vec<f64> = rows.iter().map(|row| row.3).collect();
        let keys = vec![KeyColumn { rows: &groups, ranks: (0..100).rev().collect() }];
        let keys = Keys::new(keys, rows.len())?;
        let source = ScoredRows::new(&scales, &[0, 1, 2, 3], &scores)?;
        Responses::read(&source, column(|row| row.1), n_items, &keys, &Workers::alone())
    }

    /// The scores, with 99 for a missing one.
    fn scores(responses: &Responses) -> Vec<f64> {
        responses.scores.iter().map(|score| if score.is_nan() { 99.0 } else { *score }).collect()
    }

    const ROWS: [(u32, u32, u32, f64); 6] = [
        (7, 0, 0, 1.0),
        (3, 0, 0, NAN),
        (7, 1, 1, 2.0),
        (3, 1, 1, 4.0),
        (7, 0, 0, 3.0),
        (3, 1, 1, 4.0),
    ];

    #[test]
    fn rows_are_collected_with_their_respondents() -> Result<()> {
        let found = responses(&ROWS, 2)?;
        assert_eq!(
            (0..7).map(|row| found.first_row(row)).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(0), Some(1), Some(0), Some(1), None]
        );
        assert!(!found.is_empty() && found.adds_exactly());
        assert_eq!(found.first_misplaced(&[0, 1]), None);
        assert_eq!(found.first_misplaced(&[0, 2]), Some(2));
        assert_eq!(found.first_repetition(&Workers::alone())?, Some((0, 4)));
        let scales = Narrow::default();
        let read = Responses::read(
            &ScoredRows::new(&scales, &[], &[])?,
            [1].into_iter().collect(),
            2,
            &Keys::new(Vec::new(), 0)?,
            &Workers::alone(),
        );
        assert_eq!(read.map(|_| ()), Err(Error::Length { what: "items", got: 1, expected: 0 }));
        Ok(())
    }

    #[test]
    fn respondents_are_a_key_in_the_order_of_those_that_were_read() -> Result<()> {
        let found = responses(&ROWS, 2)?;
        let scales = Scales { number: 3, total: true };
        let (keys, alone) = (found.keys()?, Workers::alone());
        let table = aggregate(&found, &keys, scales, Statistic::Sum, &alone)?;
        let first_rows: Vec<_> = table.first_rows.iter().map(|row| found.first_row(*row)).collect();
        assert_eq!(first_rows, [0, 0, 0, 1, 1, 1].map(Some), "7 comes before 3");
        assert_eq!(table.scales, [0, 1, 2, 0, 1, 2]);
        assert_eq!(table.n_items, [2, 1, 3, 0, 2, 2]);
        assert_eq!(table.n_missing, [0, 0, 0, 1, 0, 1]);
        assert_eq!(table.scores[4..], [8.0, 8.0]);
        Ok(())
    }

    #[test]
    fn standing_rows_are_kept_and_conflicts_have_no_score() -> Result<()> {
        let all = responses(&ROWS, 2)?;
        let resolve = |policy| all.resolve(policy, &Workers::alone());
        let (first, no_conflicts) = resolve(Policy::First)?;
        assert_eq!(scores(&first), [1.0, 99.0, 2.0, 4.0]);
        assert_eq!(scores(&no_conflicts), [99.0; 4]);
        let (last, _) = resolve(Policy::Last)?;
        assert_eq!(scores(&last), [99.0, 2.0, 3.0, 4.0]);
        assert_eq!(last.first_row(2), Some(0));
        let (unique, conflicts) = resolve(Policy::Unique)?;
        assert_eq!(scores(&unique), [99.0, 99.0, 2.0, 4.0]);
        assert_eq!(scores(&conflicts), [1.0, 99.0, 99.0, 99.0]);
        assert!(unique.distinct(&Workers::alone())?.is_none());
        let distinct = all.distinct(&Workers::alone())?.expect("there are repetitions");
        assert_eq!(scores(&distinct), [1.0, 99.0, 2.0, 4.0, 99.0, 99.0]);
        Ok(())
    }

    #[test]
    fn scores_are_measured_by_the_range_of_their_item() -> Result<()> {
        let all = responses(&ROWS, 2)?;
        let of = |measure, ranges: &[(f64, f64)]| scores(&all.measured(measure, ranges));
        let ranges = [(0.0, 4.0), (1.0, 5.0)];
        assert_eq!(of(Measure::Above, &ranges), [1.0, 99.0, 1.0, 3.0, 3.0, 3.0]);
        assert_eq!(of(Measure::Width, &ranges), [4.0, 99.0, 4.0, 4.0, 4.0, 4.0]);
        assert_eq!(of(Measure::Percent, &ranges), [25.0, 99.0, 25.0, 75.0, 75.0, 75.0]);
        assert_eq!(of(Measure::Percent, &[(0.0, 4.0), (2.0, 2.0)])[2..4], [99.0; 2]);
        assert_eq!(
            of(Measure::Above, &[(0.0, 4.0)])[2..4],
            [99.0; 2],
            "of an item without a range"
        );
        Ok(())
    }
}
