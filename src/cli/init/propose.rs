//! Makes a proposal of what a definition says.

use std::collections::BTreeMap;

use crate::form::Form;

use super::blocks::Blocks;
use super::definition::Definition;
use super::find::{FoundTemplate, find};
use super::limits::limits;
use super::lists::{List, first_word, words};
use super::name::TemplateName;
use super::part;
use super::paths::is_path;
use super::proposal::{KeyValue, Proposal, quoted, toml_key};
use super::region::{ReturnRegion, regions};
use super::roles::{self, fixed_file};
use super::shape::{NAMELESS, is_sure, of_shape};
use super::status;
use super::status_role::StatusRole;
use super::template::Template;
use super::told;
use super::words::code_spans;

/// Reads a definition. `Err` says why it has no proposal, with the line if one says it.
pub(super) fn propose(definition: &Definition) -> Result<Proposal, (Option<usize>, String)> {
    let blocks = Blocks::read(&definition.body);
    let Some(mut found) = find(&blocks) else {
        return of_stated_line(&blocks)
            .or_else(|| part::of_marks(&blocks))
            .or_else(|| of_shape(&blocks))
            .ok_or_else(|| nothing(&blocks));
    };
    // A title of the return with phrases below it is surer than the template of a step.
    if found.region.weight < 3
        && let Some(of_message) = of_shape(&blocks)
    {
        return Ok(of_message);
    }
    leave_out(&blocks, &mut found);
    let mut proposal = Proposal::default();
    let template = &found.template;
    if let Some((line, path)) = fixed_file(&blocks, &found.region, template.line) {
        // What is said of the message is more than what is said of a file.
        if let Some(of_message) = of_shape(&blocks) {
            return Ok(of_message);
        }
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        if path.contains(['<', '{', '[', '$', '*', ' '])
            || path.contains("YYYY")
            || path.contains("NN")
        {
            return Err((
                Some(line),
                "describes a file whose name is not fixed".to_owned(),
            ));
        }
        proposal.add("files", KeyValue::List(vec![(name, line)]), line);
        proposal.note(
            line,
            "the profile is of this file, not of the final message",
        );
        proposal.is_of_file = true;
    }
    let first = template.names.first().map_or(template.line, |it| it.line);
    let start = template
        .fence
        .as_ref()
        .map_or(first, |_| template.line.saturating_sub(1));
    let before = blocks.before(start);
    let asked = words(before);
    // "When all is done, write the file:" says so, too.
    let verbs = List("write|save|create|add|append|insert|fill");
    let is_write = before.split(", ").any(|it| verbs.is(&first_word(it)));
    if is_write && List("file|files|into").is_in(&asked) && !proposal.is_of_file {
        let line = Some(start);
        return Err((line, "describes a file whose name is not fixed".to_owned()));
    }
    proposal.add(
        "form",
        KeyValue::Text(template.form.as_str().to_owned()),
        template.line,
    );
    part::add(&mut proposal, &blocks, template);
    let mut status = status::of(&blocks, &found, &mut proposal.notes);
    if let Some(status) = &mut status
        && let KeyValue::Text(place) = &status.place
        && !found
            .conditional
            .iter()
            .all(|it| it.names.iter().any(|it| it.place == *place))
    {
        let place = format!("{{ at = {}, optional = true }}", quoted(place));
        status.place = KeyValue::Raw(place);
    }
    if let Some(status) = &status {
        status.add_to(&mut proposal);
    }
    let can_succeed = status.as_ref().is_none_or(StatusRole::can_succeed);
    roles::add(&mut proposal, &blocks, template, can_succeed);
    add_names(&mut proposal, &found, status.as_ref());
    limits(&mut proposal, &blocks, &found);
    for line in &found.unread {
        proposal.note(*line, "another fence, which was not read");
    }
    let names_something = proposal
        .keys
        .iter()
        .any(|it| it.key != "form" && it.key != "files");
    if names_something {
        return Ok(proposal);
    }
    if is_sure(&found.region) {
        proposal.note(found.region.line, NAMELESS);
        return Ok(proposal);
    }
    of_shape(&blocks).ok_or_else(|| (Some(found.region.line), NAMELESS.to_owned()))
}

/// Why a prompt has no proposal, with the line that names another file if there is one.
fn nothing(blocks: &Blocks<'_>) -> (Option<usize>, String) {
    let refers = |line: &usize| {
        let text = blocks.lines[*line];
        let is_reference = List("see|follow|defined|described|specified|according|per|use|format")
            .is_in(&words(text));
        is_reference && code_spans(text).any(is_path) && !blocks.is_in_fence(*line)
    };
    let mut lines = regions(blocks).into_iter().flat_map(|it| it.line..it.end);
    match lines.find(refers) {
        Some(line) => (Some(line), "says in another file what to return".to_owned()),
        None => (None, "does not say what to return".to_owned()),
    }
}

/// A profile for a definition that asks for nothing but a line.
fn of_stated_line(blocks: &Blocks<'_>) -> Option<Proposal> {
    let role = told::of_stated(blocks)
        .or_else(|| told::of_either(blocks))
        .or_else(|| told::of_named(blocks))
        .or_else(|| told::of_titled(blocks))?;
    let mut proposal = Proposal::default();
    proposal.add(
        "form",
        KeyValue::Text(Form::Text.as_str().to_owned()),
        role.line,
    );
    role.add_to(&mut proposal);
    Some(proposal)
}

/// Adds what every return must have, and what those with one outcome must have.
fn add_names(proposal: &mut Proposal, found: &FoundTemplate, status: Option<&StatusRole>) {
    let templates: Vec<_> = found.templates().collect();
    let place_of_status = match status.map(|it| &it.place) {
        Some(KeyValue::Text(place)) => place.as_str(),
        _ => "",
    };
    // The line that has the status is there with it.
    let is_of_first = status.is_some_and(|it| match &it.place {
        KeyValue::Raw(place) => place.contains("\"/first\""),
        _ => false,
    });
    let is_in = |template: &Template, name: &TemplateName| {
        template.names.iter().any(|it| it.place == name.place)
    };
    // Words without a template may have other names.
    let has_all = status.is_none_or(|it| {
        let known = it.of_variants.iter().flatten().count();
        known == 0
            || it
                .words
                .iter()
                .all(|(word, _)| it.of_variants.iter().flatten().any(|own| own == word))
    });
    let mut required: Vec<(String, usize)> = Vec::new();
    let mut required_if: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for (index, template) in templates.iter().enumerate() {
        for name in &template.names {
            let all = templates.iter().copied().chain(&found.conditional);
            let is_common = all.into_iter().all(|it| is_in(it, name));
            let word = status
                .and_then(|it| it.of_variants.get(index))
                .and_then(Option::as_ref);
            // Names are compared without regard to case.
            let is_same = |it: &str| it.eq_ignore_ascii_case(&name.place);
            let is_known = required.iter().any(|it| is_same(&it.0));
            let is_word = word.is_some_and(|it| *it == name.name);
            let is_status_line =
                is_of_first && template.fence.is_some() && name.line == template.line;
            if is_same(place_of_status) || is_known || is_word || is_status_line {
                continue;
            }
            let entry = (name.place.clone(), name.line);
            match (name.left_out, word) {
                (Some(why), _) => proposal.note(name.line, format!("`{}` {why}", name.name)),
                (None, _) if is_common && has_all => required.push(entry),
                (None, Some(word)) => {
                    let names = required_if.entry(word.clone()).or_default();
                    if names.iter().all(|it| it.0 != entry.0) {
                        names.push(entry);
                    }
                }
                (None, None) => proposal.note(
                    name.line,
                    format!("`{}` is only in some of the templates", name.name),
                ),
            }
        }
    }
    if let Some((_, line)) = required.first() {
        let line = *line;
        proposal.add("required", KeyValue::List(required), line);
    }
    for (word, names) in required_if {
        let line = names.first().map_or(0, |it| it.1);
        proposal.add(
            format!("required-if.{}", toml_key(&word)),
            KeyValue::List(names),
            line,
        );
    }
}

/// Marks the names that a sentence of the region says may be omitted.
fn leave_out(blocks: &Blocks<'_>, found: &mut FoundTemplate) {
    let omissions = omissions(blocks, &found.region);
    let may_omit = may_omit(&omissions);
    let is_omitted = |name: &TemplateName| {
        let mut spans = omissions.iter().flat_map(|it| code_spans(it.1));
        spans.any(|it| it == name.name) || may_omit && is_section(blocks, name.line)
    };
    let templates = std::iter::once(&mut found.template).chain(&mut found.variants);
    for name in templates.flat_map(|it| &mut it.names) {
        if name.left_out.is_none() && is_omitted(name) {
            name.left_out = Some("may be omitted");
        }
    }
}

/// The sentences of a region that say when something is left out, each as words and as a line.
fn omissions<'b>(blocks: &'b Blocks<'_>, region: &ReturnRegion) -> Vec<(String, &'b str)> {
    let lines = region.start..region.end.min(blocks.lines.len());
    let lines = lines.filter(|it| !blocks.is_in_fence(*it));
    let lines = lines.flat_map(|it| blocks.lines[it].split(". "));
    let lines = lines.map(|it| (words(it), it));
    let says_so = |text: &str| {
        List("omit|omits|omitted|omitting|skip|skipping|leave out|optional|present only|only when|only if|unless")
            .is_in(text)
    };
    lines.filter(|(text, _)| says_so(text)).collect()
}

/// Whether one of the sentences says that what is empty is left out.
fn may_omit(omissions: &[(String, &str)]) -> bool {
    omissions.iter().any(|(text, _)| {
        List("omit|omitting|skip|skipping|leave out").is_in(text)
            && List("section|sections|field|fields|heading|headings|line|lines").is_in(text)
    })
}

/// Whether a line of a template is the head of what stands below it.
fn is_section(blocks: &Blocks<'_>, line: usize) -> bool {
    let line = blocks.lines.get(line).copied().unwrap_or_default().trim();
    line.starts_with('#') || line.trim_end_matches('*').ends_with(':') || line.starts_with("- **")
}
