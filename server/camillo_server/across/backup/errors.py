"""Why a backup cannot be taken, checked or restored; each message is one line for the operator."""

from camillo_server.kernel.operator_error import OperatorError


class BackupError(OperatorError):
    """A backup cannot be taken, checked or restored."""


class BackupDamaged(BackupError):
    """The directory is no backup, or not as it was written."""


class RestoreRefused(BackupError):
    """The backup must not be restored here; nothing was changed."""
