"""The options of ``retval check``, and the members of a text with expectations of its own."""

from __future__ import annotations

import os
from typing import List, Mapping, Sequence, TypedDict, Union

_Path = Union[str, "os.PathLike[str]"]


class OtherOptions(TypedDict, total=False):
    """Options of ``retval check`` but for its folder and its configuration."""

    agent: str | None
    agent_id: str | None
    baseline: _Path | None
    errors_json: _Path | None
    evidence: str | None
    extract: bool
    fail_fast: bool
    given: Sequence[str]
    group: str | None
    max_bytes: int | str | None
    profile: str | None
    rev: str | None
    #: ``RULE=LEVEL``, such as ``json-wrapped=off``.
    rule: Sequence[str]
    schema: _Path | None
    session: str | None
    since: str | None
    strict: bool | str
    transcript: _Path | None


class CheckOptions(OtherOptions, total=False):
    """Options of ``retval check``. ``None`` is as if the option were left out."""

    #: The folder that artifact paths are relative to.
    root: _Path | None
    #: The ``retval.toml``.
    config: _Path | None
    #: Read no ``retval.toml``.
    no_config: bool


class Expecting(TypedDict, total=False):
    """A text, and what is expected of it alone."""

    session: str | None
    agent: str | None
    root: str | None
    #: Your name for the text: its report has it, too.
    id: str | None


class TextOf(Expecting):
    """A text, and what is expected of it alone. Only ``text`` must be there."""

    text: Union[str, bytes]


#: What is checked: a string as UTF-8, or bytes as they are; or with expectations.
Text = Union[str, bytes, TextOf]


def arguments(options: Mapping[str, object]) -> List[str]:
    """The arguments for options, each in one word, so that a value may begin with ``-``."""
    words: List[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
            continue
        values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        words += [f"{flag}={os.fspath(it) if isinstance(it, os.PathLike) else it}" for it in values]
    return words
