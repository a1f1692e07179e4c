//! What a profile of the file makes of the one that it extends.

use crate::config::Config;
use crate::profile::{Action, COMPACT, Profile, RETURN};

/// The last profile of a configuration.
fn last(toml: &str) -> Profile {
    let config = Config::parse(toml).expect("a configuration");
    let own = config.profiles.last().expect("a profile");
    Profile::clone(&own.profile)
}

#[test]
fn a_custom_profile_is_its_base_with_the_changes() {
    let toml = r#"
[profiles.writing]
extends = "compact"
document = "a draft"
handoff-path = "{session}/{agent}.json"
limits = { return-tokens = "off" }
[profiles.writing.agents.writer]
statuses = { DRAFTED = "success", STUCK = "other" }
reads-from = ["researcher"]
[profiles.writing.agents.qa_expert]
statuses = { FLAKY = "off" }
writes-handoff = false
"#;
    let custom = last(toml);
    assert_eq!((&*custom.document, custom.length), ("a draft", None));
    let writer = custom.agent("writer").expect("an agent");
    assert_eq!(writer.reads_from.as_ref(), ["researcher"]);
    let tester = custom.agent("qa_expert").expect("an agent");
    assert!(!tester.writes_handoff && tester.statuses.iter().all(|it| it.word != "FLAKY"));
    assert_eq!(tester.statuses.len() + 1, COMPACT.agents[2].statuses.len());
    let file = custom.handoff_file("s", "g", "writer");
    assert_eq!(file.as_deref(), Some("s/writer.json"));
    let again = last(&format!("{toml}[profiles.again]\nextends = \"writing\"\n"));
    let expected = Profile {
        id: "again".into(),
        ..custom
    };
    assert_eq!(again, expected);
}

#[test]
fn a_profile_without_changes_is_like_its_base() {
    for (id, base) in [("return", &RETURN), ("compact", &COMPACT)] {
        let own = last(&format!("[profiles.own]\nextends = \"{id}\"\n"));
        let expected = Profile {
            id: "own".into(),
            ..base.clone()
        };
        assert_eq!(own, expected);
    }
}

#[test]
fn what_follows_a_status_is_an_agent_or_an_action() {
    let custom = last(
        r#"
[profiles.own]
extends = "compact"
actions = { DRAFTED = "ask", FAIL = "retry" }
[profiles.own.agents.writer]
statuses = { DRAFTED = "success", BLOCKED = "other", STUCK = "other" }
[profiles.own.agents.qa_expert]
next = { FLAKY = "developer", PASS = "off", FAIL = ["writer"] }
"#,
    );
    let after = |agent, word| {
        let status = custom.status(word, Some(agent)).expect("a status");
        (status.action(), status.next_agent())
    };
    assert_eq!(after("writer", "DRAFTED"), (Action::Ask, None));
    assert_eq!(after("writer", "STUCK"), (Action::Stop, None));
    let of_the_base = (Action::Ask, None);
    assert_eq!(after("writer", "BLOCKED"), of_the_base);
    assert_eq!(
        after("qa_expert", "FLAKY"),
        (Action::Proceed, Some("developer"))
    );
    assert_eq!(after("qa_expert", "PASS"), (Action::Open, None));
    let not_to_the_writer = (Action::Retry, None);
    assert_eq!(after("qa_expert", "FAIL"), not_to_the_writer);
}
