//! Respondents by items: the item matrix, and wide files.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::duplicates::Policy;
use crate::group::Keys;
use crate::matrix as core;
use crate::python::aggregates::{KeyColumns, key_columns};
use crate::python::columns::Codes;
use crate::python::convert::{guard, held, released};
use crate::python::keys::ItemIds;
use crate::rows::ScoredRows;
use crate::wide;

type Matrix<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, (usize, usize));

fn policy(name: &str) -> PyResult<Policy> {
    Ok(match name {
        "first" => Policy::First,
        "last" => Policy::Last,
        "unique" => Policy::Unique,
        _ => return Err(PyValueError::new_err(format!("there is no choice {name:?}"))),
    })
}

/// The scores of respondents by items: the first row of each respondent, the cells item by item, and
/// how many rows answer what another one has answered, and how many cells have no score because of
/// it.
#[pyfunction]
pub(super) fn item_matrix<'py>(
    py: Python<'py>,
    items: PyRef<'py, ItemIds>,
    scores: PyReadonlyArray1<'py, f64>,
    keys: KeyColumns<'py>,
    n_items: usize,
    duplicates: &str,
    threads: usize,
) -> PyResult<Matrix<'py>> {
    guard(|| {
        let (policy, columns) = (policy(duplicates)?, key_columns(&keys)?);
        let (items, scores) = (items.0.rows(), scores.as_slice()?);
        let item_of: Vec<u32> = (0..n_items as u32).collect();
        let keys = Keys::new(columns, scores.len())?;
        let rows = ScoredRows::new(items, &item_of, scores)?;
        let respondents =
            released(py, threads, |workers| core::Respondents::find(&keys, scores.len(), workers))?;
        let first_rows = respondents.first_rows();
        let cells = PyArray1::zeros(py, first_rows.len() * n_items, false);
        let mut filled = cells.try_readwrite()?;
        let filled = filled.as_slice_mut()?;
        // The scores may be larger than all else together, so they are read where they are.
        let repeats = held(threads, |workers| {
            core::matrix(filled, &rows, &respondents, n_items, policy, workers)
        })?;
        let first_rows = PyArray1::from_iter(py, first_rows.iter().map(|row| *row as i64));
        Ok((first_rows, cells, (repeats.rows, repeats.differing)))
    })
}

/// Rows of answers from columns with `rows` answers each: the item of each column, its answers, and
/// the codes of those that stand for none. Gives the item, the answer and the respondent of each row.
#[pyfunction]
pub(super) fn stack_columns(
    py: Python<'_>,
    columns: Vec<(u32, PyRef<'_, Codes>, Vec<u32>)>,
    rows: usize,
    n_items: usize,
    threads: usize,
) -> PyResult<(ItemIds, Codes, Codes)> {
    guard(|| {
        let columns: Vec<_> = columns
            .iter()
            .map(|(item, answers, missing)| wide::Column {
                item: *item,
                answers: &answers.codes,
                missing: missing.clone(),
            })
            .collect();
        let stack = released(py, threads, |workers| wide::stack(&columns, rows, n_items, workers))?;
        Ok((
            ItemIds(stack.items.into()),
            Codes::plain(Ok(stack.decisions))?,
            Codes::of_rows(stack.respondents),
        ))
    })
}
