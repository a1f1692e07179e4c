//! What a return says went wrong.

use crate::checker::context::{At, Case, Found};
use crate::document::{ReportedError, Returned};
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::profile::{Companion, Requirement};
use crate::rule::{Applies, Example, Rule, TextLimit};
use crate::rules::texts;
use crate::step::Step;
use crate::text::escape;

/// A status that is no success comes without errors.
pub(super) static MISSING: Rule = Rule {
    id: "errors-missing",
    step: Step::Status,
    level: Level::Warning,
    applies: Applies::IfStatusNeeds(Companion::Errors),
    message: "Status is {status} and there are no errors",
    help: "Fix {agent} subagent to say what went wrong in errors",
    explanation: "The work did not end in success and the return does not say why, so that nobody can decide \
                  whether to try again.",
    seed: "000, errors; 004, errors",
    example: Example::of_members(
        "return",
        r#""status": "partial""#,
        r#""status": "partial", "errors": [{"type": "timeout", "message": "No answer in 30 s", "recoverable": true, "recommendation": "Run /plan 12 again"}]"#,
    ),
};

/// An error lacks a part.
pub(super) static INCOMPLETE: Rule = Rule {
    id: "error-incomplete",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfFieldRecommended("errors[]."),
    message: "Error has no {what}: {name}",
    help: "Fix {agent} subagent to write {what} in every error",
    explanation: "An error lacks one of the parts that the standard gives it. Retry logic reads recoverable, people \
                  read message and recommendation.",
    seed: "000, errors; 001, error fields; 004, errors",
    example: Example::of_members(
        "return",
        r#""status": "partial", "errors": [{"message": "No internet"}]"#,
        r#""status": "partial", "errors": [{"type": "timeout", "message": "No answer in 30 s", "recoverable": true, "recommendation": "Run /plan 12 again"}]"#,
    ),
};

/// An error is of a type that the standard does not list.
pub(crate) static TYPE: Rule = Rule {
    id: "error-type",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfErrorTypes,
    message: "Unknown error type: {kind}",
    help: "Fix {agent} subagent to use one of {types}",
    explanation: "The type of an error is not one of the standard's, so that callers that act by type pass over it.",
    seed: "001, error fields; 004, schema",
    example: Example::of_members(
        "return-v1",
        r#""status": "failed", "errors": [{"type": "validatoin", "message": "No plan", "code": "PLAN_MISSING", "recoverable": true}]"#,
        r#""status": "failed", "errors": [{"type": "validation", "message": "No plan", "code": "PLAN_MISSING", "recoverable": true}]"#,
    ),
};

/// An error's code is not in `UPPERCASE_SNAKE_CASE`.
pub(super) static CODE_FORMAT: Rule = Rule {
    id: "error-code-format",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfRequires(Requirement::UpperSnakeErrorCodes),
    message: "Error code is not in UPPERCASE_SNAKE_CASE: {code}",
    help: "Fix {agent} subagent to write error codes as TIMEOUT_EXCEEDED",
    explanation: "Codes are compared by programs; one spelling makes them comparable.",
    seed: "001, error fields",
    example: Example::of_members(
        "return-v1",
        r#""status": "failed", "errors": [{"type": "validation", "message": "No plan", "code": "planMissing", "recoverable": true}]"#,
        r#""status": "failed", "errors": [{"type": "validation", "message": "No plan", "code": "PLAN_MISSING", "recoverable": true}]"#,
    ),
};

/// An error's message is too long.
pub(crate) static MESSAGE_LONG: Rule = Rule {
    id: "error-message-long",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfLimit(TextLimit::ErrorMessage),
    message: "Error message is long: {length} of {most} characters",
    help: "Fix {agent} subagent to keep error messages to {most} characters",
    explanation: "Messages are read in the orchestrator's context; logs and traces belong into an artifact.",
    seed: "001, error fields",
    example: Example::of_members(
        "return-v1",
        r#""status": "failed", "errors": [{"type": "execution", "message": "error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens", "code": "BUILD_FAILED", "recoverable": true}]"#,
        r#""status": "failed", "errors": [{"type": "execution", "message": "The build failed in table.rs", "code": "BUILD_FAILED", "recoverable": true}]"#,
    ),
};

pub(super) fn check(case: &mut Case<'_, '_>) {
    let Some(Returned::Return(returned)) = case.returned else {
        return;
    };
    let Some(errors) = returned.errors.present() else {
        return;
    };
    for (index, error) in errors.iter().enumerate() {
        let Some(error) = error.present() else {
            continue;
        };
        let at = || Pointer::root().key("errors").index(index);
        for what in &case.checker.paths.recommended_of_errors {
            if lacks(error, what) {
                let name = at().dotted();
                case.find(Found::new(
                    &INCOMPLETE,
                    At::Value(at()),
                    &[("what", &what), ("name", &name)],
                ));
            }
        }
        let (types, most) = (
            &case.profile().error_types,
            case.profile().limits.error_message_at_most,
        );
        texts::one_of(case, &TYPE, (&error.kind, types), || at().key("type"));
        code(case, error, at);
        texts::at_most(case, &MESSAGE_LONG, (&error.message, most), || {
            at().key("message")
        });
    }
}

fn lacks(error: &ReportedError<'_>, what: &str) -> bool {
    match what {
        "type" => error.kind.is_unfilled(),
        "message" => error.message.is_unfilled(),
        "recoverable" => error.recoverable.is_absent(),
        "recommendation" => error.recommendation.is_unfilled(),
        _ => false,
    }
}

fn code(case: &mut Case<'_, '_>, error: &ReportedError<'_>, at: impl Fn() -> Pointer) {
    let Some(code) = error.code.present().filter(|_| case.wants(&CODE_FORMAT)) else {
        return;
    };
    if !is_upper_snake(code) {
        let at = At::Value(at().key("code"));
        case.find(Found::new(
            &CODE_FORMAT,
            at,
            &[("code", &escape::truncated(code))],
        ));
    }
}

fn is_upper_snake(code: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    code.split('_').all(is_word) && code.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Whether a status that asks for errors comes with some.
pub(super) fn companions(case: &mut Case<'_, '_>, status: &str) {
    let Some(Returned::Return(returned)) = case.returned else {
        return;
    };
    let is_empty =
        returned.errors.is_absent() || returned.errors.present().is_some_and(Vec::is_empty);
    if is_empty {
        let has_none = if returned.errors.is_absent() {
            Pointer::root().key("status")
        } else {
            Pointer::root().key("errors")
        };
        case.find(Found::new(
            &MISSING,
            At::Value(has_none),
            &[("status", &escape::truncated(status))],
        ));
    }
}
