//! Wide files: one column for each item, put together to rows of one answer each.

use crate::codes::{BLOCK, Codes, MISSING, Narrow};
use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::score::ItemIds;

/// The column of an item.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    /// The item that its answers belong to.
    pub item: u32,
    /// The answers, one for each respondent.
    pub answers: &'a Codes,
    /// The codes of answers that stand for none.
    pub missing: Vec<u32>,
}

/// Rows of answers: those of all respondents to the first column, then those to the second, and so on.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// The item of every row.
    pub items: ItemIds,
    /// The answer of every row.
    pub decisions: Codes,
    /// The respondent of every row, from 1.
    pub respondents: Narrow,
}

/// Puts columns of `rows` answers each together.
///
/// # Errors
///
/// [`Error::Length`] if a column is shorter or longer, [`Error::Reference`] if its item is not below
/// `n_items`, [`Error::TooMany`].
pub fn stack(columns: &[Column<'_>], rows: usize, n_items: usize) -> Result<Stack> {
    let mut interner = Interner::default();
    let (mut items, mut respondents) = (Narrow::default(), Narrow::default());
    let mut decisions = Narrow::default();
    let mut block = [0; BLOCK];
    for column in columns {
        let got = column.answers.rows.len();
        if got != rows {
            return Err(Error::Length { what: "answers to an item", got, expected: rows });
        }
        let mut codes = vec![MISSING];
        for (value, code) in column.answers.values.iter().zip(1..) {
            let known = !column.missing.contains(&code);
            codes.push(if known { interner.value(value)? } else { MISSING });
        }
        decisions.append(&column.answers.recode(&codes)?);
        for start in (0..rows).step_by(BLOCK) {
            let block = &mut block[..BLOCK.min(rows - start)];
            block.fill(column.item);
            items.extend(block);
            block.iter_mut().zip(start as u32 + 1..).for_each(|(to, number)| *to = number);
            respondents.extend(block);
        }
    }
    let positions: Vec<Option<u32>> = (0..n_items as u32).map(Some).collect();
    let column = Codes { rows: items, ..Codes::default() };
    let item = columns.iter().map(|column| column.item as usize).max().unwrap_or(0);
    Ok(Stack {
        items: ItemIds::from_codes(&column, &positions, n_items)
            .ok_or(Error::Reference { item, what: "a column" })?,
        decisions: Codes { rows: decisions, values: interner.finish() },
        respondents,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str]) -> Codes {
        let mut interner = Interner::default();
        let codes: Result<Narrow> = texts
            .iter()
            .map(|text| if text.is_empty() { Ok(MISSING) } else { interner.text(text.as_bytes()) })
            .collect::<Result<Vec<_>>>()
            .map(|codes| codes.into_iter().collect());
        Codes { rows: codes.expect("there is room"), values: interner.finish() }
    }

    #[test]
    fn columns_become_rows() -> Result<()> {
        let (first, second) = (column(&["b", "", "a"]), column(&["a", "9", "b"]));
        let columns = [
            Column { item: 2, answers: &first, missing: vec![] },
            Column { item: 0, answers: &second, missing: vec![2] },
        ];
        let stack = stack(&columns, 3, 3)?;
        assert_eq!(*stack.items.rows(), [2, 2, 2, 0, 0, 0].into_iter().collect());
        assert_eq!(stack.respondents, [1, 2, 3, 1, 2, 3].into_iter().collect());
        // b is the first text, a the second; 9 is none.
        assert_eq!(stack.decisions.rows, [1, 0, 2, 2, 0, 1].into_iter().collect());
        assert_eq!(stack.decisions.values.len(), 2);
        Ok(())
    }

    #[test]
    fn many_respondents_are_numbered_on() -> Result<()> {
        let rows = BLOCK * 2 + 5;
        let answers = column(&vec!["a"; rows]);
        let columns = [0, 1].map(|item| Column { item, answers: &answers, missing: vec![] });
        let stack = stack(&columns, rows, 2)?;
        assert_eq!(stack.respondents.len(), rows * 2);
        let number = |row: usize| stack.respondents.get(row);
        assert_eq!((number(rows - 1), number(rows)), (Some(rows as u32), Some(1)));
        assert_eq!(stack.items.present(2), [0, 1]);
        Ok(())
    }

    #[test]
    fn columns_have_to_fit() {
        let answers = column(&["a"]);
        let columns = [Column { item: 1, answers: &answers, missing: vec![] }];
        let length = Error::Length { what: "answers to an item", got: 1, expected: 2 };
        assert_eq!(stack(&columns, 2, 2).map(|_| ()), Err(length));
        let reference = Error::Reference { item: 1, what: "a column" };
        assert_eq!(stack(&columns, 1, 1).map(|_| ()), Err(reference));
        assert!(stack(&[], 5, 0).is_ok_and(|stack| stack.respondents.is_empty()));
    }
}
