"""``retval check``: a process for one return, or one process for many."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Sequence, Tuple, TypedDict, Union

from ._report import Report, report

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Path = Union[str, "os.PathLike[str]"]

#: The arguments of every check of one text, and of many, a JSON string or object a line.
_ONE = ("check", "--format", "jsonl")
_MANY = ("check", "--lines=texts", "--format", "jsonl", "--exit-zero")

#: As many bytes are written and read at once.
_CHUNK = 64 * 1024

#: A source that takes as many seconds for a text gets its report before it is asked for another one.
_SLOW = 0.005


class RetvalError(Exception):
    """Something could not be checked. The message is that of the program."""


class RetvalTimeout(RetvalError, TimeoutError):
    """The program took longer than it may."""


class CheckOptions(TypedDict, total=False):
    """Options of ``retval check``, with ``_`` in place of ``-``. ``None`` is as if one were left out."""

    agent: str | None
    agent_id: str | None
    baseline: _Path | None
    config: _Path | None
    errors_json: _Path | None
    evidence: str | None
    extract: bool
    fail_fast: bool
    given: Sequence[str]
    group: str | None
    max_bytes: int | str | None
    no_config: bool
    profile: str | None
    rev: str | None
    root: _Path | None
    #: ``RULE=LEVEL``, such as ``json-wrapped=off``.
    rule: Sequence[str]
    schema: _Path | None
    session: str | None
    since: str | None
    strict: bool | str
    transcript: _Path | None


class _Expected(TypedDict, total=False):
    session: str | None
    agent: str | None
    root: str | None
    #: Your name for the text: its report has it, too.
    id: str | None


class TextOf(_Expected):
    """A text, and what is expected of it alone. Only ``text`` must be there."""

    text: Union[str, bytes]


#: What is checked: a string as UTF-8, or bytes as they are; or with expectations.
Text = Union[str, bytes, TextOf]


def check(text: Union[str, bytes], *, timeout: float | None = None, **options: Unpack[CheckOptions]) -> Report:
    """Checks a return: the whole text. ``timeout`` is the seconds that it may take.

    Raises:
        RetvalError: the return could not be checked.
        RetvalTimeout: the check took too long.
        FileNotFoundError: there is no program.
    """
    # Half a surrogate pair is an error of the return, which the program reports.
    given = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    command = [program(), *_ONE, *arguments(options), "-"]
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise RetvalTimeout(f"the check took more than {timeout} s") from None
    records = done.stdout.splitlines()
    # 0 is a valid return and 1 an invalid one. Anything else, or a signal, is no result.
    if done.returncode not in (0, 1) or len(records) != 1:
        raise _failure(done.returncode, done.stderr)
    return report(json.loads(records[0]))


def check_many(
    texts: Iterable[Text], *, jobs: int | None = None, **options: Unpack[CheckOptions]
) -> Iterator[Report]:
    """Checks any number of texts with one process, and yields their reports in the same order.

    Texts are taken as reports are: both may be endless. A text that cannot be checked, because its own
    ``root`` is missing for example, has a report whose ``valid`` is ``None``, and ``error`` says why.

    Raises:
        RetvalError: the program failed. The reports before are right.
        FileNotFoundError: there is no program.
    """
    for _, record in records(texts, {"jobs": jobs, **options}):
        yield report(record)


def records(
    texts: Iterable[Text], options: Mapping[str, object], env: Mapping[str, str] | None = None
) -> Iterator[Tuple[bytes, Dict[str, Any]]]:
    """The record of each text, in order: as the program prints it, and as data. The caller's thread takes
    and writes the texts, another one reads the records."""
    command = [program(), *_MANY, *arguments(options)]
    # A file never blocks a program that says much.
    with tempfile.TemporaryFile() as errors:
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, bufsize=_CHUNK, stdin=pipe, stdout=pipe, stderr=errors, env=env)
        assert process.stdin and process.stdout
        found: SimpleQueue[bytes | None] = SimpleQueue()
        reader = Thread(target=_read, args=(process.stdout, found), daemon=True)
        reader.start()
        lines = iter(found.get, None)
        given = got = 0
        is_unchecked = False
        try:
            for given, is_due in _write(texts, process.stdin):
                while got < given and (is_due or not found.empty()):
                    line = next(lines, None)
                    if line is None:
                        break
                    got += 1
                    record = _record(line, got)
                    is_unchecked = is_unchecked or record["valid"] is None
                    yield line, record
            got += sum(1 for _ in lines)
            code = process.wait()
        finally:
            # Nobody takes other reports. A program that is a script may leave others behind, which read on.
            process.kill()
            with suppress(OSError):
                process.stdin.close()
            process.wait()
            reader.join(timeout=1)
        errors.seek(0)
        # 2 is also the code where a text could not be checked, which its record says.
        if code != 0 and not (code == 2 and is_unchecked and got == given):
            raise _failure(code, errors.read())
        if got != given:
            raise RetvalError(f"{got} records for {given} texts")


def _write(texts: Iterable[Text], pipe: IO[bytes]) -> Iterator[Tuple[int, bool]]:
    """Writes each text as a line. Yields how many there are, and whether all of their reports are due."""
    count = 0
    asked = monotonic()
    for count, text in enumerate(texts, 1):
        is_slow = monotonic() - asked > _SLOW
        line = _line(text)
        try:
            pipe.write(line)
            if is_slow:
                pipe.flush()
        except OSError:
            # The program has ended.
            break
        yield count, is_slow
        asked = monotonic()
    with suppress(OSError):
        pipe.close()
    yield count, True


def _read(pipe: IO[bytes], found: SimpleQueue[bytes | None]) -> None:
    with suppress(OSError), pipe:
        for line in pipe:
            # A program that is killed may leave half a record.
            if line.endswith(b"\n"):
                found.put(line)
    found.put(None)


def _line(text: Text) -> bytes:
    """A text as a line of JSON."""
    if isinstance(text, (str, bytes)):
        return _json(text) + b"\n"
    if not isinstance(text, Mapping):
        raise TypeError(f"a text is a string, bytes or a mapping, not {type(text).__name__}")
    return b"{" + b",".join(_json(name) + b":" + _json(value) for name, value in text.items()) + b"}\n"


def _json(value: object) -> bytes:
    if isinstance(value, bytes):
        # Each byte is a character, so bytes that are not UTF-8 stay as they are.
        return json.dumps(value.decode("latin-1"), ensure_ascii=False).encode("latin-1")
    return json.dumps(value).encode("ascii")


def _record(line: bytes, number: int) -> Dict[str, Any]:
    record: Dict[str, Any] = json.loads(line)
    if record.get("line") != number:
        raise RetvalError(f"the record of text {number} is another one: {line[:200]!r}")
    return record


def _failure(code: int, errors: bytes) -> RetvalError:
    """What a program that failed says of it."""
    return RetvalError(errors.decode("utf-8", "replace").strip() or f"retval ended with {code}")


def arguments(options: Mapping[str, object]) -> List[str]:
    """The arguments for options, each in one word, so that a value may begin with ``-``."""
    words: List[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
            words += [f"{flag}={os.fspath(it) if isinstance(it, os.PathLike) else it}" for it in values]
    return words


@lru_cache(maxsize=None)
def program() -> str:
    """The path of the program: of this package, else the first on the ``PATH``.

    Raises:
        FileNotFoundError: there is none.
    """
    name = "retval.exe" if os.name == "nt" else "retval"
    # Where pip puts programs: of this environment, of the user, beside a `--target` folder.
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    folders.append(str(Path(__file__).resolve().parent.parent / "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError("the program retval is neither in this environment nor on the PATH")
    return found
