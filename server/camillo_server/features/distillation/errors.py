"""The errors of distillation, as a caller is told them."""

from camillo_server.kernel.errors import DomainError


class DistillationOff(DomainError):
    """No model may be asked about this space."""

    reason = "DISTILLATION_OFF"
    message = "distillation is off here: set distillation.litellm_model and distillation.spaces"


class DistillationUnderWay(DomainError):
    """Another distillation of the space has not ended, or its turns were sent by one that was faster."""

    code, reason = "ABORTED", "DISTILLATION_UNDER_WAY"
    message = "another distillation of this space is under way"


class ModelUnavailable(DomainError):
    """A language model gave no answer."""

    code, reason, retry_after_seconds = "UNAVAILABLE", "MODEL_UNAVAILABLE", 10.0
