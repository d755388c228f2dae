//! The binding to Python: `scorekey._core`. It maps and does nothing else: arguments become slices
//! and codes, errors become exceptions, results become arrays. No other folder knows of Python.

#![allow(
    clippy::needless_pass_by_value,
    clippy::type_complexity,
    reason = "the binding's signatures are those that Python's arguments and results have"
)]

mod aggregates;
mod arrays;
mod audits;
mod columns;
mod convert;
mod keys;
mod matrices;
mod objects;
mod replies;
mod responses;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::key::Kind;

// Valgrind sees what the system's allocator gives and takes, and nothing of another's.
#[cfg(not(system_allocator))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// The objects and arrays of other threads are read while the interpreter lock keeps them still, so a
// Python that could do without the lock has to keep it.
#[pymodule(gil_used = true)]
mod _core {
    #[pymodule_export]
    use super::aggregates::{aggregate, gather};
    #[pymodule_export]
    use super::audits::{Tally, nearest, places, tally};
    #[pymodule_export]
    use super::columns::{
        Codes, encode_indices, encode_numbers, encode_objects, encode_texts, fold, spread_texts,
    };
    #[pymodule_export]
    use super::convert::panic_on_purpose;
    #[pymodule_export]
    use super::keys::{Answers, ItemIds, Key, bare_form, item_ids, lenient_form};
    #[pymodule_export]
    use super::matrices::{item_matrix, stack_columns};
    #[pymodule_export]
    use super::replies::ReplyReader;
    #[pymodule_export]
    use super::responses::Responses;

    use super::{Bound, Kind, PyModule, PyModuleMethods, PyResult, PyTuple};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::arrays::prepare(module.py())?;
        module.add("KINDS", PyTuple::new(module.py(), Kind::ALL.map(Kind::name))?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
