//! What is taken for a path, and what is not.

use super::*;

fn all(text: &str) -> Vec<PathMention<'_>> {
    let mut all = Vec::new();
    each(text, |named| all.push(named));
    all
}

#[test]
fn paths_are_taken_where_they_stand_alone() {
    for (text, paths) in [
        ("src/a.rs", &["src/a.rs"][..]),
        ("`src/a.rs`", &["src/a.rs"]),
        ("a.md, b.md and c.md", &["a.md", "b.md", "c.md"]),
        ("`a.md` & **b.md**", &["a.md", "b.md"]),
        ("a.md、b.md", &["a.md", "b.md"]),
        ("a.md, and b.md", &["a.md", "b.md"]),
        ("src/__init__.py", &["src/__init__.py"]),
        ("docs/report.md.", &["docs/report.md"]),
        ("src/a.rs: the reader", &["src/a.rs"]),
        ("src/a.rs (new)", &["src/a.rs"]),
        ("src/a.rs — the reader", &["src/a.rs"]),
        ("created `src/a.rs` with `cargo new`", &["src/a.rs"]),
        ("[the report](docs/report.md)", &["docs/report.md"]),
        ("src/a.rs:12-20", &["src/a.rs"]),
        ("src/a.rs:12:7", &["src/a.rs"]),
        ("src/a.rs#L12", &["src/a.rs"]),
        ("file:///srv/a%20b.md", &["/srv/a b.md"]),
        ("File: src/a.rs", &["src/a.rs"]),
        ("Created: a.md, b.md", &["a.md", "b.md"]),
        ("**New**: `src/a.rs` (reader)", &["src/a.rs"]),
        ("Makefile: a target", &["Makefile"]),
        ("Created: the reader", &["begins with a label"]),
        ("📄 src/a.rs", &["src/a.rs"]),
        ("<src/a.rs>", &["src/a.rs"]),
        ("(src/a.rs), [b.md]", &["src/a.rs", "b.md"]),
        ("src/[id]/a.rs", &["src/[id]/a.rs"]),
        ("src/a.rs:\n  - reads the lines", &["src/a.rs"]),
        ("**src/a.rs**\n  the reader", &["src/a.rs"]),
        (
            "src/a.rs (+12 -3)\nsrc/b.rs (+4)",
            &["src/a.rs", "src/b.rs"],
        ),
        ("```\nsrc/a.rs | 2 +-\n- `b.md`\n```", &["src/a.rs", "b.md"]),
        (
            "src/a.rs\nand more, and\nsrc/b.rs",
            &["names several files"],
        ),
        ("src\n  - a.rs", &["names several files"]),
        ("src/deleted.rs (new)", &["src/deleted.rs"]),
        ("deleted/a.rs", &["deleted/a.rs"]),
        ("src/a.rs: removed an unused import", &["src/a.rs"]),
        ("src/a.rs (moved the tests here)", &["src/a.rs"]),
        ("Removed unused imports from `src/a.rs`", &["src/a.rs"]),
        ("src/{a,b}.rs, c.rs", &["is a pattern", "c.rs"]),
        ("{{name}}/a.rs", &["{{name}}/a.rs"]),
        ("src/a.rs — adds `parse()`", &["src/a.rs"]),
        ("- src/a.rs (adds `parse`)", &["src/a.rs"]),
        ("src/a.rs: `parse`", &["src/a.rs"]),
        ("**src/a.rs**: `parse()`", &["src/a.rs"]),
        ("src/a.rs — see `src/b.rs`", &["src/a.rs"]),
        ("src/a.rs (see [y](src/y.md))", &["src/a.rs"]),
        ("New: src/a.rs (`parse`)", &["src/a.rs"]),
        ("**New:** src/a.rs (`parse`)", &["src/a.rs"]),
        ("**Report:** docs/a.md", &["docs/a.md"]),
        ("**Added:** tests in `tests/a.rs`", &["tests/a.rs"]),
        ("[a](src/a.rs) — replaces `old.rs`", &["src/a.rs"]),
        ("[`Reader`](src/a.rs)", &["src/a.rs"]),
        ("Node.js: `src/a.js`", &["src/a.js"]),
        ("Read/write: `src/a.rs`", &["src/a.rs"]),
        ("Created/updated: src/a.rs", &["src/a.rs"]),
        ("src/: `src/a.rs`", &["src/a.rs"]),
        ("Wrote src/a.rs with `parse`", &["names several files"]),
        ("src/a.rs: removed file locking", &["src/a.rs"]),
        ("src/a.rs (moved from src/b.rs)", &["src/a.rs"]),
        ("Renamed: a -> src/a.rs", &["begins with a label"]),
        ("src/a.rs:1,3", &["src/a.rs"]),
        ("`src/a.rs:1-2,4-5`", &["src/a.rs"]),
        ("src/a.rs:1, 3, b.md", &["src/a.rs", "b.md"]),
        ("a.md, ...", &["a.md", "has words among the paths"]),
        ("a.md and others", &["a.md", "has words among the paths"]),
        (
            "Makefile, `justfile`, a.md",
            &["Makefile", "justfile", "a.md"],
        ),
        ("Created:\n  - a.md\n  - b.md", &["a.md", "b.md"]),
        ("Created:", &["begins with a label"]),
        ("- a.md,\n- b.md;", &["a.md", "b.md"]),
        ("1. a.md", &["a.md"]),
        ("- a.md", &["a.md"]),
        ("[a](<src/a.rs>)", &["src/a.rs"]),
        ("[a](src/with%20space.md#section)", &["src/with space.md"]),
        ("[a](src/a.rs#L3)", &["src/a.rs"]),
        ("<code>src/a.rs</code>", &["src/a.rs"]),
        ("'src/a.rs'", &["src/a.rs"]),
        ("“src/a.rs” and ‘b.md’", &["src/a.rs", "b.md"]),
        ("„src/a.rs“ («b.md»)", &["src/a.rs"]),
    ] {
        let found: Vec<_> = all(text)
            .iter()
            .map(|it| match it {
                PathMention::Path(path) => split_lines(path).0.to_owned(),
                PathMention::Unreadable(why) => (*why).to_owned(),
                PathMention::Gone => "gone".to_owned(),
            })
            .collect();
        assert_eq!(found, paths, "{text}");
    }
}

#[test]
fn what_cannot_be_looked_up_is_no_path() {
    for text in [
        "the reader in src",
        "$HOME/a.md",
        "~/a.md",
        "https://x.test/a.md",
        "`src/a.rs` instead of `src/b.rs`",
        "src/*.ts",
    ] {
        assert!(
            matches!(all(text)[..], [PathMention::Unreadable(_)]),
            "{text}"
        );
    }
    let both = all("`a file.md`, b.md");
    assert!(matches!(
        both[..],
        [PathMention::Unreadable(_), PathMention::Path(_)]
    ));
}

#[test]
fn what_is_said_to_be_gone_is_no_path() {
    for text in [
        "src/a.rs (deleted)",
        "`src/a.rs` — removed",
        "Deleted `src/a.rs`",
        "~~src/a.rs~~",
        "Removed: src/a.rs (unused)",
        "**Deleted:** `src/a.rs`",
        "**Deleted**: src/a.rs",
        "Removed: a.md, b.md",
        "Deleted files: Makefile",
        "Deleted:\n  - a.md\n  - b.md",
        "src/a.rs — **deleted**",
        "`src/a.rs` (**deleted**)",
        "src/a.rs (deleted in cleanup)",
        "src/a.rs — deleted (unused)",
        "src/a.rs (removed: unused)",
        "src/a.rs - removed in favour of src/b.rs",
        "src/a.rs (now deleted)",
        "Changed: src/a.rs (deleted)",
    ] {
        assert_eq!(all(text), [PathMention::Gone], "{text}");
    }
}

#[test]
fn a_file_that_was_moved_is_named_by_its_new_path() {
    for text in [
        "src/a.rs: renamed to src/b.rs",
        "Renamed `src/a.rs` → `src/b.rs`",
        "src/a.rs (moved to `src/b.rs`)",
    ] {
        assert_eq!(all(text), [PathMention::Path("src/b.rs".into())], "{text}");
    }
}

#[test]
fn lines_stand_behind_a_path() {
    for (text, path, lines) in [
        ("a.rs:12", "a.rs", Some([12, 12])),
        ("a.rs:12-20", "a.rs", Some([12, 20])),
        ("a.rs:20\u{2013}12", "a.rs", Some([12, 20])),
        ("a.rs:12:5", "a.rs", Some([12, 12])),
        ("a.rs:12:5-14:2", "a.rs", Some([12, 14])),
        ("a.rs#L12", "a.rs", Some([12, 12])),
        ("a.rs#L12-L20", "a.rs", Some([12, 20])),
        ("a.rs:L3C7-L9C2", "a.rs", Some([3, 9])),
        (
            "a.rs:99999999999999999999",
            "a.rs",
            Some([u64::MAX, u64::MAX]),
        ),
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
