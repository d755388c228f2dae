//! Scale scores: grouped aggregation of answers or of scored columns.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::aggregate::{self as core, Scales, Statistic, Table};
use crate::error::Result;
use crate::group::{KeyColumn, Keys};
use crate::order::ranks;
use crate::python::columns::Codes;
use crate::python::convert::{guard, held, released};
use crate::python::keys::Answers;
use crate::python::responses::Responses;
use crate::rows::{Rows, ScoredAnswers, ScoredRows};
use crate::statistic::Whole;
use crate::workers::Workers;

/// Rows: answers, or a column of scales, the scale of each of its codes, and a column of scores.
#[derive(FromPyObject)]
pub(super) enum Source<'py> {
    Answers(PyRef<'py, Answers>),
    Columns((PyRef<'py, Codes>, Vec<u32>, PyReadonlyArray1<'py, f64>)),
    /// Rows that have been read before, with keys of their own.
    Responses(PyRef<'py, Responses>),
}

/// Key columns, each with the places of its codes in the order of the result, unless these follow
/// from the values.
pub(super) type KeyColumns<'py> = Vec<(PyRef<'py, Codes>, Option<Vec<u32>>)>;

type Columns<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

type GatheredColumns<'py> = (Columns<'py>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>);

fn statistic(name: &str) -> PyResult<Statistic> {
    Ok(match name {
        "mean" => Statistic::Mean,
        "sum" => Statistic::Sum,
        "min" => Statistic::Min,
        "max" => Statistic::Max,
        "count" => Statistic::Count,
        "first" => Statistic::Whole(Whole::First),
        "last" => Statistic::Whole(Whole::Last),
        "prod" => Statistic::Whole(Whole::Product),
        "median" => Statistic::Whole(Whole::Median),
        "nunique" => Statistic::Whole(Whole::Distinct),
        "var" => Statistic::Whole(Whole::Variance),
        "std" => Statistic::Whole(Whole::Deviation),
        "sem" => Statistic::Whole(Whole::StandardError),
        _ => return Err(PyValueError::new_err(format!("there is no statistic {name:?}"))),
    })
}

fn columns(py: Python<'_>, table: Table) -> Columns<'_> {
    let first_rows: Vec<i64> = table.first_rows.into_iter().map(|row| row as i64).collect();
    (
        PyArray1::from_vec(py, first_rows),
        PyArray1::from_vec(py, table.scales),
        PyArray1::from_vec(py, table.scores),
        PyArray1::from_vec(py, table.n_items),
        PyArray1::from_vec(py, table.n_missing),
    )
}

/// Work on rows and keys.
pub(super) trait Work: Send {
    type Output: Send;
    fn on(&self, rows: &impl Rows, keys: &Keys<'_>, workers: &Workers<'_>) -> Result<Self::Output>;
}

/// The key columns as the core takes them.
pub(super) fn key_columns<'a>(keys: &'a KeyColumns<'_>) -> PyResult<Vec<KeyColumn<'a>>> {
    let column = |(codes, given): &'a (PyRef<'_, Codes>, Option<Vec<u32>>)| {
        let given = given.clone();
        let missing = || PyValueError::new_err("foreign values need their ranks");
        let ranks = given.or_else(|| ranks(&codes.codes.values)).ok_or_else(missing)?;
        Ok(KeyColumn { rows: &codes.codes.rows, ranks })
    };
    keys.iter().map(column).collect()
}

/// Prepares the rows and the keys for the work and does it.
pub(super) fn with_rows<W: Work + Sync>(
    py: Python<'_>,
    source: &Source<'_>,
    keys: &KeyColumns<'_>,
    work: &W,
    threads: usize,
) -> PyResult<W::Output> {
    let columns = key_columns(keys)?;
    match source {
        Source::Answers(answers) => {
            let answers = &answers.0;
            released(py, threads, |workers| {
                let keys = Keys::new(columns, answers.len())?;
                work.on(&ScoredAnswers::new(answers), &keys, workers)
            })
        }
        Source::Columns((scales, scale_of, scores)) => {
            // The scores belong to the user, who could write to them if the lock were released; to
            // copy them would cost as much as a fifth of the work.
            let (scores, scales) = (scores.as_slice()?, &scales.codes.rows);
            held(threads, |workers| {
                let keys = Keys::new(columns, scores.len())?;
                work.on(&ScoredRows::new(scales, scale_of, scores)?, &keys, workers)
            })
        }
        Source::Responses(responses) => {
            let responses = &responses.0;
            released(py, threads, |workers| work.on(responses, &responses.keys()?, workers))
        }
    }
}

struct Aggregate(Scales, Statistic);

impl Work for Aggregate {
    type Output = Table;

    fn on(&self, rows: &impl Rows, keys: &Keys<'_>, workers: &Workers<'_>) -> Result<Table> {
        core::aggregate(rows, keys, self.0, self.1, workers)
    }
}

struct Gather(Scales);

impl Work for Gather {
    type Output = core::Gathered;

    fn on(
        &self,
        rows: &impl Rows,
        keys: &Keys<'_>,
        workers: &Workers<'_>,
    ) -> Result<core::Gathered> {
        core::gather(rows, keys, self.0, workers)
    }
}

/// The scale scores: for each respondent and scale the respondent's first row, the scale, the
/// statistic, and the numbers of rows with and without a score.
#[pyfunction]
pub(super) fn aggregate<'py>(
    py: Python<'py>,
    source: Source<'py>,
    keys: KeyColumns<'py>,
    n_scales: usize,
    total: bool,
    name: &str,
    threads: usize,
) -> PyResult<Columns<'py>> {
    guard(|| {
        let scales = Scales { number: n_scales, total };
        let work = Aggregate(scales, statistic(name)?);
        Ok(columns(py, with_rows(py, &source, &keys, &work, threads)?))
    })
}

/// Like `aggregate`, but with the scores themselves, one scale after the other, and the bounds of
/// each scale's.
#[pyfunction]
pub(super) fn gather<'py>(
    py: Python<'py>,
    source: Source<'py>,
    keys: KeyColumns<'py>,
    n_scales: usize,
    total: bool,
    threads: usize,
) -> PyResult<GatheredColumns<'py>> {
    guard(|| {
        let work = Gather(Scales { number: n_scales, total });
        let gathered = with_rows(py, &source, &keys, &work, threads)?;
        let bounds: Vec<i64> = gathered.bounds.into_iter().map(|bound| bound as i64).collect();
        let scores = PyArray1::from_vec(py, gathered.scores);
        Ok((columns(py, gathered.table), scores, PyArray1::from_vec(py, bounds)))
    })
}
