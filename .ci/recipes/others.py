"""The recipes for GNU parallel and xargs: every record, in order."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import data
import faults
import manual

FILES = 20_000


class Bench:
    """A folder with one stream, and as many files of one return."""

    def __init__(self, retval, folder):
        self.retval, self.folder = retval, folder
        data.write(folder)
        streams = sorted(folder.glob("returns/*.ndjson"))
        # Nothing but an end of the line keeps two files apart.
        whole = b"\n".join(stream.read_bytes() for stream in streams)
        (folder / "returns.ndjson").write_bytes(whole)
        for stream in streams:
            stream.unlink()
        lines = [line for line in whole.split(b"\n") if data.has_record(line)]
        for number, line in enumerate(lines[:FILES]):
            (folder / f"returns/{number:05}.json").write_bytes(line)
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.provide(None)
        self.stream = self.alone(["--lines"], input=whole)
        self.files = self.alone(sorted(folder.glob("returns/*.json")))

    def alone(self, arguments, **options):
        """What one process says, with all its threads."""
        arguments = [path.relative_to(self.folder) if isinstance(path, Path) else path
                     for path in arguments]
        command = [self.retval, "check", *arguments, "--no-config", "--root", "project"]
        command += ["--profile", "return", "--format", "jsonl", "--exit-zero"]
        output = subprocess.run(command, cwd=self.folder, capture_output=True, check=True, **options)
        return [json.loads(line) for line in output.stdout.split(b"\n")[:-1]]

    def provide(self, kinds):
        """Puts retval, or one that is killed, on the path of the recipes."""
        program = self.bin / "retval"
        program.unlink(missing_ok=True)
        if kinds:
            marks = self.folder / "marks"
            shutil.rmtree(marks, ignore_errors=True)
            faults.write(program, self.retval, marks, kinds)
        else:
            program.symlink_to(self.retval)

    def refuses(self, name, block):
        """Neither without a program nor without the root does a recipe end with 0."""
        (self.bin / "retval").unlink(missing_ok=True)
        missing, said = self.shell(block)
        assert missing != 0 and ("not found" in said or "No such file" in said), (missing, said)
        self.provide(None)
        root = self.folder / "project"
        root.rename(self.folder / "elsewhere")
        nowhere, said = self.shell(block)
        (self.folder / "elsewhere").rename(root)
        assert nowhere != 0 and "cannot use" in said, (nowhere, said)
        print(f"{name}: no program: exit {missing}; no root: exit {nowhere}", flush=True)

    def shell(self, block):
        path = f"{self.bin}:{os.environ['PATH']}"
        ended = subprocess.run(["bash", "-c", block], cwd=self.folder, stdin=subprocess.DEVNULL,
                               env=os.environ | {"PATH": path}, capture_output=True)
        return ended.returncode, ended.stderr.decode(errors="replace")

    def found(self):
        text = (self.folder / "records.jsonl").read_bytes()
        return [json.loads(line) for line in text.split(b"\n")[:-1]]

    def whole_records(self):
        """How many lines of an output are records, and not pieces of one."""
        lines = (self.folder / "records.jsonl").read_bytes().split(b"\n")
        return sum(line.startswith(b"{") and line.endswith(b"}") for line in lines)


def without_place(record):
    findings = [finding | {"line": 0, "offset": 0} for finding in record["findings"]]
    return record | {"line": 0, "findings": findings}


def parallel(bench):
    files, stream = manual.blocks("GNU parallel and xargs", "sh")[:2]
    for name, block, expected in [("files", files, bench.files), ("parts", stream, bench.stream)]:
        bench.provide(None)
        code, said = bench.shell(block)
        assert code == 0, said
        found = bench.found()
        if block is stream:
            found, expected = map(without_place, found), map(without_place, expected)
        found, expected = list(found), list(expected)
        assert found == expected, (len(found), len(expected))
        print(f"parallel, {name}: {len(found)} records of {len(expected)}, in order", flush=True)
        code, _ = bench.shell(block.replace("records.jsonl", "/dev/full"))
        assert code == 1, code
        print(f"parallel, {name}, full disk: exit {code}", flush=True)
        bench.provide(["retval"] * 2)
        code, _ = bench.shell(block)
        assert code == 2, code
        lost = len(expected) - bench.whole_records()
        print(f"parallel, {name}, killed: exit {code}, {lost} records lost", flush=True)
        bench.refuses(f"parallel, {name}", block)
    retried(bench, files, bench.files, "files")
    retried(bench, stream, bench.stream, "parts")


def retried(bench, block, expected, name):
    """What the manual says of --retries: right for files, wrong for parts."""
    bench.provide(["retval"] * 4)
    code, _ = bench.shell(block.replace("--keep-order", "--keep-order --retries 5"))
    lost = len(expected) - bench.whole_records()
    assert (code, lost > 0) == (0, name == "parts"), (code, lost)
    print(f"parallel, {name}, killed, --retries: exit {code}, {lost} records lost", flush=True)


def xargs(bench):
    """One process after the other, and one with a list: a failed write and a killed process are told."""
    _, _, each, listed, count = manual.blocks("GNU parallel and xargs", "sh")
    for name, block, killed in [("xargs", each, 125), ("--files-from", listed, 137)]:
        bench.provide(None)
        code, said = bench.shell(block)
        assert code == 0, said
        assert bench.found() == bench.files, len(bench.found())
        assert bench.shell(count)[0] == 0
        full, _ = bench.shell(block.replace("> records.jsonl", "> /dev/full"))
        assert full in (2, 123), full
        bench.provide(["retval"])
        code, _ = bench.shell(block)
        assert code == killed, code
        assert bench.shell(count)[0] == 1
        print(f"{name}: {len(bench.files)} records, in order; full disk: exit {full}; killed: exit {code}", flush=True)
        bench.refuses(name, block)


def main(retval, folder):
    bench = Bench(retval, folder)
    parallel(bench)
    xargs(bench)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
