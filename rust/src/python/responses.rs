//! Rows that are looked at more than once.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::aggregate::Statistic;
use crate::duplicates::Policy;
use crate::error::Result;
use crate::group::Keys;
use crate::imputation::{Gaps, impute, item_scores};
use crate::python::aggregates::{KeyColumns, Source, Work, with_rows};
use crate::python::columns::Codes;
use crate::python::convert::{guard, released};
use crate::responses::{self as core, Measure};
use crate::rows::Rows;
use crate::statistic::Whole;
use crate::workers::Workers;

/// Rows with a respondent, an item, a scale and an item score each.
#[pyclass(frozen, module = "scorekey._core")]
pub(super) struct Responses(pub(super) core::Responses);

struct Read<'a>(&'a crate::codes::Narrow, usize);

impl Work for Read<'_> {
    type Output = core::Responses;

    fn on(
        &self,
        rows: &impl Rows,
        keys: &Keys<'_>,
        workers: &Workers<'_>,
    ) -> Result<core::Responses> {
        core::Responses::read(rows, self.0.clone(), self.1, keys, workers)
    }
}

#[pymethods]
impl Responses {
    /// Reads rows as `aggregate` takes them, given the item of each, below `n_items`.
    #[new]
    fn new(
        py: Python<'_>,
        source: Source<'_>,
        keys: KeyColumns<'_>,
        items: &Bound<'_, Codes>,
        n_items: usize,
    ) -> PyResult<Self> {
        let read = Read(&items.get().codes.rows, n_items);
        guard(|| Ok(Self(with_rows(py, &source, &keys, &read, 1)?)))
    }

    /// For each of these rows the first row of its respondent among those that were read.
    fn first_rows<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        guard(|| {
            let first = |row: &usize| self.0.first_row(*row).map(|row| row as i64);
            let rows = positions(&rows)?;
            let found: Option<Vec<i64>> = rows.iter().map(first).collect();
            Ok(PyArray1::from_vec(py, found.ok_or_else(no_row)?))
        })
    }

    /// The first row whose item is not of the scale given for it.
    fn first_misplaced(&self, py: Python<'_>, scale_of: Vec<u32>) -> PyResult<Option<usize>> {
        guard(|| Ok(py.detach(|| self.0.first_misplaced(&scale_of))))
    }

    /// The first row that repeats the respondent and the item of an earlier one, after that one.
    fn first_repetition(&self, py: Python<'_>) -> PyResult<Option<(usize, usize)>> {
        guard(|| released(py, 1, |workers| self.0.first_repetition(workers)))
    }

    /// The rows that stand ("first", "last", "unique"), and the same with a score only where there
    /// is a conflict.
    fn resolve(&self, py: Python<'_>, policy: &str) -> PyResult<(Self, Self)> {
        guard(|| {
            let policy = match policy {
                "first" => Policy::First,
                "last" => Policy::Last,
                "unique" => Policy::Unique,
                _ => return Err(PyValueError::new_err(format!("there is no choice {policy:?}"))),
            };
            let (resolved, conflicts) = released(py, 1, |workers| self.0.resolve(policy, workers))?;
            Ok((Self(resolved), Self(conflicts)))
        })
    }

    /// The same rows with a score only on the first scored row of each respondent and item; None if
    /// no other row has one.
    fn distinct(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        guard(|| Ok(released(py, 1, |workers| self.0.distinct(workers))?.map(Self)))
    }

    /// The same rows with another measure ("above", "width", "percent") of their scores, given the
    /// range of every item.
    fn measured(&self, py: Python<'_>, measure: &str, ranges: Vec<(f64, f64)>) -> PyResult<Self> {
        guard(|| {
            let measure = match measure {
                "above" => Measure::Above,
                "width" => Measure::Width,
                "percent" => Measure::Percent,
                _ => return Err(PyValueError::new_err(format!("there is no measure {measure:?}"))),
            };
            Ok(Self(py.detach(|| self.0.measured(measure, &ranges))))
        })
    }

    /// The mean or the median of each item's scores.
    fn item_scores<'py>(
        &self,
        py: Python<'py>,
        median: bool,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        guard(|| {
            let statistic = if median { Statistic::Whole(Whole::Median) } else { Statistic::Mean };
            let scores = released(py, threads, |workers| item_scores(&self.0, statistic, workers))?;
            Ok(PyArray1::from_vec(py, scores))
        })
    }

    /// Adds a row for each item without a score in these scales of the respondents of these rows.
    fn impute(
        &self,
        py: Python<'_>,
        rows: PyReadonlyArray1<'_, i64>,
        scales: PyReadonlyArray1<'_, u32>,
        items_of: Vec<Vec<u32>>,
        fills: Vec<f64>,
        total: Option<u32>,
    ) -> PyResult<Self> {
        guard(|| {
            let (rows, scales) = (positions(&rows)?, scales.as_slice()?.to_vec());
            let filled = released(py, 1, |workers| {
                let gaps = Gaps { rows: &rows, scales: &scales };
                impute(&self.0, gaps, &items_of, &fills, total, workers)
            })?;
            Ok(Self(filled))
        })
    }
}

fn positions(rows: &PyReadonlyArray1<'_, i64>) -> PyResult<Vec<usize>> {
    let position = |row: &i64| usize::try_from(*row).map_err(|_| no_row());
    rows.as_slice()?.iter().map(position).collect()
}

fn no_row() -> PyErr {
    PyValueError::new_err("a row that is not there")
}
