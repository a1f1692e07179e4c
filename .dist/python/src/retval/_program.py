"""Where the program is."""

import os
import shutil
import sysconfig
from functools import lru_cache
from pathlib import Path
from typing import List

_NAME = "retval.exe" if os.name == "nt" else "retval"


def _folders() -> List[str]:
    """Where pip puts programs: of this environment, of the user, beside a ``--target`` folder."""
    schemes = [sysconfig.get_default_scheme() if hasattr(sysconfig, "get_default_scheme") else None]
    schemes.append(f"{os.name}_user")
    folders = [sysconfig.get_path("scripts", scheme) for scheme in schemes if scheme]
    return [*folders, str(Path(__file__).resolve().parent.parent / "bin")]


@lru_cache(maxsize=None)
def program() -> str:
    """The path of the program: of this package, else the first on the ``PATH``.

    Raises:
        FileNotFoundError: there is none.
    """
    for folder in _folders():
        path = os.path.join(folder, _NAME)
        if os.path.isfile(path):
            return path
    found = shutil.which(_NAME)
    if found is None:
        raise FileNotFoundError("the program retval is neither in this environment nor on the PATH")
    return found
