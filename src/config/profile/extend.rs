//! Makes the profile that a table of the file describes: a copy of another one, with changes.

use std::borrow::Cow;

use toml::Spanned;

use crate::config::nodes::VisibleName;
use crate::config::profile::statuses::{change_statuses, check_statuses};
use crate::config::profile::{Count, LimitTable, OrAny, OrOff, ProfileTable, Sentences, agents};
use crate::config::reader::{ReadError, TomlKey, checked_levels};
use crate::profile::{Action, FieldSpec, LengthLimit, Measured, Need, Profile, Unit};
use crate::text::escape::truncated;

/// Checks that a custom profile can have this name.
pub(in crate::config) fn check_id(id: &str) -> Result<(), String> {
    let is_valid = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if id == "auto" || Profile::named(id).is_some() {
        return Err(format!("`{id}` is built in; choose another name"));
    }
    if id.is_empty() || !id.chars().all(is_valid) {
        let id = truncated(id);
        return Err(format!(
            "`{id}` is not a valid profile name: use letters, digits, `-`, `_` and `.`"
        ));
    }
    VisibleName::parse(id).map(drop)
}

/// Returns the profile `id`, which is `base` with the changes of `own`.
pub(in crate::config) fn extend(
    base: &Profile,
    id: TomlKey<'_>,
    own: &ProfileTable,
) -> Result<Profile, ReadError> {
    let files: Vec<_> = own.files.iter().map(|file| file.0.clone()).collect();
    let mut profile = Profile {
        id: id.name.to_owned().into(),
        ..base.clone()
    };
    // If the profile's documents are files, agents are told the first glob as the file name.
    if let (Some(told), Some(first)) = (&mut profile.file, files.first()) {
        *told = first.as_str().to_owned().into();
    }
    profile.files = files.into();
    if let Some(document) = &own.document {
        profile.document = document.cow();
    }
    change_statuses(&mut profile.statuses, &own.statuses, base);
    agents::extend(&mut profile, base, &own.agents)?;
    add_types(&mut profile.artifact_types, &own.artifact_types);
    add_types(&mut profile.error_types, &own.error_types);
    set_fields(&mut profile, base, own)?;
    if let Some(limits) = &own.limits {
        set_limits(&mut profile, limits)?;
    }
    if let Some(path) = &own.handoff_path {
        if base.handoff_path.is_none() {
            let base = truncated(&base.id);
            let message = format!(
                "the profile `{base}` has no handoff files, so that they cannot have a path"
            );
            return Err(ReadError::at(path, message));
        }
        profile.handoff_path = Some(path.get_ref().0.clone().into());
    }
    for (rule, level) in checked_levels(&own.rules)? {
        let levels = profile.levels.to_mut();
        levels.retain(|(known, _)| *known != rule.id);
        levels.push((rule.id, *level.get_ref()));
    }
    check_statuses(&profile, id, own)?;
    for (word, action) in &own.actions.0 {
        set_action(&mut profile, word, *action)?;
    }
    Ok(profile)
}

fn add_types(types: &mut Cow<'static, [Cow<'static, str>]>, own: &OrAny<Vec<VisibleName>>) {
    let OrAny(Some(own)) = own else {
        *types = Cow::Borrowed(&[]);
        return;
    };
    for own in own.iter().map(VisibleName::cow) {
        if !types.contains(&own) {
            types.to_mut().push(own);
        }
    }
}

fn set_fields(profile: &mut Profile, base: &Profile, own: &ProfileTable) -> Result<(), ReadError> {
    let required = own.required.iter().map(|path| (path, Need::Required));
    let optional = own.optional.iter().map(|path| (path, Need::Optional));
    for (place, need) in required.chain(optional) {
        let VisibleName(path) = place.get_ref();
        let field = truncated(path);
        let is_required = |other: &Spanned<VisibleName>| other.get_ref() == place.get_ref();
        if need == Need::Optional && own.required.iter().any(is_required) {
            let message = format!("`{field}` is both required and optional");
            return Err(ReadError::at(place, message));
        }
        if need == Need::Optional && path == "status" {
            let message = "`status` must stay required: nothing can be checked without it";
            return Err(ReadError::at(place, message.to_owned()));
        }
        if !profile.shape.form().has_place(path) {
            let base = truncated(&base.id);
            let message = format!(
                "cannot check the field `{field}`: it must be a member of the return, or of an object that the profile `{base}` describes"
            );
            return Err(ReadError::at(place, message));
        }
        let fields = profile.fields.to_mut();
        add_parents(fields, path);
        set_field(fields, path, need);
    }
    Ok(())
}

/// Adds a field, or changes how much it is needed. A field that a custom profile requires is required of
/// every agent.
fn set_field(fields: &mut Vec<FieldSpec>, path: &str, need: Need) {
    let spec = FieldSpec::new(path.to_owned(), need);
    let Some(index) = fields.iter().position(|field| field.path == path) else {
        return fields.push(spec);
    };
    if need != Need::Required {
        let same = fields.iter_mut().filter(|field| field.path == path);
        return same.for_each(|field| field.need = need);
    }
    fields.retain(|field| field.path != path);
    fields.insert(index, spec);
}

/// Adds the objects and lists around a field that the profile does not have yet.
fn add_parents(fields: &mut Vec<FieldSpec>, path: &str) {
    for (dot, _) in path.match_indices('.') {
        let parent = path[..dot].trim_end_matches("[]");
        if fields.iter().all(|field| field.path != parent) {
            fields.push(FieldSpec::new(parent.to_owned(), Need::Optional));
        }
    }
}

fn set_limits(profile: &mut Profile, place: &Spanned<LimitTable>) -> Result<(), ReadError> {
    let own = place.get_ref();
    let lengths = [
        (&own.summary_tokens, Measured::Summary, Unit::Tokens),
        (&own.summary_words, Measured::Summary, Unit::Words),
        (&own.summary_characters, Measured::Summary, Unit::Characters),
        (&own.return_tokens, Measured::Return, Unit::Tokens),
    ];
    let mut lengths = lengths.into_iter().filter_map(|(own, of, unit)| {
        let OrOff(most) = own.as_ref()?;
        Some(most.map(|Count(most)| LengthLimit::at_most(most, unit, of)))
    });
    if let Some(length) = lengths.next() {
        // A limit of the base that only warns goes, too.
        (profile.length, profile.soft_length) = (length, None);
    }
    if lengths.next().is_some() {
        let message = "only one of `summary-tokens`, `summary-words`, `summary-characters` and `return-tokens` can be set";
        return Err(ReadError::at(place, message.to_owned()));
    }
    if let Some(OrOff(own)) = own.sentences {
        profile.sentences = own.map(|Sentences(fewest, most)| (fewest, most));
    }
    let limits = &mut profile.limits;
    for (limit, own) in [
        (
            &mut limits.summary_at_least,
            &own.summary_characters_at_least,
        ),
        (
            &mut limits.artifact_summary_at_most,
            &own.artifact_summary_characters,
        ),
        (
            &mut limits.error_message_at_most,
            &own.error_message_characters,
        ),
        (&mut limits.next_steps_at_most, &own.next_steps_characters),
    ] {
        if let Some(OrOff(own)) = own {
            *limit = own.map(|Count(number)| number);
        }
    }
    Ok(())
}

/// Sets the action after each status with this word.
fn set_action(
    profile: &mut Profile,
    word: &Spanned<VisibleName>,
    action: Action,
) -> Result<(), ReadError> {
    let VisibleName(name) = word.get_ref();
    let of_agents = profile.agents.to_mut().iter_mut();
    let of_agents = of_agents.flat_map(|agent| agent.statuses.to_mut());
    let statuses = profile.statuses.to_mut().iter_mut().chain(of_agents);
    let mut is_known = false;
    for status in statuses.filter(|status| status.word == *name) {
        status.own_action = Some(action);
        is_known = true;
    }
    if is_known {
        return Ok(());
    }
    let name = truncated(name);
    let message = format!("cannot set the action after `{name}`: the profile has no such status");
    Err(ReadError::at(word, message))
}
