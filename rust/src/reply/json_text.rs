//! The words of JSON: white space, strings, numbers and literals.

use crate::reply::letters::Text;
use crate::reply::number::alone;
use crate::reply::rubric::Rubric;
use crate::reply::{Reading, Reason};

/// Why reading stops.
#[derive(Debug)]
pub enum Stop {
    /// The text breaks the grammar at this place.
    Broken(usize),
    /// The text ends.
    End,
}

/// The position after white space.
#[must_use]
pub fn space(text: Text<'_>, i: usize) -> usize {
    text.skip(i, |code| matches!(code, 0x20 | 0x09 | 0x0a | 0x0d))
}

/// A text that is read word by word.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The text.
    pub text: Text<'a>,
    /// The place up to which it is read.
    pub i: usize,
}

impl<'a> Words<'a> {
    /// The next byte that is no white space, which is skipped.
    ///
    /// # Errors
    ///
    /// [`Stop::End`].
    pub fn peek(&mut self) -> Result<u8, Stop> {
        self.i = space(self.text, self.i);
        self.text.0.get(self.i).copied().ok_or(Stop::End)
    }

    /// Steps over one byte, and white space before it.
    ///
    /// # Errors
    ///
    /// [`Stop`] if it is another one.
    pub fn expect(&mut self, byte: u8) -> Result<(), Stop> {
        if self.peek()? != byte {
            return Err(Stop::Broken(self.i));
        }
        self.i += 1;
        Ok(())
    }

    /// A value that is no container.
    ///
    /// # Errors
    ///
    /// [`Stop`].
    pub fn scalar(&mut self) -> Result<Scalar, Stop> {
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

    /// A string, its escapes resolved.
    ///
    /// # Errors
    ///
    /// [`Stop`].
    pub fn string(&mut self) -> Result<Vec<u8>, Stop> {
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

/// A value that is no container.
#[derive(Debug)]
pub enum Scalar {
    /// A string.
    Text(Vec<u8>),
    /// A number.
    Number(f64),
    /// true, false, null, NaN or an infinity.
    Literal,
}

impl Scalar {
    /// The score that it is, as a reply alone.
    ///
    /// # Errors
    ///
    /// The reason why it is none.
    pub fn reading(&self, rubric: &Rubric) -> Reading {
        match self {
            Self::Text(text) => {
                alone(Text(text), rubric).map_err(|reason| reason.unwrap_or(Reason::NotANumber))
            }
            Self::Number(value) => Ok(*value),
            Self::Literal => Err(Reason::NotANumber),
        }
    }
}
