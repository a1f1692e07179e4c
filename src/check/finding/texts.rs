//! The texts of a finding.

use std::ops::Range;

/// The texts of a finding, one after the other in one buffer: most returns with findings have few, and
/// a buffer for each text would cost more than the text.
#[derive(Debug, Clone, Default)]
pub(crate) struct FindingTexts {
    /// The parts, in order, and then the pointer.
    all: String,
    ends: [usize; PARTS],
    /// Texts that few findings have.
    extra: Option<Box<ExtraTexts>>,
}

/// A text of a finding; it may be empty.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextPart {
    Head,
    /// What stands in the line `Error: …`.
    Error,
    Recommendation,
    /// The hint after the recommendation, with what separates the two.
    Suggestion,
    /// The message and the advice to the agent itself; empty if they were not asked for.
    MessageToAgent,
    AdviceToAgent,
}

const PARTS: usize = TextPart::AdviceToAgent as usize + 1;

#[derive(Debug, Clone, Default)]
pub(crate) struct ExtraTexts {
    pub(crate) notes: Vec<String>,
    pub(crate) detail: Option<String>,
    pub(crate) fingerprint: u128,
    lacks_pointer: bool,
}

impl FindingTexts {
    pub(crate) fn in_memory(all: String) -> Self {
        Self {
            all,
            ..Self::default()
        }
    }

    /// The buffers that the texts are in, those of the notes apart.
    pub(crate) fn into_memory(self) -> (String, Vec<String>) {
        let notes = self.extra.map_or_else(Vec::new, |extra| extra.notes);
        (self.all, notes)
    }

    /// Appends a part. They are appended in order; one that is left out is empty.
    pub(crate) fn push(&mut self, part: TextPart, write: impl FnOnce(&mut String)) {
        write(&mut self.all);
        self.ends[part as usize..].fill(self.all.len());
    }

    /// Appends the pointer, after all parts. An earlier one is replaced.
    pub(crate) fn set_pointer(&mut self, write: impl FnOnce(&mut String)) {
        self.all.truncate(self.ends[PARTS - 1]);
        write(&mut self.all);
        if let Some(extra) = &mut self.extra {
            extra.lacks_pointer = false;
        }
    }

    pub(crate) fn remove_pointer(&mut self) {
        self.all.truncate(self.ends[PARTS - 1]);
        self.extra_mut().lacks_pointer = true;
    }

    pub(crate) fn extra_mut(&mut self) -> &mut ExtraTexts {
        self.extra.get_or_insert_default()
    }

    pub(super) fn extra(&self) -> Option<&ExtraTexts> {
        self.extra.as_deref()
    }

    pub(super) fn get(&self, part: TextPart) -> &str {
        self.between(part, part)
    }

    /// The text from the first part to the last one, both included.
    pub(super) fn between(&self, first: TextPart, last: TextPart) -> &str {
        let start = (first as usize)
            .checked_sub(1)
            .map_or(0, |at| self.ends[at]);
        self.slice(start..self.ends[last as usize])
    }

    pub(super) fn pointer(&self) -> Option<&str> {
        let start = self.ends[PARTS - 1];
        let lacks_pointer = self.extra().is_some_and(|extra| extra.lacks_pointer);
        (!lacks_pointer).then(|| self.slice(start..self.all.len()))
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.all.get(range).unwrap_or_default()
    }
}
