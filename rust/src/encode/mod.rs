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
use crate::workers::Workers;

/// Codes of a part of the rows.
struct Part {
    interner: Interner,
    codes: Narrow,
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
