//! The cost of checking many returns, compared with the least work that the same bytes need.
//!
//! `cargo bench --bench many`. Creates its own data in a temporary folder: a folder of 10,000
//! returns and streams of 200,000. The work runs in processes of this program or of retval, with
//! the same number of threads.

mod data;
mod measure;

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use measure::{Contest, print_table};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[1..] {
        ["read-folder", folder, ..] => read_folder(Path::new(folder)),
        ["ignored", file, threads, ..] => ignored(file, threads.parse().expect("a number")),
        _ => compare(),
    }
}

fn compare() {
    let place = tempfile::tempdir().expect("a folder");
    data::make(place.path());
    std::env::set_current_dir(place.path()).expect("it is there");
    folder();
    stream();
    growth();
    memory();
}

fn retval(arguments: &str) -> Command {
    let mut command = Command::new(
        std::env::var("RETVAL").unwrap_or_else(|_| env!("CARGO_BIN_EXE_retval").to_owned()),
    );
    command.arg("check").args(arguments.split(' '));
    command
}

fn baseline(arguments: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(arguments.split(' '));
    command
}

fn folder() {
    let mut contest = Contest::new(15);
    contest.enter("read every file, 1 thread", baseline("read-folder returns"));
    contest.enter("retval, 1 thread", retval("returns --root project -j 1"));
    contest.enter("retval, 2 threads", retval("returns --root project -j 2"));
    let mut schema = Command::new("sh");
    schema.args([
        "-c",
        "exec jsonschema-cli validate schema.json -i returns/*/*.json",
    ]);
    if is_installed("jsonschema-cli") {
        contest.enter("jsonschema-cli", schema);
    }
    for other in ["jq", "jaq"] {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec {other} empty returns/*/*.json")]);
        if is_installed(other) {
            contest.enter(&format!("{other} empty"), command);
        }
    }
    print_table(
        "folder of 10,000 returns, every artifact looked at",
        &contest.run(),
    );
}

fn stream() {
    let mut contest = Contest::new(9);
    contest.enter(
        "serde_json IgnoredAny, 1 thread",
        baseline("ignored partial.ndjson 1"),
    );
    contest.enter(
        "retval, 1 thread",
        retval("partial.ndjson --root project -j 1"),
    );
    contest.enter(
        "with a record of each, 1 thread",
        retval("partial.ndjson --root project -j 1 --format jsonl"),
    );
    print_table("200,000 lines, no artifact looked at", &contest.run());

    let mut contest = Contest::new(9);
    contest.enter(
        "serde_json IgnoredAny, 2 threads",
        baseline("ignored partial.ndjson 2"),
    );
    contest.enter(
        "retval, 2 threads",
        retval("partial.ndjson --root project -j 2"),
    );
    contest.enter(
        "the same, 1 thread",
        retval("partial.ndjson --root project -j 1"),
    );
    contest.enter(
        "every artifact looked at, 2 threads",
        retval("done.ndjson --root project -j 2"),
    );
    print_table("200,000 lines on two threads", &contest.run());

    let mut contest = Contest::new(1);
    contest.enter(
        "retval, 2 threads",
        retval("partial.ndjson --root project -j 2"),
    );
    for other in ["jq", "jaq"] {
        let mut command = Command::new(other);
        command.args(["empty", "partial.ndjson"]);
        contest.enter_if_installed(&format!("{other} empty"), command);
    }
    print_table("200,000 lines beside other tools", &contest.run());
}

/// The cost per return must not depend on the number of returns.
fn growth() {
    let mut contest = Contest::new(9);
    contest.enter(
        "200,000 lines",
        retval("partial.ndjson --root project -j 1"),
    );
    contest.enter(
        "400,000 lines",
        retval("partial.ndjson partial.ndjson --root project -j 1"),
    );
    contest.enter(
        "800,000 lines",
        retval("partial.ndjson partial.ndjson partial.ndjson partial.ndjson --root project -j 1"),
    );
    print_table("growth", &contest.run());
}

fn memory() {
    for arguments in [
        "partial.ndjson --root project -j 2",
        "done.ndjson --root project -j 2",
        "returns --root project -j 2",
    ] {
        let mut time = Command::new("/usr/bin/time");
        let inner = retval(arguments);
        time.args(["-f", "%M"])
            .arg(inner.get_program())
            .args(inner.get_args());
        let Ok(output) = time.stdout(Stdio::null()).output() else {
            return;
        };
        let peak = String::from_utf8_lossy(&output.stderr);
        measure::print_line(&format!("peak memory of {arguments}: {} KiB", peak.trim()));
    }
}

fn is_installed(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// The least work for a folder: reads every byte of every file into one buffer.
fn read_folder(folder: &Path) {
    let mut bytes = vec![0; 64 * 1024];
    let mut total = 0;
    for folder in fs::read_dir(folder).expect("a folder").flatten() {
        let opened = File::open(folder.path()).expect("a folder");
        for file in fs::read_dir(folder.path()).expect("a folder").flatten() {
            let file = open_below(&opened, &file);
            loop {
                // A plain read: `read_to_end` of the standard library costs twice as much.
                let read = rustix::io::read(&file, &mut bytes).expect("a file");
                total += read;
                if read == 0 {
                    break;
                }
            }
        }
    }
    assert!(total > 0);
}

fn open_below(folder: &File, file: &fs::DirEntry) -> File {
    use rustix::fs::{Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    File::from(openat(folder.as_fd(), file.file_name(), flags, Mode::empty()).expect("a file"))
}

/// The least work for a stream: checks that every line is UTF-8 and JSON.
fn ignored(file: &str, threads: usize) {
    let feed = Mutex::new((File::open(file).expect("a file"), Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(block) = next_block(&feed) {
                    ignore(&block);
                }
            });
        }
    });
}

fn next_block(feed: &Mutex<(File, Vec<u8>)>) -> Option<Vec<u8>> {
    let mut feed = feed.lock().expect("no panic");
    let mut block = std::mem::take(&mut feed.1);
    feed.0
        .by_ref()
        .take(256 * 1024)
        .read_to_end(&mut block)
        .expect("a file");
    let end = memchr::memrchr(b'\n', &block)? + 1;
    feed.1 = block.split_off(end);
    Some(block)
}

fn ignore(block: &[u8]) {
    for line in block
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let text = std::str::from_utf8(line).expect("UTF-8");
        assert!(serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok());
    }
}
