//! The agents whose returns are checked.

use crate::clients::Event;
use crate::config::AgentSettings;
use crate::text::escape;
use anyhow::Context as _;
use globset::{Glob, GlobMatcher};

use crate::cli::hook::agent_files;
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::session::AgentRecord;

/// Why an agent is not checked. None if it is.
pub(super) fn why_unchecked(
    options: &HookOptions,
    own: Option<&AgentSettings>,
    event: &Event,
    agent: &str,
    record: &AgentRecord,
) -> anyhow::Result<Option<&'static str>> {
    let is_configured = is_checked(&options.agents, own, agent)?;
    let is_over = agent_files::has_handed_over(event) && record.handed_in.is_none();
    // A person who has named the agent learns that its return was not checked.
    let is_named_in_vain =
        is_over && is_configured == Some(true) && agent_files::has_ended_by_tool(event);
    Ok(if is_over && !is_named_in_vain {
        Some("it has handed its result to a workflow")
    } else if is_configured == Some(false) {
        Some("--agents or its table leaves it out")
    } else {
        let is_built_in = is_configured.is_none() && agent_files::is_built_in(event, agent);
        is_built_in.then_some("the client brings it along")
    })
}

/// Whether returns of an agent are checked. The globs decide; without any, its own table in the
/// configuration. None if neither says anything.
///
/// An agent that matches a glob after `!` is never checked. If all globs are of this kind, they decide
/// nothing about the other agents.
pub(crate) fn is_checked(
    globs: &[String],
    own: Option<&AgentSettings>,
    agent: &str,
) -> anyhow::Result<Option<bool>> {
    let (mut is_included, mut includes) = (false, false);
    for text in globs {
        let excluded = text.strip_prefix('!');
        let matches = matcher(excluded.unwrap_or(text))?.is_match(agent);
        if excluded.is_some() && matches {
            return Ok(Some(false));
        }
        includes |= excluded.is_none();
        is_included |= excluded.is_none() && matches;
    }
    let by_table = || own.map(|own| own.hold.unwrap_or(true));
    Ok(includes.then_some(is_included).or_else(by_table))
}

/// Fails if one of the texts is not a valid glob.
pub(crate) fn refuse_bad_globs(globs: &[String]) -> anyhow::Result<()> {
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
