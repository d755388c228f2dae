//! Item ids: the item of every row.

use crate::codes::{BLOCK, Codes, MISSING, Narrow};
use crate::error::Result;
use crate::workers::Workers;

/// The item of every row, as its position in the questionnaire.
#[derive(Clone, Debug, Default)]
pub struct ItemIds {
    rows: Narrow,
}

/// A number that may be the position of an item.
pub trait Position: Copy + Sync {
    /// The position; far beyond any if the number cannot be one.
    fn position(self) -> u64;
}

macro_rules! positions {
    ($($kind:ty),*) => {$(
        impl Position for $kind {
            #[inline]
            fn position(self) -> u64 {
                self as u64
            }
        }
    )*};
}
positions!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Position for f64 {
    #[inline]
    fn position(self) -> u64 {
        let position = self as u32;
        if f64::from(position) == self { u64::from(position) } else { u64::MAX }
    }
}

impl Position for f32 {
    #[inline]
    fn position(self) -> u64 {
        f64::from(self).position()
    }
}

impl ItemIds {
    /// Takes numbers that are all positions below `n_items`; otherwise there is no result.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::Interrupted`].
    pub fn new<P: Position>(
        column: &[P],
        n_items: usize,
        workers: &Workers<'_>,
    ) -> Result<Option<Self>> {
        let Ok(n_items) = u32::try_from(n_items) else { return Ok(None) };
        let rows = match n_items {
            n @ ..=0x100 => positions(column, n, |p| p as u8, workers)?.map(Narrow::U8),
            n @ ..=0x1_0000 => positions(column, n, |p| p as u16, workers)?.map(Narrow::U16),
            n => positions(column, n, |p| p as u32, workers)?.map(Narrow::U32),
        };
        Ok(rows.map(|rows| Self { rows }))
    }

    /// Like [`ItemIds::new`], by the calling thread alone.
    #[must_use]
    pub fn alone<P: Position>(column: &[P], n_items: usize) -> Option<Self> {
        Self::new(column, n_items, &Workers::alone()).ok().flatten()
    }

    /// Takes rows that hold positions.
    pub(crate) fn of_rows(rows: Narrow) -> Self {
        Self { rows }
    }

    /// Takes the position of every code; there is no result if a row has a code without one.
    #[must_use]
    pub fn from_codes(codes: &Codes, positions: &[Option<u32>], n_items: usize) -> Option<Self> {
        let limit = u32::try_from(n_items).ok()?;
        let known = |position: &Option<u32>| position.filter(|position| *position < limit);
        if positions.iter().any(|position| known(position).is_none()) {
            let sound =
                |code: u32| positions.get(code as usize).is_some_and(|p| known(p).is_some());
            let used = codes.appearances();
            if !used.iter().all(|(code, _)| sound(*code)) {
                return None;
            }
            if !sound(MISSING) && codes.first_missing().is_some() {
                return None;
            }
        }
        // The positions that are none belong to codes of no row.
        let table: Vec<u32> = positions.iter().map(|p| known(p).unwrap_or(0)).collect();
        codes.recode(&table).ok().map(|rows| Self { rows })
    }

    /// The positions.
    #[must_use]
    pub fn rows(&self) -> &Narrow {
        &self.rows
    }

    /// The items that occur, in ascending order.
    #[must_use]
    pub fn present(&self, n_items: usize) -> Vec<usize> {
        let mut seen = vec![false; n_items];
        let mut block = [0; BLOCK];
        for start in (0..self.rows.len()).step_by(BLOCK) {
            let block = &mut block[..BLOCK.min(self.rows.len() - start)];
            self.rows.read(start, block);
            block.iter().for_each(|item| seen[*item as usize] = true);
        }
        (0..n_items).filter(|item| seen[*item]).collect()
    }
}

/// The positions of a column if all are below `n_items`.
fn positions<P: Position, C: Clone + Default + Send>(
    column: &[P],
    n_items: u32,
    narrow: impl Fn(u64) -> C + Sync,
    workers: &Workers<'_>,
) -> Result<Option<Vec<C>>> {
    let Some(last) = u64::from(n_items).checked_sub(1) else {
        return Ok(column.is_empty().then(Vec::new));
    };
    let mut rows = vec![C::default(); column.len()];
    let beyond = workers.write(&mut rows, 1, |start, rows, beyond: &mut u64| {
        let ids = &column[start..start + rows.len()];
        // A position is not beyond the last one if neither it nor what is left to the last one has
        // the highest bit: no branch, so several are looked at at once.
        let look = |all, id: &P| all | id.position() | last.wrapping_sub(id.position());
        *beyond |= ids.iter().fold(0, look);
        rows.iter_mut().zip(ids).for_each(|(row, id)| *row = narrow(id.position()));
        Ok(())
    })?;
    Ok(beyond.into_iter().all(|beyond| beyond >> 63 == 0).then_some(rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interner::Interner;
    use crate::workers::FEWEST_ROWS;

    #[test]
    fn item_ids_are_positions() {
        assert!(ItemIds::alone(&[0_i64, 2], 3).is_some());
        assert!(ItemIds::alone(&[0_i64, 3], 3).is_none());
        assert!(ItemIds::alone(&[-1_i8], 3).is_none());
        assert!(ItemIds::alone(&[u64::MAX], 3).is_none());
        assert!(ItemIds::alone(&[0.0, -0.0, 2.0], 3).is_some());
        for wrong in [f64::NAN, 0.5, 3.0, -1.0, f64::INFINITY] {
            assert!(ItemIds::alone(&[wrong], 3).is_none(), "{wrong}");
            assert!(ItemIds::alone(&[wrong as f32], 3).is_none(), "{wrong}");
            // What is wrong twice is not right.
            assert!(ItemIds::alone(&[wrong, 1.0, wrong], 3).is_none(), "{wrong}");
        }
        assert_eq!(ItemIds::alone(&[2.0_f32], 3).map(|ids| ids.present(3)), Some(vec![2]));
        let mut interner = Interner::default();
        let rows = [b"1", b"0", b"1"].map(|text| interner.text(text).expect("there is room"));
        let rows = rows.into_iter().collect();
        let codes = Codes { rows, values: interner.finish() };
        let ids = ItemIds::from_codes(&codes, &[None, Some(1), Some(0)], 2);
        assert_eq!(ids.map(|ids| ids.present(3)), Some(vec![0, 1]));
        let beyond = ItemIds::from_codes(&codes, &[None, Some(2), Some(0)], 2);
        assert!(beyond.is_none(), "there are two items, 0 and 1");
        // A missing id that comes after all others have been seen.
        let late = (0..BLOCK).map(|row| row as u32 % 2 + 1).chain([0]).collect();
        let codes = Codes { rows: late, values: codes.values };
        assert!(ItemIds::from_codes(&codes, &[None, Some(1), Some(0)], 2).is_none());
        assert!(ItemIds::from_codes(&codes, &[Some(1), None, Some(0)], 2).is_none());
        let ids = ItemIds::from_codes(&codes, &[Some(1), Some(1), Some(0)], 2);
        assert_eq!(ids.map(|ids| ids.rows.len()), Some(BLOCK + 1));
        let ids =
            ItemIds::from_codes(&Codes { rows: [0].into_iter().collect(), ..codes }, &[None], 2);
        assert!(ids.is_none());
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let rows = FEWEST_ROWS * 3 + 11;
        for n_items in [7, 300, 70_000] {
            let mut column: Vec<i64> = (0..rows).map(|row| (row % n_items) as i64).collect();
            let ids_of = |column: &[i64], threads| {
                let ids = ItemIds::new(column, n_items, &Workers::new(threads, &|| true));
                ids.expect("nobody interrupts").map(|ids| ids.rows)
            };
            let one = ids_of(&column, 1);
            assert_eq!(one.as_ref().map(Narrow::len), Some(rows));
            assert_eq!([2, 3].map(|threads| ids_of(&column, threads)), [one.clone(), one]);
            // A fault in any part is one of the whole.
            for row in [0, rows / 2, rows - 1] {
                let id = std::mem::replace(&mut column[row], n_items as i64);
                assert_eq!([1, 2, 3].map(|threads| ids_of(&column, threads)), [None, None, None]);
                column[row] = id;
            }
        }
    }
}
