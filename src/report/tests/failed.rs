//! The failed return is a valid return of the profile `return` for every profile, agent and session.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::laws::generated::seeds;
use crate::profile::RETURN;
use crate::report::{Checked, Format, Profiles, ReportOptions, Source};
use crate::text::is_blank;
use crate::{Checker, Config, Profile, Root};

/// What a checker of the profile `return` finds in the failed return for a text.
fn found_in_failed(
    checker: &Checker<'_>,
    again: &Checker<'_>,
    text: &str,
) -> (String, Vec<String>) {
    let report = checker.check(text);
    assert!(!report.is_valid(), "{text}");
    let mut failed = Vec::new();
    Format::FailedReturn.reporter(&ReportOptions::default(), &Profiles::default()).report(
        &Source::new("-"),
        Checked::Report(&report),
        &mut failed,
    );
    let failed = String::from_utf8(failed).expect("UTF-8");
    let again = again.check(&failed);
    assert_eq!(again.returned.status.as_deref(), Some("failed"), "{failed}");
    let found = again.findings.iter().map(ToString::to_string).collect();
    (failed.clone(), found)
}

#[test]
fn names_of_any_length_and_words_are_passed_on() {
    let root = Root::open(".").expect("a folder");
    let blank_start = " ".repeat(200) + "x";
    for name in [
        &*blank_start,
        &"n".repeat(201),
        &"é".repeat(3_000),
        "orchestrator",
        "Dr. No? Yes! v1.2",
        "🚀 <b>bold</b> `code` **x**",
        "a\u{200b}b",
    ] {
        let mut returned: Value = serde_json::from_str(
            r#"{"status":"odd","summary":"x","artifacts":[],"metadata":{"delegation_depth":1,"delegation_path":["orchestrator"]}}"#,
        )
        .expect("JSON");
        for (agent_by, session_by) in [("", ""), ("agent_type", ""), ("agent_type", "session_id")] {
            let metadata = &mut returned["metadata"];
            for key in [agent_by, session_by].iter().filter(|key| !key.is_empty()) {
                metadata[*key] = name.into();
            }
            for profile in ["return", "return-v1", "return-meta", "handoff", "compact"] {
                let profile = Profile::named(profile).expect("a profile");
                let again = Checker::new(&RETURN, &root);
                let plain = Checker::new(profile, &root);
                let named = Checker::new(profile, &root).session(name).agent(name);
                for checker in [plain, named.strict(true)] {
                    for text in ["prose", &returned.to_string()] {
                        let (failed, found) = found_in_failed(&checker, &again, text);
                        assert!(found.is_empty(), "{found:?}: {failed}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_failed_return_of_any_profile_is_one_of_the_profile_return() {
    let root = Root::open(".").expect("a folder");
    let config = Config::parse(
        "[profiles.own]\nform = \"text\"\nat.status = \"Verdict\"\nstatuses = { GOOD = \"success\" }\n",
    );
    let own = &config.expect("a configuration").profiles[0].profile;
    let word = || {
        let words = ["a", " ", ".", "🚀", "<b>", "\u{200b}", "É", "\"", "orchestrator"];
        vec(select(words.to_vec()), 1..30).prop_map(|words| words.concat())
    };
    let profile = select(vec!["return", "return-v1", "return-meta", "compact", "handoff", "own"]);
    let inputs = (profile, word(), word(), any::<bool>());
    seeds::hold(60, &inputs, |(profile, agent, session, is_named)| {
        let profile = Profile::named(profile).unwrap_or(own);
        let agent_name = Some(&*agent).filter(|_| is_named);
        let session_id = Some(&*session).filter(|it| is_named && !is_blank(it));
        let checker = Checker::new(profile, &root).agent(agent_name).session(session_id);
        let again = Checker::new(&RETURN, &root).agent(agent_name).session(session_id);
        let metadata = serde_json::json!({"agent_type": agent, "session_id": session});
        let returned =
            serde_json::json!({"status": "odd", "metadata": metadata, "from_agent": agent});
        for text in ["prose", &returned.to_string()] {
            let (failed, found) = found_in_failed(&checker, &again, text);
            prop_assert!(found.is_empty(), "{:?}: {}", found, failed);
        }
        Ok(())
    });
}
