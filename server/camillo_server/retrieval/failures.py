"""What the in-memory index raises."""


class IndexFailed(Exception):
    """The index cannot be trusted or cannot answer: drop it and ask Postgres."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
