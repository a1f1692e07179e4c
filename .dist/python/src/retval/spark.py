"""``retval check`` for a column of a Spark DataFrame. Needs the extra ``spark``.

The package must be installed on every machine of the cluster, and the root and the configuration
must be there under the same paths.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from typing import Any, Union

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame
from pyspark.sql.functions import col, from_json
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from ._check import program, records

def check(
    frame: DataFrame,
    column: str,
    *,
    root: Union[str, os.PathLike[str]],
    into: str = "report",
    config: Union[str, os.PathLike[str], None] = None,
    **options: Any,
) -> DataFrame:
    """Checks each value of a column as one return, and adds the report as a column.

    A value is checked exactly as its bytes are, whatever line ends or invalid UTF-8 it has. A null is
    an empty return, which is invalid. A task in which the program fails, or in which records and
    rows do not agree, fails as a whole, and Spark repeats it: leave out options that write files.

    Args:
        frame: The rows, of Spark or Spark Connect.
        column: A column of strings or binaries.
        root: The folder that artifact paths are relative to: absolute, the same on every machine.
        into: The name of the new column.
        config: A ``retval.toml``, absolute, the same on every machine. Without it there is none:
            executors have other current folders.
        options: Any other option of ``retval check``, with ``_`` in place of ``-``.

    Raises:
        ValueError: a column or path is not as it must be.
    """
    _refuse(frame, column, into)
    given = {**options, "root": _absolute("root", root), "config": config, "no_config": config is None, "jobs": 1}
    if config is not None:
        given["config"] = _absolute("config", config)
    before = frame.columns

    def checked(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            # Bytes of a column of strings need be no valid UTF-8.
            texts = batch.column(column).cast(pa.large_binary()).to_pylist()
            # An environment of its own, because machines have different ones.
            lines = [line.decode() for line, _ in records((text or b"" for text in texts), given, env={})]
            yield pa.RecordBatch.from_arrays([*batch.columns, pa.array(lines, pa.string())], [*before, into])

    found = frame.mapInArrow(checked, StructType([*frame.schema.fields, StructField(into, StringType())]))
    schema = subprocess.run([program(), "schema", "--target", "spark"], check=True, capture_output=True, text=True)
    name = "`" + into.replace("`", "``") + "`"
    report = from_json(col(name), schema.stdout, {"mode": "FAILFAST"})
    return found.withColumn(into, report.dropFields("source", "line", "id"))


def _refuse(frame: DataFrame, column: str, into: str) -> None:
    if frame.columns.count(column) != 1:
        raise ValueError(f"there is not one column {column!r}, but {frame.columns.count(column)}")
    if into in frame.columns:
        raise ValueError(f"there is a column {into!r} already: give another name as `into`")
    kind = frame.schema[column].dataType
    if not isinstance(kind, (StringType, BinaryType)):
        raise ValueError(f"the column {column!r} has the type {kind.simpleString()}, not string or binary")


def _absolute(name: str, path: Union[str, os.PathLike[str]]) -> str:
    path = os.fspath(path)
    if not os.path.isabs(path):
        raise ValueError(f"{name} must be absolute, because executors have other folders: {path!r}")
    return path
