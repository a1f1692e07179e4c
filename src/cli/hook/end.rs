//! The end of an agent: the check of its return, and what happens to one that is invalid.

use std::fmt::Write as _;
use std::path::Path;

use crate::check::ReturnFile;
use crate::check::rules::RETURN_FILLER;
use crate::clients::transcript::locate::candidates;
use crate::clients::{Answer, Event, Moment};
use crate::document::Form;
use crate::instruct::Instruction;
use crate::log::{HookCall, ReturnLack};
use crate::profile::Shape;
use crate::report::{Audience, failed_return, feedback};
use crate::text::{escape, is_blank};
use crate::{Finding, Profile, Report, Root};

use crate::cli::evidence;
use crate::cli::hook::case::{ACTION, AgentCase, hook_call, record_of_agent, record_of_return};
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::retries::{self, Asking, lower_cap};
use crate::cli::hook::return_file::{Newest, Wanted};
use crate::cli::hook::session::{FailureEvent, HandedIn, Verdict};
use crate::cli::hook::{agent_files, prompt, return_file};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;
use crate::cli::settings::overrides::{Overrides, SourceSettings};

/// Why a message is not checked.
const FREE: &str = "its return was accepted before, and this is an answer without a status";

/// The most warnings that the caller is told.
const WARNINGS: usize = 3;

/// Most running agents of a session that are looked at.
const RUNNING_AT_MOST: usize = 64;

/// An event at the end of an agent, and what its return is checked against.
pub(super) struct AgentEnd<'h, 's> {
    pub(super) options: &'h HookOptions,
    pub(super) settings: &'h Settings,
    pub(super) event: &'h Event,
    pub(super) profile: &'h Profile,
    pub(super) case: &'h mut AgentCase<'s>,
    /// How often the agent was asked again before, as far as that is known.
    pub(super) asked_again: Option<u64>,
}

impl AgentEnd<'_, '_> {
    /// Checks the return of the agent that stops, or the result that its caller gets.
    pub(super) fn check(&mut self) -> anyhow::Result<Answer> {
        let (options, event, profile) = (self.options, self.event, self.profile);
        if let Some(answer) = self.without_message() {
            return Ok(answer);
        }
        let folder = options.folder(event);
        let root = Root::open(folder)?;
        let record = &mut self.case.record;
        let expected = CheckerOptions {
            session: prompt::expected_session(options, event, record.was_told_session),
            group: prompt::expected_group(options, event),
            agent: Some(event.agent.clone().unwrap_or_default()),
            evidence: agent_files::evidence(options, event, record),
            ..options.checker.clone()
        };
        // The client reports an agent that failed in the background; it has no return.
        let is_later = matches!(event.moment, Moment::Notification | Moment::Fetched);
        if is_later && event.message.is_none() {
            self.case.trace.unchecked("there is no message of it");
            return Ok(Answer::Nothing);
        }
        let is_of_tool = event.moment == Moment::Call && options.tool.is_some();
        if let Some(glob) = options.return_file.as_ref().filter(|_| !is_of_tool) {
            return self.check_file(glob, &root, &expected);
        }
        if self.is_free_answer(&root, &expected) {
            return Ok(self.let_answer());
        }
        let checker = expected.checker(self.settings, profile, &root);
        if let (Moment::Stop, Some(tool)) = (event.moment, &options.tool) {
            let tool = escape::truncated(tool.name());
            let missing = format!("There is no call of {tool} by this agent");
            return Ok(self.settle(&checker.check(""), Err(&missing), None));
        }
        let message = event.message.as_deref().unwrap_or_default();
        let report = checker.check(message);
        let remark = self.unchecked_handoff(&expected);
        Ok(self.settle(&report, Ok(message.as_bytes()), remark))
    }

    /// Checks the file that the agent returns.
    fn check_file(
        &mut self,
        glob: &str,
        root: &Root,
        expected: &CheckerOptions,
    ) -> anyhow::Result<Answer> {
        let (settings, profile) = (self.settings, self.profile);
        let key = self.case.record.key.clone();
        let files = self.case.session.known.files.clone();
        let wanted = Wanted {
            agent: expected.agent.as_deref().unwrap_or_default(),
            key: key.as_deref().filter(|_| self.event.agent_id.is_some()),
            started: self.case.record.start.as_ref().map(|start| start.at),
            most: self.options.checker.max_bytes,
            accepted: &files,
        };
        let folder = self.options.folder(self.event);
        let newest = return_file::newest((folder, root), glob, &wanted)?;
        let is_unchanged = match &newest {
            Newest::File(file) => wanted.owner(&file.path, file.written) == Some(true),
            Newest::None(_) => true,
        };
        let answer = match &newest {
            _ if is_unchanged && self.is_free_answer(root, expected) => self.let_answer(),
            Newest::File(file) => {
                let own = self.of_file(&file.path)?;
                let checker = expected.checker_of(settings, profile, root, &own);
                let written = ReturnFile::new(file.path.as_path(), file.written);
                let report = checker.check_file(&file.bytes, written);
                self.settle(&report, Ok(&file.bytes), None)
            }
            Newest::None(why) => {
                let glob = escape::truncated(glob);
                let why = why.as_ref().map(|why| format!(" ({why})"));
                let why = why.unwrap_or_default();
                let missing = format!("No file written by this agent matches {glob}{why}");
                let checker = expected.checker(settings, profile, root);
                self.settle(&checker.check(""), Err(&missing), None)
            }
        };
        let comes_again = self.event.moment == Moment::Call && self.is_checked_later();
        if !comes_again && !matches!(answer, Answer::Block(_)) {
            if let Newest::File(file) = &newest
                && let Some(accepted) = wanted.accept(file)
            {
                let known = &mut self.case.session.known.files;
                known.retain(|it| it.path != accepted.path);
                known.push(accepted);
            }
            self.case.record.start = None;
        }
        Ok(answer)
    }

    /// What overrides say about a return file, except for `extract`: a file holds only what the agent
    /// wrote. The profile stays the one that the agent was told.
    fn of_file(&self, path: &Path) -> anyhow::Result<SourceSettings> {
        let own = Overrides::new(self.settings)?.of(path);
        Ok(SourceSettings {
            extract: None,
            ..own
        })
    }

    /// Whether the agent was resumed after an accepted return and now answers a question: its message says
    /// something, and has no status of its profile.
    fn is_free_answer(&self, root: &Root, expected: &CheckerOptions) -> bool {
        // What an agent says that any hook asked again takes the place of its accepted return.
        let is_resumed =
            self.event.moment == Moment::Stop && self.event.was_asked_again != Some(true);
        let message = self.event.message.as_deref().unwrap_or_default();
        let is_report = || {
            let checker = expected.checker(self.settings, self.profile, root);
            is_blank(message)
                || checker
                    .extract(true)
                    .check(message)
                    .returned
                    .status
                    .is_some()
        };
        is_resumed && self.case.record.was_accepted && !is_report()
    }

    fn let_answer(&mut self) -> Answer {
        self.case.remember(Verdict::Silent);
        self.case.trace.why = Some(FREE.to_owned());
        Answer::Nothing
    }

    /// The answer to a return that was checked, or that is missing, for the reason in `returned`. The remark
    /// is for the caller.
    fn settle(
        &mut self,
        report: &Report<'_>,
        returned: Result<&[u8], &str>,
        remark: Option<String>,
    ) -> Answer {
        match returned {
            Ok(bytes) => self.case.trace.checked(bytes, report),
            Err(missing) => self.case.trace.why = Some(missing.to_owned()),
        }
        if !report.is_valid() {
            return self.reject(report, returned, remark.as_deref().unwrap_or_default());
        }
        let is_filler = report
            .findings
            .iter()
            .any(|it| it.rule.id == RETURN_FILLER.id);
        self.case.brought(self.event, Some(!is_filler));
        let remark = match (remark, warnings(report)) {
            (Some(remark), Some(warnings)) => Some(remark + &warnings),
            (remark, warnings) => remark.or(warnings),
        };
        if !self.can_be_asked() {
            self.case.record.asked = None;
            if self.event.is_handed_in {
                self.case.remember(Verdict::Silent);
            }
            return remark.map_or(Answer::Nothing, Answer::Tell);
        }
        let accepted = self.accepted_after();
        retries::settle(self.event, &mut self.case.record);
        self.case.record.was_accepted |= self.event.agent_id.is_some();
        self.note_handed_in(None);
        self.case.tell_later(self.event, remark.as_deref());
        let verdict = remark.clone().map_or(accepted, Verdict::Remark);
        self.case.remember(verdict);
        // Otherwise the caller is told when it gets the result.
        match remark {
            Some(text) if !self.event.client.facts().result_follows_stop => Answer::Note(text),
            _ => Answer::Nothing,
        }
    }

    /// The answer to an invalid or missing return. The remark is for the caller.
    fn reject(
        &mut self,
        report: &Report<'_>,
        returned: Result<&[u8], &str>,
        remark: &str,
    ) -> Answer {
        let (event, profile, policy) = (self.event, self.profile, self.options.on_failure);
        let can_be_asked = self.can_be_asked();
        if can_be_asked && policy.is_observing && self.is_checked_later() {
            return Answer::Nothing;
        }
        if policy.is_observing {
            let text = self.observed(report, returned);
            if can_be_asked {
                self.case.remember(Verdict::Note(text.clone()));
                self.note_handed_in(None);
            }
            self.record(report, returned);
            return Answer::Note(text);
        }
        let agent = escape::truncated(event.agent.as_deref().unwrap_or_default());
        let for_caller = match returned {
            Ok(_) => feedback(report, profile, Audience::Orchestrator),
            Err(missing) => format!(
                "The return of {agent} is missing; do not rely on its work. {missing}.\n{ACTION}.\n"
            ),
        } + remark;
        if !can_be_asked {
            self.case.brought(event, Some(false));
            if event.agent_id.is_none() {
                self.case.record.asked = None;
            }
            if event.is_handed_in {
                self.case.remember(Verdict::Silent);
            }
            // In some versions the result is the text of the error.
            if !self.case.note_failure(event, FailureEvent::Result) {
                self.record(report, returned);
            }
            return match event.moment {
                Moment::Notification => Answer::Tell(for_caller),
                _ => Answer::Block(for_caller),
            };
        }
        let waiting = waiting_advice(event);
        let wait = waiting
            .as_ref()
            .and_then(|_| retries::wait(policy, event, self.case));
        let asking = wait.unwrap_or_else(|| retries::decide(policy, event, self.case));
        if asking == Asking::Accept {
            return self.accept_invalid(report, returned, for_caller);
        }
        let for_agent = match returned {
            Ok(_) => feedback(report, profile, Audience::Subagent),
            Err(missing) => {
                let form = Instruction {
                    session: report.session.as_deref(),
                    agent: event.agent.as_deref(),
                    ..Instruction::new(profile)
                };
                let form = form.example().map(|form| format!(" The form is:\n{form}"));
                let form = form.unwrap_or_default();
                format!("{missing}: write one before you end.{form}\n")
            }
        };
        let text = match asking {
            Asking::Again { is_last: true } if profile.shape != Shape::Message => {
                for_agent + &last_try(profile.form)
            }
            Asking::Wait => waiting.unwrap_or_default() + &for_agent,
            _ => for_agent,
        };
        self.case.remember(Verdict::Refused(for_caller));
        self.case.record.agent = event.agent.clone().filter(|_| event.agent_id.is_some());
        Answer::Block(text)
    }

    /// What the user is told while observing: what the hook would have done.
    fn observed(&self, report: &Report<'_>, returned: Result<&[u8], &str>) -> String {
        let agent = escape::truncated(self.event.agent.as_deref().unwrap_or_default());
        let text = match returned {
            Ok(_) => feedback(report, self.profile, Audience::User),
            Err(missing) => format!("The return of {agent} is missing. {missing}.\n"),
        };
        let effect = match (self.event.moment, self.options.on_failure.retries) {
            (Moment::Stop | Moment::Call, 0) => "it would have been accepted, and its caller told",
            (Moment::Stop | Moment::Call, _) => "the agent would have been asked to correct this",
            _ => "its caller would have been told not to rely on it",
        };
        format!("retval (observing): {text}Nothing was done. Without --observe, {effect}.")
    }

    fn accept_invalid(
        &mut self,
        report: &Report<'_>,
        returned: Result<&[u8], &str>,
        mut text: String,
    ) -> Answer {
        let (event, facts) = (self.event, self.event.client.facts());
        if event.moment == Moment::Call && self.is_checked_later() {
            return Answer::Nothing;
        }
        self.record(report, returned);
        self.case.trace.is_accepted = true;
        if let Some(cap) = lower_cap(self.options.on_failure, event.client) {
            let _ = writeln!(
                text,
                "Its agent was asked again {cap} times, which is the limit of the client."
            );
        }
        self.case.brought(event, Some(false));
        self.case.tell_later(event, Some(&text));
        self.case.remember(Verdict::Invalid(text.clone()));
        if event.has_no_message() {
            // The client reports an empty message to the caller as an error.
            self.case.note_failure(event, FailureEvent::Own);
        }
        let replacement = if facts.hides_callers {
            Some(text.clone())
        } else {
            facts.takes_replacement.then(|| failed_return(report))
        };
        if event.moment == Moment::Call {
            self.note_handed_in(replacement);
        } else if let Some(replacement) = replacement {
            return Answer::Replace(replacement);
        }
        Answer::Note(format!("Invalid return accepted: {text}"))
    }

    /// Whether the agent still runs, so that it can be asked again.
    fn can_be_asked(&self) -> bool {
        matches!(self.event.moment, Moment::Stop | Moment::Call)
    }

    /// Whether what an agent hands in is checked once more, with its result.
    fn is_checked_later(&self) -> bool {
        self.event.client.facts().hides_callers && self.options.tool.is_none()
    }

    /// Notes that a return was accepted which the agent has handed in by a call: it ends after that.
    fn note_handed_in(&mut self, replacement: Option<String>) {
        if self.event.moment == Moment::Call && !self.is_checked_later() {
            self.case.record.handed_in = Some(HandedIn { replacement });
        }
    }

    /// The verdict on a valid return: a person may know how often the agent was asked for it.
    fn accepted_after(&self) -> Verdict {
        let agent = escape::truncated(self.event.agent.as_deref().unwrap_or_default());
        let times = match self.asked_again.unwrap_or_default() {
            0 => return Verdict::Silent,
            1 => "once".to_owned(),
            times => format!("{times} times"),
        };
        Verdict::Note(format!(
            "retval: {agent} was asked again {times}, and its return is valid now."
        ))
    }

    /// What the caller is told if the path of the handoff file is unknown, so that it was not checked.
    fn unchecked_handoff(&self, expected: &CheckerOptions) -> Option<String> {
        self.profile.handoff_path.as_ref()?;
        let agent = expected.agent.as_deref()?;
        let spec = self.profile.agent(agent);
        let unknown = match (&expected.session, &expected.group) {
            (Some(_), Some(_)) => return None,
            (Some(_), None) => "the group is",
            (None, Some(_)) => "the session id is",
            (None, None) => "the session id and the group are",
        };
        let is_written = spec.is_none_or(|spec| spec.writes_handoff);
        let agent = escape::truncated(agent);
        is_written.then(|| {
            format!(
                "The handoff file of {agent} was not checked: {unknown} not known. Name both in the prompt, as \
                 session_id: ID and group_id: NAME.\n"
            )
        })
    }

    fn record(&mut self, report: &Report<'_>, returned: Result<&[u8], &str>) {
        match (returned, &self.options.errors_json) {
            (Ok(bytes), Some(_)) => {
                self.case.records = vec![record_of_return(self.hook_call(), report, bytes)];
            }
            (Err(missing), _) => self.record_lack(missing, ReturnLack::Missing),
            (_, None) => {}
        }
    }

    pub(super) fn record_lack(&mut self, message: &str, lack: ReturnLack) {
        if self.options.errors_json.is_some() {
            let record = record_of_agent(self.hook_call(), self.event, message, lack);
            self.case.records = vec![record];
        }
    }

    fn hook_call(&self) -> HookCall {
        HookCall {
            observed: self.options.on_failure.is_observing,
            asked_again: self.asked_again,
            ..hook_call(self.event)
        }
    }
}

/// What the caller is told of the warnings about an accepted return, in one line. None without any.
fn warnings(report: &Report<'_>) -> Option<String> {
    let heads = report.findings.iter().map(Finding::head);
    let heads: Vec<_> = heads.take(WARNINGS).collect();
    let more = match report.warnings.saturating_sub(heads.len()) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let (agent, heads) = (escape::truncated(&report.subagent), heads.join("; "));
    (report.warnings > 0)
        .then(|| format!("The return of {agent} was accepted with warnings: {heads}{more}.\n"))
}

/// Asks for an honest return when the agent has one try left.
fn last_try(form: Form) -> String {
    let whole = match form {
        Form::Json => "JSON object",
        Form::Yaml => "YAML",
        Form::Text => "report",
    };
    format!(
        "This is the last time you are asked. If you cannot correct it, do not claim success: return \
         the complete {whole} with a status that says that the task failed, and say why.\n"
    )
}

/// What to tell an agent that one which it has started still runs. None if there is no such agent.
fn waiting_advice(event: &Event) -> Option<String> {
    let own = event.agent_id.as_deref()?;
    let transcript = event.transcript.as_deref()?;
    let is_child = |id: &str| {
        let mut files = candidates(transcript, event.session.as_deref(), id).into_iter();
        let sidecar = files.find_map(|files| evidence::read_sidecar(&files.sidecar?));
        sidecar.is_some_and(|sidecar| sidecar.parent.as_deref() == Some(own))
    };
    let running = event.running.iter().take(RUNNING_AT_MOST);
    let mut children = running.filter(|agent| is_child(&agent.id));
    let first = children.next()?;
    let (about, id) = (
        escape::truncated(&first.about),
        escape::truncated(&first.id),
    );
    let more = match children.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "An agent that you started still runs: {about} ({id}){more}. Do not end before it has ended, and \
         return then. This does not use up a try.\n"
    ))
}
