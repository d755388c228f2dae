//! From codes back to text: a column in Arrow's layout whose rows are a few texts over and over.

use crate::error::{Error, Result};

/// Texts of up to this many bytes are copied as one block of that size, which needs no call and no
/// branch; the next text overwrites what was copied too much.
const COPIED: usize = 32;
/// How often a text has to be used on average for that.
const OFTEN: usize = 2;

/// Writes `texts[positions[i]]` for every row i in Arrow's layout: offsets and letters.
///
/// # Errors
///
/// [`Error::Code`] if there is no text at a position.
pub fn spread<T: AsRef<[u8]>>(texts: &[T], positions: &[u32]) -> Result<(Vec<i64>, Vec<u8>)> {
    let texts: Vec<&[u8]> = texts.iter().map(AsRef::as_ref).collect();
    let lengths: Vec<i64> = texts.iter().map(|text| text.len() as i64).collect();
    let mut offsets = Vec::with_capacity(positions.len() + 1);
    let mut end = 0_i64;
    offsets.push(end);
    for (row, position) in positions.iter().enumerate() {
        let (code, limit) = (i64::from(*position), texts.len());
        end += lengths.get(*position as usize).ok_or(Error::Code { row, code, limit })?;
        offsets.push(end);
    }
    // To make the blocks pays if each is used several times.
    let rare = texts.len() > positions.len() / OFTEN;
    if rare || texts.iter().any(|text| text.len() > COPIED) {
        let mut letters = Vec::with_capacity(end as usize);
        positions.iter().for_each(|place| letters.extend_from_slice(texts[*place as usize]));
        return Ok((offsets, letters));
    }
    let mut blocks = vec![[0; COPIED]; texts.len()];
    for (block, text) in blocks.iter_mut().zip(&texts) {
        block[..text.len()].copy_from_slice(text);
    }
    let mut letters = vec![0; end as usize + COPIED];
    for (start, position) in offsets.iter().zip(positions) {
        let start = *start as usize;
        letters[start..start + COPIED].copy_from_slice(&blocks[*position as usize]);
    }
    letters.truncate(end as usize);
    Ok((offsets, letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_spread_over_rows() {
        let texts = [b"ab".to_vec(), Vec::new(), "é".into()];
        let spread = |positions: &[u32]| spread(&texts, positions);
        assert_eq!(spread(&[2, 0, 1, 0]), Ok((vec![0, 2, 4, 4, 6], "éabab".into())));
        assert_eq!(
            spread(&[1, 0, 0, 2, 0, 0]),
            Ok((vec![0, 0, 2, 4, 6, 8, 10], "ababéabab".into()))
        );
        assert_eq!(spread(&[]), Ok((vec![0], Vec::new())));
        assert_eq!(spread(&[0, 3]), Err(Error::Code { row: 1, code: 3, limit: 3 }));
        let long = [[b'x'; COPIED + 1]];
        let (offsets, letters) = super::spread(&long, &[0, 0, 0]).expect("known positions");
        assert_eq!((offsets[3], letters), (99, vec![b'x'; 99]));
        for longest in [32, 33] {
            let texts = [vec![b'x'; longest], b"y".to_vec()];
            let (offsets, letters) = super::spread(&texts, &[1, 0, 1, 1]).expect("known positions");
            assert_eq!(offsets, [0, 1, longest as i64 + 1, longest as i64 + 2, longest as i64 + 3]);
            assert_eq!(letters, [b"y", &texts[0][..], b"yy"].concat());
        }
    }
}
