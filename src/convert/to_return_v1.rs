//! `return` to `return-v1`, which has no recommendations.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::convert::changes::Changes;
use crate::convert::raw::{Leaf, Part, PartList, is_unfilled, made, text};
use crate::convert::source::{SourceError, SourceReturn};
use crate::convert::target::{CodedError, ReturnV1};
use crate::json::pointer::Pointer;

pub(super) fn document<'t>(
    mut source: SourceReturn<'t>,
    status: Leaf<'t>,
    changes: &mut Changes<'t>,
) -> ReturnV1<'t> {
    let why = "0, because the duration is unknown; set it with --duration-seconds";
    source
        .metadata
        .default("duration_seconds", made(&0), why, changes);
    let errors = errors(source.errors, &mut source.next_steps, changes);
    ReturnV1 {
        status,
        errors,
        summary: source.summary,
        artifacts: source.artifacts,
        metadata: source.metadata,
        next_steps: source.next_steps,
        rest: source.rest,
    }
}

fn errors<'t>(
    errors: PartList<'t, SourceError<'t>>,
    next_steps: &mut Leaf<'t>,
    changes: &mut Changes<'t>,
) -> PartList<'t, CodedError<'t>> {
    let is_only = matches!(&errors, Part::Value(items) if items.len() == 1);
    errors.map(|index, error| {
        let at = Pointer::root().key("errors").index(index);
        if let Some(recommendation) = error.recommendation {
            let at = at.clone().key("recommendation");
            place(&at, recommendation, is_only, next_steps, changes);
        }
        let code = error.code.or_else(|| changes.restore(&at.key("code")));
        CodedError {
            rest: error.rest,
            kind: error.kind,
            message: error.message,
            code: code.map(Cow::Borrowed),
            recoverable: error.recoverable,
        }
    })
}

/// Moves the recommendation of a single error to `next_steps`. Other recommendations are kept.
fn place<'t>(
    at: &Pointer<'_>,
    recommendation: &'t RawValue,
    is_only: bool,
    next_steps: &mut Leaf<'t>,
    changes: &mut Changes<'t>,
) {
    let to = Pointer::root().key("next_steps");
    let advice = text(&Some(Cow::Borrowed(recommendation)));
    if is_only && advice.is_some() && advice == text(next_steps) {
        changes.mapped(at, &to, "next_steps has the same text");
    } else if is_only && advice.is_some() && is_unfilled(next_steps) {
        changes.uncopy(&to);
        changes.mapped(
            at,
            &to,
            "the recommendation of the only error becomes next_steps",
        );
        *next_steps = Some(Cow::Borrowed(recommendation));
    } else {
        changes.keep(at, recommendation, "return-v1 has no recommendations");
    }
}
