"""What this process holds in memory."""

from pathlib import Path


def own_memory_mb() -> float:
    """Resident, in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError("VmRSS")
