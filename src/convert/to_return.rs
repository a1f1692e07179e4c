//! `return-v1` to `return`, which requires more members than version 1.0.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::convert::changes::Changes;
use crate::convert::metadata::AnyMetadata;
use crate::convert::note::NoteKind;
use crate::convert::raw::{Leaf, Part, PartList, is_absent, is_unfilled, made};
use crate::convert::source::{SourceError as Reported, SourceReturn};
use crate::convert::target::{TargetError, TargetReturn};
use crate::json::pointer::Pointer;
use crate::text::escape::truncated;

pub(super) fn document<'t>(
    mut source: SourceReturn<'t>,
    status: Leaf<'t>,
    changes: &mut Changes<'t>,
) -> TargetReturn<'t> {
    delegation(&mut source.metadata, changes);
    TargetReturn {
        status,
        errors: errors(source.errors, &source.next_steps, changes),
        summary: source.summary,
        artifacts: source.artifacts,
        metadata: source.metadata,
        next_steps: source.next_steps,
        rest: source.rest,
    }
}

/// Fills in the delegation, which version 1.0 does not require.
fn delegation<'t>(metadata: &mut AnyMetadata<'t>, changes: &mut Changes<'t>) {
    let why = "0, the default of return-v1; set it with --delegation-depth";
    metadata.default("delegation_depth", made(&0), why, changes);
    if let Some(agent) = metadata.agent() {
        let why = format!(
            "only {}, because the callers are unknown; set it with --delegation-path",
            truncated(&agent)
        );
        metadata.default("delegation_path", made(&[agent]), why, changes);
    }
}

/// Converts the errors. Those of version 1.0 have a code, and may lack `recoverable` and
/// `recommendation`.
fn errors<'t>(
    errors: PartList<'t, Reported<'t>>,
    next_steps: &Leaf<'t>,
    changes: &mut Changes<'t>,
) -> PartList<'t, TargetError<'t>> {
    let is_only = matches!(&errors, Part::Value(items) if items.len() == 1);
    // The next steps are the recommendation only if there is a single error.
    let next_steps = next_steps
        .as_ref()
        .filter(|_| is_only && !is_unfilled(next_steps));
    errors.map(|index, error| {
        let at = Pointer::root().key("errors").index(index);
        if let Some(code) = error.code {
            keep_code(&at, code, changes);
        }
        let mut recoverable = error.recoverable;
        if is_absent(&recoverable) {
            let at = at.clone().key("recoverable");
            let why = "false, the default of return-v1";
            changes.note(
                NoteKind::Defaulted,
                recoverable.is_some().then_some(&at),
                Some(&at),
                why,
            );
            recoverable = made(&false);
        }
        let at = at.key("recommendation");
        let recommendation = error.recommendation.or_else(|| changes.restore(&at));
        TargetError {
            rest: error.rest,
            kind: error.kind,
            message: error.message,
            recoverable,
            recommendation: recommendation.map(Cow::Borrowed).or_else(|| {
                let next_steps = next_steps?;
                changes.mapped(
                    &Pointer::root().key("next_steps"),
                    &at,
                    "next_steps is the recommendation of the only error",
                );
                Some(next_steps.clone())
            }),
        }
    })
}

pub(super) fn keep_code<'t>(error: &Pointer<'_>, code: &'t RawValue, changes: &mut Changes<'t>) {
    let why = format!("{} has no error codes", changes.to.id);
    changes.keep(&error.clone().key("code"), code, why);
}
