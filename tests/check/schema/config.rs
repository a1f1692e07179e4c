//! `retval schema --target config`.

use super::run;
use crate::common::{World, stderr, stdout};

#[test]
fn the_command_prints_the_schema_of_the_configuration() {
    let world = World::new();
    let output = run(&world, &["--target", "config"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let schema = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    // It is needed most where the file has errors.
    world.write("retval.toml", "strct = true\n");
    let beside = run(&world, &["--target", "config"]);
    assert_eq!(stdout(&beside), stdout(&output));
    std::fs::remove_file(world.path("retval.toml")).expect("a file");
    let output = run(&world, &["--target", "config", "--agent", "planner"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: --agent has no effect with --target config, which describes no profile\n"
    );
}
