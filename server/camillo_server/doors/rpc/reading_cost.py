"""The cost of reading a request: checking it, and turning it into values. C code checks text and numbers; Python checks
the messages of a list, and every value in JSON, one by one."""

from typing import Any

from camillo_server.kernel.off_loop import fits_loop

# For one byte, as `python -m bench.decisions.request_checks` measures it.
TEXT_MICROSECONDS, LIST_MICROSECONDS, JSON_MICROSECONDS = 1 / 250, 1 / 16, 1 / 8
JSON_TYPES = frozenset({"google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue"})


def reading_microseconds(request: Any) -> float:
    """An estimate of the time; the upper bound for a small request."""
    size: int = request.ByteSize()
    most = size * JSON_MICROSECONDS
    if fits_loop(most):
        return most
    return size * TEXT_MICROSECONDS + _microseconds_of_values(request)


def _microseconds_of_values(message: Any) -> float:
    cost = 0.0
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.is_repeated:
            # Looking at the messages of a list would take a quarter of the time that reading them does: all beside it counts, too.
            whole: float = LIST_MICROSECONDS * message.ByteSize()
            return whole
        if field.message_type.full_name in JSON_TYPES:
            cost += JSON_MICROSECONDS * value.ByteSize()
        else:
            cost += _microseconds_of_values(value)
    return cost
