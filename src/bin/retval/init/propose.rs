//! Makes a proposal of what a definition says.

use std::collections::BTreeMap;

use retval::internal::form::Form;

use super::blocks::Blocks;
use super::definition::Definition;
use super::find::{FoundTemplate, find};
use super::limits::limits;
use super::lists::List;
use super::name::TemplateName;
use super::proposal::{KeyValue, Proposal, quoted, toml_key};
use super::roles::{self, fixed_file};
use super::status::{self, StatusRole};
use super::template::Template;

/// Reads a definition. `Err` says why it has no proposal, with the line if one says it.
pub(super) fn propose(definition: &Definition) -> Result<Proposal, (Option<usize>, String)> {
    let blocks = Blocks::read(&definition.body);
    let Some(found) = find(&blocks) else {
        return of_stated_line(&blocks).ok_or((None, "does not say what to return".to_owned()));
    };
    let mut proposal = Proposal::default();
    let template = &found.template;
    if let Some((line, path)) = fixed_file(&blocks, &found.region, template.line) {
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
    proposal.add(
        "form",
        KeyValue::Text(template.form.as_str().to_owned()),
        template.line,
    );
    if template.is_fenced
        && template.form != Form::Text
        && !proposal.is_of_file
        && !asks_for_bare(&blocks)
    {
        let part = format!(
            "{{ fence = {}, optional = true }}",
            quoted(template.form.as_str())
        );
        proposal.add("part", KeyValue::Raw(part), template.line - 1);
    }
    let status = status::of(&blocks, &found, &mut proposal.notes);
    if let Some(status) = &status {
        add_status(&mut proposal, status);
    }
    roles::add(&mut proposal, &blocks, template);
    add_names(&mut proposal, &found, status.as_ref());
    limits(&mut proposal, &blocks, &found);
    for line in &found.unread {
        proposal.note(*line, "another fence, which was not read");
    }
    let says_something = proposal
        .keys
        .iter()
        .any(|it| it.key != "form" && it.key != "files");
    if says_something {
        Ok(proposal)
    } else {
        let reason = "names nothing that every return has";
        Err((Some(found.region.line), reason.to_owned()))
    }
}

/// Whether a prompt wants JSON without a fence around it.
fn asks_for_bare(blocks: &Blocks<'_>) -> bool {
    let marks = List(
        "no fence|no code fence|without fence|no markdown|without markdown|raw json|no code block|\
     only the json|only valid json|only json|json only|bare json",
    );
    let has = |line: &str| marks.marks(line);
    blocks.lines.iter().any(|it| has(it))
}

/// A profile for a definition that asks for nothing but a line.
fn of_stated_line(blocks: &Blocks<'_>) -> Option<Proposal> {
    let role = status::of_stated(blocks)?;
    let mut proposal = Proposal::default();
    proposal.add(
        "form",
        KeyValue::Text(Form::Text.as_str().to_owned()),
        role.line,
    );
    add_status(&mut proposal, &role);
    Some(proposal)
}

fn add_status(proposal: &mut Proposal, status: &StatusRole) {
    let place = match &status.place {
        KeyValue::Raw(place) => KeyValue::Raw(place.clone()),
        KeyValue::Text(place) => KeyValue::Text(place.clone()),
        KeyValue::List(_) => return,
    };
    proposal.add("at.status", place, status.line);
    for (word, line) in &status.words {
        proposal.add_word(word, *line);
    }
}

/// Adds what every return must have, and what those with one outcome must have.
fn add_names(proposal: &mut Proposal, found: &FoundTemplate, status: Option<&StatusRole>) {
    let templates: Vec<_> = found.templates().collect();
    let place_of_status = match status.map(|it| &it.place) {
        Some(KeyValue::Text(place)) => place.as_str(),
        _ => "",
    };
    let is_in = |template: &Template, name: &TemplateName| {
        template.names.iter().any(|it| it.place == name.place)
    };
    let mut required: Vec<(String, usize)> = Vec::new();
    let mut required_if: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for (index, template) in templates.iter().enumerate() {
        for name in &template.names {
            let is_common = templates.iter().all(|it| is_in(it, name));
            let word = status
                .and_then(|it| it.of_variants.get(index))
                .and_then(Option::as_ref);
            let is_known = required.iter().any(|it| it.0 == name.place);
            if name.place == place_of_status || is_known {
                continue;
            }
            let entry = (name.place.clone(), name.line);
            match (name.left_out, word) {
                (Some(why), _) => proposal.note(name.line, format!("`{}` {why}", name.name)),
                (None, _) if is_common => required.push(entry),
                (None, Some(word)) => required_if.entry(word.clone()).or_default().push(entry),
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
