//! Step 3: the status is one of the standard's words, and comes with what it asks for.

use crate::checker::context::{At, Case, Found, Ran};
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::profile::{Companion, Profile, Status};
use crate::rule::{Applies, Example, Rule};
use crate::rules::{errors, progress};
use crate::step::Step;
use crate::text::escape;
use crate::text::is_blank;
use crate::text::suggest::{nearest, plain};

/// The status is not one of the standard's.
pub(crate) static UNKNOWN: Rule = Rule {
    id: "status-unknown",
    step: Step::Status,
    level: Level::Error,
    applies: Applies::Always,
    message: "Invalid status: {status}",
    help: "Fix {agent} subagent to use valid status enum",
    explanation: "The status is not one of the words that the orchestrator routes by, exactly as written. An \
                  unknown word is neither success nor failure to it.",
    seed: "003, step 3; 000, status; 001, status; 002, handoff file schema; 004, status",
    example: Example::of_members("return", r#""status": "done""#, r#""status": "completed""#),
};

pub(super) fn check(case: &mut Case<'_, '_>) -> Ran {
    let Some(status) = case
        .returned
        .and_then(|returned| returned.status().present())
    else {
        return Ran::Skipped("the return has no usable status".into());
    };
    if is_blank(status) {
        return Ran::Skipped("the status is empty".into());
    }
    let agent = case.acting_agent();
    let Some(known) = case.profile().status(status, agent) else {
        unknown(case, status, agent);
        return Ran::Checked;
    };
    case.status = Some(known);
    if known.companions.contains(&Companion::Errors) {
        errors::companions(case, &known.word);
    }
    progress::check(case, known);
    Ran::Checked
}

fn unknown(case: &mut Case<'_, '_>, status: &str, agent: Option<&str>) {
    let profile = case.profile();
    let mut words: Vec<_> = Vec::new();
    for known in profile.statuses_of(agent) {
        if !words.contains(&&known.word) {
            words.push(&known.word);
        }
    }
    let forbidden = profile.forbidden.iter().find(|(word, _)| *word == status);
    let advice = match forbidden {
        Some((_, why)) => Some(why.to_string()),
        None => meant(profile, status, agent)
            .map(|word| format!("did it mean {}?", escape::truncated(word))),
    };
    let at = At::Value(Pointer::root().key("status"));
    let notes = vec![format!("Valid statuses: {}", escape::list(words))];
    case.find(Found {
        notes,
        advice,
        ..Found::new(&UNKNOWN, at, &[("status", &escape::truncated(status))])
    });
}

/// The status that was probably meant: known by another word, else alike.
fn meant<'p>(profile: &'p Profile, status: &str, agent: Option<&str>) -> Option<&'p str> {
    let plain_status = plain(status);
    let is_meant = |known: &&Status| known.aliases.iter().any(|word| plain(word) == plain_status);
    let by_another_word = profile
        .statuses_of(agent)
        .find(is_meant)
        .map(|known| &*known.word);
    by_another_word
        .or_else(|| nearest(status, profile.statuses_of(agent).map(|known| &*known.word)))
}
