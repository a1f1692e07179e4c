//! A profile that a configuration describes: a copy of the one that it extends, changed patch by
//! patch.

use std::borrow::Cow;

use crate::config::limits::Limit;
use crate::config::patch::{AgentPatch, ProfilePatch, Statuses, Words};
use crate::config::reader::unknown_name;
use crate::json::field::Form;
use crate::profile::{Agent, FieldSpec, PROFILES, Profile, Status};
use crate::text::escape;

/// The profile that `patch` and all that it extends come to, or why there is no end to it.
pub(super) fn resolve(patch: &ProfilePatch, patches: &[ProfilePatch]) -> Result<Profile, String> {
    let mut chain = vec![patch];
    loop {
        let last = chain[chain.len() - 1];
        let extends = last.extends.value.as_str();
        if let Some(base) = Profile::named(extends) {
            let mut profile = base.clone();
            for patch in chain.iter().rev() {
                apply(&mut profile, patch);
            }
            return Ok(profile);
        }
        if chain.iter().any(|known| known.id == extends) {
            let mut circle: Vec<_> = chain.iter().map(|patch| patch.id.as_str()).collect();
            circle.push(extends);
            return Err(format!(
                "the profile extends itself: {}",
                circle.join(" -> ")
            ));
        }
        let Some(next) = patches.iter().find(|known| known.id == extends) else {
            let built_in = PROFILES.iter().map(|profile| &*profile.id);
            let known = built_in.chain(patches.iter().map(|patch| patch.id.as_str()));
            return Err(unknown_name("profile", extends, known));
        };
        chain.push(next);
    }
}

fn apply(profile: &mut Profile, patch: &ProfilePatch) {
    profile.id = Cow::Owned(patch.id.clone());
    change_text(&mut profile.document, patch.document.as_ref());
    change_statuses(&mut profile.statuses, &mut profile.failure, &patch.own);
    for agent in &patch.agents {
        apply_agent(profile.agents.to_mut(), agent);
    }
    change_words(&mut profile.artifact_types, patch.artifact_types.as_ref());
    change_words(&mut profile.error_types, patch.error_types.as_ref());
    for (path, need) in &patch.needs {
        let fields = profile.fields.to_mut();
        match fields.iter_mut().find(|field| field.path == *path) {
            Some(field) => field.need = *need,
            None => fields.push(FieldSpec {
                path: Cow::Owned(path.clone()),
                need: *need,
            }),
        }
    }
    for limit in &patch.limits {
        apply_limit(profile, *limit);
    }
    for (rule, level) in &patch.rules {
        let levels = profile.levels.to_mut();
        levels.retain(|(known, _)| *known != rule.id);
        levels.push((rule.id, *level));
    }
    if let Some(file) = &mut profile.file {
        change_text(file, patch.files.first());
    }
    if let Some(path) = &mut profile.handoff_path {
        change_text(path, patch.handoff_path.as_ref());
    }
}

fn apply_agent(agents: &mut Vec<Agent>, patch: &AgentPatch) {
    let known = agents.iter().position(|agent| agent.name == patch.name);
    let place = known.unwrap_or_else(|| {
        agents.push(Agent {
            name: Cow::Owned(patch.name.clone()),
            statuses: Cow::Borrowed(&[]),
            failure: Cow::Borrowed(""),
            reads_from: Cow::Borrowed(&[]),
            writes_handoff: true,
        });
        agents.len() - 1
    });
    let agent = &mut agents[place];
    change_statuses(&mut agent.statuses, &mut agent.failure, &patch.own);
    if let Some(before) = &patch.reads_from {
        agent.reads_from = before.iter().cloned().map(Cow::Owned).collect();
    }
    agent.writes_handoff = patch.writes_handoff.unwrap_or(agent.writes_handoff);
}

fn apply_limit(profile: &mut Profile, limit: Limit) {
    match limit {
        Limit::Length(length) => profile.length = length,
        Limit::Sentences(ends) => profile.sentences = ends,
        Limit::SummaryAtLeast(least) => profile.limits.summary_at_least = least,
        Limit::ArtifactSummaryAtMost(most) => profile.limits.artifact_summary_at_most = most,
        Limit::ErrorMessageAtMost(most) => profile.limits.error_message_at_most = most,
        Limit::NextStepsAtMost(most) => profile.limits.next_steps_at_most = most,
    }
}

/// What contradicts itself in a profile that `patch` made, if anything does.
pub(super) fn refusal(profile: &Profile, patch: &ProfilePatch) -> Option<String> {
    let form = profile.shape.form();
    let base = &patch.extends.value;
    let unreadable = patch.needs.iter().find(|(path, _)| !has_place(&form, path));
    if let Some((path, _)) = unreadable {
        let path = escape::truncated(path);
        return Some(format!(
            "{path} cannot be asked for: it is to be a member of the return, or of an object that {base} \
             describes"
        ));
    }
    if patch.handoff_path.is_some() && profile.handoff_path.is_none() {
        return Some(format!("{base} has no handoff files to give a path to"));
    }
    if profile.statuses.is_empty() && profile.agents.is_empty() {
        return Some("no status is left".to_owned());
    }
    let own = (!profile.statuses.is_empty()).then_some(("", &profile.failure));
    let agents = profile.agents.iter();
    let agents = agents.map(|agent| (&*agent.name, &agent.failure));
    let mut all = own.into_iter().chain(agents);
    all.find_map(|(agent, failure)| without_failure(profile, agent, failure))
}

/// A failed agent must have a word for it.
fn without_failure(profile: &Profile, agent: &str, failure: &str) -> Option<String> {
    let of_agent = profile
        .agent(agent)
        .map_or(&[][..], |agent| &agent.statuses);
    let statuses = profile.statuses.iter().chain(of_agent);
    let words: Vec<_> = statuses.map(|status| &*status.word).collect();
    if words.contains(&failure) {
        return None;
    }
    let of = if agent.is_empty() {
        String::new()
    } else {
        format!(" of {}", escape::truncated(agent))
    };
    let failure = if failure.is_empty() {
        "failure".to_owned()
    } else {
        format!("failure {}", escape::truncated(failure))
    };
    let words = words.join(", ");
    let words = escape::truncated(&words);
    Some(format!(
        "the {failure}{of} is to be one of its statuses: {words}"
    ))
}

fn change_statuses(
    statuses: &mut Cow<'static, [Status]>,
    failure: &mut Cow<'static, str>,
    patch: &Statuses,
) {
    for (word, meaning) in &patch.words {
        let known = statuses.iter().position(|status| status.word == *word);
        let statuses = statuses.to_mut();
        match (known, meaning) {
            (Some(place), Some(meaning)) => statuses[place].meaning = *meaning,
            (Some(place), None) => drop(statuses.remove(place)),
            (None, Some(meaning)) => statuses.push(Status {
                word: Cow::Owned(word.clone()),
                meaning: *meaning,
                companions: Cow::Borrowed(&[]),
                aliases: Cow::Borrowed(&[]),
            }),
            (None, None) => {}
        }
    }
    change_text(failure, patch.failure.as_ref());
}

fn change_text(text: &mut Cow<'static, str>, change: Option<&String>) {
    if let Some(change) = change {
        *text = Cow::Owned(change.clone());
    }
}

fn change_words(known: &mut Cow<'static, [Cow<'static, str>]>, change: Option<&Words>) {
    match change {
        Some(Words::Any) => *known = Cow::Borrowed(&[]),
        Some(Words::And(more)) => {
            for word in more {
                if !known.iter().any(|known| known == word) {
                    known.to_mut().push(Cow::Owned(word.clone()));
                }
            }
        }
        None => {}
    }
}

/// Whether a dotted path ends in an object whose members are read.
fn has_place(form: &Form, path: &str) -> bool {
    let (name, rest) = path
        .split_once('.')
        .map_or((path, None), |(name, rest)| (name, Some(rest)));
    let plain = name.trim_end_matches("[]");
    let Form::Record(members) = form else {
        return false;
    };
    let Some(rest) = rest else {
        return !plain.is_empty() && plain == name;
    };
    let member = members.iter().find(|(known, _)| *known == plain);
    match member.map(|(_, form)| form) {
        Some(Form::List(item)) => name.ends_with("[]") && has_place(item, rest),
        Some(form) => name == plain && has_place(form, rest),
        None => false,
    }
}
