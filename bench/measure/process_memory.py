"""What a process holds in memory."""

import os
from pathlib import Path


def memory_mb(pid: int) -> float:
    """Resident, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError("VmRSS")


def own_memory_mb() -> float:
    """The same of this process."""
    return memory_mb(os.getpid())
