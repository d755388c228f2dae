//! The sheet: one mark for each respondent and item.

use std::ops::Range;

use hashbrown::HashMap;

use crate::audit::mark::{FATES, Mark};

/// The marks of all respondents.
///
/// They lie in a full grid of respondents and items as long as that is not far larger than the rows
/// can fill; from then on each is found by its pair.
#[derive(Debug)]
pub struct Sheet {
    marks: Vec<Mark>,
    items: usize,
    most: usize,
    sparse: Option<HashMap<(u32, u32), Mark>>,
}

/// A grid may have this many marks for each row.
const MARKS_PER_ROW: usize = 8;
/// A grid may have this many marks, however few the rows.
const FREE_MARKS: usize = 1 << 16;

impl Sheet {
    /// An empty sheet for this many items and rows.
    #[must_use]
    pub fn new(items: usize, rows: usize) -> Self {
        let most = (rows * MARKS_PER_ROW).max(FREE_MARKS);
        Self { marks: Vec::new(), items, most, sparse: None }
    }

    /// Makes room for this many respondents, before [`Sheet::add`] is called with any of them.
    pub fn reserve(&mut self, respondents: usize) {
        if self.sparse.is_some() {
            return;
        }
        let marks = respondents.saturating_mul(self.items);
        if marks <= self.most {
            self.marks.resize(marks, Mark::ABSENT);
            return;
        }
        let grid = std::mem::take(&mut self.marks);
        let places = grid.into_iter().enumerate().filter(|(_, mark)| mark.is_present());
        let pair = |place| ((place / self.items) as u32, (place % self.items) as u32);
        self.sparse = Some(places.map(|(place, mark)| (pair(place), mark)).collect());
    }

    /// Adds an answer of a respondent to an item.
    #[inline]
    pub fn add(&mut self, respondent: u32, item: u32, mark: Mark) {
        let place = if let Some(pairs) = &mut self.sparse {
            pairs.entry((respondent, item)).or_default()
        } else {
            &mut self.marks[respondent as usize * self.items + item as usize]
        };
        *place = place.and(mark);
    }

    /// Adds the marks of a later part of the rows, whose respondents have these numbers here.
    pub fn merge(&mut self, later: &Self, numbers: &[u32]) {
        let order: Vec<u32> = (0..numbers.len() as u32).collect();
        later.visit(&order, 0..order.len(), |respondent, marks| {
            for (item, mark) in marks {
                self.add(numbers[respondent], *item, *mark);
            }
        });
    }

    /// Calls back for each respondent at some ranks of an order of all, with the rank and with the
    /// marks of the items that have any, in the order of the items.
    pub fn visit(
        &self,
        order: &[u32],
        ranks: Range<usize>,
        mut visit: impl FnMut(usize, &[(u32, Mark)]),
    ) {
        let Some(pairs) = &self.sparse else {
            let mut present = vec![(0, Mark::ABSENT); self.items];
            for rank in ranks {
                let mut number = 0;
                for (item, mark) in (0..).zip(self.row(order[rank])) {
                    // Written in any case, and kept if the next one does not take its place.
                    present[number] = (item, *mark);
                    number += usize::from(mark.is_present());
                }
                visit(rank, &present[..number]);
            }
            return;
        };
        let mut present: Vec<(u32, Mark)> = Vec::new();
        let mut rank_of = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(respondent, rank)| rank_of[*respondent as usize] = rank);
        let mut marks: Vec<(usize, u32, Mark)> =
            pairs.iter().map(|((r, item), mark)| (rank_of[*r as usize], *item, *mark)).collect();
        marks.retain(|(rank, ..)| ranks.contains(rank));
        marks.sort_unstable_by_key(|(rank, item, _)| (*rank, *item));
        let mut marks = marks.into_iter().peekable();
        for rank in ranks {
            present.clear();
            while let Some((_, item, mark)) = marks.next_if(|(r, ..)| *r == rank) {
                present.push((item, mark));
            }
            visit(rank, &present);
        }
    }

    /// For each respondent, in this order, the items of each scale by their fate.
    ///
    /// The counts of a respondent and scale are [`FATES`] numbers in a row; those of a respondent's
    /// scales follow each other.
    #[must_use]
    pub fn by_scale(&self, order: &[u32], scale_of: &[u32], scales: usize) -> Vec<u32> {
        let mut expected = vec![0; scales];
        scale_of.iter().for_each(|scale| expected[*scale as usize] += 1);
        let mut counts = vec![0; order.len() * scales * FATES];
        self.visit(order, 0..order.len(), |rank, marks| {
            let counts = &mut counts[rank * scales * FATES..][..scales * FATES];
            for (fates, expected) in counts.chunks_mut(FATES).zip(&expected) {
                fates[0] = *expected;
            }
            for (item, mark) in marks {
                let scale = scale_of[*item as usize] as usize;
                counts[scale * FATES] -= 1;
                counts[scale * FATES + mark.fate()] += 1;
            }
        });
        counts
    }

    /// For each of some groups, how many of its respondents have a score on each item. The groups of
    /// the respondents are given in this order of the respondents; those of a group follow each other.
    #[must_use]
    pub fn answered(&self, order: &[u32], groups: &[u32], n_groups: usize) -> Vec<u32> {
        let mut counts = vec![0; n_groups * self.items];
        let Some(pairs) = &self.sparse else {
            for (respondent, group) in order.iter().zip(groups) {
                let counts = &mut counts[*group as usize * self.items..][..self.items];
                for (count, mark) in counts.iter_mut().zip(self.row(*respondent)) {
                    *count += u32::from(mark.is_scored());
                }
            }
            return counts;
        };
        let mut group_of = vec![0; order.len()];
        for (respondent, group) in order.iter().zip(groups) {
            group_of[*respondent as usize] = *group as usize;
        }
        for ((respondent, item), _) in pairs.iter().filter(|(_, mark)| mark.is_scored()) {
            counts[group_of[*respondent as usize] * self.items + *item as usize] += 1;
        }
        counts
    }

    /// The marks of a respondent in the grid.
    fn row(&self, respondent: u32) -> &[Mark] {
        &self.marks[respondent as usize * self.items..][..self.items]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::mark::{Fate, Side};

    fn mark(fate: Fate) -> Mark {
        Mark::new(fate, Side::None, None)
    }

    #[test]
    fn a_sheet_too_large_for_its_rows_is_scattered_without_loss() {
        let items = FREE_MARKS / 2;
        let mut sheet = Sheet::new(items, 5);
        sheet.reserve(2);
        sheet.add(1, 7, mark(Fate::Scored));
        sheet.add(0, 9, mark(Fate::Missing));
        assert_eq!(sheet.marks.len(), FREE_MARKS);
        sheet.reserve(3);
        sheet.add(2, 3, mark(Fate::Invalid));
        sheet.add(1, 2, mark(Fate::Unmatched));
        sheet.reserve(4);
        assert!(sheet.marks.is_empty());
        let mut found = Vec::new();
        sheet.visit(&[1, 3, 0, 2], 0..4, |rank, marks| {
            found.push((rank, marks.iter().map(|(i, m)| (*i, m.fate())).collect::<Vec<_>>()));
        });
        let expected =
            [(0, vec![(2, 4), (7, 1)]), (1, vec![]), (2, vec![(9, 6)]), (3, vec![(3, 7)])];
        assert_eq!(found, expected);
        let mut ranks = Vec::new();
        sheet.visit(&[1, 3, 0, 2], 1..3, |rank, marks| ranks.push((rank, marks.len())));
        assert_eq!(ranks, [(1, 0), (2, 1)]);
        let scored = sheet.answered(&[1, 3, 0, 2], &[1, 0, 0, 0], 2);
        assert_eq!((scored[items + 7], scored.iter().sum::<u32>()), (1, 1));
    }

    #[test]
    fn scales_count_their_items_by_fate() {
        let mut sheet = Sheet::new(3, 3);
        sheet.reserve(2);
        sheet.add(0, 0, mark(Fate::Scored));
        sheet.add(0, 1, mark(Fate::Sentinel));
        sheet.add(1, 2, mark(Fate::Scored));
        // Absent, scored, ignored, clash, unmatched, sentinel, missing, invalid.
        let ann = [[0, 1, 0, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]];
        let ben = [[2, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0]];
        assert_eq!(sheet.by_scale(&[1, 0], &[0, 0, 1], 2), [ben, ann].concat().concat());
        assert_eq!(sheet.answered(&[1, 0], &[0, 1], 3), [0, 0, 1, 1, 0, 0, 0, 0, 0]);
        assert_eq!(sheet.answered(&[1, 0], &[0, 0], 1), [1, 0, 1]);
    }

    #[test]
    fn later_rows_are_merged_by_respondent() {
        let (mut one, mut two) = (Sheet::new(2, 4), Sheet::new(2, 4));
        one.reserve(1);
        one.add(0, 1, mark(Fate::Missing));
        two.reserve(2);
        two.add(0, 0, mark(Fate::Scored));
        two.add(1, 1, mark(Fate::Scored));
        one.reserve(2);
        one.merge(&two, &[1, 0]);
        let mut found = Vec::new();
        one.visit(&[0, 1], 0..2, |_, marks| found.push(marks.to_vec()));
        let late = mark(Fate::Missing).and(mark(Fate::Scored));
        assert_eq!(found, [vec![(1, late)], vec![(0, mark(Fate::Scored))]]);
    }
}
