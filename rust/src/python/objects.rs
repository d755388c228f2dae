//! Columns of Python objects. The only module with `unsafe`, because only here the cells of an
//! array have to be read faster than an owned reference to each can be made.
//!
//! Most cells of such a column are the same few objects, so a small table from an object's address
//! to its code answers nearly every cell. What has to hold: an address stands for one object as long
//! as that object lives, and the cells keep their objects alive while the interpreter lock is held
//! and no Python code runs. Whatever may run Python code (a finalizer, a signal handler) therefore
//! ends the current run over the cells: the table is emptied and the array looked at anew.
#![allow(unsafe_code)]

use std::time::{Duration, Instant};

use hashbrown::HashMap;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

use crate::codes::{BLOCK, Codes, MISSING, Narrow};
use crate::python::convert::text_from_python;
use crate::values::Interner;

/// How often signals (Ctrl-C) are looked for.
const SIGNALS: Duration = Duration::from_millis(50);

/// Where the cells of an array are.
#[derive(Clone, Copy, PartialEq)]
struct Cells {
    data: *const u8,
    stride: isize,
    rows: usize,
}

impl Cells {
    fn of(array: &Bound<'_, PyArray1<Py<PyAny>>>) -> Self {
        let stride = array.strides().first().copied().unwrap_or(0);
        Self { data: array.data().cast::<u8>().cast_const(), stride, rows: array.len() }
    }

    /// The address of the object in a cell; null is `NumPy`'s way to write None.
    ///
    /// # Safety
    ///
    /// The array has to be as it was when `self` was made, and `row` below `self.rows`.
    #[inline]
    unsafe fn get(self, row: usize) -> *mut ffi::PyObject {
        // SAFETY: the caller promises that the row lies within the array; the element may be
        // misaligned, which read_unaligned allows.
        unsafe {
            self.data
                .offset(self.stride * row as isize)
                .cast::<*mut ffi::PyObject>()
                .read_unaligned()
        }
    }
}

/// Codes of objects seen lately, by address.
struct Memo {
    slots: Vec<Slot>,
    /// Slots of another age are empty.
    age: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    address: usize,
    code: u32,
    age: u32,
}

const MEMO_BITS: u32 = 12;

impl Memo {
    fn new() -> Self {
        Self { slots: vec![Slot::default(); 1 << MEMO_BITS], age: 1 }
    }

    fn forget(&mut self) {
        self.age = self.age.checked_add(1).unwrap_or_else(|| {
            self.slots.fill(Slot::default());
            1
        });
    }

    #[inline]
    fn slot(&mut self, address: usize) -> &mut Slot {
        // Objects are aligned to 16 bytes, so the lowest four bits say nothing.
        let mixed = (address as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &mut self.slots[(mixed >> (64 - MEMO_BITS)) as usize]
    }
}

struct Encoder<'py> {
    array: &'py Bound<'py, PyArray1<Py<PyAny>>>,
    interner: Interner,
    memo: Memo,
    others: Vec<Py<PyAny>>,
    codes_of_others: HashMap<usize, u32>,
    /// Whether most cells hold objects of their own, so that it pays to fetch them ahead.
    prefetch: bool,
}

/// Encodes a column of objects: texts, numbers, truth values, None and NaN by what they are, all
/// others by identity. Returns the codes and the other objects in the order of their codes.
pub(super) fn encode(array: &Bound<'_, PyArray1<Py<PyAny>>>) -> PyResult<(Codes, Vec<Py<PyAny>>)> {
    let mut encoder = Encoder {
        array,
        interner: Interner::default(),
        memo: Memo::new(),
        others: Vec::new(),
        codes_of_others: HashMap::default(),
        prefetch: false,
    };
    let rows = encoder.encode()?;
    Ok((Codes { rows, values: encoder.interner.finish() }, encoder.others))
}

impl Encoder<'_> {
    fn encode(&mut self) -> PyResult<Narrow> {
        let py = self.array.py();
        let rows = self.array.len();
        let mut codes = Narrow::with_capacity(rows);
        let mut block = [MISSING; BLOCK];
        let mut checked = Instant::now();
        for start in (0..rows).step_by(BLOCK) {
            let block = &mut block[..BLOCK.min(rows - start)];
            let mut done = 0;
            while done < block.len() {
                let cells = Cells::of(self.array);
                if cells.rows != rows {
                    return Err(PyRuntimeError::new_err(
                        "an array changed its size while it was read",
                    ));
                }
                done += if self.prefetch {
                    self.run::<true>(cells, start + done, &mut block[done..])?
                } else {
                    self.run::<false>(cells, start + done, &mut block[done..])?
                };
                if done < block.len() {
                    // SAFETY: no Python code ran since `cells` was made, and the row is one of it.
                    let object = unsafe { owned(py, cells.get(start + done)) };
                    block[done] = self.foreign(&object)?;
                    done += 1;
                    self.memo.forget();
                }
            }
            codes.extend(block);
            if checked.elapsed() > SIGNALS {
                py.check_signals()?;
                self.memo.forget();
                checked = Instant::now();
            }
        }
        Ok(codes)
    }

    /// Encodes the rows from `first` on until the block is full, or until an object comes that
    /// needs Python code; returns the number of rows done.
    fn run<const PREFETCH: bool>(
        &mut self,
        cells: Cells,
        first: usize,
        block: &mut [u32],
    ) -> PyResult<usize> {
        let stop = first + block.len();
        let age = self.memo.age;
        let mut misses = 0;
        for (row, code) in (first..stop).zip(block.iter_mut()) {
            if PREFETCH {
                // SAFETY: the row is below `stop`, so within the array, and no Python code has run.
                prefetch(unsafe { cells.get((row + AHEAD).min(stop - 1)) });
            }
            // SAFETY: as above.
            let object = unsafe { cells.get(row) };
            let slot = *self.memo.slot(object as usize);
            if slot.address == object as usize && slot.age == age {
                *code = slot.code;
                continue;
            }
            misses += 1;
            let Some(found) = self.familiar(object)? else { return Ok(row - first) };
            *self.memo.slot(object as usize) = Slot { address: object as usize, code: found, age };
            *code = found;
        }
        self.prefetch = misses * 2 > stop - first;
        Ok(stop - first)
    }

    /// The code of an object whose value can be read without running Python code.
    fn familiar(&mut self, object: *mut ffi::PyObject) -> PyResult<Option<u32>> {
        // SAFETY: the cell holds its object alive; taking a reference to it runs nothing, and giving
        // it back cannot free the object, since the cell's own reference remains.
        let object = unsafe { owned(self.array.py(), object) };
        if let Ok(text) = object.cast_exact::<PyString>() {
            // A text with a lone surrogate has no UTF-8 form; the attempt makes an exception object.
            let Ok(text) = text.to_str() else { return Ok(None) };
            return Ok(Some(self.interner.text(text.as_bytes())?));
        }
        if let Ok(number) = object.cast_exact::<PyFloat>() {
            return Ok(Some(self.interner.float(number.value())?));
        }
        if let Ok(truth) = object.cast_exact::<PyBool>() {
            return Ok(Some(self.interner.truth(truth.is_true())?));
        }
        Ok(object.is_none().then_some(MISSING))
    }

    /// The code of any object.
    fn foreign(&mut self, object: &Bound<'_, PyAny>) -> PyResult<u32> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(self.interner.text(&text_from_python(text)?)?);
        }
        if let Ok(number) = object.cast_exact::<PyInt>()
            && let Ok(number) = number.extract::<i64>()
        {
            return Ok(self.interner.int(i128::from(number))?);
        }
        let address = object.as_ptr() as usize;
        if let Some(code) = self.codes_of_others.get(&address) {
            return Ok(*code);
        }
        let code = self.interner.other()?;
        self.codes_of_others.insert(address, code);
        self.others.push(object.clone().unbind());
        Ok(code)
    }
}

/// An owned reference to the object at an address.
///
/// # Safety
///
/// The address is null or that of a living object.
unsafe fn owned(py: Python<'_>, object: *mut ffi::PyObject) -> Bound<'_, PyAny> {
    // SAFETY: the caller promises a living object.
    let object = unsafe { Bound::from_borrowed_ptr_or_opt(py, object) };
    object.unwrap_or_else(|| py.None().into_bound(py))
}

/// How many rows ahead objects are fetched.
const AHEAD: usize = 12;

/// Asks for the memory of an object and of the text that follows its header.
#[inline]
fn prefetch(object: *mut ffi::PyObject) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = object.cast::<i8>().cast_const();
        // SAFETY: a prefetch is a hint that reads nothing and accepts every address.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(start);
            _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(64));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = object;
}
