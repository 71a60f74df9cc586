"""Run as a script of its own: becomes a program of Postgres, as the right user, ending when its parent does.

In a process of its own because the server has threads by the time it starts Postgres again: what runs between
fork and exec in a process with threads may find a lock that nobody will ever open. Uses the standard library alone.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(parent: int, uid: int, gid: int, command: list[str]) -> None:
    """Never returns."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if sys.platform == "linux":
        # After the change of user, which would clear the death signal.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)
    if os.getppid() != parent:  # it died before it could be watched
        sys.exit(1)
    os.execv(command[0], command)  # noqa: S606 (the wheel's program, our arguments)


if __name__ == "__main__":
    parent, uid, gid = map(int, sys.argv[1:4])
    main(parent, uid, gid, sys.argv[4:])
