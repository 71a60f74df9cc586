"""Why the embedded Postgres cannot run. Each message is one line for the operator and says what to do."""

from pathlib import Path

from camillo_server.kernel.operator_error import OperatorError


class EmbeddedPostgresError(OperatorError):
    """The embedded Postgres cannot run."""


class DataDirectoryInUse(EmbeddedPostgresError):
    """Another process has the data directory. `holder` is its pid, None if that is not known."""

    def __init__(self, directory: Path, holder: int | None) -> None:
        who = "another process" if holder is None else f"process {holder}"
        super().__init__(
            f"data directory {directory} is in use by {who}: stop it, or give this one another data directory"
        )
        self.holder = holder


class DataDirectoryNotWritable(EmbeddedPostgresError):
    """The data directory cannot be created or written to."""

    def __init__(self, directory: Path, cause: OSError) -> None:
        super().__init__(
            f"data directory {directory} is not writable ({cause.strerror}): "
            "correct its permissions, or choose another data directory"
        )


class DataDirectoryVersionMismatch(EmbeddedPostgresError):
    """The data was written by another major version of Postgres. `found` is None if it is not Postgres data."""

    def __init__(self, directory: Path, found: str | None, expected: int) -> None:
        what = "no Postgres data" if found is None else f"data of Postgres {found}"
        super().__init__(
            f"{directory} holds {what}, this version of Camillo needs Postgres {expected}: "
            "run the version that wrote it, or dump the data and restore it into a new data directory"
        )
        self.found = found


class PostgresStartFailed(EmbeddedPostgresError):
    """Postgres did not come up. The reason is the last line of its log, where it has one."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(f"the embedded Postgres did not start ({reason}): {remedy}")
        self.reason = reason
