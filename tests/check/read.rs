//! `retval read`: the document of a text in each form, and where its values stand.

use std::fs;

use crate::common::{World, feed, fixtures, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::is_empty;

fn read(world: &World, options: &str, text: impl AsRef<[u8]>) -> std::process::Output {
    let mut retval = world.retval();
    retval.arg("read").args(options.split_whitespace());
    feed(&mut retval, text)
}

#[test]
fn every_message_has_its_document_and_its_places() {
    let world = World::with("forms");
    let mut count = 0;
    for entry in fs::read_dir(fixtures().join("forms")).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_str().expect("UTF-8");
        let form = match path.extension().and_then(|it| it.to_str()) {
            Some("md") => "text",
            Some("yaml") => "yaml",
            Some("json") if !name.contains(".document.") => "json",
            _ => continue,
        };
        count += 1;
        let file = format!("forms/{name}");
        let base = path.with_extension("");
        for (options, kind) in [("", "document.json"), ("--places", "places.tsv")] {
            let mut retval = world.retval();
            retval.args(["read", "--form", form, &file]);
            let output = retval.args(options.split_whitespace()).output();
            let output = output.expect("it runs");
            let found = stdout(&output);
            output.assert().code(0).stderr(is_empty());
            let kept = base.with_extension(kind);
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&kept, &found).expect("a file");
            }
            let expected = fs::read_to_string(&kept).unwrap_or_default();
            let update = "renew with UPDATE=1 cargo test --test check -- read::";
            assert_eq!(found, expected, "{}: {update}", kept.display());
        }
    }
    assert_eq!(count, 8);
}

#[test]
fn what_is_not_in_the_form_is_refused_with_its_place() {
    let world = World::with("forms");
    for (options, text, expected) in [
        ("", "", "-:1:1: the return is empty: end with the return as the final message"),
        (
            "--form text",
            " \n ",
            "-:1:1: the return is empty: end with the return as the final message",
        ),
        (
            "",
            "{\"a\": 1,\n \"é\": }",
            "-:2:7: the return is broken JSON (expected value): write it with a JSON library",
        ),
        (
            "",
            "{\"a\": 1, \"a\": 2}",
            "-:1:10: the return has the key \"a\" twice in one object: write each key once",
        ),
        (
            "",
            "[\"\\ud800\"]",
            "-:1:3: the return has half a surrogate pair in a string: write the character itself or both halves",
        ),
        (
            "--form yaml",
            "a: 1\nb: 2\na: 3\n",
            "-:3:1: the return has the key `a` twice in one mapping: write each key once",
        ),
        (
            "--form yaml",
            "a: .nan\n",
            "-:1:4: the return has a number that JSON does not have: write one YAML document of mappings, sequences and plain values",
        ),
        (
            "--form yaml",
            "a: !x 1\n",
            "-:1:4: the return has a tag, which JSON does not have: write one YAML document of mappings, sequences and plain values",
        ),
        (
            "--form yaml",
            "a: 1\n---\nb: 2\n",
            "-:2:1: the return has more than one YAML document: write one YAML document of mappings, sequences and plain values",
        ),
        (
            "--form yaml",
            "? [a]\n: 1\n",
            "-:1:3: the return has a key that is not a text: write one YAML document of mappings, sequences and plain values",
        ),
    ] {
        let output = read(&world, options, text);
        assert_eq!(stderr(&output), format!("error: {expected}\n"), "{text}");
        output.assert().code(2).stdout(is_empty());
    }
    let output = read(&world, "--form text", b"Status: \xff");
    assert_eq!(
        stderr(&output),
        "error: -:1:9: the return is not valid UTF-8: write the return as UTF-8 text\n"
    );
}

#[test]
fn limits_hold_in_every_form() {
    let world = World::with("forms");
    let deep = |open: &str, close: &str| open.repeat(129) + &close.repeat(129);
    let nested_tags = deep("<x>", "</x>");
    for (form, text, what) in [
        ("json", deep("[", "]"), "is nested deeper than 128 levels"),
        ("json", format!("[{}1]", "1,".repeat(100_000)), "has more than 100000 items"),
        ("yaml", deep("[", "]"), "is nested deeper than 128 levels"),
        ("yaml", "a: &a x\nb: *a\n".to_owned(), "has an alias in place of a value"),
        ("text", nested_tags, "has tags nested deeper than 24 levels"),
        ("text", "a: 1\n".repeat(100_001), "has more than 100000 items"),
    ] {
        let output = read(&world, &format!("--form {form}"), &text);
        assert!(stderr(&output).contains(what), "{form}: {}", stderr(&output));
        output.assert().code(2).stdout(is_empty());
    }
    for text in ["> ".repeat(100_000), "- ".repeat(100_000), "*_".repeat(100_000)] {
        read(&world, "--form text", text).assert().code(0);
    }
}

#[test]
fn nothing_of_a_text_reaches_the_terminal_unescaped() {
    let world = World::with("forms");
    let text = "Status\u{202e}: a\u{1b}[2J\n::error::x\nX: ##[group]\n";
    for options in ["--form text", "--form text --places"] {
        let found = stdout(&read(&world, options, text));
        let is_plain = |it: char| !it.is_control() || it == '\n' || it == '\t';
        assert!(found.chars().all(is_plain), "{found}");
        assert!(!found.contains('\u{202e}') && !found.contains("##["), "{found}");
        assert!(found.lines().all(|line| !line.starts_with("::")), "{found}");
    }
}

#[test]
fn the_name_of_a_file_says_its_form() {
    let world = World::new();
    world.write("a.yaml", "status: done\n");
    let output = world.retval().args(["read", "a.yaml"]).output();
    let output = output.expect("it runs");
    assert_eq!(stdout(&output), "{\n  \"status\": \"done\"\n}\n");
    output.assert().code(0).stderr(is_empty());
}
