"""Many texts and one process: FIXTURES names the fixtures of the project."""

import asyncio
import itertools
import os
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

import retval
from retval import aio
from stand_in import stand_in

FIXTURES = Path(os.environ["FIXTURES"])
PROJECT = FIXTURES / "project"
GOOD = (FIXTURES / "profiles/return/completed-plan.json").read_bytes()

# What a stream with one return a line would change or lose.
HOSTILE = [
    b"",
    b" ",
    b"\n",
    b"{}\n{}\n",
    b"{}\r\n",
    b"\xef\xbb\xbf{}",
    b"\xff\xfe{",
    b'{"status":"\x00"}',
    b"Done.",
    "Erledigt.\u2028{}\x85".encode(),
    b'{"status":"\xed\xa0\x80"}',
]

# One text is answered, and then the program does not go on.
STUCK = 'head -c 20 >/dev/null; printf \'{"version":1,"source":"-","line":1,"profile":"return","valid":true}\\n\'; exec sleep 60'


def unplaced(report):
    return {**report.record, "line": None}


async def listed(texts, **options):
    return [report async for report in aio.check_many(texts, **options)]


def both(texts, **options):
    """The reports of both ways, which must be the same."""
    texts = list(texts)
    found = list(retval.check_many(iter(texts), **options))
    assert asyncio.run(listed(iter(texts), **options)) == found
    return found


def raised(texts, **options):
    """The errors of both ways."""
    ways = [lambda: list(retval.check_many(texts, **options)), lambda: asyncio.run(listed(texts, **options))]
    for way in ways:
        try:
            yield way()
        except retval.RetvalError as error:
            yield error


class CheckMany(unittest.TestCase):
    def test_each_text_gets_the_report_that_it_gets_alone(self):
        files = sorted(FIXTURES.glob("rules/*/*/*.json"))[::7]
        texts = [file.read_bytes() for file in files] + HOSTILE
        for text, report in zip(texts, both(texts, root=PROJECT)):
            self.assertEqual(unplaced(report), unplaced(retval.check(text, root=PROJECT)), text)
        strings = ["Done.", "\ud800", "ö\n", '{"status":"\ud800"}']
        for text, report in zip(strings, both(strings)):
            self.assertEqual(unplaced(report), unplaced(retval.check(text)), text)

    def test_expectations_of_one_text(self):
        wrong, right, lost, typo = both(
            [
                {"text": GOOD, "session": "other", "id": "a"},
                {"text": GOOD.decode(), "root": str(PROJECT), "session": None},
                {"text": GOOD, "root": "/no/such", "id": "c"},
                {"text": GOOD, "sesion": "s"},
            ],
            root=PROJECT,
        )
        self.assertEqual((wrong.id, wrong.valid, wrong.errors[0].rule), ("a", False, "session-mismatch"))
        self.assertEqual((right.id, right.valid), (None, True))
        self.assertEqual((lost.id, lost.valid), ("c", None))
        self.assertIn("cannot use /no/such as the root", lost.error)
        self.assertIn("unknown field `sesion`", typo.error)
        with self.assertRaises(TypeError):
            list(retval.check_many([5]))

    def test_no_texts(self):
        self.assertEqual(both([]), [])

    def test_an_endless_source_and_a_consumer_that_stops(self):
        before = threading.active_count()
        texts = itertools.repeat(GOOD.decode())
        for count in [0, 1, 5_000]:
            reports = retval.check_many(texts, root=PROJECT)
            self.assertEqual(sum(it.valid for it in itertools.islice(reports, count)), count)
            reports.close()
        self.assertEqual(threading.active_count(), before)

        async def some():
            reports = aio.check_many(texts, root=PROJECT)
            async for report in reports:
                break
            await reports.aclose()
            return report

        self.assertTrue(asyncio.run(some()).valid)

    def test_a_slow_consumer_keeps_memory_flat(self):
        script = """
import itertools, resource, sys, time, retval
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
text = open(sys.argv[1]).read()
for number, report in enumerate(retval.check_many(itertools.repeat(text, 60_000))):
    if number == 100: time.sleep(0.5)
    if number == 10_000: early = peak()
print(peak() - early)
"""
        command = [sys.executable, "-c", script, FIXTURES / "profiles/return/completed-plan.json"]
        done = subprocess.run(command, check=True, capture_output=True)
        self.assertLess(int(done.stdout), 8)

    def test_reports_come_while_the_source_is_slow(self):
        events = []

        def texts():
            for number in range(3):
                time.sleep(0.02)
                events.append(("taken", number))
                yield "Done."

        for number, _ in enumerate(retval.check_many(texts())):
            events.append(("report", number))
        expected = [(what, number) for number in range(3) for what in ("taken", "report")]
        self.assertEqual(events, expected)

        async def lockstep():
            # The next text is there only after the report of the one before.
            answered = asyncio.Queue()
            await answered.put(None)

            async def texts():
                for _ in range(3):
                    await answered.get()
                    yield "Done."

            async for _ in aio.check_many(texts()):
                await answered.put(None)

        asyncio.run(asyncio.wait_for(lockstep(), 60))

    def test_an_error_of_the_source_is_the_callers(self):
        def texts():
            yield from itertools.repeat("Done.", 10_000)
            raise LookupError("mine")

        with self.assertRaisesRegex(LookupError, "mine"):
            list(retval.check_many(texts()))
        with self.assertRaisesRegex(LookupError, "mine"):
            asyncio.run(listed(texts()))

    def test_a_program_that_fails_is_told(self):
        many = ["Done."] * 50_000
        for options in [{"config": "/no/such/file.toml"}, {"sesion": "s"}, {"root": "/no/such"}]:
            for error in raised(many, **options):
                self.assertRegex(str(error), "^error: ")
        for script, said in [
            ("kill -KILL $$", "retval ended with -9"),
            ('"$RETVAL" "$@" | head -c 100000; kill -KILL $$', "retval ended with -9"),
            ('"$RETVAL" "$@" | head -n 10', "ended after 10 records"),
            ('"$RETVAL" "$@" | sed 5d', "the record of text 5 is another one"),
            ("echo full >&2; exit 2", "full"),
        ]:
            with stand_in(script):
                for error in raised(many):
                    self.assertIsInstance(error, retval.RetvalError, script)
                    self.assertRegex(str(error), said)

    def test_a_program_that_takes_too_long(self):
        with stand_in(STUCK):
            for error in raised(["Done.", "Done."], timeout=0.2):
                self.assertIsInstance(error, retval.RetvalTimeout)
                self.assertIsInstance(error, TimeoutError)

    def test_a_program_that_is_missing(self):
        with unittest.mock.patch("retval._many.program", lambda: "/no/such/retval"):
            with self.assertRaises(FileNotFoundError):
                list(retval.check_many(["Done."]))
            with self.assertRaises(FileNotFoundError):
                asyncio.run(listed(["Done."]))


if __name__ == "__main__":
    unittest.main()
