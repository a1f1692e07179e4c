//! The columns that `retval schema` prints for Spark can store every record of `--format jsonl` without
//! loss.

use serde_json::{Map, Value};

use super::report::documents;
use super::{of_report, run};
use crate::common::{World, stderr, stdout};

/// A type as Spark's DDL writes it.
#[derive(Debug, PartialEq)]
enum Ddl {
    Scalar(String),
    Array(Box<Ddl>),
    Struct(Vec<(String, Ddl)>),
}

/// The type at the beginning of a text, and the rest of the text.
fn ddl(text: &str) -> (Ddl, &str) {
    if let Some(rest) = text.strip_prefix("ARRAY<") {
        let (item, rest) = ddl(rest);
        let rest = rest.strip_prefix('>').expect("an end");
        return (Ddl::Array(Box::new(item)), rest);
    }
    if let Some(mut rest) = text.strip_prefix("STRUCT<") {
        let mut members = Vec::new();
        while !rest.starts_with('>') {
            let named = rest.trim_start_matches(", ").strip_prefix('`');
            let (name, after) = named.and_then(|it| it.split_once("`: ")).expect("a name");
            let (member, after) = ddl(after);
            members.push((name.to_owned(), member));
            rest = after;
        }
        return (Ddl::Struct(members), &rest[1..]);
    }
    let end = text.find(|it: char| !it.is_ascii_uppercase());
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (Ddl::Scalar(word.to_owned()), rest)
}

fn columns(world: &World) -> Vec<(String, Ddl)> {
    let output = run(world, &["--target", "spark"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
    let text = stdout(&output);
    let lines = text.lines().map(|line| {
        let (name, column) = line[1..].split_once("` ").expect("a column");
        let (column, rest) = ddl(column);
        assert!(matches!(rest, "" | ","), "{line}");
        (name.to_owned(), column)
    });
    lines.collect()
}

fn holds(column: &Ddl, value: &Value) -> bool {
    match (column, value) {
        (_, Value::Null) => true,
        (Ddl::Scalar(word), value) => match word.as_str() {
            // An object of any members is kept as its text.
            "STRING" => value.is_string() || value.is_object(),
            "BIGINT" => value.is_i64(),
            "DOUBLE" => value.is_number(),
            "BOOLEAN" => value.is_boolean(),
            _ => false,
        },
        (Ddl::Array(item), Value::Array(values)) => values.iter().all(|value| holds(item, value)),
        (Ddl::Struct(members), Value::Object(object)) => holds_all(members, object),
        _ => false,
    }
}

fn holds_all(members: &[(String, Ddl)], object: &Map<String, Value>) -> bool {
    object.iter().all(|(name, value)| {
        let mut named = members.iter().filter(|(member, _)| member == name);
        named.next().is_some_and(|(_, member)| holds(member, value))
    })
}

#[test]
fn the_columns_hold_every_record() {
    let world = World::new();
    let columns = columns(&world);
    let documents = documents(&world);
    let records = documents.iter().filter_map(Value::as_object);
    let records: Vec<_> = records.filter(|it| it.contains_key("steps")).collect();
    assert!(records.len() > 100, "{}", records.len());
    for record in records {
        assert!(holds_all(&columns, record), "{record:?}");
    }
    let Some((_, Ddl::Array(finding))) = columns.iter().find(|(name, _)| name == "findings") else {
        panic!("no findings");
    };
    assert!(!holds(finding, &serde_json::json!({"rule": 1})));
    assert!(!holds(finding, &serde_json::json!({"other": "text"})));
}

/// What stands between two signs, for each time that they stand there.
fn quoted(text: &str, sign: char) -> Vec<&str> {
    text.split(sign).skip(1).step_by(2).collect()
}

/// The names of all members of a schema's objects, as deep as they go.
fn names<'v>(schema: &'v Value, found: &mut Vec<&'v str>) {
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        found.push(name);
        let choices = member["anyOf"].as_array().into_iter().flatten();
        for part in choices.chain([member, &member["items"], &member["prefixItems"][0]]) {
            names(part, found);
        }
    }
}

#[test]
fn the_columns_are_all_members_of_the_report_in_the_same_order() {
    let world = World::new();
    let schema = of_report(&world);
    let mut expected = Vec::new();
    names(&schema["$defs"]["record"], &mut expected);
    assert!(expected.len() > 25, "{expected:?}");
    expected.sort_unstable();
    let order: Vec<_> = columns(&world).into_iter().map(|(name, _)| name).collect();
    let text = stdout(&run(&world, &["--target", "spark"]));
    let mut found = quoted(&text, '`');
    let mut later = found.iter();
    assert!(order.iter().all(|name| later.any(|found| found == name)), "{text}");
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn the_columns_are_the_same_whatever_is_configured() {
    let world = World::new();
    let plain = run(&world, &["--target", "spark"]).stdout;
    world.write("retval.toml", "profile = \"compact\"\nsession = \"sess_1\"\n");
    assert_eq!(run(&world, &["--target", "spark"]).stdout, plain);
    let file = ["--target", "spark", "--output", "columns"];
    assert_eq!(run(&world, &file).status.code(), Some(0));
    assert_eq!(std::fs::read(world.path("columns")).expect("a file"), plain);
    std::fs::remove_file(world.path("retval.toml")).expect("a file");
    for option in ["--profile", "--session", "--agent"] {
        let output = run(&world, &["--target", "spark", option, "compact"]);
        let complaint = format!(
            "error: {option} has no effect with --target spark, which describes no profile\n"
        );
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), complaint));
        assert!(output.stdout.is_empty());
    }
}
