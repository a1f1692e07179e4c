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
    assert_eq!(
        RETURN_META.applicable_level(interrupted),
        Some(Level::Warning)
    );
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
        asked
            .map(|rule| rule.id.split_once('-').expect("two words").0)
            .collect::<Vec<_>>()
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
fn custom_members_are_those_that_the_record_lacks() {
    let asked = |path: &'static str| FieldSpec::new(path, Need::Required);
    let fields = [
        "status",
        "ticket",
        "metadata.owner",
        "metadata.agent_type",
        "artifacts[].owner",
    ];
    let own = Profile {
        fields: fields.map(asked).to_vec().into(),
        ..RETURN.clone()
    };
    let members = own.shape.form().members();
    let beside = |members, path| -> Vec<_> { own.custom_members(members, path).collect() };
    assert_eq!(beside(members, ""), ["ticket"]);
    let metadata = members.iter().find(|it| it.name == "metadata");
    let metadata = metadata.expect("a member").of.members();
    assert_eq!(beside(metadata, "metadata"), ["owner"]);
    assert_eq!(beside(&[], "artifacts[]"), ["owner"]);
    assert!(beside(&[], "artifact").is_empty());
}

#[test]
fn every_field_of_a_built_in_profile_is_described() {
    for profile in PROFILES {
        let mut places = Vec::new();
        profile.shape.form().about("", &mut |place, text| {
            assert!(text.len() > 5, "{place}");
            places.push(place.to_owned());
        });
        for field in profile.fields.iter() {
            let place = field.path.strip_suffix("[]").unwrap_or(&field.path);
            assert!(places.iter().any(|it| it == place), "{}", field.path);
        }
    }
}

#[test]
fn descriptions_go_into_lists_and_maps() {
    let places = |shape: Shape| {
        let mut places = Vec::new();
        shape
            .form()
            .about("", &mut |place, _| places.push(place.to_owned()));
        places
    };
    let handoff = places(Shape::Handoff);
    let of_suites = handoff.iter().filter(|it| it.starts_with("tests_run"));
    assert_eq!(
        of_suites.collect::<Vec<_>>(),
        [
            "tests_run",
            "tests_run.*.passed",
            "tests_run.*.failed",
            "tests_run.*.duration"
        ]
    );
    assert!(places(Shape::Return).contains(&"artifacts[].path".to_owned()));
}

#[test]
fn an_unknown_agent_may_use_the_statuses_of_all_agents() {
    assert!(HANDOFF.status("PASS", Some("developer")).is_none());
    assert!(HANDOFF.status("PASS", Some("unknown")).is_some());
    let claim = |agent| {
        HANDOFF
            .status("ROOT_CAUSE_FOUND", agent)
            .map(|status| status.meaning)
    };
    assert_eq!(
        claim(Some("senior_software_engineer")),
        Some(Meaning::Other)
    );
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
            (
                "developer",
                "ESCALATE_SENIOR",
                Some("senior_software_engineer"),
            ),
            ("developer", "BLOCKED", None),
            ("qa_expert", "PASS", Some("tech_lead")),
            ("qa_expert", "FAIL", Some("developer")),
            ("tech_lead", "APPROVED", Some("project_manager")),
            ("tech_lead", "CHANGES_REQUESTED", Some("developer")),
            ("tech_lead", "SPAWN_INVESTIGATOR", Some("investigator")),
            ("project_manager", "BAZINGA", None),
            ("tech_lead", "PASS", None),
        ] {
            assert_eq!(
                profile.next_agent(Some(agent), status),
                next,
                "{agent} {status}"
            );
        }
        assert_eq!(profile.next_agent(None, "PASS"), Some("tech_lead"));
    }
}
