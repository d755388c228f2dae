//! JSON objects in a reply: where they end, and what their fields say.
//!
//! One pass over the text, without recursion. An object that breaks takes the objects around it
//! with it, since they would break at the same place, so the search goes on behind that place and
//! no byte is read twice.

use crate::reply::letters::Text;
use crate::reply::number::{alone, number};
use crate::reply::rubric::Rubric;
use crate::reply::tally::Agreement;
use crate::reply::vocabulary::{NAMING_KEYS, NEUTRAL_KEYS, TOP_KEYS, is_one_of};
use crate::reply::{Reading, Reason};

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

enum Stop {
    Broken(usize),
    End,
}

/// Reads the object that begins at a brace.
#[must_use]
pub fn scan(text: Text<'_>, start: usize, rubric: &Rubric) -> Scan {
    let mut parser = Parser { text, rubric, i: start, stack: Vec::new(), complete: Vec::new() };
    match parser.run() {
        Ok(findings) => Scan::Complete(Object { start, end: parser.i, findings }),
        Err(Stop::Broken(at)) => {
            parser.complete.sort_by_key(|object| object.start);
            Scan::Broken(at.max(start + 1), parser.complete)
        }
        // A lone brace at the end begins nothing; a key, or its quotation mark, does.
        Err(Stop::End) if space(text, start + 1) < text.0.len() => Scan::CutOff,
        Err(Stop::End) => Scan::Broken(text.0.len(), Vec::new()),
    }
}

fn space(text: Text<'_>, i: usize) -> usize {
    text.skip(i, |code| matches!(code, 0x20 | 0x09 | 0x0a | 0x0d))
}

struct Parser<'a> {
    text: Text<'a>,
    rubric: &'a Rubric,
    i: usize,
    stack: Vec<Frame>,
    /// Objects that are closed inside one that is open; those inside a closed one are dropped.
    complete: Vec<Object>,
}

impl<'a> Parser<'a> {
    fn run(&mut self) -> Result<Findings, Stop> {
        self.open(Key::Neutral)?;
        loop {
            // Here the container on top of the stack expects its first or next item, or its end.
            let Some(frame) = self.stack.last() else { return Err(Stop::Broken(self.i)) };
            let (array, mut key) = (frame.array, frame.key);
            if !array {
                let name = self.string()?;
                key = self.key(&name);
                self.expect(b':')?;
            }
            match self.peek()? {
                b'{' | b'[' => {
                    if self.open(key)? {
                        continue;
                    }
                }
                _ => {
                    let scalar = self.scalar()?;
                    if !array {
                        self.keep(key, &scalar);
                    }
                }
            }
            // A value is complete: a comma leads to the next one, and brackets close containers.
            loop {
                match self.peek()? {
                    b',' => {
                        self.i += 1;
                        break;
                    }
                    b @ (b'}' | b']')
                        if self.stack.last().is_some_and(|frame| frame.array == (b == b']')) =>
                    {
                        self.i += 1;
                        if let Some(findings) = self.close() {
                            return Ok(findings);
                        }
                    }
                    _ => return Err(Stop::Broken(self.i)),
                }
            }
        }
    }

    /// The next byte that is no white space, which is skipped.
    fn peek(&mut self) -> Result<u8, Stop> {
        self.i = space(self.text, self.i);
        self.text.0.get(self.i).copied().ok_or(Stop::End)
    }

    fn expect(&mut self, byte: u8) -> Result<(), Stop> {
        if self.peek()? != byte {
            return Err(Stop::Broken(self.i));
        }
        self.i += 1;
        Ok(())
    }

    /// Opens a container; returns whether it has items.
    fn open(&mut self, key: Key) -> Result<bool, Stop> {
        if self.stack.len() == DEEPEST {
            return Err(Stop::Broken(self.i));
        }
        let array = self.peek()? == b'[';
        self.stack.push(Frame::new(self.i, array, key));
        self.i += 1;
        if self.peek()? == if array { b']' } else { b'}' } {
            self.i += 1;
            // An empty object at the bottom closes the whole; it is left to `run` as broken.
            return match self.close() {
                Some(_) => Err(Stop::Broken(self.i)),
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
            self.complete.push(Object { start, end: self.i, findings });
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

    fn scalar(&mut self) -> Result<Scalar, Stop> {
        match self.peek()? {
            b'"' => Ok(Scalar::Text(self.string()?)),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.literal(b"true"),
            b'f' => self.literal(b"false"),
            b'n' => self.literal(b"null"),
            b'N' => self.literal(b"NaN"),
            b'I' => self.literal(b"Infinity"),
            _ => Err(Stop::Broken(self.i)),
        }
    }

    fn literal(&mut self, word: &[u8]) -> Result<Scalar, Stop> {
        for expected in word {
            match self.text.0.get(self.i) {
                None => return Err(Stop::End),
                Some(byte) if byte == expected => self.i += 1,
                Some(_) => return Err(Stop::Broken(self.i)),
            }
        }
        Ok(Scalar::Literal)
    }

    fn digits(&mut self) -> Result<(), Stop> {
        let end = self.text.skip(self.i, |code| (0x30..=0x39).contains(&code));
        if end == self.i {
            let at_end = end == self.text.0.len();
            return Err(if at_end { Stop::End } else { Stop::Broken(end) });
        }
        self.i = end;
        Ok(())
    }

    fn number(&mut self) -> Result<Scalar, Stop> {
        let start = self.i;
        if self.text.is(self.i, '-') {
            self.i += 1;
            if self.text.is(self.i, 'I') {
                return self.literal(b"Infinity");
            }
        }
        if self.text.is(self.i, '0') {
            self.i += 1;
        } else {
            self.digits()?;
        }
        if self.text.is(self.i, '.') {
            self.i += 1;
            self.digits()?;
        }
        if self.text.is(self.i, 'e') || self.text.is(self.i, 'E') {
            self.i += 1;
            if self.text.is(self.i, '+') || self.text.is(self.i, '-') {
                self.i += 1;
            }
            self.digits()?;
        }
        let digits = std::str::from_utf8(self.text.span(start, self.i)).unwrap_or_default();
        Ok(digits.parse().map_or(Scalar::Literal, Scalar::Number))
    }

    fn string(&mut self) -> Result<Vec<u8>, Stop> {
        self.expect(b'"')?;
        let bytes: &'a [u8] = self.text.0;
        let mut out = Vec::new();
        loop {
            let rest = bytes.get(self.i..).unwrap_or_default();
            let Some(plain) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) else {
                return Err(Stop::End);
            };
            out.extend_from_slice(&rest[..plain]);
            self.i += plain + 1;
            if rest[plain] == b'"' {
                return Ok(out);
            }
            self.escape(&mut out)?;
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), Stop> {
        let byte = *self.text.0.get(self.i).ok_or(Stop::End)?;
        out.push(match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => return self.code_point(out),
            _ => return Err(Stop::Broken(self.i)),
        });
        self.i += 1;
        Ok(())
    }

    fn code_point(&mut self, out: &mut Vec<u8>) -> Result<(), Stop> {
        self.i += 1;
        let mut code = 0;
        for _ in 0..4 {
            let digit = *self.text.0.get(self.i).ok_or(Stop::End)?;
            code = code << 4 | char::from(digit).to_digit(16).ok_or(Stop::Broken(self.i))?;
            self.i += 1;
        }
        // Half of a surrogate pair is a letter like any other: no name and no number holds one.
        let character = char::from_u32(code).unwrap_or('\u{fffd}');
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }
}

enum Scalar {
    Text(Vec<u8>),
    Number(f64),
    Literal,
}

impl Scalar {
    fn reading(&self, rubric: &Rubric) -> Reading {
        match self {
            Self::Text(text) => {
                alone(Text(text), rubric).map_err(|reason| reason.unwrap_or(Reason::NotANumber))
            }
            Self::Number(value) => Ok(*value),
            Self::Literal => Err(Reason::NotANumber),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::rubric::tests::five;

    fn complete(text: &str) -> Option<(usize, Option<Reading>, Option<Reading>)> {
        match scan(Text(text.as_bytes()), 0, &five()) {
            Scan::Complete(object) => {
                let Findings { named, plain } = object.findings;
                Some((object.end, named.result(), plain.result()))
            }
            _ => None,
        }
    }

    #[test]
    fn fields_are_found() {
        for (text, named, plain) in [
            (r#"{"score": 4}"#, None, Some(Ok(4.0))),
            (r#"{"sc\u006fre": "4/5", "x": [{"score": 1}]}"#, None, Some(Ok(4.0))),
            (r#"{"accuracy": 4, "score": 3}"#, Some(Ok(4.0)), Some(Ok(3.0))),
            (r#"{"result": {"score": 2}}"#, None, Some(Ok(2.0))),
            (r#"{"confidence": {"score": 2}}"#, None, None),
            (r#"{"accuracy": {"score": 2}}"#, Some(Ok(2.0)), None),
            (r#"{"criterion": "clarity", "score": 2}"#, None, None),
            (r#"{"criterion": "Accuracy", "score": 2}"#, Some(Ok(2.0)), None),
            (r#"{"score": [2]}"#, None, Some(Err(Reason::NotANumber))),
            (r#"{"score": 4, "out_of": 10}"#, None, Some(Err(Reason::OtherScale))),
            (r#"{"score": 4, "Final_Score": 3}"#, None, Some(Err(Reason::Several))),
            (r#"{"score": -Infinity}"#, None, Some(Err(Reason::NotANumber))),
        ] {
            assert_eq!(complete(text), Some((text.len(), named, plain)), "{text}");
        }
    }

    #[test]
    fn what_breaks_is_told_from_what_is_cut_off() {
        for text in
            ["{\"", "{ \"a\"", "{\"a\": tru", "{\"a\": 4.", "{\"a\": \"\\u00", "{\"a\": [1, "]
        {
            let found = scan(Text(text.as_bytes()), 0, &five());
            assert!(matches!(found, Scan::CutOff), "{text}");
        }
        for (text, at) in [
            ("{", 1),
            ("{ 1", 2),
            ("{}", 2),
            ("{\"a\": 04", 7),
            ("{\"a\": 1,}", 8),
            ("{\"a\": \"\\x\"", 8),
            ("{\"a\": [1}", 8),
        ] {
            match scan(Text(text.as_bytes()), 0, &five()) {
                Scan::Broken(found, _) => assert_eq!(found, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn complete_objects_survive_in_a_broken_one() {
        let text = r#"{"a": {"score": 4, "b": {"score": 1}}, "c": {"score": 2}, oops"#;
        let Scan::Broken(_, inner) = scan(Text(text.as_bytes()), 0, &five()) else {
            panic!("it is broken")
        };
        assert_eq!(inner.iter().map(|object| object.start).collect::<Vec<_>>(), [6, 44]);
        let deep = "{\"a\":".repeat(200);
        let found = scan(Text(deep.as_bytes()), 0, &five());
        assert!(matches!(found, Scan::Broken(at, _) if at == 5 * DEEPEST));
    }
}
