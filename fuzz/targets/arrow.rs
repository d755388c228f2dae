//! Arrow's buffers with any offsets, validity and slices, and categories with any indices: an error,
//! or what looking at one row after the other gives.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use scorekey::codes::Codes;
use scorekey::encode::{Gaps, Offset, TextChunk, indices, numbers, texts};
use scorekey::error::Result;
use scorekey::workers::Workers;

#[path = "../../rust/tests/model.rs"]
#[allow(dead_code, reason = "each target holds the core against a part of the model")]
mod model;

#[derive(Arbitrary, Debug)]
struct Chunk<'a> {
    letters: &'a [u8],
    lengths: Vec<u8>,
    /// Offsets that are no sums of lengths.
    hostile: Vec<(u8, i32)>,
    validity: Option<&'a [u8]>,
    skip: Skip,
}

#[derive(Arbitrary, Debug)]
enum Skip {
    Near(u8),
    Far(usize),
}

#[derive(Arbitrary, Debug)]
struct Case<'a> {
    chunks: Vec<Chunk<'a>>,
    indices: Vec<i16>,
    mask: Option<Vec<bool>>,
    floats: Vec<f64>,
}

fn check<O: Offset>(chunks: &[TextChunk<'_, O>]) -> Result<Codes> {
    let codes = texts(chunks, &Workers::alone());
    let mut expected = Ok(Vec::new());
    for chunk in chunks {
        for row in 0..chunk.rows() {
            if let Ok(rows) = &mut expected {
                match chunk.text(row) {
                    Ok(text) => rows.push(text.map(<[u8]>::to_vec)),
                    Err(error) => expected = Err(error),
                }
            }
        }
    }
    assert_eq!(codes.as_ref().map(model::texts).map_err(Clone::clone), expected);
    codes
}

fuzz_target!(|case: Case<'_>| {
    let offsets = |chunk: &Chunk<'_>| {
        let mut offsets = vec![0_i32];
        offsets.extend(chunk.lengths.iter().scan(0, |end, length| {
            *end += i32::from(*length);
            Some(*end)
        }));
        for (place, offset) in &chunk.hostile {
            let place = usize::from(*place) % offsets.len();
            offsets[place] = *offset;
        }
        offsets
    };
    let small: Vec<Vec<i32>> = case.chunks.iter().map(offsets).collect();
    let large: Vec<Vec<i64>> =
        small.iter().map(|all| all.iter().copied().map(i64::from).collect()).collect();
    let skip = |chunk: &Chunk<'_>| match chunk.skip {
        Skip::Near(skip) => usize::from(skip),
        Skip::Far(skip) => skip,
    };
    let chunks: Vec<TextChunk<'_, i32>> = (case.chunks.iter().zip(&small))
        .map(|(chunk, offsets)| TextChunk {
            offsets,
            letters: chunk.letters,
            validity: chunk.validity,
            skip: skip(chunk),
        })
        .collect();
    let first = check(&chunks);
    let chunks: Vec<TextChunk<'_, i64>> = (case.chunks.iter().zip(&large))
        .map(|(chunk, offsets)| TextChunk {
            offsets,
            letters: chunk.letters,
            validity: chunk.validity,
            skip: skip(chunk),
        })
        .collect();
    let second = check(&chunks);
    assert_eq!(first.is_ok(), second.is_ok(), "the width of the offsets changes nothing");
    if let Ok(categories) = first {
        let names = model::texts(&categories);
        let mask = case.mask.as_deref();
        let found = indices(&case.indices, mask, &categories);
        let hidden = |row: usize| mask.is_some_and(|mask| mask[row]);
        let sound = mask.is_none_or(|mask| mask.len() == case.indices.len())
            && (case.indices.iter().enumerate())
                .all(|(row, index)| hidden(row) || i64::from(*index) < names.len() as i64);
        assert_eq!(found.is_ok(), sound);
        if let Ok(found) = found {
            for (row, (text, index)) in model::texts(&found).iter().zip(&case.indices).enumerate() {
                let name = usize::try_from(*index).ok().filter(|_| !hidden(row));
                assert_eq!(*text, name.and_then(|index| names[index].clone()));
            }
        }
    }
    let codes = numbers(&case.floats, Gaps::No, &Workers::alone()).expect("there is room");
    let key = |number: &f64| (!number.is_nan()).then_some((number + 0.0).to_bits());
    assert_eq!(model::rows(&codes.rows), model::codes(case.floats.iter().map(key)));
});
