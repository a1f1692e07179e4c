//! What is taken for a path, and what is not.

use super::*;

/// What a text names: a path, with `?` behind it where nothing follows if the file is not there.
fn all(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    each(text, |named| {
        all.push(match named.without_lines() {
            PathMention::Path(path, None) => path,
            PathMention::Path(path, Some(_)) => format!("{path}?"),
            PathMention::Unreadable(why) => why.to_owned(),
        });
    });
    all
}

fn hold(cases: &[(&str, &[&str])]) {
    for (text, paths) in cases {
        assert_eq!(all(text), *paths, "{text}");
    }
}

#[test]
fn paths_are_taken_where_they_stand_alone() {
    hold(&[
        ("src/a.rs", &["src/a.rs"]),
        ("`src/a.rs`", &["src/a.rs"]),
        ("- a.md", &["a.md"]),
        ("1. a.md", &["a.md"]),
        ("a.md, b.md and c.md", &["a.md", "b.md", "c.md"]),
        ("`a.md` & **b.md**", &["a.md", "b.md"]),
        ("a.md、b.md; and c.md", &["a.md", "b.md", "c.md"]),
        ("- a.md,\n- b.md;", &["a.md", "b.md"]),
        ("[\"a.md\", b.md]", &["a.md", "b.md"]),
        ("[a](src/a.rs), [b]", &["src/a.rs", "b?"]),
        ("(src/a.rs), [b.md]", &["src/a.rs", "b.md"]),
        ("src/__init__.py", &["src/__init__.py"]),
        ("docs/High\\_Tides.md", &["docs/High_Tides.md"]),
        ("docs/report.md.", &["docs/report.md"]),
        ("[the report](docs/report.md)", &["docs/report.md"]),
        ("**[`Reader`](src/a.rs)**", &["src/a.rs"]),
        ("[a](<src/a.rs>)", &["src/a.rs"]),
        ("[a](src/with%20space.md#section)", &["src/with space.md"]),
        ("[a](src/a.rs#L3)", &["src/a.rs"]),
        ("src/a.rs:12-20", &["src/a.rs"]),
        ("src/a.rs:1,3", &["src/a.rs"]),
        ("src/a.rs:1, 3, b.md", &["src/a.rs", "is a number", "b.md"]),
        ("src/a.rs#L12", &["src/a.rs"]),
        ("docs/a.md#section", &["docs/a.md"]),
        ("file:///srv/a%20b.md", &["/srv/a b.md"]),
        ("📄 src/a.rs", &["src/a.rs"]),
        ("“src/a.rs” and 'b.md'", &["src/a.rs", "b.md"]),
        ("src/[id]/(auth)/a.rs", &["src/[id]/(auth)/a.rs"]),
        ("src/deleted.rs", &["src/deleted.rs"]),
        ("```\nsrc/a.rs\n- `b.md`\n```", &["src/a.rs", "b.md"]),
    ]);
}

#[test]
fn a_file_with_a_remark_may_be_missing_for_a_reason() {
    hold(&[
        ("src/a.rs: the reader", &["src/a.rs?"]),
        ("src/a.rs (new)", &["src/a.rs?"]),
        ("src/a.rs(new)", &["src/a.rs?"]),
        ("src/a.rs（新增）", &["src/a.rs?"]),
        ("**src/a.rs** -- new", &["src/a.rs?"]),
        ("src/a.rs +12 -3", &["src/a.rs?"]),
        ("src/a.rs[^1]", &["src/a.rs?"]),
        ("src/a.rs: `parse()`", &["src/a.rs?"]),
        ("src/a.rs:\n  - reads the lines", &["src/a.rs?"]),
        ("a.md (new), b.md", &["a.md?", "b.md?"]),
        ("a.md, b.md (new)", &["a.md?", "b.md?"]),
        ("a.md — new, b.md", &["a.md?", "b.md?"]),
        ("Created: a.md, b.md", &["a.md?", "b.md?"]),
        ("**New:** `src/a.rs` (reader)", &["src/a.rs?"]),
        ("新增：docs/a.md", &["docs/a.md?"]),
        ("Created/updated: src/a.rs", &["src/a.rs?"]),
        ("Created:\n  - a.md\n  - b.md", &["a.md?", "b.md?"]),
        ("a.md (new)\n  b.md", &["a.md?", "b.md?"]),
        ("docs/\n  - a.md", &["a.md?"]),
        ("created `src/a.rs` with `cargo new`", &["src/a.rs?"]),
        ("Added `foo()` to [a](src/a.rs)", &["src/a.rs?"]),
        ("Makefile", &["Makefile?"]),
        ("`parse()`", &["parse()?"]),
        ("Makefile, `justfile`, a.md", &["Makefile?", "justfile?", "a.md"]),
    ]);
}

#[test]
fn a_file_may_be_said_to_be_gone() {
    hold(&[
        ("src/a.rs (deleted)", &["src/a.rs?"]),
        ("`src/a.rs` — **removed**.", &["src/a.rs?"]),
        ("src/a.rs: Renamed", &["src/a.rs?"]),
        ("a.md, b.md (deleted)", &["a.md?", "b.md?"]),
        ("Deleted: src/a.rs (unused)", &["src/a.rs?"]),
        ("Deleted `src/a.rs`", &["src/a.rs?"]),
        ("Deleted: a.md, b.md", &["a.md?", "b.md?"]),
        ("Deleted:\n  - a.md", &["a.md?"]),
        ("删除：a.md", &["a.md?"]),
    ]);
}

#[test]
fn what_cannot_be_looked_up_is_told() {
    hold(&[
        ("the reader in src", &["has white space in it"]),
        ("Wrote src/a.rs with `parse`", &["has white space in it"]),
        ("$HOME/a.md", &["begins with $, ~ or @"]),
        ("~/a.md", &["begins with $, ~ or @"]),
        ("~~src/a.rs~~", &["is struck out"]),
        ("https://x.test/a.md", &["is a web address"]),
        ("src/*.ts", &["is a pattern"]),
        ("src/{a,b}.rs, c.rs", &["is a pattern", "c.rs"]),
        ("...", &["is a placeholder"]),
        ("7", &["is a number"]),
        ("", &["is empty"]),
        ("a.md, ...", &["a.md", "is a placeholder"]),
        ("a.md and others", &["a.md", "others?"]),
        ("a.md and many others", &["a.md?"]),
        ("a.md, which is new", &["a.md?"]),
        ("`a.rs` instead of `b.rs`", &["a.rs?", "names several files"]),
        ("Renamed `a.rs` → `b.rs`", &["names several files"]),
        ("a.rs — see `src/b.rs`", &["a.rs?", "names several files"]),
        ("a.rs (moved to src/b.rs)", &["a.rs?", "names several files"]),
        ("a.md\n  - uses `b.rs`", &["a.md?", "names several files"]),
        ("a.md: uses x, y.md", &["a.md?", "y.md?"]),
        ("`a file.md`, b.md", &["has white space in it", "b.md"]),
    ]);
}

#[test]
fn lines_stand_behind_a_path() {
    for (text, path, lines) in [
        ("a.rs:12", "a.rs", Some([12, 12])),
        ("a.rs:12-20", "a.rs", Some([12, 20])),
        ("a.rs:20\u{2013}12", "a.rs", Some([12, 20])),
        ("a.rs:12:5", "a.rs", Some([12, 12])),
        ("a.rs:12,20", "a.rs", Some([12, 12])),
        ("a.rs#L12", "a.rs", Some([12, 12])),
        ("a.rs#L12-L20", "a.rs", Some([12, 20])),
        ("a.rs:99999999999999999999", "a.rs", Some([u64::MAX, u64::MAX])),
        ("a.rs", "a.rs", None),
        ("a.rs:", "a.rs:", None),
        ("a-12", "a-12", None),
        (":12", ":12", None),
        ("a:b", "a:b", None),
        ("a.rs:1-2-3", "a.rs:1-2-3", None),
    ] {
        assert_eq!(split_lines(text), (path, lines), "{text}");
    }
}
