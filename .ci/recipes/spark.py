"""The recipes for Apache Spark, with a real Spark: every record, once, or an error."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pyarrow.dataset

import data
import faults
import manual

LOCAL, RETRYING, CLUSTER = "local[2]", "local[2,4]", "local-cluster[2,1,1024]"
BIN = Path(sys.executable).parent


class Bench:
    """A folder with streams, and what is expected of them."""

    def __init__(self, retval, folder):
        self.retval, self.folder = retval, folder
        self.config = folder / "retval.toml"
        self.config.write_text("[rules]\nsummary-short = \"off\"\n")
        data.write(folder)
        expected = data.expected(retval, folder, self.config)
        self.expected = {place: plain(record) for place, record in expected.items()}

    def run(self, name, command, kinds, config=None, has_retval=True):
        """Runs a program of Spark in a folder of its own; its exit code, output and figures."""
        here = self.folder / "run"
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir()
        shutil.copy(config or self.config, here / "retval.toml")
        marks = here / "marks"
        if kinds:
            faults.write(here / "retval", self.retval, marks, kinds)
        elif has_retval:
            shutil.copy(self.retval, here / "retval")
        started = time.monotonic()
        with open(here / "log", "wb") as log:
            ended = subprocess.run(command(here), cwd=here, stdout=log, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, timeout=570)
        seconds = time.monotonic() - started
        if kinds:
            assert faults.fired(marks) == len(kinds), "not everything was killed"
        print(f"{name}: exit {ended.returncode} after {seconds:.0f} s", flush=True)
        return here, ended.returncode

    def rows(self, here):
        rows = pyarrow.dataset.dataset(here / "records", format="parquet").to_table().to_pylist()
        return [{name: value for name, value in row.items() if value is not None} for row in rows]

    def python(self, master, of_ranges=False, kinds=(), fault="", **changed):
        paths = {"output": None, "root": self.folder / "project"} | changed

        def command(here):
            (here / "check_returns.py").write_text(manual.spark_program(of_ranges))
            arguments = [self.folder / "returns", paths["output"] or here / "records", paths["root"]]
            submit = [BIN / "spark-submit", "--master", master, *CONF, "check_returns.py"]
            return submit + arguments

        way = "ranges" if of_ranges else "whole files"
        name = f"Python, {way}, {master}, {fault or 'killed: ' + (', '.join(kinds) or 'nothing')}"
        return self.run(name, command, kinds, changed.get("config"), changed.get("has_retval", True))

    def scala(self, master, kinds=(), fault="", **changed):
        def command(here):
            paths = {"retval": here / "retval", "config": here / "retval.toml",
                     "root": self.folder / "project", "returns": self.folder / "returns",
                     "output": here / "records"}
            paths |= {name: path for name, path in changed.items() if name in ("root", "output")}
            names = "".join(f"val {name} = {json.dumps(str(path))}\n" for name, path in paths.items())
            failed = "case error: Throwable => println(error); sys.exit(3)"
            (here / "check.scala").write_text(
                f"{names}try {{\n{manual.scala_program()}\nsys.exit(0)\n}} catch {{ {failed} }}\n")
            return [BIN / "spark-shell", "--master", master, *CONF, "-i", "check.scala"]

        name = f"Scala, {master}, {fault or 'killed: ' + (', '.join(kinds) or 'nothing')}"
        return self.run(name, command, kinds, changed.get("config"), changed.get("has_retval", True))

    def holds_all(self, here, code):
        """Every record is there once, in the types of the columns and with all that it says."""
        assert code == 0, (here / "log").read_text(errors="replace")[-4000:]
        rows = self.rows(here)
        found = {}
        for row in rows:
            file = Path(row.pop("file")).name
            lines = self.lines_before(file, row.pop("start"))
            record = moved(row, *lines)
            found[(file, record["line"])] = record
        assert len(rows) == len(found) == len(self.expected), (len(rows), len(self.expected))
        for place, record in self.expected.items():
            assert record == plain(found[place]), place
        print(f"  {len(rows)} records of {len(self.expected)}, each once and equal", flush=True)

    @functools.cache
    def lines_before(self, file, start):
        with open(self.folder / "returns" / file, "rb") as stream:
            return stream.read(start).count(b"\n"), start

    def holds_all_but_places(self, here, code):
        """The same where a record does not say from which part it is."""
        assert code == 0, (here / "log").read_text(errors="replace")[-4000:]
        rows = self.rows(here)
        found = Counter(without_place(row) for row in rows)
        assert found == Counter(without_place(row) for row in self.expected.values())
        print(f"  {len(rows)} records of {len(self.expected)}, each once and equal", flush=True)

    def fails(self, here, code, said, output=None):
        assert code != 0 and not ((output or here / "records") / "_SUCCESS").exists()
        log = (here / "log").read_text(errors="replace")
        assert re.search(said, log), log[-4000:]
        print("  the job failed and says why; nothing was handed over", flush=True)


# One web page less for each run, and what is written stays below the folder of the test.
CONF = ["--conf", "spark.ui.enabled=false"]


def plain(record):
    """Without members that are null, as a table has them."""
    if isinstance(record, dict):
        return {name: plain(value) for name, value in record.items() if value is not None}
    return [plain(item) for item in record] if isinstance(record, list) else record


def moved(record, lines, offset):
    """The record with its places counted from the beginning of the file."""
    if lines or offset:
        record["line"] += lines
        for finding in record["findings"]:
            finding["line"] += lines
            finding["offset"] += offset
    return record


def without_place(record):
    record = plain(record) | {"line": None}
    findings = [finding | {"line": None, "offset": None} for finding in record["findings"]]
    return frozen(record | {"findings": findings})


def frozen(value):
    """The same as a key. A column of doubles has 800.0 where the record says 800: both are equal."""
    if isinstance(value, dict):
        return frozenset((name, frozen(item)) for name, item in value.items())
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def main(retval, folder, full):
    bench = Bench(retval, folder)
    print(f"{len(bench.expected)} records expected", flush=True)
    wrong = folder / "wrong.toml"
    wrong.write_text("no-such-key = 1\n")
    bench.holds_all(*bench.python(LOCAL))
    bench.holds_all(*bench.python(LOCAL, of_ranges=True))
    bench.holds_all_but_places(*bench.scala(LOCAL))
    killed = ["retval", "worker"]
    bench.holds_all(*bench.python(RETRYING, of_ranges=True, kinds=killed))
    killed = ["retval", "worker", "executor"]
    bench.holds_all(*bench.python(CLUSTER, kinds=killed))
    bench.holds_all(*bench.python(CLUSTER, of_ranges=True, kinds=[*killed, "retval"]))
    bench.holds_all_but_places(*bench.scala(CLUSTER, kinds=["retval", "retval"]))
    for way in [bench.python, bench.scala]:
        for master in [LOCAL, CLUSTER]:
            bench.fails(*way(master, fault="a key that is unknown", config=wrong), "no-such-key|status 2")
        nowhere = folder / "nowhere"
        bench.fails(*way(LOCAL, fault="no such root", root=nowhere), "cannot use|status 2")
        missing = "FileNotFound|No such file|status 127"
        bench.fails(*way(LOCAL, fault="no such program", has_retval=False), missing)
        output = full / "records"
        bench.fails(*way(LOCAL, fault="a full disk", output=output), "No space left on device", output)
        shutil.rmtree(output, ignore_errors=True)


if __name__ == "__main__":
    os.environ["PYSPARK_PYTHON"] = sys.executable
    main(*map(Path, sys.argv[1:]))
