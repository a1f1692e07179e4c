//! Clients: the programs that run agents. Each has a folder with the payloads that it sends to hooks, the
//! answers that it takes, the output around its answers, and how it records runs.

mod claude;
mod codex;
mod copilot;
mod cursor;
pub(crate) mod failure;
mod gemini;
mod hook;
mod opencode;
pub(crate) mod output;
mod qwen;
mod raw;
pub(crate) mod run;
pub(crate) mod transcript;

pub(crate) use failure::FailureKind;
pub(crate) use hook::{Answer, Ended, Event, HookSettings, Moment, NotifiedAgent, WantedHook};
pub(crate) use output::starts_stream;

use crate::text::names;
use hook::HookFormat;
use output::OutputFacts;
use run::{Call, CallKind, JsonNode, ReadFiles, is_redacted, joined};

names! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub(crate) enum Client: "client" {
        ClaudeCode = "claude-code",
        Codex = "codex",
        Copilot = "copilot",
        Gemini = "gemini",
        Cursor = "cursor",
        OpenCode = "opencode",
        Qwen = "qwen",
    }
}

impl Client {
    pub(crate) fn facts(self) -> &'static ClientFacts {
        match self {
            Self::ClaudeCode => &claude::FACTS,
            Self::Codex => &codex::FACTS,
            Self::Copilot => &copilot::FACTS,
            Self::Gemini => &gemini::FACTS,
            Self::Cursor => &cursor::FACTS,
            Self::OpenCode => &opencode::FACTS,
            Self::Qwen => &qwen::FACTS,
        }
    }

    pub(crate) fn with_hooks() -> impl Iterator<Item = &'static HookSettings> {
        let clients = Self::ALL.into_iter();
        clients.filter_map(|client| client.facts().settings.as_ref())
    }
}

/// What is known of a client. Each client's folder has its facts.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct ClientFacts {
    pub programs: &'static [&'static str],
    /// The agents that are built into it. Codex and Copilot CLI have hardly any others, so theirs do not count.
    pub built_in_agents: &'static [&'static str],
    /// How often it lets a hook ask an agent again, if it has a limit.
    pub asked_again_at_most: Option<u64>,
    /// Whether it calls the hook when an agent stops, and again when the caller gets the result.
    pub result_follows_stop: bool,
    /// Whether it calls the hook after a caller has waited for its agents, and before the main agent ends.
    pub calls_for_caller: bool,
    /// Whether a hook instructs an agent by another prompt, and not by additional context.
    pub is_instructed_by_prompt: bool,
    /// What the definition of an agent must contain for additional context to reach it, if anything.
    pub context_mark: Option<&'static str>,
    /// Whether a hook can give the caller another return.
    pub takes_replacement: bool,
    /// Whether a hook can add something to the error that the caller of an agent that failed gets.
    pub tells_of_failure: bool,
    /// Tools of its own by which agents hand in a return, with the JSON pointer to it in the arguments.
    pub return_tools: &'static [(&'static str, &'static str)],
    /// Whether the payload of a call does not tell who makes it. Results are then checked once more, for the caller.
    pub hides_callers: bool,
    /// What its tools can do: lines of a kind, a colon and names. One that only reads writes no file of a
    /// project, and cannot start a program that does. It reads the `file` that it names, may `search` or show the
    /// folder that it names, or else the working directory, shows `any` file or what others say of it, or none.
    tools: &'static str,
    /// The client that it is made from, whose tools it has, too.
    made_from: Option<&'static ClientFacts>,
    /// By which names the arguments of its tools have the path of a file to write.
    path_arguments: &'static [&'static str],
    /// By which names they have the working directory.
    folder_arguments: &'static [&'static str],
    /// By which names they say that a command runs in the background.
    background_arguments: &'static [&'static str],
    /// The folders of its transcripts, in the folder of a user's settings.
    pub histories: &'static [&'static str],
    pub settings: Option<HookSettings>,
    hook: Option<HookFormat>,
    output: Option<OutputFacts>,
}

impl ClientFacts {
    const BASE: Self = Self {
        programs: &[],
        built_in_agents: &[],
        asked_again_at_most: None,
        result_follows_stop: false,
        calls_for_caller: false,
        is_instructed_by_prompt: false,
        context_mark: None,
        takes_replacement: false,
        tells_of_failure: false,
        return_tools: &[],
        hides_callers: false,
        tools: "",
        made_from: None,
        path_arguments: &[],
        folder_arguments: &[],
        background_arguments: &[],
        histories: &[],
        settings: None,
        hook: None,
        output: None,
    };

    fn kind_of(&self, tool: &str) -> CallKind {
        match self.line_of(tool) {
            Some("write") => CallKind::Write,
            Some("command") => CallKind::Command,
            Some("delegate") => CallKind::Delegate,
            Some("answer") => CallKind::Answer,
            Some(_) => CallKind::ReadOnly,
            None => CallKind::Other,
        }
    }

    /// The kind of the line of its tools that names this one.
    fn line_of(&self, tool: &str) -> Option<&'static str> {
        let mut lines = self.tools.lines().filter_map(|line| line.split_once(": "));
        let known = lines.find(|(_, names)| names.split(' ').any(|name| name == tool));
        let other = || self.made_from?.line_of(tool);
        known.map(|(kind, _)| kind).or_else(other)
    }

    /// The files that a call of a tool that only reads may show.
    fn reads(&self, tool: &str, arguments: &JsonNode) -> ReadFiles {
        let path = arguments.first_of(READ_ARGUMENTS);
        let pattern = arguments.get("pattern").filter(|_| tool.eq_ignore_ascii_case("glob"));
        let is_odd = |path: &str| {
            let is_up = path.split('/').any(|part| part == "..");
            is_up || path.contains(['\\', '$']) || path.starts_with('~') || is_redacted(path)
        };
        match (self.line_of(tool), path) {
            (Some("file"), None) | (Some("any"), _) => ReadFiles::Any,
            (Some("file" | "search"), Some(path)) if is_odd(path) => ReadFiles::Any,
            (Some("file"), Some(path)) => ReadFiles::File(path.into()),
            // Some versions take several.
            (Some("search"), None) if !arguments.at("paths").is_nothing() => ReadFiles::Any,
            // Some agents give the folder in the pattern once more.
            (Some("search"), path) => match pattern.filter(|_| path.is_none()).map(folder_of) {
                Some(folder) if is_odd(folder) => ReadFiles::Any,
                folder => {
                    let folder = joined(path, folder).unwrap_or_default();
                    ReadFiles::Below(folder)
                }
            },
            _ => ReadFiles::None,
        }
    }

    /// A call of a tool of this kind on a line, by its arguments, and a patch. They may name a working directory,
    /// which may be relative to `cwd`.
    fn call(
        &self,
        (kind, name): (CallKind, &str),
        arguments: &JsonNode,
        patch: Option<&str>,
        (cwd, line): (Option<&str>, u64),
    ) -> Call {
        let mut paths = Vec::new();
        if kind == CallKind::Write {
            paths = match arguments.first_of(self.path_arguments) {
                Some(file) => vec![file],
                None => patch.map(paths_of_patch).unwrap_or_default(),
            };
        }
        let command = command_of(arguments.at("command")).or_else(|| arguments.get("cmd"));
        let command = command.filter(|_| kind == CallKind::Command);
        Call {
            name: name.into(),
            kind,
            paths: paths.into_iter().map(str::to_owned).collect(),
            reads: match kind {
                CallKind::ReadOnly => self.reads(name, arguments),
                _ => ReadFiles::None,
            },
            command: command.map(str::to_owned),
            background: (self.background_arguments.iter()).any(|name| arguments.is(name)),
            cwd: joined(cwd, arguments.first_of(self.folder_arguments)),
            line,
            ..Call::default()
        }
    }
}

/// By which names the arguments of tools have the file or folder to read.
const READ_ARGUMENTS: &[&str] =
    &["file_path", "filePath", "absolute_path", "notebook_path", "path", "dir_path"];

/// The folder that a glob begins with.
fn folder_of(glob: &str) -> &str {
    let end = glob.find(['*', '?', '[', '{']);
    end.map_or(glob, |end| glob[..end].rsplit_once('/').map_or("", |(folder, _)| folder))
}

/// The command line: a string, or a list of arguments with a script for a shell.
fn command_of<'r>(command: &'r JsonNode) -> Option<&'r str> {
    const SHELLS: [&str; 5] = ["sh", "bash", "zsh", "dash", "ksh"];
    match command.list() {
        [program, option, script] if matches!(option.text(), Some("-c" | "-lc")) => {
            let name = program.text()?.rsplit('/').next()?;
            script.text().filter(|_| SHELLS.contains(&name))
        }
        _ => command.text(),
    }
}

/// The paths of the files that a patch in the format of `apply_patch` changes.
fn paths_of_patch(patch: &str) -> Vec<&str> {
    const MARKS: [&str; 4] =
        ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let named = |line: &'_ str| MARKS.iter().any(|mark| line.starts_with(mark));
    let lines = patch.lines().filter(|line| named(line));
    lines.filter_map(|line| Some(line.split_once(": ")?.1.trim())).collect()
}
