//! Characters that stand for the same as another one, or for nothing that can be seen.
//!
//! The lists are those of Unicode 18, written out because no more of its tables is needed than this;
//! the tests compare them with the tables of the running Python.

/// The plainest character that looks and means the same: a decimal digit of any script in ASCII, one
/// apostrophe, one quotation mark, one dash; nothing for a character that cannot be seen.
pub(super) fn plain(c: char) -> Option<char> {
    Some(match c {
        _ if c.is_ascii() && c != '`' => c,
        _ if is_invisible(c) => return None,
        _ if is_apostrophe(c) => '\'',
        _ if is_quotation_mark(c) => '"',
        _ if is_dash(c) => '-',
        _ => digit(c).unwrap_or(c),
    })
}

/// Format characters (general category Cf) and variation selectors; but not the signs among them
/// that can be seen, nor the tags, which tell flags apart.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}'
        | '\u{e0100}'..='\u{e01ef}')
}

/// Single quotation marks, primes and the accents that are typed in their place.
fn is_apostrophe(c: char) -> bool {
    matches!(c,
        '`' | '\u{b4}' | '\u{2b9}' | '\u{2bb}'..='\u{2bd}' | '\u{55a}' | '\u{5f3}'
        | '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2035}' | '\u{2039}' | '\u{203a}')
}

/// Double quotation marks, double primes and the brackets that quote in East Asia.
fn is_quotation_mark(c: char) -> bool {
    matches!(c,
        '\u{ab}' | '\u{bb}' | '\u{2ba}' | '\u{5f4}' | '\u{201c}'..='\u{201f}' | '\u{2033}'
        | '\u{2036}' | '\u{2e42}' | '\u{300c}'..='\u{300f}' | '\u{301d}'..='\u{301f}')
}

/// Hyphens and dashes (general category Pd) and minus signs.
fn is_dash(c: char) -> bool {
    matches!(
        c,
        '\u{2d7}' | '\u{58a}' | '\u{5be}' | '\u{1400}' | '\u{1806}' | '\u{2010}'
            ..='\u{2015}'
                | '\u{2212}'
                | '\u{2e17}'
                | '\u{2e1a}'
                | '\u{2e3a}'
                | '\u{2e3b}'
                | '\u{2e40}'
                | '\u{2e5d}'
                | '\u{301c}'
                | '\u{3030}'
                | '\u{30a0}'
                | '\u{fe31}'
                | '\u{fe32}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{ff0d}'
                | '\u{10d6e}'
                | '\u{10ead}'
    )
}

/// Superscripts, subscripts and fractions, and the characters that are made up with one: what
/// normalising would make of them means something else.
pub(super) fn is_raised(c: char) -> bool {
    matches!(c,
        '\u{aa}' | '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{ba}' | '\u{bc}'..='\u{be}'
        | '\u{2b0}'..='\u{2b8}' | '\u{2e0}'..='\u{2e4}' | '\u{558}' | '\u{58b}' | '\u{58c}'
        | '\u{10fc}' | '\u{1d2c}'..='\u{1d2e}' | '\u{1d30}'..='\u{1d3a}' | '\u{1d3c}'..='\u{1d4d}'
        | '\u{1d4f}'..='\u{1d6a}' | '\u{1d78}' | '\u{1d9b}'..='\u{1dbf}' | '\u{2070}' | '\u{2071}'
        | '\u{2074}'..='\u{208e}' | '\u{2090}'..='\u{209f}' | '\u{2120}' | '\u{2122}'
        | '\u{2150}'..='\u{215f}' | '\u{2189}' | '\u{2c7c}' | '\u{2c7d}' | '\u{2d6f}'
        | '\u{3192}'..='\u{319f}' | '\u{3378}' | '\u{3379}' | '\u{339f}'..='\u{33a6}' | '\u{33a8}'
        | '\u{33af}' | '\u{a69c}' | '\u{a69d}' | '\u{a770}' | '\u{a7f1}'..='\u{a7f4}' | '\u{a7f8}'
        | '\u{a7f9}' | '\u{ab5c}'..='\u{ab5f}' | '\u{ab69}' | '\u{10781}'..='\u{10785}'
        | '\u{10787}'..='\u{107b0}' | '\u{107b2}'..='\u{107bf}' | '\u{1dfcd}'..='\u{1dfff}'
        | '\u{1e030}'..='\u{1e06d}' | '\u{1f16a}'..='\u{1f16c}')
}

/// Punctuation that may end a text without changing it: full stops, commas, semicolons, colons and
/// exclamation marks. A question mark does change it.
pub(super) fn is_end(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '\u{589}'
            | '\u{60c}'
            | '\u{61b}'
            | '\u{6d4}'
            | '\u{964}'
            | '\u{3001}'
            | '\u{3002}'
    )
}

/// The marks of emphasis in Markdown.
pub(super) fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_')
}

/// The zeros of all scripts that count by tens (general category Nd); nine digits follow each.
const ZEROS: [u32; 77] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0,
    0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50, 0x11d50,
    0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1ccf0, 0x1d7ce,
    0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

/// The digit of the same value in ASCII.
fn digit(c: char) -> Option<char> {
    let zero = ZEROS[ZEROS.partition_point(|zero| *zero <= u32::from(c)).checked_sub(1)?];
    char::from_digit(u32::from(c) - zero, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_of_any_script_has_its_value() {
        assert!(ZEROS.is_sorted());
        for (c, value) in [('4', '4'), ('４', '4'), ('٤', '4'), ('४', '4'), ('๙', '9'), ('𝟘', '0')]
        {
            assert_eq!(plain(c), Some(value), "{c}");
        }
        for c in ['\t', '/', ':', '²', '四', '〇', '①', 'Ⅳ', '½', '᧚', char::MAX] {
            assert_eq!(plain(c), Some(c), "{c}");
        }
    }

    #[test]
    fn only_what_cannot_be_seen_is_dropped() {
        for c in ['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{feff}', '\u{202e}', '\u{fe0f}']
        {
            assert_eq!(plain(c), None, "U+{:04X}", u32::from(c));
        }
        for c in ['\u{600}', '\u{6dd}', '\u{e0067}', '\u{301}', '\u{2800}'] {
            assert_eq!(plain(c), Some(c), "U+{:04X}", u32::from(c));
        }
    }
}
