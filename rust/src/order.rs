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
    let mut order: Vec<usize> = (0..values.len()).collect();
    let value = |position: usize| values.get(position).unwrap_or(Value::Missing);
    order.sort_by(|a, b| compare(value(*a), value(*b)));
    Some(ranks_of(&order))
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

fn compare(a: Value<'_>, b: Value<'_>) -> Ordering {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::Float(a), Value::Float(b)) => a.total_cmp(&b),
        (Value::Int(a), Value::Float(b)) => compare_mixed(a, b),
        (Value::Float(a), Value::Int(b)) => compare_mixed(b, a).reverse(),
        (Value::Bool(a), b) => compare(Value::Int(i128::from(a)), b),
        (a, Value::Bool(b)) => compare(a, Value::Int(i128::from(b))),
        (a, b) => kind(a).cmp(&kind(b)),
    }
}

/// Compares a whole number with one that is not, or that is beyond all integers.
fn compare_mixed(int: i128, float: f64) -> Ordering {
    int.cmp(&(float.floor() as i128)).then(Ordering::Less)
}

fn kind(value: Value<'_>) -> u8 {
    match value {
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => 0,
        Value::Text(_) => 1,
        // Values of another kind do not come here.
        Value::Missing | Value::Other(_) => 2,
    }
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
}
