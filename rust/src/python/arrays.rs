//! `NumPy` arrays as slices, whatever their element type.

use numpy::{
    PyArray1, PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Evaluates the body with `$slice` bound to the elements of a contiguous array of one of the types.
macro_rules! with_slice {
    ($array:expr, [$($kind:ty),*], $slice:ident => $body:expr) => {{
        let array: &Bound<'_, PyUntypedArray> = $array;
        let run = || {
            $(
                if crate::python::arrays::holds::<$kind>(array) {
                    let typed: numpy::PyReadonlyArray1<'_, $kind> = array.extract()?;
                    let $slice = typed.as_slice()?;
                    return $body;
                }
            )*
            Err(crate::python::arrays::unknown_type(array))
        };
        run()
    }};
}
pub(super) use with_slice;

/// Whether the elements are of this type, in the machine's own byte order.
pub(super) fn holds<T: numpy::Element>(array: &Bound<'_, PyUntypedArray>) -> bool {
    array.dtype().is_equiv_to(&numpy::dtype::<T>(array.py()))
}

/// The error for an array that the caller should have converted.
pub(super) fn unknown_type(array: &Bound<'_, PyUntypedArray>) -> PyErr {
    PyTypeError::new_err(format!("arrays of {} are not supported", array.dtype()))
}

/// Looks up all that is needed of `NumPy` and kept for as long as the process lives.
///
/// Done while the module is imported: a look-up runs Python code, so another thread could fork the
/// process in the middle of one that is left to the first call, and the child would wait for ever
/// for a thread that it does not have.
pub(super) fn prepare(py: Python<'_>) -> PyResult<()> {
    let array = PyArray1::<f64>::from_vec(py, Vec::new());
    array.as_any().extract::<PyReadonlyArray1<'_, f64>>().map(|_| ())
}

/// A mask of flags, where there is one.
pub(super) type Mask<'py> = Option<PyReadonlyArray1<'py, bool>>;

/// The number of rows of a one-dimensional array.
pub(super) fn rows(array: &Bound<'_, PyUntypedArray>) -> PyResult<usize> {
    match array.shape() {
        [rows] => Ok(*rows),
        shape => {
            let what = format!("a one-dimensional array was expected, not one of shape {shape:?}");
            Err(PyTypeError::new_err(what))
        }
    }
}
