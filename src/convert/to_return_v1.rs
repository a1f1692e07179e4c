//! `return` to `return-v1`: the earlier standard has no place for recommendations.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::convert::changes::Changes;
use crate::convert::raw::{Held, HeldList, Leaf, is_unfilled, made, text};
use crate::convert::source::{SourceError, SourceReturn};
use crate::convert::target::{CodedError, ReturnV1};
use crate::json::pointer::Pointer;

pub(super) fn document<'t>(
    mut source: SourceReturn<'t>,
    status: Leaf<'t>,
    ledger: &mut Changes<'t>,
) -> ReturnV1<'t> {
    let why = "0, for nobody measured it (--duration-seconds says another)";
    source
        .metadata
        .default("duration_seconds", made(&0), why, ledger);
    let errors = errors(source.errors, &mut source.next_steps, ledger);
    ReturnV1 {
        status,
        errors,
        summary: source.summary,
        artifacts: source.artifacts,
        metadata: source.metadata,
        next_steps: source.next_steps,
    }
}

fn errors<'t>(
    errors: HeldList<'t, SourceError<'t>>,
    next_steps: &mut Leaf<'t>,
    ledger: &mut Changes<'t>,
) -> HeldList<'t, CodedError<'t>> {
    let is_only = matches!(&errors, Held::Is(items) if items.len() == 1);
    errors.map(|index, error| {
        let at = Pointer::root().key("errors").index(index);
        if let Some(recommendation) = error.recommendation {
            let at = at.clone().key("recommendation");
            place(&at, recommendation, (is_only, next_steps), ledger);
        }
        let code = error.code.or_else(|| ledger.put_back(&at.key("code")));
        CodedError {
            kind: error.kind,
            message: error.message,
            code: code.map(Cow::Borrowed),
            recoverable: error.recoverable,
        }
    })
}

/// The recommendation of the only error is what to do next; any other is kept.
fn place<'t>(
    at: &Pointer,
    recommendation: &'t RawValue,
    (is_only, next_steps): (bool, &mut Leaf<'t>),
    ledger: &mut Changes<'t>,
) {
    let to = Pointer::root().key("next_steps");
    let says = text(&Some(Cow::Borrowed(recommendation)));
    if is_only && says.is_some() && says == text(next_steps) {
        ledger.mapped(at, &to, "it says the same");
    } else if is_only && says.is_some() && is_unfilled(next_steps) {
        ledger.uncopy(&to);
        ledger.mapped(
            at,
            &to,
            "the only error: what to do about it is what to do next",
        );
        *next_steps = Some(Cow::Borrowed(recommendation));
    } else {
        ledger.keep(at, recommendation, "return-v1 has no recommendations");
    }
}
