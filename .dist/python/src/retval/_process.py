"""What all ways to call the program share: lines of texts, lines of records, and errors."""

from __future__ import annotations

import json
import re
from typing import List, Mapping, Optional, Union

from ._options import Text

#: About as many bytes are written at once.
CHUNK = 64 * 1024


class RetvalError(Exception):
    """Something could not be checked. The message is that of the program."""


class RetvalTimeout(RetvalError, TimeoutError):
    """The program took longer than it may."""


def message(code: int, errors: bytes) -> str:
    """What a program that failed says of it."""
    said = errors.decode("utf-8", "replace").strip()
    return said or f"retval ended with {code}"


def text_bytes(text: Union[str, bytes]) -> bytes:
    # Half a surrogate pair is an error of the return, which the program reports.
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def text_line(text: Text) -> bytes:
    """A text as a line for ``--lines=texts``."""
    if isinstance(text, str):
        return _encode(text).encode("ascii") + b"\n"
    if isinstance(text, bytes):
        return _quoted(text) + b"\n"
    if not isinstance(text, Mapping):
        raise TypeError(f"a text is a string, bytes or a mapping, not {type(text).__name__}")
    members: List[bytes] = []
    for name, value in text.items():
        quoted = _quoted(value) if isinstance(value, bytes) else _encode(value).encode("ascii")
        members.append(_encode(name).encode("ascii") + b":" + quoted)
    return b"{" + b",".join(members) + b"}\n"


_encode = json.JSONEncoder().encode


def _quoted(text: bytes) -> bytes:
    # Each byte is a character, so bytes that are not UTF-8 stay as they are.
    return json.dumps(text.decode("latin-1"), ensure_ascii=False).encode("latin-1")


class Records:
    """The records that a program prints for its texts: one for each, in the same order."""

    def __init__(self) -> None:
        self._rest: List[bytes] = []
        self._count = 0
        self._unchecked = 0

    def feed(self, output: bytes) -> List[bytes]:
        """The records that are complete with this output, without line ends."""
        *lines, rest = output.split(b"\n")
        if lines:
            lines[0] = b"".join([*self._rest, lines[0]])
            self._rest.clear()
        self._rest.append(rest)
        for line in lines:
            self._count += 1
            head = _HEAD.match(line)
            if head is None or int(head[1]) != self._count:
                raise RetvalError(f"the record of text {self._count} is another one: {line[:200]!r}")
            self._unchecked += head[2] is not None
        return lines

    def end(self, texts: Optional[int], code: int, errors: bytes) -> None:
        """Raises an error unless each text has a record and the program says that it has done its work. The
        number of texts may be unknown if the program has ended early."""
        # 2 is also the code where a text could not be checked, which its record says.
        if code != 0 and not (code == 2 and self._unchecked and self._count == texts):
            raise RetvalError(message(code, errors))
        if self._count != texts:
            raise RetvalError(f"the program ended after {self._count} records, and there are more texts")


#: The beginning of a record: its line, and whether the text could not be checked.
_HEAD = re.compile(
    rb'{"version":1,"source":"(?:[^"\\]|\\.)*","line":(\d+),(?:"id":"(?:[^"\\]|\\.)*",)?(?:"profile":(null),)?'
)
