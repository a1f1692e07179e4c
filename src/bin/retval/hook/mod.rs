//! `retval hook`: the instruction before, the check after, one bounded retry.
//!
//! Whatever happens, the exit code is 0 and standard output holds the harness's JSON or nothing: a
//! gate that breaks must not break the agents behind it.

mod answer;
pub(crate) mod args;
mod attempts;
mod print_config;
mod return_file;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use globset::Glob;
use retval::format::{Audience, Source, feedback};
use retval::harness::{Answer, Event, Harness, Moment};
use retval::rules::{Level, Rule};
use retval::text::escape;
use retval::{Checker, Instruction, Profile, Report, Root};

use crate::hook::args::HookArgs;
use crate::output::error_log::{LogFile, record};
use crate::settings::Settings;
use crate::{demands, stderr};
use answer::give;
use attempts::Attempts;

/// Bytes of a payload that are read: a final message of the largest size, escaped, and the rest.
const PAYLOAD_AT_MOST: u64 = 256 * 1024 * 1024;

pub(crate) fn run(mut options: HookArgs) -> anyhow::Result<()> {
    if let Some(harness) = options.print_config {
        return answer::print(print_config::text(harness));
    }
    let settings = Settings::load(&options.configured)
        .and_then(|settings| settings.fill_hook(&mut options).map(|()| settings));
    let options = &options;
    let event = match read_event(options.harness) {
        Ok(Some(event)) => event,
        Ok(None) => return Ok(()),
        Err(error) => {
            let harness = options.harness.unwrap_or(Harness::ClaudeCode);
            return give(Answer::Note(failure(&error)), harness);
        }
    };
    let answer = settings.and_then(|settings| handle(options, &settings, &event));
    let answer = answer.unwrap_or_else(|error| fail(options, &event, &error));
    give(answer, event.harness)
}

/// What a hook with options that cannot be understood says: no bad setting may stop every agent,
/// unless one of them asks for just that.
pub(crate) fn misunderstood(problem: &str) -> anyhow::Result<()> {
    let text = format!("retval hook: {problem}");
    let is_asked = |option| std::env::args_os().any(|argument| argument == option);
    let event = if is_asked("--fail-closed") && !is_asked("--observe") {
        read_event(None).unwrap_or_default()
    } else {
        None
    };
    let answer = match &event {
        Some(event) => block_or_note(text, event, RETRIES),
        None => Answer::Note(text),
    };
    give(
        answer,
        event.map_or(Harness::ClaudeCode, |event| event.harness),
    )
}

fn read_event(harness: Option<Harness>) -> anyhow::Result<Option<Event>> {
    let mut text = Vec::new();
    std::io::stdin()
        .lock()
        .take(PAYLOAD_AT_MOST)
        .read_to_end(&mut text)
        .context("cannot read the payload")?;
    let event = Event::read(&text, harness).context("the payload is not JSON")?;
    Ok(event.filter(|event| event.moment != Moment::Foreign && has_agent(event)))
}

/// Who has no name is nobody's business, whatever else is wrong.
fn has_agent(event: &Event) -> bool {
    let agent = event.agent.as_deref();
    agent.is_some_and(|agent| !agent.trim().is_empty())
}

fn failure(error: &anyhow::Error) -> String {
    format!(
        "retval hook could not check: {}",
        escape::truncated(&format!("{error:#}"))
    )
}

fn is_observing(options: &HookArgs) -> bool {
    options.observe.unwrap_or_default()
}

/// retval's own failure: the agent goes, unless it was asked to be kept, and then not for ever.
fn fail(options: &HookArgs, event: &Event, error: &anyhow::Error) -> Answer {
    let text = failure(error);
    if options.fail_closed.unwrap_or_default() && !is_observing(options) {
        block_or_note(text, event, retries(options))
    } else {
        Answer::Note(text)
    }
}

/// An agent that has ended is not sent back: its caller is warned, as often as it asks.
fn block_or_note(text: String, event: &Event, retries: u32) -> Answer {
    match event.moment {
        Moment::Result => Answer::Block(text),
        Moment::Stop if Attempts::of(event).may_try_again(retries) => Answer::Block(format!(
            "{text}\nReturn the complete JSON object again as your whole final message.\n"
        )),
        _ => Answer::Note(text),
    }
}

/// How often an agent is sent back unless an option says otherwise.
const RETRIES: u32 = 1;

fn retries(options: &HookArgs) -> u32 {
    options.retries.unwrap_or(RETRIES)
}

fn handle(options: &HookArgs, settings: &Settings, event: &Event) -> anyhow::Result<Answer> {
    demands::refuse_contradictions(&options.demands)?;
    let agent = event.agent.as_deref().unwrap_or_default();
    if !is_held(options, agent)? {
        return Ok(Answer::Nothing);
    }
    let session = session(options, event);
    let profile = settings
        .profile(options.profile.as_deref())?
        .unwrap_or(&retval::profile::RETURN);
    if event.moment == Moment::Start {
        let group = options.demands.group.as_deref();
        let instruction = Instruction {
            profile,
            session: session.as_deref(),
            agent: Some(agent),
            group,
        };
        return Ok(Answer::Context(instruction.to_string()));
    }
    let folder = options
        .root
        .clone()
        .or_else(|| event.folder.clone())
        .unwrap_or_else(|| PathBuf::from("."));
    let root = Root::open(&folder)?;
    let returned = match returned(options, event, (&folder, &root), agent)? {
        Ok(returned) => returned,
        Err(answer) => return Ok(answer),
    };
    let checker = settings.apply(profile, Checker::new(profile, &root));
    let checker = demanding(options, checker.agent(agent)).session(session.as_deref());
    check(options, event, profile, &checker.check(&returned))
}

/// What is checked, the final message or the file that was asked for; else what to say of its lack.
fn returned(
    options: &HookArgs,
    event: &Event,
    place: (&Path, &Root),
    agent: &str,
) -> anyhow::Result<Result<Vec<u8>, Answer>> {
    let Some(glob) = &options.return_file else {
        let message = event.message.clone();
        let message = message.context("there is no final message to check")?;
        return Ok(Ok(message.into_bytes()));
    };
    let found = return_file::newest(place, glob, agent, demands::max_bytes(&options.demands))?;
    Ok(found.ok_or_else(|| no_file(options, event, glob)))
}

/// The agent has not written the file that it was to return.
fn no_file(options: &HookArgs, event: &Event, glob: &str) -> Answer {
    let text = format!(
        "No file that this agent wrote matches {}: it must write one before it ends.\n",
        escape::truncated(glob)
    );
    let may_block = !is_observing(options) && event.moment == Moment::Stop;
    if may_block && Attempts::of(event).may_try_again(retries(options)) {
        return Answer::Block(text);
    }
    Answer::Note(format!("retval: {text}"))
}

fn is_held(options: &HookArgs, agent: &str) -> anyhow::Result<bool> {
    for text in &options.agents {
        let glob = Glob::new(text)
            .with_context(|| format!("cannot use the glob {}", escape::truncated(text)))?;
        if glob.compile_matcher().is_match(agent) {
            return Ok(true);
        }
    }
    Ok(options.agents.is_empty())
}

/// The one id that is instructed at the start and expected at the stop. The harness's own id is
/// expected only where the agent was told it: elsewhere it could not know.
fn session(options: &HookArgs, event: &Event) -> Option<String> {
    let own = || {
        event
            .session
            .clone()
            .filter(|_| event.harness == Harness::ClaudeCode)
    };
    options.session.clone().or_else(own)
}

fn demanding<'o>(options: &'o HookArgs, checker: Checker<'o>) -> Checker<'o> {
    let mut checker = checker.extract(true);
    // A harness puts its own lines around a message, for which the agent is not to blame. An agent
    // that stopped while its work is still in progress was interrupted.
    for (id, level) in [
        ("json-wrapped", Level::Off),
        ("still-in-progress", Level::Error),
    ] {
        if let Some(rule) = Rule::named(id) {
            checker = checker.rule(rule, level);
        }
    }
    demands::apply(&options.demands, checker)
}

fn check(
    options: &HookArgs,
    event: &Event,
    profile: &Profile,
    report: &Report<'_>,
) -> anyhow::Result<Answer> {
    let attempts = Attempts::of(event);
    if report.is_valid() {
        attempts.forget();
        return Ok(Answer::Nothing);
    }
    let reader = if event.moment == Moment::Stop {
        Audience::Subagent
    } else {
        Audience::Orchestrator
    };
    let text = feedback(report, profile, reader);
    if is_observing(options) {
        log(options, report)?;
        return Ok(Answer::Note(format!("retval, observing: {text}")));
    }
    if event.moment == Moment::Result {
        log(options, report)?;
        return Ok(Answer::Block(text));
    }
    if attempts.may_try_again(retries(options)) {
        return Ok(Answer::Block(text));
    }
    attempts.forget();
    log(options, report)?;
    Ok(Answer::Note(format!(
        "retval let an invalid return go: {}",
        feedback(report, profile, Audience::Orchestrator)
    )))
}

fn log(options: &HookArgs, report: &Report<'_>) -> anyhow::Result<()> {
    let Some(path) = &options.errors_json else {
        return Ok(());
    };
    let mut log = LogFile::new(path);
    let source = Source {
        name: "hook",
        line: None,
    };
    log.add(&mut vec![record(report, &source, 0)])?;
    // The verdict stands, whether or not it could be written down.
    log.flush().or_else(|error| {
        stderr::error(&error);
        Ok(())
    })
}
