//! Input at the edge of what a branch of the core is for.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::Command;
use std::sync::Arc;

use scorekey::aggregate::{Scales, Statistic, aggregate};
use scorekey::cells::{Cells, Place};
use scorekey::codes::{BLOCK, Codes, Narrow};
use scorekey::encode::{TextChunk, indices, texts};
use scorekey::error::Error;
use scorekey::group::{Grouper, KeyColumn, Keys};
use scorekey::interner::Interner;
use scorekey::items::ItemIds;
use scorekey::key::{AnswerOption, Item, ScoringKey};
use scorekey::order::{ranks, ranks_of};
use scorekey::reply::column::{Cell, Row, score_all};
use scorekey::reply::{Level, Rubric, Terms};
use scorekey::rows::{Rows, ScoredAnswers, ScoredRows};
use scorekey::score::Answers;
use scorekey::statistic::{Accumulator, ExactSum, Sum};
use scorekey::values::Value;
use scorekey::workers::{FEWEST_ROWS, Workers};

#[test]
fn every_error_says_where_and_what() {
    for (error, text) in [
        (
            Error::Length { what: "decisions", got: 2, expected: 3 },
            "decisions: expected 3 rows, got 2",
        ),
        (Error::Offsets { row: 7 }, "the text of row 7 lies outside the column's buffer"),
        (
            Error::Code { row: 1, code: -5, limit: 4 },
            "row 1 has the code -5, but codes must be below 4",
        ),
        (
            Error::Reference { item: 2, what: "answer options" },
            "item 2 refers to answer options that the questionnaire does not have",
        ),
        (
            Error::Weight { options: 0, option: 1 },
            "option 1 of option set 0 has a weight that is not a finite number",
        ),
        (Error::Interrupted, "the work was interrupted"),
        (
            Error::TooMany { what: "respondents" },
            "more than 4294967294 respondents cannot be told apart",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn what_has_no_rows_is_empty() {
    assert!(Narrow::default().is_empty() && !Narrow::U16(vec![300]).is_empty());
    let mut cells: Cells<ExactSum> = Cells::new(3, 10, 10);
    assert!(cells.is_empty());
    cells.reserve(1);
    assert!(!cells.is_empty() && cells.len() == 3);
    let scale_of = [0];
    for (scores, is_empty) in [(&[][..], true), (&[1.0][..], false)] {
        let scales: Narrow = scores.iter().map(|_| 0).collect();
        assert_eq!(ScoredRows::new(&scales, &scale_of, scores).unwrap().is_empty(), is_empty);
    }
    let values = Interner::default().finish();
    assert!(values.is_empty() && values.get(0).is_none());
    assert!(answers(&[]).is_empty() && !answers(&[0]).is_empty());
}

fn answers(items: &[u8]) -> Answers {
    let option = AnswerOption { text: (*b"a").into(), weight: 2.0, ignored: false };
    let key = ScoringKey::new(
        &[vec![option]],
        &[Item { options: 0, reversed: false, scale: 0, range: None }],
    );
    let mut interner = Interner::default();
    let rows = items.iter().map(|_| interner.text(b"a").unwrap()).collect();
    let decisions = Codes { rows, values: interner.finish() };
    let ids = ItemIds::alone(items, 1).unwrap();
    Answers::new(Arc::new(key.unwrap()), ids.into(), decisions.into()).unwrap()
}

#[test]
fn columns_of_another_length_are_refused() {
    let scales: Narrow = [0, 0].into_iter().collect();
    let error = Error::Length { what: "scales", got: 2, expected: 1 };
    assert_eq!(ScoredRows::new(&scales, &[0], &[1.0]).map(|_| ()), Err(error));
    let error = Error::Length { what: "scores", got: 3, expected: 1 };
    assert_eq!(answers(&[0]).scores(&mut [0.0; 3], &Workers::alone()), Err(error));
    let error = Error::Length { what: "mask", got: 1, expected: 2 };
    let found = indices(&[0_i8, 0], Some(&[true]), &Codes::default());
    assert_eq!(found.map(|_| ()), Err(error));
}

#[test]
fn more_rows_than_can_be_counted_are_refused() {
    let error = Error::TooMany { what: "rows" };
    assert_eq!(Keys::new(Vec::new(), 1 << 31).map(|_| ()), Err(error));
    assert!(Keys::new(Vec::new(), (1 << 31) - 1).is_ok());
}

#[test]
fn a_scattered_grid_takes_rows_like_a_full_one() {
    let mut scattered: Cells<ExactSum> = Cells::new(9000, 2, 3);
    scattered.reserve(3);
    scattered.add(&[2, 0, 2], &[8999, 4, 8999], &[1.0, f64::NAN, 2.0]);
    scattered.reserve(4);
    scattered.add(&[3], &[0], &[5.0]);
    let mut found = Vec::new();
    for Place { group, scale, place } in scattered.places(&[3, 2, 1, 0]) {
        let cell = scattered.get(place);
        found.push((group, scale, cell.statistic.0, cell.items(), cell.rows()));
    }
    assert_eq!(found, [(3, 0, 5.0, 1, 1), (2, 8999, 3.0, 2, 2), (0, 4, 0.0, 0, 1)]);
}

#[test]
fn respondents_in_any_order_are_found_among_many_possible_ones() {
    // Far more possible combinations than rows, so marks are hashed; the same ones come again in
    // an order that cannot be guessed.
    let n = 70_000_u32;
    let codes: Vec<u32> = [5, 9, 1, 5, 1, 9, 9, 5].into();
    let column: Narrow = codes.iter().copied().chain([n]).collect();
    let ranks = ranks_of(&(0..n as usize).collect::<Vec<_>>());
    let key = || KeyColumn { rows: &column, ranks: ranks.clone() };
    let keys = Keys::new(vec![key(), key()], 9).unwrap();
    let mut grouper = Grouper::new(&keys);
    let mut groups = [0; 9];
    grouper.read(0, &mut groups).unwrap();
    assert_eq!(groups, [0, 1, 2, 0, 2, 1, 1, 0, 3]);
    assert_eq!((grouper.order(), grouper.first_rows()), (vec![2, 0, 1, 3], &[0, 1, 2, 8][..]));
}

#[test]
fn values_move_from_one_interner_to_another() {
    let mut first = Interner::default();
    assert_eq!((first.truth(true), first.truth(true)), (Ok(1), Ok(1)));
    first.float(0.5).unwrap();
    first.other().unwrap();
    first.int(3).unwrap();
    first.text(b"t").unwrap();
    let mut values = first.finish();
    values.replace(2, None).expect("short");
    let mut second = Interner::default();
    second.text(b"t").unwrap();
    second.other().unwrap();
    let codes: Vec<u32> = values.iter().map(|value| second.value(value).unwrap()).collect();
    assert_eq!(codes, [3, 4, 5, 6, 1]);
    assert_eq!(second.value(Value::Other(9)), Ok(7), "only its caller knows whether it is new");
    let values = second.finish();
    let expected = [
        Value::Text(b"t"),
        Value::Other(0),
        Value::Bool(true),
        Value::Float(0.5),
        Value::Missing,
        Value::Int(3),
        Value::Other(1),
    ];
    assert!(values.iter().eq(expected));
    assert_eq!(ranks(&values), None, "values of another kind have no order here");
}

#[test]
fn a_replaced_value_sorts_as_what_it_is() {
    let mut interner = Interner::default();
    for _ in 0..2 {
        interner.other().unwrap();
    }
    interner.int(1).unwrap();
    let mut values = interner.finish();
    values.replace(0, None).expect("short");
    values.replace(1, Some(b"text")).expect("short");
    values.replace(9, Some(b"nobody")).expect("short");
    assert_eq!(ranks(&values), Some(vec![3, 2, 1, 0]), "number, text, missing");
}

#[test]
fn positions_may_be_of_single_precision() {
    let ids = ItemIds::alone(&[0.0_f32, 2.0, -0.0], 3).expect("all are positions");
    assert_eq!(ids.present(3), [0, 2]);
    for wrong in [0.5_f32, f32::NAN, 3.0, -1.0] {
        assert!(ItemIds::alone(&[wrong], 3).is_none(), "{wrong}");
    }
    let codes = Codes { rows: [0].into_iter().collect(), ..Codes::default() };
    assert!(ItemIds::from_codes(&codes, &[None], 3).is_none(), "a missing id is none");
    assert!(ItemIds::from_codes(&codes, &[Some(2)], 3).is_some());
    let mut interner = Interner::default();
    interner.int(7).unwrap();
    // The missing one comes far behind all values.
    let rows = std::iter::repeat_n(1, BLOCK).chain([0]).collect();
    let late = Codes { rows, values: interner.finish() };
    assert!(ItemIds::from_codes(&late, &[None, Some(0)], 3).is_none());
    assert!(ItemIds::from_codes(&late, &[Some(1), Some(0)], 3).is_some());
    let mut interner = Interner::default();
    interner.int(7).unwrap();
    let codes = Codes { rows: [1].into_iter().collect(), values: interner.finish() };
    assert!(ItemIds::from_codes(&codes, &[Some(2), None], 3).is_none());
    assert!(ItemIds::from_codes(&codes, &[Some(2), Some(3)], 3).is_none(), "there is no item 3");
}

#[test]
fn appearances_are_not_sought_behind_the_last_new_value() {
    let mut interner = Interner::default();
    interner.int(1).unwrap();
    let rows = std::iter::repeat_n(1, BLOCK).chain([0]).collect();
    let codes = Codes { rows, values: interner.finish() };
    assert_eq!(codes.appearances(), [(1, 0)]);
    assert_eq!(codes.first_missing(), Some(BLOCK));
    let only_missing = Codes { rows: [0, 0].into_iter().collect(), ..Codes::default() };
    assert_eq!(only_missing.appearances(), [(0, 0)]);
}

#[test]
fn compensated_sums_of_parts_make_the_sum_of_the_whole() {
    let (mut one, mut two) = (Sum::default(), Sum::default());
    [1e16, 1.0].into_iter().for_each(|score| one.add(score));
    [-1e16, 1.0].into_iter().for_each(|score| two.add(score));
    one.merge(&two);
    assert_eq!(one.total(), 2.0);
}

#[test]
fn a_key_knows_which_items_clash() {
    let option = |weight| AnswerOption { text: (*b"a").into(), weight, ignored: false };
    let sets = [vec![option(1.0), option(2.0)], vec![option(1.0)]];
    let item = |options| Item { options, reversed: false, scale: 0, range: None };
    let key = ScoringKey::new(&sets, &[item(1), item(0)]).unwrap();
    assert!(key.has_clashes() && !ScoringKey::new(&sets, &[item(1)]).unwrap().has_clashes());
    assert_eq!((key.clashes(0).len(), key.clashes(1).len(), key.clashes(2).len()), (0, 1, 0));
    assert_eq!((key.range(1), key.range(2)), (Some((1.0, 2.0)), None));
}

fn rubric() -> Rubric {
    let level = Level { low: 1.0, high: 5.0, line: "1-5: any".into(), description: "any".into() };
    Rubric::new(vec![level], &Terms { field: "score".into(), ..Terms::default() })
}

/// Run by the next test, in a process in which no thread can be started.
#[test]
#[ignore = "needs a process of its own"]
fn work_in_a_process_without_threads() {
    assert!(std::thread::Builder::new().spawn(|| ()).is_err(), "threads can be started after all");
    let rows = FEWEST_ROWS * 3;
    let offsets: Vec<i32> = (0..=rows as i32).collect();
    let letters: Vec<u8> = (0..rows).map(|row| b'a' + (row % 7) as u8).collect();
    let chunk = TextChunk { offsets: &offsets, letters: &letters, validity: None, skip: 0 };
    let codes = texts(&[chunk], &Workers::new(3, &|| true)).unwrap();
    assert_eq!((codes.rows.len(), codes.values.len()), (rows, 7));
    let mut scored = vec![Row::EMPTY; 1000];
    score_all(&vec![Cell::Text(b"Score: 4"); 1000], &rubric(), 4, &mut scored);
    assert!(scored.iter().all(|row| row.score == 4.0));
}

#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn without_threads_the_caller_does_all_the_work() {
    let result = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "work_in_a_process_without_threads", "--test-threads=1"])
        // No system has room for such a stack.
        .env("RUST_MIN_STACK", (1_u64 << 60).to_string())
        .output()
        .unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stdout));
}

#[test]
fn totals_of_a_scattered_grid_cover_all_scales() {
    let groups: Narrow = [1, 2, 1].into_iter().collect();
    let scales: Narrow = [8999, 0, 4].into_iter().collect();
    let scale_of: Vec<u32> = (0..9001).collect();
    let source = ScoredRows::new(&scales, &scale_of, &[2.0, f64::NAN, 3.0]).unwrap();
    let keys = vec![KeyColumn { rows: &groups, ranks: vec![2, 0, 1] }];
    let keys = Keys::new(keys, 3).unwrap();
    let of = Scales { number: 9001, total: true };
    let table = aggregate(&source, &keys, of, Statistic::Sum, &Workers::alone()).unwrap();
    assert_eq!(table.scales, [4, 8999, 9000, 0, 9000]);
    assert_eq!(table.first_rows, [0, 0, 0, 1, 1]);
    assert_eq!(table.n_items, [1, 1, 2, 0, 0]);
    assert_eq!(table.n_missing, [0, 0, 0, 1, 1]);
    assert_eq!(table.scores[..3], [3.0, 2.0, 5.0]);
    assert!(table.scores[3..].iter().all(|score| score.is_nan()));
}

#[test]
fn codes_of_every_width_are_picked_recoded_and_found() {
    for (largest, width) in [(255_u32, 1), (256, 2), (65_535, 2), (65_536, 4)] {
        let picked = Narrow::picked(&[largest, 1], [1, 0, 1, 0].into_iter());
        let found = match &picked {
            Narrow::U8(_) => 1,
            Narrow::U16(_) => 2,
            Narrow::U32(_) => 4,
        };
        assert_eq!(found, width, "{largest}");
        assert_eq!([0, 1, 2, 3].map(|row| picked.get(row)), [1, largest, 1, largest].map(Some));
        let mut interner = Interner::default();
        (0..largest).for_each(|number| {
            interner.int(i128::from(number)).unwrap();
        });
        let codes = Codes { rows: picked, values: interner.finish() };
        assert_eq!(codes.appearances(), [(1, 0), (largest, 1)]);
        assert_eq!(codes.count(&[largest]), 2);
        let table: Vec<u32> = (0..=largest).rev().collect();
        let recoded = codes.recode(&table).unwrap();
        assert_eq!([0, 1].map(|row| recoded.get(row)), [Some(largest - 1), Some(0)]);
        let error = Error::Code { row: 1, code: i64::from(largest), limit: 2 };
        assert_eq!(codes.recode(&[0, 1]), Err(error));
    }
}

#[test]
fn appearances_step_over_blocks_of_one_known_code() {
    let mut interner = Interner::default();
    (0..3).for_each(|number| {
        interner.int(number).unwrap();
    });
    let rows = std::iter::repeat_n(1, BLOCK * 3).chain([2, 1, 3]).collect();
    let codes = Codes { rows, values: interner.finish() };
    assert_eq!(codes.appearances(), [(1, 0), (2, BLOCK * 3), (3, BLOCK * 3 + 2)]);
}

#[test]
fn positions_of_very_many_items_are_taken() {
    for most in [256_u32, 257, 65_536, 65_537] {
        let ids = ItemIds::alone(&[most - 1, 0], most as usize).expect("all are positions");
        assert_eq!((ids.rows().get(0), ids.rows().get(1)), (Some(most - 1), Some(0)));
        assert!(ItemIds::alone(&[most], most as usize).is_none());
    }
}

#[test]
fn answers_of_a_very_large_key_have_their_scales() {
    // So many classes in so many tables that they are looked up, not unrolled.
    let sets: Vec<Vec<AnswerOption>> = (0..1100)
        .map(|set| {
            vec![AnswerOption {
                text: format!("option {set}").into_bytes().into(),
                weight: f64::from(set),
                ignored: false,
            }]
        })
        .collect();
    let item = |options| Item { options, reversed: false, scale: options as u32 % 3, range: None };
    let key = ScoringKey::new(&sets, &(0..1100).map(item).collect::<Vec<_>>()).unwrap();
    let mut interner = Interner::default();
    let rows = [7, 8, 1099].map(|set| interner.text(format!("OPTION {set}").as_bytes()).unwrap());
    let decisions = Codes { rows: rows.into_iter().collect(), values: interner.finish() };
    let ids = ItemIds::alone(&[7_u32, 9, 1099], 1100).unwrap();
    let answers = Answers::new(key.into(), ids.into(), decisions.into()).unwrap();
    let (mut scales, mut scores) = ([0; 3], [0.0; 3]);
    ScoredAnswers::new(&answers).read(0, &mut scales, &mut scores);
    assert_eq!(scales, [1, 0, 1]);
    assert!(scores[0] == 7.0 && scores[1].is_nan() && scores[2] == 1099.0);
}

#[test]
fn a_run_that_leaves_its_buffer_is_refused_at_its_first_row_outside() {
    // The second block is read run by run; equal lengths alone do not make its rows repetitions.
    let sound = BLOCK + 5;
    let letters = b"ab".repeat(sound);
    let offsets: Vec<i32> = (0..=BLOCK as i32 * 2).map(|row| row * 2).collect();
    let chunk = TextChunk { offsets: &offsets, letters: &letters, validity: None, skip: 0 };
    let found = texts(&[chunk], &Workers::alone()).map(|codes| codes.rows.len());
    assert_eq!(found, Err(Error::Offsets { row: sound }));
    let chunk = TextChunk { offsets: &offsets[..=sound], ..chunk };
    let found = texts(&[chunk], &Workers::alone()).map(|codes| codes.values.len());
    assert_eq!(found, Ok(1));
}
