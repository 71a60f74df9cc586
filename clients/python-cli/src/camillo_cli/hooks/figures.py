"""Counts of what hooks did, by client and day: a file for each, to which every hook adds one letter, so that a prompt
waits for none of it."""

import os
import time
from collections.abc import Mapping

from camillo_formats.user_directory import user_directory

# Outcomes of a prompt, and of the start of a session: context was put before the model, there was none, the server did
# not answer in time, it refused or something else failed.
ANSWERED, EMPTY, MISSED, FAILED = "aemf"
# Outcomes of a transcript: something was recorded, nothing was new, it failed.
RECORDED, NOTHING, UNRECORDED = "rnu"
KEPT_DAYS = 14


def directory_of(environ: Mapping[str, str]) -> str:
    """Where the files are."""
    return os.path.join(user_directory(environ, "XDG_STATE_HOME", ".local/state"), "camillo", "hook-figures")


def count(environ: Mapping[str, str], client: str, letter: str) -> None:
    """Counts what a hook did. Ignores failures of that: a hook does its work all the same."""
    directory = directory_of(environ)
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        path = os.path.join(directory, f"{client}.{_day()}")
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, letter.encode())
        finally:
            os.close(handle)
    except OSError:
        return


def counted(environ: Mapping[str, str], client: str, days: int) -> dict[str, int]:
    """How often each happened in the last days, today being one of them."""
    counts = dict.fromkeys(ANSWERED + EMPTY + MISSED + FAILED + RECORDED + NOTHING + UNRECORDED, 0)
    for back in range(days):
        path = os.path.join(directory_of(environ), f"{client}.{_day(back)}")
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError:
            continue
        for letter in counts:
            counts[letter] += content.count(letter.encode())
    return counts


def prune(environ: Mapping[str, str]) -> None:
    """Removes the files of days that are long over."""
    oldest = _day(KEPT_DAYS)
    directory = directory_of(environ)
    for name in os.listdir(directory) if os.path.isdir(directory) else ():
        if name.rpartition(".")[2] < oldest:
            os.unlink(os.path.join(directory, name))


def _day(back: int = 0) -> str:
    """Today in UTC, or so many days before."""
    today = time.gmtime()
    if not back:
        return time.strftime("%Y-%m-%d", today)
    from datetime import date

    return date.fromordinal(date(*today[:3]).toordinal() - back).isoformat()
