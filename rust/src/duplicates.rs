//! Several rows of one respondent for one item: which of them stands.

use hashbrown::HashMap;

use crate::codes::{BLOCK, Narrow};
use crate::error::{Error, Result};
use crate::workers::Workers;

/// Which rows of a respondent's for one item stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The first one with a score, or else the first.
    First,
    /// The last one with a score, or else the last.
    Last,
    /// The first one with a score, unless another has a different one: then there is a *conflict*.
    Unique,
}

/// The rows that stand, one for each respondent and item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// For every row whether it stands.
    pub rows: Vec<bool>,
    /// How many do.
    pub number: usize,
    /// The standing rows with a conflict, which have no score that could be relied on.
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

/// Decides between the rows of each respondent and item; a row without a score (NaN) stands only
/// where none has one.
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
    let (got, expected) = (scores.len(), pairs.groups.len());
    if got != expected {
        return Err(Error::Length { what: "scores", got, expected });
    }
    let mut rows = vec![false; scores.len()];
    let mut number = 0;
    let mut clashing: Vec<u32> = Vec::new();
    let mut found = Places::new(pairs);
    pairs.visit(workers, |row, group, item| {
        let place = found.at(group, item);
        let Some(known) = place.checked_sub(1) else {
            *place = row + 1;
            rows[row as usize] = true;
            number += 1;
            return true;
        };
        let (before, now) = (scores[known as usize], scores[row as usize]);
        let wins = !now.is_nan() && (before.is_nan() || policy == Policy::Last)
            || now.is_nan() && before.is_nan() && policy == Policy::Last;
        if wins {
            rows[known as usize] = false;
            rows[row as usize] = true;
            *place = row + 1;
        } else if policy == Policy::Unique && !now.is_nan() && now != before {
            clashing.push(known);
        }
        true
    })?;
    clashing.sort_unstable();
    clashing.dedup();
    Ok(Standing { rows, number, conflicts: clashing })
}

/// The first row whose respondent and item an earlier row has too, after that row.
///
/// # Errors
///
/// [`Error::Length`], [`Error::Interrupted`].
pub fn first_repetition(pairs: Pairs<'_>, workers: &Workers<'_>) -> Result<Option<(usize, usize)>> {
    let mut found = Places::new(pairs);
    let mut repeated = None;
    pairs.visit(workers, |row, group, item| {
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
    /// Calls back with each row, its respondent and its item, for as long as the answer is true.
    pub(crate) fn visit(
        self,
        workers: &Workers<'_>,
        mut visit: impl FnMut(u32, u32, u32) -> bool,
    ) -> Result<()> {
        let (got, expected) = (self.items.len(), self.groups.len());
        if got != expected {
            return Err(Error::Length { what: "items", got, expected });
        }
        let (mut groups, mut items) = ([0; BLOCK], [0; BLOCK]);
        let mut wanted = true;
        workers.blocks(0, expected, |start, stop| {
            if wanted {
                let (groups, items) = (&mut groups[..stop - start], &mut items[..stop - start]);
                self.groups.read(start, groups);
                self.items.read(start, items);
                let mut rows = (start as u32..).zip(groups.iter().zip(items.iter()));
                wanted = rows.all(|(row, (group, item))| visit(row, *group, *item));
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

    /// Decides by brute force: collects the rows of each pair, then applies the rule to them.
    fn by_hand(groups: &[u32], items: &[u32], scores: &[f64], policy: Policy) -> Standing {
        let mut standing = Standing { rows: vec![false; groups.len()], ..Standing::default() };
        for row in 0..groups.len() {
            let rows: Vec<usize> = (0..groups.len())
                .filter(|r| (groups[*r], items[*r]) == (groups[row], items[row]))
                .collect();
            if rows[0] != row {
                continue;
            }
            let scored: Vec<usize> =
                rows.iter().copied().filter(|r| !scores[*r].is_nan()).collect();
            let among = if scored.is_empty() { &rows } else { &scored };
            let stands = among[if policy == Policy::Last { among.len() - 1 } else { 0 }];
            standing.rows[stands] = true;
            standing.number += 1;
            let differ = scored.iter().any(|r| scores[*r] != scores[scored[0]]);
            if policy == Policy::Unique && differ {
                standing.conflicts.push(stands as u32);
            }
        }
        standing.conflicts.sort_unstable();
        standing
    }

    fn pairs<'a>(groups: &'a Narrow, items: &'a Narrow, n_items: usize) -> Pairs<'a> {
        Pairs { groups, n_groups: 5000, items, n_items }
    }

    #[test]
    fn one_row_of_each_pair_stands() -> Result<()> {
        let groups = [1, 1, 1, 0, 1, 1, 0, 2, 2, 2, 2];
        let items = [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0];
        let scores = [NAN, 3.0, 4.0, NAN, 2.0, 2.0, NAN, 1.0, NAN, 1.0, 5.0];
        let (narrow_groups, narrow_items): (Narrow, Narrow) =
            (groups.into_iter().collect(), items.into_iter().collect());
        let expected = [
            (Policy::First, vec![1, 3, 4, 7], vec![]),
            (Policy::Last, vec![2, 5, 6, 10], vec![]),
            (Policy::Unique, vec![1, 3, 4, 7], vec![1, 7]),
        ];
        for (policy, stand, conflicts) in expected {
            // In a grid, and by pair.
            for n_items in [2, 1 << 20] {
                let pairs = pairs(&narrow_groups, &narrow_items, n_items);
                let found = resolve(pairs, &scores, policy, &Workers::alone())?;
                let rows: Vec<bool> = (0..11).map(|row| stand.contains(&row)).collect();
                let number = stand.len();
                assert_eq!(found, Standing { rows, number, conflicts: conflicts.clone() });
                assert_eq!(found, by_hand(&groups, &items, &scores, policy));
                assert_eq!(first_repetition(pairs, &Workers::alone())?, Some((0, 1)));
            }
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
        let narrow = |rows: &[u32]| rows.iter().copied().collect::<Narrow>();
        let (narrow_groups, narrow_items) = (narrow(&groups), narrow(&items));
        for policy in [Policy::First, Policy::Last, Policy::Unique] {
            let pairs = pairs(&narrow_groups, &narrow_items, 7);
            let found = resolve(pairs, &scores, policy, &Workers::alone())?;
            assert_eq!(found, by_hand(&groups, &items, &scores, policy));
        }
        Ok(())
    }

    #[test]
    fn without_repetitions_all_rows_stand() -> Result<()> {
        let groups: Narrow = (0..3000).collect();
        let items: Narrow = std::iter::repeat_n(1, 3000).collect();
        let pairs = pairs(&groups, &items, 2);
        let found = resolve(pairs, &vec![NAN; 3000], Policy::Unique, &Workers::alone())?;
        assert_eq!(found, Standing { rows: vec![true; 3000], number: 3000, conflicts: vec![] });
        assert_eq!(first_repetition(pairs, &Workers::alone())?, None);
        Ok(())
    }

    #[test]
    fn columns_have_to_be_equally_long() {
        let (groups, items): (Narrow, Narrow) = ([0, 1].into_iter().collect(), Narrow::default());
        let pairs = pairs(&groups, &items, 1);
        let error = |what, got| Error::Length { what, got, expected: 2 };
        let repetition = first_repetition(pairs, &Workers::alone());
        assert_eq!(repetition, Err(error("items", 0)));
        let standing = resolve(pairs, &[1.0], Policy::First, &Workers::alone());
        assert_eq!(standing, Err(error("scores", 1)));
    }
}
