//! Numbers as text: the one way to write each.

/// The largest power of ten that is written out; beyond it a text is no number.
const MOST_ZEROS: i64 = 400;

/// A decimal number without needless zeros, sign and exponent: "4" of "+04.0", "0.00001" of
/// "1e-05"; nothing of a text that is no such number. The text has been case folded.
///
/// A comma is none of its characters: "1,5" is a decimal number here, two chosen options there, and
/// "1,000" one or a thousand.
pub(super) fn canonical(text: &str) -> Option<String> {
    let (negative, rest) = match text.chars().next()? {
        '-' => (true, &text[1..]),
        '+' => (false, &text[1..]),
        '0'..='9' | '.' | '\u{66b}' => (false, text),
        _ => return None,
    };
    let (decimal, exponent) = match rest.split_once('e') {
        Some((decimal, exponent)) => (decimal, power(exponent)?),
        None => (rest, 0),
    };
    // The second is the decimal separator of Arabic.
    let (whole, fraction) = match decimal.split_once(['.', '\u{66b}']) {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (decimal, ""),
    };
    let mut digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let point = whole.len() as i64 + exponent;
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    digits.drain(..zeros);
    digits.truncate(digits.trim_end_matches('0').len());
    Some(write(negative, &digits, point - zeros as i64))
}

/// The value of an exponent that is small enough.
fn power(exponent: &str) -> Option<i64> {
    let power = exponent.parse().ok()?;
    (-MOST_ZEROS..=MOST_ZEROS).contains(&power).then_some(power)
}

/// The number 0.DIGITS times ten to the power of `point`.
fn write(negative: bool, digits: &str, point: i64) -> String {
    if digits.is_empty() {
        return "0".to_owned();
    }
    let sign = if negative { "-" } else { "" };
    match usize::try_from(point) {
        Ok(point) if point >= digits.len() => format!("{sign}{digits:0<point$}"),
        Ok(point) if point > 0 => format!("{sign}{}.{}", &digits[..point], &digits[point..]),
        _ => format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_text() {
        for (text, number) in [
            ("4", "4"),
            ("04", "4"),
            ("4.0", "4"),
            ("+4", "4"),
            ("-1", "-1"),
            ("-01.50", "-1.5"),
            ("0", "0"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("+000", "0"),
            (".5", "0.5"),
            ("0.05", "0.05"),
            ("100", "100"),
            ("10.010", "10.01"),
            ("1e3", "1000"),
            ("1.5e+03", "1500"),
            ("12.5e1", "125"),
            ("12.25e1", "122.5"),
            ("1e-05", "0.00001"),
            ("0e400", "0"),
            ("4\u{66b}5", "4.5"),
            ("340282366920938463463374607431768211456", "340282366920938463463374607431768211456"),
            ("9007199254740993.0", "9007199254740993"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(number), "{text}");
            assert_eq!(canonical(number).as_deref(), Some(number), "{number}");
        }
    }

    #[test]
    fn what_is_no_number_has_none() {
        for text in [
            "",
            "-",
            "+",
            ".",
            "4.",
            "-.",
            "e",
            "e3",
            "4e",
            "4e1.5",
            "1e401",
            "1e-401",
            "1e999999",
            "1e99999999999999999999",
            "4,0",
            "1,000",
            "1 000",
            "1_000",
            "4.0.0",
            "--4",
            "+-4",
            "0x4",
            "4a",
            "nan",
            "inf",
            "infinity",
            "½",
            "²",
            "四",
            "4/5",
            "4%",
            "4-5",
            "1e 3",
            "1.e3",
        ] {
            assert_eq!(canonical(text), None, "{text}");
        }
    }
}
