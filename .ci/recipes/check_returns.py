# Checks streams on many machines: spark-submit check_returns.py RETURNS OUTPUT ROOT
#
# The current folder has retval and retval.toml, which are sent to the executors. Needs pyspark[sql]. The
# output has the columns of a record, after the file and the offset of the part. If retval fails or is killed,
# the task fails, and Spark repeats it.
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql.functions import from_json

returns, output, root = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
# One part at a time is in memory.
spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 1)
for file in ["retval", "retval.toml"]:
    spark.sparkContext.addFile(file)


def check(batches):
    command = [SparkFiles.get("retval"), "check", "--lines", "--format", "jsonl", "--exit-zero"]
    command += ["-j", "1", "--config", SparkFiles.get("retval.toml")]
    command += ["--profile", "return", "--root", root]
    for batch in batches:
        for part in batch.to_pylist():
            done = subprocess.run(command, input=part["content"], env={}, capture_output=True)
            if done.returncode != 0:
                raise RuntimeError(f"retval ended with {done.returncode}: {done.stderr!r}")
            records = done.stdout.split(b"\n")[:-1]
            lines = sum(bool(line.strip(b" \t\r")) for line in part["content"].split(b"\n"))
            if len(records) != lines:
                raise RuntimeError(f"{len(records)} records of {lines} lines")
            place = [[part["file"]] * lines, [part["start"]] * lines]
            columns = [*place, pa.array(records, pa.string())]
            yield pa.RecordBatch.from_arrays(columns, ["file", "start", "record"])


# All machines see the files under one path. Where they see them only through Spark, read whole files: they
# are in memory 8 to 12 times, and have at most 2 GB.
#     parts = spark.read.format("binaryFile").option("pathGlobFilter", "*.ndjson").load(returns)
#     parts = parts.selectExpr("path AS file", "0L AS start", "content")
RANGE = 16 << 20


def read(batches):
    for batch in batches:
        for part in batch.to_pylist():
            with open(part["file"], "rb") as file:
                # The rest of a line belongs to the range before.
                file.seek(max(part["start"] - 1, 0))
                if part["start"] > 0:
                    file.readline()
                start = file.tell()
                content = file.read(max(part["start"] + RANGE - start, 0))
                if content and not content.endswith(b"\n"):
                    content += file.readline()
            part = {"file": part["file"], "start": start, "content": content}
            yield pa.RecordBatch.from_pylist([part])


files = [str(file) for file in Path(returns).glob("*.ndjson")]
ranges = [(file, at) for file in files for at in range(0, os.path.getsize(file), RANGE)]
parts = spark.createDataFrame(ranges, "file STRING, start BIGINT").repartition(len(ranges))
parts = parts.mapInArrow(read, "file STRING, start BIGINT, content BINARY")

records = parts.mapInArrow(check, "file STRING, start BIGINT, record STRING")
schema = [SparkFiles.get("retval"), "schema", "--target", "spark"]
schema = subprocess.run(schema, check=True, capture_output=True, text=True).stdout
record = from_json("record", schema, {"mode": "FAILFAST"}).alias("record")
records.select("file", "start", record).select("file", "start", "record.*").write.parquet(output)
