"""The same for ``asyncio``: ``check`` and ``check_many``."""

from __future__ import annotations

import asyncio
import json
import tempfile
from typing import TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, Iterable, List, Union

from ._check import report_of
from ._many import command
from ._options import Text, arguments
from ._process import CHUNK, Records, RetvalTimeout, text_bytes, text_line
from ._program import program
from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CheckOptions

__all__ = ["check", "check_many"]

_PIPE = asyncio.subprocess.PIPE


async def check(text: Union[str, bytes], *, timeout: float | None = None, **options: Unpack[CheckOptions]) -> Report:
    """Checks a return: see ``retval.check``."""
    words = ["check", "--format", "jsonl", *arguments(options), "-"]
    process = await asyncio.create_subprocess_exec(program(), *words, stdin=_PIPE, stdout=_PIPE, stderr=_PIPE)
    try:
        output, errors = await asyncio.wait_for(process.communicate(text_bytes(text)), timeout)
    except asyncio.TimeoutError:
        raise RetvalTimeout(f"the check took more than {timeout} s") from None
    finally:
        process._transport.close()  # type: ignore[attr-defined]
        await process.wait()
    return report_of(await process.wait(), output, errors)


async def check_many(
    texts: Union[Iterable[Text], AsyncIterable[Text]],
    *,
    timeout: float | None = None,
    jobs: int | None = None,
    **options: Unpack[CheckOptions],
) -> AsyncIterator[Report]:
    """Checks any number of texts with one process: see ``retval.check_many``. Each report comes as soon as
    its text is checked, while the next text is waited for."""
    words = command({"jobs": jobs, **options})
    with tempfile.TemporaryFile() as errors:
        process = await asyncio.create_subprocess_exec(*words, stdin=_PIPE, stdout=_PIPE, stderr=errors)
        assert process.stdin and process.stdout
        records = Records()
        source = asyncio.ensure_future(_write(texts, process.stdin))
        try:
            while True:
                try:
                    output = await asyncio.wait_for(_read(process.stdout, source), timeout)
                except asyncio.TimeoutError:
                    raise RetvalTimeout(f"the next report took more than {timeout} s") from None
                if not output:
                    break
                for line in records.feed(output):
                    yield Report(json.loads(line))
            code = await process.wait()
            # Of a program that ended early, the source does not know.
            count = await source if source.done() else None
        finally:
            source.cancel()
            await asyncio.gather(source, return_exceptions=True)
            # Kills the program, if it runs, and closes its pipes: others may hold them, too.
            process._transport.close()  # type: ignore[attr-defined]
            await process.wait()
        errors.seek(0)
        records.end(count, code, errors.read())


async def _read(output: asyncio.StreamReader, source: asyncio.Future[int]) -> bytes:
    """What the program prints next. An error of the source ends the wait."""
    read = asyncio.ensure_future(output.read(CHUNK))
    try:
        while not read.done():
            waited: List[asyncio.Future[Any]] = [read] if source.done() else [read, source]
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if source.done():
                source.result()
        return read.result()
    finally:
        read.cancel()


async def _write(texts: Union[Iterable[Text], AsyncIterable[Text]], pipe: asyncio.StreamWriter) -> int:
    """Writes the texts, and returns how many there were."""
    lines: List[bytes] = []
    count = size = 0
    loop = asyncio.get_running_loop()
    flushes: List[asyncio.Handle] = []

    def flush() -> None:
        flushes.clear()
        pipe.write(b"".join(lines))
        lines.clear()

    try:
        async for text in _each(texts):
            lines.append(text_line(text))
            count += 1
            size += len(lines[-1])
            if size >= CHUNK:
                flush()
                size = 0
                await pipe.drain()
                # Readers have a turn, too.
                await asyncio.sleep(0)
            elif not flushes:
                # Texts that come together are written together, and none waits for the next one.
                flushes.append(loop.call_soon(flush))
        flush()
        await pipe.drain()
    except ConnectionError:
        # The program says why it has ended.
        pass
    finally:
        pipe.close()
    return count


async def _each(texts: Union[Iterable[Text], AsyncIterable[Text]]) -> AsyncIterator[Text]:
    if isinstance(texts, AsyncIterable):
        async for text in texts:
            yield text
    else:
        for text in texts:
            yield text
