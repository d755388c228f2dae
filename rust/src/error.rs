//! Everything that can go wrong in the core, one variant a cause, each with what a user needs to
//! find the place. The binding turns a variant into a Python exception; nothing here panics.

use std::fmt;

/// What is wrong with the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Columns that belong to the same rows differ in length.
    Length {
        /// What the column holds, such as `decisions`.
        what: &'static str,
        /// Its number of rows.
        got: usize,
        /// The number of rows that it should have.
        expected: usize,
    },
    /// A text buffer points outside itself.
    Offsets {
        /// The row whose bounds are wrong.
        row: usize,
    },
    /// A code that has no value, or an index without a category.
    Code {
        /// The row of the code.
        row: usize,
        /// The code itself.
        code: i64,
        /// Codes must be smaller than this.
        limit: usize,
    },
    /// An item that names options, a scale or an item that does not exist.
    Reference {
        /// The item.
        item: usize,
        /// What it refers to.
        what: &'static str,
    },
    /// A weight that is not a finite number.
    Weight {
        /// The set of options.
        options: usize,
        /// The position of the option in its set.
        option: usize,
    },
    /// The caller no longer wants the result.
    Interrupted,
    /// More distinct values, groups or cells than 32-bit codes can name.
    TooMany {
        /// What there is too much of.
        what: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { what, got, expected } => {
                write!(f, "{what}: expected {expected} rows, got {got}")
            }
            Self::Offsets { row } => {
                write!(f, "the text of row {row} lies outside the column's buffer")
            }
            Self::Code { row, code, limit } => {
                write!(f, "row {row} has the code {code}, but codes must be below {limit}")
            }
            Self::Reference { item, what } => {
                write!(f, "item {item} refers to {what} that the questionnaire does not have")
            }
            Self::Weight { options, option } => write!(
                f,
                "option {option} of option set {options} has a weight that is not a finite number"
            ),
            Self::Interrupted => write!(f, "the work was interrupted"),
            Self::TooMany { what } => {
                write!(f, "more than {} {what} cannot be told apart", u32::MAX - 1)
            }
        }
    }
}

impl std::error::Error for Error {}

/// The core's result.
pub type Result<T> = std::result::Result<T, Error>;
