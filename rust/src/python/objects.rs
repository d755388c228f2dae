//! Columns of Python objects. The only module with `unsafe`, because only here the cells of an
//! array have to be read faster than an owned reference to each can be made.
//!
//! Most cells of such a column are the same few objects, so a small table from an object's address
//! to its code answers nearly every cell. What has to hold: an address stands for one object as long
//! as that object lives, and the cells keep their objects alive while the interpreter lock is held
//! and no Python code runs. Whatever may run Python code therefore ends the current run over the
//! cells: the table is emptied and the array looked at anew. These are a text that UTF-8 cannot hold
//! (the attempt makes an exception, which may start a garbage collection and so run finalizers) and a
//! look at signals (which runs their handlers).
#![allow(unsafe_code)]

use std::time::{Duration, Instant};

use hashbrown::HashMap;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

use crate::codes::{BLOCK, Codes, MISSING, Narrow};
use crate::encode::repeats;
use crate::interner::Interner;
use crate::python::convert::text_from_python;

/// How often signals (Ctrl-C) are looked for.
const SIGNALS: Duration = Duration::from_millis(50);

/// Where the cells of an array are.
#[derive(Clone, Copy, PartialEq)]
struct Places {
    data: *const u8,
    stride: isize,
    rows: usize,
}

impl Places {
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
    /// How far a mixed address is shifted to become a place in `slots`.
    shift: u32,
    /// Slots of another age are empty.
    age: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    address: usize,
    code: u32,
    age: u32,
}

const FEWEST_BITS: u32 = 6;
const MOST_BITS: u32 = 12;

impl Memo {
    /// An empty table, no larger than so many rows can fill.
    fn new(rows: usize) -> Self {
        let bits = (usize::BITS - rows.leading_zeros()).clamp(FEWEST_BITS, MOST_BITS);
        Self { slots: vec![Slot::default(); 1 << bits], shift: 64 - bits, age: 1 }
    }

    fn forget(&mut self) {
        self.age = self.age.checked_add(1).unwrap_or_else(|| {
            self.slots.fill(Slot::default());
            1
        });
    }

    #[inline]
    fn slot(&mut self, address: usize) -> &mut Slot {
        // Most objects are aligned to 16 bytes, so the lowest four bits say little.
        let mixed = (address as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &mut self.slots[mixed.wrapping_shr(self.shift) as usize]
    }
}

struct Encoder<'py> {
    array: &'py Bound<'py, PyArray1<Py<PyAny>>>,
    interner: Interner,
    memo: Memo,
    others: Vec<Py<PyAny>>,
    codes_of_others: HashMap<usize, u32>,
    /// What the last rows were like, which the next ones are taken to be.
    habit: Habit,
}

/// What most cells of a column hold.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    /// One of a few objects.
    Shared,
    /// The object of the cell before.
    Repeated,
    /// An object of its own, so that it pays to fetch those to come.
    Own,
}

/// Encodes a column of objects: texts, numbers, truth values, None and NaN by what they are, all
/// others by identity. Returns the codes and the other objects in the order of their codes.
pub(super) fn encode(array: &Bound<'_, PyArray1<Py<PyAny>>>) -> PyResult<(Codes, Vec<Py<PyAny>>)> {
    let mut encoder = Encoder {
        array,
        interner: Interner::default(),
        memo: Memo::new(array.len()),
        others: Vec::new(),
        codes_of_others: HashMap::default(),
        habit: Habit::Shared,
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
                let places = self.places(rows)?;
                let (first, rest) = (start + done, &mut block[done..]);
                done += match self.habit {
                    Habit::Shared => self.run::<false, false>(places, first, rest)?,
                    Habit::Repeated => self.run::<true, false>(places, first, rest)?,
                    Habit::Own => self.run::<false, true>(places, first, rest)?,
                };
                if done < block.len() {
                    // The run may have ended with a garbage collection: look at the array anew.
                    let places = self.places(rows)?;
                    // SAFETY: `places` was just made, and the row is below `rows`.
                    let object = unsafe { owned(py, places.get(start + done)) };
                    block[done] = self.foreign(&object)?;
                    done += 1;
                }
            }
            codes.extend(block);
            if self.habit != Habit::Own {
                self.habit = if repeats(block) { Habit::Repeated } else { Habit::Shared };
            }
            if checked.elapsed() > SIGNALS {
                py.check_signals()?;
                self.memo.forget();
                checked = Instant::now();
            }
        }
        Ok(codes)
    }

    /// Where the cells are now.
    fn places(&self, rows: usize) -> PyResult<Places> {
        let places = Places::of(self.array);
        if places.rows == rows {
            return Ok(places);
        }
        Err(PyRuntimeError::new_err("an array changed its size while it was read"))
    }

    /// Encodes the rows from `first` on until the block is full, or until an object comes that
    /// needs Python code; returns the number of rows done.
    fn run<const REPEATED: bool, const PREFETCH: bool>(
        &mut self,
        places: Places,
        first: usize,
        block: &mut [u32],
    ) -> PyResult<usize> {
        let stop = first + block.len();
        let age = self.memo.age;
        let mut misses = 0;
        let mut last = Slot::default();
        for (row, code) in (first..stop).zip(block.iter_mut()) {
            if PREFETCH {
                // SAFETY: the row is below `stop`, so within the array, and no Python code has run.
                prefetch(unsafe { places.get((row + AHEAD).min(stop - 1)) });
            }
            // SAFETY: as above.
            let object = unsafe { places.get(row) };
            let address = object as usize;
            if REPEATED && last.address == address && last.age == age {
                *code = last.code;
                continue;
            }
            let slot = *self.memo.slot(address);
            if slot.address == address && slot.age == age {
                last = slot;
                *code = slot.code;
                continue;
            }
            misses += 1;
            let Some(found) = self.familiar(object)? else { return Ok(row - first) };
            last = Slot { address, code: found, age };
            *self.memo.slot(address) = last;
            *code = found;
        }
        self.habit = if misses * 2 > stop - first { Habit::Own } else { Habit::Shared };
        Ok(stop - first)
    }

    /// The code of an object of a common type, or of one that came before; None for others, and for a
    /// text that UTF-8 cannot hold (see the top of this module for what that entails).
    fn familiar(&mut self, object: *mut ffi::PyObject) -> PyResult<Option<u32>> {
        // SAFETY: the cell's reference keeps the object alive until this one is taken; from then on
        // it is kept alive here, whatever happens to the cell.
        let object = unsafe { owned(self.array.py(), object) };
        if let Ok(text) = object.cast_exact::<PyString>() {
            let Ok(text) = text.to_str() else { return Ok(None) };
            return Ok(Some(self.interner.text(text.as_bytes())?));
        }
        if let Ok(number) = object.cast_exact::<PyFloat>() {
            return Ok(Some(self.interner.float(number.value())?));
        }
        if let Ok(truth) = object.cast_exact::<PyBool>() {
            return Ok(Some(self.interner.truth(truth.is_true())?));
        }
        if object.is_none() {
            return Ok(Some(MISSING));
        }
        if object.cast_exact::<PyInt>().is_ok() {
            let mut overflow = 0;
            // SAFETY: the object is an int; a number too large is told by the flag, not by an
            // exception.
            let number =
                unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
            if overflow == 0 {
                return Ok(Some(self.interner.int(i128::from(number))?));
            }
        }
        // Others are kept alive, so their addresses stand for them.
        Ok(self.codes_of_others.get(&(object.as_ptr() as usize)).copied())
    }

    /// The code of an object that is not familiar yet.
    fn foreign(&mut self, object: &Bound<'_, PyAny>) -> PyResult<u32> {
        if let Ok(text) = object.cast::<PyString>() {
            self.memo.forget();
            let text = text_from_python(text)?;
            return Ok(self.interner.text(&text)?);
        }
        let code = self.interner.other()?;
        self.codes_of_others.insert(object.as_ptr() as usize, code);
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
