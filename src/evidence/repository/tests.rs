//! Tests with repositories that git itself creates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use super::{
    COMMITTED_SINCE, DIFFERS, DIVERGED, FILTERED, MISSING, NO_SUCH_COMMIT, NOT_THERE, NOT_TRACKED,
    RIGHTS, Repository, RepositoryGap, SHALLOW, UNREADABLE, UNSUPPORTED, UNTRACKED, program,
};

/// The time of the first commit, in seconds since 1970. Each following commit is an hour later.
const START: u64 = 1_767_225_600;

struct RepositoryPlace {
    folder: TempDir,
    commits: u64,
}

impl RepositoryPlace {
    fn new(options: &[&str]) -> Self {
        let place = Self { folder: TempDir::new().expect("a folder"), commits: 0 };
        place.git(&[&["init", "-q", "-b", "main"], options].concat());
        place
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn git(&self, arguments: &[&str]) {
        let date = format!("{} +0000", START + 3600 * self.commits);
        let output = Command::new("git")
            .args(arguments)
            .current_dir(self.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env_remove("GIT_DIR")
            .env("GIT_AUTHOR_NAME", "a")
            .env("GIT_AUTHOR_EMAIL", "a@example.org")
            .env("GIT_COMMITTER_NAME", "a")
            .env("GIT_COMMITTER_EMAIL", "a@example.org")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .output()
            .expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }

    fn commit(&mut self, files: &[(&str, &str)]) {
        for (path, content) in files {
            self.write(path, content);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
        self.commits += 1;
    }

    fn repository(&self) -> Repository {
        found(self.path()).expect("a repository")
    }

    fn compare(&self, base: &str, path: &str) -> Result<Option<&'static str>, RepositoryGap> {
        let repository = self.repository();
        let content = fs::read(self.path().join(path)).unwrap_or_default();
        repository.compare(&repository.resolve(base)?, Path::new(path), &content)
    }
}

fn found(folder: &Path) -> Result<Repository, RepositoryGap> {
    Repository::find(folder, Duration::from_mins(1))
}

/// A text that git stores as a delta from another version.
fn long(version: u64) -> String {
    let lines = (0..300).map(|line| format!("{line} {}\n", line * 7919 % 1013));
    lines.chain([format!("version {version}\n")]).collect()
}

/// Three commits: the second changes `b.md`, the third touches `c.md` and changes it back.
fn history() -> RepositoryPlace {
    let mut place = RepositoryPlace::new(&[]);
    place.commit(&[("a.md", "a"), ("docs/b.md", &long(1)), ("c.md", "c")]);
    place.git(&["tag", "-a", "-m", "x", "first"]);
    place.commit(&[("docs/b.md", &long(2)), ("c.md", "other")]);
    place.commit(&[("c.md", "c"), ("docs/d.md", "d")]);
    place.write("docs/new.md", "new");
    place
}

fn answers(place: &RepositoryPlace) {
    for (base, path, expected) in [
        ("first", "a.md", Ok(None)),
        ("HEAD", "docs/b.md", Ok(None)),
        ("first", "docs/b.md", Ok(Some(DIFFERS))),
        ("HEAD~1", "docs/b.md", Ok(None)),
        ("first", "c.md", Ok(Some(COMMITTED_SINCE))),
        ("HEAD", "c.md", Ok(None)),
        ("HEAD~2", "docs/d.md", Ok(Some(COMMITTED_SINCE))),
        ("main", "docs/new.md", Err(UNTRACKED)),
        ("HEAD^", "docs/../docs/b.md", Err(NOT_TRACKED)),
    ] {
        assert_eq!(place.compare(base, path), expected, "{base} {path}");
    }
    let repository = place.repository();
    let head = repository.head().expect("a commit");
    let short = &head[..9];
    assert_eq!(repository.resolve(short), Ok(head.clone()));
    assert_eq!(repository.resolve(&head), Ok(head.clone()));
    for name in
        ["none", "HEAD~9", "HEAD^2", "config", "../HEAD", "0000000", "", "~", "HEAD~x", "é~é"]
    {
        assert_eq!(repository.resolve(name), Err(NO_SUCH_COMMIT), "{name}");
    }
    let inner = found(&place.path().join("docs")).expect("a repository");
    let same = inner.compare(&head, Path::new("b.md"), long(2).as_bytes());
    assert_eq!(same, Ok(None));
}

#[test]
fn files_are_compared_with_commits_loose_and_packed() {
    let place = history();
    answers(&place);
    place.git(&["gc", "-q", "--aggressive", "--prune=now"]);
    assert!(place.path().join(".git/packed-refs").is_file(), "references are packed");
    answers(&place);
}

#[test]
fn names_of_objects_may_be_longer() {
    let mut place = RepositoryPlace::new(&["--object-format=sha256"]);
    place.commit(&[("a.md", "a")]);
    place.git(&["gc", "-q"]);
    assert_eq!(place.repository().head().expect("a commit").len(), 64);
    assert_eq!(place.compare("HEAD", "a.md"), Ok(None));
}

#[test]
fn work_trees_clones_and_other_branches() {
    let mut place = history();
    place.git(&["worktree", "add", "-q", "-b", "side", "tree", "HEAD~1"]);
    let tree = found(&place.path().join("tree")).expect("a repository");
    let side = tree.head().expect("a commit");
    assert_eq!(place.repository().resolve("HEAD~1"), Ok(side.clone()));
    assert_eq!(
        place.repository().other_folders(),
        [place.path().canonicalize().expect("a path").join("tree")]
    );
    assert!(tree.other_folders().is_empty());
    let same = tree.compare(&side, Path::new("c.md"), b"other");
    assert_eq!(same, Ok(None));
    assert_eq!(place.compare("HEAD", "tree/c.md"), Err(UNTRACKED));
    // A merge brings commits that the base does not have; the file of the base stays.
    place.git(&["checkout", "-q", "-b", "topic", "first^0"]);
    place.commit(&[("e.md", "e")]);
    assert_eq!(place.compare("main", "a.md"), Err(DIVERGED));
    place.git(&["merge", "-q", "-m", "x", "main"]);
    assert_eq!(place.compare("main", "a.md"), Ok(None));
    assert_eq!(place.compare("main", "e.md"), Ok(Some(COMMITTED_SINCE)));
    assert_eq!(place.compare("main", "c.md"), Ok(None));
    let clone = TempDir::new().expect("a folder");
    let source = format!("file://{}", place.path().display());
    let target = clone.path().display().to_string();
    place.git(&["clone", "-q", "--depth", "1", &source, &target]);
    let repository = found(clone.path()).expect("a repository");
    assert_eq!(repository.resolve("HEAD~1"), Err(SHALLOW));
}

#[test]
fn what_filters_may_change_is_not_compared() {
    let mut place = RepositoryPlace::new(&[]);
    let attributes = "*.bin filter=lfs -text\n/x/y.md ident\n# *.md filter=x\n";
    place.commit(&[
        (".gitattributes", attributes),
        ("a.bin", "a"),
        ("a.md", "a\nb\n"),
        ("x/y.md", ""),
    ]);
    assert_eq!(place.compare("HEAD", "a.bin"), Err(FILTERED));
    assert_eq!(place.compare("HEAD", "x/y.md"), Err(FILTERED));
    assert_eq!(place.compare("HEAD", "a.md"), Ok(None));
    place.write("a.md", "a\r\nb\r\n");
    assert_eq!(place.compare("HEAD", "a.md"), Err(FILTERED));
    place.write("a.md", "version https://git-lfs.github.com/spec/v1\n");
    assert_eq!(place.compare("HEAD", "a.md"), Err(FILTERED));
    place.write("nested/.git/HEAD", "");
    assert_eq!(place.compare("HEAD", "nested/a.md"), Err(UNTRACKED));
    assert_eq!(place.compare("HEAD", ".git/config"), Err(NOT_TRACKED));
    place.write(".git/config", "[core]\n worktree = /elsewhere\n");
    assert!(place.compare("HEAD", "a.md").is_err());
}

#[test]
fn a_damaged_repository_is_a_gap() {
    let mut place = RepositoryPlace::new(&[]);
    place.commit(&[("a.md", &long(1))]);
    place.commit(&[("a.md", &long(2))]);
    place.git(&["gc", "-q"]);
    let packs = fs::read_dir(place.path().join(".git/objects/pack")).expect("packs");
    let files: Vec<PathBuf> = packs.map(|file| file.expect("a file").path()).collect();
    for file in
        files.iter().filter(|file| file.extension().is_some_and(|it| it == "pack" || it == "idx"))
    {
        let whole = fs::read(file).expect("a pack");
        fs::remove_file(file).expect("it is ours");
        for at in (0..whole.len()).step_by(397) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xff;
            fs::write(file, &bytes).expect("a pack");
            // The damage may not matter for this file, so that the answer is still right.
            let answer = place.compare("HEAD", "a.md");
            assert!(matches!(answer, Ok(None) | Err(_)), "{answer:?}");
        }
        fs::write(file, whole).expect("a pack");
    }
    assert_eq!(place.compare("HEAD", "a.md"), Ok(None));
    let empty = TempDir::new().expect("a folder");
    let found = found(empty.path());
    assert_eq!(found.err(), Some(NOT_THERE));
}

#[cfg(unix)]
#[test]
fn a_file_of_which_only_the_rights_differ_is_unknown() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut place = RepositoryPlace::new(&[]);
    place.commit(&[("run.sh", "true")]);
    for (mode, expected) in [(0o664, Ok(None)), (0o755, Err(RIGHTS))] {
        let rights = fs::Permissions::from_mode(mode);
        fs::set_permissions(place.path().join("run.sh"), rights).expect("permissions");
        assert_eq!(place.compare("HEAD", "run.sh"), expected);
    }
}

#[test]
fn a_clone_that_uses_the_objects_of_others_is_read() {
    let mut place = RepositoryPlace::new(&[]);
    place.commit(&[("a.md", "a")]);
    // The objects of one are loose, those of the other are in a pack, and the last has none.
    place.git(&["clone", "-q", "--shared", ".", "second"]);
    place.git(&["clone", "-q", "--shared", "second", "third"]);
    let third = place.path().join("third");
    let compared = || {
        let repository = found(&third)?;
        repository.compare(&repository.head()?, Path::new("a.md"), b"a")
    };
    assert_eq!(compared(), Ok(None));
    place.git(&["repack", "-q", "-a", "-d"]);
    assert_eq!(compared(), Ok(None));
    let list = third.join(".git/objects/info/alternates");
    for (text, expected) in [
        ("# a comment\n\n../../../.git/objects\n", Ok(None)),
        ("../../../second/.git/objects\n.\n", Ok(None)),
        ("/nowhere\n", Err(UNREADABLE)),
    ] {
        fs::write(&list, text).expect("a list");
        assert_eq!(compared(), expected, "{text}");
    }
}

/// A repository that names a command wherever git may run one. Each leaves its mark.
#[cfg(unix)]
fn hostile() -> (RepositoryPlace, PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;
    let mut place = RepositoryPlace::new(&[]);
    place.commit(&[("a.md", "a"), ("filtered.bin", "b")]);
    place.commit(&[("a.md", "other"), (".gitattributes", "*.bin filter=mark diff=mark\n")]);
    let marks = place.path().join("marks");
    fs::create_dir(&marks).expect("a folder");
    let mark = |name: &str| {
        let script = place.path().join(format!(".git/{name}.sh"));
        let text = format!("#!/bin/sh\ntouch {}/{name}\ncat\n", marks.display());
        fs::write(&script, text).expect("a script");
        let rights = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&script, rights).expect("permissions");
        script.display().to_string()
    };
    for (name, key) in [
        ("fsmonitor", "core.fsmonitor"),
        ("clean", "filter.mark.clean"),
        ("smudge", "filter.mark.smudge"),
        ("process", "filter.mark.process"),
        ("textconv", "diff.mark.textconv"),
        ("external", "diff.external"),
        ("pager", "core.pager"),
        ("editor", "core.editor"),
        ("ssh", "core.sshCommand"),
        ("askpass", "core.askPass"),
        ("signature", "gpg.program"),
        ("credential", "credential.helper"),
    ] {
        place.git(&["config", key, &mark(name)]);
    }
    place.git(&["config", "log.showSignature", "true"]);
    for hook in ["post-index-change", "post-checkout", "reference-transaction"] {
        let script = mark(hook);
        fs::create_dir_all(place.path().join(".git/hooks")).expect("a folder");
        fs::copy(script, place.path().join(".git/hooks").join(hook)).expect("a hook");
    }
    let fetch = mark("fetch");
    let url = format!("ext::{fetch} %S");
    for (key, value) in [
        ("remote.origin.url", &*url),
        ("remote.origin.promisor", "true"),
        ("extensions.partialClone", "origin"),
        ("protocol.ext.allow", "always"),
        ("core.repositoryFormatVersion", "1"),
    ] {
        place.git(&["config", key, value]);
    }
    // An index of other times has git look at the contents of files.
    place.write("filtered.bin", "b");
    (place, marks)
}

#[cfg(unix)]
#[test]
fn no_question_runs_a_command_that_a_repository_names() {
    let (place, marks) = hostile();
    let marked = || -> Vec<_> {
        let marks = fs::read_dir(&marks).expect("a folder");
        marks.map(|it| it.expect("a mark").file_name()).collect()
    };
    place.git(&["status", "--short"]);
    assert!(!marked().is_empty(), "the commands leave marks");
    fs::remove_dir_all(&marks).expect("it is ours");
    fs::create_dir(&marks).expect("a folder");
    let ask = |what: &str| {
        let repository = place.repository();
        let head = repository.head().expect("a commit");
        let base = repository.resolve("HEAD~1").expect("a commit");
        let known = repository.compare(&head, Path::new("a.md"), b"other");
        assert!(known == Ok(None) || what != "whole", "{known:?}");
        let filtered = repository.compare(&head, Path::new("filtered.bin"), b"b");
        assert_eq!(filtered, Err(FILTERED));
        for path in ["a.md", "new.md"] {
            let _ = repository.compare(&base, Path::new(path), b"a");
        }
        let _ = repository.commit_with("0a1b2c3d4e");
        let _ = repository.commit_with(&head);
        assert_eq!(repository.is_ancestor(&base, &head), Ok(true));
        assert_eq!(repository.ignored(&["a.md"]), Some(vec![false]));
        let _ = repository.other_folders();
        assert_eq!(marked(), [""; 0], "{what}");
    };
    ask("whole");
    // Objects that are missing are not fetched.
    for blob in ["HEAD:a.md", "HEAD~1:a.md"] {
        let output =
            Command::new("git").args(["rev-parse", blob]).current_dir(place.path()).output();
        let id = String::from_utf8(output.expect("git runs").stdout).expect("an id");
        let (folder, name) = id.trim().split_at(2);
        fs::remove_file(place.path().join(format!(".git/objects/{folder}/{name}"))).expect("loose");
    }
    ask("partial");
    assert_eq!(place.compare("HEAD", "a.md"), Err(MISSING));
}

#[test]
fn a_repository_without_a_work_tree_and_one_that_is_broken_are_unknown() {
    let mut place = RepositoryPlace::new(&[]);
    place.commit(&[("a.md", "a")]);
    place.git(&["config", "core.bare", "true"]);
    assert_eq!(place.compare("HEAD", "a.md"), Err(UNSUPPORTED));
    place.write(".git/config", "[core\n");
    assert_eq!(place.compare("HEAD", "a.md"), Err(UNREADABLE));
}

#[test]
fn git_that_takes_too_long_is_stopped() {
    let mut place = RepositoryPlace::new(&[]);
    place.commit(&[("a.md", "a")]);
    let repository = Repository::find(place.path(), Duration::ZERO).expect("a repository");
    assert_eq!(repository.head(), Err(program::TOO_SLOW));
}
