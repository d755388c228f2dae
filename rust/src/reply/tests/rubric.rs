//! Compiled rubrics, and those that the tests share.

use crate::reply::Reason;
use crate::reply::letters::Text;
use crate::reply::rubric::*;

fn level(low: f64, high: f64, line: &str) -> Level {
    let description = line.split_once(": ").map_or(line, |(_, text)| text);
    Level { low, high, line: line.to_owned(), description: description.to_owned() }
}

fn compiled(levels: Vec<Level>, names: &[&str], others: Option<&[&str]>) -> Rubric {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Rubric::new(
        levels,
        &Terms {
            names: owned(names),
            others: others.map(owned),
            field: "score".to_owned(),
            markers: owned(&["评分"]),
        },
    )
}

/// Accuracy, from 5 down to 1.
pub(crate) fn five() -> Rubric {
    five_of(None)
}

/// The same in replies that hold other scores.
pub(crate) fn five_of(others: Option<&[&str]>) -> Rubric {
    let lines = ["5: No errors", "4: Few errors", "3: Some errors", "2: Many errors", "1: Wrong"];
    let levels = lines.iter().zip(0..).map(|(line, i)| {
        let score = 5.0 - f64::from(i);
        level(score, score, line)
    });
    compiled(levels.collect(), &["accuracy"], others)
}

#[test]
fn numbers_are_looked_up() {
    let rubric = five();
    assert_eq!(rubric.verdict(5.0), Ok((5.0, 0)));
    assert_eq!(rubric.verdict(3.5), Err(Reason::BetweenLevels));
    for value in [0.0, 5.5, f64::INFINITY, f64::NAN] {
        assert_eq!(rubric.verdict(value), Err(Reason::OutOfRange));
    }
    let open = compiled(
        vec![level(9.0, f64::INFINITY, "9 or more: good"), level(0.0, 8.0, "0-8: bad")],
        &[],
        None,
    );
    assert_eq!(open.verdict(1e9), Ok((1e9, 0)));
    assert_eq!(open.verdict(8.5), Err(Reason::BetweenLevels));
    assert_eq!((open.high(), open.verdict(-0.0)), (None, Ok((0.0, 1))));
}

#[test]
fn lines_of_levels_are_known() {
    let rubric = five();
    for line in ["- 4: Few errors", "**4**: few  errors.", "Few errors", "> *Few errors!*"] {
        assert_eq!(rubric.level_text(line.as_bytes()), Some(Ok(4.0)), "{line}");
    }
    assert_eq!(rubric.level_text(b"Few errors, I think"), None);
    let twice = compiled(vec![level(1.0, 1.0, "1: x"), level(2.0, 3.0, "2-3: x")], &[], None);
    assert_eq!(twice.level_text(b"x"), Some(Err(Reason::Several)));
}

#[test]
fn names_are_found_in_both_directions() {
    let rubric = compiled(Vec::new(), &["technical_accuracy"], None);
    let text = Text(b"The Technical  accuracy score");
    assert_eq!(rubric.name(text, 4), Some(23));
    assert_eq!(rubric.name_before(text, 23), Some(4));
    assert_eq!(rubric.keyword(text, 24), Some(29));
    assert!(rubric.is_own_name(b"technical-accuracy_score") && !rubric.is_own_name(b"accuracy"));
    assert!(rubric.is_field(b"Score") && rubric.is_field(b"final_score"));
    assert!(!rubric.is_field(b"scores") && !rubric.is_field(b"my score"));
}
