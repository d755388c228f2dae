//! Columns of numbers and of truth values.

use crate::codes::{BLOCK, Codes, MISSING, Narrow};
use crate::encode::{Part, in_parts};
use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::workers::Workers;

/// A number that a column may hold.
pub trait Number: Copy + Sync {
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
/// [`Error::Length`] if there are not as many flags as rows, [`Error::TooMany`],
/// [`Error::Interrupted`].
pub fn numbers<N: Number>(column: &[N], gaps: Gaps<'_, N>, workers: &Workers<'_>) -> Result<Codes> {
    if let Gaps::Mask(mask) = gaps
        && mask.len() != column.len()
    {
        return Err(Error::Length { what: "mask", got: mask.len(), expected: column.len() });
    }
    let part = |start, stop| {
        let mut interner = Interner::for_rows(column.len());
        let mut recent = Recent::new();
        // The first part has room for the others, which are put behind it.
        let mut codes = Narrow::with_capacity(if start == 0 { column.len() } else { stop - start });
        let mut block = [MISSING; BLOCK];
        workers.blocks(start, stop, |start, stop| {
            let (block, numbers) = (&mut block[..stop - start], &column[start..stop]);
            let mut done = 0;
            while done < numbers.len() {
                done += look_up(&numbers[done..], interner.small(), &mut block[done..]);
                if let Some(number) = numbers.get(done) {
                    block[done] = recent.code(*number, &mut interner)?;
                    done += 1;
                }
            }
            match gaps {
                Gaps::No => {}
                Gaps::Mask(mask) => {
                    let gaps = block.iter_mut().zip(&mask[start..stop]).filter(|(_, gap)| **gap);
                    gaps.for_each(|(code, _)| *code = MISSING);
                }
                Gaps::Sentinel(gap) => {
                    let same = |number: &N| number.bits() == gap.bits();
                    let gaps = block.iter_mut().zip(numbers).filter(|(_, number)| same(number));
                    gaps.for_each(|(code, _)| *code = MISSING);
                }
            }
            codes.extend(block);
            Ok(())
        })?;
        Ok(Part { interner, codes })
    };
    in_parts(column.len(), part, workers)
}

/// Writes codes as long as the numbers are small and known; returns how many those are.
fn look_up<N: Number>(numbers: &[N], small: &[u32], block: &mut [u32]) -> usize {
    if !N::COUNTS {
        return 0;
    }
    // By position: as pairs of a number and its place they would go through memory.
    let block = &mut block[..numbers.len()];
    for done in 0..numbers.len() {
        let place = usize::try_from(numbers[done].bits()).unwrap_or(usize::MAX);
        match small.get(place) {
            Some(known) if *known != MISSING => block[done] = *known,
            _ => return done,
        }
    }
    numbers.len()
}

/// The codes of numbers seen lately, by their bits: of those that the interner has to hash.
struct Recent([(u64, u32); 256]);

impl Recent {
    fn new() -> Self {
        // An empty slot holds bits that belong to another slot, so nothing is found in it.
        let mut slots = [(0, MISSING); 256];
        slots[Self::slot(0)].0 = 1;
        Self(slots)
    }

    fn slot(bits: u64) -> usize {
        (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
    }

    #[inline(never)]
    fn code<N: Number>(&mut self, number: N, interner: &mut Interner) -> Result<u32> {
        let slot = &mut self.0[Self::slot(number.bits())];
        if slot.0 != number.bits() {
            *slot = (number.bits(), number.intern(interner)?);
        }
        Ok(slot.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{MANY_ROWS, plain};
    use crate::workers::FEWEST_ROWS;

    fn alone<N: Number>(column: &[N], gaps: Gaps<'_, N>) -> Result<Codes> {
        numbers(column, gaps, &Workers::alone())
    }

    #[test]
    fn the_number_of_threads_changes_nothing() -> Result<()> {
        let rows = FEWEST_ROWS * 3 + 11;
        let column: Vec<i64> = (0..rows as i64).map(|row| row * row % 977 - 5).collect();
        let mask: Vec<bool> = column.iter().map(|number| number % 7 == 0).collect();
        for gaps in [Gaps::No, Gaps::Mask(&mask), Gaps::Sentinel(11)] {
            let one = alone(&column, gaps)?;
            assert_eq!(one.rows.len(), rows);
            for threads in [2, 3, 5] {
                let more = numbers(&column, gaps, &Workers::new(threads, &|| true))?;
                assert_eq!(one.rows, more.rows);
                assert!(one.values.iter().eq(more.values.iter()));
            }
        }
        Ok(())
    }

    #[test]
    fn many_rows_are_encoded_whatever_their_number_of_values() -> Result<()> {
        let column: Vec<u32> = (0..MANY_ROWS as u32 + 7).map(|row| row / 3 * 5).collect();
        let codes = numbers(&column, Gaps::No, &Workers::new(2, &|| true))?;
        assert_eq!(codes.values.len(), column.len().div_ceil(3));
        assert!(plain(&codes).into_iter().eq((0..column.len() as u32).map(|row| row / 3 + 1)));
        // Few numbers in as many rows are encoded by all threads, to the same codes.
        let column: Vec<u32> = column.iter().map(|number| number % 1000).collect();
        let few = numbers(&column, Gaps::No, &Workers::new(2, &|| true))?;
        assert_eq!(few.rows, alone(&column, Gaps::No)?.rows);
        Ok(())
    }

    #[test]
    fn numbers_have_gaps_of_three_kinds() -> Result<()> {
        assert_eq!(plain(&alone(&[2.0, f64::NAN, 2.0, 0.5], Gaps::No)?), [1, 0, 1, 2]);
        assert_eq!(plain(&alone(&[7_i64, 8, 7], Gaps::Mask(&[false, true, false]))?), [1, 0, 1]);
        assert_eq!(plain(&alone(&[i64::MIN, 3], Gaps::Sentinel(i64::MIN))?), [0, 2]);
        assert_eq!(plain(&truths(&[true, false, true], None)?), [2, 1, 2]);
        assert_eq!(plain(&truths(&[true, false], Some(&[false, true]))?), [2, 0]);
        assert_eq!(plain(&alone(&[0_u64, 1, u64::MAX], Gaps::No)?), [1, 2, 3]);
        let error = Error::Length { what: "mask", got: 1, expected: 2 };
        assert_eq!(alone(&[1_i8, 2], Gaps::Mask(&[true])).map(|_| ()), Err(error.clone()));
        assert_eq!(truths(&[true, false], Some(&[true])).map(|_| ()), Err(error));
        Ok(())
    }
}
