//! The agents whose returns are checked.

use crate::config::AgentSettings;
use crate::text::escape;
use anyhow::Context as _;
use globset::{Glob, GlobMatcher};

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
