"""Checks what AI subagents return, with the program ``retval``."""

from ._check import Option, RetvalError, check
from ._program import program
from ._report import Artifact, Finding, Next, Report, Step

__all__ = [
    "Artifact",
    "Finding",
    "Next",
    "Option",
    "Report",
    "RetvalError",
    "Step",
    "check",
    "program",
]
