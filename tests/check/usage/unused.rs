//! Options that have no effect in a run.

use assert_cmd::assert::OutputAssertExt as _;

use super::{PHANTOM, refused};
use crate::common::{World, feed};

const UNUSED_NAME: &str = "error: --stdin-filename applies to standard input, which is not read here: a file has its own name\n";

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
