//! The cost of checking many returns, compared with the least work that the same bytes require.
//!
//! `cargo bench --bench many`. It generates its data in a temporary folder: folders of 10,000 returns
//! and streams of 200,000, without findings, with one warning each, both again with letters beyond ASCII
//! and escapes, and with the mistakes of real agents. The first table has all of them. The processes of
//! each row run in turn.

mod data;
mod measure;

use std::fs::{self, File};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use measure::{Contest, Row, print_table};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[1..] {
        ["read-folder", folder, ..] => read_folder(Path::new(folder)),
        ["ignored", file, ..] => ignored(file),
        _ => compare(),
    }
}

fn compare() {
    let place = tempfile::tempdir().expect("a folder");
    data::make(place.path());
    std::env::set_current_dir(place.path()).expect("it is there");
    shapes();
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

/// A shape of data: its name, the work that it is compared with, and the arguments of retval.
struct Shape {
    name: &'static str,
    baseline: Baseline,
    arguments: &'static str,
}

/// The work that a shape is compared with.
#[derive(Clone, Copy)]
enum Baseline {
    /// Parsing every line of this file as JSON. The file is read whole.
    Grammar(&'static str),
    /// A general JSON Schema validator on this folder, or reading every file if it is not installed.
    Schema(&'static str),
}

const META: &str = "mixed.ndjson --root project --profile return-meta";

const SHAPES: [Shape; 15] = {
    const fn shape(name: &'static str, baseline: Baseline, arguments: &'static str) -> Shape {
        Shape { name, baseline, arguments }
    }
    use Baseline::{Grammar, Schema};
    [
        shape("stream, nothing wrong", Grammar("clean"), "clean.ndjson --root project"),
        shape("stream, one warning each", Grammar("warned"), "warned.ndjson --root project"),
        shape("the same, -q", Grammar("warned"), "warned.ndjson --root project -q"),
        shape(
            "letters and escapes, nothing wrong",
            Grammar("clean-escaped"),
            "clean-escaped.ndjson --root project",
        ),
        shape(
            "letters and escapes, one warning",
            Grammar("warned-escaped"),
            "warned-escaped.ndjson --root project",
        ),
        shape("the same, -q", Grammar("warned-escaped"), "warned-escaped.ndjson --root project -q"),
        shape("stream, what agents get wrong", Grammar("mixed"), META),
        shape(
            "the same, -q",
            Grammar("mixed"),
            "mixed.ndjson --root project --profile return-meta -q",
        ),
        shape(
            "the same, a record of each",
            Grammar("mixed"),
            "mixed.ndjson --root project --profile return-meta --format jsonl",
        ),
        shape("stream, success claimed", Grammar("done"), "done.ndjson --root project"),
        shape("folder, nothing wrong", Schema("clean"), "clean --root project"),
        shape("folder, one warning each", Schema("warned"), "warned --root project"),
        shape("the same, -q", Schema("warned"), "warned --root project -q"),
        shape(
            "letters and escapes, nothing wrong",
            Schema("clean-escaped"),
            "clean-escaped --root project",
        ),
        shape(
            "letters and escapes, one warning",
            Schema("warned-escaped"),
            "warned-escaped --root project",
        ),
    ]
};

impl Baseline {
    fn command(self) -> Command {
        match self {
            Self::Grammar(file) => baseline(&format!("ignored {file}.ndjson")),
            Self::Schema(folder) if is_installed("jsonschema-cli") => {
                shell(&format!("exec jsonschema-cli validate schema.json -i {folder}/*/*.json"))
            }
            Self::Schema(folder) => baseline(&format!("read-folder {folder}")),
        }
    }
}

/// Compares every shape with its baseline, on one thread and on two, in one table.
fn shapes() {
    measure::print_line("200,000 lines, and folders of 10,000 returns; every artifact looked at");
    measure::print_line(&format!(
        "{:<35} {:>24} {:>24} {:>24} {:>8}",
        "", "baseline", "1 thread", "2 threads", "faster"
    ));
    for Shape { name, baseline, arguments } in &SHAPES {
        let mut contest = Contest::new(5);
        contest.enter("baseline", baseline.command());
        contest.enter("1 thread", retval(&format!("{arguments} -j 1")));
        contest.enter("2 threads", retval(&format!("{arguments} -j 2")));
        let rows = contest.run();
        let cell = |row: &Row| {
            let ratio =
                |of: fn(&Row) -> Duration| of(row).as_secs_f64() / of(&rows[0]).as_secs_f64();
            let (time, processor) = (ratio(|row| row.median), ratio(|row| row.processor));
            format!("{time:.2} ({processor:.2})")
        };
        let faster = rows[1].median.as_secs_f64() / rows[2].median.as_secs_f64();
        let base = format!("{:.0?} ({:.0?})", rows[0].median, rows[0].processor);
        measure::print_line(&format!(
            "{name:<35} {base:>24} {:>24} {:>24} {faster:>8.2}",
            cell(&rows[1]),
            cell(&rows[2])
        ));
    }
    measure::print_line(
        "Times, and processor times in brackets; those of retval in times of the baseline.",
    );
}

/// Compares a folder with other tools.
fn folder() {
    let mut contest = Contest::new(9);
    contest.enter("read every file, 1 thread", baseline("read-folder clean"));
    for (name, options) in [("retval, 1 thread", "-j 1"), ("retval, 2 threads", "-j 2")] {
        contest.enter(name, retval(&format!("clean --root project {options}")));
    }
    if is_installed("jsonschema-cli") {
        contest.enter("jsonschema-cli", Baseline::Schema("clean").command());
        // A standard of one's own, of which this schema is all.
        let own = retval("clean --config own.toml --profile own -j 1");
        contest.enter("retval, the same schema, 1 thread", own);
    }
    for other in ["jq", "jaq"] {
        if is_installed(other) {
            let script = format!("exec {other} empty clean/*/*.json");
            contest.enter(&format!("{other} empty"), shell(&script));
        }
    }
    print_table("folder of 10,000 returns, nothing wrong", &contest.run());
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

/// Compares a stream with other tools.
fn stream() {
    let mut contest = Contest::new(1);
    contest.enter("retval, 2 threads", retval("clean.ndjson --root project -j 2"));
    for other in ["jq", "jaq"] {
        let mut command = Command::new(other);
        command.args(["empty", "clean.ndjson"]);
        contest.enter_if_installed(&format!("{other} empty"), command);
    }
    print_table("200,000 lines beside other tools", &contest.run());
}

/// Measures two sizes. The cost per return must not depend on the number of returns.
fn growth() {
    let mut contest = Contest::new(9);
    contest.enter("200,000 lines", retval("clean.ndjson --root project -j 1"));
    contest.enter("400,000 lines", retval("clean.ndjson clean.ndjson --root project -j 1"));
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
        time.args(["-f", "%M"]).arg(inner.get_program()).args(inner.get_args());
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
fn ignored(file: &str) {
    let bytes = fs::read(file).expect("a file");
    let mut rest = &bytes[..];
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let text = std::str::from_utf8(&rest[..end]).expect("UTF-8");
        assert!(serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok());
        rest = &rest[end + 1..];
    }
}
