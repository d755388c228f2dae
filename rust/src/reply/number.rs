//! Numbers in prose: where one begins, what follows it, and whether that leaves it a score.

use crate::reply::letters::{
    Class, Text, class, is_closing, is_dash, is_frame, is_numeral, is_opening,
};
use crate::reply::rubric::Rubric;
use crate::reply::vocabulary::{BEFORE_TOP, JOINING, MULTIPLES, UNITS, is_one_of};
use crate::reply::{Reading, Reason};

/// The number that begins at a position, and its end.
#[must_use]
pub fn number(text: Text<'_>, start: usize) -> Option<(f64, usize)> {
    let (negative, from) = match text.at(start).map(|(code, width)| (char::from_u32(code), width)) {
        Some((Some('+'), _)) => (false, start + 1),
        Some((Some('-' | '−'), width)) => (true, start + width),
        _ => (false, start),
    };
    let whole = text.skip(from, is_digit);
    let mut end = whole;
    if text.is(whole, '.') && text.is_digit(whole + 1) {
        end = text.skip(whole + 1, is_digit);
    } else if whole == from {
        return None;
    }
    let value: f64 = std::str::from_utf8(text.span(from, end)).ok()?.parse().ok()?;
    // Adding zero turns -0 into 0.
    Some((if negative { -value } else { value } + 0.0, end))
}

fn is_digit(code: u32) -> bool {
    (0x30..=0x39).contains(&code)
}

fn is_numeral_at(text: Text<'_>, i: usize) -> bool {
    text.code(i).is_some_and(is_numeral)
}

/// Whether a number begins at a position, be it one that is not read.
fn is_number_at(text: Text<'_>, i: usize) -> bool {
    is_numeral_at(text, i) || number(text, i).is_some()
}

/// A number with all that belongs to it, and where that ends. None if no number begins here.
#[must_use]
pub fn read(text: Text<'_>, start: usize, rubric: &Rubric) -> Option<(Reading, usize)> {
    let (value, end) = number(text, start)?;
    let rest = suffix(text, end).and_then(|end| rest(text, end, rubric, true));
    Some(match rest {
        Ok(end) => (Ok(value), end),
        Err(reason) => (Err(reason), end),
    })
}

/// What may follow a number without a gap.
///
/// # Errors
///
/// The reason why the number is no score.
pub fn suffix(text: Text<'_>, i: usize) -> Result<usize, Reason> {
    let Some((code, width)) = text.at(i) else { return Ok(i) };
    let next = i + width;
    let more = match char::from_u32(code) {
        Some('%' | '％' | '﹪' | '٪' | '‰' | '‱') => return Err(Reason::Percent),
        Some('+' | '^' | '°' | '±' | '²' | '³' | '¹') => true,
        Some(';' | '；') if text.is_digit(next) => return Err(Reason::Several),
        Some('.' | ',' | ':' | '\\') => text.is_digit(next) || is_numeral_at(text, next),
        Some('\'' | '’' | '_') => text.is_word(next),
        Some('-' | '‐' | '‑') => text.is_word(next) && !is_number_at(text, next),
        Some('分' | '点' | '點' | '점') if !text.is_word(next) => return Ok(next),
        Some('…' | '→' | '⁄' | '／') => false,
        _ if is_numeral(code) => true,
        _ if code >= 0x80 && class(code) == Class::Mark && !is_dash(code) && !is_closing(code) => {
            text.is_digit(next) || is_numeral_at(text, next)
        }
        _ => text.is_word(i),
    };
    if more { Err(Reason::NotANumber) } else { Ok(i) }
}

/// What may follow a number later in its line; returns the end of what belongs to the number.
///
/// # Errors
///
/// The reason why the number is no score.
pub fn rest(text: Text<'_>, i: usize, rubric: &Rubric, top: bool) -> Result<usize, Reason> {
    let mut i = text.skip(i, is_closing);
    let mut word = text.word(i);
    if is_one_of(word, UNITS) {
        let after = text.skip(i + word.len(), is_closing);
        if is_one_of(word, &["point"]) && number(text, after).is_some() {
            return Err(Reason::NotANumber);
        }
        i = after;
        word = text.word(i);
    }
    let Some((code, width)) = text.at(i) else { return Ok(i) };
    let next = i + width;
    let number_at = |i| is_number_at(text, text.skip(i, is_frame));
    match char::from_u32(code) {
        Some('%' | '％' | '﹪' | '٪' | '‰' | '‱') => return Err(Reason::Percent),
        // The sign is a word character, but no word.
        Some('×') => return Err(Reason::NotANumber),
        _ if is_numeral(code) => return Err(Reason::NotANumber),
        _ => {}
    }
    if !word.is_empty() {
        return after_word(text, i, word, rubric, top);
    }
    let range = match char::from_u32(code) {
        Some('+' | '^' | '±') => return Err(Reason::NotANumber),
        Some('/' | '⁄' | '／') => return fraction(text, next, rubric, top),
        Some('-' | '=') if text.is(next, '>') => number_at(next + 1),
        Some('.') if text.is(next, '.') => number_at(text.skip(next, |c| c == u32::from(b'.'))),
        Some('…' | '→' | '&') => number_at(next),
        Some(',' | '，' | '、' | ';' | '；') => {
            let at = text.skip(next, is_frame);
            let alone = number(text, at).is_some_and(|(_, end)| {
                !text.is_word(end) && !text.is_word(text.skip(end, is_frame))
            });
            alone || is_one_of(text.word(at), &["or"])
        }
        Some('(' | '（' | '[') => {
            let at = text.skip(next, is_opening);
            let word = text.word(at);
            if is_one_of(word, &["or", "out", "of", "on"]) {
                return after_word(text, at, word, rubric, top);
            }
            if text.is(at, '/') {
                return fraction(text, at + 1, rubric, top);
            }
            if is_numeral_at(text, at) {
                return Err(Reason::NotANumber);
            }
            false
        }
        _ => is_dash(code) && number_at(next),
    };
    if range { Err(Reason::Several) } else { Ok(i) }
}

fn after_word(
    text: Text<'_>,
    i: usize,
    word: &[u8],
    rubric: &Rubric,
    top: bool,
) -> Result<usize, Reason> {
    let at = text.skip(i + word.len(), is_frame);
    let following = text.word(at);
    let reason = if text.is_digit(i) || is_one_of(word, &["or"]) {
        Reason::Several
    } else if is_one_of(word, JOINING) {
        let article = is_one_of(following, &["a"]);
        let last = if article { text.word(text.skip(at + 1, is_frame)) } else { following };
        if number(text, at).is_some() {
            Reason::Several
        } else if is_numeral_at(text, at) || is_one_of(last, &["half"]) {
            Reason::NotANumber
        } else {
            return Ok(i);
        }
    } else if is_one_of(word, &["half"]) || is_one_of(word, MULTIPLES) {
        Reason::NotANumber
    } else if is_one_of(word, &["percent", "pct"])
        || (is_one_of(word, &["per"]) && is_one_of(following, &["cent"]))
    {
        Reason::Percent
    } else if is_one_of(word, &["out"]) && is_one_of(following, &["of"]) {
        return fraction(text, at + following.len(), rubric, top);
    } else if is_one_of(word, &["in", "over"]) && number(text, at).is_some() {
        return fraction(text, at, rubric, top);
    } else if is_one_of(word, &["of"]) {
        return fraction(text, i + word.len(), rubric, top);
    } else if is_one_of(word, &["on"]) {
        return scale(text, at, rubric).map(|()| i);
    } else {
        return Ok(i);
    };
    Err(reason)
}

/// The top of a scale, after a slash or "out of".
fn fraction(text: Text<'_>, i: usize, rubric: &Rubric, top: bool) -> Result<usize, Reason> {
    let mut i = text.skip(i, is_opening);
    for _ in 0..6 {
        let word = text.word(i);
        if !is_one_of(word, BEFORE_TOP) {
            break;
        }
        i = text.skip(i + word.len(), is_opening);
    }
    let Some((value, end)) = number(text, i).filter(|_| top) else {
        return Err(Reason::NotANumber);
    };
    if text.is(end, '/') || (text.is(end, '-') && text.is_digit(end + 1)) {
        return Err(Reason::NotANumber);
    }
    let end = suffix(text, end)?;
    if rubric.high() != Some(value) {
        return Err(Reason::OtherScale);
    }
    rest(text, end, rubric, false)
}

/// The scale that a score is said to be on, after "on": the rubric's, or nothing of the kind.
fn scale(text: Text<'_>, mut i: usize, rubric: &Rubric) -> Result<(), Reason> {
    for _ in 0..6 {
        let word = text.word(i);
        if !is_one_of(word, &["a", "an", "the", "scale", "of", "from", "out"]) {
            break;
        }
        i = text.skip(i + word.len(), is_frame);
    }
    let Some((first, end)) = number(text, i) else { return Ok(()) };
    let mut at = text.skip(end, is_frame);
    if text.code(at).is_some_and(is_dash) {
        at = text.skip(at, |code| is_dash(code) || is_frame(code));
        if is_one_of(text.word(at), &["point"]) {
            return if rubric.high() == Some(first) { Ok(()) } else { Err(Reason::OtherScale) };
        }
    } else if is_one_of(text.word(at), &["to"]) {
        at = text.skip(at + 2, is_frame);
    } else {
        return Ok(());
    }
    match number(text, at) {
        Some((last, _)) if !rubric.spans(first, last) => Err(Reason::OtherScale),
        _ => Ok(()),
    }
}

/// A text that is one reading and nothing else.
///
/// # Errors
///
/// The reason why the number in it is no score; none if it is no number, or more than that.
pub fn alone(text: Text<'_>, rubric: &Rubric) -> Result<f64, Option<Reason>> {
    let open = |code: u32| is_opening(code) || matches!(code, 0x0a | 0x0d);
    let start = text.skip(0, open);
    let Some((reading, end)) = read(text, start, rubric) else { return Err(None) };
    let value = reading.map_err(|reason| (text.0.len() <= MOST_BYTES).then_some(reason))?;
    let tail = text.skip(end, |code| {
        is_closing(code) || matches!(char::from_u32(code), Some('.' | '!' | '。' | '\n' | '\r'))
    });
    if tail == text.0.len() { Ok(value) } else { Err(None) }
}

/// How long a reply may be to be called a number that is no score.
const MOST_BYTES: usize = 32;
