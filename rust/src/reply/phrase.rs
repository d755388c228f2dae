//! Phrases: words that are found in a text whatever is between them, and lines of levels.

use crate::fold::fold;
use crate::reply::letters::{Text, is_closing, is_gap, is_lead};
use crate::reply::vocabulary::{QUALIFIERS, is_one_of};

/// A phrase as its words.
pub type Phrase = Vec<Box<[u8]>>;

/// The first two bytes of keywords and names, in either case: a bit for each pair.
#[derive(Clone, Debug)]
pub struct Beginnings(Box<[u64]>);

impl Beginnings {
    /// The beginnings of words.
    #[must_use]
    pub fn of<'a>(words: impl Iterator<Item = &'a Box<[u8]>>) -> Self {
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

    /// Adds a pair.
    pub fn set(&mut self, first: u8, second: u8) {
        let bit = usize::from(first) << 8 | usize::from(second);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Whether a word begins with this pair.
    #[inline]
    #[must_use]
    pub fn contains(&self, first: u8, second: u8) -> bool {
        let bit = usize::from(first) << 8 | usize::from(second);
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }
}

/// The words of a text.
#[must_use]
pub fn phrase(text: &str) -> Phrase {
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

/// The phrases of texts, without those that have no words.
#[must_use]
pub fn phrases<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Phrase> {
    let mut found: Vec<Phrase> = texts.into_iter().map(phrase).collect();
    found.retain(|words| !words.is_empty());
    // The longest comes first, so that it is the one that is found.
    found.sort_by_key(|words| std::cmp::Reverse(words.len()));
    found
}

/// Whether the text is the phrase, or the phrase after a qualifier.
#[must_use]
pub fn is_phrase(text: &[u8], words: &Phrase) -> bool {
    let text = Text(text);
    if begins(text, 0, words) == Some(text.0.len()) {
        return !words.is_empty();
    }
    let first = text.word(0);
    let at = text.skip(first.len(), is_gap);
    is_one_of(first, QUALIFIERS)
        && at > first.len()
        && begins(text, at, words) == Some(text.0.len())
}

/// The end of a phrase that begins at a position.
#[must_use]
pub fn begins(text: Text<'_>, mut i: usize, words: &Phrase) -> Option<usize> {
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

/// A line without the markup and the stop at its ends.
#[must_use]
pub fn inner(line: &[u8]) -> &[u8] {
    let text = Text(line);
    let start = text.skip(0, is_lead);
    let end = text.skip_back(line.len(), |code| {
        is_closing(code) || matches!(char::from_u32(code), Some('.' | '!' | '。'))
    });
    text.span(start, end)
}

/// The bytes of a line that folding leaves one byte each: ASCII without white space and emphasis.
pub fn letters_of(line: &[u8]) -> impl Iterator<Item = &u8> {
    line.iter().filter(|byte| matches!(byte, b'!'..=b'~') && !matches!(byte, b'*' | b'_' | b'`'))
}

/// A line without its markup, folded.
#[must_use]
pub fn bare(line: &[u8]) -> Box<[u8]> {
    let plain = inner(line).iter().copied().filter(|byte| !matches!(byte, b'*' | b'_' | b'`'));
    fold(&plain.collect::<Vec<u8>>())
}
