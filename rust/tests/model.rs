//! The rules once more, slowly: what the properties and the fuzz targets hold the core against.

use std::collections::{BTreeMap, HashMap};

use scorekey::codes::{BLOCK, Codes, Narrow};
use scorekey::encode::TextChunk;
use scorekey::fold::{casefold, is_space};
use scorekey::key::{AnswerOption, JUDGE_SENTINELS, Outcome};
use scorekey::values::Value;

/// A character, or a byte that is part of none.
#[derive(Clone, Copy)]
enum Letter {
    Char(char),
    Byte(u8),
}

impl Letter {
    fn is_space(self) -> bool {
        matches!(self, Self::Char(c) if is_space(c))
    }
}

fn letters(text: &[u8]) -> Vec<Letter> {
    let chunks = text.utf8_chunks();
    chunks
        .flat_map(|chunk| {
            let valid = chunk.valid().chars().map(Letter::Char);
            valid.chain(chunk.invalid().iter().copied().map(Letter::Byte))
        })
        .collect()
}

/// `" ".join(text.split()).casefold()`, word by word.
pub(crate) fn fold(text: &[u8]) -> Vec<u8> {
    let letters = letters(text);
    let words = letters.split(|letter| letter.is_space()).filter(|word| !word.is_empty());
    let folded = words.map(|word| {
        let mut out = Vec::new();
        for letter in word {
            match letter {
                Letter::Byte(byte) => out.push(*byte),
                Letter::Char(c) => {
                    let mut text = String::new();
                    casefold(*c, &mut text);
                    out.extend_from_slice(text.as_bytes());
                }
            }
        }
        out
    });
    folded.collect::<Vec<_>>().join(&b' ')
}

/// What a text is worth on an item with these options.
pub(crate) fn outcome(options: &[AnswerOption], reversed: bool, text: Option<&[u8]>) -> Outcome {
    let Some(text) = text.filter(|text| !letters(text).iter().all(|letter| letter.is_space()))
    else {
        return Outcome::Missing;
    };
    let kept: Vec<f64> = options.iter().filter(|o| !o.ignored).map(|o| o.weight).collect();
    let low = kept.iter().copied().fold(f64::INFINITY, f64::min);
    let high = kept.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let worth = |option: &AnswerOption| match (option.ignored, reversed) {
        (true, _) => Outcome::Ignored,
        (false, true) => Outcome::Score(low + high - option.weight),
        (false, false) => Outcome::Score(option.weight),
    };
    let find = |same: &dyn Fn(&AnswerOption) -> bool| {
        let mut found: Option<Outcome> = None;
        for option in options.iter().filter(|option| same(option) && !fold(&option.text).is_empty())
        {
            let one = worth(option);
            found =
                Some(found.map_or(one, |other| if one == other { one } else { Outcome::Clash }));
        }
        found
    };
    if let Some(outcome) = find(&|option| &*option.text == text) {
        return outcome;
    }
    if JUDGE_SENTINELS.iter().any(|word| word.as_bytes() == text) {
        return Outcome::Sentinel;
    }
    let folded = fold(text);
    find(&|option| fold(&option.text) == folded).unwrap_or(Outcome::Unmatched)
}

/// The codes of values, counted from 1 in the order of first appearance; 0 is nothing.
pub(crate) fn codes<T: std::hash::Hash + Eq>(
    column: impl IntoIterator<Item = Option<T>>,
) -> Vec<u32> {
    let mut known = HashMap::new();
    let code = |value: Option<T>| {
        value.map_or(0, |value| {
            let next = known.len() as u32 + 1;
            *known.entry(value).or_insert(next)
        })
    };
    column.into_iter().map(code).collect()
}

/// All rows of a column, one after the other.
pub(crate) fn rows(column: &Narrow) -> Vec<u32> {
    (0..column.len()).filter_map(|row| column.get(row)).collect()
}

/// The text behind every row of an encoded column.
pub(crate) fn texts(codes: &Codes) -> Vec<Option<Vec<u8>>> {
    let value = |code: u32| match codes.values.get((code as usize).checked_sub(1)?)? {
        Value::Text(text) => Some(text.to_vec()),
        _ => None,
    };
    rows(&codes.rows).into_iter().map(value).collect()
}

/// A column in Arrow's layout: the offsets and letters of its rows, and their validity bits.
pub(crate) struct Arrow {
    pub(crate) offsets: Vec<i32>,
    pub(crate) letters: Vec<u8>,
    pub(crate) validity: Vec<u8>,
    pub(crate) skip: usize,
}

impl Arrow {
    /// The layout of these rows, whose validity begins `skip` bits into its bytes.
    pub(crate) fn of<T: AsRef<[u8]>>(column: &[Option<T>], skip: usize) -> Self {
        // Something stands before the first row, as in a slice of a longer column.
        let mut letters = b"before".to_vec();
        let mut offsets = vec![letters.len() as i32];
        let mut validity = vec![0xa5; (skip + column.len()).div_ceil(8)];
        for (row, text) in column.iter().enumerate() {
            letters.extend_from_slice(text.as_ref().map_or(b"gap", |text| text.as_ref()));
            offsets.push(letters.len() as i32);
            let (byte, bit) = ((skip + row) / 8, 1 << ((skip + row) % 8));
            validity[byte] =
                if text.is_some() { validity[byte] | bit } else { validity[byte] & !bit };
        }
        Self { offsets, letters, validity, skip }
    }

    pub(crate) fn chunk(&self) -> TextChunk<'_, i32> {
        TextChunk {
            offsets: &self.offsets,
            letters: &self.letters,
            validity: Some(&self.validity),
            skip: self.skip,
        }
    }
}

/// One row of a scored frame: the values of its key columns, its scale and its score.
#[derive(Clone, Debug)]
pub(crate) struct Scored {
    pub(crate) keys: Vec<u32>,
    pub(crate) scale: u32,
    pub(crate) score: f64,
}

/// The cells of a result in its order: the place of the respondent, the scale, the first row of
/// the respondent, all scores of the cell.
pub(crate) fn cells(
    rows: &[Scored],
    ranks: &[Vec<u32>],
    scales: u32,
    total: bool,
) -> Vec<(usize, u32, Vec<f64>)> {
    let mut first_rows: HashMap<&[u32], usize> = HashMap::new();
    let mut cells: BTreeMap<(Vec<u32>, u32), (usize, Vec<f64>)> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        let first = *first_rows.entry(&row.keys).or_insert(number);
        let ranked = row.keys.iter().zip(ranks).map(|(code, ranks)| ranks[*code as usize]);
        let place: Vec<u32> = ranked.collect();
        let last = scales - 1;
        let also = (total && row.scale != last).then_some(last);
        for scale in [Some(row.scale), also].into_iter().flatten() {
            let cell = cells.entry((place.clone(), scale)).or_insert((first, Vec::new()));
            cell.1.push(row.score);
        }
    }
    let cell = |((_, scale), (first, scores))| (first, scale, scores);
    cells.into_iter().map(cell).collect()
}

/// The number of rows in so many whole blocks and a bit.
pub(crate) const fn blocks(number: usize) -> usize {
    BLOCK * number + 77
}
