//! Step 4: the return answers the delegation that was made.

use crate::check::rules::age;
use crate::check::rules::own::{OwnDocument, Taken, first};
use crate::check::rules::session::{AGENT_MISMATCH, MISMATCH};
use crate::check::{Collector, Diagnostic, DiagnosticNote, Ran, values};
use crate::document::Form;
use crate::profile::standard::role::Piece;
use crate::profile::standard::words;
use crate::rule::{Rule, Step};
use crate::text::escape;

pub(crate) static GIVEN: Rule = Rule {
    id: "given-mismatch",
    message: "{name} is not the one that was given",
    help: "Fix {agent} subagent to return the {name} of its task",
    advice_to_agent: "Return the {name} of your task",
    ..Rule::of_standard(Step::Session)
};

pub(super) fn check(own: &OwnDocument<'_, '_>, collector: &mut Collector<'_, '_>) -> Ran {
    let context = collector.context;
    age::check(collector);
    let expected = &context.expected;
    if let Some((piece, wanted)) = wrong(own, &own.agent, expected.agent) {
        let values = values![found = &piece.text];
        let at = piece.at;
        let expected = [DiagnosticNote::Expected(escape::truncated(wanted))];
        collector.add(Diagnostic::new(&AGENT_MISMATCH, at, &values).notes(&expected));
    }
    let mut has_given = false;
    for (name, taken) in &own.given {
        let mut given = expected.given.iter();
        let Some((_, wanted)) = given.find(|(known, _)| known == name) else {
            continue;
        };
        has_given = true;
        if let Some((piece, wanted)) = wrong(own, taken, Some(wanted)) {
            let notes = DiagnosticNote::compared(wanted, &piece.text);
            let values = values![name = *name];
            let at = piece.at;
            collector.add(Diagnostic::new(&GIVEN, at, &values).notes(&notes));
        }
    }
    if let Some((piece, wanted)) = wrong(own, &own.session, expected.session) {
        let notes = DiagnosticNote::compared(wanted, &piece.text);
        let at = piece.at;
        collector.add(Diagnostic::new(&MISMATCH, at, &values![]).notes(&notes));
    }
    let mut given = expected.given.iter().map(|(name, _)| name);
    let unplaced = given.find(|name| own.given.iter().all(|(known, _)| known != name));
    match (&own.session, expected.session) {
        _ if let Some(name) = unplaced => {
            let name = escape::truncated(name);
            Ran::Skipped(format!("the profile has no place of `{name}`").into())
        }
        _ if has_given => Ran::Checked,
        (None, _) => Ran::Skipped("returns of this profile have no session ID".into()),
        (_, None) => Ran::Skipped("no --session was given".into()),
        (taken, _) if first(taken).is_none() => {
            Ran::Skipped("the return has no usable session ID".into())
        }
        _ => Ran::Checked,
    }
}

/// The text of a role that is not the expected one. In a text a remark may follow it.
fn wrong<'p, 'd, 't, 'e>(
    own: &OwnDocument<'_, '_>,
    taken: &'p Taken<'d, 't>,
    expected: Option<&'e str>,
) -> Option<(&'p Piece<'d, 't>, &'e str)> {
    let (piece, expected) = (first(taken)?, expected?);
    let is_text = own.standard.form == Form::Text && expected != words::ANY;
    let is_said = is_text && words::is_given(&piece.text, expected);
    (piece.text != expected && !is_said).then_some((piece, expected))
}
