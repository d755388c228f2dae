//! From the forms in which columns are stored to codes and distinct values.
//!
//! Every function reads its column once, from front to back, and looks at a value no more than it
//! must: a text by its outline, a number by its bits, a category by its index. Columns of Python
//! objects are encoded where Python is known, in `python/objects.rs`.

use crate::codes::{BLOCK, Codes, MISSING, Narrow};
use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::workers::Workers;

/// One chunk of text in Arrow's layout: row `i` is `letters[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Copy, Debug)]
pub struct TextChunk<'a, O> {
    /// One more offset than rows.
    pub offsets: &'a [O],
    /// The letters of all rows.
    pub letters: &'a [u8],
    /// Bit `skip + i`, least significant first, is set if row `i` holds a text; none: all do.
    pub validity: Option<&'a [u8]>,
    /// The number of bits before the first row's.
    pub skip: usize,
}

/// A place among the letters.
pub trait Offset: Copy + Sync {
    /// The place; far beyond any if it is negative.
    fn place(self) -> usize;
}

impl Offset for i64 {
    #[inline]
    fn place(self) -> usize {
        usize::try_from(self as u64).unwrap_or(usize::MAX)
    }
}

impl Offset for i32 {
    #[inline]
    fn place(self) -> usize {
        Offset::place(i64::from(self))
    }
}

impl<'a, O: Offset> TextChunk<'a, O> {
    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The text of a row; nothing if it is missing.
    ///
    /// # Errors
    ///
    /// [`Error::Offsets`] if the row points outside the buffers.
    #[inline]
    pub fn text(&self, row: usize) -> Result<Option<&'a [u8]>> {
        if self.validity.is_some() && self.is_missing(row)? {
            return Ok(None);
        }
        let bounds = self.offsets.get(row).zip(self.offsets.get(row + 1));
        let text = bounds.and_then(|(from, to)| self.letters.get(from.place()..to.place()));
        text.map(Some).ok_or(Error::Offsets { row })
    }

    fn is_missing(&self, row: usize) -> Result<bool> {
        let Some(bits) = self.validity else { return Ok(false) };
        let bit = self.skip + row;
        let byte = bits.get(bit / 8).ok_or(Error::Offsets { row })?;
        Ok(byte >> (bit % 8) & 1 == 0)
    }

    /// Encodes a block of rows.
    fn encode(&self, start: usize, block: &mut [u32], interner: &mut Interner) -> Result<()> {
        let (letters, offsets) = (self.letters, &self.offsets[start..=start + block.len()]);
        if self.validity.is_some() {
            for (row, code) in (start..).zip(block) {
                *code = self.text(row)?.map_or(Ok(MISSING), |text| interner.text(text))?;
            }
            return Ok(());
        }
        for (code, bounds) in block.iter_mut().zip(offsets.windows(2)) {
            let Some(text) = letters.get(bounds[0].place()..bounds[1].place()) else {
                // Which row it is, is found out only now.
                return (start..).try_for_each(|row| self.text(row).map(|_| ()));
            };
            *code = interner.text(text)?;
        }
        Ok(())
    }

    /// Encodes a block of rows in which most repeat the one before: after each text its repetitions
    /// are sought.
    fn encode_runs(&self, start: usize, block: &mut [u32], interner: &mut Interner) -> Result<()> {
        let (mut done, mut same) = (0, 0);
        while done < block.len() {
            let text = self.text(start + done)?;
            let code = text.map_or(Ok(MISSING), |text| interner.text(text))?;
            let most = block.len() - done - 1;
            same = text.map_or(0, |text| self.run(start + done + 1, text.len(), most, same));
            block[done..=done + same].fill(code);
            done += same + 1;
        }
        Ok(())
    }

    /// How many rows from `row` on, at most `most`, repeat the text before them, which has so many
    /// bytes. Runs are often of one length: as long as the last one was.
    fn run(&self, row: usize, length: usize, most: usize, last: usize) -> usize {
        let (mut same, mut step) = (0, last.clamp(1, LONGEST_STEP));
        loop {
            if step <= most - same && self.repeats(row + same, length, step) {
                same += step;
                step = if same == last { 1 } else { (step * 4).min(LONGEST_STEP) };
            } else if step > 1 {
                step = step / 4 + usize::from(step < 4);
            } else {
                return same;
            }
        }
    }

    /// Whether this many rows repeat the text before them.
    fn repeats(&self, row: usize, length: usize, rows: usize) -> bool {
        let offsets = &self.offsets[row..=row + rows];
        let (start, stop) = (offsets[0].place(), offsets[rows].place());
        // Texts of one length are all the same if the letters are those of one text before.
        if stop.wrapping_sub(start) != length * rows
            || start < length
            || self.letters.get(start..stop) != self.letters.get(start - length..stop - length)
            || stop > self.letters.len()
        {
            return false;
        }
        let bounds = offsets.iter().zip(&offsets[1..]);
        let differs =
            |all, (from, to): (&O, &O)| all | (to.place().wrapping_sub(from.place()) ^ length);
        bounds.fold(0, differs) == 0
            && (row..row + rows).all(|row| self.is_missing(row) == Ok(false))
    }
}

/// So many rows are compared at once in a long run.
const LONGEST_STEP: usize = 64;

/// Whether a row's code is mostly that of the row before, as far as the first rows tell.
fn repeats(block: &[u32]) -> bool {
    let few = &block[..block.len().min(128)];
    let same = few.iter().zip(few.iter().skip(1)).filter(|(one, next)| one == next);
    same.count() * 2 > few.len()
}

/// Encodes a column of Arrow text, all its chunks after each other.
///
/// # Errors
///
/// [`Error::Offsets`] if a chunk points outside its buffers, [`Error::TooMany`],
/// [`Error::Interrupted`].
pub fn texts<O: Offset>(chunks: &[TextChunk<'_, O>], workers: &Workers<'_>) -> Result<Codes> {
    let rows = chunks.iter().map(TextChunk::rows).sum();
    let parts = workers.split(rows, |start, stop| {
        let mut interner = Interner::default();
        // The first part has room for the others, which are put behind it.
        let room = if start == 0 { rows } else { stop - start };
        let mut codes = Narrow::with_capacity(room);
        let mut first = 0;
        let mut block = [MISSING; BLOCK];
        let mut repeating = false;
        for chunk in chunks {
            // The rows of this chunk that belong to this part.
            let rows = start.saturating_sub(first)..stop.saturating_sub(first).min(chunk.rows());
            workers.blocks(rows.start, rows.end, |start, stop| {
                let block = &mut block[..stop - start];
                if repeating {
                    chunk.encode_runs(start, block, &mut interner)?;
                } else {
                    chunk.encode(start, block, &mut interner)?;
                }
                repeating = repeats(block);
                codes.extend(block);
                Ok(())
            })?;
            first += chunk.rows();
        }
        Ok(Part { interner, codes })
    })?;
    join(parts)
}

/// Codes of a part of the rows.
struct Part {
    interner: Interner,
    codes: Narrow,
}

/// Puts parts together as if their rows had been encoded one after the other.
fn join(mut parts: Vec<Part>) -> Result<Codes> {
    let Part { mut interner, codes: mut rows } = parts.remove(0);
    for later in parts {
        let values = later.interner.finish();
        let mut table = vec![MISSING];
        for value in values.iter() {
            table.push(interner.value(value)?);
        }
        // Block by block, since a recoded copy would take as much memory as the rows themselves.
        let mut block = [MISSING; BLOCK];
        for start in (0..later.codes.len()).step_by(BLOCK) {
            let block = &mut block[..BLOCK.min(later.codes.len() - start)];
            later.codes.read(start, block);
            block.iter_mut().for_each(|code| *code = table[*code as usize]);
            rows.extend(block);
        }
    }
    Ok(Codes { rows, values: interner.finish() })
}

/// A number that a column may hold.
pub trait Number: Copy {
    /// The number's code.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`].
    fn intern(self, interner: &mut Interner) -> Result<u32>;
    /// Different for different numbers (equal numbers may differ too).
    fn bits(self) -> u64;
    /// Whether [`Number::bits`] of a small whole number is the number.
    const COUNTS: bool;
}

macro_rules! integers {
    ($($kind:ty),*) => {$(
        impl Number for $kind {
            #[inline]
            fn intern(self, interner: &mut Interner) -> Result<u32> {
                interner.int(i128::from(self))
            }
            #[inline]
            fn bits(self) -> u64 {
                self as u64
            }
            const COUNTS: bool = true;
        }
    )*};
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Number for f64 {
    #[inline]
    fn intern(self, interner: &mut Interner) -> Result<u32> {
        interner.float(self)
    }
    #[inline]
    fn bits(self) -> u64 {
        self.to_bits()
    }
    const COUNTS: bool = false;
}

impl Number for f32 {
    #[inline]
    fn intern(self, interner: &mut Interner) -> Result<u32> {
        interner.float(f64::from(self))
    }
    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
    const COUNTS: bool = false;
}

/// Encodes a column of truth values; rows of the mask are missing. Both values have a code, whether
/// they occur or not.
///
/// # Errors
///
/// [`Error::Length`] if there are not as many flags as rows.
pub fn truths(column: &[bool], mask: Option<&[bool]>) -> Result<Codes> {
    let mut interner = Interner::default();
    let codes = [interner.truth(false)? as u8, interner.truth(true)? as u8];
    let rows = if let Some(mask) = mask {
        if mask.len() != column.len() {
            return Err(Error::Length { what: "mask", got: mask.len(), expected: column.len() });
        }
        let rows = column.iter().zip(mask);
        rows.map(|(truth, gap)| if *gap { MISSING as u8 } else { codes[usize::from(*truth)] })
            .collect()
    } else {
        column.iter().map(|truth| codes[usize::from(*truth)]).collect()
    };
    Ok(Codes { rows: Narrow::U8(rows), values: interner.finish() })
}

/// Which rows of a column are missing, beyond NaN.
#[derive(Clone, Copy, Debug)]
pub enum Gaps<'a, N> {
    /// None.
    No,
    /// Those whose flag is true.
    Mask(&'a [bool]),
    /// Those that hold this value (the `NaT` of dates and durations).
    Sentinel(N),
}

/// Encodes a column of numbers.
///
/// # Errors
///
/// [`Error::Length`] if there are not as many flags as rows, [`Error::TooMany`].
pub fn numbers<N: Number>(column: &[N], gaps: Gaps<'_, N>) -> Result<Codes> {
    if let Gaps::Mask(mask) = gaps
        && mask.len() != column.len()
    {
        return Err(Error::Length { what: "mask", got: mask.len(), expected: column.len() });
    }
    let mut interner = Interner::default();
    let mut known = KnownNumbers::new(column.len());
    let mut rows = Narrow::with_capacity(column.len());
    let mut block = [MISSING; BLOCK];
    for (index, numbers) in column.chunks(BLOCK).enumerate() {
        let block = &mut block[..numbers.len()];
        for (code, number) in block.iter_mut().zip(numbers) {
            *code = known.code(*number, &mut interner)?;
        }
        match gaps {
            Gaps::No => {}
            Gaps::Mask(mask) => {
                let flags = &mask[index * BLOCK..];
                block
                    .iter_mut()
                    .zip(flags)
                    .filter(|(_, gap)| **gap)
                    .for_each(|(c, _)| *c = MISSING);
            }
            Gaps::Sentinel(gap) => {
                let same = |number: &N| number.bits() == gap.bits();
                block
                    .iter_mut()
                    .zip(numbers)
                    .filter(|(_, n)| same(n))
                    .for_each(|(c, _)| *c = MISSING);
            }
        }
        rows.extend(block);
    }
    Ok(Codes { rows, values: interner.finish() })
}

/// The codes of numbers seen before: of small whole numbers all, of others those seen lately.
struct KnownNumbers {
    /// By number; [`MISSING`] if it has not been seen.
    small: Vec<u32>,
    /// Numbers from here on are not small.
    limit: usize,
    /// By their bits.
    recent: [(u64, u32); 256],
}

/// Whole numbers below this are small, however few the rows.
const FREE_NUMBERS: usize = 1 << 12;

impl KnownNumbers {
    fn new(rows: usize) -> Self {
        // An empty slot holds bits that belong to another slot, so nothing is found in it.
        let mut recent = [(0, MISSING); 256];
        recent[Self::slot(0)].0 = 1;
        Self { small: Vec::new(), limit: rows.max(FREE_NUMBERS), recent }
    }

    fn slot(bits: u64) -> usize {
        (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
    }

    #[inline]
    fn code<N: Number>(&mut self, number: N, interner: &mut Interner) -> Result<u32> {
        let place = usize::try_from(number.bits()).unwrap_or(usize::MAX);
        match self.small.get(place) {
            Some(code) if N::COUNTS && *code != MISSING => Ok(*code),
            _ => self.other(number, place, interner),
        }
    }

    #[inline(never)]
    fn other<N: Number>(
        &mut self,
        number: N,
        place: usize,
        interner: &mut Interner,
    ) -> Result<u32> {
        if N::COUNTS && place < self.limit {
            if place >= self.small.len() {
                self.small.resize((place + 1).next_power_of_two(), MISSING);
            }
            self.small[place] = number.intern(interner)?;
            return Ok(self.small[place]);
        }
        let slot = &mut self.recent[Self::slot(number.bits())];
        if slot.0 != number.bits() {
            *slot = (number.bits(), number.intern(interner)?);
        }
        Ok(slot.1)
    }
}

/// Encodes a column of category indices (negative: missing), given its encoded categories.
///
/// # Errors
///
/// [`Error::Code`] if an index has no category, [`Error::Length`] if there are not as many flags as
/// rows.
pub fn indices<I: Copy + Ord + Into<i64>>(
    column: &[I],
    mask: Option<&[bool]>,
    categories: &Codes,
) -> Result<Codes> {
    if let Some(mask) = mask
        && mask.len() != column.len()
    {
        return Err(Error::Length { what: "mask", got: mask.len(), expected: column.len() });
    }
    let limit = categories.rows.len();
    let is_missing = |row: usize| mask.is_some_and(|mask| mask[row]);
    let has_category = |index: I| entry(index) <= limit;
    // One look at the largest is all that a sound column without a mask needs.
    if mask.is_some() || !column.iter().max().is_none_or(|index| has_category(*index)) {
        let wrong = |(row, index): &(usize, &I)| !is_missing(*row) && !has_category(**index);
        if let Some((row, index)) = column.iter().enumerate().find(wrong) {
            return Err(Error::Code { row, code: (*index).into(), limit });
        }
    }
    let mut table = vec![MISSING; limit + 1];
    categories.rows.read(0, &mut table[1..]);
    let rows = match mask {
        None => Narrow::picked(&table, column.iter().map(|index| entry(*index))),
        Some(mask) => {
            let place = |(index, gap): (&I, &bool)| if *gap { 0 } else { entry(*index) };
            Narrow::picked(&table, column.iter().zip(mask).map(place))
        }
    };
    Ok(Codes { rows, values: categories.values.clone() })
}

/// The place of a category's code in a table that begins with the missing one.
#[inline]
fn entry(index: impl Into<i64>) -> usize {
    usize::try_from(index.into()).map_or(0, |index| index.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Value;

    fn plain(codes: &Codes) -> Vec<u32> {
        let mut rows = vec![0; codes.rows.len()];
        codes.rows.read(0, &mut rows);
        rows
    }

    #[test]
    fn chunks_of_text_share_their_values() -> Result<()> {
        let first = TextChunk {
            offsets: &[1_i32, 2, 2, 3],
            letters: b"_ab",
            validity: Some(&[0b1011_0000]),
            skip: 4,
        };
        let second = TextChunk { offsets: &[0, 1], letters: b"b", validity: None, skip: 0 };
        let empty = TextChunk { offsets: &[], letters: b"", validity: None, skip: 0 };
        let codes = texts(&[first, second, empty], &Workers::alone())?;
        assert_eq!(plain(&codes), [1, 2, 0, 3], "row 2 is missing, row 1 an empty text");
        assert_eq!(codes.values.get(2), Some(Value::Text(b"b")));
        Ok(())
    }

    #[test]
    fn the_number_of_threads_changes_nothing() -> Result<()> {
        let rows = crate::workers::FEWEST_ROWS * 3 + 11;
        let texts_of: Vec<String> = (0..rows).map(|row| format!("t{}", row * row % 977)).collect();
        let offsets: Vec<i64> = std::iter::once(0)
            .chain(texts_of.iter().scan(0, |end, text| {
                *end += text.len() as i64;
                Some(*end)
            }))
            .collect();
        let letters = texts_of.concat();
        let cut = rows / 3 + 5;
        let chunk =
            |offsets| TextChunk { offsets, letters: letters.as_bytes(), validity: None, skip: 0 };
        let chunks = [chunk(&offsets[..=cut]), chunk(&offsets[cut..])];
        let one = texts(&chunks, &Workers::alone())?;
        for threads in [2, 3, 5] {
            let more = texts(&chunks, &Workers::new(threads, &|| true))?;
            assert_eq!(one.rows, more.rows);
            assert!(one.values.iter().eq(more.values.iter()));
        }
        assert_eq!(one.rows.len(), rows);
        Ok(())
    }

    #[test]
    fn offsets_are_never_trusted() {
        for offsets in [[0_i64, 9], [2, 1], [-1, 1], [0, i64::MAX]] {
            let chunk = TextChunk { offsets: &offsets, letters: b"abc", validity: None, skip: 0 };
            assert_eq!(
                texts(&[chunk], &Workers::alone()).map(|_| ()),
                Err(Error::Offsets { row: 0 })
            );
        }
        let chunk = TextChunk { offsets: &[0_i64, 1], letters: b"a", validity: Some(&[]), skip: 0 };
        assert_eq!(texts(&[chunk], &Workers::alone()).map(|_| ()), Err(Error::Offsets { row: 0 }));
    }

    #[test]
    fn numbers_have_gaps_of_three_kinds() -> Result<()> {
        assert_eq!(plain(&numbers(&[2.0, f64::NAN, 2.0, 0.5], Gaps::No)?), [1, 0, 1, 2]);
        assert_eq!(plain(&numbers(&[7_i64, 8, 7], Gaps::Mask(&[false, true, false]))?), [1, 0, 1]);
        assert_eq!(plain(&numbers(&[i64::MIN, 3], Gaps::Sentinel(i64::MIN))?), [0, 2]);
        assert_eq!(plain(&truths(&[true, false, true], None)?), [2, 1, 2]);
        assert_eq!(plain(&truths(&[true, false], Some(&[false, true]))?), [2, 0]);
        assert_eq!(plain(&numbers(&[0_u64, 1, u64::MAX], Gaps::No)?), [1, 2, 3]);
        let error = Error::Length { what: "mask", got: 1, expected: 2 };
        assert_eq!(numbers(&[1_i8, 2], Gaps::Mask(&[true])).map(|_| ()), Err(error.clone()));
        assert_eq!(truths(&[true, false], Some(&[true])).map(|_| ()), Err(error));
        Ok(())
    }

    #[test]
    fn categories_may_repeat_and_be_missing() -> Result<()> {
        let offsets = [0_i64, 1, 2, 3];
        let names = TextChunk { offsets: &offsets, letters: b"aba", validity: None, skip: 0 };
        let categories = texts(&[names], &Workers::alone())?;
        assert_eq!(plain(&indices(&[2_i8, 1, -1, 0], None, &categories)?), [1, 2, 0, 1]);
        assert_eq!(plain(&indices(&[2_i8, 1], Some(&[true, false]), &categories)?), [0, 2]);
        let error = Error::Code { row: 1, code: 3, limit: 3 };
        assert_eq!(indices(&[0_i64, 3], None, &categories).map(|_| ()), Err(error));
        Ok(())
    }
}
