"""A retval that dies in the middle of its work, and takes others with it."""

import stat

# What is killed: retval, the Python worker that called it, or the executor above that one.
KILLED = {
    "retval": "kill -KILL $$",
    "worker": "kill -KILL $PPID",
    "executor": """
      daemon=$(/bin/sed -n 's/^PPid:\\t//p' "/proc/$PPID/status")
      kill -KILL "$(/bin/sed -n 's/^PPid:\\t//p' "/proc/$daemon/status")\"""",
}


def write(path, retval, marks, kinds):
    """Writes a program that stands in for retval. Its first calls hand out a part of the records,
    which ends within one, and then kill something; later ones do all that retval does."""
    marks.mkdir()
    turns = [f'if /bin/mkdir "{marks}/{turn}" 2>/dev/null; then die; {KILLED[kind]}; sleep 60; fi'
             for turn, kind in enumerate(kinds)]
    path.write_text("\n".join([
        "#!/bin/bash",
        f"retval='{retval}'",
        'if [ "$1" != check ]; then exec "$retval" "$@"; fi',
        'die() { "$retval" "${arguments[@]}" | /usr/bin/head -c 20000; }',
        'arguments=("$@")',
        *turns,
        'exec "$retval" "$@"',
        "",
    ]))
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def fired(marks):
    return sum(1 for _ in marks.iterdir())
