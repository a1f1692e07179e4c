//! Whether the agent wrote a file that its return claims.

use std::time::SystemTime;

use crate::clients::run::{
    Call, CallKind, Completeness, Outcome, PATHS_OF_CALL_AT_MOST, Run, WriteEffect, is_redacted,
};
use crate::evidence::assessment::{
    Assessment, CallLabel, EvidenceReason, EvidenceValue, lack, span, used,
};
use crate::evidence::place::ClaimedFile;
use crate::evidence::removed::CallAt;
use crate::evidence::subject::Subject;
use crate::evidence::writes::{FileTraces, KnownWrite, OtherNames, WritesOfFile, may_write};
use crate::text::escape;

/// The most characters of an agent's name that are shown.
const AGENT_SHOWN: usize = 48;

const OF_CALLED: &str = " of an agent that it called";
const TOO_MANY_PATHS: &str = "the agent wrote too many files to compare";
const OTHER_NAME: &str =
    "the file has several names, and the agent wrote files outside of the root";

impl Subject<'_> {
    pub(crate) fn wrote(&self, file: &ClaimedFile<'_>) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(why) => return Assessment::unknown(why),
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
        let Some(at) = traces.failed else {
            return Assessment::contradicted(self.unwritten(run));
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

    fn unwritten(&self, run: &Run) -> EvidenceReason {
        let unwritten = || {
            let mut used = used(run);
            if run.calls.iter().any(has_written) || self.command_that_wrote().is_some() {
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
        let (run, at) = self.writes_of_others(file).traces.wrote?.moment.at;
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

    /// The value of the claim if calls wrote the file. None if no call is known to have written it. A
    /// file that was removed or moved after the last write is not the one that is there now.
    fn known_write(&self, traces: &FileTraces, file: &ClaimedFile<'_>) -> Option<Assessment> {
        let first = traces.wrote?;
        let Some(removed) = self.removed_after(&first, file) else {
            return Some(self.shown(first));
        };
        let last = traces.wrote_last.unwrap_or(first);
        Some(match self.removed_after(&last, file) {
            Some(_) => {
                let call = self.call_label(removed);
                let text = format!(
                    "a shell command may have undone, moved or removed it after it was written, {call}"
                );
                Assessment::unknown(EvidenceReason::of(text, call))
            }
            None => self.shown(last),
        })
    }

    /// The value of a claim that this write shows.
    fn shown(&self, write: KnownWrite) -> Assessment {
        let call = self.call_label(write.moment.at);
        let tree = if write.in_work_tree {
            " in another working tree"
        } else {
            ""
        };
        let after = self.since_start(self.call(write.moment.at).time);
        let after = after.map(|after| format!(", {} after the start", span(after)));
        let text = match (write.by, write.moment.at) {
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

    /// The uncertainty about the first call that may have written the file. `uncertain` is a call that names
    /// the file, and `same_name` one that names another file with the same name. None if no call may have
    /// written it.
    fn uncertainty_about(
        &self,
        uncertain: Option<CallAt>,
        same_name: Option<CallAt>,
    ) -> Option<EvidenceReason> {
        let uncertain = uncertain.map(|at| (at, self.why_uncertain(at)));
        // If the folder of that path is not known, an earlier command may have changed the
        // working directory. That command is then the first uncertainty.
        let same_name = same_name.map(|at| {
            let call = self.call_label(at);
            let text = format!("{call} wrote a file of the same name in another place");
            (at, EvidenceReason::of(text, call))
        });
        let all = [uncertain, same_name, self.first_uncertainty()]
            .into_iter()
            .flatten();
        let first = all.min_by_key(|(at, _)| *at);
        let is_cut = self.has_too_many_paths();
        let reason = first.map(|(_, reason)| reason);
        reason.or_else(|| is_cut.then(|| TOO_MANY_PATHS.into()))
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
    pub(super) fn uncertainty(&self, at: CallAt) -> Option<EvidenceReason> {
        let call = self.call(at);
        let are_all_known = (1..PATHS_OF_CALL_AT_MOST).contains(&call.paths.len())
            && !call.paths.iter().any(|path| is_redacted(path));
        let may_have = match call.kind {
            CallKind::Write => !are_all_known && may_write(call),
            CallKind::Delegate => !self.knows_agent_of(call),
            CallKind::Command => !self.names_its_writes(at),
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

    /// The value of the claim if calls wrote, or may have written, the file under another name: through
    /// a link, or in a spelling that the file system treats as equal. None if there is no such call.
    fn by_link(&self, file: &ClaimedFile<'_>) -> Option<Assessment> {
        let Some(OtherNames {
            traces,
            may_be_outside,
        }) = self.linked(file)
        else {
            return Some(Assessment::unknown(TOO_MANY_PATHS));
        };
        if let Some(known) = self.known_write(&traces, file) {
            return Some(known);
        }
        // Under which other names a command may have written it is not looked up.
        let command = || {
            self.command_that_wrote()
                .filter(|_| file.may_have_other_names())
        };
        let uncertain = traces.uncertain.or_else(command);
        let uncertain = uncertain.map(|at| self.why_uncertain(at));
        let outside = || may_be_outside.then(|| OTHER_NAME.into());
        uncertain.or_else(outside).map(Assessment::unknown)
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
