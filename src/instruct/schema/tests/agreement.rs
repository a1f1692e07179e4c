//! The full schema, and the one for the Claude CLI, accept what the first steps accept by default.

use crate::check::report::StepOutcome;
use crate::check::rules::Step;
use crate::instruct::schema::Target;
use crate::profile::{FieldSpec, Need, PROFILES, Profile, RETURN};
use crate::report::{Format, Profiles};
use crate::{Checker, Root};
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

use super::{Request, made, validator};
use crate::laws::generated::{
    AGENT, SESSION, apply, edit, filled, odd_values, pointers, required, seeds,
};

/// A profile, the demands of a caller, and the schemas that accept what passes.
struct Bench<'b> {
    profile: &'b Profile,
    checker: Checker<'b>,
    schemas: [Validator; 2],
    documents: [Value; 4],
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
            profile,
            checker: Checker::new(profile, root).agent(agent).session(session),
            schemas,
            documents: [
                required(profile, document(true)),
                document(true),
                document(false),
                Value::Object(Map::new()),
            ],
        }
    }

    fn passes(&self, document: &Value) -> bool {
        let text = document.to_string();
        let report = self.checker.check(&text);
        // A schema says how long a summary may be, and not how long the whole return.
        let tells_length = self.profile.id.starts_with("return");
        let is_told = |step: &Step| match step {
            Step::Artifacts => false,
            Step::Summary => tells_length,
            _ => true,
        };
        let mut steps = Step::ALL.into_iter().filter(is_told);
        steps.all(|step| *report.outcome(step) != StepOutcome::Fail)
    }

    fn hold(&self, document: &Value) {
        let passes = self.passes(document);
        for schema in &self.schemas {
            assert!(!passes || schema.is_valid(document), "{document}");
        }
    }

    fn refuses(&self, document: &Value) -> bool {
        self.schemas.iter().all(|it| !it.is_valid(document))
    }
}

#[test]
fn each_kind_of_value_that_passes_at_a_member_fits() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    for profile in PROFILES {
        let bench = Bench::new(profile, &root, None, None);
        let document = &bench.documents[2];
        assert!(bench.passes(document), "{document}");
        let mut places = Vec::new();
        pointers(document, "", &mut places);
        for place in places {
            for value in odd_values() {
                let mut changed = document.clone();
                *changed.pointer_mut(&place).expect("it is there") = value;
                bench.hold(&changed);
            }
        }
    }
}

#[test]
fn what_the_first_steps_refuse_is_mostly_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    let fields = [
        FieldSpec::new("status", Need::Required),
        FieldSpec::new("summary", Need::Required),
        FieldSpec::new("ticket", Need::Required),
        FieldSpec::new("metadata", Need::Optional),
        FieldSpec::new("metadata.team", Need::Required),
        FieldSpec::new("next_steps", Need::Optional),
    ];
    let mut profile = RETURN.clone();
    profile.fields = fields.to_vec().into();
    let bench = Bench::new(&profile, &root, None, None);
    let good = json!({
        "status": "failed", "summary": "It failed. No file.", "ticket": "T-1", "metadata": {"team": 1},
    });
    assert!(bench.passes(&good) && !bench.refuses(&good));
    for (place, value) in [
        ("/status", json!("done")),
        ("/summary", json!(" ")),
        ("/summary", json!("x".repeat(400))),
        ("/ticket", Value::Null),
        ("/metadata", json!({})),
        ("/next_steps", json!(1)),
    ] {
        let mut changed = good.clone();
        changed["next_steps"] = Value::Null;
        assert!(!bench.refuses(&changed));
        *changed.pointer_mut(place).expect("it is there") = value;
        assert!(!bench.passes(&changed) && bench.refuses(&changed), "{changed}");
    }
}

#[test]
fn several_changes_at_once_that_pass_fit() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    let mut benches = Vec::new();
    for profile in PROFILES {
        for agent in [None, Some(AGENT), Some("stranger")] {
            for session in [None, Some(SESSION)] {
                benches.push(Bench::new(profile, &root, agent, session));
            }
        }
    }
    let edits = proptest::collection::vec(edit(), 0..4);
    seeds::hold(30, &(any::<Index>(), edits), |(base, edits)| {
        for bench in &benches {
            let mut document = base.get(&bench.documents).clone();
            for (place, edit) in &edits {
                apply(&mut document, *place, edit);
            }
            bench.hold(&document);
        }
        Ok(())
    });
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
        Format::FailedReturn.reporter(&options, &Profiles::default()).report(
            &source,
            crate::report::Checked::Report(&report),
            &mut verdict,
        );
        let verdict: Value = serde_json::from_slice(&verdict).expect("a return");
        let request = Request::new(&RETURN, Target::Full);
        assert!(validator(&made(&request).0).is_valid(&verdict), "{verdict}");
    }
}
