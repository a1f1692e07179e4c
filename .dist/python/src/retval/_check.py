"""``retval check`` for one return."""

import json
import os
import subprocess
from typing import List, Mapping, Optional, Sequence, Union

from ._program import program
from ._report import Report

#: The value of an option: ``True`` for a switch, a sequence for one that is repeated.
Option = Union[str, int, float, bool, None, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


class RetvalError(Exception):
    """The return could not be checked. The message is that of the program."""


def check(
    text: Union[str, bytes],
    *,
    session: Optional[str] = None,
    root: Union[str, "os.PathLike[str]", None] = None,
    **options: Option,
) -> Report:
    """Checks a return.

    Args:
        text: The whole return. Bytes are checked as they are, a string as UTF-8.
        session: The session id that was handed out.
        root: The folder that artifact paths are relative to. The default is the current one.
        options: Any other option of ``retval check``, with ``_`` in place of ``-``.

    Raises:
        RetvalError: the return could not be checked.
        FileNotFoundError: there is no program.
    """
    arguments = flags({"session": session, "root": root, **options})
    command = [program(), "check", "--format", "jsonl", *arguments, "-"]
    done = subprocess.run(command, input=_bytes(text), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # 0 is a valid return and 1 an invalid one. Anything else, or a signal, is no result.
    if done.returncode not in (0, 1):
        raise RetvalError(message(done))
    records = done.stdout.splitlines()
    if len(records) != 1:
        raise RetvalError(f"{len(records)} records for one return: {message(done)}")
    return Report.from_record(json.loads(records[0]))


def flags(options: Mapping[str, Option]) -> List[str]:
    """The arguments for options, each in one word, so that a value may begin with ``-``."""
    arguments: List[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(flag)
            continue
        values = [value] if isinstance(value, (str, int, float, os.PathLike)) else value
        arguments += [f"{flag}={os.fspath(it) if isinstance(it, os.PathLike) else it}" for it in values]
    return arguments


def message(done: "subprocess.CompletedProcess[bytes]") -> str:
    """What a program that failed says of it."""
    said = done.stderr.decode("utf-8", "replace").strip()
    return said or f"retval ended with {done.returncode}"


def _bytes(text: Union[str, bytes]) -> bytes:
    # Half a surrogate pair is an error of the return, which the program reports.
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
