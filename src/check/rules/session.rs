//! Step 4: the return belongs to the expected session and agent.

use std::path::Path;

use crate::check::rules::taken::{Taken, TakenValues, first};
use crate::check::rules::work::AssessedClaim;
use crate::check::rules::{members, return_file};
use crate::check::{Collector, Diagnostic, DiagnosticNote, Ran, values};
use crate::document::Form;
use crate::document::pointer::Pointer;
use crate::document::tree::{Tree, Value};
use crate::profile::fields::{State, Type, member};
use crate::profile::role::Piece;
use crate::profile::words;
use crate::profile::{Profile, Shape};
use crate::rule::{Claimed, Level, Requirement, Rule, Step, ToAgent};
use crate::text::escape;

pub(crate) static MISMATCH: Rule = Rule {
    id: "session-mismatch",
    applies: Profile::returns_session,
    message: "Session ID mismatch",
    help: "Fix {agent} subagent to return correct session_id",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Return the session_id that your task gives you",
    ..Rule::error(Step::Session)
};

pub(crate) static HANDOFF_SESSION: Rule = Rule {
    id: "handoff-session",
    applies: Profile::is_handoff,
    message: "Session ID mismatch in the handoff",
    help: "Fix {agent} subagent to write the session_id of its task",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write the session_id of your task",
    ..Rule::error(Step::Session)
};

pub(super) fn check(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) -> Ran {
    let context = collector.context;
    if context.profile.is_own() {
        return named(taken, collector);
    }
    let (Some(returned), Some(object)) = (context.returned, context.tree.map(Tree::root)) else {
        return Ran::Checked;
    };
    let is_handoff = context.profile.is_handoff();
    agent(collector);
    format(collector);
    if is_handoff {
        group(collector, object);
    }
    return_file::check_age(collector);
    delegated(collector);
    let Some(place) = context.profile.session.as_deref() else {
        return Ran::Skipped("returns of this profile have no session ID".into());
    };
    let Some(expected) = context.expected.session else {
        return Ran::Skipped("no --session was given".into());
    };
    let found = returned.session.as_deref();
    if found.is_none() {
        if fails_without(collector, object, place) {
            return Ran::Skipped(format!("the return has no usable {place}").into());
        }
        if is_handoff && is_placed(context.input.file.path, expected) {
            return Ran::Skipped(
                format!("{place} is missing, but the path names the session").into(),
            );
        }
    }
    if found != Some(expected) {
        let shown = escape::truncated(expected);
        let notes = [
            match context.expected.session_source {
                Some(source) => DiagnosticNote::ExpectedBy(shown, source),
                None => DiagnosticNote::Expected(shown),
            },
            DiagnosticNote::Got(escape::truncated(found.unwrap_or("none"))),
        ];
        let rule = if is_handoff {
            &HANDOFF_SESSION
        } else {
            &MISMATCH
        };
        let location = nearest(object, place);
        collector.add(Diagnostic::new(rule, location, &values![]).notes(&notes));
    }
    Ran::Checked
}

/// Whether step 2 fails a return that has no usable member at this place. What an object requires
/// matters only if the object is there.
fn fails_without(collector: &Collector<'_, '_>, object: Value<'_, '_>, place: &str) -> bool {
    let context = collector.context;
    let mut required = Some(&context.required.required);
    let (mut value, mut of) = (Some(object), context.profile.shape.form());
    for name in place.split('.') {
        let wanted = required.and_then(|it| it.iter().find(|it| it.name == name));
        value = value.and_then(|it| it.member(name));
        of = member(of.members(), name).map_or(Type::Anything, |it| it.of);
        let rule = match of.state(value) {
            State::Missing | State::Null => &members::MISSING,
            State::Blank => &members::EMPTY,
            State::Wrong(_) => return collector.fails(&members::TYPE),
            State::Present => {
                required = wanted.map(|it| &it.members);
                continue;
            }
        };
        return wanted.is_some_and(|it| it.is_required) && collector.fails(rule);
    }
    false
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

/// The pointer to a member, or to the nearest object that the return has around it.
fn nearest<'p>(object: Value<'_, '_>, place: &'p str) -> Pointer<'p> {
    let (mut at, mut value) = (Pointer::root(), Some(object));
    for name in place.split('.') {
        value = value.and_then(|it| it.member(name));
        if value.is_none() {
            break;
        }
        at = at.key(name);
    }
    at
}

pub(super) static AGENT_MISMATCH: Rule = Rule {
    id: "agent-mismatch",
    applies: |it| it.agent.is_some() && it.shape != Shape::Handoff,
    message: "Agent is {found}, expected {agent}",
    help: "Fix {agent} subagent to return its own name",
    message_to_agent: ToAgent::Words("Your agent_type is {found}, expected {agent}"),
    advice_to_agent: "Return your own name",
    ..Rule::warning(Step::Session)
};

pub(crate) static HANDOFF_AGENT: Rule = Rule {
    id: "handoff-agent",
    applies: Profile::is_handoff,
    message: "Handoff is from {found}, expected {agent}",
    help: "Fix {agent} subagent to write its own name to from_agent",
    advice_to_agent: "Write your own name to from_agent",
    ..Rule::error(Step::Session)
};

fn agent(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let found = context.returned.and_then(|it| it.agent.as_ref());
    if let (Some(expected), Some(found), Some(place)) = (
        context.expected.agent,
        found,
        context.profile.agent.as_deref(),
    ) && found != expected
    {
        let rule = match context.profile.shape {
            Shape::Handoff => &HANDOFF_AGENT,
            _ => &AGENT_MISMATCH,
        };
        collector.report(rule, pointer(place), &values![found = found]);
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

fn format(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let found = context.returned.and_then(|it| it.session.as_ref());
    let (Some(found), Some(place)) = (found, context.profile.session.as_deref()) else {
        return;
    };
    if collector.is_enabled(&FORMAT) && !has_form(found) {
        collector.report(&FORMAT, pointer(place), &values![found = found]);
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

/// The pointer to a member at a dotted path, which contains no list index.
fn pointer(place: &str) -> Pointer<'_> {
    place.split('.').fold(Pointer::root(), Pointer::key)
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
        let notes = DiagnosticNote::compared(expected, found);
        let location = "group_id";
        collector.add(Diagnostic::new(&HANDOFF_GROUP, location, &values![]).notes(&notes));
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

fn delegated(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let returned = context.returned;
    let (Some(returned), Some(subject)) = (returned, context.subject()) else {
        return;
    };
    let (Some(session), Some(place)) = (&returned.session, context.profile.session.as_deref())
    else {
        return;
    };
    let is_expected = context.expected.session.is_none_or(|it| it == session);
    if !is_expected || !subject.has_transcript() || !collector.is_enabled(&UNDELEGATED) {
        return;
    }
    let keys = place.split('.');
    let pointer = keys.fold(Pointer::root(), |at, key| at.key(key.to_owned()));
    let claim = AssessedClaim::new(&UNDELEGATED, &pointer).found(session);
    let is_expected = context.expected.session.is_some();
    claim.collect(collector, &subject.was_given(session, is_expected));
}

pub(crate) static GIVEN: Rule = Rule {
    id: "given-mismatch",
    message: "{name} is not the one that was given",
    help: "Fix {agent} subagent to return the {name} of its task",
    advice_to_agent: "Return the {name} of your task",
    ..Rule::of_own_profile(Step::Session)
};

/// The same where the profile names the places.
fn named(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) -> Ran {
    let context = collector.context;
    let form = context.profile.form;
    return_file::check_age(collector);
    let expected = &context.expected;
    if let Some((piece, wanted)) = wrong(form, &taken.agent, expected.agent) {
        let values = values![found = &piece.text];
        let at = piece.at;
        let expected = [DiagnosticNote::Expected(escape::truncated(wanted))];
        collector.add(Diagnostic::new(&AGENT_MISMATCH, at, &values).notes(&expected));
    }
    let mut has_given = false;
    for (name, given_role) in &taken.given {
        let mut given = expected.given.iter();
        let Some((_, wanted)) = given.find(|(known, _)| known == name) else {
            continue;
        };
        has_given = true;
        if let Some((piece, wanted)) = wrong(form, given_role, Some(wanted)) {
            let notes = DiagnosticNote::compared(wanted, &piece.text);
            let values = values![name = *name];
            let at = piece.at;
            collector.add(Diagnostic::new(&GIVEN, at, &values).notes(&notes));
        }
    }
    if let Some((piece, wanted)) = wrong(form, &taken.session, expected.session) {
        let notes = DiagnosticNote::compared(wanted, &piece.text);
        let at = piece.at;
        collector.add(Diagnostic::new(&MISMATCH, at, &values![]).notes(&notes));
    }
    let mut given = expected.given.iter().map(|(name, _)| name);
    let unplaced = given.find(|name| taken.given.iter().all(|(known, _)| known != name));
    match (&taken.session, expected.session) {
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
    form: Form,
    taken: &'p Taken<'d, 't>,
    expected: Option<&'e str>,
) -> Option<(&'p Piece<'d, 't>, &'e str)> {
    let (piece, expected) = (first(taken)?, expected?);
    let is_text = form == Form::Text && expected != words::ANY;
    let is_said = is_text && words::is_given(&piece.text, expected);
    (piece.text != expected && !is_said).then_some((piece, expected))
}
