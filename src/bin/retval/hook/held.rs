//! The agents whose returns are checked.

use anyhow::Context as _;
use globset::{Glob, GlobMatcher};
use retval::config::AgentSettings;
use retval::harness::{Event, Harness};
use retval::internal::escape;
use retval::transcript::locate::beside;

use crate::session_file;

/// Whether returns of an agent are checked: by the globs, else by its own table in the configuration,
/// else unless the client brings it along.
///
/// A glob after `!` excludes, and an agent that it matches is never checked. If there are only such
/// globs, the others are checked as without any.
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

/// Fails if one of the globs is none.
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

/// Whether the client brings the agent along: its own agents answer in prose, to nobody's standard.
/// In Codex and Copilot CLI there is hardly another agent, so all are held to the standard.
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
    sidecar(event).unwrap_or_else(|| names.contains(&agent))
}

/// What Claude Code says of the agent beside its transcript.
fn sidecar(event: &Event) -> Option<bool> {
    let path = beside(event.agent_transcript.as_deref()?).sidecar?;
    session_file::read_sidecar(&path)?.is_builtin
}
