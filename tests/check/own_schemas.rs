//! JSON Schemas of standards of one's own at the command line.

use crate::common::{World, feed, run, stderr, stdout};

const STANDARD: &str = r#"[profiles.own]
schema = "own.schema.json"
"#;

/// What `check` says about a schema.
fn refused(world: &World, schema: &str) -> String {
    world.write("own/own.schema.json", schema);
    world.write("own/retval.toml", STANDARD);
    let mut retval = world.retval();
    retval.args(["check", "--config", "own/retval.toml", "--profile", "own"]);
    let output = feed(&mut retval, "{}");
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let error = stderr(&output);
    let error = error.strip_prefix("error: own/retval.toml:2:10: `schema`: ");
    error.expect("its place").trim_end().to_owned()
}

#[test]
fn a_schema_that_cannot_be_used_is_a_mistake_of_the_configuration() {
    let world = World::new();
    world.write("outside.json", "{}");
    world.write("own/broken.json", "{\"type\":\n nul");
    for (schema, why) in [
        ("{", "own.schema.json:1:1: EOF while parsing an object"),
        (
            r#"{"$ref": "broken.json"}"#,
            "own.schema.json: cannot read `$ref` broken.json: broken.json:2:4: EOF while parsing a value",
        ),
        (
            r#"{"type": "text"}"#,
            r#"own.schema.json at /type: "text" is not valid under any of the schemas listed in the 'anyOf' keyword"#,
        ),
        (
            r#"{"$ref": "other.json"}"#,
            "own.schema.json: cannot read `$ref` other.json: cannot read other.json: it does not exist",
        ),
        (r##"{"$ref": "#/$defs/none"}"##, "own.schema.json: Pointer '/$defs/none' does not exist"),
        (
            r#"{"$schema": "http://json-schema.org/draft-03/schema#"}"#,
            "own.schema.json: Unknown meta-schema: 'http://json-schema.org/draft-03/schema#'. Custom meta-schemas must be registered in the registry before use",
        ),
    ] {
        assert_eq!(refused(&world, schema), why);
    }
    for reference in ["../outside.json", "/etc/hostname", "https://example.org/a.json"] {
        let why = refused(&world, &format!(r#"{{"items": {{"$ref": "{reference}"}}}}"#));
        let rest = "only files below the folder of the configuration are read, and nothing from the network";
        let told = why.starts_with("own.schema.json: cannot read `$ref` ") && why.ends_with(rest);
        assert!(told, "{why}");
    }
}

#[test]
fn a_schema_that_never_ends_is_refused_and_one_of_a_tree_is_not() {
    let world = World::new();
    world.write("own/other.json", r#"{"$ref": "own.schema.json#/$defs/a"}"#);
    for (schema, reference) in [
        (r##"{"$ref": "#"}"##, "#"),
        (r##"{"properties": {"a": {"allOf": [{"$ref": "#/properties/a"}]}}}"##, "#/properties/a"),
        (
            r##"{"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"not": {"$ref": "other.json"}}}}"##,
            "own.schema.json#/$defs/a",
        ),
    ] {
        let why =
            format!("own.schema.json refers to itself: following `$ref` {reference} never ends");
        assert_eq!(refused(&world, schema), why);
    }
    let chain = (0..200).map(|at| format!(r##""{at}": {{"$ref": "#/$defs/{}"}}"##, at + 1));
    let chain: Vec<_> = chain.collect();
    let long =
        format!(r##"{{"$ref": "#/$defs/0", "$defs": {{{}, "200": {{}}}}}}"##, chain.join(", "));
    assert_eq!(
        refused(&world, &long),
        "own.schema.json has more than 100 schemas for one value in a chain"
    );
    world.write(
        "own/own.schema.json",
        r##"{"properties": {"of": {"items": {"$ref": "#"}}}, "required": ["name"]}"##,
    );
    let check = |text: &str| {
        let mut retval = world.retval();
        retval.args(["check", "--format", "concise", "--schema", "own/own.schema.json"]);
        stdout(&feed(&mut retval, text))
    };
    assert_eq!(check(r#"{"name": "a", "of": [{"name": "b"}]}"#), "");
    assert_eq!(
        check(r#"{"name": "a", "of": [{"name": "b", "of": [{}]}]}"#),
        "-:1:43: error[schema] Value does not fit the schema: /of/0/of/0: \"name\" is a required property (required)\n"
    );
}

/// What `check --schema` says of a return: its exit code and its lines.
fn held(world: &World, schema: &str, text: &str) -> (Option<i32>, String) {
    world.write("held.json", schema);
    let mut retval = world.retval();
    retval.args(["check", "--format", "concise", "--schema", "held.json"]);
    let output = feed(&mut retval, text);
    (output.status.code(), stdout(&output) + &stderr(&output))
}

/// Definitions `n0` to `nN`, each made of the next one, which is `R`, and a number at the end.
fn levels(count: usize, each: &str) -> String {
    let level = |at: usize| {
        let next = format!(r##"{{"$ref": "#/$defs/n{}"}}"##, at + 1);
        format!(r#""n{at}": {}"#, each.replace('R', &next))
    };
    let levels: Vec<_> = (0..count).map(level).collect();
    let levels = levels.join(", ");
    format!(
        r##"{{"$ref": "#/$defs/n0", "$defs": {{{levels}, "n{count}": {{"type": "integer"}}}}}}"##
    )
}

#[test]
fn a_schema_that_is_applied_in_too_many_ways_is_a_mistake_of_the_configuration() {
    let world = World::new();
    let ten = format!(r#"{{"allOf": [{}]}}"#, ["R"; 10].join(", "));
    for schema in [
        levels(12, &ten),
        levels(20, r#"{"anyOf": [{"not": R}, R]}"#),
        levels(20, r#"{"if": R, "then": {"oneOf": [R]}}"#),
        levels(20, r#"{"dependentSchemas": {"a": R, "b": R}}"#),
        levels(40, r#"{"allOf": [R], "unevaluatedProperties": false}"#),
        levels(40, r#"{"oneOf": [R], "unevaluatedItems": false}"#),
        levels(20, r#"{"properties": {"a": {"allOf": [R, R]}}, "anyOf": [R, R]}"#)
            .replace("$defs", "definitions"),
    ] {
        assert_eq!(
            refused(&world, &schema),
            "own.schema.json applies more than 10000 schemas to one value"
        );
    }
    // Each file leads to all others, and a schema is another one on each way to it.
    let files = ["own.schema", "b", "c", "d", "e", "f", "g", "h", "i"];
    let members = files.map(|it| format!(r#""{it}": {{"$ref": "{it}.json"}}"#));
    let schema = format!(r#"{{"properties": {{{}}}}}"#, members.join(", "));
    for file in files {
        world.write(&format!("own/{file}.json"), &schema);
    }
    assert_eq!(
        refused(&world, &schema),
        "own.schema.json has more than 50000 schemas, counted for each way to them"
    );
}

#[test]
fn a_return_that_is_too_deep_for_its_schema_is_invalid() {
    let world = World::new();
    let of_a = |value: &str, levels: usize| {
        (0..levels).fold(value.to_owned(), |it, _| format!(r#"{{"a": {it}}}"#))
    };
    let of_items =
        |value: &str, levels: usize| (0..levels).fold(value.to_owned(), |it, _| format!("[{it}]"));
    let tree = |each: &str| each.replace('R', r##"{"$ref": "#"}"##);
    let two = r#"{"oneOf": [{"type": "object", "required": ["b"], "properties": {"a": R}}, {"type": "object", "properties": {"a": R}}, {"type": "integer"}]}"#;
    let any = r#"{"anyOf": [{"type": "integer"}, {"type": "array", "items": R, "minItems": 1}, {"type": "array", "prefixItems": [R]}]}"#;
    let all = r#"{"type": ["object", "integer"], "allOf": [{"properties": {"a": R}}, {"additionalProperties": R}]}"#;
    let both = r#"{"type": ["object", "integer"], "properties": {"a": R}, "patternProperties": {"^a": R}}"#;
    for (schema, wrong, right) in [
        (tree(two), of_a(r#""a""#, 24), of_a("1", 24)),
        (tree(any), of_items(r#""a""#, 24), of_items("1", 24)),
        (tree(both), of_a(r#""a""#, 24), of_a("1", 24)),
        (levels(30, two), of_a(r#""a""#, 30), of_a("1", 30)),
        (tree(all), of_a(r#""a""#, 24), of_a("1", 24)),
    ] {
        assert_eq!(
            held(&world, &schema, &wrong),
            (
                Some(1),
                "-:1:1: error[schema] Value does not fit the schema: the document: it is too deep or too large for the schema (depth)\n".to_owned()
            ),
            "{schema}"
        );
        assert_eq!(held(&world, &schema, &right), (Some(0), String::new()), "{schema}");
    }
}

#[test]
fn an_ordinary_schema_and_return_are_not_too_much() {
    let world = World::new();
    // A tree with kinds of nodes, as of a document.
    let kinds: Vec<_> = (0..12)
        .map(|at| {
            let kind = format!(r#""kind": {{"const": "k{at}"}}, "children": {{"items": R}}"#);
            format!(r#"{{"required": ["kind"], "properties": {{{kind}}}}}"#)
        })
        .collect();
    let tree = format!(r#"{{"oneOf": [{}]}}"#, kinds.join(", "));
    let tree = tree.replace('R', r##"{"$ref": "#"}"##);
    let of_kinds = |leaf: &str, levels: usize| {
        (0..levels).fold(leaf.to_owned(), |it, at| {
            format!(
                r#"{{"kind": "k{}", "children": [{it}, {it_again}]}}"#,
                at % 12,
                it_again = r#"{"kind": "k1"}"#
            )
        })
    };
    assert_eq!(held(&world, &tree, &of_kinds(r#"{"kind": "k0"}"#, 50)), (Some(0), String::new()));
    let (code, lines) = held(&world, &tree, &of_kinds(r#"{"kind": "x"}"#, 3));
    assert_eq!(code, Some(1));
    assert!(lines.contains("the document: value is not valid under any of the schemas"), "{lines}");
    // Many definitions, each with alternatives, and a wide return with a mistake in each item.
    let definitions: Vec<_> = (0..300)
        .map(|at| {
            let parts = r##"{"required": ["id"]}, {"$ref": "#/$defs/base"}"##;
            format!(
                r#""d{at}": {{"allOf": [{parts}], "properties": {{"id": {{"const": "d{at}"}}}}}}"#
            )
        })
        .collect();
    let each: Vec<_> = (0..300).map(|at| format!(r##"{{"$ref": "#/$defs/d{at}"}}"##)).collect();
    let wide = format!(
        r#"{{"items": {{"oneOf": [{}]}}, "$defs": {{"base": {{"properties": {{"text": {{"type": "string"}}}}}}, {}}}}}"#,
        each.join(", "),
        definitions.join(", ")
    );
    let items: Vec<_> =
        (0..2_000).map(|at| format!(r#"{{"id": "d{}", "text": ""}}"#, at % 300)).collect();
    assert_eq!(held(&world, &wide, &format!("[{}]", items.join(", "))), (Some(0), String::new()));
    let numbers = vec!["1"; 90_000].join(",");
    let (code, lines) = held(&world, r#"{"items": {"type": "string"}}"#, &format!("[{numbers}]"));
    assert_eq!(code, Some(1));
    assert!(lines.contains("/999: 1 is not of type \"string\" (type)"));
    assert!(lines.ends_with("-: 89000 more findings are not shown\n"));
    assert_eq!(
        held(
            &world,
            r#"{"items": {"type": "integer", "minimum": 0}, "minItems": 3}"#,
            &format!("[{numbers}]")
        ),
        (Some(0), String::new())
    );
    // The schema of schemas, and files that lead to each other.
    for draft in [
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema = format!(r#"{{"$schema": "{draft}", "$ref": "{draft}"}}"#);
        assert_eq!(held(&world, &schema, &tree), (Some(0), String::new()), "{draft}");
    }
    for (file, other) in [("held", "part"), ("part", "held")] {
        world.write(
            &format!("{file}.json"),
            format!(
                r#"{{"type": "object", "properties": {{"{other}": {{"$ref": "{other}.json"}}}}}}"#
            ),
        );
    }
    let schema = std::fs::read_to_string(world.path("held.json")).expect("a schema");
    assert_eq!(
        held(&world, &schema, r#"{"part": {"held": {"part": {}}}}"#),
        (Some(0), String::new())
    );
}

#[test]
fn a_pattern_that_could_take_for_ever_is_refused_and_any_other_takes_no_time() {
    let world = World::new();
    for pattern in ["(?=a)b", r"(a)\\1", r"(\\w{1000}){1000}", "(a"] {
        let why =
            refused(&world, &format!(r#"{{"properties": {{"a": {{"pattern": "{pattern}"}}}}}}"#));
        assert!(
            why.starts_with("own.schema.json at /properties/a/pattern: a pattern that is wrong"),
            "{why}"
        );
    }
    world.write("own/own.schema.json", r#"{"pattern": "^(a+)+$"}"#);
    let mut retval = world.retval();
    retval.args(["check", "--format", "concise", "--schema", "own/own.schema.json"]);
    let output = feed(&mut retval, format!("\"{}!\"", "a".repeat(100_000)));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("does not match \"^(a+)+$\" (pattern)"));
}

#[test]
fn every_draft_has_its_own_keywords() {
    let world = World::new();
    for (draft, bound) in [
        ("http://json-schema.org/draft-04/schema#", r#""minimum": 3, "exclusiveMinimum": true"#),
        ("http://json-schema.org/draft-06/schema#", r#""exclusiveMinimum": 3"#),
        (
            "http://json-schema.org/draft-07/schema#",
            r#""if": true, "then": {"exclusiveMinimum": 3}"#,
        ),
        (
            "https://json-schema.org/draft/2019-09/schema",
            r#""dependentRequired": {}, "exclusiveMinimum": 3"#,
        ),
        (
            "https://json-schema.org/draft/2020-12/schema",
            r#""prefixItems": [true], "exclusiveMinimum": 3"#,
        ),
    ] {
        world.write("own.schema.json", format!(r#"{{"$schema": "{draft}", {bound}}}"#));
        let mut retval = world.retval();
        retval.args(["check", "--format", "concise", "--schema", "own.schema.json"]);
        let output = feed(&mut retval, "3");
        assert_eq!(
            stdout(&output),
            "-:1:1: error[schema] Value does not fit the schema: the document: 3 is less than or equal to the minimum of 3 (exclusiveMinimum)\n",
            "{draft}"
        );
    }
}

#[test]
fn an_instruction_shows_the_schema() {
    let world = World::new();
    world.write("example.json", r#"{"total": 3}"#);
    let instruct = |schema: &str, more: &str| {
        world.write("whole.json", schema);
        world.write("retval.toml", format!("[profiles.own]\nschema = \"whole.json\"\n{more}"));
        run(world.retval().args(["instruct", "--profile", "own"]))
    };
    let example = "example = \"example.json\"\n";
    let text = stdout(&instruct(r#"{"required": ["total"]}"#, example));
    let shown = "no comments.\n\n```json\n{\"total\": 3}\n```\n\n\nThe whole document must fit this JSON Schema:\n\n{\"required\"";
    assert!(text.contains(shown), "{text}");
    // Agents are shown neither expressions nor pointers.
    for schema in [
        r#"{"properties": {"name": {"pattern": "^[a-z]+$"}}}"#,
        r##"{"properties": {"of": {"$ref": "#/$defs/of"}}, "$defs": {"of": {}}}"##,
    ] {
        let text = stdout(&instruct(schema, example));
        assert!(text.contains("{\"total\": 3}") && !text.contains("Schema"), "{text}");
    }
    let refused = instruct(r#"{"required": ["total"]}"#, "");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        stderr(&refused),
        "error: the profile own needs an `example`, a file with a valid return: none can be made from its fields (Value does not fit the schema: the document: \"total\" is a required property (required))\n"
    );
}

#[test]
fn the_agent_of_a_text_is_told_no_expression_and_no_pointer() {
    let world = World::new();
    world.write("rows.json", r#"{"items": {"properties": {"Line": {"pattern": "^[0-9]+$"}}}}"#);
    world.write(
        "retval.toml",
        "[profiles.own]\nform = \"text\"\nschema = { at = \"Rows\", file = \"rows.json\" }\n",
    );
    let mut retval = world.retval();
    retval.args(["check", "--profile", "own", "--format", "feedback"]);
    let text = "## Rows\n\n| File | Line |\n| --- | --- |\n| a.md | x |\n";
    let told = stdout(&feed(&mut retval, text));
    assert!(
        told.contains(
            "1. Value does not fit the schema: `Line` of the table of `Rows`: it is written in another way (pattern) (line 5)."
        ),
        "{told}"
    );
}

#[test]
fn a_schema_is_added_to_the_profile_that_is_named_or_is_all_that_is_asked() {
    let world = World::new();
    world.write(
        "hours.json",
        r#"{"required": ["status"], "properties": {"metadata": {"properties": {"estimated_hours": {"type": "string"}}}}}"#,
    );
    world.write("plain.json", r#"{"a": 1}"#);
    let plan =
        "profiles/return/completed-plan.json --root project --format concise --schema hours.json";
    let check = |options: &str| {
        let output = world.check(options);
        assert_eq!(stderr(&output), "", "{options}");
        (stdout(&output), output.status.code())
    };
    let misfit = "profiles/return/completed-plan.json:22:24: error[schema] Value does not fit the schema: /metadata/estimated_hours: 8 is not of type \"string\" (type)\n";
    for profile in ["", "--profile auto", "--profile return"] {
        assert_eq!(check(&format!("{plan} {profile}")), (misfit.to_owned(), Some(1)), "{profile}");
    }
    assert_eq!(check(&format!("{plan} --rule schema=off")), (String::new(), Some(0)));
    // Without a profile, only the schema counts; with one, both do.
    let other = "plain.json --schema hours.json --format concise";
    let (alone, code) = check(other);
    assert!(
        alone.starts_with("plain.json:1:1: error[schema] ") && alone.lines().count() == 1,
        "{alone}"
    );
    assert_eq!(code, Some(1));
    let (both, _) = check(&format!("{other} --profile return --rule not-a-return=off"));
    assert!(both.contains("error[field-missing]") && both.contains("error[schema]"), "{both}");
    let refused = world.check("plain.json --schema hours.json --profile any");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("its returns are any messages"), "{}", stderr(&refused));
    let gone = world.check("plain.json --schema gone.json");
    assert_eq!(gone.status.code(), Some(2));
    assert!(stderr(&gone).starts_with("error: --schema gone.json: "), "{}", stderr(&gone));
}
