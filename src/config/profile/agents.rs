//! The agents of a profile of the file, and the chain in which they work.

use std::borrow::Cow;

use crate::config::profile::checks::{Changed, ProfileMistake, check_name, check_template, name};
use crate::config::profile::statuses::change_statuses;
use crate::config::profile::{AgentTable, NextAgents, OrOff};
use crate::profile::{Action, Agent, DetailFile, Profile};
use crate::text::escape::truncated;

const AN_AGENT: &str = "the name of an agent";

/// Adds agents, or changes them. All are added before any is changed, because one can name another that
/// comes later.
pub(super) fn extend(
    profile: &mut Profile,
    base: &Profile,
    own: &[(String, AgentTable)],
) -> Changed {
    for (name, _) in own {
        check_name(AN_AGENT, name)
            .map_err(|message| ProfileMistake::of_key(&["agents", name], message))?;
        if profile.agent(name).is_none() {
            profile.agents.to_mut().push(Agent {
                name: name.clone().into(),
                ..Agent::BASE
            });
        }
    }
    let known: Vec<_> = profile
        .agents
        .iter()
        .map(|agent| agent.name.clone())
        .collect();
    let agents = profile.agents.to_mut();
    for (name, own) in own {
        if let Some(agent) = agents.iter_mut().find(|agent| agent.name == *name) {
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
) -> Changed {
    let id = agent.name.clone();
    let at = |key| ["agents", &*id, key];
    change_statuses(&mut agent.statuses, &own.statuses.0, base, &at("statuses"))?;
    match &own.failure {
        Some(OrOff(Some(word))) => agent.failure = name("a status", word, &at("failure"))?,
        Some(OrOff(None)) => agent.failure = Cow::Borrowed(""),
        None => {}
    }
    if let Some(own) = &own.reads_from {
        agent.reads_from = names(own, &at("reads-from"))?.into();
    }
    if let Some(own) = &own.reads_otherwise {
        agent.reads_otherwise = names(own, &at("reads-otherwise"))?.into();
    }
    agent.writes_handoff = own.writes_handoff.unwrap_or(agent.writes_handoff);
    agent.limits_summary = own.limits_summary.unwrap_or(agent.limits_summary);
    for (file, OrOff(path)) in &own.details.0 {
        let changed = change_detail(agent.details.to_mut(), file, path.as_deref());
        changed.map_err(|message| {
            ProfileMistake::of_key(&["agents", &id, "details", file], message)
        })?;
    }
    for (status, OrOff(next)) in &own.next.0 {
        let path = ["agents", &id, "next", status];
        let next = match next {
            Some(NextAgents::One(name)) => std::slice::from_ref(name),
            Some(NextAgents::Several(names)) => names,
            None => &[],
        };
        let next = names(next, &path)?;
        set_next(agent, status, next, known)
            .map_err(|message| ProfileMistake::of_key(&path, message))?;
    }
    Ok(())
}

fn names(own: &[String], path: &[&str]) -> Result<Vec<Cow<'static, str>>, ProfileMistake> {
    own.iter().map(|own| name(AN_AGENT, own, path)).collect()
}

/// Adds a file with details, changes its path, or removes it.
fn change_detail(
    details: &mut Vec<DetailFile>,
    name: &str,
    path: Option<&str>,
) -> Result<(), String> {
    let Some(path) = path else {
        details.retain(|detail| detail.name != name);
        return Ok(());
    };
    check_template(path)?;
    check_name("the name of a file", name)?;
    let (name, path) = (name.to_owned().into(), path.to_owned().into());
    match details.iter_mut().find(|detail| detail.name == name) {
        Some(detail) => detail.path = path,
        None => details.push(DetailFile { name, path }),
    }
    Ok(())
}

/// Sets the agents that may continue after a status, the usual one first, in place of the action after
/// it. With no agents, it is open what follows.
fn set_next(
    agent: &mut Agent,
    word: &str,
    next: Vec<Cow<'static, str>>,
    known: &[Cow<'static, str>],
) -> Result<(), String> {
    if let Some(unknown) = next.iter().find(|name| !known.contains(name)) {
        return Err(format!(
            "unknown agent `{}`; expected one of {}",
            truncated(unknown),
            truncated(&known.join(", "))
        ));
    }
    let statuses = agent.statuses.to_mut();
    if let Some(status) = statuses.iter_mut().find(|status| status.word == word) {
        status.own_action = next.is_empty().then_some(Action::Open);
        status.next = next.into();
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
