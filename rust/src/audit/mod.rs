//! What an audit of answers counts: how often each text was given to each item, and what every
//! respondent left on every item.
//!
//! ```text
//! answers ─┬─ item, text ──────▶ pairs: how often, what it is
//!          └─ respondent, item ▶ sheet: what became of it, which option, given once or more
//! ```
//!
//! Both are counted in one pass over the rows ([`tally`]); everything else is read off the
//! [`sheet`], which is as large as respondents times items and not as the rows.

pub mod likeness;
pub mod mark;
pub mod pairs;
pub mod sheet;
pub mod style;
pub mod tally;
