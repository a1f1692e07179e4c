//! What each agent that is defined is checked against.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::clients::HookSettings;
use crate::instruct::Instruction;
use crate::profile::{Profile, RETURN};
use crate::text::escape;

use super::place::{Reach, SettingsPlace};
use crate::cli::hook::options::{FailurePolicy, HookSetup, is_checked};
use crate::cli::init;

/// The most agents that are listed.
const AGENTS_AT_MOST: usize = 100;

/// A line for each agent of the client's own folders with its profile, each beginning with `indent`, and how
/// to change it; and why agents are not instructed where a profile lacks an example. Empty if there is neither.
pub(super) fn table(
    client: &HookSettings,
    setup: &HookSetup,
    (project, indent): (&Path, &str),
) -> anyhow::Result<String> {
    let Ok(loaded) = &setup.loaded else {
        return Ok(String::new());
    };
    let (options, settings) = loaded;
    let instructs = client.events.iter().any(|(event, _)| begins_agent(event));
    let profile = |name: Option<&str>| {
        let name = name.unwrap_or(&RETURN.id);
        settings.profile(Some(name)).ok().flatten()
    };
    // Several agents may have one profile, and those that no table names have that of the command.
    let of_all = profile(options.profile.as_deref()).and_then(|it| refusal(it, None));
    let mut refusals = BTreeSet::from_iter(of_all.filter(|_| instructs));
    let agents = defined(client, project);
    let longest = agents.keys().map(|name| name.chars().count()).max();
    let Some(longest) = longest else {
        let lines = refusals.iter().map(|it| format!("{indent}{it}\n"));
        return Ok(lines.collect());
    };
    let mut text = format!("{indent}agents\n");
    for (name, gets_context) in &agents {
        let own = settings.hook_agent(name);
        let (of_agent, _) = setup.of_agent(loaded, own)?;
        let is_built_in = client.client.facts().built_in_agents.contains(&&**name);
        let is_checked = is_checked(&options.agents, own, name)?.unwrap_or(!is_built_in);
        let known = profile(of_agent.profile.as_deref());
        let profile = of_agent.profile.as_deref().unwrap_or(&RETURN.id);
        let refused = known.and_then(|it| refusal(it, Some(name)));
        let is_told = known.is_none_or(|it| it.is_instructed);
        let is_instructed = *gets_context && refused.is_none() && is_told;
        refusals.extend(refused.filter(|_| is_checked && instructs));
        let (profile, told, after) = if is_checked {
            let told = if instructs && is_instructed {
                "instructed"
            } else {
                "not instructed"
            };
            let from = escape::truncated(&of_agent.profile_from);
            let after = after(client, of_agent.on_failure);
            (profile, told, format!("{after}  ({from})"))
        } else {
            ("not checked", "not instructed", String::new())
        };
        let (name, profile) = (escape::truncated(name).shown(), escape::truncated(profile));
        let profile = profile.shown();
        let line = format!("{indent}  {name:longest$}  {profile:12}  {told:14}  {after}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for refusal in refusals {
        let _ = writeln!(text, "{indent}  {refusal}");
    }
    let _ = writeln!(
        text,
        "{indent}  change one with [hook.agents.\"NAME\"] profile = \"PROFILE\" in retval.toml, all others with --profile"
    );
    if let Some(mark) = client.client.facts().context_mark {
        let _ = writeln!(
            text,
            "{indent}  {} gives the instruction only to an agent that has {mark} in its prompt",
            client.client.as_str()
        );
    }
    Ok(text)
}

/// Why agents of a profile are not instructed, although retval tells them how to return.
fn refusal(profile: &Profile, agent: Option<&str>) -> Option<String> {
    let instruction = Instruction {
        agent,
        ..Instruction::new(profile)
    };
    let refused = instruction.example().err();
    refused
        .filter(|_| profile.is_instructed)
        .map(|it| it.to_string())
}

fn after(client: &HookSettings, policy: FailurePolicy) -> String {
    let can_ask = client.events.iter().any(|(event, _)| ends_agent(event));
    match policy.most(client.client) {
        _ if policy.is_observing => "only observed".to_owned(),
        0 => "caller told".to_owned(),
        _ if !can_ask => "caller told".to_owned(),
        1 => "asked again once".to_owned(),
        times => format!("asked again {times} times"),
    }
}

/// Whether the client calls this event when an agent can be asked again.
fn ends_agent(event: &str) -> bool {
    ["subagentstop", "tool.execute.after"].contains(&&*event.to_ascii_lowercase())
}

/// Whether the client calls this event before an agent begins.
fn begins_agent(event: &str) -> bool {
    ["subagentstart", "beforetool", "tool.execute.before"].contains(&&*event.to_ascii_lowercase())
}

/// The agents that the project and the user define, by name, and whether the context of a hook reaches each.
fn defined(client: &HookSettings, project: &Path) -> BTreeMap<String, bool> {
    // Every text has an empty one.
    let mark = client.client.facts().context_mark.unwrap_or_default();
    let own = SettingsPlace::of(client, Reach::User)
        .ok()
        .map(|it| it.base);
    let folders = own.into_iter().chain([project.join(client.project_folder)]);
    // opencode has them in either folder.
    let folders = folders.flat_map(|folder| ["agents", "agent"].map(|name| folder.join(name)));
    let agents = folders.flat_map(|folder| init::agents(&folder, mark));
    agents.take(AGENTS_AT_MOST).collect()
}
