//! JSON objects in a reply: where they end, and what their fields say.
//!
//! One pass over the text, without recursion. An object that breaks takes the objects around it
//! with it, since they would break at the same place, so the search goes on behind that place and
//! no byte is read twice.

use crate::reply::Reason;
use crate::reply::json_text::{Scalar, Stop, Words, space};
use crate::reply::letters::Text;
use crate::reply::number::number;
use crate::reply::rubric::Rubric;
use crate::reply::tally::Agreement;
use crate::reply::vocabulary::{NAMING_KEYS, NEUTRAL_KEYS, TOP_KEYS, is_one_of};

/// What an object says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Findings {
    /// Scores given under the rubric's name.
    pub named: Agreement,
    /// Scores given under the field alone.
    pub plain: Agreement,
}

/// A complete object.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What it says.
    pub findings: Findings,
}

/// What begins at a brace.
#[derive(Debug)]
pub enum Scan {
    /// An object.
    Complete(Object),
    /// None: the text breaks the grammar at this place; objects that are complete before it.
    Broken(usize, Vec<Object>),
    /// An object that the text ends in the middle of.
    CutOff,
}

/// What a key says of its value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Key {
    Field,
    Own,
    Neutral,
    Top,
    Naming,
    Other,
}

#[derive(Debug)]
struct Frame {
    start: usize,
    key: Key,
    /// Whether this is an array; its items have the array's own key.
    array: bool,
    field: Agreement,
    findings: Findings,
    top: Option<f64>,
    is_own: bool,
    is_foreign: bool,
}

impl Frame {
    fn new(start: usize, array: bool, key: Key) -> Self {
        Self {
            start,
            key,
            array,
            field: Agreement::default(),
            findings: Findings::default(),
            top: None,
            is_own: false,
            is_foreign: false,
        }
    }

    fn close(mut self, rubric: &Rubric) -> Findings {
        if let Some(top) = self.top
            && rubric.high() != Some(top)
            && self.field.result().is_some()
        {
            self.field.add(Err(Reason::OtherScale));
        }
        let plain = if self.field.result().is_some() { self.field } else { self.findings.plain };
        self.findings.plain = Agreement::default();
        if self.is_own {
            self.findings.named.merge(plain);
        } else if !self.is_foreign {
            self.findings.plain = plain;
        }
        self.findings
    }
}

/// How deep objects and arrays may lie in each other.
const DEEPEST: usize = 128;

/// Reads the object that begins at a brace.
#[must_use]
pub fn scan(text: Text<'_>, start: usize, rubric: &Rubric) -> Scan {
    let mut parser =
        Parser { words: Words { text, i: start }, rubric, stack: Vec::new(), complete: Vec::new() };
    match parser.run() {
        Ok(findings) => Scan::Complete(Object { start, end: parser.words.i, findings }),
        Err(Stop::Broken(at)) => {
            parser.complete.sort_by_key(|object| object.start);
            Scan::Broken(at.max(start + 1), parser.complete)
        }
        // A lone brace at the end begins nothing; a key, or its quotation mark, does.
        Err(Stop::End) if space(text, start + 1) < text.0.len() => Scan::CutOff,
        Err(Stop::End) => Scan::Broken(text.0.len(), Vec::new()),
    }
}

struct Parser<'a> {
    words: Words<'a>,
    rubric: &'a Rubric,
    stack: Vec<Frame>,
    /// Objects that are closed inside one that is open; those inside a closed one are dropped.
    complete: Vec<Object>,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<Findings, Stop> {
        self.open(Key::Neutral)?;
        loop {
            // Here the container on top of the stack expects its first or next item, or its end.
            let Some(frame) = self.stack.last() else { return Err(Stop::Broken(self.words.i)) };
            let (array, mut key) = (frame.array, frame.key);
            if !array {
                let name = self.words.string()?;
                key = self.key(&name);
                self.words.expect(b':')?;
            }
            match self.words.peek()? {
                b'{' | b'[' => {
                    if self.open(key)? {
                        continue;
                    }
                }
                _ => {
                    let scalar = self.words.scalar()?;
                    if !array {
                        self.keep(key, &scalar);
                    }
                }
            }
            // A value is complete: a comma leads to the next one, and brackets close containers.
            loop {
                match self.words.peek()? {
                    b',' => {
                        self.words.i += 1;
                        break;
                    }
                    b @ (b'}' | b']')
                        if self.stack.last().is_some_and(|frame| frame.array == (b == b']')) =>
                    {
                        self.words.i += 1;
                        if let Some(findings) = self.close() {
                            return Ok(findings);
                        }
                    }
                    _ => return Err(Stop::Broken(self.words.i)),
                }
            }
        }
    }

    /// Opens a container; returns whether it has items.
    fn open(&mut self, key: Key) -> Result<bool, Stop> {
        if self.stack.len() == DEEPEST {
            return Err(Stop::Broken(self.words.i));
        }
        let array = self.words.peek()? == b'[';
        self.stack.push(Frame::new(self.words.i, array, key));
        self.words.i += 1;
        if self.words.peek()? == if array { b']' } else { b'}' } {
            self.words.i += 1;
            // An empty object at the bottom closes the whole; it is left to `run` as broken.
            return match self.close() {
                Some(_) => Err(Stop::Broken(self.words.i)),
                None => Ok(false),
            };
        }
        Ok(true)
    }

    /// Closes the container on top; returns what the outermost one says.
    fn close(&mut self) -> Option<Findings> {
        let frame = self.stack.pop()?;
        let (start, key, array) = (frame.start, frame.key, frame.array);
        let findings = frame.close(self.rubric);
        let Some(parent) = self.stack.last_mut() else { return Some(findings) };
        parent.findings.named.merge(findings.named);
        match key {
            Key::Own => parent.findings.named.merge(findings.plain),
            Key::Neutral => parent.findings.plain.merge(findings.plain),
            Key::Field if array || findings.plain.result().is_none() => {
                parent.field.add(Err(Reason::NotANumber));
            }
            Key::Field => parent.field.merge(findings.plain),
            _ => {}
        }
        if !array {
            let inner = self.complete.iter().rposition(|object| object.start < start);
            self.complete.truncate(inner.map_or(0, |position| position + 1));
            self.complete.push(Object { start, end: self.words.i, findings });
        }
        None
    }

    fn key(&self, name: &[u8]) -> Key {
        if self.rubric.is_field(name) {
            return Key::Field;
        }
        if self.rubric.is_own_name(name) {
            return Key::Own;
        }
        let spaced: Vec<u8> =
            name.iter().map(|b| if matches!(b, b'_' | b'-') { b' ' } else { *b }).collect();
        match () {
            () if is_one_of(&spaced, NEUTRAL_KEYS) => Key::Neutral,
            () if is_one_of(&spaced, TOP_KEYS) => Key::Top,
            () if is_one_of(&spaced, NAMING_KEYS) => Key::Naming,
            () => Key::Other,
        }
    }

    fn keep(&mut self, key: Key, scalar: &Scalar) {
        let rubric = self.rubric;
        let Some(frame) = self.stack.last_mut() else { return };
        match (key, scalar) {
            (Key::Field, _) => frame.field.add(scalar.reading(rubric)),
            (Key::Own, Scalar::Number(_)) => frame.findings.named.add(scalar.reading(rubric)),
            (Key::Own, Scalar::Text(text)) if number(Text(text), 0).is_some() => {
                frame.findings.named.add(scalar.reading(rubric));
            }
            (Key::Top, Scalar::Number(value)) => frame.top = Some(*value),
            (Key::Naming, Scalar::Text(text)) if rubric.is_own_name(text) => frame.is_own = true,
            // A longer text says what is asked, not what it is called.
            (Key::Naming, Scalar::Text(text)) => {
                frame.is_foreign = text.split(|byte| *byte == b' ').count() <= 3;
            }
            _ => {}
        }
    }
}
