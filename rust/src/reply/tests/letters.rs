//! Characters.

use crate::reply::letters::*;

const fn c(character: char) -> u32 {
    character as u32
}

#[test]
fn characters_are_found_in_both_directions() {
    let text = Text("aé分🎉".as_bytes());
    assert_eq!(text.at(1), Some((0xe9, 2)));
    assert_eq!(text.before(6), Some((0x5206, 3)));
    assert_eq!(text.before(10), Some((0x1_f389, 4)));
    assert_eq!(text.word_end(0), 6, "an emoji is no letter");
    assert_eq!(text.word_start(6), 0);
    assert_eq!((text.at(10), text.before(0)), (None, None));
}

#[test]
fn broken_bytes_are_single_word_characters() {
    for bytes in [&b"\xff"[..], b"\x80", b"\xe5\x88", b"\xf0\x9f\x8e"] {
        let text = Text(bytes);
        assert_eq!(text.word_end(0), bytes.len(), "{bytes:?}");
        assert_eq!(text.word_start(bytes.len()), 0, "{bytes:?}");
    }
    assert_eq!(Text(b"\xed\xa0\x80").at(0), Some((0xd800, 3)), "a lone surrogate is one");
}

#[test]
fn classes() {
    assert_eq!(class(c('\n')), Class::Break);
    assert_eq!(class(0x202f), Class::Blank);
    assert_eq!(class(c('：')), Class::Mark);
    assert_eq!(class(c('评')), Class::Word);
    assert_eq!(class(0), Class::Mark);
    assert!(is_lead(c('📊')) && !is_lead(c('.')) && !is_lead(c('a')));
}
