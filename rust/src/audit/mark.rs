//! What one respondent left on one item, in two bytes.

use crate::outcome::Outcome;

/// What became of an answer. It is counted under the first of these that holds, from the last on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Fate {
    /// There is no row.
    Absent,
    /// It has a score.
    Scored,
    /// It is an option that is no point on the scale.
    Ignored,
    /// It is a text that several options share.
    Clash,
    /// It is the text of no option.
    Unmatched,
    /// It is a judge's word for "no option".
    Sentinel,
    /// It is none.
    Missing,
    /// It is not valid.
    Invalid,
}

/// How many fates there are.
pub const FATES: usize = 8;

impl From<Outcome> for Fate {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Score(_) => Self::Scored,
            Outcome::Ignored => Self::Ignored,
            Outcome::Clash => Self::Clash,
            Outcome::Unmatched => Self::Unmatched,
            Outcome::Sentinel => Self::Sentinel,
            Outcome::Missing => Self::Missing,
        }
    }
}

/// On which side of the middle of the item's weights an answer lies, before any reversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Side {
    /// The weights have no middle, or the answer has no score.
    None,
    /// The answer is worth less than the middle.
    Low,
    /// It is worth just that.
    Middle,
    /// It is worth more.
    High,
}

/// What a respondent left on an item: the fate of the answer, the chosen option, its side of the
/// middle, and whether there were more answers than one.
///
/// From the lowest bit: three of the fate, one "repeated", one "conflicting", two of the side, one
/// unused, and eight of the option's position plus one (0: no option).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark(u16);

const FATE: u16 = 0b111;
const REPEATED: u16 = 1 << 3;
const CONFLICTING: u16 = 1 << 4;
const SIDE_SHIFT: u32 = 5;
const OPTION_SHIFT: u32 = 8;

impl Mark {
    /// No row.
    pub const ABSENT: Self = Self(0);
    /// An answer that is not valid.
    pub const INVALID: Self = Self(Fate::Invalid as u16);

    /// The mark of one answer. Options from the 255th on are not told apart.
    #[must_use]
    pub fn new(fate: Fate, side: Side, option: Option<u32>) -> Self {
        let option = option.map_or(0, |option| option.min(254) as u16 + 1);
        Self(fate as u16 | (side as u16) << SIDE_SHIFT | option << OPTION_SHIFT)
    }

    /// What became of the answer, as the number of a [`Fate`].
    #[must_use]
    pub fn fate(self) -> usize {
        usize::from(self.0 & FATE)
    }

    /// Whether there is a row.
    #[must_use]
    pub fn is_present(self) -> bool {
        self != Self::ABSENT
    }

    /// Whether there is a score.
    #[must_use]
    pub fn is_scored(self) -> bool {
        self.fate() == Fate::Scored as usize
    }

    /// The position of the chosen option plus one; 0 if none was chosen.
    #[must_use]
    pub fn option(self) -> u16 {
        self.0 >> OPTION_SHIFT
    }

    /// What the answer adds to a count of agreement: one in the upper half of the bits if it has a
    /// side of the middle, and twice the agreement (0, 1 or 2) in the lower half.
    #[must_use]
    pub fn agreement(self) -> u64 {
        const ONE: u64 = 1 << 32;
        [0, ONE, ONE + 1, ONE + 2][usize::from(self.0 >> SIDE_SHIFT & 0b11)]
    }

    /// Whether there was more than one answer.
    #[must_use]
    pub fn is_repeated(self) -> bool {
        self.0 & REPEATED != 0
    }

    /// Whether there were answers that differ in what they are worth or in the option.
    #[must_use]
    pub fn is_conflicting(self) -> bool {
        self.0 & CONFLICTING != 0
    }

    /// The mark of all answers, given those before and those after: the first one with a score
    /// stands, or else the first one.
    #[inline]
    #[must_use]
    pub fn and(self, later: Self) -> Self {
        if self == Self::ABSENT {
            return later;
        }
        if later == Self::ABSENT {
            return self;
        }
        let flags = REPEATED | CONFLICTING;
        let differ = (self.0 ^ later.0) & !flags != 0;
        let kept = if later.is_scored() && !self.is_scored() { later } else { self };
        let conflicting = if differ { CONFLICTING } else { (self.0 | later.0) & CONFLICTING };
        Self(kept.0 & !flags | REPEATED | conflicting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_holds_what_it_was_made_of() {
        for (fate, outcome) in [
            (Fate::Scored, Outcome::Score(2.0)),
            (Fate::Ignored, Outcome::Ignored),
            (Fate::Clash, Outcome::Clash),
            (Fate::Unmatched, Outcome::Unmatched),
            (Fate::Sentinel, Outcome::Sentinel),
            (Fate::Missing, Outcome::Missing),
        ] {
            assert_eq!(Fate::from(outcome), fate);
            let mark = Mark::new(fate, Side::None, None);
            assert_eq!((mark.fate(), mark.option()), (fate as usize, 0));
            assert!(mark.is_present());
            assert_eq!(mark.agreement(), 0);
        }
        let mark = Mark::new(Fate::Scored, Side::High, Some(300));
        assert_eq!((mark.option(), mark.agreement()), (255, (1 << 32) + 2));
        assert_eq!(Mark::new(Fate::Scored, Side::Low, Some(0)).option(), 1);
        assert!(!Mark::ABSENT.is_present());
        assert_eq!(Mark::INVALID.fate(), Fate::Invalid as usize);
    }

    #[test]
    fn the_first_answer_with_a_score_stands() {
        let [missing, low, high] = [
            Mark::new(Fate::Missing, Side::None, None),
            Mark::new(Fate::Scored, Side::Low, Some(0)),
            Mark::new(Fate::Scored, Side::High, Some(4)),
        ];
        assert_eq!(Mark::ABSENT.and(low), low);
        assert_eq!(low.and(Mark::ABSENT), low);
        let twice = low.and(low);
        assert!(twice.is_repeated() && !twice.is_conflicting());
        assert_eq!(twice.option(), 1);
        let late = missing.and(high);
        assert!(late.is_repeated() && late.is_conflicting() && late.is_scored());
        assert_eq!(low.and(high).option(), 1);
        // However the rows are cut into parts, the result is the same.
        let rows = [missing, missing, high, low, low];
        let whole = rows.iter().fold(Mark::ABSENT, |all, mark| all.and(*mark));
        for cut in 0..=rows.len() {
            let part = |rows: &[Mark]| rows.iter().fold(Mark::ABSENT, |all, mark| all.and(*mark));
            assert_eq!(part(&rows[..cut]).and(part(&rows[cut..])), whole);
        }
        assert_eq!(whole.option(), 5);
    }
}
