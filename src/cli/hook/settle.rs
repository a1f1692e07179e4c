//! The end of an agent: its return is accepted, or it is asked again, or its caller told.

use std::time::SystemTime;

use crate::check::ReturnFile;
use crate::check::rules::STATUS_UNKNOWN;
use crate::clients::{Answer, Ended, Moment};
use crate::document::Form;
use crate::instruct::Instruction;
use crate::log::{self, ReturnLack};
use crate::profile::Shape;
use crate::report::{Audience, Source, failed_return, feedback, last_try};
use crate::text::{escape, is_blank};
use crate::{Report, Root};

use crate::cli::hook::case::{ACTION, Asking, Case};
use crate::cli::hook::options::Held;
use crate::cli::hook::returned::{Returned, returned};
use crate::cli::hook::session::TimesAsked;
use crate::cli::hook::{caller, records, start};
use crate::cli::settings::checker::CheckerOptions;
use crate::cli::settings::overrides::{Overrides, SourceSettings};

const FREE: &str = "its return was accepted before, and this is an answer without a status";

/// The most warnings that a caller is told of, so that they cannot fill its context.
const WARNINGS: usize = 3;

const UNRELIABLE: &str = "Do not rely on its work.\n";

struct Judged<'c> {
    held: &'c Held<'c>,
    report: &'c Report,
    /// Its text, or why there is none.
    text: Result<&'c [u8], &'c str>,
}

impl Case<'_> {
    pub(super) fn check(&mut self, held: &Held<'_>) -> anyhow::Result<Answer> {
        let is_message = held.options.return_file.is_none() && held.options.tool.is_none();
        if self.event.ended == Ended::Withheld && !is_message {
            self.event.ended = Ended::Unknown;
            return Ok(caller::by_verdict(self).unwrap_or(Answer::Nothing));
        }
        if let Some(answer) = self.unfinished().or_else(|| self.handed_in(held)) {
            return Ok(answer);
        }
        let (options, moment) = (held.options, self.event.moment);
        if moment == Moment::Waited {
            return Ok(self.unchecked("no return of it is refused"));
        }
        let root = Root::open(options.folder(&self.event))?;
        let session = start::expected_session(options, &self.event, self.record.was_told_session);
        let mut expected = start::checked_for(options, &self.event, session);
        let returned = returned(held, &root, self)?;
        let has_none = match moment {
            // The client reports an agent that failed in the background; it has no return.
            Moment::Notification => true,
            Moment::Stop => !(self.event.may_have_message || options.return_glob(moment).is_some()),
            _ => false,
        };
        if has_none && self.event.message.is_none() {
            return Ok(self.unchecked("there is no message of it"));
        }
        let known = self.record.file.as_ref().map(|(path, written)| (path, written));
        let is_new_file =
            matches!(&returned, Returned::File(it) if known != Some((&it.path, &it.written)));
        let answer = if !is_new_file && self.is_free_answer(held, (&root, &expected)) {
            self.note_unchecked(options)?;
            self.remember(Ok(Answer::Nothing));
            self.record.stopped = Some(SystemTime::now());
            self.trace.why = Some(FREE.to_owned());
            Answer::Nothing
        } else {
            expected.evidence = records::evidence(options, &self.event, &mut self.record);
            self.check_return(held, &returned, (&root, &expected))?
        };
        let comes_again = moment == Moment::Call && self.is_checked_later(held);
        let is_over = !comes_again && !matches!(answer, Answer::Block(_));
        if is_over && options.return_glob(moment).is_some() {
            if let Returned::File(file) = returned {
                self.record.file = Some((file.path, file.written));
            }
            (self.record.started, self.record.head) = (None, None);
        }
        Ok(answer)
    }

    fn check_return(
        &mut self,
        held: &Held<'_>,
        returned: &Returned,
        (root, expected): (&Root, &CheckerOptions),
    ) -> anyhow::Result<Answer> {
        // A file holds only what the agent wrote. The profile stays the one that the agent was told.
        let own = match returned {
            Returned::File(file) => {
                SourceSettings { extract: None, ..Overrides::new(held.settings)?.of(&file.path) }
            }
            _ => SourceSettings::default(),
        };
        let checker = expected.checker_of(held.settings, held.profile, root, &own);
        let (report, text) = match returned {
            Returned::Message(text) => (checker.check(text), Ok(text.as_bytes())),
            Returned::File(file) => {
                let written = ReturnFile::new(file.path.as_path(), file.written);
                (checker.check_file(&file.bytes, written), Ok(&*file.bytes))
            }
            Returned::Missing(why) => (checker.check(""), Err(&**why)),
        };
        let receipt = report.receipt.clone();
        self.note_receipt(receipt.or_else(|| self.receipt_of_message(held.options, root)));
        match text {
            Ok(bytes) => self.trace.checked(bytes, &report),
            Err(missing) => self.trace.why = Some(missing.to_owned()),
        }
        let settle = if report.is_valid() { Self::accept } else { Self::reject };
        let report = &report;
        Ok(settle(self, &Judged { held, report, text }))
    }

    /// Whether the agent was resumed after an accepted return and now answers a question: its message says
    /// something, and has no status of its profile. In a text any words may stand where no name leads, or where
    /// an expression looks: there only a word of the profile is a status.
    fn is_free_answer(&self, held: &Held<'_>, (root, expected): (&Root, &CheckerOptions)) -> bool {
        let event = &self.event;
        // What an agent says that any hook asked again takes the place of its accepted return.
        let is_resumed = event.moment == Moment::Stop && event.was_asked_again != Some(true);
        let message = event.message.as_deref().unwrap_or_default();
        let has_status = || {
            let checker = expected.checker(held.settings, held.profile, root);
            let report = checker.extract(true).check(message);
            let role = held.profile.roles.status.as_ref();
            let is_named = held.profile.form != Form::Text
                || role.is_some_and(|it| it.expression.is_none() && it.path().name().is_some());
            let mut rules = report.findings.iter().map(|it| it.rule.id);
            let is_known = rules.all(|id| id != STATUS_UNKNOWN.id);
            report.returned.status.is_some() && (is_named || is_known)
        };
        is_resumed && self.record.was_accepted && !is_blank(message) && !has_status()
    }

    /// The answer for the caller of an agent that ended although its return was refused, or without any.
    fn unfinished(&mut self) -> Option<Answer> {
        let is_late = matches!(self.event.moment, Moment::Notification | Moment::Waited);
        if !is_late && self.event.moment != Moment::Result {
            return None;
        }
        let ended = self.event.ended;
        // Elsewhere an agent that failed has an event of its own.
        let error = self.event.error.clone();
        let refused = self.take_refused();
        let is_missing = match ended {
            Ended::Withheld => true,
            _ => error.is_some() || self.event.has_no_message() && ended == Ended::AtTurnLimit,
        };
        // Several events may say so.
        if refused.is_none() && (!is_missing || is_late && self.record.failure == Some(false)) {
            return None;
        }
        let how = match ended {
            Ended::AtTurnLimit => "ended at its turn limit",
            Ended::Stopped => "was stopped",
            Ended::Failed => "ended by an error",
            Ended::Withheld | Ended::Unknown => "ended",
        };
        let (what, rest) = match refused {
            Some(refused) => ("before it corrected a return that was refused", refused),
            None => ("without a return", UNRELIABLE.to_owned()),
        };
        let mut message = format!("{} {how} {what}", self.agent());
        let mut text = format!("{message}. {rest}");
        if matches!(ended, Ended::AtTurnLimit | Ended::Withheld) {
            text += "It can be continued: send it a message.\n";
        }
        if ended == Ended::Withheld {
            self.record.verdict = None;
        }
        if !self.is_failure_known(false) {
            let lack = match error {
                Some(error) => {
                    message = message + ": " + error.trim();
                    ReturnLack::Failed
                }
                None => ReturnLack::Missing,
            };
            self.record_lack(&message, lack);
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

    /// Records an agent that ended with an error. Its caller gets the client's own explanation.
    pub(super) fn has_failed(&mut self) -> Answer {
        if let Some(text) = self.take_refused() {
            // The client delivers the return that was refused.
            let text = format!("Its agent ended by an error. {text}");
            self.remember(Ok(Answer::Block(text)));
        }
        self.record.asked = TimesAsked::default();
        let is_own = self.event.agent_id.is_some();
        // Claude Code calls the hook for the agent, too, whose id only that event has.
        let is_told_twice = !is_own && self.event.client.facts().result_follows_stop;
        if !is_told_twice && !self.is_failure_known(is_own) {
            let mut message = "The agent ended without a return".to_owned();
            if let Some(error) = self.event.error.as_deref().filter(|it| !is_blank(it)) {
                message = message + ": " + error.trim();
            }
            self.record_lack(&message, ReturnLack::Failed);
        }
        if self.event.client.facts().tells_of_failure {
            let agent = self.agent();
            let text = format!("{agent} ended by an error without a return. {UNRELIABLE}");
            return Answer::Tell(text);
        }
        Answer::Nothing
    }

    fn accept(&mut self, checked: &Judged<'_>) -> Answer {
        let remark = warnings(checked.report).map_or(Answer::Nothing, Answer::Tell);
        if !self.can_be_asked() {
            self.record.asked = TimesAsked::default();
            self.settle_handed_in();
            return remark;
        }
        self.settle_count();
        self.record.was_accepted |= self.event.agent_id.is_some();
        self.note_handed_in(checked.held, None);
        self.remember(Ok(remark.clone()));
        // Otherwise the caller is told when it gets the result.
        match remark {
            Answer::Tell(text) if !self.event.client.facts().result_follows_stop => {
                Answer::Note(text)
            }
            _ => Answer::Nothing,
        }
    }

    fn reject(&mut self, checked: &Judged<'_>) -> Answer {
        let (held, report, text) = (checked.held, checked.report, checked.text);
        let policy = held.options.on_failure;
        if policy.is_observing {
            return self.observe(checked);
        }
        let for_caller = match text {
            Ok(_) => feedback(report, held.profile, Audience::Caller),
            Err(missing) => format!(
                "The return of {} is missing; do not rely on its work. {missing}.\n{ACTION}.\n",
                self.agent()
            ),
        };
        if !self.can_be_asked() {
            self.record.asked = TimesAsked::default();
            self.settle_handed_in();
            // In some versions the result is the text of the error.
            if !self.is_failure_known(false) {
                self.record_invalid(checked);
            }
            return self.for_caller(for_caller);
        }
        let waiting = records::waiting_advice(&self.event);
        let asking = self.ask(policy, waiting.is_some());
        if asking == Asking::Accept {
            return self.accept_invalid(checked, &for_caller);
        }
        let agent = self.event.agent.clone();
        let is_file = held.options.return_glob(self.event.moment).is_some();
        let for_agent = match text {
            Ok(_) if is_file => feedback(report, held.profile, Audience::Writer),
            Ok(_) => feedback(report, held.profile, Audience::Subagent),
            Err(missing) => {
                let form = Instruction {
                    session: report.session.as_deref(),
                    agent: agent.as_deref(),
                    ..Instruction::new(held.profile)
                };
                let form = form.example().ok().filter(|it| !it.is_empty());
                let form = form.map_or(String::new(), |form| format!(" The form is:\n{form}"));
                let make = if is_file { "write" } else { "make" };
                format!("{missing}: {make} one before you end.{form}\n")
            }
        };
        self.remember(Err(for_caller));
        Answer::Block(
            match asking {
                Asking::Again { is_last: true } if held.profile.shape != Shape::Message => {
                    for_agent + &last_try(report, held.profile)
                }
                Asking::Wait => waiting.unwrap_or_default() + &for_agent,
                _ => for_agent,
            } + &self.handover(),
        )
    }

    /// How the agent hands in its return, if that is not its last message.
    fn handover(&self) -> String {
        let tool = self.event.handover.as_deref().map(escape::truncated);
        match (tool, self.event.moment) {
            (Some(tool), Moment::Call) => format!("Hand it in by {tool} again.\n"),
            (Some(tool), _) => format!("Hand it in by {tool}, if you have that tool.\n"),
            (None, _) => String::new(),
        }
    }

    fn observe(&mut self, checked: &Judged<'_>) -> Answer {
        let (held, can_be_asked) = (checked.held, self.can_be_asked());
        if can_be_asked && self.is_checked_later(held) {
            return Answer::Nothing;
        }
        let text = match checked.text {
            Ok(_) => feedback(checked.report, held.profile, Audience::Caller),
            Err(missing) => format!("The return of {} is missing. {missing}.\n", self.agent()),
        };
        let text = format!("retval (observing): {text}Nothing was done.");
        if !self.was_recorded() {
            self.record_invalid(checked);
        }
        if can_be_asked {
            self.remember(Ok(Answer::Note(text.clone())));
            self.note_handed_in(held, None);
        }
        Answer::Note(text)
    }

    fn accept_invalid(&mut self, checked: &Judged<'_>, text: &str) -> Answer {
        let (held, client) = (checked.held, self.event.client);
        let is_call = self.event.moment == Moment::Call;
        if is_call && self.is_checked_later(held) {
            return Answer::Nothing;
        }
        if !self.was_recorded() {
            self.record_invalid(checked);
        }
        self.trace.is_let_through = true;
        self.remember(Ok(Answer::Block(text.to_owned())));
        if self.event.has_no_message() {
            // The client reports an empty message to the caller as an error.
            self.is_failure_known(true);
        }
        let replacement = match client.facts() {
            facts if facts.hides_callers => Some(text.to_owned()),
            facts if facts.takes_replacement => Some(failed_return(checked.report)),
            _ => None,
        };
        match replacement {
            Some(replacement) if !is_call => return Answer::Replace(replacement),
            replacement => self.note_handed_in(held, replacement),
        }
        Answer::Note(format!("Invalid return let through: {text}"))
    }

    pub(super) fn for_caller(&self, text: String) -> Answer {
        match self.event.moment {
            Moment::Notification | Moment::Waited => Answer::Tell(text),
            _ => Answer::Block(text),
        }
    }

    /// Whether the agent still runs, so that it can be asked again.
    fn can_be_asked(&self) -> bool {
        matches!(self.event.moment, Moment::Stop | Moment::Call)
    }

    /// Whether what an agent hands in is checked once more, with its result.
    fn is_checked_later(&self, held: &Held<'_>) -> bool {
        self.event.client.facts().hides_callers && held.options.tool.is_none()
    }

    /// Notes that a return was accepted which the agent has handed in by a call: it ends after that.
    fn note_handed_in(&mut self, held: &Held<'_>, replacement: Option<String>) {
        if self.event.moment == Moment::Call && !self.is_checked_later(held) {
            self.record.handed_in = Some(replacement.unwrap_or_default());
        }
    }

    /// The caller also gets a message with what was handed in, which is not to be checked again.
    fn settle_handed_in(&mut self) {
        if self.event.is_handed_in {
            self.remember(Ok(Answer::Nothing));
        }
    }

    /// Whether this is still the return that is in the log. A client asks an agent again by itself that has not
    /// handed in its return, and each answer is a stop.
    fn was_recorded(&self) -> bool {
        let is_one = match self.record.verdict {
            Some(Ok(Answer::Block(_))) => true,
            Some(Ok(Answer::Note(_))) => self.is_observed,
            _ => false,
        };
        is_one && self.event.was_asked_again != Some(false)
    }

    fn record_invalid(&mut self, checked: &Judged<'_>) {
        match checked.text {
            Err(missing) => self.record_lack(missing, ReturnLack::Missing),
            Ok(bytes) => {
                let source = Source::new("hook");
                let record = log::record(checked.report, &self.occurrence(source, Some(bytes)));
                self.trace.record = Some(record);
            }
        }
    }
}

/// What the caller is told of the warnings about an accepted return, in one line. None without any.
fn warnings(report: &Report) -> Option<String> {
    let heads: Vec<_> = report.findings.iter().map(|it| &*it.head).take(WARNINGS).collect();
    let more = match report.warnings.saturating_sub(heads.len()) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let (agent, heads) = (escape::truncated(&report.subagent), heads.join("; "));
    (report.warnings > 0)
        .then(|| format!("The return of {agent} was accepted with warnings: {heads}{more}.\n"))
}
