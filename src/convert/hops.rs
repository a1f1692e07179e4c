//! What the direct conversions change.

use crate::convert::changes::Changes;
use crate::convert::metadata::{self, agent};
use crate::convert::note::NoteKind;
use crate::convert::raw::{Members, made};
use crate::convert::source::SourceReturn;
use crate::json::pointer::Pointer;
use crate::profile::Companion;
use crate::text::escape::truncated;

/// `return-v1` to `return`, which requires more members than version 1.0: the delegation, and whether an
/// error is recoverable and what to do about it.
pub(super) fn to_return<'t>(source: &mut SourceReturn<'t>, changes: &mut Changes<'t>) {
    let SourceReturn { members, metadata } = source;
    let why = "0, the default of return-v1; set it with --delegation-depth";
    metadata::default(metadata, "delegation_depth", made(&0), why, changes);
    if let Some(agent) = agent(metadata) {
        let why = format!(
            "only {}, because the callers are unknown; set it with --delegation-path",
            truncated(&agent)
        );
        metadata::default(metadata, "delegation_path", made(&[agent]), why, changes);
    }
    // The next steps are the recommendation only if there is a single error.
    let is_only = members.list("errors").len() == 1 && !members.is_unfilled("next_steps");
    let next_steps = members.get("next_steps").filter(|_| is_only).cloned();
    for (index, error) in members.objects("errors") {
        let at = Pointer::root().key("errors").index(index);
        keep_code(error, &at, changes);
        if error.is_absent("recoverable") {
            let at = at.clone().key("recoverable");
            let from = error.get("recoverable").map(|_| &at);
            let why = "false, the default of return-v1";
            changes.note(NoteKind::Defaulted, from, Some(&at), why);
            error.set("recoverable", made(&false));
        }
        let at = at.key("recommendation");
        if error.get("recommendation").is_none() {
            let mut recommendation = changes.restore(&at);
            if let (None, Some(next_steps)) = (&recommendation, &next_steps) {
                let from = Pointer::root().key("next_steps");
                let why = "next_steps is the recommendation of the only error";
                changes.mapped(&from, &at, why);
                recommendation = Some(next_steps.clone());
            }
            error.set("recommendation", recommendation);
        }
    }
}

/// `return` to `return-v1`, which requires the duration and has no recommendations. That of a single
/// error becomes `next_steps`; others are kept.
pub(super) fn to_return_v1<'t>(source: &mut SourceReturn<'t>, changes: &mut Changes<'t>) {
    let SourceReturn { members, metadata } = source;
    let why = "0, because the duration is unknown; set it with --duration-seconds";
    metadata::default(metadata, "duration_seconds", made(&0), why, changes);
    let is_only = members.list("errors").len() == 1;
    let to = Pointer::root().key("next_steps");
    let (steps, lacks_steps) = (
        members.text("next_steps"),
        members.is_unfilled("next_steps"),
    );
    let mut next_steps = None;
    for (index, error) in members.objects("errors") {
        let at = Pointer::root().key("errors").index(index);
        if let Some(recommendation) = error.take("recommendation") {
            let at = at.clone().key("recommendation");
            let advice = recommendation.text().filter(|_| is_only);
            if advice.is_some() && advice == steps {
                changes.mapped(&at, &to, "next_steps has the same text");
            } else if advice.is_some() && lacks_steps {
                changes.uncopy(&to);
                let why = "the recommendation of the only error becomes next_steps";
                changes.mapped(&at, &to, why);
                next_steps = Some(recommendation);
            } else {
                changes.keep(&at, recommendation, "return-v1 has no recommendations");
            }
        }
        if error.get("code").is_none() {
            error.set("code", changes.restore(&at.key("code")));
        }
    }
    members.set("next_steps", next_steps);
}

pub(super) fn to_return_meta<'t>(source: &mut SourceReturn<'t>, changes: &mut Changes<'t>) {
    place_summary(source, changes);
    for (index, error) in source.members.objects("errors") {
        keep_code(error, &Pointer::root().key("errors").index(index), changes);
    }
}

fn keep_code<'t>(error: &mut Members<'t>, at: &Pointer<'_>, changes: &mut Changes<'t>) {
    if let Some(code) = error.take("code") {
        let why = format!("{} has no error codes", changes.to.id);
        changes.keep(&at.clone().key("code"), code, why);
    }
}

/// The summary becomes the completion summary or the details of the progress, depending on the
/// status; otherwise it is kept.
fn place_summary<'t>(source: &mut SourceReturn<'t>, changes: &mut Changes<'t>) {
    const PLACES: [(Companion, &str, &str); 2] = [
        (
            Companion::CompletionData,
            "completion_data",
            "completion_summary",
        ),
        (Companion::Progress, "partial_progress", "details"),
    ];
    let SourceReturn { members, metadata } = source;
    let is_text = members.text("summary").is_some() && !members.is_unfilled("summary");
    let Some(summary) = members.take("summary") else {
        return;
    };
    let at = Pointer::root().key("summary");
    changes.uncopy(&at);
    let status = members.text("status").filter(|_| is_text);
    let status = status.and_then(|word| changes.to.status(&word, None));
    for (companion, part, member) in PLACES {
        let is_required = status.is_some_and(|it| it.companions.contains(&companion));
        if let Some(place) = is_required.then(|| members.get_or_create(part)).flatten()
            && place.is_unfilled(member)
        {
            let to = Pointer::root().key(part).key(member);
            changes.mapped(&at, &to, "return-meta has no summary");
            return place.set(member, Some(summary));
        }
    }
    let custom = Members(vec![("summary".into(), summary)]);
    metadata::adopt(metadata, custom, changes);
}
