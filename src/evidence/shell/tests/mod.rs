//! What typical command lines of agents do.

mod runners;

use super::{CHANGES_AT_MOST, COMMAND_AT_MOST, FileChange, Script, WriteCertainty, scan};

/// The changes on one line: `+` certainly written, `~` if the shell wrote no error, `?` maybe, `-` undone. At the
/// end `...` if it may write others.
fn summary(script: &Script) -> String {
    let named = script.changes.iter().map(|named| {
        let sign = match named.change {
            FileChange::Written(WriteCertainty::Certain) => "+",
            FileChange::Written(WriteCertainty::IfSilent) => "~",
            FileChange::Written(WriteCertainty::Open) => "?",
            FileChange::Undone => "-",
        };
        format!("{sign}{}", named.path)
    });
    let others = script.may_write.then(|| "...".to_owned());
    named.chain(others).collect::<Vec<_>>().join(" ")
}

fn hold(table: &[(&str, &str)]) {
    let differ = |(command, expected): &&(&str, &str)| summary(&scan(command, &[])) != *expected;
    let wrong = table.iter().filter(differ);
    let wrong = wrong.map(|(command, expected)| {
        let found = summary(&scan(command, &[]));
        format!("{command:?}: {found:?}, expected {expected:?}")
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn redirections_write() {
    hold(&[
        ("echo a > plans/a.md", "+plans/a.md"),
        ("echo a >>'my plan.md'", "?my plan.md"),
        ("ls > /dev/null 2>/dev/null", ""),
        ("printf x 2>err.log >| out", "+err.log +out"),
        ("cat a &> b", "+b"),
        ("> a", "+a"),
        ("{ ls; } > a", "+a"),
        ("for x in a b; do ls; done > c", "+c"),
        ("while read -r x; do ls; done < a > c", "+c"),
        ("cd a && echo x > b && cd c && echo > d", "+a/b +a/c/d"),
        ("(cd a && echo x > b) && echo > c", "?a/b +c"),
        ("cd /t/ && echo x > b && echo > /c", "+/t/b +/c"),
        ("set -ex; x=1 echo x > f", "+f"),
        ("export X=$HOME; unset y; echo x > f", "+f ..."),
        ("ls || { echo no; exit 1; }; echo > a", "+a"),
        ("true && cat > f <<EOF\nx\nEOF", "+f"),
        ("echo a > $OUT", "..."),
        ("echo a > ~/a.md", "..."),
        ("echo a > *.md", "..."),
        ("echo '> a' \"> b\" \\> c # > d", ""),
        ("cat <> a", "..."),
    ]);
}

#[test]
fn here_documents_are_text() {
    hold(&[
        ("cat > a <<'EOF'\nrm b > c `x` $(y)\nEOF\necho > d", "~a +d"),
        ("cat <<-EOF >a\n\tit's > b\n\tEOF\n", "+a"),
        ("cat > a <<EOF\nsee `ls b`\nEOF", "..."),
        ("cat <<A <<B > c\n> x\nA\n> y\nB\n> d", "~c +d"),
        ("git commit -m \"$(cat <<'EOF'\nDon't (say) > x\nEOF\n)\"", "..."),
    ]);
}

#[test]
fn the_shell_tells_that_a_redirection_failed_before_other_commands() {
    hold(&[
        ("cat > f <<'EOF'\nx\nEOF\nwc -l f", "~f"),
        ("echo x > f; echo done", "~f"),
        ("cd a && cat > f <<'EOF'\nx\nEOF\nls f", "~a/f"),
        ("(echo x > f); ls 2>/dev/null", "?f"),
        ("set -euo pipefail\necho x > f\nls", "~f"),
        ("mkdir -p a && echo x > a/f; ls a", "~a/f"),
        ("grep -q x y && echo x > f; ls", "?f"),
        ("false || echo x > f; ls", "?f"),
        ("git stash -q | echo x > f", "+f -/ ..."),
        ("echo x 2>/dev/null > f; ls", "?f"),
        ("{ echo x > f; } 2>&1; ls", "?f"),
        ("{ echo x > f; } &> g; ls", "?f ?g"),
        ("exec 2>/dev/null; echo x > f; ls", "?f ..."),
        ("mkdir a && echo x > f; ls", "~f"),
        ("mkdir a 2>/dev/null && echo x > f; ls", "?f"),
        ("{ mkdir a; } 2>/dev/null && echo x > f; ls", "?f"),
        ("mkdir a |& cat && echo x > f; ls", "?f"),
        ("! mkdir a && echo x > f; ls", "?f"),
        ("echo x > f |& cat; ls", "?f"),
        ("if ls; then echo x > f; fi; ls", "?f"),
    ]);
}

#[test]
fn what_may_not_run_is_not_certain() {
    hold(&[
        ("ls || echo > a", "?a"),
        ("ls && echo > a; ls", "?a"),
        ("if ls; then echo > a; else rm b; fi", "?a -b"),
        ("for i in a b; do echo > c; done", "?c"),
        ("while ls; do echo > c; break; done; echo > d", "?c +d"),
        ("f() { echo > a; }; f", "..."),
        ("case $a in b) echo > c;; esac", "..."),
        ("echo > a &", "?a"),
        ("! echo > a", "?a"),
        ("echo > a | cat", "?a"),
        ("exit 0; echo > a", "?a"),
        ("ls || exit 0; echo > a", "?a"),
        ("set -n; echo > a", "?a"),
        ("set -o noexec; echo > a", "?a"),
        ("trap 'exit 0' EXIT; echo > a", "?a ..."),
        ("exec true; echo > a", "?a ..."),
        ("command exit 0; echo > a", "?a ..."),
        ("echo \"$(rm a)\"", "-a"),
        // Where a `cd` may have failed, no folder is known.
        ("cd a; echo x > b", "..."),
        ("cd a || exit 1; echo x > b", "..."),
        ("cd $A && echo x > b", "..."),
        ("cd - && echo > b", "..."),
        ("ls | cd a && echo > b", "..."),
    ]);
}

#[test]
fn commands_may_not_be_those_of_their_names() {
    for replacement in [
        "eval \"$x\"",
        ". ./e.sh",
        "source e.sh",
        "x=exit; $x",
        "$(echo exit)",
        "alias cp=true",
        "enable -f a.so cp",
        "shopt -s expand_aliases",
        "hash -p /bin/true cp",
        "PATH=.",
        "PATH+=:. ls",
        "export PATH=.",
        "export \"PATH=$x\"",
        "export $x",
        "export PA$x=.",
        "export {PATH,x}=.",
        "declare -n x=PATH",
        "read PATH < a",
        "read -aPATH < a",
        "printf -v PATH .",
        "printf $x .",
        "for PATH in .; do ls; done",
        "unset PATH",
        "unset -f cp",
        "LD_PRELOAD=a.so ls",
        "export GIT_DIR=a",
        "CDPATH=a",
        "IFS=x",
        "let PATH=1",
        "cp() { :; }",
        "echo ${PATH:=.}",
        "echo $((PATH=1))",
        "((PATH=1))",
    ] {
        for command in ["echo x > f", "cd a && echo x > f"] {
            for joint in ["; ", " && ", "\n"] {
                let command = format!("{replacement}{joint}{command}");
                let found = summary(&scan(&command, &[]));
                assert!(!found.contains('+') && found.contains("..."), "{command}: {found}");
            }
        }
    }
}

#[test]
fn appending_is_never_certain() {
    for command in [">> f", "echo x >> f", "cat >> f <<EOF\nx\nEOF"] {
        assert_eq!(summary(&scan(command, &[])), "?f", "{command}");
    }
}

#[test]
fn what_commands_undo_is_known_as_far_as_they_name_it() {
    hold(&[
        ("rm -rf a b; mkdir -p d/e", "-a -b"),
        ("cd a && rm b", "-a/b"),
        ("rm $A", "-/"),
        ("rm -f \"b/$C\" d*.md /t*", "-b -/ -/"),
        ("cd $A; rm b", "-/"),
        ("trash a", "-a"),
        ("mv a b/", "-a -b/ ..."),
        ("mv -t b a c", "-b -a -c ..."),
        ("mv --target-directory=b a", "-a ..."),
        ("/bin/rm a; /usr/bin/mv b c", "-a -b -c ..."),
        ("sed -i 's/d/b/' a.md", "..."),
        ("sed -i 's/d/b/;/x/,$d' a.md", "-a.md ..."),
        ("sed -i -e 's/d/b/' -e 3p a.md", "..."),
        ("sed -i -e 's/d/b/' -e '/x/d' a.md", "-/x/d -a.md ..."),
        ("sed -i.bak '/x/d' a.md", "-a.md ..."),
        ("sed --in-place \"/$X/d\" a.md", "-a.md ..."),
        ("sed -i '/x/{n;d}' a.md", "-a.md ..."),
        ("sed -i.bak \"s/$X/b/\" a.md", "-a.md ..."),
        ("sed -i \"$X\" a.md", "-a.md ..."),
        ("sed -i -f script a.md", "-a.md ..."),
        ("sed -f script a.md", "..."),
        ("./rm a", "-/ ..."),
        ("trash-put a", "-/ ..."),
        ("node_modules/.bin/rimraf a", "-/ ..."),
        ("npx rimraf a", "-/ ..."),
        ("git -P rm a", "-/ ..."),
        ("git -P status", ""),
        ("git -c a=b checkout -- a", "-/ ..."),
        ("git --git-dir a/.git --work-tree a clean -f", "-/ ..."),
        ("git -c a=b commit -m reset", "..."),
        ("git undo", "-/ ..."),
        ("git $COMMAND", "-/ ..."),
        ("git worktree remove a", "-/ ..."),
        ("jj edit x", "-/ ..."),
        ("jj -R a new main", "-/ ..."),
        ("jj describe -m undo", "-/ ..."),
        ("hg update -C", "-/ ..."),
        ("svn up", "-/ ..."),
        ("git mv a b/", "-/ ..."),
        ("git checkout -- a", "-/ ..."),
        ("git checkout -b main", "..."),
        ("git -C sub stash", "-/ ..."),
        ("git reset --hard", "-/ ..."),
        ("find . -name x -delete", "-/ ..."),
        ("ls | xargs rm", "-/ ..."),
        ("hg revert a", "-/ ..."),
        ("sudo rm a", "-/ ..."),
        ("bash -c 'ls; rm a'", "-/ ..."),
        ("if a; then (rm b", "-/ ..."),
        // They may run after what comes later.
        ("rm a & echo > a", "+a -a"),
        ("rm a | echo > a", "+a -a"),
        ("rm a && echo > a", "-a +a"),
    ]);
}

#[test]
fn reading_programs_are_known() {
    for command in [
        "",
        "# nothing",
        "ls -la src/*.rs | head -5 && cat \"$FILE\"",
        "grep -rn 'a > b$' . ; wc -l < a.md",
        "find . -name '*.rs' -not -path './target/*'",
        "sed -n '1,40p;s/a/b/' a.md",
        "sed 's/were/we/g; /x/d' a.md",
        "git status && git --no-pager log --oneline -5 && git diff HEAD~1 -- src/",
        "git -C sub branch --show-current",
        "awk -F: '{print $1}' a.md | sort -u | uniq -c",
        "find . -type f | xargs grep -l tide",
        "test -f a && echo yes || echo no",
        "for f in *.md; do wc -l \"$f\"; done",
        "for FILE in a b; do wc -l \"$FILE\"; done",
        "ls | xargs -I {} cat {}",
        "ls | xargs -0 -n 1 -P 4 wc -l",
        "ls | xargs -rn1 -I{} grep x {}",
        "xargs -d , -L 2 -s 900 head",
        "/usr/bin/grep x a",
        "echo \"${a} ${a:-b} ${a#*/} ${a//b/c}\"",
        "test -f a && [ -n \"$x\" ]",
        "tree -a src",
        "uniq -c a",
        "x=$(git rev-parse HEAD); echo $x",
        "rg --files | wc -l 2>&1",
        "while read -r line; do echo \"$line\"; done < a.txt",
        "if [ -d a ]; then ls a; else ls; fi",
        "export LC_ALL=C",
        "command -v cargo",
        "ls | while read f; do cat $f; done",
    ] {
        assert_eq!(summary(&scan(command, &[])), "", "{command}");
    }
    for command in [
        "make",
        "./run.sh",
        "python3 -c 'print(1)'",
        "$PROGRAM a",
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
        "sed 's/a/b/w c' a.md",
        "awk '{print > \"a\"}' b",
        "awk -f a b",
        "ls | xargs touch",
        "xargs -n a b",
        "(read PATH < a; ls)",
        "LD_PRELOAD=x ls",
        "echo \"${a:-$(touch b)}\"",
        "cp a b",
        "ls 'a",
        "ls )",
        "curl -o a b",
        "uniq a b",
        "uniq - b",
        "uniq -- - b",
        "tree -ao a",
        "file -mC a",
        "ls | xargs -I {} touch {}",
        "xargs -n 1 -P 4 touch",
        "xargs -I cat touch",
        "xargs -0I cat touch",
        "xargs --arg-file cat touch",
        "xargs --new cat",
        "./cat a",
        "echo ${a@P}",
        "echo \"${!a}\" ${a:b} ${a[b]}",
        "echo $[a[b]]",
        "cat <<EOF\n${a@P}\nEOF",
        "test -v 'a[$(touch b)]'",
        "[ -v 'a[$(touch b)]' ]",
        "wait -p PATH",
        "jobs -x touch a",
        "for PATH in a; do ls; done",
        "ls\rls a",
        "(((((((((((((((((((((((((((((((((((((((((((((((ls",
    ] {
        assert_eq!(summary(&scan(command, &[])), "...", "{command}");
    }
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
        assert_eq!(scan(command, &[]).may_run, may_run, "{command}");
    }
}

#[test]
fn long_and_deep_input_is_bounded() {
    for part in [
        "(", "$(", "`", "[", "{", "'", "\"$(", "${", "<<a\n", "<<", "a;", "cd a;", ">a ", "if ",
        "\\", "((", "$((", "a|", "!", "a||", "f()", "&>", "\u{e9}", "~", "#\n", "x=", "<(",
        "rm a;",
    ] {
        let text = part.repeat(8192 / part.len());
        let script = scan(&text, &[]);
        assert!(script.changes.len() <= CHANGES_AT_MOST, "{part}");
    }
    assert!(scan(&" ".repeat(COMMAND_AT_MOST + 1), &[]).may_write);
    for part in ["ls||", "(ls);"] {
        assert!(scan(&part.repeat(4100), &[]).may_write, "{part}");
    }
}

#[test]
fn commits_are_counted_where_each_was_certainly_made() {
    for (command, commits) in [
        ("git commit -m one", 1),
        ("git add -A && git commit -qm 'one' && git commit --amend --no-edit", 2),
        ("git commit -m \"$(cat <<'EOF'\nOne\nEOF\n)\"", 1),
        ("git commit -m \"$MESSAGE\" -- a.rs", 1),
        ("git commit $OPTIONS", 0),
        ("git commit --dry-run", 0),
        ("git commit -m one || true", 0),
        ("git log --grep commit", 0),
    ] {
        assert_eq!(scan(command, &[]).commits, commits, "{command}");
    }
}
