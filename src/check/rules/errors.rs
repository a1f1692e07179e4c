//! The errors that a return reports.

use crate::check::rules::common;
use crate::check::{Collector, values};
use crate::json::field::Field;
use crate::json::pointer::Pointer;
use crate::profile::document::{ReportedError, Return};
use crate::rule::{Companion, Example, Requirement, Rule, Step, ToAgent};

pub(super) static INCOMPLETE: Rule = Rule {
    id: "error-incomplete",
    applies: |it| it.recommends_below("errors[]."),
    message: "Error has no {what}: {name}",
    advice_to_agent: "Include {what} in every error",
    explanation: "An error lacks a recommended field. Retry logic reads recoverable; people \
                  read message and recommendation.",
    source: "Subagent return format, errors (required); Subagent return format 1.0, errors, fields (required); \
             Return metadata file, errors (required)",
    example: Example::of_members(
        "return",
        r#""status": "partial", "errors": [{"message": "No internet"}]"#,
        r#""status": "partial", "errors": [{"type": "timeout", "message": "No answer in 30 s", "recoverable": true, "recommendation": "Run /plan 12 again"}]"#,
    ),
    ..Rule::warning(Step::Fields)
};

pub(crate) static TYPE: Rule = Rule {
    id: "error-type",
    applies: |it| !it.error_types.is_empty(),
    message: "Unknown error type: {kind}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Use one of {types}",
    explanation: "The return format does not define this error type. Code that handles errors \
                  by type does not find it.",
    source: "Subagent return format 1.0, errors, fields (required); Return metadata file, schema",
    example: Example::of_members(
        "return-v1",
        r#""status": "failed", "errors": [{"type": "validatoin", "message": "No plan", "code": "PLAN_MISSING", "recoverable": true}]"#,
        r#""status": "failed", "errors": [{"type": "validation", "message": "No plan", "code": "PLAN_MISSING", "recoverable": true}]"#,
    ),
    ..Rule::warning(Step::Fields)
};

pub(crate) static MESSAGE_LONG: Rule = Rule {
    id: "error-message-long",
    applies: |it| it.limits.error_message_at_most.is_some(),
    message: "Error message is too long: {length} (limit {most})",
    advice_to_agent: "Keep error messages within {most} characters",
    explanation: "The orchestrator reads error messages as part of its context. Logs and stack \
                  traces belong in an artifact.",
    source: "Subagent return format 1.0, errors, fields",
    example: Example::of_members(
        "return-v1",
        r#""status": "failed", "errors": [{"type": "execution", "message": "error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens error: expected one of many tokens", "code": "BUILD_FAILED", "recoverable": true}]"#,
        r#""status": "failed", "errors": [{"type": "execution", "message": "The build failed in table.rs", "code": "BUILD_FAILED", "recoverable": true}]"#,
    ),
    ..Rule::warning(Step::Fields)
};

pub(super) fn check(collector: &mut Collector<'_, '_>, returned: &Return<'_>) {
    let context = collector.context;
    let profile = context.profile;
    let errors = returned.errors.items();
    for (index, error) in errors.iter().enumerate() {
        let Some(error) = error.present() else {
            continue;
        };
        let at = || Pointer::root().key("errors").index(index);
        let recommended = &context.required.recommended_of_errors;
        common::recommended(collector, &INCOMPLETE, error, recommended, at);
        let types = &profile.error_types;
        common::one_of(collector, &TYPE, &error.kind, types, || at().key("type"));
        code(collector, error, at);
        let most = profile.limits.error_message_at_most;
        common::at_most(collector, &MESSAGE_LONG, &error.message, most, || {
            at().key("message")
        });
    }
}

pub(super) static CODE_FORMAT: Rule = Rule {
    id: "error-code-format",
    applies: |it| it.requires(Requirement::UpperSnakeErrorCodes),
    message: "Error code is not in UPPERCASE_SNAKE_CASE: {code}",
    advice_to_agent: "Write error codes like TIMEOUT_EXCEEDED",
    explanation: "Programs compare error codes. One spelling makes them comparable.",
    source: "Subagent return format 1.0, errors, fields",
    example: Example::of_members(
        "return-v1",
        r#""status": "failed", "errors": [{"type": "validation", "message": "No plan", "code": "planMissing", "recoverable": true}]"#,
        r#""status": "failed", "errors": [{"type": "validation", "message": "No plan", "code": "PLAN_MISSING", "recoverable": true}]"#,
    ),
    ..Rule::warning(Step::Fields)
};

fn code(
    collector: &mut Collector<'_, '_>,
    error: &ReportedError<'_>,
    at: impl Fn() -> Pointer<'static>,
) {
    let Some(code) = error.code.present() else {
        return;
    };
    if collector.is_enabled(&CODE_FORMAT) && !is_upper_snake(code) {
        let values = values![code = code];
        collector.report(&CODE_FORMAT, at().key("code"), &values);
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

pub(super) static MISSING: Rule = Rule {
    id: "errors-missing",
    applies: |it| it.requires_companion(Companion::Errors),
    message: "Status is {status} but no errors are listed",
    advice_to_agent: "Say in errors what went wrong",
    explanation: "The work did not succeed and the return does not say why, so that no one can \
                  decide whether to retry.",
    source: "Subagent return format, errors (required); Return metadata file, errors",
    example: Example::of_members(
        "return",
        r#""status": "partial""#,
        r#""status": "partial", "errors": [{"type": "timeout", "message": "No answer in 30 s", "recoverable": true, "recommendation": "Run /plan 12 again"}]"#,
    ),
    ..Rule::warning(Step::Status)
};

/// Reports a return without errors, if its status requires them.
pub(super) fn companions(collector: &mut Collector<'_, '_>, returned: &Return<'_>, status: &str) {
    let member = match &returned.errors {
        Field::Missing | Field::Null => "status",
        Field::Present(errors) if errors.is_empty() => "errors",
        _ => return,
    };
    collector.report(&MISSING, member, &values![status = status]);
}
