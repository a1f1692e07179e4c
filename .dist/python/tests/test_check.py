"""The module, as it is installed: FIXTURES names the fixtures of the project."""

import contextlib
import dataclasses
import io
import json
import os
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

import retval
from stand_in import stand_in

FIXTURES = Path(os.environ["FIXTURES"])
PROJECT = FIXTURES / "project"
README = Path(__file__).resolve().parent.parent / "README.md"
SESSION = "sess_1767225600_k3m9qa"
GOOD = (FIXTURES / "profiles/return/completed-plan.json").read_bytes()
PHANTOM = (FIXTURES / "rules/artifact-not-found/fail/phantom.json").read_bytes()


def printed(*arguments, given=b""):
    done = subprocess.run([retval.program(), *arguments], input=given, capture_output=True)
    return done.stdout


class Check(unittest.TestCase):
    def test_a_valid_return(self):
        report = retval.check(GOOD.decode(), session=SESSION, root=PROJECT)
        self.assertTrue(report.valid)
        self.assertEqual((report.status, report.session_id), ("completed", SESSION))
        self.assertEqual(report.findings, ())
        self.assertEqual([step.outcome for step in report.steps], ["pass"] * 6)
        self.assertEqual(report.artifacts[0].state, "ok")
        self.assertEqual(report.next, retval.Next(action="proceed"))

    def test_an_invalid_return(self):
        report = retval.check(PHANTOM, root=str(PROJECT))
        self.assertFalse(report.valid)
        (finding,) = report.errors
        self.assertEqual(report.warnings, ())
        self.assertEqual((finding.rule, finding.level), ("artifact-not-found", "error"))
        self.assertEqual((finding.pointer, finding.line), ("/artifacts/0/path", 7))

    def test_the_record_is_that_of_the_command(self):
        for given in [GOOD, PHANTOM, b"", b"Done.", b"\xff\x00{", b"\xef\xbb\xbf{}", b"{}\r\n\r", b"[" * 1000]:
            record = printed("check", "--root", PROJECT, "--format", "jsonl", given=given)
            self.assertEqual(retval.check(given, root=PROJECT).record, json.loads(record), given)

    def test_options(self):
        fenced = f"```json\n{GOOD.decode()}\n```"
        self.assertFalse(retval.check(fenced, root=PROJECT).valid)
        report = retval.check(fenced, root=PROJECT, extract=True, rule=["json-wrapped=off", "field-unknown=off"])
        self.assertTrue(report.valid, report)
        # A value that looks like an option, and a switch that is off.
        report = retval.check(GOOD, root=PROJECT, session="--help", strict=False, agent=None)
        self.assertEqual(report.errors[0].rule, "session-mismatch")

    def test_half_a_surrogate_pair_is_an_invalid_return(self):
        self.assertFalse(retval.check('{"status": "\ud800"}').valid)

    def test_what_cannot_be_checked_is_an_error(self):
        for options in [{"sesion": "s"}, {"config": "/no/such/file.toml"}, {"format": "sarif"}]:
            with self.assertRaises(retval.RetvalError) as raised:
                retval.check(GOOD, root=PROJECT, **options)
            self.assertIn("error: ", str(raised.exception))

    def test_every_member_of_the_classes_is_in_the_schema_of_a_report(self):
        text = printed("schema", "--target", "report").decode()
        for kind in [retval.Step, retval.Finding, retval.Artifact, retval.Next, retval.Report]:
            for member in dataclasses.fields(kind):
                if member.name != "record":
                    self.assertIn(f'"{member.name}"', text, kind)

    def test_a_check_that_takes_too_long(self):
        with stand_in("exec sleep 60"):
            began = time.monotonic()
            with self.assertRaises(retval.RetvalTimeout):
                retval.check(GOOD, timeout=0.1)
            self.assertLess(time.monotonic() - began, 30)

    def test_the_version_is_that_of_the_program(self):
        said = printed("--version").decode().split()
        self.assertEqual(retval.__version__, said[1])

    def test_the_example_of_the_readme_prints_the_findings(self):
        example = re.search(r"^```python\n(import retval\n.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
        for text, printed in [(GOOD.decode(), ""), ("Done.", "json-syntax ")]:
            shown = io.StringIO()
            # `root` is relative in it.
            os.chdir(FIXTURES)
            with contextlib.redirect_stdout(shown):
                exec(example[1], {"text": text})
            self.assertEqual(shown.getvalue()[: len(printed) or None], printed)

    def test_the_module_runs_the_program(self):
        done = subprocess.run([sys.executable, "-m", "retval", "--version"], capture_output=True, text=True)
        self.assertRegex(done.stdout, r"^retval \d+\.\d+\.\d+( \([0-9a-f]{12}\+?\))?\n$")


if __name__ == "__main__":
    unittest.main()
