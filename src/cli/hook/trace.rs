//! `hook.log`: what the hook decided, one line of JSON for each event, or for each agent that an event is
//! about. A line that cannot be written changes no answer.
//!
//! Many calls of the hook write at once. Each line is one write at the end of the file, which none can
//! interrupt, so that no lock is needed. Of several calls that find the file full, the one that gets its
//! lock moves it away; a call that opened it before writes its line into the older one.

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use crate::Report;
use crate::check::finding::fingerprint;
use crate::clients::{Answer, Event, Moment};
use crate::text::{escape, names};
use clap::{Args, ValueEnum};
use globset::{Glob, GlobMatcher};
use serde::{Deserialize, Serialize};

use crate::cli::files::is_at;
use crate::cli::hook::session::{self, LOG, OLDER_LOG};
use crate::cli::output::{self, Exit, print_stdout};

const RULES_AT_MOST: usize = 16;
const WHY_AT_MOST: usize = 300;

/// Most bytes of a line. Names in a payload may have any length.
const LINE_AT_MOST: usize = 16 << 10;

/// Bytes from which the file becomes the older one.
const FULL: u64 = 1 << 20;

names! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) enum Decided: "decision" {
        /// There was nothing to say: the return is valid, for example.
        #[default]
        Silent = "silent",
        Instructed = "instructed",
        AskedAgain = "asked-again",
        Accepted = "accepted",
        /// The caller was told something.
        Told = "told",
        /// The return is invalid, and the hook only observes.
        Observed = "observed",
        /// The agent ended by an error.
        Ended = "ended",
        NotChecked = "not-checked",
        /// The hook itself has failed.
        Failed = "failed",
    }
}

/// A line of the log: what is learned about an agent on the way to a decision. Not safe to print.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Trace {
    time: String,
    client: String,
    event: String,
    pub(super) agent: Option<String>,
    agent_id: Option<String>,
    session: Option<String>,
    pub(super) profile: Option<String>,
    pub(super) profile_from: Option<String>,
    pub(super) decision: Decided,
    /// How often the agent had been asked again before, if that counted.
    pub(super) asked_again: Option<u64>,
    pub(super) why: Option<String>,
    rules: Vec<Cow<'static, str>>,
    /// What the record of the agent shows.
    pub(super) receipt: Option<String>,
    milliseconds: u64,
    /// The fingerprint of the agent's message.
    message: Option<String>,
    #[serde(skip)]
    pub(super) is_accepted: bool,
    /// For the error log.
    #[serde(skip)]
    pub(super) record: Option<String>,
}

impl Trace {
    pub(super) fn of(event: &Event) -> Self {
        Self {
            client: event.client.as_str().to_owned(),
            event: event.name.clone().unwrap_or(event.moment.as_str().into()),
            agent: event.agent.clone(),
            agent_id: event.agent_id.clone(),
            session: event.session.clone(),
            ..Self::default()
        }
    }

    /// Notes that a message was checked, and the rules that it breaks.
    pub(super) fn checked(&mut self, message: &[u8], report: &Report) {
        self.message = Some(fingerprint(message));
        for finding in report.failures_first() {
            let id = finding.rule.id;
            if self.rules.len() < RULES_AT_MOST && !self.rules.iter().any(|it| it == id) {
                self.rules.push(id.into());
            }
        }
    }

    /// Notes what the answer means, unless it is said already.
    pub(super) fn answered(&mut self, moment: Moment, answer: &Answer) {
        if matches!(self.decision, Decided::NotChecked | Decided::Failed) {
            return;
        }
        self.decision = match (moment, answer) {
            (Moment::Failure, _) => Decided::Ended,
            (_, Answer::Context(_) | Answer::Prompt { .. }) => Decided::Instructed,
            (Moment::Stop | Moment::Call | Moment::Task, Answer::Block(_)) => Decided::AskedAgain,
            _ if self.is_accepted => Decided::Accepted,
            (_, Answer::Tell(_) | Answer::Block(_) | Answer::Replace(_)) => Decided::Told,
            (_, Answer::Note(_)) if self.rules.is_empty() => Decided::Told,
            (_, Answer::Note(_)) => Decided::Observed,
            _ => Decided::Silent,
        };
    }

    pub(super) fn write(mut self, called: Instant) {
        self.time = jiff::Timestamp::now().to_string();
        self.milliseconds = u64::try_from(called.elapsed().as_millis()).unwrap_or(u64::MAX);
        let line = self.why.as_deref().and_then(|why| why.lines().next());
        self.why = line.map(|line| line.chars().take(WHY_AT_MOST).collect());
        let line = serde_json::to_string(&self).unwrap_or_default();
        if line.len() < LINE_AT_MOST
            && let Ok((folder, _)) = session::open_folder()
        {
            // Nobody is told if that fails.
            let _ = append(&folder.join(LOG), &line);
        }
    }

    fn described(&self) -> String {
        // To the second.
        let time = self.time.get(..19).unwrap_or(&self.time).replace('T', " ");
        let (time, client, event) = (plain(&time), plain(&self.client), plain(&self.event));
        let (agent, decision) = (self.subject(), self.decision.as_str().replace('-', " "));
        let (details, milliseconds) = (self.details(), self.milliseconds);
        format!(
            "{time}  {agent:18}  {event:16}  {decision:11}  {details}  ({client}, {milliseconds} ms)\n"
        )
    }

    pub(super) fn tried(&self) -> String {
        let (event, client) = (plain(&self.event), plain(&self.client));
        let (subject, decision) = (self.subject(), self.decision.as_str());
        let mut text = format!("event     {event} of {client}, {subject}\ndecision  {decision}\n");
        let details = self.details();
        if !details.is_empty() {
            text = text + "because   " + &details + "\n";
        }
        text
    }

    /// The agent, with the beginning of its id.
    fn subject(&self) -> String {
        let mut subject = plain(self.agent.as_deref().unwrap_or("-"));
        if let Some(id) = &self.agent_id {
            subject.push(' ');
            subject += &plain(&id.chars().take(8).collect::<String>());
        }
        subject
    }

    /// Why it was decided so: the profile, the rules, and the reason.
    fn details(&self) -> String {
        let from = self.profile_from.as_deref();
        let by = from.map_or(String::new(), |from| format!(" by {}", plain(from)));
        let profile = self.profile.as_deref().map(|id| plain(id) + &by);
        let rules = (!self.rules.is_empty()).then(|| escape::list(&self.rules));
        let times = self.asked_again.filter(|times| *times > 0);
        let times = times.map(|times| format!("asked again before: {times}"));
        let why = self.why.as_deref().map(plain);
        let receipt = self.receipt.as_deref().map(plain);
        let parts = [profile, rules, times, why, receipt].into_iter().flatten();
        parts.collect::<Vec<_>>().join("; ")
    }
}

fn plain(text: &str) -> String {
    escape::truncated(text).shown().into_owned()
}

fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = session::open_private(path, OpenOptions::new().append(true).create(true))?;
    file.write_all(format!("{line}\n").as_bytes())?;
    let is_full = file.metadata()?.len() >= FULL;
    // Another call may move it away, or did.
    if is_full && file.try_lock().is_ok() && is_at(&file, path)? {
        fs::rename(path, path.with_file_name(OLDER_LOG))?;
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// Only of agents with this name, or a name that matches this glob, or an id that begins so
    #[arg(long, value_name = "AGENT", value_parser = glob)]
    agent: Option<GlobMatcher>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    format: LogFormat,
}

fn glob(text: &str) -> Result<GlobMatcher, globset::Error> {
    Ok(Glob::new(text)?.compile_matcher())
}

/// `retval hook log`: prints the log.
pub(super) fn print_log(args: &LogArgs) -> anyhow::Result<Exit> {
    let Some(folder) = session::folder() else {
        output::note("no client of this user has called the hook");
        return Ok(Exit::Valid);
    };
    let mut text = fs::read(folder.join(OLDER_LOG)).unwrap_or_default();
    text.extend(fs::read(folder.join(LOG)).unwrap_or_default());
    let text = String::from_utf8_lossy(&text);
    let shown: String = text.lines().filter_map(|line| args.line(line)).collect();
    if text.is_empty() {
        let path = escape::path(&folder.join(LOG));
        let why = format!("no client has called the hook: there is no {path}");
        output::note(&why);
    } else if shown.is_empty() {
        output::note("no line is about such an agent");
    }
    print_stdout(shown.as_bytes())
}

impl LogArgs {
    /// None if the line is about another agent, or is not one of this log.
    fn line(&self, text: &str) -> Option<String> {
        let line: Trace = serde_json::from_str(text).ok()?;
        let is_wanted = self.agent.as_ref().is_none_or(|glob| {
            (line.agent.as_deref()).is_some_and(|it| glob.is_match(it))
                || (line.agent_id.as_deref()).is_some_and(|it| it.starts_with(glob.glob().glob()))
        });
        is_wanted.then_some(())?;
        Some(match self.format {
            LogFormat::Text => line.described(),
            LogFormat::Json => escape::json(text).into_owned() + "\n",
        })
    }
}
