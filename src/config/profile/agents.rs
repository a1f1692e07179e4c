//! The agents of a profile of the file, and the chain in which they work.

use std::borrow::Cow;

use toml::Spanned;

use crate::config::nodes::{Entries, VisibleName};
use crate::config::profile::statuses::change_statuses;
use crate::config::profile::{AgentTable, OneOrMore, OrOff};
use crate::config::reader::ReadError;
use crate::profile::{Action, Agent, DetailFile, Profile};
use crate::text::escape::truncated;

/// Adds agents, or changes them. All are added before any is changed, because one can name another that
/// comes later.
pub(super) fn extend(
    profile: &mut Profile,
    base: &Profile,
    own: &Entries<VisibleName, AgentTable>,
) -> Result<(), ReadError> {
    for (name, _) in &own.0 {
        if profile.agent(&name.get_ref().0).is_none() {
            profile.agents.to_mut().push(Agent {
                name: name.get_ref().cow(),
                ..Agent::BASE
            });
        }
    }
    let known = profile.agents.iter().map(|agent| agent.name.clone());
    let known: Vec<_> = known.collect();
    let agents = profile.agents.to_mut();
    for (name, own) in &own.0 {
        let mut named = agents.iter_mut();
        if let Some(agent) = named.find(|agent| agent.name == name.get_ref().0) {
            change(agent, own, base, &known)?;
        }
    }
    Ok(())
}

fn change(
    agent: &mut Agent,
    own: &AgentTable,
    base: &Profile,
    known: &[Cow<'static, str>],
) -> Result<(), ReadError> {
    let names = |own: &[VisibleName]| own.iter().map(VisibleName::cow).collect();
    change_statuses(&mut agent.statuses, &own.statuses, base);
    if let Some(own) = &own.reads_from {
        agent.reads_from = names(own);
    }
    if let Some(own) = &own.reads_otherwise {
        agent.reads_otherwise = names(own);
    }
    agent.writes_handoff = own.writes_handoff.unwrap_or(agent.writes_handoff);
    agent.limits_summary = own.limits_summary.unwrap_or(agent.limits_summary);
    for (file, OrOff(path)) in &own.details.0 {
        let path = path.as_ref().map(|path| path.0.clone().into());
        change_detail(agent.details.to_mut(), file.get_ref().cow(), path);
    }
    change_next(agent, &own.next, known)
}

/// Sets the agents that may continue after each of these words.
pub(in crate::config) fn change_next(
    agent: &mut Agent,
    own: &Entries<VisibleName, OrOff<OneOrMore>>,
    known: &[Cow<'static, str>],
) -> Result<(), ReadError> {
    for (status, OrOff(next)) in &own.0 {
        let next = next.as_ref().map_or(&[][..], OneOrMore::texts);
        set_next(agent, status, next, known).map_err(|message| ReadError::at(status, message))?;
    }
    Ok(())
}

/// Adds a file with details, changes its path, or removes it.
fn change_detail(
    details: &mut Vec<DetailFile>,
    name: Cow<'static, str>,
    path: Option<Cow<'static, str>>,
) {
    let known = details.iter().position(|detail| detail.name == name);
    match (known, path) {
        (Some(index), Some(path)) => details[index].path = path,
        (Some(index), None) => drop(details.remove(index)),
        (None, Some(path)) => details.push(DetailFile { name, path }),
        (None, None) => {}
    }
}

/// Sets the agents that may continue after a status, the usual one first, in place of the action after
/// it. With no agents, it is open what follows.
fn set_next(
    agent: &mut Agent,
    word: &Spanned<VisibleName>,
    next: &[String],
    known: &[Cow<'static, str>],
) -> Result<(), String> {
    let mut unknown = next.iter();
    if let Some(unknown) = unknown.find(|name| known.iter().all(|known| known != *name)) {
        return Err(format!(
            "unknown agent `{}`; expected one of {}",
            truncated(unknown),
            truncated(&known.join(", "))
        ));
    }
    let VisibleName(word) = word.get_ref();
    let statuses = agent.statuses.to_mut();
    if let Some(status) = statuses.iter_mut().find(|status| status.word == *word) {
        status.own_action = next.is_empty().then_some(Action::Open);
        status.next = next.iter().cloned().map(Cow::Owned).collect();
        return Ok(());
    }
    let words: Vec<_> = statuses.iter().map(|status| &*status.word).collect();
    Err(format!(
        "unknown status `{}` of `{}`; expected one of {}",
        truncated(word),
        truncated(&agent.name),
        truncated(&words.join(", "))
    ))
}
