//! Proposes what past returns have in common.

use std::path::Path;

use crate::BYTES_AT_MOST;
use crate::form::Form;
use crate::text::escape;

use super::proposal::{KeyValue, Proposal};
use super::render::{ProposedProfile, Sample};
use super::source;
use super::template::{self, Template};
use super::words::is_status;

/// The most words of a status. What has more values is another field.
const WORDS: usize = 8;

/// What the returns of a folder have in common. None if it has no return.
pub(super) fn outcome(folder: &Path) -> anyhow::Result<Option<ProposedProfile>> {
    let mut returns = Vec::new();
    source::each(folder, BYTES_AT_MOST, |it| {
        returns.extend(
            it.text
                .iter()
                .filter_map(|text| template::read(text, 0, "")),
        );
    })?;
    let total = returns.len();
    if total == 0 {
        return Ok(None);
    }
    let name = folder
        .file_name()
        .map_or_else(|| "own".to_owned(), |it| it.to_string_lossy().into_owned());
    Ok(Some(ProposedProfile {
        path: escape::path(folder).clone(),
        sample: Sample::Returns(total),
        agent: name,
        profile: String::new(),
        is_repeated: false,
        result: common(&returns)
            .ok_or_else(|| (None, "has returns with nothing in common".to_owned())),
    }))
}

fn common(returns: &[Template]) -> Option<Proposal> {
    let mut proposal = Proposal::default();
    let form = returns.first().map_or(Form::Text, |it| it.form);
    let of_form = returns.iter().filter(|it| it.form == form).count();
    let form = if of_form == returns.len() {
        form
    } else {
        Form::Text
    };
    proposal.add("form", KeyValue::Text(form.as_str().to_owned()), of_form);
    let mut required = Vec::new();
    for name in &returns.first()?.names {
        let holding = returns
            .iter()
            .filter_map(|it| it.names.iter().find(|own| own.place == name.place));
        let values: Vec<_> = holding
            .map(|it| it.value.trim_matches(['"', '*', '`', ' ', '.']))
            .collect();
        let is_filled = values.iter().all(|it| !it.is_empty() && *it != "null");
        if values.len() < returns.len() || !is_filled {
            continue;
        }
        if is_status(&name.name)
            && proposal.keys.len() == 1
            && add_status(&mut proposal, &name.place, &values)
        {
            continue;
        }
        required.push((name.place.clone(), values.len()));
    }
    if !required.is_empty() {
        proposal.add("required", KeyValue::List(required), returns.len());
    }
    (proposal.keys.len() > 1).then_some(proposal)
}

/// Adds the role status, if its values are a few words that come again.
fn add_status(proposal: &mut Proposal, place: &str, values: &[&str]) -> bool {
    let mut words: Vec<(&str, usize)> = Vec::new();
    for value in values {
        match words.iter_mut().find(|it| it.0 == *value) {
            Some(known) => known.1 += 1,
            None => words.push((value, 1)),
        }
    }
    let is_word = |it: &(&str, usize)| it.0.split(' ').count() <= 3 && it.0.chars().count() <= 40;
    if words.len() > WORDS || words.len() * 2 > values.len() || !words.iter().all(is_word) {
        return false;
    }
    proposal.add("at.status", KeyValue::Text(place.to_owned()), values.len());
    for (word, count) in words {
        proposal.add_word(word, count);
    }
    true
}
