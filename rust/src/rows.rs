//! Where item scores come from when they are aggregated: answers that are scored as they are read,
//! or columns of a frame that has been scored before.

use crate::codes::Narrow;
use crate::error::{Error, Result};
use crate::score::Answers;

/// Rows with a scale and an item score each; a missing score is NaN.
pub trait Rows: Sync {
    /// The number of rows.
    fn len(&self) -> usize;

    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the scales and scores of the rows from `start` on, at most a block of them.
    fn read(&self, start: usize, scales: &mut [u32], scores: &mut [f64]);

    /// Whether these scores add up without rounding, in any order.
    fn adds_exactly(&self) -> bool;
}

/// Added and taken away again, it leaves whole numbers of up to 2^51 as they are and rounds others.
const ROUNDS: f64 = 1.5 * (1_u64 << 52) as f64;
/// The bit in which 0 and -0 differ.
const SIGN: u64 = 1 << 63;

/// The largest score of which `rows` add up without rounding if they are whole: no sum comes near
/// 2^53.
fn largest(rows: usize) -> f64 {
    // Those beyond 32 bits are left to the compensated sum, which takes them as well.
    (9e15 / rows.max(1) as f64).min(f64::from(i32::MAX))
}

/// Whether `rows` scores of this size add up without rounding.
#[must_use]
pub fn adds_exactly(score: f64, rows: usize) -> bool {
    score.fract() == 0.0 && score.abs() <= largest(rows)
}

/// Rows that are scored as they are read.
#[derive(Debug)]
pub struct ScoredAnswers<'a> {
    answers: &'a Answers,
}

impl<'a> ScoredAnswers<'a> {
    /// The answers with the scales of their items.
    #[must_use]
    pub fn new(answers: &'a Answers) -> Self {
        Self { answers }
    }
}

impl Rows for ScoredAnswers<'_> {
    fn len(&self) -> usize {
        self.answers.len()
    }

    fn read(&self, start: usize, scales: &mut [u32], scores: &mut [f64]) {
        self.answers.read(start, scales, scores);
    }

    fn adds_exactly(&self) -> bool {
        self.answers.key().adds_exactly(self.answers.len())
    }
}

/// Rows of two columns.
#[derive(Debug)]
pub struct ScoredRows<'a> {
    scales: &'a Narrow,
    /// The scale of every code.
    scale_of: &'a [u32],
    scores: &'a [f64],
}

impl<'a> ScoredRows<'a> {
    /// Joins a column of scales, as codes and the scale of every code, with a column of scores.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if they are not equally long.
    pub fn new(scales: &'a Narrow, scale_of: &'a [u32], scores: &'a [f64]) -> Result<Self> {
        let (got, expected) = (scales.len(), scores.len());
        if got != expected {
            return Err(Error::Length { what: "scales", got, expected });
        }
        Ok(Self { scales, scale_of, scores })
    }
}

impl Rows for ScoredRows<'_> {
    fn len(&self) -> usize {
        self.scores.len()
    }

    fn read(&self, start: usize, scales: &mut [u32], scores: &mut [f64]) {
        self.scales.read(start, scales);
        scales.iter_mut().for_each(|code| *code = self.scale_of[*code as usize]);
        scores.copy_from_slice(&self.scores[start..start + scores.len()]);
    }

    fn adds_exactly(&self) -> bool {
        // Read in one direction without a branch, so that several scores are looked at at once.
        let most = largest(self.scores.len());
        let faults = self.scores.iter().fold(0, |faults, score| {
            let rounded = (score + ROUNDS) - ROUNDS;
            let differs = (rounded.to_bits() ^ score.to_bits()) & !SIGN;
            faults | differs | u64::from(score.abs() > most)
        });
        faults == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Codes;
    use crate::interner::Interner;
    use crate::items::ItemIds;
    use crate::key::{AnswerOption, Item, ScoringKey};

    #[test]
    fn scores_that_add_up_exactly_are_known() {
        let exact = |scores: &[f64]| {
            let scales: Narrow = std::iter::repeat_n(0, scores.len()).collect();
            let rows = ScoredRows::new(&scales, &[0], scores).expect("equally long");
            assert_eq!((rows.len(), rows.is_empty()), (scores.len(), scores.is_empty()));
            rows.adds_exactly()
        };
        assert!(exact(&[]) && exact(&[5.0, -3.0, 0.0, -0.0, f64::NAN]));
        assert!(exact(&[2_147_483_647.0, -2_147_483_647.0]));
        let near = 2_251_799_813_685_248.5; // rounding changes its last bit alone
        for score in [0.5, -3.5, -1e-300, 2_147_483_648.0, near, f64::INFINITY, f64::MAX] {
            // What is wrong twice is not right.
            assert!(!exact(&[1.0, score, 3.0]) && !exact(&[score, 1.0, score]), "{score}");
        }
    }

    #[test]
    fn answers_add_up_exactly_if_their_weights_do() -> Result<()> {
        for (weight, exact) in [(3.0, true), (0.5, false)] {
            let text: Box<[u8]> = (*b"yes").into();
            let options = vec![AnswerOption { text, weight, ignored: false }];
            let item = Item { options: 0, reversed: false, scale: 0, range: None };
            let key = ScoringKey::new(&[options], &[item])?;
            let ids = ItemIds::alone(&[0_u8, 0], 1).expect("valid ids");
            let mut interner = Interner::default();
            let rows = [interner.text(b"yes")?, interner.text(b"no")?].into_iter().collect();
            let decisions = Codes { rows, values: interner.finish() };
            let answers = Answers::new(key.into(), ids.into(), decisions.into())?;
            let rows = ScoredAnswers::new(&answers);
            assert_eq!((rows.len(), rows.adds_exactly()), (2, exact));
            let (mut scales, mut scores) = ([7; 2], [7.0; 2]);
            rows.read(0, &mut scales, &mut scores);
            assert_eq!((scales, scores[0], scores[1].is_nan()), ([0, 0], weight, true));
        }
        Ok(())
    }

    #[test]
    fn a_score_times_the_rows_stays_below_2_to_the_53() {
        for (score, rows, exact) in [
            (9e8, 10_000_000, true),
            (9e8 + 1.0, 10_000_000, false),
            (2_147_483_647.0, 0, true),
            (2_147_483_648.0, 1, false),
            (-1.0, 9_000_000_000_000_000, true),
            (1.5, 1, false),
        ] {
            assert_eq!(adds_exactly(score, rows), exact, "{score} {rows}");
        }
    }
}
