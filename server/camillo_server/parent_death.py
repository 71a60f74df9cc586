"""A process that ends when the one that started it does, even where that is killed without a chance to tell."""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Asks the kernel for SIGTERM at the parent's death. On Linux; elsewhere the process then stays."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
