//! Tests claims about files, sessions and answers against short transcripts.

#[path = "../../../tests/common/session.rs"]
mod session;
mod transcripts;
#[cfg(target_os = "linux")]
mod typed;
#[path = "../../../tests/common/world.rs"]
mod world;

use std::fmt::Write as _;
use std::fs;
use std::time::SystemTime;

use crate::clients::transcript::{self, Transcript};
use crate::evidence::place::ClaimedFile;
use crate::evidence::{Assessment, EvidenceValue, Record, ReturnIdentity, Subject, WorkEvidence};
use crate::root::Root;

/// A transcript of Claude Code.
#[derive(Default)]
struct TranscriptText {
    lines: String,
    calls: usize,
}

impl TranscriptText {
    fn line(mut self, agent: &str, kind: &str, cwd: &str, content: &str) -> Self {
        let side = if agent == "main" {
            String::new()
        } else {
            format!(r#""isSidechain":true,"agentId":"{agent}","#)
        };
        let _ = writeln!(
            self.lines,
            r#"{{"type":"{kind}",{side}"sessionId":"s","cwd":"{cwd}","timestamp":"2026-01-28T11:00:00Z","message":{{"id":"m{}","content":{content}}}}}"#,
            self.calls
        );
        self
    }

    fn task(self, agent: &str, text: &str) -> Self {
        self.line(agent, "user", "", &format!("\"{text}\""))
    }

    fn call_in(mut self, agent: &str, cwd: &str, name: &str, input: &str, is_error: bool) -> Self {
        self.calls += 1;
        let id = self.calls;
        let call =
            format!(r#"[{{"type":"tool_use","id":"t{id}","name":"{name}","input":{{{input}}}}}]"#);
        let result = format!(
            r#"[{{"type":"tool_result","tool_use_id":"t{id}","content":"","is_error":{is_error}}}]"#
        );
        self.line(agent, "assistant", cwd, &call).line(agent, "user", cwd, &result)
    }

    fn call(self, agent: &str, name: &str, input: &str) -> Self {
        self.call_in(agent, "", name, input, false)
    }

    fn write(self, agent: &str, path: &str) -> Self {
        self.call(agent, "Write", &format!(r#""file_path":"{path}""#))
    }

    fn answer(mut self, agent: &str, text: &str) -> Self {
        self.calls += 1;
        let content = format!(r#"[{{"type":"text","text":"{text}"}}]"#);
        self.line(agent, "assistant", "", &content)
    }

    fn read(&self) -> Transcript {
        transcript::read(self.lines.as_bytes()).expect("a transcript")
    }

    fn evidence(&self, agent: &str) -> WorkEvidence {
        WorkEvidence {
            record: Some(Record::Runs(self.read().runs)),
            agent_id: Some(agent.to_owned()),
            ..WorkEvidence::default()
        }
    }
}

fn subject<'e>(evidence: &'e WorkEvidence, text: &str) -> Subject<'e> {
    let identity = ReturnIdentity { text, session: Some("sess_1_a"), is_file: false };
    Subject::of(evidence, &identity, None, SystemTime::now)
}

/// The value and the reason of the claim that an agent wrote a file.
fn wrote(transcript: &TranscriptText, root: &Root, path: &str) -> (EvidenceValue, String) {
    let evidence = transcript.evidence("a");
    told(&subject(&evidence, "").wrote(&ClaimedFile::new(root, &[], path)))
}

fn told(assessment: &Assessment) -> (EvidenceValue, String) {
    (assessment.value, assessment.reason.text().to_owned())
}

fn project() -> (tempfile::TempDir, Root) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("plans")).expect("a folder");
    fs::write(folder.path().join("plans/a.md"), "a").expect("a file");
    // On Windows, creating a symlink needs rights that few users have.
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.md", folder.path().join("plans/link.md")).expect("a link");
    let root = Root::open(folder.path()).expect("a root");
    (folder, root)
}

#[test]
fn a_file_is_shown_wherever_its_path_is_relative_to() {
    let (folder, root) = project();
    let place = folder.path().canonicalize().expect("a place");
    let place = place.display();
    for (cwd, path) in [
        (String::new(), "plans/a.md".to_owned()),
        (String::new(), "./plans/../plans/a.md".to_owned()),
        (String::new(), format!("{place}/plans/a.md")),
        (format!("{place}/plans"), "a.md".to_owned()),
    ] {
        let input = format!(r#""file_path":"{path}""#);
        let transcript = TranscriptText::default()
            .task("a", "x")
            .call_in("a", &cwd, "Write", &input, false)
            .answer("a", "done");
        let (value, why) = wrote(&transcript, &root, "plans/a.md");
        assert_eq!(value, EvidenceValue::Shown, "{cwd} {path}: {why}");
    }
}

#[test]
fn a_file_that_is_written_in_a_working_tree_below_the_root_is_unknown() {
    let (folder, root) = project();
    let place = folder.path().canonicalize().expect("a place");
    let tree = place.join(".claude/worktrees/wt");
    for (cwd, path) in [
        (tree.display().to_string(), "plans/a.md".to_owned()),
        (String::new(), ".claude/worktrees/wt/plans/a.md".to_owned()),
        (String::new(), format!("{}/plans/a.md", tree.display())),
    ] {
        let input = format!(r#""file_path":"{path}""#);
        let transcript = TranscriptText::default()
            .task("a", "x")
            .call_in("a", &cwd, "Write", &input, false)
            .answer("a", "done");
        let evidence = transcript.evidence("a");
        let other = place.join(".claude/worktrees/other");
        for trees in [vec![], vec![tree.clone()], vec![other]] {
            let file = ClaimedFile::new(&root, &trees, "plans/a.md");
            let value = subject(&evidence, "").wrote(&file).value;
            assert_eq!(value, EvidenceValue::Unknown, "{cwd} {path}");
        }
    }
}

#[test]
fn what_may_have_written_a_file_leaves_it_unknown() {
    use EvidenceValue::{Contradicted, Unknown};
    let (_folder, root) = project();
    let read = |transcript: TranscriptText| transcript.call("a", "Read", "").answer("a", "done");
    let start = || TranscriptText::default().task("a", "x");
    let failed = r#""file_path":"plans/a.md""#;
    for (transcript, expected, reason) in [
        (read(start()), Contradicted, "no call wrote it; the agent used only Read"),
        (
            read(start().write("a", "plans/b.md")),
            Contradicted,
            "no call wrote it; the agent used only Write and Read, and wrote only other files",
        ),
        (
            read(start().call_in("a", "", "Write", failed, true)),
            Contradicted,
            "every call that was to write it failed, the last one Write call 1 of 2",
        ),
        (
            read(start().write("a", "/elsewhere/a.md")),
            Unknown,
            "Write call 1 of 2 wrote a file of the same name in another place",
        ),
        (
            read(start().write("a", "plans/link.md")),
            EvidenceValue::Shown,
            "Write call 1 of 2 wrote it, 0 seconds after the start",
        ),
        (
            read(start().call("a", "mcp__files__save", "")),
            Unknown,
            "mcp__files__save call 1 of 2 may have written it",
        ),
        (read(start().call("a", "Skill", "")), Unknown, "Skill call 1 of 2 may have written it"),
        (
            read(start().call("a", "Bash", r#""command":"make""#)),
            Unknown,
            "a shell command may have written it, Bash call 1 of 2",
        ),
        (
            read(start().call("a", "Agent", r#""prompt":"y""#)),
            Unknown,
            "an agent that it called may have written it, Agent call 1 of 2",
        ),
        (start().call("a", "Read", ""), Unknown, "the record is not complete: its end is missing"),
    ] {
        assert_eq!(wrote(&transcript, &root, "plans/a.md"), (expected, reason.to_owned()));
    }
}

#[test]
fn a_missing_record_contradicts_nothing() {
    let (_folder, root) = project();
    let file = ClaimedFile::new(&root, &[], "plans/a.md");
    for (evidence, reason) in [
        (WorkEvidence::default(), "no transcript was given"),
        (WorkEvidence::unread(), "the transcript could not be read"),
        (
            TranscriptText::default().task("a", "x").evidence("b"),
            "the transcript has no agent with this id",
        ),
    ] {
        let found = told(&subject(&evidence, "").wrote(&file));
        assert_eq!(found, (EvidenceValue::Unknown, reason.to_owned()));
    }
}

#[test]
fn the_return_says_whose_run_is_meant() {
    let transcript = || {
        TranscriptText::default()
            .task("a", "Plan. session_id: sess_1_a")
            .answer("a", "Here: {\\\"status\\\":\\\"completed\\\"}")
            .task("b", "Plan. session_id: sess_2_b")
            .answer("b", "{\\\"status\\\":\\\"failed\\\"}")
            .task("c", "Plan.")
            .answer("c", "{\\\"status\\\":\\\"failed\\\"}")
    };
    let record = Some(Record::Runs(transcript().read().runs));
    let evidence = WorkEvidence { record, ..WorkEvidence::default() };
    let run = |text: &str, session| {
        let identity = ReturnIdentity { text, session: Some(session), is_file: false };
        let subject = Subject::of(&evidence, &identity, None, SystemTime::now);
        let run = subject.run().ok().and_then(|run| run.agent_id.clone());
        run.unwrap_or_default()
    };
    assert_eq!(run(r#"{"status":"completed"}"#, "?"), "a");
    assert_eq!(run("{ \"status\" : \"completed\" }\n", "?"), "a");
    assert_eq!(run(r#"{"status":"failed"}"#, "sess_2_b"), "", "two returned it");
    assert_eq!(run(r#"{"status":"partial"}"#, "sess_2_b"), "b");
    assert_eq!(run(r#"{"status":"partial"}"#, "sess_3_c"), "");
}

#[test]
fn a_session_is_contradicted_by_other_ids_in_the_task() {
    use EvidenceValue::{Contradicted, Shown, Unknown};
    for (task, expected) in [
        ("Do it. session_id: sess_1_a.", Shown),
        ("Do it. session_id: sess_1_b", Contradicted),
        ("Do it. session_id: sess_1_ab", Unknown),
        ("Do it. session_id: sess_1_b or sess_1_c", Contradicted),
        ("Do it. Ids look like sess_1_b.", Unknown),
        ("Do it. session_id: sess_TIME_RANDOM", Unknown),
        ("Do it.", Unknown),
    ] {
        let transcript = TranscriptText::default().task("a", task).answer("a", "done");
        let evidence = transcript.evidence("a");
        let found = subject(&evidence, "").was_given("sess_1_a", false);
        assert_eq!(found.value, expected, "{task}");
    }
}

#[test]
fn what_the_caller_wrote_is_not_the_work_of_the_agent() {
    let (_folder, root) = project();
    let file = ClaimedFile::new(&root, &[], "plans/a.md");
    let transcript = TranscriptText::default()
        .task("main", "x")
        .write("main", "plans/a.md")
        .answer("main", "done")
        .task("a", "x")
        .call("a", "Read", "")
        .answer("a", "done");
    let evidence = transcript.evidence("a");
    let subject = subject(&evidence, "");
    let another = |wrote| {
        let another = subject.another_wrote(&file, wrote);
        another.map(|another| told(&another))
    };
    let reason = "Write call 1 of 1 of the main agent wrote it";
    assert_eq!(
        another(subject.wrote(&file).value),
        Some((EvidenceValue::Contradicted, reason.to_owned()))
    );
    assert_eq!(
        another(EvidenceValue::Unknown),
        Some((
            EvidenceValue::Unknown,
            format!("{reason}, and this agent may have written it, too")
        ))
    );
    assert_eq!(another(EvidenceValue::Shown), None);
}
