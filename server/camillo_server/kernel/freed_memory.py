"""Memory that this process has freed, for the system."""

import ctypes
import sys

# Names of glibc's `mallopt`. A block of so many bytes is the system's again as soon as it is freed, and so is what is
# free at the end of an arena: by default both bounds grow with the blocks that are freed, up to 32 and 64 MiB in each
# arena.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
BLOCK_BYTES = 4 * 1024 * 1024


def bound_freed_memory() -> None:
    """Bounds the freed memory of a process that serves. Does nothing without glibc."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(M_MMAP_THRESHOLD, BLOCK_BYTES)
        libc.mallopt(M_TRIM_THRESHOLD, BLOCK_BYTES)


def return_freed_memory() -> None:
    """Gives back to the system what this process has freed: pages of an index, or a large body, are freed in small
    parts, and glibc keeps their memory where something above it is still in use. A millisecond or a few; elsewhere than
    with glibc it does nothing."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
