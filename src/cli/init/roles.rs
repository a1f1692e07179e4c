//! The roles besides the status: files that the agent writes, the session.

use crate::form::Form;

use super::blocks::{BOLD, Blocks, Fence};
use super::lists::{List, NOT_WRITTEN, WRITTEN, first_word, words};
use super::name::{TemplateName, VARIABLE};
use super::paths::{is_path, title_path, written_path};
use super::proposal::{KeyValue, Proposal, quoted};
use super::region::ReturnRegion;
use super::template::Template;
use super::words::split_humps;

/// Adds the roles. Files are looked up under success alone, so without it they have no role.
pub(super) fn add(
    proposal: &mut Proposal,
    blocks: &Blocks<'_>,
    template: &Template,
    can_succeed: bool,
) {
    let mut artifacts = Vec::new();
    for name in template
        .names
        .iter()
        .filter(|it| it.left_out != Some(VARIABLE))
    {
        let title = words(&split_humps(&name.name));
        let is_pointer = template.form != Form::Text;
        if is_pointer && matches!(title.as_str(), "session id" | "session") {
            proposal.add("at.session", KeyValue::Text(name.place.clone()), name.line);
        }
        let is_written = is_written(&title) && lists_paths(&name.value);
        if is_written || are_files(&title, &name.value) || is_report(blocks, &title, &name.value) {
            artifacts.push(name);
        }
    }
    if can_succeed {
        add_artifacts(proposal, &artifacts, template.form);
    } else {
        for name in artifacts {
            let text = format!(
                "`{}` names files: add `at.artifacts` once a word of the status is \"success\"",
                name.name
            );
            proposal.note(name.line, text);
        }
    }
    add_cites(proposal, template);
}

/// Adds the places below which the template writes file and line.
fn add_cites(proposal: &mut Proposal, template: &Template) {
    let marks = List(
        "file:line|path:line|file_path:line|file path:line|[file]:[line]|{file}:{line}|filename:line",
    );
    let is_cited = |it: &&TemplateName| marks.marks(&it.value);
    let is_table = |it: &&TemplateName| {
        template.form == Form::Json && it.value.starts_with('[') && it.value.contains("\"line\"")
    };
    let names = || {
        template
            .names
            .iter()
            .filter(|it| it.left_out != Some(VARIABLE))
    };
    let member = |name: &TemplateName| {
        ["file", "path"]
            .into_iter()
            .find(|it| name.value.contains(&format!("\"{it}\"")))
    };
    if let Some((name, member)) = names()
        .find(is_table)
        .and_then(|it| Some((it, member(it)?)))
    {
        let place = quoted(&format!("{}/*", name.place));
        let table = format!("{{ each = {place}, path = \"{member}\", line = \"line\" }}");
        proposal.add("at.cites", KeyValue::Raw(table), name.line);
        return;
    }
    let cited: Vec<_> = names()
        .filter(is_cited)
        .map(|it| (it.place.clone(), it.line))
        .collect();
    if let (Form::Text, Some((_, line))) = (template.form, cited.first()) {
        let line = *line;
        proposal.add("at.cites", KeyValue::List(cited), line);
    }
}

fn add_artifacts(proposal: &mut Proposal, names: &[&TemplateName], form: Form) {
    let Some(first) = names.first() else { return };
    let member = ["path", "file"]
        .into_iter()
        .find(|it| first.value.contains(&format!("\"{it}\"")));
    let is_table = form == Form::Json && first.value.starts_with('[') && first.value.contains('{');
    match (names, member) {
        ([only], Some(member)) if is_table => {
            let place = quoted(&format!("{}/*", only.place));
            let table = format!("{{ each = {place}, path = \"{member}\" }}");
            proposal.add("at.artifacts", KeyValue::Raw(table), only.line);
        }
        _ if is_table => return,
        ([only], _) => proposal.add(
            "at.artifacts",
            KeyValue::Text(only.place.clone()),
            only.line,
        ),
        _ => {
            let places = names.iter().map(|it| (it.place.clone(), it.line)).collect();
            proposal.add("at.artifacts", KeyValue::List(places), first.line);
        }
    }
    let can_be_none =
        |it: &&TemplateName| it.left_out.is_some() || it.value.to_lowercase().contains("none");
    if names.iter().all(can_be_none) {
        proposal.add(
            "artifacts-on-success",
            KeyValue::Text("allowed".to_owned()),
            first.line,
        );
    }
}

fn is_written(title: &str) -> bool {
    let is_file = List("files|file|artifacts|paths").is_in(title);
    let is_short = title.split(' ').count() <= 5;
    is_short && !NOT_WRITTEN.is_in(title) && is_file && WRITTEN.is_in(title)
}

/// Whether artifacts, whatever else they may be, are files here.
fn are_files(title: &str, value: &str) -> bool {
    let value = words(value);
    title == "artifacts" && List("path|paths|file|files|md|none").is_in(&value)
}

/// Whether a value is not a count or a table of something else.
fn lists_paths(value: &str) -> bool {
    let value = words(value.lines().next().unwrap_or_default());
    let first = first_word(&value);
    let is_count =
        List("number|count|total").is_in(&value) || first.len() == 1 || List("nn|xx").is(&first);
    let is_number = !value.is_empty() && value.chars().all(|it| it.is_ascii_digit());
    !is_count && !is_number
}

/// Whether a name is the path of a report that the prompt says to write.
fn is_report(blocks: &Blocks<'_>, title: &str, value: &str) -> bool {
    let names = List(
        "report|report file|report path|output file|output path|plan file|file|artifact|artifact path",
    );
    let value = value.lines().next().unwrap_or_default();
    let is_path = value.to_lowercase().contains("path") || value.contains(".md");
    names.is(title) && is_path && blocks.lines.iter().any(|it| written_path(it).is_some())
}

/// The line and the path of the file that a region describes, if it does not describe a message.
pub(super) fn fixed_file<'b>(
    blocks: &Blocks<'b>,
    region: &ReturnRegion,
    template: usize,
) -> Option<(usize, &'b str)> {
    // The sentence before a bold line alone may name the file.
    let mut above = blocks.headings.iter().rev();
    let parent = above.find(|it| it.line <= region.line && it.level < BOLD);
    let start = parent
        .filter(|_| region.level == BOLD)
        .map_or(region.line, |it| it.line);
    let lines = start..template.min(blocks.lines.len());
    if region.weight > 4 {
        return None;
    }
    if let Some(heading) = blocks.headings_in(0..template).last()
        && let Some(path) = title_path(heading.title)
    {
        return Some((heading.line, path));
    }
    let before = blocks.before(template.saturating_sub(1)).trim();
    let name = before.strip_prefix("**").and_then(|it| it.split_once("**"));
    if let Some((name, _)) = name.filter(|it| is_path(it.0)) {
        return Some((template.saturating_sub(2), name));
    }
    let is_alone =
        |fence: &&Fence<'_>| fence.end == fence.start + 2 && lines.contains(&fence.start);
    for fence in blocks.fences.iter().filter(is_alone) {
        let text = blocks.lines[fence.start + 1].trim();
        if is_path(text) {
            return Some((fence.start + 1, text));
        }
    }
    let mut outside = lines.filter(|it| !blocks.is_in_fence(*it));
    outside.find_map(|line| {
        let text = blocks.lines[line].trim();
        let alone = text.strip_prefix('`').and_then(|it| it.strip_suffix('`'));
        let path = written_path(text).or(alone.filter(|it| is_path(it)))?;
        Some((line, path))
    })
}
