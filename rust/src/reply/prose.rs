//! The ranks below the labels: lines of levels, n/top, and replies that are a number alone.

use crate::reply::context::{is_joining, word_before};
use crate::reply::letters::{Class, Text, class, is_opening};
use crate::reply::number::{alone, number, rest, suffix};
use crate::reply::rubric::Rubric;
use crate::reply::tally::Agreement;
use crate::reply::vocabulary::{AFTER_FRACTION, BEFORE_FRACTION, VERDICTS, is_one_of};
use crate::reply::{Reading, Reason};

/// The third rank: lines that are a level's.
#[must_use]
pub fn level_lines<'a>(pieces: impl Iterator<Item = &'a [u8]>, rubric: &Rubric) -> Option<Reading> {
    let mut all = Agreement::default();
    let lines = pieces.flat_map(|piece| piece.split(|byte| matches!(byte, b'\n' | b'\r')));
    lines.filter_map(|line| rubric.level_text(line)).for_each(|reading| all.add(reading));
    all.result()
}

/// The fourth rank: the score before a slash, if the top of the scale is behind it and nothing says
/// that it is something else.
#[must_use]
pub fn fraction(text: Text<'_>, slash: usize, rubric: &Rubric) -> Option<Reading> {
    let (top, end) = number(text, text.skip_blanks(slash + 1))?;
    if rubric.high() != Some(top) || rubric.named_only() {
        return None;
    }
    let reading = match suffix(text, end).and_then(|end| rest(text, end, rubric, false)) {
        Ok(end) if !text.is_word(end) || is_one_of(text.word(end), AFTER_FRACTION) => Ok(()),
        Err(Reason::Several) => Err(Reason::Several),
        _ => return None,
    };
    let stop = text.skip_back(slash, |code| class(code) == Class::Blank);
    let numeric = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let digits = text.0.get(..stop)?.iter().rev().take(24).take_while(|byte| numeric(byte));
    let start = stop - digits.count();
    let (value, end) = number(text, start)?;
    let before = text.before(start).map(|(code, _)| code);
    let free = |code| class(code) == Class::Break || is_opening(code) || code == u32::from(b':');
    if end != stop || !text.is_digit(start) || !before.is_none_or(free) {
        return None;
    }
    is_verdict(text, start, rubric).then_some(reading.map(|()| value))
}

/// Whether what stands before n/top lets it stand for the reply's score.
fn is_verdict(text: Text<'_>, start: usize, rubric: &Rubric) -> bool {
    let mut end = text.skip_back(start, is_opening);
    let mut allowed = BEFORE_FRACTION;
    if !text.before(end).is_some_and(|(code, _)| class(code) == Class::Word) {
        let joined = text.skip_back(end, |code| is_opening(code) || is_joining(code));
        if joined == end {
            return true;
        }
        (end, allowed) = (joined, VERDICTS);
    }
    if !text.before(end).is_some_and(|(code, _)| class(code) == Class::Word) {
        return true;
    }
    let word = word_before(text, end).map_or(&[][..], |begin| text.span(begin, end));
    is_one_of(word, allowed) || rubric.name_before(text, end).is_some()
}

/// The fifth rank: the only piece of the reply that is not blank, if it is a number alone.
///
/// # Errors
///
/// The reason why there is no score.
pub fn only_number<'a>(pieces: impl Iterator<Item = &'a [u8]>, rubric: &Rubric) -> Reading {
    let is_space = |code| matches!(class(code), Class::Blank | Class::Break);
    let mut filled = pieces.filter_map(|piece| {
        let start = Text(piece).skip(0, is_space);
        let end = Text(piece).skip_back(piece.len(), is_space);
        piece.get(start..end).filter(|rest| !rest.is_empty())
    });
    match (filled.next(), filled.next()) {
        (Some(piece), None) => {
            alone(Text(piece), rubric).map_err(|reason| reason.unwrap_or(Reason::None))
        }
        _ => Err(Reason::None),
    }
}
