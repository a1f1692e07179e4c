//! Whether the agent wrote a file that its return claims.

use std::time::SystemTime;

use crate::clients::run::{
    Call, CallKind, Completeness, Outcome, PATHS_OF_CALL_AT_MOST, Run, WriteEffect, is_redacted,
};
use crate::evidence::call_label::{CallLabel, tools};
use crate::evidence::linked::OtherNames;
use crate::evidence::place::ClaimedFile;
use crate::evidence::reason::{EvidenceReason, Uncertainty};
use crate::evidence::subject::Subject;
use crate::evidence::traces::{CallAt, FileTraces, KnownWrite, may_write};
use crate::evidence::value::{Assessment, EvidenceValue};
use crate::evidence::writes::WritesOfFile;
use crate::text::escape;

/// The most characters of an agent's name that are shown.
const AGENT_SHOWN: usize = 48;

impl Subject<'_> {
    pub(crate) fn wrote(&self, file: &ClaimedFile<'_>) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(uncertainty) => return Assessment::unknown(uncertainty.clone()),
        };
        let WritesOfFile { traces, same_name } = self.writes_of(file);
        if let Some(known) = self.known_write(&traces, file) {
            return known;
        }
        let uncertainty = || self.uncertainty_about(traces.uncertain, same_name);
        if let Some(uncertainty) = gap(run).or_else(uncertainty) {
            return Assessment::unknown(uncertainty);
        }
        if let Some(by_link) = self.by_link(file).or_else(|| self.on_request(run, file)) {
            return by_link;
        }
        Assessment::contradicted(match traces.failed {
            Some(at) if has_ended_well(self.call(at)) => EvidenceReason::Idle(self.call_label(at)),
            Some(at) => EvidenceReason::Failed(self.call_label(at)),
            None => self.unwritten(run),
        })
    }

    fn unwritten(&self, run: &Run) -> EvidenceReason {
        let unwritten = || EvidenceReason::Unwritten {
            tools: tools(run),
            wrote_others: run.calls.iter().any(has_written),
        };
        self.unwritten.get_or_init(unwritten).clone()
    }

    /// Whether another agent of the session wrote the file, and this agent did not. None if no other
    /// agent wrote it, or if `wrote` shows that this one did. `wrote` is the value of [`Self::wrote`].
    pub(crate) fn another_wrote(
        &self,
        file: &ClaimedFile<'_>,
        wrote: EvidenceValue,
    ) -> Option<Assessment> {
        if wrote == EvidenceValue::Shown {
            return None;
        }
        let (agent, call) = self.other_writer(file)?;
        Some(if wrote == EvidenceValue::Contradicted {
            Assessment::contradicted(EvidenceReason::WroteAnother { agent, call })
        } else {
            Assessment::unknown(Uncertainty::AnotherWrote { agent, call })
        })
    }

    fn other_writer(&self, file: &ClaimedFile<'_>) -> Option<(String, CallLabel)> {
        let (run, at) = self.writes_of_others(file).traces.wrote?.moment.at;
        let run = self.others()[run];
        Some((name(run), CallLabel::new(run, at)))
    }

    /// The uncertainty if another agent wrote the file and this agent was resumed: it may have asked for the
    /// file in the meantime. None otherwise.
    fn on_request(&self, run: &Run, file: &ClaimedFile<'_>) -> Option<Assessment> {
        let (agent, call) = self.other_writer(file).filter(|_| run.resumed)?;
        Some(Assessment::unknown(Uncertainty::OnRequest { agent, call }))
    }

    /// The value of the claim if calls wrote the file. None if no call is known to have written it. A
    /// file that was removed or moved after the last write is not the one that is there now.
    fn known_write(&self, traces: &FileTraces, file: &ClaimedFile<'_>) -> Option<Assessment> {
        let first = traces.wrote?;
        let Some(removed) = self.removed_after(&first, file) else {
            return Some(self.shown(first));
        };
        let last = traces.wrote_last.unwrap_or(first);
        Some(match self.removed_after(&last, file) {
            Some(_) => Assessment::unknown(Uncertainty::Removed(self.call_label(removed))),
            None => self.shown(last),
        })
    }

    /// The value of a claim that this write shows.
    fn shown(&self, write: KnownWrite) -> Assessment {
        let call = self.call_label(write.moment.at);
        let in_work_tree = write.in_work_tree;
        Assessment::shown(match write.by {
            Some(by) => EvidenceReason::WroteByCommand {
                call,
                by,
                in_work_tree,
            },
            None => EvidenceReason::Wrote {
                call,
                is_own: write.moment.at.0 == 0,
                in_work_tree,
                after: self.since_start(self.call(write.moment.at).time),
            },
        })
    }

    /// The uncertainty about the first call that may have written the file. `uncertain` is a call that names
    /// the file, and `same_name` one that names another file with the same name. None if no call may have
    /// written it.
    fn uncertainty_about(
        &self,
        uncertain: Option<CallAt>,
        same_name: Option<CallAt>,
    ) -> Option<Uncertainty> {
        let uncertain = uncertain.map(|at| (at, self.why_uncertain(at)));
        // If the folder of that path is not known, an earlier command may have changed the
        // working directory. That command is then the first uncertainty.
        let same_name = same_name.map(|at| (at, Uncertainty::SameName(self.call_label(at))));
        let all = [uncertain, same_name, self.first_uncertainty()]
            .into_iter()
            .flatten();
        let first = all.min_by_key(|(at, _)| *at);
        let is_cut = self
            .has_too_many_paths()
            .then_some(Uncertainty::TooManyPaths);
        first.map(|(_, uncertainty)| uncertainty).or(is_cut)
    }

    /// Why it is not certain whether a call wrote the file that it names.
    fn why_uncertain(&self, at: CallAt) -> Uncertainty {
        let (call, name) = (self.call(at), self.call_label(at));
        match (call.kind, call.effect) {
            (CallKind::Command, _) => Uncertainty::Command(name),
            (_, WriteEffect::Rewrite) => Uncertainty::Rewrote(name),
            _ if call.outcome == Outcome::Failed => Uncertainty::Tool(name),
            _ => Uncertainty::NoResult(name),
        }
    }

    /// Why a call may have written files that it does not name. None if it cannot have.
    pub(super) fn uncertainty(&self, at: CallAt) -> Option<Uncertainty> {
        let call = self.call(at);
        let name = || self.call_label(at);
        let are_all_known = (1..PATHS_OF_CALL_AT_MOST).contains(&call.paths.len())
            && !call.paths.iter().any(|path| is_redacted(path));
        match call.kind {
            _ if call.outcome == Outcome::Rejected => None,
            CallKind::Write if are_all_known || !may_write(call) => None,
            CallKind::Write | CallKind::Other => Some(Uncertainty::Tool(name())),
            CallKind::Command => Some(Uncertainty::Command(name())),
            CallKind::Delegate if !self.knows_agent_of(call) => Some(Uncertainty::Delegate(name())),
            _ => None,
        }
    }

    /// The value of the claim if calls wrote, or may have written, the file under another name: through
    /// a link, or in a spelling that the file system treats as equal. None if there is no such call.
    fn by_link(&self, file: &ClaimedFile<'_>) -> Option<Assessment> {
        let Some(OtherNames {
            traces,
            may_be_outside,
        }) = self.linked(file)
        else {
            return Some(Assessment::unknown(Uncertainty::TooManyPaths));
        };
        if let Some(known) = self.known_write(&traces, file) {
            return Some(known);
        }
        let uncertain = traces.uncertain.map(|at| self.why_uncertain(at));
        let uncertainty = uncertain.or(may_be_outside.then_some(Uncertainty::OtherName));
        uncertainty.map(Assessment::unknown)
    }

    fn since_start(&self, time: Option<SystemTime>) -> Option<std::time::Duration> {
        self.start?.until(time?)
    }
}

fn has_written(call: &Call) -> bool {
    call.kind == CallKind::Write && has_ended_well(call) && call.effect == WriteEffect::Change
}

fn has_ended_well(call: &Call) -> bool {
    call.outcome == Outcome::Succeeded
}

/// The name of an agent for reports: its type and its id, as far as they are known.
fn name(run: &Run) -> String {
    let short = |text: &str| {
        let text: String = text.chars().take(AGENT_SHOWN).collect();
        escape::full(&text).to_string()
    };
    match (&run.agent_type, &run.agent_id) {
        (Some(kind), Some(id)) => format!("{} {}", short(kind), short(id)),
        (Some(text), None) | (None, Some(text)) => format!("agent {}", short(text)),
        (None, None) if run.depth == Some(0) => "the main agent".to_owned(),
        (None, None) => "another agent".to_owned(),
    }
}

/// Why calls of a run may be missing.
fn gap(run: &Run) -> Option<Uncertainty> {
    match run.completeness {
        Completeness::Partial(gap) => Some(Uncertainty::Partial(gap)),
        Completeness::Complete => None,
    }
}
