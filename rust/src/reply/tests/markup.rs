//! Markup that is taken away.

use std::borrow::Cow;

use crate::reply::markup::plain;

#[test]
fn emphasis_becomes_stars() {
    for (text, expected) in [
        ("<b>4</b>", "*4*"),
        ("x <EM>4</Strong>", "x *4*"),
        ("\u{feff}\u{feff}<i>", "*"),
        ("a\u{feff}", "a\u{feff}"),
        ("<b", "<b"),
        ("<<b>", "<*"),
        ("</>< b><base><strongly>", "</>< b><base><strongly>"),
        ("", ""),
    ] {
        assert_eq!(&*plain(text.as_bytes()), expected.as_bytes(), "{text}");
    }
}

#[test]
fn what_has_no_tags_is_not_copied() {
    assert!(matches!(plain(b"Score: 4 <score>"), Cow::Borrowed(_)));
}
