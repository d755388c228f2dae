//! The distinct values of a column.

use crate::error::{Error, Result};

/// One distinct value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing: it has a code of its own, but counts as a missing cell.
    Missing,
    /// Text in UTF-8, in which a lone surrogate may stand in its three-byte form.
    Text(&'a [u8]),
    /// A whole number.
    Int(i128),
    /// A number that is not whole, or that is infinite.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// The caller's n-th value of another kind.
    Other(u32),
}

/// A value as it is stored, in 16 bytes: there may be as many as rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    Missing,
    Text {
        start: usize,
        len: u32,
    },
    Int(i64),
    /// A whole number beyond 64 bits, by its place among those.
    LongInt(u32),
    Float(f64),
    Bool(bool),
    Other(u32),
}

/// The distinct values of a column, in the order of their codes.
#[derive(Clone, Debug, Default)]
pub struct Values {
    pub(crate) entries: Vec<Entry>,
    letters: Vec<u8>,
    long_ints: Vec<i128>,
}

impl Values {
    /// The number of distinct values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a position (of the code `position + 1`).
    #[must_use]
    pub fn get(&self, position: usize) -> Option<Value<'_>> {
        self.entries.get(position).map(|entry| self.value(entry))
    }

    /// All values in the order of their codes.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value<'_>> {
        self.entries.iter().map(|entry| self.value(entry))
    }

    /// Replaces a value by a text, or by nothing.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`] if the text is longer than 4 GiB.
    pub fn replace(&mut self, position: usize, text: Option<&[u8]>) -> Result<()> {
        let entry = text.map_or(Ok(Entry::Missing), |text| self.keep(text))?;
        if let Some(place) = self.entries.get_mut(position) {
            *place = entry;
        }
        Ok(())
    }

    fn value(&self, entry: &Entry) -> Value<'_> {
        match *entry {
            Entry::Missing => Value::Missing,
            Entry::Text { start, len } => Value::Text(&self.letters[start..start + len as usize]),
            Entry::Int(number) => Value::Int(number.into()),
            Entry::LongInt(place) => Value::Int(self.long_ints[place as usize]),
            Entry::Float(number) => Value::Float(number),
            Entry::Bool(truth) => Value::Bool(truth),
            Entry::Other(index) => Value::Other(index),
        }
    }

    /// The text of a position, if it is one.
    pub(crate) fn text(&self, position: usize) -> Option<&[u8]> {
        let Entry::Text { start, len } = self.entries[position] else { return None };
        Some(&self.letters[start..start + len as usize])
    }

    /// The whole number of a position, if it is one.
    pub(crate) fn int(&self, position: usize) -> Option<i128> {
        let Value::Int(number) = self.value(&self.entries[position]) else { return None };
        Some(number)
    }

    /// An entry of this text.
    pub(crate) fn keep(&mut self, text: &[u8]) -> Result<Entry> {
        let too_long = |_| Error::TooMany { what: "letters of one text" };
        let len = u32::try_from(text.len()).map_err(too_long)?;
        let start = self.letters.len();
        self.letters.extend_from_slice(text);
        Ok(Entry::Text { start, len })
    }

    /// An entry of this number.
    pub(crate) fn keep_int(&mut self, number: i128) -> Entry {
        i64::try_from(number).map_or_else(
            |_| {
                self.long_ints.push(number);
                // There are fewer of them than codes.
                Entry::LongInt(self.long_ints.len() as u32 - 1)
            },
            Entry::Int,
        )
    }
}
