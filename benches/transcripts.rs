//! The cost of reading a transcript, compared with parsing the same bytes as JSON.
//!
//! `cargo bench --features testing --bench transcripts` runs everything. With `-- hook`, it only measures the hook at the
//! end of an agent with a transcript of 5 MB. RETVAL names the binary of the hook; the default is the
//! one that cargo built. The transcripts are generated here, with records in the format of each client.
//! If valgrind is installed, it counts instructions: unlike time, they are the same in every run. The
//! memory is the peak of a process that only reads one transcript.

#[path = "recorded/hook.rs"]
mod hook;
mod measure;
mod recorded;

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::Command;

use measure::{Contest, Row, print_line};
use recorded::{Form, Recorded, Texts};
use serde::de::IgnoredAny;

/// How many times each transcript is read.
const ROUNDS: usize = 25;
/// Reading may take at most this many times the instructions of parsing.
const GOAL: f64 = 1.6;
/// The size of a transcript, in bytes.
const SIZE: usize = 5 << 20;
/// The size of a transcript that is longer than any real one, in bytes.
const LARGE: usize = 500 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    if let ["work", work, path] = words[1..] {
        return alone(work, Path::new(path));
    }
    let place = tempfile::tempdir().expect("a folder");
    if !words.contains(&"hook") {
        readers(place.path());
    }
    hook::at_end(place.path());
}

fn readers(place: &Path) {
    print_line(
        "                                        MB/s  x median  x shortest  x instructions  peak at 5 MB  at 500 MB",
    );
    let mut above = Vec::new();
    for recorded in recorded::all() {
        if row(&recorded, place).is_some_and(|times| times > GOAL) {
            above.push(format!("{}, {}", recorded.name, length(&recorded)));
        }
    }
    print_line(&format!(
        "x: over IgnoredAny on the same bytes; goal: at most x {GOAL:.2} in instructions, and 16 MiB"
    ));
    print_line(&match above.as_slice() {
        [] => "no row is known to take more instructions".to_owned(),
        above => format!("more instructions take: {}", above.join("; ")),
    });
}

fn length(recorded: &Recorded) -> &'static str {
    match recorded.texts {
        Texts::Short => "short texts",
        Texts::Long => "long texts",
    }
}

/// Prints the cost of reading a transcript. Returns its instructions as a multiple of those of parsing.
/// None if they cannot be counted.
fn row(recorded: &Recorded, place: &Path) -> Option<f64> {
    let file = place.join("transcript");
    let text = recorded.text(SIZE);
    fs::write(&file, &text).expect("a file");
    let mut contest = Contest::new(ROUNDS);
    contest.enter_work("grammar", || grammar(text.as_bytes(), recorded.form));
    contest.enter_work("read", || read(text.as_bytes()));
    let rows = contest.run();
    let times = |row: &Row| [row.median, row.shortest].map(|time| time.as_secs_f64());
    let ([median, shortest], grammar) = (times(&rows[1]), times(&rows[0]));
    let (median, shortest) = (median / grammar[0], shortest / grammar[1]);
    let grammar = match recorded.form {
        Form::Lines => "lines",
        Form::Document => "document",
    };
    let instructions = ["read", grammar].map(|work| instructions(work, &file));
    let instructions = match instructions {
        [Some(read), Some(grammar)] => Some(read / grammar),
        _ => None,
    };
    let counted = instructions.map_or("-".to_owned(), |times| format!("{times:.2}"));
    let peak = peak(&file);
    let large = (recorded.form == Form::Lines).then(|| {
        fs::write(&file, recorded.text(LARGE)).expect("a file");
        self::peak(&file)
    });
    let texts = length(recorded);
    let speed =
        f64::from(u32::try_from(text.len()).expect("5 MB")) / 1e6 / rows[1].shortest.as_secs_f64();
    print_line(&format!(
        "{:<25} {texts:<12} {speed:>6.0} {median:>9.2} {shortest:>11.2} {counted:>15} {peak:>13} {:>10}",
        recorded.name,
        large.as_deref().unwrap_or("-"),
    ));
    instructions
}

/// Parses every line, or a whole document, as JSON, and keeps nothing.
fn grammar(source: impl Read, form: Form) {
    let mut reader = BufReader::with_capacity(256 << 10, source);
    let mut text = Vec::new();
    loop {
        let count = match form {
            Form::Lines => reader.read_until(b'\n', &mut text),
            Form::Document => reader.read_to_end(&mut text),
        };
        if count.expect("it is there") == 0 {
            break;
        }
        black_box(serde_json::from_slice::<IgnoredAny>(&text).expect("a record"));
        text.clear();
    }
}

fn read(source: impl Read) {
    black_box(retval::testing::read_transcript(source).expect("a transcript"));
}

/// Does one piece of work in this process, and prints the peak of its memory.
fn alone(work: &str, path: &Path) {
    let file = File::open(path).expect("a transcript");
    match work {
        "read" => read(file),
        "lines" => grammar(file, Form::Lines),
        _ => grammar(file, Form::Document),
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    print_line(peak.unwrap_or("-").trim());
}

/// The instructions of a piece of work. None if they cannot be counted.
// `measure` runs valgrind only on Linux.
#[cfg(target_os = "linux")]
fn instructions(work: &str, file: &Path) -> Option<f64> {
    measure::instructions(&command(work, file))?.trim().parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn instructions(_: &str, _: &Path) -> Option<f64> {
    None
}

fn command(work: &str, file: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.arg("work").arg(work).arg(file);
    command
}

fn peak(file: &Path) -> String {
    let output = command("read", file).output().expect("this program runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
