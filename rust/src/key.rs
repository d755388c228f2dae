//! The scoring key: what each answer option of each item is worth.
//!
//! Items with the same options and the same direction share one table. Every text that occurs as an
//! option anywhere in the questionnaire has a *class*, and so has every folded form; a decision is
//! classified once, whatever its item, and an item's table says what the class is worth. So the cost
//! of a column is one look at each distinct decision plus one table access a row.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::error::{Error, Result};
use crate::fold::{fold, is_blank};
use crate::values::Value;

/// Decisions by which a judge says that no option was chosen; they match only an option whose text
/// is exactly that.
pub const JUDGE_SENTINELS: [&str; 2] = ["not present", "inconclusive"];

/// One answer option.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerOption {
    /// Its text, which a decision has to be.
    pub text: Box<[u8]>,
    /// What it is worth on an item that is not reverse-keyed.
    pub weight: f64,
    /// Whether it is no point on the scale.
    pub ignored: bool,
}

/// One item of the questionnaire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Which set of options it has.
    pub options: usize,
    /// Whether it is reverse-keyed.
    pub reversed: bool,
    /// Which scale it belongs to.
    pub scale: u32,
}

/// What a decision is worth on an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// An option's score.
    Score(f64),
    /// An option that is no point on the scale.
    Ignored,
    /// A text that several options share although they score differently.
    Clash,
    /// A text that is no option of the item.
    Unmatched,
    /// A judge's word for "no option".
    Sentinel,
    /// No decision: a missing cell, a blank text, or a value that cannot be one.
    Missing,
}

impl Outcome {
    /// The item score; NaN if there is none.
    #[must_use]
    pub fn score(self) -> f64 {
        if let Self::Score(score) = self { score } else { f64::NAN }
    }

    /// Whether the decision is the text of an option.
    #[must_use]
    pub fn is_match(self) -> bool {
        matches!(self, Self::Score(_) | Self::Ignored | Self::Clash)
    }

    /// What a text is worth whose options are worth `self` and `other`.
    fn or(self, other: Self) -> Self {
        if self == other { self } else { Self::Clash }
    }
}

/// What a decision is, the same for all items.
pub type Class = u32;
/// A decision that is none.
pub const CLASS_MISSING: Class = 0;
/// A judge's sentinel that is no option's text.
pub const CLASS_SENTINEL: Class = 1;
/// A text that is no option of any item.
pub const CLASS_UNMATCHED: Class = 2;
const FIRST_TEXT: Class = 3;

#[derive(Clone, Debug, Default)]
struct Table {
    /// By the class of a text or of a folded form.
    outcomes: HashMap<Class, Outcome>,
    /// The position of the first option of each class.
    choices: HashMap<Class, u32>,
    n_options: usize,
    clashes: Vec<Box<[u8]>>,
    range: Option<(f64, f64)>,
}

/// A compiled questionnaire.
#[derive(Clone, Debug)]
pub struct ScoringKey {
    items: Vec<Item>,
    /// The table of every item.
    table_of: Vec<u32>,
    tables: Vec<Table>,
    texts: HashMap<Box<[u8]>, Class>,
    folds: HashMap<Box<[u8]>, Class>,
    /// For the class of a text, its folded form's class and whether it is a sentinel.
    text_classes: Vec<(Class, bool)>,
    /// The score of every class in every table, where that is small.
    scores: Option<Scores>,
    /// The largest size of a score, if all are whole.
    largest: Option<f64>,
    /// The scale of every item.
    scales: Vec<u32>,
    has_clashes: bool,
}

/// Scores of all classes, one table after the other.
#[derive(Clone, Debug)]
struct Scores {
    scores: Vec<f64>,
    /// Where the table of every item begins.
    start_of: Vec<u32>,
}

/// The largest array of scores: 8 MiB.
const MOST_SCORES: usize = 1 << 20;

impl ScoringKey {
    /// Compiles the options and items of a questionnaire.
    ///
    /// # Errors
    ///
    /// [`Error::Reference`] if an item names options that are not there, [`Error::Weight`] if a
    /// weight is not finite.
    pub fn new(option_sets: &[Vec<AnswerOption>], items: Vec<Item>) -> Result<Self> {
        for (options, set) in option_sets.iter().enumerate() {
            if let Some(option) = set.iter().position(|option| !option.weight.is_finite()) {
                return Err(Error::Weight { options, option });
            }
        }
        let mut key = Self {
            items,
            table_of: Vec::new(),
            tables: Vec::new(),
            texts: HashMap::default(),
            folds: HashMap::default(),
            text_classes: Vec::new(),
            scores: None,
            largest: None,
            scales: Vec::new(),
            has_clashes: false,
        };
        let classes = key.classify_options(option_sets)?;
        let mut known: HashMap<(usize, bool), u32> = HashMap::default();
        for (number, item) in key.items.iter().enumerate() {
            let set = option_sets
                .get(item.options)
                .ok_or(Error::Reference { item: number, what: "answer options" })?;
            let next = key.tables.len() as u32;
            let table = *known.entry((item.options, item.reversed)).or_insert(next);
            if table == next {
                let table = Table::new(set, &classes[item.options], item.reversed);
                key.tables.push(table);
            }
            key.table_of.push(table);
        }
        key.largest = key.largest_whole();
        key.scales = key.items.iter().map(|item| item.scale).collect();
        key.has_clashes = key.tables.iter().any(|table| !table.clashes.is_empty());
        if key.tables.len().saturating_mul(key.n_classes()) <= MOST_SCORES {
            let classes = 0..key.n_classes() as Class;
            let cells = (0..key.tables.len()).flat_map(|t| classes.clone().map(move |c| (t, c)));
            let scores = cells.map(|(t, class)| key.outcome(t, class).score()).collect();
            let width = key.n_classes() as u32;
            let start_of = key.table_of.iter().map(|table| table * width).collect();
            key.scores = Some(Scores { scores, start_of });
        }
        Ok(key)
    }

    /// Gives every option text its class and every folded form the class after those; returns the
    /// classes of each option (none for a blank text, which no decision can be).
    fn classify_options(&mut self, sets: &[Vec<AnswerOption>]) -> Result<Vec<Vec<Option<Both>>>> {
        let options = || sets.iter().flatten().filter(|option| !is_blank(&option.text));
        let mut next = FIRST_TEXT;
        for option in options() {
            if !self.texts.contains_key(&option.text) {
                self.texts.insert(option.text.clone(), next);
                next = next.checked_add(1).ok_or(Error::TooMany { what: "option texts" })?;
            }
        }
        self.text_classes = vec![(CLASS_UNMATCHED, false); self.texts.len()];
        for (text, class) in &self.texts {
            let fresh = next;
            let fold = *self.folds.entry(fold(text)).or_insert(fresh);
            if fold == fresh {
                next = next.checked_add(1).ok_or(Error::TooMany { what: "option texts" })?;
            }
            self.text_classes[(class - FIRST_TEXT) as usize] = (fold, is_sentinel(text));
        }
        let both = |option: &AnswerOption| {
            let text = *self.texts.get(&option.text)?;
            Some(Both { text, fold: self.text_classes[(text - FIRST_TEXT) as usize].0 })
        };
        Ok(sets.iter().map(|set| set.iter().map(both).collect()).collect())
    }

    /// The items, in the order of the questionnaire.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The number of tables: items that share one are scored alike.
    #[must_use]
    pub fn n_tables(&self) -> usize {
        self.tables.len()
    }

    /// The number of classes that a decision can have.
    #[must_use]
    pub fn n_classes(&self) -> usize {
        FIRST_TEXT as usize + self.texts.len() + self.folds.len()
    }

    /// Writes the scores of rows, given their items and the classes of their decisions.
    pub fn scores(&self, items: &[u32], classes: &[Class], scores: &mut [f64]) {
        let rows = scores.iter_mut().zip(items.iter().zip(classes));
        if let Some(Scores { scores, start_of }) = &self.scores {
            for (score, (item, class)) in rows {
                // Cannot wrap: there are no more than 2^20 scores.
                *score = scores[start_of[*item as usize].wrapping_add(*class) as usize];
            }
        } else {
            for (score, (item, class)) in rows {
                *score = self.outcome_of(*item, *class).score();
            }
        }
    }

    /// What a class of decisions is worth on an item.
    #[must_use]
    pub fn outcome_of(&self, item: u32, class: Class) -> Outcome {
        self.outcome(self.table_of[item as usize] as usize, class)
    }

    /// The position of the option that a class of decisions is on an item; of several options of one
    /// text, the first.
    #[must_use]
    pub fn choice_of(&self, item: u32, class: Class) -> Option<u32> {
        if !self.outcome_of(item, class).is_match() {
            return None;
        }
        let choices = &self.tables[self.table_of[item as usize] as usize].choices;
        let fold = || self.text_classes.get(class.checked_sub(FIRST_TEXT)? as usize);
        choices.get(&class).or_else(|| choices.get(&fold()?.0)).copied()
    }

    /// The number of the item's options.
    #[must_use]
    pub fn n_options(&self, item: u32) -> usize {
        self.tables[self.table_of[item as usize] as usize].n_options
    }

    /// The scale of every item.
    #[must_use]
    pub fn scales(&self) -> &[u32] {
        &self.scales
    }

    /// Whether any item has options of one text that score differently.
    #[must_use]
    pub fn has_clashes(&self) -> bool {
        self.has_clashes
    }

    /// The texts that options of the item share although they score differently.
    #[must_use]
    pub fn clashes(&self, item: usize) -> &[Box<[u8]>] {
        self.table_of.get(item).map_or(&[], |table| &self.tables[*table as usize].clashes)
    }

    /// The smallest and largest weight of the item's options that are not ignored.
    #[must_use]
    pub fn range(&self, item: usize) -> Option<(f64, f64)> {
        self.table_of.get(item).and_then(|table| self.tables[*table as usize].range)
    }

    /// Whether all scores are whole and so small that `rows` of them add up exactly.
    #[must_use]
    pub fn adds_exactly(&self, rows: usize) -> bool {
        self.largest.is_some_and(|score| crate::rows::adds_exactly(score, rows))
    }

    /// The largest size of a score, if all are whole.
    fn largest_whole(&self) -> Option<f64> {
        let outcomes = self.tables.iter().flat_map(|table| table.outcomes.values());
        let scores = outcomes.map(|outcome| outcome.score()).filter(|score| !score.is_nan());
        let whole = |score: f64| crate::rows::adds_exactly(score, 1).then_some(score.abs());
        scores.map(whole).try_fold(0.0, |largest: f64, score| Some(largest.max(score?)))
    }

    /// What a decision is.
    #[must_use]
    pub fn classify(&self, decision: Value<'_>) -> Class {
        let Some(text) = text_of(decision) else { return CLASS_MISSING };
        let text = &*text;
        if let Some(class) = self.texts.get(text) {
            return *class;
        }
        if is_blank(text) {
            return CLASS_MISSING;
        }
        if is_sentinel(text) {
            return CLASS_SENTINEL;
        }
        self.folds.get(&fold(text)).copied().unwrap_or(CLASS_UNMATCHED)
    }

    /// What a class of decisions is worth according to a table.
    fn outcome(&self, table: usize, class: Class) -> Outcome {
        match class {
            CLASS_MISSING => return Outcome::Missing,
            CLASS_SENTINEL => return Outcome::Sentinel,
            _ => {}
        }
        let outcomes = &self.tables[table].outcomes;
        if let Some(outcome) = outcomes.get(&class) {
            return *outcome;
        }
        // Another item's option text: here it is a text like any other, compared in folded form.
        let position = class.checked_sub(FIRST_TEXT).map(|position| position as usize);
        match position.and_then(|position| self.text_classes.get(position)) {
            Some((_, true)) => Outcome::Sentinel,
            Some((fold, false)) => outcomes.get(fold).copied().unwrap_or(Outcome::Unmatched),
            None => Outcome::Unmatched,
        }
    }
}

/// The classes of an option: its text's and its folded form's.
#[derive(Clone, Copy)]
struct Both {
    text: Class,
    fold: Class,
}

impl Table {
    fn new(options: &[AnswerOption], classes: &[Option<Both>], reversed: bool) -> Self {
        let kept = || options.iter().filter(|option| !option.ignored).map(|option| option.weight);
        let range = kept().next().map(|_| {
            (kept().fold(f64::INFINITY, f64::min), kept().fold(f64::NEG_INFINITY, f64::max))
        });
        let n_options = options.len();
        let mut table = Self { range, n_options, ..Self::default() };
        for (choice, (option, classes)) in (0..).zip(options.iter().zip(classes)) {
            let Some(classes) = classes else { continue };
            let outcome = match (option.ignored, reversed, range) {
                (true, ..) => Outcome::Ignored,
                (false, true, Some((low, high))) => Outcome::Score(low + high - option.weight),
                (false, ..) => Outcome::Score(option.weight),
            };
            table.add(classes.text, outcome, choice);
            table.add(classes.fold, outcome, choice);
        }
        // In the order of the options, each text once.
        for (option, classes) in options.iter().zip(classes) {
            let clash = classes.is_some_and(|both| table.outcomes[&both.text] == Outcome::Clash);
            if clash && !table.clashes.contains(&option.text) {
                table.clashes.push(option.text.clone());
            }
        }
        table
    }

    fn add(&mut self, class: Class, outcome: Outcome, choice: u32) {
        self.choices.entry(class).or_insert(choice);
        let known = self.outcomes.entry(class).or_insert(outcome);
        *known = known.or(outcome);
    }
}

fn is_sentinel(text: &[u8]) -> bool {
    JUDGE_SENTINELS.iter().any(|sentinel| sentinel.as_bytes() == text)
}

/// The text that a decision is: numbers and truth values as Python writes them.
#[must_use]
pub fn text_of(decision: Value<'_>) -> Option<Cow<'_, [u8]>> {
    Some(match decision {
        Value::Text(text) => Cow::Borrowed(text),
        Value::Int(whole) => Cow::Owned(whole.to_string().into()),
        Value::Float(float) if float.is_finite() => Cow::Owned(float_text(float).into()),
        Value::Bool(true) => Cow::Borrowed(b"True"),
        Value::Bool(false) => Cow::Borrowed(b"False"),
        Value::Float(_) | Value::Missing | Value::Other(_) => return None,
    })
}

/// A number as a decision: a whole one with all its digits, any other as Python's `repr` writes it,
/// so that 0.1 is "0.1" and 0.00001 is "1e-05".
#[must_use]
pub fn float_text(number: f64) -> String {
    if number.fract() == 0.0 {
        return format!("{number:.0}");
    }
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        // A number with a fraction is too small for an exponent above zero.
        Ok(exponent) if exponent < -4 => format!("{digits}e-{:02}", exponent.abs()),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(text: &str, weight: f64) -> AnswerOption {
        AnswerOption { text: text.as_bytes().into(), weight, ignored: false }
    }

    fn ignored(text: &str, weight: f64) -> AnswerOption {
        AnswerOption { ignored: true, ..option(text, weight) }
    }

    fn item(options: usize, reversed: bool) -> Item {
        Item { options, reversed, scale: 0 }
    }

    fn key(options: Vec<AnswerOption>, reversed: bool) -> ScoringKey {
        ScoringKey::new(&[options], vec![item(0, reversed)]).expect("a valid key")
    }

    fn of(key: &ScoringKey, number: usize, text: &str) -> Outcome {
        let class = key.classify(Value::Text(text.as_bytes()));
        key.outcome_of(number as u32, class)
    }

    #[test]
    fn a_reversed_item_is_flipped_within_the_options_that_count() {
        for (weights, skipped, expected) in [
            (vec![1., 2., 3., 4., 5.], vec![], vec![5., 4., 3., 2., 1.]),
            (vec![0., 1., 2., 3.], vec![], vec![3., 2., 1., 0.]),
            (vec![-2., -1., 0., 1., 2.], vec![], vec![2., 1., 0., -1., -2.]),
            (vec![0., 1., 3.], vec![], vec![3., 2., 0.]),
            (vec![1., 2., 3., 4., 5.], vec![2], vec![5., 4., f64::NAN, 2., 1.]),
            (vec![0., 1., 2., 3., 4., 5.], vec![0], vec![f64::NAN, 5., 4., 3., 2., 1.]),
            (vec![1., 2., 3., 4., 5., 99.], vec![5], vec![5., 4., 3., 2., 1., f64::NAN]),
            (vec![1., 2., 3., 4., 5.], vec![0, 4], vec![f64::NAN, 4., 3., 2., f64::NAN]),
            (vec![1., 2., 3.], vec![0, 1, 2], vec![f64::NAN; 3]),
        ] {
            let options = weights.iter().enumerate().map(|(i, weight)| AnswerOption {
                ignored: skipped.contains(&i),
                ..option(&format!("option {i}"), *weight)
            });
            let key = key(options.collect(), true);
            for (i, score) in expected.iter().enumerate() {
                let got = of(&key, 0, &format!("option {i}")).score();
                assert!(got == *score || (got.is_nan() && score.is_nan()), "{weights:?} {i} {got}");
            }
        }
    }

    #[test]
    fn exact_before_sentinel_before_folded() {
        let options = vec![option("Not present", 1.), option("Yes", 2.), option("YES", 3.)];
        let key = key(options, false);
        assert_eq!(of(&key, 0, "Not present"), Outcome::Score(1.));
        assert_eq!(of(&key, 0, "NOT  present "), Outcome::Score(1.));
        assert_eq!(of(&key, 0, "not present"), Outcome::Sentinel);
        assert_eq!(of(&key, 0, "inconclusive"), Outcome::Sentinel);
        assert_eq!(of(&key, 0, "Yes"), Outcome::Score(2.));
        assert_eq!(of(&key, 0, "yes"), Outcome::Clash, "equal once folded, but worth 2 or 3");
        assert_eq!(of(&key, 0, "no"), Outcome::Unmatched);
        assert_eq!(of(&key, 0, " \u{a0}"), Outcome::Missing);
        let choice = |text: &str| key.choice_of(0, key.classify(Value::Text(text.as_bytes())));
        let choices = ["Not present", "NOT PRESENT", "not present", "YES", "yes", "no", ""];
        let expected = [Some(0), Some(0), None, Some(2), Some(1), None, None];
        assert_eq!(choices.map(choice), expected);
        assert_eq!(key.n_options(0), 3);
        assert!(key.clashes(0).is_empty(), "only texts equal to the letter are named");
    }

    #[test]
    fn another_items_options_are_ordinary_text() -> Result<()> {
        let sets = [vec![option("not present", 1.), option("Yes", 2.)], vec![option("YES", 5.)]];
        let key = ScoringKey::new(&sets, vec![item(0, false), item(1, false), item(1, true)])?;
        assert_eq!(of(&key, 0, "not present"), Outcome::Score(1.));
        assert_eq!(of(&key, 1, "not present"), Outcome::Sentinel);
        assert_eq!(of(&key, 1, "Yes"), Outcome::Score(5.));
        assert_eq!(of(&key, 0, "YES"), Outcome::Score(2.));
        assert_eq!(key.n_tables(), 3);
        assert_eq!(key.range(1), Some((5., 5.)));
        Ok(())
    }

    #[test]
    fn options_of_one_text_clash_unless_they_score_alike() {
        let options = vec![
            option("A", 1.),
            option("A", 2.),
            option("B", 3.),
            option("B", 3.),
            ignored("C", 1.),
            option("C", 1.),
            ignored("D", 1.),
            ignored("D", 2.),
            option(" ", 9.),
        ];
        let key = key(options, false);
        assert_eq!(of(&key, 0, "A"), Outcome::Clash);
        assert_eq!(of(&key, 0, "B"), Outcome::Score(3.));
        assert_eq!(of(&key, 0, "C"), Outcome::Clash);
        assert_eq!(of(&key, 0, "D"), Outcome::Ignored);
        assert_eq!(key.clashes(0), [Box::from(*b"A"), Box::from(*b"C")]);
        assert_eq!(key.range(0), Some((1., 9.)), "a blank option stretches the range");
    }

    #[test]
    fn numbers_and_truth_values_are_compared_as_text() {
        let options = ["4", "2.5", "1e-05", "True", "10000000000000000", "0"];
        let options = options.iter().zip(1..).map(|(text, i)| option(text, f64::from(i)));
        let key = key(options.collect(), false);
        let score = |value| key.outcome(0, key.classify(value));
        assert_eq!(score(Value::Int(4)), Outcome::Score(1.));
        assert_eq!(score(Value::Float(2.5)), Outcome::Score(2.));
        assert_eq!(score(Value::Float(1e-5)), Outcome::Score(3.));
        assert_eq!(score(Value::Bool(true)), Outcome::Score(4.));
        assert_eq!(score(Value::Bool(false)), Outcome::Unmatched);
        assert_eq!(score(Value::Int(10_i128.pow(16))), Outcome::Score(5.));
        assert_eq!(score(Value::Float(f64::INFINITY)), Outcome::Missing);
        assert_eq!(score(Value::Other(0)), Outcome::Missing);
        assert_eq!(score(Value::Missing), Outcome::Missing);
    }

    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (number, text) in [
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (2.0_f64.powi(128), "340282366920938463463374607431768211456"),
            (-2.25, "-2.25"),
            (f64::from(0.1_f32), "0.10000000149011612"),
            (123_456_789.125, "123456789.125"),
        ] {
            assert_eq!(float_text(number), text);
        }
    }

    #[test]
    fn a_key_that_cannot_be_is_refused() {
        let missing = ScoringKey::new(&[], vec![item(0, false)]).map(|_| ());
        assert_eq!(missing, Err(Error::Reference { item: 0, what: "answer options" }));
        let infinite = ScoringKey::new(&[vec![option("a", f64::INFINITY)]], vec![]).map(|_| ());
        assert_eq!(infinite, Err(Error::Weight { options: 0, option: 0 }));
    }
}
