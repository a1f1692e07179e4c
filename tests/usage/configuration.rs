//! `retval.toml` and the environment.

use assert_cmd::assert::OutputAssertExt as _;

use crate::common::{World, run, stderr};
use crate::{refused, refused_file};

#[test]
fn errors_of_variables_and_the_file_are_reported_together() {
    let world = World::new();
    world.write("retval.toml", "jobs = 0\nstrict = 1\n");
    assert_eq!(
        refused(&world, &[("RETVAL_JOBS", "many")], "check return.json"),
        "\
error: retval.toml:1:8: `jobs` must be between 1 and 1024
error: retval.toml:2:10: `strict` must be true or false, found an integer
error: the environment variable RETVAL_JOBS: `many` is no number between 1 and 1024
"
    );
}

#[test]
fn a_profile_with_an_unknown_base_has_its_other_errors_reported() {
    let world = World::new();
    let text = "[profiles.plan]\nextends = \"retrun\"\nfiles = 3\nlimit = {}\nactions = { waiting = \"ask\" }\n\
                [profiles.plan.rules]\nartifact-none = \"loud\"\n\
                [profiles.other]\nextends = \"plan\"\nfailure = 1\n\
                [profiles.loose]\nfiles = [\"a/b\"]\n";
    assert_eq!(
        refused_file(&world, text),
        "\
error: retval.toml:2:11: unknown profile `retrun`; did you mean `return`?
error: retval.toml:3:9: `files` must be an array, found an integer
error: retval.toml:4:1: unknown key `limit`; did you mean `limits`?
error: retval.toml:7:17: unknown value for `artifact-none`: `loud`; expected one of `off`, `warning`, `error`
error: retval.toml:10:11: `failure` must be a string, found an integer
error: retval.toml:11:11: the profile `loose` must extend another one; add extends = \"return\"
error: retval.toml:12:10: `files` takes file names, without folders
"
    );
}

#[test]
fn an_unknown_profile_is_reported_with_the_valid_ones() {
    let world = World::new();
    // No profile can extend one that extends it. No file name can choose the profile of a message.
    let text = "profile = \"1\"\n\
                [hook.agents.\"a*\"]\nprofile = \"2\"\n\
                [profiles.base]\nextends = \"auto\"\n\
                [profiles.middle]\nextends = \"base\"\n\
                [profiles.end]\nextends = \"middle\"\n\
                [profiles.other]\nextends = \"return\"\n\
                [profiles.same]\nextends = \"same\"\n";
    let built_in = "`return`, `return-v1`, `return-meta`, `compact`, `handoff`";
    let own = "`base`, `middle`, `end`, `other`, `same`";
    assert_eq!(
        refused_file(&world, text),
        format!(
            "\
error: retval.toml:1:11: unknown profile `1`; expected one of `auto`, {built_in}, {own}
error: retval.toml:3:11: unknown profile `2`; expected one of {built_in}, {own}
error: retval.toml:5:11: unknown profile `auto`; expected one of {built_in}, `other`, `same`
error: retval.toml:13:11: a profile cannot extend itself: same -> same
"
        )
    );
}

#[test]
fn more_retries_than_a_client_allows_are_reported() {
    let world = World::new();
    world.write("retval.toml", "[hook]\nretries = 20\n");
    let said = |arguments: &str| {
        let output = run(world.retval().args(arguments.split(' ')));
        output.clone().assert().code(0);
        stderr(&output)
    };
    assert_eq!(
        said("config"),
        "note: retries = 20 is more than some clients allow: claude-code 8, copilot 8, cursor 5\n"
    );
    assert_eq!(
        said("hook --print-config cursor"),
        "note: retries = 20 is more than cursor allows: an agent is sent back 5 times at most\n"
    );
    assert_eq!(said("hook --print-config codex"), "");
    assert_eq!(said("hook --print-config claude-code --retries 8"), "");
}
