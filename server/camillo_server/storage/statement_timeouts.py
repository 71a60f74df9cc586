"""Time-outs of statements, which Postgres is told for each connection."""

# A deadline is rounded up to one of these, so that a connection rarely needs a new one; the call itself
# ends at its own deadline, and cancels its query then.
TIMEOUT_STEPS_MS = (50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 600_000)


def timeout_step(seconds: float) -> int:
    """The time-out for a call that has so many seconds left, in milliseconds."""
    milliseconds = seconds * 1000
    return next((step for step in TIMEOUT_STEPS_MS if step >= milliseconds), TIMEOUT_STEPS_MS[-1])
