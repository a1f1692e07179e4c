//! What the tests at the process boundary share: the binary, run in an isolated folder.
#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod hostile;
pub(crate) mod seeds;
pub(crate) mod session;
pub(crate) mod terminal;
mod world;
#[path = "../../src/laws/xml.rs"]
pub(crate) mod xml;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub(crate) use world::{World, fixtures};

/// The session id of the fixtures.
pub(crate) const SESSION: &str = "sess_1767225600_k3m9qa";

/// The user and group id of `nobody` on Linux.
const NOBODY: u32 = 65534;

impl World {
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
            write_by(cp.arg(assert_cmd::cargo::cargo_bin!("retval")).arg(&copy), "");
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
        self.provide_all(options);
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
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
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

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}
