//! Scale scores: the item scores of each respondent and scale, put together.
//!
//! Rows are read in blocks; every block is grouped and added to the cells, one a respondent and
//! scale. So nothing is kept per row unless a statistic needs all the scores at once. Where the
//! order of the additions cannot matter, the rows are split between threads and the cells merged.

use crate::cells::{Cell, Cells, Place};
use crate::codes::BLOCK;
use crate::error::Result;
use crate::group::{Grouper, Keys};
use crate::rows::Rows;
use crate::statistic::{Accumulator, ExactSum, Max, Min, Sum, Whole};
use crate::workers::Workers;

/// The scales of the result, numbered in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scales {
    /// How many there are.
    pub number: usize,
    /// Whether the last one is a total over the rows of all scales, not just over its own.
    pub total: bool,
}

/// What the scores of a scale are turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The mean of the scores.
    Mean,
    /// Their sum.
    Sum,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// Their number.
    Count,
    /// One that needs all of them at once.
    Whole(Whole),
}

/// The scale scores: a row for each respondent and scale that occur together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The first row of the respondent.
    pub first_rows: Vec<usize>,
    /// The scale.
    pub scales: Vec<u32>,
    /// How many scores there are.
    pub n_items: Vec<i64>,
    /// How many rows have none.
    pub n_missing: Vec<i64>,
    /// The statistic; NaN for a scale without any score.
    pub scores: Vec<f64>,
}

/// The scale scores of every respondent.
///
/// # Errors
///
/// [`crate::error::Error::TooMany`].
pub fn aggregate(
    rows: &impl Rows,
    keys: &Keys<'_>,
    scales: Scales,
    statistic: Statistic,
    workers: &Workers<'_>,
) -> Result<Table> {
    let exact = matches!(statistic, Statistic::Mean | Statistic::Sum) && rows.adds_exactly();
    let n = |items: u32| f64::from(items);
    match statistic {
        Statistic::Mean if exact => {
            run(rows, keys, scales, workers, |c: &Cell<ExactSum>| c.statistic.0 / n(c.items()))
        }
        Statistic::Sum if exact => {
            run(rows, keys, scales, workers, |c: &Cell<ExactSum>| c.statistic.0)
        }
        Statistic::Mean => {
            run(rows, keys, scales, workers, |c: &Cell<Sum>| c.statistic.total() / n(c.items()))
        }
        Statistic::Sum => run(rows, keys, scales, workers, |c: &Cell<Sum>| c.statistic.total()),
        Statistic::Min => run(rows, keys, scales, workers, |c: &Cell<Min>| c.statistic.0),
        Statistic::Max => run(rows, keys, scales, workers, |c: &Cell<Max>| c.statistic.0),
        Statistic::Count => run(rows, keys, scales, workers, |c: &Cell<()>| n(c.items())),
        Statistic::Whole(whole) => {
            let mut gathered = gather(rows, keys, scales, workers)?;
            for (cell, score) in gathered.table.scores.iter_mut().enumerate() {
                let bounds = gathered.bounds[cell]..gathered.bounds[cell + 1];
                if !bounds.is_empty() {
                    *score = whole.of(&mut gathered.scores[bounds]);
                }
            }
            Ok(gathered.table)
        }
    }
}

/// The scores themselves, cell after cell and within a cell in the order of the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    /// The cells; their scores are left to be found.
    pub table: Table,
    /// All scores that exist.
    pub scores: Vec<f64>,
    /// Where the scores of each cell begin, and the end of the last one.
    pub bounds: Vec<usize>,
}

/// Gathers the scores of every respondent and scale.
///
/// # Errors
///
/// [`crate::error::Error::TooMany`].
pub fn gather(
    rows: &impl Rows,
    keys: &Keys<'_>,
    scales: Scales,
    workers: &Workers<'_>,
) -> Result<Gathered> {
    let mut part: Part<'_, ()> = read(rows, keys, scales, workers)?;
    let table = part.table(|_| f64::NAN);
    let mut next = vec![0; part.cells.len()];
    let mut bounds = vec![0];
    for Place { place, .. } in part.cells.places(&part.grouper.order()) {
        let start = bounds[bounds.len() - 1];
        next[place] = start;
        bounds.push(start + part.cells.get(place).items() as usize);
    }
    let total = scales.total.then(|| scales.number as u32 - 1);
    let mut gathered = vec![0.0; bounds[bounds.len() - 1]];
    let mut block = Block::default();
    workers.blocks(0, rows.len(), |start, stop| {
        block.read(rows, &mut part.grouper, start, stop)?;
        let (groups, scales, scores) = block.columns();
        for ((group, scale), score) in groups.iter().zip(scales).zip(scores) {
            let scales = [Some(*scale), total.filter(|total| total != scale)];
            for scale in scales.into_iter().flatten().filter(|_| !score.is_nan()) {
                let place = &mut next[part.cells.place(*group, scale)];
                gathered[*place] = *score;
                *place += 1;
            }
        }
        Ok(())
    })?;
    Ok(Gathered { table, scores: gathered, bounds })
}

fn run<A: Accumulator>(
    rows: &impl Rows,
    keys: &Keys<'_>,
    scales: Scales,
    workers: &Workers<'_>,
    finish: impl Fn(&Cell<A>) -> f64,
) -> Result<Table> {
    Ok(read(rows, keys, scales, workers)?.table(finish))
}

/// The groups and cells of some of the rows.
struct Part<'a, A> {
    grouper: Grouper<'a>,
    cells: Cells<A>,
}

/// Reads all rows, split between as many threads as are of use.
fn read<'a, A: Accumulator>(
    rows: &impl Rows,
    keys: &'a Keys<'a>,
    scales: Scales,
    workers: &Workers<'_>,
) -> Result<Part<'a, A>> {
    let part = |start, stop| Part::read(rows, keys, scales, start, stop, workers);
    if !A::MERGES {
        return part(0, rows.len());
    }
    let mut parts: Vec<Part<'a, A>> = workers.split(rows.len(), part)?;
    let mut whole = parts.remove(0);
    for later in &parts {
        whole.merge(later)?;
    }
    if scales.total {
        whole.cells.add_totals(scales.number as u32 - 1, whole.grouper.len());
    }
    Ok(whole)
}

impl<'a, A: Accumulator> Part<'a, A> {
    fn read(
        rows: &impl Rows,
        keys: &'a Keys<'a>,
        scales: Scales,
        start: usize,
        stop: usize,
        workers: &Workers<'_>,
    ) -> Result<Self> {
        let cells = Cells::new(scales.number, rows.len(), keys.most_groups());
        let mut part = Self { grouper: Grouper::new(keys), cells };
        let mut block = Block::default();
        workers.blocks(start, stop, |start, stop| {
            block.read(rows, &mut part.grouper, start, stop)?;
            part.cells.reserve(part.grouper.len());
            let (groups, numbers, scores) = block.columns();
            part.cells.add(groups, numbers, scores);
            // Where a total follows from the scales, it is not added row by row.
            if scales.total && !A::MERGES {
                let total = scales.number as u32 - 1;
                for ((group, scale), score) in groups.iter().zip(numbers).zip(scores) {
                    if *scale != total {
                        part.cells.at(*group, total).add(*score);
                    }
                }
            }
            Ok(())
        })?;
        Ok(part)
    }

    fn merge(&mut self, later: &Self) -> Result<()> {
        let groups = self.grouper.merge(&later.grouper)?;
        self.cells.reserve(self.grouper.len());
        let order: Vec<u32> = (0..groups.len() as u32).collect();
        for Place { group, scale, place } in later.cells.places(&order) {
            self.cells.at(groups[group as usize], scale).merge(later.cells.get(place));
        }
        Ok(())
    }

    fn table(&self, finish: impl Fn(&Cell<A>) -> f64) -> Table {
        let first_rows = self.grouper.first_rows();
        let places = self.cells.places(&self.grouper.order());
        let cells = || places.iter().map(|cell| self.cells.get(cell.place));
        let score = |cell: &Cell<A>| if cell.items() > 0 { finish(cell) } else { f64::NAN };
        Table {
            first_rows: places.iter().map(|cell| first_rows[cell.group as usize]).collect(),
            scales: places.iter().map(|cell| cell.scale).collect(),
            n_items: cells().map(|cell| i64::from(cell.items())).collect(),
            n_missing: cells().map(|cell| i64::from(cell.rows() - cell.items())).collect(),
            scores: cells().map(score).collect(),
        }
    }
}

/// The rows of one block.
struct Block {
    groups: [u32; BLOCK],
    scales: [u32; BLOCK],
    scores: [f64; BLOCK],
    length: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self { groups: [0; BLOCK], scales: [0; BLOCK], scores: [0.0; BLOCK], length: 0 }
    }
}

impl Block {
    fn read(
        &mut self,
        rows: &impl Rows,
        grouper: &mut Grouper<'_>,
        start: usize,
        stop: usize,
    ) -> Result<()> {
        self.length = stop - start;
        grouper.read(start, &mut self.groups[..self.length])?;
        rows.read(start, &mut self.scales[..self.length], &mut self.scores[..self.length]);
        Ok(())
    }

    /// The group, scale and score of each row.
    fn columns(&self) -> (&[u32], &[u32], &[f64]) {
        let rows = ..self.length;
        (&self.groups[rows], &self.scales[rows], &self.scores[rows])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Narrow;
    use crate::group::KeyColumn;
    use crate::order::ranks_of;
    use crate::rows::ScoredRows;

    const NAN: f64 = f64::NAN;

    fn table(
        groups: &Narrow,
        scales: &Narrow,
        scores: &[f64],
        of: Scales,
        statistic: Statistic,
        threads: usize,
    ) -> Table {
        let most = (0..groups.len()).filter_map(|row| groups.get(row)).max().unwrap_or(0) as usize;
        let ranks = ranks_of(&(0..most).collect::<Vec<_>>());
        let keys =
            Keys::new(vec![KeyColumn { rows: groups, ranks }], scores.len()).expect("equally long");
        let scale_of: Vec<u32> = (0..of.number as u32).collect();
        let rows = ScoredRows::new(scales, &scale_of, scores).expect("equally long");
        let workers = Workers::new(threads, &|| true);
        aggregate(&rows, &keys, of, statistic, &workers).expect("there is room")
    }

    fn same(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()))
    }

    #[test]
    fn every_statistic_covers_the_scores_that_exist() {
        let groups: Narrow = [2, 1, 2, 2, 1, 2].into_iter().collect();
        let scales: Narrow = [0, 1, 1, 0, 1, 2].into_iter().collect();
        let scores = [3.0, NAN, 2.5, 6.0, NAN, 1.0];
        for (statistic, expected) in [
            (Statistic::Mean, [NAN, NAN, 4.5, 2.5, 12.5 / 4.0]),
            (Statistic::Sum, [NAN, NAN, 9.0, 2.5, 12.5]),
            (Statistic::Min, [NAN, NAN, 3.0, 2.5, 1.0]),
            (Statistic::Max, [NAN, NAN, 6.0, 2.5, 6.0]),
            (Statistic::Count, [NAN, NAN, 2.0, 1.0, 4.0]),
            (Statistic::Whole(Whole::First), [NAN, NAN, 3.0, 2.5, 3.0]),
            (Statistic::Whole(Whole::Last), [NAN, NAN, 6.0, 2.5, 1.0]),
            (Statistic::Whole(Whole::Median), [NAN, NAN, 4.5, 2.5, 2.75]),
            (Statistic::Whole(Whole::Product), [NAN, NAN, 18.0, 2.5, 45.0]),
        ] {
            let of = Scales { number: 3, total: true };
            let table = table(&groups, &scales, &scores, of, statistic, 1);
            assert_eq!(table.first_rows, [1, 1, 0, 0, 0]);
            assert_eq!(table.scales, [1, 2, 0, 1, 2]);
            assert_eq!(table.n_items, [0, 0, 2, 1, 4]);
            assert_eq!(table.n_missing, [2, 2, 0, 0, 0]);
            assert!(same(&table.scores, &expected), "{statistic:?} {:?}", table.scores);
        }
        let of = Scales { number: 3, total: false };
        let table = table(&groups, &scales, &scores, of, Statistic::Sum, 1);
        assert_eq!(table.scales, [1, 0, 1, 2]);
        assert!(same(&table.scores, &[NAN, 9.0, 2.5, 1.0]));
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let n = crate::workers::FEWEST_ROWS as u32 * 3 + 77;
        let groups: Narrow = (0..n).map(|row| row.wrapping_mul(2_654_435_761) % 5000 + 1).collect();
        let scales: Narrow = (0..n).map(|row| row % 4).collect();
        let scores: Vec<f64> =
            (0..n).map(|row| if row % 11 == 0 { NAN } else { f64::from(row % 7) }).collect();
        let halves: Vec<f64> = scores.iter().map(|score| score / 3.0).collect();
        let statistics = [
            Statistic::Mean,
            Statistic::Sum,
            Statistic::Min,
            Statistic::Max,
            Statistic::Count,
            Statistic::Whole(Whole::Last),
        ];
        for scores in [&scores, &halves] {
            for statistic in statistics {
                let of = Scales { number: 5, total: true };
                let one = table(&groups, &scales, scores, of, statistic, 1);
                for threads in [2, 3, 8] {
                    let more = table(&groups, &scales, scores, of, statistic, threads);
                    let scores = |table: &Table| {
                        table.scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>()
                    };
                    assert_eq!(scores(&one), scores(&more), "{statistic:?} {threads}");
                    assert_eq!(one.first_rows, more.first_rows);
                    assert_eq!((&one.scales, &one.n_items), (&more.scales, &more.n_items));
                }
            }
        }
    }
}
