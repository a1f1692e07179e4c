//! Checks the fixtures through the library, in one process. This takes milliseconds, so that it can be
//! repeated for every mutant of the code. `tests/corpus.rs` checks them through the binary.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use walkdir::WalkDir;

use crate::check::ReturnFile;
use crate::check::explain::Example;
use crate::check::rules::{Level, RULES, Rule};
use crate::evidence::{EvidenceMode, Record, WorkEvidence};
use crate::profile::{PROFILES, Profile, RETURN};
use crate::report::Format;
use crate::{Checker, Config, Report, Root};

/// A rule whose fixtures only a user without special rights can be shown; the binary is run as one.
const NEEDS_A_LOCKED_FILE: &str = "artifact-unreadable";

/// Rules that need a repository; `tests/corpus.rs` makes one.
const NEED_A_REPOSITORY: [&str; 6] = [
    "artifact-unchanged",
    "artifact-uncommitted",
    "commit-not-found",
    "commit-before-start",
    "commit-without-file",
    "change-unclaimed",
];

/// The rule about what stands in place of a return, which is no JSON either.
const MISSING_RETURN: &str = "return-missing";

/// Whether the fixtures of a rule need no more than files.
fn is_of_files(rule: &Rule) -> bool {
    rule.id != NEEDS_A_LOCKED_FILE && !NEED_A_REPOSITORY.contains(&rule.id)
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// When the agents of the fixtures are at work.
const NOW: &str = "2026-01-28T12:00:00Z";

fn project() -> Root {
    Root::open(fixtures().join("project")).expect("a project")
}

/// Whether a file with this extension is a return, and not what belongs to one.
fn is_return(extension: &OsStr) -> bool {
    ["json", "md", "yaml"].iter().any(|it| extension == *it)
}

/// The path of a fixture as a call in the folder of the fixtures names it.
fn below(path: &Path) -> Option<&Path> {
    path.strip_prefix(fixtures()).ok()
}

/// The returns in a folder of fixtures.
fn returns(folder: &str) -> Vec<PathBuf> {
    let files = WalkDir::new(fixtures().join(folder)).into_iter().flatten();
    let returns: Vec<_> = files
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(is_return))
        .collect();
    assert!(!returns.is_empty(), "{folder}");
    returns
}

/// The evidence that options name.
fn evidence(options: &str) -> Option<WorkEvidence> {
    let value = |name| {
        let mut words = options.split_whitespace().skip_while(|word| *word != name);
        words.nth(1)
    };
    let mode = value("--evidence").map(|mode| mode.parse().expect("a mode"));
    let (path, since) = (value("--transcript"), value("--since"));
    let is_on = path.is_some() || since.is_some() || mode == Some(EvidenceMode::Require);
    let runs = |path| {
        let file = fs::File::open(fixtures().join(path)).expect("a transcript");
        crate::clients::transcript::read(file).expect("a transcript").runs
    };
    is_on.then(|| WorkEvidence {
        record: path.map(|path| Record::Runs(runs(path))),
        agent_id: value("--agent-id").map(str::to_owned),
        since: since.map(instant),
        mode: mode.unwrap_or_default(),
        ..WorkEvidence::default()
    })
}

/// Checks a text as `retval check` does with `options`.
fn check<'t>(
    text: &'t [u8],
    profile: &'t Profile,
    (path, options): (Option<&'t Path>, &'t str),
    root: &'t Root,
) -> Report {
    let evidence = evidence(options);
    let mut words = options.split_whitespace();
    let (mut name, mut file) = (&*profile.id, path);
    let (mut config, mut given) = (Config::default(), Vec::new());
    let mut set: Vec<(&str, &str)> = Vec::new();
    while let Some(word) = words.next() {
        let is_alone = is_place(word) || word.starts_with("RETVAL_");
        let value = if is_alone || ["--extract", "--strict"].contains(&word) {
            ""
        } else {
            words.next().expect("a value")
        };
        set.push((word, value));
        if is_place(word) {
            file = Some(Path::new(word));
        }
        if word == "--config" {
            let file = fixtures().join(value);
            let text = fs::read_to_string(&file).expect("a configuration");
            let folder = file.parent().expect("a folder");
            config = Config::parse_in(&text, folder).expect("a configuration");
        }
        if word == "--given" {
            let (name, value) = value.split_once('=').expect("a pair");
            given.push((name.to_owned(), value.to_owned()));
        }
        if word == "--profile" {
            name = value;
        }
    }
    let mut own = config.profiles.iter().map(|own| &*own.profile);
    let own = own.find(|own| own.id == name);
    let chosen = own.or(Profile::named(name)).unwrap_or(profile);
    let rule = |id| Rule::named(id).expect("a rule");
    let mut checker = Checker::new(chosen, root).evidence(evidence.as_ref());
    checker.envelope = true;
    checker.expected.given = &given;
    checker.expected.now = Some(instant(NOW));
    for option in set {
        checker = match option {
            (
                "--profile" | "--transcript" | "--agent-id" | "--evidence" | "--rev" | "--config"
                | "--given",
                _,
            ) => checker,
            ("--extract", _) => checker.extract(true),
            ("--strict", _) => checker.strict(true),
            ("--session", id) => checker.session(id),
            ("--agent", name) => checker.agent(name),
            ("--group", name) => checker.group(name),
            ("--max-bytes", bytes) => checker.max_bytes(bytes.parse().expect("a number")),
            ("--rule", level) => {
                let (id, level) = level.split_once('=').expect("a level");
                checker.rule(rule(id), level.parse().expect("a level"))
            }
            ("--since", time) => {
                checker.expected.since = Some(instant(time));
                checker
            }
            (path, _) if is_place(path) => checker,
            (variable, _) if variable.starts_with("RETVAL_NOW=") => {
                checker.expected.now = Some(instant(&variable["RETVAL_NOW=".len()..]));
                checker
            }
            (unknown, _) => panic!("no fixture has {unknown}"),
        };
    }
    let stale_after = config.settings.values.stale_after;
    checker.expected.stale_after = stale_after.map(|it| it.0);
    let file = ReturnFile::new(file, instant(NOW));
    checker.check_file(text, file)
}

/// Whether a word of a call is the path of a return.
fn is_place(word: &str) -> bool {
    word.starts_with("specs/")
}

fn instant(time: &str) -> SystemTime {
    let instant: jiff::Timestamp = time.parse().expect("a time");
    instant.into()
}

/// A fixture with the options that lie next to it, and with the project's own place in it.
fn fixture(path: &Path) -> (Vec<u8>, String) {
    let bytes = fs::read(path).expect("a fixture");
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => text.replace("{root}", &place()).into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let options = fs::read_to_string(path.with_extension("options")).unwrap_or_default();
    (bytes, options)
}

fn place() -> String {
    fixtures().join("project").display().to_string()
}

/// Findings as the `.expected` files have them.
fn lines(report: &Report) -> String {
    let mut lines = String::new();
    for finding in &report.findings {
        let pointer = finding.pointer.as_deref().unwrap_or("-");
        let _ = writeln!(
            lines,
            "{}:{} {} {} {pointer} {}",
            finding.position.line,
            finding.position.column,
            finding.level.as_str(),
            finding.rule.id,
            finding.message()
        );
    }
    lines.replace(&place(), "{root}")
}

#[test]
fn findings_have_the_position_of_the_value_that_breaks_the_rule() {
    let root = project();
    for rule in RULES.iter().filter(|rule| is_of_files(rule)) {
        for path in returns(&format!("rules/{}/fail", rule.id)) {
            let (text, options) = fixture(&path);
            let report = check(&text, Profile::for_path(&path), (below(&path), &options), &root);
            let file = path.with_extension("expected");
            let expected = fs::read_to_string(&file).unwrap_or_else(|error| {
                let remedy = "UPDATE=1 cargo test --test corpus writes it";
                panic!("cannot read {}: {error}; {remedy}", file.display())
            });
            assert_eq!(lines(&report), expected, "{}", path.display());
            assert!(report.found(rule.id) > 0, "{}", path.display());
            assert!(report.counts.iter().all(|it| it.findings > 0));
            let of = |level| report.findings.iter().filter(move |it| it.level == level);
            assert_eq!(
                (report.failures, report.warnings),
                (of(Level::Error).count(), of(Level::Warning).count()),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn passing_examples_of_a_rule_are_valid() {
    let root = project();
    for rule in RULES {
        for path in returns(&format!("rules/{}/pass", rule.id)) {
            let (text, options) = fixture(&path);
            let report = check(&text, Profile::for_path(&path), (below(&path), &options), &root);
            assert!(report.is_valid(), "{}: {}", path.display(), lines(&report));
            assert_eq!(report.found(rule.id), 0, "{}", path.display());
        }
    }
}

#[test]
fn the_library_finds_nothing_in_profile_fixtures() {
    let root = project();
    for profile in PROFILES {
        for path in returns(&format!("profiles/{}", profile.id)) {
            let (text, _) = fixture(&path);
            let report = check(&text, profile, (None, ""), &root);
            let unexpected = report.findings.iter().find(|it| it.rule.id != "still-in-progress");
            assert!(unexpected.is_none(), "{}: {}", path.display(), lines(&report));
        }
    }
}

#[test]
fn an_example_breaks_its_rule_and_nothing_else() {
    let root = project();
    for rule in RULES.iter().filter(|rule| is_of_files(rule)) {
        let [fails, passes] = rule.examples();
        let folder = fixtures().join("standards");
        let config = Config::parse_in(fails.config, &folder).expect("a configuration");
        let own = config.profiles.first().map(|own| &*own.profile);
        let profile = own.or(Profile::named(fails.profile));
        let profile = profile.expect("a profile");
        let found = |example: &Example, more: &str| {
            let text = example.text.replace("{root}", &place());
            let options = format!("{} {more}", example.options);
            let report = check(text.as_bytes(), profile, (None, &options), &root);
            let mut rules: Vec<_> = report.findings.iter().map(|it| it.rule.id).collect();
            rules.dedup();
            rules
        };
        let mut broken = found(&fails, "");
        if rule.id == MISSING_RETURN {
            broken.retain(|rule| *rule != "json-syntax");
        }
        assert_eq!(broken, [rule.id]);
        // Nor is what is shown as in order written by another standard.
        let in_order = found(&passes, "--rule field-unknown=warning");
        assert!(in_order.is_empty(), "{}: {in_order:?}", rule.id);
    }
}

#[test]
fn a_finding_spans_what_it_points_at() {
    let root = project();
    for rule in RULES {
        for path in returns(&format!("rules/{}/fail", rule.id)) {
            let (text, options) = fixture(&path);
            let report = check(&text, Profile::for_path(&path), (below(&path), &options), &root);
            for finding in &report.findings {
                let (start, end) = (finding.position.offset, finding.end.offset);
                let (Some(pointer), Ok(document)) = (
                    finding.pointer.as_deref(),
                    serde_json::from_slice::<serde_json::Value>(&text),
                ) else {
                    continue;
                };
                if report.envelope.is_some() {
                    continue; // The pointer leads into the return, and the span is all of it.
                }
                let span = serde_json::from_slice(&text[start..end]);
                let span: serde_json::Value = span.expect("a value or a key");
                let key = pointer.rsplit('/').next().unwrap_or_default();
                let is_pointed_at = document.pointer(pointer) == Some(&span) || span == key;
                assert!(is_pointed_at, "{finding:?} spans {span}");
            }
        }
    }
}

#[test]
fn the_failed_return_for_broken_input_is_valid() {
    let root = project();
    for rule in RULES.iter().filter(|rule| is_of_files(rule)) {
        for path in returns(&format!("rules/{}/fail", rule.id)) {
            let (text, options) = fixture(&path);
            let strict = format!("{options} --strict");
            let report = check(&text, Profile::for_path(&path), (below(&path), &strict), &root);
            let verdict = Format::FailedReturn.render(&report, "-");
            let again = check(verdict.as_bytes(), &RETURN, (None, "--strict"), &root);
            assert!(again.is_valid(), "{verdict}{}", lines(&again));
        }
    }
}
