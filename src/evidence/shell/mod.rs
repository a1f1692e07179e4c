//! What a shell command line writes, and which tests it runs, as far as its text can tell.
//!
//! It is certain where a redirection or `tee` writes, and that programs that only read write nothing. A
//! shell expands words and runs unknown programs: in doubt, a script [may write](Script::may_write). Nothing
//! is run, and no file is read.

mod certain;
mod programs;
mod reader;
mod runners;
mod state;
mod syntax;
#[cfg(test)]
mod tests;
mod walk;

use memchr::memmem;

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
    /// Whether it may run programs that are not known, so that these may be tests.
    pub may_run: bool,
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
    /// What certainly changes it: `a redirection` or `tee`. Empty for others.
    pub by: &'static str,
    pub certainty: Certainty,
}

/// Whether something happened if the whole command line ended with status 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Certainty {
    /// Nobody knows.
    Open,
    /// If it did not happen, the shell wrote so to standard error.
    IfSilent,
    Certain,
}

impl Certainty {
    fn only_if(self, is_so: bool) -> Self {
        if is_so { self } else { Self::Open }
    }
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FileChange {
    Written,
    /// The file, or the files in this folder, may be removed, moved away, or get an earlier content back.
    Removed,
    /// Files and folders in a folder, or below it, may be removed so: those whose names fit the last part of
    /// the path, in which `*` stands for any text. Without a folder in the path, they may be anywhere.
    SomeUndone,
    /// Any file of the repository around this folder may be.
    RepositoryUndone,
}

impl FileChange {
    /// Whether what was written before may not be there any more.
    const fn undoes(self) -> bool {
        !matches!(self, Self::Written)
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
    let script = (command.len() <= COMMAND_AT_MOST).then(|| walk::walk(command, test_runners));
    script
        .and_then(Result::ok)
        .unwrap_or_else(|| unread(command))
}

/// Names of the commands that most often undo work.
const NAMES: [&str; 18] = [
    "rm ", "mv ", "rm\t", "mv\t", "rmdir", "unlink", "shred", "-delete", "xargs", "checkout",
    "restore", "stash", "reset", "clean", "switch", "revert", "abort", " -R",
];

/// What is known of a command line that cannot be read.
fn unread(command: &str) -> Script {
    let mut names = NAMES.iter();
    let may_undo = names.any(|name| memmem::find(command.as_bytes(), name.as_bytes()).is_some());
    Script {
        changes: may_undo.then(anywhere).into_iter().collect(),
        may_write: true,
        may_run: true,
        end: ShellEnd::Changed,
        ..Script::default()
    }
}

/// That files may be undone that nobody knows.
fn anywhere() -> NamedChange {
    NamedChange {
        path: programs::ANY.to_owned(),
        change: FileChange::SomeUndone,
        by: "",
        certainty: Certainty::Open,
    }
}
