"""How the interpreter shares itself among threads."""

import ctypes
import signal
import sys

# Five times as often as by default. The event loop needs many short turns for one call, and waits this long for each of
# them while a thread computes in Python: storing beside a summary of 1 MiB took a quarter longer by the default.
SWITCH_SECONDS = 0.001
PR_SET_PDEATHSIG = 1


def favour_the_event_loop() -> None:
    """For processes that serve; holds for all of the process."""
    sys.setswitchinterval(SWITCH_SECONDS)


def end_with_parent() -> None:
    """Asks the kernel for SIGTERM at the parent's death. On Linux; elsewhere the process then stays."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
