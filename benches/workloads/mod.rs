//! The work that the benches time and count: columns in the shape of a real results file, 44 items
//! in five scales, answered by personas with several seeds.

#![allow(
    clippy::expect_used,
    clippy::panic,
    unreachable_pub,
    reason = "a part of each bench, which ends where its own columns are wrong"
)]

use std::hint::black_box;
use std::sync::Arc;

use scorekey::aggregate::{Scales, Statistic, aggregate};
use scorekey::codes::Codes;
use scorekey::encode::{Gaps, TextChunk, numbers, texts};
use scorekey::group::{KeyColumn, Keys};
use scorekey::items::ItemIds;
use scorekey::key::{AnswerOption, Item, ScoringKey};
use scorekey::order::ranks;
use scorekey::rows::ScoredAnswers;
use scorekey::score::Answers;
use scorekey::workers::Workers;

const ITEMS: usize = 44;
const SEEDS: usize = 5;
const OPTIONS: [&str; 8] = [
    "1. Strongly disagree",
    "2. Rather disagree",
    "3. Neither agree nor disagree",
    "4. Rather agree",
    "5. Strongly agree",
    "not present",
    "4. RATHER  agree",
    "I would say 4, but it depends on the day",
];

/// Numbers that look random but are the same in every run.
fn noise(row: usize) -> usize {
    (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) as usize >> 7
}

/// Text in Arrow's layout.
pub struct Text {
    offsets: Vec<i64>,
    letters: Vec<u8>,
}

impl Text {
    fn new(rows: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let mut text = Self { offsets: vec![0], letters: Vec::new() };
        for row in rows {
            text.letters.extend_from_slice(row.as_ref().as_bytes());
            text.offsets.push(text.letters.len() as i64);
        }
        text
    }

    pub fn encode(&self) -> Codes {
        let (offsets, letters) = (&self.offsets[..], &self.letters[..]);
        texts(&[TextChunk { offsets, letters, validity: None, skip: 0 }], &Workers::alone())
            .expect("sound offsets")
    }
}

/// The columns of a results file, item by item, and what scoring makes of them.
pub struct Workload {
    pub decisions: Text,
    pub personas: Text,
    pub seeds: Vec<i64>,
    pub item_ids: Vec<i64>,
    respondents: [Codes; 2],
    answers: Answers,
}

impl Workload {
    pub fn new(rows: usize) -> Self {
        let personas = rows.div_ceil(ITEMS * SEEDS).max(1);
        let decision = |row| match noise(row) % 100 {
            draw @ 0..90 => OPTIONS[draw % 5],
            draw => OPTIONS[5 + draw % 3],
        };
        let decisions = Text::new((0..rows).map(decision));
        let persona = |row: usize| format!("persona_{:05}", row / SEEDS % personas);
        let personas_text = Text::new((0..rows).map(persona));
        let seeds: Vec<i64> = (0..rows).map(|row| (row % SEEDS) as i64 + 1).collect();
        let item_ids: Vec<i64> =
            (0..rows).map(|row| (row / (SEEDS * personas) % ITEMS) as i64).collect();
        let option = |(text, weight): (&&str, u32)| AnswerOption {
            text: text.as_bytes().into(),
            weight: f64::from(weight),
            ignored: false,
        };
        let options = OPTIONS[..5].iter().zip(1..).map(option).collect();
        let item = |id: usize| Item {
            options: 0,
            reversed: id.is_multiple_of(3),
            scale: id as u32 % 5,
            range: None,
        };
        let key = ScoringKey::new(&[options], &(0..ITEMS).map(item).collect::<Vec<_>>())
            .expect("a valid key");
        let ids = ItemIds::alone(&item_ids, ITEMS).expect("valid ids");
        let answers = Answers::new(key.into(), ids.into(), Arc::new(decisions.encode()));
        let answers = answers.expect("equally long columns");
        let respondents = [
            personas_text.encode(),
            numbers(&seeds, Gaps::No, &Workers::alone()).expect("there is room"),
        ];
        Self { decisions, personas: personas_text, seeds, item_ids, respondents, answers }
    }

    pub fn score(&self) -> Vec<f64> {
        let mut scores = vec![0.0; self.answers.len()];
        self.answers.scores(&mut scores, &Workers::alone()).expect("as many scores as rows");
        scores
    }

    pub fn aggregate(&self, threads: usize) {
        let key = |codes: &'_ Codes| ranks(&codes.values).expect("texts and numbers");
        let keys: Vec<KeyColumn<'_>> = self
            .respondents
            .iter()
            .map(|codes| KeyColumn { rows: &codes.rows, ranks: key(codes) })
            .collect();
        let keys = Keys::new(keys, self.answers.len()).expect("equally long columns");
        let scales = Scales { number: 6, total: true };
        let rows = ScoredAnswers::new(&self.answers);
        black_box(aggregate(
            &rows,
            &keys,
            scales,
            Statistic::Mean,
            &Workers::new(threads, &|| true),
        ))
        .expect("there is room");
    }

    /// Runs one piece of the work by name.
    pub fn run(&self, name: &str) {
        match name {
            "encode_decisions" => drop(black_box(self.decisions.encode())),
            "encode_personas" => drop(black_box(self.personas.encode())),
            "encode_seeds" => drop(black_box(numbers(&self.seeds, Gaps::No, &Workers::alone()))),
            "item_ids" => drop(black_box(ItemIds::alone(&self.item_ids, ITEMS))),
            "score" => drop(black_box(self.score())),
            "aggregate" => self.aggregate(1),
            _ => panic!("there is no work called {name:?}"),
        }
    }
}

/// What [`Workload::run`] knows.
pub const NAMES: [&str; 6] =
    ["encode_decisions", "encode_personas", "encode_seeds", "item_ids", "score", "aggregate"];
