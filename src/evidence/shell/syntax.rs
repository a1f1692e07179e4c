//! The parts and the structure of a command line.

/// The command line cannot be parsed: it is unbalanced, nested too deeply, or has unknown syntax.
#[derive(Debug)]
pub(super) struct Unparsed;

#[derive(Debug, Clone, Default)]
pub(super) struct ShellWord {
    /// Its literal parts. Expansions are left out.
    pub(super) text: String,
    /// Whether a part of it is a variable, a substitution or a home folder.
    pub(super) expands: bool,
    /// How many bytes of `text` are before the first expansion, if there is one.
    pub(super) literal_bytes: Option<usize>,
    /// Whether a part of it is a pattern for file names, or braces.
    pub(super) globs: bool,
    /// Whether a part of it is quoted, so that it is not a reserved word.
    pub(super) is_quoted: bool,
}

impl ShellWord {
    /// The word, if the shell takes it literally.
    pub(super) fn literal(&self) -> Option<&str> {
        (!self.expands && !self.globs).then_some(&self.text)
    }

    /// Whether at least this many bytes at its beginning are literal.
    pub(super) fn begins_with(&self, bytes: usize) -> bool {
        let literal = self.literal_bytes.unwrap_or(self.text.len());
        !self.globs && literal >= bytes
    }

    pub(super) fn is(&self, reserved: &str) -> bool {
        !self.is_quoted && self.literal() == Some(reserved)
    }

    /// Whether the shell may expand it to an option, or to another option.
    pub(super) fn is_open(&self) -> bool {
        let first = self.text.as_bytes().first();
        self.expands || self.globs && !first.is_some_and(|byte| is_plain(*byte))
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_')
}

/// Whether a word is in a list, in which spaces are between the words.
pub(super) fn is_listed(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// The name of the variable that a word sets, if it is an assignment.
pub(super) fn variable(word: &ShellWord) -> Option<&str> {
    let (name, _) = word.text.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    is_name(name).then_some(name)
}

pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// What a command reads from or writes to, besides its arguments.
#[derive(Debug)]
pub(super) struct Redirection {
    /// The file descriptor, if one is given. `u8::MAX` stands for all larger ones.
    pub(super) descriptor: Option<u8>,
    pub(super) stream: RedirectedTo,
}

impl Redirection {
    /// Whether it sends output or errors elsewhere.
    pub(super) fn moves_output(&self) -> bool {
        match self.stream {
            RedirectedTo::Output(_) | RedirectedTo::Append(_) => true,
            RedirectedTo::Harmless => !matches!(self.descriptor, None | Some(0)),
            RedirectedTo::Text { .. } => false,
        }
    }
}

#[derive(Debug)]
pub(super) enum RedirectedTo {
    /// Nothing that could write: a file that is read, or a copy of a descriptor.
    Harmless,
    /// A file is written, from its beginning.
    Output(ShellWord),
    /// A file is written, after its old content.
    Append(ShellWord),
    /// A text in the command line is read: a here-document or a here-string.
    Text {
        /// None if it has expansions.
        text: Option<String>,
        is_filled: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// A newline or `;`.
    End,
    Background,
    And,
    Or,
    Pipe,
    Open,
    Close,
}

#[derive(Debug)]
pub(super) enum Lexeme {
    Word(ShellWord),
    Redirection(Redirection),
    Operator(Operator),
    /// `((...))`
    Arithmetic,
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

impl ShellCommand {
    /// Whether redirections may stay after it: those of `exec`.
    pub(super) fn may_leave_redirections(&self) -> bool {
        let is_exec = |word: &ShellWord| word.literal() == Some("exec");
        match &self.kind {
            CommandKind::Simple { words, .. } => words.iter().any(is_exec),
            _ => true,
        }
    }
}

#[derive(Debug)]
pub(super) enum CommandKind {
    /// Assignments, a program and its arguments.
    Simple {
        variables: Vec<String>,
        words: Vec<ShellWord>,
    },
    /// `{ ...; }`
    Group(Sequence),
    /// `(...)`
    Subshell(Sequence),
    /// Branches, or the body of a loop.
    Branches(Vec<Sequence>),
    Function(Box<ShellCommand>),
    Test,
    Arithmetic,
}
