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
    let mut whole = parts.next().map_or_else(|| part(0, 0), Ok)?;
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
            index: Index::new(key.scales().len(), columns.number),
            pairs: Vec::new(),
            grouper: Grouper::new(keys),
            sheet: Sheet::new(key.scales().len(), answers.len()),
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
            let weight = if key.is_reversed(item) { low + high - score } else { score };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::mark::FATES;
    use crate::codes::Narrow;
    use crate::group::KeyColumn;
    use crate::interner::Interner;
    use crate::items::ItemIds;
    use crate::key::{AnswerOption, Item, Kind};
    use crate::order::ranks;
    use crate::workers::FEWEST_ROWS;

    /// Two items of the options "1" to "5", the second one reverse-keyed, and one of "one" alone.
    fn key() -> Arc<ScoringKey> {
        let option = |text: String, weight| {
            let text = text.into_bytes().into();
            AnswerOption { text, weight, ignored: false }
        };
        let five = (1..=5).map(|i| option(i.to_string(), f64::from(i))).collect();
        let items = [(0, false), (0, true), (1, false)];
        let items =
            items.map(|(options, reversed)| Item { options, reversed, scale: 0, range: None });
        let sets = [five, vec![option("one".to_owned(), 1.0)]];
        ScoringKey::new(&sets, &items).expect("a valid key").into()
    }

    fn column(interner: Interner, rows: Vec<u32>) -> Arc<Codes> {
        Codes { rows: rows.into_iter().collect(), values: interner.finish() }.into()
    }

    fn texts(texts: &[&str]) -> Result<Arc<Codes>> {
        let mut interner = Interner::default();
        let rows =
            texts.iter().map(|text| interner.text(text.as_bytes())).collect::<Result<_>>()?;
        Ok(column(interner, rows))
    }

    fn by_pair(tally: &Tally) -> Vec<(u32, Option<u32>, Kind, u32, u32)> {
        let pairs = tally.pairs.iter();
        pairs.map(|p| (p.item, p.column, p.decision.kind, p.rows, p.invalid)).collect()
    }

    #[test]
    fn pairs_and_marks_are_counted() -> Result<()> {
        let ids = Arc::new(ItemIds::alone(&[0_u8, 1, 0, 1, 2, 2], 3).expect("valid ids"));
        let decisions = texts(&["5", "4", "x", "4", "one", "3"])?;
        let answers = Answers::new(key(), ids, decisions)?;
        let answers = answers
            .with_verdicts(texts(&["y", "y", "y", "n", "y", "y"])?, &[false, false, true])?;
        let people = texts(&["b", "b", "a", "a", "b", "a"])?;
        let rank = ranks(&people.values).expect("texts can be sorted");
        let keys = Keys::new(vec![KeyColumn { rows: &people.rows, ranks: rank }], 6)?;
        let tally_of = |only_valid| tally(&answers, &keys, 10, only_valid, &Workers::alone());
        let counted = tally_of(true)?;
        let exact = Kind::Exact;
        let expected = [
            (0, Some(0), exact, 1, 0),
            (1, Some(1), exact, 2, 1),
            (0, Some(2), Kind::Unmatched, 1, 0),
            (2, Some(3), exact, 1, 0),
            (2, Some(4), Kind::Unmatched, 1, 0),
        ];
        assert_eq!(by_pair(&counted), expected);
        assert_eq!((counted.listed.as_slice(), counted.unlisted), (&[1, 2, 3, 4, 5][..], 0));
        assert_eq!(counted.pairs[1].first_row, 1);
        assert_eq!(
            (counted.first_rows.as_slice(), counted.order.as_slice()),
            (&[0, 2][..], &[1, 0][..])
        );
        let mut marks = Vec::new();
        counted.sheet.visit(&counted.order, 0..2, |_, row| {
            let row = row.iter().map(|(item, m)| (*item, m.fate(), m.agreement()));
            marks.push(row.collect::<Vec<_>>());
        });
        // Item 1 is reverse-keyed, but "4" is agreement; item 2 has but one weight and no middle.
        let high = (1 << 32) + 2;
        let ann = vec![(0, 4, 0), (1, 7, 0), (2, 4, 0)];
        let ben = vec![(0, 1, high), (1, 1, high), (2, 1, 0)];
        assert_eq!(marks, [ann, ben]);
        let all = tally_of(false)?;
        let counts = all.sheet.by_scale(&all.order, all.key.scales(), 1);
        assert_eq!(counts[..FATES], [0, 1, 0, 0, 2, 0, 0, 0]);
        Ok(())
    }

    #[test]
    fn texts_beyond_the_most_frequent_are_counted_together() -> Result<()> {
        // Three texts that are no options, "2" in two types, and a missing cell in two forms.
        let mut interner = Interner::default();
        let [two, int_two] = [interner.text(b"2")?, interner.int(2)?];
        let [x, y, z] = [interner.text(b"x")?, interner.text(b"y")?, interner.text(b"z")?];
        let gap = interner.value(Value::Missing)?;
        let five = interner.text(b" 5")?;
        let rows = vec![two, x, int_two, y, int_two, MISSING, gap, z, y, five];
        let ids = ItemIds::alone(&[0_u8; 10], 3).expect("valid ids");
        let answers = Answers::new(key(), ids.into(), column(interner, rows))?;
        let keys = Keys::new(vec![], 10)?;
        let counted = tally(&answers, &keys, 3, true, &Workers::alone())?;
        assert_eq!((counted.listed.as_slice(), counted.unlisted), (&[MISSING, two, y][..], 3));
        let expected = [
            (0, Some(1), Kind::Exact, 3, 0),
            (0, None, Kind::Unmatched, 2, 0),
            (0, Some(2), Kind::Unmatched, 2, 0),
            (0, Some(0), Kind::Missing, 2, 0),
            (0, None, Kind::Folded, 1, 0),
        ];
        assert_eq!(by_pair(&counted), expected);
        let all = tally(&answers, &keys, 6, true, &Workers::alone())?;
        assert_eq!((all.listed.len(), all.unlisted), (6, 0));
        Ok(())
    }

    #[test]
    fn the_number_of_threads_changes_nothing() -> Result<()> {
        let rows = FEWEST_ROWS * 3 + 77;
        let numbers: Vec<u32> = (0..rows as u64).map(|row| (row * row % 1009) as u32).collect();
        let mut interner = Interner::default();
        for text in ["1", "2", "3", "4", "5", "one", "x", "y"] {
            interner.text(text.as_bytes())?;
        }
        let decisions = column(interner, numbers.iter().map(|n| n % 9).collect());
        // The third item comes late, so not all pairs are known from the first part.
        let late = |(row, n): (usize, &u32)| n % if row < 2 * FEWEST_ROWS { 2 } else { 3 };
        let ids: Vec<u32> = numbers.iter().enumerate().map(late).collect();
        let ids = ItemIds::alone(&ids, 3).expect("valid ids");
        let answers = Answers::new(key(), ids.into(), decisions)?;
        let people: Narrow = numbers.iter().map(|n| n / 2).collect();
        let keys = Keys::new(vec![KeyColumn { rows: &people, ranks: (0..505).collect() }], rows)?;
        let sheet_of = |tally: &Tally| {
            let mut marks = Vec::new();
            tally
                .sheet
                .visit(&tally.order, 0..tally.order.len(), |_, row| marks.push(row.to_vec()));
            marks
        };
        let one = tally(&answers, &keys, 5, true, &Workers::alone())?;
        for threads in [2, 3] {
            let more = tally(&answers, &keys, 5, true, &Workers::new(threads, &|| true))?;
            assert_eq!(one.pairs, more.pairs);
            assert_eq!(one.first_rows, more.first_rows);
            assert_eq!(sheet_of(&one), sheet_of(&more));
        }
        Ok(())
    }

    #[test]
    fn no_rows_are_counted_as_none() -> Result<()> {
        let ids = ItemIds::alone::<u8>(&[], 3).expect("valid ids");
        let answers = Answers::new(key(), ids.into(), texts(&[])?)?;
        let keys = Keys::new(vec![], 0)?;
        let counted = tally(&answers, &keys, 5, true, &Workers::alone())?;
        assert!(counted.pairs.is_empty() && counted.first_rows.is_empty());
        Ok(())
    }
}
