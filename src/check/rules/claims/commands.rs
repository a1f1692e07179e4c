//! Step 6, only with evidence: the agent ran the commands that its return names, and they ended as it says.

use crate::check::Collector;
use crate::check::rules::assessed::AssessedClaim;
use crate::evidence::{Subject, shell};
use crate::form::Form;
use crate::profile::standard::outcome::ClaimedOutcome;
use crate::profile::standard::piece::Piece;
use crate::profile::standard::role::ClaimedTexts;
use crate::profile::standard::{RoleMember, nothing, paths};
use crate::rule::{Claimed, Example, Rule, Step, ToAgent};

/// Most commands of one return that are looked for.
const COMMANDS_AT_MOST: usize = 200;

/// A report of checks, for examples.
const CHECKS: &str = r#"[profiles.own]
at.commands = { each = "/checks/*", command = "command", outcome = "result" }
"#;

/// The same return for both.
const fn with_each(checks: &'static str, fails: &'static str, passes: &'static str) -> Example {
    Example::of_standard(CHECKS, checks, checks).with_each(fails, passes)
}

pub(crate) static NOT_RUN: Rule = Rule {
    id: "command-not-run",
    claim: Some((Claimed::Declared, "the agent ran the command")),
    message: "Command did not run: {found} ({why})",
    help: "Have {agent} run the command, or leave it out",
    message_to_agent: ToAgent::Words("You did not run {found}: {why}"),
    advice_to_agent: "Run the command, or leave it out",
    explanation: "Reported only with evidence: the complete record of the agent has no call that ran the \
                  command or may have. A command with a word of it, a script or program that is not \
                  known, a tool of a server and another agent may have run it. If the return says of its \
                  end what is no known outcome, such as \"not run\", nothing is reported.",
    example: with_each(
        r#"{"checks": [{"command": "npm run lint", "result": "pass"}]}"#,
        "--transcript sessions/reads-tides.jsonl --agent-id a1",
        "--transcript sessions/runs-a-command.jsonl --agent-id a1",
    ),
    ..Rule::of_standard(Step::Artifacts)
};

pub(crate) static CONTRADICTED: Rule = Rule {
    id: "command-contradicted",
    claim: Some((Claimed::Declared, "the command ended so")),
    message: "Command ended otherwise: {found} ({why})",
    help: "Have {agent} return how the command ended",
    message_to_agent: ToAgent::Words("You say otherwise how {found} ended: {why}"),
    advice_to_agent: "Run the command again, and return how it ends",
    explanation: "Reported only with evidence: the agent ran the command, and the last time it ended \
                  otherwise than the return says. Commands are compared as they are written, without \
                  redirections and a cd in front. Outcomes are pass, passed, ok, success, a check mark, \
                  fail, failed, error, a cross and exit codes; other words are not compared. If the status \
                  is hidden, as by a pipe, the summary of a known test runner counts, or nothing.",
    example: with_each(
        r#"{"checks": [{"command": "cargo test", "result": "pass"}]}"#,
        "--transcript sessions/tests-fail.jsonl --agent-id a1",
        "--transcript sessions/writes-code-and-tests.jsonl --agent-id a1",
    ),
    ..Rule::of_standard(Step::Artifacts)
};

/// Compares the commands of a return with the record of the agent.
pub(in crate::check::rules) fn check(
    collector: &mut Collector<'_, '_>,
    claims: &[ClaimedTexts<'_>],
    form: Form,
    none: &[String],
) {
    let subject = collector.context.subject().filter(|it| it.has_transcript());
    let Some(subject) = subject else { return };
    for claim in claims.iter().take(COMMANDS_AT_MOST) {
        if let Some(command) = NamedCommand::of(claim, form, none) {
            collect(collector, subject, &command);
        }
    }
}

fn collect<'c>(
    collector: &mut Collector<'_, '_>,
    subject: &Subject<'_>,
    command: &'c NamedCommand<'_, '_>,
) {
    let assessed = subject.ran(command.text, command.outcome);
    let of =
        |rule, piece: &'c Piece<'_>| AssessedClaim::new(rule, &piece.pointer).found(command.text);
    of(&NOT_RUN, command.piece).collect(collector, &assessed.ran);
    if let Some(ended) = &assessed.ended {
        of(&CONTRADICTED, command.end).collect(collector, ended);
    }
}

/// The words of a text, in lower case.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|it: char| !it.is_alphabetic() && it != '\'');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether what stands before a command says no more than that it ran.
fn says_ran(before: &str) -> bool {
    const RAN: [&str; 6] = ["ran", "executed", "command", "commands", "with", "and"];
    words_of(before).all(|word| RAN.contains(&&*word))
}

/// Whether what stands before a command may say that it did not run, is to run, or ran at another time.
fn says_not_now(before: &str) -> bool {
    const NOT: &str = "not no none never cannot unable without skipped instead please should must \
                       would could can to recommend suggest next before previously todo";
    words_of(before).any(|word| NOT.split(' ').any(|not| not == word) || word.ends_with("n't"))
}

/// Whether a text in backticks is certainly more than the name of a file, a value or a function.
fn is_command_line(text: &str) -> bool {
    let (program, rest) = text.split_once(' ').unwrap_or((text, ""));
    let is_program = !program.contains(|it: char| it == '(' || it == ')' || it.is_uppercase());
    let is_script = program.starts_with("./") || program.contains('=');
    is_script || is_program && !rest.is_empty() || !shell::scan(text).tests.is_empty()
}

/// A command that a return names.
struct NamedCommand<'p, 't> {
    text: &'p str,
    outcome: Option<ClaimedOutcome>,
    piece: &'p Piece<'t>,
    /// Where its end stands.
    end: &'p Piece<'t>,
}

impl<'p, 't> NamedCommand<'p, 't> {
    /// None if the claim names no command, or does not say that it ran.
    fn of(claim: &'p ClaimedTexts<'t>, form: Form, none: &[String]) -> Option<Self> {
        let piece = claim.whole_or(RoleMember::Command)?;
        let exit = claim.get(RoleMember::Exit);
        let end = exit.or_else(|| claim.get(RoleMember::Outcome));
        let (before, text, rest) = match paths::first_code_span(&piece.source) {
            Some(parts) if form == Form::Text => parts,
            // Prose names no command that can be looked for.
            _ if form == Form::Text && claim.get(RoleMember::Whole).is_some() => return None,
            _ => ("", &*piece.text, ""),
        };
        if text.trim().is_empty() || nothing::is_none(text, none) {
            return None;
        }
        let said = end.map_or(rest, |end| &*end.text);
        let is_mark = |it: char| it.is_whitespace() || ":-=>\u{2014}\u{2013}\u{2192}|".contains(it);
        let said = said.trim_matches(is_mark);
        let mark =
            Some(before.trim_matches(is_mark)).filter(|it| !it.contains(char::is_alphanumeric));
        // In a text, a number may be what the command printed.
        let is_status = exit.is_some() || end.is_some() && form != Form::Text;
        let status = said.parse().ok().filter(|_| is_status);
        let status = status.map(ClaimedOutcome::Status);
        let outcome = match mark {
            Some(mark) if said.is_empty() => ClaimedOutcome::read(mark),
            _ => status.or_else(|| ClaimedOutcome::read(said)),
        };
        // Values and names are in backticks, too.
        let is_named = end.is_some() || form != Form::Text || is_command_line(text);
        let is_open = said.is_empty() && (form != Form::Text || text.contains(' '));
        let is_claim = is_named && (outcome.is_some() || is_open && says_ran(before));
        (is_claim && !says_not_now(before)).then(|| Self {
            text: text.trim(),
            outcome,
            piece,
            end: end.unwrap_or(piece),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_from_names_and_from_words_that_it_did_not_run() {
        for before in [
            "could not run ",
            "Didn't run ",
            "I recommend ",
            "To verify, run ",
        ] {
            assert!(says_not_now(before), "{before}");
        }
        for before in ["- ", "1. Ran ", "Unit tests: ", "✅ "] {
            assert!(!says_not_now(before), "{before}");
        }
        for line in [
            "cargo test",
            "./ci.sh",
            "pytest",
            "CI=1 npm run lint",
            "git status",
        ] {
            assert!(is_command_line(line), "{line}");
        }
        for name in [
            "sign(user)",
            "src/auth/login.ts",
            "DONE",
            "GET /login",
            "users",
            "sign(user, x)",
        ] {
            assert!(!is_command_line(name), "{name}");
        }
        assert!(says_ran("- Ran ") && says_ran("") && !says_ran("Unit tests: "));
    }
}
