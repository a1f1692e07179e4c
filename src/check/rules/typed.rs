//! The typed values that the steps ask for, made from what stands at the places of the profile.

use std::borrow::Cow;

use crate::check::Context;
use crate::check::returned::{ReadArtifact, ReadReturn, SeenFile, passing_tests};
use crate::check::rules::taken::{Taken, TakenValues, first, pieces, place_of};
use crate::check::rules::{claims, named_files, status};
use crate::document::tree::Value;
use crate::profile::paths::{NO_FILE, UNCLEAR};
use crate::profile::{RoleMember, Status};

/// The values of the roles, and the status that the profile knows.
pub(crate) fn returned<'d, 't>(
    taken: &TakenValues<'d, 't>,
    context: &Context<'_, 't>,
) -> (ReadReturn<'d, 't>, Option<&'t Status>) {
    let text = |role| first(role).map(|it| it.text.clone());
    let agent = text(&taken.agent);
    let (status, known) = status::of(taken, context.profile, context.agent_of(agent.as_deref()));
    let mut own = ReadReturn {
        status,
        summary: summary(&taken.summary),
        session: text(&taken.session),
        agent,
        ..ReadReturn::default()
    };
    if taken.profile.is_own() {
        with_claims(&mut own, taken, context);
    } else {
        with_artifacts(&mut own, taken);
    }
    (own, known)
}

/// Adds what the built-in formats have: members of which the types are known.
fn with_artifacts<'d, 't>(own: &mut ReadReturn<'d, 't>, taken: &TakenValues<'d, 't>) {
    let (profile, document) = (taken.profile, taken.document);
    if let Some(role) = &profile.roles.artifacts {
        let list = role.path().member(document).filter(|it| it.is_list());
        let found: Vec<_> = match &*role.members {
            [] => taken.values_at(role),
            _ => list.into_iter().flat_map(Value::items).collect(),
        };
        let artifact = |row: &Value<'d, 't>| {
            let of = |wanted| {
                let mut members = role.members.iter();
                members.find(|(member, _)| *member == wanted)?.1.member(*row)
            };
            let text = |member| of(member)?.text_of_message();
            let at = if role.members.is_empty() { *row } else { of(RoleMember::Path)? };
            Some(ReadArtifact {
                kind: text(RoleMember::Kind),
                summary: text(RoleMember::Summary),
                ..ReadArtifact::new(at.text_of_message()?, at)
            })
        };
        own.artifacts = found.iter().filter_map(artifact).collect();
        let is_there = role.members.is_empty() || list.is_some();
        own.claimed = is_there.then_some(found.len());
    }
    if profile.is_handoff() {
        own.tests = passing_tests(document);
    } else {
        own.metadata = document.object_of("metadata");
    }
}

/// Adds what the roles of a profile of one's own claim.
fn with_claims<'d, 't>(
    own: &mut ReadReturn<'d, 't>,
    taken: &TakenValues<'d, 't>,
    context: &Context<'_, 't>,
) {
    let places = [
        ("status", &taken.status),
        ("session", &taken.session),
        ("agent", &taken.agent),
        ("summary", &taken.summary),
        ("artifacts", &taken.artifacts),
        ("changed", &taken.changed),
    ];
    let places = places.into_iter().filter_map(|(name, role)| {
        let (role, found) = role.as_ref()?;
        Some((name, place_of(taken.document, (role, found))))
    });
    let claimed = [("tests", &taken.tests), ("commits", &taken.commits)].into_iter();
    let claimed = claimed.filter_map(|(name, claims)| Some((name, claims.first()?.at())));
    own.places = places.chain(claimed).collect();
    own.tests = claims::passed_tests(&taken.tests);
    own.has_commits = claims::names_commits(&taken.commits);
    if context.expected.evidence.is_some() {
        own.seen = seen(taken);
    }
    let mut unreadable;
    (own.artifacts, unreadable) = named_files::paths(&taken.artifacts, taken.profile);
    own.artifacts.retain(|it| {
        // No remark is a way around the check.
        let doubt = named_files::doubt(&it.path, it.doubt, context);
        unreadable += usize::from(doubt.is_some_and(|why| ![UNCLEAR, NO_FILE].contains(&why)));
        doubt.is_none()
    });
    own.claimed = Some(own.artifacts.len() + unreadable);
}

const SEEN_AT_MOST: usize = 500;

/// The files that a return cites, or that its verdict is about, each once.
fn seen<'v, 't>(taken: &TakenValues<'v, 't>) -> Vec<SeenFile<'v, 't>> {
    let profile = taken.profile;
    let (covered, _) = named_files::paths(&taken.covers, profile);
    let covered =
        covered.into_iter().map(|file| SeenFile { path: file.path, quote: None, at: file.at });
    let cited = taken.cites.iter();
    let cited = cited.flat_map(|claim| claims::cites_of(claim, profile.form, &profile.none));
    let cited = cited.map(|(cite, [at, _])| SeenFile { path: cite.path, quote: cite.quote, at });
    let mut seen: Vec<SeenFile<'v, 't>> = Vec::new();
    for file in covered.chain(cited) {
        if seen.len() < SEEN_AT_MOST && seen.iter().all(|it| it.path != file.path) {
            seen.push(file);
        }
    }
    seen
}

fn summary<'t>(taken: &Taken<'_, 't>) -> Option<Cow<'t, str>> {
    match pieces(taken)? {
        [] => None,
        [one] => Some(one.text.clone()),
        several => {
            let texts: Vec<_> = several.iter().map(|it| &*it.text).collect();
            Some(texts.join("\n").into())
        }
    }
}
