//! The one pass over the rows: pairs of items and texts are counted, and the sheet is filled.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::audit::mark::{Fate, Mark, Side};
use crate::audit::pairs::Index;
use crate::audit::sheet::Sheet;
use crate::codes::{BLOCK, Codes, MISSING};
use crate::decision::decision_text;
use crate::error::Result;
use crate::group::{Grouper, Keys};
use crate::key::{Class, Decision, Outcome, ScoringKey};
use crate::score::Answers;
use crate::values::Value;
use crate::workers::Workers;

/// What is counted of the answers.
#[derive(Debug)]
pub struct Tally {
    /// The key by which they are matched.
    pub key: Arc<ScoringKey>,
    /// The decisions.
    pub decisions: Arc<Codes>,
    /// Every pair of an item and a text that occurs, in the order of first appearance.
    pub pairs: Vec<Pair>,
    /// The codes of the texts that are listed; a pair's `column` is a position here.
    pub listed: Vec<u32>,
    /// The distinct texts beyond those.
    pub unlisted: usize,
    /// The first row of each respondent.
    pub first_rows: Vec<usize>,
    /// The respondents in the order of the result.
    pub order: Vec<u32>,
    /// What each left on each item.
    pub sheet: Sheet,
}

/// A text that was given to an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The item.
    pub item: u32,
    /// Which of the listed texts; none for all others of one class.
    pub column: Option<u32>,
    /// What the text is, whatever the item.
    pub class: Class,
    /// What it is on the item.
    pub decision: Decision,
    /// The first row.
    pub first_row: usize,
    /// The number of rows.
    pub rows: u32,
    /// How many of them are not valid.
    pub invalid: u32,
    mark: Mark,
}

/// Counts the answers of all respondents.
///
/// Of the distinct texts, the `most_texts` most frequent ones are listed. All others are counted
/// together, for each item and class; so nothing is lost, and memory is bounded.
///
/// # Errors
///
/// [`crate::error::Error::TooMany`], [`crate::error::Error::Interrupted`].
pub fn tally(
    answers: &Answers,
    keys: &Keys<'_>,
    most_texts: usize,
    only_valid: bool,
    workers: &Workers<'_>,
) -> Result<Tally> {
    let columns = Columns::new(answers, most_texts);
    let part = |start, stop| Part::read(answers, keys, &columns, only_valid, start, stop, workers);
    let mut parts = workers.split(answers.len(), part)?.into_iter();
    let mut whole = match parts.next() {
        Some(first) => first,
        None => part(0, 0)?,
    };
    for later in parts {
        whole.merge(&later)?;
    }
    Ok(Tally {
        key: answers.shared_key(),
        decisions: answers.shared_decisions(),
        pairs: whole.pairs,
        listed: columns.listed,
        unlisted: columns.unlisted,
        first_rows: whole.grouper.first_rows().to_vec(),
        order: whole.grouper.order(),
        sheet: whole.sheet,
    })
}

/// Which texts are counted by themselves, and which together.
struct Columns {
    /// The column of every code: those of the listed texts come first, then one for each class.
    of_code: Vec<u32>,
    listed: Vec<u32>,
    unlisted: usize,
    number: usize,
}

impl Columns {
    fn new(answers: &Answers, most_texts: usize) -> Self {
        let values = &answers.decisions().values;
        // Values of one text are one: 4 and "4", and all that count as a missing cell. Where all are
        // texts, each is one of its own.
        let mut same: Vec<u32> = vec![MISSING];
        let mut known: HashMap<Box<[u8]>, u32> = HashMap::default();
        let all_texts = values.iter().all(|value| matches!(value, Value::Text(_)));
        for (code, value) in (1..).zip(values.iter()) {
            same.push(match decision_text(value) {
                Some(_) if all_texts => code,
                Some(text) => *known.entry(text.as_ref().into()).or_insert(code),
                None => MISSING,
            });
        }
        let mut rows = vec![0_u32; same.len()];
        let mut codes = [0; BLOCK];
        for start in (0..answers.len()).step_by(BLOCK) {
            let codes = &mut codes[..BLOCK.min(answers.len() - start)];
            answers.decisions().rows.read(start, codes);
            codes.iter().for_each(|code| rows[same[*code as usize] as usize] += 1);
        }
        let mut listed: Vec<u32> =
            (0..).take(rows.len()).filter(|c| rows[*c as usize] > 0).collect();
        let unlisted = listed.len().saturating_sub(most_texts);
        if unlisted > 0 {
            listed.sort_by_key(|code| std::cmp::Reverse(rows[*code as usize]));
            listed.truncate(most_texts);
            listed.sort_unstable();
        }
        let mut of_code: Vec<u32> =
            answers.classes().iter().map(|class| listed.len() as u32 + class).collect();
        for (column, code) in (0..).zip(&listed) {
            of_code[*code as usize] = column;
        }
        let of_code = same.iter().map(|code| of_code[*code as usize]).collect();
        let number = listed.len() + answers.key().n_classes();
        Self { of_code, listed, unlisted, number }
    }
}

/// What is counted of some of the rows.
struct Part<'a> {
    index: Index,
    pairs: Vec<Pair>,
    grouper: Grouper<'a>,
    sheet: Sheet,
    listed: u32,
}

impl<'a> Part<'a> {
    fn read(
        answers: &Answers,
        keys: &'a Keys<'a>,
        columns: &Columns,
        only_valid: bool,
        start: usize,
        stop: usize,
        workers: &Workers<'_>,
    ) -> Result<Self> {
        let key = answers.key();
        let mut part = Self {
            index: Index::new(key.items().len(), columns.number),
            pairs: Vec::new(),
            grouper: Grouper::new(keys),
            sheet: Sheet::new(key.items().len(), answers.len()),
            listed: columns.listed.len() as u32,
        };
        let (mut groups, mut items, mut codes) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
        let mut invalid = [false; BLOCK];
        workers.blocks(start, stop, |start, stop| {
            let length = stop - start;
            part.grouper.read(start, &mut groups[..length])?;
            part.sheet.reserve(part.grouper.len());
            answers.read_codes(
                start,
                &mut items[..length],
                &mut codes[..length],
                &mut invalid[..length],
            );
            for offset in 0..length {
                let (item, code) = (items[offset], codes[offset]);
                let column = columns.of_code[code as usize];
                let number = part.index.number(item, column);
                if number == part.pairs.len() {
                    let class = answers.classes()[code as usize];
                    part.push(key, item, column, class, start + offset);
                }
                let pair = &mut part.pairs[number];
                let is_invalid = invalid[offset];
                // Cannot wrap: there are less than 2^32 rows.
                pair.rows = pair.rows.wrapping_add(1);
                pair.invalid = pair.invalid.wrapping_add(u32::from(is_invalid));
                let mark = if is_invalid && only_valid { Mark::INVALID } else { pair.mark };
                part.sheet.add(groups[offset], item, mark);
            }
            Ok(())
        })?;
        Ok(part)
    }

    fn push(&mut self, key: &ScoringKey, item: u32, column: u32, class: Class, first_row: usize) {
        let decision = key.decide(item, class);
        let mark = mark_of(key, item, decision);
        let column = Some(column).filter(|column| *column < self.listed);
        self.pairs.push(Pair {
            item,
            column,
            class,
            decision,
            first_row,
            rows: 0,
            invalid: 0,
            mark,
        });
    }

    fn merge(&mut self, later: &Self) -> Result<()> {
        for pair in &later.pairs {
            let column = pair.column.unwrap_or(self.listed + pair.class);
            let number = self.index.number(pair.item, column);
            if let Some(known) = self.pairs.get_mut(number) {
                known.rows += pair.rows;
                known.invalid += pair.invalid;
            } else {
                self.pairs.push(*pair);
            }
        }
        let numbers = self.grouper.merge(&later.grouper)?;
        self.sheet.reserve(self.grouper.len());
        self.sheet.merge(&later.sheet, &numbers);
        Ok(())
    }
}

/// The mark of a valid answer.
fn mark_of(key: &ScoringKey, item: u32, decision: Decision) -> Mark {
    let side = match (decision.outcome, key.range(item as usize)) {
        (Outcome::Score(score), Some((low, high))) if low < high => {
            let reversed = key.items()[item as usize].reversed;
            let weight = if reversed { low + high - score } else { score };
            match weight.total_cmp(&(low / 2.0 + high / 2.0)) {
                std::cmp::Ordering::Less => Side::Low,
                std::cmp::Ordering::Equal => Side::Middle,
                std::cmp::Ordering::Greater => Side::High,
            }
        }
        _ => Side::None,
    };
    Mark::new(Fate::from(decision.outcome), side, decision.option)
}
