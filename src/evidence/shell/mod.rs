//! What a shell command line writes, and which tests it runs, as far as its text can tell.
//!
//! A redirection writes where it says, and programs that only read write nothing. A shell expands words and runs
//! unknown programs: in doubt, a script [may write](Script::may_write), and what it writes is not known. Nothing is
//! run, and no file is read.

mod programs;
mod reader;
mod runners;
#[cfg(test)]
mod tests;

use programs::ScriptWalker;

/// Most bytes of a command line that is read. Of a longer one nothing is known.
pub(crate) const COMMAND_AT_MOST: usize = 64 << 10;

/// Most changes of one command line that are kept. With more, any file may be undone.
pub(crate) const CHANGES_AT_MOST: usize = 256;

/// What a command line does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// The changes of files that are named, in the order in which they may happen.
    pub changes: Vec<NamedChange>,
    /// Whether it may write files besides those of `changes`. False only if every program in it is known not to.
    pub may_write: bool,
    /// The runs of known test runners.
    pub tests: Vec<TestRun>,
    /// Whether it may run programs that are not known, so that these may be tests.
    pub may_run: bool,
    /// The commands of git that each made a commit if the command line ended with status 0.
    pub commits: usize,
    /// Where the shell is after it, if that runs more commands.
    pub end: ShellEnd,
}

/// Where a shell is after a command line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShellEnd {
    /// In the folder in which the command line started.
    #[default]
    Same,
    /// Maybe in another folder.
    Elsewhere,
    /// Commands may no longer do what their names say.
    Changed,
}

/// One change of a file that a command line names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedChange {
    /// Absolute, or relative to the folder in which the command line was started. `.` and `..` are left.
    pub path: String,
    pub change: FileChange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FileChange {
    /// A redirection writes it.
    Written(WriteCertainty),
    /// It, or what is in this folder, may be removed, moved away, or get an earlier content back.
    Undone,
}

/// When a command line that ended with status 0 certainly wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum WriteCertainty {
    Certain,
    /// If the shell wrote no error: another command came after it, and has another status.
    IfSilent,
    Open,
}

/// The folder that every file is in.
const ANYWHERE: &str = "/";

impl NamedChange {
    /// That any file may be undone.
    fn anywhere() -> Self {
        let (path, change) = (ANYWHERE.to_owned(), FileChange::Undone);
        Self { path, change }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TestRun {
    /// The runner as the list of runners names it: `cargo test`.
    pub runner: String,
    /// Why the status of the command line tells nothing about the tests. None: status 0 means that they passed.
    pub mask: Option<Mask>,
    /// Whether it may run no tests with its arguments, so that only the runner's own summary shows that it did.
    pub needs_summary: bool,
    /// Whether nothing else in the command line may print such a summary.
    pub is_alone: bool,
    /// Whether its output goes through a filter that may leave out a summary, such as `grep`.
    pub is_cut: bool,
}

/// What hides the status of a part of a command line. The later one hides more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mask {
    /// Another command comes after it.
    Followed,
    /// It is part of a pipe, of `||` or of a group of commands.
    Joined,
    /// It may not run at all, run several times or in the background, or `!` inverts its status.
    Open,
}

impl Mask {
    /// What hides the status, as the words after "because".
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::Followed => "another command comes after it",
            Self::Joined => "it is in a pipe, in a group or beside ||",
            Self::Open => "it runs under a condition or in the background",
        }
    }
}

/// What a command line does. `test_runners` are those besides the known ones, by the first words: `just check`.
pub(crate) fn scan(command: &str, test_runners: &[String]) -> Script {
    let is_short = command.len() <= COMMAND_AT_MOST;
    if let Some((commands, end)) = is_short.then(|| reader::read(command)).flatten() {
        let mut walker = ScriptWalker::default();
        for command in &commands {
            walker.command(command, test_runners);
        }
        return walker.finish(end);
    }
    let undone = programs::may_undo(command).then(NamedChange::anywhere);
    Script {
        changes: undone.into_iter().collect(),
        may_write: true,
        may_run: true,
        end: ShellEnd::Changed,
        ..Script::default()
    }
}

/// Programs that show nothing, or only the content of files that they name.
const SHOW_NAMED: &str = "cat tac nl head tail wc ls stat file echo printf pwd cd true false : sleep date \
    whoami id uname hostname which type basename dirname realpath readlink du df mkdir touch rm test exit";

/// The files and folders whose content a command line may show: absolute, or relative to the folder in which it was
/// started. None if it may show others.
pub(crate) fn operands(command: &str) -> Option<Vec<String>> {
    // The reader does not keep where input comes from.
    let is_read = command.len() <= COMMAND_AT_MOST && !command.contains('<');
    let (commands, _) = is_read.then(|| reader::read(command)).flatten()?;
    let mut paths = Vec::new();
    for command in &commands {
        let mut words = command.words.iter().map(reader::ShellWord::literal);
        let program = words.next().flatten().map(programs::bare);
        if !command.variables.is_empty() || !is_listed(program?, SHOW_NAMED) {
            return None;
        }
        for word in words {
            let word = word.filter(|it| !it.starts_with("--") && !it.contains(".."))?;
            if program != Some("cd") {
                paths.push(reader::below(command.folder.as_deref(), word)?);
            }
        }
    }
    Some(paths)
}

/// Whether a word is in a list, in which spaces are between the words.
fn is_listed(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// Whether a variable decides how the shell reads commands, and what they do. The last ones are those of zsh.
fn decides(name: &str) -> bool {
    const NAMES: &str = "PATH CDPATH PWD IFS ENV SHELLOPTS BASHOPTS EXECIGNORE FUNCNEST \
        POSIXLY_CORRECT path cdpath fpath options commands aliases functions";
    const PREFIXES: &[&str] = &["LD_", "DYLD_", "GIT_", "BASH_"];
    is_listed(name, NAMES) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
