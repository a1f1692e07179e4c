"""``retval check`` for arrays and tables of Apache Arrow. Needs the extra ``arrow``."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Iterator, List, Mapping, Union

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.json  # type: ignore[import-untyped]

from ._arrow_schema import SCHEMA as _RECORD
from ._many import record_lines
from ._options import Text
from ._process import RetvalError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CheckOptions

__all__ = ["SCHEMA", "check"]

#: The columns of a checked table: a record without what says where in a stream the text was.
SCHEMA = pa.schema([it for it in _RECORD if it.name not in ("source", "line")])

#: The columns that a table of texts may have.
_MEMBERS = ("text", "session", "agent", "root", "id")

#: Records are put into a table together when they are as many bytes.
_BLOCK = 16 * 1024 * 1024


def check(
    data: Union[pa.Array, pa.ChunkedArray, pa.RecordBatch, pa.Table],
    *,
    timeout: float | None = None,
    jobs: int | None = None,
    env: Mapping[str, str] | None = None,
    **options: Unpack[CheckOptions],
) -> pa.Table:
    """Checks each text, and returns a table with a row for each, in the same order.

    A text is checked exactly as its bytes are, whatever line ends or invalid UTF-8 it has. A null is an
    empty return, which is invalid. A text that cannot be checked, because its own ``root`` is missing for
    example, has a row whose ``valid`` is null, and ``error`` says why.

    Args:
        data: An array of strings or binaries; or a table with the column ``text``, and ``session``,
            ``agent``, ``root`` and ``id`` for what is expected of each text alone.
        timeout: The seconds that the program may take for the next reports.
        jobs: The number of threads. The default is one for each core.
        env: The environment of the program. The default is that of this process.
        options: The options of ``retval check``, with ``_`` in place of ``-``.

    Raises:
        ValueError: a column is not as it must be.
        RetvalError: the program failed.
        RetvalTimeout: a report took too long.
        FileNotFoundError: there is no program.
    """
    table = _texts(data)
    tables: List[pa.Table] = []
    block = io.BytesIO()
    for record in record_lines(_rows(table), {"jobs": jobs, **options}, timeout, env):
        block.write(_flat(record))
        block.write(b"\n")
        if block.tell() >= _BLOCK:
            tables.append(_table(block))
            block = io.BytesIO()
    tables.append(_table(block))
    checked = pa.concat_tables(tables)
    if len(checked) != len(table):
        raise RetvalError(f"{len(checked)} rows for {len(table)} texts")
    return checked.combine_chunks()


def _texts(data: Union[pa.Array, pa.ChunkedArray, pa.RecordBatch, pa.Table]) -> pa.Table:
    """The texts as a table, in columns of types that Python reads as bytes and strings."""
    if isinstance(data, (pa.Array, pa.ChunkedArray)):
        data = pa.table({"text": data})
    names = data.schema.names
    for name in names:
        if name not in _MEMBERS or names.count(name) > 1:
            known = ", ".join(_MEMBERS)
            raise ValueError(f"a table of texts has at most one column of each of {known}: {names}")
    if "text" not in names:
        raise ValueError(f"there is no column `text`: {names}")
    columns = {name: _cast(name, data.column(name)) for name in names}
    return pa.table(columns)


def _cast(name: str, values: Union[pa.Array, pa.ChunkedArray]) -> Union[pa.Array, pa.ChunkedArray]:
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    is_binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)
    if not (is_text or name == "text" and is_binary or pa.types.is_null(kind)):
        raise ValueError(f"the column `{name}` has the type {values.type}, not string{' or binary' * (name == 'text')}")
    # Bytes of a column of strings need be no valid UTF-8.
    return values.cast(pa.large_binary() if name == "text" else pa.large_string())


def _rows(table: pa.Table) -> Iterator[Text]:
    names = table.column_names
    for batch in table.to_batches(max_chunksize=1024):
        columns = [column.to_pylist() for column in batch.columns]
        if names == ["text"]:
            yield from (text or b"" for text in columns[0])
            continue
        for row in zip(*columns):
            members = dict(zip(names, row))
            members["text"] = members["text"] or b""
            yield members  # type: ignore[misc]


def _flat(record: bytes) -> bytes:
    """The record with the JSON text of a value in each column of strings that has no string."""
    if _FREE.search(record) is None:
        return record
    members = json.loads(record)
    for name in _STRINGS:
        value = members.get(name)
        if value is not None and not isinstance(value, str):
            members[name] = json.dumps(value)
    return json.dumps(members).encode()


_STRINGS = [it.name for it in _RECORD if it.type == pa.string()]
_FREE = re.compile(b'"(?:%s)":[^"n]' % "|".join(_STRINGS).encode())


def _table(records: io.BytesIO) -> pa.Table:
    size = records.tell()
    if size == 0:
        return SCHEMA.empty_table()
    records.seek(0)
    # A block that holds everything: no record lies in two of them.
    read = pa.json.ReadOptions(block_size=size, use_threads=False)
    parse = pa.json.ParseOptions(explicit_schema=_RECORD, unexpected_field_behavior="error")
    return pa.json.read_json(records, read, parse).select(SCHEMA.names)
