"""Reports of the test runners of all languages, in the form of JUnit, and whether such a runner is here."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Collection


def missing(*programs: str) -> str:
    """The first of these programs that is not here, or nothing."""
    return next((program for program in programs if shutil.which(program) is None), "")


def counted(cases: Collection[ElementTree.Element], code: int) -> dict[str, int]:
    """How many tests passed, failed and were skipped. A run that breaks off with an exit code counts as failed."""
    failed, skipped = (
        sum(any(child.tag in tags for child in case) for case in cases) for tags in (("failure", "error"), ("skipped",))
    )
    counts = {"passed": len(cases) - failed - skipped, "failed": failed, "skipped": skipped}
    return counts if code == 0 else counts | {"failed": max(1, failed)}
