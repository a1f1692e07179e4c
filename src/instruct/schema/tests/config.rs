//! The schema of the configuration agrees with the code that reads it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::check::rules::{Level, RULES};
use crate::config::{self, Config, SETTINGS};
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

use super::validator;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn schema() -> Value {
    config::schema().to_string().parse().expect("JSON")
}

/// The JSON that an editor checks in place of a TOML value. A date has none.
fn value(toml: &DeValue<'_>) -> Value {
    match toml {
        DeValue::String(text) => json!(text),
        DeValue::Integer(number) => json!(
            i64::from_str_radix(number.as_str(), number.radix()).expect("a number of 64 bits")
        ),
        DeValue::Float(number) => json!(number.as_str().parse::<f64>().expect("a float")),
        DeValue::Boolean(switch) => json!(switch),
        DeValue::Datetime(_) => Value::Null,
        DeValue::Array(items) => items.iter().map(|item| value(item.get_ref())).collect(),
        DeValue::Table(table) => object(table),
    }
}

fn object(table: &DeTable<'_>) -> Value {
    let members = table.iter();
    let members = members.map(|(key, it)| (key.get_ref().to_string(), value(it.get_ref())));
    Value::Object(members.collect::<Map<_, _>>())
}

/// Asserts that the schema accepts a configuration exactly if retval does.
fn assert_agrees(schema: &Validator, toml: &str, is_valid: bool) {
    let read = Config::parse(toml);
    assert_eq!(read.is_ok(), is_valid, "{toml}: {:?}", read.err());
    let document = DeTable::parse(toml).expect("TOML");
    let document = object(document.get_ref());
    let found = schema.validate(&document);
    assert_eq!(found.is_ok(), is_valid, "{toml}: {:?}", found.err());
}

#[test]
fn the_schema_describes_every_setting_and_every_rule() {
    let schema = schema();
    for setting in &SETTINGS {
        let keys = setting.name.replace('.', "/properties/");
        let found = schema.pointer(&format!("/properties/{keys}"));
        let found = found.unwrap_or_else(|| panic!("{}", setting.name));
        assert_eq!(found["description"], setting.about, "{}", setting.name);
        let default = found.get("default").or(found["anyOf"][1].get("default"));
        let default = default.map_or(String::new(), Value::to_string);
        assert_eq!(default, setting.default, "{}", setting.name);
    }
    let rules = &schema["$defs"]["rules"]["properties"];
    for rule in RULES {
        let found = &rules[rule.id];
        assert_eq!(found["description"], rule.title(), "{}", rule.id);
        assert_eq!(found["enum"].as_array().expect("levels").len(), Level::ALL.len());
    }
    assert_eq!(rules.as_object().expect("rules").len(), RULES.len());
}

/// The dotted path of every key that the schema names; `x` is a name that the user chooses.
fn keys(whole: &Value, schema: &Value, path: &str, found: &mut Vec<String>) {
    let reference = schema["$ref"].as_str();
    let target = reference.map(|it| whole.pointer(it.trim_start_matches('#')).expect(it));
    let schema = target.unwrap_or(schema);
    let named = schema["properties"].as_object().into_iter().flatten();
    let named = named.map(|(key, schema)| (key.as_str(), schema));
    let any = schema.get("additionalProperties").filter(|it| it.is_object());
    for (key, schema) in named.chain(any.map(|schema| ("x", schema))) {
        let path = format!("{path}{key}");
        keys(whole, schema, &format!("{path}."), found);
        found.push(path);
    }
    for choice in schema["anyOf"].as_array().into_iter().flatten() {
        keys(whole, choice, path, found);
    }
}

#[test]
fn the_schema_and_retval_have_the_same_keys_and_types() {
    let (schema, mut paths) = (schema(), Vec::new());
    keys(&schema, &schema, "", &mut paths);
    assert!(paths.len() > 200, "{}", paths.len());
    for path in ["hook.agents.x.hold", "profiles.x.agents.x.next.x", "profiles.x.limits.sentences"]
    {
        assert!(paths.iter().any(|known| known == path), "{path}");
    }
    let validator = validator(&schema);
    for path in paths {
        let is_in_profile = path.starts_with("profiles.x.") && path != "profiles.x.extends";
        let extends = if is_in_profile { "profiles.x.extends = \"return\"\n" } else { "" };
        // No key takes a date. Some keys are only of profiles that extend none.
        let told = [extends, ""].map(|extends| {
            let toml = format!("{extends}{path} = 1979-05-27\n");
            assert_agrees(&validator, &toml, false);
            Config::parse(&toml).expect_err("a date").to_string()
        });
        assert!(told.iter().any(|it| it.contains("found datetime")), "{path}: {told:?}");
    }
}

#[test]
fn examples_of_the_manual_are_valid() {
    let validator = validator(&schema());
    let example = fs::read_to_string(fixtures().join("config/retval.toml")).expect("a file");
    assert_agrees(&validator, &example, true);
    let mut found = 0;
    let pages = fs::read_dir(fixtures().join("../src/manual")).expect("the manual");
    for page in pages {
        let page = fs::read_to_string(page.expect("a page").path()).expect("text");
        for block in page.split("```toml\n").skip(1) {
            let (block, _) = block.split_once("```").expect("its end");
            assert_agrees(&validator, block, true);
            found += 1;
        }
    }
    assert!(found >= 3, "{found}");
}

#[test]
fn the_schema_accepts_what_retval_accepts() {
    let validator = validator(&schema());
    for toml in [
        "",
        "max-bytes = 1\njobs = 1_024",
        "max-bytes = \"16mib\"\nstale-after = \"7d\"",
        "rules.json-syntax = \"error\"",
        "hook.agents = [\"a\"]",
        "[hook.agents.\"*-agent\"]\nhold = false\nretries = 0\nprofile = \"compact\"",
        "[[overrides]]\nfiles = [\"a/**\"]\n[[overrides]]\nfiles = [\"b\"]\nstrict = true\nextract = true\nprofile = \"auto\"\nrules.artifact-type = \"off\"",
        "[profiles.x]\nextends = \"return\"\nlimits = { sentences = [1, 2] }",
    ] {
        assert_agrees(&validator, toml, true);
    }
    for toml in [
        "strickt = true",
        "strict = \"yes\"",
        "root = \" \"",
        "jobs = 0",
        "jobs = 1025",
        "color = \"red\"",
        "exclude = \"archive\"",
        "rules.artifact-blank = \"fatal\"",
        "rules.artifact-tipe = \"off\"",
        "hook.strict = true",
        "[hook.agents.\"*\"]\nroot = \".\"",
        "[overrides]\nfiles = [\"a\"]",
        "[[overrides]]\nfiles = \"a\"",
        "[[overrides]]\nfiles = [\"a\"]\nsession = \"s\"",
        "[profiles.x]\nextends = \"return\"\nstatuses = { done = \"good\" }",
        "[profiles.x]\nextends = \"return\"\nstatuses = { failed = \"wait\" }",
        "[profiles.x]\nextends = \"return\"\nartifact-types = \"all\"",
        "[profiles.x]\nextends = \"return\"\nlimits = { words = 3 }",
        "[profiles.x]\nextends = \"return\"\nlimits = { sentences = [1] }",
        "[profiles.x]\nextends = \"return\"\nlimits = { summary-words = \"none\" }",
    ] {
        assert_agrees(&validator, toml, false);
    }
}
