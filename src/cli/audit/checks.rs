//! Checks returns with the profile of their agent, by their text and their record alone.
//!
//! Files, commits and the clock are not looked at: they are not as they were when the agent returned. What
//! its calls did is in the record.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;

use crate::audit::{CheckedReturn, ClaimCount, RunOutcome};
use crate::check::rules::{HOOK_LEVELS, Level, Rule};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::{CheckerOptions, Wrappings};
use crate::clients::Client;
use crate::clients::run::ReadFiles;
use crate::clients::transcript::Run;
use crate::evidence::{EvidenceValue, Record, WorkEvidence};
use crate::profile::ANY;
use crate::{Profile, Report, Root};

/// The rules that compare a return with files, commits and the clock as they are now.
const OF_THE_PRESENT: [&str; 21] = [
    "artifact-outside-root",
    "artifact-not-found",
    "artifact-not-a-file",
    "artifact-empty",
    "artifact-unreadable",
    "artifact-blank",
    "artifact-stale",
    "artifact-unchanged",
    "artifact-uncommitted",
    "change-outside",
    "file-not-found",
    "cite-beyond-end",
    "cite-not-there",
    "commit-not-found",
    "commit-before-start",
    "change-unclaimed",
    "claimed-artifact-missing",
    "handoff-not-found",
    "handoff-invalid",
    "handoff-status-mismatch",
    "return-stale",
];

/// How returns are checked.
pub(super) struct ReturnChecks<'s> {
    settings: &'s Settings,
    /// The profile of every return.
    profile: Option<&'s Profile>,
    options: CheckerOptions,
    /// An empty folder: no file of a project is looked at.
    root: Root,
    folder: tempfile::TempDir,
}

impl<'s> ReturnChecks<'s> {
    pub(super) fn new(profile: Option<&str>, settings: &'s Settings) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let off = OF_THE_PRESENT.iter().filter_map(|id| Rule::named(id));
        let levels = HOOK_LEVELS.into_iter().chain(off.map(|rule| (rule, Level::Off)));
        Ok(Self {
            settings,
            profile: settings.profile(profile)?,
            options: CheckerOptions {
                accepts: Wrappings { prose: true, ..Wrappings::default() },
                levels: levels.collect(),
                ..CheckerOptions::of_settings(settings)
            },
            root: Root::open(folder.path()).context("cannot open a temporary folder")?,
            folder,
        })
    }

    /// Checks the return of a run. `runs` are those of its transcript. None if no profile covers the agent,
    /// if it is the main agent, or if there is no text of the agent.
    pub(super) fn check(&self, client: Client, at: usize, runs: &[Run]) -> Option<CheckedReturn> {
        use RunOutcome::{Fragment, Placeholder, Returned};
        let run = runs.get(at).filter(|run| run.depth != Some(0))?;
        let text = run.final_message.as_deref()?;
        let profile = self.profile_of(client, run)?;
        if !matches!(RunOutcome::of(run), Returned | Placeholder | Fragment) {
            return None;
        }
        let evidence = self.evidence(at, runs);
        let options = CheckerOptions {
            agent: run.agent_type.clone(),
            now: run.ended,
            evidence: Some(Arc::new(evidence)),
            ..self.options.clone()
        };
        let checker = options.checker(self.settings, profile, &self.root);
        Some(checked(profile, &checker.check(text)))
    }

    /// The profile for the returns of an agent: that of the option, of the agent's own table, or of the
    /// file. The client's own agents answer in prose unless they are named.
    fn profile_of(&self, client: Client, run: &Run) -> Option<&Profile> {
        let agent = run.agent_type.as_deref();
        let own = agent.and_then(|agent| self.settings.hook_agent(agent));
        let is_builtin = || {
            let listed = agent.is_some_and(|agent| client.facts().built_in_agents.contains(&agent));
            run.is_builtin.unwrap_or(listed)
        };
        let name = match own {
            _ if self.profile.is_some() => return self.profile,
            Some(own) if own.hold == Some(false) => return None,
            Some(own) => own.settings.values.profile.as_ref(),
            None if is_builtin() => return None,
            None => None,
        };
        let name = name.or(self.settings.values.profile.as_ref())?;
        let profile = self.settings.profile(Some(name)).ok()??;
        (profile.id != ANY.id).then_some(profile)
    }

    /// The evidence of a run and of the agents that it called, as if they had worked in the empty folder.
    fn evidence(&self, at: usize, runs: &[Run]) -> WorkEvidence {
        let run = &runs[at];
        let is_of_it = |it: &&Run| it.parent.is_some() && it.parent == run.agent_id;
        let family = std::iter::once(run).chain(runs.iter().filter(is_of_it));
        WorkEvidence {
            record: Some(Record::Runs(family.map(|run| self.moved(run)).collect())),
            agent_id: run.agent_id.clone(),
            test_runners: self.options.test_runners.clone(),
            is_of_record_alone: true,
            ..WorkEvidence::default()
        }
    }

    fn moved(&self, run: &Run) -> Run {
        let mut run = run.clone();
        let here = self.folder.path().to_string_lossy();
        let from = run.details.cwd.clone().filter(|folder| folder.len() > 1);
        let Some(from) = from else { return run };
        let moved = |text: &str| text.replace(&*from, &here);
        for call in &mut run.calls {
            call.cwd = call.cwd.as_deref().map(|cwd| moved(cwd).into());
            call.command = call.command.as_deref().map(moved);
            for path in &mut call.paths {
                *path = moved(path);
            }
            if let ReadFiles::File(path) | ReadFiles::Below(path) = &mut call.reads {
                *path = moved(path).into();
            }
        }
        run
    }
}

fn checked(profile: &Profile, report: &Report) -> CheckedReturn {
    let failed = report.counts.iter().filter(|it| it.level == Level::Error);
    let mut claims: BTreeMap<&'static str, ClaimCount> = BTreeMap::new();
    for claim in report.evidence.iter().flatten() {
        let count = claims.entry(claim.rule.id).or_default();
        match claim.value {
            EvidenceValue::Shown => count.shown += 1,
            EvidenceValue::Contradicted => count.contradicted += 1,
            EvidenceValue::Unknown => count.unknown += 1,
        }
    }
    CheckedReturn {
        profile: profile.id.to_string(),
        is_valid: report.is_valid(),
        failed: failed.map(|it| it.rule.id).collect(),
        claims,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_present_is_a_rule() {
        for id in OF_THE_PRESENT {
            assert!(Rule::named(id).is_some(), "{id}");
        }
    }
}
