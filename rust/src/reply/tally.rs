//! What a reply has said so far, rank by rank.

use crate::reply::{Reading, Reason};

/// Readings that have to agree.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreement {
    first: Option<f64>,
    differ: bool,
    flaw: Option<Reason>,
}

impl Agreement {
    /// Takes one more reading in.
    pub fn add(&mut self, reading: Reading) {
        match reading {
            Ok(value) => {
                self.differ |= self.first.is_some_and(|first| first.total_cmp(&value).is_ne());
                self.first = self.first.or(Some(value));
            }
            Err(reason) => self.flaw = self.flaw.or(Some(reason)),
        }
    }

    /// Takes the readings of another in.
    pub fn merge(&mut self, other: Self) {
        if let Some(value) = other.first {
            self.add(Ok(value));
        }
        self.differ |= other.differ;
        self.flaw = self.flaw.or(other.flaw);
    }

    /// What all readings say together; nothing if there are none.
    #[must_use]
    pub fn result(&self) -> Option<Reading> {
        if self.differ {
            return Some(Err(Reason::Several));
        }
        self.flaw.map(Err).or(self.first.map(Ok))
    }
}

/// The readings of the first four ranks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Marked scores on the current line.
    line: Agreement,
    /// The last marked score of the first rank, and whether it is on the current line.
    last: Option<(Reading, bool)>,
    /// Labels inside lines.
    inline: Agreement,
    /// Labels inside lines whose score is turned down.
    weighed: Agreement,
    /// Scores without a name in the rubric's section.
    section: Agreement,
    /// Scores of the form n/top.
    fractions: Agreement,
}

impl Tally {
    /// A marked score of the first rank.
    pub fn mark(&mut self, reading: Reading) {
        self.last = Some((reading, true));
        self.add_to_line(reading);
    }

    /// The same, but it has no name and so belongs to the section that it is in.
    pub fn mark_in_section(&mut self, reading: Reading) {
        self.section.add(reading);
        let all = self.section.result().unwrap_or(reading);
        self.last = Some((all, true));
        self.add_to_line(reading);
    }

    /// A label inside a line.
    pub fn mention(&mut self, reading: Reading) {
        self.inline.add(reading);
        self.add_to_line(reading);
    }

    /// A label inside a line that says of a score why it is not given.
    pub fn weigh(&mut self, reading: Reading) {
        if reading.is_ok() {
            self.weighed.add(reading);
        }
    }

    /// A score of the form n/top.
    pub fn fraction(&mut self, reading: Reading) {
        self.fractions.add(reading);
    }

    fn add_to_line(&mut self, reading: Reading) {
        // Several scores contradict any other one.
        if matches!(reading, Ok(_) | Err(Reason::Several)) {
            self.line.add(reading);
        }
    }

    /// The line ends.
    pub fn end_line(&mut self) {
        if let Some((reading, current @ true)) = &mut self.last {
            *current = false;
            if reading.is_ok() && self.line.result() == Some(Err(Reason::Several)) {
                *reading = Err(Reason::Several);
            }
        }
        self.line = Agreement::default();
    }

    /// What the first two ranks say.
    #[must_use]
    pub fn marked(&self) -> Option<Reading> {
        if let Some((reading, _)) = self.last {
            return Some(reading);
        }
        let mentioned = self.inline.result()?;
        let mut all = self.inline;
        all.merge(self.weighed);
        Some(mentioned.and(all.result()?))
    }

    /// What the fourth rank says.
    #[must_use]
    pub fn fractions(&self) -> Option<Reading> {
        self.fractions.result()
    }
}
