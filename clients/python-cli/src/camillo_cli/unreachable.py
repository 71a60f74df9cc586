"""Says why no Camillo server answers at an address: how it is written, or what listens there instead."""

import re
import socket
import ssl

from camillo_cli.failures import one_line
from camillo_client.addresses import AddressInvalid, check_address

PROBE_SECONDS = 2.0
# The first bytes from a client of HTTP/2, with an empty SETTINGS frame; a server answers with its own.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
FRAME_HEADER_BYTES, SETTINGS = 9, 4
START = "start one with 'camillo serve', or name another with --address"


def unreachable(address: str, details: str) -> tuple[str, str]:
    """The problem if no server answered a call, and the remedy; `details` are gRPC's."""
    try:
        check_address(address)
    except AddressInvalid as refusal:
        return corrected(refusal)
    if (listener := listener_at(address)) is None:
        return f"no server answers at {address} ({_cause(details)})", START
    if listener == "tls":
        return (
            f"what listens at {address} speaks TLS, and this connection failed",
            "use --tls, or --ca FILE with the authority of its certificate",
        )
    if listener == "http2":
        return (
            f"the server at {address} answers without TLS, and this connection failed",
            "leave out --tls, --ca and --cert, or try again if it is being restarted",
        )
    return f"what listens at {address} is not a Camillo server", START


def corrected(refusal: AddressInvalid) -> tuple[str, str]:
    """The problem with how an address is written, and the remedy."""
    return refusal.problem, f"use --address {refusal.use}{' and --tls' if refusal.tls else ''}"


def listener_at(address: str) -> str | None:
    """`tls`, `http2` or `other` by what answers there; None where nothing does, or the address is no host and port."""
    host, _, port = address.removeprefix("dns:///").rpartition(":")
    if not host or not port.isdecimal():
        return None
    target = (host.strip("[]"), int(port))
    try:
        with socket.create_connection(target, PROBE_SECONDS) as connection:
            if _speaks_http2(connection):
                return "http2"
        with socket.create_connection(target, PROBE_SECONDS) as connection:
            return "tls" if _speaks_tls(connection) else "other"
    except (OSError, OverflowError):
        return None


def _speaks_http2(connection: socket.socket) -> bool:
    try:
        connection.sendall(PREFACE)
        header = connection.recv(FRAME_HEADER_BYTES)
    except OSError:
        return False
    return len(header) == FRAME_HEADER_BYTES and header[3] == SETTINGS


def _speaks_tls(connection: socket.socket) -> bool:
    # Nothing is sent over it: who answers does not matter, only how.
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        context.wrap_socket(connection).close()
    except ssl.SSLError as error:
        # A server that demands a certificate speaks TLS as well.
        return "ALERT" in (error.reason or "")
    except OSError:
        return False
    return True


def _cause(details: str) -> str:
    """The last clause of gRPC's message, which is the meaningful one."""
    tail = re.split(r": ", one_line(details))[-1]
    return re.sub(r"\s*\(\d+\)$", "", tail).rstrip("]") or "unreachable"
