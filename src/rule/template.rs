//! Messages and recommendations with placeholders such as `{path}`.

use crate::text::append::push_str;

/// A part of a message that differs between findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    /// The agent that the finding is addressed to.
    Agent,
    /// An error code.
    Code,
    /// A number of items.
    Count,
    /// An emoji.
    Emoji,
    /// The expected value.
    Expected,
    /// `field`, or the term for fields in the same object.
    Field,
    /// The actual value.
    Found,
    /// A key.
    Key,
    /// A type of artifact, error or JSON value.
    Kind,
    /// The minimum.
    Least,
    /// The actual length of a text.
    Length,
    /// The length limit of a text.
    Limit,
    /// The maximum.
    Most,
    /// The name of a field or an agent.
    Name,
    /// A path.
    Path,
    /// A path relative to the root.
    Relative,
    /// A status.
    Status,
    /// A timestamp.
    Timestamp,
    /// The valid types.
    Types,
    /// The subject of the message.
    What,
    /// The reason.
    Why,
}

impl Placeholder {
    const NAMES: [(&'static str, Self); 21] = [
        ("agent", Self::Agent),
        ("code", Self::Code),
        ("count", Self::Count),
        ("emoji", Self::Emoji),
        ("expected", Self::Expected),
        ("field", Self::Field),
        ("found", Self::Found),
        ("key", Self::Key),
        ("kind", Self::Kind),
        ("least", Self::Least),
        ("length", Self::Length),
        ("limit", Self::Limit),
        ("most", Self::Most),
        ("name", Self::Name),
        ("path", Self::Path),
        ("relative", Self::Relative),
        ("status", Self::Status),
        ("timestamp", Self::Timestamp),
        ("types", Self::Types),
        ("what", Self::What),
        ("why", Self::Why),
    ];

    /// Its name in templates.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// Its bit in a set of placeholders.
    pub(crate) const fn bit(self) -> u32 {
        1 << self as u32
    }

    const fn named(name: &str) -> Self {
        let mut index = 0;
        while index < Self::NAMES.len() {
            if is_same(Self::NAMES[index].0, name) {
                return Self::NAMES[index].1;
            }
            index += 1;
        }
        panic!("a template names a placeholder that does not exist");
    }
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// A text with placeholders, such as `Artifact is empty: {path}`. They are resolved at compile
/// time, and an unknown one is a compile error.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    text: &'static str,
    slots: [Slot; SLOTS_AT_MOST],
    count: usize,
    error: Option<&'static Template>,
}

/// The most placeholders in a template. Exceeding it is a compile error.
const SLOTS_AT_MOST: usize = 3;

/// A placeholder and its span in the text, braces included. It has offsets instead of string
/// slices, because pointers in static data must be relocated each time that the program starts.
#[derive(Debug, Clone, Copy)]
struct Slot {
    placeholder: Placeholder,
    start: usize,
    end: usize,
}

/// The agent that a message addresses.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Addressee<'a> {
    /// An agent whose name is known; the name is safe to print.
    Named(&'a str),
    Unknown,
}

impl Template {
    pub(crate) const fn new(text: &'static str) -> Self {
        let none = Slot {
            placeholder: Placeholder::Agent,
            start: 0,
            end: 0,
        };
        let mut template = Self {
            text,
            slots: [none; SLOTS_AT_MOST],
            count: 0,
            error: None,
        };
        let mut start = index_of(text, b'{', 0);
        while start < text.len() {
            let end = index_of(text, b'}', start);
            let (name, _) = text.split_at(end);
            let (_, name) = name.split_at(start + 1);
            template.slots[template.count] = Slot {
                placeholder: Placeholder::named(name),
                start,
                end: end + 1,
            };
            template.count += 1;
            start = index_of(text, b'{', end);
        }
        template
    }

    /// The same message with a second one. If the return fails, it follows in a line `Error: …`.
    pub(crate) const fn with_error(mut self, error: &'static Self) -> Self {
        self.error = Some(error);
        self
    }

    /// Its placeholders and those of its second message, one bit each; see [`bit`](Placeholder::bit).
    pub(crate) const fn placeholders(&self) -> u32 {
        let mut placeholders = match self.error {
            Some(error) => error.placeholders(),
            None => 0,
        };
        let mut index = 0;
        while index < self.count {
            placeholders |= self.slots[index].placeholder.bit();
            index += 1;
        }
        placeholders
    }

    /// The text with its placeholders.
    pub(crate) fn text(&self) -> &'static str {
        self.text
    }

    /// The message for the line `Error: …`. None if there is no such line.
    pub(crate) fn error(&self) -> Option<&'static Self> {
        self.error
    }

    /// Appends the text with the agent's name, and what `write` appends for each other placeholder.
    pub(crate) fn fill(
        &self,
        filled: &mut String,
        addressee: Addressee<'_>,
        mut write: impl FnMut(&mut String, Placeholder),
    ) {
        let mut at = 0;
        for slot in &self.slots[..self.count] {
            push_str(filled, &self.text[at..slot.start]);
            at = slot.end;
            match (slot.placeholder, addressee) {
                (Placeholder::Agent, Addressee::Named(name)) => push_str(filled, name),
                (Placeholder::Agent, Addressee::Unknown) => {
                    push_str(filled, "the subagent");
                    // Avoids "the subagent subagent".
                    let rest = &self.text[at..];
                    at = self.text.len() - rest.strip_prefix(" subagent").unwrap_or(rest).len();
                }
                (placeholder, _) => write(filled, placeholder),
            }
        }
        push_str(filled, &self.text[at..]);
    }

    /// The text addressed to no particular agent, with the placeholders in capitals.
    pub(crate) fn in_capitals(&self) -> String {
        let mut filled = String::new();
        self.fill(&mut filled, Addressee::Unknown, |text, placeholder| {
            text.push_str(&placeholder.as_str().to_ascii_uppercase());
        });
        filled
    }
}

/// The index of the first `wanted` byte at or after `index`, or the length of the text.
const fn index_of(text: &str, wanted: u8, mut index: usize) -> usize {
    let bytes = text.as_bytes();
    while index < bytes.len() && bytes[index] != wanted {
        index += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: Template, addressee: Addressee<'_>) -> String {
        let mut filled = String::new();
        template.fill(&mut filled, addressee, |text, placeholder| {
            text.push_str(placeholder.as_str());
        });
        filled
    }

    #[test]
    fn placeholders_are_found_by_their_names() {
        for (name, known) in Placeholder::NAMES {
            let found = Placeholder::named(name);
            assert_eq!((known.as_str(), found), (name, known));
        }
    }

    #[test]
    fn values_are_filled_in_wherever_they_stand() {
        const BOTH: Template = Template::new("{path} and {why}, {path}");
        assert_eq!(fill(BOTH, Addressee::Unknown), "path and why, path");
        assert_eq!(fill(Template::new(""), Addressee::Unknown), "");
        assert_eq!(BOTH.in_capitals(), "PATH and WHY, PATH");
    }

    #[test]
    fn an_agent_without_a_name_is_called_the_subagent() {
        const FIX: Template = Template::new("Fix {agent} subagent: {agent}");
        assert_eq!(fill(FIX, Addressee::Named("a")), "Fix a subagent: a");
        let unknown = "Fix the subagent: the subagent";
        assert_eq!(fill(FIX, Addressee::Unknown), unknown);
    }

    #[test]
    #[should_panic(expected = "does not exist")]
    fn a_template_with_an_unknown_placeholder_is_refused() {
        let _ = Template::new("{nobody}");
    }
}
