//! Mistakes in options and settings are reported with their source, and no run waits without a message.

mod configuration;
mod options;
mod outputs;
mod syntax;
mod waiting;

use crate::common::{World, run, stderr};
use assert_cmd::assert::OutputAssertExt as _;

const PHANTOM: &str = r#"{"status":"completed","artifacts":[]}"#;

/// What standard error says of a command line that cannot be used.
fn refused(world: &World, variables: &[(&str, &str)], arguments: &str) -> String {
    let mut retval = world.retval();
    retval.envs(variables.iter().copied()).args(arguments.split(' '));
    let output = run(&mut retval);
    output.clone().assert().code(2).stdout("");
    stderr(&output)
}

/// What standard error says of a configuration that cannot be used.
fn refused_file(world: &World, text: &str) -> String {
    world.write("retval.toml", text);
    refused(world, &[], "config")
}
