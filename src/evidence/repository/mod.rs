//! What a git repository can show about a file or a commit: whether it is as it was in an earlier commit,
//! and whether it is there at all.
//!
//! Git itself is asked, [started so that it only reads](program). Without git, if it takes too long, or
//! if it does not answer, the question stays open: that is a [`RepositoryGap`].

mod program;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use program::Printed;

pub(crate) const OBJECT_AT_MOST: u64 = 16 << 20;

/// Fewest digits of a shortened id.
const DIGITS_AT_LEAST: usize = 7;

/// The beginning of the file that Git LFS commits in place of a large one.
const LFS: &[u8] = b"version https://git-lfs.github.com/";

/// Why a question about a repository cannot be answered, in words.
pub(crate) type RepositoryGap = &'static str;

pub(crate) const NOT_THERE: RepositoryGap = "there is no git repository";
pub(crate) const NO_SUCH_COMMIT: RepositoryGap = "there is no such commit";
const UNREADABLE: RepositoryGap = "the git repository cannot be read";
const UNSUPPORTED: RepositoryGap = "the git repository has a form that is not supported";
const MISSING: RepositoryGap = "an object is missing in the git repository";
const SHALLOW: RepositoryGap = "the clone is shallow";
const DIVERGED: RepositoryGap = "the current commit does not descend from the base";
const FILTERED: RepositoryGap = "a filter, Git LFS or line ends change the file";
const SUBMODULE: RepositoryGap = "the file belongs to a submodule or another repository";
const NOT_TRACKED: RepositoryGap = "the path is not one that git tracks";
pub(super) const UNTRACKED: RepositoryGap =
    "it is not tracked, so that it may have been there before";
const RIGHTS: RepositoryGap = "the file may have been made executable, or not executable any more";
const DIFFERS: &str = "it differs from the base commit";
const COMMITTED_SINCE: &str = "a commit since the base has changed it";

/// A repository, and a folder of its work tree.
#[derive(Debug)]
pub(crate) struct Repository {
    folder: PathBuf,
    program: Result<PathBuf, RepositoryGap>,
    /// How long git may take for all questions until the next call of [`Self::renew`].
    limit: Duration,
    /// When that time ends, and the commit that is checked out, if somebody has asked since.
    asked: Mutex<(Instant, Option<CommitId>)>,
    layout: OnceLock<Result<Layout, RepositoryGap>>,
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

pub(crate) type CommitId = String;

/// The mode and the id of what a commit has at a path.
type Entry = (String, String);

impl Repository {
    /// Finds the repository around a folder. Git is not started before there is a question for it, and
    /// may take `limit` for all of them until [`Self::renew`] is called.
    pub(crate) fn find(folder: &Path, limit: Duration) -> Result<Self, RepositoryGap> {
        let folder = folder.canonicalize().map_err(|_| NOT_THERE)?;
        let mut around = folder.ancestors();
        if !around.any(|it| it.join(".git").symlink_metadata().is_ok()) {
            return Err(NOT_THERE);
        }
        Ok(Self {
            folder,
            program: program::find(),
            limit,
            asked: Mutex::new((Instant::now() + limit, None)),
            layout: OnceLock::new(),
        })
    }

    /// Gives git its whole time again.
    pub(crate) fn renew(&self) {
        *self.asked() = (Instant::now() + self.limit, None);
    }

    fn asked(&self) -> MutexGuard<'_, (Instant, Option<CommitId>)> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks git in the folder. The words of the question are separated by spaces, and `more` follow.
    fn git(&self, question: &str, more: &[&str]) -> Result<Printed, RepositoryGap> {
        let end = self.asked().0;
        let words: Vec<&str> = question.split(' ').chain(more.iter().copied()).collect();
        let program = self.program.as_ref().map_err(|gap| *gap)?;
        program::run(program, &self.folder, &words, end)
    }

    /// What git prints, if it succeeds.
    fn answer(&self, question: &str, more: &[&str]) -> Result<Vec<u8>, RepositoryGap> {
        let printed = self.git(question, more)?;
        let is_known = printed.status == Some(0);
        is_known.then_some(printed.output).ok_or(UNREADABLE)
    }

    pub(crate) fn head(&self) -> Result<CommitId, RepositoryGap> {
        let known = self.asked().1.clone();
        let head = known.map_or_else(|| self.commit("HEAD"), Ok)?;
        self.asked().1 = Some(head.clone());
        Ok(head)
    }

    /// The commit with a name: an id, a branch, a tag or `HEAD`. `^` and `~3` may follow it.
    pub(crate) fn resolve(&self, revision: &str) -> Result<CommitId, RepositoryGap> {
        match self.commit(revision) {
            Err(NO_SUCH_COMMIT) if revision.contains(['^', '~']) && self.is_shallow() => {
                Err(SHALLOW)
            }
            found => found,
        }
    }

    /// The commit that a name leads to: the commit itself, or that of a tag.
    fn commit(&self, name: &str) -> Result<CommitId, RepositoryGap> {
        let commit = format!("{name}^{{commit}}");
        let found = self.git("rev-parse --verify --quiet --end-of-options", &[&commit])?;
        match (found.status, &lines(&found.output)[..]) {
            (Some(0), [id]) => Ok((*id).to_owned()),
            (Some(1), _) if !found.has_errors => Err(NO_SUCH_COMMIT),
            _ => Err(UNREADABLE),
        }
    }

    /// The commit whose id begins with these digits. None if it is certain that the repository has no such object.
    pub(crate) fn commit_with(&self, digits: &str) -> Result<Option<CommitId>, RepositoryGap> {
        const PARTIAL: &str = r"^(extensions\.partialclone|remote\..*\.promisor)$";
        if digits.len() < DIGITS_AT_LEAST {
            return Err(NO_SUCH_COMMIT);
        }
        let digits = format!("--disambiguate={}", digits.to_ascii_lowercase());
        let found = self.git("rev-parse", &[&digits])?;
        match lines(&found.output)[..] {
            [id] => return self.commit(id).map(Some),
            [] if found.status == Some(0) && !found.has_errors => {}
            [] => return Err(UNREADABLE),
            _ => return Err(NO_SUCH_COMMIT),
        }
        if self.is_shallow() {
            Err(SHALLOW)
        } else if self.git("config --get-regexp", &[PARTIAL])?.status != Some(1) {
            Err(MISSING)
        } else if self.layout()?.top.join(".gitmodules").exists() {
            Err(SUBMODULE)
        } else {
            Ok(None)
        }
    }

    /// Whether `id` is `base` or one of its ancestors.
    pub(crate) fn is_ancestor(&self, id: &str, base: &str) -> Result<bool, RepositoryGap> {
        match self.git("merge-base --is-ancestor", &[id, base])?.status {
            Some(0) => Ok(true),
            Some(1) if self.is_shallow() => Err(SHALLOW),
            Some(1) => Ok(false),
            _ => Err(UNREADABLE),
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
        let listed = self.answer("worktree list --porcelain -z", &[]);
        let (Ok(layout), Ok(output)) = (self.layout(), listed) else {
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

    /// Whether an ignore rule may cover each of these paths. None if the rules are not known.
    pub(crate) fn ignored(&self, paths: &[&str]) -> Option<Vec<bool>> {
        if paths.is_empty() {
            return Some(Vec::new());
        }
        if program::has_settings_elsewhere() {
            return None;
        }
        let paths: Vec<_> = paths.iter().map(|path| format!("./{path}")).collect();
        let named: Vec<&str> = paths.iter().map(String::as_str).collect();
        let found = self.git("check-ignore --no-index -v -n --", &named).ok()?;
        // A line for each path, with the rule that covers it.
        let found = found.output.split_inclusive(|byte| *byte == b'\n');
        let ignored: Vec<_> = found.map(|line| !line.starts_with(b"::\t")).collect();
        (ignored.len() == paths.len()).then_some(ignored)
    }

    fn layout(&self) -> Result<&Layout, RepositoryGap> {
        let layout = self.layout.get_or_init(|| {
            const LAYOUT: &str =
                "rev-parse --is-inside-work-tree --is-shallow-repository --show-prefix";
            let answers = self.answer(LAYOUT, &[])?;
            let mut answers = answers.splitn(3, |byte| *byte == b'\n');
            let mut next = || answers.next().unwrap_or_default();
            let (is_inside, is_shallow) = (next() == b"true", next() != b"false");
            let prefix = path(next().trim_ascii_end()).filter(|_| is_inside);
            let prefix = prefix.filter(|it| self.folder.ends_with(it));
            let prefix = prefix.ok_or(UNSUPPORTED)?;
            let top = self.folder.ancestors().nth(prefix.components().count());
            let top = top.ok_or(UNSUPPORTED)?.to_owned();
            Ok(Layout { top, prefix, is_shallow })
        });
        layout.as_ref().map_err(|gap| *gap)
    }

    /// True in doubt.
    fn is_shallow(&self) -> bool {
        self.layout().map_or(true, |layout| layout.is_shallow)
    }

    /// How a file differs from the one in a commit. None if it is the same, and no commit since then has changed it.
    /// `path` is relative to the folder, and goes through no symlink.
    pub(crate) fn compare(
        &self,
        base: &str,
        path: &Path,
        content: &[u8],
    ) -> Result<Option<&'static str>, RepositoryGap> {
        let layout = self.layout()?;
        let (below, path) = (tracked(path)?, tracked(&layout.prefix.join(path))?);
        if self.is_filtered(&below)? {
            return Err(FILTERED);
        }
        let entry = self.entry(base, &path)?;
        let is_same = match &entry {
            None => false,
            Some((mode, id)) => match &**mode {
                "100644" | "100755" | "100664" => is_same(&self.blob(id)?, content)?,
                "120000" => false,
                "160000" => return Err(SUBMODULE),
                _ => return Err(NOT_TRACKED),
            },
        };
        if entry.is_some() && !is_same {
            return Ok(Some(DIFFERS));
        }
        if self.is_changed_since(base, &path)? {
            return Ok(Some(COMMITTED_SINCE));
        }
        let may_run = may_run(&layout.top.join(path));
        match entry {
            None => Err(UNTRACKED),
            Some((mode, _)) if may_run.is_some_and(|it| it != (mode == "100755")) => Err(RIGHTS),
            Some(_) => Ok(None),
        }
    }

    /// How many of these files below the folder the commit that is checked out has not as they are, but for files
    /// that an ignore rule covers, or that a filter or their line ends may change.
    pub(crate) fn uncommitted(&self, paths: &[&str]) -> Result<usize, RepositoryGap> {
        let (head, layout) = (self.head()?, self.layout()?);
        let is_own = |path: &&&str| {
            let place = self.folder.join(path);
            let folders = place.ancestors().skip(1);
            let mut folders = folders.take_while(|it| **it != layout.top);
            let file = place.symlink_metadata();
            let is_file = file.is_ok_and(|it| it.is_file() && it.len() <= OBJECT_AT_MOST);
            // A folder that is a link may lead anywhere.
            let is_here = is_file && place.canonicalize().is_ok_and(|it| it == place);
            is_here && folders.all(|it| it.join(".git").symlink_metadata().is_err())
        };
        let own: Vec<&str> = paths.iter().filter(is_own).copied().collect();
        if own.is_empty() {
            return Ok(0);
        }
        let tracked = own.iter().map(|path| tracked(&layout.prefix.join(path)));
        let tracked = tracked.collect::<Result<Vec<_>, _>>()?;
        let known = self.entries(&head, &tracked)?;
        let hashed = self.answer("hash-object --no-filters --", &own)?;
        let hashed = lines(&hashed);
        if hashed.len() != own.len() {
            return Err(UNREADABLE);
        }
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        for ((path, tracked), hash) in own.into_iter().zip(&tracked).zip(hashed) {
            match known.get(tracked) {
                None => new.push(path),
                Some((_, id)) if id != hash => changed.push(path),
                Some(_) => {}
            }
        }
        let is_plain = |path: &&str| {
            let content = std::fs::read(self.folder.join(path));
            content.is_ok_and(|it| !it.contains(&b'\r')) && !self.is_filtered(path).unwrap_or(true)
        };
        let new = self.ignored(&new).ok_or(UNREADABLE)?.into_iter();
        let new = new.filter(|is_ignored| !is_ignored).count();
        Ok(new + changed.iter().filter(|path| is_plain(path)).count())
    }

    /// Whether the file in the work tree may differ from the one in commits because of its attributes.
    fn is_filtered(&self, path: &str) -> Result<bool, RepositoryGap> {
        let attributes = "check-attr -z filter ident working-tree-encoding --";
        let attributes = self.answer(attributes, &[path])?;
        // The path, the attribute and its value, for each of them.
        let mut values = attributes.split(|byte| *byte == 0).skip(2).step_by(3);
        Ok(values.any(|it| !matches!(it, b"unspecified" | b"unset")))
    }

    /// What a commit has of a file. `path` is that of [`Self::compare`]. None if it has no such file.
    pub(crate) fn content(
        &self,
        commit: &str,
        path: &Path,
    ) -> Result<Option<Vec<u8>>, RepositoryGap> {
        let path = tracked(&self.layout()?.prefix.join(path))?;
        match self.entry(commit, &path)? {
            Some((mode, id)) if mode.starts_with("100") => self.blob(&id).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether a commit has something at a path, which is that of [`Self::compare`].
    pub(crate) fn has_path(&self, commit: &str, path: &Path) -> Result<bool, RepositoryGap> {
        let path = tracked(&self.layout()?.prefix.join(path))?;
        Ok(self.entry(commit, &path)?.is_some())
    }

    /// The mode and the id of what a commit has at a path from the top. None if it has nothing there.
    fn entry(&self, commit: &str, path: &str) -> Result<Option<Entry>, RepositoryGap> {
        Ok(self.entries(commit, &[path.to_owned()])?.remove(path))
    }

    /// The same of several paths.
    fn entries(
        &self,
        commit: &str,
        paths: &[String],
    ) -> Result<HashMap<String, Entry>, RepositoryGap> {
        let paths = paths.iter().map(String::as_str);
        let named: Vec<&str> = [commit, "--"].into_iter().chain(paths).collect();
        let listed = self.answer("ls-tree --full-tree -z", &named)?;
        let listed = String::from_utf8(listed).map_err(|_| UNREADABLE)?;
        let entries = listed.split_terminator('\0').map(|entry| {
            let (entry, path) = entry.split_once('\t')?;
            let (mode, rest) = entry.split_once(' ')?;
            let (_kind, id) = rest.split_once(' ')?;
            Some((path.to_owned(), (mode.to_owned(), id.to_owned())))
        });
        entries.collect::<Option<_>>().ok_or(UNREADABLE)
    }

    fn blob(&self, id: &str) -> Result<Vec<u8>, RepositoryGap> {
        let blob = self.answer("cat-file blob", &[id]);
        blob.map_err(|gap| if gap == UNREADABLE { MISSING } else { gap })
    }

    /// Whether a commit since the base changes a path. A merge changes it only if it differs from all its parents.
    fn is_changed_since(&self, base: &str, path: &str) -> Result<bool, RepositoryGap> {
        let head = self.head()?;
        if head == base {
            return Ok(false);
        }
        if !self.is_ancestor(base, &head)? {
            return Err(DIVERGED);
        }
        let range = format!("{base}..{head}");
        let path = format!(":(top,literal){path}");
        // The first search leaves no branch out, the second finds what merges themselves change.
        for search in ["rev-list -1 --full-history --no-merges", "rev-list -1"] {
            if !self.answer(search, &[&range, "--", &path])?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether the owner of a file may execute it, all that git records. None where the system has no such right.
fn may_run(file: &Path) -> Option<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some(file.symlink_metadata().ok()?.mode() & 0o100 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        None
    }
}

/// Whether the contents are equal. An error if they may be equal for git: because of line ends or Git LFS.
fn is_same(base: &[u8], content: &[u8]) -> Result<bool, RepositoryGap> {
    let lines = |text: &[u8]| {
        let mut bytes = text.to_vec();
        bytes.retain(|byte| *byte != b'\r');
        bytes
    };
    if base == content {
        Ok(true)
    } else if base.starts_with(LFS) != content.starts_with(LFS) || lines(base) == lines(content) {
        Err(FILTERED)
    } else {
        Ok(false)
    }
}

/// A path as git writes it. An error if it is empty or leads out of its folder, or into that of git.
fn tracked(path: &Path) -> Result<String, RepositoryGap> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let names = parts.map(|part| match part {
        Component::Normal(name) => name.to_str().filter(|it| !it.eq_ignore_ascii_case(".git")),
        _ => None,
    });
    let names = names.collect::<Option<Vec<_>>>();
    let names = names.filter(|names| !names.is_empty());
    names.map(|names| names.join("/")).ok_or(NOT_TRACKED)
}

fn lines(output: &[u8]) -> Vec<&str> {
    let text = std::str::from_utf8(output).unwrap_or_default();
    text.lines().collect()
}

/// A path that git prints.
#[allow(clippy::unnecessary_wraps, reason = "systems other than Unix have paths of Unicode alone")]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        Some(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
    }
    #[cfg(not(unix))]
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}
