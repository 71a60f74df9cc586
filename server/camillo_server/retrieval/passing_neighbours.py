"""What stands beside rows in their sessions where what does not pass the filter is as if it were not there."""

import numpy as np
from numpy.typing import NDArray

from camillo_server.retrieval.filtering import Mask
from camillo_server.retrieval.sessions import NONE, STEPS
from camillo_server.retrieval.view import IndexView

Rows = NDArray[np.int64]


def passing_beside(view: IndexView, rows: Rows, passes: Mask, reach: int) -> Rows:
    """The same as Sessions.beside of rows that pass, each once: shape (rows, 2 x reach).

    Takes time for every row of these sessions, once, and not for each that has to be passed over.
    """
    beside = np.full((len(rows), 2 * reach), NONE, np.int64)
    codes = view.arrays["session"][rows]
    within = np.flatnonzero(codes)
    if not len(within):
        return beside
    line = _line(view, codes[within], passes)
    order = np.argsort(line)
    places = reach + order[np.searchsorted(line, rows[within], sorter=order)]
    # Beyond both ends there is nothing, which is in no session.
    padded = np.pad(line, reach, constant_values=NONE)
    sessions = np.pad(view.arrays["session"][line], reach)
    columns = [
        np.where(sessions[near] == codes[within], padded[near], NONE)
        for distance in range(1, reach + 1)
        for near in (places + step * distance for step in STEPS)
    ]
    beside[within] = np.column_stack(columns)
    return beside


def _line(view: IndexView, codes: NDArray[np.uint64], passes: Mask) -> Rows:
    """The rows of these sessions that pass, session after session, each in its order."""
    known = [view.sessions.rows(code) for code in np.unique(codes).tolist()]
    line = np.concatenate(known).astype(np.int64)
    # Others may have been added since the view was made.
    line = line[line < view.count]
    return line[passes[line]]
