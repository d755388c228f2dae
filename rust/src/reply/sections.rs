//! The parts of a reply: blocks that are dropped, and the sections of several rubrics.

use crate::reply::letters::{Text, is_closing, is_frame, is_gap, is_lead};
use crate::reply::number::number;
use crate::reply::rubric::Rubric;
use crate::reply::vocabulary::{DROPPED, WITHIN_SECTION, is_one_of};

/// Whether the line that begins at `start` begins the section of the rubric, or ends it; nothing if it
/// does neither. A line that begins with a rubric's name begins that one's; other headings end it.
#[must_use]
pub fn after_line(text: Text<'_>, start: usize, rubric: &Rubric) -> Option<bool> {
    let first = text.skip(start, is_lead);
    let ends_name = |end: usize| {
        let at = text.skip(end, is_frame);
        text.ends_line(at)
            || matches!(
                text.code(at).and_then(char::from_u32),
                Some(':' | '：' | '(' | '-' | '–' | '—')
            )
    };
    if rubric.name(text, first).is_some_and(ends_name) {
        return Some(true);
    } else if rubric.other_name(text, first).is_some_and(ends_name) {
        return Some(false);
    } else if text.is_word(first) {
        let word = text.word(first);
        let mut end = first + word.len();
        for _ in 0..3 {
            let next = text.skip(end, is_gap);
            end = next + text.word(next).len();
        }
        let heading = text.is(text.skip(start, |code| code == 0x20), '#')
            || text.is(text.skip(end, is_frame), ':')
            || text.ends_line(text.skip(end, is_closing));
        let keyword = rubric.keyword(text, first).is_some();
        if heading && !keyword && !is_one_of(word, WITHIN_SECTION) && number(text, first).is_none()
        {
            return Some(false);
        }
    }
    None
}

/// The name of the tag whose name begins at a position, if such blocks are dropped, and its end.
#[must_use]
pub fn dropped_tag(text: Text<'_>, i: usize) -> Option<(&[u8], usize)> {
    let name = text.word(i);
    let end = text.skip_blanks(i + name.len());
    (is_one_of(name, DROPPED) && text.is(end, '>')).then_some((name, end + 1))
}

/// The end of the first closing tag of this name.
#[must_use]
pub fn closing_tag(text: Text<'_>, mut i: usize, name: &[u8]) -> Option<usize> {
    loop {
        let at = i + text.0.get(i..)?.windows(2).position(|pair| pair == b"</")?;
        if let Some((found, end)) = dropped_tag(text, at + 2)
            && found.eq_ignore_ascii_case(name)
        {
            return Some(end);
        }
        i = at + 2;
    }
}
