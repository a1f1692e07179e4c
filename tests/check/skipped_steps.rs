//! Skipped checks are never silent: every skipped step, and all work without evidence, has a reason.

use retval::{RULES, Step};
use serde_json::Value;

use crate::common::{World, piped, stdout};

/// Options that let every step be skipped for one reason or another, over all fixtures.
const VARIANTS: [&str; 12] = [
    "",
    "--fail-fast",
    "--session sess_1767225600_k3m9qa --agent planner",
    "--profile compact --session tides_20260101 --group AUTH --agent qa_expert",
    "--profile compact --agent requirements_engineer --session s --group g",
    "--profile handoff --extract",
    "--rule artifact-none=off --rule artifact-not-found=off --rule summary-too-long=off --rule status-unknown=off --rule field-missing=off",
    "--max-bytes 400",
    "--evidence require",
    "--since 2100-01-01T00:00:00Z",
    "--rev none",
    "--since 2000-01-01T00:00:00Z --strict",
];

/// Rules about the work on one artifact, or on all of them.
const OF_WORK: [&str; 8] = [
    "evidence-unknown",
    "artifact-unwritten",
    "artifact-by-another",
    "artifact-stale",
    "artifact-unchanged",
    "artifact-uncommitted",
    "work-none",
    "return-cut",
];

/// The fixtures.
const ALL: &str = "rules profiles";

/// Fixtures whose artifacts an agent of the transcripts claims.
const OF_CLAIMS: &str = "rules/artifact-stale rules/work-none rules/artifact-unwritten";

fn variants() -> Vec<String> {
    let sessions = crate::common::fixtures().join("sessions");
    let sessions = std::fs::read_dir(sessions).expect("transcripts").flatten();
    let of_sessions = sessions.map(|it| {
        let name = it.file_name();
        format!("{OF_CLAIMS} --transcript sessions/{} --agent-id a1", name.display())
    });
    let of_all = VARIANTS.iter().map(|options| format!("{ALL} {options}"));
    let variants: Vec<_> = of_all.chain(of_sessions).collect();
    assert!(variants.len() > VARIANTS.len() + 3, "{variants:?}");
    variants
}

/// Asserts that a line of text tells more than that something was skipped.
fn assert_has_reason(line: &str) {
    let what = line.strip_prefix("[SKIP] ").expect(line);
    let reason = what.split_once(": ").map(|(_, reason)| reason.trim());
    assert!(reason.is_some_and(|it| it.contains(' ')), "{line}");
}

/// Asserts that the text on one return says why work is not shown, if it is not.
fn assert_work_has_reasons(returned: &str) {
    let Some((_, counts)) = returned.split_once("Claims are shown: ") else {
        return;
    };
    let mut counts = counts.split_whitespace();
    let (shown, all) = (counts.next(), counts.nth(1));
    let is_found = OF_WORK.iter().any(|rule| returned.contains(&format!("rule: {rule}\n")));
    let has_doubt = returned.contains(" unknown: ");
    assert!(shown == all || is_found || has_doubt, "{returned}");
}

#[test]
fn every_skipped_step_has_a_reason() {
    let world = World::with("rules");
    let (mut reasons, mut shown) = (std::collections::BTreeSet::new(), 0);
    for variant in variants() {
        let options = "RETVAL_NOW=2026-01-28T12:00:00Z -v --root project --format text --format jsonl=records";
        let text = stdout(&world.check(&format!("{options} {variant}")));
        let lines = text.lines().filter(|line| line.starts_with("[SKIP]"));
        lines.for_each(assert_has_reason);
        text.split("\n== ").for_each(assert_work_has_reasons);
        shown += text.matches("Claims are shown: ").count();

        let records = std::fs::read_to_string(world.path("records")).expect("records");
        for record in records.lines() {
            let record: Value = serde_json::from_str(record).expect("a record");
            for step in record["steps"].as_array().expect("steps") {
                let reason = step["reason"].as_str();
                let is_skipped = step["outcome"] == "skip";
                assert_eq!(reason.is_some_and(|it| !it.trim().is_empty()), is_skipped, "{record}");
                reasons.extend(reason.map(str::to_owned));
            }
            for claim in record["evidence"].as_array().into_iter().flatten() {
                assert!(claim["reason"].as_str().is_some_and(|it| !it.is_empty()), "{record}");
            }
        }
    }
    assert!(reasons.len() >= 15, "{reasons:#?}");
    assert!(shown > 50, "{shown}");
}

#[test]
fn what_cannot_be_read_is_never_valid_whatever_is_off() {
    let world = World::new();
    world.write(
        "own.toml",
        r#"
[profiles.parts]
form = "text"
part = { fence = "report", last = true }
at.status = "Status"
statuses = { DONE = "success" }

[profiles.text]
form = "text"
at.status = "Status"
statuses = { DONE = "success" }

[profiles.yaml]
form = "yaml"
at.status = "/status"
statuses = { DONE = "success" }
"#,
    );
    let of_reading = RULES.iter().filter(|it| it.step == Step::Json);
    let off = of_reading
        .filter(|it| !it.is_indispensable())
        .fold(String::new(), |off, it| format!("{off} --rule {}=off", it.id));
    let report = "```report\nStatus: DONE\n```\n";
    for (profile, unreadable) in [
        ("return", ""),
        ("return", "API Error: 529 Overloaded"),
        ("return", "{"),
        ("parts", "Status: DONE"),
        ("parts", &*format!("{report}{report}")),
        ("parts", &format!("{report}And so on.")),
        ("text", ""),
        ("text", "API Error: 529 Overloaded"),
        ("text", "Status: DONE\0"),
        ("yaml", ""),
        ("yaml", "status: ["),
        ("yaml", "status: DONE\nstatus: DONE"),
    ] {
        let options = format!("--config own.toml --profile {profile}{off}");
        let output = piped(&world, &options, unreadable);
        assert_eq!(output.status.code(), Some(1), "{profile} {unreadable:?}");
    }
}
