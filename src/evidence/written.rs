//! Whether the agent wrote a file that its return claims.

use crate::clients::run::{
    CallKind, Completeness, Outcome, PATHS_OF_CALL_AT_MOST, Run, is_redacted,
};
use crate::evidence::assessment::{
    Assessment, CallLabel, EvidenceReason, EvidenceValue, lack, span,
};
use crate::evidence::calls::{has_changed, may_write};
use crate::evidence::changed::OTHER_WORK_TREE;
use crate::evidence::place::ClaimedFile;
use crate::evidence::subject::Subject;
use crate::evidence::writes::{CallAt, FileTraces, KnownWrite, WriteIndex};
use crate::text::escape;

impl Subject<'_> {
    pub(crate) fn wrote(&self, file: &ClaimedFile<'_>) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(why) => return Assessment::unknown(why),
        };
        let writes = self.writes(file);
        if writes.is_cut() {
            return Assessment::unknown("the agent wrote too many files to compare");
        }
        let traces = writes.of_file(file);
        if let Some(write) = traces.wrote {
            let Some(undone) = writes.undone_after(&write, file) else {
                return self.shown(write);
            };
            // The file that is there now may be another one.
            return Assessment::unknown(self.call_label(undone).reason(|call| {
                format!("a shell command may have undone, moved or removed it after it was written, {call}")
            }));
        }
        if traces.elsewhere.is_some() {
            return Assessment::unknown(OTHER_WORK_TREE);
        }
        if let Completeness::Partial(gap) = run.completeness {
            return Assessment::unknown(lack(gap));
        }
        if let Some(uncertainty) = self.uncertainty_about(&traces, file) {
            return Assessment::unknown(uncertainty);
        }
        // An agent that was resumed may have asked for the file in the meantime.
        if let Some((agent, call)) = self.other_writer(file).filter(|_| run.resumed) {
            return Assessment::unknown(call.reason(|call| {
                format!("{call} of {agent} wrote it, maybe on request: the agent was resumed")
            }));
        }
        let Some(at) = traces.failed else {
            return Assessment::contradicted(unwritten(run));
        };
        let call = self.call_label(at);
        let what = format!("that was to write it failed, the last one {call}");
        Assessment::contradicted(call.reason(|_| format!("every call {what}")))
    }

    /// Whether another agent of the session wrote the file, and this agent did not. None if no other
    /// agent wrote it, or if `wrote`, the value of [`Self::wrote`], shows that this one did.
    pub(crate) fn another_wrote(
        &self,
        file: &ClaimedFile<'_>,
        wrote: EvidenceValue,
    ) -> Option<Assessment> {
        let (agent, call) = self.other_writer(file).filter(|_| wrote != EvidenceValue::Shown)?;
        let text = format!("{call} of {agent} wrote it");
        Some(if wrote == EvidenceValue::Contradicted {
            Assessment::contradicted(call.reason(|_| text))
        } else {
            Assessment::unknown(call.reason(|_| text + ", and this agent may have written it, too"))
        })
    }

    fn other_writer(&self, file: &ClaimedFile<'_>) -> Option<(String, CallLabel)> {
        let (run, at) = self.others_writes(file).of_file(file).wrote?.moment.at;
        let run = self.others[run];
        Some((name(run), CallLabel::new(run, at)))
    }

    /// The value of a claim that this write shows.
    pub(super) fn shown(&self, write: KnownWrite) -> Assessment {
        let (at, call) = (write.moment.at, self.call_label(write.moment.at));
        let text = if write.is_by_command {
            format!("a redirection in a shell command wrote it, {call}")
        } else {
            let by = if at.0 == 0 { "" } else { " of an agent that it called" };
            let time = self.start.zip(self.call(at).time);
            let after = time.and_then(|(start, time)| start.until(time));
            let after = after.map(|after| format!(", {} after the start", span(after.as_secs())));
            format!("{call}{by} wrote it{}", after.unwrap_or_default())
        };
        Assessment::shown(call.reason(|_| text))
    }

    /// Why a call may have written the file. None if none may have.
    fn uncertainty_about(
        &self,
        traces: &FileTraces,
        file: &ClaimedFile<'_>,
    ) -> Option<EvidenceReason> {
        let writes = self.writes(file);
        let reason = |at: CallAt, text: fn(&CallLabel) -> String| self.call_label(at).reason(text);
        if let Some(at) = traces.uncertain {
            return Some(self.why_uncertain(at));
        }
        // An earlier command may have changed the working directory.
        if let Some((_, first)) = self.first_uncertainty(writes) {
            return Some(first);
        }
        if let Some(at) = writes.same_name(file) {
            return Some(reason(at, |it| {
                format!("{it} wrote a file of the same name in another place")
            }));
        }
        let at = writes.other_name(file)?;
        Some(reason(at, |it| format!("the file has several names, and {it} wrote one")))
    }

    /// Why it is not certain whether a call wrote the file that it names.
    fn why_uncertain(&self, at: CallAt) -> EvidenceReason {
        let call = self.call(at);
        self.call_label(at).reason(|it| match call.kind {
            CallKind::Command => by_command(it),
            _ if call.is_rewrite => format!("{it} wrote it as it was before"),
            _ if call.outcome == Outcome::Failed => by_tool(it),
            _ => format!("the transcript does not tell how {it} ended"),
        })
    }

    /// Why a call may have written files that it does not name. None if it cannot have.
    pub(super) fn uncertainty(&self, at: CallAt, writes: &WriteIndex) -> Option<EvidenceReason> {
        let call = self.call(at);
        let are_all_known = (1..PATHS_OF_CALL_AT_MOST).contains(&call.paths.len())
            && !call.paths.iter().any(|path| is_redacted(path));
        let may_have = match call.kind {
            CallKind::Write => !are_all_known && may_write(call),
            CallKind::Delegate => !self.knows_agent_of(call),
            CallKind::Command => !writes.closed.contains(&at),
            kind => kind == CallKind::Other,
        };
        if !may_have || call.outcome == Outcome::Rejected {
            return None;
        }
        let name = self.call_label(at);
        Some(match call.kind {
            CallKind::Command => name.reason(by_command),
            CallKind::Delegate => {
                name.reason(|call| format!("an agent that it called may have written it, {call}"))
            }
            _ => name.reason(by_tool),
        })
    }
}

fn unwritten(run: &Run) -> EvidenceReason {
    let wrote_others = run.calls.iter().any(has_changed);
    let more = if wrote_others { ", and wrote only other files" } else { "" };
    EvidenceReason::no_call(run, "call", "wrote it", more)
}

fn by_command(call: &CallLabel) -> String {
    format!("a shell command may have written it, {call}")
}

fn by_tool(call: &CallLabel) -> String {
    format!("{call} may have written it")
}

/// The name of an agent for reports: its type and its id, as far as they are known.
fn name(run: &Run) -> String {
    const SHOWN: usize = 48;
    let short = |text: &str| {
        let text: String = text.chars().take(SHOWN).collect();
        escape::full(&text).to_string()
    };
    match (&run.agent_type, &run.agent_id) {
        (Some(kind), Some(id)) => format!("{} {}", short(kind), short(id)),
        (Some(text), None) | (None, Some(text)) => format!("agent {}", short(text)),
        (None, None) if run.depth == Some(0) => "the main agent".to_owned(),
        (None, None) => "another agent".to_owned(),
    }
}
