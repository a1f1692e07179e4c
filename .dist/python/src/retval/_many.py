"""Any number of texts, checked by one process."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections import deque
from queue import SimpleQueue
from threading import Thread, Timer
from time import monotonic
from typing import IO, TYPE_CHECKING, Deque, Iterable, Iterator, List, Mapping

from ._options import Text, arguments
from ._process import CHUNK, Records, RetvalTimeout, text_line
from ._program import program
from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CheckOptions

#: As many chunks may be written whose records are not read.
_IN_FLIGHT = 4

#: A source that takes as many seconds for a text gets its report before it is asked for another one.
_SLOW = 0.005


def check_many(
    texts: Iterable[Text],
    *,
    timeout: float | None = None,
    jobs: int | None = None,
    **options: Unpack[CheckOptions],
) -> Iterator[Report]:
    """Checks any number of texts with one process, and yields their reports in the same order.

    Texts are taken as reports are: both may be endless. A text that cannot be checked, because its own
    ``root`` is missing for example, has a report whose ``valid`` is ``None``, and ``error`` says why.

    Args:
        texts: Strings, bytes, or mappings with a ``text`` and what is expected of it alone.
        timeout: The seconds that the program may take for the next reports.
        jobs: The number of threads. The default is one for each core.
        options: The options of ``retval check``, with ``_`` in place of ``-``.

    Raises:
        RetvalError: the program failed. The reports before are right.
        RetvalTimeout: a report took too long.
        FileNotFoundError: there is no program.
    """
    for line in record_lines(texts, {"jobs": jobs, **options}, timeout):
        yield Report(json.loads(line))


def command(options: Mapping[str, object]) -> List[str]:
    """The command that reads texts and writes records, both line by line."""
    fixed = ["check", "--lines=texts", "--format", "jsonl", "--exit-zero"]
    return [program(), *fixed, *arguments(options)]


def record_lines(
    texts: Iterable[Text],
    options: Mapping[str, object],
    timeout: float | None = None,
    env: Mapping[str, str] | None = None,
) -> Iterator[bytes]:
    """The record of each text, in order, as the program prints it."""
    # A file never blocks a program that says much.
    with tempfile.TemporaryFile() as errors:
        pipe = subprocess.PIPE
        process = subprocess.Popen(command(options), stdin=pipe, stdout=pipe, stderr=errors, bufsize=0, env=env)
        assert process.stdin and process.stdout
        source = _Source(texts)
        writer = Thread(target=source.write, args=(process.stdin,), daemon=True)
        writer.start()
        records = Records()
        output = _Output(process, timeout)
        try:
            ready: Deque[bytes] = deque()
            for due in source.due():
                while due and (ready or output.is_open):
                    if ready:
                        due -= 1
                        yield ready.popleft()
                    else:
                        ready.extend(records.feed(output.read()))
                if due:
                    break
            while output.is_open:
                records.feed(output.read())
        except BaseException:
            # Nobody takes the other reports.
            process.kill()
            raise
        finally:
            source.close()
            # A program that is a script may leave others behind: they find a closed pipe.
            process.stdout.close()
            code = process.wait()
            writer.join(timeout=1)
        errors.seek(0)
        records.end(source.count, code, errors.read())


class _Source:
    """The texts, and the chunks of lines that they become. The caller's thread takes the texts, another
    one writes the chunks: the program may take no more before its records are read."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self._texts = texts
        self._chunks: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: List[bytes] = []
        self.count = 0

    def due(self) -> Iterator[int]:
        """How many records are to be read next. In between, it takes texts."""
        in_flight: Deque[int] = deque()
        texts = iter(self._texts)
        size = 0
        asked = monotonic()
        for text in texts:
            is_slow = monotonic() - asked > _SLOW
            line = text_line(text)
            self._lines.append(line)
            size += len(line)
            if is_slow or size >= CHUNK:
                in_flight.append(self._flush())
                size = 0
            if is_slow:
                yield sum(in_flight)
                in_flight.clear()
            elif len(in_flight) > _IN_FLIGHT:
                yield in_flight.popleft()
            asked = monotonic()
        in_flight.append(self._flush())
        self.close()
        yield sum(in_flight)

    def _flush(self) -> int:
        count = len(self._lines)
        self._chunks.put(b"".join(self._lines))
        self._lines.clear()
        self.count += count
        return count

    def close(self) -> None:
        self._chunks.put(None)

    def write(self, pipe: IO[bytes]) -> None:
        """Writes the chunks until the source is closed, or the program has ended."""
        with pipe:
            for chunk in iter(self._chunks.get, None):
                rest = memoryview(chunk)
                try:
                    while rest:
                        rest = rest[pipe.write(rest) :]
                except OSError:
                    return


class _Output:
    """What the program prints."""

    def __init__(self, process: subprocess.Popen[bytes], timeout: float | None) -> None:
        self._process = process
        self._timeout = timeout
        self._is_late = False
        self.is_open = True

    def read(self) -> bytes:
        """What is there, or comes next. Nothing at the end."""
        assert self._process.stdout
        if self._timeout is None:
            output = self._process.stdout.read(CHUNK)
        else:
            timer = Timer(self._timeout, self._stop)
            timer.start()
            try:
                output = self._process.stdout.read(CHUNK)
            finally:
                timer.cancel()
            if self._is_late:
                raise RetvalTimeout(f"the next report took more than {self._timeout} s")
        self.is_open = bool(output)
        return output

    def _stop(self) -> None:
        self._is_late = True
        self._process.kill()
