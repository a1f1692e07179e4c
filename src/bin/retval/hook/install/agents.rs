//! What each agent that is defined is held to.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use retval::internal::clients::HookSettings;
use retval::internal::escape;
use retval::profile::{ANY, RETURN};

use super::{command_line, places};
use crate::hook::scope;
use crate::init;

/// The most agents that are listed.
const AGENTS_AT_MOST: usize = 100;

/// A line for each agent of the client's own folders with its profile, each beginning with `indent`, and how
/// to change it. Empty if there are none.
pub(super) fn table(
    client: &HookSettings,
    command: &str,
    (project, indent): (&Path, &str),
) -> anyhow::Result<String> {
    let words = command_line::words(command_line::without_end(command));
    let (options, settings) = command_line::options(&words, project)?;
    let names = names(client, project);
    let longest = names.iter().map(|name| name.chars().count()).max();
    let Some(longest) = longest else {
        return Ok(String::new());
    };
    let instructs = client.events(true).any(|(event, _)| begins_agent(event));
    let mut text = format!("{indent}agents\n");
    for name in &names {
        let own = settings.hook_agent(name);
        let is_built_in = client.client.facts().built_in_agents.contains(&&**name);
        let is_held = scope::is_checked(&options.agents, own, name)?.unwrap_or(!is_built_in);
        let own = own.and_then(|own| own.settings.values.profile.as_deref());
        let profile = own.or(options.profile.as_deref()).unwrap_or(&RETURN.id);
        let profile = if is_held { profile } else { "not held" };
        let told = if is_held && instructs && profile != ANY.id {
            "instructed"
        } else {
            "not instructed"
        };
        let (name, profile) = (escape::truncated(name).shown(), escape::truncated(profile));
        let profile = profile.shown();
        let _ = writeln!(text, "{indent}  {name:longest$}  {profile:12}  {told}");
    }
    let _ = writeln!(
        text,
        "{indent}  change one with [hook.agents.\"NAME\"] profile = \"PROFILE\" in retval.toml, all others with --profile"
    );
    Ok(text)
}

/// Whether the client calls this event before an agent begins.
fn begins_agent(event: &str) -> bool {
    ["subagentstart", "beforetool", "tool.execute.before"].contains(&&*event.to_ascii_lowercase())
}

/// The names of the agents that the project and the user define, sorted.
fn names(client: &HookSettings, project: &Path) -> BTreeSet<String> {
    let own = places::user_folder(client);
    let folders = own.into_iter().chain([project.join(client.project_folder)]);
    // opencode has them in either folder.
    let folders = folders.flat_map(|folder| ["agents", "agent"].map(|name| folder.join(name)));
    let names = folders.flat_map(|folder| init::agent_names(&folder));
    names.take(AGENTS_AT_MOST).collect()
}
