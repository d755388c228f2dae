//! The scoring key and the answers that it scores.

use std::sync::Arc;

use numpy::{PyArray1, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::Result;
use crate::items;
use crate::key::{AnswerOption, Decision, Item, Matching, Outcome, ScoringKey};
use crate::lenient;
use crate::python::arrays::{rows, with_slice};
use crate::python::columns::Codes;
use crate::python::convert::{guard, held, released, text_from_python, text_to_python};
use crate::score::{self, Matches};

/// A compiled questionnaire.
#[pyclass(frozen, module = "scorekey._core")]
pub(super) struct Key(pub(super) Arc<ScoringKey>);

type PyOption<'py> = (Bound<'py, PyString>, f64, bool);

type PyItem = (usize, bool, u32, Option<(f64, f64)>);

#[pymethods]
impl Key {
    /// Compiles sets of options (text, weight, ignored) and items (set, reversed, scale, range).
    #[new]
    #[pyo3(signature = (option_sets, items, lenient=false))]
    fn new(
        option_sets: Vec<Vec<PyOption<'_>>>,
        items: Vec<PyItem>,
        lenient: bool,
    ) -> PyResult<Self> {
        guard(|| {
            let matching = if lenient { Matching::Lenient } else { Matching::Strict };
            let option = |(text, weight, ignored): PyOption<'_>| {
                let text = text_from_python(&text)?.into();
                Ok(AnswerOption { text, weight, ignored })
            };
            let set = |set: Vec<PyOption<'_>>| set.into_iter().map(option).collect();
            let sets: Vec<Vec<AnswerOption>> =
                option_sets.into_iter().map(set).collect::<PyResult<_>>()?;
            let item = |(options, reversed, scale, range): PyItem| Item {
                options,
                reversed,
                scale,
                range,
            };
            let items: Vec<Item> = items.into_iter().map(item).collect();
            let key = ScoringKey::with_matching(&sets, &items, matching)?;
            Ok(Self(key.into()))
        })
    }

    /// Whether any item has options that its matching makes equal although they score differently.
    #[getter]
    fn has_clashes(&self) -> bool {
        self.0.has_clashes()
    }

    /// The texts that options of an item share although they score differently.
    fn clashes<'py>(&self, py: Python<'py>, item: usize) -> PyResult<Vec<Bound<'py, PyString>>> {
        guard(|| self.0.clashes(item).iter().map(|text| text_to_python(py, text)).collect())
    }

    /// Groups of texts of an item's options that only lenient matching makes equal although they
    /// score differently.
    fn look_alikes<'py>(
        &self,
        py: Python<'py>,
        item: usize,
    ) -> PyResult<Vec<Vec<Bound<'py, PyString>>>> {
        let group = |texts: &Vec<Box<[u8]>>| {
            texts.iter().map(|text| text_to_python(py, text)).collect::<PyResult<_>>()
        };
        guard(|| self.0.look_alikes(item).iter().map(group).collect())
    }

    /// The lowest and the highest possible score of an item.
    fn range(&self, item: usize) -> Option<(f64, f64)> {
        self.0.range(item)
    }
}

/// The item of every row.
#[pyclass(frozen, module = "scorekey._core")]
pub(super) struct ItemIds(pub(super) Arc<items::ItemIds>);

#[pymethods]
impl ItemIds {
    fn __len__(&self) -> usize {
        self.0.rows().len()
    }

    /// The ids of a column of texts or objects, given the position of every code (the missing one
    /// first); None if a row has none.
    #[staticmethod]
    fn from_codes(
        py: Python<'_>,
        codes: &Bound<'_, Codes>,
        positions: Vec<Option<u32>>,
        n_items: usize,
    ) -> PyResult<Option<Self>> {
        let codes = &codes.get().codes;
        guard(|| {
            let ids = py.detach(|| items::ItemIds::from_codes(codes, &positions, n_items));
            Ok(ids.map(|ids| Self(ids.into())))
        })
    }

    /// The items that occur.
    fn present(&self, py: Python<'_>, n_items: usize) -> PyResult<Vec<usize>> {
        guard(|| Ok(py.detach(|| self.0.present(n_items))))
    }

    /// The ids as a column whose codes are the positions.
    fn codes(&self) -> Codes {
        Codes::of_rows(self.0.rows().clone())
    }

    /// The positions as an array.
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        guard(|| {
            let mut rows = vec![0; self.0.rows().len()];
            self.0.rows().read(0, &mut rows);
            Ok(PyArray1::from_vec(py, rows))
        })
    }
}

/// The ids of a column of numbers; None if one of them is not the position of an item.
#[pyfunction]
pub(super) fn item_ids(
    array: &Bound<'_, PyUntypedArray>,
    n_items: usize,
    threads: usize,
) -> PyResult<Option<ItemIds>> {
    guard(|| {
        rows(array)?;
        with_slice!(array, [i64, f64, i32, i16, i8, u8, u16, u32, u64, f32], column => {
            let ids = held(threads, |workers| items::ItemIds::new(column, n_items, workers))?;
            Ok(ids.map(|ids| ItemIds(ids.into())))
        })
    })
}

/// Answers that are ready to be scored.
#[pyclass(frozen, module = "scorekey._core")]
pub(super) struct Answers(pub(super) score::Answers);

#[pymethods]
impl Answers {
    #[new]
    fn new(
        py: Python<'_>,
        key: &Bound<'_, Key>,
        item_ids: &Bound<'_, ItemIds>,
        decisions: &Bound<'_, Codes>,
    ) -> PyResult<Self> {
        let (key, ids) = (key.get().0.clone(), item_ids.get().0.clone());
        let decisions = decisions.get().codes.clone();
        guard(|| Ok(Self(py.detach(|| score::Answers::new(key, ids, decisions))?)))
    }

    /// The same answers, without scores where the verdict's code says so.
    fn with_verdicts(&self, verdicts: &Bound<'_, Codes>, is_invalid: Vec<bool>) -> PyResult<Self> {
        let rows = verdicts.get().codes.clone();
        guard(|| Ok(Self(self.0.clone().with_verdicts(rows, &is_invalid)?)))
    }

    /// None if a decision is the text of an option (or none is a text); else the number of rows
    /// with a text and the row of one.
    fn unmatched(&self, py: Python<'_>) -> PyResult<Option<(usize, usize)>> {
        guard(|| match py.detach(|| self.0.matches()) {
            Matches::Some => Ok(None),
            Matches::None { rows, example } => Ok(Some((rows, example))),
        })
    }

    /// The score of every row.
    fn scores<'py>(&self, py: Python<'py>, threads: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        guard(|| {
            let mut scores = vec![0.0; self.0.len()];
            released(py, threads, |workers| self.0.scores(&mut scores, workers))?;
            Ok(PyArray1::from_vec(py, scores))
        })
    }

    /// What each decision, by its code, is on an item, each given at the same position: the numbers
    /// of the kinds, the positions of the options (-1: none) and the scores.
    fn decide<'py>(
        &self,
        py: Python<'py>,
        items: Vec<u32>,
        codes: Vec<u32>,
    ) -> PyResult<(Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<f64>>)>
    {
        guard(|| {
            let pairs = items.into_iter().zip(codes);
            let made: Vec<Decision> =
                pairs.map(|(item, code)| self.0.decide(item, code)).collect::<Result<_>>()?;
            let option = |d: &Decision| d.option.map_or(-1, |option| option as i32);
            Ok((
                PyArray1::from_iter(py, made.iter().map(|d| d.kind as u8)),
                PyArray1::from_iter(py, made.iter().map(option)),
                PyArray1::from_iter(py, made.iter().map(|d| d.outcome.score())),
            ))
        })
    }

    /// What became of every row: 0 scored, 1 ignored, 2 clashing, 3 unmatched, 4 a sentinel,
    /// 5 missing, 6 not valid.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let number = |row| match self.0.outcome(row) {
            Some((_, false)) => 6,
            Some((Outcome::Score(_), _)) => 0,
            Some((Outcome::Ignored, _)) => 1,
            Some((Outcome::Clash, _)) => 2,
            Some((Outcome::Unmatched, _)) => 3,
            Some((Outcome::Sentinel, _)) => 4,
            Some((Outcome::Missing, _)) | None => 5,
        };
        guard(|| {
            let outcomes = py.detach(|| (0..self.0.len()).map(number).collect());
            Ok(PyArray1::from_vec(py, outcomes))
        })
    }
}

/// The form in which lenient matching compares a text.
#[pyfunction]
pub(super) fn lenient_form<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    guard(|| text_to_python(text.py(), &lenient::form(&text_from_python(text)?)))
}

/// That form without punctuation at its end and emphasis around it.
#[pyfunction]
pub(super) fn bare_form<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    guard(|| {
        let form = lenient::form(&text_from_python(text)?);
        text_to_python(text.py(), &lenient::bare(&form))
    })
}
