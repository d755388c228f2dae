//! Columns: from what pandas, `NumPy` and Arrow hold to codes.

use std::sync::Arc;

use numpy::{PyArray1, PyReadonlyArray1, PyUntypedArray};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::codes;
use crate::encode::{self, Gaps, Number, Offset, TextChunk};
use crate::fold as folding;
use crate::python::arrays::{Mask, holds, rows, with_slice};
use crate::python::convert::{
    guard, held, released, text_from_python, text_to_python, value_to_python,
};
use crate::python::objects;
use crate::spread;
use crate::values::{Value, Values};

/// A column as codes and distinct values.
#[pyclass(frozen, module = "scorekey._core")]
pub(super) struct Codes {
    pub(super) codes: Arc<codes::Codes>,
    others: Arc<Vec<Py<PyAny>>>,
}

impl Codes {
    pub(super) fn of_rows(rows: codes::Narrow) -> Self {
        let values = Values::default();
        Self { codes: codes::Codes { rows, values }.into(), others: Arc::default() }
    }

    fn codes_of(&self, rows: &PyReadonlyArray1<'_, i64>) -> PyResult<Vec<u32>> {
        let codes = self.codes.rows.at(rows.as_slice()?);
        codes.ok_or_else(|| PyIndexError::new_err("a row that is not there"))
    }

    pub(super) fn plain(codes: crate::error::Result<codes::Codes>) -> PyResult<Self> {
        Ok(Self { codes: codes?.into(), others: Arc::default() })
    }
}

#[pymethods]
impl Codes {
    fn __len__(&self) -> usize {
        self.codes.rows.len()
    }

    #[getter]
    fn n_values(&self) -> usize {
        self.codes.values.len()
    }

    /// Whether a value is a text.
    #[getter]
    fn has_texts(&self) -> bool {
        self.codes.values.iter().any(|value| matches!(value, Value::Text(_)))
    }

    /// Whether there are values, and all are texts.
    #[getter]
    fn has_only_texts(&self) -> bool {
        let mut values = self.codes.values.iter();
        !self.codes.values.is_empty() && values.all(|value| matches!(value, Value::Text(_)))
    }

    /// The codes of these rows.
    fn take<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        guard(|| Ok(PyArray1::from_vec(py, self.codes_of(&rows)?)))
    }

    /// The texts of these rows in Arrow's layout, offsets and letters, and which of them are missing,
    /// or nothing if none is. There are no other values.
    fn spread<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<bool>>)>
    {
        guard(|| {
            let text = |value| if let Value::Text(text) = value { text } else { &[] };
            let texts: Vec<&[u8]> =
                std::iter::once(&[][..]).chain(self.codes.values.iter().map(text)).collect();
            let positions = self.codes_of(&rows)?;
            let is_gap = |code: &u32| *code == codes::MISSING;
            let gaps = match positions.iter().filter(|code| is_gap(code)).count() {
                0 => Vec::new(),
                _ => positions.iter().map(is_gap).collect(),
            };
            let (offsets, letters) = spread::spread(&texts, &positions)?;
            Ok((
                PyArray1::from_vec(py, offsets),
                PyArray1::from_vec(py, letters),
                PyArray1::from_vec(py, gaps),
            ))
        })
    }

    /// The number of rows whose code is one of these.
    fn count(&self, py: Python<'_>, codes: Vec<u32>) -> PyResult<usize> {
        guard(|| Ok(py.detach(|| self.codes.count(&codes))))
    }

    /// The distinct values; the code `k` stands for the value `k - 1`.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        guard(|| {
            let values = self.codes.values.iter();
            values.map(|value| value_to_python(py, value, &self.others)).collect()
        })
    }

    /// The values of foreign types, with their codes.
    fn others(&self, py: Python<'_>) -> Vec<(usize, Py<PyAny>)> {
        let values = self.codes.values.iter().zip(1..);
        let others = values.filter_map(|(value, code)| match value {
            Value::Other(index) => {
                self.others.get(index as usize).map(|other| (code, other.clone_ref(py)))
            }
            _ => None,
        });
        others.collect()
    }

    /// The codes of the values that occur, in the order of first appearance, and their first rows.
    /// With `missing`, the missing cell (code 0) is one of them.
    fn appearances(&self, py: Python<'_>, missing: bool) -> PyResult<Vec<(u32, usize)>> {
        let find = || {
            let mut found = self.codes.appearances();
            found.retain(|(code, _)| *code != codes::MISSING);
            if let Some(row) = self.codes.first_missing().filter(|_| missing) {
                let place = found.partition_point(|(_, first)| *first < row);
                found.insert(place, (codes::MISSING, row));
            }
            found
        };
        guard(|| Ok(py.detach(find)))
    }

    /// The same column in which the foreign values are texts, or nothing.
    fn replace_others(&self, texts: Vec<Option<Bound<'_, PyString>>>) -> PyResult<Self> {
        guard(|| {
            let mut values = self.codes.values.clone();
            let others: Vec<usize> = (0..values.len())
                .filter(|p| matches!(values.get(*p), Some(Value::Other(_))))
                .collect();
            for (position, text) in others.into_iter().zip(texts) {
                let text = text.map(|text| text_from_python(&text)).transpose()?;
                values.replace(position, text.as_deref())?;
            }
            let rows = self.codes.rows.clone();
            Self::plain(Ok(codes::Codes { rows, values }))
        })
    }

    /// The rows of each code as a code of another numbering.
    fn recode(&self, py: Python<'_>, table: Vec<u32>) -> PyResult<Self> {
        guard(|| Ok(Self::of_rows(py.detach(|| self.codes.recode(&table))?)))
    }
}

/// Encodes an array of Python objects.
#[pyfunction]
pub(super) fn encode_objects(array: &Bound<'_, PyArray1<Py<PyAny>>>) -> PyResult<Codes> {
    guard(|| {
        let (codes, others) = objects::encode(array)?;
        Ok(Codes { codes: codes.into(), others: others.into() })
    })
}

pub(super) type ArrowChunk<'py> = (
    Bound<'py, PyUntypedArray>,
    PyReadonlyArray1<'py, u8>,
    Option<PyReadonlyArray1<'py, u8>>,
    usize,
);

/// Encodes Arrow text: for each chunk its offsets, letters, validity bits and the number of bits
/// before the first row's. The lock is released: Arrow's buffers are never written to.
#[pyfunction]
pub(super) fn encode_texts(
    py: Python<'_>,
    chunks: Vec<ArrowChunk<'_>>,
    threads: usize,
) -> PyResult<Codes> {
    guard(|| {
        let Some((offsets, ..)) = chunks.first() else {
            return Codes::plain(Ok(codes::Codes::default()));
        };
        if holds::<i64>(offsets) {
            texts::<i64>(py, &chunks, threads)
        } else {
            texts::<i32>(py, &chunks, threads)
        }
    })
}

fn texts<O>(py: Python<'_>, chunks: &[ArrowChunk<'_>], threads: usize) -> PyResult<Codes>
where
    O: numpy::Element + Offset,
{
    let offsets: Vec<PyReadonlyArray1<'_, O>> =
        chunks.iter().map(|(offsets, ..)| offsets.extract()).collect::<PyResult<_>>()?;
    let mut slices = Vec::with_capacity(chunks.len());
    for (offsets, (_, letters, validity, skip)) in offsets.iter().zip(chunks) {
        slices.push(TextChunk {
            offsets: offsets.as_slice()?,
            letters: letters.as_slice()?,
            validity: validity.as_ref().map(|bits| bits.as_slice()).transpose()?,
            skip: *skip,
        });
    }
    Codes::plain(Ok(released(py, threads, |workers| encode::texts(&slices, workers))?))
}

/// Encodes numbers or truth values; rows of the mask, or those that hold `sentinel`, are missing.
#[pyfunction]
#[pyo3(signature = (array, threads, mask=None, sentinel=None))]
pub(super) fn encode_numbers(
    array: &Bound<'_, PyUntypedArray>,
    threads: usize,
    mask: Mask<'_>,
    sentinel: Option<i64>,
) -> PyResult<Codes> {
    guard(|| {
        rows(array)?;
        if let Some(sentinel) = sentinel {
            return with_slice!(array, [i64], column => {
                numbers(column, Gaps::Sentinel(sentinel), threads)
            });
        }
        if holds::<bool>(array) {
            return with_slice!(array, [bool], column => {
                let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
                Codes::plain(encode::truths(column, mask))
            });
        }
        with_slice!(array, [i64, f64, i32, i16, i8, u8, u16, u32, u64, f32], column => {
            let gaps = match &mask {
                Some(mask) => Gaps::Mask(mask.as_slice()?),
                None => Gaps::No,
            };
            numbers(column, gaps, threads)
        })
    })
}

/// Keeps the lock, since the array belongs to the caller.
fn numbers<N: Number>(column: &[N], gaps: Gaps<'_, N>, threads: usize) -> PyResult<Codes> {
    Codes::plain(Ok(held(threads, |workers| encode::numbers(column, gaps, workers))?))
}

/// Encodes the indices of categories, given the encoded categories.
#[pyfunction]
#[pyo3(signature = (array, categories, mask=None))]
pub(super) fn encode_indices(
    array: &Bound<'_, PyUntypedArray>,
    categories: &Bound<'_, Codes>,
    mask: Mask<'_>,
) -> PyResult<Codes> {
    guard(|| {
        rows(array)?;
        let Codes { codes: categories, others } = categories.get();
        with_slice!(array, [i8, i16, i32, i64, u8, u16, u32], column => {
            let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
            let codes = encode::indices(column, mask, categories)?;
            Ok(Codes { codes: codes.into(), others: others.clone() })
        })
    })
}

/// The form in which two texts are compared: white space collapsed, case folded.
#[pyfunction]
pub(super) fn fold<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    guard(|| text_to_python(text.py(), &folding::fold(&text_from_python(text)?)))
}

/// Arrow's offsets and letters of the column whose row i holds `texts[positions[i]]`.
#[pyfunction]
pub(super) fn spread_texts<'py>(
    py: Python<'py>,
    texts: Vec<Bound<'py, PyString>>,
    positions: PyReadonlyArray1<'py, u32>,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u8>>)> {
    guard(|| {
        let texts: Vec<Vec<u8>> = texts.iter().map(text_from_python).collect::<PyResult<_>>()?;
        let (offsets, letters) = spread::spread(&texts, positions.as_slice()?)?;
        Ok((PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, letters)))
    })
}
