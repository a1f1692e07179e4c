//! The status words of a profile of the file, and of its agents.

use std::borrow::Cow;

use crate::config::nodes::{Entries, VisibleName};
use crate::config::profile::{Claim, ProfileTable};
use crate::config::reader::{ReadError, TomlKey};
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

/// Checks that success has a status word.
pub(super) fn check_statuses(
    profile: &Profile,
    id: TomlKey<'_>,
    own: &ProfileTable,
) -> Result<(), ReadError> {
    if profile.statuses.is_empty() && profile.agents.is_empty() {
        return Err(id.error("the profile has no status left".to_owned()));
    }
    if !profile.statuses.is_empty() {
        check_words(profile, None, place(id.at, &own.statuses))?;
    }
    for agent in &*profile.agents {
        let mut tables = own.agents.0.iter();
        let table = tables.find(|(name, _)| agent.name == name.get_ref().0);
        let at = table.map_or(id.at, |(name, own)| place(name.span().start, &own.statuses));
        check_words(profile, Some(agent), at)?;
    }
    Ok(())
}

/// Where mistakes about the statuses of a table are. If it has none, they are at its key.
fn place(key: usize, statuses: &Entries<VisibleName, Claim>) -> usize {
    statuses
        .0
        .first()
        .map_or(key, |(word, _)| word.span().start)
}

fn check_words(profile: &Profile, agent: Option<&Agent>, at: usize) -> Result<(), ReadError> {
    let statuses = agent.map_or(&[][..], |agent| &agent.statuses);
    let mut statuses = profile.statuses.iter().chain(statuses);
    if statuses.any(|it| it.meaning == Meaning::Success) {
        return Ok(());
    }
    let of = agent.map_or_else(String::new, |agent| {
        format!(" of the agent `{}`", truncated(&agent.name))
    });
    let message = format!(
        "none of the `statuses`{of} means success, so that no return could say that the work is done"
    );
    Err(ReadError { at, message })
}
