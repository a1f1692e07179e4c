"""A program in the place of retval that fails in its own way."""

import contextlib
import os
import tempfile
import unittest.mock
from pathlib import Path

import retval


@contextlib.contextmanager
def stand_in(script):
    """Runs a shell script in place of the program. `$RETVAL` is the program."""
    real = retval.program()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "retval")
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        environment = unittest.mock.patch.dict(os.environ, {"RETVAL": real})
        with environment, unittest.mock.patch("retval._check.program", lambda: str(path)):
            yield
