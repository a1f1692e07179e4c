//! Mistakes of different kinds in one run. Each is reported, but not those that only result from
//! another.

use crate::common::{SESSION, World};
use crate::{PHANTOM, refused};

const PROFILES: &str = "return, return-v1, return-meta, compact, handoff";

/// What a check says of a return, with these options.
fn told(world: &World, options: &str) -> String {
    world.write("return.json", PHANTOM);
    refused(world, &[], &format!("check return.json {options}"))
}

#[test]
fn missing_files_are_reported_with_contradicting_options() {
    let world = World::new();
    let options = "--profile nope --root nodir --baseline none.json --fail-fast --transcript gone --task gone.md \
                   --include [ --exclude { --files-from gone.txt --rev HEAD --off json-syntax --snippets --format json";
    assert_eq!(
        told(&world, options),
        format!(
            "\
error: cannot read the task gone.md: No such file or directory (os error 2)
error: --task needs --format feedback
error: --snippets needs --format text: no other format shows lines
error: --off json-syntax: this rule must stay an error, no other can be checked without it
error: unknown profile `nope`; expected one of auto, {PROFILES}
error: --fail-fast hides findings that --baseline should accept: use only one of them
error: cannot read the baseline none.json: No such file or directory (os error 2); --update-baseline writes it
error: cannot use the glob [: unclosed character class; missing ']'
error: cannot use the glob {{: unclosed alternate group; missing '}}' (maybe escape '{{' with '[{{]'?)
error: cannot read gone.txt: No such file or directory (os error 2)
error: cannot use nodir as the root: No such file or directory (os error 2)
error: --transcript gone: there is no such file; name the one that the client writes its record to
"
        )
    );
}

#[test]
fn missing_files_are_reported_beside_wrong_values() {
    let world = World::new();
    world.write("retval.toml", "root = \"nodir\"\n");
    assert_eq!(
        told(
            &world,
            "--jobs 0 --profile nope --baseline none.json --update-baseline --task gone.md"
        ),
        format!(
            "\
error: invalid value '0' for '--jobs <N>': expected a number from 1 to 1024

error: unknown profile `nope`; expected one of auto, {PROFILES}

error: cannot read the task gone.md: No such file or directory (os error 2)

error: cannot use nodir as the root: No such file or directory (os error 2)

For more information, try '--help'.
"
        )
    );
    let said = refused(
        &world,
        &[("RETVAL_PROFILE", "nope")],
        "instruct --delegation-depth x",
    );
    let profile = format!(
        "error: the environment variable RETVAL_PROFILE: unknown profile `nope`; expected one of {PROFILES}"
    );
    assert!(said.contains(&profile), "{said}");
    let said = refused(
        &world,
        &[],
        "convert --from return --to return-v1 --max-bytes x",
    );
    assert!(
        said.contains("error: cannot use nodir as the root"),
        "{said}"
    );
}

#[test]
fn missing_files_are_reported_beside_unreadable_settings() {
    let world = World::new();
    world.write("retval.toml", "foo = 1\nroot = 2\n");
    // Whether there is such a profile, and which format is the default, is not known.
    assert_eq!(
        told(&world, "--root nodir --profile mine --snippets --baseline none.json"),
        "\
error: retval.toml:1:1: unknown key `foo`
error: retval.toml:2:8: `root` must be a string, found an integer
error: cannot read the baseline none.json: No such file or directory (os error 2); --update-baseline writes it
error: cannot use nodir as the root: No such file or directory (os error 2)
"
    );
}

#[test]
fn options_that_an_unknown_option_may_affect_are_not_reported() {
    let world = World::new();
    world.write("own.toml", "[profiles.mine]\nextends = \"return\"\n");
    let said = told(&world, "--confg own.toml --profile mine");
    assert!(!said.contains("profile `mine`"), "{said}");
    assert!(said.starts_with("error: unexpected argument '--confg' found\n"));
}

#[test]
fn one_mistake_of_two_options_is_reported_once() {
    let world = World::new();
    let said = told(
        &world,
        "--off json-syntax --off json-syntax --exclude [ --include [",
    );
    assert_eq!(said.matches("json-syntax").count(), 1, "{said}");
    assert_eq!(said.matches("the glob [").count(), 1, "{said}");
}

#[test]
fn correct_options_cause_no_error() {
    let world = World::new();
    world.write("return.json", PHANTOM);
    let options = format!("return.json --root project --session {SESSION} --profile return -q");
    let output = world.check(&options);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.is_empty());
}
