//! Runs an installed command with the payload of an agent, as its client would.

use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::clients::{Event, HookSettings, Moment};
use crate::profile::ANY;
use crate::text::escape;
use anyhow::{Context as _, bail};
use serde_json::Value;

use super::command_line;
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::scope;
use crate::cli::settings::Settings;

/// How long to wait for an answer: clients wait at least as long.
const PATIENCE: Duration = Duration::from_secs(10);

/// Most bytes of output that are read.
const OUTPUT_AT_MOST: u64 = 1 << 20;

/// The agent in the payload, unless the options exclude it.
const AGENT: &str = "planner";

pub(super) enum Tried {
    Answered,
    /// It was not tried, for this reason.
    Skipped(&'static str),
    Failed(String),
}

/// Runs a command in the folder of a project. Someone else may have written it, so it is run without a
/// shell, and only if its words are plain options of the hook.
pub(super) fn attempt(client: &HookSettings, command: &str, project: &Path) -> Tried {
    let command = command_line::without_end(command);
    let words = command_line::words(command);
    if !is_plain(command, &words, project) {
        return Tried::Skipped("not tried: it may run more than an installed retval");
    }
    let failed =
        |error: anyhow::Error| Tried::Failed(escape::truncated(&format!("{error:#}")).to_string());
    let (options, settings) = match command_line::options(&words, project) {
        Ok(understood) => understood,
        Err(error) => return failed(error),
    };
    if is_of_end(client) && options.records_at_once() {
        return Tried::Skipped("not tried: it would be recorded");
    }
    let Some(agent) = checked_name(client, &options, &settings) else {
        return Tried::Skipped("not tried: no name was found for an agent that it checks");
    };
    match output(&words, project, &payload(client, &agent, project)) {
        Err(error) => failed(error),
        Ok(text) if is_answer(&text) => Tried::Answered,
        Ok(text) if text.is_empty() && is_left_alone(&options, &settings, &agent) => {
            Tried::Answered
        }
        Ok(text) if text.trim().is_empty() => Tried::Failed("it printed nothing".to_owned()),
        Ok(text) => Tried::Failed(escape::truncated(text.trim()).to_string()),
    }
}

/// Whether a shell would run an installed program with these words, and nothing else.
fn is_plain(command: &str, words: &[String], project: &Path) -> bool {
    let program = Path::new(words.first().map_or("", String::as_str));
    let is_named = program.components().count() == 1;
    let project = project.canonicalize();
    let is_outside = || {
        let program = program.canonicalize();
        program.is_ok_and(|program| project.is_ok_and(|project| !program.starts_with(project)))
    };
    !means_more(command) && (is_named || program.is_absolute() && is_outside())
}

/// Whether a shell may do more with a command than split it into words. It takes every character between
/// single quotes literally, and `\'` as a literal quote.
fn means_more(command: &str) -> bool {
    let mut quote = None;
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_special = match (quote, letter) {
            (_, letter) if letter.is_control() => true,
            (Some(open), letter) if letter == open => {
                quote = None;
                false
            }
            (Some('\''), _) => false,
            (None, '\'' | '"') => {
                quote = Some(letter);
                false
            }
            // On Windows a backslash separates the parts of a path.
            (None, '\\') => !cfg!(windows) && letters.next_if_eq(&'\'').is_none(),
            (_, '\\') => !cfg!(windows),
            (_, letter) => ";|&<>$`(){}!#".contains(letter),
        };
        if is_special {
            return true;
        }
    }
    quote.is_some()
}

/// Whether the hook has instructed the agent or asked it again. A note about a failure is not an answer.
fn is_answer(text: &str) -> bool {
    let Ok(Value::Object(answer)) = serde_json::from_str(text) else {
        return false;
    };
    let keys = [
        "hookSpecificOutput",
        "additionalContext",
        "followup_message",
        "prompt",
    ];
    keys.iter().any(|key| answer.contains_key(*key))
}

/// Whether the hook has nothing to say to a new agent, because nobody has said how it is to return.
fn is_left_alone(options: &HookOptions, settings: &Settings, agent: &str) -> bool {
    let own = settings.hook_agent(agent);
    let own = own.and_then(|own| own.settings.values.profile.as_deref());
    own.or(options.profile.as_deref()) == Some(&*ANY.id)
}

fn is_of_end(client: &HookSettings) -> bool {
    let event = Event::read(client.example.as_bytes(), Some(client.client));
    event.is_ok_and(|event| event.is_some_and(|event| event.moment == Moment::Stop))
}

/// The name of an agent whose returns the command checks.
fn checked_name(
    client: &HookSettings,
    options: &HookOptions,
    settings: &Settings,
) -> Option<String> {
    let globs = options.agent_globs();
    let filled = globs.iter().map(|glob| glob.replace(['*', '?'], "x"));
    let mut names = std::iter::once(AGENT.to_owned()).chain(filled);
    names.find(|name| {
        let own = settings.hook_agent(name);
        let is_built_in = client.client.facts().built_in_agents.contains(&&**name);
        let is_checked = scope::is_checked(globs, own, name).unwrap_or(Some(true));
        is_checked.unwrap_or(!is_built_in)
    })
}

fn payload(client: &HookSettings, agent: &str, project: &Path) -> String {
    let mut payload: Value = serde_json::from_str(client.example).unwrap_or_default();
    let project = project.display().to_string();
    let places = [
        ("/cwd", &*project),
        ("/workspace_roots/0", &project),
        ("/agent_type", agent),
        ("/agentType", agent),
        ("/agentName", agent),
        ("/subagent_type", agent),
        ("/tool_input/agent_name", agent),
        ("/result", "The work is done."),
    ];
    for (pointer, text) in places {
        if let Some(value) = payload.pointer_mut(pointer) {
            *value = text.into();
        }
    }
    payload.to_string()
}

/// Runs a command and returns what it prints. Its state goes to a temporary folder.
fn output(words: &[String], project: &Path, payload: &str) -> anyhow::Result<String> {
    let state = tempfile::tempdir().context("cannot make a folder")?;
    let [program, arguments @ ..] = words else {
        bail!("it has no program");
    };
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(project)
        .env("XDG_RUNTIME_DIR", state.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {program}"))?;
    let output = reader(child.stdout.take());
    let errors = reader(child.stderr.take());
    if let Some(mut stdin) = child.stdin.take() {
        // The command need not read its input.
        let _ = stdin.write_all(payload.as_bytes());
    }
    let status = wait(&mut child)?;
    let text = |reader: JoinHandle<String>| reader.join().unwrap_or_default();
    let (output, errors) = (text(output), text(errors));
    let first = errors.lines().next().unwrap_or("nothing on standard error");
    if !status.success() {
        bail!("{status}: {first}");
    }
    if output.trim().is_empty() && !errors.trim().is_empty() {
        bail!("{first}");
    }
    Ok(output)
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(pipe) = pipe {
            let _ = pipe.take(OUTPUT_AT_MOST).read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    })
}

fn wait(child: &mut Child) -> anyhow::Result<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            bail!("it took longer than {} seconds", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
}
