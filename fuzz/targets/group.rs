//! Groups and scale scores of any rows, in one piece, in two and by the slow model.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use scorekey::aggregate::{Scales, Statistic, aggregate, gather};
use scorekey::codes::Narrow;
use scorekey::group::{Grouper, KeyColumn, Keys};
use scorekey::order::ranks_of;
use scorekey::rows::ScoredRows;
use scorekey::workers::Workers;

#[path = "../../rust/tests/model.rs"]
#[allow(dead_code, reason = "each target holds the core against a part of the model")]
mod model;

use model::Scored;

#[derive(Arbitrary, Debug)]
struct Case {
    /// How many codes each key column has, at most; wide ones make the marks large.
    widths: Vec<u32>,
    reversed: bool,
    scales: u16,
    rows: Vec<([u32; 3], u16, Option<i8>)>,
    total: bool,
    cut: u8,
}

/// No key has more codes than this, so that a run stays short.
const WIDEST: u32 = 5000;

fuzz_target!(|case: Case| {
    let widths: Vec<u32> = case.widths.iter().take(3).map(|width| width % WIDEST + 1).collect();
    let scales = u32::from(case.scales) + 1;
    let order = |width: &u32| -> Vec<usize> {
        let codes = 0..*width as usize - 1;
        if case.reversed { codes.rev().collect() } else { codes.collect() }
    };
    let ranks: Vec<Vec<u32>> = widths.iter().map(|width| ranks_of(&order(width))).collect();
    let row = |(codes, scale, score): &([u32; 3], u16, Option<i8>)| Scored {
        keys: widths.iter().zip(codes).map(|(width, code)| code % width).collect(),
        scale: u32::from(*scale) % scales,
        score: score.map_or(f64::NAN, f64::from),
    };
    let rows: Vec<Scored> = case.rows.iter().map(row).collect();
    let columns: Vec<Narrow> =
        (0..widths.len()).map(|key| rows.iter().map(|row| row.keys[key]).collect()).collect();
    let columns = columns.iter().zip(&ranks);
    let columns = columns.map(|(rows, ranks)| KeyColumn { rows, ranks: ranks.clone() });
    let keys = Keys::new(columns.collect(), rows.len()).expect("equally long");

    let mut groups = vec![0; rows.len()];
    let mut whole = Grouper::new(&keys);
    whole.read(0, &mut groups).expect("there is room");
    let expected = model::codes(rows.iter().map(|row| Some(&row.keys)));
    assert!(groups.iter().zip(&expected).all(|(group, code)| group + 1 == *code));
    let cut = usize::from(case.cut).min(rows.len());
    let (mut one, mut two) = (Grouper::new(&keys), Grouper::new(&keys));
    one.read(0, &mut groups[..cut]).expect("there is room");
    two.read(cut, &mut groups[cut..]).expect("there is room");
    one.merge(&two).expect("there is room");
    assert_eq!(one.first_rows(), whole.first_rows());
    assert_eq!(one.order(), whole.order());

    let column: Narrow = rows.iter().map(|row| row.scale).collect();
    let scale_of: Vec<u32> = (0..scales).collect();
    let scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
    let source = ScoredRows::new(&column, &scale_of, &scores).expect("equally long");
    let of = Scales { number: scales as usize, total: case.total };
    let cells = model::cells(&rows, &ranks, scales, case.total);
    let alone = Workers::alone();
    let table = aggregate(&source, &keys, of, Statistic::Sum, &alone).expect("there is room");
    let gathered = gather(&source, &keys, of, &alone).expect("there is room");
    assert_eq!(table.scores.len(), cells.len());
    for (place, (first, scale, all)) in cells.iter().enumerate() {
        let existing: Vec<f64> = all.iter().copied().filter(|score| !score.is_nan()).collect();
        assert_eq!((table.first_rows[place], table.scales[place]), (*first, *scale));
        assert_eq!(table.n_items[place], existing.len() as i64);
        assert_eq!(table.n_missing[place], (all.len() - existing.len()) as i64);
        let sum = table.scores[place];
        assert!(sum == existing.iter().sum() || (sum.is_nan() && existing.is_empty()));
        let bounds = gathered.bounds[place]..gathered.bounds[place + 1];
        assert_eq!(gathered.scores[bounds], *existing);
    }
});
