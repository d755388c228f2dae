//! What is known of each respondent and scale while the rows are read: one *cell* for each pair.

use hashbrown::HashMap;

use crate::statistic::{Accumulator, one_if_any};

/// What is known of one respondent and scale.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell<A> {
    /// The statistic of the scores.
    pub statistic: A,
    /// How many rows have a score, and above that how many rows there are: one addition for both.
    counts: u64,
}

/// A row among the counts.
const ROW: u64 = 1 << 32;

impl<A: Accumulator> Cell<A> {
    /// Takes a row in.
    #[inline]
    pub fn add(&mut self, score: f64) {
        // Cannot wrap: there are less than 2^32 rows.
        self.counts = self.counts.wrapping_add(ROW | one_if_any(score));
        self.statistic.add(score);
    }

    /// Takes the rows of another cell in.
    pub fn merge(&mut self, other: &Self) {
        self.counts += other.counts;
        self.statistic.merge(&other.statistic);
    }

    /// How many rows have a score.
    #[inline]
    #[must_use]
    pub fn items(&self) -> u32 {
        self.counts as u32
    }

    /// How many rows there are.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> u32 {
        (self.counts >> 32) as u32
    }
}

/// Where a cell is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its group.
    pub group: u32,
    /// Its scale.
    pub scale: u32,
    /// Its place among all cells.
    pub place: usize,
}

/// The cells of all groups, found by group and scale.
///
/// They lie in a full grid of groups and scales as long as that is not far larger than the rows can
/// fill; from then on each is found by its pair.
#[derive(Debug)]
pub struct Cells<A> {
    cells: Vec<Cell<A>>,
    scales: usize,
    most: usize,
    sparse: Option<HashMap<(u32, u32), u32>>,
}

/// A grid may have this many cells for each row.
const CELLS_PER_ROW: usize = 2;
/// A grid may have this many cells, however few the rows.
const FREE_CELLS: usize = 1 << 13;

impl<A: Accumulator> Cells<A> {
    /// No cells yet, for this many scales, rows and (at most) groups.
    #[must_use]
    pub fn new(scales: usize, rows: usize, groups: usize) -> Self {
        let most = (rows * CELLS_PER_ROW).max(FREE_CELLS);
        let cells = Vec::with_capacity(groups.saturating_mul(scales).min(most));
        Self { cells, scales, most, sparse: None }
    }

    /// Makes room for this many groups, before [`Cells::at`] is called with any of them.
    pub fn reserve(&mut self, groups: usize) {
        if self.sparse.is_some() {
            return;
        }
        let cells = groups.saturating_mul(self.scales);
        if cells <= self.most {
            self.cells.resize(cells, Cell::default());
        } else {
            self.scatter();
        }
    }

    fn scatter(&mut self) {
        let grid = std::mem::take(&mut self.cells);
        let mut pairs = HashMap::default();
        for (place, cell) in grid.into_iter().enumerate().filter(|(_, cell)| cell.rows() > 0) {
            let pair = ((place / self.scales) as u32, (place % self.scales) as u32);
            pairs.insert(pair, self.cells.len() as u32);
            self.cells.push(cell);
        }
        self.sparse = Some(pairs);
    }

    /// Adds rows, each with its group, scale and score.
    pub fn add(&mut self, groups: &[u32], scales: &[u32], scores: &[f64]) {
        let rows = groups.iter().zip(scales).zip(scores);
        if self.sparse.is_some() {
            rows.for_each(|((group, scale), score)| self.at(*group, *scale).add(*score));
            return;
        }
        for ((group, scale), score) in rows {
            let place = grid_place(*group, self.scales, *scale);
            self.cells[place].add(*score);
        }
    }

    /// The place of a cell among all of them, below [`Cells::len`].
    pub fn place(&mut self, group: u32, scale: u32) -> usize {
        let Some(pairs) = &mut self.sparse else { return grid_place(group, self.scales, scale) };
        let next = self.cells.len() as u32;
        let place = *pairs.entry((group, scale)).or_insert(next);
        if place == next {
            self.cells.push(Cell::default());
        }
        place as usize
    }

    /// The cell of a group and a scale.
    pub fn at(&mut self, group: u32, scale: u32) -> &mut Cell<A> {
        let place = self.place(group, scale);
        &mut self.cells[place]
    }

    /// The number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no place.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Makes the cell of one scale the total of all cells of its group, its own included.
    pub fn add_totals(&mut self, total: u32, groups: usize) {
        let whole = |cells: &[Cell<A>]| {
            cells.iter().fold(Cell::default(), |mut whole: Cell<A>, cell| {
                whole.merge(cell);
                whole
            })
        };
        let Some(pairs) = &self.sparse else {
            for cells in self.cells.chunks_exact_mut(self.scales) {
                cells[total as usize] = whole(cells);
            }
            return;
        };
        let mut totals = vec![Cell::default(); groups];
        for ((group, _), place) in pairs {
            totals[*group as usize].merge(&self.cells[*place as usize]);
        }
        for (group, cell) in (0..).zip(totals) {
            *self.at(group, total) = cell;
        }
    }

    /// Where the cells are that have rows: in this order of the groups, and for each group by scale.
    #[must_use]
    pub fn places(&self, groups: &[u32]) -> Vec<Place> {
        let mut places = Vec::with_capacity(self.cells.len());
        let Some(pairs) = &self.sparse else {
            for group in groups {
                let first = grid_place(*group, self.scales, 0);
                let cells = &self.cells[first..first + self.scales];
                for ((scale, place), cell) in (0..).zip(first..).zip(cells) {
                    if cell.rows() > 0 {
                        places.push(Place { group: *group, scale, place });
                    }
                }
            }
            return places;
        };
        let mut rank_of = vec![0; groups.len()];
        groups.iter().enumerate().for_each(|(rank, group)| rank_of[*group as usize] = rank);
        for ((group, scale), place) in pairs {
            places.push(Place { group: *group, scale: *scale, place: *place as usize });
        }
        places.sort_unstable_by_key(|cell| (rank_of[cell.group as usize], cell.scale));
        places
    }

    /// The cell of a place.
    #[must_use]
    pub fn get(&self, place: usize) -> &Cell<A> {
        &self.cells[place]
    }
}

/// Cannot wrap: a grid has less than 2^64 cells.
#[inline]
fn grid_place(group: u32, scales: usize, scale: u32) -> usize {
    (group as usize).wrapping_mul(scales).wrapping_add(scale as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistic::ExactSum;

    #[test]
    fn a_grid_too_large_for_its_rows_is_scattered_without_loss() {
        let mut cells: Cells<ExactSum> = Cells::new(5000, 3, 3);
        cells.reserve(1);
        cells.at(0, 4999).add(2.0);
        cells.at(0, 7).add(f64::NAN);
        assert_eq!(cells.len(), 5000);
        cells.reserve(3);
        cells.at(2, 7).add(5.0);
        cells.at(0, 4999).add(1.0);
        assert_eq!(cells.len(), 3);
        let found: Vec<_> = cells
            .places(&[2, 1, 0])
            .into_iter()
            .map(|Place { group, scale, place }| {
                let cell = cells.get(place);
                (group, scale, cell.statistic.0, cell.items(), cell.rows())
            })
            .collect();
        assert_eq!(found, [(2, 7, 5.0, 1, 1), (0, 7, 0.0, 0, 1), (0, 4999, 3.0, 2, 2)]);
    }
}
