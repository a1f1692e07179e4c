//! What happens at the end of an agent: the check of its return, and telling its caller.

use std::path::Path;

use crate::check::rules::RETURN_FILLER;
use crate::clients::{Answer, Event, Moment};
use crate::text::escape;
use crate::{Finding, Profile, Report, ReturnFile, Root};

use crate::cli::hook::options::HookOptions;
use crate::cli::hook::retries;
use crate::cli::hook::return_file::{Newest, Wanted};
use crate::cli::hook::state::{AgentState, Verdict};
use crate::cli::hook::{fan_in, free, prompt, return_file, untold, work};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;
use crate::cli::settings::overrides::{Overrides, SourceSettings};

/// Why a message is not checked.
const FREE: &str = "its return was accepted before, and this is an answer in prose";

/// The most warnings that the caller is told.
const WARNINGS: usize = 3;

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

/// An event at the end of an agent, and what its return is checked against.
pub(super) struct AgentEnd<'h> {
    pub(super) options: &'h HookOptions,
    pub(super) settings: &'h Settings,
    pub(super) event: &'h Event,
    pub(super) profile: &'h Profile,
    pub(super) state: &'h mut AgentState,
    /// How often the agent was asked again before, as far as that is known.
    pub(super) asked_again: Option<u64>,
}

impl AgentEnd<'_> {
    /// Checks the return of the agent that stops, or the result that its caller gets.
    pub(super) fn check(&mut self) -> anyhow::Result<Answer> {
        let (options, event, profile) = (self.options, self.event, self.profile);
        if let Some(answer) = self.without_message() {
            return Ok(answer);
        }
        let folder = options.folder(event);
        let root = Root::open(folder)?;
        let record = &mut self.state.record;
        let expected = CheckerOptions {
            session: prompt::expected_session(options, event, profile, record.was_told_session),
            group: prompt::expected_group(options, event, profile),
            agent: Some(event.agent.clone().unwrap_or_default()),
            evidence: work::at_end(options, event, record),
            ..options.checker.clone()
        };
        // The client reports an agent that failed in the background; it has no return.
        let is_later = matches!(event.moment, Moment::Notification | Moment::Fetched);
        if is_later && event.message.is_none() {
            self.state.trace.unchecked("there is no message of it");
            return Ok(Answer::Nothing);
        }
        let is_of_tool = event.moment == Moment::Call && options.tool.is_some();
        if let Some(glob) = options.return_file.as_ref().filter(|_| !is_of_tool) {
            return self.check_file(glob, &root, &expected);
        }
        if self.is_free_answer() {
            self.state.remember(Verdict::Silent);
            self.state.trace.why = Some(FREE.into());
            return Ok(Answer::Nothing);
        }
        if let Some(tool) = options
            .tool
            .as_ref()
            .filter(|_| event.moment == Moment::Stop)
        {
            let tool = escape::truncated(tool.name());
            let missing = format!("There is no call of {tool} by this agent");
            let checker = expected.checker(self.settings, profile, &root);
            return Ok(self.settle(&checker.check(""), Err(&missing), None));
        }
        let message = event.message.as_deref().unwrap_or_default();
        let report = expected
            .checker(self.settings, profile, &root)
            .check(message);
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
        let start = self.state.record.start.as_ref();
        let key = self.state.name.clone();
        let wanted = Wanted {
            agent: expected.agent.as_deref().unwrap_or_default(),
            key: key.as_deref().filter(|_| self.event.agent_id.is_some()),
            started: start.map(|start| start.at),
            most: self.options.checker.max_bytes,
        };
        let folder = self.options.folder(self.event);
        let newest = return_file::newest((folder, root), glob, &wanted)?;
        let is_unchanged = match &newest {
            Newest::File(file) => wanted.owner(&file.path, file.written) == Some(true),
            Newest::None(_) => true,
        };
        let answer = match &newest {
            _ if is_unchanged && self.is_free_answer() => {
                self.state.remember(Verdict::Silent);
                self.state.trace.why = Some(FREE.into());
                Answer::Nothing
            }
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
            if let Newest::File(file) = &newest {
                wanted.accept(file);
            }
            self.state.record.start = None;
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

    /// Whether the agent was resumed after an accepted return and now answers a question in prose.
    fn is_free_answer(&self) -> bool {
        let (message, agent) = (self.event.message.as_deref(), self.event.agent.as_deref());
        // What an agent says that any hook asked again takes the place of its accepted return.
        let is_resumed =
            self.event.moment == Moment::Stop && self.event.was_asked_again != Some(true);
        is_resumed
            && self.state.record.was_accepted
            && free::is_free(message.unwrap_or_default(), self.profile, agent)
    }

    /// The answer to a return that was checked, or that is missing, for the reason in `returned`. The remark
    /// is for the caller.
    fn settle<'r>(
        &mut self,
        report: &'r Report<'r>,
        returned: Result<&'r [u8], &'r str>,
        remark: Option<String>,
    ) -> Answer {
        match returned {
            Ok(bytes) => {
                self.state.trace.checked(bytes);
                self.state.trace.found(report);
            }
            Err(missing) => self.state.trace.why = Some(missing.to_owned().into()),
        }
        if !report.is_valid() {
            return self.reject(report, returned, remark.as_deref().unwrap_or_default());
        }
        let is_filler = report
            .findings
            .iter()
            .any(|it| it.rule.id == RETURN_FILLER.id);
        fan_in::note(self.event, Some(!is_filler));
        let remark = match (remark, warnings(report)) {
            (Some(remark), Some(warnings)) => Some(remark + &warnings),
            (remark, warnings) => remark.or(warnings),
        };
        if !self.can_be_asked() {
            self.state.record.asked = None;
            if self.event.is_handed_in {
                self.state.remember(Verdict::Silent);
            }
            return remark.map_or(Answer::Nothing, Answer::Tell);
        }
        let accepted = self.accepted_after();
        retries::settle(self.event, self.state);
        self.state.record.was_accepted |= self.event.agent_id.is_some();
        self.note_handed_in(None);
        untold::keep(self.event, remark.as_deref());
        let verdict = remark.clone().map_or(accepted, Verdict::Remark);
        self.state.remember(verdict);
        // Otherwise the caller is told when it gets the result.
        match remark {
            Some(text) if !self.event.client.facts().result_follows_stop => Answer::Note(text),
            _ => Answer::Nothing,
        }
    }

    /// Whether the agent still runs, so that it can be asked again.
    pub(super) fn can_be_asked(&self) -> bool {
        matches!(self.event.moment, Moment::Stop | Moment::Call)
    }

    /// The verdict on a valid return: a person may know how often the agent was asked for it.
    fn accepted_after(&self) -> Verdict {
        let times = self.asked_again.unwrap_or_default();
        if times == 0 {
            return Verdict::Silent;
        }
        let agent = self.event.agent.as_deref().unwrap_or_default();
        let times = if times == 1 {
            "once"
        } else {
            &*format!("{times} times")
        };
        Verdict::Note(format!(
            "retval: {} was asked again {times}, and its return is valid now.",
            escape::truncated(agent)
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
}
