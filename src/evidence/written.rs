//! Whether the agent wrote a file that its return claims.

use std::time::SystemTime;

use crate::clients::run::{
    Call, CallKind, Completeness, Outcome, PATHS_OF_CALL_AT_MOST, Run, WriteEffect, is_redacted,
};
use crate::evidence::assessment::{
    Assessment, CallLabel, EvidenceReason, EvidenceValue, lack, span, used,
};
use crate::evidence::place::ClaimedFile;
use crate::evidence::subject::Subject;
use crate::evidence::writes::{CallAt, FileTraces, KnownWrite, WriteIndex, may_write};
use crate::text::escape;

/// The most characters of an agent's name that are shown.
const AGENT_SHOWN: usize = 48;

const OF_CALLED: &str = " of an agent that it called";
const TOO_MANY_PATHS: &str = "the agent wrote too many files to compare";

impl Subject<'_> {
    pub(crate) fn wrote(&self, file: &ClaimedFile<'_>) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(why) => return Assessment::unknown(why),
        };
        let writes = self.writes(file);
        if writes.is_cut() {
            return Assessment::unknown(TOO_MANY_PATHS);
        }
        let traces = writes.of_file(file);
        if let Some(write) = traces.wrote {
            return match writes.undone_after(&write, file) {
                Some(undone) => self.undone(undone),
                None => self.shown(write),
            };
        }
        let uncertainty = || self.uncertainty_about(&traces, file);
        if let Some(uncertainty) = gap(run).or_else(uncertainty) {
            return Assessment::unknown(uncertainty);
        }
        if let Some(on_request) = self.on_request(run, file) {
            return on_request;
        }
        let Some(at) = traces.failed else {
            return Assessment::contradicted(self.unwritten(run, writes));
        };
        let call = self.call_label(at);
        let (calls, what) = if has_ended_well(self.call(at)) {
            ("no call", format!("changed it; {call} changed nothing"))
        } else {
            let what = format!("that was to write it failed, the last one {call}");
            ("every call", what)
        };
        let reason = EvidenceReason::of(format!("{calls} {what}"), call);
        Assessment::contradicted(reason.or_to_agent(format!("{calls} of yours {what}")))
    }

    fn unwritten(&self, run: &Run, writes: &WriteIndex) -> EvidenceReason {
        let unwritten = || {
            let mut used = used(run);
            if run.calls.iter().any(has_written) || writes.command_that_wrote.is_some() {
                used += ", and wrote only other files";
            }
            let reason = EvidenceReason::from(format!("no call wrote it; the agent {used}"));
            reason.or_to_agent(format!("no call of yours wrote it; you {used}"))
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
        let text = format!("{call} of {agent} wrote it");
        let said = |rest: &str, to_agent: &str| {
            EvidenceReason::of(format!("{text}{rest}"), call).or_to_agent(text.clone() + to_agent)
        };
        Some(if wrote == EvidenceValue::Contradicted {
            Assessment::contradicted(said("", ", and none of yours"))
        } else {
            Assessment::unknown(said(
                ", and this agent may have written it, too",
                ", and you may have written it, too",
            ))
        })
    }

    fn other_writer(&self, file: &ClaimedFile<'_>) -> Option<(String, CallLabel)> {
        let (run, at) = self.others_writes(file).of_file(file).wrote?.call();
        let run = self.others()[run];
        Some((name(run), CallLabel::new(run, at)))
    }

    /// The uncertainty if another agent wrote the file and this agent was resumed: it may have asked for the
    /// file in the meantime. None otherwise.
    fn on_request(&self, run: &Run, file: &ClaimedFile<'_>) -> Option<Assessment> {
        let (agent, call) = self.other_writer(file).filter(|_| run.resumed)?;
        let text = format!("{call} of {agent} wrote it, maybe on");
        let reason = EvidenceReason::of(format!("{text} request: the agent was resumed"), call);
        Some(Assessment::unknown(
            reason.or_to_agent(text + " your request"),
        ))
    }

    /// The value of the claim if this call may have undone what was written. The file that is there now may
    /// be another one.
    fn undone(&self, at: CallAt) -> Assessment {
        let call = self.call_label(at);
        let text = format!(
            "a shell command may have undone, moved or removed it after it was written, {call}"
        );
        Assessment::unknown(EvidenceReason::of(text, call))
    }

    /// The value of a claim that this write shows.
    fn shown(&self, write: KnownWrite) -> Assessment {
        let call = self.call_label(write.call());
        let tree = if write.in_work_tree {
            " in another working tree"
        } else {
            ""
        };
        let after = self.since_start(self.call(write.call()).time);
        let after = after.map(|after| format!(", {} after the start", span(after)));
        let text = match (write.by, write.call()) {
            (Some(by), _) => format!("{by} in a shell command wrote it{tree}, {call}"),
            (None, (run, _)) => {
                let by = if run == 0 { "" } else { OF_CALLED };
                format!("{call}{by} wrote it{tree}{}", after.unwrap_or_default())
            }
        };
        Assessment::shown(EvidenceReason {
            is_of_work_tree: write.in_work_tree,
            ..EvidenceReason::of(text, call)
        })
    }

    /// The uncertainty about the first call that may have written the file. None if no call may have.
    fn uncertainty_about(
        &self,
        traces: &FileTraces,
        file: &ClaimedFile<'_>,
    ) -> Option<EvidenceReason> {
        let writes = self.writes(file);
        let uncertain = traces.uncertain.map(|at| (at, self.why_uncertain(at)));
        // If the folder of that path is not known, an earlier command may have changed the
        // working directory. That command is then the first uncertainty.
        let same_name = writes.same_name(file).map(|at| {
            let call = self.call_label(at);
            let text = format!("{call} wrote a file of the same name in another place");
            (at, EvidenceReason::of(text, call))
        });
        let other_name = writes.other_name(file).map(|at| {
            let call = self.call_label(at);
            let text = format!("the file has several names, and {call} wrote one");
            (at, EvidenceReason::of(text, call))
        });
        let first = self.first_uncertainty(writes);
        let all = [uncertain, same_name, other_name, first];
        let first = all.into_iter().flatten().min_by_key(|(at, _)| *at);
        first.map(|(_, reason)| reason)
    }

    /// Why it is not certain whether a call wrote the file that it names.
    fn why_uncertain(&self, at: CallAt) -> EvidenceReason {
        let (call, name) = (self.call(at), self.call_label(at));
        let text = match (call.kind, call.effect) {
            (CallKind::Command, _) => by_command(&name),
            (_, WriteEffect::Rewrite) => format!("{name} wrote it as it was before"),
            _ if call.outcome == Outcome::Failed => by_tool(&name),
            _ => format!("the transcript does not tell how {name} ended"),
        };
        EvidenceReason::of(text, name)
    }

    /// Why a call may have written files that it does not name. None if it cannot have.
    pub(super) fn uncertainty(&self, at: CallAt, writes: &WriteIndex) -> Option<EvidenceReason> {
        let call = self.call(at);
        let are_all_known = (1..PATHS_OF_CALL_AT_MOST).contains(&call.paths.len())
            && !call.paths.iter().any(|path| is_redacted(path));
        let may_have = match call.kind {
            CallKind::Write => !are_all_known && may_write(call),
            CallKind::Delegate => !self.knows_agent_of(call),
            CallKind::Command => !writes.is_closed(at),
            kind => kind == CallKind::Other,
        };
        if !may_have || call.outcome == Outcome::Rejected {
            return None;
        }
        let name = self.call_label(at);
        Some(match call.kind {
            CallKind::Command => EvidenceReason::of(by_command(&name), name),
            CallKind::Delegate => {
                let said = |who| format!("an agent that {who} called may have written it, {name}");
                let [text, to_agent] = ["it", "you"].map(said);
                EvidenceReason::of(text, name).or_to_agent(to_agent)
            }
            _ => EvidenceReason::of(by_tool(&name), name),
        })
    }

    fn since_start(&self, time: Option<SystemTime>) -> Option<std::time::Duration> {
        self.start?.until(time?)
    }
}

fn by_command(call: &CallLabel) -> String {
    format!("a shell command may have written it, {call}")
}

fn by_tool(call: &CallLabel) -> String {
    format!("{call} may have written it")
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
fn gap(run: &Run) -> Option<EvidenceReason> {
    match run.completeness {
        Completeness::Partial(gap) => Some(lack(gap).into()),
        Completeness::Complete => None,
    }
}
