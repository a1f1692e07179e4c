//! What is certainly written, and what is not even if the command ends with status 0.

use super::{Certainty, changes, scan};

/// Whether any change of these command lines is certain.
fn are_certain(commands: &[&str], expected: bool) {
    for command in commands {
        let script = scan(command);
        let found = script
            .changes
            .iter()
            .any(|named| named.certainty == Certainty::Certain);
        assert_eq!(found, expected, "{command}: {}", changes(&script));
    }
}

#[test]
fn ordinary_commands_are_certain() {
    are_certain(
        &[
            "echo x > f",
            "cat > f <<EOF\nx\nEOF",
            "printf '%s\\n' x > f",
            "echo x | tee f",
            "cd dir && echo x > f",
            "set -ex -- a b; echo x > f",
            "export X=1 y; echo x > f",
            "export X=$HOME; echo x > f",
            "X=1 echo x > f",
            "export PATH=\"$HOME/bin:$PATH\"; echo x > f",
            "export PATH=\"/opt/x:$PATH\"; cd /a && echo x > f",
            "ls && echo x > f && echo done",
            "bash -c 'echo x > f'",
            "/bin/sh -c 'echo x > f'",
            "shopt -s nullglob; echo x > f",
            "for x in a b; do ls; done; echo x > f",
            "while read -r x; do ls; done < a; echo x > f",
            "(exit 0); echo x > f",
            "(eval \"$x\"); echo x > f",
            "env X=1 ls; echo x > f",
            "printf '%s' a; echo x > f",
            "command echo x > f",
            "setsid -w echo x > f",
            "true && set +x; echo x > f",
            "unset x; echo x > f",
            "wait; echo x > f",
            ": > f",
            "echo x >> f",
            "echo x >> f 2>&1",
            "echo \"x: $X\" 1>> f",
            "printf '%s\\n' \"$X\" >> f",
            "printf 'x %s' \"$X\" >> f",
            "cat >> f <<EOF\nx\nEOF",
            "cat >> f <<EOF\n$X\nEOF",
            "cat - >> f <<< \"$X\"",
            "tee -a f <<EOF\nx\nEOF",
        ],
        true,
    );
}

#[test]
fn after_what_may_end_the_shell_nothing_is_certain() {
    let endings = [
        "set -n",
        "set -o noexec",
        "set -en",
        "set -e -n",
        "set \"$x\"",
        "eval 'exit 0'",
        "eval exit",
        "x=exit; $x",
        "$(echo exit)",
        "`echo exit`",
        "${x:-exit}",
        "trap 'exit 0' DEBUG",
        "trap 'exit 0' EXIT",
        ". ./e.sh",
        "source ./e.sh",
        "exit",
        "exit 0",
        "exit 256",
        "exec true",
        "exec $x",
        "command exec true",
        "'exec' true",
        "command exit 0",
        "builtin eval 'exit 0'",
        "command -p exit 0",
        "time -x exit",
        "ls || exit 0",
        "true | exit 0",
        "true | eval exit",
        "if ls; then exit 0; fi",
        "{ exit 0; }",
        "shopt -s lastpipe",
        "setopt noexec",
        "f() { exit 0; }; f",
    ];
    for ending in endings {
        for joint in ["; ", " && ", "\n"] {
            let command = format!("{ending}{joint}echo x > f");
            are_certain(&[&command], false);
            are_certain(&[&format!("bash -c \"{command}\"")], false);
        }
    }
    are_certain(
        &[
            "false || exit 0 && > f",
            "exit && > f",
            "{ exit 0; } && > f",
            "true | { exit 0; } && > f",
        ],
        false,
    );
}

#[test]
fn programs_may_not_be_those_of_their_names() {
    let replacements = [
        "cp() { :; }",
        "function cp { :; }",
        "cp () ( : )",
        "if ls; then cp() { :; }; fi",
        "PATH=.",
        "PATH=. ls",
        "PATH+=:.",
        "export PATH=.",
        "export \"PATH=$x\"",
        "export $x",
        "export PA$x=.",
        "export {PATH,x}=.",
        "declare -n x=PATH",
        "readonly PATH=.",
        "read PATH < a",
        "read -aPATH < a",
        "printf -v PATH .",
        "printf $x .",
        "printf -vPATH .",
        "for PATH in .; do ls; done",
        "((PATH=1))",
        "echo $((PATH=1))",
        "echo ${PATH:=.}",
        "unset PATH",
        "unset -f cp",
        "hash -p /bin/true cp",
        "alias cp=true",
        "shopt -s expand_aliases",
        "enable -f a.so cp",
        "LD_PRELOAD=a.so ls",
        "export GIT_DIR=a",
        "CDPATH=a",
        "BASH_CMDS[cp]=true",
        "let PATH=1",
    ];
    for replacement in replacements {
        for command in [
            "echo x | tee f",
            "bash -c 'echo x > f'",
            "cd a && echo x > f",
        ] {
            let command = format!("{replacement}; {command}");
            are_certain(&[&command], false);
        }
    }
    are_certain(
        &[
            "echo x | PATH=. tee f",
            "./bash -c 'echo x > f'",
            "env cd a && echo x > f; ls",
            "echo x | setsid tee f",
            "cd -L && > f; ls",
        ],
        false,
    );
}

#[test]
fn appending_nothing_is_not_writing() {
    are_certain(
        &[
            ": >> f",
            "true >> f",
            ">> f",
            "cat /dev/null >> f",
            "cat a >> f",
            "cat >> f",
            "cat >> f <<EOF\nEOF",
            "cat >> f <<EOF\n$X\\\nEOF",
            "cat >> f <<EOF\n$(ls\n)\\\nEOF",
            "cat >> f <<EOF < /dev/null\nx\nEOF",
            "cat >> f 3<<EOF\nx\nEOF",
            "echo -n >> f",
            "echo -n x >> f",
            "echo '\\c' >> f",
            "echo \"$X\" >> f",
            "echo $X x >> f",
            "echo *x >> f",
            "printf '' >> f",
            "printf '%s' '' >> f",
            "printf '%b\\n' '\\c' >> f",
            "printf '\\c\\n' >> f",
            "printf \"$X\" >> f",
            "echo x 3>> f",
            "echo x 2>> f",
            "echo x {v}>> f",
            "echo x >> f > /dev/null",
            "echo x >> f >&2",
            "ls &>> f",
            "{ ls; } >> f",
            "{ echo x > $Y; } >> f",
            "tee -a f < /dev/null",
            "tee -a f",
            "tee --append f < a",
            "ls | tee -a f",
            "echo -n | tee -a f",
            "echo x > /dev/null | tee -a f",
            "echo x | tee -a f < /dev/null",
            "PATH=.; echo x | tee -a f",
            "dd if=a of=f conv=notrunc count=0",
            "dd of=f count=0 oflag=append conv=notrunc",
            "dd if=a of=f seek=1",
            "dd if=a of=f count=0",
            "truncate -s +0 f",
        ],
        false,
    );
}

#[test]
fn an_edit_whose_pattern_may_fit_nowhere_is_not_certain() {
    are_certain(
        &["sed -i 's/a/b/' f", "sed -i '$d' f", "sed -i \"s/a/$B/\" f"],
        false,
    );
}

#[test]
fn the_shell_writes_that_a_redirection_failed() {
    for (command, expected) in [
        ("cat > f <<'EOF'\nx\nEOF\nwc -l f", true),
        ("echo x > f; echo done", true),
        ("cd a; echo x > f; ls", true),
        ("cd a && cat > f <<'EOF'\nx\nEOF\nls f", true),
        ("(echo x > f); ls 2>/dev/null", true),
        ("grep -q x y && echo x > f; ls", false),
        ("false || echo x > f; ls", false),
        ("cd a || echo x > f; ls", false),
        ("set -euo pipefail\necho x > f\nls", true),
        ("git stash -q | echo x > f", false),
        ("echo x 2>/dev/null > f; ls", false),
        ("{ echo x > f; } 2>&1; ls", false),
        ("exec 2>/dev/null; echo x > f; ls", false),
        ("{ exec 2>/dev/null; }; echo x > f; ls", false),
        ("(exec 2>/dev/null); echo x > f; ls", true),
        ("bash -c 'echo x > f; ls' 2>/dev/null", false),
        ("echo x > f |& cat; ls", false),
        ("exit 0; echo x > f; ls", false),
        ("if ls; then echo x > f; fi; ls", false),
    ] {
        let script = scan(command);
        let mut written = script
            .changes
            .iter()
            .filter(|named| named.path.ends_with('f'));
        let named = written.next().expect("a change");
        assert_eq!(
            named.certainty == Certainty::IfSilent,
            expected,
            "{command}"
        );
    }
}
