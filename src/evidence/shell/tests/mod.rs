//! What typical command lines of agents do.

mod certain;
mod runners;

use super::{CHANGES_AT_MOST, COMMAND_AT_MOST, Certainty, FileChange, Script, scan};

/// The changes on one line: `+` written, `-` removed or undone, and `?` if it is not certain.
fn changes(script: &Script) -> String {
    let named = script.changes.iter().map(|named| {
        let is_written = named.change == FileChange::Written;
        let sign = if is_written { '+' } else { '-' };
        let is_certain = named.certainty == Certainty::Certain;
        let doubt = if is_certain { "" } else { "?" };
        format!("{sign}{}{doubt}", named.path)
    });
    named.collect::<Vec<_>>().join(" ")
}

fn writes(command: &str, expected: &str, may_write: bool) {
    let script = scan(command);
    assert_eq!(
        (changes(&script).as_str(), script.may_write),
        (expected, may_write),
        "{command}"
    );
}

#[test]
fn redirections_write() {
    writes("echo a > plans/a.md", "+plans/a.md", false);
    writes("echo a >>'my plan.md' 2>&1", "+my plan.md", false);
    writes("ls > /dev/null 2>/dev/null", "", false);
    writes("printf x 2>err.log >| out", "+err.log +out", false);
    writes("cat a &> b", "+b", false);
    writes("echo a > $OUT", "", true);
    writes("echo a > ~/a.md", "", true);
    writes("echo a > *.md", "", true);
    writes("echo '> a' \"> b\" \\> c # > d", "", false);
    writes("cat <> a", "", true);
    writes("> a", "+a", false);
    writes("echo $((1 > 2))", "", false);
    writes("[[ a > b ]]", "", false);
}

#[test]
fn here_documents_are_text() {
    writes(
        "cat > a.md <<'EOF'\nrm b > c `x` $(y)\nEOF\necho done > d",
        "+a.md? +d",
        false,
    );
    writes("cat <<-EOF >a\n\tit's > b\n\tEOF\n", "+a", false);
    writes("cat > a <<EOF\nsee `rm b`\nEOF", "+a", true);
    writes("cat <<A <<B > c\n> x\nA\n> y\nB\n> d", "+c? +d", false);
    writes("tee a.md <<< text", "+a.md", false);
    writes(
        "git commit -m \"$(cat <<'EOF'\nDon't (say) > x\nEOF\n)\"",
        "",
        true,
    );
}

#[test]
fn programs_may_write_what_they_name() {
    writes("echo a | tee b c", "+b +c", false);
    writes("echo a | tee -a b c", "+b? +c?", false);
    writes("sed -i 's/a/b/g' a.md b.md", "+a.md? +b.md?", false);
    writes("sed -i '' -e 's/a/b/' a.md", "+a.md?", false);
    writes("sed -i \"s/a/$B/\" a.md", "", true);
    writes("sed -i 's/a/b/w c' a.md", "+a.md?", true);
    writes("sed -i 's/d/b/;/x/,$d' a.md", "+a.md? -a.md?", false);
    writes("sed -i '1a\\\none line\nw c' a.md", "+a.md?", true);
    writes("mv a b/", "-a?", true);
    writes("cp a b c d/", "", true);
    writes("cp $A b.md", "", true);
    writes("rm -rf a b; touch c; mkdir -p d/e", "-a? -b? +c?", false);
    writes("rm $A \"b/$C\" d*.md", "-*? -b/*? -./d*.md?", true);
    writes("git mv a b/", "-a? -b/?", true);
    writes("git -C sub rm a", "-sub/a?", true);
    writes("git rm --cached a", "", false);
    writes("git checkout -- a", "-a?", true);
    writes("trash a", "-a?", false);
    for command in [
        "hg revert a",
        "svn revert -R .",
        "jj restore a",
        "gh pr checkout 7",
    ] {
        writes(command, "-.?", true);
    }
    writes("hg status", "", true);
    writes(
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\nEOF",
        "+a -b",
        false,
    );
    writes("patch -p0 < a.diff", "", true);
    writes("dd if=a of=b", "+b?", false);
    writes("cargo fmt", "", true);
}

#[test]
fn only_unknown_programs_may_run_tests() {
    for (command, may_run) in [
        ("cp a b && mv c d && rm e && touch f", false),
        ("sed -i 's/a/b/' c && cat d > e", false),
        ("make", true),
        ("git commit -m x", true),
        ("sed -i '1e make' c", true),
    ] {
        assert_eq!(scan(command).may_run, may_run, "{command}");
    }
}

#[test]
fn folders_are_followed() {
    writes(
        "cd a && echo x > b && cd c && echo > d",
        "+a/b +a/c/d",
        false,
    );
    writes("cd a; echo x > b", "+a/b?", false);
    writes("cd a || exit 1; echo x > b", "+a/b?", false);
    writes("set -e\ncd a\necho x > b", "+a/b?", false);
    writes("(cd a && echo x > b) && echo > c", "+a/b +c", false);
    writes("cd $A && echo x > b", "", true);
    writes("cd /t/ && echo x > b && echo > /c", "+/t/b +/c", false);
    writes("ls && cd a; echo > b", "", true);
    writes("if x; then cd a; fi; echo > b", "", true);
    writes("cd - && echo > b", "", true);
}

#[test]
fn what_may_not_run_is_not_certain() {
    writes("ls || echo > a", "+a?", false);
    writes("ls && echo > a", "+a", false);
    writes("ls && echo > a; ls", "+a?", false);
    writes("if ls; then echo > a; else rm b; fi", "+a? -b?", false);
    writes("for i in a b; do echo > c; done", "+c?", false);
    writes(
        "while ls; do echo > c; break; done; echo > d",
        "+c? +d?",
        false,
    );
    writes("f() { echo > a; }; f", "", true);
    writes("echo > a &", "+a?", false);
    writes("exit 0; echo > a", "+a?", false);
    writes("ls || { echo no; exit 1; }; echo > a", "+a", false);
    writes("echo \"$(rm a)\"", "-a?", false);
    writes("echo `touch a`", "+a?", false);
    writes("bash -c 'echo > a'", "+a", false);
    writes("bash -lc 'cd b && echo > a' && echo > c", "+b/a +c", false);
    writes("sudo -u root timeout 5 env CI=1 rm a", "-a?", false);
    writes("case $a in b) echo > c;; esac", "", true);
}

#[test]
fn reading_programs_are_known() {
    for command in [
        "",
        "# nothing",
        "ls -la src/*.rs | head -5 && cat \"$FILE\"",
        "grep -rn 'a > b' . ; wc -l < a.md",
        "find . -name '*.rs' -not -path './target/*'",
        "sed -n '1,40p;s/a/b/' a.md",
        "sed 's/were/we/g; /x/d' a.md",
        "git status && git --no-pager log --oneline -5 && git diff HEAD~1 -- src/",
        "git -C sub branch --show-current",
        "awk -F: '{print $1}' a.md | sort -u | uniq -c",
        "find . -type f | xargs grep -l tide",
        "test -f a && echo yes || echo no",
        "for f in *.md; do wc -l \"$f\"; done",
        "x=$(git rev-parse HEAD); echo $x",
        "rg --files | wc -l 2>&1",
        "while read -r line; do echo \"$line\"; done < a.txt",
        "export LC_ALL=C",
        "[ -d a ] && ls a",
        "diff <(ls a) <(ls b)",
        "command -v cargo",
        "ls | while read f; do cat $f; done",
    ] {
        writes(command, "", false);
    }
    for command in [
        "make",
        "./run.sh",
        "python3 -c 'print(1)'",
        "$PROGRAM a",
        "find . -name x -delete",
        "find $ARGUMENTS",
        "sort -o a b",
        "sort -uo a b",
        "git diff --output=a",
        "git log $OPTIONS",
        "git pull",
        "git -c a=b status",
        "rg --pre x y",
        "sed -n 'w a' b",
        "sed -n '1e touch a' b",
        "sed -f script a",
        "awk '{print > \"a\"}' b",
        "ls | xargs rm",
        "PATH=. ls",
        "(read PATH < a; ls)",
        "unset PATH; ls",
        "export PATH=.",
        "LD_PRELOAD=x ls",
        "eval \"$x\"",
        ". a.sh",
        "alias ls=rm",
        "echo \"${a:-$(rm b)}\"",
        "echo $((1) | (rm b))",
        "ls 'a",
        "ls )",
        "curl -o a b",
        "uniq a b",
        "ls\rrm a",
        "(((((((((((((((((((((((((((((((((((((((((((((((((ls",
    ] {
        let script = scan(command);
        assert!(script.may_write, "{command}");
        assert!(
            script
                .changes
                .iter()
                .all(|named| named.certainty == Certainty::Open),
            "{command}"
        );
    }
}

#[test]
fn long_and_deep_input_is_bounded() {
    for part in [
        "(",
        "$(",
        "`",
        "[",
        "{",
        "'",
        "\"$(",
        "${",
        "<<a\n",
        "<<",
        "a;",
        "cd a;",
        ">a ",
        "if ",
        "\\",
        "((",
        "$((",
        "a|",
        "!",
        "a||",
        "f()",
        "&>",
        "\u{e9}",
        "~",
        "#\n",
        "x=",
        "<(",
        "bash -c \"",
    ] {
        let text = part.repeat(8192 / part.len());
        let script = scan(&text);
        assert!(script.changes.len() <= CHANGES_AT_MOST, "{part}");
    }
    assert!(scan(&" ".repeat(COMMAND_AT_MOST + 1)).may_write);
}

#[test]
fn two_brackets_that_do_not_close_together_are_not_arithmetic() {
    let script = scan("x=$((1 << 2) \u{fffd}) | pytest -q");
    assert!(script.may_write && script.tests.is_empty());
    assert!(!scan("echo $((1 + 2))").may_write);
}
