//! The agents whose returns are checked.

use anyhow::Context as _;
use globset::{Glob, GlobMatcher};
use retval::config::AgentSettings;
use retval::harness::{Event, Harness};
use retval::internal::escape;
use retval::transcript::locate::beside;

use crate::session_file;

/// Whether returns of an agent are checked. The globs decide; without any, its own table in the
/// configuration; without that, agents that are built into the client are not checked.
///
/// An agent that matches a glob after `!` is never checked. If all globs are of this kind, they decide
/// nothing about the other agents.
pub(super) fn is_held(
    globs: &[String],
    own: Option<&AgentSettings>,
    event: &Event,
    agent: &str,
) -> anyhow::Result<bool> {
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
    let by_table = own.map(|own| own.hold().unwrap_or(true));
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
    let glob = Glob::new(text);
    let glob = glob.with_context(|| format!("cannot use the glob {}", escape::truncated(text)))?;
    Ok(glob.compile_matcher())
}

/// Whether the agent is built into the client. Built-in agents answer in prose, so they are not checked
/// by default. Codex and Copilot CLI have hardly any other agents, so theirs do not count as built in.
fn is_built_in(event: &Event, agent: &str) -> bool {
    let names: &[&str] = match event.harness {
        Harness::ClaudeCode => &[
            "Explore",
            "Plan",
            "general-purpose",
            "Bash",
            "claude-code-guide",
            "fork",
            "output-style-setup",
            "statusline-setup",
        ],
        Harness::Gemini => &[
            "browser_agent",
            "cli_help",
            "codebase_investigator",
            "generalist",
        ],
        Harness::Cursor => &["bash", "browser", "explore", "generalPurpose", "shell"],
        Harness::Codex | Harness::Copilot => &[],
    };
    is_built_in_by_sidecar(event).unwrap_or_else(|| names.contains(&agent))
}

/// Whether the agent is built in, from the file that Claude Code writes beside its transcript.
fn is_built_in_by_sidecar(event: &Event) -> Option<bool> {
    let path = beside(event.agent_transcript.as_deref()?).sidecar?;
    session_file::read_sidecar(&path)?.is_builtin
}
