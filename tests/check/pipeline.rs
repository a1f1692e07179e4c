//! Compares retval with the bash and jq pipeline of the document Return validation. Both have the same
//! result, and the same lines up to the first failure, so that scripts for the pipeline work with
//! retval, too. The few intended differences are listed here.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use retval::{Level, RULES};

use crate::common::{SESSION, World, fixtures, stdout};
use crate::pipeline_page::rows;
use walkdir::WalkDir;

/// Folders and files of fixtures where the pipeline says something else, and why we do not.
const DIFFERENCES: [(&str, &str); 32] = [
    ("rules/return-missing/fail/api-error", "the pipeline calls the error of a client plain text"),
    ("rules/json-syntax/fail/empty", "jq takes no value for valid JSON"),
    ("rules/json-syntax/fail/white-space", "jq takes no value for valid JSON"),
    ("rules/json-syntax/fail/several-values", "jq checks every value of several, and any may pass"),
    ("rules/json-syntax/fail/not-a-number", "jq 1.6 reads NaN as null"),
    ("rules/json-syntax/fail/byte-order-mark", "jq skips the mark, other readers do not"),
    ("rules/json-syntax/fail/not-utf8", "jq puts U+FFFD for bytes that are no text"),
    ("rules/json-object", "the pipeline calls a field of an array missing"),
    ("rules/json-duplicate-key/fail", "jq takes the last of two values in silence"),
    ("rules/json-limit/fail", "jq has its own limits"),
    ("rules/not-a-return/fail", "the pipeline names the first field that is missing"),
    ("rules/field-missing/fail/artifact-path", "the pipeline looks for a file called null"),
    ("rules/field-type/fail/artifacts-as-strings", "the pipeline counts no path and passes"),
    (
        "rules/field-type/fail/objects-for-other-values",
        "the pipeline counts the members of an object as it does items",
    ),
    ("rules/field-type/fail/number-in-quotes", "the pipeline checks no types"),
    ("rules/field-type/fail/fraction", "the pipeline checks no types"),
    ("rules/field-type/fail/recoverable-in-words", "the pipeline checks no types"),
    ("rules/field-type/fail/status-list", "the pipeline prints the list as the status"),
    ("rules/field-type/fail/null-artifact", "the pipeline looks for a file called null"),
    ("rules/field-empty/fail", "an empty string is a value to the pipeline"),
    ("rules/return-echo/fail", "any text is a value to the pipeline"),
    ("rules/status-unknown/fail/two-words", "two words of the list in a row pass for one"),
    (
        "rules/session-mismatch/fail/trailing-space",
        "the pipeline prints a space at the end of a line, where nobody sees it",
    ),
    ("rules/summary-too-long/fail/400-characters", "the pipeline does not look at the summary"),
    ("rules/artifact-path/fail/nul-byte", "bash drops the NUL and looks for another file"),
    ("rules/artifact-path/fail", "the pipeline looks for any text as a file"),
    ("rules/artifact-path/pass/space-and-colon", "the pipeline splits a path at its spaces"),
    ("rules/artifact-outside-root/fail/dots", "the pipeline accepts any file of the machine"),
    ("rules/artifact-outside-root/fail/link", "the pipeline accepts any file of the machine"),
    ("rules/artifact-outside-root/fail/absolute", "the pipeline accepts any file of the machine"),
    ("rules/artifact-not-a-file/fail/folder", "a folder is no missing file"),
    ("rules/artifact-outside-root/pass/link-inside", "the pipeline tells the length of a link"),
];

/// Every fixture of the console return and of the rules that fail, which are those that the pipeline may
/// know, but the file that may not be read: whether it may depends on who runs the test. Where the path of
/// the world has a space, at which the pipeline would split it, no fixture that names this path.
fn returns(world: &World) -> Vec<PathBuf> {
    let is_split = world.path("").to_string_lossy().contains(char::is_whitespace);
    let names_root = |path: &PathBuf| {
        fs::read_to_string(fixtures().join(path)).is_ok_and(|text| text.contains("{root}"))
    };
    let files = WalkDir::new(fixtures()).sort_by_file_name().into_iter().flatten();
    let paths = files.map(walkdir::DirEntry::into_path).filter(|path| {
        let options = fs::read_to_string(path.with_extension("options")).unwrap_or_default();
        let is_other = options.contains("--profile") || options.contains("--extract");
        path.extension().is_some_and(|it| it == "json") && !is_other
    });
    let below = paths.map(|path| path.strip_prefix(fixtures()).expect("below").to_owned());
    let errors = RULES.iter().filter(|rule| rule.level == Level::Error);
    let errors: BTreeSet<_> = errors.map(|rule| Path::new("rules").join(rule.id)).collect();
    let is_checked = |path: &PathBuf| {
        path.starts_with("profiles/return") || errors.iter().any(|error| path.starts_with(error))
    };
    below
        .filter(is_checked)
        .filter(|path| !path.starts_with("rules/artifact-unreadable"))
        .filter(|path| !(is_split && names_root(path)))
        .collect()
}

/// What the pipeline says at the end of each failure that has no such line of its own, and retval
/// at the end of every failing return.
const FAILED: &str = "Error: Subagent return validation failed";

/// Every line of the pipeline, with the one that is not about a single failure at the end.
fn lines_of_pipeline(text: &str) -> Vec<String> {
    let mut lines: Vec<_> =
        text.lines().filter(|line| *line != FAILED).map(str::to_owned).collect();
    if lines.iter().any(|line| line.starts_with("[FAIL]")) {
        lines.push(FAILED.to_owned());
    }
    lines
}

/// Every line of retval that it shares with the pipeline: those up to the second failure that are
/// not indented, and the last `Error:`. Left out are the step that the pipeline lacks, the steps
/// that were not run after a failure, and the names and numbers at the end.
fn lines_of_retval(text: &str) -> Vec<String> {
    let is_own = |line: &&str| {
        let own = ["[PASS] Summary length", "[SKIP]", " "];
        own.iter().any(|own| line.starts_with(own))
    };
    let (lines, end) =
        text.split_once(FAILED).map_or((text, None), |(lines, end)| (lines, Some(end)));
    let mut failures = 0;
    let mut shared = Vec::new();
    for line in lines.lines().filter(|line| !is_own(line)) {
        failures += usize::from(line.starts_with("[FAIL]"));
        if failures < 2 {
            shared.push(line.to_owned());
        }
    }
    if let Some(end) = end {
        shared.push(FAILED.to_owned());
        let names: Vec<_> = end.trim_start().lines().collect();
        assert!(
            matches!(names[..], [agent, session, .., _] if agent == "Subagent: researcher" && session == format!("Session: {SESSION}")),
            "{text}"
        );
    }
    shared
}

pub(crate) fn pipeline(world: &World, text: &[u8]) -> (Option<i32>, Vec<String>) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/pipeline.sh");
    let mut bash = Command::new("bash");
    bash.arg(script).args(["researcher", SESSION]).current_dir(world.path("project"));
    let mut child = bash
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("bash is there");
    child.stdin.take().expect("a pipe").write_all(text).expect("bash reads");
    let output = child.wait_with_output().expect("bash ends");
    (output.status.code(), lines_of_pipeline(&String::from_utf8_lossy(&output.stdout)))
}

fn retval(world: &World, fixture: &Path) -> (Option<i32>, Vec<String>) {
    // The pipeline has no warnings.
    let warnings = RULES.iter().filter(|rule| rule.level == Level::Warning);
    let off: Vec<_> = warnings.map(|rule| format!("--rule {}=off", rule.id)).collect();
    let off = off.join(" ");
    let options = format!(
        "--profile return --root project --agent researcher --session {SESSION} --fail-fast {off}"
    );
    let output = world.check(&format!("{} {options}", fixture.display()));
    (output.status.code(), lines_of_retval(&stdout(&output)))
}

fn difference(fixture: &Path) -> Option<&'static str> {
    let stem = fixture.with_extension("");
    DIFFERENCES.iter().map(|(place, _)| *place).find(|place| stem.starts_with(place))
}

/// What each side says of one fixture.
struct Compared {
    fixture: PathBuf,
    pipeline: (Option<i32>, Vec<String>),
    retval: (Option<i32>, Vec<String>),
}

fn compare(world: &World, fixture: PathBuf) -> Compared {
    let path = world.path("").join(&fixture);
    if let Ok(text) = fs::read_to_string(&path) {
        let project = world.path("project").display().to_string();
        fs::write(&path, text.replace("{root}", &project)).expect("a file");
    }
    let bytes = fs::read(path).expect("a fixture");
    Compared { pipeline: pipeline(world, &bytes), retval: retval(world, &fixture), fixture }
}

/// All of them, on every core: jq takes its time.
fn compare_all(world: &World) -> Vec<Compared> {
    let fixtures = Mutex::new(returns(world).into_iter());
    let next = || fixtures.lock().expect("no thread panics with it").next();
    let work =
        || std::iter::from_fn(next).map(|fixture| compare(world, fixture)).collect::<Vec<_>>();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    })
}

#[test]
fn the_pipeline_and_retval_agree_except_for_listed_differences() {
    assert!(Command::new("jq").arg("--version").output().is_ok(), "this test needs jq: install it");
    let on_the_page = rows();
    let mut differing = BTreeSet::new();
    let mut surprises = String::new();
    for Compared { fixture, pipeline, retval } in compare_all(&World::with("rules")) {
        // Of a fixture that fails, the rule is in its path.
        let rule = fixture.iter().nth(1).and_then(|it| it.to_str());
        let explained = on_the_page
            .iter()
            .any(|row| rule.is_some_and(|rule| row.retval == rule || row.given.starts_with(rule)));
        if pipeline.0 != retval.0 && !explained {
            let _ = writeln!(surprises, "{} is not on the page", fixture.display());
        }
        match difference(&fixture) {
            _ if pipeline == retval => {}
            Some(place) => {
                differing.insert(place);
            }
            None => {
                let _ = writeln!(
                    surprises,
                    "{}\n  pipeline {pipeline:?}\n  retval   {retval:?}",
                    fixture.display()
                );
            }
        }
    }
    for (place, why) in DIFFERENCES {
        if !differing.contains(place) {
            let _ = writeln!(surprises, "no difference is left at {place}: {why}");
        }
    }
    assert!(surprises.is_empty(), "{surprises}");
}
