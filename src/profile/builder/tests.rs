//! What a builder makes and refuses.

use crate::profile::*;

#[test]
fn a_custom_profile_is_its_base_with_the_changes() {
    let custom = Profile::extend(&COMPACT)
        .id("writing")
        .document("a draft")
        .agent("writer", |agent| {
            agent
                .status("DRAFTED", Meaning::Success)
                .status("STUCK", Meaning::Other)
                .failure("STUCK")
                .reads_from(["researcher"]);
        })
        .agent("qa_expert", |agent| {
            agent.remove_status("FLAKY").writes_handoff(false);
        })
        .length(None)
        .handoff_path("{session}/{agent}.json")
        .build()
        .expect("a profile");
    assert!(!custom.is_built_in());
    let writer = custom.agent("writer").expect("an agent");
    assert_eq!(writer.reads_from.as_ref(), ["researcher"]);
    assert_eq!(custom.failure_of(Some("writer")), "STUCK");
    let tester = custom.agent("qa_expert").expect("an agent");
    assert!(!tester.writes_handoff && tester.statuses.iter().all(|it| it.word != "FLAKY"));
    assert_eq!(tester.statuses.len() + 1, COMPACT.agents[2].statuses.len());
    let file = custom.handoff_file("s", "g", "writer");
    assert_eq!(file.as_deref(), Some("s/writer.json"));
    let again = Profile::extend(&custom).id("writing-2").build();
    let expected = Profile {
        id: "writing-2".into(),
        ..custom
    };
    assert_eq!(again, Ok(expected));
}

#[test]
fn the_first_builder_error_is_reported() {
    type Change = fn(&mut ProfileBuilder) -> &mut ProfileBuilder;
    let mistakes: [(Change, &str); 7] = [
        (
            |it| it.status(" ", Meaning::Other).failure("none"),
            "a status must not be empty",
        ),
        (
            |it| it.error_type("a\tb"),
            "`a\\tb` contains characters that cannot be displayed",
        ),
        (
            |it| it.agent("a", |agent| _ = agent.status("done", Meaning::Success)),
            "the failure status of `a` must be one of completed, partial, failed, blocked, done",
        ),
        (
            |it| it.failure("gone"),
            "the failure status must be one of completed, partial, failed, blocked, found `gone`",
        ),
        (
            |it| it.id("auto"),
            "`auto` is built in; choose another name",
        ),
        (
            |it| it.sentences((3, 2)),
            "the fewest sentences must not be more than the most, found 3 and 2",
        ),
        (
            |it| it.level(Rule::named("json-syntax").expect("a rule"), Level::Off),
            "`json-syntax` must stay an error: nothing can be checked without it",
        ),
    ];
    for (change, message) in mistakes {
        let mut builder = Profile::extend(&RETURN);
        let error = change(builder.id("x")).build().expect_err(message);
        assert_eq!(error.to_string(), message);
    }
    let unnamed = Profile::extend(&RETURN).build();
    assert_eq!(unnamed, Err(ProfileError::MissingId));
}
