//! Gives equal values equal codes.
//!
//! Values are equal if they are the same text, the same number (4 and 4.0 are one), or the same
//! truth value; a truth value is never a number. What is none of these belongs to the caller, who
//! tells such values apart by himself.

use std::hash::BuildHasher;

use foldhash::quality::RandomState;
use hashbrown::{HashMap, HashTable};

use crate::error::{Error, Result};
use crate::values::{Entry, Value, Values};

/// What is compared of two texts before their letters: the length and both ends. Texts of up to 32
/// bytes are equal if these are.
#[derive(Clone, Copy)]
struct Outline {
    len: usize,
    ends: [u64; 4],
}

impl Outline {
    #[inline]
    fn of(text: &[u8]) -> Self {
        let len = text.len();
        let ends = if len >= 8 {
            // The words of a short text overlap, which costs less than telling lengths apart.
            let words = [0, 8.min(len - 8), len.saturating_sub(16), len - 8];
            words.map(|start| text.get(start..start + 8).map_or(0, word))
        } else if len >= 4 {
            let half = |bytes: &[u8]| {
                bytes.first_chunk().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)))
            };
            [half(text) | half(&text[len - 4..]) << 32, 0, 0, 0]
        } else {
            let byte = |place: usize| text.get(place).map_or(0, |byte| u64::from(*byte));
            [byte(0) | byte(1) << 8 | byte(2) << 16, 0, 0, 0]
        };
        Self { len, ends }
    }

    /// Whether two outlines are the same, compared word by word: compared as one block, the words
    /// just put together would have to come back from memory.
    #[inline]
    fn equals(&self, other: &Self) -> bool {
        let [a, b, c, d] = self.ends;
        let [e, f, g, h] = other.ends;
        (self.len ^ other.len) as u64 | (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
    }

    #[inline]
    fn slot(&self, mask: usize) -> usize {
        let [a, b, c, d] = self.ends;
        let mixed =
            (a ^ b.rotate_left(17) ^ c.rotate_left(31) ^ d.rotate_left(47) ^ self.len as u64)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - MOST_BITS)) as usize & mask
    }
}

/// The first eight bytes as a number.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[derive(Clone, Copy)]
struct Recent {
    outline: Outline,
    /// The text's code.
    code: u32,
}

/// A slot without a text: no text is as long as this.
const EMPTY: Recent = Recent { outline: Outline { len: usize::MAX, ends: [0; 4] }, code: 0 };

const FEWEST_BITS: u32 = 6;
const MOST_BITS: u32 = 14;
/// Whole numbers below this are small, however few the rows.
const FREE_NUMBERS: usize = 1 << 12;

/// Gives equal values equal codes, counting from 1 in the order of first appearance.
///
/// A text is first sought in a small table of recent texts, by its outline, and only then hashed;
/// the hash is seeded anew for every interner, so texts cannot be chosen to collide.
pub struct Interner {
    values: Values,
    texts: HashTable<u32>,
    seed: RandomState,
    recent: Vec<Recent>,
    /// The last place in `recent`, the number of which is a power of two.
    mask: usize,
    /// The codes of the whole numbers from 0 on, as far as they are small; 0 where there is none.
    small: Vec<u32>,
    /// Whole numbers from here on are not small.
    limit: usize,
    ints: HashTable<u32>,
    floats: HashMap<u64, u32>,
    truths: [u32; 2],
    others: u32,
}

impl Default for Interner {
    fn default() -> Self {
        Self {
            values: Values::default(),
            texts: HashTable::new(),
            seed: RandomState::default(),
            recent: Vec::new(),
            mask: 0,
            small: Vec::new(),
            limit: FREE_NUMBERS,
            ints: HashTable::new(),
            floats: HashMap::default(),
            truths: [0; 2],
            others: 0,
        }
    }
}

impl Interner {
    /// An interner for so many rows: whole numbers below that are found without hashing.
    #[must_use]
    pub fn for_rows(rows: usize) -> Self {
        Self { limit: rows.max(FREE_NUMBERS), ..Self::default() }
    }

    /// The codes of the small whole numbers, in order; 0 where there is none.
    #[inline]
    pub(crate) fn small(&self) -> &[u32] {
        &self.small
    }

    /// The code of a text.
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`] if there are more distinct values than codes; so do the other methods.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a call and a result in memory double the cost")]
    pub fn text(&mut self, text: &[u8]) -> Result<u32> {
        let outline = Outline::of(text);
        if let Some(recent) = self.recent.get(outline.slot(self.mask))
            && recent.outline.equals(&outline)
        {
            let code = recent.code;
            if text.len() <= 32 || self.values.text(code as usize - 1) == Some(text) {
                return Ok(code);
            }
        }
        self.rare_text(text)
    }

    #[cold]
    #[inline(never)]
    fn rare_text(&mut self, text: &[u8]) -> Result<u32> {
        let hash = self.seed.hash_one(text);
        let values = &self.values;
        let found = self.texts.find(hash, |code| values.text(*code as usize - 1) == Some(text));
        let code = if let Some(code) = found {
            *code
        } else {
            let entry = self.values.keep(text)?;
            let code = self.push(entry)?;
            let (values, seed) = (&self.values, &self.seed);
            self.texts.insert_unique(hash, code, |code| {
                seed.hash_one(values.text(*code as usize - 1).unwrap_or_default())
            });
            code
        };
        // The table is made with the first text and grows with their number.
        if self.recent.is_empty() {
            self.recent = vec![EMPTY; 1 << FEWEST_BITS];
        } else if self.texts.len() > self.recent.len() / 4 && self.recent.len() < 1 << MOST_BITS {
            self.recent = vec![EMPTY; self.recent.len() * 4];
        }
        self.mask = self.recent.len() - 1;
        let outline = Outline::of(text);
        self.recent[outline.slot(self.mask)] = Recent { outline, code };
        Ok(code)
    }

    /// The code of a whole number.
    ///
    /// # Errors
    ///
    /// See [`Interner::text`].
    pub fn int(&mut self, number: i128) -> Result<u32> {
        if let Ok(place) = usize::try_from(number)
            && place < self.limit
        {
            if place >= self.small.len() {
                self.small.resize((place + 1).next_power_of_two(), 0);
            }
            if self.small[place] == 0 {
                let entry = self.values.keep_int(number);
                self.small[place] = self.push(entry)?;
            }
            return Ok(self.small[place]);
        }
        let hash = self.seed.hash_one(number);
        let values = &self.values;
        let is_same = |code: &u32| values.int(*code as usize - 1) == Some(number);
        if let Some(code) = self.ints.find(hash, is_same) {
            return Ok(*code);
        }
        let entry = self.values.keep_int(number);
        let code = self.push(entry)?;
        let (values, seed) = (&self.values, &self.seed);
        self.ints.insert_unique(hash, code, |code| {
            seed.hash_one(values.int(*code as usize - 1).unwrap_or_default())
        });
        Ok(code)
    }

    /// The code of a number; NaN is a missing cell, and a whole number is the same as the integer.
    ///
    /// # Errors
    ///
    /// See [`Interner::text`].
    pub fn float(&mut self, number: f64) -> Result<u32> {
        if number.is_nan() {
            return Ok(crate::codes::MISSING);
        }
        if number.fract() == 0.0 && number.abs() < 1e38 {
            return self.int(number as i128);
        }
        if let Some(code) = self.floats.get(&number.to_bits()) {
            return Ok(*code);
        }
        let code = self.push(Entry::Float(number))?;
        self.floats.insert(number.to_bits(), code);
        Ok(code)
    }

    /// The code of a truth value.
    ///
    /// # Errors
    ///
    /// See [`Interner::text`].
    pub fn truth(&mut self, truth: bool) -> Result<u32> {
        if self.truths[usize::from(truth)] == 0 {
            self.truths[usize::from(truth)] = self.push(Entry::Bool(truth))?;
        }
        Ok(self.truths[usize::from(truth)])
    }

    /// The code of a value of another interner; one that only its caller can tell apart is new.
    ///
    /// # Errors
    ///
    /// See [`Interner::text`].
    pub fn value(&mut self, value: Value<'_>) -> Result<u32> {
        match value {
            Value::Missing => self.push(Entry::Missing),
            Value::Text(text) => self.text(text),
            Value::Int(number) => self.int(number),
            Value::Float(number) => self.float(number),
            Value::Bool(truth) => self.truth(truth),
            Value::Other(_) => self.other(),
        }
    }

    /// The code of a value that only the caller can tell apart; it is new at every call, and the
    /// caller's values are numbered in the order of the calls.
    ///
    /// # Errors
    ///
    /// See [`Interner::text`].
    pub fn other(&mut self) -> Result<u32> {
        let code = self.push(Entry::Other(self.others))?;
        self.others += 1;
        Ok(code)
    }

    fn push(&mut self, entry: Entry) -> Result<u32> {
        let code = u32::try_from(self.values.entries.len() + 1)
            .map_err(|_| Error::TooMany { what: "distinct values" })?;
        self.values.entries.push(entry);
        Ok(code)
    }

    /// The number of distinct values so far.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The distinct values found.
    #[must_use]
    pub fn finish(self) -> Values {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_codes() {
        let mut interner = Interner::default();
        let texts: Vec<String> = (0..if cfg!(miri) { 600 } else { 60_000 })
            .map(|i| format!("{i:>width$}", width = i % 40))
            .collect();
        let mut expected = std::collections::HashMap::new();
        for text in texts.iter().chain(&texts) {
            let next = expected.len() as u32 + 1;
            let code = *expected.entry(text.clone()).or_insert(next);
            assert_eq!(interner.text(text.as_bytes()), Ok(code), "{text:?}");
        }
        let values = interner.finish();
        assert_eq!(values.len(), expected.len());
        for (text, code) in expected {
            assert_eq!(values.get(code as usize - 1), Some(Value::Text(text.as_bytes())));
        }
    }

    #[test]
    fn texts_that_differ_in_the_middle_or_in_length_are_two() {
        let mut interner = Interner::default();
        let texts = ["", "\0", "\0\0", "ab", "a\0", "abc", "12345678", "12345678\0"];
        let long = [
            "aaaaaaaa-1-bbbbbbbb",
            "aaaaaaaa-2-bbbbbbbb",
            "aaaaaaaaaaaaaaaa-1-bbbbbbbbbbbbbbbb",
            "aaaaaaaaaaaaaaaa-2-bbbbbbbbbbbbbbbb",
        ];
        for (position, text) in texts.iter().chain(&long).enumerate() {
            assert_eq!(interner.text(text.as_bytes()), Ok(position as u32 + 1), "{text:?}");
        }
        for (position, text) in texts.iter().chain(&long).enumerate() {
            assert_eq!(interner.text(text.as_bytes()), Ok(position as u32 + 1), "{text:?}");
        }
    }

    #[test]
    fn numbers_are_one_whatever_their_type_but_truth_is_no_number() -> Result<()> {
        let mut interner = Interner::default();
        assert_eq!(interner.float(1.0)?, interner.int(1)?);
        assert_eq!(interner.float(-0.0)?, interner.int(0)?);
        assert_ne!(interner.truth(true)?, interner.int(1)?);
        assert_eq!(interner.float(2.5)?, interner.float(2.5)?);
        assert_eq!(interner.float(f64::NAN)?, 0);
        assert_ne!(interner.float(f64::INFINITY)?, interner.float(f64::NEG_INFINITY)?);
        assert_ne!(interner.other()?, interner.other()?);
        let mut values = interner.finish();
        assert_eq!(values.get(0), Some(Value::Int(1)));
        assert_eq!(values.get(7), Some(Value::Other(1)));
        values.replace(7, Some(b"text"))?;
        values.replace(6, None)?;
        assert_eq!(values.get(7), Some(Value::Text(b"text")));
        assert_eq!(values.get(6), Some(Value::Missing));
        Ok(())
    }
}
