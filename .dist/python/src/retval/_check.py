"""``retval check`` for one return."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Union

from ._options import arguments
from ._process import RetvalError, RetvalTimeout, message, text_bytes
from ._program import program
from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CheckOptions


def check(text: Union[str, bytes], *, timeout: float | None = None, **options: Unpack[CheckOptions]) -> Report:
    """Checks a return.

    Args:
        text: The whole return. Bytes are checked as they are, a string as UTF-8.
        timeout: The seconds that the check may take.
        options: The options of ``retval check``, with ``_`` in place of ``-``.

    Raises:
        RetvalError: the return could not be checked.
        RetvalTimeout: the check took too long.
        FileNotFoundError: there is no program.
    """
    command = [program(), "check", "--format", "jsonl", *arguments(options), "-"]
    try:
        done = subprocess.run(command, input=text_bytes(text), capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise RetvalTimeout(f"the check took more than {timeout} s") from None
    return report_of(done.returncode, done.stdout, done.stderr)


def report_of(code: int, output: bytes, errors: bytes) -> Report:
    """The report that a program has printed which has ended."""
    # 0 is a valid return and 1 an invalid one. Anything else, or a signal, is no result.
    if code not in (0, 1):
        raise RetvalError(message(code, errors))
    records = output.splitlines()
    if len(records) != 1:
        raise RetvalError(f"{len(records)} records for one return: {message(code, errors)}")
    return Report(json.loads(records[0]))
