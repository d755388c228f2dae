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

use crate::codes::{Codes, MISSING, Narrow};
use crate::error::Result;
use crate::interner::Interner;
use crate::workers::{FEWEST_ROWS, Workers};

/// Codes of a part of the rows.
struct Part {
    interner: Interner,
    codes: Narrow,
}

/// From so many rows on it counts how wide their codes are. An interpreter of the code (Miri) would
/// never get through so many.
const MANY_ROWS: usize = if cfg!(miri) { FEWEST_ROWS * 2 } else { 1 << 21 };
/// So many rows tell how many distinct values all rows have.
const SAMPLE: usize = if cfg!(miri) { FEWEST_ROWS } else { 1 << 14 };

/// Encodes rows in parts, given what encodes one of them.
fn in_parts(
    rows: usize,
    part: impl Fn(usize, usize) -> Result<Part> + Sync,
    workers: &Workers<'_>,
) -> Result<Codes> {
    // The codes of many values are wide, and those of all parts but the first would be in memory
    // twice; one thread is nearly as fast for them, since it hashes each value once.
    if rows >= MANY_ROWS && most_values(rows, &part)? > usize::from(u16::MAX) {
        return join(vec![part(0, rows)?], workers);
    }
    join(workers.split(rows, part)?, workers)
}

/// How many distinct values there are if new ones come as often as in the second half of a sample.
fn most_values(rows: usize, part: impl Fn(usize, usize) -> Result<Part>) -> Result<usize> {
    let values = |rows| part(0, rows).map(|part| part.interner.len());
    let (half, all) = (values(SAMPLE / 2)?, values(SAMPLE)?);
    Ok(all + (all - half) * (rows / (SAMPLE / 2)))
}

/// Puts parts together as if their rows had been encoded one after the other.
fn join(mut parts: Vec<Part>, workers: &Workers<'_>) -> Result<Codes> {
    let Part { mut interner, codes: mut rows } = parts.remove(0);
    for later in parts {
        let values = later.interner.finish();
        let mut table = vec![MISSING];
        for value in values.iter() {
            table.push(interner.value(value)?);
        }
        rows.append_recoded(&later.codes, &table, workers)?;
    }
    Ok(Codes { rows, values: interner.finish() })
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
