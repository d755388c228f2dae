//! A column as codes: one small integer a row, and the distinct values that the codes stand for.
//!
//! Code 0 is a missing cell; code `k` stands for the value `k - 1`. The codes take one, two or four
//! bytes a row, as few as the number of distinct values allows, because a pass over them costs what
//! their bytes cost.

use std::ops::{BitOr, Shl};

use crate::error::{Error, Result};
use crate::values::Values;
use crate::workers::Workers;

/// Rows that are worked on at a time: small enough for the first-level cache, large enough that the
/// work between two blocks does not show.
pub const BLOCK: usize = 2048;

/// The code of a missing cell.
pub const MISSING: u32 = 0;

/// A number with room for the codes of several columns beside each other.
pub trait Joined:
    Copy + From<u8> + From<u16> + From<u32> + Shl<u32, Output = Self> + BitOr<Output = Self>
{
}
impl Joined for u32 {}
impl Joined for u64 {}

/// How many bits hold any of so many codes.
#[must_use]
pub fn width(codes: usize) -> u32 {
    codes.next_power_of_two().trailing_zeros()
}

/// A vector of small integers that is as narrow as its largest one allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// All below 2^8.
    U8(Vec<u8>),
    /// All below 2^16.
    U16(Vec<u16>),
    /// All below 2^32.
    U32(Vec<u32>),
}

impl Default for Narrow {
    fn default() -> Self {
        Self::U8(Vec::new())
    }
}

impl Narrow {
    /// The code at each of these places of a table, which has to have them all.
    pub fn picked(table: &[u32], places: impl ExactSizeIterator<Item = usize>) -> Self {
        let bits = table.iter().fold(0, |all, code| all | code);
        if u8::try_from(bits).is_ok() {
            Self::U8(pick(table, places, |code| code as u8))
        } else if u16::try_from(bits).is_ok() {
            Self::U16(pick(table, places, |code| code as u16))
        } else {
            Self::U32(pick(table, places, |code| code))
        }
    }

    /// An empty vector with room for `rows` of the smallest width.
    #[must_use]
    pub fn with_capacity(rows: usize) -> Self {
        Self::U8(Vec::with_capacity(rows))
    }

    /// The codes of `rows` rows, of which none is above `most`, written block by block, with each
    /// `unit` of them in one block.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`] if `most` is no code, [`Error::Interrupted`].
    pub fn written(
        rows: usize,
        unit: usize,
        most: usize,
        workers: &Workers<'_>,
        write: impl Fn(usize, &mut [u32]) + Sync,
    ) -> Result<Self> {
        if u8::try_from(most).is_ok() {
            written(rows, unit, write, |code| code as u8, workers).map(Self::U8)
        } else if u16::try_from(most).is_ok() {
            written(rows, unit, write, |code| code as u16, workers).map(Self::U16)
        } else if u32::try_from(most).is_ok() {
            written(rows, unit, write, |code| code, workers).map(Self::U32)
        } else {
            Err(Error::TooMany { what: "codes" })
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::U8(rows) => rows.len(),
            Self::U16(rows) => rows.len(),
            Self::U32(rows) => rows.len(),
        }
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a block of codes and widens all of them if one does not fit.
    pub fn extend(&mut self, codes: &[u32]) {
        // All bits that occur: as wide as the largest code, and cheaper to find.
        let bits = codes.iter().fold(0, |all, code| all | code);
        self.widen(bits);
        match self {
            Self::U8(rows) => rows.extend(codes.iter().map(|code| *code as u8)),
            Self::U16(rows) => rows.extend(codes.iter().map(|code| *code as u16)),
            Self::U32(rows) => rows.extend_from_slice(codes),
        }
    }

    /// Appends the rows of another vector, each replaced by what its place in the table holds.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn append_recoded(
        &mut self,
        other: &Self,
        table: &[u32],
        workers: &Workers<'_>,
    ) -> Result<()> {
        self.widen(table.iter().fold(0, |all, code| all | code));
        match self {
            Self::U8(rows) => append_recoded(rows, other, table, |code| code as u8, workers),
            Self::U16(rows) => append_recoded(rows, other, table, |code| code as u16, workers),
            Self::U32(rows) => append_recoded(rows, other, table, |code| code, workers),
        }
    }

    fn widen(&mut self, code: u32) {
        match self {
            Self::U8(rows) if code > u32::from(u8::MAX) => {
                let capacity = rows.capacity();
                if u16::try_from(code).is_ok() {
                    let mut wide = Vec::with_capacity(capacity);
                    wide.extend(rows.iter().map(|row| u16::from(*row)));
                    *self = Self::U16(wide);
                } else {
                    let mut wide = Vec::with_capacity(capacity);
                    wide.extend(rows.iter().map(|row| u32::from(*row)));
                    *self = Self::U32(wide);
                }
            }
            Self::U16(rows) if code > u32::from(u16::MAX) => {
                let mut wide = Vec::with_capacity(rows.capacity());
                wide.extend(rows.iter().map(|row| u32::from(*row)));
                *self = Self::U32(wide);
            }
            _ => {}
        }
    }

    /// Copies the rows from `start` on into `block`, which must not reach past the end.
    pub fn read(&self, start: usize, block: &mut [u32]) {
        let stop = start + block.len();
        match self {
            Self::U8(rows) => {
                block
                    .iter_mut()
                    .zip(&rows[start..stop])
                    .for_each(|(to, row)| *to = u32::from(*row));
            }
            Self::U16(rows) => {
                block
                    .iter_mut()
                    .zip(&rows[start..stop])
                    .for_each(|(to, row)| *to = u32::from(*row));
            }
            Self::U32(rows) => block.copy_from_slice(&rows[start..stop]),
        }
    }

    /// The codes of some rows; nothing if one of them is not there.
    #[must_use]
    pub fn at(&self, rows: &[i64]) -> Option<Vec<u32>> {
        match self {
            Self::U8(codes) => at(codes, rows),
            Self::U16(codes) => at(codes, rows),
            Self::U32(codes) => at(codes, rows),
        }
    }

    /// The code of one row.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<u32> {
        match self {
            Self::U8(rows) => rows.get(row).copied().map(u32::from),
            Self::U16(rows) => rows.get(row).copied().map(u32::from),
            Self::U32(rows) => rows.get(row).copied(),
        }
    }
}

fn appearances<C: Copy + PartialEq + Into<u32>>(rows: &[C], values: usize) -> Vec<(u32, usize)> {
    let mut seen = vec![false; values + 1];
    let mut unseen = values;
    let mut found = Vec::new();
    let mut last = None;
    for (number, block) in rows.chunks(BLOCK).enumerate() {
        if unseen == 0 && values > 0 {
            break;
        }
        // A block of one code that is known: the rows of a scale often come together.
        if last.is_some_and(|last| block.iter().filter(|code| **code != last).count() == 0) {
            continue;
        }
        for (row, code) in (number * BLOCK..).zip(block) {
            let code = (*code).into();
            if !std::mem::replace(&mut seen[code as usize], true) {
                found.push((code, row));
                unseen -= usize::from(code != MISSING);
            }
        }
        last = block.last().copied();
    }
    found
}

fn recode<C: Copy + Ord + Into<u32>>(rows: &[C], table: &[u32]) -> Result<Narrow> {
    let (place, limit) = (|code: &C| (*code).into() as usize, table.len());
    // One look at the largest is all that a sound column needs.
    if rows.iter().max().is_some_and(|code| place(code) >= limit) {
        let row = rows.iter().position(|code| place(code) >= limit).unwrap_or_default();
        return Err(Error::Code { row, code: i64::from(rows[row].into()), limit });
    }
    Ok(Narrow::picked(table, rows.iter().map(place)))
}

fn written<C: Copy + Default + Send>(
    rows: usize,
    unit: usize,
    write: impl Fn(usize, &mut [u32]) + Sync,
    narrow: impl Fn(u32) -> C + Sync,
    workers: &Workers<'_>,
) -> Result<Vec<C>> {
    let mut codes = vec![C::default(); rows];
    workers.write(&mut codes, unit, |start, codes, block: &mut Vec<u32>| {
        block.resize(codes.len(), MISSING);
        write(start, block);
        codes.iter_mut().zip(block).for_each(|(to, code)| *to = narrow(*code));
        Ok(())
    })?;
    Ok(codes)
}

fn append_recoded<C: Copy + Default + Send + Sync>(
    rows: &mut Vec<C>,
    other: &Narrow,
    table: &[u32],
    narrow: impl Fn(u32) -> C,
    workers: &Workers<'_>,
) -> Result<()> {
    let table: Vec<C> = table.iter().map(|code| narrow(*code)).collect();
    let first = rows.len();
    rows.resize(first + other.len(), C::default());
    let written = workers.write(&mut rows[first..], 1, |start, to, (): &mut ()| {
        let rows = start..start + to.len();
        match other {
            Narrow::U8(codes) => look_up(&table, &codes[rows], to),
            Narrow::U16(codes) => look_up(&table, &codes[rows], to),
            Narrow::U32(codes) => look_up(&table, &codes[rows], to),
        }
        Ok(())
    });
    written.map(|_| ())
}

fn at<C: Copy + Into<u32>>(codes: &[C], rows: &[i64]) -> Option<Vec<u32>> {
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        found.push((*codes.get(usize::try_from(*row).ok()?)?).into());
    }
    Some(found)
}

fn look_up<C: Copy>(table: &[C], codes: &[impl Copy + Into<u32>], to: &mut [C]) {
    to.iter_mut().zip(codes).for_each(|(to, code)| *to = table[(*code).into() as usize]);
}

fn pick<C: Copy>(
    table: &[u32],
    places: impl ExactSizeIterator<Item = usize>,
    narrow: impl Fn(u32) -> C,
) -> Vec<C> {
    // Most tables count from 0, and then a place is its own code.
    if table.iter().zip(0..).all(|(code, place)| *code == place) {
        return places.map(|place| narrow(place as u32)).collect();
    }
    let table: Vec<C> = table.iter().map(|code| narrow(*code)).collect();
    places.map(|place| table[place]).collect()
}

/// Joins the rows of several columns from `start` on, each shifted by so many bits, so that their
/// codes become one number.
pub fn join<'a, T: Joined>(
    columns: impl IntoIterator<Item = (&'a Narrow, u32)>,
    start: usize,
    block: &mut [T],
) {
    let rows = start..start + block.len();
    let mut columns = columns.into_iter().peekable();
    if columns.peek().is_none() {
        block.fill(T::from(0_u8));
    }
    for (number, (column, shift)) in columns.enumerate() {
        let is_first = number == 0;
        match column {
            Narrow::U8(codes) => shift_into(&codes[rows.clone()], shift, is_first, block),
            Narrow::U16(codes) => shift_into(&codes[rows.clone()], shift, is_first, block),
            Narrow::U32(codes) => shift_into(&codes[rows.clone()], shift, is_first, block),
        }
    }
}

/// Writes the first column over what the block held and joins the others with it.
fn shift_into<C, T>(codes: &[C], shift: u32, is_first: bool, block: &mut [T])
where
    C: Copy,
    T: Joined + From<C>,
{
    let rows = block.iter_mut().zip(codes);
    if is_first {
        rows.for_each(|(joined, code)| *joined = T::from(*code) << shift);
    } else {
        rows.for_each(|(joined, code)| *joined = *joined | T::from(*code) << shift);
    }
}

impl FromIterator<u32> for Narrow {
    fn from_iter<I: IntoIterator<Item = u32>>(codes: I) -> Self {
        let mut rows = Self::default();
        let mut block = Vec::with_capacity(BLOCK);
        for code in codes {
            block.push(code);
            if block.len() == BLOCK {
                rows.extend(&block);
                block.clear();
            }
        }
        rows.extend(&block);
        rows
    }
}

/// An encoded column.
#[derive(Clone, Debug, Default)]
pub struct Codes {
    /// The code of every row.
    pub rows: Narrow,
    /// What the codes stand for.
    pub values: Values,
}

impl Codes {
    /// The same rows with every code replaced by `table[code]`; the code 0 stays missing unless the
    /// table says otherwise.
    ///
    /// # Errors
    ///
    /// [`Error::Code`] if a code is not in the table.
    pub fn recode(&self, table: &[u32]) -> Result<Narrow> {
        match &self.rows {
            Narrow::U8(rows) => recode(rows, table),
            Narrow::U16(rows) => recode(rows, table),
            Narrow::U32(rows) => recode(rows, table),
        }
    }

    /// The number of rows whose code is one of these.
    #[must_use]
    pub fn count(&self, codes: &[u32]) -> usize {
        let mut wanted = vec![false; self.values.len() + 1];
        for code in codes {
            if let Some(wanted) = wanted.get_mut(*code as usize) {
                *wanted = true;
            }
        }
        let mut block = [0; BLOCK];
        let counts = (0..self.rows.len()).step_by(BLOCK).map(|start| {
            let block = &mut block[..BLOCK.min(self.rows.len() - start)];
            self.rows.read(start, block);
            block.iter().filter(|code| wanted[**code as usize]).count()
        });
        counts.sum()
    }

    /// The first row of every code that occurs, in the order of first appearance, as pairs of code
    /// and row. The scan ends once every value has been seen, and so may not reach a missing cell.
    #[must_use]
    pub fn appearances(&self) -> Vec<(u32, usize)> {
        match &self.rows {
            Narrow::U8(rows) => appearances(rows, self.values.len()),
            Narrow::U16(rows) => appearances(rows, self.values.len()),
            Narrow::U32(rows) => appearances(rows, self.values.len()),
        }
    }

    /// The first row with a missing cell.
    #[must_use]
    pub fn first_missing(&self) -> Option<usize> {
        let mut block = [0; BLOCK];
        (0..self.rows.len()).step_by(BLOCK).find_map(|start| {
            let block = &mut block[..BLOCK.min(self.rows.len() - start)];
            self.rows.read(start, block);
            block.iter().position(|code| *code == MISSING).map(|offset| start + offset)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_widen_and_keep_their_values() {
        let mut rows = Narrow::with_capacity(4);
        rows.extend(&[0, 255]);
        assert_eq!(rows, Narrow::U8(vec![0, 255]));
        rows.extend(&[256]);
        assert_eq!(rows, Narrow::U16(vec![0, 255, 256]));
        rows.extend(&[65_536, 1]);
        assert_eq!(rows, Narrow::U32(vec![0, 255, 256, 65_536, 1]));
        let straight: Narrow = [3, 70_000].into_iter().collect();
        assert_eq!(straight, Narrow::U32(vec![3, 70_000]));
        let mut block = [0; 3];
        rows.read(2, &mut block);
        assert_eq!(block, [256, 65_536, 1]);
        assert_eq!((rows.get(3), rows.get(5)), (Some(65_536), None));
    }

    #[test]
    fn rows_are_appended_in_another_numbering_whatever_the_widths() -> Result<()> {
        let long = (BLOCK * 3 + 5) as u32;
        for factor in [1, 200, 70_000] {
            // Codes 0 to 2 in one, two and four bytes, and what they become.
            let others: [Narrow; 3] = [
                (0..long).map(|row| row % 3).collect(),
                (0..long).map(|row| row % 300).collect(),
                (0..long).map(|row| if row == 7 { 70_000 } else { row % 3 }).collect(),
            ];
            for (other, largest) in others.iter().zip([2, 299, 70_000]) {
                let table: Vec<u32> =
                    (0..=largest).map(|code| code % 1000 * factor % 100_003).collect();
                let mut rows: Narrow = [5, 1].into_iter().collect();
                rows.append_recoded(other, &table, &Workers::new(2, &|| true))?;
                let recoded = (0..long as usize)
                    .map(|row| other.get(row))
                    .map(|code| table[code.unwrap_or(0) as usize]);
                let expected: Vec<u32> = [5, 1].into_iter().chain(recoded).collect();
                let found: Vec<i64> = (0..i64::from(long) + 2).collect();
                assert_eq!(rows.at(&found), Some(expected));
                assert_eq!(rows.at(&[0, i64::from(long) + 2]), None);
                assert_eq!(rows.at(&[-1]), None);
            }
        }
        Ok(())
    }

    #[test]
    fn appearances_follow_the_rows() {
        let mut values = crate::interner::Interner::default();
        for text in ["a", "b", "c"] {
            values.text(text.as_bytes()).expect("there is room");
        }
        let codes = Codes { rows: [3, 0, 3, 1].into_iter().collect(), values: values.finish() };
        assert_eq!(codes.appearances(), [(3, 0), (0, 1), (1, 3)]);
        assert_eq!(codes.first_missing(), Some(1));
        assert_eq!(codes.count(&[3, 0, 9]), 3);
        assert_eq!(codes.recode(&[0, 1, 1, 1]), Ok(Narrow::U8(vec![1, 0, 1, 1])));
        let error = Error::Code { row: 0, code: 3, limit: 2 };
        assert_eq!(codes.recode(&[0, 1]), Err(error));
    }

    #[test]
    fn every_block_is_looked_at() {
        let mut values = crate::interner::Interner::default();
        for number in 0..6 {
            values.int(number).expect("there is room");
        }
        let last = BLOCK * 3 + 9;
        // A block of one code, two that begin and end with it, and a short one without it.
        let code = |row: usize| match row {
            row if row == BLOCK + 5 => 2,
            row if row == BLOCK * 2 + 1 => 3,
            row if row == last => 4,
            row if row >= BLOCK * 3 => 0,
            _ => 1,
        };
        let codes = Codes { rows: (0..=last).map(code).collect(), values: values.finish() };
        let expected = [(1, 0), (2, BLOCK + 5), (3, BLOCK * 2 + 1), (0, BLOCK * 3), (4, last)];
        assert_eq!(codes.appearances(), expected);
        assert_eq!(codes.first_missing(), Some(BLOCK * 3));
        assert_eq!(codes.count(&[2, 4, 0]), 2 + 9);
        let none = Codes { rows: Narrow::U8(vec![1; last]), values: codes.values.clone() };
        assert_eq!((none.first_missing(), none.count(&[0, 2])), (None, 0));
    }

    #[test]
    fn picked_codes_are_as_wide_as_the_largest_one() {
        for (code, width) in [(255, 1), (256, 2), (65_535, 2), (65_536, 4)] {
            // Twice the same, so that no bit is left if it is taken away again.
            let picked = Narrow::picked(&[code, code], [1, 0, 1].into_iter());
            let found = match &picked {
                Narrow::U8(_) => 1,
                Narrow::U16(_) => 2,
                Narrow::U32(_) => 4,
            };
            assert_eq!((found, picked.get(2)), (width, Some(code)));
        }
        assert!(Narrow::default().is_empty() && !Narrow::U8(vec![0]).is_empty());
        for most in [255, 256, 65_536] {
            let fill = |_, block: &mut [u32]| block.fill(most);
            let written = Narrow::written(3, 1, most as usize, &Workers::alone(), fill);
            assert_eq!(written, Ok(Narrow::picked(&[most], [0, 0, 0].into_iter())));
        }
        let beyond = Narrow::written(0, 1, 1 << 32, &Workers::alone(), |_, _| ());
        assert_eq!(beyond, Err(Error::TooMany { what: "codes" }));
    }
}
