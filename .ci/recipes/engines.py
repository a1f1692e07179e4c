"""The recipes for rows of a table: each engine in a process of its own, as its program stands in the
manual. Every row gets its report; a program that is killed or missing, and a wrong root, fail the run. The recipes write nothing, so no disk can be full."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

import data
import faults
import manual

ROWS = 20_000

# What each program says at its end: the valid rows of the ids.
SAYS = {
    "pyarrow": "found = {row['id']: row['valid'] for row in answers.to_pylist()}",
    "pyspark": "found = {row['id']: row['report']['valid'] for row in answers.collect()}",
}
SAYS["connect"] = SAYS["pyspark"]

RUN = """
import sys
source, says, place = sys.argv[1:]
names = {}
exec(source, names)
exec(says, names)
import json
json.dump({name: bool(valid) for name, valid in names["found"].items()}, open(place, "w"))
"""


class Bench:
    def __init__(self, retval, folder):
        self.retval, self.folder = retval, folder
        (folder / "project/specs").mkdir(parents=True)
        (folder / "bin").mkdir()
        (folder / "project" / data.PLAN).write_text("# Plan\n")
        texts = [data.valid(number).decode() for number in range(ROWS)]
        texts = [text.replace('"completed"', '"done"') if number % 10 == 3 else text for number, text in enumerate(texts)]
        # A line end in each return, and rows that are no return.
        texts = [json.dumps(json.loads(text), indent=1) for text in texts]
        texts[5:8] = [None, "", "Done.\r\n"]
        ids = [str(number) for number in range(ROWS)]
        sessions = [f"sess_1767225600_{number:06x}" for number in range(ROWS)]
        table = pa.table({"id": ids, "answer": texts, "session": sessions})
        pyarrow.parquet.write_table(table, folder / "answers.parquet", row_group_size=ROWS // 4)
        self.expected = {it: int(it) % 10 != 3 and it not in ("5", "6", "7") for it in ids}

    def run(self, engine, source, program, root="project"):
        """Runs a recipe with a program on its path, or none; what it ended with, and what it found."""
        source = source.replace("/shared/project", str(self.folder / root))
        if engine == "connect":
            source = source.replace("SparkSession.builder", 'SparkSession.builder.remote("local[2]")')
        found = self.folder / "found.json"
        found.unlink(missing_ok=True)
        # The workers of each engine have the path of its process, too.
        link = self.folder / "bin/retval"
        link.unlink(missing_ok=True)
        if program:
            link.symlink_to(program)
        environment = os.environ | {
            "PATH": f"{link.parent}:{os.environ['PATH']}",
            "PYSPARK_PYTHON": sys.executable,
        }
        ended = subprocess.run([sys.executable, "-c", RUN, source, SAYS[engine], found], cwd=self.folder,
                               env=environment, capture_output=True, text=True, timeout=500)
        return ended, json.loads(found.read_text()) if found.exists() else None

    def killing(self, name, kind):
        """A retval that kills once, and a folder that tells whether it has."""
        program, marks = self.folder / f"{name}-{kind}", self.folder / f"marks-{name}-{kind}"
        faults.write(program, self.retval, marks, [kind])
        return program, marks

    def holds(self, engine, source):
        ended, found = self.run(engine, source, self.retval)
        assert ended.returncode == 0, ended.stderr[-3000:]
        assert found == self.expected, len(found)
        print(f"{engine}: {len(found)} rows of {ROWS}, each with its report", flush=True)

    def fails(self, engine, source):
        killed, marks = self.killing(engine, "retval")
        for name, program, root, said in [
            ("a retval that is killed", killed, "project", "retval ended with -9"),
            ("a retval that is missing", None, "project", "neither in this environment nor on the PATH"),
            ("a root that is missing", self.retval, "nowhere", "cannot use"),
        ]:
            ended, found = self.run(engine, source, program, root)
            output = ended.stderr + ended.stdout
            assert ended.returncode != 0 and found is None and said in output, output[-3000:]
            print(f"{engine}: {name} fails the run", flush=True)
        assert faults.fired(marks) == 1


def main(retval, folder):
    bench = Bench(retval, folder)
    blocks = manual.blocks("Rows of a table", "python")
    engines = ["pyarrow", "pyspark"]
    assert len(blocks) == len(engines)
    for engine, source in [*zip(engines, blocks), ("connect", blocks[-1])]:
        bench.holds(engine, source)
        bench.fails(engine, source)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
