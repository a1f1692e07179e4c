//! What a git repository can show about a file or a commit: whether it is as it was in an earlier commit,
//! and whether it is there at all.
//!
//! Git itself is asked, [started so that it only reads](program). Without git, if it takes too long, or
//! if it does not answer, the question stays open: that is a [`RepositoryGap`].

mod compare;
mod program;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use program::{Printed, Program};

/// Most bytes of an object that is read.
pub(crate) const OBJECT_AT_MOST: u64 = 16 << 20;

/// Fewest digits of a shortened id.
const DIGITS_AT_LEAST: usize = 7;

/// A repository, and a folder of its work tree.
#[derive(Debug)]
pub(crate) struct Repository {
    folder: PathBuf,
    program: Result<Program, RepositoryGap>,
    /// How long git may take for all questions until the next call of [`Self::renew`].
    limit: Duration,
    asked: Mutex<GitAnswers>,
    layout: OnceLock<Result<Layout, RepositoryGap>>,
}

/// What is kept until the next call of [`Repository::renew`].
#[derive(Debug)]
struct GitAnswers {
    end: Instant,
    /// The commit that is checked out. None if nobody has asked.
    head: Option<CommitId>,
}

/// What git says of the repository around a folder.
#[derive(Debug)]
struct Layout {
    /// The top of the work tree.
    top: PathBuf,
    /// The path from there to the folder.
    prefix: PathBuf,
    is_shallow: bool,
}

/// The id of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CommitId(String);

impl fmt::Display for CommitId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// How a file in the work tree differs from the one in an earlier commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Difference {
    /// It is the same, and no commit since then has changed it.
    Same,
    /// Its content differs.
    Differs,
    /// Its content is the same or unknown to the base, and a commit since then has changed it.
    CommittedSince,
    /// Neither the base nor a commit since then has it. It may be new, or it may have been there before
    /// without being tracked: git does not know.
    Untracked,
}

/// Why a question about a repository cannot be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub(crate) enum RepositoryGap {
    /// There is no repository around the folder.
    #[error("there is no git repository")]
    NoRepository,
    #[error("git is not installed")]
    NoProgram,
    #[error("git took too long")]
    TooSlow,
    /// It is bare, or its work tree is elsewhere.
    #[error("the git repository has a form that is not supported")]
    Unsupported,
    /// A file of the repository cannot be read or is damaged.
    #[error("the git repository cannot be read")]
    Unreadable,
    /// There is no such commit, or several have this name.
    #[error("there is no such commit")]
    NoSuchCommit,
    /// An object is missing, as in a partial clone.
    #[error("an object is missing in the git repository")]
    ObjectMissing,
    /// The history of a shallow clone ends too early for an answer.
    #[error("the clone is shallow")]
    Shallow,
    #[error("the file or the history is too large")]
    TooLarge,
    /// The current commit does not descend from the base.
    #[error("the current commit does not descend from the base")]
    Diverged,
    /// A filter, Git LFS or line ends make the file in the work tree differ from the one in commits.
    #[error("a filter, Git LFS or line ends change the file")]
    Filtered,
    /// The file belongs to another repository inside of this one.
    #[error("the file belongs to a submodule or another repository")]
    Submodule,
    /// The path has a symlink, or is not inside the work tree.
    #[error("the path is not one that git tracks")]
    Path,
}

impl GitAnswers {
    const fn until(end: Instant) -> Self {
        Self { end, head: None }
    }
}

impl Repository {
    /// Finds the repository around a folder. Git is not started before there is a question for it, and
    /// may take `limit` for all of them until [`Self::renew`] is called.
    pub(crate) fn find(folder: &Path, limit: Duration) -> Result<Self, RepositoryGap> {
        let folder = folder.canonicalize();
        let folder = folder.map_err(|_| RepositoryGap::NoRepository)?;
        let mut around = folder.ancestors();
        if !around.any(|it| it.join(".git").symlink_metadata().is_ok()) {
            return Err(RepositoryGap::NoRepository);
        }
        Ok(Self {
            folder,
            program: Program::find(),
            limit,
            asked: Mutex::new(GitAnswers::until(Instant::now() + limit)),
            layout: OnceLock::new(),
        })
    }

    /// Gives git its whole time again.
    pub(crate) fn renew(&self) {
        *self.asked() = GitAnswers::until(Instant::now() + self.limit);
    }

    fn asked(&self) -> MutexGuard<'_, GitAnswers> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The commit that is checked out.
    pub(crate) fn head(&self) -> Result<CommitId, RepositoryGap> {
        let known = self.asked().head.clone();
        let head = known.map_or_else(|| self.commit("HEAD"), Ok)?;
        self.asked().head = Some(head.clone());
        Ok(head)
    }

    /// The commit with a name: an id, a branch, a tag or `HEAD`. `^` and `~3` may follow it.
    pub(crate) fn resolve(&self, revision: &str) -> Result<CommitId, RepositoryGap> {
        let found = self.commit(revision);
        let is_cut = || revision.contains(['^', '~']) && self.is_shallow();
        found.map_err(|gap| match gap {
            RepositoryGap::NoSuchCommit if is_cut() => RepositoryGap::Shallow,
            gap => gap,
        })
    }

    /// The commit whose id begins with these digits, seven or more. None if it is certain that the
    /// repository has no such object.
    pub(crate) fn commit_with(&self, digits: &str) -> Result<Option<CommitId>, RepositoryGap> {
        let digits = digits.to_ascii_lowercase();
        if digits.len() < DIGITS_AT_LEAST {
            return Err(RepositoryGap::NoSuchCommit);
        }
        let found = self.git(&["rev-parse", &format!("--disambiguate={digits}")])?;
        match lines(&found.output)[..] {
            [id] => self.commit(id).map(Some),
            [] if found.status != Some(0) || found.has_errors => Err(RepositoryGap::Unreadable),
            [] if self.is_shallow() => Err(RepositoryGap::Shallow),
            [] if self.may_lack_objects()? => Err(RepositoryGap::ObjectMissing),
            [] if self.layout()?.top.join(".gitmodules").exists() => Err(RepositoryGap::Submodule),
            [] => Ok(None),
            _ => Err(RepositoryGap::NoSuchCommit),
        }
    }

    /// Whether `id` is `base` or one of its ancestors.
    pub(crate) fn is_ancestor(
        &self,
        id: &CommitId,
        base: &CommitId,
    ) -> Result<bool, RepositoryGap> {
        let asked = self.git(&["merge-base", "--is-ancestor", &id.0, &base.0])?;
        match asked.status {
            Some(0) => Ok(true),
            Some(1) if self.is_shallow() => Err(RepositoryGap::Shallow),
            Some(1) => Ok(false),
            _ => Err(RepositoryGap::Unreadable),
        }
    }

    /// The folder that the repository was found by, as a path in each of its other working trees. The
    /// paths come from the repository itself; the working trees are not looked at. Empty if the folder
    /// is itself in such a working tree.
    pub(crate) fn other_folders(&self) -> Vec<PathBuf> {
        let git = self.folder.ancestors().map(|it| it.join(".git"));
        let git = git.into_iter().find(|git| git.symlink_metadata().is_ok());
        // Git is asked only where there is another working tree.
        if !git.is_some_and(|git| git.join("worktrees").is_dir()) {
            return Vec::new();
        }
        let listed = self.git(&["worktree", "list", "--porcelain", "-z"]);
        let (Ok(layout), Ok(Printed { output, .. })) = (self.layout(), listed) else {
            return Vec::new();
        };
        let fields = output.split(|byte| *byte == 0);
        let trees = fields.filter_map(|field| path(field.strip_prefix(b"worktree ")?));
        let others = trees.filter(|tree| !layout.top.starts_with(tree));
        others.map(|tree| tree.join(&layout.prefix)).collect()
    }

    /// Whether the folder that the repository was found by is its top.
    pub(crate) fn is_at_top(&self) -> bool {
        let layout = self.layout();
        layout.is_ok_and(|layout| layout.prefix.as_os_str().is_empty())
    }

    /// Whether an ignore rule of the repository or the user may cover each of these paths. None if the rules
    /// are not known.
    pub(crate) fn ignored(&self, paths: &[String]) -> Option<Vec<bool>> {
        if program::has_settings_elsewhere() {
            return None;
        }
        let paths: Vec<_> = paths.iter().map(|path| format!("./{path}")).collect();
        let mut arguments = vec!["check-ignore", "--no-index", "-v", "-n", "--"];
        arguments.extend(paths.iter().map(String::as_str));
        let found = self.git(&arguments).ok()?;
        // A line for each path, with the rule that covers it.
        let found = found.output.split_inclusive(|byte| *byte == b'\n');
        let ignored: Vec<_> = found.map(|line| !line.starts_with(b"::\t")).collect();
        (ignored.len() == paths.len()).then_some(ignored)
    }

    /// The commit that a name leads to: the commit itself, or that of a tag.
    fn commit(&self, name: &str) -> Result<CommitId, RepositoryGap> {
        let commit = format!("{name}^{{commit}}");
        let found = self.git(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ])?;
        match (found.status, &lines(&found.output)[..]) {
            (Some(0), [id]) => Ok(CommitId((*id).to_owned())),
            (Some(1), _) if !found.has_errors => Err(RepositoryGap::NoSuchCommit),
            _ => Err(RepositoryGap::Unreadable),
        }
    }

    fn layout(&self) -> Result<&Layout, RepositoryGap> {
        self.layout
            .get_or_init(|| self.ask_layout())
            .as_ref()
            .map_err(|gap| *gap)
    }

    fn ask_layout(&self) -> Result<Layout, RepositoryGap> {
        const QUESTIONS: [&str; 4] = [
            "rev-parse",
            "--is-inside-work-tree",
            "--is-shallow-repository",
            "--show-prefix",
        ];
        let answers = self.git(&QUESTIONS)?;
        if answers.status != Some(0) {
            return Err(RepositoryGap::Unreadable);
        }
        let mut answers = answers.output.splitn(3, |byte| *byte == b'\n');
        let mut next = || answers.next().unwrap_or_default();
        if next() != b"true" {
            return Err(RepositoryGap::Unsupported);
        }
        let is_shallow = next() != b"false";
        let prefix = next();
        let prefix = path(prefix.strip_suffix(b"\n").unwrap_or(prefix));
        let prefix = prefix.ok_or(RepositoryGap::Unsupported)?;
        let below = prefix.components().count();
        let top = self
            .folder
            .ancestors()
            .nth(below)
            .filter(|_| self.folder.ends_with(&prefix));
        Ok(Layout {
            top: top.ok_or(RepositoryGap::Unsupported)?.to_owned(),
            prefix,
            is_shallow,
        })
    }

    /// True in doubt.
    fn is_shallow(&self) -> bool {
        self.layout().map_or(true, |layout| layout.is_shallow)
    }

    /// Whether the clone is partial, so that it need not have every object.
    fn may_lack_objects(&self) -> Result<bool, RepositoryGap> {
        const NAMES: &str = r"^(extensions\.partialclone|remote\..*\.promisor)$";
        let found = self.git(&["config", "--get-regexp", NAMES])?;
        Ok(found.status != Some(1))
    }

    /// Asks git in the folder of the repository.
    fn git(&self, arguments: &[&str]) -> Result<Printed, RepositoryGap> {
        self.git_in(&self.folder, arguments)
    }

    fn git_in(&self, folder: &Path, arguments: &[&str]) -> Result<Printed, RepositoryGap> {
        let program = self.program.as_ref().map_err(|gap| *gap)?;
        let end = self.asked().end;
        program.run(folder, arguments, end)
    }
}

fn lines(output: &[u8]) -> Vec<&str> {
    let text = std::str::from_utf8(output).unwrap_or_default();
    text.lines().collect()
}

/// A path that git prints.
#[cfg(unix)]
#[allow(
    clippy::unnecessary_wraps,
    reason = "other systems have paths of Unicode alone"
)]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}
