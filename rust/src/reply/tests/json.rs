//! Objects in replies.

use crate::reply::json::*;
use crate::reply::letters::Text;
use crate::reply::tests::rubric::five;
use crate::reply::{Reading, Reason};

fn complete(text: &str) -> Option<(usize, Option<Reading>, Option<Reading>)> {
    match scan(Text(text.as_bytes()), 0, &five()) {
        Scan::Complete(object) => {
            let Findings { named, plain } = object.findings;
            Some((object.end, named.result(), plain.result()))
        }
        _ => None,
    }
}

#[test]
fn fields_are_found() {
    for (text, named, plain) in [
        (r#"{"score": 4}"#, None, Some(Ok(4.0))),
        (r#"{"sc\u006fre": "4/5", "x": [{"score": 1}]}"#, None, Some(Ok(4.0))),
        (r#"{"accuracy": 4, "score": 3}"#, Some(Ok(4.0)), Some(Ok(3.0))),
        (r#"{"result": {"score": 2}}"#, None, Some(Ok(2.0))),
        (r#"{"confidence": {"score": 2}}"#, None, None),
        (r#"{"accuracy": {"score": 2}}"#, Some(Ok(2.0)), None),
        (r#"{"criterion": "clarity", "score": 2}"#, None, None),
        (r#"{"criterion": "Accuracy", "score": 2}"#, Some(Ok(2.0)), None),
        (r#"{"score": [2]}"#, None, Some(Err(Reason::NotANumber))),
        (r#"{"score": 4, "out_of": 10}"#, None, Some(Err(Reason::OtherScale))),
        (r#"{"score": 4, "Final_Score": 3}"#, None, Some(Err(Reason::Several))),
        (r#"{"score": -Infinity}"#, None, Some(Err(Reason::NotANumber))),
    ] {
        assert_eq!(complete(text), Some((text.len(), named, plain)), "{text}");
    }
}

#[test]
fn what_breaks_is_told_from_what_is_cut_off() {
    for text in ["{\"", "{ \"a\"", "{\"a\": tru", "{\"a\": 4.", "{\"a\": \"\\u00", "{\"a\": [1, "] {
        let found = scan(Text(text.as_bytes()), 0, &five());
        assert!(matches!(found, Scan::CutOff), "{text}");
    }
    for (text, at) in [
        ("{", 1),
        ("{ 1", 2),
        ("{}", 2),
        ("{\"a\": 04", 7),
        ("{\"a\": 1,}", 8),
        ("{\"a\": \"\\x\"", 8),
        ("{\"a\": [1}", 8),
    ] {
        let found = scan(Text(text.as_bytes()), 0, &five());
        assert!(matches!(found, Scan::Broken(place, _) if place == at), "{text}: {found:?}");
    }
}

#[test]
fn complete_objects_survive_in_a_broken_one() {
    let text = r#"{"a": {"score": 4, "b": {"score": 1}}, "c": {"score": 2}, oops"#;
    let found = scan(Text(text.as_bytes()), 0, &five());
    let starts = |inner: &[Object]| inner.iter().map(|object| object.start).collect::<Vec<_>>();
    assert!(matches!(found, Scan::Broken(_, inner) if starts(&inner) == [6, 44]));
    let deep = "{\"a\":".repeat(200);
    let found = scan(Text(deep.as_bytes()), 0, &five());
    assert!(matches!(found, Scan::Broken(at, _) if at == 5 * 128));
}
