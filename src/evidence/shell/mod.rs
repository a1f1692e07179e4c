//! What a shell command line writes, and which tests it runs, as far as its text can tell.
//!
//! A scan can show that a file was written, but never that it was not: a shell expands words and runs
//! unknown programs. In doubt, a script [may write](Script::may_write). Nothing is run, and no file is
//! read. The time of a scan is proportional to the length of the command line.

mod certain;
mod lexer;
mod parser;
mod programs;
mod runners;
mod span;
mod state;
mod syntax;
#[cfg(test)]
mod tests;
mod undone;
mod walk;

/// Most bytes of a command line that is scanned. Of a longer one, it is only known that it [may
/// write](Script::may_write).
pub(crate) const COMMAND_AT_MOST: usize = 64 << 10;

/// Most changes of one command line that are kept. Any others are not listed, and the script [may
/// write](Script::may_write).
pub(crate) const CHANGES_AT_MOST: usize = 256;

/// What a command line does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// The changes of files that are named, in the order of the command line.
    pub changes: Vec<NamedChange>,
    /// Whether it may write files besides those of `changes`. False only if every program in it is
    /// known, and known not to.
    pub may_write: bool,
    /// The runs of known test runners.
    pub tests: Vec<TestRun>,
    /// Whether it commits to a repository.
    pub commits: bool,
    /// Where the shell is after it, if that runs more commands.
    pub end: ShellEnd,
}

/// Where a shell is after a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ShellEnd {
    /// In this folder, if the command line ended with status 0. The path is relative to the folder in
    /// which the command line started, and empty if the shell stays there.
    Folder(String),
    /// In an unknown folder.
    Elsewhere,
    /// Commands may no longer do what their names say.
    Changed,
}

impl Default for ShellEnd {
    fn default() -> Self {
        Self::Folder(String::new())
    }
}

/// One change of a file that a command line names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedChange {
    /// The path, relative to the folder in which the command line was started, or absolute. `cd` is
    /// taken into account; `.` and `..` are left as they are.
    pub path: String,
    /// What happens to the file.
    pub change: FileChange,
    /// What changes it: `a redirection`, `sed -i`, `git mv`.
    pub by: &'static str,
    /// Whether the change certainly happened if the whole command line ended with status 0.
    pub is_certain: bool,
    /// Whether it certainly happened if, besides, nothing was written to standard error.
    pub is_certain_if_silent: bool,
    /// The folder that must be the top of a repository for the change to be certain. None if any may be.
    pub top: Option<String>,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FileChange {
    /// It is written, or moved or copied to this path.
    Written,
    /// Its times are set. It is created if it does not exist.
    Touched,
    /// It is a folder, and is created.
    FolderMade,
    /// It is removed, or moved away from this path.
    Removed,
    /// The file, or the files in this folder, may get an earlier content back, or be removed.
    Undone,
    /// Files and folders in a folder, or below it, may be undone: those whose names fit the last part of
    /// the path, in which `*` stands for any text. Without a folder in the path, they may be anywhere.
    SomeUndone,
    /// Any file of the repository around this folder may be undone.
    RepositoryUndone,
}

impl FileChange {
    /// Whether what was written before may not be there any more.
    pub(crate) const fn undoes(self) -> bool {
        match self {
            Self::Removed | Self::Undone | Self::SomeUndone | Self::RepositoryUndone => true,
            Self::Written | Self::Touched | Self::FolderMade => false,
        }
    }
}

/// The run of a test runner.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct TestRun {
    /// The runner as the table of runners names it: `cargo test`.
    pub runner: String,
    /// Why the status of the command line tells nothing about the tests. None: status 0 means that they
    /// passed.
    pub mask: Option<Mask>,
    /// Whether a status other than 0 means that the tests failed, because nothing else in the command
    /// line can fail.
    pub failure_shows: bool,
    /// Whether it has arguments with which it may run no tests, so that only the runner's own summary in
    /// its output shows that it did.
    pub needs_summary: bool,
    /// Whether nothing else in the command line may print such a summary.
    pub is_alone: bool,
    /// Whether its output goes through a filter that may leave out a summary, such as `grep`.
    pub is_cut: bool,
}

/// What hides the status of a part of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Mask {
    /// Another command comes after it.
    Followed,
    /// Its output goes to another command, and `pipefail` is not set.
    Pipe,
    /// It is one side of `||`.
    Or,
    /// It runs in the background.
    Background,
    /// `!` inverts its status.
    Negated,
    /// It may not run at all, or several times: a branch, a loop, a function, a substitution.
    Conditional,
}

impl Mask {
    /// What hides the status, as the words after "because".
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::Followed => "another command comes after it",
            Self::Pipe => "its output goes through a pipe",
            Self::Or => "it is one side of ||",
            Self::Background => "it runs in the background",
            Self::Negated => "! turns its status around",
            Self::Conditional => "it runs only under a condition",
        }
    }
}

/// What a command line does.
pub(crate) fn scan(command: &str) -> Script {
    scan_with(command, &[])
}

/// What a command line does, with test runners besides the known ones. Each is given as the first words
/// of its command: `just check`.
pub(crate) fn scan_with(command: &str, test_runners: &[String]) -> Script {
    if command.len() > COMMAND_AT_MOST {
        return unparsed(command);
    }
    walk::walk(command, test_runners).unwrap_or_else(|_| unparsed(command))
}

fn unparsed(command: &str) -> Script {
    let undone = undone::has_name(command).then(undone::anywhere);
    Script {
        changes: undone.into_iter().collect(),
        may_write: true,
        end: ShellEnd::Changed,
        ..Script::default()
    }
}
