//! What each agent that is defined is checked against.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::clients::{Client, HookSettings};
use crate::config::AgentSettings;
use crate::instruct::Instruction;
use crate::profile::{Profile, RETURN, Shape};
use crate::text::escape;

use super::place::{Reach, SettingsPlace};
use crate::cli::hook::options::{HookOptions, HookSetup, is_checked};
use crate::cli::init;
use crate::cli::settings::Settings;

const AGENTS_AT_MOST: usize = 100;

const CHANGE: [&str; 3] = [
    "  to give one a profile, in retval.toml:",
    "    [hook.agents.NAME]",
    "    profile = \"PROFILE\"",
];

/// What the profile of all other agents looks at.
const OF_ANY: [&str; 2] = [
    "  any: asked again if the message is no answer (empty or cut, for example), or is JSON (whole, or its only",
    "    code fence) that claims missing files; prose is not checked",
];

/// The events that a client calls before an agent begins, in lower case.
const BEGINS: [&str; 3] = ["subagentstart", "beforetool", "tool.execute.before"];

/// A line for each agent of the client's own folders with its profile, each beginning with `indent`, and how
/// to change it; and why agents are not instructed where a profile lacks an example. Empty if there is neither.
pub(super) fn table(
    client: &HookSettings,
    setup: &HookSetup,
    (project, indent): (&Path, &str),
) -> anyhow::Result<String> {
    let Ok(loaded @ (options, settings)) = &setup.loaded else {
        return Ok(String::new());
    };
    let facts = client.client.facts();
    let mut events = client.events.iter();
    let instructs = events.any(|(event, _)| BEGINS.contains(&&*event.to_ascii_lowercase()));
    let profile = |name: Option<&str>| {
        let name = name.unwrap_or(&RETURN.id);
        settings.profile(Some(name)).ok().flatten()
    };
    // Several agents may have one profile, and those that no table names have that of the command.
    let of_all = profile(options.profile.as_deref()).and_then(|it| refusal(it, None));
    let mut refusals = BTreeSet::from_iter(of_all.filter(|_| instructs));
    let agents = defined(client, project);
    let longest = agents.keys().map(|name| name.chars().count()).max();
    let longest = longest.unwrap_or_default();
    let mut lines = Vec::new();
    let mut is_any = false;
    for (name, gets_context) in &agents {
        let own = settings.hook_agent(name);
        let shown = escape::truncated(name).shown();
        let is_built_in = facts.built_in_agents.contains(&&**name);
        if !is_checked(&options.agents, own, name)?.unwrap_or(!is_built_in) {
            lines.push(format!("  {shown:longest$}  not checked"));
            continue;
        }
        let (of_agent, _) = setup.of_agent(loaded, own)?;
        let known = profile(of_agent.profile.as_deref());
        is_any |= known.is_some_and(|it| it.shape == Shape::Message);
        let refused = known.and_then(|it| refusal(it, Some(name)));
        let is_told = known.is_none_or(|it| it.is_instructed) && refused.is_none();
        let is_told = instructs && *gets_context && is_told;
        let told = ["not instructed", "instructed"][usize::from(is_told)];
        refusals.extend(refused.filter(|_| instructs));
        let id = escape::truncated(of_agent.profile.as_deref().unwrap_or(&RETURN.id)).shown();
        let from = escape::truncated(&of_agent.profile_from);
        lines.push(format!("  {shown:longest$}  {told:14}  {id} by {from}"));
    }
    if lines.is_empty() {
        lines.extend(refusals);
    } else {
        lines.insert(0, "agents".to_owned());
        lines.extend(refusals.iter().map(|it| format!("  {it}")));
        lines.extend(strangers(loaded, project));
        let of_any = OF_ANY.into_iter().filter(|_| is_any);
        lines.extend(of_any.map(str::to_owned));
        let client = client.client.as_str();
        lines.push(format!(
            "  to give all a profile: retval hook install {client} --profile PROFILE"
        ));
        lines.extend(CHANGE.map(str::to_owned));
        lines.extend(facts.context_mark.map(|mark| {
            format!(
                "  {client} gives the instruction only to an agent that has {mark} in its prompt"
            )
        }));
    }
    let lines = lines.iter().flat_map(|line| [indent, line, "\n"]);
    Ok(lines.collect())
}

/// The globs that match no agent of any client, often because of a slip.
fn strangers((options, settings): &(HookOptions, Settings), project: &Path) -> Vec<String> {
    let mut known = BTreeSet::new();
    for client in Client::with_hooks() {
        let agents = defined(client, project);
        if agents.len() == AGENTS_AT_MOST {
            return Vec::new();
        }
        known.extend(agents.into_keys());
        let built_in = client.client.facts().built_in_agents.iter();
        known.extend(built_in.map(|&name| name.to_owned()));
    }
    let tables = settings.config.hook_agents.iter().map(AgentSettings::glob);
    let mut lines = Vec::new();
    for glob in options.agents.iter().map(String::as_str).chain(tables) {
        let glob = [glob.trim_start_matches('!').to_owned()];
        let mut matches = known.iter().map(|name| is_checked(&glob, None, name));
        if !matches.any(|it| matches!(it, Ok(Some(true)))) {
            let shown = escape::truncated(&glob[0]);
            lines.push(format!("  {shown} matches no agent that the project or the user defines"));
        }
    }
    lines
}

/// Why agents of a profile are not instructed, although retval tells them how to return.
fn refusal(profile: &Profile, agent: Option<&str>) -> Option<String> {
    let instruction = Instruction { agent, ..Instruction::new(profile) };
    let refused = instruction.example().err();
    let refused = refused.filter(|_| profile.is_instructed);
    refused.map(|it| it.to_string())
}

/// The agents that the project and the user define, by name, and whether the context of a hook reaches each.
fn defined(client: &HookSettings, project: &Path) -> BTreeMap<String, bool> {
    // Every text has an empty one.
    let mark = client.client.facts().context_mark.unwrap_or_default();
    let own = SettingsPlace::of(client, Reach::User);
    let own = own.into_iter().map(|it| it.base);
    let folders = own.chain([project.join(client.project_folder)]);
    // opencode has them in either folder.
    let folders = folders.flat_map(|folder| ["agents", "agent"].map(|name| folder.join(name)));
    let agents = folders.flat_map(|folder| init::agents(&folder, mark));
    agents.take(AGENTS_AT_MOST).collect()
}
