//! The way through a reply: one pass from front to back that hands what it finds to the ranks.

use crate::reply::json::{Object, Scan, scan};
use crate::reply::label::{self, Joint, Label};
use crate::reply::letters::{
    Class, Text, class, is_closing, is_frame, is_gap, is_lead, is_opening,
};
use crate::reply::number::{alone, number, read, rest, suffix};
use crate::reply::rubric::Rubric;
use crate::reply::tally::Tally;
use crate::reply::vocabulary::{AFTER_FRACTION, BEFORE_OTHERS, DROPPED, WITHIN_SECTION, is_one_of};
use crate::reply::{Outcome, Reading, Reason};

/// Reads the score out of a reply.
///
/// # Errors
///
/// The reason why there is none.
pub fn parse(reply: &[u8], rubric: &Rubric) -> Outcome {
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
        while let Some(byte) = bytes.get(i) {
            i = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                    // Nearly every word is one that says nothing.
                    if self.clean || self.rubric.may_begin(bytes, i) {
                        self.word(i)
                    } else {
                        self.text.word_end(i + 1)
                    }
                }
                b' ' => i + 1,
                b'\n' | b'\r' => {
                    self.tally.end_line();
                    self.begin_line(i + 1);
                    i + 1
                }
                b'{' => self.brace(i),
                b'<' => self.angle(i)?,
                b'[' => self.bracket(i),
                b'/' => self.slash(i),
                _ => match self.text.at(i) {
                    Some((code, _)) if class(code) == Class::Word => self.word(i),
                    Some((code, width)) => {
                        self.clean &= is_lead(code);
                        i + width
                    }
                    None => i + 1,
                },
            };
        }
        self.tally.end_line();
        self.pieces.push((self.piece.min(bytes.len()), bytes.len()));
        Ok(())
    }

    fn begin_line(&mut self, start: usize) {
        self.clean = true;
        self.first_word = None;
        if self.rubric.named_only() {
            self.begin_section(start);
        }
    }

    /// A line that begins with a rubric's name begins its section; other headings end it.
    fn begin_section(&mut self, start: usize) {
        let text = self.text;
        let first = text.skip(start, is_lead);
        let ends_name = |end: usize| {
            let at = text.skip(end, is_frame);
            text.ends_line(at)
                || matches!(
                    text.code(at).and_then(char::from_u32),
                    Some(':' | '：' | '(' | '-' | '–' | '—')
                )
        };
        if self.rubric.name(text, first).is_some_and(ends_name) {
            self.in_section = true;
        } else if self.rubric.other_name(text, first).is_some_and(ends_name) {
            self.in_section = false;
        } else if text.is_word(first) {
            let word = text.word(first);
            let mut end = first + word.len();
            for _ in 0..3 {
                let next = text.skip(end, is_gap);
                end = next + text.word(next).len();
            }
            let heading = text.is(text.skip(start, |code| code == 0x20), '#')
                || text.is(text.skip(end, is_frame), ':')
                || text.ends_line(text.skip(end, is_closing));
            let keyword = self.rubric.keyword(text, first).is_some();
            if heading
                && !keyword
                && !is_one_of(word, WITHIN_SECTION)
                && number(text, first).is_none()
            {
                self.in_section = false;
            }
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
        if begins && label.joint != Joint::Bare {
            self.mark(label.reading, label.named);
            return;
        }
        let counts = !self.rubric.named_only() || label.named || self.in_section;
        if !label.gives_number || label.joint == Joint::Line || !counts {
            return;
        }
        let permitted = if name_alone {
            let end = self.text.skip_back(label.start, is_frame);
            !self.text.before(end).is_some_and(|(code, _)| class(code) == Class::Word)
        } else {
            begins || label::is_permitted(self.text, label.start)
        };
        if permitted {
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
        if let Some(reading) = self.fraction(i) {
            self.tally.fraction(reading);
        }
        i + 1
    }

    fn fraction(&self, slash: usize) -> Option<Reading> {
        let text = self.text;
        let (top, end) = number(text, text.skip_blanks(slash + 1))?;
        if self.rubric.high() != Some(top) || self.rubric.named_only() {
            return None;
        }
        let reading = match suffix(text, end).and_then(|end| rest(text, end, self.rubric, false)) {
            Ok(end) if !text.is_word(end) || is_one_of(text.word(end), AFTER_FRACTION) => Ok(()),
            Err(Reason::Several) => Err(Reason::Several),
            _ => return None,
        };
        let stop = text.skip_back(slash, |code| class(code) == Class::Blank);
        let numeric = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let digits = text.0.get(..stop)?.iter().rev().take(24).take_while(|byte| numeric(byte));
        let start = stop - digits.count();
        let (value, end) = number(text, start)?;
        let before = text.before(start).map(|(code, _)| code);
        let free =
            |code| class(code) == Class::Break || is_opening(code) || code == u32::from(b':');
        if end != stop || !text.is_digit(start) || !before.is_none_or(free) {
            return None;
        }
        let end = text.skip_back(start, is_opening);
        let word = text.span(text.word_start(end), end);
        let other = word.last().is_some_and(u8::is_ascii_digit) || is_one_of(word, BEFORE_OTHERS);
        (!other).then_some(reading.map(|()| value))
    }

    fn decide(&self) -> Reading {
        if let Some(reading) = self.tally.marked() {
            return reading;
        }
        if self.rubric.named_only() {
            return Err(Reason::None);
        }
        if let Some(reading) = self.level_lines().or(self.tally.fractions()) {
            return reading;
        }
        let is_space = |code| matches!(class(code), Class::Blank | Class::Break);
        let mut pieces = self.pieces.iter().map(|(from, to)| self.text.span(*from, *to));
        let mut filled = pieces.by_ref().filter(|p| Text(p).skip(0, is_space) < p.len());
        match (filled.next(), filled.next()) {
            (Some(piece), None) => {
                let start = Text(piece).skip(0, is_space);
                let end = Text(piece).skip_back(piece.len(), is_space);
                alone(Text(&piece[start..end]), self.rubric)
                    .map_err(|reason| reason.unwrap_or(Reason::None))
            }
            _ => Err(Reason::None),
        }
    }

    /// The third rank: lines that are a level's.
    fn level_lines(&self) -> Option<Reading> {
        let mut all = crate::reply::tally::Agreement::default();
        for (from, to) in &self.pieces {
            for line in self.text.span(*from, *to).split(|byte| matches!(byte, b'\n' | b'\r')) {
                if let Some(reading) = self.rubric.level_text(line) {
                    all.add(reading);
                }
            }
        }
        all.result()
    }
}

/// The name of the tag whose name begins at a position, if such blocks are dropped, and its end.
fn dropped_tag(text: Text<'_>, i: usize) -> Option<(&[u8], usize)> {
    let name = text.word(i);
    let end = text.skip_blanks(i + name.len());
    (is_one_of(name, DROPPED) && text.is(end, '>')).then_some((name, end + 1))
}

/// The end of the first closing tag of this name.
fn closing_tag(text: Text<'_>, mut i: usize, name: &[u8]) -> Option<usize> {
    loop {
        let at = i + text.0.get(i..)?.windows(2).position(|pair| pair == b"</")?;
        if let Some((found, end)) = dropped_tag(text, at + 2)
            && found.eq_ignore_ascii_case(name)
        {
            return Some(end);
        }
        i = at + 2;
    }
}

/// Whether the first closing bracket comes twice.
fn closes_twice(bytes: &[u8]) -> bool {
    let first = bytes.iter().position(|byte| *byte == b']');
    first.is_some_and(|first| bytes.get(first + 1) == Some(&b']'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::rubric::tests::{five, five_of};

    fn read_by(rubric: &Rubric, replies: &[(&str, Result<f64, Reason>)]) {
        for (reply, expected) in replies {
            let found = parse(reply.as_bytes(), rubric).map(|(score, _)| score);
            assert_eq!(found, *expected, "{reply:?}");
        }
    }

    #[test]
    fn the_first_rank_that_speaks_decides() {
        read_by(
            &five(),
            &[
                ("Score: 2. About 4/5 of the claims hold.", Ok(2.0)),
                ("I had a score of 3 in mind.\nScore: 4", Ok(4.0)),
                ("{\"score\": 3}\n\nScore: 5", Ok(5.0)),
                ("Score: 4\n\nFinal score: N/A", Err(Reason::NotANumber)),
                ("Score: 2, rating: 3", Err(Reason::Several)),
                ("a score of 3, then a score of 4", Err(Reason::Several)),
                ("Few errors\n4/5", Ok(4.0)),
                ("I'd say 4/5.", Ok(4.0)),
                ("4/5 or 3/5", Err(Reason::Several)),
                ("Evaluated 4/5/2026.", Err(Reason::None)),
                ("**4**", Ok(4.0)),
                ("\u{3000}\n", Err(Reason::Missing)),
            ],
        );
    }

    #[test]
    fn blocks_are_dropped() {
        read_by(
            &five(),
            &[
                ("<think>Maybe Score: 2</think>\n4", Ok(4.0)),
                ("Score: 2 </think> Score: 3", Ok(3.0)),
                ("Score: 2 <scratchpad>", Err(Reason::CutOff)),
                ("<think>Score: 2</think>", Err(Reason::None)),
                ("<thinker>\nScore: 2", Ok(2.0)),
            ],
        );
    }

    #[test]
    fn brackets_are_marks() {
        read_by(
            &five(),
            &[
                ("[RESULT] (an integer)\n[RESULT] 3", Ok(3.0)),
                ("so [[4]]", Ok(4.0)),
                ("so [[4]", Err(Reason::None)),
                ("[[9]]", Err(Reason::OutOfRange)),
                ("[result]:", Err(Reason::CutOff)),
                ("[[Main Page]] 4", Err(Reason::None)),
            ],
        );
    }

    #[test]
    fn of_several_rubrics_each_finds_its_own() {
        read_by(
            &five_of(Some(&["clarity"])),
            &[
                ("Clarity: 2\nAccuracy: 4", Ok(4.0)),
                ("Clarity\nScore: 2\nAccuracy\nScore: 4", Ok(4.0)),
                ("# Accuracy\nScore: 4\n# Overall\nScore: 1", Ok(4.0)),
                ("# Accuracy\nScore: 4\nScore: 3", Err(Reason::Several)),
                ("Score: 4", Err(Reason::None)),
                ("{\"accuracy\": 4, \"clarity\": 2}", Ok(4.0)),
                ("4/5", Err(Reason::None)),
            ],
        );
    }

    #[test]
    fn any_bytes_are_read() {
        let rubric = five();
        for seed in 0..20_000_u64 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let bytes: Vec<u8> = (0..seed % 40)
                .map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    let common = b"{}[]\"\\<>/:45 score\n\xe5\x88\x86\xff";
                    common[(state >> 32) as usize % common.len()]
                })
                .collect();
            if let Ok((score, level)) = parse(&bytes, &rubric) {
                assert_eq!((score, level < 5), (5.0 - level as f64, true), "{bytes:?}");
            }
        }
    }
}
