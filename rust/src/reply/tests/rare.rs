//! Forms that replies seldom have, each with what the rules say of it.

use crate::reply::Reason;
use crate::reply::json_text::{Stop, Words};
use crate::reply::letters::Text;
use crate::reply::reader::parse;
use crate::reply::tests::rubric::{five, five_of};

fn check(replies: &[(&str, Result<f64, Reason>)]) {
    for (reply, expected) in replies {
        let found = parse(reply.as_bytes(), &five()).map(|(score, _)| score);
        assert_eq!(found, *expected, "{reply:?}");
    }
}

#[test]
fn what_may_stand_in_an_object() {
    check(&[
        (r#"{"a": {}, "b": [], "score": 4}"#, Ok(4.0)),
        (r#"{"a": [true, false, null, NaN, Infinity], "score": 4}"#, Ok(4.0)),
        (r#"{"score": {"score": 2}}"#, Ok(2.0)),
        (r#"{"score": {"x": 2}}"#, Err(Reason::NotANumber)),
        (r#"{"accuracy": "4/5"}"#, Ok(4.0)),
        (r#"{"accuracy": "good", "score": 3}"#, Ok(3.0)),
        (r#"{"score": 0.5}"#, Err(Reason::OutOfRange)),
        (r#"{"score": -4}"#, Err(Reason::OutOfRange)),
        (r#"{"score": 4e0}"#, Ok(4.0)),
        (r#"{"score": 40E-1}"#, Ok(4.0)),
        (r#"{"score": 0.4e+1}"#, Ok(4.0)),
        (r#"{"a": trux, "b": 4}"#, Err(Reason::None)),
        (r#"{"a": {"score": 4}, oops"#, Ok(4.0)),
        (
            r#"{"a": "<think>", "b": {"score": 2}, "c": "</think>", "d": {"score": 4}, oops"#,
            Ok(4.0),
        ),
        (r#"{"a": {"b": 1}, "c": {"score": 4}, oops"#, Ok(4.0)),
    ]);
}

#[test]
fn escapes_are_resolved() {
    let read = |text: &str| Words { text: Text(text.as_bytes()), i: 0 }.string();
    let plain = read(r#""\b\f\n\r\t\/\"\\\u0041\ud83d\ude00""#);
    assert!(plain.is_ok_and(|text| text == "\u{8}\u{c}\n\r\t/\"\\A\u{fffd}\u{fffd}".as_bytes()));
    assert!(read(r#""\ud800x""#).is_ok_and(|text| text == "\u{fffd}x".as_bytes()));
    assert!(matches!(read(r#""\x""#), Err(Stop::Broken(2))));
    assert!(matches!(read(r#""\"#), Err(Stop::End)));
}

#[test]
fn labels_declare_their_scales_in_many_ways() {
    check(&[
        ("Score (accuracy): 4", Ok(4.0)),
        ("Score (on a scale): 4", Ok(4.0)),
        ("Score (out of 5): 4", Ok(4.0)),
        ("Score (/5): 4", Ok(4.0)),
        ("Score /5: 4", Ok(4.0)),
        ("Score out of 5: 4", Ok(4.0)),
        ("Score out of 10: 4", Err(Reason::OtherScale)),
        ("Score (out of 10): 4", Err(Reason::OtherScale)),
        ("Score (1 to 5): 4", Ok(4.0)),
        ("Score (1/5): 4", Ok(4.0)),
        ("Score (of of of of of of of of of of of of of): 4", Err(Reason::None)),
        ("Score → 4", Ok(4.0)),
        ("Score | 4", Ok(4.0)),
        ("Score is: 4", Ok(4.0)),
        ("Score: a 4", Ok(4.0)),
        ("Score: an answer", Err(Reason::NotANumber)),
        ("Accuracy: 3 errors", Err(Reason::None)),
        ("Accuracy is 3", Err(Reason::None)),
        ("Accuracy: 3", Ok(3.0)),
        ("All in all (accuracy: 3).", Ok(3.0)),
        ("All in all the accuracy: 3", Err(Reason::None)),
    ]);
}

#[test]
fn what_follows_a_number_makes_another_of_it() {
    check(&[
        ("Score: 4;5", Err(Reason::Several)),
        ("Score: 4_x", Err(Reason::NotANumber)),
        ("Score: 4’s", Err(Reason::NotANumber)),
        ("Score: 4…", Ok(4.0)),
        ("Score: 4。5", Err(Reason::NotANumber)),
        ("Score: 4 point 5", Err(Reason::NotANumber)),
        ("Score: 4 points", Ok(4.0)),
        ("Score: 4 × 2", Err(Reason::NotANumber)),
        ("Score: 4 ^ 2", Err(Reason::NotANumber)),
        ("Score: 4 & 5", Err(Reason::Several)),
        ("Score: 4 ... 5", Err(Reason::Several)),
        ("Score: 4 (½)", Err(Reason::NotANumber)),
        ("Score: 4 (fine)", Ok(4.0)),
        ("Score: 4 and nothing more", Ok(4.0)),
        ("Score: 4 million", Err(Reason::NotANumber)),
        ("Score: 4 half", Err(Reason::NotANumber)),
        ("Score: 4 in 5", Ok(4.0)),
        ("Score: 4 over 10", Err(Reason::OtherScale)),
        ("Score: 4 on a 1-5 scale", Ok(4.0)),
        ("Score: 4 on a scale of 1 to 5", Ok(4.0)),
        ("Score: 4 on a scale from 1 to 10", Err(Reason::OtherScale)),
        ("Score: 4 on a scale of 1 to many", Ok(4.0)),
        ("Score: 4 on the 3 claims", Ok(4.0)),
        ("Score: 4 on the whole", Ok(4.0)),
        ("Score: 4 on a 5-point scale", Ok(4.0)),
    ]);
}

#[test]
fn what_stands_before_a_label_decides() {
    let long = format!("{} score of 3 it is", "x".repeat(25));
    check(&[
        ("The score of 3 it is", Ok(3.0)),
        (&long, Err(Reason::None)),
        ("It is not bad so I give a score of 3 here", Ok(3.0)),
        ("I can not give a score of 3 here", Err(Reason::None)),
        // What is denied more than twelve words before is too far away to matter.
        (
            "It is not the case that these many words here would ever keep me from giving a score \
             of 3 here",
            Ok(3.0),
        ),
        ("It is not the case that these words would keep me from a score of 3", Err(Reason::None)),
        ("1. Score: 4", Ok(4.0)),
        ("12) Score: 4", Ok(4.0)),
    ]);
}

#[test]
fn a_score_that_is_turned_down_must_agree() {
    check(&[
        ("I think a score of 4 is too high.", Err(Reason::None)),
        ("I think a score of 4 is too high, so it gets a score of 3.", Err(Reason::Several)),
        ("I think a score of 3 is not deserved, or a score of 3 is.", Ok(3.0)),
    ]);
}

#[test]
fn blocks_end_with_their_own_tag() {
    check(&[
        ("<think>Score: 2</b></reasoning> </think>Score: 4", Ok(4.0)),
        ("<think>Score: 2</thin", Err(Reason::CutOff)),
    ]);
}

#[test]
fn headings_of_sections_have_many_forms() {
    let rubric = five_of(Some(&["clarity"]));
    for (reply, expected) in [
        ("Accuracy (1-5)\nScore: 4\nClarity\nScore: 2", Ok(4.0)),
        ("Accuracy - facts\nScore: 4\nClarity: style\nScore: 2", Ok(4.0)),
        ("Accuracy\nThis is about all the facts in it.\nScore: 4", Ok(4.0)),
        ("Accuracy of all facts that there are\nScore: 4", Err(Reason::None)),
        ("Accuracy\n...\nScore: 4", Ok(4.0)),
        ("Accuracy\nReason: fine\nScore: 4", Ok(4.0)),
        ("Accuracy\nTone of it: fine\nScore: 4", Err(Reason::None)),
    ] {
        let found = parse(reply.as_bytes(), &rubric).map(|(score, _)| score);
        assert_eq!(found, expected, "{reply:?}");
    }
}
