//! The scoring key: what each answer option of each item is worth.
//!
//! Items with the same options and the same direction share one table, which says what each class
//! of decisions is worth; the [`ladder`](crate::ladder) says of which class a decision is. So the
//! cost of a column is one look at each distinct decision plus one table access a row.

use hashbrown::HashMap;

use crate::error::{Error, Result};
pub use crate::ladder::{CLASS_MISSING, CLASS_SENTINEL, Class, JUDGE_SENTINELS, Matching};
use crate::ladder::{FIRST_TEXT, Ladder};
pub use crate::outcome::{Decision, Kind, Outcome};
use crate::table::{Found, Table};
use crate::values::Value;

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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// Which set of options it has.
    pub options: usize,
    /// Whether it is reverse-keyed.
    pub reversed: bool,
    /// Which scale it belongs to.
    pub scale: u32,
    /// Its lowest and highest possible score, where these are declared and not those of its options.
    pub range: Option<(f64, f64)>,
}

/// What items have in common that share a table: options, direction, and the bits of a declared range.
type Alike = (usize, bool, Option<(u64, u64)>);

/// A compiled questionnaire.
#[derive(Clone, Debug)]
pub struct ScoringKey {
    /// The table of every item.
    table_of: Vec<u32>,
    tables: Vec<Table>,
    ladder: Ladder,
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
    /// Compiles the options and items of a questionnaire for strict matching.
    ///
    /// # Errors
    ///
    /// [`Error::Reference`] if an item names options that are not there, [`Error::Weight`] if a
    /// weight is not finite.
    pub fn new(option_sets: &[Vec<AnswerOption>], items: &[Item]) -> Result<Self> {
        Self::with_matching(option_sets, items, Matching::Strict)
    }

    /// Compiles the options and items of a questionnaire.
    ///
    /// # Errors
    ///
    /// Those of [`ScoringKey::new`].
    pub fn with_matching(
        option_sets: &[Vec<AnswerOption>],
        items: &[Item],
        matching: Matching,
    ) -> Result<Self> {
        for (options, set) in option_sets.iter().enumerate() {
            if let Some(option) = set.iter().position(|option| !option.weight.is_finite()) {
                return Err(Error::Weight { options, option });
            }
        }
        let texts = option_sets.iter().flatten().map(|option| &*option.text);
        let ladder = Ladder::new(texts, matching)?;
        let mut tables: Vec<Table> = Vec::new();
        let mut table_of = Vec::with_capacity(items.len());
        let mut known: HashMap<Alike, u32> = HashMap::default();
        for (number, item) in items.iter().enumerate() {
            let set = option_sets
                .get(item.options)
                .ok_or(Error::Reference { item: number, what: "answer options" })?;
            let next = tables.len() as u32;
            let bits = item.range.map(|(low, high)| (low.to_bits(), high.to_bits()));
            let table = *known.entry((item.options, item.reversed, bits)).or_insert(next);
            if table == next {
                tables.push(Table::new(set, &ladder, matching, item.reversed, item.range));
            }
            table_of.push(table);
        }
        let scales = items.iter().map(|item| item.scale).collect();
        let has_clashes =
            tables.iter().any(|table| !(table.clashes.is_empty() && table.look_alikes.is_empty()));
        let largest = largest_whole(&tables);
        let mut key = Self { table_of, tables, ladder, scores: None, largest, scales, has_clashes };
        key.scores = key.unrolled();
        Ok(key)
    }

    /// The scores of all classes in all tables, unless there are too many.
    fn unrolled(&self) -> Option<Scores> {
        let width = self.ladder.n_classes();
        if self.tables.len().saturating_mul(width) > MOST_SCORES {
            return None;
        }
        let mut scores = vec![f64::NAN; self.tables.len() * width];
        for (table, row) in self.tables.iter().zip(scores.chunks_mut(width)) {
            let mut known = vec![false; width];
            for (class, found) in table.found() {
                row[class as usize] = found.outcome.score();
                known[class as usize] = true;
            }
            // From the last rung up, so that what is below a class has its score before.
            for class in (FIRST_TEXT as usize..width).rev().filter(|class| !known[*class]) {
                row[class] = row[self.ladder.below(class as Class) as usize];
            }
        }
        let start_of = self.table_of.iter().map(|table| table * width as u32).collect();
        Some(Scores { scores, start_of })
    }

    /// The number of tables: items that share one are scored alike.
    #[cfg(test)]
    pub(crate) fn n_tables(&self) -> usize {
        self.tables.len()
    }

    /// The number of classes that a decision can have.
    #[must_use]
    pub fn n_classes(&self) -> usize {
        self.ladder.n_classes()
    }

    /// Whether an item is reverse-keyed.
    #[must_use]
    pub fn is_reversed(&self, item: u32) -> bool {
        self.tables[self.table_of[item as usize] as usize].reversed
    }

    /// The number of options of an item.
    #[must_use]
    pub fn n_options(&self, item: u32) -> usize {
        self.tables[self.table_of[item as usize] as usize].options
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

    /// The scale of every item.
    #[must_use]
    pub fn scales(&self) -> &[u32] {
        &self.scales
    }

    /// Whether any item has options of one text, or of texts that its matching makes equal, that
    /// score differently.
    #[must_use]
    pub fn has_clashes(&self) -> bool {
        self.has_clashes
    }

    /// The texts that options of the item share although they score differently.
    #[must_use]
    pub fn clashes(&self, item: usize) -> &[Box<[u8]>] {
        self.table_of.get(item).map_or(&[], |table| &self.tables[*table as usize].clashes)
    }

    /// Groups of texts of the item's options that lenient matching makes equal although they score
    /// differently; none in strict matching.
    #[must_use]
    pub fn look_alikes(&self, item: usize) -> &[Vec<Box<[u8]>>] {
        self.table_of.get(item).map_or(&[], |table| &self.tables[*table as usize].look_alikes)
    }

    /// The lowest and highest possible score of an item: what it declares, or else the smallest and
    /// largest weight of its options that are not ignored.
    #[must_use]
    pub fn range(&self, item: usize) -> Option<(f64, f64)> {
        self.table_of.get(item).and_then(|table| self.tables[*table as usize].range)
    }

    /// Whether all scores are whole and so small that `rows` of them add up exactly.
    #[must_use]
    pub fn adds_exactly(&self, rows: usize) -> bool {
        self.largest.is_some_and(|score| crate::rows::adds_exactly(score, rows))
    }

    /// What a decision is.
    #[must_use]
    pub fn classify(&self, decision: Value<'_>) -> Class {
        self.ladder.classify(decision)
    }

    /// What a class of decisions is on an item, and which option.
    #[must_use]
    pub fn decide(&self, item: u32, class: Class) -> Decision {
        let (class, found) = self.find(self.table_of[item as usize] as usize, class);
        let (kind, outcome) = match (found, self.ladder.rung(class)) {
            (Some(Found { outcome, .. }), Some(rung)) => (Kind::of_match(rung, outcome), outcome),
            _ => without_option(class),
        };
        let option = found.filter(|_| outcome != Outcome::Clash).map(|found| found.option);
        Decision { kind, option, outcome }
    }

    /// What a class of decisions is worth according to a table.
    fn outcome(&self, table: usize, class: Class) -> Outcome {
        let (class, found) = self.find(table, class);
        found.map_or_else(|| without_option(class).1, |found| found.outcome)
    }

    /// The option that a class of decisions is, and in which of its forms' classes. Another item's
    /// option is here a text like any other, looked for in its next form.
    fn find(&self, table: usize, mut class: Class) -> (Class, Option<Found>) {
        let table = &self.tables[table];
        while class >= FIRST_TEXT {
            let found = table.get(class);
            if found.is_some() {
                return (class, found);
            }
            class = self.ladder.below(class);
        }
        (class, None)
    }
}

/// What a decision is that is no option, by its class.
fn without_option(class: Class) -> (Kind, Outcome) {
    match class {
        CLASS_MISSING => (Kind::Missing, Outcome::Missing),
        CLASS_SENTINEL => (Kind::Sentinel, Outcome::Sentinel),
        _ => (Kind::Unmatched, Outcome::Unmatched),
    }
}

/// The largest size of a score, if all are whole.
fn largest_whole(tables: &[Table]) -> Option<f64> {
    let found = tables.iter().flat_map(Table::found);
    let scores = found.map(|(_, found)| found.outcome.score()).filter(|score| !score.is_nan());
    let whole = |score: f64| crate::rows::adds_exactly(score, 1).then_some(score.abs());
    scores.map(whole).try_fold(0.0, |largest: f64, score| Some(largest.max(score?)))
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
        Item { options, reversed, scale: 0, range: None }
    }

    fn key(options: Vec<AnswerOption>, reversed: bool) -> ScoringKey {
        ScoringKey::new(&[options], &[item(0, reversed)]).expect("a valid key")
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
    fn a_declared_range_is_that_of_the_flip() -> Result<()> {
        let options = vec![option("a", 1.), option("b", 5.)];
        let wide = Some((1., 6.));
        let items = [(true, wide), (false, wide), (true, None), (true, wide)];
        let items = items.map(|(reversed, range)| Item { range, ..item(0, reversed) });
        let key = ScoringKey::new(&[options], &items)?;
        let scores = |text: &str| (0..4).map(|item| of(&key, item, text).score()).collect();
        let (a, b): (Vec<f64>, Vec<f64>) = (scores("a"), scores("b"));
        assert_eq!((a, b), (vec![6., 1., 5., 6.], vec![2., 5., 1., 2.]));
        assert_eq!([key.range(0), key.range(1), key.range(2)], [wide, wide, Some((1., 5.))]);
        assert_eq!(key.n_tables(), 3, "items with the same range share a table");
        Ok(())
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
        assert_eq!((key.n_options(0), key.n_options(0) < key.n_classes()), (3, true));
        assert!(key.clashes(0).is_empty(), "only texts equal to the letter are named");
    }

    #[test]
    fn another_items_options_are_ordinary_text() -> Result<()> {
        let sets = [vec![option("not present", 1.), option("Yes", 2.)], vec![option("YES", 5.)]];
        let key = ScoringKey::new(&sets, &[item(0, false), item(1, false), item(1, true)])?;
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
    fn a_key_that_cannot_be_is_refused() {
        let missing = ScoringKey::new(&[], &[item(0, false)]).map(|_| ());
        assert_eq!(missing, Err(Error::Reference { item: 0, what: "answer options" }));
        let infinite = ScoringKey::new(&[vec![option("a", f64::INFINITY)]], &[]).map(|_| ());
        assert_eq!(infinite, Err(Error::Weight { options: 0, option: 0 }));
    }

    #[test]
    fn whole_scores_add_up_exactly() {
        let sum = |weights: &[f64], rows| {
            let options = weights.iter().enumerate();
            let options = options.map(|(i, weight)| option(&format!("option {i}"), *weight));
            key(options.collect(), false).adds_exactly(rows)
        };
        assert!(sum(&[1., 5.], 1 << 40));
        assert!(sum(&[0., 0.], 9), "nothing but 0 is whole too");
        assert!(!sum(&[1., 1.5], 2));
        // No sum may come near 2^53, and no score is beyond 32 bits.
        assert!(sum(&[1., -1000.], 9_000_000_000_000) && !sum(&[1., -1001.], 9_000_000_000_000));
        assert!(sum(&[0., 2_147_483_647.], 9) && !sum(&[0., 2_147_483_648.], 9));
    }
}
