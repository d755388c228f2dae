//! Columns.

use crate::reply::Reason;
use crate::reply::column::*;
use crate::reply::tests::rubric::five;

#[test]
fn the_number_of_threads_changes_nothing() {
    let texts: Vec<String> =
        (0..1000).map(|i| format!("{}Score: {}", "x\n".repeat(i % 90), i % 7)).collect();
    let mut cells: Vec<Cell<'_>> = texts.iter().map(|t| Cell::Text(t.as_bytes())).collect();
    cells.extend([Cell::Missing, Cell::Number(4.0), Cell::Number(f64::NAN), Cell::Other]);
    let mut plain = vec![Row::EMPTY; cells.len()];
    let mut threaded = plain.clone();
    score_all(&cells, &five(), 1, &mut plain);
    score_all(&cells, &five(), 3, &mut threaded);
    let key = |row: &Row| (row.score.to_bits(), row.reason, row.level);
    assert_eq!(
        plain.iter().map(key).collect::<Vec<_>>(),
        threaded.iter().map(key).collect::<Vec<_>>()
    );
    assert_eq!((plain[4].score, plain[4].level), (4.0, 1));
    assert_eq!(plain[6].reason, Reason::OutOfRange as u8);
    let reasons: Vec<u8> = plain[1000..].iter().map(|row| row.reason).collect();
    assert_eq!(reasons, [1, 0, 4, 0]);
}
