//! `retval hook`: the instruction before, the check after, one bounded retry.
//!
//! Whatever happens, the exit code is 0 and standard output holds the harness's JSON or nothing: a
//! gate that breaks must not break the agents behind it.

mod answer;
mod attempts;
pub(crate) mod options;
mod print_config;
mod return_file;
mod runs;

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use globset::Glob;
use retval::format::{Audience, Source, feedback};
use retval::harness::{Answer, Event, Harness, Moment};
use retval::internal::{escape, is_blank};
use retval::{Instruction, Profile, Report, Root};

use crate::argv::HookFallback;
use crate::hook::options::{DEFAULT_RETRIES, FailurePolicy, HookArgs, HookOptions};
use crate::output::error_log::LogFile;
use crate::output::invalid::Recorder;
use crate::settings::Settings;
use crate::settings::checker::CheckerOptions;
use crate::stderr;
use answer::give;
use attempts::Attempts;
use return_file::{Newest, Wanted};
use runs::Run;

/// The most bytes of a payload: a final message of the largest size, escaped, and the rest.
const PAYLOAD_AT_MOST: u64 = 256 * 1024 * 1024;

pub(crate) fn run(args: HookArgs) -> anyhow::Result<()> {
    if let Some(harness) = args.print_config {
        return answer::print(print_config::text(harness));
    }
    let harness = args.harness;
    let settings = Settings::load(&args.config);
    let policy = FailurePolicy::resolve(&args, settings.as_ref().ok());
    let options = settings.and_then(|settings| {
        let options = HookOptions::resolve(args, &settings)?;
        Ok((options, settings))
    });
    let event = match read_event(harness) {
        Ok(Some(event)) => event,
        Ok(None) => return Ok(()),
        Err(error) => {
            let harness = harness.unwrap_or(Harness::ClaudeCode);
            return give(Answer::Note(failure(&error)), harness);
        }
    };
    let answer = options.and_then(|(options, settings)| handle(&options, &settings, &event));
    let answer = answer.unwrap_or_else(|error| fail(policy, &event, &error));
    give(answer, event.harness)
}

/// The answer of a hook whose arguments cannot be parsed: a usage error must not stop every agent,
/// unless `--fail-closed` is given.
pub(crate) fn usage_error(problem: &str, fallback: HookFallback) -> anyhow::Result<()> {
    let text = format!("retval hook: {problem}");
    let event = if fallback.is_closed {
        read_event(None).unwrap_or_default()
    } else {
        None
    };
    let answer = match &event {
        Some(event) => block_or_note(text, event, DEFAULT_RETRIES),
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
        .take(PAYLOAD_AT_MOST + 1)
        .read_to_end(&mut text)
        .context("cannot read the payload")?;
    if text.len() as u64 > PAYLOAD_AT_MOST {
        bail!("the payload is larger than {PAYLOAD_AT_MOST} bytes");
    }
    let event = Event::read(&text, harness).context("the payload is not JSON")?;
    Ok(event.filter(|event| event.moment != Moment::Foreign && has_agent(event)))
}

/// Events without an agent's name are ignored, whatever else is wrong.
fn has_agent(event: &Event) -> bool {
    let agent = event.agent.as_deref();
    agent.is_some_and(|agent| !is_blank(agent))
}

fn failure(error: &anyhow::Error) -> String {
    format!(
        "retval hook could not check the return: {}",
        escape::truncated(&format!("{error:#}"))
    )
}

/// The answer to a failure of the hook itself: the agent may end, unless the hook is to fail closed,
/// and then it is sent back a limited number of times.
fn fail(policy: FailurePolicy, event: &Event, error: &anyhow::Error) -> Answer {
    let text = failure(error);
    if policy.is_closed && !policy.is_observing {
        block_or_note(text, event, policy.retries)
    } else {
        Answer::Note(text)
    }
}

/// An agent that has ended cannot be sent back: its caller is warned each time.
fn block_or_note(text: String, event: &Event, retries: u64) -> Answer {
    match event.moment {
        Moment::Result => Answer::Block(text),
        Moment::Stop if Attempts::of(event).may_try_again(retries) => Answer::Block(format!(
            "{text}\nReturn the complete JSON object again as your whole final message.\n"
        )),
        _ => Answer::Note(text),
    }
}

fn handle(options: &HookOptions, settings: &Settings, event: &Event) -> anyhow::Result<Answer> {
    let agent = event.agent.as_deref().unwrap_or_default();
    if !is_checked(options, agent)? {
        return Ok(Answer::Nothing);
    }
    let profile = settings
        .profile(options.profile.as_deref())?
        .unwrap_or(&retval::profile::RETURN);
    let checker = CheckerOptions {
        session: session(options, event),
        agent: Some(agent.to_owned()),
        ..options.checker.clone()
    };
    let run = options.return_file.as_ref().map(|_| Run::of(event));
    if event.moment == Moment::Start {
        if let Some(run) = &run {
            run.start();
        }
        let mut instruction = Instruction::new(profile)
            .session(checker.session.as_deref())
            .agent(agent)
            .group(checker.group.as_deref());
        if let Some(handoffs) = checker.handoffs(settings, profile) {
            instruction = instruction.handoff(handoffs);
        }
        return Ok(Answer::Context(instruction.to_string()));
    }
    let folder = options.root.as_deref().or(event.folder.as_deref());
    let folder = folder.unwrap_or(Path::new("."));
    let root = Root::open(folder)?;
    let checker = checker.checker(settings, profile, &root);
    let check = |returned: &[u8]| {
        let report = checker.check(returned);
        check(options, event, profile, (&report, returned))
    };
    if let Some(run) = &run {
        return check_file(options, event, run, (folder, &root), check);
    }
    let message = event.message.as_deref();
    let message = message.context("there is no final message to check")?;
    Ok(check(message.as_bytes()))
}

/// The answer about the file that the agent should have written.
fn check_file(
    options: &HookOptions,
    event: &Event,
    run: &Run<'_>,
    place: (&Path, &Root),
    check: impl Fn(&[u8]) -> Answer,
) -> anyhow::Result<Answer> {
    let glob = options.return_file.as_deref().unwrap_or_default();
    let wanted = Wanted {
        agent: event.agent.as_deref().unwrap_or_default(),
        run,
        most: options.checker.max_bytes,
    };
    let (answer, file) = match return_file::newest(place, glob, &wanted)? {
        Newest::File(file) => (check(&file.bytes), Some(file)),
        Newest::Stale(path) => (no_file(options, event, Some(&path)), None),
        Newest::None => (no_file(options, event, None), None),
    };
    if !matches!(answer, Answer::Block(_)) {
        if let Some(file) = file {
            run.accept(&file.path, file.written);
        }
        run.end();
    }
    Ok(answer)
}

/// The answer if the agent has not written the file that it should return; there may be one from
/// before.
fn no_file(options: &HookOptions, event: &Event, stale: Option<&str>) -> Answer {
    let glob = options.return_file.as_deref().unwrap_or_default();
    let stale = stale.map(|path| format!(" ({path} is from an earlier run or from another agent)"));
    let text = format!(
        "No file written by this agent matches {}{}: write one before you end.\n",
        escape::truncated(glob),
        stale.unwrap_or_default()
    );
    let policy = options.on_failure;
    let may_block = !policy.is_observing && event.moment == Moment::Stop;
    if may_block && Attempts::of(event).may_try_again(policy.retries) {
        return Answer::Block(text);
    }
    Answer::Note(format!("retval: {text}"))
}

/// Whether returns of an agent are checked.
fn is_checked(options: &HookOptions, agent: &str) -> anyhow::Result<bool> {
    for text in &options.agents {
        let glob = Glob::new(text)
            .with_context(|| format!("cannot use the glob {}", escape::truncated(text)))?;
        if glob.compile_matcher().is_match(agent) {
            return Ok(true);
        }
    }
    Ok(options.agents.is_empty())
}

/// The session id to instruct at the start and to expect at the end. The harness's own id is expected
/// only where the agent was told it.
fn session(options: &HookOptions, event: &Event) -> Option<String> {
    let own = event.session.clone();
    let own = || own.filter(|_| event.harness == Harness::ClaudeCode);
    options.checker.session.clone().or_else(own)
}

fn check(
    options: &HookOptions,
    event: &Event,
    profile: &Profile,
    checked: (&Report<'_>, &[u8]),
) -> Answer {
    let (report, _) = checked;
    let attempts = Attempts::of(event);
    if report.is_valid() {
        attempts.forget();
        return Answer::Nothing;
    }
    let reader = if event.moment == Moment::Stop {
        Audience::Subagent
    } else {
        Audience::Orchestrator
    };
    let text = feedback(report, profile, reader);
    if options.on_failure.is_observing {
        log(options, checked);
        return Answer::Note(format!("retval (observing): {text}"));
    }
    if event.moment == Moment::Result {
        log(options, checked);
        return Answer::Block(text);
    }
    if attempts.may_try_again(options.on_failure.retries) {
        return Answer::Block(text);
    }
    attempts.forget();
    log(options, checked);
    Answer::Note(format!(
        "Invalid return accepted after the last retry: {}",
        feedback(report, profile, Audience::Orchestrator)
    ))
}

fn log(options: &HookOptions, (report, returned): (&Report<'_>, &[u8])) {
    let path = options.errors_json.as_deref();
    let Some(recorder) = Recorder::new(path, options.save_invalid.as_deref()) else {
        return;
    };
    let mut records = Vec::new();
    let saved = recorder.add(report, &Source::new("hook"), Some(returned), &mut records);
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
