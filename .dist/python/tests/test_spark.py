"""A column of a DataFrame, checked by a real Spark: FIXTURES names the fixtures of the project."""

import json
import os
import random
import subprocess
import sys
import unittest
from pathlib import Path

import retval
from pyspark.sql import SparkSession
from pyspark.sql.types import BinaryType, IntegerType, StringType, StructField, StructType
from retval import spark as retval_spark

FIXTURES = Path(os.environ["FIXTURES"]).resolve()
PROJECT = FIXTURES / "project"

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
    "Erledigt.\u2028{}".encode(),
    b'{"status":"\xed\xa0\x80"}',
]


def returns():
    """Returns of the fixtures and hostile ones, in an order that is always the same."""
    files = sorted(FIXTURES.glob("rules/*/*/*.json")) + sorted(FIXTURES.glob("profiles/return/*.json"))
    found = [file.read_bytes() for file in files] + HOSTILE
    random.Random(1).shuffle(found)
    return found


class CheckColumn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The executors run in the same environment.
        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master("local[2]").appName("retval")
        builder = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
        # Partitions have several batches.
        builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
        cls.spark = builder.getOrCreate()
        cls.spark.sparkContext.setLogLevel("OFF")

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def frame(self, values, kind=None):
        fields = [StructField("id", IntegerType()), StructField("answer", kind or BinaryType())]
        rows = [(number, value) for number, value in enumerate(values)]
        return self.spark.createDataFrame(rows, StructType(fields)).repartition(3)

    def reports(self, frame, **options):
        checked = retval_spark.check(frame, "answer", root=PROJECT, **options)
        self.assertEqual(checked.columns, ["id", "answer", "report"])
        rows = checked.orderBy("id").collect()
        return [row["answer"] for row in rows], [row["report"].asDict(recursive=True) for row in rows]

    def expected(self, given, *options):
        command = [retval.program(), "check", "--no-config", "--root", PROJECT, "--format", "jsonl", *options]
        record = json.loads(subprocess.run(command, input=given or b"", capture_output=True, env={}).stdout)
        del record["source"], record["line"]
        return record

    def agree(self, report, record, given):
        """Whether they say the same. Spark has null for what a record leaves out, and JSON text for objects of
        any members."""
        for name, value in record.items():
            found = report[name]
            if isinstance(found, str) and not isinstance(value, str):
                found = json.loads(found)
            self.assertEqual(bare(found), bare(value), (name, given))

    def test_each_value_gets_the_report_of_the_command(self):
        values = returns()
        kept, reports = self.reports(self.frame(values))
        self.assertEqual([bytes(value) for value in kept], values)
        for given, report in zip(values, reports):
            self.agree(report, self.expected(given), given)
        self.assertGreater(sum(report["valid"] for report in reports), 50)

    def test_strings_nulls_and_options(self):
        texts = [(FIXTURES / "profiles/return/completed-plan.json").read_text(), None, "ö\nDone."]
        _, reports = self.reports(self.frame(texts, StringType()), session="another", strict=True)
        for text, report in zip(texts, reports):
            record = self.expected(text and text.encode(), "--session", "another", "--strict")
            self.agree(report, record, text)
        self.assertEqual([report["valid"] for report in reports], [False] * 3)

    def test_no_rows(self):
        self.assertEqual(self.reports(self.frame([])), ([], []))

    def test_a_failure_of_the_program_fails_the_job(self):
        for options in [{"config": "/no/such/file.toml"}, {"sesion": "s"}, {"fail_fast": True, "format": "json"}]:
            with self.assertRaises(Exception) as raised:
                self.reports(self.frame([b"{}"]), **options)
            self.assertIn("RetvalError", str(raised.exception))

    def test_columns_and_paths_that_cannot_be_meant(self):
        frame = self.frame([b"{}"])
        for column, options in [
            ("answers", {"root": PROJECT}),
            ("id", {"root": PROJECT}),
            ("answer", {"root": "project"}),
            ("answer", {"root": PROJECT, "config": "retval.toml"}),
            ("answer", {"root": PROJECT, "into": "id"}),
        ]:
            with self.assertRaises(ValueError, msg=(column, options)):
                retval_spark.check(frame, column, **options)


def bare(value):
    """A value without the members that are null."""
    if isinstance(value, dict):
        return {name: bare(it) for name, it in value.items() if it is not None}
    if isinstance(value, list):
        return [bare(it) for it in value]
    return value


if __name__ == "__main__":
    unittest.main()
