//! Hostile returns of any size. Each has a start, an item that is repeated, and an end.
#![allow(dead_code, reason = "the benchmark and the tests use their parts")]

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

/// A hostile input, and its expected result.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// Options of `retval check`.
    pub(crate) options: &'static str,
    start: &'static str,
    item: Item,
    /// Text that is repeated after the items, as often as they are.
    close: &'static str,
    end: &'static str,
    /// The number of items in an input of one megabyte or a few.
    pub(crate) count: usize,
    /// The id of the rule that it fails. Empty if it is valid.
    pub(crate) rule: &'static str,
}

impl Shape {
    /// Writes the input with `count` items.
    pub(crate) fn write(&self, count: usize, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(64 * 1024, out);
        out.write_all(self.start.as_bytes())?;
        for index in 0..count {
            out.write_all((self.item)(index).as_bytes())?;
        }
        for _ in 0..count {
            out.write_all(self.close.as_bytes())?;
        }
        out.write_all(self.end.as_bytes())?;
        out.flush()
    }
}

/// The texts before and after the repeated items.
type Around = (&'static str, &'static str);
type Item = fn(usize) -> Cow<'static, str>;

/// The start of a return, which is valid if nothing follows but its end.
macro_rules! returned {
    ($($more:literal),*) => {
        concat!(
            r#"{"status":"completed","summary":"One thing. Another.","metadata":{"session_id":"s","agent_type":"a","delegation_depth":1,"delegation_path":["orchestrator","a"]},"#,
            $($more),*
        )
    };
}

/// The start of a return whose `metadata` is not closed.
macro_rules! in_metadata {
    ($($more:literal),*) => {
        concat!(
            r#"{"status":"failed","summary":"One thing. Another.","artifacts":[],"errors":[{"type":"execution","message":"No","recoverable":true,"recommendation":"Go on"}],"metadata":{"session_id":"s","agent_type":"a","delegation_depth":1,"#,
            $($more),*
        )
    };
}

macro_rules! handoff {
    ($($more:literal),*) => {
        concat!(
            r#"{"from_agent":"developer","status":"READY_FOR_QA","summary":"x","#,
            $($more),*
        )
    };
}

macro_rules! text {
    ($text:literal) => {
        |_| Cow::Borrowed($text)
    };
}

macro_rules! numbered {
    ($($format:tt)*) => {
        |index| Cow::Owned(format!($($format)*, index))
    };
}

const ARTIFACTS: Around = (returned!(r#""artifacts":["#), "1]}");
const AGENTS: Around = (in_metadata!(r#""delegation_path":["#), r#""a"]}}"#);
const ERRORS: Around = (returned!(r#""artifacts":[],"errors":["#), "null]}");
const METADATA: Around = (in_metadata!(r#""delegation_path":["orchestrator","a"],"#), r#""x":1}}"#);
const ROOT: Around = (returned!(), r#""artifacts":[]}"#);
const CREATED: Around = (handoff!(r#""files_created":["#), "null]}");
const CLAIMED: Around = (handoff!(r#""artifacts":{"#), r#""last":null}}"#);
const SUITES: Around = (
    r#"{"from_agent":"qa_expert","status":"PASS","summary":"x","tests_run":{"#,
    r#""last":null}}"#,
);
const UNREAD: Around = (returned!(r#""artifacts":[],"x":["#), "null]}");
const SUMMARY: Around = (r#"{"artifacts":[],"summary":""#, r#""}"#);
const STATUS: Around = (r#"{"artifacts":[],"status":""#, r#""}"#);
const AGENT: Around = (
    r#"{"status":"failed","metadata":{"agent_type":""#,
    r#""},"artifacts":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]}"#,
);
const PATH: Around = (returned!(r#""artifacts":[{"path":""#), r#""}]}"#);
const ABSOLUTE: Around = (returned!(r#""artifacts":[{"path":"/"#), r#""}]}"#);
const KEY: Around = (returned!("\""), r#"":1,"artifacts":[]}"#);
const DEPTH: Around = (r#"{"artifacts":[],"metadata":{"delegation_depth":"#, "}}");
const FRACTION: Around = (r#"{"artifacts":[],"metadata":{"delegation_depth":0."#, "}}");
const EXPONENT: Around = (r#"{"artifacts":[],"metadata":{"delegation_depth":1e"#, "}}");
const NUMBER: Around = (r#"{"artifacts":[],"x":"#, "}");
const PROSE: Around = ("Done. ", "\nThat is all.");
const ALONE: Around = ("", "");

const WORDS: Item = text!("the tide comes in and the tide goes out and nobody is there yet ");
const DIGITS: Item = text!("1234567890123456789012345678901234567890123456789012345678901234");
const SPACES: Item = text!("                                                                ");

const LIMIT: &str = "json-limit";
const SYNTAX: &str = "json-syntax";
const TWICE: &str = "json-duplicate-key";
const MISSING: &str = "field-missing";

/// Every shape.
#[rustfmt::skip]
pub(crate) fn shapes() -> Vec<Shape> {
    const M: usize = 1_000_000;
    vec![
        shape("brackets, never closed", "", ALONE, text!("["), 2 * M, SYNTAX),
        Shape { close: "]", ..shape("brackets, closed", "", ALONE, text!("["), M, LIMIT) },
        shape("braces, never closed", "", ALONE, text!(r#"{"a":"#), M / 2, SYNTAX),
        shape("brackets in metadata", "", METADATA, text!("["), 2 * M, SYNTAX),
        // Lists.
        shape("artifacts that are there", "--root project", ARTIFACTS, text!(r#"{"type":"report","path":"docs/tides.md","summary":"x"},"#), 40_000, "field-type"),
        shape("artifacts that are not there", "--root project", ARTIFACTS, numbered!(r#"{{"type":"report","path":"docs/{}.md","summary":"x"}},"#), 10_000, "artifact-not-found"),
        shape("artifacts, too many", "--root project", ARTIFACTS, text!(r#"{"type":"report","path":"docs/tides.md","summary":"x"},"#), 120_000, LIMIT),
        shape("artifacts that are numbers", "", ARTIFACTS, text!("1,"), 40_000, "field-type"),
        shape("artifacts that are numbers, too many", "", ARTIFACTS, text!("1,"), M, LIMIT),
        shape("artifacts that are null", "", ARTIFACTS, text!("null,"), M, LIMIT),
        shape("artifacts that are empty", "", ARTIFACTS, text!("{},"), 40_000, MISSING),
        shape("artifacts that are empty, too many", "", ARTIFACTS, text!("{},"), M, LIMIT),
        shape("artifacts that are strings", "", ARTIFACTS, text!(r#""a","#), M, LIMIT),
        shape("artifacts with empty paths", "", ARTIFACTS, text!(r#"{"path":""},"#), 40_000, "field-empty"),
        shape("errors that are numbers", "", ERRORS, text!("1,"), M, LIMIT),
        shape("errors that are empty", "", ERRORS, text!("{},"), 40_000, "field-type"),
        shape("errors that are empty, too many", "", ERRORS, text!("{},"), M, LIMIT),
        shape("agents in a path", "", AGENTS, numbered!(r#""a{}","#), 40_000, ""),
        shape("agents in a path, too many", "", AGENTS, numbered!(r#""a{}","#), M / 2, LIMIT),
        shape("agents without a name", "", AGENTS, text!(r#""","#), M, LIMIT),
        shape("files without a name", "--profile handoff", CREATED, text!(r#""","#), 40_000, "artifact-path"),
        shape("files without a name, too many", "--profile handoff", CREATED, text!(r#""","#), M, LIMIT),
        shape("items that nobody reads", "", UNREAD, text!("1,"), 90_000, "artifact-none"),
        shape("items that nobody reads, too many", "", UNREAD, text!("1,"), 2 * M, LIMIT),
        // Keys.
        shape("keys", "", ROOT, numbered!(r#""k{}":1,"#), 45_000, "artifact-none"),
        shape("keys, asked for", "--rule field-unknown=error", ROOT, numbered!(r#""k{}":1,"#), 45_000, "field-unknown"),
        shape("keys, too many", "", ROOT, numbered!(r#""k{}":1,"#), M / 2, LIMIT),
        shape("keys with escapes", "", ROOT, numbered!(r#""\u006b{}":1,"#), 45_000, "artifact-none"),
        shape("keys that begin alike", "", ROOT, numbered!(r#""a key that is the same as its neighbours for a hundred characters and more, to its very last digits: {:08}":1,"#), 45_000, "artifact-none"),
        shape("one key", "", ROOT, text!(r#""k":1,"#), 45_000, TWICE),
        shape("one key of the standard", "", ROOT, text!(r#""status":"x","#), 45_000, TWICE),
        shape("keys in metadata, too many", "", METADATA, numbered!(r#""k{}":1,"#), M / 2, LIMIT),
        shape("keys in an object of names", "--profile handoff", CLAIMED, numbered!(r#""k{}":"","#), 20_000, "artifact-path"),
        shape("keys in an object of names, too many", "--profile handoff", CLAIMED, numbered!(r#""k{}":"","#), M / 4, LIMIT),
        shape("suites", "--profile handoff", SUITES, numbered!(r#""k{}":{{}},"#), 20_000, "field-type"),
        shape("objects with a key twice", "", UNREAD, text!(r#"{"a":1,"a":2},"#), 20_000, TWICE),
        // Strings.
        shape("a long summary", "", SUMMARY, WORDS, 40_000, "summary-too-long"),
        shape("a summary of full stops", "", SUMMARY, text!(". "), M, "summary-too-long"),
        shape("a summary of letters and full stops", "", SUMMARY, text!("é."), M / 2, "summary-too-long"),
        shape("a summary of elements without an end", "--profile return-v1", SUMMARY, text!("<a "), M / 4, "summary-too-long"),
        shape("a summary of links without an end", "--profile return-v1", SUMMARY, text!("[a]("), M / 4, "summary-too-long"),
        shape("a summary of spaces", "", SUMMARY, SPACES, 40_000, "field-empty"),
        shape("a long status", "", STATUS, WORDS, 40_000, "status-unknown"),
        shape("a status of escapes", "", STATUS, text!(r"\u0041"), M / 4, "status-unknown"),
        shape("a long name", "", AGENT, text!("é"), M, MISSING),
        shape("a long key", "", KEY, WORDS, 40_000, "artifact-none"),
        shape("a long path", "--root project", PATH, WORDS, 40_000, "artifact-not-found"),
        shape("a path of folders", "--root project", PATH, text!("a/"), M, "artifact-not-found"),
        shape("a path upwards", "--root project", PATH, text!("../"), M, "artifact-outside-root"),
        shape("an absolute path", "--root project", ABSOLUTE, WORDS, 40_000, "artifact-outside-root"),
        shape("an absolute path of folders", "--root project", ABSOLUTE, text!("a/"), M, "artifact-outside-root"),
        shape("an absolute path upwards", "--root project", ABSOLUTE, text!("../"), M, "artifact-outside-root"),
        // Numbers.
        shape("a long number", "", DEPTH, DIGITS, 40_000, MISSING),
        shape("a long fraction", "", FRACTION, DIGITS, 40_000, "field-type"),
        shape("a long exponent", "", EXPONENT, DIGITS, 40_000, MISSING),
        shape("a long number that nobody reads", "", NUMBER, DIGITS, 40_000, MISSING),
        shape("large numbers", "", UNREAD, text!("1e999,"), 90_000, "artifact-none"),
        // Everything else.
        shape("white space", "", ALONE, SPACES, 40_000, SYNTAX),
        shape("white space in a list", "", ARTIFACTS, SPACES, 40_000, "field-type"),
        shape("prose", "--extract", PROSE, WORDS, 40_000, SYNTAX),
        shape("braces in prose", "--extract", PROSE, text!("{"), M, SYNTAX),
        shape("braces in prose, apart", "--extract", PROSE, text!("{                "), 100_000, SYNTAX),
        shape("braces and quotes in prose", "--extract", PROSE, text!("{\""), M / 2, SYNTAX),
        shape("halves of members in prose", "--extract", PROSE, text!("{\"a\" "), M / 4, SYNTAX),
        shape("quotes in prose", "--extract", PROSE, text!("\""), M, SYNTAX),
        shape("objects in prose", "--extract", PROSE, text!("{} "), M / 2, SYNTAX),
        shape("returns in prose", "--extract", PROSE, text!(r#"{"status":1} "#), M / 8, SYNTAX),
        shape("fences", "--extract", PROSE, text!("```json\n{\n```\n"), M / 8, SYNTAX),
        shape("thoughts", "--extract", PROSE, text!("<think></think>"), M / 8, SYNTAX),
        shape("thoughts that do not end", "--extract", PROSE, text!("<think>"), M / 4, SYNTAX),
        shape("ends of thoughts", "--extract", PROSE, text!("</think>"), M / 4, SYNTAX),
        shape("lists in prose", "--extract", PROSE, text!("["), 2 * M, SYNTAX),
        shape("lists in prose, apart", "--extract", PROSE, text!("[                "), 100_000, SYNTAX),
        shape("lists with a word in prose", "--extract", PROSE, text!("[a, "), M / 2, SYNTAX),
        shape("lists of an object in prose", "--extract", PROSE, text!("[{} "), M / 2, SYNTAX),
        shape("lists and braces in prose", "--extract", PROSE, text!("[{x}}"), M / 2, SYNTAX),
        shape("keys without quotes in prose", "--extract", PROSE, text!("{a: "), M / 2, SYNTAX),
        shape("statuses without a value in prose", "--extract", PROSE, text!("{status: x} "), M / 8, SYNTAX),
        shape("quotes in a list", "--extract", ("Done. [", "\nThat is all."), text!("\"' "), M / 2, SYNTAX),
        shape("escaped quotes in lists", "--extract", PROSE, text!("</think>[\\\"\\'"), M / 8, SYNTAX),
        shape("keys before objects", "--extract", PROSE, text!("\": {} "), M / 4, SYNTAX),
        shape("escape codes", "--extract", PROSE, text!("\u{1b}[0m"), M / 2, SYNTAX),
        shape("ends of fences", "--extract", ("{\"a\": ", ""), text!("```\n"), M / 2, SYNTAX),
        shape("ends of tags", "--extract", ("{\"a\": ", ""), text!("</a>"), M / 2, SYNTAX),
        shape("a list, cut off", "", ("[", ""), text!("1,"), 90_000, SYNTAX),
        shape("a list with a comma too many", "", ("[", "1,]"), text!("1,"), 90_000, SYNTAX),
        shape("a list with text after it", "", ("[", "1] done"), text!("1,"), 90_000, SYNTAX),
        shape("values one after the other", "", ALONE, text!("{} "), M, SYNTAX),
    ]
}

/// The largest inputs, each with the number of items and the size limit in bytes.
#[rustfmt::skip]
pub(crate) fn extremes() -> Vec<(Shape, usize, &'static str)> {
    const M: usize = 1_000_000;
    const DEFAULT: &str = "16777216";
    const ALL: &str = "4000000000";
    let line = |name, options, around, rule| shape(name, options, around, WORDS, 0, rule);
    let mut extremes = vec![
        (line("a return of 2 GB", "", STATUS, LIMIT), 31_250_000, DEFAULT),
        (line("a line of 2 GB among others", "--lines -j 2", ("{}\n\"", "\"\n{}\n"), LIMIT), 31_250_000, DEFAULT),
        (line("a string of 100 MB", "", SUMMARY, "summary-too-long"), 1_562_500, ALL),
        (line("a status of 100 MB", "", STATUS, "status-unknown"), 1_562_500, ALL),
        (line("a path of 100 MB", "--root project", PATH, "artifact-not-found"), 1_562_500, ALL),
        (line("a key of 100 MB", "", KEY, "artifact-none"), 1_562_500, ALL),
        (line("prose of 100 MB", "--extract", PROSE, SYNTAX), 1_562_500, ALL),
    ];
    for (name, count) in [
        ("brackets, never closed", M),
        ("brackets, closed", M),
        ("artifacts, too many", 10 * M),
        ("artifacts that are numbers, too many", 10 * M),
        ("artifacts that are empty, too many", 10 * M),
        ("artifacts that are strings", 10 * M),
        ("errors that are empty, too many", 10 * M),
        ("agents in a path, too many", 10 * M),
        ("files without a name, too many", 10 * M),
        ("items that nobody reads, too many", 10 * M),
        ("keys, too many", 10 * M),
        ("one key", 10 * M),
        ("one key of the standard", 10 * M),
        ("keys in metadata, too many", 10 * M),
        ("a long number", 1_600_000),
        ("a long fraction", 1_600_000),
        ("a long exponent", 1_600_000),
        ("white space", 1_600_000),
        ("braces in prose", 10 * M),
        ("quotes in prose", 100 * M),
        ("returns in prose", M),
    ] {
        let known = shapes().into_iter().find(|shape| shape.name == name);
        extremes.extend(known.map(|shape| (shape, count, ALL)));
    }
    extremes
}

fn shape(
    name: &'static str,
    options: &'static str,
    (start, end): Around,
    item: Item,
    count: usize,
    rule: &'static str,
) -> Shape {
    Shape { name, options, start, item, close: "", end, count, rule }
}
