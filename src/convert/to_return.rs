//! `return-v1` to `return`: version 1.0 leaves out what the later standard asks for.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::convert::changes::Changes;
use crate::convert::metadata::AnyMetadata;
use crate::convert::note::NoteKind;
use crate::convert::raw::{Held, HeldList, Leaf, is_absent, is_unfilled, made};
use crate::convert::source::{SourceError as Reported, SourceReturn};
use crate::convert::target::{TargetError, TargetReturn};
use crate::json::pointer::Pointer;
use crate::text::escape::truncated;

pub(super) fn document<'t>(
    mut source: SourceReturn<'t>,
    status: Leaf<'t>,
    ledger: &mut Changes<'t>,
) -> TargetReturn<'t> {
    delegation(&mut source.metadata, ledger);
    TargetReturn {
        status,
        errors: errors(source.errors, &source.next_steps, ledger),
        summary: source.summary,
        artifacts: source.artifacts,
        metadata: source.metadata,
        next_steps: source.next_steps,
    }
}

/// Version 1.0 need not say who called whom.
fn delegation<'t>(metadata: &mut AnyMetadata<'t>, ledger: &mut Changes<'t>) {
    let why = "0, which return-v1 takes where nothing is said (--delegation-depth says another)";
    metadata.default("delegation_depth", made(&0), why, ledger);
    if let Some(agent) = metadata.agent() {
        let why = format!(
            "only {}, for nobody says who called it (--delegation-path does)",
            truncated(&agent)
        );
        metadata.default("delegation_path", made(&[agent]), why, ledger);
    }
}

/// An error of version 1.0 has a code, and may not say whether to try again or what to do.
fn errors<'t>(
    errors: HeldList<'t, Reported<'t>>,
    next_steps: &Leaf<'t>,
    ledger: &mut Changes<'t>,
) -> HeldList<'t, TargetError<'t>> {
    let is_only = matches!(&errors, Held::Is(items) if items.len() == 1);
    // What to do next is what to do about the error only where there is one.
    let next_steps = next_steps
        .as_ref()
        .filter(|_| is_only && !is_unfilled(next_steps));
    errors.map(|index, error| {
        let at = Pointer::root().key("errors").index(index);
        if let Some(code) = error.code {
            keep_code(&at, code, ledger);
        }
        let mut recoverable = error.recoverable;
        if is_absent(&recoverable) {
            let at = at.clone().key("recoverable");
            let why = "false, which return-v1 takes where nothing is said";
            ledger.note(
                NoteKind::Defaulted,
                (recoverable.is_some().then_some(&at), Some(&at)),
                why,
            );
            recoverable = made(&false);
        }
        let at = at.key("recommendation");
        let recommendation = error.recommendation.or_else(|| ledger.put_back(&at));
        TargetError {
            kind: error.kind,
            message: error.message,
            recoverable,
            recommendation: recommendation.map(Cow::Borrowed).or_else(|| {
                let next_steps = next_steps?;
                ledger.mapped(
                    &Pointer::root().key("next_steps"),
                    &at,
                    "the only error: what to do next is about it",
                );
                Some(next_steps.clone())
            }),
        }
    })
}

pub(super) fn keep_code<'t>(error: &Pointer, code: &'t RawValue, ledger: &mut Changes<'t>) {
    let why = format!("{} has no codes", ledger.to.id);
    ledger.keep(&error.clone().key("code"), code, why);
}
