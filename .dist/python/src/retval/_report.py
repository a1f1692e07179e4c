"""The report of one check, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple, Type, TypeVar

_Part = TypeVar("_Part")


@dataclass
class Step:
    """One of the six steps. ``outcome`` is ``pass``, ``fail`` or ``skip``."""

    step: str
    outcome: str
    reason: Optional[str] = None


@dataclass
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


@dataclass
class Artifact:
    """A file that the return claims, and what was found in its place."""

    path: Optional[str]
    state: str
    type: Optional[str] = None
    summary: Optional[str] = None
    bytes: Optional[int] = None


@dataclass
class Next:
    """What the orchestrator should do: ``proceed``, ``resume``, ``retry``, ``ask``, ``stop``,
    ``end`` or ``open``."""

    action: str
    agent: Optional[str] = None


@dataclass
class Report:
    """The result of a check. ``record`` is all that ``retval check --format jsonl`` has printed."""

    record: Mapping[str, Any] = field(repr=False)
    #: ``None`` for one of many texts that could not be checked: ``error`` says why.
    valid: Optional[bool]
    error: Optional[str] = None
    #: Whether the return is invalid, and the baseline accepts all that fails it.
    accepted: bool = False
    #: Your name for the text.
    id: Optional[str] = None
    #: The profile that it was checked against.
    profile: Optional[str] = None
    status: Optional[str] = None
    session_id: Optional[str] = None
    agent_type: Optional[str] = None
    summary: Optional[str] = None
    #: A quarter of the characters of the summary.
    summary_tokens: Optional[float] = None
    #: Whether every error is recoverable; ``None`` without errors.
    recoverable: Optional[bool] = None
    next_steps: Optional[str] = None
    next: Optional[Next] = None
    steps: Tuple[Step, ...] = ()
    findings: Tuple[Finding, ...] = ()
    artifacts: Tuple[Artifact, ...] = ()

    @property
    def errors(self) -> Tuple[Finding, ...]:
        """The findings that make the return invalid."""
        return tuple(it for it in self.findings if it.level == "error")

    @property
    def warnings(self) -> Tuple[Finding, ...]:
        """The findings that do not."""
        return tuple(it for it in self.findings if it.level == "warning")


def report(record: Mapping[str, Any]) -> Report:
    members = {**record, "record": record}
    for name, kind in (("steps", Step), ("findings", Finding), ("artifacts", Artifact)):
        members[name] = tuple(_part(kind, it) for it in record.get(name) or ())
    members["next"] = record.get("next") and _part(Next, record["next"])
    return _part(Report, members)


def _part(kind: Type[_Part], members: Mapping[str, Any]) -> _Part:
    """A part of a record. Members that this version does not know stay in the record."""
    known = getattr(kind, "__dataclass_fields__")
    return kind(**{name: value for name, value in members.items() if name in known})
