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
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::cli::files::{current_folder, is_at};
use crate::cli::hook::install;
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
        #[default]
        Silent = "nothing-said",
        Valid = "valid",
        Instructed = "instructed",
        AskedAgain = "asked-again",
        /// The return is still invalid after the last try.
        LetThrough = "let-through",
        Told = "caller-told",
        /// The return is invalid, and the hook only observes.
        Observed = "only-observed",
        Ended = "ended-by-an-error",
        NotChecked = "not-checked",
        Failed = "hook-failed",
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
    /// Where the agent works, or else the client.
    folder: Option<String>,
    pub(super) profile: Option<String>,
    pub(super) profile_from: Option<String>,
    pub(super) decision: Decided,
    /// How often the agent had been asked again before, if that counted.
    pub(super) asked_again: Option<u64>,
    pub(super) why: Option<String>,
    /// Whether the return that was checked is valid.
    valid: Option<bool>,
    rules: Vec<Cow<'static, str>>,
    /// What the record of the agent shows.
    pub(super) receipt: Option<String>,
    milliseconds: u64,
    /// The fingerprint of the agent's message.
    message: Option<String>,
    #[serde(skip)]
    pub(super) is_let_through: bool,
    /// For the error log.
    #[serde(skip)]
    pub(super) record: Option<String>,
}

impl Trace {
    pub(super) fn of(event: &Event) -> Self {
        let folder = match &event.folder {
            Some(folder) => Some(&**folder),
            None => current_folder(),
        };
        Self {
            client: event.client.as_str().to_owned(),
            event: event.name.clone().unwrap_or(event.moment.as_str().into()),
            agent: event.agent.clone(),
            agent_id: event.agent_id.clone(),
            session: event.session.clone(),
            folder: folder.map(|folder| folder.to_string_lossy().into_owned()),
            ..Self::default()
        }
    }

    /// Notes that a message was checked, and the rules that it breaks.
    pub(super) fn checked(&mut self, message: &[u8], report: &Report) {
        self.message = Some(fingerprint(message));
        self.valid = Some(report.is_valid());
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
            (Moment::Stop | Moment::Call, Answer::Block(_)) => Decided::AskedAgain,
            _ if self.is_let_through => Decided::LetThrough,
            (_, Answer::Nothing | Answer::Note(_)) if self.valid == Some(true) => Decided::Valid,
            (_, Answer::Nothing) => Decided::Silent,
            (_, Answer::Note(_)) if self.valid == Some(false) => Decided::Observed,
            _ => Decided::Told,
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

    fn is_below(&self, project: &Path) -> bool {
        let folder = Path::new(self.folder.as_deref().unwrap_or_default());
        let is_resolved = || folder.canonicalize().is_ok_and(|it| it.starts_with(project));
        folder.starts_with(project) || is_resolved()
    }

    fn described(&self) -> String {
        // To the second.
        let time = self.time.get(..19).unwrap_or(&self.time).replace('T', " ");
        let (time, client, agent) = (plain(&time), plain(&self.client), self.subject(true));
        format!("{time}  {client:11}  {agent:18}  {}\n", self.happened())
    }

    /// The agent, also with the beginning of its id.
    pub(super) fn subject(&self, has_id: bool) -> String {
        let mut subject = plain(self.agent.as_deref().unwrap_or("-"));
        if let Some(id) = self.agent_id.as_ref().filter(|_| has_id) {
            subject.push(' ');
            subject += &plain(&id.chars().take(8).collect::<String>());
        }
        subject
    }

    /// What was decided and why, in words; the event, and what chose the profile.
    pub(super) fn happened(&self) -> String {
        let decision = self.decision.as_str().replace('-', " ");
        let times = match self.asked_again {
            None | Some(0) => String::new(),
            Some(1) => " after asking once".to_owned(),
            Some(times) => format!(" after asking {times} times"),
        };
        let rules = (!self.rules.is_empty()).then(|| escape::list(&self.rules));
        let receipt = self.receipt.as_ref().map(|line| "receipt: ".to_owned() + &plain(line));
        let reasons = [rules, self.why.as_deref().map(plain), receipt].into_iter().flatten();
        let reasons = reasons.collect::<Vec<_>>().join("; ");
        let colon = if reasons.is_empty() { "" } else { ": " };
        let from = self.profile_from.as_deref().unwrap_or_default();
        let profile = self.profile.as_deref().map(plain);
        let profile = profile.map(|id| format!(", {id} by {}", plain(from))).unwrap_or_default();
        format!("{decision}{times}{colon}{reasons} ({}{profile})", plain(&self.event))
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

/// How many entries are printed where nothing else is said.
const LINES: usize = 20;

#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// Print the last N entries [default: 20]
    #[arg(short = 'n', long = "lines", value_name = "N")]
    lines: Option<usize>,
    /// Print the entries of all projects; without -n, all of them
    #[arg(long)]
    all: bool,
}

/// `retval hook log`: prints the end of the log.
pub(super) fn print_log(args: &LogArgs) -> anyhow::Result<Exit> {
    let Some(folder) = session::folder() else {
        output::note("no client of this user has called the hook");
        return Ok(Exit::Valid);
    };
    let mut text = fs::read(folder.join(OLDER_LOG)).unwrap_or_default();
    text.extend(fs::read(folder.join(LOG)).unwrap_or_default());
    let text = String::from_utf8_lossy(&text);
    let project = Some(install::project()?).filter(|_| !args.all);
    let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    let lines = lines.filter(|line: &Trace| project.as_ref().is_none_or(|it| line.is_below(it)));
    let lines: Vec<_> = lines.map(|line| line.described()).collect();
    let most = args.lines.unwrap_or(if args.all { usize::MAX } else { LINES });
    if lines.is_empty() {
        let others = project.map_or("", |_| " of this project; --all prints those of all projects");
        output::note(&format!("there is no entry{others}"));
    }
    print_stdout(lines[lines.len().saturating_sub(most)..].concat())
}
