//! Step 6 of the compact protocol: the handoff file behind the status, which is checked as a
//! document of its own.

use std::path::Path;

use crate::check::report::{ArtifactReport, ArtifactState};
use crate::check::rules::{self, RETURN_MISSING};
use crate::check::{Checker, Collector, Ran, ReturnFile};
use crate::profile::Profile;
use crate::rule::Level;

impl<'t> Checker<'t> {
    /// Checks the handoff file that the agent of a compact return should have written.
    pub(super) fn check_handoff(&self, collector: &mut Collector<'_, 't>) -> Ran {
        let (Some(session), Some(group)) = (self.expected.session, self.expected.group) else {
            return Ran::Skipped(
                "--session and --group are needed to find the handoff file".into(),
            );
        };
        let Some(agent) = self.expected.agent else {
            return Ran::Skipped("--agent is needed to find the handoff file".into());
        };
        let profile = self.profile.agent(agent);
        if profile.is_some_and(|agent| !agent.writes_handoff) {
            return Ran::Skipped("this agent writes no handoff file".into());
        }
        let path = self.profile.handoff_file(session, group, agent);
        let (Some(path), Some(profile)) = (path, self.handoff.as_deref()) else {
            return Ran::Checked;
        };
        let (state, bytes) = match self.root.read(Path::new(&path), self.max_bytes) {
            Ok(bytes) => self.check_handoff_text(profile, collector, &path, &bytes),
            Err(found) => (rules::handoff::unusable(collector, &path, found), None),
        };
        collector.facts.artifacts.push(ArtifactReport {
            path: path.into(),
            kind: None,
            summary: None,
            state,
            bytes,
        });
        Ran::Checked
    }

    fn check_handoff_text(
        &self,
        profile: &Profile,
        collector: &mut Collector<'_, '_>,
        path: &str,
        bytes: &[u8],
    ) -> (ArtifactState, Option<u64>) {
        let checker = match &self.handoffs {
            Some(checker) => checker.with_profile(checker.profile),
            None => self.with_profile(profile),
        };
        let checker = checker
            .rule(&RETURN_MISSING, Level::Off)
            .returned_as(collector.context.input.text);
        let report = checker.check_file(bytes, ReturnFile::new(Path::new(path), None));
        rules::handoff::compare(&report, collector, path);
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let state = match size {
            0 => ArtifactState::Empty,
            _ => ArtifactState::Ok,
        };
        (state, Some(size))
    }
}
