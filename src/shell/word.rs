//! What a command line consists of.

/// The command line is not understood: it is unbalanced, too deep, or of a grammar that is not known
/// here.
#[derive(Debug)]
pub(super) struct Unclear;

/// A word, without its quotes.
#[derive(Debug, Clone, Default)]
pub(super) struct ShellWord {
    /// Its literal parts. An expansion is left out.
    pub(super) text: String,
    /// Some of it is a variable, a substitution or a home folder.
    pub(super) expands: bool,
    /// Bytes of `text` before the first expansion, if there is one.
    pub(super) literal_bytes: Option<usize>,
    /// Some of it is a pattern for file names, or braces.
    pub(super) globs: bool,
    /// Some of it is quoted, so that it is no reserved word.
    pub(super) is_quoted: bool,
}

impl ShellWord {
    /// The word, if the shell takes it as it stands.
    pub(super) fn literal(&self) -> Option<&str> {
        (!self.expands && !self.globs).then_some(&self.text)
    }

    /// Whether so many bytes at its beginning stand there as they are.
    pub(super) fn begins_with(&self, bytes: usize) -> bool {
        let literal = self.literal_bytes.unwrap_or(self.text.len());
        !self.globs && literal >= bytes
    }

    /// Whether it is this reserved word.
    pub(super) fn is(&self, reserved: &str) -> bool {
        !self.is_quoted && self.literal() == Some(reserved)
    }

    /// Whether a program may read it as another option than it seems to be.
    pub(super) fn is_open(&self) -> bool {
        let first = self.text.as_bytes().first();
        self.expands || self.globs && !first.is_some_and(|byte| is_plain(*byte))
    }

    /// Whether the shell takes it as one word that is no option, whatever it expands to.
    pub(super) fn is_one(&self) -> bool {
        self.is_quoted && !self.globs && self.text.bytes().next().is_some_and(is_plain)
    }
}

/// A byte with which neither an option nor a pattern begins.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_')
}

/// The variable that a word sets.
pub(super) fn variable(word: &ShellWord) -> Option<&str> {
    let (name, _) = word.text.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    is_name(name).then_some(name)
}

/// Whether a variable can have this name.
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
    /// The number of the descriptor, if there is one. The last one stands for all that are larger.
    pub(super) descriptor: Option<u8>,
    pub(super) stream: RedirectedTo,
}

#[derive(Debug)]
pub(super) enum RedirectedTo {
    /// Nothing that could write: a file that is read, or a copy of a descriptor.
    Harmless,
    /// A file is written, from its beginning.
    Output(ShellWord),
    /// A file is written, after what is in it.
    Append(ShellWord),
    /// A text is read that stands in the command line.
    Text {
        /// None if it has expansions.
        text: Option<String>,
        is_filled: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// A line feed or `;`.
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
