//! `retval hook status`: where the hook is installed, and whether it answers.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::clients::{Client, HookSettings};
use crate::text::escape;
use anyhow::Context as _;

use super::own_entries::{self, OwnEntry, own};
use super::places::{Reach, SettingsPlace, project};
use super::probe::{Tried, attempt};
use super::trust::Trust;
use super::version::{self, ClientVersion};
use super::{
    agents, command_line, plugins, program, settings_file, settings_text, trust, whole_file,
};
use crate::cli::exit::Exit;
use crate::cli::output::print_stdout;

pub(in crate::cli::hook) fn run(client: Option<&'static HookSettings>) -> anyhow::Result<Exit> {
    let clients: Vec<_> =
        client.map_or_else(|| Client::with_hooks().collect(), |client| vec![client]);
    let mut text = String::new();
    let mut worst = Exit::Valid;
    for client in clients {
        worst = worst.max(describe(&mut text, client)?);
    }
    print_stdout(text.as_bytes())?;
    Ok(worst)
}

fn describe(text: &mut String, client: &HookSettings) -> anyhow::Result<Exit> {
    let found = program::find_client(client);
    let found = found.map_or("not on PATH".to_owned(), |path| escape::path(&path));
    let version = version::found(client);
    let number = version.map_or(String::new(), |version| format!(" ({version})"));
    let _ = writeln!(
        text,
        "{}\n  client   {found}{number}",
        client.client.as_str()
    );
    let (mut worst, mut is_in_settings) = (Exit::Valid, false);
    let local = client.local_file.is_some();
    for reach in Reach::ALL
        .into_iter()
        .filter(|it| local || *it != Reach::Local)
    {
        let place = SettingsPlace::of(client, reach)?;
        let name = reach.option().trim_start_matches('-');
        let path = escape::path(&place.path);
        let own = settings_file::read(&place.path)
            .and_then(|text| own(client, text.as_deref().unwrap_or_default()));
        let exit = match own.context(path.clone()) {
            Ok(own) if own.is_empty() && reach == Reach::Local => Exit::Valid,
            Ok(own) if own.is_empty() => {
                let _ = writeln!(text, "  {name:8} not installed in {path}");
                Exit::Valid
            }
            Ok(own) => {
                let _ = writeln!(text, "  {name:8} installed in {path}");
                is_in_settings = true;
                let known = version.map(ClientVersion::has_newer_events);
                details(text, client, &place, (&own, known))?
            }
            Err(error) => {
                // The other lines are about an edit.
                let why = format!("{error:#}");
                let why = why.lines().next().unwrap_or_default();
                let _ = writeln!(text, "  {name:8} unreadable: {why}");
                Exit::Unchecked
            }
        };
        worst = worst.max(exit);
    }
    let plugin = plugins::own(client, &project()?);
    let off = switched_off(client).filter(|_| is_in_settings || plugin.is_some());
    if let Some(path) = off {
        let path = escape::path(&path);
        let _ = writeln!(text, "  off      disableAllHooks in {path}: no hook runs");
        worst = worst.max(Exit::Invalid);
    }
    if let Some(plugin) = plugin {
        let _ = writeln!(text, "  plugin   {} is on", plugin.shown());
        let command = plugins::own_command(client, &plugin).unwrap_or_default();
        let _ = writeln!(text, "    command  {}", command_line::shown(&command));
        *text += &agents::table(client, &command, (&project()?, "    ")).unwrap_or_default();
        if is_in_settings {
            *text +=
                "    the hook of the settings runs, too: uninstall it, or disable the plugin\n";
            worst = Exit::Invalid;
        }
    }
    Ok(worst)
}

/// The settings that switch all hooks of Claude Code off. The nearest that say so or not decide.
fn switched_off(client: &HookSettings) -> Option<PathBuf> {
    let nearest = [Reach::Local, Reach::Project, Reach::User];
    let is_claude_code = client.client == Client::ClaudeCode;
    let reaches = nearest.into_iter().filter(|_| is_claude_code);
    let mut stated = reaches.filter_map(|reach| {
        let path = SettingsPlace::of(client, reach).ok()?.path;
        let is_off = settings_text::read(&path)?
            .get("disableAllHooks")?
            .as_bool()?;
        Some((is_off, path))
    });
    stated.next().filter(|(is_off, _)| *is_off).map(|it| it.1)
}

/// The events whose entries lack tools that this version of retval adds, each with the missing tools.
fn left_out(client: &HookSettings, own: &[OwnEntry]) -> Vec<(&'static str, String)> {
    let wanted = client.events(true);
    let wanted = wanted.filter_map(|(event, tools)| Some((event, tools?)));
    let left_out = wanted.filter_map(|(event, tools)| {
        let entries = own.iter().filter(|entry| entry.event == event);
        let matchers: Option<Vec<_>> = entries.map(OwnEntry::tools).collect();
        let named = matchers.filter(|it| !it.is_empty())?.concat();
        let missing: Vec<_> = tools.split('|').filter(|it| !named.contains(it)).collect();
        (!missing.is_empty()).then(|| (event, missing.join(", ")))
    });
    left_out.collect()
}

fn details(
    text: &mut String,
    client: &HookSettings,
    place: &SettingsPlace,
    (own, has_newer_events): (&[OwnEntry], Option<bool>),
) -> anyhow::Result<Exit> {
    let has = |event: &str| own.iter().any(|entry| entry.event == event);
    let wanted = client
        .events(has_newer_events == Some(true))
        .map(|(event, _)| event);
    let missing: Vec<_> = wanted.filter(|event| !has(event)).collect();
    let there = own_entries::events(own);
    let _ = writeln!(text, "    events   {}", there.join(", "));
    let mut exit = Exit::Valid;
    let newer = client.newer_events.iter().map(|(event, _)| *event);
    for event in newer.filter(|event| has_newer_events == Some(false) && has(event)) {
        let _ = writeln!(
            text,
            "    unknown  {event}: this version ignores all hooks because of it, install again"
        );
        exit = Exit::Invalid;
    }
    if !missing.is_empty() {
        let _ = writeln!(text, "    missing  {}: install again", missing.join(", "));
        exit = Exit::Invalid;
    }
    for (event, tools) in left_out(client, own) {
        let _ = writeln!(
            text,
            "    older    {event} leaves out {tools}: an older version wrote these settings, install again"
        );
        exit = Exit::Invalid;
    }
    let file = settings_file::read(&place.path)?.unwrap_or_default();
    if whole_file::is_other_version(client, &file) {
        *text += "    older    another version wrote this file, install again\n";
        exit = Exit::Invalid;
    }
    let trusted = match trust::of(client, place) {
        Trust::Given => "yes",
        Trust::Missing(advice) => &format!("not yet: {advice}"),
        Trust::NotNeeded => "not needed",
    };
    let _ = writeln!(text, "    trusted  {trusted}");
    let mut commands: Vec<_> = own.iter().map(|entry| &entry.command).collect();
    commands.dedup();
    if commands.len() > 1 || own.len() > there.len() {
        let _ = writeln!(text, "    more than one command runs: install again");
        exit = Exit::Invalid;
    }
    for command in commands {
        if command_line::may_deny(client, command) {
            let client = client.client.as_str();
            let _ = writeln!(
                text,
                "    older    {client} starts no agent where it does not find this command: install again"
            );
            exit = Exit::Invalid;
        }
        let answer = match attempt(client, command, &project()?) {
            Tried::Answered => "yes",
            Tried::Skipped(why) => why,
            Tried::Failed(why) => {
                exit = Exit::Invalid;
                &format!("no: {why}")
            }
        };
        let _ = writeln!(text, "    command  {}", command_line::shown(command));
        let _ = writeln!(text, "    answers  {answer}");
        // What is wrong with a command is said above.
        *text += &agents::table(client, command, (&project()?, "    ")).unwrap_or_default();
    }
    Ok(exit)
}
