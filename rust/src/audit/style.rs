//! How respondents answer, whatever the items say: the same option over and over, or agreement with
//! reverse-keyed and ordinary items alike.

use std::ops::Range;

use crate::audit::mark::FATES;
use crate::audit::sheet::Sheet;
use crate::error::Result;
use crate::workers::Workers;

/// What has to be known of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemForm {
    /// Its scale.
    pub scale: u32,
    /// Whether it is reverse-keyed.
    pub reversed: bool,
    /// How many options it has: the third of five is not the third of three.
    pub options: usize,
}

/// One entry for each respondent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Styles {
    /// The number of items on which an option was chosen.
    pub chosen: Vec<u32>,
    /// The longest run of one option in the order of the items.
    pub longest_run: Vec<u32>,
    /// The agreement with ordinary and reverse-keyed items, the mean of both shares, over the scales
    /// of which both kinds were answered: 0.5 for whoever answers by content; NaN without any.
    pub agreement: Vec<f64>,
    /// The largest standard error that this can have if every answer is agreement by chance.
    pub error: Vec<f64>,
}

/// What is known of one item over all respondents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemCounts {
    /// The respondents by the fate of their answer.
    pub fates: [u32; FATES],
    /// Those who answered more than once.
    pub repeated: u32,
    /// Those whose answers differ.
    pub conflicting: u32,
}

impl ItemCounts {
    fn add(&mut self, later: &Self) {
        self.fates.iter_mut().zip(&later.fates).for_each(|(count, later)| *count += later);
        self.repeated += later.repeated;
        self.conflicting += later.conflicting;
    }
}

/// The mean of the shares of agreement with a scale's ordinary and reverse-keyed items, and the
/// largest variance it can have; nothing if one of the kinds was not answered. Of each kind, the
/// number of answers is in the upper half of the bits, twice the agreement in the lower one.
fn agreement_index(kinds: &[u64]) -> Option<(f64, f64)> {
    let answers = |kind: u64| (kind >> 32) as f64;
    let share = |kind: u64| f64::from(kind as u32) / 2.0 / answers(kind);
    let (ordinary, reversed) = (kinds[0], kinds[1]);
    if ordinary == 0 || reversed == 0 {
        return None;
    }
    // A share of n answers that are 0 or 1 has a variance of at most 1 / 4n.
    let variance = (1.0 / answers(ordinary) + 1.0 / answers(reversed)) / 16.0;
    Some((f64::midpoint(share(ordinary), share(reversed)), variance))
}

/// Reads off a sheet how each respondent, in this order, answered, and what became of each item.
///
/// # Errors
///
/// [`crate::error::Error::Interrupted`].
pub fn styles(
    sheet: &Sheet,
    order: &[u32],
    items: &[ItemForm],
    scales: usize,
    workers: &Workers<'_>,
) -> Result<(Styles, Vec<ItemCounts>)> {
    let part = |start, stop| Ok(styles_of(sheet, order, start..stop, items, scales));
    let mut parts = workers.split_units(order.len(), items.len(), part)?.into_iter();
    let (mut styles, mut counts) = parts.next().unwrap_or_default();
    for (later, later_counts) in parts {
        styles.chosen.extend(later.chosen);
        styles.longest_run.extend(later.longest_run);
        styles.agreement.extend(later.agreement);
        styles.error.extend(later.error);
        counts.iter_mut().zip(&later_counts).for_each(|(item, later)| item.add(later));
    }
    for item in &mut counts {
        item.fates[0] = order.len() as u32 - item.fates.iter().sum::<u32>();
    }
    Ok((styles, counts))
}

/// The respondents at some ranks of the order, and what they left on each item.
fn styles_of(
    sheet: &Sheet,
    order: &[u32],
    ranks: Range<usize>,
    items: &[ItemForm],
    scales: usize,
) -> (Styles, Vec<ItemCounts>) {
    let mut styles = Styles::default();
    let mut counts = vec![ItemCounts::default(); items.len()];
    // For each scale the ordinary items, then the reverse-keyed ones.
    let mut agreement = vec![0_u64; 2 * scales];
    sheet.visit(order, ranks, |_, marks| {
        agreement.fill(0);
        let (mut chosen, mut longest, mut run) = (0, 0, 0);
        let mut last = (0, 0);
        for (item, mark) in marks {
            let form = &items[*item as usize];
            let counts = &mut counts[*item as usize];
            counts.fates[mark.fate()] += 1;
            if mark.is_repeated() {
                counts.repeated += 1;
                counts.conflicting += u32::from(mark.is_conflicting());
            }
            agreement[2 * form.scale as usize + usize::from(form.reversed)] += mark.agreement();
            if mark.option() != 0 {
                let answer = (mark.option(), form.options);
                run = if answer == last { run + 1 } else { 1 };
                last = answer;
                longest = longest.max(run);
                chosen += 1;
            }
        }
        styles.chosen.push(chosen);
        styles.longest_run.push(longest);
        let indices = agreement.chunks_exact(2).filter_map(agreement_index);
        let (sum, variance, n) = indices
            .fold((0.0, 0.0, 0.0), |(sum, variance, n), (i, v)| (sum + i, variance + v, n + 1.0));
        // Without a scale of both kinds, 0 / 0.
        styles.agreement.push(sum / n);
        styles.error.push(f64::sqrt(variance) / n);
    });
    (styles, counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::mark::{Fate, Mark, Side};
    use crate::workers::FEWEST_ROWS;

    /// An answer on five options of the weights 1 to 5.
    fn answer(option: u32) -> Mark {
        let side = match option {
            0..=2 => Side::Low,
            3 => Side::Middle,
            _ => Side::High,
        };
        Mark::new(Fate::Scored, side, Some(option - 1))
    }

    fn sheet_of(rows: &[&[u32]]) -> Sheet {
        let mut sheet = Sheet::new(6, 100);
        sheet.reserve(rows.len());
        for (respondent, row) in rows.iter().enumerate() {
            for (item, option) in row.iter().enumerate().filter(|(_, option)| **option > 0) {
                sheet.add(respondent as u32, item as u32, answer(*option));
            }
        }
        sheet
    }

    fn alone(
        sheet: &Sheet,
        order: &[u32],
        items: &[ItemForm],
        scales: usize,
    ) -> (Styles, Vec<ItemCounts>) {
        styles(sheet, order, items, scales, &Workers::alone()).expect("nobody interrupts")
    }

    fn form(scale: u32, reversed: bool) -> ItemForm {
        ItemForm { scale, reversed, options: 5 }
    }

    #[test]
    fn the_longest_run_is_counted_over_gaps() {
        let items = [form(0, false); 6];
        let sheet = sheet_of(&[&[3, 3, 3, 3, 1, 5], &[0; 6], &[1, 0, 1, 2, 0, 1], &[5; 6]]);
        let (styles, counts) = alone(&sheet, &[0, 1, 2, 3], &items, 1);
        assert_eq!(styles.longest_run, [4, 0, 2, 6]);
        assert_eq!(styles.chosen, [6, 0, 4, 6]);
        assert!(styles.agreement.iter().all(|agreement| agreement.is_nan()));
        assert_eq!(counts[1].fates, [2, 2, 0, 0, 0, 0, 0, 0]);
        // Another number of options: the first of five is not the first of two.
        let mut mixed = items;
        mixed[2].options = 2;
        let (styles, _) = alone(&sheet, &[3], &mixed, 1);
        assert_eq!(styles.longest_run, [3]);
    }

    #[test]
    fn agreement_by_content_is_one_half() {
        // Two scales of two ordinary items and a reverse-keyed one.
        let items: Vec<ItemForm> =
            [(0, false), (0, false), (0, true), (1, false), (1, false), (1, true)]
                .map(|(scale, reversed)| form(scale, reversed))
                .into();
        let rows: [&[u32]; 5] =
            [&[5, 4, 1, 1, 2, 5], &[5, 5, 5, 4, 4, 4], &[2, 1, 1, 2, 1, 2], &[3; 6], &[5, 4, 3]];
        let sheet = sheet_of(&rows);
        let (styles, _) = alone(&sheet, &[0, 1, 2, 3, 4], &items, 2);
        // The last one has answered one scale: agreement with all ordinary and half of the others.
        assert_eq!(styles.agreement, [0.5, 1.0, 0.0, 0.5, 0.75]);
        // The variance of a scale is (1/2 + 1/1) / 16.
        let (both, one) = ((2.0_f64 * 1.5 / 16.0).sqrt() / 2.0, (1.5_f64 / 16.0).sqrt());
        assert_eq!(styles.error, [both, both, both, both, one]);
    }

    #[test]
    fn what_is_no_option_neither_is_chosen_nor_ends_a_run() {
        let mut sheet = sheet_of(&[&[2, 2, 0, 2]]);
        sheet.add(0, 2, Mark::new(Fate::Unmatched, Side::None, None));
        let (styles, _) = alone(&sheet, &[0], &[form(0, false); 6], 1);
        assert_eq!((&styles.chosen[..], &styles.longest_run[..]), (&[3][..], &[3][..]));
    }

    #[test]
    fn repeated_answers_are_counted_by_item() {
        let mut sheet = sheet_of(&[&[1, 2], &[1, 2]]);
        sheet.add(0, 0, answer(1));
        sheet.add(1, 1, answer(5));
        let (_, counts) = alone(&sheet, &[0, 1], &[form(0, false); 6], 1);
        let found: Vec<_> = counts.iter().map(|c| (c.repeated, c.conflicting)).collect();
        assert_eq!(found, [(1, 0), (1, 1), (0, 0), (0, 0), (0, 0), (0, 0)]);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let items = [(0, false), (0, true), (0, false), (1, false), (1, true), (1, true)]
            .map(|(scale, reversed)| form(scale, reversed));
        let number = FEWEST_ROWS / 2;
        let mut sheet = Sheet::new(6, number * 6);
        sheet.reserve(number);
        for row in 0..number as u32 * 5 {
            let (respondent, item) = (row * 7 % number as u32, row / 3 % 6);
            sheet.add(respondent, item, answer(row % 7 * row % 5 + 1));
        }
        let order: Vec<u32> = (0..number as u32).rev().collect();
        let one = alone(&sheet, &order, &items, 2);
        assert!(one.1.iter().all(|item| item.repeated > 0 && item.fates[0] > 0));
        for threads in [2, 3] {
            let workers = Workers::new(threads, &|| true);
            let more = styles(&sheet, &order, &items, 2, &workers).expect("nobody interrupts");
            assert_eq!((&one.0.chosen, &one.0.longest_run), (&more.0.chosen, &more.0.longest_run));
            let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&one.0.agreement), bits(&more.0.agreement));
            assert_eq!(bits(&one.0.error), bits(&more.0.error));
            assert_eq!(one.1, more.1);
        }
    }
}
