//! What the classes of decisions are worth to items that share options, direction and range.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use crate::key::AnswerOption;
use crate::ladder::{Class, Ladder, Matching, Rung};
use crate::outcome::Outcome;

/// An option found by a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// What a decision of the class is worth.
    pub(crate) outcome: Outcome,
    /// The position of the option, of the first one if there are several.
    pub(crate) option: u32,
}

/// The worth of all classes in which an item has an option.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// How many options there are.
    pub(crate) options: usize,
    /// Whether the items are reverse-keyed.
    pub(crate) reversed: bool,
    found: HashMap<Class, Found>,
    /// Texts of options that share them although they score differently.
    pub(crate) clashes: Vec<Box<[u8]>>,
    /// Groups of texts that lenient matching makes equal although they score differently.
    pub(crate) look_alikes: Vec<Vec<Box<[u8]>>>,
    /// The lowest and highest possible score: what is declared, or else the smallest and largest
    /// weight of the options that are not ignored.
    pub(crate) range: Option<(f64, f64)>,
}

impl Table {
    pub(crate) fn new(
        options: &[AnswerOption],
        ladder: &Ladder,
        matching: Matching,
        reversed: bool,
        declared: Option<(f64, f64)>,
    ) -> Self {
        let kept = || options.iter().filter(|option| !option.ignored).map(|option| option.weight);
        let found = kept().next().map(|_| {
            (kept().fold(f64::INFINITY, f64::min), kept().fold(f64::NEG_INFINITY, f64::max))
        });
        let range = declared.or(found);
        let mut table = Self { options: options.len(), reversed, range, ..Self::default() };
        let lenient = matching == Matching::Lenient;
        let ends_differ = lenient && differ_by_end(options, ladder);
        let lowest = if ends_differ { Rung::Lenient } else { Rung::Bare };
        for (position, option) in options.iter().enumerate() {
            let outcome = match (option.ignored, reversed, range) {
                (true, ..) => Outcome::Ignored,
                (false, true, Some((low, high))) => Outcome::Score(low + high - option.weight),
                (false, ..) => Outcome::Score(option.weight),
            };
            for (rung, class) in ladder.descent(&option.text) {
                if rung <= lowest {
                    table.add(class, Found { outcome, option: position as u32 });
                }
            }
        }
        table.name_clashes(options, ladder);
        if lenient {
            table.name_look_alikes(options, ladder);
        }
        table
    }

    /// The option that decisions of a class are.
    pub(crate) fn get(&self, class: Class) -> Option<Found> {
        self.found.get(&class).copied()
    }

    /// All classes in which there is an option, each with it.
    pub(crate) fn found(&self) -> impl Iterator<Item = (Class, Found)> {
        self.found.iter().map(|(class, found)| (*class, *found))
    }

    fn add(&mut self, class: Class, found: Found) {
        match self.found.entry(class) {
            Entry::Vacant(place) => {
                place.insert(found);
            }
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.outcome = known.outcome.or(found.outcome);
            }
        }
    }

    /// Names the clashing texts in the order of the options, each once.
    fn name_clashes(&mut self, options: &[AnswerOption], ladder: &Ladder) {
        for option in options {
            let class = ladder.class_of(&option.text);
            let found = class.and_then(|class| self.get(class));
            let clash = found.is_some_and(|found| found.outcome == Outcome::Clash);
            if clash && !self.clashes.contains(&option.text) {
                self.clashes.push(option.text.clone());
            }
        }
    }

    /// Names the different texts that share a clashing form, in the order of the options.
    fn name_look_alikes(&mut self, options: &[AnswerOption], ladder: &Ladder) {
        let mut groups: Vec<(Class, Vec<Box<[u8]>>)> = Vec::new();
        for option in options {
            let forms = ladder.descent(&option.text).filter(|(rung, _)| *rung <= Rung::Lenient);
            let Some((_, class)) = forms.last() else { continue };
            match groups.iter_mut().find(|(known, _)| *known == class) {
                Some((_, texts)) if texts.contains(&option.text) => {}
                Some((_, texts)) => texts.push(option.text.clone()),
                None => groups.push((class, vec![option.text.clone()])),
            }
        }
        let clashes = |class: &Class| self.found[class].outcome == Outcome::Clash;
        let groups = groups.into_iter().filter(|(class, texts)| texts.len() > 1 && clashes(class));
        self.look_alikes = groups.map(|(_, texts)| texts).collect();
    }
}

/// Whether options differ by just the punctuation at their ends or the emphasis around them, so that
/// these mean something on the item.
fn differ_by_end(options: &[AnswerOption], ladder: &Ladder) -> bool {
    let mut form_of: HashMap<Class, Class> = HashMap::default();
    options.iter().any(|option| {
        let classes: Vec<Class> = ladder.descent(&option.text).map(|(_, class)| class).collect();
        // One class for each rung, if there is a bare form at all.
        matches!(classes[..], [_, _, form, bare] if *form_of.entry(bare).or_insert(form) != form)
    })
}
