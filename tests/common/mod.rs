//! An isolated folder for each test: a copy of the fixtures, and the binary to run in it.
#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod terminal;
pub(crate) mod xml;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use walkdir::WalkDir;

/// The session id of the fixtures.
pub(crate) const SESSION: &str = "sess_1767225600_k3m9qa";

/// The folder with the fixtures of the rules. It has the same name in a `World`.
const RULES: &str = "rules";

/// The rule whose fixtures most tests use.
const PHANTOM_WORK: &str = "rules/artifact-not-found";

/// Folders of fixtures that are not copied as a whole. Tests read them where they are, and the fixtures
/// of a rule are copied on demand.
const OWN_READERS: [&str; 5] = [RULES, "transcripts", "accuracy", "hooks", "captured"];

/// The user and group id of `nobody` on Linux.
const NOBODY: u32 = 65534;

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
        for entry in fs::read_dir(fixtures()).expect("the fixtures").flatten() {
            let name = entry.file_name();
            let target = world.folder.path().join(&name);
            fs::create_dir(&target).expect("a folder");
            if !OWN_READERS.contains(&name.to_str().expect("a plain name")) {
                copy_tree(&entry.path(), &target);
            }
        }
        world.provide(PHANTOM_WORK);
        fs::create_dir(world.path("project/locked")).expect("a folder");
        fs::write(world.path("project/locked/plan.md"), "# Plan\n").expect("a file");
        world.rights("project/locked/plan.md", 0o000);
        world.rights("", 0o755);
        world
    }

    /// A copy that includes the fixtures of all rules.
    pub(crate) fn with_rules() -> Self {
        let world = Self::new();
        world.provide(RULES);
        world
    }

    /// Copies the fixtures of a rule, or of all rules, when a test first uses them. They are not copied
    /// by default, because there are hundreds.
    fn provide(&self, path: &str) {
        let Some(below) = path.strip_prefix(RULES) else {
            return;
        };
        let id = below.split('/').find(|part| !part.is_empty());
        for entry in fs::read_dir(fixtures().join(RULES))
            .expect("rules")
            .flatten()
        {
            let name = entry.file_name();
            let target = self.folder.path().join(RULES).join(&name);
            let is_asked = id.is_none_or(|id| name == id) && !target.exists();
            if is_asked && entry.path().is_dir() {
                fs::create_dir(&target).expect("a folder");
                copy_tree(&entry.path(), &target);
            }
        }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.provide(below);
        // The canonical path, as the binary prints it.
        self.folder
            .path()
            .canonicalize()
            .expect("it is there")
            .join(below)
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

    /// A command that runs the binary in this folder. Its environment has only the runtime folder.
    pub(crate) fn retval(&self) -> Command {
        self.command(assert_cmd::cargo::cargo_bin!("retval"))
    }

    /// The same command as an unprivileged user. Root could read files even without permission.
    pub(crate) fn retval_as_nobody(&self) -> Command {
        use std::os::unix::process::CommandExt as _;
        if !is_root() {
            return self.retval();
        }
        std::os::unix::fs::chown(self.runtime(), Some(NOBODY), Some(NOBODY)).expect("root may");
        let mut command = self.command(&self.copied_binary());
        command.uid(NOBODY).gid(NOBODY);
        command
    }

    /// A copy of the binary in this folder: other users may have no access to the build folder.
    pub(crate) fn copied_binary(&self) -> PathBuf {
        let copy = self.path("retval");
        if !copy.exists() {
            let mut cp = Command::new("cp");
            write_by(
                cp.arg(assert_cmd::cargo::cargo_bin!("retval")).arg(&copy),
                "",
            );
        }
        copy
    }

    /// A program for tests to run.
    pub(crate) fn script(&self, below: &str, text: &str) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        let mut install = Command::new("install");
        write_by(install.args(["-m", "755", "/dev/stdin"]).arg(&path), text);
        path
    }

    fn command(&self, binary: &Path) -> Command {
        let mut command = Command::new(binary);
        command.current_dir(self.path("")).env_clear();
        command.env("XDG_RUNTIME_DIR", self.runtime());
        command
    }

    /// What the hook answers to a payload, with options that are split at white space. It remembers in
    /// this folder.
    pub(crate) fn hook(&self, options: &str, payload: &Value) -> Option<Value> {
        fs::create_dir_all(self.path("run")).expect("a folder");
        let mut command = self.retval();
        command
            .arg("hook")
            .args(options.split_whitespace())
            .env("XDG_RUNTIME_DIR", self.path("run"));
        let output = feed(&mut command, payload.to_string());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        (!text.is_empty()).then(|| serde_json::from_str(&text).expect("JSON"))
    }

    /// Runs `retval check` with options, split at white space.
    pub(crate) fn check(&self, options: &str) -> Output {
        run(&mut self.call(options))
    }

    /// The command `retval check` with options, split at white space. As in a shell, variables may come first.
    pub(crate) fn call(&self, options: &str) -> Command {
        let mut command = self.retval();
        command.arg("check");
        add_words(&mut command, options);
        options.split_whitespace().for_each(|it| self.provide(it));
        command
    }
}

/// Adds the words of a call of `retval check`: variables, and arguments.
pub(crate) fn add_words(command: &mut Command, words: &str) {
    for word in words.split_whitespace() {
        match word.split_once('=').filter(|_| word.starts_with("RETVAL_")) {
            Some((name, value)) => command.env(name, value),
            None => command.arg(word),
        };
    }
}

/// Runs `retval check` with options, split at white space, and with input on standard input.
pub(crate) fn piped(world: &World, options: &str, input: impl AsRef<[u8]>) -> Output {
    feed(&mut world.call(options), input)
}

/// Runs a command with input on standard input, which it need not read.
pub(crate) fn feed(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic");
    output
}

/// Runs a command whose standard output is a full device.
pub(crate) fn run_onto_full_disk(command: &mut Command) -> Output {
    let full = fs::File::options().write(true).open("/dev/full");
    command.stdout(full.expect("a full disk"));
    run(command)
}

/// Runs a command without input.
pub(crate) fn run(command: &mut Command) -> Output {
    command.output().expect("it runs")
}

/// Writes a program by a process of its own. What another test starts meanwhile would inherit a file
/// that this process writes, and no program can be run while it is open for writing.
fn write_by(command: &mut Command, input: &str) {
    let output = feed(command, input);
    assert!(output.status.success(), "{}", stderr(&output));
}

pub(crate) fn is_root() -> bool {
    let owner = fs::metadata("/proc/self").expect("a process");
    std::os::unix::fs::MetadataExt::uid(&owner) == 0
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

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}
