//! The rules, part by part.

mod column;
mod json;
mod label;
mod letters;
mod markup;
mod number;
mod rare;
mod reader;
mod rubric;
