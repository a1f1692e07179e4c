//! The end of an agent: what is checked as its return, and ends without anything to check.

use crate::Root;
use crate::check::ReturnFile;
use crate::clients::{Answer, Moment};
use crate::log::ReturnLack;
use crate::text::{escape, is_blank};

use crate::cli::hook::case::Case;
use crate::cli::hook::options::Held;
use crate::cli::hook::returned::{WrittenFile, newest};
use crate::cli::hook::session::Verdict;
use crate::cli::hook::{agent_files, start};
use crate::cli::settings::checker::CheckerOptions;
use crate::cli::settings::overrides::{Overrides, SourceSettings};

/// Why a message is not checked.
const FREE: &str = "its return was accepted before, and this is an answer without a status";

impl Case<'_> {
    /// Checks the return of the agent that stops, or the result that its caller gets.
    pub(super) fn check(&mut self, held: &Held<'_>) -> anyhow::Result<Answer> {
        let without_message = self.unfinished(held).or_else(|| self.handed_in(held));
        if let Some(answer) = without_message.or_else(|| self.unenforced(held)) {
            return Ok(answer);
        }
        let (options, moment) = (held.options, self.event.moment);
        let root = Root::open(options.folder(&self.event))?;
        let evidence = agent_files::evidence(options, &self.event, &mut self.record);
        let session = start::expected_session(options, &self.event, self.record.was_told_session);
        let expected = CheckerOptions {
            evidence,
            ..start::checked_for(options, &self.event, session)
        };
        let message = self.event.message.clone();
        // The client reports an agent that failed in the background; it has no return.
        if matches!(moment, Moment::Notification | Moment::Fetched) && message.is_none() {
            return Ok(self.unchecked("there is no message of it"));
        }
        let is_of_tool = moment == Moment::Call && options.tool.is_some();
        if let Some(glob) = options.return_file.as_ref().filter(|_| !is_of_tool) {
            return self.check_file(held, glob, (&root, &expected));
        }
        if self.is_free_answer(held, (&root, &expected)) {
            return Ok(self.let_answer());
        }
        let checker = expected.checker(held.settings, held.profile, &root);
        if let (Moment::Stop, Some(tool)) = (moment, &options.tool) {
            let tool = escape::truncated(tool.name());
            let missing = format!("There is no call of {tool} by this agent");
            return Ok(self.settle(held, &checker.check(""), Err(&missing)));
        }
        let message = message.unwrap_or_default();
        self.remark = self.unchecked_handoff(held, &expected);
        Ok(self.settle(held, &checker.check(&message), Ok(message.as_bytes())))
    }

    /// Checks the file that the agent returns.
    fn check_file(
        &mut self,
        held: &Held<'_>,
        glob: &str,
        (root, expected): (&Root, &CheckerOptions),
    ) -> anyhow::Result<Answer> {
        let (options, settings) = (held.options, held.settings);
        let most = options.checker.max_bytes;
        let newest = newest((options.folder(&self.event), root), (glob, most), self)?;
        let is_new = |file: &WrittenFile| self.owns(&file.path, file.written) != Some(true);
        let is_unchanged = !newest.as_ref().is_ok_and(is_new);
        let answer = match &newest {
            _ if is_unchanged && self.is_free_answer(held, (root, expected)) => self.let_answer(),
            Ok(file) => {
                // A file holds only what the agent wrote. The profile stays the one that the agent was told.
                let own = SourceSettings {
                    extract: None,
                    ..Overrides::new(settings)?.of(&file.path)
                };
                let checker = expected.checker_of(settings, held.profile, root, &own);
                let written = ReturnFile::new(file.path.as_path(), file.written);
                let report = checker.check_file(&file.bytes, written);
                self.settle(held, &report, Ok(&file.bytes))
            }
            Err(why) => {
                let glob = escape::truncated(glob);
                let why = why.as_ref().map(|why| format!(" ({why})"));
                let why = why.unwrap_or_default();
                let missing = format!("No file written by this agent matches {glob}{why}");
                let checker = expected.checker(settings, held.profile, root);
                self.settle(held, &checker.check(""), Err(&missing))
            }
        };
        let comes_again = self.event.moment == Moment::Call && self.is_checked_later(held);
        if !comes_again && !matches!(answer, Answer::Block(_)) {
            if let Ok(file) = &newest {
                self.keep_file(file);
            }
            (self.record.started, self.record.head) = (None, None);
        }
        Ok(answer)
    }

    /// Whether the agent was resumed after an accepted return and now answers a question: its message says
    /// something, and has no status of its profile.
    fn is_free_answer(&self, held: &Held<'_>, (root, expected): (&Root, &CheckerOptions)) -> bool {
        let event = &self.event;
        // What an agent says that any hook asked again takes the place of its accepted return.
        let is_resumed = event.moment == Moment::Stop && event.was_asked_again != Some(true);
        let message = event.message.as_deref().unwrap_or_default();
        let has_status = || {
            let checker = expected.checker(held.settings, held.profile, root);
            checker
                .extract(true)
                .check(message)
                .returned
                .status
                .is_some()
        };
        is_resumed && self.record.was_accepted && !is_blank(message) && !has_status()
    }

    fn let_answer(&mut self) -> Answer {
        self.remember(Verdict::Silent);
        self.trace.why = Some(FREE.to_owned());
        Answer::Nothing
    }

    /// What the caller is told if the path of the handoff file is unknown, so that it was not checked.
    fn unchecked_handoff(&self, held: &Held<'_>, expected: &CheckerOptions) -> Option<String> {
        held.profile.handoff_path.as_ref()?;
        let spec = held.profile.agent(expected.agent.as_deref()?);
        let unknown = match (&expected.session, &expected.group) {
            (Some(_), Some(_)) => return None,
            (Some(_), None) => "the group is",
            (None, Some(_)) => "the session id is",
            (None, None) => "the session id and the group are",
        };
        let text = format!(
            "The handoff file of {} was not checked: {unknown} not known. Name both in the prompt, as \
             session_id: ID and group_id: NAME.\n",
            self.agent()
        );
        spec.is_none_or(|spec| spec.writes_handoff).then_some(text)
    }

    /// The answer for the caller of an agent that ended although its return was refused, or without any.
    fn unfinished(&mut self, held: &Held<'_>) -> Option<Answer> {
        let is_late = match self.event.moment {
            Moment::Notification | Moment::Fetched => true,
            Moment::Result => false,
            _ => return None,
        };
        let refused = self.take_refused();
        let is_at_limit = self.event.is_at_limit;
        let ended = self.event.notified.first();
        // Whoever stopped it knows that, and an agent that failed has a record.
        let is_explained = ended.is_some_and(|it| it.was_stopped || it.has_failed);
        let is_missing = if is_late {
            self.record.is_awaited && !is_explained
        } else {
            is_at_limit
        };
        if refused.is_none() && !(self.event.has_no_message() && is_missing) {
            return None;
        }
        let how = match ended {
            _ if is_at_limit => "ended at its turn limit",
            Some(it) if it.was_stopped => "was stopped",
            Some(it) if it.has_failed => "ended by an error",
            _ => "ended",
        };
        let (what, rest) = match refused {
            Some(refused) => ("before it corrected a return that was refused", refused),
            None => ("without a return", "Do not rely on its work.\n".to_owned()),
        };
        let message = format!("{} {how} {what}", self.agent());
        let mut text = format!("{message}. {rest}");
        if is_at_limit {
            text += "It can be continued: send it a message.\n";
        }
        self.record.is_awaited = false;
        self.brought(Some(false));
        if !self.note_failure(false) {
            self.record_missing(held, &message, ReturnLack::Missing);
        }
        self.trace.why = Some(message);
        Some(self.for_caller(text))
    }

    /// The answer to the end of an agent that has handed in a return by a call.
    fn handed_in(&mut self, held: &Held<'_>) -> Option<Answer> {
        // Some clients call the hook only with the result.
        let is_result = self.event.moment == Moment::Result
            && held.options.tool.is_some()
            && self.event.client.facts().hides_callers;
        if !is_result && self.event.moment != Moment::Stop {
            return None;
        }
        match self.record.handed_in.take() {
            Some(text) if text.is_empty() => Some(Answer::Nothing),
            Some(text) if is_result => Some(Answer::Block(text)),
            Some(text) => Some(Answer::Replace(text)),
            // Of several agents nobody knows which one made a call.
            None => is_result.then_some(Answer::Nothing),
        }
    }

    /// The answer to the end of an agent that has given its result to a workflow without being checked, or
    /// although it was refused: the client takes no refusal any more.
    fn unenforced(&mut self, held: &Held<'_>) -> Option<Answer> {
        if !agent_files::has_handed_over(&self.event) {
            return None;
        }
        let (how, more) = match self.take_refused() {
            Some(refused) => ("the client took it when it was refused", refused),
            None => (
                "it was given to a workflow by a call that no hook checked",
                "Install the hook again for the event of such calls.\n".to_owned(),
            ),
        };
        let agent = self.agent();
        let message = format!("The return of {agent} could not be enforced: {how}");
        self.record_missing(held, &message, ReturnLack::Unchecked);
        let text = format!("{message}. {more}");
        self.trace.why = Some(message);
        self.remember(Verdict::Remark(text.clone()));
        Some(Answer::Note(format!("retval: {text}")))
    }

    /// Records an agent that ended with an error and has no return. Its caller gets the client's own
    /// explanation.
    pub(super) fn has_failed(&mut self, held: &Held<'_>) -> Answer {
        self.brought(Some(false));
        if let Some(text) = self.take_refused() {
            // The client delivers the return that was refused.
            let text = format!("Its agent ended by an error. {text}");
            self.remember(Verdict::Invalid(text));
        }
        self.record.is_awaited = false;
        let is_own = self.event.agent_id.is_some();
        if !is_own {
            self.record.asked = None;
        }
        if !self.note_failure(is_own) {
            let error = self.event.error.as_deref().unwrap_or_default();
            let message = match error.trim() {
                "" => "The agent ended without a return".to_owned(),
                error => format!("The agent ended without a return: {error}"),
            };
            self.record_missing(held, &message, ReturnLack::Failed);
        }
        Answer::Nothing
    }
}
