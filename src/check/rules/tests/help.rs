//! Recommendations of findings: whom they address, and which value they mention.

use super::artifacts::{FAILED, root};
use crate::Checker;
use crate::profile::{RETURN, RETURN_META};

#[test]
fn help_addresses_the_agent_of_the_caller_then_of_the_return() {
    let root = root();
    let text = FAILED.replace("\"failed\"", "\"complete\"");
    let help = |text: &str, agent| {
        let checker = Checker::new(&RETURN, &root).agent(agent);
        let report = checker.check(text);
        let of_status = report.findings.iter().find(|it| it.rule.id == "status-unknown");
        of_status.expect("a finding").help.clone()
    };
    let meant = "to use valid status enum: did you mean completed?";
    assert_eq!(help(&text, Some("boss")), format!("Fix boss subagent {meant}"));
    assert_eq!(help(&text, None), format!("Fix planner subagent {meant}"));
    for nobody in ["\" \"", "1"] {
        let text = text
            .replace("\"planner\", \"delegation_depth", &format!("{nobody}, \"delegation_depth"));
        assert_eq!(help(&text, None), format!("Fix the subagent {meant}"));
        assert_eq!(help(&text, Some("boss")), format!("Fix boss subagent {meant}"));
    }
}

#[test]
fn help_distinguishes_null_from_an_absent_member() {
    let root = root();
    let help = |text: &str| {
        let report = Checker::new(&RETURN, &root).check(text);
        let missing = report.findings.iter().find(|it| it.rule.id == "field-missing");
        missing.expect("a finding").help.clone()
    };
    let summary = "\"summary\": \"It failed. Nothing was written.\", ";
    assert!(FAILED.contains(summary));
    let all = "Fix planner subagent to include all required fields";
    assert_eq!(help(&FAILED.replace(summary, "")), all);
    assert_eq!(
        help(&FAILED.replace(summary, "\"summary\": null, ")),
        format!("{all}: summary is null, give it a value")
    );
}

#[test]
fn help_suggests_the_nearest_status_or_says_why_it_is_forbidden() {
    let root = root();
    let advice = |profile, status: &str| {
        let text = FAILED.replace("failed", status);
        let report = Checker::new(profile, &root).check(&text);
        let mut findings = report.findings.into_iter();
        let of_status = findings.find(|it| it.rule.id == "status-unknown");
        let help = of_status.expect("a finding");
        help.help.split_once("status enum").expect("help").1.to_owned()
    };
    for (status, meant) in [("Complete", "completed"), ("faild", "failed")] {
        assert_eq!(advice(&RETURN, status), format!(": did you mean {meant}?"));
    }
    assert_eq!(advice(&RETURN, "banana"), "");
    assert_eq!(advice(&RETURN, "done"), "");
    assert_eq!(
        advice(&RETURN_META, "completed"),
        ": the document forbids it because Claude takes the word as its own signal to stop"
    );
    assert_eq!(advice(&RETURN_META, "faild"), ": did you mean failed?");
}

#[test]
fn help_suggests_the_nearest_artifact_type() {
    let root = root();
    let help = |kind: &str| {
        let text = FAILED.replace("\"plan\"", &format!("\"{kind}\""));
        let report = Checker::new(&RETURN, &root).check(&text);
        let mut findings = report.findings.into_iter();
        let of_type = findings.find(|it| it.rule.id == "artifact-type");
        of_type.expect("a finding").help.clone()
    };
    let all =
        "Fix planner subagent to use one of plan, report, summary, implementation, documentation";
    assert_eq!(help("plna"), format!("{all}: did you mean plan?"));
    assert_eq!(help("banana"), all);
}

#[test]
fn help_on_invalid_json_says_what_to_do() {
    let root = root();
    let report = Checker::new(&RETURN, &root).check(r#"{"status": "failed",}"#);
    assert_eq!(
        report.findings[0].help,
        "Fix the subagent return format: remove the comma before the closing bracket"
    );
}
