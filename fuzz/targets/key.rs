//! A scoring key of any options, and what it says of any decisions, against the slow model.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use scorekey::codes::Codes;
use scorekey::interner::Interner;
use scorekey::items::ItemIds;
use scorekey::key::{AnswerOption, Item, ScoringKey};
use scorekey::ladder::Matching;
use scorekey::outcome::Outcome;
use scorekey::score::{Answers, Matches};
use scorekey::values::Value;
use scorekey::workers::Workers;

#[path = "../../rust/tests/model.rs"]
#[allow(dead_code, reason = "each target holds the core against a part of the model")]
mod model;

#[derive(Arbitrary, Debug)]
struct Case<'a> {
    sets: Vec<Vec<(&'a [u8], i8, bool)>>,
    items: Vec<(u8, bool)>,
    rows: Vec<(u8, Decision<'a>)>,
}

#[derive(Arbitrary, Debug)]
enum Decision<'a> {
    Missing,
    Text(&'a [u8]),
    /// An option's text, in capitals or not.
    Option(u8, u8, bool),
}

fuzz_target!(|case: Case<'_>| {
    let option = |(text, weight, ignored): &(&[u8], i8, bool)| AnswerOption {
        text: (*text).into(),
        weight: f64::from(*weight),
        ignored: *ignored,
    };
    let sets: Vec<Vec<AnswerOption>> =
        case.sets.iter().map(|set| set.iter().map(option).collect()).collect();
    let items = case.items.iter().map(|(options, reversed)| Item {
        options: usize::from(*options),
        reversed: *reversed,
        scale: 0,
        range: None,
    });
    let items: Vec<Item> = items.collect();
    let sound = items.iter().all(|item| item.options < sets.len());
    let key = ScoringKey::new(&sets, &items);
    assert_eq!(key.is_ok(), sound);
    let lenient = ScoringKey::with_matching(&sets, &items, Matching::Lenient);
    let (Ok(key), Ok(lenient)) = (key, lenient) else { return };
    if items.is_empty() {
        return;
    }
    let text = |decision: &Decision<'_>| match decision {
        Decision::Missing => None,
        Decision::Text(text) => Some(text.to_vec()),
        Decision::Option(set, option, capitals) => {
            let set = sets.get(usize::from(*set) % sets.len())?;
            let text = &set.get(usize::from(*option) % set.len().max(1))?.text;
            Some(if *capitals { text.to_ascii_uppercase() } else { text.to_vec() })
        }
    };
    let ids: Vec<u8> =
        case.rows.iter().map(|(item, _)| (usize::from(*item) % items.len()) as u8).collect();
    let texts: Vec<Option<Vec<u8>>> = case.rows.iter().map(|(_, d)| text(d)).collect();
    let mut interner = Interner::default();
    let code = |text: &Option<Vec<u8>>| {
        text.as_ref().map_or(0, |text| interner.text(text).expect("there is room"))
    };
    let rows = texts.iter().map(code).collect();
    let decisions = Codes { rows, values: interner.finish() };
    let ids_of_rows = ItemIds::alone(&ids, items.len()).expect("all are positions");
    let answers = Answers::new(Arc::new(key), ids_of_rows.into(), decisions.into());
    let answers = answers.expect("equally long");
    let mut scores = vec![0.0; texts.len()];
    answers.scores(&mut scores, &Workers::alone()).expect("there is room");
    for (row, (id, text)) in ids.iter().zip(&texts).enumerate() {
        let Item { options, reversed, .. } = items[usize::from(*id)];
        let expected = model::outcome(&sets[options], reversed, text.as_deref());
        assert_eq!(answers.outcome(row), Some((expected, true)), "{text:?}");
        let (got, score) = (scores[row], expected.score());
        assert!(got == score || (got.is_nan() && score.is_nan()));
        // Lenient matching begins where strict matching finds nothing.
        let decision = text.as_deref().map_or(Value::Missing, Value::Text);
        let found = lenient.outcome_of(u32::from(*id), lenient.classify(decision));
        assert!(found == expected || expected == Outcome::Unmatched, "{text:?}: {found:?}");
    }
    let has_match =
        (0..answers.len()).any(|row| answers.outcome(row).is_some_and(|(o, _)| o.is_match()));
    assert!(!has_match || answers.matches() == Matches::Some);
});
