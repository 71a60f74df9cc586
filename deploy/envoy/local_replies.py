"""Envoy's own refusals as a google.rpc.Status in JSON; where gRPC is spoken they are a status anyway."""

from collections.abc import Mapping
from typing import Any

from grpc import StatusCode

CODES: Mapping[int, StatusCode] = {
    400: StatusCode.INVALID_ARGUMENT,
    404: StatusCode.NOT_FOUND,
    408: StatusCode.DEADLINE_EXCEEDED,
    413: StatusCode.RESOURCE_EXHAUSTED,
    500: StatusCode.INTERNAL,
    502: StatusCode.UNAVAILABLE,
    503: StatusCode.UNAVAILABLE,
    504: StatusCode.UNAVAILABLE,
}
# By then a request in JSON has become one in gRPC, with its own path beside it; what was no call at all has not.
TRANSCODED = {"name": "x-envoy-original-path", "present_match": True}
NOT_GRPC = {
    "name": "content-type",
    "string_match": {"prefix": "application/grpc"},
    "invert_match": True,
    "treat_missing_header_as_empty": True,
}


def local_replies() -> dict[str, Any]:
    """The configuration of Envoy's own answers."""
    return {"mappers": [_mapper(status, code) for status, code in CODES.items()]}


def _mapper(http_status: int, code: StatusCode) -> dict[str, Any]:
    number: int = code.value[0]
    status_is = {"comparison": {"value": {"default_value": http_status, "runtime_key": "unused"}}}
    no_grpc = [{"header_filter": {"header": header}} for header in (TRANSCODED, NOT_GRPC)]
    both = [{"status_code_filter": status_is}, {"or_filter": {"filters": no_grpc}}]
    return {
        "filter": {"and_filter": {"filters": both}},
        "body_format_override": {"json_format": {"code": number, "message": "%LOCAL_REPLY_BODY%"}},
    }
