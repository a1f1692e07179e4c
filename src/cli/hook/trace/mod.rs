//! The trace: what the hook decided, one line of JSON for each event or each agent that an event is about,
//! in a log of its own. A trace that cannot be written changes no answer.

mod file;
mod follow;
pub(super) mod show;
pub(super) mod trial;

use std::borrow::Cow;
use std::time::Instant;

use crate::Report;
use crate::check::fingerprint::fingerprint;
use crate::clients::{Answer, Event, Moment};
use serde::{Deserialize, Serialize};

pub(super) use show::LogArgs;
pub(super) use trial::TryArgs;

/// Most rule ids of one line.
const RULES_AT_MOST: usize = 16;

/// Most characters of a reason.
const WHY_AT_MOST: usize = 300;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Decided {
    /// The agent got the instruction.
    Instructed,
    /// There was nothing to say: the return is valid, for example.
    Silent,
    /// The agent was asked for its return again.
    AskedAgain,
    Accepted,
    /// The caller was told something.
    Told,
    /// The return is invalid, and the hook only observes.
    Observed,
    /// The agent ended by an error.
    Ended,
    /// The event is none of an agent that is checked.
    NotChecked,
    Failed,
}

impl Decided {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Instructed => "instructed",
            Self::Silent => "silent",
            Self::AskedAgain => "asked again",
            Self::Accepted => "accepted",
            Self::Told => "told",
            Self::Observed => "observed",
            Self::Ended => "ended",
            Self::NotChecked => "not checked",
            Self::Failed => "failed",
        }
    }
}

/// A line of the log. Not safe to print.
#[derive(Debug, Deserialize, Serialize)]
struct TraceLine<'l> {
    time: Cow<'l, str>,
    client: Cow<'l, str>,
    event: Cow<'l, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Cow<'l, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<Cow<'l, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<Cow<'l, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Cow<'l, str>>,
    /// What chose the profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile_from: Option<Cow<'l, str>>,
    decision: Decided,
    /// How often the agent had been asked again before.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_again: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Cow<'l, str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rules: Vec<Cow<'l, str>>,
    milliseconds: u64,
    /// The fingerprint of the agent's message.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Cow<'l, str>>,
}

/// What is learned of a decision on the way to it.
#[derive(Debug, Default)]
pub(super) struct Trace {
    /// The name of the agent, if the payload has none.
    pub(super) agent: Option<String>,
    /// The profile, and what chose it.
    pub(super) profile: Option<(String, String)>,
    /// Whether the agent or the event is left alone.
    pub(super) is_unchecked: bool,
    pub(super) why: Option<Cow<'static, str>>,
    /// How often the agent had been asked again before, if that counted.
    pub(super) asked_again: Option<u64>,
    pub(super) is_accepted: bool,
    rules: Vec<&'static str>,
    message: Option<String>,
}

impl Trace {
    /// Notes that nothing is checked, and why.
    pub(super) fn unchecked(&mut self, why: impl Into<Cow<'static, str>>) {
        self.is_unchecked = true;
        self.why = Some(why.into());
    }

    /// Notes the rules that a report's findings break.
    pub(super) fn found(&mut self, report: &Report<'_>) {
        for finding in &report.findings {
            let id = finding.rule.id;
            if self.rules.len() < RULES_AT_MOST && !self.rules.contains(&id) {
                self.rules.push(id);
            }
        }
    }

    pub(super) fn checked(&mut self, message: &[u8]) {
        self.message = Some(fingerprint(message));
    }

    fn decision(&self, moment: Moment, answer: &Answer) -> Decided {
        if self.is_unchecked {
            return Decided::NotChecked;
        }
        match (moment, answer) {
            (Moment::Failure, _) => Decided::Ended,
            (_, Answer::Context(_) | Answer::Prompt { .. }) => Decided::Instructed,
            (Moment::Stop | Moment::Call | Moment::Task, Answer::Block(_)) => Decided::AskedAgain,
            _ if self.is_accepted => Decided::Accepted,
            (_, Answer::Tell { .. } | Answer::Block(_) | Answer::Replace(_)) => Decided::Told,
            (_, Answer::Note(_)) if self.rules.is_empty() => Decided::Told,
            (_, Answer::Note(_)) => Decided::Observed,
            _ => Decided::Silent,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Tracer {
    called: Instant,
    is_on: bool,
}

impl Tracer {
    pub(super) fn new() -> Self {
        let (called, is_on) = (Instant::now(), true);
        Self { called, is_on }
    }

    /// Whether the log is kept. None if no setting says so.
    pub(super) fn on(self, is_on: Option<bool>) -> Self {
        let is_on = is_on.unwrap_or(true);
        Self { is_on, ..self }
    }

    pub(super) fn decided(self, event: &Event, trace: &Trace, answer: &Answer) {
        self.write(event, trace, trace.decision(event.moment, answer));
    }

    pub(super) fn foreign(self, event: &Event) {
        let mut trace = Trace::default();
        trace.unchecked("it is not about an agent");
        self.write(event, &trace, Decided::NotChecked);
    }

    pub(super) fn failed(self, event: &Event, why: String) {
        let why = Some(why.into());
        let trace = Trace {
            why,
            ..Trace::default()
        };
        self.write(event, &trace, Decided::Failed);
    }

    fn write(self, event: &Event, trace: &Trace, decision: Decided) {
        if !self.is_on {
            return;
        }
        let profile = trace.profile.as_ref();
        let own = |text: &'_ Option<String>| text.clone().map(Cow::Owned);
        let line = TraceLine {
            time: jiff::Timestamp::now().to_string().into(),
            client: event.client.as_str().into(),
            event: event
                .name
                .as_deref()
                .unwrap_or(event.moment.as_str())
                .into(),
            agent: own(&event.agent).or_else(|| own(&trace.agent)),
            agent_id: own(&event.agent_id),
            session: own(&event.session),
            profile: profile.map(|(id, _)| id.into()),
            profile_from: profile.map(|(_, from)| from.into()),
            decision,
            asked_again: trace.asked_again,
            why: trace.why.as_deref().map(short),
            rules: trace.rules.iter().copied().map(Cow::Borrowed).collect(),
            milliseconds: u64::try_from(self.called.elapsed().as_millis()).unwrap_or(u64::MAX),
            message: own(&trace.message),
        };
        if let Ok(text) = serde_json::to_string(&line) {
            file::append(&text);
        }
    }
}

/// The first line of a text, not too long for the log.
fn short(text: &str) -> Cow<'_, str> {
    let line = text.lines().next().unwrap_or_default();
    let end = line.char_indices().nth(WHY_AT_MOST).map(|(end, _)| end);
    Cow::Borrowed(&line[..end.unwrap_or(line.len())])
}
