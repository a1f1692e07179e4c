//! How the values of a standard of one's own are judged where agents write them in their own ways.

use crate::common::{World, feed, piped, stderr, stdout};

/// What `check` prints for a text, without the place.
fn check(world: &World, options: &str, text: &str) -> Vec<String> {
    let mut retval = world.retval();
    retval.args("check --root project --config own.toml --profile own".split(' '));
    retval.args(options.split_whitespace());
    let output = feed(&mut retval, text);
    assert_eq!(stderr(&output), "");
    let output = stdout(&output);
    let findings = output.lines().filter_map(|line| line.split_once(": "));
    findings.map(|(_, finding)| finding.to_owned()).collect()
}

/// Checks which texts of a standard are free of findings, and what is found in the others.
fn assert_found(standard: &str, options: &str, cases: &[(&str, &str)]) {
    let world = World::new();
    world.write("own.toml", format!("[profiles.own]\n{standard}"));
    for (text, finding) in cases {
        let found = check(&world, &format!("{options} --format concise"), text);
        let expected: Vec<_> = Some(*finding).filter(|it| !it.is_empty()).into_iter().collect();
        assert_eq!(found, expected, "{text}");
    }
}

const OK: &str = "";

#[test]
fn a_remark_behind_a_status_may_hold_common_words() {
    let standard = "form = 'text'\nat.status = 'Result'\nstatuses = { success = 'success', DONE = 'success', \
                    DONE_WITH_CONCERNS = 'success', error = 'other' }\n";
    let both = "error[value-ambiguous] Ambiguous value: Result (it says both success and error)";
    let unknown = "error[status-unknown] Invalid status: DONE WITH CONCERNS (Valid statuses: success, DONE, \
                   DONE_WITH_CONCERNS, error)";
    let cases = [
        ("Result: success — error handling added", OK),
        ("Result: success, 0 error(s)", OK),
        ("Result: DONE。", OK),
        ("Result：DONE（已完成）", OK),
        ("Result: [DONE]", OK),
        ("Result: DONE!", OK),
        ("Result: success | error", both),
        ("Result: success, error", both),
        ("Result: DONE WITH CONCERNS", unknown),
    ];
    assert_found(standard, "", &cases);
}

#[test]
fn a_longer_value_is_not_the_one_that_was_given() {
    let standard = "form = 'text'\nat.session = 'Session'\nat.given.version = 'Version'\n";
    let other =
        "error[given-mismatch] version is not the one that was given (Expected: 1.2; Got: 1.2.3)";
    let cases = [
        ("Session: S1\nVersion: 1.2", OK),
        ("Session: S1 (yours)\nVersion: #1.2.", OK),
        ("Session: S1\nVersion: 1.2.3", other),
        (
            "Session: S1.2\nVersion: 1.2",
            "error[session-mismatch] Session ID mismatch (Expected: S1; Got: S1.2)",
        ),
    ];
    assert_found(standard, "--session S1 --given version=1.2", &cases);
}

#[test]
fn the_session_matches_only_where_there_is_one() {
    let session = |options: &str, text: &str| {
        let standard = "form = 'text'\nat.given.version = 'Version'\nat.session = { at = 'Session', optional = true }\n";
        let world = World::new();
        world.write("own.toml", format!("[profiles.own]\n{standard}"));
        let mut retval = world.retval();
        retval.args("check --root project --config own.toml --profile own".split(' '));
        let output = stdout(&feed(retval.args(options.split(' ')), text));
        let step = ["Session", "Given"];
        let line = output.lines().find(|line| step.iter().any(|it| line.contains(it)));
        line.unwrap_or_default().to_owned()
    };
    let given = "--given version=1";
    assert_eq!(session(given, "Version: 1"), "[PASS] Given values match");
    let both = "--given version=1 --session S9";
    assert_eq!(session(both, "Version: 1"), "[PASS] Given values match");
    assert_eq!(session(both, "Version: 1\nSession: S9"), "[PASS] Session ID matches");
    assert_eq!(
        session("--given tikcet=1", "Version: 1"),
        "[SKIP] Session ID: the profile has no field for `tikcet`"
    );
}

#[test]
fn lines_with_nothing_on_them_fill_no_place() {
    let empty = "error[field-empty] Empty required field: A";
    let cases = [
        ("## A\n\n---\n\n## B\n\nx y\n", empty),
        ("## A\n\n<!-- fill in -->\n\n---\n\n## B\n\nx y\n", empty),
        ("## A\n\n```\n```\n\n## B\n\nx y\n", empty),
        ("## A\n\n| a |\n|---|\n\n## B\n\nx y\n", empty),
        ("## A\n\n- [ ]\n\n## B\n\nx y\n", empty),
        ("## A\n\n<details></details>\n\n## B\n\nx y\n", empty),
        ("## A\n\n—\n\n## B\n\nx y\n", OK),
        ("## A\n\n---\n\nx y\n", OK),
        ("## A?\n\nx y\n", OK),
        ("<a>\n<b>token leak</b>\n</a>\n", OK),
    ];
    assert_found("form = 'text'\nrequired = ['A']\n", "", &cases);
}

#[test]
fn a_place_that_must_be_empty_may_say_so_in_many_ways() {
    let standard = "form = 'text'\nat.status = 'Verdict'\nstatuses = { OK = 'success', NO = 'other' }\n\
                    empty-if = { OK = ['Blocking issues'] }\n";
    let filled = "error[field-not-empty] Field must be empty with status OK: Blocking issues";
    let section =
        |text: &str| format!("Verdict: OK\n\n## Blocking issues\n\n{text}\n\n## Nits\n\n- x\n");
    for (text, finding) in [
        ("---", OK),
        ("### Critical\n\nNone\n\n### High\n\n- None", OK),
        ("| # | Issue |\n|---|---|", OK),
        ("- Critical: 0\n- High: none", OK),
        ("None — all is well.", OK),
        ("Zero.", OK),
        // Sentences are not read: `none` has what a team writes.
        ("The review found no blocking issues.", filled),
        ("> None", OK),
        ("The parser has no tests.", filled),
        ("### Critical\n\nNone\n\n### High\n\n- Token leak", filled),
    ] {
        assert_found(standard, "", &[(&section(text), finding)]);
    }
    let tags = "Verdict: OK\n<blocking_issues>\n<issue>token leak</issue>\n</blocking_issues>\n";
    assert_found(standard, "", &[(tags, filled)]);
}

#[test]
fn steps_are_found_below_a_label_and_below_a_heading() {
    let standard = "form = 'text'\nat.status = 'STEPS/build'\nrequired = ['STEPS/*']\n\
                    statuses = { pass = 'success', fail = 'other' }\n";
    let cases = [
        ("STEPS:\n- build: pass\n- test: fail\n", OK),
        ("## STEPS\n\n- build: pass\n- test: fail\n", OK),
        ("## STEPS\n\nbuild: pass\ntest: fail\n", OK),
        (
            "## STEPS\n\n- test: fail\n",
            "error[field-missing] Missing required field: `build` of `STEPS`",
        ),
    ];
    assert_found(standard, "", &cases);
}

#[test]
fn none_is_a_list_without_items() {
    let missing = "error[field-missing] Missing required field: `File` of each item of the table of `Findings`";
    let cases = [
        ("## Findings\n\nNone.\n", OK),
        ("Findings: none\n", OK),
        ("**Findings:** No issues found.\n", missing),
        ("Findings: the parser\n", missing),
    ];
    assert_found("form = 'text'\nrequired = ['Findings/table/*/File']\n", "", &cases);
}

#[test]
fn what_is_optional_may_be_missing() {
    let status = "form = 'text'\nat.status = 'Status'\nstatuses = { DONE = 'success' }\n";
    let report =
        |key: &str| format!("{status}at.artifacts = {{ at = 'Report', optional = true }}\n{key}");
    assert_found(&report(""), "", &[("Status: DONE\n", OK)]);
    let required = report("artifacts-on-success = 'required'\n");
    let missing = "error[field-missing] Missing required field: Report";
    assert_found(&required, "", &[("Status: DONE\n", missing)]);
    let session = format!("{status}at.session = {{ at = 'Session', optional = true }}\n");
    assert_found(&session, "--session S1", &[("Status: DONE\n", OK)]);
}

#[test]
fn a_count_is_not_compared_with_a_list_that_may_have_more() {
    let standard = "form = 'text'\ncounts = [{ number = 'Total', items = 'Findings' }]\n";
    let wrong = "error[count-wrong] Count is wrong: Total is 3, there are 2";
    let cases = [
        ("Total: 2\n\n## Findings\n\n1. a\n2. b\n\nWhat is good:\n\n- tests\n", OK),
        ("Total: 12\n\nFindings:\n- a\n- b\n- ... and 10 more\n", OK),
        ("Total: 3\n\n## Findings\n\n- High\n  - a\n  - b\n- Low\n  - c\n", OK),
        ("Total: 1\nFindings:\n- a\n- ~~b~~ (resolved)\n", OK),
        (
            "Total: 2\n\n## Findings\n\n| # | Issue |\n|---|---|\n| 1 | a |\n| 2 | b |\n| | **Total: 2** |\n",
            OK,
        ),
        ("Total: 3\n\n## Findings\n\n- a\n  more of it\n\n- b\n", wrong),
        (
            "Total: none\nFindings:\n- a\n- b\n",
            "error[count-wrong] Count is wrong: Total is 0, there are 2",
        ),
    ];
    assert_found(standard, "", &cases);
    let sum = "error[sum-wrong] Sum is wrong: Total is 5, but the parts add up to 3";
    let text = "Total: 5\nPassed: 3\nFailed: none\n";
    assert_found("form = 'text'\nsums = { Total = ['Passed', 'Failed'] }\n", "", &[(text, sum)]);
}

#[test]
fn null_is_no_value_and_a_comment_no_text() {
    let same = [(r#"{"id": null, "meta": {"id": "x"}}"#, OK)];
    assert_found("form = 'json'\nsame = [['/id', '/meta/id']]\n", "", &same);
    let part = [("<result>\nAnswer: It is so.\n</result>\n<!-- end -->\n", OK)];
    assert_found(
        "form = 'text'\npart = { tag = 'result', last = true }\nrequired = ['Answer']\n",
        "",
        &part,
    );
}

#[test]
fn a_cite_that_may_mean_another_line_or_version_is_not_judged() {
    let standard = "form = 'text'\nat.cites = 'Findings'\n";
    let beyond = "error[cite-beyond-end] Cited line does not exist: docs/tides.md:300 (the file has 3 lines)";
    for (cite, finding) in [
        ("docs/tides.md:300 (missing check)", beyond),
        ("docs/tides.md:300 — checked before use", beyond),
        ("docs/tides.md:300 (before)", OK),
        ("docs/tides.md:300 (old version)", OK),
        ("docs/tides.md:300 (on branch feature/x)", OK),
        ("docs/tides.md:300 (after my patch)", OK),
        ("commit abc1234: docs/tides.md:300", OK),
    ] {
        assert_found(standard, "", &[(&format!("Findings:\n- {cite}\n"), finding)]);
    }
    let world = World::new();
    world.write("own.toml", format!("[profiles.own]\n{standard}"));
    for (cite, shown) in [
        ("docs/tides.md:1", 1),
        ("[docs/tides.md:300](docs/tides.md)", 0),
        ("docs/tides.md:1,300", 0),
        ("`docs/tides.md` line 300", 0),
    ] {
        let found = check(&world, "", &format!("Findings:\n- {cite}\n"));
        let shown = format!("{shown} of 1");
        assert!(found.contains(&shown), "{cite}: {found:?}");
    }
}

#[test]
fn numbers_of_tests_are_compared_in_any_layout() {
    let wrong = |found: &str, why: &str| {
        format!("error[tests-inconsistent] Numbers of tests contradict each other: {found} ({why})")
    };
    let net = "Failed: 1, Passed: 14, Skipped: 2, Total: 14";
    let cases = [
        (format!("Tests: {net}\n"), wrong(net, "the parts add up to 17, the total is 14")),
        (
            "## Tests\n\n- Total: 10\n- Passed: 12\n".to_owned(),
            wrong("Total: 10, Passed: 12", "12 of 10"),
        ),
        ("## Tests\n\n- unit: 12\n- e2e: 14\n".to_owned(), OK.to_owned()),
    ];
    for (text, finding) in &cases {
        assert_found("form = 'text'\nat.tests = 'Tests'\n", "", &[(text, finding)]);
    }
}

#[test]
fn paths_of_json_and_yaml_may_have_a_line_behind_them() {
    let standard = |form: &str| {
        format!(
            "form = '{form}'\nat.status = '/status'\nat.artifacts = '/files'\nstatuses = {{ ok = 'success' }}\n"
        )
    };
    let json = [(r#"{"status": "ok", "files": ["docs/tides.md:12"]}"#, OK)];
    assert_found(&standard("json"), "", &json);
    let second = "error[yaml-syntax] Invalid YAML return from subagent (Cannot parse return as YAML: it has more than \
                  one YAML document)";
    let yaml = [
        ("status: ok\nfiles: |\n  docs/tides.md\n", OK),
        ("---\nstatus: ok\nfiles: [docs/tides.md]\n---\n", OK),
        ("---\nstatus: ok\n---\nfiles: [docs/tides.md]\n", second),
    ];
    assert_found(&standard("yaml"), "", &yaml);
}

#[test]
fn a_message_without_anything_on_its_lines_says_nothing() {
    let world = World::new();
    for text in ["```\n```\n", "<!-- x -->\n", "<result></result>\n"] {
        let mut retval = world.retval();
        retval.args("check --profile any --root project --format concise".split(' '));
        let output = stdout(&feed(&mut retval, text));
        assert!(output.contains("[return-filler]"), "{text}: {output}");
    }
}

#[test]
fn a_schema_says_what_is_missing_and_what_is_too_much() {
    let world = World::new();
    let path = "own.schema.json";
    world.write("own.toml", format!("[profiles.own]\nform = 'json'\nschema = '{path}'\n"));
    for (schema, text, why) in [
        (
            r#"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
            "{}",
            "value is not valid under any of the schemas listed in the 'anyOf' keyword (anyOf)",
        ),
        (
            r#"{"additionalProperties": false}"#,
            r#"{"A": 1}"#,
            "False schema does not allow 1 (falseSchema)",
        ),
    ] {
        world.write(path, schema);
        let found = check(&world, "--format concise", text);
        assert_eq!(
            found,
            [format!("error[schema] Value does not fit the schema: the document: {why}")]
        );
    }
}

#[test]
fn a_member_that_must_be_empty_is_named_and_not_its_list() {
    let standard = "at.status = '/status'\nstatuses = { DONE = 'success' }\n\
                    empty-if = { DONE = [{ each = '/findings', path = 'open' }] }\n";
    let full = "error[field-not-empty] Field must be empty with status DONE: /findings/1/open";
    let cases = [
        (r#"{"status":"DONE","findings":[{"open":""},{"open":""}]}"#, OK),
        (r#"{"status":"DONE","findings":[{"open":""},{"open":"b"}]}"#, full),
    ];
    assert_found(standard, "", &cases);
}

#[test]
fn what_does_not_fit_its_expression_is_pointed_at() {
    let world = World::new();
    let standard =
        "form = 'text'\nrequired = [{ at = 'Tests', match = '(?<value>[0-9]+) passed' }]";
    world.write("own.toml", format!("[profiles.own]\n{standard}"));
    let options = "--config own.toml --profile own --format concise";
    let found = stdout(&piped(&world, options, "Done.\n\nTests: green\n"));
    assert!(found.starts_with("-:3:1: error[field-missing]"), "{found}");
    assert!(found.contains("(what is there does not fit)"), "{found}");
}

#[test]
fn what_one_key_takes_as_a_place_every_key_takes() {
    let passed = "{ at = 'Tests', match = '(?<value>[0-9]+) passed' }";
    let failed = "{ at = 'Tests', match = '(?<value>[0-9]+) failed', default = '0' }";
    let status =
        "at.status = 'Status'\nstatuses = { DONE = 'success', STUCK = 'other' }\n".to_owned();
    let missing = "error[field-missing] Missing required field: Tests (what is there does not fit)";
    let wrong = "error[sum-wrong] Sum is wrong: Total is 5, but the parts add up to 4";
    let cases: [(String, &[(&str, &str)]); 8] = [
        (
            format!("required = [{passed}]"),
            &[("Tests: 3 passed", OK), ("Tests: all of them", missing)],
        ),
        (
            format!("{status}required-if = {{ DONE = [{passed}] }}"),
            &[
                ("Status: DONE\nTests: 3 passed", OK),
                ("Status: DONE\nTests: green", missing),
                ("Status: STUCK\nTests: red", OK),
            ],
        ),
        (
            format!("{status}empty-if = {{ DONE = [{failed}] }}"),
            &[
                ("Status: DONE\nTests: 3 passed", OK),
                ("Status: DONE\nTests: 3 passed, 0 failed", OK),
                (
                    "Status: DONE\nTests: 3 passed, 1 failed",
                    "error[field-not-empty] Field must be empty with status DONE: Tests",
                ),
            ],
        ),
        (
            "values = [{ at = { at = 'Risk', match = '^level (?<value>\\w+)' }, words = ['low', 'high'] }]"
                .to_owned(),
            &[
                ("Risk: level low", OK),
                (
                    "Risk: level odd",
                    "error[value-unknown] Unknown value of Risk: odd",
                ),
            ],
        ),
        (
            format!("sums = [{{ total = 'Total', of = [{passed}, {failed}] }}]"),
            &[
                ("Total: 5\nTests: 4 passed, 1 failed", OK),
                ("Total: 4\nTests: 4 passed", OK),
                ("Total: 5\nTests: 4 passed", wrong),
            ],
        ),
        (
            format!("sums = {{ Total = [{passed}] }}"),
            &[("Total: 4\nTests: 4 passed", OK), ("Total: 5\nTests: 4 passed", wrong)],
        ),
        (
            format!("same = [['Count', {passed}]]"),
            &[
                ("Count: 4\nTests: 4 passed", OK),
                (
                    "Count: 5\nTests: 4 passed",
                    "error[value-different] Tests differs from Count (Expected: 5; Got: 4)",
                ),
            ],
        ),
        (
            format!("counts = [{{ number = {passed}, items = 'Passed' }}]"),
            &[
                ("Tests: 2 passed\nPassed:\n- a\n- b", OK),
                (
                    "Tests: 3 passed\nPassed:\n- a\n- b",
                    "error[count-wrong] Count is wrong: Tests is 3, there are 2",
                ),
            ],
        ),
    ];
    for (keys, texts) in cases {
        assert_found(&format!("form = 'text'\n{keys}\n"), "", texts);
    }
}

#[test]
fn each_object_has_the_member_that_is_taken_of_it() {
    let each = "{ each = '/findings', path = 'file' }";
    let two = r#"{"total": 2, "findings": [{"file": "a"}, {"file": "b"}]}"#;
    let one = r#"{"total": 2, "findings": [{"file": "a"}, {"line": 3}]}"#;
    let required = format!("required = [{each}]\n");
    let missing = "error[field-missing] Missing required field: /findings/1/file";
    assert_found(&required, "", &[(two, OK), (one, missing)]);
    let counted = format!("form = 'json'\ncounts = [{{ number = '/total', items = {each} }}]\n");
    let wrong = "error[count-wrong] Count is wrong: /total is 2, there are 1";
    assert_found(&counted, "", &[(two, OK), (one, wrong)]);
}

#[test]
fn a_schema_is_for_the_part_of_a_text_that_a_place_takes() {
    let world = World::new();
    world.write(
        "own.toml",
        "[profiles.own]\nform = 'text'\n\
         schema = { at = { at = 'Id', match = '^#(?<value>.+)$' }, file = 'id.json' }\n",
    );
    world.write("id.json", r#"{"pattern": "^[0-9]+$"}"#);
    assert!(check(&world, "--format concise", "Id: #12\n").is_empty());
    let found = check(&world, "--format concise", "Id: #1x\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("error[schema] "), "{found:?}");
}

#[test]
fn each_match_of_an_expression_is_taken() {
    let standard = "form = 'text'\nat.status = 'Status'\nstatuses = { DONE = 'success' }\n\
                    at.artifacts = { at = 'Report', match = 'FILE (?<value>[^\\s,]+)' }\n";
    let missing = "error[artifact-not-found] Artifact does not exist: docs/ghost.md";
    let cases = [
        ("Status: DONE\nReport: FILE docs/tides.md", OK),
        ("Status: DONE\nReport: FILE docs/tides.md, FILE docs/ghost.md", missing),
        ("Status: DONE\nReport:\n- FILE docs/tides.md and FILE docs/ghost.md", missing),
        ("Status: DONE\n## Report\nFILE docs/tides.md\nFILE docs/ghost.md", missing),
    ];
    let found = cases.map(|(text, finding)| (text, finding));
    assert_found(standard, "", &found);
    let standard = "form = 'text'\nat.status = { at = '/first', match = '(?<value>[A-Z]+)' }\n\
                    statuses = { DONE = 'success', BLOCKED = 'other' }\n";
    let two =
        "error[value-ambiguous] Ambiguous value: the first line (2 values, the second at 1:1)";
    assert_found(standard, "", &[("DONE", OK), ("DONE or BLOCKED", two)]);
}

#[test]
fn a_limit_of_sentences_holds_without_one_of_length() {
    let standard = "form = 'text'\nat.summary = 'Summary'\nlimits = { sentences = [1, 2] }\n";
    let cases = [
        ("Summary: One is enough.", OK),
        (
            "Summary: One. Two. Three.",
            "warning[summary-sentences] Summary has 3 sentences, expected 1 to 2",
        ),
    ];
    assert_found(standard, "", &cases);
    let standard = "at.summary = '/s'\nlimits = { sentences = [2, 3] }\n";
    let cases = [
        (r#"{"s": "One. Two."}"#, OK),
        (r#"{"s": "One."}"#, "warning[summary-sentences] Summary has 1 sentence, expected 2 to 3"),
    ];
    assert_found(standard, "", &cases);
}

/// A place of claims that holds something of which nothing can be read is told.
#[test]
fn what_cannot_be_read_where_claims_stand_is_told() {
    let standard = "form = 'text'\nat.status = 'Status'\nstatuses = { DONE = 'success', BLOCKED = 'other' }\n\
                    at.cites = { each = 'Findings', path = 'File', line = 'Line' }\nat.commits = 'Commits'\n\
                    at.tests = 'Tests'\nat.files = 'Read'\n";
    let file = "warning[claim-unreadable] Cannot read which file is meant: ";
    let list = format!("{file}Findings (it has no path)");
    let commit = "warning[claim-unreadable] Cannot read which commit is meant: pushed to main (it has no id of a commit)";
    let tests = "warning[claim-unreadable] Cannot read how many tests passed: they look fine (it has no numbers)";
    let cases = [
        ("Status: DONE\n## Findings\nnone", OK),
        ("Status: DONE\n## Findings\n- docs/tides.md:1", &*list),
        ("Status: BLOCKED\n## Findings\n- docs/tides.md:1", &*list),
        ("Status: DONE\nCommits: pushed to main", commit),
        ("Status: DONE\nTests: they look fine", tests),
        ("Status: DONE\nTests: 12 of them are fine", OK),
        ("Status: DONE\nTests: none", OK),
    ];
    assert_found(standard, "", &cases);
    let standard = "at.cites = '/cites'\nat.files = { each = '/read/*', path = 'file' }\n";
    let member = format!("{file}/cites (it has no path)");
    let number = format!("{file}7 (it has no path)");
    let text = format!("{file}docs/tides.md (it has no path)");
    let cases = [
        (r#"{"cites": ["docs/tides.md:1"]}"#, OK),
        (r#"{"cites": []}"#, OK),
        (r#"{"cites": [{"file": "docs/tides.md", "line": 99}]}"#, &*member),
        (r#"{"cites": 7}"#, &*number),
        (r#"{"read": ["docs/tides.md"]}"#, &*text),
    ];
    assert_found(standard, "", &cases);
}

#[test]
fn named_files_are_held_whatever_the_status_says() {
    let standard = "form = 'text'\nat.status = 'Status'\nat.files = 'Read'\nat.artifacts = 'Wrote'\n\
                    statuses = { DONE = 'success', BLOCKED = 'other', WAITING = 'unfinished' }\n";
    let missing = "error[file-not-found] Named file does not exist: docs/ghost.md";
    let claimed = "warning[claimed-artifact-missing] Claimed artifact ";
    let [gone, outside, climbs, scheme] = [
        "does not exist: docs/ghost.md",
        "is outside the root: /etc/hosts",
        "is outside the root: ../up.md",
        "begins with ~: ~/a.md",
    ]
    .map(|it| format!("{claimed}{it}"));
    let cases = [
        ("Status: BLOCKED\nRead: docs/ghost.md", missing),
        ("Status: WAITING\nRead: docs/ghost.md", missing),
        (
            "Status: ODD\nRead: docs/tides.md",
            "error[status-unknown] Invalid status: ODD (Valid statuses: DONE, BLOCKED, WAITING)",
        ),
        ("Status: BLOCKED\nRead: docs/tides.md", OK),
        ("Status: BLOCKED\nWrote: docs/ghost.md", &*gone),
        ("Status: BLOCKED\nWrote: /etc/hosts", &*outside),
        ("Status: BLOCKED\nWrote: ../up.md", &*climbs),
        ("Status: WAITING\nWrote: docs/ghost.md", OK),
    ];
    assert_found(standard, "", &cases);
    let standard = "at.status = '/status'\nat.artifacts = '/files'\nstatuses = { done = 'success', later = 'other' }\n";
    let cases = [
        (r#"{"status": "later", "files": ["~/a.md"]}"#, &*scheme),
        (r#"{"status": "later", "files": ["docs/tides.md"]}"#, OK),
    ];
    assert_found(standard, "", &cases);
}

#[test]
fn a_text_is_no_boolean() {
    let standard = "at.status = '/ok'\nstatuses = { true = 'success', false = 'other' }\nsame = { '/ok' = '/again' }\n\
                    counts = [{ number = '/passed', items = '/all', where = { ok = true } }]\n";
    let unknown = "error[status-unknown] Invalid status: true (Valid statuses: true, false)";
    let different = "error[value-different] /again differs from /ok (Expected: true; Got: true)";
    let count = "error[count-wrong] Count is wrong: /passed is 2, there are 1";
    let cases = [
        (r#"{"ok": true}"#, OK),
        (r#"{"ok": "true"}"#, unknown),
        (r#"{"ok": true, "again": true}"#, OK),
        (r#"{"ok": true, "again": "true"}"#, different),
        (r#"{"ok": true, "passed": 1, "all": [{"ok": true}, {"ok": "true"}]}"#, OK),
        (r#"{"ok": true, "passed": 2, "all": [{"ok": true}, {"ok": "true"}]}"#, count),
    ];
    assert_found(standard, "", &cases);
    let standard = "form = 'yaml'\nat.status = { at = '/ok', default = true }\nstatuses = { true = 'success', false = 'other' }\n";
    let cases = [("a: 1", OK), ("ok: false", OK), ("ok: 'true'", unknown)];
    assert_found(standard, "", &cases);
}

#[test]
fn numbers_are_compared_as_numbers() {
    let standard = "form = 'json'\nsame = { '/a' = '/b' }\ncounts = [{ number = '/n', items = '/all', where = { level = 2 } }]\n";
    let cases = [
        (r#"{"a": 1, "b": 1.0}"#, OK),
        (r#"{"a": 100, "b": 1e2}"#, OK),
        (
            r#"{"a": 9007199254740993, "b": 9007199254740992}"#,
            "error[value-different] /b differs from /a (Expected: 9007199254740993; Got: 9007199254740992)",
        ),
        (r#"{"n": 1, "all": [{"level": 2.0}, {"level": 3}]}"#, OK),
    ];
    assert_found(standard, "", &cases);
}

#[test]
fn the_agent_is_held_where_its_place_is_named() {
    let other = "error[agent-mismatch] Agent is bob, expected alice";
    let standard = "at.agent = '/who'\n";
    assert_found(
        standard,
        "--agent alice",
        &[(r#"{"who": "alice"}"#, OK), (r#"{"who": "bob"}"#, other)],
    );
    let standard = "form = 'text'\nat.agent = 'Agent'\n";
    assert_found(standard, "--agent alice", &[("Agent: alice", OK), ("Agent: bob", other)]);
    let standard = "form = 'text'\nat.agent = 'Agent'\nrules = { agent-mismatch = 'warning' }\n";
    let warned = other.replace("error", "warning");
    assert_found(standard, "--agent alice", &[("Agent: bob", &warned)]);
}

/// What a label says cannot stand in a quotation or in code below it, where it is not read.
#[test]
fn a_role_needs_a_value_that_is_read() {
    let standard = "form = 'text'\nat.status = 'Verdict'\nstatuses = { DONE = 'success' }\nrequired = ['Log']\n";
    let status = "error[field-empty] Empty required field: Verdict";
    let log = "error[field-empty] Empty required field: Log";
    let cases = [
        ("Verdict: DONE\nLog:\n```\nok 3\n```", OK),
        ("Verdict: DONE\nLog:\n> it went well", OK),
        ("Verdict: DONE\nLog:\n```\n```", log),
        ("Verdict: DONE\nLog:\n~~~\n\n~~~", log),
        ("Verdict: DONE\nLog:\n> \n>", log),
        ("Verdict: DONE\nLog:\n> \n> <br>", log),
        ("Verdict: DONE\nLog: \u{1}\u{7f}", log),
        ("Log: ok\nVerdict:\n> DONE", status),
        ("Log: ok\nVerdict:\n```\nDONE\n```", status),
    ];
    assert_found(standard, "", &cases);
}

/// The schema is silent only about the status that is reported already.
#[test]
fn a_schema_holds_the_value_of_the_status() {
    let world = World::new();
    world.write(
        "own.schema.json",
        r#"{"properties": {"status": {"enum": ["DONE"], "minLength": 4, "maxLength": 9}}}"#,
    );
    let found = |place: &str, text: &str| {
        world.write(
            "own.toml",
            format!(
                "[profiles.own]\nschema = 'own.schema.json'\nat.status = {place}\n\
                 statuses = {{ DONE = 'success', OK = 'success', LONG_ENOUGH = 'success' }}\n"
            ),
        );
        let found = check(&world, "--format concise", text);
        let rules = found.iter().map(|it| it.split_once('[').expect("a rule").1);
        let rules = rules.map(|it| it.split_once(']').expect("a rule").0.to_owned());
        rules.collect::<Vec<_>>()
    };
    let whole = "'/status'";
    assert_eq!(found(whole, r#"{"status": "DONE"}"#), [""; 0]);
    assert_eq!(found(whole, r#"{"status": "OK"}"#), ["schema", "schema"]);
    assert_eq!(found(whole, r#"{"status": "LONG_ENOUGH"}"#), ["schema", "schema"]);
    assert_eq!(found(whole, r#"{"status": "NO"}"#), ["status-unknown"]);
    let part = "{ at = '/status', match = '^(?<value>[A-Z]+)' }";
    assert_eq!(found(part, r#"{"status": "DONE, at last"}"#), ["schema", "schema"]);
    assert_eq!(
        found(part, r#"{"status": "GONE, at last"}"#),
        ["schema", "schema", "status-unknown"]
    );
}

#[test]
fn the_fence_of_a_part_is_named_as_names_are() {
    let standard = "form = 'text'\npart = { fence = 'acceptance-report' }\nat.status = 'Status'\nstatuses = { DONE = 'success' }\n";
    let missing = "error[part-missing] Return not found: no ```acceptance-report";
    let cases =
        ["acceptance-report", "Acceptance_Report", "acceptanceReport", "report"].map(|name| {
            let found = if name == "report" { missing } else { OK };
            (format!("Hello\n```{name}\nStatus: DONE\n```\n"), found)
        });
    let cases: Vec<_> = cases.iter().map(|(text, found)| (&**text, *found)).collect();
    assert_found(standard, "", &cases);
    let standard = "form = 'text'\npart = { between = ['<<<', '>>>'] }\nat.status = 'Status'\nstatuses = { DONE = 'success' }\n";
    assert_found(
        standard,
        "",
        &[("Here: <<<Status: DONE>>> and so on", OK), ("<<<\nStatus: DONE\n>>>", OK)],
    );
}

#[test]
fn a_path_that_leads_back_into_the_root_is_inside() {
    let standard = "at.artifacts = '/files'\n";
    let outside =
        "error[artifact-outside-root] Artifact is outside the root: ../other/docs/tides.md";
    let relative = "warning[artifact-not-relative] Artifact path is not relative to the root: ../project/docs/tides.md";
    let missing =
        "error[artifact-outside-root] Artifact is outside the root: ../../project/docs/tides.md";
    let cases = [
        (r#"{"files": ["docs/tides.md"]}"#, OK),
        (r#"{"files": ["../project/docs/tides.md"]}"#, relative),
        (r#"{"files": ["../other/docs/tides.md"]}"#, outside),
        (r#"{"files": ["../../project/docs/tides.md"]}"#, missing),
    ];
    assert_found(standard, "", &cases);
}

#[test]
fn a_star_leads_to_a_list() {
    let missing = "error[field-missing] Missing required field: /findings/*/message";
    let cases = [
        (r#"{"findings":[{"message":"Late."}]}"#, OK),
        (r#"{"findings":[]}"#, OK),
        (r#"{"findings":{}}"#, OK),
        (r#"{"findings":"none"}"#, OK),
        (r#"{"findings":"I found nothing"}"#, missing),
        (r#"{"findings":5}"#, missing),
        (r#"{"findings":null}"#, missing),
    ];
    assert_found("required = ['/findings/*/message']\n", "", &cases);
    let missing = "error[field-missing] Missing required field: /*/message";
    let cases = [
        ("[]", OK),
        (r#""I could not read the files""#, missing),
        ("true", missing),
        ("null", missing),
    ];
    assert_found("required = ['/*/message']\n", "", &cases);
    let cases = [("- message: Late.\n", OK), ("Late.\n", missing)];
    assert_found("form = 'yaml'\nrequired = ['/*/message']\n", "", &cases);
}

#[test]
fn no_member_of_an_object_is_the_word_that_is_meant() {
    let standard = "at.status = '/status'\nat.session = '/run'\nat.given.version = '/version'\n\
                    statuses = { completed = 'success', failed = 'other' }\nvalues = { '/risk' = ['high', 'low'] }\n";
    let whole = |change: (&str, &str)| {
        let text = r#"{"status":"completed","run":"S1","version":"1","risk":["high"]}"#;
        text.replace(change.0, change.1)
    };
    for (change, finding) in [
        (("", ""), OK),
        ((r#""completed""#, r#"["completed"]"#), OK),
        (
            (r#""completed""#, r#"{"before":"completed"}"#),
            "error[status-unknown] Invalid status: {\"before\":\"completed\"} (Valid statuses: completed, failed)",
        ),
        (
            (r#""S1""#, r#"{"id":"S1"}"#),
            "error[session-mismatch] Session ID mismatch (Expected: S1; Got: {\"id\":\"S1\"})",
        ),
        (
            (r#""1""#, r#"{"of":["1"]}"#),
            "error[given-mismatch] version is not the one that was given (Expected: 1; Got: {\"of\":[\"1\"]})",
        ),
        (
            (r#"["high"]"#, r#"{"level":"middle"}"#),
            "error[value-unknown] Unknown value of /risk: {\"level\":\"middle\"}",
        ),
        (
            (r#"["high"]"#, r#"[["middle"]]"#),
            "error[value-unknown] Unknown value of /risk: [\"middle\"]",
        ),
    ] {
        let options = "--session S1 --given version=1";
        assert_found(standard, options, &[(&whole(change), finding)]);
    }
}

#[test]
fn without_a_status_an_empty_list_claims_nothing() {
    let empty = "error[field-empty] Empty required field: /files";
    let cases = [
        (r#"{"files":[]}"#, OK),
        (r#"{"files":"none"}"#, OK),
        (r#"{"files":["none"]}"#, OK),
        ("{}", "error[field-missing] Missing required field: /files"),
        (r#"{"files":null}"#, empty),
        (r#"{"files":""}"#, empty),
        (r#"{"files":[{}]}"#, empty),
    ];
    assert_found("at.artifacts = '/files'\n", "", &cases);
    let unreadable = "warning[claim-unreadable] Cannot read which file is meant: docs/none.md (new) \
                      (is not there, and what is said of it cannot be read)";
    let cases = [
        ("Files: none", OK),
        ("Files:\n- docs/none.md (new)", unreadable),
        ("Files:\n- docs/tides.md\n- docs/none.md (new)", unreadable),
    ];
    assert_found("form = 'text'\nat.artifacts = 'Files'\n", "", &cases);
}
