//! What becomes of a decision.

use crate::ladder::Rung;

/// What a decision is worth on an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// An option's score.
    Score(f64),
    /// An option that is no point on the scale.
    Ignored,
    /// A text that several options share although they score differently.
    Clash,
    /// A text that is no option of the item.
    Unmatched,
    /// A judge's word for "no option".
    Sentinel,
    /// No decision: a missing cell, a blank text, or a value that cannot be one.
    Missing,
}

impl Outcome {
    /// The item score; NaN if there is none.
    #[must_use]
    pub fn score(self) -> f64 {
        if let Self::Score(score) = self { score } else { f64::NAN }
    }

    /// Whether the decision is the text of an option.
    #[must_use]
    pub fn is_match(self) -> bool {
        matches!(self, Self::Score(_) | Self::Ignored | Self::Clash)
    }

    /// What a text is worth whose options are worth `self` and `other`.
    pub(crate) fn or(self, other: Self) -> Self {
        if self == other { self } else { Self::Clash }
    }
}

/// What decided about an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is an option's text.
    Exact,
    /// It is an option's text but for white space and case.
    Folded,
    /// It is an option in lenient matching only.
    Lenient,
    /// It is an option that is no point on the scale.
    Ignored,
    /// It is several options, which score differently.
    Clash,
    /// It is a judge's word for "no option".
    Sentinel,
    /// It is missing, blank or a value that cannot be a decision.
    Missing,
    /// It is no option of its item.
    Unmatched,
    /// It is not valid, whatever it is.
    Invalid,
}

impl Kind {
    /// All kinds, each at the position that is its number.
    pub const ALL: [Self; 9] = [
        Self::Exact,
        Self::Folded,
        Self::Lenient,
        Self::Ignored,
        Self::Clash,
        Self::Sentinel,
        Self::Missing,
        Self::Unmatched,
        Self::Invalid,
    ];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Folded => "folded",
            Self::Lenient => "lenient",
            Self::Ignored => "ignored option",
            Self::Clash => "clash",
            Self::Sentinel => "sentinel",
            Self::Missing => "missing",
            Self::Unmatched => "unmatched",
            Self::Invalid => "invalid",
        }
    }

    /// The kind of an answer that is an option in the form of a rung.
    pub(crate) fn of_match(rung: Rung, outcome: Outcome) -> Self {
        match (outcome, rung) {
            (Outcome::Ignored, _) => Self::Ignored,
            (Outcome::Clash, _) => Self::Clash,
            (_, Rung::Exact) => Self::Exact,
            (_, Rung::Folded) => Self::Folded,
            (_, Rung::Lenient | Rung::Bare) => Self::Lenient,
        }
    }
}

/// What a decision is on an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// What decided about it.
    pub kind: Kind,
    /// The position of its option among those of the item: the first of equal ones.
    pub option: Option<u32>,
    /// What it is worth.
    pub outcome: Outcome,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_at_its_number() {
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
        let names = Kind::ALL.map(Kind::name);
        assert_eq!(names[..3], ["exact", "folded", "lenient"]);
        assert_eq!(names[3..6], ["ignored option", "clash", "sentinel"]);
        assert_eq!(names[6..], ["missing", "unmatched", "invalid"]);
    }
}
