//! Columns of Arrow's text, or of any other text in its layout.

use crate::codes::{Codes, MISSING};
use crate::encode::{in_parts, repeats};
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

    /// Encodes a block of rows in which most repeat the one before. Runs are often of one length, so
    /// each is taken to be as long as the one before, which one comparison of all its letters tells.
    fn encode_runs(&self, start: usize, block: &mut [u32], interner: &mut Interner) -> Result<()> {
        let (mut done, mut length, mut guess, mut last) = (0, 1, 0, MISSING);
        while done < block.len() {
            let text = self.text(start + done)?;
            let code = text.map_or(Ok(MISSING), |text| interner.text(text))?;
            if code == last {
                // The run is longer than the guess, or was shorter than an earlier one.
                guess = (guess * 2 + 1).min(LONGEST_STEP);
            } else {
                (guess, length, last) = (length - 1, 0, code);
            }
            guess = guess.min(block.len() - done - 1);
            let mut rows = 1;
            if guess > 0 {
                let next = start + done + 1;
                if text.is_some_and(|text| self.repeats(next, text.len(), guess)) {
                    rows += guess;
                } else {
                    guess /= 4;
                }
            }
            block[done..done + rows].fill(code);
            done += rows;
            length += rows;
        }
        Ok(())
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
            && (self.validity.is_none()
                || (row..row + rows).all(|row| self.is_missing(row) == Ok(false)))
    }
}

/// So many rows are compared at once in a long run.
const LONGEST_STEP: usize = 64;

/// Encodes a column of Arrow text, all its chunks after each other.
///
/// # Errors
///
/// [`Error::Offsets`] if a chunk points outside its buffers, [`Error::TooMany`],
/// [`Error::Interrupted`].
pub fn texts<O: Offset>(chunks: &[TextChunk<'_, O>], workers: &Workers<'_>) -> Result<Codes> {
    let rows = chunks.iter().map(TextChunk::rows).sum();
    let part = || {
        // The chunks from that of the next row on, and the first row of those.
        let (mut chunks, mut first) = (chunks, 0);
        let mut repeating = false;
        move |mut start: usize, codes: &mut [u32], interner: &mut Interner| {
            let mut rest = &mut *codes;
            while let Some((chunk, later)) = chunks.split_first()
                && !rest.is_empty()
            {
                let row = start - first;
                if row >= chunk.rows() {
                    (chunks, first) = (later, first + chunk.rows());
                    continue;
                }
                let here;
                (here, rest) = rest.split_at_mut((chunk.rows() - row).min(rest.len()));
                if repeating {
                    chunk.encode_runs(row, here, interner)?;
                } else {
                    chunk.encode(row, here, interner)?;
                }
                start += here.len();
            }
            repeating = repeats(codes);
            Ok(())
        }
    };
    in_parts(rows, part, workers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::plain;
    use crate::values::Value;

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
}
