//! `--try`: how many past returns keep each proposed line.

use std::fmt::Write as _;
use std::path::Path;

use crate::clients::transcript;
use crate::config::Config;
use crate::json::BYTES_AT_MOST;
use crate::{Checker, Root};

use super::proposal::{KeyValue, Proposal, ProposedKey, quoted};
use super::source;
use crate::cli::session_file::read_sidecar;

/// A past return, and the agent that sent it if its transcript says so.
pub(super) struct PastReturn {
    text: String,
    agent: Option<String>,
}

/// The returns in a folder or a file: the final messages of the agents in transcripts, and other files
/// as they are.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<PastReturn>> {
    let mut returns = Vec::new();
    source::each(path, BYTES_AT_MOST, |source| {
        let is_sidecar = source.path.to_string_lossy().ends_with(".meta.json");
        let Some(text) = source.text.ok().filter(|_| !is_sidecar) else {
            return;
        };
        let Ok(transcript) = transcript::read(text.as_bytes()) else {
            returns.push(PastReturn { text, agent: None });
            return;
        };
        let sidecar = read_sidecar(&source.path.with_extension("meta.json"));
        for mut run in transcript.runs {
            if let Some(sidecar) = &sidecar {
                run.add_sidecar(sidecar);
            }
            if let (Some(text), Some(agent)) = (run.final_message, run.agent_type) {
                let agent = Some(agent);
                returns.push(PastReturn { text, agent });
            }
        }
    })?;
    Ok(returns)
}

/// Counts for each line of a proposal how many returns of its agent keep it.
pub(super) fn count(proposal: &mut Proposal, agent: &str, returns: &[PastReturn], root: &Root) {
    let is_own = |it: &&PastReturn| it.agent.as_deref().is_none_or(|it| it == agent);
    let own: Vec<_> = returns
        .iter()
        .filter(is_own)
        .map(|it| it.text.as_str())
        .collect();
    if own.is_empty() {
        proposal
            .notes
            .push((0, "no past return is from this agent".to_owned()));
        return;
    }
    let base = lines_of(proposal, |key| matches!(key, "form" | "part"));
    let status = lines_of(proposal, |key| {
        key == "at.status" || key.starts_with("statuses.")
    });
    for key in &mut proposal.keys {
        let texts = tests(key, &status);
        key.kept = texts
            .iter()
            .map(|test| {
                let kept = kept(&format!("[profiles.tried]\n{base}{test}"), &own, root)?;
                Some((kept, own.len()))
            })
            .collect();
    }
}

/// The lines of the keys that are wanted, as TOML.
fn lines_of(proposal: &Proposal, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut lines = String::new();
    for key in proposal.keys.iter().filter(|it| is_wanted(&it.key)) {
        let value = match &key.value {
            KeyValue::Text(text) => quoted(text),
            KeyValue::Raw(text) => text.clone(),
            KeyValue::List(_) => continue,
        };
        let _ = writeln!(lines, "{} = {value}", key.key);
    }
    lines
}

/// The lines that a return is checked with for each line of a key. None are needed for lines that only
/// say what another line means.
fn tests(key: &ProposedKey, status: &str) -> Vec<String> {
    let required = |place: &str| format!("required = [{}]\n", quoted(place));
    match (key.key.as_str(), &key.value) {
        ("at.status", _) => vec![status.to_owned()],
        ("at.artifacts" | "at.cites" | "at.session", KeyValue::Text(place)) => {
            vec![required(place)]
        }
        ("required" | "at.artifacts" | "at.cites", KeyValue::List(items)) => {
            items.iter().map(|(place, _)| required(place)).collect()
        }
        (name, KeyValue::List(items)) if name.starts_with("required-if.") => items
            .iter()
            .map(|(place, _)| format!("{status}{name} = [{}]\n", quoted(place)))
            .collect(),
        (name, KeyValue::Raw(most)) if name.starts_with("limits.") => {
            vec![format!("{name} = {most}\n")]
        }
        _ => Vec::new(),
    }
}

/// How many texts are valid by a configuration with one profile.
fn kept(config: &str, texts: &[&str], root: &Root) -> Option<usize> {
    let config = Config::parse(config).ok()?;
    let profile = &config.profiles.first()?.profile;
    let checker = Checker::new(profile, root);
    Some(
        texts
            .iter()
            .filter(|it| checker.check(it).is_valid())
            .count(),
    )
}
