//! The forms in which lenient matching compares texts, once they differ as they are and folded.
//!
//! The lenient [`form`] of a text keeps what it says and gives up how it was typed: white space and
//! case are [`fold`]ed, characters that only look otherwise (full-width letters, ligatures, marks in
//! a code point of their own) normalised, invisible ones dropped, apostrophes, quotation marks and
//! dashes made one of a kind; a text that is a number as a whole becomes that number's plain digits.
//! The [`bare`] form of that has lost the punctuation at its end and the marks of emphasis around it
//! too. Nothing else is dropped: a text never becomes a part of itself.
//!
//! Equal folded forms have equal lenient forms, and equal lenient forms equal bare ones.

mod characters;
mod numeral;

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::fold::{fold, is_space, trim_end, trim_start};
use characters::{is_emphasis, is_end, is_raised, plain};

/// The form of a text that ignores case, white space, Unicode forms, invisible characters, kinds of
/// apostrophes, quotation marks and dashes, and how a number is written.
///
/// # Examples
///
/// ```
/// use scorekey::lenient::form;
/// assert_eq!(&*form("I\u{2019}m  UNABLE\u{200b} to".as_bytes()), b"i'm unable to");
/// assert_eq!(&*form(b"04.0"), b"4");
/// ```
#[must_use]
pub fn form(text: &[u8]) -> Box<[u8]> {
    form_of_folded(fold(text))
}

/// The lenient form of a text that is folded already.
#[must_use]
pub(crate) fn form_of_folded(mut folded: Box<[u8]>) -> Box<[u8]> {
    if folded.is_ascii() {
        folded.iter_mut().filter(|byte| **byte == b'`').for_each(|byte| *byte = b'\'');
        return by_value(folded);
    }
    // Once more, because what a character is normalised to may have a case, be white space or look
    // like another.
    for _ in 0..2 {
        let normal = normal(&folded);
        if normal == *folded {
            break;
        }
        folded = fold(&normal);
    }
    by_value(folded)
}

/// The lenient form without punctuation at its end and emphasis around it; the form itself where
/// nothing else is left.
///
/// # Examples
///
/// ```
/// use scorekey::lenient::bare;
/// assert_eq!(&*bare(b"**4. agree a little.**"), b"4. agree a little");
/// assert_eq!(&*bare(b"***"), b"***");
/// ```
#[must_use]
pub fn bare(form: &[u8]) -> Box<[u8]> {
    let kept = trim_end(form, |c| is_end(c) || is_emphasis(c) || is_space(c));
    // Emphasis at the start alone may be a bullet or a note's mark, but not if it ends somewhere.
    let closed = form[kept.len()..].iter().any(|byte| is_emphasis(char::from(*byte)));
    let kept = if closed { trim_start(kept, |c| is_emphasis(c) || is_space(c)) } else { kept };
    if kept.is_empty() { form.into() } else { by_value(kept.into()) }
}

/// The text with its characters normalised one by one and together.
fn normal(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for run in plained(chunk.valid()).split_inclusive(is_raised) {
            // Normalising would make "10²" the number 102, and "3½" 31⁄2.
            let raised = run.chars().next_back().filter(|c| is_raised(*c));
            let other = &run[..run.len() - raised.map_or(0, char::len_utf8)];
            if is_nfkc_quick(other.chars()) == IsNormalized::Yes {
                out.extend_from_slice(other.as_bytes());
            } else {
                out.extend(other.nfkc().collect::<String>().into_bytes());
            }
            out.extend(raised.map(String::from).unwrap_or_default().into_bytes());
        }
        out.extend_from_slice(chunk.invalid());
    }
    out
}

/// The text with each character in the plainest of those that look like it.
fn plained(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| plain(c) == Some(c)) {
        return text.into();
    }
    text.chars().filter_map(plain).collect::<String>().into()
}

/// A text that is a number in the one way to write that number; any other as it is.
fn by_value(text: Box<[u8]>) -> Box<[u8]> {
    let number = std::str::from_utf8(&text).ok().and_then(numeral::canonical);
    number.map_or(text, |number| number.into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formed(text: &str) -> String {
        String::from_utf8(form(text.as_bytes()).into_vec()).expect("forms of UTF-8 are UTF-8")
    }

    fn bared(text: &str) -> String {
        let bare = bare(&form(text.as_bytes()));
        String::from_utf8(bare.into_vec()).expect("forms of UTF-8 are UTF-8")
    }

    #[test]
    fn texts_that_say_the_same_are_one() {
        for (text, same) in [
            ("Strongly\u{a0} AGREE\n", "strongly agree"),
            ("U\u{308}berhaupt nicht", "\u{fc}berhaupt nicht"),
            ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"),
            ("\u{39a}\u{3b1}\u{3b8}\u{1f79}\u{3bb}\u{3bf}\u{3c5}", "\u{3ba}αθόλου"),
            ("\u{feff}a\u{ad}g\u{200b}ree\u{200f}", "agree"),
            ("I\u{2019}m, I`m, I\u{b4}m, I\u{ff07}m", "i'm, i'm, i'm, i'm"),
            ("«a» „b“ \u{ff02}c\u{2033}", "\"a\" \"b\" \"c\""),
            ("1 – 2 — 3 \u{2212} 4 \u{ff0d} 5 \u{fe58}", "1 - 2 - 3 - 4 - 5 -"),
            ("Ａｇｒｅｅ", "agree"),
            ("ﬁne ㎏ ℡", "fine kg tel"),
            ("٣ أيام", "3 أيام"),
            ("a \u{200b} b", "a b"),
            ("☹\u{fe0f}", "☹"),
            ("①", "1"),
        ] {
            assert_eq!(formed(text), same, "{text}");
            assert_eq!(formed(same), same, "{same}");
        }
    }

    #[test]
    fn texts_that_say_something_else_stay_apart() {
        for (text, other) in [
            ("10²", "102"),
            ("x₂", "x2"),
            ("½", "1/2"),
            ("½", "1\u{2044}2"),
            ("3½", "31\u{2044}2"),
            ("Never™", "Nevertm"),
            ("㎡", "m2"),
            ("四", "4"),
            ("Ⅳ", "4"),
            ("résumé", "resume"),
            ("stronglyagree", "strongly agree"),
            ("4. Agree a little", "Agree a little"),
            ("0: Yes", "0"),
            ("4,0", "4"),
            ("Yes?", "Yes"),
            ("İ", "i"),
            ("ı", "i"),
            ("🏴\u{e0067}\u{e007f}", "🏴"),
            ("'a'", "\"a\""),
        ] {
            assert_ne!(bared(text), bared(other), "{text} {other}");
        }
    }

    #[test]
    fn punctuation_at_the_end_and_emphasis_around_go_last() {
        for (text, same) in [
            ("Agree.", "agree"),
            ("Agree !!", "agree"),
            ("Agree;:,", "agree"),
            ("**Agree**", "agree"),
            ("**Agree**.", "agree"),
            ("**Agree.**", "agree"),
            ("_ *Agree* _:", "agree"),
            ("Agree*", "agree"),
            ("*Agree", "*agree"),
            ("**4.0**", "4"),
            ("4.", "4"),
            ("几乎每天。", "几乎每天"),
            ("...", "..."),
            ("* *", "* *"),
            ("", ""),
            ("Agree?", "agree?"),
            ("(Agree)", "(agree)"),
        ] {
            assert_eq!(bared(text), same, "{text}");
            assert_eq!(bared(same), same, "{same}");
        }
        assert_eq!(formed("Agree."), "agree.", "only the bare form loses it");
    }

    #[test]
    fn what_is_no_unicode_equals_itself() {
        assert_eq!(&*form(b"\xed\xa0\x80 \xc2\xb2A\xff."), b"\xed\xa0\x80 \xc2\xb2a\xff.");
        assert_eq!(&*bare(b"*\xed\xa0\x80*"), b"\xed\xa0\x80");
    }
}
