//! Filling gaps: scores for items that a respondent has not answered.

use crate::aggregate::{Scales, Statistic, aggregate};
use crate::codes::{BLOCK, Narrow};
use crate::duplicates::Places;
use crate::error::Result;
use crate::group::Keys;
use crate::responses::Responses;
use crate::rows::Rows;
use crate::workers::Workers;

/// The scales whose gaps are filled.
#[derive(Clone, Copy, Debug)]
pub struct Gaps<'a> {
    /// A row of the respondent.
    pub rows: &'a [usize],
    /// The scale.
    pub scales: &'a [u32],
}

/// A statistic of each item's scores, over all respondents; NaN for an item without any.
///
/// # Errors
///
/// [`crate::error::Error::Interrupted`].
pub fn item_scores(
    responses: &Responses,
    statistic: Statistic,
    workers: &Workers<'_>,
) -> Result<Vec<f64>> {
    let keys = Keys::new(Vec::new(), responses.len())?;
    let scales = Scales { number: responses.n_items, total: false };
    let table = aggregate(&ByItem(responses), &keys, scales, statistic, workers)?;
    let mut scores = vec![f64::NAN; responses.n_items];
    table.scales.iter().zip(table.scores).for_each(|(item, score)| scores[*item as usize] = score);
    Ok(scores)
}

/// The responses, each as one of a scale of its own item.
struct ByItem<'a>(&'a Responses);

impl Rows for ByItem<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn read(&self, start: usize, scales: &mut [u32], scores: &mut [f64]) {
        self.0.read(start, scales, scores);
        self.0.items.read(start, scales);
    }

    fn adds_exactly(&self) -> bool {
        self.0.adds_exactly()
    }
}

/// Adds a row for each item of a scale that a respondent has no score for, after the rows that there
/// are. With a total, which is a scale like any other then, each of these comes in it once more.
///
/// # Errors
///
/// [`crate::error::Error::Interrupted`].
pub fn impute(
    responses: &Responses,
    gaps: Gaps<'_>,
    items_of: &[Vec<u32>],
    fills: &[f64],
    total: Option<u32>,
    workers: &Workers<'_>,
) -> Result<Responses> {
    let mut answered = Places::new(responses.pairs());
    let mut filled = Columns::default();
    responses.pairs().visit(&responses.scores, workers, |row, group, item, score| {
        if !score.is_nan() {
            *answered.at(group, item) = 1;
        }
        let own = responses.scales.get(row as usize);
        let scales = [own, total.filter(|total| Some(*total) != own)];
        scales.into_iter().flatten().for_each(|scale| filled.push(group, item, scale, score));
        true
    })?;
    workers.blocks(0, gaps.rows.len(), |start, stop| {
        for (row, scale) in gaps.rows[start..stop].iter().zip(&gaps.scales[start..stop]) {
            let Some(group) = responses.groups.get(*row) else { continue };
            for item in items_of.get(*scale as usize).into_iter().flatten() {
                let fill = fills[*item as usize];
                if !fill.is_nan() && *answered.at(group, *item) == 0 {
                    filled.push(group, *item, *scale, fill);
                }
            }
        }
        Ok(())
    })?;
    Ok(Responses {
        groups: filled.groups.finish().into(),
        items: filled.items.finish().into(),
        scales: filled.scales.finish().into(),
        scores: filled.scores.into(),
        ..responses.clone()
    })
}

/// Rows that are made one by one.
#[derive(Default)]
struct Columns {
    groups: Column,
    items: Column,
    scales: Column,
    scores: Vec<f64>,
}

impl Columns {
    fn push(&mut self, group: u32, item: u32, scale: u32, score: f64) {
        self.groups.push(group);
        self.items.push(item);
        self.scales.push(scale);
        self.scores.push(score);
    }
}

/// A column that is made code by code.
#[derive(Default)]
struct Column {
    rows: Narrow,
    block: Vec<u32>,
}

impl Column {
    fn push(&mut self, code: u32) {
        self.block.push(code);
        if self.block.len() == BLOCK {
            self.rows.extend(&self.block);
            self.block.clear();
        }
    }

    fn finish(mut self) -> Narrow {
        self.rows.extend(&self.block);
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::responses::tests::responses;
    use crate::statistic::Whole;

    const NAN: f64 = f64::NAN;

    #[test]
    fn items_have_their_mean_or_median_over_all_respondents() -> Result<()> {
        let rows = [(0, 2, 0, 1.0), (1, 2, 0, 2.0), (2, 2, 0, 9.0), (2, 0, 1, NAN), (3, 3, 1, 0.5)];
        let found = responses(&rows, 4)?;
        let of = |statistic| item_scores(&found, statistic, &Workers::alone());
        let (means, medians) = (of(Statistic::Mean)?, of(Statistic::Whole(Whole::Median))?);
        assert_eq!(means[2..], [4.0, 0.5]);
        assert_eq!(medians[2..], [2.0, 0.5]);
        assert!(means[..2].iter().all(|mean| mean.is_nan()));
        Ok(())
    }

    #[test]
    fn gaps_of_the_scales_that_are_named_are_filled() -> Result<()> {
        let rows = [(5, 0, 0, 1.0), (5, 2, 1, 3.0), (4, 0, 0, NAN)];
        let found = responses(&rows, 4)?;
        // Item 0 and 1 are of scale 0, item 2 of scale 1, item 3 of the total alone.
        let items_of = [vec![0, 1], vec![2], vec![0, 1, 2, 3]];
        let fills = [7.0, 8.0, 9.0, NAN];
        let filled = |rows: &[usize], scales: &[u32], total| {
            let gaps = Gaps { rows, scales };
            impute(&found, gaps, &items_of, &fills, total, &Workers::alone())
        };
        let listed = |filled: &Responses| -> Vec<(usize, u32, u32, f64)> {
            let of = |row| {
                let (item, scale) = (filled.items.get(row)?, filled.scales.get(row)?);
                Some((filled.first_row(row)?, item, scale, filled.scores[row]))
            };
            (0..filled.len()).filter_map(of).collect()
        };
        let scales = filled(&[0, 2, 9], &[0, 0, 0], None)?;
        let expected = [(0, 1, 0, 8.0), (2, 0, 0, 7.0), (2, 1, 0, 8.0)];
        assert_eq!(listed(&scales)[3..], expected);
        let total = filled(&[1, 2], &[2, 2], Some(2))?;
        assert_eq!(
            listed(&total)[..4],
            [(0, 0, 0, 1.0), (0, 0, 2, 1.0), (0, 2, 1, 3.0), (0, 2, 2, 3.0)]
        );
        let expected = [(0, 1, 2, 8.0), (2, 0, 2, 7.0), (2, 1, 2, 8.0), (2, 2, 2, 9.0)];
        assert_eq!(listed(&total)[6..], expected);
        Ok(())
    }

    #[test]
    fn columns_longer_than_a_block_are_made_whole() -> Result<()> {
        let rows: Vec<_> = (0..BLOCK as u32 + 9).map(|row| (row % 90, row % 3, 0, 1.0)).collect();
        let found = responses(&rows, 3)?;
        let gaps = Gaps { rows: &[], scales: &[] };
        let filled = impute(&found, gaps, &[], &[NAN; 3], None, &Workers::alone())?;
        assert_eq!((filled.items, filled.scores), (found.items, found.scores));
        Ok(())
    }
}
