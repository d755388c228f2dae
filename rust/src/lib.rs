//! Turns the answers of a questionnaire into item scores and scale scores.
//!
//! ```text
//! decisions ─┐
//! item ids  ─┼─ encode ─▶ codes ─ score ─▶ item scores ─┐
//! validity  ─┘                                          ├─ aggregate ─▶ scale scores
//! respondents ── encode ─▶ codes ─ group ─▶ groups ─────┘
//! ```
//!
//! Columns become [`codes`]: one small integer a row and the distinct [`values`] behind them
//! ([`encode`]). A questionnaire becomes a [`key::ScoringKey`], which says what each answer option
//! of each item is worth; it compares texts by their [`fold`]ed form, or else, if it is asked to, by
//! their [`lenient`] one. From then on nothing but
//! integers is looked at per row: [`score`] finds the score of every row, [`group`] its respondent,
//! [`aggregate`] the scale scores, [`matrix`] respondents by items.
//!
//! An [`audit`] counts, from the same codes, what the answers of each item and respondent are.
//!
//! Apart from these, a judge's [`reply`] to a rubric becomes a score, one text at a time.
//!
//! [`wide`] files, with one column for each item, become rows of answers first.
//!
//! The crate is plain Rust. Only the folder `python`, behind the feature of that name, knows that
//! the columns belong to a Python process.

pub mod aggregate;
pub mod audit;
pub mod cells;
pub mod codes;
pub mod decision;
pub mod duplicates;
pub mod encode;
pub mod error;
pub mod fold;
pub mod group;
pub mod imputation;
pub mod interner;
pub mod items;
pub mod key;
pub mod ladder;
pub mod lenient;
pub mod matrix;
pub mod order;
pub mod outcome;
#[cfg(feature = "python")]
mod python;
pub mod reply;
pub mod responses;
pub mod rows;
pub mod score;
pub mod spread;
pub mod statistic;
mod table;
pub mod values;
pub mod wide;
pub mod workers;
