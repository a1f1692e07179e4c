//! The parts and the structure of a command line.

/// The command line cannot be read: it is unbalanced, nested too deeply, or has syntax that is not known here.
#[derive(Debug)]
pub(super) struct UnreadShell;

/// A command line, with all that is below it.
#[derive(Debug, Default)]
pub(super) struct CommandLine {
    pub(super) sequence: Sequence,
    /// The command lines in substitutions.
    pub(super) substitutions: Vec<Sequence>,
    pub(super) documents: Vec<HereDocument>,
    /// Whether commands may run that are not in `substitutions`: in a here-document.
    pub(super) is_opaque: bool,
}

#[derive(Debug, Default)]
pub(super) struct HereDocument {
    /// Whether it certainly has text.
    pub(super) is_filled: bool,
    /// Whether it has commands.
    pub(super) is_opaque: bool,
    /// The text. None if it has expansions.
    pub(super) text: Option<String>,
}

impl HereDocument {
    /// `is_literal`: whether the delimiter turns expansions off.
    pub(super) fn of(text: &str, is_literal: bool) -> Self {
        if is_literal || !text.contains(['$', '`', '\\']) {
            return Self {
                is_filled: !text.is_empty(),
                is_opaque: false,
                text: Some(text.to_owned()),
            };
        }
        // It has a newline that is not part of an expansion.
        let first = text.split('\n').next().unwrap_or_default();
        let is_plain = text.contains('\n') && !first.contains(['$', '`', '\\']);
        let last = text.strip_suffix('\n');
        let is_ended = last.is_some_and(|text| !text.ends_with('\\'));
        Self {
            is_filled: is_plain || is_ended && !text.contains(['(', '{', '[', '`']),
            is_opaque: text.contains("$(") || text.contains('`'),
            text: None,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Sequence(pub(super) Vec<Chain>);

/// Pipelines that are joined by `&&` and `||`.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) links: Vec<Link>,
    pub(super) is_background: bool,
}

#[derive(Debug)]
pub(super) struct Link {
    /// Whether it comes after `||`, so that it runs if what is before it failed. False for the first
    /// link.
    pub(super) is_alternative: bool,
    pub(super) is_negated: bool,
    pub(super) commands: Vec<ShellCommand>,
}

#[derive(Debug)]
pub(super) struct ShellCommand {
    pub(super) kind: CommandKind,
    pub(super) redirections: Vec<Redirection>,
}

#[derive(Debug)]
pub(super) enum CommandKind {
    /// Names of variables that are set, a program and its arguments.
    Simple {
        variables: Vec<String>,
        words: Vec<ShellWord>,
    },
    /// `{ ...; }`
    Group(Sequence),
    /// `(...)`
    Subshell(Sequence),
    /// Branches, or the condition and the body of a loop.
    Branches(Vec<Sequence>),
}

/// What a command reads from or writes to, besides its arguments.
#[derive(Debug)]
pub(super) struct Redirection {
    /// The file descriptor, if one is given. `u8::MAX` stands for all larger ones.
    pub(super) descriptor: Option<u8>,
    pub(super) stream: RedirectedTo,
}

#[derive(Debug)]
pub(super) enum RedirectedTo {
    /// Nothing that could write: a file that is read, or a copy of a descriptor.
    Harmless,
    /// A file is written, from its beginning.
    Output(ShellWord),
    /// A file is written, after its old content.
    Append(ShellWord),
    /// A word is read (`<<<`).
    Text,
    /// A here-document is read: its index in [`CommandLine::documents`].
    HereDocument(usize),
}

impl Redirection {
    /// Whether it sends output or errors elsewhere.
    pub(super) fn moves_output(&self) -> bool {
        match self.stream {
            RedirectedTo::Output(_) | RedirectedTo::Append(_) => true,
            RedirectedTo::Harmless => !matches!(self.descriptor, None | Some(0)),
            RedirectedTo::Text | RedirectedTo::HereDocument(_) => false,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct ShellWord {
    /// Its literal parts. Expansions are left out.
    pub(super) text: String,
    /// Whether a part of it is a variable, a substitution or a home folder.
    pub(super) expands: bool,
    /// Whether a part of it is a pattern for file names, or braces.
    pub(super) globs: bool,
    /// Whether a part of it is quoted, so that it is not a reserved word.
    pub(super) is_quoted: bool,
    /// How many bytes of `text` are before the first expansion, if there is one.
    pub(super) literal_bytes: Option<usize>,
}

impl ShellWord {
    /// The word, if the shell takes it literally.
    pub(super) fn literal(&self) -> Option<&str> {
        (!self.expands && !self.globs).then_some(&self.text)
    }

    /// Its text before the first expansion.
    pub(super) fn beginning(&self) -> &str {
        &self.text[..self.literal_bytes.unwrap_or(self.text.len())]
    }

    pub(super) fn is(&self, word: &str) -> bool {
        !self.is_quoted && self.literal() == Some(word)
    }

    /// Whether the shell may expand it to an option, or to another option.
    pub(super) fn is_open(&self) -> bool {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._".contains(byte);
        self.expands || self.globs && !self.text.as_bytes().first().is_some_and(is_plain)
    }

    /// The name of the variable that it sets, if it is an assignment.
    pub(super) fn variable(&self) -> Option<&str> {
        let (name, _) = self.beginning().split_once('=')?;
        let name = name.strip_suffix('+').unwrap_or(name);
        is_name(name).then_some(name)
    }
}

pub(super) fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty()
        && !name.starts_with(|it: char| it.is_ascii_digit())
        && name.bytes().all(is_letter)
}

/// Whether a word is in a list, in which spaces are between the words.
pub(super) fn is_listed(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}
