"""What a process may do of the jobs, and how often it tries again."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JobRules:
    """`enabled`: whether this process works on jobs; it defers them in any case. `maintenance_cron`: when every scope is
    maintained, None for never."""

    enabled: bool = True
    concurrency: int = 2
    max_attempts: int = 12
    first_retry_seconds: float = 1.0
    longest_retry_seconds: float = 900.0
    connect_timeout_seconds: float = 2.0
    maintenance_cron: str | None = None
