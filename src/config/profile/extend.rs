//! Makes the profile that a table of the file describes: a copy of another one, with changes.

use std::borrow::Cow;

use crate::config::item::invalid_glob;
use crate::config::profile::checks::{Changed, ProfileMistake, check_name, check_template, name};
use crate::config::profile::statuses::{change_statuses, check_statuses};
use crate::config::profile::{Count, LimitTable, OrAny, OrOff, ProfileTable, agents};
use crate::config::reader::check_level;
use crate::profile::{Action, FieldSpec, FilePattern, LengthLimit, Measured, Need, Profile, Unit};
use crate::text::escape::truncated;

/// Returns the profile `id`, which is `base` with the changes of `own`.
pub(in crate::config) fn extend(
    base: &Profile,
    id: &str,
    own: &ProfileTable,
) -> Result<Profile, ProfileMistake> {
    let mut profile = Profile {
        id: id.to_owned().into(),
        files: Cow::Borrowed(&[]),
        ..base.clone()
    };
    if let Some(document) = &own.document {
        profile.document = name("a document", document, &["document"])?;
    }
    change_statuses(&mut profile.statuses, &own.statuses.0, base, &["statuses"])?;
    if let Some(failure) = &own.failure {
        profile.failure = name("a status", failure, &["failure"])?;
    }
    agents::extend(&mut profile, base, &own.agents.0)?;
    add_types(
        &mut profile.artifact_types,
        &own.artifact_types,
        "artifact-types",
    )?;
    add_types(&mut profile.error_types, &own.error_types, "error-types")?;
    set_fields(&mut profile, base, own)?;
    set_limits(&mut profile, &own.limits)?;
    if let Some(path) = &own.handoff_path {
        set_handoff_path(&mut profile, base, path)
            .map_err(|message| ProfileMistake::of_value(&["handoff-path"], message))?;
    }
    for (rule, level) in &own.rules.0 {
        check_level(rule, *level)
            .map_err(|message| ProfileMistake::of_value(&["rules", rule.id], message))?;
        let levels = profile.levels.to_mut();
        levels.retain(|(known, _)| *known != rule.id);
        levels.push((rule.id, *level));
    }
    set_files(&mut profile, own)?;
    check_statuses(&profile, |agent| {
        let of_base = base.agent(&agent.name).map(|it| it.failure.is_empty());
        let mut own = own.agents.0.iter().filter(|(name, _)| agent.name == *name);
        of_base == Some(true) || own.any(|(_, own)| matches!(own.failure, Some(OrOff(None))))
    })?;
    let mut actions = own.actions.0.iter();
    actions.try_for_each(|(word, action)| set_action(&mut profile, word, *action))?;
    Ok(profile)
}

fn add_types(
    types: &mut Cow<'static, [Cow<'static, str>]>,
    own: &OrAny<Vec<String>>,
    key: &str,
) -> Changed {
    let OrAny(Some(own)) = own else {
        *types = Cow::Borrowed(&[]);
        return Ok(());
    };
    for (index, own) in own.iter().enumerate() {
        let own = name("a type", own, &[key, &index.to_string()])?;
        if !types.contains(&own) {
            types.to_mut().push(own);
        }
    }
    Ok(())
}

fn set_fields(profile: &mut Profile, base: &Profile, own: &ProfileTable) -> Changed {
    let needs = [
        ("required", &own.required, Need::Required),
        ("optional", &own.optional, Need::Optional),
    ];
    for (key, paths, need) in needs {
        for (index, path) in paths.iter().enumerate() {
            let is_required = need == Need::Optional && own.required.contains(path);
            let check = check_name("a field", path).and_then(|()| {
                let field = truncated(path);
                if is_required {
                    Err(format!("`{field}` is both required and optional"))
                } else if path == "status" && need != Need::Required {
                    Err("`status` must stay required: nothing can be checked without it".to_owned())
                } else if !profile.shape.has_place(path) {
                    let base = truncated(&base.id);
                    Err(format!(
                        "cannot check the field `{field}`: it must be a member of the return, or of an object that the profile `{base}` describes"
                    ))
                } else {
                    Ok(())
                }
            });
            check
                .map_err(|message| ProfileMistake::of_value(&[key, &index.to_string()], message))?;
            let fields = profile.fields.to_mut();
            add_parents(fields, path);
            set_field(fields, path, need);
        }
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

fn set_limits(profile: &mut Profile, own: &LimitTable) -> Changed {
    let refuse =
        |path: &[&str], message: &str| Err(ProfileMistake::of_value(path, message.to_owned()));
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
        return refuse(
            &["limits"],
            "only one of `summary-tokens`, `summary-words`, `summary-characters` and `return-tokens` can be set",
        );
    }
    if let Some(OrOff(own)) = &own.sentences {
        let ends = own.as_ref().map(|ends| ends.0.as_slice());
        profile.sentences = match ends {
            None => None,
            Some([Count(fewest), Count(most)]) if fewest <= most => Some((*fewest, *most)),
            Some([Count(fewest), Count(most)]) => {
                let message = format!(
                    "the fewest sentences must not be more than the most, found {fewest} and {most}"
                );
                return refuse(&["limits", "sentences"], &message);
            }
            Some(_) => {
                let message = "`sentences` must be [FEWEST, MOST] or \"off\"";
                return refuse(&["limits", "sentences"], message);
            }
        };
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

fn set_handoff_path(profile: &mut Profile, base: &Profile, path: &str) -> Result<(), String> {
    if profile.handoff_path.is_none() {
        let base = truncated(&base.id);
        return Err(format!(
            "the profile `{base}` has no handoff files, so that they cannot have a path"
        ));
    }
    check_template(path)?;
    profile.handoff_path = Some(path.to_owned().into());
    Ok(())
}

/// Sets the globs of file names. If the profile's documents are files, the first glob is also the file
/// name that agents are told.
fn set_files(profile: &mut Profile, own: &ProfileTable) -> Changed {
    for (index, file) in own.files.iter().enumerate() {
        let refuse = |message| ProfileMistake::of_value(&["files", &index.to_string()], message);
        let pattern = FilePattern::parse(&file.0);
        let pattern = pattern.map_err(|error| refuse(invalid_glob(&file.0, &error)))?;
        profile.files.to_mut().push(pattern);
    }
    if let (Some(told), Some(first)) = (&mut profile.file, own.files.first()) {
        *told = first.0.clone().into();
    }
    Ok(())
}

/// Sets the action after each status with this word.
fn set_action(profile: &mut Profile, word: &str, action: Action) -> Changed {
    check_name("a status", word)
        .map_err(|message| ProfileMistake::of_key(&["actions", word], message))?;
    let of_agents = profile.agents.to_mut().iter_mut();
    let of_agents = of_agents.flat_map(|agent| agent.statuses.to_mut());
    let statuses = profile.statuses.to_mut().iter_mut().chain(of_agents);
    let mut is_known = false;
    for status in statuses.filter(|status| status.word == word) {
        status.own_action = Some(action);
        is_known = true;
    }
    if is_known {
        return Ok(());
    }
    let word = truncated(word);
    let message = format!("cannot set the action after `{word}`: the profile has no such status");
    Err(ProfileMistake::of_key(&[], message))
}
