//! The cost of hostile returns: time as they grow, and time and memory at their worst.
//!
//! `cargo bench --bench bounds` runs everything. With `-- evidence`, it only runs claims against
//! transcripts. Each shape is checked at some size and at twice that size. No step is quadratic if the
//! second run takes about twice the instructions. valgrind counts them, because the count is the same in
//! every run, unlike time. The kernel resolves the paths of claims, where valgrind counts nothing: for
//! these, system calls are counted and time is measured. This program generates the largest inputs
//! itself and writes them to a pipe. RETVAL names the binary; the default is the one that cargo built.

mod hostile;
mod measure;
#[path = "hostile/scripts.rs"]
mod scripts;
#[path = "hostile/ways.rs"]
mod ways;
#[path = "hostile/worked.rs"]
mod worked;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hostile::{Shape, extremes, shapes};
use measure::print_line;
use retval::Report;
use ways::{Way, Ways};

/// The size limit in bytes for shapes that must be read to their end. No input here is larger.
const ALL: &str = "4000000000";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    if let ["generate", name, count, ..] = words[1..] {
        return generate(name, count.parse().expect("a number"));
    }
    let place = tempfile::tempdir().expect("a folder");
    std::env::set_current_dir(place.path()).expect("it is there");
    fs::create_dir_all("project/docs").expect("a folder");
    fs::write("project/docs/tides.md", "High at noon.\n").expect("a file");
    if words.contains(&"evidence") {
        return evidence(place.path());
    }
    claims(place.path());
    evidence(place.path());
    growth();
    texts();
    extreme();
}

fn binary() -> String {
    std::env::var("RETVAL").unwrap_or_else(|_| env!("CARGO_BIN_EXE_retval").to_owned())
}

fn retval(shape: &Shape, max_bytes: &str) -> Command {
    let mut command = Command::new("/usr/bin/time");
    command.args(["-q", "-f", "%M", &binary(), "check", "--max-bytes", max_bytes]);
    command.args(shape.options.split_whitespace());
    command.stdout(Stdio::null());
    command
}

/// The time of a run, and its peak memory in KiB.
fn run(mut command: Command) -> (Duration, f64) {
    let start = Instant::now();
    let output = command.stderr(Stdio::piped()).output().expect("time runs");
    let time = start.elapsed();
    let report = String::from_utf8_lossy(&output.stderr);
    let peak = report.lines().last().and_then(|line| line.parse().ok());
    (time, peak.unwrap_or(f64::NAN))
}

/// The instructions of a run, in millions.
fn instructions(shape: &Shape, file: &str) -> f64 {
    let timed = retval(shape, ALL);
    // The command starts with `time` and its arguments.
    let words = timed.get_args().skip(3);
    counted(words.chain(["-j", "1", file].map(OsStr::new)))
}

/// The instructions of a program with its arguments, in millions.
fn counted<'w>(words: impl IntoIterator<Item = &'w OsStr>) -> f64 {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let output = command.args(words).stdout(Stdio::null()).output().expect("valgrind runs");
    let report = String::from_utf8_lossy(&output.stderr);
    let count = report.lines().find_map(|line| line.split_once("refs:"));
    let count = count.and_then(|(_, count)| count.trim().replace(',', "").parse::<f64>().ok());
    count.expect("a count") / 1e6
}

/// Measures one claim of up to 4 KB in a return, for each kind of path.
fn claims(place: &Path) {
    print_line("one claim, 995 and 1,990 levels           calls      over an ordinary claim");
    let laid_out = [995, 1_990].map(|levels| {
        let base = place.join(levels.to_string());
        fs::create_dir_all(base.join("project")).expect("a folder");
        Ways::new(&base, levels)
    });
    let [once, twice] =
        laid_out.each_ref().map(|ways| ways.all().into_iter().map(|way| cost(ways, &way)));
    let names = laid_out[0].all().into_iter().map(|way| way.name);
    let mut ordinary = None;
    for (name, (once, twice)) in names.zip(once.zip(twice)) {
        let (_, least) = *ordinary.get_or_insert(once);
        let over = |(_, time): (usize, Duration)| format!("{:.1?}", time.saturating_sub(least));
        print_line(&format!(
            "{name:<38} {:>5} {:>5} {:>12} {:>12}",
            once.0,
            twice.0,
            over(once),
            over(twice)
        ));
    }
    print_line("");
}

/// The number of system calls, and the shortest time of several runs.
fn cost(ways: &Ways, way: &Way) -> (usize, Duration) {
    let claim = r#"{"status":"completed","artifacts":[{"path":"PATH"}]}"#;
    fs::write("claim.json", claim.replace("PATH", &way.path)).expect("it is written");
    let root = ways.root();
    let check = |program: &[&str]| {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).args(["check", "--no-config", "--root"]);
        command.arg(&root).args(["--format", "jsonl", "claim.json"]);
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().expect("it runs").code().is_some_and(|code| code < 2));
    };
    let binary = binary();
    check(&["strace", "-f", "-o", "calls", &binary]);
    let calls = fs::read_to_string("calls").expect("what it called").lines().count();
    let times = (0..40).map(|_| {
        let start = Instant::now();
        check(&[&binary]);
        start.elapsed()
    });
    (calls, times.min().unwrap_or_default())
}

/// Measures claims against a transcript: as many as are compared at most, and half as many.
fn evidence(above: &Path) {
    print_line("twice the claims and the calls              claims  instructions  x");
    for shape in worked::SHAPES {
        let count = Report::FINDINGS_KEPT;
        let [once, twice] = [count / 2, count].map(|count| {
            let place = above.join("worked").join(count.to_string());
            shape.write(&place, count);
            worked(&place, above)
        });
        print_line(&format!(
            "{:<44} {count:>6} {twice:>11.1} M  x {:.2}",
            shape.name,
            twice / once
        ));
    }
    print_line("\ntwice the length of 16 commands               bytes  instructions  x");
    for script in scripts::SCRIPTS {
        let [once, twice] = [scripts::BYTES_AT_MOST / 2, scripts::BYTES_AT_MOST].map(|bytes| {
            let place = above.join("scripts").join(bytes.to_string());
            script.write(&place, bytes);
            worked(&place, above)
        });
        print_line(&format!(
            "{:<44} {:>6} {twice:>11.1} M  x {:.2}",
            script.name,
            scripts::BYTES_AT_MOST,
            twice / once
        ));
    }
    print_line("");
}

/// The instructions, in millions, for the return and the transcript in a folder, which is removed.
fn worked(place: &Path, above: &Path) -> f64 {
    let binary = binary();
    let options = ["check", "--no-config", "--agent-id", "a1", "--root", "project"];
    let files = ["--transcript", "session.jsonl", "return.json"];
    let words = [&binary[..]].into_iter().chain(options).chain(files);
    std::env::set_current_dir(place).expect("it is there");
    let counted = counted(words.map(OsStr::new));
    std::env::set_current_dir(above).expect("it is there");
    fs::remove_dir_all(place).expect("it is ours");
    counted
}

fn growth() {
    print_line(
        "twice the size                              bytes    memory      time  instructions  x",
    );
    let mut worst = (0.0, "");
    for shape in shapes() {
        let files = [("once.json", shape.count / 4), ("twice.json", shape.count / 2)];
        for (name, count) in files {
            let file = File::create(name).expect("a file");
            shape.write(count, file).expect("it is written");
        }
        let [once, twice] = files.map(|(name, _)| instructions(&shape, name));
        let ratio = twice / once;
        if ratio > worst.0 {
            worst = (ratio, shape.name);
        }
        let mut command = retval(&shape, ALL);
        command.arg("twice.json");
        let (time, peak) = run(command);
        let bytes = Path::new("twice.json").metadata().expect("a file").len();
        print_line(&format!(
            "{:<38} {:>7.1} MB {:>6.1} MB {time:>9.1?} {twice:>11.1} M  x {ratio:.2}",
            shape.name,
            megabytes(bytes),
            peak * 1024.0 / 1e6,
        ));
    }
    print_line(&format!("worst: x {:.2} ({})\n", worst.0, worst.1));
}

/// Texts that are hard to read, by what is repeated in them.
const TEXTS: [(&str, &str); 10] = [
    ("prose", "The **tide** is high, and `ebb` is in src/__init__.py. \n"),
    ("labels", "Tide: high\n"),
    ("list items, ever deeper", "- "),
    ("quotations, ever deeper", "> "),
    ("tags that do not close", "<a1>"),
    ("elements of HTML on one line", "<b></b>"),
    ("marks that open", "*_a"),
    ("brackets that open", "!["),
    ("backticks that open", "`a"),
    ("comments that do not end", "<!-- "),
];

/// Reads texts and texts twice as long.
fn texts() {
    /// Fewer than the items that a text may have.
    const TIMES: usize = 40_000;
    print_line("twice the text                              bytes  instructions  x");
    for (name, piece) in TEXTS {
        let [once, twice] = [TIMES, TIMES * 2].map(|times| {
            fs::write("text.md", piece.repeat(times)).expect("a file");
            let binary = binary();
            let words = [&binary, "read", "--form", "text", "text.md"].map(OsStr::new);
            counted(words)
        });
        let bytes = piece.len() * TIMES * 2;
        print_line(&format!("{name:<40} {bytes:>8} {twice:>11.1} M  x {:.2}", twice / once));
    }
    print_line("");
}

fn extreme() {
    print_line("extremes, through a pipe");
    for (shape, count, max_bytes) in extremes() {
        let mut generator = Command::new(std::env::current_exe().expect("this program"));
        generator.args(["generate", shape.name, &count.to_string()]);
        let generator = generator.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut generator = generator.spawn().expect("this program runs");
        let mut command = retval(&shape, max_bytes);
        command.stdin(generator.stdout.take().expect("a pipe"));
        let (time, peak) = run(command);
        generator.wait().expect("it ends");
        print_line(&format!(
            "{:<38} x {count:>10} {:>8.1} MB {time:>8.1?}",
            shape.name,
            peak * 1024.0 / 1e6,
        ));
    }
}

fn generate(name: &str, count: usize) {
    let known = extremes().into_iter().map(|(shape, ..)| shape);
    let shape = known.into_iter().find(|shape| shape.name == name);
    // A reader that has seen enough closes the pipe, so writing may fail.
    let _ = shape.expect("a shape").write(count, std::io::stdout());
}

#[allow(clippy::cast_precision_loss, reason = "a figure to be read")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
