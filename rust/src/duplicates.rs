//! Several rows of one respondent for one item: which of them stands.

use hashbrown::HashMap;

use crate::codes::{BLOCK, Narrow};
use crate::error::{Error, Result};
use crate::workers::Workers;

/// Which of the rows of a respondent for one item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The first one.
    First,
    /// The last one.
    Last,
    /// The first one, and if the scores differ there is a *conflict*.
    Unique,
}

/// The rows that stand, one for each respondent and item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// For every row whether it stands.
    pub rows: Vec<bool>,
    /// How many do.
    pub number: usize,
    /// The standing rows with a conflict, whose score cannot be relied on.
    pub conflicts: Vec<u32>,
}

/// The numbers of the respondents and items of all rows.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<'a> {
    /// The respondent of every row.
    pub groups: &'a Narrow,
    /// Respondents are below this.
    pub n_groups: usize,
    /// The item of every row.
    pub items: &'a Narrow,
    /// Items are below this.
    pub n_items: usize,
}

/// Decides between the rows of each respondent and item.
///
/// # Errors
///
/// [`Error::Length`], [`Error::Interrupted`].
pub fn resolve(
    pairs: Pairs<'_>,
    scores: &[f64],
    policy: Policy,
    workers: &Workers<'_>,
) -> Result<Standing> {
    let mut standing = Standing { rows: vec![false; scores.len()], ..Standing::default() };
    let Standing { rows, number, conflicts } = &mut standing;
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    let mut found = Places::new(pairs);
    pairs.visit(scores, workers, |row, group, item, score| {
        let place = found.at(group, item);
        match place.checked_sub(1) {
            Some(known) if policy == Policy::Last => rows[known as usize] = false,
            Some(known) => {
                if policy == Policy::Unique && !same(score, scores[known as usize]) {
                    conflicts.push(known);
                }
                return true;
            }
            None => *number += 1,
        }
        *place = row + 1;
        rows[row as usize] = true;
        true
    })?;
    conflicts.sort_unstable();
    conflicts.dedup();
    Ok(standing)
}

/// For every row whether it is the first of its respondent and item that has a score.
///
/// # Errors
///
/// [`Error::Length`], [`Error::Interrupted`].
pub fn first_scores(pairs: Pairs<'_>, scores: &[f64], workers: &Workers<'_>) -> Result<Vec<bool>> {
    let mut rows = vec![false; scores.len()];
    let mut found = Places::new(pairs);
    pairs.visit(scores, workers, |row, group, item, score| {
        if !score.is_nan() {
            let place = found.at(group, item);
            rows[row as usize] = *place == 0;
            *place = 1;
        }
        true
    })?;
    Ok(rows)
}

/// The first row whose respondent and item an earlier row has too, after that row.
///
/// # Errors
///
/// [`Error::Length`], [`Error::Interrupted`].
pub fn first_repetition(
    pairs: Pairs<'_>,
    scores: &[f64],
    workers: &Workers<'_>,
) -> Result<Option<(usize, usize)>> {
    let mut found = Places::new(pairs);
    let mut repeated = None;
    pairs.visit(scores, workers, |row, group, item, _| {
        let place = found.at(group, item);
        match place.checked_sub(1) {
            None => *place = row + 1,
            Some(known) => repeated = Some((known as usize, row as usize)),
        }
        repeated.is_none()
    })?;
    Ok(repeated)
}

impl Pairs<'_> {
    /// Calls back with each row, its respondent, item and score, for as long as the answer is true.
    pub(crate) fn visit(
        self,
        scores: &[f64],
        workers: &Workers<'_>,
        mut visit: impl FnMut(u32, u32, u32, f64) -> bool,
    ) -> Result<()> {
        let expected = scores.len();
        for (what, got) in [("respondents", self.groups.len()), ("items", self.items.len())] {
            if got != expected {
                return Err(Error::Length { what, got, expected });
            }
        }
        let (mut groups, mut items) = ([0; BLOCK], [0; BLOCK]);
        let mut wanted = true;
        workers.blocks(0, expected, |start, stop| {
            if wanted {
                let (groups, items) = (&mut groups[..stop - start], &mut items[..stop - start]);
                self.groups.read(start, groups);
                self.items.read(start, items);
                let rows = groups.iter().zip(items.iter()).zip(&scores[start..stop]);
                wanted = (start as u32..)
                    .zip(rows)
                    .all(|(row, ((group, item), score))| visit(row, *group, *item, *score));
            }
            Ok(())
        })
    }
}

/// A number for each pair of respondent and item, 0 at first: in a full grid as long as that is not
/// far larger than the rows can fill, or else found by the pair.
#[derive(Debug)]
pub(crate) enum Places {
    /// All items of the first respondent, then those of the second, and so on.
    Grid { places: Vec<u32>, n_items: usize },
    /// Only pairs that occur.
    Sparse(HashMap<(u32, u32), u32>),
}

/// A grid may have this many places for each row.
const PLACES_PER_ROW: usize = 4;
/// A grid may have this many places, however few the rows.
const FREE_PLACES: usize = 1 << 16;

impl Places {
    pub(crate) fn new(pairs: Pairs<'_>) -> Self {
        let most = pairs.groups.len().saturating_mul(PLACES_PER_ROW).max(FREE_PLACES);
        match pairs.n_groups.checked_mul(pairs.n_items).filter(|size| *size <= most) {
            Some(size) => Self::Grid { places: vec![0; size], n_items: pairs.n_items },
            None => Self::Sparse(HashMap::default()),
        }
    }

    #[inline]
    pub(crate) fn at(&mut self, group: u32, item: u32) -> &mut u32 {
        match self {
            Self::Grid { places, n_items } => {
                &mut places[group as usize * *n_items + item as usize]
            }
            Self::Sparse(pairs) => pairs.entry((group, item)).or_insert(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: f64 = f64::NAN;

    fn narrow(rows: &[u32]) -> Narrow {
        rows.iter().copied().collect()
    }

    fn pairs<'a>(groups: &'a Narrow, items: &'a Narrow, n_items: usize) -> Pairs<'a> {
        Pairs { groups, n_groups: 5000, items, n_items }
    }

    /// Decides by brute force: collects the rows of each pair, then applies the rule to them.
    fn by_hand(groups: &[u32], items: &[u32], scores: &[f64], policy: Policy) -> Standing {
        let mut standing = Standing { rows: vec![false; groups.len()], ..Standing::default() };
        for row in 0..groups.len() {
            let same = |r: &usize| groups[*r] == groups[row] && items[*r] == items[row];
            let rows: Vec<usize> = (0..groups.len()).filter(same).collect();
            if rows[0] != row {
                continue;
            }
            let stands = rows[if policy == Policy::Last { rows.len() - 1 } else { 0 }];
            standing.rows[stands] = true;
            standing.number += 1;
            let differ = rows.iter().any(|r| scores[*r].to_bits() != scores[row].to_bits());
            if policy == Policy::Unique && differ {
                standing.conflicts.push(stands as u32);
            }
        }
        standing
    }

    #[test]
    fn one_row_of_each_pair_stands() -> Result<()> {
        let (groups, items) = ([1, 1, 1, 0, 1, 1, 0, 2, 2], [0, 0, 0, 0, 1, 1, 0, 0, 0]);
        let scores = [NAN, 3.0, 4.0, NAN, 2.0, 2.0, NAN, 1.0, 5.0];
        let (narrow_groups, narrow_items) = (narrow(&groups), narrow(&items));
        let expected = [
            (Policy::First, vec![0, 3, 4, 7], vec![]),
            (Policy::Last, vec![2, 5, 6, 8], vec![]),
            (Policy::Unique, vec![0, 3, 4, 7], vec![0, 7]),
        ];
        // In a grid, and by pair.
        for n_items in [2, 1 << 20] {
            let (pairs, alone) = (pairs(&narrow_groups, &narrow_items, n_items), Workers::alone());
            for (policy, stand, conflicts) in expected.clone() {
                let found = resolve(pairs, &scores, policy, &alone)?;
                let rows: Vec<bool> = (0..9).map(|row| stand.contains(&row)).collect();
                assert_eq!(found, Standing { rows, number: 4, conflicts });
                assert_eq!(found, by_hand(&groups, &items, &scores, policy));
            }
            assert_eq!(first_repetition(pairs, &scores, &alone)?, Some((0, 1)));
            let first: Vec<bool> = (0..9).map(|row| [1, 4, 7].contains(&row)).collect();
            assert_eq!(first_scores(pairs, &scores, &alone)?, first);
        }
        Ok(())
    }

    #[test]
    fn many_rows_are_decided_as_by_hand() -> Result<()> {
        let n = BLOCK as u32 + 500;
        let groups: Vec<u32> = (0..n).map(|row| row.wrapping_mul(2_654_435_761) % 97).collect();
        let items: Vec<u32> = (0..n).map(|row| row % 7).collect();
        let scores: Vec<f64> =
            (0..n).map(|row| if row % 3 == 0 { NAN } else { f64::from(row % 2) }).collect();
        let (narrow_groups, narrow_items) = (narrow(&groups), narrow(&items));
        for policy in [Policy::First, Policy::Last, Policy::Unique] {
            let pairs = pairs(&narrow_groups, &narrow_items, 7);
            let found = resolve(pairs, &scores, policy, &Workers::alone())?;
            assert_eq!(found, by_hand(&groups, &items, &scores, policy));
        }
        let pairs = pairs(&narrow_groups, &narrow_items, 7);
        let pair = |row: usize| (groups[row], items[row]);
        let earlier = |row: usize| (0..row).find(|r| pair(*r) == pair(row)).map(|r| (r, row));
        let expected = (0..groups.len()).find_map(earlier);
        assert_eq!(first_repetition(pairs, &scores, &Workers::alone())?, expected);
        assert!(expected.is_some_and(|(_, row)| row < BLOCK), "before the last block");
        Ok(())
    }

    #[test]
    fn without_repetitions_all_rows_stand() -> Result<()> {
        let (groups, items): (Narrow, Narrow) =
            ((0..3000).collect(), (0..3000).map(|_| 1).collect());
        let (pairs, scores, alone) = (pairs(&groups, &items, 2), vec![NAN; 3000], Workers::alone());
        let found = resolve(pairs, &scores, Policy::Unique, &alone)?;
        assert_eq!(found, Standing { rows: vec![true; 3000], number: 3000, conflicts: vec![] });
        assert_eq!(first_repetition(pairs, &scores, &alone)?, None);
        assert_eq!(first_scores(pairs, &scores, &alone)?, vec![false; 3000]);
        Ok(())
    }

    #[test]
    fn columns_have_to_be_equally_long() {
        let (two, none) = (narrow(&[0, 1]), Narrow::default());
        let alone = Workers::alone();
        let error = |what, got| Error::Length { what, got, expected: 2 };
        let repetition = first_repetition(pairs(&two, &none, 1), &[1.0; 2], &alone);
        assert_eq!(repetition, Err(error("items", 0)));
        let standing = resolve(pairs(&none, &two, 1), &[1.0; 2], Policy::First, &alone);
        assert_eq!(standing, Err(error("respondents", 0)));
    }
}
