"""The cost of reading a request: checking it, and turning it into values. C code checks text and numbers; Python checks
the messages of a list, and every value in JSON, one by one."""

from typing import Any

from camillo_server.kernel.off_loop import fits_loop

# Bytes that take as long to read as a character to be looked through for secrets: `python -m bench.decisions.request_checks`.
TEXT_BYTES, LIST_BYTES, JSON_BYTES = 64, 4, 2
JSON_TYPES = frozenset({"google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue"})


def reading_cost(request: Any) -> float:
    """An estimate; the upper bound for a small request."""
    size: int = request.ByteSize()
    most = size / JSON_BYTES
    if fits_loop(most):
        return most
    return size / TEXT_BYTES + _cost_of_values(request)


def _cost_of_values(message: Any) -> float:
    cost = 0.0
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.is_repeated:
            # Looking at the messages of a list would take a quarter of the time that reading them does: all beside it counts, too.
            whole: float = message.ByteSize() / LIST_BYTES
            return whole
        if field.message_type.full_name in JSON_TYPES:
            cost += value.ByteSize() / JSON_BYTES
        else:
            cost += _cost_of_values(value)
    return cost
