//! Labels: words that announce a score, and what may stand between them and the number.

use crate::reply::context::{is_explained, is_weighed, phrase_start};
use crate::reply::letters::{Class, Text, class, is_dash, is_frame, is_gap, is_opening};
use crate::reply::number::{number, read};
use crate::reply::rubric::Rubric;
use crate::reply::vocabulary::{NOTHING, SCALE_WORDS, is_one_of};
use crate::reply::{Reading, Reason};

/// What a label announces.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Where its phrase begins.
    pub start: usize,
    /// Whether the rubric is named in it.
    pub named: bool,
    /// How it is joined to its value.
    pub joint: Joint,
    /// What it does with its number.
    pub use_of: Use,
    /// The number, or why it is no score.
    pub reading: Reading,
}

/// What a label does with its number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Use {
    /// There is none, or it is only explained.
    Nothing,
    /// It gives it, as a label inside a line has to.
    Given,
    /// It weighs it and turns it down.
    TurnedDown,
}

/// How a label and its value are joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    /// By a colon or the like, after which a value has to come.
    Strong,
    /// By a word or a dash, after which anything may come.
    Weak,
    /// By the end of a tag, as in `<score>4</score>`.
    Tag,
    /// Only by blanks.
    Bare,
    /// Not at all: the label is the whole line.
    Line,
}

/// The label whose keyword is at `start..end`; `named` if that is the rubric's name, too.
#[must_use]
pub fn keyword(
    text: Text<'_>,
    (start, end): (usize, usize),
    named: bool,
    rubric: &Rubric,
) -> Option<Label> {
    let (begin, before) = phrase_start(text, start, rubric);
    let (end, after) = for_name(text, end, rubric);
    let (end, declared) = declared_scale(text, end, rubric)?;
    let (joint, at) = joint(text, begin, end)?;
    let (reading, value_end) = value(text, at, joint, rubric)?;
    let use_of = match value_end {
        Some(end) if is_weighed(text, end) => Use::TurnedDown,
        Some(end) if !is_explained(text, end, rubric) => Use::Given,
        _ => Use::Nothing,
    };
    if joint == Joint::Weak && use_of == Use::Nothing {
        return None;
    }
    Some(Label {
        start: begin,
        named: named || before || after,
        joint,
        use_of,
        reading: if value_end.is_some() { declared.and(reading) } else { reading },
    })
}

/// The label that is the rubric's name alone.
#[must_use]
pub fn name(text: Text<'_>, (start, end): (usize, usize), rubric: &Rubric) -> Option<Label> {
    let (end, declared) = declared_scale(text, end, rubric)?;
    let (joint, at) = joint(text, start, end)?;
    let (reading, value_end) = value(text, at, joint, rubric)?;
    let end = value_end?;
    if !matches!(joint, Joint::Tag | Joint::Strong) || text.is_word(end) {
        return None;
    }
    let reading = declared.and(reading);
    Some(Label { start, named: true, joint, use_of: Use::Given, reading })
}

/// Steps over "for accuracy" after a keyword.
fn for_name(text: Text<'_>, end: usize, rubric: &Rubric) -> (usize, bool) {
    let at = text.skip(end, is_gap);
    if at == end || !is_one_of(text.word(at), &["for"]) {
        return (end, false);
    }
    let mut name = text.skip(at + 3, is_gap);
    if is_one_of(text.word(name), &["the"]) {
        name = text.skip(name + 3, is_gap);
    }
    rubric.name(text, name).map_or((end, false), |end| (end, true))
}

/// Steps over the scale that a label declares, "(1-5)" or "out of 5"; nothing if what is in the
/// brackets is something else.
fn declared_scale(
    text: Text<'_>,
    end: usize,
    rubric: &Rubric,
) -> Option<(usize, Result<f64, Reason>)> {
    let fits = |fits: bool| if fits { Ok(0.0) } else { Err(Reason::OtherScale) };
    let at = text.skip(end, is_frame);
    let word = text.word(at);
    let mut top = None;
    if text.is(at, '/') {
        top = Some(at + 1);
    } else if is_one_of(word, &["out"]) {
        let of = text.skip(at + word.len(), is_frame);
        top = Some(of + 2).filter(|_| is_one_of(text.word(of), &["of"]));
    } else if matches!(text.code(at).and_then(char::from_u32), Some('(' | '[' | '（')) {
        return bracketed_scale(text, at, rubric).map(|(end, ok)| (end, fits(ok)));
    }
    if let Some((value, end)) = top.and_then(|at| number(text, text.skip(at, is_frame))) {
        return Some((end, fits(rubric.high() == Some(value))));
    }
    Some((end, Ok(0.0)))
}

/// The most words and numbers that a scale in brackets is read from.
const MOST_PARTS: usize = 12;

fn bracketed_scale(text: Text<'_>, open: usize, rubric: &Rubric) -> Option<(usize, bool)> {
    let mut i = open + text.at(open)?.1;
    let mut numbers = [0.0; 2];
    let mut count = 0;
    if let Some(end) = rubric.name(text, text.skip(i, is_frame)) {
        let close = text.skip(end, is_frame);
        return closes(text, close).map(|end| (end, true));
    }
    for _ in 0..MOST_PARTS {
        i = text.skip_blanks(i);
        if let Some(end) = closes(text, i) {
            let fits = match count {
                0 => true,
                1 => rubric.high() == Some(numbers[0]),
                _ => rubric.spans(numbers[0], numbers[1]),
            };
            return Some((end, fits));
        }
        let word = text.word(i);
        if is_one_of(word, SCALE_WORDS) {
            i += word.len();
        } else if count > 0 && text.code(i).is_some_and(|c| is_dash(c) || c == u32::from(b'/')) {
            i += text.at(i)?.1;
        } else if text.is(i, '/') {
            i += 1;
        } else {
            let (value, end) = number(text, i)?;
            *numbers.get_mut(count)? = value;
            count += 1;
            i = end;
        }
    }
    None
}

fn closes(text: Text<'_>, i: usize) -> Option<usize> {
    let (code, width) = text.at(i)?;
    matches!(char::from_u32(code), Some(')' | ']' | '）')).then_some(i + width)
}

/// What joins a label that ends at `end` to its value, and where that may begin.
fn joint(text: Text<'_>, start: usize, end: usize) -> Option<(Joint, usize)> {
    let at = text.skip(end, is_frame);
    let Some((code, width)) = text.at(at) else { return Some((Joint::Line, at)) };
    let next = at + width;
    let blank = |i| text.code(i).is_some_and(|code| class(code) == Class::Blank);
    let weak = |at| Some((Joint::Weak, at));
    match char::from_u32(code) {
        Some('\n' | '\r') => return Some((Joint::Line, at)),
        Some(':' | '：') => return Some((Joint::Strong, next)),
        Some('=') => {
            return Some((Joint::Strong, text.skip(next, |code| matches!(code, 0x3d | 0x3e))));
        }
        Some('>') => {
            let open = text.before(start).is_some_and(|(code, _)| code == u32::from(b'<'));
            return open.then_some((Joint::Tag, next));
        }
        Some('-') if text.is(next, '>') => return weak(next + 1),
        Some('→' | '|') => return weak(next),
        Some('-' | '–' | '—') if at > end && blank(next) => return weak(next),
        _ => {}
    }
    let word = text.word(at);
    if !is_one_of(word, &["is", "was", "of"]) {
        return (at > end).then_some((Joint::Bare, at));
    }
    let after = text.skip(at + word.len(), is_frame);
    if text.is(after, ':') || text.is(after, '：') {
        return Some((Joint::Strong, after + text.at(after)?.1));
    }
    let denied = is_one_of(word, &["is"]) && is_one_of(text.word(after), NOTHING);
    Some((if denied { Joint::Strong } else { Joint::Weak }, after))
}

/// The value, and the end of its number if it has one; nothing if there is no label here after all.
fn value(
    text: Text<'_>,
    at: usize,
    joint: Joint,
    rubric: &Rubric,
) -> Option<(Reading, Option<usize>)> {
    let mut i = text.skip(at, is_opening);
    let article = text.word(i);
    if is_one_of(article, &["a", "an"]) {
        let after = text.skip(i + article.len(), is_opening);
        i = number(text, after).map_or(i, |_| after);
    }
    let found = read(text, i, rubric);
    match joint {
        Joint::Line => return below(text, i, joint, rubric),
        Joint::Strong if text.ends_line(i) => return below(text, i, joint, rubric),
        Joint::Bare | Joint::Tag if found.is_none() => return None,
        Joint::Bare => {
            let (reading, end) = found?;
            let stop = text.skip(end, |code| matches!(code, 0x21 | 0x2e));
            return (reading.is_ok() && text.ends_line(stop)).then_some((reading, Some(end)));
        }
        _ => {}
    }
    Some(found.map_or((Err(Reason::NotANumber), None), |(reading, end)| (reading, Some(end))))
}

/// The value of a label that ends its line: the next line that is not blank, if it is a reading
/// alone.
fn below(
    text: Text<'_>,
    end: usize,
    joint: Joint,
    rubric: &Rubric,
) -> Option<(Reading, Option<usize>)> {
    let i = text.skip(end, |code| is_opening(code) || class(code) == Class::Break);
    let strong = joint == Joint::Strong;
    if i == text.0.len() {
        return strong.then_some((Err(Reason::CutOff), None));
    }
    if let Some((reading, end)) = read(text, i, rubric) {
        let stop = text.skip(end, |code| matches!(code, 0x21 | 0x2e));
        if text.ends_line(stop) {
            return Some((reading, Some(end)));
        }
    }
    strong.then_some((Err(Reason::NotANumber), None))
}
