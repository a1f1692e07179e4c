//! The agents whose returns are checked.

use anyhow::Context as _;
use globset::{Glob, GlobMatcher};
use retval::internal::clients::transcript::locate::is_of_workflow;
use retval::internal::clients::{Event, Moment};
use retval::internal::config::AgentSettings;
use retval::internal::escape;

use crate::hook::trace;

/// Whether returns of an agent are checked. The globs decide; without any, its own table in the
/// configuration; without that, agents that are built into the client are not checked.
///
/// An agent that matches a glob after `!` is never checked. If all globs are of this kind, they decide
/// nothing about the other agents. Nor is an agent checked that a workflow runs and that ends without a
/// message: it has handed its result to the workflow by a tool.
pub(super) fn is_checked(
    globs: &[String],
    own: Option<&AgentSettings>,
    event: &Event,
    agent: &str,
) -> anyhow::Result<bool> {
    let is_silent = event
        .message
        .as_deref()
        .is_none_or(|text| text.trim().is_empty());
    if event.moment == Moment::Stop && is_silent && is_by_workflow(event) {
        return Ok(false);
    }
    let (mut is_included, mut includes) = (false, false);
    for text in globs {
        let excluded = text.strip_prefix('!');
        let matches = matcher(excluded.unwrap_or(text))?.is_match(agent);
        if excluded.is_some() && matches {
            return Ok(false);
        }
        includes |= excluded.is_none();
        is_included |= excluded.is_none() && matches;
    }
    if includes {
        return Ok(is_included);
    }
    let by_table = own.map(|own| own.hold.unwrap_or(true));
    Ok(by_table.unwrap_or_else(|| !is_built_in(event, agent)))
}

/// Fails if one of the texts is not a valid glob.
pub(super) fn refuse_bad_globs(globs: &[String]) -> anyhow::Result<()> {
    let patterns = globs
        .iter()
        .map(|text| text.strip_prefix('!').unwrap_or(text));
    patterns.map(matcher).try_for_each(|made| made.map(drop))
}

fn matcher(text: &str) -> anyhow::Result<GlobMatcher> {
    let glob = Glob::new(text)
        .with_context(|| format!("cannot use the glob {}", escape::truncated(text)))?;
    Ok(glob.compile_matcher())
}

/// Whether the agent is built into the client, or a workflow of the client runs it. Built-in agents answer
/// in prose, and those of a workflow as its script asks them to, so they are not checked by default.
fn is_built_in(event: &Event, agent: &str) -> bool {
    let facts = event.client.facts();
    let is_listed = facts.built_in_agents.contains(&agent);
    if !facts.has_sidecars {
        return is_listed;
    }
    // The names are known from the start, the files only at the end.
    let sidecar = trace::sidecar_of(event).unwrap_or_default();
    sidecar.is_in_workflow == Some(true)
        || is_by_workflow(event)
        || sidecar.is_builtin.unwrap_or(is_listed)
}

/// Whether the agent's transcript is among those of a workflow.
fn is_by_workflow(event: &Event) -> bool {
    event
        .agent_transcript
        .as_deref()
        .is_some_and(is_of_workflow)
}
