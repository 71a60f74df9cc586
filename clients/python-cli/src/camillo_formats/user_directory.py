"""Directories of the user who runs a program. Next to nothing is imported, as hooks have to start fast."""

import os
from collections.abc import Mapping


def user_directory(environ: Mapping[str, str], variable: str, below_home: str) -> str:
    """A directory of the XDG specification, which takes no relative path for one."""
    stated = environ.get(variable, "")
    if os.path.isabs(stated):
        return stated
    return os.path.join(environ.get("HOME") or os.path.expanduser("~"), below_home)
