"""Where a watch begins."""

from __future__ import annotations

from camillo.v1.consistency_pb2 import Revision


def check_start(resume_token: str, after_revision: Revision | None, from_beginning: bool) -> None:
    """ValueError for a watch that would begin at several places."""
    if bool(resume_token) + (after_revision is not None) + from_beginning > 1:
        raise ValueError("a watch begins at one place: token, revision or beginning")
