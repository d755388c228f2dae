//! The audit: what is counted of answers, and which option a text resembles.

use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::audit::likeness;
use crate::audit::mark::Fate;
use crate::audit::pairs;
use crate::audit::style::{self, ItemForm};
use crate::audit::tally as core;
use crate::decision::decision_text;
use crate::group::Keys;
use crate::python::aggregates::{KeyColumns, key_columns};
use crate::python::columns::Codes;
use crate::python::convert::{guard, released, text_from_python, text_to_python};
use crate::python::keys::{Answers, ItemIds};

type Array<'py, T> = Bound<'py, PyArray1<T>>;
/// What [`Tally::pairs`] says of the pairs. A name for it, because tools that make mistakes on purpose
/// try everything that a written-out type can hold.
type Pairs<'py> = (
    Array<'py, u32>,
    Array<'py, i64>,
    Array<'py, u8>,
    Array<'py, u8>,
    Array<'py, f64>,
    Array<'py, i64>,
    Array<'py, i64>,
    Array<'py, i64>,
    Array<'py, i64>,
);
/// What [`Tally::styles`] says of the respondents, then of the items.
type Styles<'py> = (
    Array<'py, u32>,
    Array<'py, u32>,
    Array<'py, f64>,
    Array<'py, f64>,
    Array<'py, u32>,
    Array<'py, u32>,
    Array<'py, u32>,
);

fn array<T: Element>(py: Python<'_>, values: impl Iterator<Item = T>) -> Array<'_, T> {
    PyArray1::from_iter(py, values)
}

/// What was counted of answers.
#[pyclass(frozen, module = "scorekey._core")]
pub(super) struct Tally {
    tally: core::Tally,
}

impl Tally {
    fn n_scales(&self) -> usize {
        self.tally.key.scales().iter().max().map_or(0, |last| *last as usize + 1)
    }
}

#[pymethods]
impl Tally {
    /// The texts that are listed, None for a missing cell.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Option<Bound<'py, PyString>>>> {
        let text = |code: &u32| {
            let value = self.tally.decisions.values.get((*code as usize).wrapping_sub(1));
            value.and_then(decision_text).map(|text| text_to_python(py, &text)).transpose()
        };
        guard(|| self.tally.listed.iter().map(text).collect())
    }

    /// How many distinct texts are not listed.
    #[getter]
    fn unlisted(&self) -> usize {
        self.tally.unlisted
    }

    /// The pairs of an item and a text: the item, the position of the text in the list (-1: not
    /// there), the numbers of its fate and of its kind, the score, the position of the option (-1:
    /// none), the first row, how many rows, and how many of them are not valid.
    fn pairs<'py>(&self, py: Python<'py>) -> Pairs<'py> {
        let pairs = || self.tally.pairs.iter();
        let option = |pair: &core::Pair| pair.decision.option.map_or(-1, i64::from);
        (
            array(py, pairs().map(|pair| pair.item)),
            array(py, pairs().map(|pair| pair.column.map_or(-1, i64::from))),
            array(py, pairs().map(|pair| Fate::from(pair.decision.outcome) as u8)),
            array(py, pairs().map(|pair| pair.decision.kind as u8)),
            array(py, pairs().map(|pair| pair.decision.outcome.score())),
            array(py, pairs().map(option)),
            array(py, pairs().map(|pair| pair.first_row as i64)),
            array(py, pairs().map(|pair| i64::from(pair.rows))),
            array(py, pairs().map(|pair| i64::from(pair.invalid))),
        )
    }

    /// The first row of each respondent, in the order of the result.
    fn respondents<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        let rows = &self.tally.first_rows;
        array(py, self.tally.order.iter().map(|respondent| rows[*respondent as usize] as i64))
    }

    /// For each respondent and scale the items by their fate, all in a row, and the number of scales.
    fn by_scale<'py>(&self, py: Python<'py>) -> PyResult<(Array<'py, u32>, usize)> {
        let scales = self.n_scales();
        let core::Tally { sheet, order, .. } = &self.tally;
        let count = || sheet.by_scale(order, self.tally.key.scales(), scales);
        guard(|| Ok((PyArray1::from_vec(py, py.detach(count)), scales)))
    }

    /// For each group, given the one of each respondent, how many have a score on each item.
    fn answered<'py>(
        &self,
        py: Python<'py>,
        groups: PyReadonlyArray1<'py, u32>,
        n_groups: usize,
    ) -> PyResult<Array<'py, u32>> {
        let core::Tally { sheet, order, .. } = &self.tally;
        guard(|| {
            // The array belongs to the caller, who may write to it while the lock is released.
            let groups = groups.as_array().to_vec();
            if groups.len() != order.len() || groups.iter().any(|g| *g as usize >= n_groups) {
                return Err(PyIndexError::new_err("one group of each respondent was expected"));
            }
            let count = || sheet.answered(order, &groups, n_groups);
            Ok(PyArray1::from_vec(py, py.detach(count)))
        })
    }

    /// For each respondent the number of chosen options, the longest run, the agreement and its
    /// error; for each item the respondents by fate (all in a row), those who answered more than
    /// once, and those whose answers differ.
    fn styles<'py>(&self, py: Python<'py>, threads: usize) -> PyResult<Styles<'py>> {
        let key = &self.tally.key;
        let form = |(scale, item): (&u32, u32)| ItemForm {
            scale: *scale,
            reversed: key.is_reversed(item),
            options: key.n_options(item),
        };
        let forms: Vec<ItemForm> = key.scales().iter().zip(0..).map(form).collect();
        let core::Tally { sheet, order, .. } = &self.tally;
        guard(|| {
            let (styles, items) = released(py, threads, |workers| {
                style::styles(sheet, order, &forms, self.n_scales(), workers)
            })?;
            Ok((
                PyArray1::from_vec(py, styles.chosen),
                PyArray1::from_vec(py, styles.longest_run),
                PyArray1::from_vec(py, styles.agreement),
                PyArray1::from_vec(py, styles.error),
                array(py, items.iter().flat_map(|item| item.fates)),
                array(py, items.iter().map(|item| item.repeated)),
                array(py, items.iter().map(|item| item.conflicting)),
            ))
        })
    }
}

/// Counts answers by item and text, and by respondent and item.
#[pyfunction]
pub(super) fn tally(
    py: Python<'_>,
    answers: PyRef<'_, Answers>,
    keys: KeyColumns<'_>,
    most_texts: usize,
    only_valid: bool,
    threads: usize,
) -> PyResult<Tally> {
    guard(|| {
        let columns = key_columns(&keys)?;
        let answers = &answers.0;
        let tally = released(py, threads, |workers| {
            let keys = Keys::new(columns, answers.len())?;
            core::tally(answers, &keys, most_texts, only_valid, workers)
        })?;
        Ok(Tally { tally })
    })
}

/// Every pair of an item and a code: item, code, first row and number of rows.
#[pyfunction]
pub(super) fn places(
    py: Python<'_>,
    ids: &Bound<'_, ItemIds>,
    codes: &Bound<'_, Codes>,
    n_items: usize,
) -> PyResult<Vec<(u32, u32, usize, u32)>> {
    let (ids, codes) = (&ids.get().0, &codes.get().codes);
    guard(|| {
        let places = py.detach(|| pairs::places(ids, codes, n_items));
        Ok(places.into_iter().map(|p| (p.item, p.code, p.first_row, p.rows)).collect())
    })
}

/// The position of the option that a text resembles most, and how much, if that is at least `least`.
#[pyfunction]
pub(super) fn nearest(
    text: &Bound<'_, PyString>,
    options: Vec<Bound<'_, PyString>>,
    least: f64,
) -> PyResult<Option<(usize, f64)>> {
    guard(|| {
        let read = |text: &Bound<'_, PyString>| {
            Ok(String::from_utf8_lossy(&text_from_python(text)?).into_owned())
        };
        let options: Vec<String> = options.iter().map(read).collect::<PyResult<_>>()?;
        Ok(likeness::nearest(&read(text)?, &options, least))
    })
}
