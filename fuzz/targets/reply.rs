//! Replies of any bytes: a score that lies on its level, or a reason; the same whatever surrounds it
//! without a meaning, and by any number of threads.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use scorekey::reply::column::{Cell, Row, score_all};
use scorekey::reply::{Level, Reason, Rubric, Terms, parse};

static RUBRICS: LazyLock<Vec<(Rubric, Vec<(f64, f64)>)>> = LazyLock::new(|| {
    let others = || Some(vec!["clarity".to_owned(), "tone of voice".to_owned()]);
    let infinity = f64::INFINITY;
    [
        (vec![(5.0, 5.0), (4.0, 4.0), (3.0, 3.0), (2.0, 2.0), (1.0, 1.0)], None),
        (vec![(5.0, 5.0), (4.0, 4.0), (3.0, 3.0), (2.0, 2.0), (1.0, 1.0)], others()),
        (vec![(9.0, infinity), (0.0, 8.5), (-infinity, -1.0)], None),
    ]
    .map(|(bounds, others)| {
        let level = |(low, high): &(f64, f64)| Level {
            low: *low,
            high: *high,
            line: format!("{low}: level {low}"),
            description: format!("level {low}"),
        };
        let terms = Terms {
            names: vec!["accuracy".to_owned(), "factual accuracy".to_owned()],
            others,
            field: "score".to_owned(),
            markers: vec!["评分".to_owned(), "Note".to_owned()],
        };
        (Rubric::new(bounds.iter().map(level).collect(), &terms), bounds)
    })
    .into()
});

fuzz_target!(|reply: &[u8]| {
    for (rubric, bounds) in RUBRICS.iter() {
        let found = parse(reply, rubric);
        match found {
            Ok((score, level)) => {
                let (low, high) = bounds[level];
                assert!(low <= score && score <= high && score.is_finite());
            }
            Err(reason) => {
                assert!((Reason::Missing as u8..=Reason::CutOff as u8).contains(&(reason as u8)))
            }
        }
        // Blank lines before a reply say nothing.
        let moved = [b"\n \n".as_slice(), reply].concat();
        if !reply.starts_with("\u{feff}".as_bytes()) && reply.len() > 40 {
            assert_eq!(parse(&moved, rubric), found);
        }
        let mut rows = [Row::EMPTY; 2];
        score_all(&[Cell::Text(reply), Cell::Missing], rubric, 1, &mut rows);
        assert_eq!(rows[0].reason, found.map_or_else(|reason| reason as u8, |_| 0));
        assert_eq!(rows[1].reason, Reason::Missing as u8);
    }
});
