//! Whether the agent wrote a file that it claims.

use std::time::SystemTime;

use crate::evidence::call_name::{CallName, tools};
use crate::evidence::place::{ClaimedFile, Likeness};
use crate::evidence::reason::{Doubt, EvidenceReason};
use crate::evidence::subject::Subject;
use crate::evidence::value::{Assessment, EvidenceValue};
use crate::text::escape;
use crate::transcript::{Call, CallKind, Completeness, Outcome, Run};

/// Paths that the reader of a transcript keeps of one call.
const PATHS_KEPT: usize = 256;

/// Characters of the name of an agent that are shown.
const AGENT_SHOWN: usize = 48;

/// What the calls of a family say of a file.
#[derive(Default)]
struct Traces {
    wrote: Option<Assessment>,
    /// The last call that was to write it and failed.
    failed: Option<CallName>,
    doubt: Option<Doubt>,
}

impl Subject<'_> {
    /// Whether the agent, or one that it called, wrote the file.
    pub(crate) fn wrote(&self, file: &ClaimedFile<'_>) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(doubt) => return Assessment::unknown(doubt.clone()),
        };
        let traces = self.traces(file);
        if let Some(wrote) = traces.wrote {
            return wrote;
        }
        if let Some(doubt) = gap(run).or(traces.doubt) {
            return Assessment::unknown(doubt);
        }
        if let Some(by_link) = self.by_link(file).or_else(|| self.on_request(run, file)) {
            return by_link;
        }
        Assessment::contradicted(match traces.failed {
            Some(call) => EvidenceReason::Failed(call),
            None => EvidenceReason::Unwritten {
                tools: tools(run),
                wrote_others: run.calls.iter().any(has_written),
            },
        })
    }

    /// Whether another agent of the session wrote the file, and this one did not. `wrote` is what is
    /// known of this one.
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
            Assessment::unknown(Doubt::AnotherWrote { agent, call })
        })
    }

    /// Another agent of the session that wrote the file, and its call.
    fn other_writer(&self, file: &ClaimedFile<'_>) -> Option<(String, CallName)> {
        self.others().iter().find_map(|run| {
            let mut calls = run.calls.iter();
            let at = calls.position(|call| {
                call.outcome == Outcome::Succeeded && likeness(call, file).is_same()
            })?;
            Some((name(run), CallName::new(run, at)))
        })
    }

    /// An agent that is resumed may have asked another one for the file in between.
    fn on_request(&self, run: &Run, file: &ClaimedFile<'_>) -> Option<Assessment> {
        let (agent, call) = self.other_writer(file).filter(|_| run.resumed)?;
        Some(Assessment::unknown(Doubt::OnRequest { agent, call }))
    }

    fn traces(&self, file: &ClaimedFile<'_>) -> Traces {
        let mut traces = Traces::default();
        for (index, run) in self.members().iter().enumerate() {
            for (at, call) in run.calls.iter().enumerate() {
                let is = likeness(call, file);
                if is.is_same() && call.outcome == Outcome::Succeeded {
                    traces.wrote = Some(Assessment::shown(EvidenceReason::Wrote {
                        call: CallName::new(run, at),
                        is_own: index == 0,
                        in_work_tree: is == Likeness::InWorkTree,
                        after: self.since_start(call.time),
                    }));
                    return traces;
                }
                if let Some((by, is)) = self.by_command((index, at), call, file) {
                    traces.wrote = Some(Assessment::shown(EvidenceReason::WroteByCommand {
                        call: CallName::new(run, at),
                        by,
                        in_work_tree: is == Likeness::InWorkTree,
                    }));
                    return traces;
                }
                match (is, call.outcome) {
                    (
                        Likeness::Same | Likeness::InWorkTree,
                        Outcome::Failed | Outcome::Rejected,
                    ) => {
                        traces.failed = Some(CallName::new(run, at));
                    }
                    (_, Outcome::Rejected) => {}
                    _ if traces.doubt.is_none() => {
                        traces.doubt = self.doubt(call, is, || CallName::new(run, at));
                    }
                    _ => {}
                }
            }
        }
        traces
    }

    /// Why a call may have written a file, if it may.
    fn doubt(&self, call: &Call, is: Likeness, name: impl Fn() -> CallName) -> Option<Doubt> {
        match (call.kind, is) {
            (CallKind::Write, Likeness::Same | Likeness::InWorkTree) => {
                Some(Doubt::NoResult(name()))
            }
            (CallKind::Write, _) if call.outcome == Outcome::Failed => None,
            (CallKind::Write, Likeness::SameName) => Some(Doubt::SameName(name())),
            (CallKind::Write, _) if call.paths.is_empty() || call.paths.len() >= PATHS_KEPT => {
                Some(Doubt::Tool(name()))
            }
            (CallKind::Command, _) => Some(Doubt::Command(name())),
            (CallKind::Delegate, _) if !self.knows_agent_of(call) => Some(Doubt::Delegate(name())),
            (CallKind::Other, _) => Some(Doubt::Tool(name())),
            _ => None,
        }
    }

    /// What calls say that wrote a path with another name, if it is the file by a link or by the rules
    /// of the file system for letters. Asked last, because every path has to be looked up for it.
    fn by_link(&self, file: &ClaimedFile<'_>) -> Option<Assessment> {
        let Some(found) = self.found_paths(file) else {
            return Some(Assessment::unknown(Doubt::TooManyPaths));
        };
        let mut doubt = None;
        let named = self.paths().zip(found);
        for (of, found) in named.filter(|(of, _)| !file.has_name_of(of.path)) {
            let name = || CallName::new(of.run, of.at);
            match (file.is_also(of.path, found), of.call.outcome) {
                (Some(true), Outcome::Succeeded) => {
                    return Some(Assessment::shown(EvidenceReason::Wrote {
                        call: name(),
                        is_own: of.index == 0,
                        in_work_tree: false,
                        after: self.since_start(of.call.time),
                    }));
                }
                (Some(true), Outcome::Unknown) => doubt = Some(Doubt::Tool(name())),
                (None, Outcome::Succeeded | Outcome::Unknown) => {
                    doubt.get_or_insert(Doubt::OtherName);
                }
                _ => {}
            }
        }
        doubt.map(Assessment::unknown)
    }

    /// What in a command that succeeded wrote the file for certain, and how its path compares.
    fn by_command(
        &self,
        at: (usize, usize),
        call: &Call,
        file: &ClaimedFile<'_>,
    ) -> Option<(&'static str, Likeness)> {
        let command = call.command.as_deref()?;
        let has_ended = call.outcome == Outcome::Succeeded && !call.background;
        if !has_ended || call.exit_code.is_some_and(|code| code != 0) || !file.is_named_in(command)
        {
            return None;
        }
        self.certain_writes(at, command).iter().find_map(|it| {
            let is = file.compare(&it.path, call.cwd.as_deref());
            is.is_same().then_some((it.by, is))
        })
    }

    fn since_start(&self, time: Option<SystemTime>) -> Option<std::time::Duration> {
        self.start()?.until(time?)
    }
}

/// Whether a call wrote a file with a file tool.
fn has_written(call: &Call) -> bool {
    call.kind == CallKind::Write && call.outcome == Outcome::Succeeded
}

/// How the files that a call writes compare with a file. Paths with another name are not looked up.
fn likeness(call: &Call, file: &ClaimedFile<'_>) -> Likeness {
    let mut found = Likeness::Different;
    for path in call.paths.iter().filter(|path| file.has_name_of(path)) {
        match file.compare(path, call.cwd.as_deref()) {
            is @ (Likeness::Same | Likeness::InWorkTree) => return is,
            Likeness::SameName => found = Likeness::SameName,
            Likeness::Different => {}
        }
    }
    found
}

/// The name of an agent: its type, and its id where there is one.
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
fn gap(run: &Run) -> Option<Doubt> {
    match run.completeness {
        Completeness::Partial(gap) => Some(Doubt::Partial(gap)),
        Completeness::Complete => None,
    }
}
