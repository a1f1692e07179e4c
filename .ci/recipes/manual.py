"""The recipes, as a reader copies them: those of the manual, and the programs for Apache Spark."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent
PAGE = FOLDER.parents[1] / "src/manual/many-returns.md"


def blocks(heading, language):
    """The code blocks of a section, in order."""
    page = PAGE.read_text(encoding="utf-8")
    _, section = page.split(f"\n### {heading}\n")
    section = re.split(r"\n##+ ", section)[0]
    found = re.findall(rf"```{language}\n(.*?)```\n", section, re.DOTALL)
    if not found:
        raise SystemExit(f"no {language} in {heading}")
    return found


def spark_program(of_ranges):
    """The program as it is, or with the way to make `parts` that its comment names."""
    program = (FOLDER / "check_returns.py").read_text(encoding="utf-8")
    if of_ranges:
        return program
    whole = "".join(line[len("#     "):] for line in program.splitlines(True) if line.startswith("#     "))
    before, after = re.split(r"^RANGE = .*?^parts = .*?\n\n", program, flags=re.MULTILINE | re.DOTALL)
    return f"{before}{whole}\n{after}"


def scala_program():
    return (FOLDER / "check_returns.scala").read_text(encoding="utf-8")
