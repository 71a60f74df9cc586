"""Where a watch begins."""

from __future__ import annotations

from camillo.v1.consistency_pb2 import Revision


def check_start(resume_token: str, after_revision: Revision | None, from_beginning: bool) -> None:
    """ValueError for a watch that would begin at several places, or nowhere."""
    starts = bool(resume_token) + (after_revision is not None) + from_beginning
    if not starts:
        raise ValueError(
            "a watch has to be told where it begins: from_beginning=True for everything there is and then what changes,"
            " after_revision=... for what changes after an answer, resume_token=... to go on behind a change"
        )
    if starts > 1:
        raise ValueError(
            "a watch begins at one place: give one of resume_token, after_revision and from_beginning"
        )
