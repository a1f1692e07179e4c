//! What is extracted from text that is not JSON.

use crate::document::extract::{self, Contents, ReturnShape};
use crate::document::pointer::PointerPattern;
use crate::text::Span;

fn contents(text: &str) -> Contents {
    extract::contents(text, &ReturnShape::default())
}

fn one(text: &str) -> (String, String) {
    match contents(text) {
        Contents::One { place, wrapping } => {
            (text[place.start..place.end].to_owned(), wrapping.name())
        }
        other => panic!("{other:?}"),
    }
}

const RETURN: &str = r#"{"status":"partial","summary":"a ``` and a <think> in it"}"#;

#[test]
fn the_return_is_extracted_and_its_wrapping_named() {
    for (text, name) in [
        (format!("```json\n{RETURN}\n```"), "a Markdown fence"),
        (format!("~~~\r\n{RETURN}\r\n~~~\r\n"), "a Markdown fence"),
        (format!("Done.\n{RETURN}"), "prose"),
        (format!("Done:\n```json\n{RETURN}\n```\nBye"), "a Markdown fence and prose"),
        (format!("<think>{{\"status\":\"failed\"}}</think>\n{RETURN}"), "a think block"),
        (format!("it may be {{\"status\":1}} or\n</think>{RETURN}"), "a think block"),
        (format!("Use {{x}} and {{\"port\": 80}}. {RETURN}"), "prose"),
        (format!("Use {{\"x\"}} or {{1: 2}}. {RETURN}"), "prose"),
        (format!("{RETURN}\nBye"), "prose"),
        (format!("<result>{RETURN}</result>"), "prose"),
        (format!("a < b <th {RETURN}"), "prose"),
        (format!("```json\n{RETURN}"), "prose"),
        (format!("{RETURN}\n```"), "prose"),
        (format!("Hm <thinking>{{\"status\":1}}</thinking>\n{RETURN}"), "a think block and prose"),
        (format!("<think>a</think> so <think>b</think>\n{RETURN}"), "a think block and prose"),
        (format!("<think>a</think>\n<think>b</think>\n{RETURN}"), "a think block"),
        (format!("{RETURN}\n<think>a</think>\n"), "a think block"),
        (format!("<think>a</think>```\n{RETURN}\n```"), "a think block and prose"),
        (format!("<think>a</think>\n```\n{RETURN}\n```"), "a Markdown fence and a think block"),
    ] {
        assert_eq!(one(&text), (RETURN.to_owned(), name.to_owned()), "{text}");
    }
}

#[test]
fn two_returns_in_one_input_are_invalid() {
    let text = format!("draft {RETURN} final {RETURN}");
    let start = text.rfind(RETURN).expect("it is there");
    assert_eq!(contents(&text), Contents::Several { second: Span::new(start, RETURN.len()) });
}

#[test]
fn truncated_or_broken_returns_are_never_completed() {
    assert_eq!(contents("x {\"status\":\"completed\",\"summ"), Contents::Truncated { start: 2 });
    let broken = |start| Contents::Broken { start };
    assert_eq!(contents("x {\"a\":{\"status\":\"completed\"} broken}"), broken(2));
    assert_eq!(
        contents("x {\"a\":{\"status\":\"completed\"} never closed"),
        Contents::Truncated { start: 2 }
    );
    assert_eq!(contents(&format!("{{\"status\":\"failed\",, \"last\": {RETURN}}}")), broken(0));
    assert_eq!(contents(&format!("{{\"a\": \"C:\\work\", \"last\": {RETURN}}}")), broken(0));
    assert_eq!(contents("<think>{\"status\":\"completed\"}"), Contents::Nothing);
    assert_eq!(contents("no object at all"), Contents::Nothing);
}

/// A return that failed.
const FAILED: &str = r#"{"status":"failed","summary":"no"}"#;

#[test]
fn brackets_in_prose_do_not_change_what_is_extracted() {
    for prose in [
        "Use {x} and {1: 2}. ",
        "see [1] and [docs](url) ",
        "- [x] done\n- [ ] open\n",
        "[INFO] 2026-01-01 [main] done\n",
        "a[0] = b[i + 1]; ",
        "{{x}}, ${y}, #{z} and {% if a %} ",
        "Set {a: [1, 2], b: {c: 3}} and [[1, 2], [3]]. ",
        "The list [\"a\", \"]\"] and [it's, don't]. ",
        "Candidates 5\" [pipe 3\"] here. ",
        "[\"{id}\" for id in ids] ",
        "the missing \"[\" and \"{\" are there. ",
        "fn f(a: &[u8]) -> Vec<[u8; 4]> { a[1..].chunks(4) }\n",
        "[~] a [*] b [^c] \\[ x^2 \\] ",
        "if [[ -f x ]]; then [ -d y ]; fi\n",
        "{\"port\": 80} ",
        "[{\"port\": 80}, {\"port\": 81}] ",
        "{ports: [{\"port\": 80}]} ",
        "{type R = {status: string}} ",
        "not closed: [INFO so far\n",
        "not closed: [see below ",
        "latency in [0, 10) or (0, 10] ms. ",
        "the missing `{` and '[' and \"{\" are there. ",
        "{x: `}`} ",
        "\u{1b}[32mDone\u{1b}[0m \u{1b}[1m",
        "+ if y {\n+     f();\n",
        "a smile :] and } or ]. ",
        "for \"task-12\": ",
        "const answer = ",
        "<result status=\"[ok]\">",
    ] {
        for text in [format!("{prose}{RETURN}"), format!("{prose}\n```json\n{RETURN}\n```\n")] {
            assert_eq!(one(&text).0, RETURN, "{text}");
        }
        let text = format!("{RETURN}\n\n{}{prose}", "That is all. ");
        if !prose.contains("\"port\"") {
            assert_eq!(one(&text).0, RETURN, "{text}");
        }
    }
}

/// Asserts that no return is found in the text.
#[track_caller]
fn none(text: &str) {
    let found = contents(text);
    assert!(!matches!(found, Contents::One { .. }), "{text}: {found:?}");
}

#[test]
fn an_object_inside_other_json_is_not_a_return() {
    for (before, after) in [
        ("[", "]"),
        ("[1, ", ", 2]"),
        ("[null, [", "]]"),
        ("[\"a ] b\", ", "]"),
        ("{result: ", "}"),
        ("{ result : ", " }"),
        ("{'result': ", "}"),
        ("{a: 1 b: ", "}"),
        ("{a: [1}, b: ", "}"),
        ("[1 /* the first */, ", "]"),
        ("[[1, 2}, ", "]"),
        ("return [\n  ", "\n];"),
        ("\u{1b}[0m[", "]"),
    ] {
        let inside = format!("{before}{RETURN}{after}");
        for text in [
            inside.clone(),
            format!("Done: {inside}"),
            format!("```json\n{inside}\n```"),
            format!("{inside}\nThat is all."),
            format!("{inside} {FAILED}"),
            format!("{RETURN} {inside}"),
            format!("<think>x</think>[x] {inside}"),
        ] {
            none(&text);
        }
    }
    for list in
        ["[\"a \\\" [\", ", "[", "[1, ", "[null, [", "[\"a ] b\", ", "return [\n  ", "\u{1b}[0m["]
    {
        for text in [
            format!("{list}{RETURN}"),
            format!("Done: {list}{RETURN}"),
            format!("{list}{RETURN}, {{\"a\""),
            format!("{RETURN}\n{list}{FAILED}"),
        ] {
            let found = contents(&text);
            assert!(matches!(found, Contents::Truncated { .. }), "{text}: {found:?}");
        }
        none(&format!("{list}{RETURN}\nThat is all."));
        none(&format!("{list}{RETURN}, and more]"));
        none(&format!("{list}{{\"a\": 1}} {RETURN} {{\"b\": 2}}]"));
        none(&format!("```json\n{list}{RETURN}\n```"));
        if list.starts_with('[') {
            none(&format!("{RETURN}\n```json\n{list}{FAILED}\n```"));
        }
    }
    assert_eq!(
        contents(&format!("Done: [{RETURN}]")),
        Contents::Inside { place: Span::new(6, RETURN.len() + 2) }
    );
}

#[test]
fn the_rest_of_a_json_text_is_not_a_return() {
    for text in [
        format!("{RETURN}}}"),
        format!("{RETURN}\n]"),
        format!("{RETURN}, {{\"a\": 1}}]"),
        format!("{RETURN}, \"a\": 1}}"),
        format!("\"result\": {RETURN}}}"),
        format!("```json\n\"result\": {RETURN}\n}}\n```"),
    ] {
        none(&text);
    }
}

#[test]
fn of_two_candidates_none_is_extracted() {
    for first in [
        FAILED.to_owned(),
        format!("{{\"results\":[{FAILED}]}}"),
        format!("{{\"a\":{{\"b\":[0,{FAILED}]}}}}"),
        "{\"a\":{\"\\u0073tatus\":null}}".to_owned(),
        format!("[{FAILED}]"),
        format!("{{\"a\" {FAILED}}}"),
        format!("{{x: \"{{\", y: {FAILED}}}"),
    ] {
        for before in ["", "[x] ", "{x} ", "see [1]: ", "{{x}} ", "[INFO so far "] {
            for text in [format!("{before}{first} {RETURN}"), format!("{before}{RETURN}\n{first}")]
            {
                let found = contents(&text);
                assert!(matches!(found, Contents::Several { .. }), "{text}: {found:?}");
            }
        }
    }
}

#[test]
fn a_failed_return_in_a_misread_string_is_seen() {
    none(&format!("[\"{FAILED}\"] {RETURN}"));
    none(&format!("{{x: '{FAILED}'}} {RETURN}"));
}

#[test]
fn an_object_without_a_status_counts_where_no_other_has_one() {
    for (text, object) in [
        ("Done: {\"a\": 1}", "{\"a\": 1}"),
        ("{x} {\"a\": {\"status\": 1}}.", "{\"a\": {\"status\": 1}}"),
    ] {
        assert_eq!(one(text).0, object, "{text}");
    }
    for text in ["{\"a\": 1} {\"b\": 2}", "[{\"a\": 1}] {\"b\": 2}"] {
        none(text);
    }
}

#[test]
fn brackets_in_think_blocks_are_ignored() {
    for text in [
        format!("<think>[ {{\"a\" </think>{RETURN}"),
        format!("perhaps [1, {{x: </think>{RETURN}"),
        format!("perhaps {FAILED} </thinking>{RETURN}"),
    ] {
        assert_eq!(one(&text).0, RETURN, "{text}");
    }
}

#[test]
fn a_return_in_a_comment_or_a_quotation_is_only_cited() {
    for (before, after) in [
        ("<!-- ", " -->"),
        ("<!--\n```json\n", "\n```\n-->"),
        ("> ", ""),
        ("   > It said: ", " once."),
        ("> ```json\n> ", "\n> ```"),
    ] {
        let cited = format!("{before}{RETURN}{after}");
        for text in [cited.clone(), format!("{cited}\nI failed."), format!("So: \n{cited}\n")] {
            let found = contents(&text);
            assert!(matches!(found, Contents::Inside { .. }), "{text}: {found:?}");
        }
        // No one knows which one counts.
        none(&format!("{cited}\n{FAILED}"));
        none(&format!("{FAILED}\n{cited}"));
    }
}

#[test]
fn a_comment_that_is_only_mentioned_cites_nothing() {
    for before in
        ["I removed the `<!--` marker.\n", "<!-- done --> ", "a > b\n", "> That is quoted.\n\n"]
    {
        assert_eq!(one(&format!("{before}{RETURN}")).0, RETURN, "{before}");
    }
    let text = format!("I wrote `<!--` first.\n```json\n{RETURN}\n```\nThen `-->`.");
    assert_eq!(one(&text).0, RETURN, "{text}");
}

#[test]
fn code_that_is_not_the_return_is_a_boundary() {
    for code in [
        "```js\nreturn {\"status\": 1};\n```\n",
        "~~~\n{\"status\": 1}\n{\"status\": 2}\n~~~\n",
        "```\n{ a: [1 }\n```\n",
        "I sent `{\"status\": \"failed\"}` first. ",
        "``{\"status\": `1`}`` ",
    ] {
        assert_eq!(one(&format!("{code}{RETURN}")).0, RETURN, "{code}");
        assert_eq!(one(&format!("{RETURN}\n{code}")).0, RETURN, "{code}");
        let fenced = format!("{code}\n```json\n{RETURN}\n```\n");
        assert_eq!(one(&fenced).0, RETURN, "{code}");
    }
    none("I sent `{\"status\": \"failed\"}`");
    none("```js\nreturn {\"status\": 1};\n```\n");
}

#[test]
fn a_code_span_around_the_whole_message_is_only_a_mark() {
    for text in
        [format!("`{FAILED}`"), format!("\n`` {FAILED} ``\n"), format!("```json {FAILED}```")]
    {
        assert_eq!(one(&text), (FAILED.to_owned(), "prose".to_owned()), "{text}");
    }
    none(&format!("`{FAILED} {FAILED}`"));
    none(&format!("`{FAILED}`."));
}

#[test]
fn a_broken_return_in_a_fence_counts_beside_a_whole_one() {
    for broken in [
        "{\"status\": \"failed\", \"summary\": \"no\",}",
        "{\"status\": \"failed\", \"summary\": \"n",
        "{\"summary\": \"he said \"no\"\", \"status\" : \"failed\"}",
        "{\n  // It failed.\n  \"status\": \"failed\"\n}",
        "{\"status\": \"failed\"}}",
        "[{\"status\": \"failed\"},",
    ] {
        let broken = format!("```json\n{broken}\n```\n");
        for text in [
            format!("{broken}{RETURN}"),
            format!("{RETURN}\n{broken}"),
            format!("{broken}\n```json\n{RETURN}\n```"),
        ] {
            let found = contents(&text);
            assert!(matches!(found, Contents::Several { .. }), "{text}: {found:?}");
        }
        none(&broken);
    }
    for other in [
        "{\n  // A comment.\n  \"port\": 80,\n}",
        "{\"level\": \"info\"}\n{\"level\": \"warn\"}",
        "[INFO] the status: done",
    ] {
        let text = format!("```json\n{other}\n```\n{RETURN}");
        assert_eq!(one(&text).0, RETURN, "{text}");
    }
}

#[test]
fn a_fence_may_stand_in_a_list_item() {
    for text in [
        format!("1. Done:\n   ```json\n   {RETURN}\n   ```\n"),
        format!("1. ```json\n   {RETURN}\n   ```\n2. ```\n   [{{\n   ```\n"),
        format!("> ```\n\n```json\n{RETURN}\n```\n"),
    ] {
        let (found, name) = one(&text);
        assert_eq!(found, RETURN, "{text}");
        assert!(name.starts_with("a Markdown fence"), "{text}: {name}");
    }
    let text = format!("```json\n{FAILED}\n- ```\n```\n{RETURN}");
    assert_eq!(one(&text).0, RETURN);
}

/// What is extracted for a standard: an object or a list, with its status at a place.
fn extracted<'t>(text: &'t str, is_list: bool, status: Option<&str>) -> Option<&'t str> {
    let status = status.map(|it| PointerPattern::read(it).expect("a pointer"));
    let shape = ReturnShape { is_list, status: status.iter().map(PointerPattern::steps).collect() };
    match extract::contents(text, &shape) {
        Contents::One { place, .. } => Some(&text[place.start..place.end]),
        _ => None,
    }
}

#[test]
fn the_place_of_the_status_says_which_object_is_the_return() {
    const OTHER: &str = "{\"status\":\"failed\"}";
    for (place, value) in [
        ("/verdict", "{\"verdict\":\"PASS\"}"),
        ("/result/verdict", "{\"result\":{\"verdict\":\"PASS\"}}"),
        ("/runs/*/verdict", "{\"runs\":[{\"verdict\":\"PASS\"}]}"),
    ] {
        let one = |text: &str| extracted(text, false, Some(place)) == Some(value);
        for text in [
            format!("{OTHER} {value}"),
            format!("{value}\n```json\n{OTHER}\n```"),
            format!("```json\n{{\"status\": \"x\",}}\n```\n{OTHER} {OTHER}\n{value}"),
            format!("{{\"result\": {{}}}} {{\"runs\": []}} {value}"),
        ] {
            assert!(one(&text), "{text}");
        }
        for text in [
            format!("{value} {value}"),
            format!("{value}\n{{\"all\": [{value}]}}"),
            format!("[{value}] {OTHER}"),
            format!("```json\n{{\"verdict\": \"FAIL\",}}\n```\n{value}"),
        ] {
            assert!(!one(&text), "{text}");
        }
    }
    assert_eq!(extracted(&format!("{OTHER} {{\"a\": 1}}"), false, None), None);
}

#[test]
fn a_list_is_the_return_where_the_standard_is_one() {
    for list in [
        "[{\"file\":\"a.rs\"},{\"file\":\"b.rs\"}]",
        "[{\"status\":\"failed\"}]",
        "[\"a.rs\"]",
        "[]",
    ] {
        for text in [
            format!("Findings: {list}"),
            format!("```json\n{list}\n```"),
            format!("<think>[{{\"file\": 1}}]</think>\n{list}"),
            format!("See [1], [docs](url) and {{\"port\": 80}}.\n- [ ] x\n{list}"),
            format!("`[{{\"file\": 1}}]` was first.\n\n```\n{list}\n```\nBye."),
            format!("```\n[INFO] [{{\"x\": 1}}]\n```\n{list}"),
        ] {
            assert_eq!(extracted(&text, true, None), Some(list), "{text}");
        }
        for text in [
            format!("{list} {list}"),
            format!("{list}\n```json\n[{{\"file\": \"b.rs\",}}]\n```"),
            format!("> {list}"),
            format!("x {{\"all\": {list}}}"),
            format!("Findings: [{{\"file\": 1}}, {list}"),
        ] {
            assert_eq!(extracted(&text, true, None), None, "{text}");
        }
    }
    let decoy = "[{\"file\": 1}] [{\"verdict\": \"PASS\"}]";
    assert_eq!(extracted(decoy, true, Some("/*/verdict")), Some("[{\"verdict\": \"PASS\"}]"));
}

#[test]
fn a_thought_that_is_only_mentioned_hides_nothing() {
    for text in [
        format!("I removed the <think> tag.\n{RETURN}"),
        format!("- all `<think>` and <thinking> tags\n\n```json\n{RETURN}\n```"),
        format!("{RETURN}\nNo <think> is left."),
    ] {
        assert_eq!(one(&text).0, RETURN, "{text}");
    }
    let text = format!("a <think> b\n<thinking>{FAILED}</thinking>\n{RETURN}");
    assert_eq!(one(&text).0, RETURN);
    none(&format!("<think> It may be {RETURN}"));
    none(&format!("Hm.\n  <thinking>\n{RETURN}"));
}

#[test]
fn what_never_ends_costs_one_search() {
    for text in ["<!-- x\n", "x <think>\n", "x <think> "] {
        let text = text.repeat(300_000);
        let start = std::time::Instant::now();
        assert_eq!(one(&format!("{text}{RETURN}")).0, RETURN);
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
