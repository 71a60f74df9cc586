"""Warnings of the line that called this package, however many of its functions lie between."""

from __future__ import annotations

import sys
import warnings
from types import FrameType

PACKAGE = __name__.partition(".")[0]


def warn_caller(warning: Warning) -> None:
    """Issues a warning of the first line outside of this package."""
    level = 2
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals["__name__"].partition(".")[0] == PACKAGE:
        frame = frame.f_back
        level += 1
    warnings.warn(warning, stacklevel=level)
