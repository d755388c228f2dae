//! Wide files: one column for each item, put together to rows of one answer each.

use crate::codes::{Codes, MISSING, Narrow};
use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::items::ItemIds;

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

/// Rows of answers: those of the first respondent to all columns, then those of the second, and so on.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// The item of every row.
    pub items: ItemIds,
    /// The answer of every row.
    pub decisions: Codes,
    /// The respondent of every row, from 1.
    pub respondents: Narrow,
}

/// Respondents that are read at a time.
const FEW: usize = 64;

/// Puts columns of `rows` answers each together.
///
/// # Errors
///
/// [`Error::Length`] if a column is shorter or longer, [`Error::Reference`] if its item is not below
/// `n_items`, [`Error::TooMany`].
pub fn stack(columns: &[Column<'_>], rows: usize, n_items: usize) -> Result<Stack> {
    let mut interner = Interner::default();
    let mut tables = Vec::with_capacity(columns.len());
    for column in columns {
        let got = column.answers.rows.len();
        if got != rows {
            return Err(Error::Length { what: "answers to an item", got, expected: rows });
        }
        let mut table = vec![MISSING];
        for (value, code) in column.answers.values.iter().zip(1..) {
            let known = !column.missing.contains(&code);
            table.push(if known { interner.value(value)? } else { MISSING });
        }
        tables.push(table);
    }
    let width = columns.len();
    let mut decisions = Narrow::with_capacity(rows * width);
    let mut respondents = Narrow::with_capacity(rows * width);
    let mut items = Vec::with_capacity(rows * width);
    let (mut codes, mut block) = ([0; FEW], vec![0; FEW * width]);
    for start in (0..rows).step_by(FEW) {
        let codes = &mut codes[..FEW.min(rows - start)];
        let block = &mut block[..codes.len() * width];
        for (place, (column, table)) in columns.iter().zip(&tables).enumerate() {
            column.answers.rows.read(start, codes);
            for (to, code) in block[place..].iter_mut().step_by(width).zip(codes.iter()) {
                *to = table[*code as usize];
            }
        }
        decisions.extend(block);
        for (answers, number) in block.chunks_mut(width.max(1)).zip(start as u32 + 1..) {
            answers.fill(number);
            items.extend(columns.iter().map(|column| column.item));
        }
        respondents.extend(block);
    }
    let item = columns.iter().map(|column| column.item as usize).max().unwrap_or(0);
    Ok(Stack {
        items: ItemIds::alone(&items, n_items)
            .ok_or(Error::Reference { item, what: "a column" })?,
        decisions: Codes { rows: decisions, values: interner.finish() },
        respondents,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::BLOCK;

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
        assert_eq!(*stack.items.rows(), [2, 0, 2, 0, 2, 0].into_iter().collect());
        assert_eq!(stack.respondents, [1, 1, 2, 2, 3, 3].into_iter().collect());
        // b is the first text, a the second; 9 is none.
        assert_eq!(stack.decisions.rows, [1, 2, 0, 0, 2, 1].into_iter().collect());
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
        assert_eq!(
            (number(127), number(128), number(rows * 2 - 1)),
            (Some(64), Some(65), Some(rows as u32))
        );
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
