//! The ladder on which a decision finds its option: from the text itself to forms that keep less
//! and less of it.
//!
//! Every text that occurs as an option anywhere in the questionnaire has a *class*, and so has each
//! of its forms; a decision is classified once, whatever its item. The class of a decision is that
//! of the first of its forms that any option has; below it stand the classes of its later forms, at
//! which it is looked for on items that do not have this one.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::decision::decision_text;
use crate::error::{Error, Result};
use crate::fold::{fold, is_blank};
use crate::lenient::{bare, form_of_folded};
use crate::values::Value;

/// Decisions by which a judge says that no option was chosen; they match only an option whose text
/// is exactly that.
pub const JUDGE_SENTINELS: [&str; 2] = ["not present", "inconclusive"];

/// How alike a decision and its option have to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Matching {
    /// Equal, or equal once white space is collapsed and case folded.
    #[default]
    Strict,
    /// Or else equal in their [`form`](crate::lenient::form)s of lenient matching.
    Lenient,
}

/// The form in which a decision is its option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// The text itself.
    Exact,
    /// White space collapsed and case folded.
    Folded,
    /// The lenient form.
    Lenient,
    /// The lenient form without punctuation at the end and emphasis around.
    Bare,
}

const RUNGS: [Rung; 4] = [Rung::Exact, Rung::Folded, Rung::Lenient, Rung::Bare];

/// What a decision is, the same for all items.
pub type Class = u32;
/// A decision that is none.
pub const CLASS_MISSING: Class = 0;
/// A judge's sentinel that is no option's text.
pub const CLASS_SENTINEL: Class = 1;
/// A text that is no option of any item.
pub const CLASS_UNMATCHED: Class = 2;
/// The class of the first option text; those before it end the search.
pub(crate) const FIRST_TEXT: Class = 3;

/// The classes of all option texts of a questionnaire and of their forms.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    matching: Matching,
    /// For each rung the classes of the forms that options have.
    rungs: Vec<HashMap<Box<[u8]>, Class>>,
    /// For each rung the class after its last one.
    ends: Vec<Class>,
    /// The class at which each of those from the first text on is looked for next.
    below: Vec<Class>,
    /// The class of each text's folded form.
    folded: Vec<Class>,
}

/// Where the next form of a text is looked for.
enum Descent {
    /// On the next rung, in this form.
    Form(Box<[u8]>),
    /// Nowhere: the text is of this class.
    End(Class),
}

impl Ladder {
    /// Gives the texts and their forms classes, one rung after the other. Blank texts have none,
    /// because no decision can be one.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`].
    pub fn new<'a>(texts: impl Iterator<Item = &'a [u8]>, matching: Matching) -> Result<Self> {
        let mut ladder = Self { matching, ..Self::default() };
        let mut next = FIRST_TEXT;
        // Forms of this rung that may be new, each with the class above it.
        let mut forms: Vec<(Cow<'_, [u8]>, Option<Class>)> =
            texts.filter(|text| !is_blank(text)).map(|text| (text.into(), None)).collect();
        for rung in RUNGS {
            let mut classes = HashMap::default();
            let mut lower = Vec::new();
            for (text, above) in forms {
                let class = *classes.entry_ref(&*text).or_insert(next);
                ladder.join(above, class);
                if class < next {
                    continue;
                }
                next = next.checked_add(1).ok_or(Error::TooMany { what: "option texts" })?;
                match ladder.descend(rung, &text) {
                    Descent::Form(form) => {
                        ladder.below.push(CLASS_UNMATCHED);
                        lower.push((form.into_vec().into(), Some(class)));
                    }
                    Descent::End(end) => {
                        ladder.below.push(end);
                        if rung == Rung::Exact {
                            // An option that is a sentinel is found in its other spellings too.
                            lower.push((fold(&text).into_vec().into(), Some(class)));
                        }
                    }
                }
            }
            if rung == Rung::Exact {
                ladder.folded = vec![CLASS_UNMATCHED; classes.len()];
            }
            ladder.rungs.push(classes);
            ladder.ends.push(next);
            forms = lower;
        }
        Ok(ladder)
    }

    /// Notes that a class is that of the next form of the one above.
    fn join(&mut self, above: Option<Class>, class: Class) {
        let Some(position) = above.map(|above| (above - FIRST_TEXT) as usize) else { return };
        if let Some(folded) = self.folded.get_mut(position) {
            *folded = class;
        }
        if self.below[position] == CLASS_UNMATCHED {
            self.below[position] = class;
        }
    }

    /// The form in which a text is looked for once it is not found on a rung.
    #[inline]
    fn descend(&self, rung: Rung, text: &[u8]) -> Descent {
        match rung {
            Rung::Exact if is_blank(text) => Descent::End(CLASS_MISSING),
            Rung::Exact if is_sentinel(text) => Descent::End(CLASS_SENTINEL),
            Rung::Exact => Descent::Form(fold(text)),
            Rung::Folded if self.matching == Matching::Lenient => {
                let form = form_of_folded(text.into());
                // Before any option is looked for, so that no spelling of a sentinel becomes one.
                if is_sentinel(&bare(&form)) {
                    Descent::End(CLASS_SENTINEL)
                } else if is_blank(&form) {
                    Descent::End(CLASS_MISSING)
                } else {
                    Descent::Form(form)
                }
            }
            Rung::Lenient => Descent::Form(bare(text)),
            Rung::Folded | Rung::Bare => Descent::End(CLASS_UNMATCHED),
        }
    }

    /// What a decision is.
    #[must_use]
    pub fn classify(&self, decision: Value<'_>) -> Class {
        let Some(mut text) = decision_text(decision) else { return CLASS_MISSING };
        let mut number = 0;
        loop {
            if let Some(class) = self.rungs[number].get(&*text) {
                return *class;
            }
            // The last rung ends the search.
            match self.descend(RUNGS[number], &text) {
                Descent::Form(form) => text = form.into_vec().into(),
                Descent::End(class) => return class,
            }
            number += 1;
        }
    }

    /// The number of classes that a decision can have.
    #[must_use]
    pub fn n_classes(&self) -> usize {
        FIRST_TEXT as usize + self.below.len()
    }

    /// The class of an option's text; none for a blank one.
    #[must_use]
    pub fn class_of(&self, text: &[u8]) -> Option<Class> {
        self.rungs[0].get(text).copied()
    }

    /// The rung of a class; none where a decision is looked for no further.
    #[must_use]
    pub fn rung(&self, class: Class) -> Option<Rung> {
        if class < FIRST_TEXT {
            return None;
        }
        RUNGS.into_iter().zip(&self.ends).find(|(_, end)| class < **end).map(|(rung, _)| rung)
    }

    /// The class below another; that one itself where a decision is looked for no further.
    #[must_use]
    pub fn below(&self, class: Class) -> Class {
        let position = class.checked_sub(FIRST_TEXT).map(|position| position as usize);
        position.and_then(|position| self.below.get(position)).copied().unwrap_or(class)
    }

    /// The classes of an option's text and of its forms, each with its rung; none of a blank text.
    pub fn descent(&self, text: &[u8]) -> impl Iterator<Item = (Rung, Class)> {
        let exact = self.class_of(text);
        let folded = exact.map(|class| self.folded[(class - FIRST_TEXT) as usize]);
        let classes = std::iter::successors(folded, |class| Some(self.below(*class)));
        exact.into_iter().chain(classes).map_while(|class| Some((self.rung(class)?, class)))
    }
}

fn is_sentinel(text: &[u8]) -> bool {
    JUDGE_SENTINELS.iter().any(|sentinel| sentinel.as_bytes() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{AnswerOption, Item, Kind, ScoringKey};

    fn option(text: &str, weight: f64) -> AnswerOption {
        AnswerOption { text: text.as_bytes().into(), weight, ignored: false }
    }

    fn lenient(options: Vec<AnswerOption>) -> ScoringKey {
        ScoringKey::with_matching(
            &[options],
            &[Item { options: 0, reversed: false, scale: 0, range: None }],
            Matching::Lenient,
        )
        .expect("a valid key")
    }

    fn decided(key: &ScoringKey, text: &str) -> (Kind, Option<u32>) {
        let decision = key.decide(0, key.classify(Value::Text(text.as_bytes())));
        (decision.kind, decision.option)
    }

    #[test]
    fn every_step_is_named() {
        let options = vec![
            option("I'm", 1.),
            AnswerOption { ignored: true, ..option("Pass", 2.) },
            option("a", 3.),
            option("A", 4.),
        ];
        let key = lenient(options);
        for (text, decided_by) in [
            ("I'm", (Kind::Exact, Some(0))),
            ("i'M ", (Kind::Folded, Some(0))),
            ("I\u{2019}m", (Kind::Lenient, Some(0))),
            ("*I'm*.", (Kind::Lenient, Some(0))),
            ("pass", (Kind::Ignored, Some(1))),
            ("a\u{200b}", (Kind::Clash, None)),
            ("inconclusive", (Kind::Sentinel, None)),
            ("Not present.", (Kind::Sentinel, None)),
            (" ", (Kind::Missing, None)),
            ("\u{feff}", (Kind::Missing, None)),
            ("perhaps", (Kind::Unmatched, None)),
        ] {
            assert_eq!(decided(&key, text), decided_by, "{text}");
        }
        assert!(key.has_clashes());
        assert!(key.clashes(0).is_empty());
        assert_eq!(key.look_alikes(0), [[Box::from(*b"a"), Box::from(*b"A")]]);
        assert!(key.look_alikes(1).is_empty(), "there is no such item");
    }

    #[test]
    fn an_end_means_something_where_options_differ_by_just_that() {
        let key = lenient(vec![option("Agree", 1.), option("Agree!", 2.), option("No", 3.)]);
        assert_eq!(decided(&key, "agree!"), (Kind::Folded, Some(1)));
        assert_eq!(decided(&key, "Agree."), (Kind::Unmatched, None));
        assert_eq!(decided(&key, "No."), (Kind::Unmatched, None));
        assert!(!key.has_clashes());
        let key = lenient(vec![option("Agree.", 1.), option("AGREE.", 1.)]);
        assert_eq!(decided(&key, "Agree!"), (Kind::Lenient, Some(0)));
        assert!(!key.has_clashes(), "they score alike");
    }

    #[test]
    fn an_option_that_is_a_sentinel_is_found_as_in_strict_matching() {
        let options = vec![option("not present", 1.), option(" ", 2.), option("\u{200b}", 3.)];
        let key = lenient(options);
        assert_eq!(decided(&key, "not present"), (Kind::Exact, Some(0)));
        assert_eq!(decided(&key, "NOT  PRESENT"), (Kind::Folded, Some(0)));
        assert_eq!(decided(&key, "not present."), (Kind::Sentinel, None));
        assert_eq!(decided(&key, "\u{200b} "), (Kind::Folded, Some(2)));
        assert_eq!(decided(&key, "\u{200d}"), (Kind::Missing, None));
    }
}
