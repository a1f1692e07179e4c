//! The types of the packages for Python and Node.js have the options of `retval check`, and the members of
//! a record.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{read, retval, text};

const PYTHON: &str = ".dist/python/src/retval";
const NODE: &str = ".dist/npm/retval/index.d.ts";

/// Options about inputs and outputs of the command, which are not for a function.
const OF_THE_COMMAND: &str = "color exclude exit-zero expect field files-from filter format help include jobs \
    lines quiet update-baseline verbose";

/// The options of `retval check` that functions have.
fn options() -> BTreeSet<String> {
    let help = text(retval(&["check", "--help"]).stdout);
    let of_the_command: Vec<_> = OF_THE_COMMAND.split(' ').collect();
    let flags = help.lines().filter_map(|line| {
        let (before, flag) = line.split_once("--")?;
        let is_flag = before.trim().is_empty() || before.trim().len() == 3;
        let end = flag.find(|it: char| !it.is_ascii_lowercase() && it != '-');
        is_flag.then(|| flag[..end.unwrap_or(flag.len())].to_owned())
    });
    flags.filter(|it| !it.is_empty() && !of_the_command.contains(&it.as_str())).collect()
}

/// The names before a colon on the lines of a type, which begins with `start`.
fn members(document: &str, start: &str) -> BTreeSet<String> {
    let indent = if document.contains("interface ") { "  " } else { "    " };
    let (_, body) = document.split_once(start).expect(start);
    let lines = body.lines().skip(1).take_while(|line| {
        line.is_empty() || line.starts_with(indent) && !line.starts_with("    def ")
    });
    let names = lines.filter_map(|line| {
        let name = line.strip_prefix(indent)?.split_once(':')?.0.trim_end_matches('?');
        let is_name = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        (is_name && !name.is_empty()).then(|| name.to_owned())
    });
    names.collect()
}

/// `failFast` for `fail-fast`.
fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, rest) = word.split_at(1);
        name + &head.to_uppercase() + rest
    })
}

#[test]
fn functions_have_the_options_of_the_command() {
    let options = options();
    assert!(options.len() > 20, "{options:?}");
    let python = read(&format!("{PYTHON}/_check.py"));
    let own = members(&python, "class CheckOptions(");
    let own: BTreeSet<_> = own.iter().map(|it| it.replace('_', "-")).collect();
    assert_eq!(own, options, "_check.py");
    let mut own = members(&read(NODE), "interface CheckOptions {");
    assert!(own.remove("signal"));
    let options: BTreeSet<_> = options.iter().map(|it| camel(it)).collect();
    assert_eq!(own, options, "index.d.ts");
}

#[test]
fn types_have_the_members_of_a_record() {
    let schema = text(retval(&["schema", "--target", "report"]).stdout);
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let record = &schema["$defs"]["record"]["properties"];
    let node = read(NODE);
    let python = read(&format!("{PYTHON}/_report.py"));
    for (name, part, is_class) in [
        ("Report", record, false),
        ("Step", &record["steps"]["items"]["properties"], true),
        ("Finding", &record["findings"]["items"]["properties"], true),
        ("Artifact", &record["artifacts"]["items"]["properties"], true),
        ("ReturnedError", &record["errors"]["items"]["properties"], false),
        ("Claim", &record["evidence"]["items"]["properties"], false),
        ("Receipt", &record["receipt"]["properties"], false),
        ("Envelope", &record["envelope"]["properties"], false),
        ("Next", &record["next"]["properties"], true),
    ] {
        let expected = part.as_object().expect(name).keys().cloned();
        let expected: BTreeSet<_> = expected.collect();
        assert_eq!(members(&node, &format!("interface {name} {{")), expected, "{name}");
        if is_class {
            assert_eq!(members(&python, &format!("class {name}:")), expected, "{name}");
        }
    }
}
