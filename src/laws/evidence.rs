//! The results of evidence are bounded, and only a complete record can contradict a claim.

use crate::check::report::{ClaimReport, Report};
use crate::clients::transcript::{self, Run};
use crate::evidence::{EvidenceMode, EvidenceValue, Record, WorkEvidence};

use super::clean;
use super::demands::Demands;

/// Rules that the clock decides, or that the end of a run is enough for.
const WITHOUT_RECORD: [&str; 2] = ["artifact-stale", "return-missing"];

/// Two bytes select the demands, and one the agent and how much evidence counts. A return follows,
/// and behind a NUL the transcript.
pub(crate) fn hold(bytes: &[u8]) {
    let Some((demands, [switches, rest @ ..])) = Demands::split(bytes) else {
        return;
    };
    let end = rest.iter().position(|byte| *byte == 0);
    let (text, transcript) = rest.split_at(end.unwrap_or(rest.len()));
    let transcript = transcript.strip_prefix(b"\0").unwrap_or_default();
    let runs = transcript::read(transcript).map_or_else(|_| Vec::new(), |read| read.runs);
    let agent = runs.get(usize::from(switches % 8));
    let agent = agent.and_then(|run| run.agent_id.clone());
    let modes = [EvidenceMode::Fail, EvidenceMode::Warn, EvidenceMode::Require];
    let mode = modes[usize::from(switches / 8) % modes.len()];
    let judged = |record: Record| {
        let (record, agent_id) = (Some(record), agent.clone());
        let evidence = WorkEvidence { record, agent_id, mode, ..WorkEvidence::default() };
        let checker = demands.checker().evidence(&evidence);
        let report = checker.check(text);
        is_plain(&report);
        report.evidence
    };
    let found = judged(Record::Runs(runs.clone()));
    let again = judged(Record::Runs(runs.clone()));
    assert_eq!(values(found.as_ref()), values(again.as_ref()));
    if runs.iter().all(|run| !run.is_complete()) {
        assert_eq!(contradicted(found.as_ref()), [""; 0], "no record is complete");
    }
    let unread = judged(Record::Unread);
    assert_eq!(contradicted(unread.as_ref()), [""; 0], "there is no record");
    let others = judged(Record::Runs([runs, vec![Run::default()]].concat()));
    assert_eq!(others.is_some(), found.is_some());
}

fn is_plain(report: &Report) {
    let claims = report.evidence.iter().flatten();
    let mut count = 0;
    for claim in claims {
        count += 1;
        clean::silent(&claim.reason);
        assert!(claim.reason.len() < 1_000, "{}", claim.reason);
    }
    assert!(count <= Report::FINDINGS_KEPT, "{count}");
}

/// The rules that are contradicted by a record.
fn contradicted(evidence: Option<&Vec<ClaimReport>>) -> Vec<&'static str> {
    let claims = evidence.into_iter().flatten();
    let claims = claims.filter(|claim| claim.value == EvidenceValue::Contradicted);
    claims.map(|claim| claim.rule.id).filter(|id| !WITHOUT_RECORD.contains(id)).collect()
}

fn values(evidence: Option<&Vec<ClaimReport>>) -> Vec<(&'static str, &str, EvidenceValue)> {
    let claims = evidence.into_iter().flatten();
    claims.map(|claim| (claim.rule.id, claim.pointer.as_str(), claim.value)).collect()
}
