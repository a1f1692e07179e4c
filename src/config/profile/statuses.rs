//! The status words of a profile of the file, and of its agents.

use std::borrow::Cow;

use crate::config::profile::Claim;
use crate::config::profile::checks::{Changed, ProfileMistake, check_name};
use crate::profile::{Agent, Meaning, Profile, Status};
use crate::text::escape::truncated;

/// Adds status words, changes what they mean, or removes them. `path` is the place of the table.
pub(super) fn change_statuses(
    statuses: &mut Cow<'static, [Status]>,
    changes: &[(String, Claim)],
    base: &Profile,
    path: &[&str],
) -> Changed {
    for (word, Claim(meaning)) in changes {
        let statuses = statuses.to_mut();
        let Some(meaning) = *meaning else {
            statuses.retain(|status| status.word != *word);
            continue;
        };
        check_name("a status", word)
            .map_err(|message| ProfileMistake::of_key(&[path, &[word]].concat(), message))?;
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
    Ok(())
}

/// Checks that success has a status word, and failed work another one. `may_lack_failure` says of which
/// agents no word says only that their work failed.
pub(super) fn check_statuses(
    profile: &Profile,
    may_lack_failure: impl Fn(&Agent) -> bool,
) -> Result<(), ProfileMistake> {
    if profile.statuses.is_empty() && profile.agents.is_empty() {
        let message = "the profile has no status left".to_owned();
        return Err(ProfileMistake::of_key(&[], message));
    }
    if !profile.statuses.is_empty() {
        check_words(profile, None, false)?;
    }
    let mut agents = profile.agents.iter();
    agents.try_for_each(|agent| check_words(profile, Some(agent), may_lack_failure(agent)))
}

fn check_words(
    profile: &Profile,
    agent: Option<&Agent>,
    may_lack_failure: bool,
) -> Result<(), ProfileMistake> {
    let statuses = agent.map_or(&[][..], |agent| &agent.statuses);
    let mut statuses = profile.statuses.iter().chain(statuses);
    let failure = agent.map_or(&profile.failure, |agent| &agent.failure);
    let of = agent.map_or_else(String::new, |agent| {
        format!(" of the agent `{}`", truncated(&agent.name))
    });
    let refuse = |key: &str, message: String| match agent {
        Some(agent) => ProfileMistake::of_key(&["agents", &agent.name, key], message),
        None => ProfileMistake::of_key(&[key], message),
    };
    if statuses.clone().all(|it| it.meaning != Meaning::Success) {
        let message = format!(
            "none of the `statuses`{of} means success, so that no return could say that the work is done"
        );
        return Err(refuse("statuses", message));
    }
    if failure.is_empty() && may_lack_failure {
        return Ok(());
    }
    let words: Vec<&str> = statuses.clone().map(|status| &*status.word).collect();
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
    Err(refuse("failure", message))
}
