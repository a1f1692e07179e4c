"""The recipes, cut out of the manual: what is tested is what a reader copies."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "src/manual/many-returns.md"


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
    """The program of the manual, as it is or with the other way to make `parts`."""
    program, whole = blocks("Apache Spark", "python")
    if of_ranges:
        return program
    before, after = re.split(r"^RANGE = .*?^parts = .*?\n\n", program, flags=re.MULTILINE | re.DOTALL)
    return f"{before}{whole}\n{after}"
