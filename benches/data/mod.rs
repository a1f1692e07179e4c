//! Realistic returns, the same in every run.

mod mixed;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const AGENTS: [&str; 4] = ["planner", "researcher", "implementer", "reviewer"];
const PATHS: usize = 5_000;

/// Creates a project of 5,000 files, four folders of 10,000 returns that claim them, six streams of
/// 200,000 returns, and a general schema to compare with.
pub(crate) fn make(place: &Path) {
    for number in 0..PATHS {
        write(&place.join("project").join(path(number)), &"A line of a report.\n".repeat(20));
    }
    for (folder, sentences) in [("clean", 2), ("warned", 1)] {
        for number in 0..10_000 {
            let name = format!("{:02}/{number:05}.json", number / 500);
            let text = returned(number, "completed", sentences);
            write(&place.join(folder).join(&name), &text);
            let escaped = format!("{folder}-escaped");
            write(&place.join(escaped).join(&name), &escape(number, &text));
        }
    }
    let streams: [(&str, &dyn Fn(usize) -> String); 6] = [
        ("clean", &|number| returned(number, "partial", 2)),
        ("warned", &|number| returned(number, "partial", 1)),
        ("clean-escaped", &|number| escape(number, &returned(number, "partial", 2))),
        ("warned-escaped", &|number| escape(number, &returned(number, "partial", 1))),
        ("done", &|number| returned(number, "completed", 2)),
        ("mixed", &mixed::returned),
    ];
    for (name, returned) in streams {
        let mut lines = String::new();
        for number in 0..200_000 {
            let _ = writeln!(lines, "{}", returned(number));
        }
        write(&place.join(name).with_extension("ndjson"), &lines);
    }
    write(&place.join("schema.json"), SCHEMA);
    let own = "[profiles.own]\nschema = \"schema.json\"\n";
    write(&place.join("own.toml"), own);
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
}

fn path(number: usize) -> String {
    format!("specs/{:03}_task/reports/report-{number:05}.md", number % 250)
}

/// A valid return. With a summary of one sentence, it has a warning.
fn returned(number: usize, status: &str, sentences: usize) -> String {
    let agent = AGENTS[number % AGENTS.len()];
    let artifact = |count: usize| {
        // Paths are scattered, as in real returns, and most are claimed by several returns.
        let path = path((number * 7_919 + count * 104_729) % PATHS);
        format!(
            r#"{{"type":"report","path":"{path}","summary":"What was found on the way, in detail, with sources {count}"}}"#
        )
    };
    let artifacts: Vec<_> = (0..=number % 5).map(artifact).collect();
    let error = r#"{"type":"execution","message":"Something went differently than planned","recoverable":true,"recommendation":"Look at the report"}"#;
    let errors = if status == "completed" { "" } else { error };
    let goes_on = if sentences == 2 { ". The" } else { ", and the" };
    format!(
        r#"{{"status":"{status}","summary":"Worked on task {number} and wrote what was asked for{goes_on} approach was compared with two others and kept.","artifacts":[{}],"metadata":{{"session_id":"sess_{}_abc","duration_seconds":{},"agent_type":"{agent}","delegation_depth":1,"delegation_path":["orchestrator","work","{agent}"],"findings_count":{},"notes":"{}"}},"errors":[{errors}],"next_steps":"Run the next command on task {number}"}}"#,
        artifacts.join(","),
        1_735_460_684 + number,
        100 + number % 977,
        number % 9,
        "n".repeat(50 + number * 31 % 450),
    )
}

/// The same return with letters beyond ASCII, as in 98 % of real returns, and with escapes, as in 87 %.
fn escape(number: usize, text: &str) -> String {
    let mut text = text.to_owned();
    if number % 100 < 98 {
        text = text.replace("in detail", "in détail – ≥ 2 fichiers");
        text = text.replace("others and", "others → and");
    }
    if number % 100 >= 13 {
        text = text.replace("with sources", r#"with \"sources\""#);
        text = text.replace("approach was", r#"\"new\" approach was"#);
    }
    text
}

const SCHEMA: &str = r#"{"type":"object","required":["status","summary","artifacts","metadata"],"properties":{"status":{"enum":["completed","partial","failed","blocked"]},"summary":{"type":"string"},"artifacts":{"type":"array","items":{"type":"object","required":["path"],"properties":{"path":{"type":"string"},"type":{"type":"string"},"summary":{"type":"string"}}}},"metadata":{"type":"object","required":["session_id","agent_type","delegation_depth","delegation_path"]},"errors":{"type":"array"}}}"#;
