//! `retval.toml` and the environment.

use super::refused_file;
use crate::common::World;

#[test]
fn every_error_of_each_profile_is_reported() {
    let world = World::new();
    let text = "[profiles.plan]\nextends = \"return\"\nfiles = 3\nlimit = {}\noptional = [\"status\"]\n\
                [profiles.plan.rules]\nartifact-none = \"loud\"\n\
                [profiles.other]\nextends = \"plan\"\ndocument = 1\n\
                [profiles.loose]\nfiles = [\"a.json\"]\n\
                [profiles.deep]\nextends = \"loose\"\nfiles = [\"/a/b\"]\n\
                [profiles.key]\nlimit = {}\nextends = \"return\"\n\
                [profiles.base]\nextends = \"retrun\"\n";
    assert_eq!(
        refused_file(&world, text),
        "\
error: retval.toml:3:9: `files`: expected an array, found integer
error: retval.toml:4:1: unknown key `limit`; did you mean `limits`?
error: retval.toml:5:13: `status` must stay required: nothing can be checked without it
error: retval.toml:7:17: `artifact-none`: unknown value `loud`; expected one of `off`, `warning`, `error`
error: retval.toml:10:12: `document`: expected a string, found integer
error: retval.toml:11:11: the profile `loose` must extend another one, or say what it checks; add extends = \"return\", or `form`, `schema`, `at` or `required`
error: retval.toml:15:10: `files`: expected names of files, such as `plan-*.json` or `plans/*.json`
error: retval.toml:17:1: unknown key `limit`; did you mean `limits`?
error: retval.toml:20:11: unknown profile `retrun`; did you mean `return`?
"
    );
}

#[test]
fn an_unknown_profile_is_reported_with_the_valid_ones() {
    let world = World::new();
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
error: retval.toml:1:11: unknown profile `1`; expected one of `auto`, {built_in}, `any`, {own}
error: retval.toml:3:11: unknown profile `2`; expected one of `auto`, {built_in}, `any`, {own}
error: retval.toml:5:11: unknown profile `auto`; expected one of {built_in}, {own}
error: retval.toml:13:11: a profile cannot extend itself, nor one that extends it
"
        )
    );
}
