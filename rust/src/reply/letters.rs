//! Characters by class, and steps over them in either direction.
//!
//! Texts are bytes in UTF-8, but nothing relies on it: what is no character is a word character of
//! one byte.

/// What a character is to the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Ends a line.
    Break,
    /// White space within a line.
    Blank,
    /// A letter, a digit, or what is neither mark nor white space.
    Word,
    /// Punctuation, symbols, control characters.
    Mark,
}

/// Blocks of punctuation and symbols outside ASCII, by their first and last code point.
const MARKS: [(u32, u32); 11] = [
    (0xa0, 0xbf),
    (0x2000, 0x206f),
    (0x2190, 0x2bff),
    (0x3000, 0x301f),
    (0xfe0f, 0xfe0f),
    (0xfe50, 0xfe6f),
    (0xff01, 0xff0f),
    (0xff1a, 0xff20),
    (0xff3b, 0xff40),
    (0xff5b, 0xff65),
    (0x1_f000, 0x1_faff),
];
/// Stands for a byte that begins no character.
const NO_CHARACTER: u32 = 0x11_0000;

/// The class of a code point.
#[must_use]
pub fn class(code: u32) -> Class {
    match code {
        0x0a | 0x0d => Class::Break,
        0x09 | 0x0b | 0x0c | 0x20 | 0xa0 | 0x202f | 0x3000 => Class::Blank,
        0x30..=0x39 | 0x41..=0x5a | 0x61..=0x7a => Class::Word,
        0..=0x7f => Class::Mark,
        _ if MARKS.iter().any(|(first, last)| (*first..=*last).contains(&code)) => Class::Mark,
        _ => Class::Word,
    }
}

const fn c(character: char) -> u32 {
    character as u32
}

/// Whether a value may be set in this character.
#[must_use]
pub fn is_frame(code: u32) -> bool {
    class(code) == Class::Blank
        || matches!(char::from_u32(code), Some('*' | '_' | '`' | '~' | '"' | '\'' | '“' | '”'))
        || matches!(char::from_u32(code), Some('‘' | '’' | '«' | '»'))
}

/// Whether this may stand before a value.
#[must_use]
pub fn is_opening(code: u32) -> bool {
    is_frame(code) || matches!(char::from_u32(code), Some('(' | '[' | '（' | '【' | '「'))
}

/// Whether this may stand after a value.
#[must_use]
pub fn is_closing(code: u32) -> bool {
    is_frame(code)
        || matches!(char::from_u32(code), Some(')' | ']' | '}' | '|' | '）' | '】' | '」'))
}

/// Whether this may stand between the words of a phrase.
#[must_use]
pub fn is_gap(code: u32) -> bool {
    class(code) == Class::Blank || code == c('*') || code == c('_') || code == c('-')
}

/// Whether this may stand before the first word of a line without taking part in it.
#[must_use]
pub fn is_lead(code: u32) -> bool {
    match class(code) {
        Class::Blank => true,
        Class::Mark if code >= 0x80 => true,
        _ => matches!(
            char::from_u32(code),
            Some(
                '#' | '*' | '_' | '>' | '-' | '+' | '~' | '`' | '"' | '\'' | '|' | '{' | '[' | '('
            )
        ),
    }
}

/// Whether this is a dash, as between the ends of a range.
#[must_use]
pub fn is_dash(code: u32) -> bool {
    // Hyphens, dashes and bars; the minus sign; tildes; the small and the wide forms of them.
    matches!(
        code,
        0x2d | 0x7e | 0x2010..=0x2015 | 0x2043 | 0x2053 | 0x2212 | 0x223c | 0x2500 | 0x301c
    ) || matches!(code, 0xfe58 | 0xfe63 | 0xff0d | 0xff5e)
}

/// Whether this is a numeral that is read as part of a number, but not as a number: a vulgar
/// fraction or a wide digit.
#[must_use]
pub fn is_numeral(code: u32) -> bool {
    matches!(code, 0xbc..=0xbe | 0x2150..=0x215f | 0x2189 | 0xff10..=0xff19)
}

/// Whether a byte is an ASCII letter or digit.
const IS_PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        plain[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    plain
};

/// A text that is read at any position in either direction.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a>(pub &'a [u8]);

impl<'a> Text<'a> {
    /// The character at a position and its number of bytes; nothing at the end.
    #[inline]
    #[must_use]
    pub fn at(self, i: usize) -> Option<(u32, usize)> {
        let first = *self.0.get(i)?;
        if first < 0x80 {
            return Some((u32::from(first), 1));
        }
        let (width, head) = match first {
            0xc2..=0xdf => (2, first & 0x1f),
            0xe0..=0xef => (3, first & 0x0f),
            0xf0..=0xf4 => (4, first & 0x07),
            _ => return Some((NO_CHARACTER, 1)),
        };
        let mut code = u32::from(head);
        for offset in 1..width {
            match self.0.get(i + offset) {
                Some(byte @ 0x80..=0xbf) => code = code << 6 | u32::from(byte & 0x3f),
                _ => return Some((NO_CHARACTER, 1)),
            }
        }
        Some((code, width))
    }

    /// The code point at a position.
    #[must_use]
    pub fn code(self, i: usize) -> Option<u32> {
        self.at(i).map(|(code, _)| code)
    }

    /// The character that ends before a position.
    #[must_use]
    pub fn before(self, i: usize) -> Option<(u32, usize)> {
        let last = u32::from(*self.0.get(i.checked_sub(1)?)?);
        if last < 0x80 {
            return Some((last, 1));
        }
        let starts = (2..=4.min(i)).filter_map(|width| self.at(i - width).zip(Some(width)));
        let whole = starts.into_iter().find(|((_, width), back)| width == back);
        Some(whole.map_or((NO_CHARACTER, 1), |(found, _)| found))
    }

    /// The first position from `i` on whose character is not of a kind.
    #[must_use]
    pub fn skip(self, mut i: usize, kind: impl Fn(u32) -> bool) -> usize {
        while let Some((_, width)) = self.at(i).filter(|(code, _)| kind(*code)) {
            i += width;
        }
        i
    }

    /// The last position up to `i` before which the character is not of a kind.
    #[must_use]
    pub fn skip_back(self, mut i: usize, kind: impl Fn(u32) -> bool) -> usize {
        while let Some((_, width)) = self.before(i).filter(|(code, _)| kind(*code)) {
            i -= width;
        }
        i
    }

    /// The position after blanks.
    #[must_use]
    pub fn skip_blanks(self, i: usize) -> usize {
        self.skip(i, |code| class(code) == Class::Blank)
    }

    /// The end of the word that begins at a position; the position itself if none does.
    #[inline]
    #[must_use]
    pub fn word_end(self, mut i: usize) -> usize {
        loop {
            let rest = self.0.get(i..).unwrap_or_default();
            i += rest.iter().take_while(|byte| IS_PLAIN[usize::from(**byte)]).count();
            match self.0.get(i) {
                Some(0x80..) => match self.at(i) {
                    Some((code, width)) if class(code) == Class::Word => i += width,
                    _ => return i,
                },
                _ => return i,
            }
        }
    }

    /// The start of the word that ends at a position.
    #[must_use]
    pub fn word_start(self, i: usize) -> usize {
        self.skip_back(i, |code| class(code) == Class::Word)
    }

    /// Whether a word character stands at a position.
    #[must_use]
    pub fn is_word(self, i: usize) -> bool {
        self.code(i).is_some_and(|code| class(code) == Class::Word)
    }

    /// Whether an ASCII digit stands at a position.
    #[must_use]
    pub fn is_digit(self, i: usize) -> bool {
        self.0.get(i).is_some_and(u8::is_ascii_digit)
    }

    /// Whether this character stands at a position.
    #[must_use]
    pub fn is(self, i: usize, character: char) -> bool {
        self.code(i) == Some(character as u32)
    }

    /// Whether the text or the line ends at a position.
    #[must_use]
    pub fn ends_line(self, i: usize) -> bool {
        self.code(i).is_none_or(|code| class(code) == Class::Break)
    }

    /// The bytes of a span; nothing if it is none.
    #[must_use]
    pub fn span(self, from: usize, to: usize) -> &'a [u8] {
        self.0.get(from..to).unwrap_or_default()
    }

    /// The word that begins at a position.
    #[must_use]
    pub fn word(self, i: usize) -> &'a [u8] {
        self.span(i, self.word_end(i))
    }
}
