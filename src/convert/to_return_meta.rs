//! `return` to `return-meta`, which has no summary.

use std::borrow::Cow;

use crate::convert::changes::Changes;
use crate::convert::raw::{Leaf, SourceMembers, is_unfilled, text};
use crate::convert::source::SourceReturn;
use crate::convert::target::{ReturnMeta, TargetError};
use crate::convert::to_return::keep_code;
use crate::json::pointer::Pointer;
use crate::profile::Companion;

pub(super) fn document<'t>(
    mut source: SourceReturn<'t>,
    status: Leaf<'t>,
    changes: &mut Changes<'t>,
) -> ReturnMeta<'t> {
    summary(&mut source, &status, changes);
    let errors = source.errors.map(|index, error| {
        if let Some(code) = error.code {
            keep_code(&Pointer::root().key("errors").index(index), code, changes);
        }
        TargetError {
            rest: error.rest,
            kind: error.kind,
            message: error.message,
            recoverable: error.recoverable,
            recommendation: error.recommendation.map(Cow::Borrowed),
        }
    });
    ReturnMeta {
        status,
        started_at: source.started_at,
        artifacts: source.artifacts,
        partial_progress: source.partial_progress,
        completion_data: source.completion_data,
        next_steps: source.next_steps,
        metadata: source.metadata,
        errors,
    }
}

/// The summary becomes the completion summary or the details of the progress, depending on the
/// status; otherwise it is kept.
fn summary<'t>(source: &mut SourceReturn<'t>, status: &Leaf<'t>, changes: &mut Changes<'t>) {
    let Some(summary) = source.summary.take() else {
        return;
    };
    let at = Pointer::root().key("summary");
    changes.uncopy(&at);
    let is_text = text(&Some(summary.clone())).is_some() && !is_unfilled(&Some(summary.clone()));
    let requires = |companion| {
        let status = text(status).and_then(|word| changes.to.status(&word, None));
        is_text && status.is_some_and(|status| status.companions.contains(&companion))
    };
    let (completes, progresses) = (
        requires(Companion::CompletionData),
        requires(Companion::Progress),
    );
    let completion = completes
        .then(|| source.completion_data.get_or_create())
        .flatten();
    let progress = progresses
        .then(|| source.partial_progress.get_or_create())
        .flatten();
    let place = completion
        .map(|data| {
            (
                "completion_data",
                "completion_summary",
                &mut data.completion_summary,
            )
        })
        .or(progress.map(|progress| ("partial_progress", "details", &mut progress.details)))
        .filter(|(_, _, place)| is_unfilled(place));
    if let Some((part, member, place)) = place {
        let to = Pointer::root().key(part).key(member);
        changes.mapped(&at, &to, "return-meta has no summary");
        *place = Some(summary);
    } else if let Cow::Borrowed(summary) = summary {
        let custom = SourceMembers(vec![(Cow::Borrowed("summary"), summary)]);
        source.metadata.adopt(custom, changes);
    }
}
