"""``python -m retval``: the program."""

import os
import subprocess
import sys

from ._check import program


def main() -> int:
    command = [program(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)
    # Windows cannot replace a process: its parent would go on before the program has ended.
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
