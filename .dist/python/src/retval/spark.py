"""``retval check`` for a column of a Spark DataFrame. Needs the extra ``spark``.

The package must be installed on every machine of the cluster, and the root and the configuration
must be there under the same paths.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import List, Optional, Union

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame
from pyspark.sql.functions import col, from_json
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from ._check import Option, RetvalError, flags, message
from ._program import program

#: The column that holds a record while it is still JSON.
_RECORD = "__retval_record"


def check(
    frame: DataFrame,
    column: str,
    *,
    root: Union[str, "os.PathLike[str]"],
    into: str = "report",
    config: Union[str, "os.PathLike[str]", None] = None,
    **options: Option,
) -> DataFrame:
    """Checks each value of a column as one return, and adds the report as a column.

    A value is checked exactly as its bytes are, whatever line ends or invalid UTF-8 it has. A null is
    an empty return, which is invalid. A task in which the program fails, or in which records and
    rows do not agree, fails as a whole, and Spark repeats it: leave out options that write files.

    Args:
        frame: The rows.
        column: A column of strings or binaries.
        root: The folder that artifact paths are relative to: absolute, the same on every machine.
        into: The name of the new column.
        config: A ``retval.toml``, absolute, the same on every machine. Without it there is none:
            executors have other current folders.
        options: Any other option of ``retval check``, with ``_`` in place of ``-``.

    Raises:
        ValueError: a column or path is not as it must be.
        RetvalError: the types of the report are not known.
    """
    _refuse(frame, column, into)
    folder = _absolute("root", root)
    options = {**options, "root": folder, "no_config": config is None}
    options["config"] = None if config is None else _absolute("config", config)
    arguments = ["--format", "jsonl", "--exit-zero", "--files-from", "-", "-j", "1", *flags(options)]
    before = frame.columns

    def records(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            answers = _answers(batch.column(column), arguments)
            yield pa.RecordBatch.from_arrays([*batch.columns, answers], [*before, _RECORD])

    schema = StructType([*frame.schema.fields, StructField(_RECORD, StringType())])
    checked = frame.mapInArrow(records, schema)
    report = from_json(col(_RECORD), _types(), {"mode": "FAILFAST"})
    # They would name the file that a value is in while it is checked.
    report = report.dropFields("source", "line")
    return checked.withColumn(into, report).drop(_RECORD)


def _refuse(frame: DataFrame, column: str, into: str) -> None:
    if frame.columns.count(column) != 1:
        raise ValueError(f"there is not one column {column!r}, but {frame.columns.count(column)}")
    if into in frame.columns:
        raise ValueError(f"there is a column {into!r} already: give another name as `into`")
    kind = frame.schema[column].dataType
    if not isinstance(kind, (StringType, BinaryType)):
        raise ValueError(f"the column {column!r} has the type {kind.simpleString()}, not string or binary")


def _absolute(name: str, path: Union[str, "os.PathLike[str]"]) -> str:
    path = os.fspath(path)
    if not os.path.isabs(path):
        raise ValueError(f"{name} must be absolute, because executors have other folders: {path!r}")
    return path


def _types() -> str:
    """The columns of a record, as the program of the driver has them."""
    done = subprocess.run([program(), "schema", "--target", "spark"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise RetvalError(message(done))
    return done.stdout.decode()


def _answers(values: pa.Array, arguments: List[str]) -> pa.Array:
    """One record for each value, in order."""
    # As a file, a value may contain anything. A line of a stream could not contain a line end.
    returns = values.cast(pa.large_binary())
    if len(returns) == 0:
        return pa.array([], pa.string())
    with tempfile.TemporaryDirectory(prefix="retval-") as folder:
        # Without a suffix, so that no file name chooses a profile.
        names = [str(number) for number in range(len(returns))]
        for name, value in zip(names, returns):
            content: Optional[bytes] = value.as_py()
            Path(folder, name).write_bytes(content or b"")
        command = [program(), "check", *arguments]
        listed = "".join(f"{name}\0" for name in names).encode()
        done = subprocess.run(command, input=listed, cwd=folder, env={}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise RetvalError(message(done))
    records = done.stdout.split(b"\n")[:-1]
    if len(records) != len(names):
        raise RetvalError(f"{len(records)} records for {len(names)} rows")
    for name, record in zip(names, records):
        if f'"source":"{name}",'.encode() not in record[:200]:
            raise RetvalError(f"the record for row {name} is another one's: {record[:200]!r}")
    return pa.array(records, pa.string())
