//! Numbers.

use crate::reply::letters::Text;
use crate::reply::number::*;
use crate::reply::tests::rubric::five;
use crate::reply::{Reading, Reason};

fn reading(text: &str) -> Option<Reading> {
    read(Text(text.as_bytes()), 0, &five()).map(|(reading, _)| reading)
}

#[test]
fn numbers_have_signs_and_decimals() {
    for (text, expected) in [
        ("4", Some((4.0, 1))),
        ("+4.50x", Some((4.5, 5))),
        ("−.5", Some((-0.5, 5))),
        ("4.", Some((4.0, 1))),
        ("-0", Some((0.0, 2))),
        (".", None),
        ("-", None),
        ("x4", None),
        ("", None),
    ] {
        assert_eq!(number(Text(text.as_bytes()), 0), expected, "{text}");
    }
}

#[test]
fn what_follows_decides() {
    for text in ["4", "4.", "4/5", "4 / 5.0", "4 out of 5 stars", "4分", "4, fine", "4 — fine"] {
        assert_eq!(reading(text), Some(Ok(4.0)), "{text}");
    }
    for (reason, texts) in [
        (Reason::Several, &["4-5", "4 or so", "4 to 5", "4, 5", "4 5", "4 (or 5)", "4->5"][..]),
        (
            Reason::OtherScale,
            &["4/10", "4 out of 10", "4 of a possible 9", "4 (on a 9-point scale)"],
        ),
        (Reason::Percent, &["4%", "4 %", "4 percent", "4 per cent"]),
        (Reason::NotANumber, &["4x", "4½", "4,5", "4/5/26", "4 of them", "4+", "4 and a half"]),
    ] {
        for text in texts {
            assert_eq!(reading(text), Some(Err(reason)), "{text}");
        }
    }
}

#[test]
fn a_reading_may_stand_alone() {
    let found = |text: &str| alone(Text(text.as_bytes()), &five());
    assert_eq!(found("\n**4/5**.\n"), Ok(4.0));
    assert_eq!(found("80%"), Err(Some(Reason::Percent)));
    assert_eq!(found("80% of all the claims that are made here"), Err(None));
    assert_eq!(found("4 errors"), Err(None));
    assert_eq!(found("four"), Err(None));
}
