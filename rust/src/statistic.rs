//! The statistics of a set of item scores: some put together score by score, some from all of them.

/// A statistic that takes one score at a time; NaN is no score and changes nothing.
pub trait Accumulator: Copy + Default + Send {
    /// Whether the statistic of two sets of scores follows from those of each, to the bit.
    const MERGES: bool;

    /// Takes a score in.
    fn add(&mut self, score: f64);

    /// Takes in what another set of scores gave.
    fn merge(&mut self, other: &Self);
}

/// 1 for a score, 0 for a missing one (NaN): as numbers compared, since a compiler makes a branch of a
/// comparison of floats.
#[inline]
#[must_use]
pub fn one_if_any(score: f64) -> u64 {
    u64::from(score.to_bits() << 1 <= f64::INFINITY.to_bits() << 1)
}

/// No statistic: the number of scores is counted anyway.
impl Accumulator for () {
    const MERGES: bool = true;

    fn add(&mut self, _score: f64) {}

    fn merge(&mut self, _other: &Self) {}
}

/// The sum of scores that add up without rounding.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactSum(pub f64);

impl Accumulator for ExactSum {
    const MERGES: bool = true;

    #[inline]
    fn add(&mut self, score: f64) {
        // A missing score becomes 0 without a branch, which the processor could not foresee.
        self.0 += f64::from_bits(score.to_bits() & one_if_any(score).wrapping_neg());
    }

    fn merge(&mut self, other: &Self) {
        self.0 += other.0;
    }
}

/// Neumaier's compensated sum, which depends on the order of the scores in its last bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    /// The sum; infinite where it is beyond the largest number.
    #[must_use]
    pub fn total(self) -> f64 {
        // Past the largest number the compensation is NaN.
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

impl Accumulator for Sum {
    const MERGES: bool = false;

    #[inline]
    fn add(&mut self, score: f64) {
        if score.is_nan() {
            return;
        }
        let sum = self.sum + score;
        let (large, small) =
            if self.sum.abs() >= score.abs() { (self.sum, score) } else { (score, self.sum) };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    fn merge(&mut self, other: &Self) {
        self.add(other.sum);
        self.lost += other.lost;
    }
}

/// The smallest score.
#[derive(Clone, Copy, Debug)]
pub struct Min(pub f64);

impl Default for Min {
    fn default() -> Self {
        Self(f64::INFINITY)
    }
}

impl Accumulator for Min {
    const MERGES: bool = true;

    #[inline]
    fn add(&mut self, score: f64) {
        self.0 = self.0.min(score);
    }

    fn merge(&mut self, other: &Self) {
        self.add(other.0);
    }
}

/// The largest score.
#[derive(Clone, Copy, Debug)]
pub struct Max(pub f64);

impl Default for Max {
    fn default() -> Self {
        Self(f64::NEG_INFINITY)
    }
}

impl Accumulator for Max {
    const MERGES: bool = true;

    #[inline]
    fn add(&mut self, score: f64) {
        self.0 = self.0.max(score);
    }

    fn merge(&mut self, other: &Self) {
        self.add(other.0);
    }
}

/// A statistic of all scores at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// The first score.
    First,
    /// The last score.
    Last,
    /// All scores multiplied.
    Product,
    /// The middle one, or the mean of the two in the middle.
    Median,
    /// How many different scores there are.
    Distinct,
    /// The variance of a sample (n - 1 in the denominator); NaN for a single score.
    Variance,
    /// The standard deviation, the root of the variance.
    Deviation,
    /// The standard error of the mean, the deviation by the root of n.
    StandardError,
}

impl Whole {
    /// The statistic; the scores, of which none is NaN, may be put into another order.
    #[must_use]
    pub fn of(self, scores: &mut [f64]) -> f64 {
        let n = scores.len() as f64;
        match self {
            Self::First => scores.first().copied().unwrap_or(f64::NAN),
            Self::Last => scores.last().copied().unwrap_or(f64::NAN),
            Self::Product => scores.iter().product(),
            Self::Median => median(scores),
            Self::Distinct => distinct(scores),
            Self::Variance => variance(scores),
            Self::Deviation => variance(scores).sqrt(),
            Self::StandardError => variance(scores).sqrt() / n.sqrt(),
        }
    }
}

fn median(scores: &mut [f64]) -> f64 {
    scores.sort_unstable_by(f64::total_cmp);
    let half = scores.len() / 2;
    match scores.get(half) {
        None => f64::NAN,
        Some(middle) if scores.len() % 2 == 1 => *middle,
        Some(upper) => f64::midpoint(scores[half - 1], *upper),
    }
}

fn distinct(scores: &mut [f64]) -> f64 {
    scores.sort_unstable_by(f64::total_cmp);
    scores.chunk_by(|a, b| a == b).count() as f64
}

fn variance(scores: &[f64]) -> f64 {
    let sum = |terms: &mut dyn Iterator<Item = f64>| {
        let mut sum = Sum::default();
        terms.for_each(|term| sum.add(term));
        sum.total()
    };
    let n = scores.len() as f64;
    if scores.len() < 2 {
        return f64::NAN;
    }
    let mean = sum(&mut scores.iter().copied()) / n;
    if !mean.is_finite() {
        return f64::NAN;
    }
    sum(&mut scores.iter().map(|score| (score - mean).powi(2))) / (n - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(scores: &[f64]) -> f64 {
        let mut sum = Sum::default();
        scores.iter().for_each(|score| sum.add(*score));
        sum.total()
    }

    #[test]
    fn sums_keep_what_plain_addition_loses() {
        assert_eq!(total(&[1e16, 1.0, -1e16, 1.0]), 2.0);
        assert_eq!(total(&[0.1; 10]), 1.0);
        assert_eq!(total(&[f64::MAX; 3]), f64::INFINITY);
        assert_eq!(total(&[-f64::MAX; 3]), f64::NEG_INFINITY);
        assert!(total(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
        assert_eq!(total(&[f64::NAN, 2.5]), 2.5);
    }

    #[test]
    fn statistics_of_all_scores_have_their_textbook_values() {
        let of = |statistic: Whole, scores: &[f64]| statistic.of(&mut scores.to_vec());
        let scores = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert_eq!(of(Whole::Variance, &scores), 32.0 / 7.0);
        assert_eq!(of(Whole::Deviation, &scores), (32.0_f64 / 7.0).sqrt());
        assert_eq!(of(Whole::StandardError, &scores), (32.0_f64 / 7.0).sqrt() / 8.0_f64.sqrt());
        assert_eq!(of(Whole::Median, &scores), 4.5);
        assert_eq!(of(Whole::Median, &[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(of(Whole::Distinct, &scores), 5.0);
        assert_eq!(of(Whole::Product, &scores), 2.0 * 64.0 * 25.0 * 63.0);
        assert_eq!(of(Whole::First, &scores), 2.0);
        assert_eq!(of(Whole::Last, &scores), 9.0);
        assert!(of(Whole::Variance, &[1.0]).is_nan());
        assert!(of(Whole::Median, &[]).is_nan());
        assert!(of(Whole::Variance, &[f64::INFINITY, 1.0]).is_nan());
    }

    #[test]
    fn missing_scores_change_nothing() {
        let (mut min, mut max, mut sum) = (Min::default(), Max::default(), ExactSum::default());
        for score in [f64::NAN, 3.0, f64::NAN, 1.0] {
            min.add(score);
            max.add(score);
            sum.add(score);
        }
        assert_eq!((min.0, max.0, sum.0), (1.0, 3.0, 4.0));
    }
}
