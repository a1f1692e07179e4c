//! Edges of the way from bytes to a report, each from both sides.

use crate::check::collector::POINTER_BYTES_KEPT;
use crate::check::report::{Report, StepOutcome, StepReport};
use crate::document::DEPTH_AT_MOST;
use crate::document::ITEMS_AT_MOST;
use crate::profile::{FieldSpec, HANDOFF, Need, Profile, RETURN, RETURN_V1};
use crate::rule::{Level, Rule, Step};
use crate::{Checker, Root};

const WHOLE: &str = r#"{"status": "failed", "summary": "It failed. Nothing was written.", "artifacts": [], "errors": [], "metadata": {"session_id": "s", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "planner"]}}"#;

fn root() -> Root {
    Root::open(env!("CARGO_MANIFEST_DIR")).expect("a folder")
}

fn skipped(report: &Report) -> Vec<Step> {
    let skipped = |it: &&StepReport| matches!(it.outcome, StepOutcome::Skip(_));
    let steps = report.steps.iter().filter(skipped);
    steps.map(|it| it.step).collect()
}

#[test]
fn limits_are_exact() {
    let root = root();
    let bytes = u64::try_from(WHOLE.len()).expect("few");
    let checker = |most| Checker::new(&RETURN, &root).max_bytes(most);
    assert_eq!(checker(bytes).check(WHOLE).found("json-limit"), 0);
    assert_eq!(checker(bytes - 1).check(WHOLE).found("json-limit"), 1);
    for (levels, found) in [(DEPTH_AT_MOST - 1, 0), (DEPTH_AT_MOST, 1)] {
        let inner = "[".repeat(levels) + &"]".repeat(levels);
        let deep = WHOLE.replacen('{', &format!("{{\"deep\": {inner}, "), 1);
        let report = checker(BYTES).check(&deep);
        assert_eq!(report.found("json-limit"), found, "{levels} levels");
    }
}

const BYTES: u64 = 1024 * 1024;

#[test]
fn items_and_keys_are_counted_together() {
    let root = root();
    let checker = Checker::new(&RETURN, &root);
    // `delegation_path` is one more, with two items.
    let artifacts = ITEMS_AT_MOST - 23;
    let items = vec!["1"; artifacts].join(",");
    for (keys, found) in [(20, 0), (21, 1)] {
        let members: Vec<_> = (0..keys).map(|it| format!("\"{it}\": 0")).collect();
        let members = format!("{{\"inner\": {{{}}}, ", members.join(", "));
        let text = WHOLE.replacen("[]", &format!("[{items}]"), 1).replacen('{', &members, 1);
        let report = checker.check(&text);
        assert_eq!(report.found("json-limit"), found, "{keys}");
        assert_eq!(report.found("field-type"), (1 - found) * artifacts);
    }
}

#[test]
fn fail_fast_stops_after_the_first_step_that_fails() {
    let root = root();
    let checker = |fast| Checker::new(&RETURN, &root).session("s").fail_fast(fast);
    let unknown = WHOLE.replace("\"failed\"", "\"odd\"");
    assert_eq!(skipped(&checker(true).check(WHOLE)), []);
    assert_eq!(skipped(&checker(false).check(&unknown)), [Step::Artifacts]);
    assert_eq!(
        skipped(&checker(true).check(&unknown)),
        [Step::Session, Step::Summary, Step::Artifacts]
    );
}

#[test]
fn a_byte_order_mark_is_not_reported_as_wrapping() {
    let root = root();
    let checker = Checker::new(&RETURN, &root).extract(true);
    let marked = format!("\u{feff}{WHOLE}");
    assert_eq!(checker.check(&marked).found("json-syntax"), 1);
    assert_eq!(checker.check(&format!("Done. {WHOLE}")).failures, 0);
}

#[test]
fn a_failing_return_names_its_agent_and_session() {
    let root = root();
    let checker = Checker::new(&RETURN, &root);
    let valid = checker.check(WHOLE);
    assert!(valid.is_valid() && valid.returned.delegation.is_some());
    let failing = WHOLE.replace("\"failed\"", "\"odd\"");
    let delegation = checker.check(&failing).returned.delegation.expect("it has one");
    assert_eq!(delegation.depth, Some(1.0));
    assert_eq!(delegation.path, ["orchestrator", "planner"]);
}

#[test]
fn a_success_claims_success_and_nothing_else_does() {
    let root = root();
    let checker = Checker::new(&RETURN, &root);
    let claims = |status: &str| {
        let text = WHOLE.replace("\"failed\"", status);
        checker.check(&text).claims_success
    };
    assert!(claims("\"completed\""));
    assert!(!claims("\"failed\"") && !claims("\"odd\"") && !claims("1"));
}

#[test]
fn findings_beyond_those_kept_are_counted() {
    let root = root();
    let checker = Checker::new(&RETURN, &root);
    let many = WHOLE.replace("[], \"errors\"", &format!("[{}1], \"errors\"", "1,".repeat(1_499)));
    let report = checker.check(&many);
    assert_eq!((report.found("field-type"), report.findings.len()), (1_500, 1_000));
    assert_eq!(report.findings_omitted(), report.failures + report.warnings - 1_000);
    let doubles = WHOLE.replacen('{', &format!("{{{}", "\"a\": 1, ".repeat(1_201)), 1);
    let report = checker.check(&doubles);
    assert_eq!((report.found("json-duplicate-key"), report.failures), (1_200, 1_200));
    let rule = Rule::named("json-duplicate-key").expect("a rule");
    let warned = checker.rule(rule, Level::Warning);
    let report = warned.check(&doubles);
    assert_eq!((report.failures, report.findings.len()), (0, 1_000));
}

#[test]
fn findings_below_keys_as_long_as_a_return_are_kept_up_to_a_bound() {
    let root = root();
    let key = "k".repeat(POINTER_BYTES_KEPT + 1);
    let four = |member: &str| [member; 4].join(", ");
    let doubles = format!("{{{}}}", four(&format!("\"{key}\": 0")));
    let checker = Checker::new(&RETURN, &root).max_bytes(8 * BYTES);
    let report = checker.check(&doubles);
    let kept = |report: &Report, rule: &str| {
        let kept = report.findings.iter().filter(|it| it.rule.id == rule);
        (report.found(rule), kept.count())
    };
    assert_eq!(kept(&report, "json-duplicate-key"), (3, 2));
    let wrong = ["a", "b", "c"].map(|it| format!("\"{it}{key}\": 0"));
    let handoff = format!("{{\"artifacts\": {{{}}}}}", wrong.join(", "));
    let checker = Checker::new(&HANDOFF, &root).max_bytes(8 * BYTES);
    let report = checker.check(&handoff);
    assert_eq!(kept(&report, "field-type"), (3, 2));
}

#[test]
fn custom_members_of_any_type_are_seen() {
    let root = root();
    let mut fields = RETURN.fields.to_vec();
    fields.push(FieldSpec::new("ticket", Need::Required));
    let own = Profile { fields: fields.into(), ..RETURN.clone() };
    let checker = Checker::new(&own, &root);
    let found = |value: &str| -> Vec<String> {
        let text = WHOLE.replacen('{', &format!("{{\"ticket\": {value}, "), 1);
        let report = checker.check(&text);
        let failing = report.findings.iter().filter(|it| it.level == Level::Error);
        failing.map(|it| it.head.clone()).collect()
    };
    for value in ["\"T-1\"", "\"\\u0054\"", "1", "-1", "1.5", "true", "[1]", "{\"a\": 1}"] {
        assert!(found(value).is_empty(), "{value}");
    }
    assert_eq!(found("null"), ["Missing required field: ticket"]);
    assert_eq!(found("\" \""), ["Empty required field: ticket"]);
    assert_eq!(found("\"\\u0020\""), ["Empty required field: ticket"]);
    let without = checker.check(WHOLE);
    assert_eq!(without.findings[0].head, "Missing required field: ticket");
    for value in ["[{\"a\": 1, \"a\": 2}]", "{\"b\": {\"a\": 1, \"a\": 2}}"] {
        assert_eq!(found(value), ["Duplicate key: a"], "{value}");
    }
}

#[test]
fn metadata_members_are_named_alone_and_others_by_their_path() {
    let root = root();
    let required = |path: &'static str| FieldSpec::new(path, Need::Required);
    let own = Profile {
        fields: ["metadata.retries", "partial_progress.stage"].map(required).to_vec().into(),
        ..RETURN.clone()
    };
    let checker = Checker::new(&own, &root);
    let text = WHOLE.replacen('{', r#"{"partial_progress": {"details": "x"}, "#, 1);
    let report = checker.check(&text);
    let heads: Vec<_> = report.findings.iter().map(|it| &*it.head).collect();
    assert_eq!(
        heads[..2],
        [
            "Missing required metadata field: retries",
            "Missing required field: partial_progress.stage"
        ]
    );
}

#[test]
fn a_handoff_has_the_words_of_the_agent_that_was_called_before_those_of_the_one_it_names() {
    let root = root();
    let text =
        |agent| format!(r#"{{"from_agent": "{agent}", "status": "PASS", "summary": "All pass."}}"#);
    let unknown = |agent, called| {
        let checker = Checker::new(&HANDOFF, &root).agent(called);
        checker.check(&text(agent)).found("status-unknown")
    };
    assert_eq!(unknown("qa_expert", Some("developer")), 1);
    assert_eq!(unknown("developer", Some("qa_expert")), 0);
    assert_eq!(unknown("qa_expert", None), 0);
    assert_eq!(unknown("developer", None), 1);
    assert_eq!(unknown("QA", Some("developer")), 1);
    assert_eq!(unknown("QA", Some("qa_expert")), 0);
    assert_eq!(unknown("QA", None), 0);
}

#[test]
fn the_order_of_options_does_not_matter() {
    type Set = for<'c> fn(Checker<'c>) -> Checker<'c>;
    let rule = |id| Rule::named(id).expect("a rule");
    let set: [Set; 4] = [
        |checker| checker.strict(true),
        |checker| {
            let rule = Rule::named("summary-sentences").expect("a rule");
            checker.rule(rule, Level::Warning)
        },
        |checker| {
            let rule = Rule::named("delegation-path-end").expect("a rule");
            checker.rule(rule, Level::Off)
        },
        |checker| checker.agent("planner").session("other"),
    ];
    let root = root();
    let text = WHOLE
        .replace("It failed. Nothing was written.", "It failed")
        .replace(r#""planner"]"#, r#""researcher"]"#);
    let mut orders = 0;
    for order in 0..4_usize.pow(4) {
        let order = [order % 4, order / 4 % 4, order / 16 % 4, order / 64];
        if (0..4).any(|option| !order.contains(&option)) {
            continue;
        }
        orders += 1;
        let checker = order
            .into_iter()
            .fold(Checker::new(&RETURN, &root), |checker, option| set[option](checker));
        let report = checker.check(&text);
        let found: Vec<_> = report.findings.iter().map(|it| it.rule.id).collect();
        let expected = ["errors-missing", "session-mismatch", "summary-sentences"];
        assert_eq!(found, expected, "{order:?}");
        assert_eq!((report.failures, report.warnings), (3, 0), "{order:?}");
        assert_eq!(checker.level(rule("delegation-path-end")), Level::Off);
    }
    assert_eq!(orders, 24);
}

#[test]
fn an_explicit_level_outranks_the_profile_and_strict_makes_warnings_errors() {
    let root = root();
    // The profile makes an error of this warning.
    let rule = Rule::named("artifact-not-relative").expect("a rule");
    let level = |set: Option<Level>, strict| {
        let checker = Checker::new(&RETURN_V1, &root).strict(strict);
        let checker = set.into_iter().fold(checker, |it, level| it.rule(rule, level));
        checker.level(rule)
    };
    for strict in [false, true] {
        assert_eq!(level(None, strict), Level::Error);
        assert_eq!(level(Some(Level::Off), strict), Level::Off);
        assert_eq!(level(Some(Level::Error), strict), Level::Error);
    }
    assert_eq!(level(Some(Level::Warning), false), Level::Warning);
    assert_eq!(level(Some(Level::Warning), true), Level::Error);
    let twice = Checker::new(&RETURN, &root).rule(rule, Level::Error);
    assert_eq!(twice.rule(rule, Level::Off).level(rule), Level::Off);
    let lenient = Checker::new(&RETURN, &root).strict(true).strict(false);
    assert_eq!(lenient.level(rule), Level::Warning);
}

#[test]
fn long_pointers_of_warnings_push_out_no_error() {
    let root = root();
    let key = "k".repeat(4 * POINTER_BYTES_KEPT);
    let rule = Rule::named("json-duplicate-key").expect("a rule");
    let checker = Checker::new(&RETURN, &root).max_bytes(16 * BYTES);
    let text = WHOLE
        .replacen('{', &format!("{{\"{key}\": 0, \"{key}\": 0, "), 1)
        .replace("\"failed\"", "1");
    let report = checker.rule(rule, Level::Warning).check(&text);
    let levels: Vec<_> = report.findings.iter().map(|it| it.level).collect();
    assert!(levels.contains(&Level::Error) && levels.contains(&Level::Warning));
}
