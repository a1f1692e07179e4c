//! The texts of claims: without evidence, only files and the numbers of the return itself contradict one.

use std::sync::LazyLock;

use crate::check::report::Report;
use crate::evidence::EvidenceValue;
use crate::{Checker, Config};

use super::{clean, root};

/// Every kind of claim, in the three forms, as texts and as members.
const STANDARDS: &str = r#"
[profiles.text]
form = "text"
at.cites = "Findings"
at.commits = "Commits"
at.changed = "Changed"
at.tests = "Tests"

[profiles.json]
at.cites = { each = "/findings/*", path = "file", line = "line", quote = "quote" }
at.commits = { each = "/commits/*", commit = "id", path = "files" }
at.changed = "/changed"
at.tests = "/tests"

[profiles.yaml]
form = "yaml"
at.cites = "/findings"
at.commits = "/commits"
at.changed = "/changed"
at.tests = "/tests"
"#;

static CONFIG: LazyLock<Config> =
    LazyLock::new(|| Config::parse(STANDARDS).expect("a configuration"));

/// The rules that the numbers of the return itself decide.
const OF_NUMBERS: &str = "tests-inconsistent";

/// The bytes are a message of each form. Without evidence, only files and numbers contradict a claim.
pub(crate) fn hold(bytes: &[u8]) {
    let message = String::from_utf8_lossy(bytes);
    for own in &CONFIG.profiles {
        let checker = Checker::new(&own.profile, root());
        let report = checker.check(&*message);
        is_plain(&report);
        let again = checker.check(&*message);
        assert_eq!(values(&report), values(&again));
        for (rule, value) in values(&report) {
            let is_of_files = rule.starts_with("cite-") || rule == OF_NUMBERS;
            assert!(is_of_files || value != EvidenceValue::Contradicted, "{rule}");
        }
    }
}

fn is_plain(report: &Report) {
    let claims = report.evidence.iter().flatten();
    for claim in claims {
        clean::silent(&claim.reason);
        assert!(claim.reason.len() < 1_000, "{}", claim.reason);
    }
    for finding in &report.findings {
        clean::silent(&finding.message());
    }
}

fn values(report: &Report) -> Vec<(&'static str, EvidenceValue)> {
    let claims = report.evidence.iter().flatten();
    claims.map(|claim| (claim.rule.id, claim.value)).collect()
}
