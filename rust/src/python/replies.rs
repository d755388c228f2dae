//! Replies of judges: columns of text in, columns of scores out.

use std::borrow::Cow;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString};

use crate::encode::{Offset, TextChunk};
use crate::python::arrays::holds;
use crate::python::columns::ArrowChunk;
use crate::python::convert::{guard, text_from_python};
use crate::reply::column::{Cell, Row, score_all};
use crate::reply::{Level, Rubric, Terms};

/// A rubric, compiled to read replies.
#[pyclass(frozen, module = "scorekey._core")]
pub(super) struct ReplyReader {
    rubric: Rubric,
}

/// Scores, reasons and levels, one a row.
type Columns<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i32>>);

/// Signals are looked for after so many rows or bytes, and the lock is given up in between.
const MOST_ROWS: usize = 1 << 14;
const MOST_BYTES: usize = 1 << 24;

#[pymethods]
impl ReplyReader {
    /// Each level as its lowest and highest score, its prompt line and its description.
    #[new]
    fn new(
        levels: Vec<(f64, f64, String, String)>,
        names: Vec<String>,
        others: Option<Vec<String>>,
        field: String,
        markers: Vec<String>,
    ) -> Self {
        let levels = levels
            .into_iter()
            .map(|(low, high, line, description)| Level { low, high, line, description })
            .collect();
        Self { rubric: Rubric::new(levels, &Terms { names, others, field, markers }) }
    }

    /// Scores a column of Arrow text, given as to `encode_texts`.
    fn read_texts<'py>(
        &self,
        py: Python<'py>,
        chunks: Vec<ArrowChunk<'py>>,
        threads: usize,
    ) -> PyResult<Columns<'py>> {
        guard(|| {
            let mut rows = Vec::new();
            for chunk in &chunks {
                if holds::<i64>(&chunk.0) {
                    self.read_chunk::<i64>(py, chunk, threads, &mut rows)?;
                } else {
                    self.read_chunk::<i32>(py, chunk, threads, &mut rows)?;
                }
            }
            Ok(columns(py, &rows))
        })
    }

    /// Scores a list of Python objects. Those that are neither text nor number are left without a
    /// reason; their positions are returned, too.
    fn read_cells<'py>(
        &self,
        py: Python<'py>,
        cells: &Bound<'py, PyList>,
        threads: usize,
    ) -> PyResult<(Columns<'py>, Vec<usize>)> {
        guard(|| {
            let mut rows = Vec::with_capacity(cells.len());
            let mut others = Vec::new();
            while rows.len() < cells.len() {
                let mut batch = Vec::new();
                let mut bytes = 0;
                for position in rows.len()..cells.len().min(rows.len() + MOST_ROWS) {
                    let content = Content::of(cells.get_item(position)?)?;
                    bytes += content.len()?;
                    if matches!(content, Content::Other) {
                        others.push(position);
                    }
                    batch.push(content);
                    if bytes > MOST_BYTES {
                        break;
                    }
                }
                let batch: Vec<Cell<'_>> =
                    batch.iter().map(Content::cell).collect::<PyResult<_>>()?;
                self.score(py, &batch, threads, &mut rows)?;
            }
            Ok((columns(py, &rows), others))
        })
    }
}

impl ReplyReader {
    fn read_chunk<O>(
        &self,
        py: Python<'_>,
        chunk: &ArrowChunk<'_>,
        threads: usize,
        rows: &mut Vec<Row>,
    ) -> PyResult<()>
    where
        O: numpy::Element + Offset,
    {
        let (offsets, letters, validity, skip) = chunk;
        let offsets: PyReadonlyArray1<'_, O> = offsets.extract()?;
        let chunk = TextChunk {
            offsets: offsets.as_slice()?,
            letters: letters.as_slice()?,
            validity: validity.as_ref().map(|bits| bits.as_slice()).transpose()?,
            skip: *skip,
        };
        let mut batch = Vec::new();
        let mut bytes = 0;
        for row in 0..chunk.rows() {
            let text = chunk.text(row)?;
            bytes += text.map_or(0, <[u8]>::len);
            batch.push(text.map_or(Cell::Missing, Cell::Text));
            if batch.len() == MOST_ROWS || bytes > MOST_BYTES {
                self.score(py, &batch, threads, rows)?;
                batch.clear();
                bytes = 0;
            }
        }
        self.score(py, &batch, threads, rows)
    }

    /// Scores a batch without the lock. Its texts are Arrow's or those of Python strings that the
    /// caller holds, none of which is ever written to.
    fn score(
        &self,
        py: Python<'_>,
        batch: &[Cell<'_>],
        threads: usize,
        rows: &mut Vec<Row>,
    ) -> PyResult<()> {
        let start = rows.len();
        rows.resize(start + batch.len(), Row::EMPTY);
        let rows = &mut rows[start..];
        py.detach(|| score_all(batch, &self.rubric, threads, rows));
        py.check_signals()
    }
}

fn columns<'py>(py: Python<'py>, rows: &[Row]) -> Columns<'py> {
    (
        PyArray1::from_iter(py, rows.iter().map(|row| row.score)),
        PyArray1::from_iter(py, rows.iter().map(|row| row.reason)),
        PyArray1::from_iter(py, rows.iter().map(|row| row.level)),
    )
}

/// A Python object, held as long as its batch.
enum Content<'py> {
    Missing,
    Number(f64),
    Text(Bound<'py, PyString>),
    /// A text with lone surrogates, or what a truth value reads.
    Bytes(Cow<'static, [u8]>),
    Other,
}

impl<'py> Content<'py> {
    fn of(object: Bound<'py, PyAny>) -> PyResult<Self> {
        if object.is_none() {
            return Ok(Self::Missing);
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(if text.to_str().is_ok() {
                Self::Text(text.clone())
            } else {
                Self::Bytes(text_from_python(text)?.into())
            });
        }
        if let Ok(number) = object.cast_exact::<PyFloat>() {
            let number = number.value();
            return Ok(if number.is_nan() { Self::Missing } else { Self::Number(number) });
        }
        if let Ok(truth) = object.cast_exact::<PyBool>() {
            let word: &[u8] = if truth.is_true() { b"True" } else { b"False" };
            return Ok(Self::Bytes(word.into()));
        }
        if let Ok(number) = object.cast_exact::<PyInt>()
            && let Ok(number) = number.extract::<i64>()
        {
            return Ok(Self::Number(number as f64));
        }
        Ok(Self::Other)
    }

    fn len(&self) -> PyResult<usize> {
        Ok(match self {
            Self::Text(text) => text.to_str()?.len(),
            Self::Bytes(bytes) => bytes.len(),
            _ => 0,
        })
    }

    fn cell(&self) -> PyResult<Cell<'_>> {
        Ok(match self {
            Self::Missing => Cell::Missing,
            Self::Number(number) => Cell::Number(*number),
            Self::Text(text) => Cell::Text(text.to_str()?.as_bytes()),
            Self::Bytes(bytes) => Cell::Text(bytes),
            Self::Other => Cell::Other,
        })
    }
}
