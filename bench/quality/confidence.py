"""What the server says of an answer as a whole."""

import math

from camillo.v1 import memory_service_pb2 as service

CONFIDENCE = "confidence"
IS_KNOWN = CONFIDENCE in service.RecallResponse.DESCRIPTOR.fields_by_name


def confidence_of(answer: service.RecallResponse) -> float:
    """NaN where the contract has no such field."""
    return float(getattr(answer, CONFIDENCE)) if IS_KNOWN else math.nan
