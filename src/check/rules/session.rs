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
use crate::profile::{Need, Place, Profile, Shape};
use crate::rule::{Claimed, Level, Requirement, Rule, Step, ToAgent};
use crate::text::escape;

pub(super) static MISMATCH: Rule = Rule {
    id: "session-mismatch",
    applies: Profile::returns_session,
    message: "Session ID mismatch",
    help: "Fix {agent} subagent to return correct session_id",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Return the session_id that your task gives you",
    ..Rule::error(Step::Session)
};

pub(super) static HANDOFF_SESSION: Rule = Rule {
    id: "handoff-session",
    applies: Profile::is_handoff,
    message: "Session ID mismatch in the handoff",
    help: "Fix {agent} subagent to write the session_id of its task",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write the session_id of your task",
    ..Rule::error(Step::Session)
};

pub(super) fn check(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) -> StepOutcome {
    let context = collector.context;
    agent(taken, collector);
    if context.profile.is_handoff() {
        group(collector, taken.document);
    }
    return_file::check_age(collector);
    if let (Some(found), false) = (first(&taken.session), context.profile.is_own()) {
        format(collector, found);
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
    let found = first(&taken.session);
    if found.is_none() {
        if is_own {
            return StepOutcome::Skip("the return has no usable session ID".into());
        }
        let place = role.dotted();
        if fails_without(collector, role, taken.document) {
            return StepOutcome::Skip(format!("the return has no usable {place}").into());
        }
        if is_handoff && is_placed(context.input.file.path, expected) {
            return StepOutcome::Skip(
                format!("{place} is missing, but the path names the session").into(),
            );
        }
    }
    if found.is_some_and(|it| is_it(context.profile.form, it, expected)) {
        return StepOutcome::Pass;
    }
    let mut notes = compared(expected, found.map_or("none", |it| &*it.text));
    if let Some(source) = context.expected.session_source {
        notes[0].extend([" (", source, ")"]);
    }
    let broken = if is_handoff {
        &HANDOFF_SESSION
    } else {
        &MISMATCH
    };
    let there = || role.path().find(taken.document).ok()?.first().copied();
    let at = found.map(|it| it.at).or_else(there);
    let at = at.unwrap_or_else(|| role.path().nearest_to(taken.document));
    collector.add(Diagnostic::new(broken, at, &[]).notes(notes));
    StepOutcome::Pass
}

/// Whether step 2 fails a return that has no usable member at this place: it has another type, or it is required,
/// as all objects around it are.
fn fails_without(collector: &Collector<'_, '_>, role: &Place, document: Value<'_, '_>) -> bool {
    let member = role.dotted();
    let found = role.path().find(document).unwrap_or_default();
    let around = role.path().nearest_to(document);
    let ends = member.match_indices('.').map(|it| it.0);
    let is_required = ends.chain([member.len()]).all(|end| {
        let mut required = collector.context.profile.fields_with(Need::Required);
        required.any(|path| path == &member[..end])
    });
    let is_wrong = match found.first() {
        Some(found) => !found.is_null(),
        None => !around.is_object() && !around.is_null(),
    };
    is_wrong && collector.fails(&members::TYPE)
        || !is_wrong && is_required && collector.fails(&members::MISSING)
}

/// Whether the path of a handoff file names the session, as the protocol's own paths do.
fn is_placed(path: Option<&Path>, session: &str) -> bool {
    let path = path.map(Path::to_string_lossy).unwrap_or_default();
    let is_end = |rest: Option<char>| rest.is_none_or(|next| !next.is_alphanumeric());
    path.match_indices(session).any(|(at, _)| {
        let (before, after) = (&path[..at], &path[at + session.len()..]);
        is_end(before.chars().next_back()) && is_end(after.chars().next())
    })
}

pub(super) static AGENT_MISMATCH: Rule = Rule {
    id: "agent-mismatch",
    applies: |it| it.roles.agent.is_some() && it.shape != Shape::Handoff,
    message: "Agent is {found}, expected {agent}",
    help: "Fix {agent} subagent to return its own name",
    message_to_agent: ToAgent::Words("Your agent_type is {found}, expected {agent}"),
    advice_to_agent: "Return your own name",
    ..Rule::warning(Step::Session)
};

pub(super) static HANDOFF_AGENT: Rule = Rule {
    id: "handoff-agent",
    applies: Profile::is_handoff,
    message: "Handoff is from {found}, expected {agent}",
    help: "Fix {agent} subagent to write its own name to from_agent",
    advice_to_agent: "Write your own name to from_agent",
    ..Rule::error(Step::Session)
};

fn agent(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) {
    let profile = collector.context.profile;
    let (Some(expected), Some(found)) = (collector.context.expected.agent, first(&taken.agent))
    else {
        return;
    };
    if !is_it(profile.form, found, expected) {
        let rule = match profile.shape {
            Shape::Handoff => &HANDOFF_AGENT,
            _ => &AGENT_MISMATCH,
        };
        collector.report(rule, found.at, &values![found = &found.text]);
    }
}

pub(super) static FORMAT: Rule = Rule {
    id: "session-format",
    level: Level::Off,
    applies: |it| it.requires(Requirement::SessionForm),
    message: "Session ID is not AGENT_TASK_TIMESTAMP_RANDOM: {found}",
    help: "Give {agent} a session id like researcher_200_20251226T143022_abc123",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Return the session id of your task",
    ..Rule::warning(Step::Session)
};

fn format(collector: &mut Collector<'_, '_>, found: &Piece<'_, '_>) {
    if collector.is_enabled(&FORMAT) && !has_form(&found.text) {
        collector.report(&FORMAT, found.at, &values![found = &found.text]);
    }
}

/// Whether a session id is `AGENT_TASK_TIMESTAMP_RANDOM`. It is split from its end, because an agent's
/// name may contain underscores.
fn has_form(id: &str) -> bool {
    let mut parts = id.rsplitn(4, '_');
    let is_word = |part: &str| {
        let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        !part.is_empty() && part.bytes().all(is_of_word)
    };
    let random = parts.next().is_some_and(is_word);
    let time = parts.next().is_some_and(is_compact_time);
    let task = parts.next().is_some_and(is_word);
    let agent = parts
        .next()
        .is_some_and(|agent| agent.split('_').all(is_word));
    random && time && task && agent
}

/// Whether a text is a date such as `20251226`, with or without a time such as `T143022`.
fn is_compact_time(text: &str) -> bool {
    let (date, time) = text.split_once('T').unwrap_or((text, "000000"));
    let digits =
        |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(date, 8) && digits(time.trim_end_matches('Z'), 6)
}

pub(super) static HANDOFF_GROUP: Rule = Rule {
    id: "handoff-group",
    applies: Profile::is_handoff,
    message: "Group ID mismatch in the handoff",
    help: "Fix {agent} subagent to write the group_id of its task",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write the group_id of your task",
    ..Rule::error(Step::Session)
};

fn group(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let context = collector.context;
    if let (Some(expected), Some(found)) = (context.expected.group, handoff.text_of("group_id"))
        && found != expected
    {
        let notes = compared(expected, found);
        let location = "group_id";
        collector.add(Diagnostic::new(&HANDOFF_GROUP, location, &[]).notes(notes));
    }
}

pub(super) static UNDELEGATED: Rule = Rule {
    id: "session-undelegated",
    claim: Some((Claimed::Work, "the agent was given the session id")),
    applies: Profile::returns_session,
    message: "Session ID was not given to the agent: {found} ({why})",
    help: "Have {agent} return the session_id of its own task",
    message_to_agent: ToAgent::Words("The session ID was not given to you: {found} ({why})"),
    advice_to_agent: "Return the session_id of your own task",
    ..Rule::warning(Step::Session)
};

fn delegated(collector: &mut Collector<'_, '_>, found: &Piece<'_, '_>) {
    let context = collector.context;
    let Some(subject) = context.subject() else {
        return;
    };
    let expected = context.expected.session;
    let is_expected = expected.is_none_or(|it| it == found.text);
    if !is_expected || !subject.has_transcript() || !collector.is_enabled(&UNDELEGATED) {
        return;
    }
    let given = subject.was_given(&found.text, expected.is_some());
    collector.assess(&UNDELEGATED, found.at.into(), (None, &found.text), &given);
}

pub(super) static GIVEN: Rule = Rule {
    id: "given-mismatch",
    message: "{name} is not the one that was given",
    help: "Fix {agent} subagent to return the {name} of its task",
    advice_to_agent: "Return the {name} of your task",
    ..Rule::of_own_profile(Step::Session)
};

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
            ran = StepOutcome::Skip(format!("the profile has no place of `{name}`").into());
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
