//! `retval hook log`: prints the trace.

use std::fmt::Write as _;
use std::fs;

use crate::text::escape;
use clap::{Args, ValueEnum};
use globset::{Glob, GlobMatcher};

use super::TraceLine;
use super::follow::Follower;
use crate::cli::exit::Exit;
use crate::cli::hook::state_file;
use crate::cli::output::print_stdout;
use crate::cli::stderr;

pub(in crate::cli::hook) const EXAMPLES: &str = "\
Times are UTC. The files are `hook.log` and the older `hook.log.1`, below `XDG_RUNTIME_DIR` or the
folder for temporary files. `hook.log = false` in retval.toml or RETVAL_HOOK_LOG=false keeps none.

Examples:
  retval hook log --agent 'research*'
  retval hook log --follow
  retval hook log --format json | jq 'select(.decision == \"asked-again\")'";

/// How many lines are printed before those that follow.
const LAST: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// Only of agents with this name, or a name that matches this glob, or an id that begins so
    #[arg(long, value_name = "AGENT", value_parser = agent)]
    agent: Option<(String, GlobMatcher)>,
    /// Print the last lines, then new ones as they come
    #[arg(long, short)]
    follow: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    format: LogFormat,
}

fn agent(text: &str) -> Result<(String, GlobMatcher), String> {
    let glob = Glob::new(text).map_err(|error| error.to_string())?;
    Ok((text.to_owned(), glob.compile_matcher()))
}

pub(in crate::cli::hook) fn run(args: &LogArgs) -> anyhow::Result<Exit> {
    let Some(folder) = state_file::folder() else {
        stderr::note("no client of this user has called the hook");
        return Ok(Exit::Valid);
    };
    let path = folder.join(state_file::LOG);
    let mut follower = Follower::new(path.clone());
    let mut text = fs::read(folder.join(state_file::OLDER_LOG)).unwrap_or_default();
    text.extend(follower.added().unwrap_or_default());
    let mut shown: Vec<_> = args.shown(&text).collect();
    if args.follow {
        shown.drain(..shown.len().saturating_sub(LAST));
    } else if text.is_empty() {
        let path = escape::path(&path);
        stderr::note(&format!(
            "no client has called the hook: there is no {path}"
        ));
    } else if shown.is_empty() {
        stderr::note("no line is about such an agent");
    }
    let mut exit = print_stdout(shown.concat().as_bytes())?;
    if !args.follow {
        return Ok(exit);
    }
    for added in follower {
        let shown: String = args.shown(&added).collect();
        exit = print_stdout(shown.as_bytes())?;
    }
    Ok(exit)
}

impl LogArgs {
    fn shown(&self, text: &[u8]) -> impl Iterator<Item = String> {
        let lines = text.split(|byte| *byte == b'\n');
        let lines = lines.filter_map(|line| std::str::from_utf8(line).ok());
        lines.filter_map(|line| self.line(line))
    }

    /// None if the line is about another agent, or is not one of this log.
    fn line(&self, text: &str) -> Option<String> {
        let line: TraceLine<'_> = serde_json::from_str(text).ok()?;
        let is_wanted = self.agent.as_ref().is_none_or(|(start, glob)| {
            let name = line.agent.as_deref().is_some_and(|it| glob.is_match(it));
            name || line
                .agent_id
                .as_deref()
                .is_some_and(|it| it.starts_with(start))
        });
        is_wanted.then(|| match self.format {
            LogFormat::Text => line.described(),
            LogFormat::Json => escape::json(text).into_owned() + "\n",
        })
    }
}

impl TraceLine<'_> {
    /// The line for people.
    fn described(&self) -> String {
        // To the second.
        let time = self.time.get(..19).unwrap_or(&self.time).replace('T', " ");
        let (event, agent) = (plain(&self.event), self.subject());
        let decision = self.decision.as_str();
        let mut text = format!("{}  {agent:18}  {event:16}  {decision:11}", plain(&time));
        let details = self.details();
        let client = plain(&self.client);
        let _ = writeln!(text, "  {details}  ({client}, {} ms)", self.milliseconds);
        text
    }

    /// The agent, with the beginning of its id.
    pub(super) fn subject(&self) -> String {
        let name = self.agent.as_deref().map_or_else(|| "-".to_owned(), plain);
        let id = self
            .agent_id
            .as_deref()
            .map(|id| id.chars().take(8).collect::<String>());
        id.map_or_else(|| name.clone(), |id| format!("{name} {}", plain(&id)))
    }

    /// Why it was decided so: the profile, the rules, and the reason.
    pub(super) fn details(&self) -> String {
        let by = |from: &str| format!(" by {}", plain(from));
        let by = self.profile_from.as_deref().map(by).unwrap_or_default();
        let profile = self.profile.as_deref().map(|id| plain(id) + &by);
        let rules = (!self.rules.is_empty()).then(|| escape::list(&self.rules));
        let times = self.asked_again.filter(|times| *times > 0);
        let times = times.map(|times| format!("asked again before: {times}"));
        let why = self.why.as_deref().map(plain);
        let parts = [profile, rules, times, why].into_iter().flatten();
        parts.collect::<Vec<_>>().join("; ")
    }
}

fn plain(text: &str) -> String {
    escape::truncated(text).shown().into_owned()
}
