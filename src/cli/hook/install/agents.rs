//! What each agent that is defined is checked against.

use std::collections::BTreeSet;
use std::path::Path;

use crate::clients::HookSettings;
use crate::instruct::Instruction;
use crate::profile::{Profile, RETURN, Shape};
use crate::text::escape;

use super::place::{Reach, SettingsPlace};
use crate::cli::hook::options::{HookSetup, is_checked};
use crate::cli::init;

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
    let longest = agents.iter().map(|name| name.chars().count()).max();
    let longest = longest.unwrap_or_default();
    let mut lines = Vec::new();
    let mut is_any = false;
    for name in &agents {
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
        let is_told = instructs && is_told;
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

/// Why agents of a profile are not instructed, although retval tells them how to return.
fn refusal(profile: &Profile, agent: Option<&str>) -> Option<String> {
    let instruction = Instruction { agent, ..Instruction::new(profile) };
    let refused = instruction.example().err();
    let refused = refused.filter(|_| profile.is_instructed);
    refused.map(|it| it.to_string())
}

/// The names of the agents that the project and the user define.
fn defined(client: &HookSettings, project: &Path) -> BTreeSet<String> {
    let own = SettingsPlace::of(client, Reach::User);
    let own = own.into_iter().map(|it| it.base);
    let folders = own.chain([project.join(client.project_folder)]);
    // opencode has them in either folder.
    let folders = folders.flat_map(|folder| ["agents", "agent"].map(|name| folder.join(name)));
    let agents = folders.flat_map(|folder| init::agents(&folder, ""));
    agents.map(|(name, _)| name).take(AGENTS_AT_MOST).collect()
}
