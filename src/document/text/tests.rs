//! What lines of a text mean.

use serde_json::{Value, json};

use crate::document::lookup::find_below;
use crate::document::lookup::nearest;
use crate::document::part::{PartError, PartMarks, find};
use crate::document::pointer::PointerPattern;
use crate::document::tree::{self, Tree};
use crate::document::{Form, ReadOptions, front_matter_error, is_hollow, read};
use crate::text::Span;

fn document(text: &str) -> Tree<'_> {
    read(Form::Text, text, &ReadOptions::default()).expect("a text")
}

fn value(text: &str) -> Value {
    serde_json::to_value(document(text).root()).expect("JSON")
}

/// The first value at a pointer.
fn found<'v, 't>(document: &'v Tree<'t>, pointer: &str) -> tree::Value<'v, 't> {
    let pattern = PointerPattern::read(pointer).expect("a pointer");
    find_below(document.root(), pattern.steps())[0]
}

/// A text as it was written, with all marks.
fn source<'t>(value: tree::Value<'_, '_>, message: &'t str) -> Option<&'t str> {
    let span = value.source()?;
    message.get(span.start..span.end)
}

#[track_caller]
fn labels(text: &str, expected: &Value) {
    assert_eq!(&value(text)["labels"], expected, "{text}");
}

#[test]
fn a_label_is_a_name_with_a_colon_in_any_spelling() {
    for text in [
        "Status: DONE",
        "Status : DONE",
        "**Status:** DONE",
        "**Status**: DONE",
        "__Status:__ **DONE**",
        "**Status: DONE**",
        "*Status*: DONE",
        "_Status:_ DONE",
        "***Status:*** DONE",
        "`Status`: DONE",
        "• Status: DONE",
        "- Status: DONE",
        "- [x] **Status**: `DONE`",
        "2) Status: DONE",
        "✅ Status: DONE",
        "  Status:\tDONE  \r",
        "Status：DONE",
        "Status:**DONE**",
        "Status:\nDONE",
        "Status:\n\n  DONE",
        "Status: <!-- a word --> DONE",
    ] {
        labels(text, &json!({"Status": "DONE"}));
    }
}

#[test]
fn what_only_looks_like_a_label_is_none() {
    for text in [
        "src/a.rs:12: x",
        "12:30",
        "C:\\x",
        "https://example.org",
        "/a: x",
        "a.b: x",
        "Status:DONE",
        "a name of more than forty characters is a sentence: x",
        "> Status: DONE",
        "```\nStatus: DONE\n```",
        "x\n\n    Status: DONE",
        "| Status: DONE |\n|---|\n| a: b |",
        "<!--\nStatus: DONE\n-->",
        "- a\n  - Status: DONE",
        "- `Status`: DONE",
        "`src/a`: DONE",
    ] {
        labels(text, &json!({}));
    }
}

#[test]
fn an_empty_label_takes_what_stands_below() {
    labels("A:\n- x\n- y", &json!({"A": ["x", "y"]}));
    labels("A:\n\n- x\n  more\n\n- y\nB: z", &json!({"A": ["x\n  more", "y"], "B": "z"}));
    labels("- A:\n  - x\n- B: y", &json!({"A": ["x"], "B": "y"}));
    labels("- A:\n- B: y", &json!({"A": "", "B": "y"}));
    labels("A:\n- b: 1\n- c: 2", &json!({"A": {"b": "1", "c": "2"}}));
    labels("A:\n  b: 1\n    more\n  c: 2", &json!({"A": {"b": "1\n    more", "c": "2"}}));
    labels("A:\n- b: 1\n- c", &json!({"A": ["b: 1", "c"]}));
    labels("A:\nthe\nparagraph\n\nnot this", &json!({"A": "the\nparagraph"}));
    labels("A:\n\nthis", &json!({"A": "this"}));
    labels(
        "x: y\n**A:**\n\nthis\n\n- and\n  this\n\n> too\nB: z",
        &json!({"x": "y", "A": "this\n\n- and\n  this\n\n> too", "B": "z"}),
    );
    labels("A:\n\nthis\n\n**H**\nx", &json!({"A": "this"}));
    labels("A:\n\nthis\n\nH\n===\nx", &json!({"A": "this"}));
    labels("A:\n\nH\n===\nx", &json!({"A": ""}));
    labels("A:\nH\n===\nx", &json!({"A": ""}));
    labels("x: y\nA:\n\nnot this", &json!({"x": "y", "A": ""}));
    labels("A:\n\n    this\n    too", &json!({"A": "this\n    too"}));
    labels("A:\n- b: 1\n- b: 2", &json!({"A": ["b: 1", "b: 2"]}));
    labels("A:\n- b\n\n1. c", &json!({"A": ["b"]}));
    labels("A:\nB: x", &json!({"A": "", "B": "x"}));
    labels("A:\n# H", &json!({"A": ""}));
    labels("A:\n\n| b |\n|---|\n| 1 |", &json!({"A": [{"b": "1"}]}));
    labels("A: x\n  y\nB", &json!({"A": "x\n  y"}));
    labels("A: x\n\n  y", &json!({"A": "x"}));
}

#[test]
fn a_lazy_line_is_a_label_or_part_of_the_item() {
    let value = value("- b\n**Tests:** x\n- c\nlazy");
    assert_eq!(value["labels"], json!({"Tests": "x"}));
    assert_eq!(value["list"], json!(["b", "c\nlazy"]));
}

#[test]
fn headings_make_sections() {
    let value = value("# A\na\n\nB\n===\nb\n**C**\nc\n## D: x ##\n**E**\n# A\nFiles: a\n---\nf");
    let names = |it: &Value| it["sections"].as_object().map(|it| it.keys().cloned().collect());
    let names: Option<Vec<String>> = names(&value);
    assert_eq!(names.expect("sections"), ["A", "B"]);
    assert_eq!(value["sections"]["A"]["several"][0]["text"], "a");
    assert_eq!(value["sections"]["A"]["several"][1]["labels"], json!({"Files": "a"}));
    let b = &value["sections"]["B"];
    assert_eq!(b["sections"]["C"]["text"], "c");
    assert_eq!(b["labels"], json!({"D": "x"}));
    assert_eq!(b["sections"]["D"]["sections"]["E"]["text"], "");
}

#[test]
fn a_heading_is_underlined_below_a_label_and_not_below_a_paragraph() {
    for (text, name) in [
        ("Agent: x\nStatus\n======\nDONE", Some("Status")),
        ("**Agent:** x\nStatus\n---\nDONE", Some("Status")),
        ("a\nStatus\n======\nDONE", None),
        ("- a\nStatus\n======\nDONE", None),
        ("- Agent: x\nStatus\n---\nDONE", None),
        ("a\nAgent: x\n---\nDONE", None),
    ] {
        let value = value(text);
        let sections = value["sections"].as_object().expect("sections");
        assert_eq!(sections.keys().next().map(String::as_str), name, "{text}");
        if let Some(name) = name {
            assert_eq!(value["sections"][name]["text"], "DONE", "{text}");
            assert_eq!(value["labels"], json!({"Agent": "x"}), "{text}");
        }
    }
}

#[test]
fn a_bold_line_names_a_section_in_any_marks() {
    for title in ["**b**", "__b__", "***b***", "___b___", "**_b_**"] {
        let text = format!("{title}\nStatus: DONE");
        assert_eq!(value(&text)["sections"]["b"]["text"], "Status: DONE", "{title}");
    }
}

#[test]
fn a_bold_line_alone_below_its_heading_or_label_is_the_value() {
    for value_of in ["**REVISE**", "**❌ REVISE**", "__REVISE__", "***REVISE***"] {
        let word = value_of.trim_matches(['*', '_']);
        for text in [
            format!("## Verdict\n\n{value_of}"),
            format!("## Verdict\n{value_of}\n\n## Next\n\n**Not one**\n\n- a\n"),
            format!("Verdict\n-------\n\n<!-- x -->\n{value_of}\n\n---\n"),
        ] {
            let section = &value(&text)["sections"]["Verdict"];
            assert_eq!(
                section["text"].as_str().map(|it| it.lines().next()),
                Some(Some(word)),
                "{text}"
            );
            assert_eq!(section["sections"], json!({}), "{text}");
        }
        let text = format!("## Verdict\n\n{value_of}\n\nIt fails.\nTwice.\n# Next\n");
        let expected = format!("{word}\n\nIt fails.\nTwice.");
        assert_eq!(value(&text)["sections"]["Verdict"]["text"], json!(expected));
        for text in [
            format!("Verdict:\n\n{value_of}"),
            format!("**Verdict:**\n\n{value_of}\n\n## Next\n- a"),
            format!("Verdict:\n{value_of}\n"),
        ] {
            labels(&text, &json!({"Verdict": word}));
        }
    }
    for more in [
        "**REVISE**",
        "- a",
        "Why: x",
        "```\nx\n```",
        "| a |\n|---|\n| b |",
        "<why>\nx\n</why>",
        "It fails.\n\n**Why**",
    ] {
        let text = format!("## Verdict\n\n**PASS**\n\n{more}\n");
        let sections = &value(&text)["sections"]["Verdict"]["sections"];
        assert!(sections["PASS"].is_object(), "{text}");
        let text = format!("Verdict:\n\n**PASS**\n\n{more}\n");
        assert_eq!(value(&text)["labels"]["Verdict"], json!(""), "{text}");
    }
    let text = "## Verdict\n\nIt fails.\n\n**PASS**\n";
    let sections = &value(text)["sections"]["Verdict"]["sections"];
    assert!(sections["PASS"].is_object(), "{text}");
}

#[test]
fn what_shows_nothing_is_no_value() {
    for text in [
        "Evidence:\n| a | b |\n|---|---|\n",
        "Evidence:\n\n| a | b |\n|---|---|\n",
        "- Evidence:\n\n| a |\n|---|\n\n## Next\n",
    ] {
        let document = document(text);
        let evidence = found(&document, "/labels/Evidence");
        assert!(evidence.text().is_some_and(is_hollow), "{text}: {evidence:?}");
    }
    for text in [
        "<!--\nStatus: DONE\n## Evidence\nyes\n-->",
        "Text.\n\n    Status: DONE\n",
        "```\nStatus: DONE\n```",
    ] {
        labels(text, &json!({}));
        assert_eq!(value(text)["sections"], json!({}), "{text}");
    }
}

#[test]
fn fenced_code_is_found() {
    for (text, blocks) in [
        ("1. Do:\n   ```\n   a\n   ```\n2. b", json!("   a")),
        ("1. ```\n   a\n   ```\n2. ```\n   b\n   ```", json!({"several": ["   a", "   b"]})),
        ("10. a\n\n    ```\n    b\n    ```", json!("    b")),
        ("- ```\n  a\n  ```", json!("  a")),
        ("- > a\n- - ```\n    a\n    ```", json!("    a")),
        // One is closed by nothing but a fence of its kind that is at least as long, and is no item.
        ("```\n- ```\n1. ```\n~~~\n``\n> ```\n```", json!("- ```\n1. ```\n~~~\n``\n> ```")),
        ("~~~~\n```\n~~~\n- ~~~~\n~~~~ a\n~~~~~", json!("```\n~~~\n- ~~~~\n~~~~ a")),
        ("> ```\n```\nb\n```", json!("b")),
        ("- a\n\n      ```\n- ```\n  b\n  ```", json!("- ```\n  b")),
        ("* * *\n  ```\nb\n```", json!("b")),
        ("- a\nlazy\n    ```\n    b\n    ```", json!("    b")),
        ("- - a\nlazy\n  ```\n  b\n  ```\nc", json!("  b")),
        ("- > a\nlazy\n     ```\n  b\n  ```", json!("  b")),
    ] {
        assert_eq!(value(text)["blocks"], json!({"": blocks}), "{text}");
    }
    for text in ["a ```\nb\n```", "- ```\n  a", "> ```\n> a\n> ```"] {
        assert_eq!(value(text)["blocks"], json!({}), "{text}");
    }
    let value =
        value("```\na\n- ```\nStatus: NO\n```\nStatus: DONE\n1. ```\n   Status: NO\n   ```");
    assert_eq!(value["labels"], json!({"Status": "DONE"}));
}

#[test]
fn deep_marks_and_long_texts_cost_little() {
    for text in [
        "- ".repeat(200_000) + &"\n".repeat(200_000),
        "- + ".repeat(100_000) + &"\n\n- ```".repeat(100_000),
        "> ".repeat(100_000) + &"\n> ```".repeat(100_000),
        "- ```\n  ```x\n".repeat(40_000),
        "<a>".repeat(50_000) + &"</a>".repeat(50_000),
    ] {
        let start = std::time::Instant::now();
        drop(read(Form::Text, &text, &ReadOptions::default()));
        assert!(start.elapsed().as_secs() < 20, "{:?}", &text[..16]);
    }
}

#[test]
fn words_beside_tags_stay_in_the_text() {
    for (text, expected) in [
        ("<b>a</b> <x>b</x> <i>c</i>", "<b>a</b> b <i>c</i>"),
        ("<b>a</b><x>b</x>", "<b>a</b>b"),
        ("<x>b</x><br>", "b<br>"),
        ("<b><x>b</x></b>", "<b>b</b>"),
        ("a <y><x>b</x></y>", "a b"),
        ("<b>a</b> <!-- d --><x>b</x> <i>c</i>", "<b>a</b> b <i>c</i>"),
        ("<b>a</b> <!-- d --><i>c</i>", "<b>a</b> <i>c</i>"),
    ] {
        let value = value(text);
        for member in ["text", "first", "last"] {
            assert_eq!(value[member], expected, "{text}");
        }
    }
    for text in [
        "<y><x>b</x></y>",
        "<!-- a --><!-- b -->
<x>b</x>",
    ] {
        let value = value(text);
        assert_eq!(value["text"], "", "{text}");
        assert_eq!(value["lines"], 1, "{text}");
    }
}

#[test]
fn marks_go_and_paths_stay() {
    for (written, expected) in [
        ("**a** and `b`", "a and b"),
        ("`src/__init__.py`", "src/__init__.py"),
        ("src/__init__.py, src/*.ts, src/*.rs", "src/__init__.py, src/*.ts, src/*.rs"),
        ("**/src/a**", "/src/a"),
        ("**/a/** b **/c/**", "**/a/** b **/c/**"),
        ("a*b*c", "a*b*c"),
        ("[a](b_c_d.md) **b**", "[a](b_c_d.md) b"),
        ("[**a** `b`](c.md)", "[a b](c.md)"),
        ("![a](b)", "![a](b)"),
        ("\\*a\\*", "\\*a\\*"),
        ("**`a`** (*b*)", "a (b)"),
        ("``a ` b``", "a ` b"),
    ] {
        let text = format!("A: {written}");
        let document = document(&text);
        let found = found(&document, "/labels/a");
        assert_eq!(found.text(), Some(expected), "{written}");
        assert_eq!(source(found, &text), Some(written));
    }
}

#[test]
fn tags_take_out_what_stands_on_lines_of_its_own() {
    let value = value(
        "a <x>b</x> c\n<y>\nA: 1\n<z>2</z>\n</y>\nVec<T>\n`<q>1</q>`\n<b>3</b>\n<r id=\"1\">\nB: 2\n</r> d",
    );
    assert_eq!(value["text"], "a b c\n\nVec<T>\n<q>1</q>\n<b>3</b>\n d");
    assert_eq!(value["labels"], json!({}));
    assert_eq!(value["tags"]["y"]["labels"], json!({"A": "1"}));
    assert_eq!(value["tags"]["y"]["tags"]["z"]["text"], "2");
    assert_eq!(value["tags"]["x"]["text"], "b");
    assert_eq!(value["tags"]["r"]["labels"], json!({"B": "2"}));
    let tags: Vec<_> = value["tags"].as_object().expect("tags").keys().collect();
    assert_eq!(tags, ["r", "x", "y"]);
    let options = ReadOptions { elements: &["summary"], part: None };
    let named = read(Form::Text, "<summary>a</summary>", &options).expect("a text");
    let tags = named.root().member("tags");
    assert!(tags.and_then(|it| it.member("summary")).is_some());
}

#[test]
fn places_are_those_of_the_whole_message() {
    let message = "x\n```result\nStatus: `DONE`\n```\n";
    let part = find(message, &PartMarks::Fence(vec!["result".to_owned()]), true).expect("a part");
    let options = ReadOptions { part: Some(part), elements: &[] };
    let document = read(Form::Text, message, &options).expect("a text");
    let found = found(&document, "/labels/*");
    let place = found.place().expect("a place");
    assert_eq!(&message[place.start..place.end], "Status: `DONE`");
    assert_eq!(source(found, message), Some("`DONE`"));
}

#[test]
fn a_byte_order_mark_at_the_beginning_is_skipped() {
    let message = "\u{feff}Verdict: Approved\n";
    for form in [Form::Text, Form::Yaml] {
        let document = read(form, message, &ReadOptions::default()).expect("a document");
        let pointer = if form == Form::Text { "/labels/Verdict" } else { "/Verdict" };
        let found = found(&document, pointer);
        assert_eq!(found.text(), Some("Approved"));
        let place = found.place().expect("a place");
        assert!(message[place.start..place.end].ends_with("Approved"));
    }
    assert_eq!(value(message)["first"], "Verdict: Approved");
    assert_eq!(value("\u{feff}---\na: 1\n---\n")["front_matter"], json!({"a": 1}));
}

#[test]
fn the_part_is_there_once() {
    let span = |text: &str, part: &str| Span::new(text.find(part).expect("it"), part.len());
    let between = &PartMarks::Between(["<<<", ">>>"].map(str::to_owned));
    assert_eq!(find("a <<<b>>> c", between, false), Ok(span("a <<<b>>> c", "b")));
    assert_eq!(
        find("a <<<b>>> c", between, true),
        Err(PartError::NotLast(span("a <<<b>>> c", "c")))
    );
    assert_eq!(find("<<<b", between, false), Err(PartError::Missing));
    assert!(
        matches!(find("<<<b>>><<<c>>>", between, false), Err(PartError::Ambiguous(all)) if all.len() == 2)
    );
    let marked = "\u{feff}```a\nx\n```\n";
    let fence = &PartMarks::Fence(vec!["a".to_owned()]);
    assert_eq!(find(marked, fence, true), Ok(span(marked, "x\n")));
    let tag = &PartMarks::Tag("output".to_owned());
    let text = "<output>a</output> `<output>b</output>`";
    assert_eq!(find(text, tag, false), Ok(span(text, "a")));
    assert_eq!(find("```a\nx", fence, false), Err(PartError::Missing));
}

#[test]
fn front_matter_is_a_mapping_at_the_beginning() {
    assert_eq!(value("---\na: 1\n---\nx")["front_matter"], json!({"a": 1}));
    assert_eq!(value("---\nA: 1\n---\nx")["text"], "x");
    for text in ["---\nplain\n---\n", "---\na: [\n---\n", "\n---\na: 1\n---\n"] {
        assert_eq!(value(text).get("front_matter"), None, "{text}");
    }
    let error = front_matter_error("---\na: [\n---\n", None).expect("an error");
    assert!(error.place.start >= 4, "{error:?}");
    assert_eq!(front_matter_error("---\na: 1\n---\n", None), None);
}

#[test]
fn a_name_takes_the_nearest_level() {
    let text = "# R\nStatus: a\n## Verdict: b\nc\n## Files\n### Old\n- x\n<t>\nStatus: d\n</t>";
    let document = document(text);
    let values = |name: &str| -> Vec<_> {
        let found = nearest(document.root(), name);
        let values = found.iter().flat_map(|it| it.values());
        values.map(|it| it.pointer().to_string()).collect()
    };
    assert_eq!(values("status"), ["/sections/R/labels/Status", "/tags/t/labels/Status"]);
    assert_eq!(values("VERDICT"), ["/sections/R/labels/Verdict"]);
    assert_eq!(values("files"), ["/sections/R/sections/Files/sections/Old/text"]);
    assert_eq!(values("old"), ["/sections/R/sections/Files/sections/Old/list"]);
    assert_eq!(values("new"), [""; 0]);
    let verdict = nearest(document.root(), "verdict")[0];
    let pattern = PointerPattern::read("/text").expect("a pointer");
    assert_eq!(verdict.below(pattern.steps())[0].text(), Some("c"));
}

#[test]
fn code_ends_a_table() {
    let text = "| a | b |\n|---|---|\n| 1 | 2 |\n~~~x|y\n| 3 | 4 |\n~~~\n";
    let value = value(text);
    assert_eq!(value["table"], json!([{"a": "1", "b": "2"}]));
    assert_eq!(value["blocks"], json!({"x|y": "| 3 | 4 |"}));
    for open in
        ["a||\n-||\n~~~|\n|\n\\", "a|b\n-|-\n<x>|\n|\n</x>|\nc", "a|b\n-|-\n<!--|\n|\n-->|\nc"]
    {
        assert!(document(open).root().is_object(), "{open}");
    }
}
