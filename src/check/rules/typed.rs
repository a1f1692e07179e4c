//! The typed values that the steps ask for, made from what stands at the places of the profile.

use std::borrow::Cow;

use crate::check::Context;
use crate::check::returned::{Field, ReadReturn};
use crate::check::rules::taken::{Taken, TakenValues, first, pieces, place_of};
use crate::check::rules::{claims, named_files, status};
use crate::profile::Status;
use crate::profile::paths::{NO_FILE, UNCLEAR};

/// The values of the roles, and the status that the profile knows.
pub(crate) fn returned<'d, 't>(
    taken: &TakenValues<'d, 't>,
    context: &Context<'_, 't>,
) -> (ReadReturn<'d, 't>, Option<&'t Status>) {
    if !taken.profile.is_own() {
        return (ReadReturn::of(taken.profile.shape, taken.document), None);
    }
    let own = first(&taken.agent).map(|it| &*it.text);
    let agent = context.expected.agent.or(own);
    let (status, known) = status::of(taken, context.profile, agent);
    let places = [
        ("status", &taken.status),
        ("session", &taken.session),
        ("agent", &taken.agent),
        ("summary", &taken.summary),
        ("artifacts", &taken.artifacts),
        ("changed", &taken.changed),
    ];
    let claimed = [("tests", &taken.tests), ("commits", &taken.commits)];
    let mut own = ReadReturn {
        status,
        summary: summary(&taken.summary),
        session: first(&taken.session).map(|it| it.text.clone()),
        agent: first(&taken.agent).map(|it| it.text.clone()),
        tests: claims::counted_tests::passed(&taken.tests),
        has_commits: claims::commits::are_named(&taken.commits),
        places: places
            .into_iter()
            .filter_map(|(name, role)| {
                let (role, found) = role.as_ref()?;
                Some((name, place_of(taken.document, (role, found))))
            })
            .chain(
                claimed
                    .into_iter()
                    .filter_map(|(name, claims)| Some((name, claims.first()?.at()))),
            )
            .collect(),
        ..ReadReturn::default()
    };
    let mut unreadable;
    (own.artifacts, unreadable) = named_files::paths(&taken.artifacts, taken.profile);
    own.artifacts.retain(|it| {
        let doubt = named_files::doubt(it, context);
        // No remark is a way around the check, but one that says that a file may be gone.
        let is_named = doubt.is_some_and(|why| ![UNCLEAR, NO_FILE].contains(&why));
        unreadable += usize::from(is_named);
        doubt.is_none()
    });
    own.claimed = Some(own.artifacts.len() + unreadable);
    (own, known)
}

/// The texts of a summary, one below the other.
fn summary<'t>(taken: &Taken<'_, 't>) -> Field<Cow<'t, str>> {
    match pieces(taken) {
        None | Some([]) => Field::Missing,
        Some([one]) => Field::Present(one.text.clone()),
        Some(several) => {
            let texts: Vec<_> = several.iter().map(|it| &*it.text).collect();
            Field::Present(texts.join("\n").into())
        }
    }
}
