//! The status words of a profile of the file, and of its agents.

use std::borrow::Cow;

use toml::Spanned;

use crate::config::item::{ReadError, TomlKey};
use crate::config::nodes::Entries;
use crate::config::profile::{Claim, ProfileTable};
use crate::config::texts::VisibleName;
use crate::profile::{Agent, Meaning, Profile, Status};
use crate::text::escape::truncated;

/// Adds status words, changes what they mean, or removes them.
pub(super) fn change_statuses(
    statuses: &mut Cow<'static, [Status]>,
    changes: &Entries<VisibleName, Claim>,
    base: &Profile,
) {
    for (word, Claim(meaning)) in &changes.0 {
        let VisibleName(word) = word.get_ref();
        let statuses = statuses.to_mut();
        let Some(meaning) = *meaning else {
            statuses.retain(|status| status.word != *word);
            continue;
        };
        match statuses.iter_mut().find(|status| status.word == *word) {
            Some(status) => status.meaning = meaning,
            None => statuses.push(Status {
                word: word.clone().into(),
                meaning,
                // Several agents can have the same word. The action after it is that of the others.
                own_action: base
                    .statuses_of(None)
                    .find(|status| status.word == *word)
                    .and_then(|status| status.own_action),
                ..Status::BASE
            }),
        }
    }
}

/// Checks that success has a status word, and failed work another one.
pub(super) fn check_statuses(
    profile: &Profile,
    base: &Profile,
    id: TomlKey<'_>,
    own: &ProfileTable,
) -> Result<(), ReadError> {
    if profile.statuses.is_empty() && profile.agents.is_empty() {
        return Err(id.error("the profile has no status left".to_owned()));
    }
    if !profile.statuses.is_empty() {
        let places = places(id.at, &own.statuses, own.failure.as_ref());
        check_words(profile, None, false, places)?;
    }
    for agent in &*profile.agents {
        let mut tables = own.agents.0.iter();
        let table = tables.find(|(name, _)| agent.name == name.get_ref().0);
        let failure = table.and_then(|(_, own)| own.failure.as_ref());
        let of_base = base.agent(&agent.name);
        let may_lack_failure = of_base.is_some_and(|it| it.failure.is_empty())
            || failure.is_some_and(|own| own.get_ref().0.is_none());
        let places = table.map_or([id.at; 2], |(name, own)| {
            places(name.span().start, &own.statuses, failure)
        });
        check_words(profile, Some(agent), may_lack_failure, places)?;
    }
    Ok(())
}

/// Where mistakes about the statuses and the failure of a table are. If it has none, they are at its key.
fn places<T>(
    key: usize,
    statuses: &Entries<VisibleName, Claim>,
    failure: Option<&Spanned<T>>,
) -> [usize; 2] {
    let statuses = statuses.0.first().map(|(word, _)| word.span());
    let places = [statuses, failure.map(Spanned::span)];
    places.map(|place| place.map_or(key, |place| place.start))
}

fn check_words(
    profile: &Profile,
    agent: Option<&Agent>,
    may_lack_failure: bool,
    [at_statuses, at_failure]: [usize; 2],
) -> Result<(), ReadError> {
    let statuses = agent.map_or(&[][..], |agent| &agent.statuses);
    let mut statuses = profile.statuses.iter().chain(statuses);
    // An agent without a word of its own writes that of the profile.
    let own = agent.map(|agent| &agent.failure);
    let own = own.filter(|word| !word.is_empty());
    let failure = own.unwrap_or(&profile.failure);
    let of = agent.map_or_else(String::new, |agent| {
        format!(" of the agent `{}`", truncated(&agent.name))
    });
    if statuses.clone().all(|it| it.meaning != Meaning::Success) {
        let message = format!(
            "none of the `statuses`{of} means success, so that no return could say that the work is done"
        );
        let at = at_statuses;
        return Err(ReadError { at, message });
    }
    if failure.is_empty() && may_lack_failure {
        return Ok(());
    }
    let mut words: Vec<&str> = Vec::new();
    for status in statuses.clone() {
        if !words.contains(&&*status.word) {
            words.push(&status.word);
        }
    }
    let message = match statuses.find(|status| status.word == *failure) {
        Some(status) if status.meaning != Meaning::Success => return Ok(()),
        Some(_) => format!("is `{}`, which means success", truncated(failure)),
        None => {
            let found = if failure.is_empty() {
                String::new()
            } else {
                format!(", found `{}`", truncated(failure))
            };
            format!("must be one of {}{found}", truncated(&words.join(", ")))
        }
    };
    let message = format!("`failure`{of}, the status of work that failed, {message}");
    let at = at_failure;
    Err(ReadError { at, message })
}
