//! Scripts as people write them who meet retval for the first time: at the boundary of the process, with
//! whole outputs. Those of a shell author and of an orchestrator's author are in `value.rs`.

use crate::common::{World, stderr, stdout};
use crate::value::shell;

/// What a maintainer of a CI writes: old faults are accepted, new ones fail, and each has a place.
#[test]
fn a_job_in_ci_blocks_new_faults_alone() {
    let script = r#"
        mkdir -p ci/specs/1_tides ci/specs/2_moon ci/src && cd ci
        touch retval.toml
        echo 'fn main() {}' > src/tides.rs
        meta() {
            printf '{"status":"implemented","artifacts":[{"type":"implementation","path":"%s","summary":"The code"}],' "$1"
            printf '"completion_data":{"completion_summary":"It is done."},"metadata":{"session_id":"s","agent_type":"coder",'
            printf '"delegation_depth":1,"delegation_path":["orchestrator","coder"]}}\n'
        }
        job() {
            retval check specs --include '.return-meta*.json' --baseline known.json \
                --format github --format sarif=retval.sarif "$@"
            echo "code $?"
        }
        meta src/gone.rs > specs/1_tides/.return-meta.json
        meta src/tides.rs > specs/2_moon/.return-meta.json
        retval check specs --include '.return-meta*.json' --baseline known.json --update-baseline
        job
        meta src/Tides.rs > specs/2_moon/.return-meta.json
        job
        jq -r '.runs[0].results[] | [.ruleId, .suppressions[0].kind // "new", .locations[0].physicalLocation.artifactLocation.uri] | join(" ")' retval.sarif
        git ls-files '*.none' 2>&- | retval check --files-from - 2>&1
        echo "code $?"
        retval check spec 2>&1
        echo "code $?"
    "#;
    let output = shell(&World::new(), script);
    let expected = "\
2 returns: 1 valid, 0 invalid, 1 in the baseline (0 warnings)
2 returns: 1 valid, 0 invalid, 1 in the baseline (0 warnings)
code 0
::error file=specs/2_moon/.return-meta.json,line=1,col=70,endColumn=84,title=artifact-not-found::Artifact does not exist: src/Tides.rs%0ARecommendation: Verify coder writes artifacts to correct paths
2 returns: 0 valid, 1 invalid, 1 in the baseline (0 warnings)
code 1
artifact-not-found external specs/1_tides/.return-meta.json
artifact-not-found new specs/2_moon/.return-meta.json
0 returns: 0 valid, 0 invalid (0 warnings)
warning: no files to check
code 0
error: cannot read spec: No such file or directory (os error 2)
code 2
";
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
}

/// What a team writes that has a form of its own: seven lines of TOML, then the same commands.
#[test]
fn a_team_holds_its_own_reports() {
    let script = r#"
        mkdir -p team/reports team/src && cd team
        echo 'fn main() {}' > src/tides.rs
        printf '## Result: DONE\n\n**Files**\n- src/tides.rs\n\n**Checks:** 14/14\n' > reports/good.md
        printf '## Result: DONE\n\n**Files**\n- src/Tides.rs\n' > reports/near.md
        printf 'All done, the tables print.\n' > reports/prose.md
        retval read --form text reports/good.md --places | cut -f1 | grep -v '/text$'
        cat > retval.toml <<'END'
[profiles.report]
form = "text"
files = ["*.md"]
at.status = "Result"
at.artifacts = "Files"
at.tests = "Checks"
statuses = { DONE = "success", STUCK = "ask" }
END
        retval check reports --format concise
        echo "code $?"
        retval check reports/near.md --format feedback
        retval check reports/good.md --field /labels/Result
        retval instruct --profile report | sed -n 4,5p
    "#;
    let output = shell(&World::new(), script);
    let expected = "\
/first
/last
/lines
/labels/Result
/sections/Result
/sections/Result/sections/Files
/sections/Result/sections/Files/labels/Checks
/sections/Result/sections/Files/list/0
reports/near.md:4:1: error[artifact-not-found] Artifact does not exist: src/Tides.rs
reports/prose.md:1:1: error[field-missing] Missing required field: Result
3 returns: 1 valid, 2 invalid (0 warnings)
code 1
Your return was not accepted. Correct each of these:
1. Artifact does not exist: src/Tides.rs (line 4). Write the file, or return the path that you wrote to.
Write the complete report again. It replaces the previous one.
DONE
Result: DONE
Files: `path/of/the/file.md`
";
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
}
