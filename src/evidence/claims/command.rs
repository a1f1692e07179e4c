//! Whether the agent ran a command that its return names, and how it ended.

use crate::clients::run::{Call, CallKind, Outcome, Run, TestSummary};
use crate::evidence::call_label::{CallLabel, used};
use crate::evidence::reason::EvidenceReason;
use crate::evidence::shell;
use crate::evidence::subject::Subject;
use crate::evidence::tested::{by_output, summary_of};
use crate::evidence::value::Assessment;
use crate::profile::standard::outcome::ClaimedOutcome;

/// What the record of the agent says of a command.
pub(crate) struct AssessedCommand {
    pub(crate) ran: Assessment,
    /// Whether it ended as the return says. None if that says nothing of its end.
    pub(crate) ended: Option<Assessment>,
}

/// How a call relates to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// The call ran it, and nothing that hides its status.
    Ran,
    /// The call ran it, and its output went through a filter.
    Filtered,
    /// The call may have run it.
    Maybe,
    None,
}

const INCOMPLETE: &str = "the record may lack the call";

impl Subject<'_> {
    /// Whether the agent ran a command, and whether it ended as the return says.
    pub(crate) fn ran(&self, command: &str, outcome: Option<ClaimedOutcome>) -> AssessedCommand {
        let run = match self.run() {
            Ok(run) => run,
            Err(why) => return AssessedCommand::unknown(why.into(), outcome),
        };
        let wanted = plain(command);
        let script = shell::scan_with(&wanted, &self.evidence.test_runners);
        let reads = !script.may_write && script.changes.is_empty();
        let relations: Vec<Relation> = (run.calls.iter())
            .map(|call| match call.kind {
                // A tool may do what a command that reads does, or tell how one goes on.
                CallKind::ReadOnly if reads || &*call.name == "BashOutput" => Relation::Maybe,
                _ => relation(call, &wanted, &self.evidence.test_runners),
            })
            .collect();
        let last = |is: fn(&Relation) -> bool| relations.iter().rposition(is);
        let ran = last(|it| matches!(it, Relation::Ran | Relation::Filtered));
        let maybe = last(|it| *it == Relation::Maybe);
        let label = |at| CallLabel::new(run, at);
        let Some(at) = ran else {
            let gap = match maybe.map(label) {
                Some(call) => {
                    EvidenceReason::of(format!("it may be a part of what {call} ran"), call)
                }
                None if !run.is_complete() => INCOMPLETE.into(),
                None => {
                    let used = used(run);
                    let reason = EvidenceReason::from(format!("no call ran it; the agent {used}"));
                    let to_agent = format!("no call of yours ran it; you {used}");
                    let ran = Assessment::contradicted(reason.or_to_agent(to_agent));
                    return AssessedCommand { ran, ended: None };
                }
            };
            return AssessedCommand::unknown(gap, outcome);
        };
        let call = label(at);
        let ran = Assessment::shown(EvidenceReason::of(format!("it ran, {call}"), call));
        let again = maybe.filter(|maybe| *maybe > at).map(label);
        let ended = outcome.map(|outcome| self.ended(run, (at, relations[at]), outcome, again));
        AssessedCommand { ran, ended }
    }

    fn ended(
        &self,
        run: &Run,
        (at, relation): (usize, Relation),
        outcome: ClaimedOutcome,
        again: Option<CallLabel>,
    ) -> Assessment {
        let call = &run.calls[at];
        let label = CallLabel::new(run, at);
        let unknown = |text| Assessment::unknown(EvidenceReason::of(text, label.clone()));
        let status = match relation {
            Relation::Ran => status(call),
            _ => None,
        };
        let summary = || by_output(call, &self.evidence.test_runners);
        let has_passed = match (status, relation) {
            (Some(status), _) => status == 0,
            (None, Relation::Filtered) => match summary() {
                Some(TestSummary::Passed) => true,
                Some(TestSummary::Failed) => false,
                _ => return unknown(format!("the status of {label} is that of several commands")),
            },
            _ => return unknown(format!("the record does not tell how {label} ended")),
        };
        let is_so = match (outcome, status) {
            (ClaimedOutcome::Status(claimed), Some(status)) => claimed == status,
            (ClaimedOutcome::Status(claimed), None) => (claimed == 0) == has_passed,
            (ClaimedOutcome::Passed, _) => has_passed,
            (ClaimedOutcome::Failed, _) => !has_passed,
        };
        if is_so {
            let text = format!("it ended so, {label}");
            return Assessment::shown(EvidenceReason::of(text, label));
        }
        let is_by_status = matches!(outcome, ClaimedOutcome::Status(_));
        let program = plain(call.command.as_deref().unwrap_or_default());
        if !is_by_status && ANSWERS.iter().any(|it| begins_with(&program, it)) {
            return unknown(format!(
                "the status of such a program is an answer, {label}"
            ));
        }
        // Many programs print what is wrong and end with status 0.
        let has_shown =
            || summary_of(call, &self.evidence.test_runners) == Some(TestSummary::Passed);
        if !is_by_status && has_passed && !has_shown() {
            return unknown(format!(
                "{label} ended with status 0, and may have failed all the same"
            ));
        }
        if let Some(again) = again {
            let text = format!("{again} may have run it again");
            return Assessment::unknown(EvidenceReason::of(text, again));
        }
        if !run.is_complete() {
            return Assessment::unknown(INCOMPLETE);
        }
        let how = match status {
            Some(status) if status != 0 => &format!("ended with status {status}"),
            _ if has_passed => "succeeded",
            _ => "failed",
        };
        let text = format!("it {how} the last time that it ran, {label}");
        Assessment::contradicted(EvidenceReason::of(text, label))
    }
}

/// The status that a call ended with. None if it is not certain.
fn status(call: &Call) -> Option<i64> {
    let code = call.exit_code;
    match call.outcome {
        _ if call.background => None,
        Outcome::Succeeded => code.or(Some(0)),
        Outcome::Failed => code.filter(|code| *code != 0),
        _ => None,
    }
}

fn relation(call: &Call, wanted: &str, runners: &[String]) -> Relation {
    match (call.kind, &call.command) {
        _ if call.outcome == Outcome::Rejected => Relation::None,
        (CallKind::Command, Some(command)) => of_command(command, wanted, runners),
        (CallKind::Command | CallKind::Other | CallKind::Delegate, _) => Relation::Maybe,
        _ => Relation::None,
    }
}

fn of_command(command: &str, wanted: &str, runners: &[String]) -> Relation {
    let own = plain(command);
    if own == wanted {
        return if hides_status(&own) {
            Relation::Filtered
        } else {
            Relation::Ran
        };
    }
    if let Some(own) = unfiltered(&own)
        && own == wanted
    {
        return Relation::Filtered;
    }
    if may_be_same(&own, wanted) {
        return Relation::Maybe;
    }
    let mut harmless = BUILDERS.split(", ");
    if !hides_status(&own) && harmless.any(|it| begins_with(&own, it)) {
        return Relation::None;
    }
    // Only a program that is not known, or that runs tasks of a project, may run it under another name.
    let script = shell::scan_with(command, runners);
    let is_test = !script.tests.is_empty()
        && script.tests.iter().all(|test| test.is_alone)
        && !TASKS.split(", ").any(|it| begins_with(&own, it));
    if script.may_write && !is_test {
        Relation::Maybe
    } else {
        Relation::None
    }
}

/// Commands that build or check code, and run no other commands of a project that a return would name.
const BUILDERS: &str = "cargo build, cargo check, cargo clippy, cargo fmt, cargo doc, go build, \
    go vet, gofmt, tsc, npx tsc, eslint, npx eslint, prettier, npx prettier, ruff, mypy, black, \
    rustfmt, git add, git push";

/// Programs that run other programs for a task of a project.
const TASKS: &str = "make, gmake, just, task, rake, tox, nox, npm, pnpm, yarn, bun, deno, composer, \
    gradle, ./gradlew, mvn, ./mvnw, ant, sbt, mix, bazel, invoke, inv, hatch, pdm, poetry, uv, mise, nx, \
    turbo, lerna, grunt, gulp, dotnet, swift, flutter";

fn begins_with(command: &str, words: &str) -> bool {
    let rest = command.strip_prefix(words);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Whether a command line may be another spelling of a command, or contain it: it has the program, and
/// another word of the command, if that has several. A word may have more letters, as `gradlew` has.
fn may_be_same(command: &str, wanted: &str) -> bool {
    let own = words(command);
    let wanted = words(launched(wanted));
    let has = |word: &str| {
        own.iter()
            .any(|own| own.contains(word) || word.starts_with(own))
    };
    let Some((first, rest)) = wanted.split_first() else {
        return false;
    };
    has(first) && (rest.is_empty() || rest.iter().any(|word| has(word)))
}

fn words(text: &str) -> Vec<&str> {
    let words = text.split(|it: char| !it.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect()
}

/// What a command line starts by another program: `pytest` of `python -m pytest`.
fn launched(command: &str) -> &str {
    const LAUNCHERS: [&str; 7] = [
        "python -m ",
        "python3 -m ",
        "npx ",
        "uv run ",
        "poetry run ",
        "bundle exec ",
        "time ",
    ];
    let mut rests = LAUNCHERS.iter().filter_map(|it| command.strip_prefix(it));
    rests.next().unwrap_or(command)
}

/// Whether the status of a command line may not be that of all its commands.
fn hides_status(command: &str) -> bool {
    command.contains(['|', ';', '\n', '!', '('])
        || command.replace("&&", "").replace(">&", "").contains('&')
}

/// Programs whose status answers a question, and tells of no failure.
const ANSWERS: [&str; 14] = [
    "grep", "egrep", "rg", "ag", "diff", "cmp", "test", "[", "git diff", "git grep", "pgrep",
    "which", "command", "ls",
];

/// Redirections that change nothing of the status.
const REDIRECTIONS: [&str; 5] = ["2>&1", "2>/dev/null", "&>/dev/null", ">/dev/null", "1>&2"];

/// Programs that pass on what they read, or a part of it.
const FILTERS: [&str; 5] = ["tail", "head", "grep", "tee", "cat"];

/// A command line in the form in which two of them are compared: without a prompt, redirections that change
/// nothing, and a `cd` in front.
fn plain(command: &str) -> String {
    let command = command
        .trim()
        .trim_start_matches(['$', '>', '%', '`'])
        .trim_matches(['`', ' ']);
    let words = command
        .split_whitespace()
        .filter(|word| !REDIRECTIONS.contains(word));
    let text = words.collect::<Vec<_>>().join(" ");
    let text = text.trim_end_matches([';', ' ']);
    match text
        .strip_prefix("cd ")
        .and_then(|rest| rest.split_once(" && "))
    {
        Some((folder, rest)) if !folder.contains([' ', ';', '|', '&']) => rest.to_owned(),
        _ => text.to_owned(),
    }
}

/// A command line without the filter that its output goes through.
fn unfiltered(command: &str) -> Option<&str> {
    let (own, filters) = command.split_once('|')?;
    let mut filters = filters
        .split('|')
        .map(|it| it.split_whitespace().next().unwrap_or_default());
    let is_plain = !own.contains([';', '&', '|', '\n']) && !command.contains([';', '&', '\n']);
    (is_plain && filters.all(|it| FILTERS.contains(&it))).then(|| own.trim_end())
}

impl AssessedCommand {
    fn unknown(why: EvidenceReason, outcome: Option<ClaimedOutcome>) -> Self {
        let ran = Assessment::unknown(why);
        let ended = outcome.map(|_| ran.clone());
        Self { ran, ended }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn related(recorded: &str, claimed: &str) -> Relation {
        of_command(recorded, &plain(claimed), &[])
    }

    #[test]
    fn a_command_is_known_by_its_words() {
        for recorded in [
            "cargo test",
            "cd /srv/x && cargo test 2>&1",
            " cargo  test ;",
        ] {
            assert_eq!(
                related(recorded, "$ cargo test"),
                Relation::Ran,
                "{recorded}"
            );
        }
        for recorded in [
            "cargo test 2>&1 | tail -5",
            "cargo test | grep passed | head",
        ] {
            assert_eq!(
                related(recorded, "cargo test"),
                Relation::Filtered,
                "{recorded}"
            );
        }
        assert_eq!(
            related("cargo test | tail", "cargo test | tail"),
            Relation::Filtered
        );
    }

    #[test]
    fn what_may_run_a_command_is_told_from_what_cannot() {
        for recorded in [
            "cargo test --lib",
            "./ci.sh",
            "make -C x",
            "npm test && ./x.sh",
        ] {
            assert_eq!(
                related(recorded, "cargo test"),
                Relation::Maybe,
                "{recorded}"
            );
        }
        for (recorded, claimed) in [
            ("pytest -q", "python -m pytest -q"),
            ("./gradlew test", "gradle test"),
            ("cargo nextest run", "cargo test"),
            ("tsc --noEmit", "npx tsc"),
            ("make test", "cargo test"),
            ("cargo t", "cargo test"),
            ("npm t", "npm test"),
            ("tox", "pytest"),
            ("rake spec", "rspec"),
            ("composer test", "phpunit"),
        ] {
            assert_eq!(related(recorded, claimed), Relation::Maybe, "{recorded}");
        }
        for recorded in ["ls -la", "cat README.md | head -3", "git status"] {
            assert_eq!(
                related(recorded, "cargo build"),
                Relation::None,
                "{recorded}"
            );
        }
        assert_eq!(related("cargo test", "npm run lint"), Relation::None);
        assert_eq!(
            related("cargo build --release", "cargo test"),
            Relation::None
        );
    }
}
