//! Every schema for a target uses only what its reader supports according to its vendor.

use crate::check::report::StepOutcome;
use crate::check::rules::Step;
use crate::instruct::schema::Target;
use crate::{Checker, Profile, Root};
use proptest::prelude::*;
use proptest::strategy::Union;
use serde_json::{Map, Value, json};

use super::{Request, made, requests, validator};
use crate::laws::generated::seeds;

/// The keywords that both strict readers take.
const KEYWORDS: [&str; 9] = [
    "description",
    "type",
    "enum",
    "pattern",
    "required",
    "properties",
    "additionalProperties",
    "items",
    "anyOf",
];

/// What draft-07 does not know, of the keywords that later drafts have.
const AFTER_DRAFT_07: [&str; 9] = [
    "$defs",
    "$anchor",
    "$dynamicRef",
    "prefixItems",
    "minContains",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Visits every schema in a schema, with its depth from 1.
fn each<'s>(schema: &'s Value, depth: usize, visit: &mut dyn FnMut(&'s Map<String, Value>, usize)) {
    let Value::Object(keywords) = schema else {
        return;
    };
    visit(keywords, depth);
    for (name, value) in keywords {
        match (name.as_str(), value) {
            ("properties" | "$defs", Value::Object(members)) => {
                members.values().for_each(|member| each(member, depth + 1, visit));
            }
            ("anyOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                for schema in schemas {
                    each(schema, depth, visit);
                }
            }
            ("items" | "additionalProperties", inner) => each(inner, depth + 1, visit),
            ("if" | "then" | "else", inner) => each(inner, depth, visit),
            _ => {}
        }
    }
}

fn of_target(target: Target) -> impl Iterator<Item = (Request<'static>, Value)> {
    let requests = requests().into_iter();
    requests
        .filter(move |request| request.target == target)
        .map(|request| (request, made(&request).0))
}

fn types(keywords: &Map<String, Value>) -> Vec<&str> {
    match keywords.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// What both strict readers ask of every schema in a schema.
fn hold_to_common_rules(schema: &Value) {
    assert_eq!(schema["type"], "object");
    assert!(schema.get("anyOf").is_none());
    each(schema, 1, &mut |keywords, _| {
        for keyword in keywords.keys() {
            assert!(KEYWORDS.contains(&keyword.as_str()), "{keyword}");
        }
        assert!(!types(keywords).is_empty() || keywords.contains_key("anyOf"), "{keywords:?}");
        if types(keywords).contains(&"object") {
            assert_eq!(keywords["additionalProperties"], false);
            assert!(!keywords["properties"].as_object().expect("members").is_empty());
        }
        if types(keywords).contains(&"array") {
            assert!(keywords.contains_key("items"));
        }
        if let Some(pattern) = keywords.get("pattern") {
            assert_eq!(pattern, r"[^\s]");
        }
        for word in keywords.get("enum").and_then(Value::as_array).into_iter().flatten() {
            assert!(word.is_string() || word.is_null());
        }
    });
}

#[test]
fn claude_cli_takes_draft_07() {
    for (_, schema) in of_target(Target::ClaudeCli) {
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
        each(&schema, 1, &mut |keywords, _| {
            for keyword in AFTER_DRAFT_07 {
                assert!(!keywords.contains_key(keyword), "{keyword}");
            }
            assert!(!keywords.get("items").is_some_and(Value::is_array));
        });
    }
}

#[test]
fn claude_api_takes_24_optional_members_and_16_unions() {
    let mut most = (0, 0);
    for (request, schema) in of_target(Target::ClaudeApi) {
        hold_to_common_rules(&schema);
        let (mut optional, mut unions) = (0, 0);
        each(&schema, 1, &mut |keywords, _| {
            unions += usize::from(types(keywords).len() > 1 || keywords.contains_key("anyOf"));
            let members = keywords.get("properties").and_then(Value::as_object);
            let required = keywords.get("required").and_then(Value::as_array);
            optional += members.map_or(0, Map::len) - required.map_or(0, Vec::len);
        });
        assert!(optional <= 24 && unions <= 16, "{request:?} {optional} {unions}");
        most = most.max((optional, unions));
    }
    // The handoff has more optional members than that: the rest may be null.
    assert!(most.0 == 24 && most.1 > 0, "{most:?}");
}

#[test]
fn openai_strict_takes_required_members_only() {
    for (_, schema) in of_target(Target::OpenAiStrict) {
        hold_to_common_rules(&schema);
        let (mut properties, mut levels, mut words, mut characters) = (0, 0, 0, 0);
        each(&schema, 1, &mut |keywords, depth| {
            levels = levels.max(depth);
            let members = keywords.get("properties").and_then(Value::as_object);
            let names: Vec<_> = members.into_iter().flat_map(Map::keys).collect();
            let required = keywords.get("required").and_then(Value::as_array);
            let mut required: Vec<_> =
                required.into_iter().flatten().filter_map(Value::as_str).collect();
            required.sort_unstable();
            assert_eq!(names, required);
            properties += names.len();
            let listed = keywords.get("enum").and_then(Value::as_array);
            let listed: Vec<_> = listed.into_iter().flatten().filter_map(Value::as_str).collect();
            words += listed.len();
            characters += names.iter().map(|name| name.len()).sum::<usize>();
            characters += listed.iter().map(|word| word.len()).sum::<usize>();
        });
        assert!(properties <= 5_000 && levels <= 10 && words <= 1_000 && characters <= 120_000);
    }
}

/// Any document that fits a strict schema, as a model bound by it may write.
fn written(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(Value::Array(choices)) = schema.get("anyOf") {
        return Union::new(choices.iter().map(written)).boxed();
    }
    if let Some(Value::Array(words)) = schema.get("enum") {
        return proptest::sample::select(words.clone()).boxed();
    }
    let keywords = schema.as_object().expect("keywords");
    let of_type = |name: &str| match name {
        "null" => Just(Value::Null).boxed(),
        "boolean" => any::<bool>().prop_map(|value| json!(value)).boxed(),
        "integer" => any::<i64>().prop_map(|value| json!(value)).boxed(),
        "number" => (-1e9..1e9).prop_map(|value: f64| json!(value)).boxed(),
        "string" if schema.get("pattern").is_some() => {
            "[ a-zé]{0,9}[a-z𝄞.]".prop_map(|text| json!(text)).boxed()
        }
        "string" => "[ a-zé]{0,9}".prop_map(|text| json!(text)).boxed(),
        "array" => proptest::collection::vec(written(&schema["items"]), 0..3)
            .prop_map(|items| json!(items))
            .boxed(),
        _ => object(keywords),
    };
    Union::new(types(keywords).into_iter().map(of_type)).boxed()
}

fn object(keywords: &Map<String, Value>) -> BoxedStrategy<Value> {
    let required = keywords.get("required").and_then(Value::as_array);
    let is_required =
        |name: &String| required.is_some_and(|names| names.iter().any(|known| known == name));
    let members = keywords["properties"].as_object().expect("members");
    let members: Vec<_> = members
        .iter()
        .map(|(name, schema)| {
            let least = usize::from(is_required(name));
            let member = proptest::collection::vec(written(schema), least..=1);
            let name = name.clone();
            member.prop_map(move |values| {
                values.into_iter().map(|value| (name.clone(), value)).collect::<Vec<_>>()
            })
        })
        .collect();
    members.prop_map(|members| Value::Object(members.into_iter().flatten().collect())).boxed()
}

/// What a strict schema tells and cannot require: a decision is the status, if that is a decision.
fn agree(document: &mut Value, profile: &Profile) {
    let status = document["status"].clone();
    let is_decision = profile.decisions.iter().any(|word| status == **word);
    if is_decision && document["decision"].is_string() {
        document["decision"] = status;
    }
}

#[test]
fn output_of_a_strict_schema_passes_the_first_steps() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("a root");
    for target in [Target::ClaudeApi, Target::OpenAiStrict] {
        for (request, schema) in of_target(target) {
            let strict = validator(&schema);
            let full = validator(
                &made(
                    &Request::new(request.profile, Target::Full)
                        .session(request.session)
                        .agent(request.agent),
                )
                .0,
            );
            let checker =
                Checker::new(request.profile, &root).agent(request.agent).session(request.session);
            seeds::hold(6, &written(&schema), |mut document| {
                agree(&mut document, request.profile);
                prop_assert!(strict.is_valid(&document), "{:?}", request);
                prop_assert!(full.is_valid(&document), "{:?}", request);
                let text = document.to_string();
                let report = checker.check(&text);
                for step in [Step::Json, Step::Fields, Step::Status, Step::Session] {
                    prop_assert_ne!(
                        report.outcome(step),
                        &StepOutcome::Fail,
                        "{:?} {:?}",
                        request,
                        report.findings
                    );
                }
                Ok(())
            });
        }
    }
}
