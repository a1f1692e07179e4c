//! Reads what test runners say of their tests at the end of their output.
//!
//! Most runners count: `12 passed, 1 failed`, `Tests run: 5, Failures: 0`, `3 examples, 0 failures`. So a
//! line is read as numbers, each with the word after it or before it. Few runners need words of their
//! own.

use super::{Call, CallKind, JsonNode, TestCount, TestSummary};

/// How many bytes at the end of an output are read.
const TAIL: usize = 16 << 10;
/// The length of the longest line that is read, in bytes. Summaries are shorter.
const LINE_AT_MOST: usize = 512;

/// What a number may count, and the words for it. Other programs count errors, too, so these only count together
/// with tests.
const LABELS: [&str; 5] = [
    "test tests run runs example examples total specs",
    "passed passing pass succeeded success",
    "failed failing fail",
    "failure failures error errors cancelled invalid",
    "skipped skips skip pending ignored disabled excluded",
];
const RAN: usize = 0;
const PASSED: usize = 1;
const FAILED: usize = 2;
const ERROR: usize = 3;

const PHRASES: &[(&str, TestSummary)] = &[
    ("no tests ran", TestSummary::NoTests),
    ("no tests to run", TestSummary::NoTests),
    ("no test files", TestSummary::NoTests),
    ("no tests were found", TestSummary::NoTests),
    // Dart, and Perl's `prove`.
    ("all tests passed!", TestSummary::Passed),
    ("all tests successful.", TestSummary::Passed),
    ("100% tests passed", TestSummary::Passed),
];

/// Beginnings of lines that count tests without saying that any passed or failed.
const OPENINGS: [&str; 4] = ["ran ", "ok (", "done ", "test run with "];

/// Words of a line that says that something failed, if they are among its first ones.
const FAILURES: &str = "fail failed failure failures error errors err";
const FIRST_WORDS: usize = 3;

/// Notes what a test runner says in an output of a call. Of two copies, one may be cut.
pub(crate) fn note(call: &mut Call, output: &JsonNode) {
    let (summary, count) = of_command(call.kind, output).unzip();
    if summary > call.test_summary {
        (call.test_summary, call.test_count) = (summary, count.flatten());
    }
}

/// The summary in the output of a command, which is a string or a list of blocks with one. If it has several,
/// the worst one, but a run without tests counts less than one with tests. That tests passed is none if
/// another line says that something failed. The numbers are those of the only line that counts, or that counts tests
/// by that name.
pub(crate) fn of_command(
    kind: CallKind,
    output: &JsonNode,
) -> Option<(TestSummary, Option<TestCount>)> {
    let mut blocks = output.list().iter().rev();
    let text = output.text();
    let text = text.or_else(|| blocks.find_map(|block| block.get("text")));
    let text = text.filter(|_| kind == CallKind::Command)?;
    let start = text.floor_char_boundary(text.len().saturating_sub(TAIL));
    // The first line may have lost its beginning.
    let lines = text[start..].lines().skip(usize::from(start > 0));
    let lines = lines.filter(|line| line.len() <= LINE_AT_MOST && may_be_summary(line));
    let mut has_failures = false;
    let mut counts = Vec::new();
    let summaries = lines.filter_map(|line| {
        let line = lowercase(line);
        let summary = of_line(&line);
        has_failures |= summary.is_none() && says_failure(&line);
        counts.extend(summary.map(|_| (line.trim_start().starts_with("tests"), count_of(&line))));
        summary
    });
    let worst = summaries.max();
    let named = counts.iter().filter(|(is_named, _)| *is_named);
    let named: Vec<_> = named.map(|(_, count)| *count).collect();
    let count = match (&named[..], &counts[..]) {
        ([count], _) | (_, [(_, count)]) => *count,
        _ => None,
    };
    let worst = worst.filter(|it| *it != TestSummary::Passed || !has_failures)?;
    let is_of_it = |it: &TestCount| (it.failed > 0) == (worst == TestSummary::Failed);
    Some((worst, count.filter(is_of_it)))
}

/// The numbers of a line that says how many tests passed and failed, or ran and failed.
fn count_of(line: &str) -> Option<TestCount> {
    let [ran, passed, failed, errors, _] = counts_of(line);
    let failed = failed.or(errors).filter(|_| failed.is_none() || errors.unwrap_or(0) == 0);
    let failed = failed.unwrap_or_default();
    let ran = match passed {
        Some(passed) => passed.checked_add(failed)?,
        None => ran.filter(|ran| *ran >= failed)?,
    };
    Some(TestCount { failed, ran })
}

fn may_be_summary(line: &str) -> bool {
    let words = ["test", "(cached)", "FAIL", "Fail", "rror", "ERR"];
    line.trim_end() == "OK" || has_digit(line) || words.iter().any(|word| line.contains(word))
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

fn of_line(line: &str) -> Option<TestSummary> {
    let line = line.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    // Each phrase is about tests.
    let phrases = if line.contains("test") { PHRASES } else { &[] };
    let phrase = phrases.iter().find(|(phrase, _)| line.contains(phrase));
    let known = phrase.map(|(_, summary)| *summary);
    known.or_else(|| of_one(line)).or_else(|| of_counts(line))
}

/// Whether a line that is no summary says that something failed, not only the name of a test.
fn says_failure(line: &str) -> bool {
    let mut counts = counted(line).into_iter();
    if counts.any(|(label, number)| label == ERROR && number > 0) {
        return true;
    }
    let line = line.trim_start();
    let is_around = |it: char| it.is_whitespace() || "[]()!=,.".contains(it);
    let words = line.split(is_around).map(|word| word.trim_end_matches(':'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_none = |at: usize| matches!(words.get(at), Some(&("0" | "no")));
    let is_failure = |at: usize| {
        let is_it = |word: &&str| FAILURES.split(' ').any(|known| known == *word);
        let is_known = words.get(at).is_some_and(is_it);
        is_known && !is_none(at + 1) && !at.checked_sub(1).is_some_and(is_none)
    };
    !line.starts_with(['✓', '✔', '√']) && (0..FIRST_WORDS).any(is_failure)
}

/// The text in lower case, without the escape sequences that set its colors.
fn lowercase(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let first = parts.next().unwrap_or_default();
    let is_last = |letter: char| letter.is_ascii_alphabetic();
    let rest = parts.map(|part| part.split_once(is_last).map_or("", |(_, after)| after));
    let plain: String = std::iter::once(first).chain(rest).collect();
    plain.to_ascii_lowercase()
}

/// The result of one test or package, in lines of TAP and Go.
fn of_one(line: &str) -> Option<TestSummary> {
    let mut words = line.split_whitespace();
    let is_number = |word: &str| word.parse::<u64>().is_ok();
    let is_time = |word: &str| {
        let seconds = word.strip_suffix('s').unwrap_or_default();
        word == "(cached)" || seconds.parse::<f64>().is_ok()
    };
    match [(); 3].map(|()| words.next().unwrap_or_default()) {
        ["ok", number, _] if is_number(number) => {
            Some(if line.contains("# skip") { TestSummary::NoTests } else { TestSummary::Passed })
        }
        ["not", "ok", number] if is_number(number) => Some(TestSummary::Failed),
        // How Python's `unittest` ends.
        ["ok", "", _] => Some(TestSummary::Passed),
        ["failed", results, _] if results.starts_with('(') => Some(TestSummary::Failed),
        ["ok", _, time] if is_time(time) => Some(TestSummary::Passed),
        ["pass:", test, _] if test.starts_with("test") => Some(TestSummary::Passed),
        ["fail:", test, _] if test.starts_with("test") => Some(TestSummary::Failed),
        _ => None,
    }
}

fn counts_of(line: &str) -> [Option<u64>; LABELS.len()] {
    let mut counts: [Option<u64>; LABELS.len()] = Default::default();
    for (label, number) in counted(line) {
        let count = &mut counts[label];
        *count = Some(count.unwrap_or_default().saturating_add(number));
    }
    counts
}

/// The summary that the numbers of a line give.
fn of_counts(line: &str) -> Option<TestSummary> {
    let [ran, passed, failed, errors, skipped] = counts_of(line);
    let is_run = OPENINGS.iter().any(|opening| line.starts_with(opening));
    let is_counted = is_run || failed.or(errors).or(skipped).is_some();
    let ran = ran.filter(|_| is_counted);
    let ran = ran.map(|ran| ran.saturating_sub(skipped.unwrap_or_default()));
    let passed = passed.or(ran);
    // How they ended is said in another line.
    let is_told = !line.starts_with("ran ") || failed.or(errors).is_some();
    let errors = errors.filter(|_| passed.is_some());
    let is_some = |count: Option<u64>| count.is_some_and(|count| count > 0);
    match passed {
        _ if is_some(failed) || is_some(errors) => Some(TestSummary::Failed),
        Some(0) => Some(TestSummary::NoTests),
        Some(_) => is_told.then_some(TestSummary::Passed),
        None => is_some(skipped).then_some(TestSummary::NoTests),
    }
}

/// The numbers of a line, with the places of what they count among the labels.
fn counted(line: &str) -> Vec<(usize, u64)> {
    let of_clause = |words: Vec<&str>| {
        let counts = words.iter().enumerate().filter_map(|(at, word)| {
            let number = word.split('/').next().unwrap_or(word).parse();
            Some((label_at(&words, at)?, number.ok()?))
        });
        counts.collect::<Vec<_>>()
    };
    clauses(line).flat_map(of_clause).collect()
}

/// The words of each clause of a line that has a number.
fn clauses(line: &str) -> impl Iterator<Item = Vec<&str>> {
    let clauses = line.split([',', ';', '|', '(', ')', '[', ']', '"']);
    clauses.filter(|clause| has_digit(clause)).map(|clause| {
        let words = clause.split([' ', '\t', ':', '=', '#', '│']);
        let words = words.map(|word| word.trim_end_matches(['.', '!']));
        words.filter(|word| !word.is_empty()).collect()
    })
}

/// What the number at this place counts: `3 passed`, `3 tests passed`, `pass 3`.
fn label_at(words: &[&str], at: usize) -> Option<usize> {
    let label = |at: usize| {
        let word = words.get(at)?;
        (LABELS.iter()).position(|label| label.split(' ').any(|known| known == *word))
    };
    match (label(at + 1), label(at + 2)) {
        (Some(RAN), Some(result @ (PASSED | FAILED))) => Some(result),
        (Some(next), _) => Some(next),
        (None, _) => at.checked_sub(1).and_then(label),
    }
}
