//! The full schema, and the one for the Claude CLI, accept what the first steps accept.

use crate::check::rules::{Level, Step};
use crate::instruct::schema::Target;
use crate::profile::{FieldSpec, HANDOFF, Need, PROFILES, Profile, RETURN, Unit};
use crate::report::{Format, Profiles};
use crate::{Checker, Root};
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

use super::{Request, custom, made, validator};
use crate::laws::generated::{
    AGENT, SESSION, apply, edit, filled, odd_values, pointers, required, seeds,
};

/// A profile, the demands of a caller, and the schemas that should agree with them.
struct Bench<'b> {
    checker: Checker<'b>,
    schemas: [Validator; 2],
    documents: [Value; 4],
    /// Whether a schema can say how long a text may be.
    tells_length: bool,
}

impl<'b> Bench<'b> {
    fn new(
        profile: &'b Profile,
        root: &'b Root,
        agent: Option<&'b str>,
        session: Option<&'b str>,
    ) -> Self {
        let session = session.filter(|_| profile.roles.session.is_some());
        let schemas = [Target::Full, Target::ClaudeCli].map(|target| {
            let request = Request::new(profile, target).session(session).agent(agent);
            validator(&made(&request).0)
        });
        let document = |named| filled(profile, profile.shape.form(), "", named);
        Self {
            checker: Checker::new(profile, root).agent(agent).session(session),
            schemas,
            documents: [
                required(profile, document(true)),
                document(true),
                document(false),
                Value::Object(Map::new()),
            ],
            tells_length: profile.id.starts_with("return")
                && profile
                    .length
                    .is_some_and(|limit| limit.unit != Unit::Words),
        }
    }

    fn passes(&self, document: &Value) -> bool {
        let text = document.to_string();
        let report = self.checker.check(&text);
        let mut steps = vec![Step::Json, Step::Fields, Step::Status, Step::Session];
        if self.tells_length {
            steps.push(Step::Summary);
        }
        let fails = |step: Step| *report.outcome(step) == crate::check::report::StepOutcome::Fail;
        !steps.into_iter().any(fails)
    }
}

const STRICTER: &[(&str, Level)] = &[
    ("field-unknown", Level::Error),
    ("compact-extra-field", Level::Error),
    ("artifact-type", Level::Error),
    ("error-type", Level::Error),
    ("artifact-summary-long", Level::Error),
    ("error-message-long", Level::Error),
    ("next-steps-long", Level::Error),
    ("duration-negative", Level::Error),
];

/// Profiles of one's own: rules that are stricter, and laxer, than the standards.
fn own_profiles() -> Vec<Profile> {
    const LAXER: &[(&str, Level)] = &[
        ("field-missing", Level::Warning),
        ("field-empty", Level::Off),
        ("summary-too-long", Level::Warning),
        ("session-mismatch", Level::Off),
    ];
    const TYPELESS: &[(&str, Level)] = &[("field-type", Level::Warning)];
    const ANY_STATUS: &[(&str, Level)] = &[("status-unknown", Level::Off)];
    let mut profiles = Vec::new();
    for levels in [STRICTER, LAXER, TYPELESS, ANY_STATUS] {
        profiles.extend(PROFILES.map(|profile| {
            let mut profile = profile.clone();
            profile.levels = levels.into();
            profile
        }));
    }
    profiles
}

#[test]
fn each_kind_of_value_at_each_member_has_one_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    let own = own_profiles();
    let stricter = own.iter().filter(|own| own.levels == STRICTER);
    let all = PROFILES.map(|profile| (profile, 2));
    let values = odd_values();
    for (profile, document) in all.into_iter().chain(stricter.map(|own| (own, 1))) {
        let bench = Bench::new(profile, &root, None, None);
        let document = &bench.documents[document];
        assert!(bench.passes(document), "{document}");
        let mut places = Vec::new();
        pointers(document, "", &mut places);
        for place in places {
            for value in &values {
                let mut changed = document.clone();
                *changed.pointer_mut(&place).expect("it is there") = value.clone();
                let passes = bench.passes(&changed);
                for schema in &bench.schemas {
                    assert_eq!(schema.is_valid(&changed), passes, "{place} {changed}");
                }
            }
        }
    }
}

#[test]
fn a_custom_required_member_is_required() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    let fields = [
        FieldSpec::new("status", Need::Required),
        FieldSpec::new("ticket", Need::Required),
        FieldSpec::new("metadata", Need::Optional),
        FieldSpec::new("metadata.team", Need::Required),
        FieldSpec::new("note", Need::Optional),
    ];
    let mut profile = RETURN.clone();
    profile.id = "mine".into();
    profile.length = None;
    profile.fields = fields.to_vec().into();
    let bench = Bench::new(&profile, &root, None, None);
    let good = json!({"status": "failed", "ticket": "T-1", "note": "x", "metadata": {"team": 1}});
    assert!(bench.passes(&good));
    for place in ["/ticket", "/metadata", "/metadata/team", "/note"] {
        for value in odd_values() {
            let mut changed = good.clone();
            *changed.pointer_mut(place).expect("it is there") = value;
            for schema in &bench.schemas {
                let passes = bench.passes(&changed);
                assert_eq!(schema.is_valid(&changed), passes, "{changed}");
            }
        }
    }
}

#[test]
fn a_decision_and_the_members_of_another_agent_have_one_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    let own = own_profiles();
    let own = own.iter().filter(|own| own.id == HANDOFF.id);
    let (mut accepted, mut refused) = (0, 0);
    for profile in own.chain([&HANDOFF]) {
        for agent in [None, Some("tech_lead"), Some("developer"), Some("stranger")] {
            let bench = Bench::new(profile, &root, agent, None);
            for from in ["tech_lead", "developer", "stranger"] {
                for status in [
                    "APPROVED",
                    "CHANGES_REQUESTED",
                    "UNBLOCKING_GUIDANCE",
                    "BLOCKED",
                ] {
                    for more in [
                        json!({}),
                        json!({"decision": "APPROVED"}),
                        json!({"decision": "CHANGES_REQUESTED"}),
                        json!({"decision": "MAYBE"}),
                        json!({"decision": " "}),
                        json!({"decision": 1}),
                        json!({"decision": null, "tests": {"total": "many"}}),
                        json!({"tests": {"total": 1, "other": 1}}),
                    ] {
                        let mut document = more;
                        document["from_agent"] = json!(from);
                        document["status"] = json!(status);
                        document["summary"] = json!("x");
                        let passes = bench.passes(&document);
                        for schema in &bench.schemas {
                            let is_valid = schema.is_valid(&document);
                            assert_eq!(is_valid, passes, "{agent:?} {document}");
                        }
                        accepted += usize::from(passes);
                        refused += usize::from(!passes);
                    }
                }
            }
        }
    }
    // Both verdicts were at stake.
    assert!(accepted > 0 && refused > 0, "{accepted} {refused}");
}

#[test]
fn several_changes_at_once_have_one_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    let own = own_profiles();
    let mut benches = Vec::new();
    for profile in PROFILES {
        for agent in [None, Some(AGENT), Some("stranger")] {
            for session in [None, Some(SESSION)] {
                benches.push(Bench::new(profile, &root, agent, session));
            }
        }
    }
    for profile in &own {
        benches.push(Bench::new(profile, &root, None, Some(SESSION)));
    }
    let (mut accepted, mut refused) = (0, 0);
    let edits = proptest::collection::vec(edit(), 0..4);
    let counts = std::cell::RefCell::new((&mut accepted, &mut refused));
    seeds::hold(30, &(any::<Index>(), edits), |(base, edits)| {
        for bench in &benches {
            let mut document = base.get(&bench.documents).clone();
            for (place, edit) in &edits {
                apply(&mut document, *place, edit);
            }
            let passes = bench.passes(&document);
            for schema in &bench.schemas {
                let id = &bench.checker;
                prop_assert_eq!(schema.is_valid(&document), passes, "{} {:?}", document, id);
            }
            let mut counts = counts.borrow_mut();
            *(if passes {
                &mut *counts.0
            } else {
                &mut *counts.1
            }) += 1;
        }
        Ok(())
    });
    // Both verdicts were at stake.
    assert!(accepted > 0 && refused > 0, "{accepted} {refused}");
}

#[test]
fn the_failed_return_fits_the_schema_of_the_profile_return() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    for profile in PROFILES {
        let checker = Checker::new(profile, &root);
        let report = checker.check("{}");
        let mut verdict = Vec::new();
        let options = crate::report::ReportOptions::default();
        let source = crate::report::Source::new("-");
        Format::FailedReturn
            .reporter(&options, &Profiles::default())
            .report(
                &source,
                crate::report::Checked::Report(&report),
                &mut verdict,
            );
        let verdict: Value = serde_json::from_slice(&verdict).expect("a return");
        let request = Request::new(&RETURN, Target::Full);
        assert!(validator(&made(&request).0).is_valid(&verdict), "{verdict}");
    }
}

#[test]
fn a_required_member_of_an_object_that_the_base_lacks_has_one_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    for level in [Level::Off, Level::Error] {
        let profile = custom(&format!(
            "[profiles.own]\nextends = \"return\"\nrules = {{ field-unknown = \"{}\" }}\n\
             required = [\"completion_data.completion_summary\", \"errors[].cause\"]\n",
            level.as_str()
        ));
        let bench = Bench::new(&profile, &root, None, None);
        for (data, passes) in [
            (Value::Null, true),
            (json!({}), false),
            (json!({ "completion_summary": null }), false),
            (json!({ "completion_summary": 7 }), false),
            (json!({ "completion_summary": "\u{200b}" }), false),
            (json!({ "completion_summary": "Done" }), true),
            (json!([]), false),
        ] {
            let mut document = bench.documents[0].clone();
            document["status"] = "failed".into();
            document["completion_data"] = data;
            assert_eq!(bench.passes(&document), passes, "{document}");
            for schema in &bench.schemas {
                assert_eq!(schema.is_valid(&document), passes, "{document}");
            }
        }
    }
}
