"""The report of one check, as data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Mapping, Optional, Tuple, Type, TypeVar

_Part = TypeVar("_Part")


@dataclass(frozen=True)
class Step:
    """One of the six steps. ``outcome`` is ``pass``, ``fail`` or ``skip``."""

    step: str
    outcome: str
    reason: Optional[str] = None


@dataclass(frozen=True)
class Finding:
    """One place where the return breaks a rule.

    ``level`` is ``error`` or ``warning``. ``line`` and ``column`` count from 1, in characters;
    ``offset`` and ``length`` count bytes.
    """

    rule: str
    level: str
    message: str
    help: Optional[str] = None
    pointer: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    offset: Optional[int] = None
    length: Optional[int] = None
    #: What was probably meant. It is part of ``help``, too.
    suggestion: Optional[str] = None


@dataclass(frozen=True)
class Artifact:
    """A file that the return claims, and what was found in its place."""

    path: Optional[str]
    state: str
    type: Optional[str] = None
    summary: Optional[str] = None
    bytes: Optional[int] = None


@dataclass(frozen=True)
class Next:
    """What the orchestrator should do: ``proceed``, ``resume``, ``retry``, ``ask`` or ``stop``."""

    action: str
    agent: Optional[str] = None


class Report:
    """The result of a check. ``record`` is all that ``retval check --format jsonl`` has printed."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record

    def __repr__(self) -> str:
        rules = ", ".join(it.rule for it in self.findings)
        return f"Report(valid={self.valid}, status={self.status!r}, findings=[{rules}])"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self.record == other.record

    @property
    def valid(self) -> Optional[bool]:
        """``None`` for one of many texts that could not be checked: ``error`` says why."""
        return self._bool("valid")

    @property
    def error(self) -> Optional[str]:
        """Why the text could not be checked."""
        return self._text("error")

    @property
    def id(self) -> Optional[str]:
        """Your name for the text."""
        return self._text("id")

    @property
    def profile(self) -> Optional[str]:
        """The profile that it was checked against."""
        return self._text("profile")

    @property
    def status(self) -> Optional[str]:
        return self._text("status")

    @property
    def session_id(self) -> Optional[str]:
        return self._text("session_id")

    @property
    def agent_type(self) -> Optional[str]:
        return self._text("agent_type")

    @property
    def summary(self) -> Optional[str]:
        return self._text("summary")

    @property
    def summary_tokens(self) -> Optional[float]:
        """A quarter of the characters of the summary."""
        tokens: Optional[float] = self.record.get("summary_tokens")
        return tokens

    @property
    def recoverable(self) -> Optional[bool]:
        """Whether every error is recoverable; ``None`` without errors."""
        return self._bool("recoverable")

    @property
    def next_steps(self) -> Optional[str]:
        return self._text("next_steps")

    @cached_property
    def next(self) -> Next:
        """What the orchestrator should do."""
        return _part(Next, self.record["next"])

    @cached_property
    def steps(self) -> Tuple[Step, ...]:
        return tuple(_part(Step, it) for it in self.record["steps"])

    @cached_property
    def findings(self) -> Tuple[Finding, ...]:
        return tuple(_part(Finding, it) for it in self.record["findings"])

    @cached_property
    def artifacts(self) -> Tuple[Artifact, ...]:
        return tuple(_part(Artifact, it) for it in self.record["artifacts"])

    @property
    def errors(self) -> Tuple[Finding, ...]:
        """The findings that make the return invalid."""
        return tuple(it for it in self.findings if it.level == "error")

    @property
    def warnings(self) -> Tuple[Finding, ...]:
        """The findings that do not."""
        return tuple(it for it in self.findings if it.level == "warning")

    def _text(self, name: str) -> Optional[str]:
        text: Optional[str] = self.record.get(name)
        return text

    def _bool(self, name: str) -> Optional[bool]:
        value: Optional[bool] = self.record.get(name)
        return value


def _part(kind: Type[_Part], members: Mapping[str, Any]) -> _Part:
    """A part of a record. Members that this version does not know stay in the record."""
    known = {it.name for it in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in members.items() if name in known})
