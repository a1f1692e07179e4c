//! Metadata files with the mistakes of real agents. Their kinds and frequencies were counted in 2,622
//! files of public repositories. One file in five fails a step.

use std::fmt::Write as _;

use super::{PATHS, path};

const AGENTS: [&str; 3] = ["researcher-agent", "planner-agent", "implementer-agent"];

/// Words that agents use instead of a valid status.
const OTHER_STATUSES: [&str; 5] = ["done", "success", "completed", "research_done", "finished"];

const STOPPED: [&str; 3] = ["partial", "failed", "blocked"];

/// A pseudorandom number below 1,000 for each return and question. It is the same in every run.
fn chance(number: usize, question: u64) -> u64 {
    let seed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ question << 17;
    let mixed = (seed ^ seed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 32) % 1_000
}

/// One metadata file.
pub(super) fn returned(number: usize) -> String {
    let agent = AGENTS[number % AGENTS.len()];
    let stopped = chance(number, 1) < 90;
    let status = match chance(number, 2) {
        0..23 => OTHER_STATUSES[number % OTHER_STATUSES.len()],
        _ if stopped => STOPPED[number % STOPPED.len()],
        _ => ["researched", "planned", "implemented"][number % AGENTS.len()],
    };
    let mut text = format!(r#"{{"status":"{status}","started_at":"2026-01-05T10:30:00Z","#);
    if chance(number, 3) < 333 {
        text +=
            r#""summary":"Compared both approaches and kept the first. Two questions are left.","#;
    }
    let _ = write!(text, r#""artifacts":[{}],"#, artifacts(number));
    if stopped {
        text += r#""partial_progress":{"stage":"phase_2","details":"The second of five phases is half done","phases_completed":1,"phases_total":5},"#;
        if chance(number, 4) >= 820 {
            text += r#""errors":[{"type":"timeout","message":"No answer in time","recoverable":true,"recommendation":"Run it again"}],"#;
        }
    }
    if status == "implemented" {
        text += r#""completion_data":{"completion_summary":"All phases are done and the tests pass."},"#;
    }
    let members = [
        format!(r#""session_id":"sess_{}_abc""#, 1_735_460_684 + number),
        format!(r#""agent_type":"{agent}""#),
        r#""delegation_depth":1"#.to_owned(),
        format!(r#""delegation_path":["orchestrator","work","{agent}"]"#),
    ];
    // In one of eight files a required field is missing.
    let missing = (chance(number, 5) < 120).then_some(number % members.len());
    let kept = members.iter().enumerate().filter(|(at, _)| Some(*at) != missing);
    let kept: Vec<_> = kept.map(|(_, member)| member.as_str()).collect();
    let hours = if chance(number, 9) < 40 { r#""6-8""# } else { "7" };
    let notes = "n".repeat(50 + number * 31 % 700);
    let _ = write!(
        text,
        r#""metadata":{{{},"findings_count":{},"estimated_hours":{hours},"notes":"{notes}"}},"next_steps":"Run the next command on task {number}"}}"#,
        kept.join(","),
        number % 9,
    );
    text
}

fn artifacts(number: usize) -> String {
    if chance(number, 6) < 6 {
        return String::new();
    }
    let artifact = |count: usize| {
        let path = match chance(number, 7) {
            0..40 => format!("specs/gone/report-{}.md", number % 400),
            40..46 => format!("/elsewhere/report-{number}.md"),
            _ => path((number * 7_919 + count * 104_729) % PATHS),
        };
        if chance(number, 8) < 40 {
            return format!(r#""{path}""#);
        }
        format!(
            r#"{{"type":"report","path":"{path}","summary":"What was found on the way, in detail, with sources {count}"}}"#
        )
    };
    let artifacts: Vec<_> = (0..=number % 3).map(artifact).collect();
    artifacts.join(",")
}
