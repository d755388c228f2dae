//! Errors and single values on their way between the core and Python.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::error::{Error, Result};
use crate::values::Value;
use crate::workers::Workers;

pyo3::import_exception!(scorekey.errors, InternalError);

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        PyValueError::new_err(error.to_string())
    }
}

/// Runs a function of the binding so that a panic, which would be a mistake of this crate, reaches
/// Python as an ordinary exception and not as one that `except Exception` lets through.
pub(super) fn guard<T>(run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        Err(InternalError::new_err(format!(
            "a mistake in scorekey's core, please report it: {text}"
        )))
    })
}

/// Does work of the core with the interpreter lock released, by up to this many threads. Ctrl-C and
/// other signals are looked for now and then; what their handlers raise ends the work.
pub(super) fn released<T: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Workers<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    held(threads, |workers| py.detach(|| work(workers)))
}

/// Like [`released`], but keeps the lock: for work that reads arrays of the user.
pub(super) fn held<T>(threads: usize, work: impl FnOnce(&Workers<'_>) -> Result<T>) -> PyResult<T> {
    let raised = Mutex::new(None);
    let goes_on = || {
        #[allow(
            clippy::redundant_closure_for_method_calls,
            reason = "the method is not as general"
        )]
        let signals = Python::attach(|py| py.check_signals());
        let goes_on = signals.is_ok();
        if let (Err(error), Ok(mut raised)) = (signals, raised.lock()) {
            *raised = Some(error);
        }
        goes_on
    };
    let result = work(&Workers::new(threads, &goes_on));
    match raised.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => Ok(result?),
    }
}

/// Panics, so that a test can see what Python gets to see of it.
#[pyfunction]
#[allow(clippy::panic)]
pub(super) fn panic_on_purpose() -> PyResult<()> {
    guard(|| panic!("on purpose"))
}

/// A text, in which lone surrogates may stand.
pub(super) fn text_to_python<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = str::from_utf8(text) {
        return Ok(PyString::new(py, text));
    }
    let bytes = PyBytes::new(py, text);
    PyString::from_encoded_object(&bytes, Some(c"utf-8"), Some(c"surrogatepass"))
}

/// The letters of a text; a lone surrogate takes three bytes.
pub(super) fn text_from_python(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    if let Ok(text) = text.to_str() {
        return Ok(text.as_bytes().to_vec());
    }
    let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
    Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// A value as the Python object that it was; `others` holds those of foreign types.
pub(super) fn value_to_python(
    py: Python<'_>,
    value: Value<'_>,
    others: &[Py<PyAny>],
) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::Missing => py.None(),
        Value::Text(text) => text_to_python(py, text)?.into_any().unbind(),
        Value::Int(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::Float(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any().unbind(),
        Value::Other(index) => {
            others.get(index as usize).map_or_else(|| py.None(), |other| other.clone_ref(py))
        }
    })
}
