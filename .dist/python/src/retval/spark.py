"""``retval check`` for a column of a Spark DataFrame. Needs the extra ``spark``.

The package must be installed on every machine of the cluster, and the root and the configuration
must be there under the same paths.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Union

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from . import arrow

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import OtherOptions

#: The report of a row: it has no id but that of the row.
_REPORT = pa.struct([it for it in arrow.SCHEMA if it.name != "id"])


def check(
    frame: DataFrame,
    column: str,
    *,
    root: Union[str, os.PathLike[str]],
    into: str = "report",
    config: Union[str, os.PathLike[str], None] = None,
    **options: Unpack[OtherOptions],
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
    folder = _absolute("root", root)
    file = None if config is None else _absolute("config", config)
    before = frame.columns

    def checked(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            # An environment of its own, because machines have different ones.
            table = arrow.check(
                batch.column(column), root=folder, config=file, no_config=file is None, jobs=1, env={}, **options
            )
            columns = [table.column(it.name).combine_chunks() for it in _REPORT]
            reports = pa.StructArray.from_arrays(columns, fields=list(_REPORT))
            yield pa.RecordBatch.from_arrays([*batch.columns, reports], [*before, into])

    report = StructField(into, from_arrow_type(_REPORT))
    return frame.mapInArrow(checked, StructType([*frame.schema.fields, report]))


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
