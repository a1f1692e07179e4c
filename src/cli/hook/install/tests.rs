//! Adds the hook to files of every layout, and removes it again.

use crate::clients::{Client, HookSettings, WantedHook};
use serde_json::{Value, json};

use super::edit::{self, edited, own};

/// Files that people have. `EVENT` stands for an event of the client, and `THEIRS` for their own hook.
const FILES: [&str; 31] = [
    "",
    "\n",
    "  \r\n",
    "{}",
    "{ }",
    "{\n}\n",
    "{}\n",
    "{\"a\":1}",
    "{\"a\": 1}\n",
    "{\n  \"a\": 1\n}\n",
    "{\n    \"a\": 1\n}",
    "{\n\t\"a\": 1\n}\n",
    "{\r\n  \"a\": 1\r\n}\r\n",
    "{\n\n  \"ü\": \"}]\\\"\"\n\n}\n\n",
    "{\n  \"a\": {\"b\":\n 1}, \"c\": 2\n}",
    "{\"hooks\":{}}",
    "{\"hooks\": { }}",
    "{\n  \"hooks\": {}\n}\n",
    "{\n  \"hooks\": {\n  }\n}\n",
    "{\n  \"hooks\": {},\n  \"z\": [1, 2]\n}\n",
    "{\"hooks\":{\"EVENT\":[]}}",
    "{\n  \"hooks\": {\n    \"EVENT\": []\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"EVENT\": [\n      THEIRS\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"EVENT\": [THEIRS, THEIRS],\n    \"Other\": [THEIRS]\n  }\n}\n",
    "{\"hooks\":{\"EVENT\":[THEIRS]},\"b\":2}",
    "{\n\t\"hooks\": {\n\t\t\"Other\": [THEIRS]\n\t},\n\t\"model\": \"x\" \n}",
    "{\"version\":1}",
    "{\n  \"version\": 1\n}\n",
    "{\n  \"version\": 1,\n  \"hooks\": {}\n}\n",
    "{\"hooks\":{},\"version\":1}",
    "{\"version\": 1, \"hooks\": {\"EVENT\": [THEIRS]}}",
];

/// The same, for clients that read comments.
const COMMENTED: [&str; 6] = [
    "{\n  // c\n  \"a\": 1 // d, e\n}\n",
    "{ // x\n}\n",
    "{\n  \"hooks\": { /* none */ }, // y\n  \"b\": \"//\"\n}\n",
    "// top\n{\"a\":1}\n// end\n",
    "{\n  \"hooks\": {\n    \"EVENT\": [\n      THEIRS // a\n      // b\n    ] // c\n  } // d\n}\n",
    "{\"a\":1 /* b */}",
];

fn line(client: &HookSettings, options: &[&str]) -> WantedHook {
    let options: Vec<_> = options.iter().map(|word| (*word).to_owned()).collect();
    WantedHook::new(client, "retval", &options)
}

fn put_in(
    client: &HookSettings,
    text: Option<&str>,
    line: &WantedHook,
) -> anyhow::Result<Option<String>> {
    edited(client, text, Some(line))
}

fn take_out(client: &HookSettings, text: Option<&str>) -> anyhow::Result<Option<String>> {
    edited(client, text, None)
}

/// The clients whose settings are JSON.
fn json_clients() -> impl Iterator<Item = &'static HookSettings> {
    Client::with_hooks().filter(|client| client.whole.is_none())
}

fn files(client: &HookSettings) -> Vec<String> {
    let (event, _) = client.events.last().expect("an event");
    let theirs = match client.client {
        Client::Copilot => r#"{"type":"command","bash":"theirs hook"}"#,
        Client::Cursor => r#"{"command":"theirs hook"}"#,
        _ => r#"{"matcher":"x","hooks":[{"type":"command","command":"theirs hook"}]}"#,
    };
    let commented = COMMENTED.iter().filter(|_| client.takes_comments);
    let files = FILES.iter().chain(commented);
    let filled = files.map(|file| file.replace("EVENT", event).replace("THEIRS", theirs));
    filled.collect()
}

fn installed(client: &HookSettings, text: Option<&str>, line: &WantedHook) -> String {
    let new = put_in(client, text, line).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    new.expect("a text")
}

fn parsed(client: &HookSettings, text: &str) -> Value {
    let object = edit::parsed(client, text).expect("JSON").object_value();
    object.map_or(Value::Null, |it| it.to_serde_value().expect("a value"))
}

/// A value without what an uninstall removes with the hook: lists and objects that are empty.
fn without_empty_hooks(client: &HookSettings, mut value: Value) -> Value {
    let is_empty = |value: &Value| *value == json!([]) || *value == json!({});
    if let Some(hooks) = value.get_mut("hooks").and_then(Value::as_object_mut) {
        hooks.retain(|event, list| {
            !is_empty(list) || client.events.iter().all(|(ours, _)| ours != event)
        });
    }
    if let Some(all) = value.as_object_mut() {
        all.retain(|key, value| key != "hooks" || !is_empty(value));
        if client.is_versioned {
            all.remove("version");
        }
    }
    if is_empty(&value) { Value::Null } else { value }
}

fn of(client: Client) -> &'static HookSettings {
    client.facts().settings.as_ref().expect("it calls hooks")
}

#[test]
fn what_was_put_in_is_taken_out_and_nothing_else() {
    for client in json_clients() {
        for file in files(client) {
            let usual = installed(client, Some(&file), &line(client, &[]));
            let value = parsed(client, &usual);
            for (event, _) in client.events {
                let list = value["hooks"][event].as_array();
                assert!(list.is_some_and(|list| !list.is_empty()), "{usual}");
            }
            assert_eq!(own(client, &usual).expect("JSON").len(), client.events.len());
            let out = take_out(client, Some(&usual)).expect("JSON");
            let left = out.as_deref().map_or(Value::Null, |out| parsed(client, out));
            let before = parsed(client, &file);
            assert_eq!(
                without_empty_hooks(client, left),
                without_empty_hooks(client, before),
                "{client:?}: {usual}"
            );
            let comments = |text: &str| text.matches('/').count();
            let left = out.as_deref().unwrap_or_default();
            assert_eq!(comments(left), comments(&file), "{left}");
        }
    }
}

#[test]
fn a_file_of_several_lines_is_restored_to_the_byte() {
    for client in [Client::ClaudeCode, Client::Codex, Client::Gemini].map(of) {
        let has_no_empty_list = |file: &String| {
            !["{}", "[]", "{\n  }", "{ /*"].iter().any(|empty| file.contains(empty))
        };
        let is_laid_out = |file: &String| {
            file.starts_with("{\n  ") || file.starts_with("{\n\t") || file.starts_with("{\r")
        };
        let mut count = 0;
        for file in files(client).into_iter().filter(|it| is_laid_out(it) && has_no_empty_list(it))
        {
            let usual = installed(client, Some(&file), &line(client, &[]));
            let out = take_out(client, Some(&usual)).expect("JSON");
            assert_eq!(out.as_deref(), Some(&*file), "{client:?}: {usual}");
            count += 1;
        }
        assert!(count > 4, "{count}");
    }
}

#[test]
fn twice_is_once_and_other_options_replace() {
    for client in json_clients() {
        let other = line(client, &["--agents", "it's*", "--observe"]);
        let usual = line(client, &[]);
        for file in files(client) {
            let once = installed(client, Some(&file), &usual);
            assert_eq!(installed(client, Some(&once), &usual), once);
            let replaced = installed(client, Some(&once), &other);
            assert_eq!(replaced, installed(client, Some(&file), &other), "{file}");
            assert_eq!(installed(client, Some(&replaced), &usual), once, "{file}");
        }
    }
}

#[test]
fn a_new_file_goes_again() {
    for client in json_clients() {
        let line = line(client, &["--retries", "2"]);
        let new = installed(client, None, &line);
        assert_eq!(take_out(client, Some(&new)).expect("JSON"), None);
    }
}

#[test]
fn what_others_add_later_stays() {
    let client = of(Client::ClaudeCode);
    let file = installed(client, Some("{}"), &line(client, &[]));
    let theirs = r#"{ "hooks": [{ "type": "command", "command": "theirs" }] }"#;
    for (place, added) in [
        ("    \"SubagentStop\": [\n", format!("      {theirs},\n")),
        ("  \"hooks\": {\n", format!("    \"Notification\": [{theirs}],\n")),
    ] {
        let with_theirs = file.replace(place, &format!("{place}{added}"));
        assert_eq!(installed(client, Some(&with_theirs), &line(client, &[])), with_theirs);
        let out = take_out(client, Some(&with_theirs)).expect("JSON");
        let out = out.expect("a text");
        assert!(out.contains(theirs) && !out.contains("retval"), "{out}");
        parsed(client, &out);
    }
}

#[test]
fn hooks_that_were_pasted_are_replaced() {
    let client = of(Client::ClaudeCode);
    let theirs = r#"{"type": "command", "command": "retval check x"}"#;
    for handler in [
        r#"{"type": "command", "command": "/opt/retval hook --observe"}"#,
        r#"{"type": "command", "command": "retval hook --observe"}"#,
    ] {
        let file = |theirs: &str| {
            format!(
                r#"{{"hooks": {{"SubagentStop": [ {{ "matcher": "x", "hooks": [{theirs}{handler}] }}, {{"hooks": [ {handler}, {handler} ]}} ]}}}}"#
            )
        };
        let mixed = file(&format!("{theirs}, "));
        let new = put_in(client, Some(&mixed), &line(client, &[])).expect("JSON");
        let text = new.expect("a text");
        assert!(text.contains(theirs) && !text.contains("--observe"), "{text}");
        assert_eq!(own(client, &text).expect("JSON").len(), 9);
        let left = take_out(client, Some(&mixed)).expect("JSON");
        let left = left.expect("a text");
        assert!(left.contains(theirs) && !left.contains("--observe"));
        assert_eq!(take_out(client, Some(&file(""))).expect("JSON"), None);
    }
}

#[test]
fn what_is_no_object_is_refused() {
    let client = of(Client::ClaudeCode);
    for (file, why) in [
        ("[1]", "not a JSON object"),
        ("{\"a\"", "line 1 column 4"),
        ("{} {}", "line 1 column 4"),
        ("{\"hooks\": []}", "`hooks` is not an object"),
        ("{\"hooks\": {\"SubagentStop\": {}}}", "`SubagentStop` is not a list"),
        ("{\"a\": 1} // x", "line 1 column 10"),
    ] {
        let error = put_in(client, Some(file), &line(client, &[])).err();
        let error = error.expect("an error").to_string();
        assert!(error.contains(why) && error.contains("nothing was changed"), "{error}");
    }
    let deep = "[".repeat(100_000);
    assert!(put_in(of(Client::Gemini), Some(&deep), &line(client, &[])).is_err());
}
