//! A rubric as the parser needs it: where its levels lie, what they read, what announces a score.

use hashbrown::HashMap;

use crate::fold::fold;
use crate::reply::letters::{Text, is_closing, is_gap, is_lead};
use crate::reply::vocabulary::{KEYWORDS, QUALIFIERS, is_one_of};
use crate::reply::{Outcome, Reading, Reason};

/// One level: its bounds, both included and infinite where it is open, and its two texts.
#[derive(Clone, Debug)]
pub struct Level {
    /// The lowest score.
    pub low: f64,
    /// The highest score.
    pub high: f64,
    /// The line that a prompt gives it, without the dash: `4: Mostly accurate`.
    pub line: String,
    /// Its description.
    pub description: String,
}

/// The words by which a reply announces this rubric's score.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// The names of the rubric.
    pub names: Vec<String>,
    /// The names of other rubrics in the same replies; if there is any list of them at all, only
    /// scores that are named count.
    pub others: Option<Vec<String>>,
    /// The field of JSON objects.
    pub field: String,
    /// More keywords.
    pub markers: Vec<String>,
}

/// A phrase as its words.
type Phrase = Vec<Box<[u8]>>;

/// A compiled rubric.
#[derive(Clone, Debug)]
pub struct Rubric {
    levels: Vec<Level>,
    low: f64,
    high: f64,
    texts: HashMap<Box<[u8]>, Reading>,
    first_of_texts: Beginnings,
    names: Vec<Phrase>,
    others: Vec<Phrase>,
    keywords: Vec<Phrase>,
    field: Phrase,
    named_only: bool,
    first: Beginnings,
}

/// The first two bytes of keywords and names, in either case: a bit for each pair.
#[derive(Clone, Debug)]
struct Beginnings(Box<[u64]>);

impl Beginnings {
    fn of<'a>(words: impl Iterator<Item = &'a Box<[u8]>>) -> Self {
        let mut bits = Self(vec![0; 1 << 10].into());
        let cases = |byte: u8| [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
        for word in words {
            for first in word.first().copied().into_iter().flat_map(cases) {
                match word.get(1) {
                    Some(second) => cases(*second).into_iter().for_each(|b| bits.set(first, b)),
                    None => (0..=u8::MAX).for_each(|second| bits.set(first, second)),
                }
            }
        }
        bits
    }

    fn set(&mut self, first: u8, second: u8) {
        let bit = usize::from(first) << 8 | usize::from(second);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    #[inline]
    fn contains(&self, first: u8, second: u8) -> bool {
        let bit = usize::from(first) << 8 | usize::from(second);
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }
}

fn phrase(text: &str) -> Phrase {
    let text = Text(text.as_bytes());
    let mut words = Vec::new();
    let mut i = 0;
    while i < text.0.len() {
        let end = text.word_end(i);
        if end > i {
            words.push(text.span(i, end).into());
        }
        i = end + text.at(end).map_or(1, |(_, width)| width);
    }
    words
}

fn phrases<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Phrase> {
    let mut found: Vec<Phrase> = texts.into_iter().map(phrase).collect();
    found.retain(|words| !words.is_empty());
    // The longest comes first, so that it is the one that is found.
    found.sort_by_key(|words| std::cmp::Reverse(words.len()));
    found
}

impl Rubric {
    /// Compiles a rubric; its levels must not overlap.
    #[must_use]
    pub fn new(levels: Vec<Level>, terms: &Terms) -> Self {
        let names = phrases(terms.names.iter().map(String::as_str));
        let keywords = KEYWORDS.iter().copied().chain([terms.field.as_str()]);
        let keywords = phrases(keywords.chain(terms.markers.iter().map(String::as_str)));
        let first =
            Beginnings::of(names.iter().chain(&keywords).filter_map(|phrase| phrase.first()));
        let mut texts: HashMap<Box<[u8]>, Reading> = HashMap::default();
        for level in &levels {
            let score = if level.low.total_cmp(&level.high).is_eq() {
                Ok(level.low)
            } else {
                Err(Reason::Several)
            };
            for text in [&level.line, &level.description] {
                let known = texts.entry(bare(text.as_bytes())).or_insert(score);
                if *known != score {
                    *known = Err(Reason::Several);
                }
            }
        }
        texts.remove(&[][..]);
        let ends = |end: fn(&Level) -> f64| levels.iter().map(end);
        Self {
            low: ends(|level| level.low).fold(f64::INFINITY, f64::min),
            high: ends(|level| level.high).fold(f64::NEG_INFINITY, f64::max),
            first_of_texts: Beginnings::of(texts.keys()),
            texts,
            names,
            others: phrases(terms.others.iter().flatten().map(String::as_str)),
            keywords,
            field: phrase(&terms.field),
            named_only: terms.others.is_some(),
            first,
            levels,
        }
    }

    /// The top of the scale, if it has one.
    #[must_use]
    pub fn high(&self) -> Option<f64> {
        Some(self.high).filter(|high| high.is_finite())
    }

    /// Whether the scale goes from one number to the other.
    #[must_use]
    pub fn spans(&self, low: f64, high: f64) -> bool {
        self.low.total_cmp(&low).is_eq() && self.high.total_cmp(&high).is_eq()
    }

    /// Whether a score counts only if the rubric is named with it.
    #[must_use]
    pub fn named_only(&self) -> bool {
        self.named_only
    }

    /// Whether a keyword or a name may begin at a position.
    #[inline]
    #[must_use]
    pub fn may_begin(&self, text: &[u8], i: usize) -> bool {
        let byte = |i: usize| text.get(i).copied().unwrap_or_default();
        self.first.contains(byte(i), byte(i + 1))
    }

    /// The score that a number is.
    ///
    /// # Errors
    ///
    /// The reason why it is none.
    pub fn verdict(&self, value: f64) -> Outcome {
        // Adding zero turns -0 into 0.
        let value = value + 0.0;
        let holds = |level: &Level| level.low <= value && value <= level.high;
        match self.levels.iter().position(holds) {
            Some(level) if value.is_finite() => Ok((value, level)),
            _ if value.is_finite() && self.low <= value && value <= self.high => {
                Err(Reason::BetweenLevels)
            }
            _ => Err(Reason::OutOfRange),
        }
    }

    /// The score of the level whose prompt line or description a line is.
    #[must_use]
    pub fn level_text(&self, line: &[u8]) -> Option<Reading> {
        let start = Text(line).skip(0, is_lead);
        if let [first, second, ..] = line[start..]
            && first.is_ascii_alphanumeric()
            && second.is_ascii_alphanumeric()
            && !self.first_of_texts.contains(first, second)
        {
            return None;
        }
        self.texts.get(&bare(line)).copied()
    }

    /// The end of the keyword that begins at a position.
    #[must_use]
    pub fn keyword(&self, text: Text<'_>, i: usize) -> Option<usize> {
        self.keywords.iter().find_map(|words| begins(text, i, words))
    }

    /// The end of the rubric's name that begins at a position.
    #[must_use]
    pub fn name(&self, text: Text<'_>, i: usize) -> Option<usize> {
        self.names.iter().find_map(|words| begins(text, i, words))
    }

    /// The end of another rubric's name.
    #[must_use]
    pub fn other_name(&self, text: Text<'_>, i: usize) -> Option<usize> {
        self.others.iter().find_map(|words| begins(text, i, words))
    }

    /// The start of the rubric's name that ends at a position.
    #[must_use]
    pub fn name_before(&self, text: Text<'_>, end: usize) -> Option<usize> {
        self.names.iter().find_map(|words| {
            let mut i = end;
            for (position, word) in words.iter().rev().enumerate() {
                let stop = if position > 0 { text.skip_back(i, is_gap) } else { i };
                let start = stop.checked_sub(word.len())?;
                let same = text.span(start, stop).eq_ignore_ascii_case(word);
                let apart = position == 0 || stop < i;
                if !same || !apart || text.word_start(start) != start {
                    return None;
                }
                i = start;
            }
            Some(i)
        })
    }

    /// Whether a key of a JSON object is the field.
    #[must_use]
    pub fn is_field(&self, key: &[u8]) -> bool {
        is_phrase(key, &self.field, true)
    }

    /// Whether a key or a value of a JSON object is the rubric's name; after it a keyword may stand.
    #[must_use]
    pub fn is_own_name(&self, key: &[u8]) -> bool {
        let text = Text(key);
        let Some(end) = self.name(text, 0) else { return false };
        let at = text.skip(end, is_gap);
        at == key.len() || (at > end && self.keyword(text, at) == Some(key.len()))
    }
}

/// Whether the text is the phrase, after a qualifier if there may be one.
fn is_phrase(text: &[u8], words: &Phrase, qualified: bool) -> bool {
    let text = Text(text);
    if begins(text, 0, words) == Some(text.0.len()) {
        return !words.is_empty();
    }
    let first = text.word(0);
    let at = text.skip(first.len(), is_gap);
    qualified
        && is_one_of(first, QUALIFIERS)
        && at > first.len()
        && begins(text, at, words) == Some(text.0.len())
}

/// The end of a phrase that begins at a position.
fn begins(text: Text<'_>, mut i: usize, words: &Phrase) -> Option<usize> {
    for (position, word) in words.iter().enumerate() {
        let start = if position > 0 { text.skip(i, is_gap) } else { i };
        let end = start + word.len();
        if (position > 0 && start == i)
            || !text.span(start, end).eq_ignore_ascii_case(word)
            || text.is_word(end)
        {
            return None;
        }
        i = end;
    }
    Some(i)
}

/// A line without its markup and the stop at its end, folded.
fn bare(line: &[u8]) -> Box<[u8]> {
    let text = Text(line);
    let start = text.skip(0, is_lead);
    let end = text.skip_back(line.len(), |code| {
        is_closing(code) || matches!(char::from_u32(code), Some('.' | '!' | '。'))
    });
    let marked = text.span(start, end).iter().copied();
    fold(&marked.filter(|byte| !matches!(byte, b'*' | b'_' | b'`')).collect::<Vec<u8>>())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn level(low: f64, high: f64, line: &str) -> Level {
        let description = line.split_once(": ").map_or(line, |(_, text)| text);
        Level { low, high, line: line.to_owned(), description: description.to_owned() }
    }

    fn compiled(levels: Vec<Level>, names: &[&str], others: Option<&[&str]>) -> Rubric {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Rubric::new(
            levels,
            &Terms {
                names: owned(names),
                others: others.map(owned),
                field: "score".to_owned(),
                markers: owned(&["评分"]),
            },
        )
    }

    /// Accuracy, from 5 down to 1.
    pub(crate) fn five() -> Rubric {
        five_of(None)
    }

    /// The same in replies that hold other scores.
    pub(crate) fn five_of(others: Option<&[&str]>) -> Rubric {
        let lines =
            ["5: No errors", "4: Few errors", "3: Some errors", "2: Many errors", "1: Wrong"];
        let levels = lines.iter().zip(0..).map(|(line, i)| {
            let score = 5.0 - f64::from(i);
            level(score, score, line)
        });
        compiled(levels.collect(), &["accuracy"], others)
    }

    #[test]
    fn numbers_are_looked_up() {
        let rubric = five();
        assert_eq!(rubric.verdict(5.0), Ok((5.0, 0)));
        assert_eq!(rubric.verdict(3.5), Err(Reason::BetweenLevels));
        for value in [0.0, 5.5, f64::INFINITY, f64::NAN] {
            assert_eq!(rubric.verdict(value), Err(Reason::OutOfRange));
        }
        let open = compiled(
            vec![level(9.0, f64::INFINITY, "9 or more: good"), level(0.0, 8.0, "0-8: bad")],
            &[],
            None,
        );
        assert_eq!(open.verdict(1e9), Ok((1e9, 0)));
        assert_eq!(open.verdict(8.5), Err(Reason::BetweenLevels));
        assert_eq!((open.high(), open.verdict(-0.0)), (None, Ok((0.0, 1))));
    }

    #[test]
    fn lines_of_levels_are_known() {
        let rubric = five();
        for line in ["- 4: Few errors", "**4**: few  errors.", "Few errors", "> *Few errors!*"] {
            assert_eq!(rubric.level_text(line.as_bytes()), Some(Ok(4.0)), "{line}");
        }
        assert_eq!(rubric.level_text(b"Few errors, I think"), None);
        let twice = compiled(vec![level(1.0, 1.0, "1: x"), level(2.0, 3.0, "2-3: x")], &[], None);
        assert_eq!(twice.level_text(b"x"), Some(Err(Reason::Several)));
    }

    #[test]
    fn names_are_found_in_both_directions() {
        let rubric = compiled(Vec::new(), &["technical_accuracy"], None);
        let text = Text(b"The Technical  accuracy score");
        assert_eq!(rubric.name(text, 4), Some(23));
        assert_eq!(rubric.name_before(text, 23), Some(4));
        assert_eq!(rubric.keyword(text, 24), Some(29));
        assert!(
            rubric.is_own_name(b"technical-accuracy_score") && !rubric.is_own_name(b"accuracy")
        );
        assert!(rubric.is_field(b"Score") && rubric.is_field(b"final_score"));
        assert!(!rubric.is_field(b"scores") && !rubric.is_field(b"my score"));
    }
}
