//! Options that have no effect in a run.

use assert_cmd::assert::OutputAssertExt as _;

use crate::common::{World, feed};
use crate::{PHANTOM, refused};

const UNUSED_NAME: &str = "error: --stdin-filename applies to standard input, which is not read here: a file has its own name\n";

const UNUSED_NULL: &str = "error: --null (-0) needs --list-leftovers: it is for the paths that are listed; --files-from takes NUL-separated paths without it\n";

#[test]
fn a_name_for_standard_input_is_refused_if_it_is_not_read() {
    let world = World::new();
    world.write("return.json", PHANTOM);
    world.write("list.txt", "return.json\n");
    for inputs in [
        "return.json",
        "--files-from list.txt",
        "--files-from -",
        ".",
    ] {
        let arguments = format!("check --stdin-filename plan.json {inputs}");
        assert_eq!(refused(&world, &[], &arguments), UNUSED_NAME);
    }
    for inputs in [&[][..], &["-"], &["return.json", "-"]] {
        let mut retval = world.retval();
        retval
            .args([
                "check",
                "--stdin-filename",
                "plan.json",
                "--format",
                "concise",
            ])
            .args(inputs);
        let output = feed(&mut retval, PHANTOM);
        let said = String::from_utf8(output.stdout.clone()).expect("UTF-8");
        assert!(said.contains("plan.json:1:1"), "{said}");
        output.assert().code(1).stderr("");
    }
}

#[test]
fn null_is_refused_without_list_leftovers() {
    let world = World::new();
    world.write("return.json", PHANTOM);
    for arguments in ["-0", "--null return.json", "-0 --files-from -"] {
        assert_eq!(
            refused(&world, &[], &format!("check {arguments}")),
            UNUSED_NULL
        );
    }
    let listed = world.check("--list-leftovers project -0");
    listed.assert().code(0).stderr("");
}

#[test]
fn a_list_of_leftovers_takes_no_option_of_a_check() {
    let world = World::new();
    for option in [
        "--stdin-filename a.json",
        "--save-invalid saved",
        "--task task.md",
        "--update-baseline",
    ] {
        let said = refused(&world, &[], &format!("check --list-leftovers . {option}"));
        assert!(said.contains("cannot be used with"), "{said}");
    }
}
