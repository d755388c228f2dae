//! Labels.

use crate::reply::context::is_permitted;
use crate::reply::label::{Joint, keyword};
use crate::reply::letters::Text;
use crate::reply::tests::rubric::five;
use crate::reply::{Reading, Reason};

fn found(text: &str) -> Option<(usize, bool, Joint, Reading)> {
    let (all, rubric) = (Text(text.as_bytes()), five());
    let start = text.to_lowercase().find("score")?;
    let label = keyword(all, (start, start + 5), false, &rubric)?;
    Some((label.start, label.named, label.joint, label.reading))
}

#[test]
fn labels_have_phrases_scales_and_joints() {
    for (text, expected) in [
        ("Score: 4", Some((0, false, Joint::Strong, Ok(4.0)))),
        ("a Final accuracy score = 4", Some((2, true, Joint::Strong, Ok(4.0)))),
        ("Score for the accuracy is 4", Some((0, true, Joint::Weak, Ok(4.0)))),
        ("score (1-5): 4", Some((0, false, Joint::Strong, Ok(4.0)))),
        ("score (1-9): 4", Some((0, false, Joint::Strong, Err(Reason::OtherScale)))),
        ("score (fluency): 4", None),
        ("<score>4", Some((1, false, Joint::Tag, Ok(4.0)))),
        ("score 4", Some((0, false, Joint::Bare, Ok(4.0)))),
        ("score 4 of them", None),
        ("score\n4", Some((0, false, Joint::Line, Ok(4.0)))),
        ("score:\n4 errors", Some((0, false, Joint::Strong, Err(Reason::NotANumber)))),
        ("score is based on it", None),
        ("score is not given", Some((0, false, Joint::Strong, Err(Reason::NotANumber)))),
        ("score of 5 means", None),
        ("scores: 4", None),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn the_words_before_decide() {
    let permitted = |text: &str| is_permitted(Text(text.as_bytes()), text.len(), &five());
    for text in ["", "I give it a ", "so: ", "It is not bad and gets a ", "📊 ", "Accuracy: "] {
        assert!(permitted(text), "{text}");
    }
    for text in [
        "the confidence ",
        "does not deserve a ",
        "If it were complete, I would give a ",
        "more than a ",
    ] {
        assert!(!permitted(text), "{text}");
    }
}
