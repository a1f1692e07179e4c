"""Streams of returns for the recipes, with all that a reader of text would change."""

import json
import random
import subprocess

FILES = 12
LINES = 17_500  # of each file
PLAN = "specs/plan.md"

# Lines on which readers of text differ from retval. Blank ones have no record.
HOSTILE = [
    b'{"status":"completed","summary":"\xff\xfe invalid UTF-8 \xc3"}',
    b"\xef\xbb\xbf" + b'{"status":"failed"}',
    b'{"status":\r"failed","summary":"a lone CR between tokens"}',
    b'{"status":"failed","summary":"a lone \r in a string"}',
    b'{"status":"failed","summary":"NUL \x00 in a string"}',
    b"\x00",
    b"\x0b\x0c",
    b'{"status":"failed"}\x1c{"status":"failed"}\x1d\x1e',
    '{"status":"failed","summary":"ends of lines: \u0085 \u2028 \u2029"}'.encode(),
    "\u00a0".encode(),
    "\ufeff".encode(),
    b'{"status":"failed","summary":"\\ud800 half a pair"}',
    b"The plan is written.",
    b'{"status":"completed","artifacts":[{"path":"specs/none.md"}]}\r',
    b"",
    b" \t ",
    b"\r",
]


def valid(number):
    session = f"sess_1767225600_{number:06x}"
    summary = "The tide tables are computed for the harbour. The plan names each step."
    return json.dumps({
        "status": "completed",
        "summary": summary,
        "artifacts": [{"type": "plan", "path": PLAN, "summary": "The plan of the tables"}],
        "metadata": {
            "session_id": session,
            "duration_seconds": number % 900,
            "agent_type": f"agent-{number % 7}",
            "delegation_depth": 1,
            "delegation_path": ["orchestrator", f"agent-{number % 7}"],
        },
        "next_steps": "Implement the plan",
    }).encode()


def line(number, chance):
    draw = chance.random()
    if draw < 0.05:
        return chance.choice(HOSTILE)
    if draw < 0.15:
        return valid(number).replace(b'"completed"', b'"done"')
    return valid(number)


def write(folder):
    """Writes the streams: the first without a finding, others hostile, one empty, one with a line
    above the limit of a return, some without an end of the last line."""
    (folder / "returns").mkdir()
    (folder / "project/specs").mkdir(parents=True)
    (folder / "project" / PLAN).write_text("# Plan\n")
    chance = random.Random(1)
    for file in range(FILES):
        first = file * LINES
        numbers = range(first, first + LINES)
        lines = [line(number, chance) if file else valid(number) for number in numbers]
        if file == 1:
            lines[0] = b"\xef\xbb\xbf" + lines[0]
        if file == 2:
            lines[LINES // 2] = b'{"summary":"' + b"x" * (17 << 20) + b'"}'
        end = b"" if file % 3 == 2 else b"\n"
        (folder / f"returns/{file:02}.ndjson").write_bytes(b"\n".join(lines) + end)
    (folder / "returns/none.ndjson").write_bytes(b"")


def has_record(text):
    return bool(text.strip(b" \t\r"))


def expected(retval, folder, config):
    """The records by file and line, from one process for each file."""
    found = {}
    for path in sorted(folder.glob("returns/*.ndjson")):
        command = [retval, "check", "--lines", "--format", "jsonl", "--exit-zero", "-j", "1"]
        command += ["--config", config, "--profile", "return", "--root", folder / "project"]
        content = path.read_bytes()
        output = subprocess.run(command, input=content, env={}, capture_output=True, check=True)
        records = [json.loads(text) for text in output.stdout.split(b"\n")[:-1]]
        assert len(records) == sum(map(has_record, content.split(b"\n"))), path
        found.update({(path.name, record["line"]): record for record in records})
    return found
