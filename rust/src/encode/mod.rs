//! From the forms in which columns are stored to codes and distinct values.
//!
//! Every function reads its column once, from front to back, and looks at a value no more than it
//! must: a text by its outline, a number by its bits, a category by its index. Columns of Python
//! objects are encoded where Python is known, in `python/objects.rs`.

mod categories;
mod numbers;
mod texts;

pub use categories::indices;
pub use numbers::{Gaps, Number, numbers, truths};
pub use texts::{Offset, TextChunk, texts};

use crate::codes::{BLOCK, Codes, MISSING, Narrow};
use crate::error::Result;
use crate::interner::Interner;
use crate::workers::{FEWEST_ROWS, Workers};

/// From so many rows on it counts how wide their codes are. An interpreter of the code (Miri) would
/// never get through so many.
const MANY_ROWS: usize = if cfg!(miri) { FEWEST_ROWS * 2 } else { 1 << 19 };
/// So many rows tell how many distinct values all rows have.
const SAMPLE: usize = if cfg!(miri) { BLOCK * 2 } else { 1 << 14 };

/// Encodes rows in parts. `part` gives what encodes one of them: it is called for block after block,
/// with the first row, the codes to write and the part's interner.
fn in_parts<P>(rows: usize, part: impl Fn() -> P + Sync, workers: &Workers<'_>) -> Result<Codes>
where
    P: FnMut(usize, &mut [u32], &mut Interner) -> Result<()> + Send,
{
    if rows >= MANY_ROWS && most_values(rows, part())? > usize::from(u16::MAX) {
        wide(rows, part, workers)
    } else {
        narrow(rows, part, workers)
    }
}

/// How many distinct values there are if new ones come as often as in the second half of a sample.
fn most_values<P>(rows: usize, mut part: P) -> Result<usize>
where
    P: FnMut(usize, &mut [u32], &mut Interner) -> Result<()>,
{
    let mut interner = Interner::for_rows(rows);
    let mut half = 0;
    for start in (0..SAMPLE).step_by(BLOCK) {
        if start == SAMPLE / 2 {
            half = interner.len();
        }
        part(start, &mut [MISSING; BLOCK], &mut interner)?;
    }
    Ok(interner.len() + (interner.len() - half) * (rows / (SAMPLE / 2)))
}

/// Codes as narrow as they can be. Those of all parts but the first are in memory twice for a moment.
fn narrow<P>(rows: usize, part: impl Fn() -> P + Sync, workers: &Workers<'_>) -> Result<Codes>
where
    P: FnMut(usize, &mut [u32], &mut Interner) -> Result<()>,
{
    let parts = workers.split(rows, |start, stop| {
        let (mut part, mut interner) = (part(), Interner::for_rows(rows));
        // The first part has room for the others, which are put behind it.
        let mut codes = Narrow::with_capacity(if start == 0 { rows } else { stop - start });
        let mut block = [MISSING; BLOCK];
        workers.blocks(start, stop, |start, stop| {
            let block = &mut block[..stop - start];
            part(start, block, &mut interner)?;
            codes.extend(block);
            Ok(())
        })?;
        Ok((interner, codes))
    })?;
    let mut parts = parts.into_iter();
    let (mut interner, mut rows) = parts.next().unwrap_or_default();
    for (later, codes) in parts {
        rows.append_recoded(&codes, &taken_over(&mut interner, later)?, workers)?;
    }
    Ok(Codes { rows, values: interner.finish() })
}

/// Codes of four bytes, for columns of many values: no code is in memory twice.
fn wide<P>(rows: usize, part: impl Fn() -> P + Sync, workers: &Workers<'_>) -> Result<Codes>
where
    P: FnMut(usize, &mut [u32], &mut Interner) -> Result<()> + Send,
{
    let mut codes = vec![MISSING; rows];
    let parts = workers.write(&mut codes, 1, |start, codes, state: &mut Option<_>| {
        let begin = || (start, part(), Interner::for_rows(rows));
        let (_, part, interner) = state.get_or_insert_with(begin);
        part(start, codes, interner)
    })?;
    let mut parts = parts.into_iter().flatten().map(|(start, _, interner)| (start, interner));
    let (_, mut interner) = parts.next().unwrap_or_default();
    let mut parts = parts.peekable();
    while let Some((start, later)) = parts.next() {
        let stop = parts.peek().map_or(rows, |(next, _)| *next);
        let table = taken_over(&mut interner, later)?;
        workers.write(&mut codes[start..stop], 1, |_, codes, (): &mut ()| {
            codes.iter_mut().for_each(|code| *code = table[*code as usize]);
            Ok(())
        })?;
    }
    Ok(Codes { rows: Narrow::U32(codes), values: interner.finish() })
}

/// What the codes of a later part of the rows are among those of the rows before it.
fn taken_over(interner: &mut Interner, later: Interner) -> Result<Vec<u32>> {
    let values = later.finish();
    let codes = values.iter().map(|value| interner.value(value));
    std::iter::once(Ok(MISSING)).chain(codes).collect()
}

/// Whether a row's code is mostly that of the row before, as far as the first rows tell.
pub(crate) fn repeats(block: &[u32]) -> bool {
    let few = &block[..block.len().min(128)];
    let same = few.iter().zip(few.iter().skip(1)).filter(|(one, next)| one == next);
    same.count() * 2 > few.len()
}

/// The codes of all rows.
#[cfg(test)]
pub(crate) fn plain(codes: &Codes) -> Vec<u32> {
    let mut rows = vec![0; codes.rows.len()];
    codes.rows.read(0, &mut rows);
    rows
}
