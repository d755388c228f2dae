//! Whole replies.

use crate::reply::reader::parse;
use crate::reply::tests::rubric::{five, five_of};
use crate::reply::{Reason, Rubric};

fn read_by(rubric: &Rubric, replies: &[(&str, Result<f64, Reason>)]) {
    for (reply, expected) in replies {
        let found = parse(reply.as_bytes(), rubric).map(|(score, _)| score);
        assert_eq!(found, *expected, "{reply:?}");
    }
}

#[test]
fn the_first_rank_that_speaks_decides() {
    read_by(
        &five(),
        &[
            ("Score: 2. About 4/5 of the claims hold.", Ok(2.0)),
            ("I had a score of 3 in mind.\nScore: 4", Ok(4.0)),
            ("{\"score\": 3}\n\nScore: 5", Ok(5.0)),
            ("Score: 4\n\nFinal score: N/A", Err(Reason::NotANumber)),
            ("Score: 2, rating: 3", Err(Reason::Several)),
            ("a score of 3, then a score of 4", Err(Reason::Several)),
            ("Few errors\n4/5", Ok(4.0)),
            ("I'd say 4/5.", Ok(4.0)),
            ("4/5 or 3/5", Err(Reason::Several)),
            ("Evaluated 4/5/2026.", Err(Reason::None)),
            ("**4**", Ok(4.0)),
            ("\u{3000}\n", Err(Reason::Missing)),
        ],
    );
}

#[test]
fn blocks_are_dropped() {
    read_by(
        &five(),
        &[
            ("<think>Maybe Score: 2</think>\n4", Ok(4.0)),
            ("Score: 2 </think> Score: 3", Ok(3.0)),
            ("Score: 2 <scratchpad>", Err(Reason::CutOff)),
            ("<think>Score: 2</think>", Err(Reason::None)),
            ("<thinker>\nScore: 2", Ok(2.0)),
        ],
    );
}

#[test]
fn brackets_are_marks() {
    read_by(
        &five(),
        &[
            ("[RESULT] (an integer)\n[RESULT] 3", Ok(3.0)),
            ("so [[4]]", Ok(4.0)),
            ("so [[4]", Err(Reason::None)),
            ("[[9]]", Err(Reason::OutOfRange)),
            ("[result]:", Err(Reason::CutOff)),
            ("[[Main Page]] 4", Err(Reason::None)),
        ],
    );
}

#[test]
fn of_several_rubrics_each_finds_its_own() {
    read_by(
        &five_of(Some(&["clarity"])),
        &[
            ("Clarity: 2\nAccuracy: 4", Ok(4.0)),
            ("Clarity\nScore: 2\nAccuracy\nScore: 4", Ok(4.0)),
            ("# Accuracy\nScore: 4\n# Overall\nScore: 1", Ok(4.0)),
            ("# Accuracy\nScore: 4\nScore: 3", Err(Reason::Several)),
            ("Score: 4", Err(Reason::None)),
            ("{\"accuracy\": 4, \"clarity\": 2}", Ok(4.0)),
            ("4/5", Err(Reason::None)),
        ],
    );
}

#[test]
fn any_bytes_are_read() {
    let rubric = five();
    for seed in 0..if cfg!(miri) { 100 } else { 20_000_u64 } {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let bytes: Vec<u8> = (0..seed % 40)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let common = b"{}[]\"\\<>/:45 score\n\xe5\x88\x86\xff";
                common[(state >> 32) as usize % common.len()]
            })
            .collect();
        if let Ok((score, level)) = parse(&bytes, &rubric) {
            assert_eq!((score, level < 5), (5.0 - level as f64, true), "{bytes:?}");
        }
    }
}
