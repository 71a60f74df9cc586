"""An S3 in the test's process, and servers that fail in its place."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from urllib.request import Request, urlopen

from tests.http_server import http_server

BUCKET = "artifacts"


def options(endpoint: str, **more: str) -> Mapping[str, str]:
    """Options that open a bucket there, with credentials that nobody has."""
    return {
        "endpoint": endpoint,
        "allow_http": "true",
        "region": "us-east-1",
        "access_key_id": "someone",
        "secret_access_key": "their-secret",
        **more,
    }


@contextmanager
def s3_server() -> Iterator[str]:
    """The address of an S3 that has the bucket."""
    # Takes over a second, which tests of nothing else should not wait for.
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        endpoint = f"http://{host}:{port}"
        urlopen(Request(f"{endpoint}/{BUCKET}", data=b"", method="PUT")).close()  # noqa: S310
        yield endpoint
    finally:
        server.stop()


class FailingS3(BaseHTTPRequestHandler):
    """Answers everything with the same; without a status, only when it is released."""

    status: int
    code: str
    asked: list[str]
    released: threading.Event

    def do_GET(self) -> None:
        self.asked.append(self.command)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.status:
            self.released.wait(30)
            return
        body = f"<Error><Code>{self.code}</Code></Error>".encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_PUT = do_POST = do_DELETE = do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Says nothing."""


class ListingS3(BaseHTTPRequestHandler):
    """Lists these keys in their order, each of 2 bytes."""

    keys: list[str]

    def do_GET(self) -> None:
        contents = "".join(
            f"<Contents><Key>{key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified>"
            "<ETag>x</ETag><Size>2</Size></Contents>"
            for key in self.keys
        )
        body = f"<ListBucketResult><IsTruncated>false</IsTruncated>{contents}</ListBucketResult>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def failing_s3(status: int, code: str = "Failed") -> Iterator[tuple[str, list[str]]]:
    """Its address, and the methods it was asked; a status of 0 never answers."""
    asked: list[str] = []
    released = threading.Event()
    with http_server(FailingS3, status=status, code=code, asked=asked, released=released) as url:
        try:
            yield url, asked
        finally:
            released.set()
