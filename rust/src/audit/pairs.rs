//! Pairs of an item and a text: which occur, where first, and how often.

use hashbrown::HashMap;

use crate::codes::{BLOCK, Codes};
use crate::items::ItemIds;

/// Numbers the pairs of an item and a column in the order in which they come.
///
/// All possible pairs have a place in a grid as long as that is small; from then on each is found by
/// its two numbers.
#[derive(Debug)]
pub struct Index {
    columns: usize,
    known: Known,
    pairs: u32,
}

#[derive(Debug)]
enum Known {
    /// The number of every possible pair plus one; 0 where it has none.
    Grid(Vec<u32>),
    Hash(HashMap<(u32, u32), u32>),
}

/// The largest grid: 4 MiB.
const MOST_CELLS: usize = 1 << 20;

impl Index {
    /// No pairs yet of these many items and columns.
    #[must_use]
    pub fn new(items: usize, columns: usize) -> Self {
        let known = match items.checked_mul(columns).filter(|cells| *cells <= MOST_CELLS) {
            Some(cells) => Known::Grid(vec![0; cells]),
            None => Known::Hash(HashMap::default()),
        };
        Self { columns, known, pairs: 0 }
    }

    /// The number of a pair. If there were so many before, it is new.
    #[inline]
    pub fn number(&mut self, item: u32, column: u32) -> usize {
        let next = self.pairs;
        let number = match &mut self.known {
            Known::Grid(grid) => {
                let cell = &mut grid[item as usize * self.columns + column as usize];
                if *cell == 0 {
                    *cell = next + 1;
                }
                *cell - 1
            }
            Known::Hash(pairs) => *pairs.entry((item, column)).or_insert(next),
        };
        self.pairs += u32::from(number == next);
        number as usize
    }
}

/// A text of an item, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The item.
    pub item: u32,
    /// The text's code.
    pub code: u32,
    /// The first row with both.
    pub first_row: usize,
    /// The number of such rows.
    pub rows: u32,
}

/// Every pair of an item and a code that occurs, in the order of first appearance. Both columns have
/// to be equally long.
#[must_use]
pub fn places(ids: &ItemIds, codes: &Codes, n_items: usize) -> Vec<Place> {
    let mut index = Index::new(n_items, codes.values.len() + 1);
    let mut found: Vec<Place> = Vec::new();
    let (mut items, mut texts) = ([0; BLOCK], [0; BLOCK]);
    for start in (0..ids.rows().len()).step_by(BLOCK) {
        let length = BLOCK.min(ids.rows().len() - start);
        ids.rows().read(start, &mut items[..length]);
        codes.rows.read(start, &mut texts[..length]);
        for (first_row, (item, code)) in (start..).zip(items.iter().zip(&texts).take(length)) {
            let number = index.number(*item, *code);
            if number == found.len() {
                found.push(Place { item: *item, code: *code, first_row, rows: 0 });
            }
            found[number].rows += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interner::Interner;

    #[test]
    fn pairs_are_numbered_as_they_come_in_a_grid_and_beyond() {
        for (items, columns) in [(3, 4), (1 << 16, 1 << 16), (usize::MAX, 2)] {
            let mut index = Index::new(items, columns);
            let numbers = [(2, 1), (0, 0), (2, 1), (1, 3), (0, 0)];
            let numbers = numbers.map(|(item, column)| index.number(item, column));
            assert_eq!(numbers, [0, 1, 0, 2, 1]);
        }
    }

    #[test]
    fn places_of_texts_are_counted() {
        let mut interner = Interner::default();
        let mut code = |text: &str| interner.text(text.as_bytes()).expect("there is room");
        let rows = ["a", "b", "a", "a"].map(&mut code).into_iter().collect();
        let codes = Codes { rows, values: interner.finish() };
        let ids = ItemIds::alone(&[1_u8, 1, 0, 1], 2).expect("valid ids");
        let place = |item, code, first_row, rows| Place { item, code, first_row, rows };
        let expected = [place(1, 1, 0, 2), place(1, 2, 1, 1), place(0, 1, 2, 1)];
        assert_eq!(places(&ids, &codes, 2), expected);
    }
}
