//! Item scores: the score of every row, from its item and its decision.

use std::sync::Arc;

use crate::codes::{BLOCK, Codes, join, width};
use crate::error::{Error, Result};
use crate::items::ItemIds;
use crate::key::{CLASS_MISSING, Class, Decision, Outcome, ScoringKey};
use crate::workers::Workers;

/// Rows of answers, ready to be scored.
#[derive(Clone, Debug)]
pub struct Answers {
    key: Arc<ScoringKey>,
    items: Arc<ItemIds>,
    decisions: Arc<Codes>,
    /// What the decision of each code is.
    classes: Arc<[Class]>,
    verdicts: Option<Verdicts>,
    joint: Option<Joint>,
}

/// Which answers are valid.
#[derive(Clone, Debug)]
struct Verdicts {
    rows: Arc<Codes>,
    /// For every code whether it says "not valid".
    is_invalid: Arc<[bool]>,
}

/// The score of every combination of an item, a decision's code and a verdict's, where these are far
/// fewer than the rows: then a row costs one access, to a place made of its codes.
#[derive(Clone, Debug)]
struct Joint {
    scores: Arc<[f64]>,
    /// The scale of the item of every place.
    scales: Arc<[u32]>,
    /// Where in a place the decision's code begins, after the verdict's.
    code: u32,
    /// Where the item begins.
    item: u32,
}

/// The largest table of combinations: 2 MiB, which the second-level cache of most machines holds.
const MOST_PLACES: usize = 1 << 18;

/// Whether decisions are the texts of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matches {
    /// Some row's decision is the text of an option, or no row's is a text at all.
    Some,
    /// There are texts, but none is an option of its item.
    None {
        /// The number of rows with a text.
        rows: usize,
        /// The row of the text to show: of the first item, the text that appears first.
        example: usize,
    },
}

impl Answers {
    /// Joins the columns of the answers with the key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the columns differ in length.
    pub fn new(key: Arc<ScoringKey>, items: Arc<ItemIds>, decisions: Arc<Codes>) -> Result<Self> {
        let (got, expected) = (decisions.rows.len(), items.rows().len());
        if got != expected {
            return Err(Error::Length { what: "decisions", got, expected });
        }
        let classes = decisions.values.iter().map(|value| key.classify(value));
        let classes = std::iter::once(CLASS_MISSING).chain(classes).collect();
        Ok(Self { key, items, decisions, classes, verdicts: None, joint: None }.joined())
    }

    /// The same answers, of which only the valid ones have scores.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if there are not as many verdicts as rows, or not one for each code.
    pub fn with_verdicts(self, rows: Arc<Codes>, is_invalid: &[bool]) -> Result<Self> {
        let lengths = [
            ("verdicts", rows.rows.len(), self.len()),
            ("kinds of verdicts", is_invalid.len(), rows.values.len() + 1),
        ];
        for (what, got, expected) in lengths {
            if got != expected {
                return Err(Error::Length { what, got, expected });
            }
        }
        let verdicts = Some(Verdicts { rows, is_invalid: is_invalid.into() });
        Ok(Self { verdicts, ..self }.joined())
    }

    /// The same answers with the table of combinations, if that is worth while.
    fn joined(self) -> Self {
        let is_invalid = self.verdicts.as_ref().map_or(&[false][..], |given| &given.is_invalid);
        let code = width(is_invalid.len());
        let item = code + width(self.classes.len());
        let scale_of = self.key.scales();
        let n_items = scale_of.len();
        // Counted in bits, which cannot overflow.
        if item + width(n_items) > width(self.len().min(MOST_PLACES)) {
            return Self { joint: None, ..self };
        }
        let mut scores = vec![f64::NAN; n_items << item];
        for (number, places) in scores.chunks_mut(1 << item).enumerate() {
            for (class, places) in self.classes.iter().zip(places.chunks_mut(1 << code)) {
                let score = self.key.outcome_of(number as u32, *class).score();
                let valid = places.iter_mut().zip(is_invalid).filter(|(_, invalid)| !**invalid);
                valid.for_each(|(place, _)| *place = score);
            }
        }
        let scales = scale_of.iter().flat_map(|scale| std::iter::repeat_n(*scale, 1 << item));
        let joint = Joint { scores: scores.into(), scales: scales.collect(), code, item };
        Self { joint: Some(joint), ..self }
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &ScoringKey {
        &self.key
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.rows().len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The decisions.
    #[must_use]
    pub fn decisions(&self) -> &Codes {
        &self.decisions
    }

    /// The key, to be kept beyond the answers.
    #[must_use]
    pub fn shared_key(&self) -> Arc<ScoringKey> {
        self.key.clone()
    }

    /// The decisions, to be kept beyond the answers.
    #[must_use]
    pub fn shared_decisions(&self) -> Arc<Codes> {
        self.decisions.clone()
    }

    /// What the decision of each code is.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Writes the items of the rows from `start` on, the codes of their decisions, and which of them
    /// are not valid; the slices are equally long and at most [`BLOCK`] rows.
    pub fn read_codes(
        &self,
        start: usize,
        items: &mut [u32],
        decisions: &mut [u32],
        invalid: &mut [bool],
    ) {
        self.items.rows().read(start, items);
        let Some(Verdicts { rows, is_invalid }) = &self.verdicts else {
            invalid.fill(false);
            self.decisions.rows.read(start, decisions);
            return;
        };
        rows.rows.read(start, decisions);
        for (invalid, verdict) in invalid.iter_mut().zip(decisions.iter()) {
            *invalid = is_invalid[*verdict as usize];
        }
        self.decisions.rows.read(start, decisions);
    }

    /// Writes the scales and the scores of the rows from `start` on; both slices are equally long
    /// and at most [`BLOCK`] rows.
    pub fn read(&self, start: usize, scales: &mut [u32], scores: &mut [f64]) {
        if let Some(joint) = &self.joint {
            self.places(joint, start, scales);
            // Slices of one length, which is compared once and not for each column.
            let score_at = &joint.scores[..];
            let scale_at = &joint.scales[..score_at.len()];
            for (place, score) in scales.iter_mut().zip(scores) {
                *score = score_at[*place as usize];
                *place = scale_at[*place as usize];
            }
        } else {
            let scale_of = self.key.scales();
            self.look_up(start, scales, scores);
            scales.iter_mut().for_each(|item| *item = scale_of[*item as usize]);
        }
    }

    /// Writes the scores of the rows from `start` on; `places` is room for as many numbers.
    fn read_scores(&self, start: usize, places: &mut [u32], scores: &mut [f64]) {
        if let Some(joint) = &self.joint {
            self.places(joint, start, places);
            for (place, score) in places.iter().zip(scores) {
                *score = joint.scores[*place as usize];
            }
        } else {
            self.look_up(start, places, scores);
        }
    }

    /// Writes where in the table of combinations each row's score is.
    fn places(&self, joint: &Joint, start: usize, places: &mut [u32]) {
        let answers = [(self.items.rows(), joint.item), (&self.decisions.rows, joint.code)];
        let verdicts = self.verdicts.iter().map(|verdicts| (&verdicts.rows.rows, 0));
        join(answers.into_iter().chain(verdicts), start, places);
    }

    /// Writes the items and the scores of rows without a table of combinations.
    fn look_up(&self, start: usize, items: &mut [u32], scores: &mut [f64]) {
        let mut codes = [0; BLOCK];
        let codes = &mut codes[..items.len()];
        self.items.rows().read(start, items);
        self.decisions.rows.read(start, codes);
        codes.iter_mut().for_each(|code| *code = self.classes[*code as usize]);
        self.key.scores(items, codes, scores);
        if let Some(Verdicts { rows, is_invalid }) = &self.verdicts {
            rows.rows.read(start, codes);
            for (score, verdict) in scores.iter_mut().zip(codes) {
                if is_invalid[*verdict as usize] {
                    *score = f64::NAN;
                }
            }
        }
    }

    /// The outcome of one row whatever its verdict, and whether its answer is valid.
    #[must_use]
    pub fn outcome(&self, row: usize) -> Option<(Outcome, bool)> {
        let item = self.items.rows().get(row)?;
        let code = self.decisions.rows.get(row)? as usize;
        let is_invalid = |verdicts: &Verdicts| {
            verdicts.rows.rows.get(row).is_some_and(|code| verdicts.is_invalid[code as usize])
        };
        let valid = !self.verdicts.as_ref().is_some_and(is_invalid);
        Some((self.key.outcome_of(item, self.classes[code]), valid))
    }

    /// What the decision of a code is on an item, whatever the verdicts.
    ///
    /// # Errors
    ///
    /// [`Error::Reference`] if there is no such item, [`Error::Code`] if no such code; `row` is then
    /// the item.
    pub fn decide(&self, item: u32, code: u32) -> Result<Decision> {
        let row = item as usize;
        if row >= self.key.scales().len() {
            return Err(Error::Reference { item: row, what: "an item" });
        }
        let limit = self.classes.len();
        let class = self.classes.get(code as usize);
        let class = class.ok_or(Error::Code { row, code: i64::from(code), limit })?;
        Ok(self.key.decide(item, *class))
    }

    /// Writes the scores of all rows; there have to be as many places as rows.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::Interrupted`].
    pub fn scores(&self, scores: &mut [f64], workers: &Workers<'_>) -> Result<()> {
        let (got, expected) = (scores.len(), self.len());
        if got != expected {
            return Err(Error::Length { what: "scores", got, expected });
        }
        let written = workers.write(scores, 1, |start, scores, places: &mut Vec<u32>| {
            places.resize(scores.len(), 0);
            self.read_scores(start, places, scores);
            Ok(())
        });
        written.map(|_| ())
    }

    /// Whether any decision is the text of an option of its item. Validity does not count here. The
    /// search ends at the first match, so it is only long where something is wrong.
    #[must_use]
    pub fn matches(&self) -> Matches {
        let mut rows = 0;
        let mut first_item = u32::MAX;
        let mut first_rows = vec![usize::MAX; self.classes.len()];
        // The codes of the first item's unmatched texts.
        let mut unmatched = vec![false; self.classes.len()];
        let (mut items, mut codes) = ([0; BLOCK], [0; BLOCK]);
        for start in (0..self.len()).step_by(BLOCK) {
            let length = BLOCK.min(self.len() - start);
            self.items.rows().read(start, &mut items[..length]);
            self.decisions.rows.read(start, &mut codes[..length]);
            for (row, (item, code)) in (start..).zip(items.iter().zip(&codes).take(length)) {
                let code = *code as usize;
                first_rows[code] = first_rows[code].min(row);
                let outcome = self.key.outcome_of(*item, self.classes[code]);
                if outcome.is_match() {
                    return Matches::Some;
                }
                if outcome == Outcome::Unmatched {
                    rows += 1;
                    if *item < first_item {
                        first_item = *item;
                        unmatched.fill(false);
                    }
                    unmatched[code] |= *item == first_item;
                }
            }
        }
        let shown = first_rows.iter().zip(unmatched).filter(|(_, unmatched)| *unmatched);
        match shown.map(|(row, _)| *row).min() {
            Some(example) => Matches::None { rows, example },
            None => Matches::Some,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interner::Interner;
    use crate::key::{AnswerOption, Item, Kind};

    fn column(texts: &[Option<&str>]) -> Codes {
        let mut interner = Interner::default();
        let code = |text: Option<&str>| {
            text.map_or(0, |text| interner.text(text.as_bytes()).expect("there is room"))
        };
        let rows = texts.iter().copied().map(code).collect();
        Codes { rows, values: interner.finish() }
    }

    fn set(prefix: &str, n: usize) -> Vec<AnswerOption> {
        let option = |i: usize| AnswerOption {
            text: format!("{prefix}{i}").into_bytes().into(),
            weight: i as f64,
            ignored: false,
        };
        (1..=n).map(option).collect()
    }

    #[test]
    fn rows_are_scored_and_invalid_ones_are_not() -> Result<()> {
        let items = vec![
            Item { options: 0, reversed: false, scale: 0, range: None },
            Item { options: 0, reversed: true, scale: 0, range: None },
        ];
        let key = Arc::new(ScoringKey::new(&[set("o", 5)], &items)?);
        let ids = Arc::new(ItemIds::alone(&[0_u8, 1, 1, 0, 1], 2).expect("valid ids"));
        let decisions = column(&[Some("o5"), Some("O5 "), Some("o2"), None, Some("o2")]);
        let answers = Answers::new(key.clone(), ids.clone(), decisions.into())?;
        let verdicts = Arc::new(column(&[Some("y"), Some("y"), None, Some("y"), Some("n")]));
        let answers = answers.with_verdicts(verdicts.clone(), &[false, false, true])?;
        let mut scores = [0.0; 5];
        answers.scores(&mut scores, &Workers::alone())?;
        assert_eq!(scores[..3], [5.0, 1.0, 4.0]);
        assert!(scores[3].is_nan() && scores[4].is_nan());
        assert_eq!(answers.outcome(4), Some((Outcome::Score(4.0), false)));
        assert_eq!(answers.outcome(5), None);
        let decided = answers.decide(1, 2)?;
        assert_eq!((decided.kind, decided.option), (Kind::Folded, Some(4)));
        assert_eq!(decided.outcome, Outcome::Score(1.0));
        let error = Error::Reference { item: 2, what: "an item" };
        assert_eq!(answers.decide(2, 1), Err(error));
        assert_eq!(answers.decide(0, 9), Err(Error::Code { row: 0, code: 9, limit: 4 }));
        assert_eq!(answers.matches(), Matches::Some);
        let error = Error::Length { what: "decisions", got: 1, expected: 5 };
        let short = Arc::new(column(&[None]));
        assert_eq!(Answers::new(key, ids, short.clone()).map(|_| ()), Err(error));
        let error = Error::Length { what: "verdicts", got: 1, expected: 5 };
        assert_eq!(answers.clone().with_verdicts(short, &[true]).map(|_| ()), Err(error));
        let error = Error::Length { what: "kinds of verdicts", got: 1, expected: 3 };
        assert_eq!(answers.with_verdicts(verdicts, &[true]).map(|_| ()), Err(error));
        Ok(())
    }

    #[test]
    fn the_example_is_the_first_text_of_the_first_item() -> Result<()> {
        let item = Item { options: 0, reversed: false, scale: 0, range: None };
        let key = Arc::new(ScoringKey::new(&[set("o", 2)], &[item, item])?);
        let ids = Arc::new(ItemIds::alone(&[1_u8, 1, 0, 0, 0], 2).expect("valid ids"));
        let decisions = column(&[Some("x"), Some("y"), Some("z"), Some("y"), None]);
        let answers = Answers::new(key.clone(), ids.clone(), decisions.into())?;
        assert_eq!(answers.matches(), Matches::None { rows: 4, example: 1 });
        let missing = column(&[None, Some("not present"), Some(" "), None, None]);
        let answers = Answers::new(key, ids, missing.into())?;
        assert_eq!(answers.matches(), Matches::Some, "nothing is a text");
        Ok(())
    }

    #[test]
    fn a_match_is_sought_in_every_block() -> Result<()> {
        let rows = BLOCK * 2 + 7;
        let item = Item { options: 0, reversed: false, scale: 0, range: None };
        let key = Arc::new(ScoringKey::new(&[set("o", 2)], &[item, item])?);
        for (last, expected) in
            [("o1", Matches::Some), ("p1", Matches::None { rows, example: BLOCK + 9 })]
        {
            let items: Vec<u8> = (0..rows).map(|row| u8::from(row != BLOCK + 9)).collect();
            let ids = Arc::new(ItemIds::alone(&items, 2).expect("valid ids"));
            let text = |row: usize| match row {
                row if row == BLOCK + 9 => "y",
                row if row == rows - 1 => last,
                _ => "x",
            };
            let texts: Vec<_> = (0..rows).map(|row| Some(text(row))).collect();
            let answers = Answers::new(key.clone(), ids, column(&texts).into())?;
            assert!(!answers.is_empty());
            assert_eq!(answers.matches(), expected);
        }
        Ok(())
    }

    #[test]
    fn large_keys_are_looked_up_instead_of_unrolled() -> Result<()> {
        let sets: Vec<_> = (0..600).map(|i| set(&format!("i{i}-"), 3)).collect();
        let item = |options| Item { options, reversed: options % 2 == 1, scale: 0, range: None };
        let key = ScoringKey::new(&sets, &(0..600).map(item).collect::<Vec<_>>())?;
        assert_eq!(key.n_tables(), 600);
        let ids: Vec<u32> = (0..600).collect();
        let ids = ItemIds::alone(&ids, 600).expect("valid ids");
        let texts: Vec<String> = (0..600).map(|i| format!("I{i}-3")).collect();
        let decisions = column(&texts.iter().map(|text| Some(text.as_str())).collect::<Vec<_>>());
        let answers = Answers::new(key.into(), ids.into(), decisions.into())?;
        let mut scores = vec![0.0; 600];
        answers.scores(&mut scores, &Workers::alone())?;
        for (i, score) in scores.iter().enumerate() {
            assert_eq!(*score, if i % 2 == 1 { 1.0 } else { 3.0 });
        }
        Ok(())
    }
}
