"""Scenarios of agents for which nothing is configured: what their callers are told of the record."""

from script import NO_LIMITS, Fail, Say, Scenario, Shell, lead

ANY = ["--profile", "any"]
TEST = """import unittest


class Tides(unittest.TestCase):
    def test_high(self):
        self.assertEqual(1, 2)
"""


def unconfigured(about, *turns, **more):
    told = more.pop("told", True)
    return Scenario(about, lead(**more.pop("lead", {})), {"": list(turns)}, told=told, options=ANY, **more)


SCENARIOS = {
    "receipt-none": unconfigured("makes no call and reports in prose", [Say("I have read three files. All is well.")]),
    "receipt-phantom": unconfigured(
        "reports a file that nobody wrote", [Shell("ls")], [Say("The plan is written to `specs/12/plan.md`.")]
    ),
    "receipt-tests": unconfigured(
        "its tests fail, and it says that they pass",
        [Shell("python3 -m unittest test_tides.py")],
        [Say("The tables are right: all tests pass.")],
        files={"test_tides.py": TEST},
    ),
    "receipt-cut": unconfigured("is cut by the output limit", [Shell("ls")], [Say("The plan has three", is_cut=True)]),
    "receipt-limit": unconfigured(
        "is ended at its turn limit", [Shell("ls")], [Shell("ls")], only=NO_LIMITS, more="maxTurns: 1\n"
    ),
    "receipt-error": unconfigured("the model fails", [Shell("ls")], [Fail()], recorded=1),
    "receipt-nothing": unconfigured("ends without a word", [Shell("ls")], []),
    "receipt-silent": unconfigured("works, and nothing stands out", [Shell("ls")], [Say("There is one folder.")], told=False),
}
