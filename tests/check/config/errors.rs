//! Every error in a configuration file is reported with its position.

use assert_cmd::assert::OutputAssertExt as _;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use super::retval;
use crate::common::{World, stderr};

/// What is wrong, and how it is told after the file's name.
const OF_OPTIONS: &[(&str, &str)] = &[
    ("strict = ", "1:10: "),
    ("strit = true", "1:1: unknown key `strit`; did you mean `strict`?\n"),
    ("strict = \"yes\"", "1:10: `strict`: expected true, false or \"required\", found string\n"),
    ("include = [\"[\"]", "1:12: `include`: invalid glob `[`: unclosed character class"),
    ("jobs = 0", "1:8: `jobs` must be between 1 and 1024\n"),
    ("max-bytes = -1", "1:13: `max-bytes` must be between 1 and 1099511627775\n"),
    ("session = \" \"", "1:11: `session` must not be empty\n"),
    ("include = [\"*.json\", 1]", "1:22: `include`: expected a string, found integer\n"),
    ("format = \"sarf\"", "1:10: `format`: unknown value `sarf`; did you mean `sarif`?\n"),
    ("profile = \"retrun\"", "1:11: unknown profile `retrun`; did you mean `return`?\n"),
    (
        "[rules]\nartifact-tipe = \"off\"",
        "2:1: unknown rule `artifact-tipe`; did you mean `artifact-type`?\n",
    ),
    (
        "[rules]\nartifact-type = \"of\"",
        "2:17: `artifact-type`: unknown value `of`; did you mean `off`?\n",
    ),
    (
        "[rules]\njson-syntax = \"off\"",
        "2:15: `json-syntax` must stay an error: nothing can be checked without it\n",
    ),
    ("[hook]\nretry = 1", "2:1: unknown key `retry`; did you mean `retries`?\n"),
    ("session = \"\u{1b}[2J\"", "1:12: "),
    ("\"\\u001b]0;x\" = 1", "1:1: unknown key `\\u{1b}]0;x`\n"),
];

const OF_PROFILES: &[(&str, &str)] = &[
    (
        "[profiles.x]\n",
        "1:11: the profile `x` must extend another one, or say what it checks; add extends = \"return\", or `form`, `schema`, `at` or `required`\n",
    ),
    (
        "[profiles.return]\nextends = \"compact\"",
        "1:11: `return` is built in; choose another name\n",
    ),
    (
        "[profiles.\"a\u{3164}\"]\nextends = \"return\"",
        "1:11: `a\\u{3164}` is not a valid profile name: use letters, digits, `-`, `_` and `.`\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nstatuses = { blocked = \"wait\" }",
        "3:24: `blocked`: unknown value `wait`; expected one of `success`, `unfinished`, `other`, `proceed`, `resume`, `retry`, `ask`, `stop`, `off`\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nrequired = [\"ticket\", \"\u{feff}note\"]",
        "3:23: `required`: `\\u{feff}note` has escapes for characters that output does not show as they are: leave them out\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nstatuses = { \"done##[x]\" = \"success\" }",
        "3:14: `done#\\u{23}[x]` has escapes for characters that output does not show as they are: leave them out\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nartifact-types = [\"a\\tb\"]",
        "3:19: `artifact-types`: `a\\tb` has escapes for characters that output does not show as they are: leave them out\n",
    ),
    (
        "[profiles.x]\nextends = \"compact\"\n[profiles.x.agents.\"qa \"]\nwrites-handoff = true",
        "3:20: `qa\\u{20}` has escapes for characters that output does not show as they are: leave them out\n",
    ),
    (
        "[profiles.\"a b\"]\nextends = \"return\"",
        "1:11: `a b` is not a valid profile name: use letters, digits, `-`, `_` and `.`\n",
    ),
    (
        "[profiles.z]\nextends = \"y\"\n[profiles.y]\nextends = \"none\"\n[profiles.x]\nextends = \"y\"",
        "4:11: unknown profile `none`; expected one of `return`, `return-v1`, `return-meta`, `compact`, `handoff`, `z`, `y`, `x`\n",
    ),
    (
        "[profiles.x]\nextends = \"retrun-v1\"",
        "2:11: unknown profile `retrun-v1`; did you mean `return-v1`?\n",
    ),
    (
        "[profiles.x]\nextends = \"y\"\n[profiles.y]\nextends = \"x\"",
        "2:11: a profile cannot extend itself, nor one that extends it\n",
    ),
    ("[hook.agents.\"a*\"]\nretry = 1", "2:1: unknown key `retry`; did you mean `retries`?\n"),
    ("[hook.agents.a]\n[hook.agents.\"[\"]", "2:14: invalid glob `[`: unclosed character class"),
    (
        "[hook.agents.a]\nprofile = \"retrun\"",
        "2:11: unknown profile `retrun`; did you mean `return`?\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nstatus = {}",
        "3:1: unknown key `status`; did you mean `statuses`?\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nstatuses = { ok = \"sucess\" }",
        "3:19: `ok`: unknown value `sucess`; did you mean `success`?\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nrequired = [\"metadata.team.lead\"]",
        "3:13: cannot check the field `metadata.team.lead`: it must be a member of the return, or of an object that the base describes\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nartifact-types = \"plans\"",
        "3:18: `artifact-types`: expected an array, found string\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nlimits = { sentences = 3 }",
        "3:24: `sentences`: expected an array, found integer\n",
    ),
    (
        "[profiles.x]\nextends = \"compact\"\nhandoff-path = \"/a.json\"",
        "3:16: `handoff-path`: expected a path below the root, with {session}, {group} and {agent}\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nrequired = [\"artifacts.owner\"]",
        "3:13: cannot check the field `artifacts.owner`: it must be a member of the return",
    ),
    (
        "[profiles.x]\nextends = \"return\"\n[profiles.x.limits]\nsummary-tokens = 9\nsummary-words = 9",
        "3:1: `limits`: only one limit of the summary or the return can be set\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nlimits = { sentences = [3, 2] }",
        "3:24: `sentences`: expected the fewest and the most, such as [2, 5]\n",
    ),
    (
        "[profiles.x]\nextends = \"compact\"\nhandoff-path = \"a/{sesion}.json\"",
        "3:16: `handoff-path`: expected a path below the root, with {session}, {group} and {agent}\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nhandoff-path = \"a.json\"",
        "3:16: `handoff-path`: the base has no handoff files\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nfiles = [\"[\"]",
        "3:10: `files`: invalid glob `[`: unclosed character class",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nfiles = [\"../a/*.json\"]",
        "3:10: `files`: expected names of files, such as `plan-*.json` or `plans/*.json`\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\noptional = [\"status\"]",
        "3:13: `status` must stay required: nothing can be checked without it\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nstatuses = { completed = \"off\" }",
        "3:1: `statuses` needs a word of \"success\"; without one, no file is ever looked up\n",
    ),
];

#[test]
fn every_error_names_its_place_and_a_likely_correction() {
    let world = World::new();
    for (text, expected) in OF_OPTIONS.iter().chain(OF_PROFILES) {
        world.write("retval.toml", text);
        let output = retval(&world, "", &[], "check profiles/return/completed-plan.json");
        let expected = format!("error: retval.toml:{expected}");
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(output.stdout.is_empty(), "{text}");
        let said = stderr(&output);
        assert!(said.starts_with(&expected), "{text}\n{said}{expected}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn a_form_that_is_wrong_or_forgotten_is_told_once() {
    let world = World::new();
    let names =
        "at.status = \"Status\"\nrequired = [\"Summary\"]\nstatuses = { done = \"success\" }\n";
    let said = |form: &str| {
        world.write("retval.toml", format!("[profiles.x]\n{form}{names}"));
        stderr(&retval(&world, "", &[], "check -"))
    };
    assert_eq!(
        said("form = \"markdown\"\n"),
        "error: retval.toml:2:8: `form`: unknown value `markdown`; expected one of `json`, `yaml`, `text`\n"
    );
    assert_eq!(
        said(""),
        "error: retval.toml:2:13: `status`: the field `Status` must begin with `/`, unless `form` is \"text\"\n\
         error: retval.toml:3:13: `required`: the field `Summary` must begin with `/`, unless `form` is \"text\"\n"
    );
}

#[test]
fn a_glob_for_agents_has_a_limited_length() {
    let world = World::new();
    let long = "*".repeat(1_001);
    let table = format!("[hook.agents.\"{long}\"]\nretries = 1\n");
    world.write("retval.toml", table);
    let output = retval(&world, "", &[], "check profiles/return/completed-plan.json");
    assert_eq!(output.status.code(), Some(2));
    let expected = "error: retval.toml:1:14: a glob has at most 1000 bytes";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
}

#[test]
fn a_configuration_that_is_not_text_is_refused() {
    let world = World::new();
    world.write("bytes.toml", b"session = \"\xff\"");
    world.write("large.toml", "# ".to_owned() + &"x".repeat(1_100_000));
    for (file, why) in [
        ("bytes.toml", "bytes.toml is not UTF-8"),
        ("large.toml", "large.toml is larger than 1048576 bytes, too large for a configuration"),
        ("project", "cannot read project"),
        ("nothing.toml", "cannot read nothing.toml"),
    ] {
        let output = retval(&world, "", &[], &format!("check --config {file}"));
        output.assert().code(2).stdout("").stderr(contains(why).and(contains("error: ")));
    }
}

#[test]
fn the_errors_of_every_table_are_reported_at_their_own_place() {
    let world = World::new();
    let text = r#"strct = true
jobs = 0
profile = "mine"
max-bytes = "1M"

[rules]
artifact-typo = "off"
field-type = "of"

[hook]
retries = "two"

[profiles.mine]
extends = "retrun"

[profiles.other]
extends = "return"
statuses = { Done = 1 }

[profiles.third]
extends = "other"
"#;
    world.write("retval.toml", text);
    let output = world.check("--config retval.toml -");
    let expected = "\
error: retval.toml:1:1: unknown key `strct`; did you mean `strict`?
error: retval.toml:2:8: `jobs` must be between 1 and 1024
error: retval.toml:4:13: `max-bytes`: expected a number of bytes, such as 16777216, 1MB or 16MiB
error: retval.toml:7:1: unknown rule `artifact-typo`; did you mean `artifact-type`?
error: retval.toml:8:14: `field-type`: unknown value `of`; did you mean `off`?
error: retval.toml:11:11: `retries`: expected an integer, found string
error: retval.toml:14:11: unknown profile `retrun`; did you mean `return`?
error: retval.toml:18:21: `Done`: expected one of `success`, `unfinished`, `other`, `proceed`, `resume`, `retry`, `ask`, `stop`, `off`, found integer
";
    assert_eq!(stderr(&output), expected);
    output.assert().code(2);
    world.write("retval.toml", "a = \nb = [\n");
    let output = world.check("--config retval.toml -");
    assert!(stderr(&output).lines().count() >= 2, "{}", stderr(&output));
}
