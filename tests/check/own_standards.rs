//! Standards of one's own at the command line: options, mistakes, instructions, and what they cannot do.

use std::fs;

use retval::Config;

use crate::common::{World, feed, run, stderr, stdout};

/// What `check` prints for a text with these options, and its exit code.
fn check(world: &World, options: &str, text: &str) -> (String, Option<i32>) {
    let mut retval = world.retval();
    retval.args(["check", "--root", "project"]);
    retval.args(options.split_whitespace());
    let output = feed(&mut retval, text);
    assert_eq!(stderr(&output), "");
    (stdout(&output), output.status.code())
}

/// Writes a profile of a form with these places and one word of success. Returns the option that names it.
fn own(world: &World, form: &str, status: (&str, &str), artifacts: Option<&str>) -> &'static str {
    let (place, success) = status;
    let artifacts = artifacts.map(|place| format!("at.artifacts = '{place}'\n"));
    let artifacts = artifacts.unwrap_or_default();
    let text = format!(
        "[profiles.own]\nform = '{form}'\nat.status = '{place}'\n{artifacts}statuses = {{ {success} = 'success', '*' = 'other' }}\n"
    );
    world.write("retval.toml", text);
    "--profile own"
}

/// The message about a configuration.
fn refused(text: &str) -> String {
    Config::parse(text).expect_err("mistakes").to_string()
}

#[test]
fn all_mistakes_of_a_standard_are_told_with_their_place() {
    let text = r#"
[profiles.report]
form = "text"
at.status = { at = "/first", match = "^([A-Z]+)" }
at.artifacts = ["Files", "/files"]
statuses = { DONE = "success" }
required = ["Tests", "/list/a"]
required-if = { "DONE, FINISHED" = ["Report"] }
part = { fence = "a", tag = "b" }
"#;
    assert_eq!(
        refused(text),
        "4:38: `match`: invalid expression `^([A-Z]+)`: it has no group named `value`\n\
         5:26: `artifacts`: the field `/files` can match nothing in a text: a document has first, last, lines, text, front_matter, labels, list, table, sections, tags, blocks, no `files`\n\
         8:17: `required-if`: `FINISHED` is none of the statuses\n\
         9:8: `part`: needs one of `fence`, `between` and `tag`"
    );
    assert_eq!(
        refused("[profiles.a]\nat.status = \"status\"\nstatuses = { ok = \"success\" }"),
        "2:13: `status`: the field `status` must begin with `/`, unless `form` is \"text\""
    );
    assert_eq!(
        refused("[profiles.a]\nform = \"text\"\nstatuses = { DONE = \"success\" }"),
        "1:11: `at.status`, the field with the status, and `statuses`, its words, need each other"
    );
    assert_eq!(
        refused("[profiles.a]\nform = \"text\"\n[profiles.b]\nextends = \"a\""),
        "4:11: `a` extends no built-in profile, and cannot be extended"
    );
}

#[test]
fn mistakes_in_places_are_told_wherever_a_place_stands() {
    let text = r#"
[profiles.report]
form = "text"
required = [{ at = "Tests", match = "x" }, { each = "Files" }]
values = [{ words = ["low"] }, { at = "/risk", words = ["low"] }]
same = [["A", { at = "/list/a" }]]
sums = [{ of = ["A"] }, { total = "B", of = ["A", { at = "B" }] }]
counts = [{ number = { at = 1 }, items = "C" }]
"#;
    assert_eq!(
        refused(text),
        "4:37: `match`: invalid expression `x`: it has no group named `value`\n\
         4:44: `required`: needs either `at`, or `each` and the members that are taken\n\
         5:11: `values`: needs `at` and `words`\n\
         5:39: `at`: the field `/risk` can match nothing in a text: a document has first, last, lines, text, front_matter, labels, list, table, sections, tags, blocks, no `risk`\n\
         7:9: `sums`: needs `total` and `of`\n\
         8:29: `at`: expected a string, found integer"
    );
}

#[test]
fn an_instruction_says_what_values_are_held_to() {
    let world = World::new();
    let text = r#"
[profiles.own]
at.summary = "/summary"
at.artifacts = "/files"
artifacts-on-success = "allowed"
limits.summary-words = 5
required = ["/total"]
same = [["/a", "/b", "/c"]]
sums = { "/total" = ["/passed", "/failed"] }
[[profiles.own.counts]]
number = "/blocking"
items = "/findings"
where = { severity = "high" }
[[profiles.own.counts]]
number = "/plans"
files = { in = "/folder", glob = "*.md" }
"#;
    world.write("own.toml", text);
    let mut retval = world.retval();
    retval.args("instruct --config own.toml --profile own".split(' '));
    let told = stdout(&run(&mut retval));
    let lines: Vec<_> = told.lines().filter(|it| it.starts_with("- ")).collect();
    assert_eq!(
        lines,
        [
            "- `files` names files that you wrote, relative to the project root. They exist and have content.",
            "- `a`, `b` and `c` have the same value.",
            "- `total` is the sum of `passed` and `failed`.",
            "- `blocking` is the number of items in `findings` of which `severity` is `high`.",
            "- `plans` is the number of files in the folder `folder` whose name ends with `.md`.",
            "- `summary`: within 5 words.",
        ]
    );
    // A sample of seven words would not keep the limit.
    assert!(told.contains(r#""summary": "...""#), "{told}");
}

#[test]
fn an_instruction_asks_for_claims_as_they_are_read() {
    let lines = |profile: &str| {
        let world = World::new();
        world.write("own.toml", format!("[profiles.own]\n{profile}"));
        world.write("table", "## Files\n\n| File | Why |\n|---|---|\n| a.md | x |\n");
        world.write("example", "Files: docs/tides.md\nTests: all green\n");
        let mut retval = world.retval();
        retval.args("instruct --config own.toml --profile own".split(' '));
        let told = stdout(&run(&mut retval));
        let lines = told.lines().filter(|it| it.starts_with("- "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let text = "form = 'text'\nexample = 'example'\nat.artifacts = 'Files'\nat.changed = 'Files'\nat.tests = 'Tests'\n\
                at.files = { at = 'Files', match = '^(?<value>\\S+)' }\n";
    assert_eq!(
        lines(text),
        [
            "- `Files` names files that you wrote, relative to the project root, one path on each line, without remarks. They exist and have content.",
            "- `Files` names files, relative to the project root. They exist.",
            "- `Files` names all files that you changed, relative to the project root, one path on each line, without remarks.",
            "- `Tests` says how many tests ran and passed.",
        ]
    );
    let table = lines("form = 'text'\nexample = 'table'\nat.artifacts = 'Files'\n");
    assert!(!table[0].contains("remarks"), "{table:?}");
    let json = "required = ['/hits', '/seen']\nat.tests = ['/ran', '/good']\n\
                at.cites = { each = '/hits/*', path = 'where', line = 'at_line' }\n";
    assert_eq!(
        lines(json),
        [
            "- `hits[]` cites lines of files; quote only text of these lines.",
            "- `ran` says how many tests ran and passed.",
        ]
    );
}

#[test]
fn a_status_that_its_expression_does_not_fit_is_told_so() {
    let world = World::new();
    world.write(
        "own.toml",
        "[profiles.own]\nform = \"text\"\n\
         at.status = { at = \"/first\", match = '^RIG: (?<value>SOUND|WORN)\\b' }\n\
         statuses = { SOUND = \"success\", WORN = \"other\" }\n",
    );
    let (text, code) = check(&world, "--config own.toml --profile own", "SOUND\n");
    assert_eq!(code, Some(1));
    assert!(text.contains("\n       write it in the form that was asked for, or correct the `match` of `at.status`\n"), "{text}");
    let (_, code) = check(&world, "--config own.toml --profile own", "RIG: SOUND\n");
    assert_eq!(code, Some(0));
    // The agent is not told an expression.
    let options = "--config own.toml --profile own --format feedback";
    let (text, _) = check(&world, options, "SOUND\n");
    assert!(
        text.contains("1. Invalid status: SOUND (Valid statuses: SOUND, WORN) (line 1). Write it in the form that was asked for.\n"),
        "{text}"
    );
    let mut retval = world.retval();
    let refused = run(retval.args("instruct --config own.toml --profile own".split(' ')));
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        stderr(&refused),
        "error: the profile own needs an `example`, a file with a valid return: none can be made from its fields (none is the name of a label or a heading)\n"
    );
}

#[test]
fn an_example_that_comes_back_is_no_return() {
    let world = World::with("standards");
    let options =
        "--config standards/labelled-report/retval.toml --profile implementer --format concise";
    let (text, code) = check(&world, options, "Status: DONE\nReport: docs/tides.md\nTests: ...\n");
    assert_eq!(code, Some(1));
    assert!(text.starts_with("-:3:1: error[return-echo] "), "{text}");
}

#[test]
fn the_feedback_shows_the_form_of_the_standard() {
    let world = World::with("standards");
    let options =
        "--config standards/labelled-report/retval.toml --profile implementer --format feedback";
    let (text, code) = check(&world, options, "All done.");
    assert_eq!(code, Some(1));
    assert_eq!(
        text,
        "\
Your return was not accepted. Correct each of these:
1. Missing required field: Status. Include all required fields: add a line `Status:` with one of DONE, DONE_WITH_CONCERNS, BLOCKED, NEEDS_CONTEXT.
The form is:
Status: DONE
Report: `path/of/the/file.md`
Tests: ...
Write the complete report again. It replaces the previous one.
"
    );
}

#[test]
fn a_fence_around_a_text_is_taken_off_with_a_warning() {
    let world = World::with("standards");
    let options =
        "--config standards/one-line/retval.toml --profile worker --extract --format concise";
    let (text, code) = check(&world, options, "```\nABORT|no data\n```\n");
    assert_eq!(
        (text.as_str(), code),
        ("-:2:1: warning[json-wrapped] Return is wrapped in a Markdown fence\n", Some(0))
    );
}

#[test]
fn a_fence_around_a_return_is_named_where_it_hides_it() {
    let world = World::new();
    let fix = "return nothing around it, or accept it with --extract";
    let labelled = own(&world, "text", ("Status", "DONE"), Some("Files"));
    let (text, code) = check(&world, labelled, "```\nStatus: DONE\nFiles: docs/tides.md\n```\n");
    assert!(text.contains("field: Status\n") && text.contains(fix), "{text}");
    assert_eq!(code, Some(1));
    let yaml = own(&world, "yaml", ("/status", "done"), None);
    let (text, _) = check(&world, yaml, "```yaml\nstatus: done\n```\n");
    let told = "it is in a Markdown fence\n";
    assert!(text.contains(told) && text.contains(fix), "{text}");
    let (feedback, _) = check(&world, &format!("{yaml} --format feedback"), "```\na: [\n```");
    assert!(!feedback.contains("--extract"), "{feedback}");
}

/// Checks a message by the standard of a configuration.
fn checks(world: &World, profile: &str, options: &str, message: &str) -> (String, Option<i32>) {
    let toml = format!("[profiles.p]\n{profile}\n");
    world.write("p.toml", toml);
    check(world, &format!("--config p.toml --profile p {options}"), message)
}

#[test]
fn a_return_in_a_message_is_told_by_the_shape_of_its_standard() {
    let world = World::new();
    let statuses = "statuses = { PASS = \"success\", FAIL = \"other\" }";
    let verdict = format!("at.status = \"/verdict\"\n{statuses}");
    let nested = format!("at.status = \"/result/verdict\"\n{statuses}");
    let list = "required = [\"/*/file\"]".to_owned();
    let other = "The job is {\"status\": \"failed\"}.";
    let (pass, fail) = ("{\"verdict\": \"PASS\"}", "{\"verdict\": \"FAIL\"}");
    let inner = format!("{{\"result\": {pass}}}");
    let files = "[{\"file\": \"a.rs\"}]";
    let diff =
        "```diff\n@@ -1,3 +1,3 @@\n {\n-  \"verdict\": \"FAIL\",\n+  \"verdict\": \"PASS\",\n```";
    for (profile, message, code) in [
        (&verdict, format!("{other}\n{pass}"), 0),
        (&verdict, format!("{other}\n{other}\n```json\n{pass}\n```"), 0),
        (&verdict, format!("{diff}\n{pass}\n{diff}"), 0),
        (&verdict, format!("I sent `{fail}`, with a <think> tag.\n{pass}"), 0),
        (&verdict, format!("{pass}\n{fail}"), 1),
        (&nested, format!("{fail}\n{inner}"), 0),
        (&nested, format!("{inner}\n{inner}"), 1),
        (&list, format!("Findings, see [1]: {files}"), 0),
        (&list, format!("````json\n{files}\n````"), 0),
        (&list, "None: []".to_owned(), 0),
        (&list, format!("{files}\n{files}"), 1),
        (&list, format!("[{files}"), 1),
    ] {
        let (said, found) = checks(&world, profile, "--extract", &message);
        assert_eq!(found, Some(code), "{message}: {said}");
    }
    for message in ["No findings.", "[{\"file\": 1}", "[] []", "[] bye", "x [{}] y [{}]", "<think>"]
    {
        for options in ["", "--extract", "--format feedback"] {
            let (said, code) = checks(&world, &list, options, message);
            assert!(code == Some(1) || !options.is_empty(), "{message}: {said}");
            assert!(!said.contains("object") && !said.contains("brace"), "{message}: {said}");
        }
    }
    let (said, _) = checks(&world, &list, "--format feedback", "No findings.");
    assert_eq!(
        said,
        "Your return was not accepted. Correct each of these:\n\
         1. Return is not valid JSON: it is plain text. Return a JSON list instead of prose.\n\
         Return the complete JSON again as your whole final report, with no text around it. \
         It replaces the previous one.\n"
    );
}

#[test]
fn any_fence_around_a_whole_message_is_taken_off() {
    let world = World::new();
    let yaml = "form = \"yaml\"\nat.status = \"/status\"\nstatuses = { DONE = \"success\" }";
    let text = "form = \"text\"\nat.status = \"Status\"\nstatuses = { DONE = \"success\" }";
    let json = "at.status = \"/status\"\nstatuses = { DONE = \"success\" }";
    for (profile, inner) in [
        (yaml, "status: DONE\nnote: |\n  ```\n  x\n  ```"),
        (text, "Status: DONE\n\n```\nx\n```"),
        (json, "{\"status\": \"DONE\", \"note\": \"```\"}"),
    ] {
        for message in [
            format!("````\n{inner}\n````"),
            format!("\n~~~~ x\n{inner}\n~~~~~\n"),
            format!("<think>Hm.</think>\n\n`````md\n{inner}\n`````"),
        ] {
            let (said, code) = checks(&world, profile, "--extract", &message);
            assert_eq!(code, Some(0), "{message}: {said}");
            assert!(said.contains("wrapped in a Markdown fence"), "{said}");
        }
        let message = format!("````\n{inner}\n````\n````\n{inner}\n````");
        assert_eq!(checks(&world, profile, "--extract", &message).1, Some(1));
    }
}

#[test]
fn a_value_in_bold_is_one_and_marks_alone_are_none() {
    let world = World::new();
    let profile = "form = \"text\"\nat.status = \"Verdict\"\nrequired = [\"Evidence\"]\n\
                   statuses = { PASS = \"success\", REVISE = \"retry\" }";
    for verdict in ["**REVISE**", "**❌ REVISE**", "__REVISE__", "***REVISE***"] {
        for label in ["## Verdict\n\n", "## Verdict\n", "Verdict:\n\n", "**Verdict:**\n\n"] {
            let message = format!("{label}{verdict}\n\n## Evidence\n\nRan it.\n");
            let (said, code) = checks(&world, profile, "--format concise", &message);
            assert_eq!((said.as_str(), code), ("", Some(0)), "{message}");
        }
    }
    for nothing in ["| a | b |\n|---|---|", "<br>", "\u{7}", "<!-- x -->"] {
        for label in ["Evidence:\n", "Evidence:\n\n", "## Evidence\n\n"] {
            let message = format!("Verdict: PASS\n\n{label}{nothing}\n");
            let (said, code) = checks(&world, profile, "--format concise", &message);
            assert!(said.contains("Empty required field: Evidence"), "{message}: {said}");
            assert_eq!(code, Some(1), "{message}");
        }
    }
    for nothing in ["> ", ">\n> ", "```\n```"] {
        let message = format!("Verdict: PASS\n\n## Evidence\n\n{nothing}\n");
        let (said, code) = checks(&world, profile, "--format concise", &message);
        assert_eq!(code, Some(1), "{message}: {said}");
    }
}

/// What an honest agent may write where its files stand.
#[test]
fn lists_of_files_are_read_as_agents_write_them() {
    let world = World::new();
    let options = own(&world, "text", ("Status", "DONE"), Some("FilesChanged"));
    let options = format!("{options} --format concise");
    for files in [
        "**Files changed:**\n- docs/tides.md:\n  - the tables\n- docs/old.md (deleted)",
        "### Files changed\n\n```\ndocs/tides.md\n```",
        "### Files changed\n```\n docs/tides.md | 2 +-\n```",
        "### Files Changed (2 files)\n- docs/tides.md\n- `docs/old.md` — removed",
        "Files changed:\n  - docs/tides.md (+12 -3)\n  - docs/old.md: renamed",
    ] {
        let (text, code) = check(&world, &options, &format!("Status: DONE\n\n{files}\n"));
        assert_eq!(code, Some(0), "{files}");
        let is_told = text.is_empty() || text.contains("warning[claim-unreadable]");
        assert!(is_told && !text.contains("tides.md"), "{text}");
        let other = files.replace("tides.md", "currents.md");
        let (text, _) = check(&world, &options, &format!("Status: DONE\n\n{other}\n"));
        assert!(text.contains("currents.md"), "{text}");
    }
    for (files, expected) in [
        ("None (read-only task)", "artifact-none"),
        ("docs/{tides,currents}.md", "is a pattern"),
        ("docs/*\n  - the tables", "has white space in it"),
        ("\n```\ndocs/tides.md\n```", "names no file that can be checked"),
        ("\n> docs/tides.md", "names no file that can be checked"),
    ] {
        let item = if files.starts_with('\n') { "" } else { "- " };
        let text = format!("Status: DONE\nFiles changed:\n{item}{files}\n");
        let (text, _) = check(&world, &options, &text);
        assert!(text.contains(expected), "{text}");
        let errors = text.matches("error[").count();
        assert!(errors == 1 && text.contains("error[artifact-none]"), "{text}");
    }
}

/// A heading, a label or a cell may say that files are gone; the others must still be there.
#[test]
fn deleted_files_are_no_missing_ones() {
    let world = World::new();
    let options = own(&world, "text", ("Status", "DONE"), Some("Files"));
    let options = format!("{options} --format concise");
    for files in [
        "## Files\n### Deleted\n- docs/old.md\n- docs/older.md\n### Created\n- docs/tides.md",
        "## Files\n**Deleted:**\n- docs/old.md\n\n**Created:**\n- docs/tides.md",
        "## Files\n- docs/tides.md\n\nRemoved:\n\n1. docs/old.md\n2. docs/older.md",
        "Files:\n- Created:\n  - docs/tides.md\n- Deleted:\n  - docs/old.md",
        "Files:\n| File | Change |\n|---|---|\n| docs/old.md | Deleted |\n| docs/tides.md | new |",
    ] {
        let (text, code) = check(&world, &options, &format!("Status: DONE\n\n{files}\n"));
        assert_eq!(code, Some(0), "{files}");
        assert!(text.contains("claim-unreadable") && !text.contains("tides.md"), "{text}");
        let other = files.replace("tides.md", "currents.md");
        let (text, _) = check(&world, &options, &format!("Status: DONE\n\n{other}\n"));
        assert!(text.contains("docs/currents.md"), "{text}");
    }
}

#[test]
fn the_only_file_below_a_heading_is_looked_for() {
    let world = World::new();
    let options = own(&world, "text", ("Status", "DONE"), Some("Files"));
    for item in ["- docs/currents.md", "1. docs/currents.md"] {
        let text = format!("Status: DONE\n\n## Files\n### Created\n{item}\n");
        let (text, code) = check(&world, options, &text);
        assert!(text.contains("does not exist: docs/currents.md"), "{text}");
        assert_eq!(code, Some(1));
    }
}

#[test]
fn a_word_for_nothing_is_no_fault_in_an_empty_place() {
    let world = World::new();
    world.write("retval.toml", "[profiles.r]\nform = 'text'\nat.status = 'Verdict'\nstatuses = { OK = 'success', NO = 'other' }\nempty-if = { OK = ['Issues'] }\nrequired-if = { NO = ['Issues'] }\n");
    for (text, code) in [
        ("Verdict: OK\nIssues: No issues found.", 1),
        ("Verdict: OK\n\n## Issues\n- None — all is well", 0),
        ("Verdict: OK\n\n## Issues\n- The feed is late", 1),
        ("Verdict: OK\n\n## Issues\n- No tests\n- No text", 1),
        ("Verdict: NO\nIssues: No tests", 0),
        ("Verdict: NO\nIssues: none", 1),
        ("Verdict: OK\nIssues: (none)", 0),
        ("Verdict: OK\nIssues: []", 0),
        ("Verdict: NO\nIssues: [none]", 1),
    ] {
        let (found, is) = check(&world, "--profile r --format concise", text);
        assert_eq!(is, Some(code), "{text}: {found}");
    }
}

#[test]
fn what_was_given_may_be_followed_by_a_remark() {
    let world = World::new();
    let standard = "form = 'text'\nat.session = 'Session'\nat.given.task = 'Task'\n";
    world.write("retval.toml", format!("[profiles.r]\n{standard}"));
    let options = "--profile r --session s-1 --given task=12 --format concise";
    for (text, code) in [
        ("Session: `s-1` (yours)\nTask: **12**", 0),
        ("Session: \"s-1\".\nTask: 12: tides", 0),
        ("Session: s-12\nTask: 12", 1),
        ("Session: s-1\nTask: 123", 1),
        ("Session: not s-1\nTask: 12", 1),
    ] {
        let (found, is) = check(&world, options, text);
        assert_eq!(is, Some(code), "{text}: {found}");
    }
    let any = options.replace("s-1", "*");
    assert_eq!(check(&world, &any, "Session: s-1\nTask: 12").1, Some(1));
}

#[test]
fn a_count_is_of_the_items_that_stand_under_a_name() {
    let world = World::new();
    let standard = "form = 'text'\nat.status = 'Status'\nstatuses = { DONE = 'success' }\n";
    let count = "[[profiles.r.counts]]\nnumber = 'Total'\nitems = 'Issues/*'\n";
    world.write("retval.toml", format!("[profiles.r]\n{standard}{count}"));
    for (text, code) in [
        ("Total: 2\n\n## Issues\n- a\n- b", 0),
        ("Total: 3\n\n## Issues\n- a\n- b", 1),
        ("Total: 0\n\n## Issues\n- No issues found", 0),
        ("Total: 1,234\n\n## Issues\n- a\n- b", 0),
        ("Total: 1 high, 2 low\n\n## Issues\n- a\n- b\n- c", 0),
        ("Total: 2 + 1 minor\n\n## Issues\n- a\n- b\n- c", 0),
    ] {
        let text = format!("Status: DONE\n{text}\n");
        let (found, is) = check(&world, "--profile r --format concise", &text);
        assert_eq!(is, Some(code), "{text}: {found}");
    }
}

#[test]
fn a_sum_is_of_numbers_of_one_unit() {
    let world = World::new();
    let standard = "form = 'text'\nsums = { Total = ['One', 'Other'] }\n";
    world.write("retval.toml", format!("[profiles.r]\n{standard}"));
    for (total, one, other, code) in [
        ("60 min", "20 min", "40 min", 0),
        ("50 min", "20 min", "40 min", 1),
        ("3 tests", "1 test", "1", 1),
        ("1 h", "30 min", "30 min", 0),
        ("90", "1 h", "30 min", 0),
        ("1.5 MB", "1 MB", "500 KB", 0),
        ("2", "1 + 1", "0", 0),
    ] {
        let text = format!("Total: {total}\nOne: {one}\nOther: {other}\n");
        let (found, is) = check(&world, "--profile r --format concise", &text);
        assert_eq!(is, Some(code), "{text}: {found}");
    }
}

#[test]
fn what_looks_like_a_number_is_compared_as_it_was_written() {
    let world = World::new();
    let at = "at.session = '/s'\nat.given.base = '/base'\nsame = [['/a', '/b']]\n";
    let standards =
        ["yaml", "json"].map(|form| format!("[profiles.{form}]\nform = '{form}'\n{at}"));
    world.write("retval.toml", standards.join(""));
    let options = "--session 123e4567 --given base=0012 --format concise --profile";
    for (form, text, output) in [
        ("yaml", "s: 123e4567\nbase: 0012\na: 1.10\nb: 1.10", ""),
        (
            "yaml",
            "s: 123e4568\nbase: 0012",
            "-:1:4: error[session-mismatch] Session ID mismatch (Expected: 123e4567; Got: 123e4568)\n",
        ),
        (
            "json",
            r#"{"s": 123e4567, "base": "0012", "a": 12345678901234567890123, "b": 12345678901234567890124}"#,
            "-:1:68: error[value-different] /b differs from /a (Expected: 12345678901234567890123; Got: 12345678901234567890124)\n",
        ),
    ] {
        let (found, _) = check(&world, &format!("{options} {form}"), text);
        assert_eq!(found, output, "{text}");
    }
}

#[test]
fn numbers_before_names_hide_no_label() {
    let world = World::new();
    let head = "form = 'text'\nat.status = 'Status'\nstatuses = { DONE = 'success' }\n";
    world.write("retval.toml", format!("[profiles.own]\n{head}"));
    for text in ["**1. Status:** DONE", "### 2) Status: DONE"] {
        let (found, code) = check(&world, "--profile own --format concise", text);
        assert_eq!((&*found, code), ("", Some(0)), "{text}");
    }
}

#[test]
fn values_of_json_are_counted_and_compared_whole() {
    let world = World::new();
    let count = "counts = [{ number = '/m', items = '/o' }]\n";
    let same = "[profiles.s]\nsame = [['/m', '/o']]\nrequired = ['/m']\n";
    let standard = format!("[profiles.c]\nrequired = ['/m']\n{count}{same}");
    world.write("retval.toml", standard);
    for (profile, text, code) in [
        ("c", r#"{"m": 3, "o": ["yes", "no", "no"]}"#, 0),
        ("c", r#"{"m": 1, "o": ["yes", "no", "no"]}"#, 1),
        ("c", r#"{"m": 0, "o": ["none"]}"#, 0),
        ("c", r#"{"m": 1, "o": ["no"]}"#, 0),
        ("c", r#"{"m": 3, "o": ["none"]}"#, 1),
        ("c", r#"{"m": 2, "o": {"a": 1, "b": 2}}"#, 0),
        ("c", r#"{"m": 1, "o": {"a": 1, "b": 2}}"#, 1),
        ("c", r#"{"m": 3, "o": "a, b and c"}"#, 0),
        ("c", r#"{"m": 3, "o": 5}"#, 0),
        ("c", r#"{"m": 3, "o": null}"#, 1),
        ("s", r#"{"m": {"a": {"c": 1, "d": 2}, "b": 2}, "o": {"b": 2, "a": {"d": 2, "c": 1}}}"#, 0),
        ("s", r#"{"m": {"a": 1, "b": 2}, "o": {"b": 3, "a": 1}}"#, 1),
        ("s", r#"{"m": [1, 2], "o": [2, 1]}"#, 1),
    ] {
        let options = format!("--profile {profile} --format concise");
        let (found, is) = check(&world, &options, text);
        assert_eq!(is, Some(code), "{text}: {found}");
    }
}

#[test]
fn read_shows_the_part_that_is_the_return() {
    let world = World::with("standards");
    let mut retval = world.retval();
    retval.args("read --profile acceptance --places --config".split(' '));
    retval.arg("standards/named-fence/retval.toml");
    let output =
        feed(&mut retval, "Done.\n\n```acceptance-report\n{\"result\": \"accepted\"}\n```\n");
    assert_eq!(stdout(&output), "\t4:1\t{\"result\":\"accepted\"}\n/result\t4:12\t\"accepted\"\n");
    let mut retval = world.retval();
    retval.args("read --profile acceptance --config".split(' '));
    retval.arg("standards/named-fence/retval.toml");
    let output = feed(&mut retval, "Done.\n");
    assert_eq!(stderr(&output), "error: -:1:1: the return has no ```acceptance-report\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_a_standard_has_not_is_refused() {
    let world = World::with("standards");
    let own = "--config standards/one-line/retval.toml --profile worker";
    let output = run(world.retval().args(format!("schema {own}").split(' ')));
    assert_eq!(output.status.code(), Some(2));
    let message = "error: there is no schema of the profile worker: it describes texts, which have no schema\n";
    assert_eq!(stderr(&output), message);
}

/// The mistakes that `check` tells about a standard, without the place.
fn mistakes(world: &World, standard: &str) -> String {
    world.write("own.toml", format!("[profiles.own]\nform = \"text\"\n{standard}\n"));
    let output = run(world.retval().args(["config", "--config", "own.toml"]));
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    stderr(&output).trim_end().to_owned()
}

#[test]
fn an_example_must_keep_its_standard_and_is_no_return() {
    let world = World::new();
    let standard = "at.status = \"Status\"\nstatuses = { DONE = \"success\" }\nrequired = [\"Summary\"]\nexample = \"example.md\"";
    assert_eq!(
        mistakes(&world, standard),
        "error: own.toml:6:11: `example`: cannot read example.md: it is not a file below the folder of the configuration, of UTF-8 and at most 1 MiB"
    );
    world.write("example.md", "Status: READY\nSummary: Added the tables.\n");
    assert_eq!(
        mistakes(&world, standard),
        "error: own.toml:6:11: `example`: example.md:1:1: Invalid status: READY"
    );
    let text = "Status: DONE\nSummary: Added the new tables.\n";
    world.write("example.md", text);
    let output = run(world.retval().args(["instruct", "--config", "own.toml", "--profile", "own"]));
    assert!(
        stdout(&output).contains(&format!("fence around it:\n\n```\n{text}```\n\n- ")),
        "{}",
        stdout(&output)
    );
    let options = "--config own.toml --profile own --format concise";
    let (found, code) = check(&world, options, text);
    assert_eq!(
        (found.as_str(), code),
        (
            "-:1:1: error[return-echo] return is copied from the instruction: Status: DONE\n",
            Some(1)
        )
    );
    let (found, _) = check(&world, options, &text.replace("tables", "tables of the harbour"));
    assert_eq!(found, "");
    // Where the whole return is fixed, an honest agent answers with the example.
    let fixed = "Status: DONE\nSummary: none\n";
    world.write("example.md", fixed);
    assert_eq!(check(&world, options, fixed).0, "");
}

#[test]
fn files_may_lie_in_other_folders_that_the_standard_names() {
    let world = World::new();
    world.write("shared/plan.md", "A plan.\n");
    world.write(
        "own.toml",
        "[profiles.own]\nform = \"text\"\nat.artifacts = \"Files\"\nat.files = \"Read\"\nextra-roots = [\"shared\"]\n",
    );
    let options = "--config own.toml --profile own --format concise";
    let path = world.path("shared/plan.md");
    let path = path.display();
    assert_eq!(check(&world, options, &format!("Files: {path}\nRead: ../shared/plan.md\n")).0, "");
    let (found, _) = check(&world, options, "Files: ../shared/none.md\nRead: ../own.toml\n");
    assert_eq!(
        found,
        "-:2:1: error[file-not-found] Named file is outside the root: ../own.toml\n\
         -:1:1: error[artifact-not-found] Artifact does not exist: ../shared/none.md\n"
    );
    // Also those of a file that was found: it may look where it may not write.
    world.write(
        "cloned/retval.toml",
        "[profiles.own]\nform = \"text\"\nat.artifacts = \"Files\"\nextra-roots = [\"../shared\"]\n",
    );
    world.write("cloned/return.txt", "Files: ../shared/plan.md\n");
    let mut found = world.retval();
    found.current_dir(world.path("cloned"));
    let output = run(found.args(["check", "--profile", "own", "return.txt"]));
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn agents_have_words_of_their_own_and_somebody_next() {
    let world = World::new();
    world.write(
        "own.toml",
        r#"[profiles.own]
form = "text"
at.status = "Status"
at.agent = "Agent"
instruct = "none"
agents.dev = { statuses = { READY = "success" }, next = { READY = "qa" } }
agents.qa = { statuses = { PASS = "success", FAIL = "other" }, next = { FAIL = "dev" } }
"#,
    );
    let options = "--config own.toml --profile own --format concise";
    assert_eq!(check(&world, options, "Agent: dev\nStatus: READY\n").0, "");
    assert_eq!(
        check(&world, options, "Agent: qa\nStatus: READY\n").0,
        "-:2:1: error[status-unknown] Invalid status: READY (Valid statuses: PASS, FAIL)\n"
    );
    let (record, _) = check(
        &world,
        "--config own.toml --profile own --format jsonl",
        "Agent: qa\nStatus: FAIL\n",
    );
    assert!(record.contains(r#""next":{"action":"proceed","agent":"dev"}"#), "{record}");
    let output = run(world.retval().args(["instruct", "--config", "own.toml", "--profile", "own"]));
    assert_eq!(
        stderr(&output),
        "error: the profile own has no instruction: its agents' own prompts say how to return (instruct = \"none\")\n"
    );
    assert_eq!(
        mistakes(
            &world,
            "at = { status = \"Status\", artifacts = \"Report\" }\nstatuses = { LATER = \"stop\" }"
        ),
        "error: own.toml:4:1: `statuses` needs a word of \"success\"; without one, no file is ever looked up"
    );
}

#[test]
fn success_without_the_place_of_its_files_is_a_missing_field() {
    let world = World::new();
    world.write(
        "own.toml",
        "[profiles.own]\nat.artifacts = { each = \"/files/*\", path = \"path\" }\n",
    );
    let options = "--config own.toml --profile own --format concise";
    for (text, found) in [
        (
            r#"{"artifacts": ["a"]}"#,
            "-:1:1: error[field-missing] Missing required field: /files/*\n",
        ),
        (
            r#"{"files": [{"file": "a"}]}"#,
            "-:1:11: error[field-empty] Empty required field: /files/*\n",
        ),
    ] {
        assert_eq!(check(&world, options, text).0, found);
    }
}

#[test]
fn a_schema_is_made_of_the_places_of_a_standard() {
    let world = World::new();
    world.write(
        "own.toml",
        "[profiles.own]\nat.status = \"/status\"\nstatuses = { ok = \"success\" }\nrequired = [\"/findings/*/file\"]\nvalues = { \"/findings/*/level\" = [\"high\"] }\n[profiles.report]\nform = \"text\"\n",
    );
    let schema = |profile| {
        run(world.retval().args(["schema", "--config", "own.toml", "--profile", profile]))
    };
    let output = schema("own");
    let made: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let validator = jsonschema::validator_for(&made).expect("a schema");
    let is_valid = |text: &str| validator.is_valid(&serde_json::from_str(text).expect("JSON"));
    assert!(is_valid(r#"{"status": "ok", "findings": []}"#));
    assert!(is_valid(r#"{"status": "ok", "findings": [{"file": "a", "level": "high"}]}"#));
    for text in [
        r#"{"findings": []}"#,
        r#"{"status": "no", "findings": []}"#,
        r#"{"status": "ok", "findings": [{}]}"#,
        r#"{"status": "ok", "findings": [{"file": "a", "level": "low"}]}"#,
    ] {
        assert!(!is_valid(text), "{text}");
    }
    assert_eq!(
        stderr(&schema("report")),
        "error: there is no schema of the profile report: it describes texts, which have no schema\n"
    );
}

#[test]
fn a_folder_is_searched_for_the_files_of_a_text() {
    let world = World::new();
    world.write(
        "own.toml",
        "[profiles.own]\nform = \"text\"\nat.status = \"Status\"\nstatuses = { DONE = \"success\" }\nfiles = [\"*.report.md\"]\n",
    );
    world.write("returns/a.report.md", "Status: DONE\n");
    world.write("returns/deep/b.report.md", "Status: READY\n");
    world.write("returns/notes.md", "Nothing.\n");
    let all = |options: &str| {
        let mut retval = world.retval();
        retval.args(["check", "--config", "own.toml", "--format", "concise", "returns"]);
        let output = run(retval.args(options.split_whitespace()));
        stdout(&output)
    };
    let own = "returns/deep/b.report.md:1:1: error[status-unknown] Invalid status: READY (Valid statuses: DONE)\n";
    let both = format!("{own}2 returns: 1 valid, 1 invalid (0 warnings)\n");
    assert_eq!(all(""), both);
    assert_eq!(all("--profile own"), both);
    let one = "1 return: 1 valid, 0 invalid (0 warnings)\n";
    assert_eq!(all("--profile own --include a.*"), one);
    // Without names of its own, a text has the usual ones.
    let usual = fs::read_to_string(world.path("own.toml")).expect("a file");
    world.write("own.toml", usual.replace("files = [\"*.report.md\"]\n", ""));
    world.write("returns/c.txt", "Status: DONE\n");
    world.write("returns/d.json", "{}");
    let every = all("--profile own");
    assert!(
        every.contains(own) && every.contains("returns/notes.md:1:1: error[field-missing]"),
        "{every}"
    );
    assert!(every.ends_with("4 returns: 2 valid, 2 invalid (0 warnings)\n"), "{every}");
}
