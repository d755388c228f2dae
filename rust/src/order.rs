//! The order of respondents: where each value of a key column comes in the result.

use std::cmp::Ordering;

use crate::values::{Value, Values};

/// The places of a column's codes if they are sorted: numbers and truth values by value, then texts
/// by code point, then missing cells. Values of another kind have to be sorted by the caller.
#[must_use]
pub fn ranks(values: &Values) -> Option<Vec<u32>> {
    if values.iter().any(|value| matches!(value, Value::Other(_))) {
        return None;
    }
    // What comes first at all decides most comparisons without a look at the values.
    let shared = shared_letters(values);
    let mut order: Vec<(u64, usize)> =
        values.iter().map(|value| outset(value, shared)).zip(0..).collect();
    let value = |position: usize| values.get(position).unwrap_or(Value::Missing);
    order.sort_unstable_by(|a, b| {
        let equal = || compare(value(a.1), value(b.1)).then(a.1.cmp(&b.1));
        a.0.cmp(&b.0).then_with(equal)
    });
    Some(ranks_of(&order.into_iter().map(|(_, position)| position).collect::<Vec<_>>()))
}

/// With how many letters all texts begin.
fn shared_letters(values: &Values) -> usize {
    let mut texts = values.iter().filter_map(|value| match value {
        Value::Text(text) => Some(text),
        _ => None,
    });
    let first = texts.next().unwrap_or_default();
    texts.fold(first.len(), |shared, text| {
        let pairs = first[..shared].iter().zip(text);
        pairs.take_while(|(one, other)| one == other).count()
    })
}

/// A number in the order of the values: of two values that differ in it, the one with the smaller
/// number comes first.
fn outset(value: Value<'_>, shared: usize) -> u64 {
    const TEXTS: u64 = 1 << 63;
    match value {
        // Numbers beyond 61 bits have the number of the farthest one, and so on.
        Value::Int(number) => clamped(number),
        Value::Float(number) => clamped(number.floor() as i128),
        Value::Bool(truth) => clamped(truth.into()),
        Value::Text(text) => {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(&text[shared..]).for_each(|(byte, letter)| *byte = *letter);
            TEXTS | u64::from_be_bytes(bytes) >> 1
        }
        // Values of another kind do not come here.
        Value::Missing | Value::Other(_) => u64::MAX,
    }
}

/// Whole numbers up to 2^61 in their order, the others at the ends.
fn clamped(number: i128) -> u64 {
    const FARTHEST: i128 = 1 << 61;
    (number.clamp(-FARTHEST, FARTHEST) + FARTHEST) as u64
}

/// The places of codes whose values stand in this order; missing cells come last.
#[must_use]
pub fn ranks_of(order: &[usize]) -> Vec<u32> {
    let mut ranks = vec![order.len() as u32; order.len() + 1];
    for (rank, position) in order.iter().enumerate() {
        ranks[position + 1] = rank as u32;
    }
    ranks
}

/// Compares values that begin alike.
fn compare(a: Value<'_>, b: Value<'_>) -> Ordering {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::Float(a), Value::Float(b)) => a.total_cmp(&b),
        (Value::Int(a), Value::Float(b)) => compare_mixed(a, b),
        (Value::Float(a), Value::Int(b)) => compare_mixed(b, a).reverse(),
        (Value::Bool(a), b) => compare(Value::Int(i128::from(a)), b),
        (a, Value::Bool(b)) => compare(a, Value::Int(i128::from(b))),
        // Only missing cells begin like missing cells.
        _ => Ordering::Equal,
    }
}

/// Compares a whole number with one that is not, or that is beyond all integers.
fn compare_mixed(int: i128, float: f64) -> Ordering {
    int.cmp(&(float.floor() as i128)).then(Ordering::Less)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;
    use crate::interner::Interner;

    #[test]
    fn values_sort_by_kind_and_value() -> Result<()> {
        let mut interner = Interner::default();
        for text in ["b", "é", "B"] {
            interner.text(text.as_bytes())?;
        }
        interner.int(2)?;
        interner.truth(true)?;
        for number in [1.5, f64::INFINITY, f64::NEG_INFINITY, -0.5, 1e300, -1e300] {
            interner.float(number)?;
        }
        interner.int(i128::from(i64::MAX))?;
        let values = interner.finish();
        let ranks = ranks(&values).expect("all can be compared");
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|position| ranks[position + 1]);
        // -inf -1e300 -0.5 True 1.5 2 i64::MAX 1e300 inf B b é
        assert_eq!(order, [7, 10, 8, 4, 5, 3, 11, 9, 6, 2, 0, 1]);
        assert_eq!(ranks[0], 12, "missing cells come last");
        Ok(())
    }

    #[test]
    fn values_that_begin_alike_sort_by_what_follows() -> Result<()> {
        let mut interner = Interner::default();
        let mut expected = Vec::new();
        for number in 0..400_u32 {
            // Texts that differ after eight letters or by their length alone, besides those they share.
            let text = format!("person {}{}", "x".repeat(number as usize % 11), number * 7 % 401);
            interner.text(text.as_bytes())?;
            expected.push(text);
        }
        for letters in ["person ", "person \0", "person \u{ff}", "person x\u{10ffff}"] {
            interner.text(letters.as_bytes())?;
            expected.push(letters.to_owned());
        }
        let ranks = ranks(&interner.finish()).expect("all can be compared");
        let mut found = vec![String::new(); expected.len()];
        for (text, rank) in expected.iter().zip(&ranks[1..]) {
            found[*rank as usize].clone_from(text);
        }
        expected.sort();
        assert_eq!(found, expected);
        let mut interner = Interner::default();
        let ends =
            [1_i128 << 61, 1 << 62, (1 << 61) - 1, i128::MAX, i128::MIN, -(1 << 61), -(1 << 62)];
        for number in ends {
            interner.int(number)?;
        }
        for number in [1e38, -1e38, f64::from_bits(1), -0.25] {
            interner.float(number)?;
        }
        let ranks = super::ranks(&interner.finish()).expect("all can be compared");
        // i128::MIN -1e38 -2^62 -2^61 -0.25 5e-324 2^61-1 2^61 2^62 1e38 i128::MAX
        assert_eq!(ranks[1..], [7, 8, 6, 10, 0, 3, 2, 9, 1, 5, 4]);
        let mut interner = Interner::default();
        for number in [1.75, -0.25, -1.0, -0.5, 1.5] {
            interner.float(number)?;
        }
        interner.truth(true)?;
        interner.int(1)?;
        interner.truth(false)?;
        interner.float(0.5)?;
        let mut values = interner.finish();
        values.replace(0, None)?;
        values.replace(4, None)?;
        let ranks = super::ranks(&values).expect("all can be compared");
        // -1 -0.5 -0.25 False 0.5 True 1, then the two that are missing
        assert_eq!(ranks[1..], [7, 2, 0, 1, 8, 5, 6, 3, 4]);
        Ok(())
    }
}
