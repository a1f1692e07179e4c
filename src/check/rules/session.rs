//! Step 4: the return belongs to the expected session and agent.

use std::path::Path;

use crate::check::report::StepOutcome;
use crate::check::rules::taken::{TakenValues, first};
use crate::check::rules::{members, return_file};
use crate::check::{Collector, Diagnostic, compared, values};
use crate::document::Form;
use crate::document::tree::Value;
use crate::profile::role::Piece;
use crate::profile::words;
use crate::profile::{Place, Profile, Shape};
use crate::rule::{Claimed, Level, Requirement, Rule, Step};
use crate::text::escape;

pub(super) static MISMATCH: Rule = Rule::error(Step::Session, "session-mismatch")
    .applies_to(Profile::returns_session)
    .says("Session ID mismatch")
    .helps("Fix {agent} subagent to return correct session_id")
    .advises("Return the session_id that your task gives you");

pub(super) static HANDOFF_SESSION: Rule = Rule::error(Step::Session, "handoff-session")
    .applies_to(Profile::is_handoff)
    .says("Session ID mismatch in the handoff")
    .advises("Write the session_id of your task");

pub(super) static FORMAT: Rule = Rule::warning(Step::Session, "session-format")
    .at(Level::Off)
    .applies_to(|it| it.requires(Requirement::SessionForm))
    .says("Session ID is not AGENT_TASK_TIMESTAMP_RANDOM: {found}")
    .helps("Give {agent} a session id like researcher_200_20251226T143022_abc123")
    .advises("Return the session id of your task");

pub(super) fn check(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) -> StepOutcome {
    let context = collector.context;
    agent(taken, collector);
    if context.profile.is_handoff() {
        group(collector, taken.document);
    }
    return_file::check_age(collector);
    if let (Some(found), false) = (first(&taken.session), context.profile.is_own()) {
        if collector.is_enabled(&FORMAT) && !has_form(&found.text) {
            collector.report(&FORMAT, found.at, &values![found = &found.text]);
        }
        delegated(collector, found);
    }
    let ran = match (&taken.session, context.expected.session) {
        (None, _) => StepOutcome::Skip("returns of this profile have no session ID".into()),
        (_, None) => StepOutcome::Skip("no --session was given".into()),
        (Some((role, _)), Some(expected)) => session(taken, role, expected, collector),
    };
    given(taken, collector, ran)
}

fn session(
    taken: &TakenValues<'_, '_>,
    role: &Place,
    expected: &str,
    collector: &mut Collector<'_, '_>,
) -> StepOutcome {
    let context = collector.context;
    let (is_handoff, is_own) = (context.profile.is_handoff(), context.profile.is_own());
    let (found, place) = (first(&taken.session), role.dotted());
    let skipped = |why: String| StepOutcome::Skip(why.into());
    let lacking: &[&Rule] = if is_handoff {
        // A handoff need not have one.
        &[&members::NOT_A_RETURN]
    } else {
        &[&members::NOT_A_RETURN, &members::MISSING, &members::TYPE]
    };
    match found {
        None if is_own => return skipped("the return has no usable session ID".to_owned()),
        None if is_handoff && is_in_folder(context.input.file.path, expected) => {
            return skipped(format!("{place} is missing, but a folder of the file is named so"));
        }
        // Step 2 fails it for that.
        None if collector.has_failed_by(lacking) => {
            return skipped(format!("the return has no usable {place}"));
        }
        _ => {}
    }
    if found.is_some_and(|it| is_it(context.profile.form, it, expected)) {
        return StepOutcome::Pass;
    }
    let notes = compared(expected, found.map_or("none", |it| &*it.text));
    let broken = if is_handoff { &HANDOFF_SESSION } else { &MISMATCH };
    let there = || role.path().find(taken.document).ok()?.first().copied();
    let at = found.map(|it| it.at).or_else(there);
    let at = at.unwrap_or_else(|| role.path().nearest_to(taken.document));
    collector.add(Diagnostic::new(broken, at, &[]).notes(notes));
    StepOutcome::Pass
}

fn is_in_folder(path: Option<&Path>, name: &str) -> bool {
    path.is_some_and(|path| path.iter().any(|folder| folder == name))
}

pub(super) static AGENT_MISMATCH: Rule = Rule::warning(Step::Session, "agent-mismatch")
    .applies_to(|it| it.roles.agent.is_some() && it.shape != Shape::Handoff)
    .says("Agent is {found}, expected {agent}")
    .advises("Return your own name");

pub(super) static HANDOFF_AGENT: Rule = Rule::error(Step::Session, "handoff-agent")
    .applies_to(Profile::is_handoff)
    .says("Handoff is from {found}, expected {agent}")
    .advises("Write your own name to from_agent");

fn agent(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) {
    let profile = collector.context.profile;
    if let (Some(expected), Some(found)) = (collector.context.expected.agent, first(&taken.agent))
        && !is_it(profile.form, found, expected)
    {
        let rule = if profile.is_handoff() { &HANDOFF_AGENT } else { &AGENT_MISMATCH };
        collector.report(rule, found.at, &values![found = &found.text]);
    }
}

/// Whether a session id is `AGENT_TASK_TIMESTAMP_RANDOM`. An agent's name may contain underscores.
fn has_form(id: &str) -> bool {
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(is_of_word);
    let parts: Vec<&str> = id.rsplitn(4, '_').collect();
    let [random, time, task, agent] = parts[..] else {
        return false;
    };
    // A date such as `20251226`, with or without a time such as `T143022`.
    let (date, time) = time.split_once('T').unwrap_or((time, "000000"));
    let is_number =
        |part: &str, digits| part.len() == digits && part.bytes().all(|it| it.is_ascii_digit());
    let is_time = is_number(date, 8) && is_number(time.trim_end_matches('Z'), 6);
    is_word(random) && is_time && is_word(task) && agent.split('_').all(is_word)
}

pub(super) static HANDOFF_GROUP: Rule = Rule::error(Step::Session, "handoff-group")
    .applies_to(Profile::is_handoff)
    .says("Group ID mismatch in the handoff")
    .advises("Write the group_id of your task");

fn group(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let context = collector.context;
    if let (Some(expected), Some(found)) = (context.expected.group, handoff.text_of("group_id"))
        && found != expected
    {
        let notes = compared(expected, found);
        collector.add(Diagnostic::new(&HANDOFF_GROUP, "group_id", &[]).notes(notes));
    }
}

pub(super) static UNDELEGATED: Rule = Rule::warning(Step::Session, "session-undelegated")
    .applies_to(Profile::returns_session)
    .claims(Claimed::Work, "the agent was given the session id")
    .says("Session ID was not given to the agent: {found} ({why})")
    .advises("Return the session_id of your own task");

fn delegated(collector: &mut Collector<'_, '_>, found: &Piece<'_, '_>) {
    let context = collector.context;
    let expected = context.expected.session;
    if let Some(subject) = context.subject().filter(|it| it.has_transcript())
        && expected.is_none_or(|it| it == found.text)
        && collector.is_enabled(&UNDELEGATED)
    {
        let given = subject.was_given(&found.text, expected.is_some());
        collector.assess(&UNDELEGATED, found.at.into(), (None, &found.text), &given);
    }
}

pub(super) static GIVEN: Rule = Rule::of_own_profile(Step::Session, "given-mismatch")
    .says("{name} is not the one that was given")
    .advises("Return the {name} of your task");

/// Compares the values that were given with the return. `ran` says what became of the session.
fn given(
    taken: &TakenValues<'_, '_>,
    collector: &mut Collector<'_, '_>,
    mut ran: StepOutcome,
) -> StepOutcome {
    let context = collector.context;
    for (name, wanted) in context.expected.given {
        let mut roles = taken.given.iter();
        let Some((name, role)) = roles.find(|(known, _)| known == name) else {
            let name = escape::truncated(name);
            ran = StepOutcome::Skip(format!("the profile has no field for `{name}`").into());
            continue;
        };
        if matches!(ran, StepOutcome::Skip(_)) {
            ran = StepOutcome::Pass;
        }
        let found = first(role).filter(|it| !is_it(context.profile.form, it, wanted));
        if let Some(found) = found {
            let notes = compared(wanted, &found.text);
            let values = values![name = *name];
            collector.add(Diagnostic::new(&GIVEN, found.at, &values).notes(notes));
        }
    }
    ran
}

/// Whether a text is the expected one. In a text a remark may follow it.
fn is_it(form: Form, found: &Piece<'_, '_>, expected: &str) -> bool {
    let is_text = form == Form::Text && expected != words::ANY;
    found.text == expected || is_text && words::is_given(&found.text, expected)
}
