//! Columns of numbers and of truth values.

use crate::codes::{Codes, MISSING, Narrow};
use crate::encode::in_parts;
use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::workers::{FEWEST_ROWS, Workers};

/// A number that a column may hold.
pub trait Number: Copy + PartialOrd + Send + Sync {
    /// The number's code.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`].
    fn intern(self, interner: &mut Interner) -> Result<u32>;
    /// The number, if it is of a kind that holds whole ones only; small ones are their own bits.
    fn whole(self) -> Option<i128>;
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
            fn whole(self) -> Option<i128> {
                Some(i128::from(self))
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
    fn whole(self) -> Option<i128> {
        None
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
    fn whole(self) -> Option<i128> {
        None
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

/// Numbers lie close together if there are so many rows for each.
const ROWS_A_NUMBER: usize = 8;

/// Encodes a column of numbers. Some that do not occur may have a code.
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
    let whole = column.first().is_some_and(|number| number.whole().is_some());
    if whole && let Some(codes) = counted(column, gaps, workers)? {
        return Ok(codes);
    }
    let part = || {
        let mut recent = Recent::new();
        move |start: usize, block: &mut [u32], interner: &mut Interner| {
            let rows = start..start + block.len();
            let numbers = &column[rows.clone()];
            let mut done = 0;
            while done < numbers.len() {
                let (numbers, block) = (&numbers[done..], &mut block[done..]);
                let known = if whole {
                    look_up(numbers, interner.small(), block)
                } else {
                    recent.look_up(numbers, block)
                };
                if let Some(number) = numbers.get(known) {
                    block[known] = recent.code(*number, interner)?;
                }
                done += known + 1;
            }
            match gaps {
                Gaps::No => {}
                Gaps::Mask(mask) => {
                    let gaps = block.iter_mut().zip(&mask[rows]).filter(|(_, gap)| **gap);
                    gaps.for_each(|(code, _)| *code = MISSING);
                }
                Gaps::Sentinel(gap) => {
                    let same = |number: &N| number.bits() == gap.bits();
                    let gaps = block.iter_mut().zip(numbers).filter(|(_, number)| same(number));
                    gaps.for_each(|(code, _)| *code = MISSING);
                }
            }
            Ok(())
        }
    };
    in_parts(column.len(), part, workers)
}

/// Encodes many whole numbers that lie close together: a code is how far a number is from the least
/// one, so none has to be sought. Numbers in between that do not occur have a code too.
fn counted<N: Number>(
    column: &[N],
    gaps: Gaps<'_, N>,
    workers: &Workers<'_>,
) -> Result<Option<Codes>> {
    if column.len() < FEWEST_ROWS || matches!(gaps, Gaps::Sentinel(_)) {
        return Ok(None);
    }
    let lesser = |a: N, b: N| if b < a { b } else { a };
    let greater = |a: N, b: N| if b > a { b } else { a };
    let bounds = workers.split(column.len(), |start, stop| {
        let mut bounds = (column[start], column[start]);
        workers.blocks(start, stop, |start, stop| {
            bounds = column[start..stop].iter().fold(bounds, |(least, most), number| {
                (lesser(least, *number), greater(most, *number))
            });
            Ok(())
        })?;
        Ok(bounds)
    })?;
    let least = bounds.iter().fold(column[0], |least, bounds| lesser(least, bounds.0));
    let most = bounds.iter().fold(column[0], |most, bounds| greater(most, bounds.1));
    let (Some(first), Some(last)) = (least.whole(), most.whole()) else { return Ok(None) };
    if last - first >= (column.len() / ROWS_A_NUMBER) as i128 {
        return Ok(None);
    }
    let mut interner = Interner::for_rows(column.len());
    (first..=last).try_for_each(|number| interner.int(number).map(|_| ()))?;
    let values = interner.finish();
    let rows = Narrow::written(column.len(), 1, values.len(), workers, |start, codes| {
        let rows = start..start + codes.len();
        // None wraps: a number is not below the least one, nor farther from it than there are values.
        let before = least.bits().wrapping_sub(1);
        for (code, number) in codes.iter_mut().zip(&column[rows.clone()]) {
            *code = number.bits().wrapping_sub(before) as u32;
        }
        if let Gaps::Mask(mask) = gaps {
            let gaps = codes.iter_mut().zip(&mask[rows]).filter(|(_, gap)| **gap);
            gaps.for_each(|(code, _)| *code = MISSING);
        }
    })?;
    Ok(Some(Codes { rows, values }))
}

/// Writes codes as long as the numbers are small and known; returns how many those are.
fn look_up<N: Number>(numbers: &[N], small: &[u32], block: &mut [u32]) -> usize {
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

    /// Writes codes as long as the numbers came lately; returns how many those are.
    fn look_up<N: Number>(&self, numbers: &[N], block: &mut [u32]) -> usize {
        let block = &mut block[..numbers.len()];
        for done in 0..numbers.len() {
            let bits = numbers[done].bits();
            let (known, code) = self.0[Self::slot(bits)];
            if known != bits {
                return done;
            }
            block[done] = code;
        }
        numbers.len()
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
        // As many again, in another order, with gaps, by other numbers of threads.
        let column: Vec<i64> =
            (0..column.len() as i64).map(|row| row * 7_919 % 200_003 * 5).collect();
        let gaps = Gaps::Sentinel(15);
        let one = alone(&column, gaps)?;
        assert_eq!(one.values.len(), column.len().min(200_003));
        for threads in [2, 3] {
            let more = numbers(&column, gaps, &Workers::new(threads, &|| true))?;
            assert_eq!(one.rows, more.rows);
            assert!(one.values.iter().eq(more.values.iter()));
        }
        // Few numbers in as many rows are encoded by all threads, to the same codes.
        let column: Vec<f64> = column.iter().map(|number| (number % 1000) as f64).collect();
        let few = numbers(&column, Gaps::No, &Workers::new(2, &|| true))?;
        assert_eq!(few.rows, alone(&column, Gaps::No)?.rows);
        Ok(())
    }

    #[test]
    fn numbers_that_lie_close_together_are_counted() -> Result<()> {
        let rows = FEWEST_ROWS * 2 + 9;
        let workers = Workers::new(2, &|| true);
        for (least, number) in [(-3, 9), (i64::MAX - 300, 300), (i64::MIN, rows / ROWS_A_NUMBER)] {
            let number_of = |row: usize| least + (row * 2 % number) as i64;
            let column: Vec<i64> = (0..rows).map(number_of).collect();
            let codes = numbers(&column, Gaps::No, &workers)?;
            let first = i128::from(least);
            let last = i128::from(*column.iter().max().expect("there are rows"));
            assert!(codes.values.iter().eq((first..=last).map(crate::values::Value::Int)));
            let expected = column.iter().map(|number| (number.wrapping_sub(least)) as u32 + 1);
            assert!(plain(&codes).into_iter().eq(expected));
            let mask: Vec<bool> = (0..rows).map(|row| row % 3 == 1).collect();
            let masked = plain(&numbers(&column, Gaps::Mask(&mask), &workers)?);
            let gaps = plain(&codes).into_iter().zip(&mask).map(
                |(code, gap)| {
                    if *gap { MISSING } else { code }
                },
            );
            assert!(masked.into_iter().eq(gaps));
        }
        // Too far from each other, though only by one.
        let far = (rows / ROWS_A_NUMBER) as u32;
        for (most, values) in [(far - 1, far as usize), (far, 2)] {
            let column: Vec<u32> = (0..rows).map(|row| if row == 7 { most } else { 0 }).collect();
            assert_eq!(numbers(&column, Gaps::No, &workers)?.values.len(), values);
        }
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
