//! The setting `rule-url`: links to the explanations of the rules.

use crate::common::{World, run, stderr, stdout};
use serde_json::Value;

const DONE: &str = "rules/status-unknown/fail/done.json";
const URL: &str = "https://rules.example/retval#{rule}";

/// Writes a configuration with this address.
fn address(world: &World, url: &str) {
    world.write("retval.toml", format!("rule-url = \"{url}\"\n"));
}

fn check(world: &World, options: &[&str]) -> String {
    let mut retval = world.retval();
    retval.args(["check", DONE, "--root", "project"]);
    stdout(&run(retval.args(options)))
}

#[test]
fn sarif_has_the_address_of_each_rule_and_none_of_its_own() {
    let world = World::with("rules");
    for told in [None, Some("https://rules.example/retval#status-unknown")] {
        if told.is_some() {
            address(&world, URL);
        }
        let log = check(&world, &["--format", "sarif"]);
        let log: Value = serde_json::from_str(&log).expect("JSON");
        let driver = &log["runs"][0]["tool"]["driver"];
        let rules = driver["rules"].as_array().expect("rules");
        let rule = rules.iter().find(|rule| rule["id"] == "status-unknown");
        assert_eq!(rule.expect("the rule")["helpUri"].as_str(), told);
        assert_eq!(driver["informationUri"], Value::Null);
    }
}

#[test]
fn markdown_links_the_rule() {
    let world = World::with("rules");
    address(&world, URL);
    let text = check(&world, &["--format", "markdown"]);
    let link = "- **error** [`status-unknown`](<https://rules.example/retval#status-unknown>) at ";
    assert!(text.contains(link), "{text}");
}

#[test]
fn an_address_that_could_end_its_link_is_refused_with_the_reason() {
    let world = World::with("rules");
    let form = "expected a URL that begins with https://, http:// or file:// and has {rule} in place of the rule's id, \
                such as https://example.org/rules/{rule}";
    for (url, why) in [
        ("z", form),
        ("rules.example/{rule}", form),
        ("javascript:alert({rule})", form),
        ("https://rules.example/", form),
        ("https://rules.example/{rule}>", "'>' must be percent-encoded in a URL"),
        ("https://rules.example/{rule}{other}", "'{' must be percent-encoded in a URL"),
        ("https://rules.example/ {rule}", "' ' must be percent-encoded in a URL"),
        ("https://rules.example/{rule}\x1b\\", "'\\u{1b}' must be percent-encoded in a URL"),
    ] {
        let quoted = serde_json::to_string(url).expect("a string");
        world.write("retval.toml", format!("rule-url = {quoted}\n"));
        let output = run(world.retval().args(["check", DONE]));
        assert_eq!(output.status.code(), Some(2), "{url}");
        assert!(stdout(&output).is_empty());
        let told = format!("error: retval.toml:1:12: `rule-url`: {why}\n");
        assert_eq!(stderr(&output), told);
    }
}
