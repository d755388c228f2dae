//! A judge's reply to a rubric: the score in it, or the reason why there is none.
//!
//! The rules, in the order in which they are applied. `score_replies` promises them to users; the
//! slow twin in the tests follows them a second time.
//!
//! # Characters
//!
//! A *break* is LF or CR and ends a line. A *blank* is a space, a tab, VT, FF, U+00A0, U+202F or
//! U+3000. *Word* characters are the ASCII letters and digits and every other character that is no
//! *mark*; marks are all other ASCII characters and the blocks of punctuation and symbols that
//! [`letters`] lists. Words are compared without regard to ASCII case. *Frame* is what a value may
//! be set in: blanks, `*`, `_`, `` ` ``, `~`, and quotation marks. *Opening* is frame and opening
//! brackets, *closing* is frame, closing brackets and `|`; *gaps* between the words of a phrase are
//! blanks, `*`, `_` and `-`.
//!
//! # What is dropped
//!
//! `<think>`, `<thinking>`, `<reasoning>` and `<scratchpad>` up to their first closing tag; a block
//! counts as a break. What stands before a closing tag that was not opened is dropped, too: there
//! the block began in the prompt. A block without an end makes the whole reply `cut_off`. Nothing
//! but its fields is read of a complete JSON object.
//!
//! Byte order marks in front of a reply are dropped, and the tags `<b>`, `<i>`, `<em>`, `<strong>`
//! and their ends are read as `*`.
//!
//! # Numbers
//!
//! A *dash* is a hyphen, a dash, a minus sign or a tilde in any width (U+002D, U+007E, U+2010 to
//! U+2015, U+2043, U+2053, U+2212, U+223C, U+2500, U+301C, U+FE58, U+FE63, U+FF0D, U+FF5E). A
//! *numeral* is a vulgar fraction or a wide digit; it is no number, but more of the one before it.
//!
//! ```text
//! number   = [ "+" | "-" | "−" ] ( digits [ "." digits ] | "." digits )
//! reading  = number suffix rest
//! suffix   : no word character (but 分 点 點 점), numeral or any of + ^ ° ± ² ³ ¹; no % ％ ﹪ ٪ ‰
//!            ‱ (percent); no ; ； before a digit (several); no more of a number: "." "," ":" "\" or
//!            any mark outside ASCII, but a dash, closing, … → ⁄ ／, before a digit or numeral; a
//!            hyphen, "_" or "'" before a word
//! rest     : closing, then none of: a digit; a dash, "..", "…" or an arrow before a number or
//!            numeral; "or"; "to", "and", "&", "through", "vs", "versus", "until",
//!            "oder", "bis", "ou", "或", "至", "到" before a number;
//!            one of , ， 、 ; ； before "or" or before a number that no word follows (all several);
//!            "%" and the like, "percent" (percent); a numeral, also in brackets or after "and";
//!            "half"; "point" before a number; "+", "±", "×"; "k", "million", "tenths" ..
//!            (not_a_number)
//!          | [ "stars" | "points" | .. ] ( "/" | "out of" | "of" | "in" or "over" before a number )
//!            top
//!            (another number than the top of the scale: other_scale; none: not_a_number)
//!          | "on a scale of" number ( dash | "to" ) number | "on a" number "-point"
//!            (not the rubric's scale: other_scale)
//! ```
//!
//! # Ranks
//!
//! The first rank that has anything to say decides.
//!
//! 1. *Marked* scores: JSON objects with the field; `[RESULT] n`; `[[n]]`; `<score>n`; labels that
//!    begin a line. The last one decides, whether or not it holds a usable number; but if its line
//!    holds another marked score (rank 2 included) with a different number, or with several:
//!    several. An object that the text ends in the middle of is `cut_off`.
//! 2. Labels inside a line that hold a number, and labels followed by nothing but a blank and a
//!    number that ends the line. All have to agree, else several. A score that is turned down ("is
//!    too high", "is not deserved") is none by itself, but it has to agree with the others, too.
//! 3. Lines that are, but for markup, a level's prompt line or its whole description.
//! 4. `n/top`, where nothing around it says that it is more of a number or a fraction of something:
//!    only a few words may stand before it ("say", "it", "verdict:", the rubric's name) and after it
//!    ("because", "overall"). All have to agree.
//! 5. The reply is a reading alone.
//!
//! ```text
//! label     = phrase [ "for" [ "the" ] name ] [ "(" scale ")" | ( "out of" | "/" ) top ] separator
//! phrase    = { "final" | "overall" | name } keyword | name
//! keyword   = "score" | "rating" | "grade" | the field | a marker
//! separator = ":" | "：" | "=" | "is:" | "is" before "not", "n/a", "none" ..       (strong)
//!           | "is" | "was" | "of" | a dash between blanks | "->" | "→" | "|" | ">" (weak)
//! value     = opening [ "a" | "an" ] reading
//!           | a line that is a reading alone, after a strong separator that ends its line or a
//!             label that is a line of its own
//! ```
//!
//! A weak separator makes a label only where a number follows, and not where the word after the
//! reading says that a score is being explained ("means", "requires", "would"): it is passed over. A
//! name alone needs a strong separator, a number, and no word after the reading, because "Accuracy: 3
//! errors" is no score. Inside a line, the word before the phrase has to be one that lets it stand
//! for the reply's score ("a", "the", "is", "my"): a confidence score, a passing score and a score
//! for something else are none. Nor is one with "not", "if", "than" and the like before it in its
//! clause.
//!
//! # JSON
//!
//! An object is read by the grammar of JSON, to which control characters in strings, NaN and
//! Infinity are added, to a depth of 128. Where it breaks, its text is read as prose up to there.
//! The field may be written in any case and have "final" or "overall" before it; so may the
//! rubric's name, whose value counts if it is a number or an object. An object within counts if its
//! key says nothing of its own ("result", "evaluation"), or is the rubric's name. An object that
//! names another criterion does not count. All values of one object have to agree.
//!
//! # Several rubrics
//!
//! If a reply holds the scores of several rubrics, a label or a field counts if the rubric is named
//! with it, or if it stands below a line that begins with the rubric's name and above the next
//! heading; there all scores without a name have to agree.

pub mod column;
pub mod context;
pub mod json;
pub mod json_text;
pub mod label;
pub mod letters;
pub mod markup;
pub mod number;
pub mod phrase;
pub mod prose;
pub mod reader;
pub mod rubric;
pub mod sections;
pub mod tally;
#[cfg(test)]
mod tests;
pub mod vocabulary;

pub use reader::parse;
pub use rubric::{Level, Rubric, Terms};

/// Why a reply has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// There is no reply.
    Missing = 1,
    /// Nothing in it says what the score is.
    None = 2,
    /// It gives several scores, or a range.
    Several = 3,
    /// The score is below or above all levels.
    OutOfRange = 4,
    /// The score is on the scale, but on no level.
    BetweenLevels = 5,
    /// The score is given on another scale.
    OtherScale = 6,
    /// The score is a percentage.
    Percent = 7,
    /// Where the score should be is no number.
    NotANumber = 8,
    /// The reply ends before it gives the score.
    CutOff = 9,
}

/// A score and the position of its level, or the reason why there is none.
pub type Outcome = Result<(f64, usize), Reason>;

/// A number that a reply gives, before it is looked up on the rubric.
pub type Reading = Result<f64, Reason>;
