//! What the built-in profiles contain.

use crate::profile::*;
use crate::rule::Rule;

#[test]
fn file_names_choose_the_profile() {
    for (path, id) in [
        ("returns/plan.json", "return"),
        ("specs/1_x/.return-meta.json", "return-meta"),
        (".return-meta-2.json", "return-meta"),
        ("a/handoff_developer.json", "handoff"),
        ("a/handoffs/AUTH_dev.json", "handoff"),
        ("a/AUTH_dev.json", "return"),
        ("handoffs/AUTH_dev.txt", "return"),
    ] {
        assert_eq!(Profile::for_path(Path::new(path)).id, id, "{path}");
    }
}

#[test]
fn meanings_are_read_from_their_names() {
    for meaning in Meaning::ALL {
        assert_eq!(meaning.as_str().parse(), Ok(meaning));
    }
}

#[test]
fn rules_that_do_not_apply_have_no_level() {
    let rule = |id| Rule::named(id).expect("a rule");
    let extra = rule("compact-extra-field");
    assert_eq!(COMPACT.applicable_level(extra), Some(Level::Warning));
    assert_eq!(RETURN.applicable_level(extra), None);
    let circle = rule("delegation-cycle");
    assert_eq!(RETURN.applicable_level(circle), Some(Level::Warning));
    assert!(
        COMPACT.applicable_level(circle).is_none() && HANDOFF.applicable_level(circle).is_none()
    );
    let interrupted = rule("still-in-progress");
    assert_eq!(RETURN_META.applicable_level(interrupted), Some(Level::Warning));
    assert_eq!(RETURN.applicable_level(interrupted), None);
    let absolute = rule("artifact-not-relative");
    assert_eq!(RETURN.applicable_level(absolute), Some(Level::Warning));
    assert_eq!(RETURN_V1.applicable_level(absolute), Some(Level::Error));
    let looks_for = |profile: &Profile| {
        let files = crate::check::rules::RULES
            .iter()
            .skip_while(|it| it.id != "artifact-none")
            .take_while(|it| it.id != "work-none");
        let asked = files.filter(|rule| profile.applicable_level(rule).is_some());
        asked.map(|rule| rule.id.split_once('-').expect("two words").0).collect::<Vec<_>>()
    };
    assert_eq!(looks_for(&COMPACT), ["handoff"; 3]);
    let handoff = looks_for(&HANDOFF);
    assert_eq!(handoff[..9], ["artifact"; 9]);
    assert_eq!(handoff[9..], ["claimed"]);
    assert!(
        RETURN_META.requires_companion(Companion::Progress)
            && !RETURN.requires_companion(Companion::Progress)
    );
    assert!(
        RETURN.requires_companion(Companion::Errors)
            && !COMPACT.requires_companion(Companion::Errors)
    );
}

#[test]
fn an_unknown_agent_may_use_the_statuses_of_all_agents() {
    assert!(HANDOFF.status("PASS", Some("developer")).is_none());
    assert!(HANDOFF.status("PASS", Some("unknown")).is_some());
    let claim = |agent| HANDOFF.status("ROOT_CAUSE_FOUND", agent).map(|status| status.meaning);
    assert_eq!(claim(Some("senior_software_engineer")), Some(Meaning::Other));
    assert_eq!(claim(Some("investigator")), Some(Meaning::Success));
    assert_eq!(claim(None), Some(Meaning::Success));
}

#[test]
fn after_each_status_an_agent_continues_or_the_action_says_what_follows() {
    for profile in PROFILES {
        for status in profile.statuses_of(None) {
            let proceeds = status.action() == Action::Proceed;
            let is_chain = !profile.agents.is_empty();
            let expected = status.next.first().map(AsRef::as_ref);
            assert_eq!(status.next_agent(), expected, "{}", status.word);
            assert_eq!(proceeds && is_chain, expected.is_some(), "{}", status.word);
        }
    }
}

#[test]
fn the_chain_of_the_protocol_names_the_next_agent() {
    for profile in [&COMPACT, &HANDOFF] {
        for (agent, status, next) in [
            ("developer", "READY_FOR_QA", Some("qa_expert")),
            ("developer", "READY_FOR_REVIEW", Some("tech_lead")),
            ("developer", "ESCALATE_SENIOR", Some("senior_software_engineer")),
            ("developer", "BLOCKED", None),
            ("qa_expert", "PASS", Some("tech_lead")),
            ("qa_expert", "FAIL", Some("developer")),
            ("tech_lead", "APPROVED", Some("project_manager")),
            ("tech_lead", "CHANGES_REQUESTED", Some("developer")),
            ("tech_lead", "SPAWN_INVESTIGATOR", Some("investigator")),
            ("project_manager", "BAZINGA", None),
            ("tech_lead", "PASS", None),
        ] {
            assert_eq!(profile.next_agent(Some(agent), status), next, "{agent} {status}");
        }
        assert_eq!(profile.next_agent(None, "PASS"), Some("tech_lead"));
    }
}
