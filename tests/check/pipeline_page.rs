//! The page on the bash of the document: both decide on each of its returns as it says.

use std::path::Path;

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;

use crate::common::{SESSION, World, stdout};
use crate::pipeline::pipeline;

/// A return that both accept, with a line for each member.
const RIGHT: &str = r#"{
"status": "completed",
"summary": "The plan is made. It has three phases.",
"artifacts": [{"type": "plan", "path": "docs/tides.md", "summary": "Plan in three phases"}],
"metadata": {
"session_id": "sess_1767225600_k3m9qa",
"duration_seconds": 12,
"agent_type": "planner",
"delegation_depth": 1,
"delegation_path": ["orchestrator", "planner"]}
}
"#;

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Row {
    /// A member, or a return among the fixtures.
    pub(crate) given: String,
    /// The rule that fails, or `valid`. The bash decides the other way.
    pub(crate) retval: String,
}

pub(crate) fn rows() -> Vec<Row> {
    let page = "src/manual/shell.md";
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let page = std::fs::read_to_string(page).expect("the page");
    let (_, page) = page.split_once("\n### Where the verdict differs\n").expect("a section");
    let lines = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows = lines.map(|line| {
        let cells: Vec<_> = line.split(" | ").collect();
        let [given, retval, _] = cells[..] else {
            panic!("{line}");
        };
        Row {
            given: given.trim_end_matches('`').to_owned(),
            retval: retval.trim_matches('`').to_owned(),
        }
    });
    rows.collect()
}

/// The return of a row.
fn returned(world: &World, given: &str) -> Vec<u8> {
    let Some((key, _)) = given.split_once(": ") else {
        return std::fs::read(world.path(&format!("rules/{given}.json"))).expect("a fixture");
    };
    let line = RIGHT.lines().find(|line| line.starts_with(key));
    let line = line.expect("a member of the return");
    let end = if line.ends_with(',') { "," } else { "}" };
    RIGHT.replace(line, &format!("{given}{end}")).into_bytes()
}

#[test]
fn the_page_on_the_bash_says_how_both_decide() {
    let world = World::with("rules");
    let options = format!("--profile return --root project --session {SESSION} --format concise");
    let both = |bytes: &[u8]| {
        world.write("return.json", bytes);
        let (code, _) = pipeline(&world, bytes);
        (code, world.check(&format!("return.json {options}")))
    };
    let (code, output) = both(RIGHT.as_bytes());
    output.assert().code(0);
    assert_eq!(code, Some(0));
    let rows = rows();
    assert_eq!(rows.len(), 17);
    for row in rows {
        let (code, output) = both(&returned(&world, &row.given));
        let is_valid = row.retval == "valid";
        assert_eq!(code, Some(i32::from(is_valid)), "{row:?}");
        if is_valid {
            output.assert().code(0);
        } else {
            let shown = stdout(&output);
            assert!(shown.contains(&format!("error[{}]", row.retval)), "{row:?}: {shown}");
            output.assert().code(1).stdout(contains(" error[").count(1));
        }
    }
}
