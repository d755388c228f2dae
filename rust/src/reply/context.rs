//! What stands around a label: the words of its phrase before the keyword, the words before that,
//! and those after the score.

use crate::reply::letters::{Class, Text, class, is_dash, is_frame, is_gap, is_opening};
use crate::reply::rubric::Rubric;
use crate::reply::vocabulary::{
    CONDITIONS, CRITERIA, DENIALS, EXPLAINED, EXPLAINING, HARMLESS, QUALIFIERS, TURNS, WEIGHED,
    is_one_of,
};

/// Where the phrase begins whose keyword begins at `start`, and whether a name is in it.
#[must_use]
pub fn phrase_start(text: Text<'_>, start: usize, rubric: &Rubric) -> (usize, bool) {
    let (mut start, mut named) = (start, false);
    for _ in 0..4 {
        let end = text.skip_back(start, is_gap);
        if end == start {
            break;
        }
        if let Some(begin) = rubric.name_before(text, end) {
            (start, named) = (begin, true);
        } else if let Some(begin) = word_before(text, end)
            && is_one_of(text.span(begin, end), QUALIFIERS)
        {
            start = begin;
        } else {
            break;
        }
    }
    (start, named)
}

/// How long a word may be that is looked at backwards.
const LONGEST: usize = 24;

/// The start of the word that ends at a position; nothing if there is none, or a very long one.
#[must_use]
pub fn word_before(text: Text<'_>, end: usize) -> Option<usize> {
    let mut i = end;
    while let Some((_, width)) = text.before(i).filter(|(code, _)| class(*code) == Class::Word) {
        i -= width;
        if end - i > LONGEST {
            return None;
        }
    }
    Some(i).filter(|start| *start < end)
}

/// Whether the words after a score say that it is being explained, not given, or that it is a score
/// for something else.
#[must_use]
pub fn is_explained(text: Text<'_>, end: usize, rubric: &Rubric) -> bool {
    let word = text.word(end);
    let at = text.skip(end + word.len(), is_frame);
    let following = text.word(at);
    if is_one_of(word, &["for", "on", "in"]) {
        let article = is_one_of(following, &["the", "its"]);
        let at = if article { text.skip(at + 3, is_frame) } else { at };
        return is_one_of(text.word(at), CRITERIA) && rubric.name(text, at).is_none();
    }
    is_one_of(word, EXPLAINING) || (is_one_of(word, &["is"]) && is_one_of(following, EXPLAINED))
}

/// Whether the words after a score turn it down: "is too high", "is not deserved".
#[must_use]
pub fn is_weighed(text: Text<'_>, end: usize) -> bool {
    let word = text.word(end);
    let following = text.word(text.skip(end + word.len(), is_frame));
    is_one_of(word, &["is"]) && is_one_of(following, WEIGHED)
}

/// Whether this joins what is scored to its score.
#[must_use]
pub fn is_joining(code: u32) -> bool {
    is_dash(code) || matches!(char::from_u32(code), Some(':' | '：' | '=' | '|'))
}

/// The most words before a label that are searched for a denial.
const MOST_WORDS: usize = 12;

/// Whether what stands before a label inside a line lets it stand for the reply's score.
#[must_use]
pub fn is_permitted(text: Text<'_>, start: usize, rubric: &Rubric) -> bool {
    let between = |code| is_frame(code) || code == u32::from(b'-');
    let mut end = text.skip_back(start, between);
    if !text.before(end).is_some_and(|(code, _)| class(code) == Class::Word) {
        let named = text.skip_back(end, |code| is_opening(code) || is_joining(code));
        return word_before(text, named).is_none_or(|begin| {
            !is_one_of(text.span(begin, named), CRITERIA)
                || rubric.name_before(text, named).is_some()
        });
    }
    let mut denials = DENIALS;
    for position in 0..MOST_WORDS {
        let Some(begin) = word_before(text, end) else { return position > 0 };
        let word = text.span(begin, end);
        if position == 0 && !is_one_of(word, HARMLESS) || is_one_of(word, denials) {
            return false;
        }
        if position > 0 && is_one_of(word, TURNS) {
            return true;
        }
        end = text.skip_back(begin, between);
        if text.before(end).is_some_and(|(code, _)| code == u32::from(b',')) {
            denials = CONDITIONS;
            end = text.skip_back(end - 1, between);
        }
    }
    true
}
