//! An isolated folder for each test: a copy of the fixtures.
#![allow(dead_code, reason = "each test uses its part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use walkdir::WalkDir;

/// The folder with the fixtures of the rules. It has the same name in a `World`.
const RULES: &str = "rules";

/// The rule whose fixtures most tests use.
const PHANTOM_WORK: &str = "rules/artifact-not-found";

/// The folders of fixtures that most tests use. Others are copied when a test first names them: there are
/// thousands of files.
const COMMON: [&str; 4] = ["project", "profiles", "config", "streams"];

/// Folders of fixtures that tests read where they are.
const OWN_READERS: [&str; 4] = ["transcripts", "accuracy", "hooks", "captured"];

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// A copy of the fixtures for one test.
pub(crate) struct World {
    folder: TempDir,
    /// Where hooks remember, so that no test knows of earlier ones.
    runtime: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self {
            folder: tempfile::tempdir().expect("a folder"),
            runtime: tempfile::tempdir().expect("a folder"),
        };
        for name in COMMON {
            world.provide(name);
        }
        world.provide(PHANTOM_WORK);
        fs::create_dir(world.path("project/locked")).expect("a folder");
        fs::write(world.path("project/locked/plan.md"), "# Plan\n").expect("a file");
        world.rights("project/locked/plan.md", 0o000);
        world.rights("", 0o755);
        world
    }

    /// A copy that includes another folder of fixtures, such as `rules` or `standards`.
    pub(crate) fn with(folder: &str) -> Self {
        let world = Self::new();
        world.provide(folder);
        world
    }

    /// Copies the folder of fixtures that a path leads into when a test first names it; of the rules, only
    /// the fixtures of the one that it names.
    pub(crate) fn provide(&self, path: &str) {
        let mut names = path.split('/').filter(|name| !name.is_empty());
        let Some(top) = names.next() else { return };
        if top.starts_with(['-', '.']) || OWN_READERS.contains(&top) {
            return;
        }
        let folders = match names.next() {
            Some(rule) if top == RULES => vec![format!("{top}/{rule}")],
            None if top == RULES => {
                let rules = fs::read_dir(fixtures().join(RULES)).expect("rules");
                let names = rules.flatten().map(|rule| rule.file_name());
                let names = names.map(|name| name.into_string().expect("a plain name"));
                names.map(|name| format!("{top}/{name}")).collect()
            }
            _ => vec![top.to_owned()],
        };
        for folder in folders {
            let (source, target) = (fixtures().join(&folder), self.folder.path().join(&folder));
            if source.is_dir() && !target.exists() {
                fs::create_dir_all(&target).expect("a folder");
                copy_tree(&source, &target);
            }
        }
    }

    /// The same for every word of a command line.
    pub(crate) fn provide_all(&self, options: &str) {
        for option in options.split_whitespace() {
            self.provide(option);
        }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.provide(below);
        // The canonical path, as the binary prints it.
        self.folder.path().canonicalize().expect("it is there").join(below)
    }

    /// Commits an older and the current version of the project's documents. The tag `before-the-run`
    /// names the second commit.
    pub(crate) fn commit_project(&self) {
        let project = self.path("project");
        if project.join(".git").exists() {
            return;
        }
        let git = |arguments: &[&str]| {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]);
            git.args(arguments).current_dir(&project);
            // The ids of the commits are always the same.
            for date in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
                git.env(date, "2026-01-27T09:00:00Z");
            }
            let output = git.env("GIT_CONFIG_GLOBAL", "/dev/null").output();
            assert!(output.expect("git runs").status.success(), "{arguments:?}");
        };
        let document = project.join("docs/tides.md");
        let now = fs::read(&document).expect("a document");
        fs::write(&document, "# An older one\n").expect("a document");
        git(&["init", "-q"]);
        git(&["add", "docs"]);
        git(&["commit", "-q", "-m", "Old"]);
        fs::write(&document, now).expect("a document");
        git(&["commit", "-q", "-a", "-m", "New"]);
        git(&["tag", "before-the-run"]);
    }

    /// Runs git in a folder.
    pub(crate) fn git(&self, folder: &str, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(arguments);
        git.current_dir(self.path(folder)).env("GIT_CONFIG_GLOBAL", "/dev/null");
        let output = git.output().expect("git runs");
        assert!(output.status.success(), "{arguments:?}");
    }

    pub(crate) fn write(&self, below: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, bytes).expect("a file");
        path
    }

    pub(crate) fn rights(&self, below: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(self.path(below), fs::Permissions::from_mode(mode)).expect("rights");
    }

    /// The `XDG_RUNTIME_DIR` of commands.
    pub(crate) fn runtime(&self) -> &Path {
        self.runtime.path()
    }
}

fn copy_tree(from: &Path, to: &Path) {
    for entry in WalkDir::new(from).min_depth(1) {
        let entry = entry.expect("the fixtures can be read");
        let target = to.join(entry.path().strip_prefix(from).expect("it is below"));
        if entry.file_type().is_dir() {
            fs::create_dir(target).expect("a folder");
        } else if entry.file_type().is_symlink() {
            let link = fs::read_link(entry.path()).expect("a link");
            std::os::unix::fs::symlink(link, target).expect("a link");
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}
