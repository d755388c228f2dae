//! The way through a reply: one pass from front to back that hands what it finds to the ranks.

use crate::reply::context::is_permitted;
use crate::reply::json::{Object, Scan, scan};
use crate::reply::label::{self, Joint, Label, Use};
use crate::reply::letters::{Class, Text, class, is_frame, is_lead, is_opening};
use crate::reply::markup::plain;
use crate::reply::number::read;
use crate::reply::prose::{fraction, level_lines, only_number};
use crate::reply::rubric::Rubric;
use crate::reply::sections::{after_line, closing_tag, dropped_tag};
use crate::reply::tally::Tally;
use crate::reply::{Outcome, Reading, Reason};

/// Reads the score out of a reply.
///
/// # Errors
///
/// The reason why there is none.
pub fn parse(reply: &[u8], rubric: &Rubric) -> Outcome {
    let reply = &*plain(reply);
    let text = Text(reply);
    if text.skip(0, |code| matches!(class(code), Class::Blank | Class::Break)) == reply.len() {
        return Err(Reason::Missing);
    }
    let mut reader = Reader {
        text,
        rubric,
        tally: Tally::default(),
        clean: true,
        first_word: None,
        in_section: false,
        broken: 0,
        complete: Vec::new(),
        pieces: Vec::new(),
        piece: 0,
    };
    reader.run()?;
    reader.decide().and_then(|value| rubric.verdict(value))
}

struct Reader<'a> {
    text: Text<'a>,
    rubric: &'a Rubric,
    tally: Tally,
    /// Whether nothing but markup has come on this line.
    clean: bool,
    /// The first word of this line.
    first_word: Option<usize>,
    /// Whether scores without a name belong to the rubric.
    in_section: bool,
    /// No object that is not in `complete` begins before this place.
    broken: usize,
    /// Complete objects in one that breaks, the last one first.
    complete: Vec<Object>,
    /// What is left of the text once blocks are dropped.
    pieces: Vec<(usize, usize)>,
    piece: usize,
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), Reason> {
        let bytes = self.text.0;
        let mut i = 0;
        self.begin_line(0);
        while i < bytes.len() {
            if !self.clean {
                // Behind the first word of a line, nearly everything says nothing.
                i = self.rubric.next_salient(bytes, i);
            }
            i = match bytes.get(i) {
                None => break,
                Some(b'\n' | b'\r') => {
                    self.tally.end_line();
                    self.begin_line(i + 1);
                    i + 1
                }
                Some(b'{') => self.brace(i),
                Some(b'<') => self.angle(i)?,
                Some(b'[') => self.bracket(i),
                Some(b'/') => self.slash(i),
                Some(_) => self.step(i),
            };
        }
        self.tally.end_line();
        self.pieces.push((self.piece.min(bytes.len()), bytes.len()));
        Ok(())
    }

    /// A word, or a mark that means nothing but that it is no markup.
    fn step(&mut self, i: usize) -> usize {
        let Some((code, width)) = self.text.at(i) else { return i + 1 };
        if class(code) != Class::Word {
            self.clean &= is_lead(code);
            return i + width;
        }
        if !self.clean && self.text.before(i).is_some_and(|(code, _)| class(code) == Class::Word) {
            return i + width;
        }
        self.word(i)
    }

    fn begin_line(&mut self, start: usize) {
        self.clean = true;
        self.first_word = None;
        if self.rubric.named_only() {
            self.in_section = after_line(self.text, start, self.rubric).unwrap_or(self.in_section);
        }
    }

    fn word(&mut self, start: usize) -> usize {
        let text = self.text;
        let end = text.word_end(start);
        if self.clean {
            let stop = text.span(end, end + 1);
            let listed = end - start <= 3
                && text.span(start, end).iter().all(u8::is_ascii_digit)
                && (stop == b"." || stop == b")")
                && text.code(end + 1).is_some_and(|code| class(code) == Class::Blank);
            if listed {
                return end + 1;
            }
            self.clean = false;
            self.first_word = Some(start);
        }
        if self.rubric.may_begin(text.0, start) {
            self.phrase(start);
        }
        end
    }

    fn phrase(&mut self, start: usize) {
        let (text, rubric) = (self.text, self.rubric);
        let name = rubric.name(text, start);
        if let Some(end) = rubric.keyword(text, start) {
            if let Some(label) = label::keyword(text, (start, end), name == Some(end), rubric) {
                self.label(label, false);
            }
        } else if let Some(end) = name
            && let Some(label) = label::name(text, (start, end), rubric)
        {
            self.label(label, true);
        }
    }

    fn label(&mut self, label: Label, name_alone: bool) {
        let begins = label.joint == Joint::Tag || self.first_word == Some(label.start);
        let turned_down = label.use_of == Use::TurnedDown;
        if begins && label.joint != Joint::Bare && !(turned_down && label.joint == Joint::Weak) {
            self.mark(label.reading, label.named);
            return;
        }
        let counts = !self.rubric.named_only() || label.named || self.in_section;
        if label.use_of == Use::Nothing || label.joint == Joint::Line || !counts {
            return;
        }
        let permitted = if name_alone {
            let end = self.text.skip_back(label.start, is_frame);
            !self.text.before(end).is_some_and(|(code, _)| class(code) == Class::Word)
        } else {
            begins || is_permitted(self.text, label.start, self.rubric)
        };
        if permitted && turned_down {
            self.tally.weigh(label.reading);
        } else if permitted {
            self.tally.mention(label.reading);
        }
    }

    /// A marked score of the first rank.
    fn mark(&mut self, reading: Reading, named: bool) {
        if named || !self.rubric.named_only() {
            self.tally.mark(reading);
        } else if self.in_section {
            self.tally.mark_in_section(reading);
        }
    }

    fn brace(&mut self, i: usize) -> usize {
        while self.complete.last().is_some_and(|object| object.start < i) {
            self.complete.pop();
        }
        if i < self.broken {
            if self.complete.last().is_some_and(|object| object.start == i)
                && let Some(object) = self.complete.pop()
            {
                return self.object(&object);
            }
            return i + 1;
        }
        match scan(self.text, i, self.rubric) {
            Scan::Complete(object) => self.object(&object),
            Scan::Broken(at, mut complete) => {
                complete.reverse();
                (self.broken, self.complete) = (at, complete);
                i + 1
            }
            Scan::CutOff => {
                self.tally.mark(Err(Reason::CutOff));
                self.text.0.len()
            }
        }
    }

    fn object(&mut self, object: &Object) -> usize {
        let mut all = object.findings.named;
        let named = all.result().is_some();
        if !named || !self.rubric.named_only() {
            all.merge(object.findings.plain);
        }
        if let Some(reading) = all.result() {
            self.mark(reading, named);
        }
        self.clean = false;
        object.end
    }

    /// A block that is dropped, or nothing.
    fn angle(&mut self, i: usize) -> Result<usize, Reason> {
        let text = self.text;
        let closing = text.is(i + 1, '/');
        let Some((name, end)) = dropped_tag(text, i + 1 + usize::from(closing)) else {
            self.clean = false;
            return Ok(i + 1);
        };
        let end = if closing {
            self.tally = Tally::default();
            self.pieces.clear();
            end
        } else {
            self.pieces.push((self.piece, i));
            self.tally.end_line();
            closing_tag(text, end, name).ok_or(Reason::CutOff)?
        };
        self.piece = end;
        self.begin_line(end);
        Ok(end)
    }

    /// `[RESULT] n` or `[[n]]`.
    fn bracket(&mut self, i: usize) -> usize {
        let text = self.text;
        if text.span(i, i + 8).eq_ignore_ascii_case(b"[result]") {
            let mut at = text.skip(i + 8, is_frame);
            at += usize::from(text.is(at, ':'));
            let at = text.skip(at, |code| is_opening(code) || class(code) == Class::Break);
            let found = read(text, at, self.rubric).map(|(reading, _)| reading);
            let empty = if at == text.0.len() { Reason::CutOff } else { Reason::NotANumber };
            self.mark(found.unwrap_or(Err(empty)), false);
            self.clean = false;
            return i + 8;
        }
        if text.is(i + 1, '[') {
            let at = text.skip(i + 2, is_frame);
            if let Some((reading, _)) = read(text, at, self.rubric)
                && closes_twice(text.span(at, text.0.len().min(at + 24)))
            {
                self.mark(reading, false);
                self.clean = false;
            }
            return i + 2;
        }
        i + 1
    }

    /// The fourth rank: n/top.
    fn slash(&mut self, i: usize) -> usize {
        self.clean = false;
        if let Some(reading) = fraction(self.text, i, self.rubric) {
            self.tally.fraction(reading);
        }
        i + 1
    }

    fn decide(&self) -> Reading {
        if let Some(reading) = self.tally.marked() {
            return reading;
        }
        if self.rubric.named_only() {
            return Err(Reason::None);
        }
        let pieces = || self.pieces.iter().map(|(from, to)| self.text.span(*from, *to));
        level_lines(pieces(), self.rubric)
            .or(self.tally.fractions())
            .unwrap_or_else(|| only_number(pieces(), self.rubric))
    }
}

/// Whether the first closing bracket comes twice.
fn closes_twice(bytes: &[u8]) -> bool {
    let first = bytes.iter().position(|byte| *byte == b']');
    first.is_some_and(|first| bytes.get(first + 1) == Some(&b']'))
}
