//! The cost of checking many returns, compared with the least work that the same bytes need.
//!
//! `cargo bench --bench many`. Creates its own data in a temporary folder: folders of 10,000 returns
//! and streams of 200,000, with nothing wrong, with a warning each, and with what agents get wrong. The work runs in processes of this program or of retval, with
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
    for (folder, what) in [("clean", "nothing wrong"), ("warned", "one warning each")] {
        let mut contest = Contest::new(9);
        let read = format!("read-folder {folder}");
        contest.enter("read every file, 1 thread", baseline(&read));
        for (name, options) in [
            ("retval, 1 thread", "-j 1"),
            ("retval, 2 threads", "-j 2"),
            ("retval -q, 2 threads", "-j 2 -q"),
        ] {
            contest.enter(name, retval(&format!("{folder} --root project {options}")));
        }
        if is_installed("jsonschema-cli") {
            let script = format!("exec jsonschema-cli validate schema.json -i {folder}/*/*.json");
            contest.enter("jsonschema-cli", shell(&script));
        }
        for other in ["jq", "jaq"] {
            if is_installed(other) && folder == "clean" {
                let script = format!("exec {other} empty {folder}/*/*.json");
                contest.enter(&format!("{other} empty"), shell(&script));
            }
        }
        print_table(
            &format!("folder of 10,000 returns, {what}, every artifact looked at"),
            &contest.run(),
        );
    }
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

/// Each shape of a stream beside the grammar of the same bytes, on one thread and on two.
fn stream() {
    let shapes = [
        ("clean", "nothing wrong, every artifact looked at", ""),
        ("warned", "one warning a return", ""),
        ("mixed", "what agents get wrong", " --profile return-meta"),
    ];
    for (file, what, options) in shapes {
        let mut contest = Contest::new(7);
        let grammar = format!("ignored {file}.ndjson");
        let check = format!("{file}.ndjson --root project{options}");
        contest.enter("IgnoredAny, 1 thread", baseline(&format!("{grammar} 1")));
        contest.enter("retval, 1 thread", retval(&format!("{check} -j 1")));
        contest.enter("retval -q, 1 thread", retval(&format!("{check} -j 1 -q")));
        contest.enter("retval, 2 threads", retval(&format!("{check} -j 2")));
        contest.enter(
            "retval, a record of each, 1 thread",
            retval(&format!("{check} -j 1 --format jsonl")),
        );
        print_table(&format!("200,000 lines, {what}"), &contest.run());
    }

    let mut contest = Contest::new(1);
    contest.enter(
        "retval, 2 threads",
        retval("clean.ndjson --root project -j 2"),
    );
    for other in ["jq", "jaq"] {
        let mut command = Command::new(other);
        command.args(["empty", "clean.ndjson"]);
        contest.enter_if_installed(&format!("{other} empty"), command);
    }
    print_table("200,000 lines beside other tools", &contest.run());
}

/// The cost per return must not depend on the number of returns.
fn growth() {
    let mut contest = Contest::new(9);
    contest.enter("200,000 lines", retval("clean.ndjson --root project -j 1"));
    contest.enter(
        "400,000 lines",
        retval("clean.ndjson clean.ndjson --root project -j 1"),
    );
    contest.enter(
        "800,000 lines",
        retval("clean.ndjson clean.ndjson clean.ndjson clean.ndjson --root project -j 1"),
    );
    print_table("growth", &contest.run());
}

fn memory() {
    for arguments in [
        "clean.ndjson --root project -j 2",
        "done.ndjson --root project -j 2",
        "clean --root project -j 2",
        "mixed.ndjson --root project -j 2 --profile return-meta",
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
