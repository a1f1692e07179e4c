"""Checks what AI subagents return, with the program ``retval``."""

from typing import TYPE_CHECKING

from ._check import CheckOptions, RetvalError, RetvalTimeout, Text, TextOf, check, check_many, program
from ._report import Artifact, Finding, Next, Report, Step

__all__ = [
    "Artifact",
    "CheckOptions",
    "Finding",
    "Next",
    "Report",
    "RetvalError",
    "RetvalTimeout",
    "Step",
    "Text",
    "TextOf",
    "__version__",
    "check",
    "check_many",
    "program",
]

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name):
        # Only who asks for it pays for the import.
        if name == "__version__":
            from importlib.metadata import version

            return version("retval-cli")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
