//! Wide files: one column for each item, put together to rows of one answer each.

use crate::codes::{BLOCK, Codes, MISSING, Narrow};
use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::items::ItemIds;
use crate::workers::Workers;

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

/// Puts columns of `rows` answers each together.
///
/// # Errors
///
/// [`Error::Length`] if a column is shorter or longer, [`Error::Reference`] if its item is not below
/// `n_items`, [`Error::TooMany`], [`Error::Interrupted`].
pub fn stack(
    columns: &[Column<'_>],
    rows: usize,
    n_items: usize,
    workers: &Workers<'_>,
) -> Result<Stack> {
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
    let item = columns.iter().map(|column| column.item as usize).max().unwrap_or(0);
    if item >= n_items && !columns.is_empty() {
        return Err(Error::Reference { item, what: "a column" });
    }
    let width = columns.len();
    let number = rows * width;
    let items_of_one: Vec<u32> = columns.iter().map(|column| column.item).collect();
    let items = Narrow::written(number, width, item, workers, |_, block| {
        block.chunks_mut(width).for_each(|answers| answers.copy_from_slice(&items_of_one));
    })?;
    let respondents = Narrow::written(number, width, rows, workers, |start, block| {
        for (answers, number) in block.chunks_mut(width).zip((start / width) as u32 + 1..) {
            answers.fill(number);
        }
    })?;
    let values = interner.finish();
    let decisions = Narrow::written(number, width, values.len(), workers, |start, block| {
        let mut codes = [0; BLOCK];
        let codes = &mut codes[..block.len() / width];
        for (place, (column, table)) in columns.iter().zip(&tables).enumerate() {
            column.answers.rows.read(start / width, codes);
            for (to, code) in block[place..].iter_mut().step_by(width).zip(codes.iter()) {
                *to = table[*code as usize];
            }
        }
    })?;
    Ok(Stack {
        items: ItemIds::of_rows(items),
        decisions: Codes { rows: decisions, values },
        respondents,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Value;

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
        let stack = stack(&columns, 3, 3, &Workers::alone())?;
        assert_eq!(*stack.items.rows(), [2, 0, 2, 0, 2, 0].into_iter().collect());
        assert_eq!(stack.respondents, [1, 1, 2, 2, 3, 3].into_iter().collect());
        // b is the first text, a the second; 9 is none.
        assert_eq!(stack.decisions.rows, [1, 2, 0, 0, 2, 1].into_iter().collect());
        assert_eq!(stack.decisions.values.len(), 2);
        Ok(())
    }

    #[test]
    fn a_block_holds_whole_respondents() -> Result<()> {
        for (width, rows) in [(1, BLOCK * 3 + 5), (3, BLOCK), (7, BLOCK), (BLOCK + 1, 5)] {
            let texts = |item: usize| (0..rows).map(move |row| (row * 3 + item) % 5);
            let codes: Vec<Codes> = (0..width)
                .map(|item| {
                    column(&texts(item).map(|n| ["", "a", "b", "c", "d"][n]).collect::<Vec<_>>())
                })
                .collect();
            let columns = codes.iter().enumerate().map(|(item, answers)| Column {
                item: (width - 1 - item) as u32,
                answers,
                missing: vec![],
            });
            let columns: Vec<_> = columns.collect();
            let stack = stack(&columns, rows, width, &Workers::new(2, &|| true))?;
            let mut block = vec![0; rows * width];
            stack.items.rows().read(0, &mut block);
            assert!(
                block.iter().enumerate().all(|(n, item)| *item as usize == width - 1 - n % width)
            );
            stack.respondents.read(0, &mut block);
            assert!(block.iter().enumerate().all(|(n, number)| *number as usize == n / width + 1));
            stack.decisions.rows.read(0, &mut block);
            for (n, code) in block.iter().enumerate() {
                let text = ["", "a", "b", "c", "d"][(n / width * 3 + n % width) % 5];
                let value =
                    code.checked_sub(1).and_then(|code| stack.decisions.values.get(code as usize));
                assert_eq!(value, (!text.is_empty()).then_some(Value::Text(text.as_bytes())));
            }
        }
        Ok(())
    }

    #[test]
    fn many_respondents_are_numbered_on() -> Result<()> {
        let rows = BLOCK * 2 + 5;
        let answers = column(&vec!["a"; rows]);
        let columns = [0, 1].map(|item| Column { item, answers: &answers, missing: vec![] });
        let stack = stack(&columns, rows, 2, &Workers::new(2, &|| true))?;
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
        let alone = Workers::alone();
        let answers = column(&["a"]);
        let columns = [Column { item: 1, answers: &answers, missing: vec![] }];
        let length = Error::Length { what: "answers to an item", got: 1, expected: 2 };
        assert_eq!(stack(&columns, 2, 2, &alone).map(|_| ()), Err(length));
        let reference = Error::Reference { item: 1, what: "a column" };
        assert_eq!(stack(&columns, 1, 1, &alone).map(|_| ()), Err(reference));
        assert!(stack(&[], 5, 0, &alone).is_ok_and(|stack| stack.respondents.is_empty()));
    }
}
