//! The structure of a command line.

use super::word::{Redirection, ShellWord};

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
