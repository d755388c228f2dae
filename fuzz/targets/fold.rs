//! Folding and trimming of any bytes, against the slow model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scorekey::fold::{fold, is_blank, is_space, trim_end, trim_start};

#[path = "../../rust/tests/model.rs"]
#[allow(dead_code, reason = "each target holds the core against a part of the model")]
mod model;

fuzz_target!(|text: &[u8]| {
    let folded = fold(text);
    assert_eq!(*folded, *model::fold(text));
    assert_eq!(fold(&folded), folded, "folding twice changes nothing");
    assert_eq!(is_blank(text), folded.is_empty());
    let trim = |text| trim_end(trim_start(text, is_space), is_space);
    let inner = trim(text);
    assert_eq!(*fold(inner), *folded);
    assert_eq!(trim(inner), inner);
});
