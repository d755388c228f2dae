//! A rubric as the parser needs it: where its levels lie, what they read, what announces a score.

use hashbrown::HashMap;

use crate::reply::letters::{Text, is_gap, is_lead};
use crate::reply::phrase::{
    Beginnings, Phrase, bare, begins, inner, is_phrase, letters_of, phrase, phrases,
};
use crate::reply::vocabulary::KEYWORDS;
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

/// Bytes that the reader looks at wherever they stand in a line.
const SALIENT: &[u8] = b"\n\r{<[/";

/// A compiled rubric.
#[derive(Clone, Debug)]
pub struct Rubric {
    levels: Vec<Level>,
    low: f64,
    high: f64,
    texts: HashMap<Box<[u8]>, Reading>,
    first_of_texts: Beginnings,
    longest_text: usize,
    names: Vec<Phrase>,
    others: Vec<Phrase>,
    keywords: Vec<Phrase>,
    field: Phrase,
    named_only: bool,
    first: Beginnings,
    /// The same, and the bytes that are looked at wherever they stand.
    salient: Beginnings,
}

impl Rubric {
    /// Compiles a rubric; its levels must not overlap.
    #[must_use]
    pub fn new(levels: Vec<Level>, terms: &Terms) -> Self {
        let names = phrases(terms.names.iter().map(String::as_str));
        let keywords = KEYWORDS.iter().copied().chain([terms.field.as_str()]);
        let keywords = phrases(keywords.chain(terms.markers.iter().map(String::as_str)));
        let words = names.iter().chain(&keywords).filter_map(|phrase| phrase.first());
        let first = Beginnings::of(words);
        let mut salient = first.clone();
        for byte in SALIENT {
            (0..=u8::MAX).for_each(|next| salient.set(*byte, next));
        }
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
            longest_text: texts.keys().map(|text| letters_of(text).count()).max().unwrap_or(0),
            texts,
            names,
            others: phrases(terms.others.iter().flatten().map(String::as_str)),
            keywords,
            field: phrase(&terms.field),
            named_only: terms.others.is_some(),
            first,
            salient,
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

    /// The next position, from `i` on, at which a keyword, a name or a mark of the grammar may
    /// begin; the end of the text if there is none.
    #[must_use]
    pub fn next_salient(&self, text: &[u8], i: usize) -> usize {
        let rest = text.get(i..).unwrap_or_default();
        let pair =
            |pair: &[u8]| matches!(pair, [first, next] if self.salient.contains(*first, *next));
        if let Some(found) = rest.windows(2).position(pair) {
            return i + found;
        }
        let last = rest.last().is_some_and(|last| self.salient.contains(*last, 0));
        text.len() - usize::from(last)
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
        // Most lines are too long, which is seen without folding them.
        if letters_of(inner(line)).nth(self.longest_text).is_some() {
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
        is_phrase(key, &self.field)
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
