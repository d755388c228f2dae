//! The form in which two texts are compared once they differ to the letter: runs of white space
//! become one space, those at the ends vanish, and case is folded, exactly as `CPython`'s
//! `" ".join(text.split()).casefold()` does it. There is no normalisation: "é" in one code point
//! and in two remain different.
//!
//! Texts are bytes in UTF-8, except that a lone surrogate may occur in its three-byte form; it (like
//! any other invalid byte) is kept as it is and equals only itself.

/// Whether `CPython`'s `str.split()` splits at this character.
#[must_use]
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Appends the full case folding of `c`.
///
/// The folding of a character is the lower case of its upper case, save for the dotless i, the
/// capital sharp s and Cherokee, whose letters fold to upper case.
pub fn casefold(c: char, out: &mut String) {
    match c {
        '\u{131}' | '\u{13a0}'..='\u{13f5}' => out.push(c),
        '\u{1e9e}' => out.push_str("ss"),
        '\u{13f8}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}' => out.extend(c.to_uppercase()),
        _ => out.extend(c.to_uppercase().flat_map(char::to_lowercase)),
    }
}

/// The text with white space collapsed and case folded.
#[must_use]
pub fn fold(text: &[u8]) -> Box<[u8]> {
    if text.is_ascii() { fold_ascii(text) } else { fold_any(text) }
}

fn fold_ascii(text: &[u8]) -> Box<[u8]> {
    let mut out = Vec::with_capacity(text.len());
    let is_space = |b: &u8| is_space(char::from(*b));
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(b' ');
        }
        out.extend(word.iter().map(u8::to_ascii_lowercase));
    }
    out.into_boxed_slice()
}

fn fold_any(text: &[u8]) -> Box<[u8]> {
    let mut out = Vec::with_capacity(text.len());
    let mut folded = String::new();
    let mut gap = false;
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_space(c) {
                gap = true;
                continue;
            }
            join(&mut out, &mut gap);
            folded.clear();
            casefold(c, &mut folded);
            out.extend_from_slice(folded.as_bytes());
        }
        if !chunk.invalid().is_empty() {
            join(&mut out, &mut gap);
            out.extend_from_slice(chunk.invalid());
        }
    }
    out.into_boxed_slice()
}

/// Puts one space before the next word, where white space came since the last one.
fn join(out: &mut Vec<u8>, gap: &mut bool) {
    if std::mem::take(gap) && !out.is_empty() {
        out.push(b' ');
    }
}

/// The text from the first character on that is not one of those.
#[must_use]
pub fn trim_start(mut text: &[u8], is_one: impl Fn(char) -> bool) -> &[u8] {
    while let Some(c) = first_char(text).filter(|c| is_one(*c)) {
        text = &text[c.len_utf8()..];
    }
    text
}

/// The text up to the last character that is not one of those.
#[must_use]
pub fn trim_end(mut text: &[u8], is_one: impl Fn(char) -> bool) -> &[u8] {
    while let Some(c) = last_char(text).filter(|c| is_one(*c)) {
        text = &text[..text.len() - c.len_utf8()];
    }
    text
}

/// Whether the text has nothing but white space.
#[must_use]
pub fn is_blank(text: &[u8]) -> bool {
    trim_start(text, is_space).is_empty()
}

// A character never takes more than four bytes, so four bytes decide about either end.
fn first_char(text: &[u8]) -> Option<char> {
    let head = &text[..text.len().min(4)];
    head.utf8_chunks().next()?.valid().chars().next()
}

fn last_char(text: &[u8]) -> Option<char> {
    (1..=text.len().min(4)).find_map(|width| {
        let tail = std::str::from_utf8(&text[text.len() - width..]).ok()?;
        tail.chars().next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(text: &[u8]) -> &[u8] {
        trim_end(trim_start(text, is_space), is_space)
    }

    fn folded(text: &str) -> String {
        String::from_utf8(fold(text.as_bytes()).into_vec()).expect("folding keeps UTF-8")
    }

    #[test]
    fn white_space_is_collapsed_and_case_folded() {
        assert_eq!(folded(" 4. agree  a\u{a0}little\n"), "4. agree a little");
        assert_eq!(folded("A\u{1c}B\u{85}C\u{3000}"), "a b c");
        assert_eq!(folded("\t \u{2003}"), "");
        assert_eq!(folded("a\u{200b}b"), "a\u{200b}b", "a zero-width space is no white space");
    }

    #[test]
    fn folding_is_full() {
        for (text, expected) in [
            ("Straße", "strasse"),
            ("STRAẞE", "strasse"),
            ("ﬁne", "fine"),
            ("ſ", "s"),
            ("Σς", "σσ"),
            ("\u{212a}", "k"),
            ("µ", "μ"),
            ("İ", "i\u{307}"),
            ("ı", "ı"),
            ("ŉ", "ʼn"),
            ("Ꭰꭰᏸ", "ᎠᎠᏰ"),
        ] {
            assert_eq!(folded(text), expected, "{text}");
        }
        assert_ne!(folded("é"), folded("e\u{301}"), "there is no normalisation");
    }

    #[test]
    fn a_lone_surrogate_is_an_ordinary_character() {
        let surrogate = b"\xed\xa0\x80";
        assert_eq!(&*fold(b" \xed\xa0\x80 A "), b"\xed\xa0\x80 a");
        assert_eq!(&*fold(surrogate), surrogate);
        assert!(!is_blank(surrogate));
        assert_eq!(strip(b"\xed\xa0\x80\xc2\xa0"), surrogate);
    }

    #[test]
    fn ends_are_stripped() {
        assert_eq!(strip("\u{a0}\u{3000} a b\u{2029}\u{1f}".as_bytes()), b"a b");
        assert_eq!(strip(b""), b"");
        assert!(is_blank("\u{a0}\u{2003}".as_bytes()));
        assert!(!is_blank("\u{200b}".as_bytes()));
    }
}
