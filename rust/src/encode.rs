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

impl<'a, O: Copy + TryInto<usize>> TextChunk<'a, O> {
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
    pub fn text(&self, row: usize) -> Result<Option<&'a [u8]>> {
        if self.is_missing(row)? {
            return Ok(None);
        }
        let bound = |place: usize| self.offsets.get(place).and_then(|o| (*o).try_into().ok());
        let (from, to) = bound(row).zip(bound(row + 1)).ok_or(Error::Offsets { row })?;
        self.letters.get(from..to).map(Some).ok_or(Error::Offsets { row })
    }

    fn is_missing(&self, row: usize) -> Result<bool> {
        let Some(bits) = self.validity else { return Ok(false) };
        let bit = self.skip + row;
        let byte = bits.get(bit / 8).ok_or(Error::Offsets { row })?;
        Ok(byte >> (bit % 8) & 1 == 0)
    }

    /// Encodes a block of rows. With `REPEATS`, a text is first compared with that of the row before.
    fn encode<const REPEATS: bool>(
        &self,
        start: usize,
        block: &mut [u32],
        interner: &mut Interner,
    ) -> Result<()> {
        let offsets = &self.offsets[start..=start + block.len()];
        let mut last: (&[u8], u32) = (&[], MISSING);
        for (row, (code, bounds)) in (start..).zip(block.iter_mut().zip(offsets.windows(2))) {
            *code = MISSING;
            if self.validity.is_some() && self.is_missing(row)? {
                continue;
            }
            let text = match (bounds[0].try_into(), bounds[1].try_into()) {
                (Ok(from), Ok(to)) => self.letters.get(from..to),
                _ => None,
            };
            let text = text.ok_or(Error::Offsets { row })?;
            if REPEATS && last.0 == text && last.1 != MISSING {
                *code = last.1;
                continue;
            }
            *code = interner.text(text)?;
            last = (text, *code);
        }
        Ok(())
    }
}

/// Whether a row's code is mostly that of the row before.
fn repeats(block: &[u32]) -> bool {
    let same = block.iter().zip(block.iter().skip(1)).filter(|(one, next)| one == next);
    same.count() * 4 > block.len() * 3
}

/// Encodes a column of Arrow text, all its chunks after each other.
///
/// # Errors
///
/// [`Error::Offsets`] if a chunk points outside its buffers, [`Error::TooMany`],
/// [`Error::Interrupted`].
pub fn texts<O: Copy + TryInto<usize> + Sync>(
    chunks: &[TextChunk<'_, O>],
    workers: &Workers<'_>,
) -> Result<Codes> {
    let rows = chunks.iter().map(TextChunk::rows).sum();
    let parts = workers.split(rows, |start, stop| {
        let mut interner = Interner::default();
        let mut codes = Narrow::with_capacity(stop - start);
        let mut first = 0;
        let mut block = [MISSING; BLOCK];
        let mut repeating = false;
        for chunk in chunks {
            // The rows of this chunk that belong to this part.
            let rows = start.saturating_sub(first)..stop.saturating_sub(first).min(chunk.rows());
            workers.blocks(rows.start, rows.end, |start, stop| {
                let block = &mut block[..stop - start];
                if repeating {
                    chunk.encode::<true>(start, block, &mut interner)?;
                } else {
                    chunk.encode::<false>(start, block, &mut interner)?;
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
        rows.append(&Codes { rows: later.codes, values }.recode(&table)?);
    }
    Ok(Codes { rows, values: interner.finish() })
}

/// A number that a column can hold.
pub trait Number: Copy {
    /// The number's code.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`].
    fn intern(self, interner: &mut Interner) -> Result<u32>;
    /// Different for different numbers (equal numbers may differ too).
    fn bits(self) -> u64;
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
    let mut recent = RecentNumbers::default();
    let mut rows = Narrow::with_capacity(column.len());
    let mut block = [MISSING; BLOCK];
    for (index, numbers) in column.chunks(BLOCK).enumerate() {
        let block = &mut block[..numbers.len()];
        for (code, number) in block.iter_mut().zip(numbers) {
            *code = recent.code(*number, &mut interner)?;
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

/// Numbers seen lately, found by their bits.
struct RecentNumbers([(u64, u32); 256]);

impl Default for RecentNumbers {
    fn default() -> Self {
        // An empty slot holds bits that belong to another slot, so nothing is found in it.
        let mut slots = [(0, MISSING); 256];
        slots[Self::slot(0)].0 = 1;
        Self(slots)
    }
}

impl RecentNumbers {
    fn slot(bits: u64) -> usize {
        (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
    }

    #[inline]
    fn code<N: Number>(&mut self, number: N, interner: &mut Interner) -> Result<u32> {
        let slot = &mut self.0[Self::slot(number.bits())];
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
pub fn indices<I: Copy + Into<i64>>(
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
    let mut table = vec![MISSING; limit + 1];
    categories.rows.read(0, &mut table[1..]);
    let mut rows = Narrow::with_capacity(column.len());
    let mut block = [MISSING; BLOCK];
    for (number, indices) in column.chunks(BLOCK).enumerate() {
        let block = &mut block[..indices.len()];
        for (offset, (code, index)) in block.iter_mut().zip(indices).enumerate() {
            let row = number * BLOCK + offset;
            let index: i64 = (*index).into();
            let missing = index < 0 || mask.is_some_and(|mask| mask[row]);
            let place = if missing { 0 } else { index as usize + 1 };
            *code = *table.get(place).ok_or(Error::Code { row, code: index, limit })?;
        }
        rows.extend(block);
    }
    Ok(Codes { rows, values: categories.values.clone() })
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
