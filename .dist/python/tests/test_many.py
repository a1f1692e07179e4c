"""Many texts and one process: FIXTURES names the fixtures of the project."""

import itertools
import os
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

import retval
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


def unplaced(report):
    return {**report.record, "line": None}


def checked(texts, **options):
    return list(retval.check_many(texts, **options))


class CheckMany(unittest.TestCase):
    def test_each_text_gets_the_report_that_it_gets_alone(self):
        files = sorted(FIXTURES.glob("rules/*/*/*.json"))[::7]
        texts = [file.read_bytes() for file in files] + HOSTILE
        for text, report in zip(texts, checked(texts, root=PROJECT)):
            self.assertEqual(unplaced(report), unplaced(retval.check(text, root=PROJECT)), text)
        strings = ["Done.", "\ud800", "ö\n", '{"status":"\ud800"}']
        for text, report in zip(strings, checked(strings)):
            self.assertEqual(unplaced(report), unplaced(retval.check(text)), text)

    def test_expectations_of_one_text(self):
        wrong, right, lost, typo = checked(
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
        self.assertEqual(checked([]), [])

    def test_an_endless_source_and_a_consumer_that_stops(self):
        before = threading.active_count()
        texts = itertools.repeat(GOOD.decode())
        for count in [0, 1, 5_000]:
            reports = retval.check_many(texts, root=PROJECT)
            self.assertEqual(sum(it.valid for it in itertools.islice(reports, count)), count)
            reports.close()
        self.assertEqual(threading.active_count(), before)

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

    def test_an_error_of_the_source_is_the_callers(self):
        def texts():
            yield from itertools.repeat("Done.", 10_000)
            raise LookupError("mine")

        with self.assertRaisesRegex(LookupError, "mine"):
            list(retval.check_many(texts()))

    def test_a_program_that_fails_is_told(self):
        many = ["Done."] * 50_000
        for options in [{"config": "/no/such/file.toml"}, {"sesion": "s"}, {"root": "/no/such"}]:
            with self.assertRaisesRegex(retval.RetvalError, "^error: "):
                checked(many, **options)
        for script, said in [
            ("kill -KILL $$", "retval ended with -9"),
            ('"$RETVAL" "$@" | head -c 100000; kill -KILL $$', "retval ended with -9"),
            ('"$RETVAL" "$@" | head -n 10', "^10 records for [0-9]+ texts$"),
            ('"$RETVAL" "$@" | sed 5d', "the record of text 5 is another one"),
            ("echo full >&2; exit 2", "full"),
        ]:
            with stand_in(script):
                with self.assertRaisesRegex(retval.RetvalError, said):
                    checked(many)

    def test_a_program_that_is_missing(self):
        with unittest.mock.patch("retval._check.program", lambda: "/no/such/retval"):
            with self.assertRaises(FileNotFoundError):
                list(retval.check_many(["Done."]))


if __name__ == "__main__":
    unittest.main()
