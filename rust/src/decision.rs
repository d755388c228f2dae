//! The texts that decisions stand for: a decision is compared as text, whatever it is in its column.

use std::borrow::Cow;

use crate::values::Value;

/// The text of a decision; nothing for a value that cannot be one.
#[inline]
#[must_use]
pub fn decision_text(decision: Value<'_>) -> Option<Cow<'_, [u8]>> {
    Some(match decision {
        Value::Text(text) => text.into(),
        Value::Int(whole) => whole.to_string().into_bytes().into(),
        Value::Float(float) if float.is_finite() => float_text(float).into_bytes().into(),
        Value::Bool(true) => b"True".into(),
        Value::Bool(false) => b"False".into(),
        Value::Float(_) | Value::Missing | Value::Other(_) => return None,
    })
}

/// A number as a decision: a whole one with all its digits, any other as Python's `repr` writes it,
/// so that 0.1 is "0.1" and 0.00001 is "1e-05".
#[must_use]
pub fn float_text(number: f64) -> String {
    if number.fract() == 0.0 {
        return format!("{number:.0}");
    }
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        // A number with a fraction is too small for an exponent above zero.
        Ok(exponent) if exponent < -4 => format!("{digits}e-{:02}", exponent.abs()),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (number, text) in [
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (2.0_f64.powi(128), "340282366920938463463374607431768211456"),
            (-2.25, "-2.25"),
            (f64::from(0.1_f32), "0.10000000149011612"),
            (123_456_789.125, "123456789.125"),
        ] {
            assert_eq!(float_text(number), text);
        }
    }
}
