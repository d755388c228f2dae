//! Respondents: which rows have the same values in all key columns, and in which order they come.

use std::hash::BuildHasher;

use foldhash::quality::RandomState;
use hashbrown::HashTable;

use crate::codes::{BLOCK, Joined, Narrow, join, width};
use crate::error::{Error, Result};
use crate::order::ranks_of;

/// A key column: its codes, and the place of every code in the order of the result.
#[derive(Clone, Debug)]
pub struct KeyColumn<'a> {
    /// The code of every row.
    pub rows: &'a Narrow,
    /// The place of every code, the missing one (code 0) first in this table.
    pub ranks: Vec<u32>,
}

/// The key columns, made ready so that the values of a row become one number, its *mark*: the codes
/// of all columns beside each other, the first column's in the highest bits.
#[derive(Debug)]
pub struct Keys<'a> {
    columns: Vec<Column<'a>>,
    rows: usize,
    /// Marks take this many bits.
    bits: u32,
}

#[derive(Debug)]
struct Column<'a> {
    rows: std::borrow::Cow<'a, Narrow>,
    ranks: Vec<u32>,
    /// The place of its lowest bit in a mark.
    shift: u32,
}

/// How many bits a mark may take.
const MOST_BITS: u32 = 63;

impl<'a> Keys<'a> {
    /// Joins key columns of `rows` rows each; without any, all rows are of one respondent.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if a column is shorter or longer, [`Error::TooMany`].
    pub fn new(keys: Vec<KeyColumn<'a>>, rows: usize) -> Result<Self> {
        // Cells count rows in 32 bits, and there may be two cells for a row.
        if rows > i32::MAX as usize {
            return Err(Error::TooMany { what: "rows" });
        }
        for key in &keys {
            let got = key.rows.len();
            if got != rows {
                return Err(Error::Length { what: "keys", got, expected: rows });
            }
        }
        let mut joined = Self { columns: Vec::new(), rows, bits: 0 };
        for key in keys {
            if joined.bits + width(key.ranks.len()) > MOST_BITS {
                joined = joined.collapse()?;
            }
            joined.push(std::borrow::Cow::Borrowed(key.rows), key.ranks);
        }
        Ok(joined)
    }

    fn push(&mut self, rows: std::borrow::Cow<'a, Narrow>, ranks: Vec<u32>) {
        let width = width(ranks.len());
        self.columns.iter_mut().for_each(|column| column.shift += width);
        self.columns.push(Column { rows, ranks, shift: 0 });
        self.bits += width;
    }

    /// Replaces the columns so far by one with a code for each of their combinations, of 31 bits at
    /// most, so that marks of any number of columns find room.
    fn collapse(self) -> Result<Self> {
        let mut grouper = Grouper::new(&self);
        let mut rows = Narrow::with_capacity(self.rows);
        let mut block = [0; BLOCK];
        for start in (0..self.rows).step_by(BLOCK) {
            let block = &mut block[..BLOCK.min(self.rows - start)];
            grouper.read(start, block)?;
            for code in block.iter_mut() {
                *code += 1;
            }
            rows.extend(block);
        }
        let ranks = ranks_of(&grouper.order().iter().map(|g| *g as usize).collect::<Vec<_>>());
        let mut joined = Self { columns: Vec::new(), rows: self.rows, bits: 0 };
        joined.push(std::borrow::Cow::Owned(rows), ranks);
        Ok(joined)
    }

    /// The marks of a block of rows.
    fn marks<T: Joined>(&self, start: usize, marks: &mut [T]) {
        join(self.columns.iter().map(|column| (&*column.rows, column.shift)), start, marks);
    }

    /// There cannot be more groups than this.
    #[must_use]
    pub fn most_groups(&self) -> usize {
        usize::try_from(1_u64 << self.bits).unwrap_or(usize::MAX).min(self.rows)
    }

    /// The mark's place in the order of the result: its codes replaced by their ranks.
    fn rank(&self, mark: u64) -> u64 {
        let mut rest = mark;
        let places = self.columns.iter().map(|column| {
            let code = rest >> column.shift;
            rest ^= code << column.shift;
            u64::from(column.ranks[code as usize]) << column.shift
        });
        places.fold(0, |all, place| all | place)
    }
}

/// Numbers the respondents in the order of their first rows.
#[derive(Debug)]
pub struct Grouper<'a> {
    keys: &'a Keys<'a>,
    index: Index,
    marks: Vec<u64>,
    first_rows: Vec<usize>,
}

/// What a place of an array without a group reads as.
const NO_GROUP: u32 = u32::MAX;
/// An array may have this many places, however few the rows.
const FREE_PLACES: usize = 1 << 16;
/// Groups are not sorted but put into their places where those are fewer than four times as many: that
/// takes no more memory.
const FEW_BITS: u32 = 2;

/// From marks to groups.
#[derive(Debug)]
enum Index {
    /// The group of every possible mark.
    Array(Vec<u32>),
    /// Where there are far more possible marks than rows.
    Hash { table: HashTable<u32>, seed: RandomState, last: u32 },
}

impl<'a> Grouper<'a> {
    /// Starts without any group.
    #[must_use]
    pub fn new(keys: &'a Keys<'a>) -> Self {
        let places = keys.rows.next_power_of_two().max(FREE_PLACES);
        let index = if keys.bits <= places.trailing_zeros() {
            Index::Array(vec![NO_GROUP; 1 << keys.bits])
        } else {
            Index::Hash { table: HashTable::new(), seed: RandomState::default(), last: 0 }
        };
        Self { keys, index, marks: Vec::new(), first_rows: Vec::new() }
    }

    /// Writes the group of each of the rows from `start` on, at most [`BLOCK`] of them.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`].
    pub fn read(&mut self, start: usize, groups: &mut [u32]) -> Result<()> {
        if let Index::Array(known) = &mut self.index {
            // Such marks have 32 bits at most: half the bytes, twice the speed.
            self.keys.marks(start, groups);
            let known = &mut known[..];
            for (offset, group) in groups.iter_mut().enumerate() {
                let mark = *group;
                *group = known[mark as usize];
                if *group == NO_GROUP {
                    let (marks, first_rows) = (&mut self.marks, &mut self.first_rows);
                    *group = push(marks, first_rows, u64::from(mark), start + offset)?;
                    known[mark as usize] = *group;
                }
            }
            return Ok(());
        }
        let mut marks = [0; BLOCK];
        let marks = &mut marks[..groups.len()];
        self.keys.marks(start, marks);
        for (offset, (group, mark)) in groups.iter_mut().zip(marks.iter()).enumerate() {
            *group = self.find(*mark, start + offset)?;
        }
        Ok(())
    }

    /// The group of a mark, a new one if it is the first with it.
    #[inline]
    fn find(&mut self, mark: u64, row: usize) -> Result<u32> {
        match &mut self.index {
            Index::Array(groups) => {
                let group = &mut groups[mark as usize];
                if *group == NO_GROUP {
                    *group = push(&mut self.marks, &mut self.first_rows, mark, row)?;
                }
                Ok(*group)
            }
            Index::Hash { table, seed, last } => {
                // Rows come respondent by respondent or item by item: the next row is mostly of the
                // same respondent, or of the one that followed this one before.
                let next = if *last as usize + 1 < self.marks.len() { *last + 1 } else { 0 };
                for guess in [*last, next] {
                    if self.marks.get(guess as usize) == Some(&mark) {
                        *last = guess;
                        return Ok(guess);
                    }
                }
                let hash = seed.hash_one(mark);
                let known = table.find(hash, |group| self.marks[*group as usize] == mark).copied();
                let group = if let Some(group) = known {
                    group
                } else {
                    let group = push(&mut self.marks, &mut self.first_rows, mark, row)?;
                    let marks = &self.marks;
                    table.insert_unique(hash, group, |g| seed.hash_one(marks[*g as usize]));
                    group
                };
                *last = group;
                Ok(group)
            }
        }
    }

    /// Takes the groups of a later part of the rows over and says which group here each became.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`].
    pub fn merge(&mut self, later: &Self) -> Result<Vec<u32>> {
        let groups = later.marks.iter().zip(&later.first_rows);
        groups.map(|(mark, row)| self.find(*mark, *row)).collect()
    }

    /// The number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The first row of every group.
    #[must_use]
    pub fn first_rows(&self) -> &[usize] {
        &self.first_rows
    }

    /// The groups in the order of the result: by the first key, then the second, and so on.
    #[must_use]
    pub fn order(&self) -> Vec<u32> {
        let ranked = self.marks.iter().zip(0..).map(|(mark, group)| (self.keys.rank(*mark), group));
        if self.keys.bits < width(self.marks.len()) + FEW_BITS {
            // No two groups have the same rank, so each has a place of its own.
            let mut places = vec![NO_GROUP; 1 << self.keys.bits];
            ranked.for_each(|(rank, group)| places[rank as usize] = group);
            places.retain(|group| *group != NO_GROUP);
            return places;
        }
        let mut order: Vec<(u64, u32)> = ranked.collect();
        order.sort_unstable();
        order.into_iter().map(|(_, group)| group).collect()
    }

    /// The groups numbered in the order of the result, and the first row of each.
    #[must_use]
    pub fn finish(self) -> (Places<'a>, Vec<usize>) {
        let order = self.order();
        let first_rows = order.iter().map(|group| self.first_rows[*group as usize]).collect();
        let mut place_of = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(group, place)| place_of[*group as usize] = place);
        let mut index = self.index;
        let mut marks = Vec::new();
        match &mut index {
            Index::Array(known) => {
                let groups = known.iter_mut().filter(|group| **group != NO_GROUP);
                groups.for_each(|group| *group = place_of[*group as usize]);
            }
            Index::Hash { table, .. } => {
                table.iter_mut().for_each(|group| *group = place_of[*group as usize]);
                marks = order.iter().map(|group| self.marks[*group as usize]).collect();
            }
        }
        (Places { keys: self.keys, index, marks }, first_rows)
    }
}

/// All groups, numbered in the order of the result; several threads may ask for those of rows.
#[derive(Debug)]
pub struct Places<'a> {
    keys: &'a Keys<'a>,
    index: Index,
    /// The mark of every group, where the index needs it.
    marks: Vec<u64>,
}

impl Places<'_> {
    /// Writes the group of each of the rows from `start` on, at most [`BLOCK`] of them. `last` is the
    /// group of the row before, or any.
    pub fn read(&self, start: usize, groups: &mut [u32], last: &mut u32) {
        match &self.index {
            Index::Array(known) => {
                self.keys.marks(start, groups);
                groups.iter_mut().for_each(|group| *group = known[*group as usize]);
            }
            Index::Hash { table, seed, .. } => {
                let mut marks = [0; BLOCK];
                let marks = &mut marks[..groups.len()];
                self.keys.marks(start, marks);
                for (group, mark) in groups.iter_mut().zip(marks.iter()) {
                    let same = |group: &u32| self.marks[*group as usize] == *mark;
                    let next = if *last as usize + 1 < self.marks.len() { *last + 1 } else { 0 };
                    let found = [*last, next].into_iter().find(same);
                    *last = found
                        .or_else(|| table.find(seed.hash_one(mark), same).copied())
                        .unwrap_or_default();
                    *group = *last;
                }
            }
        }
    }
}

#[cold]
#[inline(never)]
fn push(marks: &mut Vec<u64>, first_rows: &mut Vec<usize>, mark: u64, row: usize) -> Result<u32> {
    let group = u32::try_from(marks.len()).ok().filter(|group| *group < NO_GROUP);
    marks.push(mark);
    first_rows.push(row);
    group.ok_or(Error::TooMany { what: "respondents" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(keys: Vec<KeyColumn<'_>>, rows: usize) -> Result<(Vec<u32>, Vec<u32>)> {
        let keys = Keys::new(keys, rows)?;
        let mut grouper = Grouper::new(&keys);
        let mut groups = vec![0; rows];
        for (start, block) in groups.chunks_mut(BLOCK).enumerate() {
            grouper.read(start * BLOCK, block)?;
        }
        assert_eq!((grouper.len(), grouper.is_empty()), (grouper.first_rows().len(), rows == 0));
        let mut known = 0;
        for (row, group) in groups.iter().enumerate() {
            if *group == known {
                assert_eq!(grouper.first_rows()[*group as usize], row);
                known += 1;
            }
        }
        assert_eq!(known as usize, grouper.len());
        let order = grouper.order();
        let expected: Vec<usize> =
            order.iter().map(|group| grouper.first_rows()[*group as usize]).collect();
        let (places, first_rows) = grouper.finish();
        assert_eq!(first_rows, expected);
        let (mut last, mut block) = (0, [0; BLOCK]);
        for (number, groups) in groups.chunks(BLOCK).enumerate() {
            let block = &mut block[..groups.len()];
            places.read(number * BLOCK, block, &mut last);
            let back: Vec<u32> = block.iter().map(|place| order[*place as usize]).collect();
            assert_eq!(back, groups);
        }
        Ok((groups, order))
    }

    #[test]
    fn groups_are_numbered_by_row_and_ordered_by_key() -> Result<()> {
        let first: Narrow = [2, 1, 2, 0, 1].into_iter().collect();
        let second: Narrow = [1, 1, 1, 1, 2].into_iter().collect();
        let keys = vec![
            KeyColumn { rows: &first, ranks: vec![2, 0, 1] },
            KeyColumn { rows: &second, ranks: vec![2, 1, 0] },
        ];
        assert_eq!(groups(keys.clone(), 5)?, (vec![0, 1, 0, 2, 3], vec![3, 1, 0, 2]));
        assert_eq!(groups(vec![], 3)?, (vec![0, 0, 0], vec![0]));
        assert_eq!(groups(vec![], 0)?, (vec![], vec![]));
        let error = Error::Length { what: "keys", got: 5, expected: 4 };
        assert_eq!(groups(keys, 4), Err(error));
        Ok(())
    }

    #[test]
    fn any_number_of_wide_keys_gives_the_same_groups() -> Result<()> {
        // 70,000 distinct values in each of five columns: 2^80 possible combinations.
        let n = if cfg!(miri) { 700 } else { 70_000_u32 };
        let columns: Vec<Narrow> =
            (0..5).map(|k| (0..2 * n).map(|row| (row % n * (k + 1)) % n + 1).collect()).collect();
        let ranks = ranks_of(&(0..n as usize).collect::<Vec<_>>());
        let keys: Vec<KeyColumn<'_>> =
            columns.iter().map(|rows| KeyColumn { rows, ranks: ranks.clone() }).collect();
        let (rows, order) = groups(keys, 2 * n as usize)?;
        let expected: Vec<u32> = (0..n).chain(0..n).collect();
        assert_eq!(rows, expected);
        assert_eq!(order, (0..n).collect::<Vec<_>>(), "the first column alone decides");
        Ok(())
    }

    #[test]
    fn later_groups_are_merged_by_mark() -> Result<()> {
        let rows: Narrow = [1, 2, 2, 3].into_iter().collect();
        let keys = Keys::new(vec![KeyColumn { rows: &rows, ranks: vec![3, 0, 1, 2] }], 4)?;
        let (mut one, mut two) = (Grouper::new(&keys), Grouper::new(&keys));
        one.read(0, &mut [0; 2])?;
        two.read(2, &mut [0; 2])?;
        assert_eq!(one.merge(&two)?, [1, 2]);
        assert_eq!(one.first_rows(), [0, 1, 3]);
        Ok(())
    }
}
