//! Columns of categories.

use crate::codes::{Codes, MISSING, Narrow};
use crate::error::{Error, Result};

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
    use crate::encode::plain;
    use crate::encode::texts::{TextChunk, texts};
    use crate::workers::Workers;

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
