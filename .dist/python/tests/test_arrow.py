"""Arrays and tables of Arrow: FIXTURES names the fixtures of the project."""

import os
import unittest
from pathlib import Path

import pyarrow as pa
import retval
from retval import arrow
from stand_in import stand_in

FIXTURES = Path(os.environ["FIXTURES"])
PROJECT = FIXTURES / "project"
GOOD = (FIXTURES / "profiles/return/completed-plan.json").read_bytes()
HOSTILE = [b"", b"\n", b"{}\n{}\n", b"\xef\xbb\xbf{}", b"\xff\xfe{", b"Done.", "\u2028{}\x85".encode()]


def bare(value):
    """A value without the members that are null: a table has null for what a record leaves out."""
    if isinstance(value, dict):
        return {name: bare(it) for name, it in value.items() if it is not None and name not in ("source", "line")}
    if isinstance(value, list):
        return [bare(it) for it in value]
    return value


def same(report, record):
    """Whether a row says what a record says. The line of a finding is compared, that of a stream is not."""
    return bare(report) == bare(record) and [it["line"] for it in report["findings"]] == [
        it["line"] for it in record["findings"]
    ]


class CheckArrow(unittest.TestCase):
    def test_each_text_gets_the_report_that_it_gets_alone(self):
        files = sorted(FIXTURES.glob("rules/*/*/*.json"))[::5]
        texts = [file.read_bytes() for file in files] + HOSTILE + [None]
        array = pa.array(texts, pa.binary())
        for data in [array, array.cast(pa.large_binary()), pa.chunked_array([array[:9], array[9:]])]:
            checked = arrow.check(data, root=PROJECT)
            self.assertEqual(checked.schema, arrow.SCHEMA)
            for text, row in zip(texts, checked.to_pylist(), strict=True):
                self.assertTrue(same(row, retval.check(text or b"", root=PROJECT).record), text)

    def test_a_table_has_expectations(self):
        columns = {"id": ["a", "b"], "text": [GOOD.decode()] * 2, "session": ["other", None]}
        for data in [pa.table(columns), pa.record_batch(columns)]:
            rows = arrow.check(data, root=PROJECT).select(["id", "valid"]).to_pylist()
            self.assertEqual(rows, [{"id": "a", "valid": False}, {"id": "b", "valid": True}])
        lost = arrow.check(pa.table({"text": ["a", "b"], "root": ["/no/such", None]})).to_pylist()
        self.assertEqual([row["valid"] for row in lost], [None, False])
        self.assertIn("cannot use /no/such", lost[0]["error"])

    def test_no_rows(self):
        self.assertEqual(arrow.check(pa.array([], pa.string())), arrow.SCHEMA.empty_table())

    def test_columns_that_cannot_be_meant(self):
        for data in [
            pa.array([1]),
            pa.table({"answer": ["a"]}),
            pa.table({"text": ["a"], "other": ["b"]}),
            pa.table({"text": ["a"], "id": [1]}),
        ]:
            with self.assertRaises(ValueError):
                arrow.check(data)

    def test_a_program_that_fails_is_told(self):
        with self.assertRaises(retval.RetvalError):
            arrow.check(pa.array(["a"]), config="/no/such/file.toml")
        record = '{"version":1,"source":"-","line":%d,"profile":"return","valid":true}'
        for lines in [[], [1], [2, 1], [1, 1], [1, 2, 3]]:
            printed = "".join(record % line + "\\n" for line in lines)
            with stand_in(f"cat >/dev/null; printf '{printed}'"):
                with self.assertRaises(retval.RetvalError, msg=lines):
                    arrow.check(pa.array(["a", "b"]))


if __name__ == "__main__":
    unittest.main()
