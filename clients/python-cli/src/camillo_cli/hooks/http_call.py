"""One call of the server by HTTP/1.1 over a socket: `http.client` takes longer to import than the call takes."""

import json
import socket
import time

from camillo_cli.hooks.endpoint import Endpoint, HookError

MAX_ANSWER_BYTES = 64 * 1024 * 1024
READ_BYTES = 65536
# The smallest with three places: the server refuses a time of 0.
MIN_TIMEOUT_SECONDS = 0.001
GATEWAY_TIMEOUT = 504


class ServerAway(HookError):
    """No server answered in time: the same call may succeed later."""


class HttpRefused(HookError):
    """The server answered with a failure; `status` is that of HTTP, `reason` the ErrorReason of the contract or
    empty."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(f"the server answered {status}: {message}")
        self.status = status
        self.reason = reason


def post(endpoint: Endpoint, path: str, request: dict[str, object], timeout_seconds: float) -> dict[str, object]:
    """The answer to a call, which has so many seconds in all. Raises ServerAway and HttpRefused."""
    named = {"agentId": endpoint.agent, **request} if endpoint.is_named else request
    return _called(endpoint, f"POST {path}", json.dumps(named).encode("ascii"), timeout_seconds)


def get(endpoint: Endpoint, path: str, timeout_seconds: float) -> dict[str, object]:
    """The answer to a call without a body, as that of `post`."""
    named = f"{path}{'&' if '?' in path else '?'}agent_id={_escaped(endpoint.agent)}" if endpoint.is_named else path
    return _called(endpoint, f"GET {named}", b"", timeout_seconds)


def _escaped(name: str) -> str:
    """A space's name within an address; of its characters these alone would be read as others."""
    return name.replace("+", "%2B").replace("|", "%7C").replace("=", "%3D")


def _called(endpoint: Endpoint, target: str, body: bytes, timeout_seconds: float) -> dict[str, object]:
    if timeout_seconds <= 0:
        raise ServerAway("no time was left to ask the server")
    deadline = time.monotonic() + timeout_seconds
    head = _head(endpoint, target, len(body), timeout_seconds)
    try:
        with _connected(endpoint, deadline) as connection:
            connection.sendall(head + body)
            return _answer(*_read(connection, deadline))
    except (ValueError, IndexError):
        raise ServerAway(f"{endpoint.host}:{endpoint.port} does not answer by HTTP") from None
    except TimeoutError:
        where = f"{endpoint.host}:{endpoint.port}"
        raise ServerAway(f"no answer from {where} in {timeout_seconds * 1000:.0f} ms") from None
    except OSError as error:
        where = f"{endpoint.host}:{endpoint.port}"
        raise ServerAway(f"{where}: {error.strerror or error}") from error


def _head(endpoint: Endpoint, target: str, length: int, timeout_seconds: float) -> bytes:
    host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
    lines = [
        f"{target} HTTP/1.1",
        f"host: {host}:{endpoint.port}",
        "connection: close",
        "content-type: application/json",
        f"content-length: {length}",
        f"x-request-timeout: {max(timeout_seconds, MIN_TIMEOUT_SECONDS):.3f}",
        # A key that is bound to one agent acts as that agent, whatever this says.
        f"camillo-default-agent: {endpoint.agent}",
    ]
    if endpoint.key:
        lines.append(f"authorization: Bearer {endpoint.key}")
    return "\r\n".join((*lines, "", "")).encode("ascii")


def _connected(endpoint: Endpoint, deadline: float) -> socket.socket:
    # As bytes: else the codec for names that are not ASCII is imported.
    address = (endpoint.host.encode("ascii"), endpoint.port)
    connection = socket.create_connection(address, _left(deadline))  # type: ignore[arg-type]
    # What is sent later must not wait for the acknowledgement of what was sent before.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not endpoint.is_encrypted:
        return connection
    import ssl

    # Its authorities are those of the system, or of SSL_CERT_FILE.
    return ssl.create_default_context().wrap_socket(connection, server_hostname=endpoint.host)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _read(connection: socket.socket, deadline: float) -> tuple[bytes, bytes]:
    """Head and body; the connection ends with the answer, as was asked for."""
    received = bytearray()
    while True:
        connection.settimeout(_left(deadline))
        part = connection.recv(READ_BYTES)
        received += part
        head, separator, body = received.partition(b"\r\n\r\n")
        if separator and _is_complete(bytes(head), body):
            return bytes(head), bytes(body)
        if not part:
            raise ConnectionResetError("the connection ended within the answer")
        if len(received) > MAX_ANSWER_BYTES:
            raise ConnectionResetError("the answer is too long")


def _is_complete(head: bytes, body: bytearray) -> bool:
    length = _header(head, b"content-length")
    if length.isdigit():
        return len(body) >= int(length)
    return body.endswith(b"0\r\n\r\n") or _header(head, b"transfer-encoding") != b"chunked"


def _header(head: bytes, name: bytes) -> bytes:
    for line in head.split(b"\r\n")[1:]:
        found, _, value = line.partition(b":")
        if found.strip().lower() == name:
            return value.strip().lower()
    return b""


def _answer(head: bytes, body: bytes) -> dict[str, object]:
    if _header(head, b"transfer-encoding") == b"chunked":
        body = _joined_chunks(body)
    status = int(head.split(b" ", 2)[1])
    try:
        answer = json.loads(body or b"{}")
    except ValueError:
        answer = {}
    if not isinstance(answer, dict):
        answer = {}
    if status == GATEWAY_TIMEOUT:
        # The server looks at the same clock, and may be the first to say so.
        raise ServerAway("the server needed longer than it had")
    if status != 200:
        message = str(answer.get("message") or "no reason was given")
        raise HttpRefused(status, _reason(answer.get("details")), " ".join(message.split())[:300])
    return answer


def _reason(details: object) -> str:
    for detail in details if isinstance(details, list) else []:
        if isinstance(detail, dict) and "reason" in detail:
            return str(detail["reason"])
    return ""


def _joined_chunks(body: bytes) -> bytes:
    joined = bytearray()
    at = 0
    while True:
        line_end = body.index(b"\r\n", at)
        size = int(body[at:line_end].split(b";")[0], 16)
        if size == 0:
            return bytes(joined)
        joined += body[line_end + 2 : line_end + 2 + size]
        at = line_end + 2 + size + 2
