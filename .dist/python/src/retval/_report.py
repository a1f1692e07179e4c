"""The report of one check, as data."""

from dataclasses import dataclass, field, fields
from typing import Any, Dict, Mapping, Optional, Tuple, Type, TypeVar

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


@dataclass(frozen=True)
class Report:
    """The result of a check. ``record`` is all that ``retval check --format jsonl`` has printed."""

    valid: bool
    profile: str
    status: Optional[str] = None
    session_id: Optional[str] = None
    agent_type: Optional[str] = None
    summary_tokens: Optional[float] = None
    next: Optional[Next] = None
    steps: Tuple[Step, ...] = ()
    findings: Tuple[Finding, ...] = ()
    artifacts: Tuple[Artifact, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Report":
        """Makes a report of a record. Members that this version does not know stay in ``record``."""
        parts: Dict[str, Any] = {
            "steps": tuple(_part(Step, it) for it in record["steps"]),
            "findings": tuple(_part(Finding, it) for it in record["findings"]),
            "artifacts": tuple(_part(Artifact, it) for it in record["artifacts"]),
            "record": record,
        }
        if record.get("next") is not None:
            parts["next"] = _part(Next, record["next"])
        return _part(cls, {**record, **parts})

    @property
    def errors(self) -> Tuple[Finding, ...]:
        """The findings that make the return invalid."""
        return tuple(it for it in self.findings if it.level == "error")

    @property
    def warnings(self) -> Tuple[Finding, ...]:
        """The findings that do not."""
        return tuple(it for it in self.findings if it.level == "warning")


def _part(kind: Type[_Part], members: Mapping[str, Any]) -> _Part:
    known = {it.name for it in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in members.items() if name in known})
