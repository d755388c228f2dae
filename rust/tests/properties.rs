//! What holds for every questionnaire, every column and every set of answers.
//!
//! `SCOREKEY_PROFILE=1000` (or 10000) tries more examples of each.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod model;

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use scorekey::aggregate::{Scales, Statistic, Table, aggregate, gather};
use scorekey::codes::{BLOCK, Codes, Narrow};
use scorekey::decision::float_text;
use scorekey::encode::{Gaps, TextChunk, indices, numbers, texts, truths};
use scorekey::fold::{fold, is_blank, is_space, trim_end, trim_start};
use scorekey::group::{Grouper, KeyColumn, Keys};
use scorekey::interner::Interner;
use scorekey::items::ItemIds;
use scorekey::key::{AnswerOption, Item, ScoringKey};
use scorekey::order::{ranks, ranks_of};
use scorekey::reply::column::{Cell, Row, score_all};
use scorekey::reply::{Level, Rubric, Terms, parse};
use scorekey::rows::{ScoredAnswers, ScoredRows};
use scorekey::score::{Answers, Matches};
use scorekey::spread::spread;
use scorekey::statistic::Whole;
use scorekey::values::Value;
use scorekey::workers::{FEWEST_ROWS, Workers};

use model::{Arrow, Scored};

/// Examples of each property; an interpreter of the code (Miri) gets through few.
fn examples() -> ProptestConfig {
    let number = std::env::var("SCOREKEY_PROFILE").ok().and_then(|number| number.parse().ok());
    let cases = if cfg!(miri) { 2 } else { number.unwrap_or(100) };
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A tenth of them, for properties of so many rows that threads share them.
fn few_examples() -> ProptestConfig {
    let config = examples();
    ProptestConfig { cases: config.cases.div_ceil(10), ..config }
}

// ---------------------------------------------------------------------- what is tried

/// Parts of which texts are made: such as fold, white space, invalid bytes, sentinels.
const PARTS: [&[u8]; 22] = [
    b"a",
    b"A",
    b"b",
    b"1",
    b" ",
    b"\t",
    b"\0",
    b"\x1c",
    b"ss",
    b"not present",
    b"Inconclusive",
    "ß".as_bytes(),
    "ẞ".as_bytes(),
    "ſ".as_bytes(),
    "ﬁ".as_bytes(),
    "İ".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{200b}".as_bytes(),
    "Ꭰ".as_bytes(),
    b"\xed\xa0\x80",
    b"\xff",
];

fn text() -> impl Strategy<Value = Vec<u8>> + Clone {
    let parts = vec(select(&PARTS[..]), 0..5).prop_map(|parts| parts.concat());
    prop_oneof![8 => parts, 1 => vec(any::<u8>(), 0..40)]
}

/// Texts that share much, of every length around the sizes that the interner tells apart.
fn close_text() -> impl Strategy<Value = Vec<u8>> + Clone {
    (select(&[0_usize, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40][..]), any::<[Index; 2]>(), 0_u8..2)
        .prop_map(|(length, [place, _], byte)| {
            let mut text = vec![b'.'; length];
            if length > 0 {
                text[place.index(length)] = b'.' + byte;
            }
            text
        })
}

fn weight() -> impl Strategy<Value = f64> + Clone {
    (-9_i8..10).prop_map(f64::from)
}

fn option_set() -> impl Strategy<Value = Vec<AnswerOption>> {
    let option = (text(), weight(), prop::bool::weighted(0.2));
    let option = option.prop_map(|(text, weight, ignored)| AnswerOption {
        text: text.into(),
        weight,
        ignored,
    });
    vec(option, 0..6)
}

/// Sets of options, items of them, and answers: the item of each and its text.
#[derive(Clone, Debug)]
struct Answered {
    sets: Vec<Vec<AnswerOption>>,
    items: Vec<Item>,
    rows: Vec<(usize, Option<Vec<u8>>)>,
}

const SCALES: u32 = 4;

fn answered() -> impl Strategy<Value = Answered> {
    let item = (any::<Index>(), any::<bool>(), 0..SCALES);
    let row = (
        any::<Index>(),
        prop_oneof![
            4 => (any::<[Index; 2]>(), 0_u8..3).prop_map(Ok),
            2 => text().prop_map(|text| Err(Some(text))),
            1 => Just(Err(None)),
        ],
    );
    (vec(option_set(), 1..4), vec(item, 1..6), vec(row, 0..30)).prop_map(|(sets, items, rows)| {
        let items = items.into_iter().map(|(options, reversed, scale)| Item {
            options: options.index(sets.len()),
            reversed,
            scale,
            range: None,
        });
        let items: Vec<Item> = items.collect();
        let rows = rows.into_iter().map(|(item, decision)| {
            let item = item.index(items.len());
            let text = match decision {
                Err(text) => text,
                // An option's text, as it is or so that it has to be folded; of this item mostly.
                Ok(([set, option], form)) => {
                    let set = if form == 2 { set.index(sets.len()) } else { items[item].options };
                    let option = sets[set].get(option.index(sets[set].len().max(1)));
                    option.map(|option| match form {
                        0 => option.text.to_vec(),
                        _ => [b" ", &*option.text.to_ascii_uppercase(), b"\n"].concat(),
                    })
                }
            };
            (item, text)
        });
        let rows = rows.collect();
        Answered { sets, items, rows }
    })
}

fn column(column: &[Option<Vec<u8>>]) -> Codes {
    let mut interner = Interner::default();
    let rows = column
        .iter()
        .map(|text| text.as_deref().map_or(0, |text| interner.text(text).expect("there is room")));
    Codes { rows: rows.collect(), values: interner.finish() }
}

fn value_of(codes: &Codes, row: usize) -> Option<Value<'_>> {
    let code = codes.rows.get(row).expect("a row") as usize;
    codes.values.get(code.checked_sub(1)?)
}

impl Answered {
    fn key(&self) -> Arc<ScoringKey> {
        ScoringKey::new(&self.sets, &self.items).expect("weights are finite").into()
    }

    fn answers(&self) -> Answers {
        let ids: Vec<u32> = self.rows.iter().map(|(item, _)| *item as u32).collect();
        let decisions: Vec<_> = self.rows.iter().map(|(_, text)| text.clone()).collect();
        let ids = ItemIds::alone(&ids, self.items.len()).expect("all are positions");
        Answers::new(self.key(), ids.into(), column(&decisions).into()).expect("equally long")
    }

    fn scores(&self) -> Vec<u64> {
        scores(&self.answers(), 1)
    }
}

/// The scores of all rows, to the bit.
fn scores(answers: &Answers, threads: usize) -> Vec<u64> {
    let mut scores = vec![0.0; answers.len()];
    answers.scores(&mut scores, &Workers::new(threads, &|| true)).expect("there is room");
    bits(&scores)
}

fn bits(scores: &[f64]) -> Vec<u64> {
    // One NaN is like another.
    scores.iter().map(|s| if s.is_nan() { u64::MAX } else { (s + 0.0).to_bits() }).collect()
}

fn shuffled(length: usize, keys: &[Index]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by_cached_key(|place| keys[place % keys.len()].index(length + place * 7919 % 31));
    order
}

fn some_keys() -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), 1..30)
}

// ---------------------------------------------------------------------- texts

proptest! {
    #![proptest_config(examples())]

    #[test]
    fn folding_is_that_of_the_model(text in text()) {
        let folded = fold(&text);
        prop_assert_eq!(&*folded, &*model::fold(&text));
        prop_assert_eq!(&fold(&folded), &folded);
        prop_assert_eq!(is_blank(&text), folded.is_empty());
    }

    #[test]
    fn trimming_takes_white_space_from_the_ends_alone(text in text()) {
        let inner = trim_end(trim_start(&text, is_space), is_space);
        let place = inner.as_ptr() as usize - text.as_ptr() as usize;
        prop_assert!(is_blank(&text[..place]) && is_blank(&text[place + inner.len()..]));
        for end in [1, 2, 3].into_iter().filter(|end| *end <= inner.len()) {
            prop_assert!(!is_blank(&inner[..end]) && !is_blank(&inner[inner.len() - end..]));
        }
    }

    #[test]
    fn equal_values_have_equal_codes(texts in vec(prop_oneof![close_text(), text()], 0..300)) {
        let mut interner = Interner::default();
        let found: Vec<u32> =
            texts.iter().map(|text| interner.text(text).expect("there is room")).collect();
        prop_assert_eq!(&found, &model::codes(texts.iter().map(Some)));
        let values = interner.finish();
        for (text, code) in texts.iter().zip(found) {
            prop_assert_eq!(values.get(code as usize - 1), Some(Value::Text(text)));
        }
    }

    #[test]
    fn numbers_are_written_so_that_they_can_be_read_back(number in any::<f64>()) {
        prop_assume!(number.is_finite());
        let text = float_text(number);
        prop_assert_eq!(text.parse(), Ok(number));
        let exponent = text.contains('e');
        prop_assert_eq!(exponent, number.fract() != 0.0 && number.abs() < 1e-4);
        prop_assert!(exponent || number.fract() == 0.0 || text.contains('.'), "{}", text);
    }

    #[test]
    fn texts_are_spread_as_they_are_put_together(
        texts in vec(vec(any::<u8>(), 0..40), 1..6), rows in vec(any::<Index>(), 0..50),
    ) {
        let places: Vec<u32> = rows.iter().map(|row| row.index(texts.len()) as u32).collect();
        let (offsets, letters) = spread(&texts, &places).expect("all are there");
        prop_assert_eq!(offsets.len(), places.len() + 1);
        for (bounds, place) in offsets.windows(2).zip(&places) {
            let (from, to) = (bounds[0] as usize, bounds[1] as usize);
            prop_assert_eq!(&letters[from..to], &*texts[*place as usize]);
        }
        prop_assert_eq!(offsets[places.len()], letters.len() as i64);
    }
}

// ---------------------------------------------------------------------- item scores

proptest! {
    #![proptest_config(examples())]

    #[test]
    fn the_score_is_that_of_the_model(case in answered()) {
        let answers = case.answers();
        for (row, (item, text)) in case.rows.iter().enumerate() {
            let Item { options, reversed, .. } = case.items[*item];
            let expected = model::outcome(&case.sets[options], reversed, text.as_deref());
            prop_assert_eq!(answers.outcome(row), Some((expected, true)));
            let same = bits(&[expected.score()]);
            prop_assert_eq!(&scores(&answers, 1)[row..=row], &*same);
        }
    }

    #[test]
    fn flipping_twice_changes_nothing(case in answered()) {
        let mut twice = case.clone();
        for item in &mut twice.items {
            let mut flipped = case.sets[item.options].clone();
            let kept = || flipped.iter().filter(|o| !o.ignored).map(|o| o.weight);
            let middle = kept().fold(f64::INFINITY, f64::min) + kept().fold(f64::NEG_INFINITY, f64::max);
            for option in flipped.iter_mut().filter(|option| !option.ignored) {
                option.weight = middle - option.weight;
            }
            item.options = twice.sets.len();
            item.reversed = !item.reversed;
            twice.sets.push(flipped);
        }
        prop_assert_eq!(twice.scores(), case.scores());
    }

    #[test]
    fn the_order_of_rows_and_of_items_changes_nothing(
        case in answered(), rows in some_keys(), items in some_keys(),
    ) {
        let before = case.scores();
        let order = shuffled(case.rows.len(), &rows);
        let mut after = case.clone();
        after.rows = order.iter().map(|row| case.rows[*row].clone()).collect();
        let expected: Vec<u64> = order.iter().map(|row| before[*row]).collect();
        prop_assert_eq!(after.scores(), expected);
        let order = shuffled(case.items.len(), &items);
        let mut after = case.clone();
        after.items = order.iter().map(|item| case.items[*item]).collect();
        for (item, _) in &mut after.rows {
            *item = order.iter().position(|old| old == item).expect("a permutation");
        }
        prop_assert_eq!(after.scores(), before);
    }

    #[test]
    fn a_part_of_the_rows_scores_as_it_does_in_the_whole(case in answered(), cut in any::<[Index; 2]>()) {
        let mut cut = cut.map(|cut| cut.index(case.rows.len() + 1));
        cut.sort_unstable();
        let mut part = case.clone();
        part.rows = case.rows[cut[0]..cut[1]].to_vec();
        prop_assert_eq!(&*part.scores(), &case.scores()[cut[0]..cut[1]]);
    }

    #[test]
    fn a_verdict_takes_scores_away_and_nothing_else(case in answered(), verdicts in vec(0_u32..3, 30)) {
        let verdicts = &verdicts[..case.rows.len()];
        let mut interner = Interner::default();
        for truth in [false, true] {
            interner.truth(truth).expect("there is room");
        }
        let column = Codes { rows: verdicts.iter().copied().collect(), values: interner.finish() };
        let judged = case.answers().with_verdicts(column.into(), &[false, true, false]).unwrap();
        let judge = |(score, verdict)| if verdict == 1 { u64::MAX } else { score };
        let expected: Vec<u64> = case.scores().into_iter().zip(verdicts.iter().copied()).map(judge).collect();
        prop_assert_eq!(scores(&judged, 1), expected);
        for (row, verdict) in verdicts.iter().enumerate() {
            prop_assert_eq!(judged.outcome(row).map(|(_, valid)| valid), Some(*verdict != 1));
        }
    }

    #[test]
    fn the_example_is_the_first_text_of_the_first_item(case in answered()) {
        let answers = case.answers();
        let outcome = |row: usize| answers.outcome(row).expect("a row").0;
        let rows = 0..case.rows.len();
        let unmatched = || rows.clone().filter(|row| outcome(*row) == scorekey::key::Outcome::Unmatched);
        let expected = if rows.clone().any(|row| outcome(row).is_match()) || unmatched().count() == 0 {
            Matches::Some
        } else {
            // Of the texts of the first item, the one that comes first in the whole column.
            let first_item = unmatched().map(|row| case.rows[row].0).min();
            let texts: Vec<_> = unmatched()
                .filter(|row| Some(case.rows[*row].0) == first_item)
                .map(|row| &case.rows[row].1)
                .collect();
            let example = rows.clone().find(|row| texts.contains(&&case.rows[*row].1)).unwrap();
            Matches::None { rows: unmatched().count(), example }
        };
        prop_assert_eq!(answers.matches(), expected);
    }

    #[test]
    fn numbers_and_truth_values_are_worth_what_their_texts_are(int in -20_i64..20, half in any::<bool>()) {
        let float = int as f64 + if half { 0.5 } else { 0.0 };
        let text = float_text(float);
        let option = |text: &str| AnswerOption { text: text.as_bytes().into(), weight: 7.0, ignored: false };
        let set = vec![option(&text), option("true")];
        let key = ScoringKey::new(&[set], &[Item { options: 0, reversed: false, scale: 0, range: None }]).unwrap();
        let worth = |value| key.outcome_of(0, key.classify(value)).score();
        prop_assert_eq!(worth(Value::Float(float)), 7.0);
        prop_assert_eq!(worth(Value::Int(i128::from(int))).is_nan(), half);
        prop_assert_eq!(worth(Value::Bool(true)), 7.0);
        prop_assert!(worth(Value::Bool(false)).is_nan());
    }

    #[test]
    fn item_ids_are_whole_numbers_below_the_number_of_items(
        ids in vec(prop_oneof![(0_u8..6).prop_map(f64::from), any::<f64>()], 0..5), limit in 0_usize..7,
    ) {
        let position = |id: &f64| (0..limit).position(|item| item as f64 == *id);
        let expected: Option<Vec<usize>> = ids.iter().map(position).collect();
        let found = ItemIds::alone(&ids, limit);
        let whole = |rows: &Narrow| model::rows(rows).into_iter().map(|row| row as usize).collect();
        prop_assert_eq!(found.as_ref().map(|found| whole(found.rows())), expected.clone());
        if let (Some(found), Some(mut expected)) = (found, expected) {
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(found.present(limit), expected);
        }
    }

    #[test]
    fn item_ids_by_code_are_those_of_the_rows(
        rows in vec(0_u32..5, 0..20), positions in vec(prop::option::of(0_u32..4), 5), limit in 0_usize..5,
    ) {
        let mut interner = Interner::default();
        for value in 0..4 {
            interner.int(value).expect("there is room");
        }
        let codes = Codes { rows: rows.iter().copied().collect(), values: interner.finish() };
        let position = |code: &u32| positions[*code as usize].filter(|p| (*p as usize) < limit);
        let expected: Option<Vec<u32>> = rows.iter().map(position).collect();
        let found = ItemIds::from_codes(&codes, &positions, limit);
        prop_assert_eq!(found.map(|found| model::rows(found.rows())), expected);
    }
}

// ---------------------------------------------------------------------- columns

proptest! {
    #![proptest_config(examples())]

    #[test]
    fn codes_keep_their_rows_in_any_width(
        parts in vec(vec(prop_oneof![0_u32..300, 65_000_u32..66_000, any::<u32>()], 0..9), 0..6),
        cut in any::<[Index; 2]>(),
    ) {
        let all = parts.concat();
        let mut extended = Narrow::default();
        for part in &parts {
            extended.extend(part);
        }
        prop_assert_eq!(&model::rows(&extended), &all);
        prop_assert_eq!(&extended, &all.iter().copied().collect::<Narrow>());
        let mut cut = cut.map(|cut| cut.index(all.len() + 1));
        cut.sort_unstable();
        let mut block = vec![0; cut[1] - cut[0]];
        extended.read(cut[0], &mut block);
        prop_assert_eq!(&*block, &all[cut[0]..cut[1]]);
        let width = match &extended {
            Narrow::U8(_) => 8,
            Narrow::U16(_) => 16,
            Narrow::U32(_) => 32,
        };
        let largest = all.iter().copied().max().unwrap_or(0);
        let needed = 32 - largest.leading_zeros();
        prop_assert_eq!(width, if needed <= 8 { 8 } else if needed <= 16 { 16 } else { 32 });
    }

    #[test]
    fn chunks_and_slices_of_text_change_nothing(
        chunks in vec((vec(prop::option::of(text()), 0..12), 0_usize..20), 0..4),
    ) {
        let column: Vec<_> = chunks.iter().flat_map(|(rows, _)| rows.clone()).collect();
        let layouts: Vec<Arrow> = chunks.iter().map(|(rows, skip)| Arrow::of(rows, *skip)).collect();
        let slices: Vec<TextChunk<'_, i32>> = layouts.iter().map(Arrow::chunk).collect();
        let codes = texts(&slices, &Workers::alone()).expect("the buffers are sound");
        prop_assert_eq!(&model::texts(&codes), &column);
        prop_assert_eq!(model::rows(&codes.rows), model::codes(column.iter().map(Option::as_ref)));
        let one_by_one = slices.iter().flat_map(|chunk| {
            (0..chunk.rows()).map(|row| chunk.text(row).expect("in bounds").map(<[u8]>::to_vec))
        });
        prop_assert_eq!(&one_by_one.collect::<Vec<_>>(), &column);
    }

    #[test]
    fn hostile_offsets_are_refused_at_their_first_row(
        offsets in vec(-3_i64..12, 0..8), validity in prop::option::of(vec(any::<u8>(), 0..2)),
        skip in prop_oneof![0_usize..12, Just(usize::MAX)],
    ) {
        let letters = b"lettersxy";
        let chunk = TextChunk { offsets: &offsets, letters, validity: validity.as_deref(), skip };
        let rows: Result<Vec<_>, _> =
            (0..chunk.rows()).map(|row| chunk.text(row).map(|text| text.map(<[u8]>::to_vec))).collect();
        let codes = texts(&[chunk], &Workers::alone());
        prop_assert_eq!(codes.map(|codes| model::texts(&codes)), rows);
    }

    #[test]
    fn numbers_are_one_code_whatever_their_type(
        column in vec(-3_i8..4, 0..40), gaps in vec(prop::bool::weighted(0.2), 40),
    ) {
        let mask = &gaps[..column.len()];
        let shown = |masked: bool| {
            let cell = column.iter().zip(mask).map(move |(n, gap)| (!(*gap && masked)).then_some(*n));
            model::codes(cell)
        };
        let wide: Vec<i64> = column.iter().map(|number| i64::from(*number)).collect();
        let float: Vec<f64> = column.iter().map(|number| f64::from(*number)).collect();
        let single: Vec<f32> = column.iter().map(|number| f32::from(*number)).collect();
        let nan: Vec<f64> =
            float.iter().zip(mask).map(|(n, gap)| if *gap { f64::NAN } else { *n }).collect();
        for (codes, masked) in [
            (numbers(&column, Gaps::No, &Workers::alone()), false),
            (numbers(&wide, Gaps::No, &Workers::alone()), false),
            (numbers(&float, Gaps::No, &Workers::alone()), false),
            (numbers(&single, Gaps::No, &Workers::alone()), false),
            (numbers(&nan, Gaps::No, &Workers::alone()), true),
        ] {
            prop_assert_eq!(model::rows(&codes.expect("there is room").rows), shown(masked));
        }
        // A masked number may have a code of its own, so the codes are compared by their values.
        let masked = numbers(&wide, Gaps::Mask(mask), &Workers::alone()).expect("equally long");
        let sentinel = numbers(&wide, Gaps::Sentinel(2), &Workers::alone()).expect("there is room");
        for (row, number) in wide.iter().enumerate() {
            let expected = Some(Value::Int(i128::from(*number)));
            prop_assert_eq!(value_of(&masked, row), expected.filter(|_| !mask[row]));
            prop_assert_eq!(value_of(&sentinel, row), expected.filter(|_| *number != 2));
        }
        let flags: Vec<bool> = column.iter().map(|number| *number > 0).collect();
        let code = |(flag, gap): (&bool, &bool)| if *gap { 0 } else { u32::from(*flag) + 1 };
        let expected: Vec<u32> = flags.iter().zip(mask).map(code).collect();
        prop_assert_eq!(model::rows(&truths(&flags, Some(mask)).expect("equally long").rows), expected);
    }

    #[test]
    fn categories_are_their_texts(
        names in vec(prop::option::of(text()), 1..6), rows in vec((any::<Index>(), 0_u8..9), 0..40),
    ) {
        let layout = Arrow::of(&names, 3);
        let categories = texts(&[layout.chunk()], &Workers::alone()).expect("sound buffers");
        let place = |(index, gap): &(Index, u8)| if *gap == 0 { -1 } else { index.index(names.len()) as i8 };
        let column: Vec<i8> = rows.iter().map(place).collect();
        let mask: Vec<bool> = rows.iter().map(|(_, gap)| *gap == 1).collect();
        let name = |index: i8| usize::try_from(index).ok().and_then(|index| names[index].clone());
        let plain = indices(&column, None, &categories).expect("all are there");
        let masked = indices(&column, Some(&mask), &categories).expect("all are there");
        let expected: Vec<_> = column.iter().map(|index| name(*index)).collect();
        prop_assert_eq!(&model::texts(&plain), &expected);
        let hide = |(name, gap): (Option<Vec<u8>>, &bool)| name.filter(|_| !gap);
        let expected: Vec<_> = expected.into_iter().zip(&mask).map(hide).collect();
        prop_assert_eq!(model::texts(&masked), expected);
    }

    #[test]
    fn values_come_in_the_order_of_their_kinds(
        numbers in vec(prop_oneof![(-9_i32..9).prop_map(|half| f64::from(half) / 2.0), any::<f64>()], 0..12),
        words in vec(text(), 0..6), truth in any::<bool>(),
    ) {
        let mut interner = Interner::default();
        for number in numbers.iter().filter(|number| !number.is_nan()) {
            interner.float(*number).expect("there is room");
        }
        for word in &words {
            interner.text(word).expect("there is room");
        }
        let values = interner.finish();
        let found = ranks(&values).expect("all can be compared");
        prop_assert_eq!(found[0] as usize, values.len(), "missing cells come last");
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|position| found[position + 1]);
        let float = |number| match number {
            Value::Int(int) => int as f64,
            Value::Float(float) => float,
            _ => f64::NAN,
        };
        for two in order.windows(2) {
            let pair = (values.get(two[0]).unwrap(), values.get(two[1]).unwrap());
            let ascends = match pair {
                (Value::Text(a), Value::Text(b)) => a < b,
                (a, Value::Text(_)) => !float(a).is_nan(),
                (a, b) => float(a) < float(b),
            };
            prop_assert!(ascends, "{:?}", pair);
        }
        // A truth value comes where its number does, but is another value.
        let mut interner = Interner::default();
        interner.int(0).expect("there is room");
        interner.truth(truth).expect("there is room");
        let found = ranks(&interner.finish()).expect("all can be compared");
        prop_assert_eq!(found, [2, 0, 1]);
    }
}

// ---------------------------------------------------------------------- groups and scale scores

/// Rows with up to three key columns, a scale and a score.
fn scored(
    scores: impl Strategy<Value = f64> + 'static,
) -> impl Strategy<Value = (Vec<Vec<u32>>, Vec<Scored>)> {
    let score = prop_oneof![1 => Just(f64::NAN), 5 => scores];
    let widths = vec(1_usize..6, 0..4);
    (widths, vec((any::<[Index; 3]>(), 0..SCALES, score), 0..60), some_keys()).prop_map(
        |(widths, rows, keys)| {
            let ranks: Vec<_> =
                widths.iter().map(|width| ranks_of(&shuffled(width - 1, &keys))).collect();
            let row = |(codes, scale, score): ([Index; 3], u32, f64)| Scored {
                keys: widths
                    .iter()
                    .zip(codes)
                    .map(|(width, code)| code.index(*width) as u32)
                    .collect(),
                scale,
                score,
            };
            (ranks, rows.into_iter().map(row).collect())
        },
    )
}

fn whole_numbers() -> impl Strategy<Value = f64> {
    (-50_i8..50).prop_map(f64::from)
}

struct Frame {
    keys: Vec<Narrow>,
    ranks: Vec<Vec<u32>>,
    scales: Narrow,
    scores: Vec<f64>,
}

impl Frame {
    fn of(ranks: &[Vec<u32>], rows: &[Scored]) -> Self {
        let key = |key: usize| rows.iter().map(|row| row.keys[key]).collect();
        Self {
            keys: (0..ranks.len()).map(key).collect(),
            ranks: ranks.to_vec(),
            scales: rows.iter().map(|row| row.scale).collect(),
            scores: rows.iter().map(|row| row.score).collect(),
        }
    }

    fn keys(&self) -> Keys<'_> {
        let columns = self.keys.iter().zip(&self.ranks);
        let columns = columns.map(|(rows, ranks)| KeyColumn { rows, ranks: ranks.clone() });
        Keys::new(columns.collect(), self.scores.len()).expect("equally long")
    }

    fn table(&self, total: bool, statistic: Statistic, threads: usize) -> Table {
        let scale_of: Vec<u32> = (0..SCALES).collect();
        let rows = ScoredRows::new(&self.scales, &scale_of, &self.scores).expect("equally long");
        let scales = Scales { number: SCALES as usize, total };
        aggregate(&rows, &self.keys(), scales, statistic, &Workers::new(threads, &|| true))
            .expect("there is room")
    }
}

/// A statistic of scores, as a textbook has it.
fn textbook(statistic: Statistic, scores: &[f64]) -> f64 {
    let mut scores: Vec<f64> = scores.iter().copied().filter(|score| !score.is_nan()).collect();
    let (n, unsorted) = (scores.len(), scores.clone());
    if n == 0 {
        return f64::NAN;
    }
    scores.sort_by(f64::total_cmp);
    let sum: f64 = scores.iter().sum();
    let squares: f64 = scores.iter().map(|score| (score - sum / n as f64).powi(2)).sum();
    let variance = if n > 1 { squares / (n - 1) as f64 } else { f64::NAN };
    match statistic {
        Statistic::Mean => sum / n as f64,
        Statistic::Sum => sum,
        Statistic::Min => scores[0],
        Statistic::Max => scores[n - 1],
        Statistic::Count => n as f64,
        Statistic::Whole(whole) => match whole {
            Whole::First => unsorted[0],
            Whole::Last => unsorted[n - 1],
            Whole::Product => unsorted.iter().product(),
            Whole::Median => f64::midpoint(scores[(n - 1) / 2], scores[n / 2]),
            Whole::Distinct => {
                1.0 + scores.windows(2).filter(|two| two[0] != two[1]).count() as f64
            }
            Whole::Variance => variance,
            Whole::Deviation => variance.sqrt(),
            Whole::StandardError => variance.sqrt() / (n as f64).sqrt(),
        },
    }
}

const STATISTICS: [Statistic; 13] = [
    Statistic::Mean,
    Statistic::Sum,
    Statistic::Min,
    Statistic::Max,
    Statistic::Count,
    Statistic::Whole(Whole::First),
    Statistic::Whole(Whole::Last),
    Statistic::Whole(Whole::Product),
    Statistic::Whole(Whole::Median),
    Statistic::Whole(Whole::Distinct),
    Statistic::Whole(Whole::Variance),
    Statistic::Whole(Whole::Deviation),
    Statistic::Whole(Whole::StandardError),
];

fn close(got: f64, expected: f64) -> bool {
    (got.is_nan() && expected.is_nan())
        || got == expected
        || (got - expected).abs() <= 1e-12 * got.abs().max(expected.abs()).max(1.0)
}

proptest! {
    #![proptest_config(examples())]

    #[test]
    fn groups_are_those_of_the_model((ranks, rows) in scored(whole_numbers()), cut in any::<Index>()) {
        let frame = Frame::of(&ranks, &rows);
        let keys = frame.keys();
        let mut grouper = Grouper::new(&keys);
        let mut groups = vec![0; rows.len()];
        grouper.read(0, &mut groups).expect("there is room");
        let codes = model::codes(rows.iter().map(|row| Some(&row.keys)));
        prop_assert_eq!(&groups, &codes.iter().map(|code| code - 1).collect::<Vec<_>>());
        let cells = model::cells(&rows, &ranks, 1, false);
        let mut firsts: Vec<usize> = cells.iter().map(|(first, ..)| *first).collect();
        firsts.dedup();
        let ordered = grouper.order().into_iter().map(|group| grouper.first_rows()[group as usize]);
        prop_assert_eq!(ordered.collect::<Vec<_>>(), firsts);
        // Two parts, put together, are the whole.
        let cut = cut.index(rows.len() + 1);
        let (mut one, mut two) = (Grouper::new(&keys), Grouper::new(&keys));
        one.read(0, &mut groups[..cut]).expect("there is room");
        two.read(cut, &mut groups[cut..]).expect("there is room");
        let renamed = one.merge(&two).expect("there is room");
        groups[cut..].iter_mut().for_each(|group| *group = renamed[*group as usize]);
        prop_assert_eq!(&groups, &codes.iter().map(|code| code - 1).collect::<Vec<_>>());
        prop_assert_eq!(one.first_rows(), grouper.first_rows());
        prop_assert!(grouper.len() <= keys.most_groups() && grouper.is_empty() == rows.is_empty());
    }

    #[test]
    fn scale_scores_are_those_of_the_model((ranks, rows) in scored(whole_numbers()), total in any::<bool>()) {
        let frame = Frame::of(&ranks, &rows);
        let cells = model::cells(&rows, &ranks, SCALES, total);
        for statistic in STATISTICS {
            let table = frame.table(total, statistic, 1);
            prop_assert_eq!(table.scores.len(), cells.len());
            for (place, (first, scale, scores)) in cells.iter().enumerate() {
                let items = scores.iter().filter(|score| !score.is_nan()).count();
                prop_assert_eq!((table.first_rows[place], table.scales[place]), (*first, *scale));
                let counts = (table.n_items[place], table.n_missing[place]);
                prop_assert_eq!(counts, (items as i64, (scores.len() - items) as i64));
                let expected = textbook(statistic, scores);
                prop_assert!(close(table.scores[place], expected), "{:?} {:?}", statistic, scores);
            }
        }
    }

    #[test]
    fn counts_add_up_to_the_rows((ranks, rows) in scored(whole_numbers()), total in any::<bool>()) {
        let table = Frame::of(&ranks, &rows).table(total, Statistic::Mean, 1);
        let counted = table.scales.iter().zip(table.n_items.iter().zip(&table.n_missing));
        let kept = counted.filter(|(scale, _)| !total || **scale == SCALES - 1);
        prop_assert_eq!(kept.map(|(_, (n, m))| n + m).sum::<i64>(), rows.len() as i64);
    }

    #[test]
    fn scaling_the_scores_scales_the_means(
        (ranks, rows) in scored(any::<i16>().prop_map(f64::from)), factor in select(&[2.0, 0.25, -4.0][..]),
    ) {
        let scaled: Vec<Scored> =
            rows.iter().map(|row| Scored { score: row.score * factor, ..row.clone() }).collect();
        let before = Frame::of(&ranks, &rows).table(true, Statistic::Mean, 1);
        let after = Frame::of(&ranks, &scaled).table(true, Statistic::Mean, 1);
        // By powers of two, so nothing is rounded.
        let expected: Vec<f64> = before.scores.iter().map(|score| score * factor).collect();
        prop_assert_eq!(bits(&after.scores), bits(&expected));
        prop_assert_eq!((before.n_items, before.n_missing), (after.n_items, after.n_missing));
    }

    #[test]
    fn the_order_of_rows_changes_no_scale_score(
        (ranks, rows) in scored(whole_numbers()), keys in some_keys(), total in any::<bool>(),
    ) {
        let order = shuffled(rows.len(), &keys);
        let moved: Vec<Scored> = order.iter().map(|row| rows[*row].clone()).collect();
        for statistic in [Statistic::Mean, Statistic::Sum, Statistic::Max, Statistic::Whole(Whole::Median)] {
            let one = Frame::of(&ranks, &rows).table(total, statistic, 1);
            let two = Frame::of(&ranks, &moved).table(total, statistic, 1);
            prop_assert_eq!(bits(&one.scores), bits(&two.scores));
            prop_assert_eq!((&one.scales, &one.n_items), (&two.scales, &two.n_items));
        }
    }

    #[test]
    fn gathered_scores_are_those_of_the_cells((ranks, rows) in scored(whole_numbers()), total in any::<bool>()) {
        let frame = Frame::of(&ranks, &rows);
        let scale_of: Vec<u32> = (0..SCALES).collect();
        let source = ScoredRows::new(&frame.scales, &scale_of, &frame.scores).expect("equally long");
        let scales = Scales { number: SCALES as usize, total };
        let gathered = gather(&source, &frame.keys(), scales, &Workers::alone()).expect("room");
        let cells = model::cells(&rows, &ranks, SCALES, total);
        prop_assert_eq!(gathered.bounds.len(), cells.len() + 1);
        for (bounds, (.., scores)) in gathered.bounds.windows(2).zip(&cells) {
            let existing: Vec<f64> = scores.iter().copied().filter(|score| !score.is_nan()).collect();
            prop_assert_eq!(&gathered.scores[bounds[0]..bounds[1]], &*existing);
        }
    }
}

proptest! {
    #![proptest_config(few_examples())]

    #[test]
    fn runs_of_texts_are_those_of_the_rows(
        runs in vec((prop::option::of(close_text()), prop_oneof![1_usize..6, 1..BLOCK * 2]), 1..20),
        skip in 0_usize..9,
    ) {
        let column: Vec<_> =
            runs.iter().flat_map(|(text, rows)| std::iter::repeat_n(text.clone(), *rows)).collect();
        let layout = Arrow::of(&column, skip);
        let codes = texts(&[layout.chunk()], &Workers::alone()).expect("sound buffers");
        prop_assert_eq!(model::rows(&codes.rows), model::codes(column.iter().map(Option::as_ref)));
    }

    #[test]
    fn the_number_of_threads_changes_nothing(case in answered(), threads in 2_usize..6, step in 1_usize..50) {
        prop_assume!(!case.rows.is_empty());
        // So many rows that threads share them.
        let mut long = case.clone();
        let rows = FEWEST_ROWS * 2 + model::blocks(1) + step;
        long.rows = (0..rows).map(|row| case.rows[row * step % case.rows.len()].clone()).collect();
        let answers = long.answers();
        prop_assert_eq!(scores(&answers, 1), scores(&answers, threads));
        let decisions: Vec<_> = long.rows.iter().map(|(_, text)| text.clone()).collect();
        let layout = Arrow::of(&decisions, step);
        let alone = texts(&[layout.chunk()], &Workers::alone()).expect("sound buffers");
        let shared = texts(&[layout.chunk()], &Workers::new(threads, &|| true)).expect("sound buffers");
        prop_assert_eq!(&alone.rows, &shared.rows);
        prop_assert!(alone.values.iter().eq(shared.values.iter()));
        let groups: Narrow = (0..rows as u32).map(|row| row * 31 % 97 + 1).collect();
        let ranks = ranks_of(&(0..97).collect::<Vec<_>>());
        let keys = Keys::new(vec![KeyColumn { rows: &groups, ranks }], rows).expect("equally long");
        let of = Scales { number: SCALES as usize, total: true };
        for statistic in [Statistic::Mean, Statistic::Sum, Statistic::Min, Statistic::Count] {
            let source = ScoredAnswers::new(&answers);
            let table = |threads: usize| {
                aggregate(&source, &keys, of, statistic, &Workers::new(threads, &|| true)).unwrap()
            };
            let (one, more) = (table(1), table(threads));
            prop_assert_eq!(bits(&one.scores), bits(&more.scores));
            prop_assert_eq!((one.first_rows, one.scales), (more.first_rows, more.scales));
            prop_assert_eq!((one.n_items, one.n_missing), (more.n_items, more.n_missing));
        }
    }

    #[test]
    fn blocks_change_nothing(case in answered(), size in select(&[BLOCK - 1, BLOCK, BLOCK + 1, BLOCK * 2 + 3][..])) {
        prop_assume!(!case.rows.is_empty());
        let mut long = case.clone();
        long.rows = case.rows.iter().cycle().take(size).cloned().collect();
        let expected: Vec<u64> = case.scores().into_iter().cycle().take(size).collect();
        prop_assert_eq!(long.scores(), expected);
    }
}

// ---------------------------------------------------------------------- replies

fn five() -> Rubric {
    let level = |score: i32| Level {
        low: f64::from(score),
        high: f64::from(score),
        line: format!("{score}: level {score}"),
        description: format!("level {score}"),
    };
    let terms = Terms {
        names: vec!["accuracy".into()],
        others: None,
        field: "score".into(),
        markers: Vec::new(),
    };
    Rubric::new((1..=5).rev().map(level).collect(), &terms)
}

const WORDS: [&str; 24] = [
    "Score",
    ": ",
    "4",
    "5",
    "/5",
    "\n",
    "{",
    "}",
    "\"score\"",
    "[[",
    "]]",
    "[RESULT]",
    "<think>",
    "</think>",
    "accuracy",
    " is ",
    "out of ",
    "**",
    "not ",
    "%",
    "level 3",
    "½",
    "\u{3000}",
    "-",
];

proptest! {
    #![proptest_config(examples())]

    #[test]
    fn a_reply_has_a_level_or_a_reason(words in vec(select(&WORDS[..]), 0..20)) {
        let reply = words.concat();
        if let Ok((score, level)) = parse(reply.as_bytes(), &five()) {
            prop_assert_eq!(score, 5.0 - level as f64, "{}", reply);
        }
    }

    #[test]
    fn threads_read_replies_as_one_does(words in vec(vec(select(&WORDS[..]), 0..6), 1..5), threads in 2_usize..5) {
        let rubric = five();
        let replies: Vec<String> = words.iter().map(|words| words.concat()).collect();
        let cells = replies.iter().cycle().take(300).map(|reply| Cell::Text(reply.as_bytes()));
        let cells: Vec<Cell<'_>> = cells.collect();
        let read = |threads| {
            let mut rows = vec![Row::EMPTY; cells.len()];
            score_all(&cells, &rubric, threads, &mut rows);
            rows.iter().map(|row| (row.score.to_bits(), row.reason, row.level)).collect::<Vec<_>>()
        };
        prop_assert_eq!(read(1), read(threads));
    }
}
