//! Messages and recommendations with `{words}` that are filled in.

/// Something that a message names, and that differs from one finding to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// The agent to blame.
    Agent,
    /// An error's code.
    Code,
    /// How many there are.
    Count,
    /// An emoji.
    Emoji,
    /// The type that a value should have.
    Expected,
    /// What a field is called where it stands.
    Field,
    /// What is there.
    Found,
    /// A key.
    Key,
    /// A sort of artifact, of error or of JSON value.
    Kind,
    /// The last agent of a chain.
    Last,
    /// The least that is allowed.
    Least,
    /// How long a text is.
    Length,
    /// How long a text may be.
    Limit,
    /// The most that is allowed.
    Most,
    /// The name of a field or an agent.
    Name,
    /// The agent's own name.
    Own,
    /// A path.
    Path,
    /// A path relative to the root.
    Relative,
    /// A status.
    Status,
    /// A text as it stands there.
    Text,
    /// The sorts that are allowed.
    Types,
    /// What it is about.
    What,
    /// The reason.
    Why,
}

impl Word {
    const NAMES: [(&'static str, Self); 23] = [
        ("agent", Self::Agent),
        ("code", Self::Code),
        ("count", Self::Count),
        ("emoji", Self::Emoji),
        ("expected", Self::Expected),
        ("field", Self::Field),
        ("found", Self::Found),
        ("key", Self::Key),
        ("kind", Self::Kind),
        ("last", Self::Last),
        ("least", Self::Least),
        ("length", Self::Length),
        ("limit", Self::Limit),
        ("most", Self::Most),
        ("name", Self::Name),
        ("own", Self::Own),
        ("path", Self::Path),
        ("relative", Self::Relative),
        ("status", Self::Status),
        ("text", Self::Text),
        ("types", Self::Types),
        ("what", Self::What),
        ("why", Self::Why),
    ];

    /// Its name in templates.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    const fn named(name: &str) -> Self {
        let mut index = 0;
        while index < Self::NAMES.len() {
            if is_same(Self::NAMES[index].0, name) {
                return Self::NAMES[index].1;
            }
            index += 1;
        }
        panic!("a template names a word that does not exist");
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

/// A text with words to fill in, as `Artifact is empty: {path}`. It is taken apart when the program
/// is compiled, which fails if a word does not exist.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    text: &'static str,
    parts: [Part; PARTS_AT_MOST],
}

/// Parts of the longest template, counted when the program is compiled.
const PARTS_AT_MOST: usize = 8;

#[derive(Debug, Clone, Copy)]
enum Part {
    Text(&'static str),
    Word(Word),
}

/// Whom a message addresses.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Addressee<'a> {
    /// An agent whose name is known; the name is safe to print.
    Named(&'a str),
    Unknown,
}

impl Template {
    pub(crate) const fn new(text: &'static str) -> Self {
        let mut parts = [Part::Text(""); PARTS_AT_MOST];
        let (mut count, mut rest) = (0, text);
        while !rest.is_empty() {
            (parts[count], rest) = next_part(rest);
            count += 1;
        }
        Self { text, parts }
    }

    /// The text with the agent's name, and with what `write` appends for each other word.
    pub(crate) fn fill(
        &self,
        addressee: Addressee<'_>,
        mut write: impl FnMut(&mut String, Word),
    ) -> String {
        let mut filled = String::with_capacity(self.text.len() + 32);
        let mut is_after_unknown = false;
        for part in &self.parts {
            match (part, addressee) {
                // "the subagent", and not "the subagent subagent".
                (Part::Text(text), _) if is_after_unknown => {
                    filled.push_str(text.strip_prefix(" subagent").unwrap_or(text));
                }
                (Part::Text(text), _) => filled.push_str(text),
                (Part::Word(Word::Agent), Addressee::Named(name)) => filled.push_str(name),
                (Part::Word(Word::Agent), Addressee::Unknown) => filled.push_str("the subagent"),
                (Part::Word(word), _) => write(&mut filled, *word),
            }
            is_after_unknown = matches!(
                (part, addressee),
                (Part::Word(Word::Agent), Addressee::Unknown)
            );
        }
        filled
    }

    /// The text for no agent in particular, with its other words in capitals.
    pub(crate) fn in_capitals(&self) -> String {
        self.fill(Addressee::Unknown, |text, word| {
            text.push_str(&word.name().to_ascii_uppercase());
        })
    }
}

/// The text up to the next word, or the word that it begins with, and what is left.
const fn next_part(text: &'static str) -> (Part, &'static str) {
    let bytes = text.as_bytes();
    if bytes[0] == b'{' {
        let (word, rest) = text.split_at(index_of(bytes, b'}'));
        let (_, name) = word.split_at(1);
        let (_, rest) = rest.split_at(1);
        (Part::Word(Word::named(name)), rest)
    } else {
        let (text, rest) = text.split_at(index_of(bytes, b'{'));
        (Part::Text(text), rest)
    }
}

/// Where a byte stands first; the end if it stands nowhere.
const fn index_of(bytes: &[u8], wanted: u8) -> usize {
    let mut index = 0;
    while index < bytes.len() && bytes[index] != wanted {
        index += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: Template, addressee: Addressee<'_>) -> String {
        template.fill(addressee, |text, word| text.push_str(word.name()))
    }

    #[test]
    fn words_have_the_names_of_their_table() {
        for (name, word) in Word::NAMES {
            assert_eq!((word.name(), Word::named(name)), (name, word));
        }
    }

    #[test]
    fn words_are_filled_in_wherever_they_stand() {
        const BOTH: Template = Template::new("{path} and {why}, {path}");
        assert_eq!(fill(BOTH, Addressee::Unknown), "path and why, path");
        assert_eq!(fill(Template::new(""), Addressee::Unknown), "");
        assert_eq!(BOTH.in_capitals(), "PATH and WHY, PATH");
    }

    #[test]
    fn an_agent_without_a_name_is_the_subagent() {
        const FIX: Template = Template::new("Fix {agent} subagent: {agent}");
        assert_eq!(fill(FIX, Addressee::Named("a")), "Fix a subagent: a");
        let unknown = "Fix the subagent: the subagent";
        assert_eq!(fill(FIX, Addressee::Unknown), unknown);
    }

    #[test]
    #[should_panic(expected = "does not exist")]
    fn a_word_that_does_not_exist_is_refused() {
        let _ = Template::new("{nobody}");
    }
}
