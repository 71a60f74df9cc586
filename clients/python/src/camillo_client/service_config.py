"""What gRPC itself retries: unary calls that do no harm when they arrive twice.

Reads, and mutations: those carry a request id, so that a repetition gets the first answer and writes nothing. Asked again is
what is UNAVAILABLE, and what the server says is CANCELLED: it went away before it took the call. (gRPC repeats nothing that was
cancelled here.) A used-up quota does not come back by asking. Streams are left out: an import has no request id, a
watch resumes by its token, an export would begin anew; an upload and a read of an artifact are gone on with where they
broke. Rebuilding chunks makes the same chunks again; a job that is told twice to be tried, or vectors asked for twice, come
once.
"""

from __future__ import annotations

from importlib.resources import files


def service_config() -> str:
    """The JSON for the channel option `grpc.service_config`: a copy of what the clients of all languages share."""
    return files("camillo_client").joinpath("service_config.json").read_text("utf-8")
