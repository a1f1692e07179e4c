//! The files of a folder are read completely, whatever their sizes are.

use crate::common::{World, stdout};
use serde_json::Value;

const START: &str = r#"{"status":"blocked","summary":"It is begun. It is not done.","artifacts":[],"metadata":{"session_id":"s","agent_type":"a","delegation_depth":1,"delegation_path":["orchestrator","a"]},"errors":[{"type":"timeout","message":"m","recoverable":true,"recommendation":"r"}]"#;

/// Around blocks of a disk, and around what is read at once.
const SIZES: [usize; 13] =
    [511, 512, 513, 1024, 4096, 32_767, 32_768, 32_769, 33_000, 65_535, 65_536, 65_537, 200_000];

/// A return of that size which ends with its last byte.
fn of_size(size: usize) -> String {
    START.to_owned() + &" ".repeat(size - START.len() - 1) + "}"
}

/// The rules that are broken, file by file in the order of their names.
fn rules(world: &World, arguments: &str) -> Vec<String> {
    let output = world.check(&format!("in --format jsonl {arguments}"));
    let rules = |line: &str| {
        let record: Value = serde_json::from_str(line).expect("a record");
        let findings = record["findings"].as_array().expect("findings").iter();
        let rules = findings.map(|it| it["rule"].as_str().expect("a rule").to_owned());
        rules.collect::<Vec<_>>().join(" ")
    };
    stdout(&output).lines().map(rules).collect()
}

#[test]
fn every_file_is_read_to_its_end() {
    let world = World::new();
    for (index, size) in SIZES.iter().chain(SIZES.iter().rev()).enumerate() {
        let returned = of_size(*size);
        world.write(&format!("in/{index:02}-a.json"), &returned);
        world.write(&format!("in/{index:02}-b.json"), &returned[..size - 1]);
    }
    let expected = ["", "json-syntax"].repeat(2 * SIZES.len());
    assert_eq!(rules(&world, "-j 1"), expected);
    assert_eq!(rules(&world, "-j 2"), expected);
}

#[test]
fn a_limit_holds_to_the_byte() {
    for size in SIZES {
        let world = World::new();
        world.write("in/a.json", of_size(size));
        world.write("in/b.json", of_size(size + 1));
        let limited = rules(&world, &format!("--max-bytes {size}"));
        assert_eq!(limited, ["", "json-limit"], "{size}");
    }
}
