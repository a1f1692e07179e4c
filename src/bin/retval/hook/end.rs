//! What happens at the end of an agent: the check of its return, and telling its caller.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use retval::error_log::FailedAgent;
use retval::format::{Audience, Source, failed_return, feedback};
use retval::harness::{Answer, Event, Harness, Moment};
use retval::internal::escape;
use retval::{Checker, Profile, Report, ReturnFile, Root};

use crate::hook::attempts::{Attempts, Decision, lower_cap};
use crate::hook::options::HookOptions;
use crate::hook::return_file::{Newest, Wanted};
use crate::hook::runs::StartedRun;
use crate::hook::state::HookState;
use crate::hook::verdicts::{Verdict, Verdicts};
use crate::hook::{return_file, session};
use crate::output::error_log::LogFile;
use crate::output::invalid::Recorder;
use crate::settings::Settings;
use crate::settings::checker::CheckerOptions;
use crate::stderr;

/// Asks for an honest return where the agent has one try left.
const LAST_TRY: &str = "This is the last time you are asked. If you cannot correct it, do not claim success: return \
                        the complete JSON object with a status that says that the task failed, and say why.\n";

/// What the caller of an agent without a return is to do.
const ACTION: &str = "Run the task again, or treat it as failed";

/// What records name as their source.
static SOURCE: LazyLock<Source<'static>> = LazyLock::new(|| Source::new("hook"));

/// Where an event is and what it is checked against.
pub(super) struct AgentEnd<'h> {
    pub(super) options: &'h HookOptions,
    pub(super) settings: &'h Settings,
    pub(super) event: &'h Event,
    pub(super) profile: &'h Profile,
    pub(super) state: &'h HookState,
}

/// An invalid return, for each of its readers.
struct Rejected<'r> {
    for_agent: String,
    for_caller: String,
    /// The return that the caller gets instead.
    failed_return: String,
    report: &'r Report<'r>,
    /// What was checked; none if it is missing, and then why.
    returned: Result<&'r [u8], &'r str>,
}

impl AgentEnd<'_> {
    fn verdicts(&self) -> Verdicts<'_> {
        Verdicts::of(self.event, self.state)
    }

    /// The answer to the caller's event from the verdicts of the stop, if it is one and there are
    /// any.
    pub(super) fn remembered(&self) -> Option<Answer> {
        let ids = match self.event.moment {
            Moment::Result => self.event.agent_id.as_slice(),
            Moment::Notification => &self.event.notified,
            _ => return None,
        };
        let verdicts = self.verdicts();
        let mut found = ids.iter().filter_map(|id| verdicts.take(id)).peekable();
        found.peek()?;
        let texts = found.filter_map(|verdict| match verdict {
            Verdict::Silent => None,
            Verdict::LetGo(text) => Some(text),
        });
        let texts: Vec<_> = texts.collect();
        Some(match self.event.moment {
            _ if texts.is_empty() => Answer::Nothing,
            Moment::Notification => Answer::Tell(texts.join("\n")),
            _ => Answer::Block(texts.join("\n")),
        })
    }

    /// Checks the return of the agent that stops, or the result that its caller gets.
    pub(super) fn check(&self) -> anyhow::Result<Answer> {
        let (options, event) = (self.options, self.event);
        let folder = options.root.as_deref().or(event.folder.as_deref());
        let folder = folder.unwrap_or(Path::new("."));
        let root = Root::open(folder)?;
        let agent = event.agent.clone().unwrap_or_default();
        let checker = CheckerOptions {
            session: session::expected(options, event, self.state),
            agent: Some(agent.clone()),
            ..options.checker.clone()
        };
        let checker = checker.checker(self.settings, self.profile, &root);
        // The client tells of an agent that failed in the background; it has no return.
        if event.moment == Moment::Notification && event.message.is_none() {
            return Ok(Answer::Nothing);
        }
        let Some(glob) = &options.return_file else {
            let message = event.message.as_deref().unwrap_or_default();
            if self.is_free_answer(message) {
                self.verdicts().remember(&Verdict::Silent);
                return Ok(Answer::Nothing);
            }
            return Ok(self.settle(&checker.check(message), Ok(message.as_bytes())));
        };
        let run = StartedRun::of(event, self.state);
        let wanted = Wanted {
            agent: &agent,
            run: &run,
            most: options.checker.max_bytes,
        };
        let newest = return_file::newest((folder, &root), glob, &wanted)?;
        let answer = match &newest {
            Newest::File(file) => {
                let written = ReturnFile::new(file.path.as_path(), file.written);
                self.settle(&checker.check_file(&file.bytes, written), Ok(&file.bytes))
            }
            Newest::Stale(path) => self.missing(
                &checker,
                glob,
                &format!(" ({path} is from an earlier run or from another agent)"),
            ),
            Newest::None => self.missing(&checker, glob, ""),
        };
        if !matches!(answer, Answer::Block(_)) {
            if let Newest::File(file) = &newest {
                run.accept(&file.path, file.written);
            }
            run.end();
        }
        Ok(answer)
    }

    /// The answer if the agent has not written the file that it should return.
    fn missing(&self, checker: &Checker<'_>, glob: &str, instead: &str) -> Answer {
        let glob = escape::truncated(glob);
        let missing = format!("No file written by this agent matches {glob}{instead}");
        self.settle(&checker.check(""), Err(&missing))
    }

    /// Whether the agent was resumed after an accepted return, and answers a question now.
    fn is_free_answer(&self, message: &str) -> bool {
        let is_resumed =
            self.event.moment == Moment::Stop && self.event.was_sent_back != Some(true);
        let is_prose = !message.trim().is_empty() && !message.contains("\"status\"");
        is_resumed && is_prose && self.verdicts().was_accepted()
    }

    fn settle<'r>(&self, report: &'r Report<'r>, returned: Result<&'r [u8], &'r str>) -> Answer {
        if report.is_valid() {
            self.attempts().forget();
            if self.event.moment == Moment::Stop {
                self.verdicts().remember(&Verdict::Silent);
                self.verdicts().accept();
            }
            return Answer::Nothing;
        }
        self.reject(self.rejected(report, returned))
    }

    fn attempts(&self) -> Attempts<'_> {
        Attempts::of(self.event, self.state)
    }

    fn reject(&self, rejected: Rejected<'_>) -> Answer {
        let policy = self.options.on_failure;
        let is_stop = self.event.moment == Moment::Stop;
        if policy.is_observing {
            if is_stop {
                self.verdicts().remember(&Verdict::Silent);
            }
            self.log(&rejected);
            return Answer::Note(format!("retval (observing): {}", rejected.for_caller));
        }
        if !is_stop {
            self.log(&rejected);
            return match self.event.moment {
                Moment::Notification => Answer::Tell(rejected.for_caller),
                _ => Answer::Block(rejected.for_caller),
            };
        }
        match self.attempts().next(policy) {
            Decision::SendBack { is_last: true } => Answer::Block(rejected.for_agent + LAST_TRY),
            Decision::SendBack { is_last: false } => Answer::Block(rejected.for_agent),
            Decision::LetGo => self.let_go(rejected),
        }
    }

    fn let_go(&self, rejected: Rejected<'_>) -> Answer {
        self.attempts().forget();
        self.log(&rejected);
        let mut text = rejected.for_caller;
        if let Some(cap) = lower_cap(self.options.on_failure, self.event.harness) {
            let _ = writeln!(
                text,
                "It was sent back {cap} times, which is the limit of the client."
            );
        }
        self.verdicts().remember(&Verdict::LetGo(text.clone()));
        let message = self.event.message.as_deref().unwrap_or_default();
        if message.trim().is_empty() {
            // For its caller, the client makes an error of that.
            self.verdicts().fail();
        }
        if self.event.harness == Harness::Copilot {
            return Answer::Replace(rejected.failed_return);
        }
        Answer::Note(format!(
            "Invalid return accepted after the last retry: {text}"
        ))
    }

    /// An agent that ended by an error has no return. Its caller gets the client's own explanation.
    pub(super) fn failed(&self) -> Answer {
        let verdicts = self.verdicts();
        // The agent's own event comes first, then the one of its caller.
        if self.event.agent_id.is_some() {
            verdicts.fail();
        } else if verdicts.take_failure() {
            return Answer::Nothing;
        }
        let error = self.event.error.as_deref().unwrap_or_default();
        let message = format!("The agent ended without a return: {error}");
        self.record(|recorder, records| {
            recorder.add_agent(&self.agent(&message), &SOURCE, records);
            Ok(())
        });
        Answer::Nothing
    }

    /// The agent as one that left no return.
    fn agent<'m>(&'m self, message: &'m str) -> FailedAgent<'m> {
        let agent = self.event.agent.as_deref().unwrap_or_default();
        FailedAgent::new(agent, message, ACTION).session(self.event.session.as_deref())
    }

    fn rejected<'r>(
        &self,
        report: &'r Report<'r>,
        returned: Result<&'r [u8], &'r str>,
    ) -> Rejected<'r> {
        let (for_agent, for_caller) = match returned {
            Ok(_) => (
                feedback(report, self.profile, Audience::Subagent),
                feedback(report, self.profile, Audience::Orchestrator),
            ),
            Err(missing) => {
                let agent = self.event.agent.as_deref().unwrap_or_default();
                let agent = escape::truncated(agent);
                (
                    format!("{missing}: write one before you end.\n"),
                    format!(
                        "The return of {agent} is missing; do not rely on its work. {missing}.\n{ACTION}.\n"
                    ),
                )
            }
        };
        Rejected {
            for_agent,
            for_caller,
            failed_return: failed_return(report, self.profile),
            report,
            returned,
        }
    }

    fn log(&self, rejected: &Rejected<'_>) {
        self.record(|recorder, records| match rejected.returned {
            Ok(bytes) => recorder.add(rejected.report, &SOURCE, Some(bytes), records),
            Err(missing) => {
                recorder.add_agent(&self.agent(missing).missing(), &SOURCE, records);
                Ok(())
            }
        });
    }

    fn record(&self, add: impl Fn(&Recorder, &mut Vec<String>) -> anyhow::Result<()>) {
        let path = self.options.errors_json.as_deref();
        let Some(recorder) = Recorder::new(path, self.options.save_invalid.as_deref()) else {
            return;
        };
        let mut records = Vec::new();
        let saved = add(&recorder, &mut records);
        let logged = path.map_or(Ok(()), |path| {
            let mut log = LogFile::new(path);
            log.add(&mut records)?;
            log.flush()
        });
        // The verdict stands even if it could not be logged.
        for error in [saved, logged].into_iter().filter_map(Result::err) {
            stderr::error(&error);
        }
    }
}
