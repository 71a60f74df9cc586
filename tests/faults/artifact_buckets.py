"""An S3 that fails when it is told to."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from tests.http_server import http_server
from tests.unit.artifacts.s3_server import BUCKET

OF_THE_CONNECTION = {"connection", "transfer-encoding", "content-length", "keep-alive"}
NO_BUCKET = b"<Error><Code>NoSuchBucket</Code></Error>"
BROKEN = b"<Error><Code>InternalError</Code></Error>"


@dataclass
class Bucket:
    """How it is at the moment: "" answers, "broken" says 500, "silent" never answers, "missing" is not there."""

    endpoint: str = ""
    prefix: str = field(default_factory=lambda: uuid4().hex)
    fault: str = ""
    # The number of requests of each method that are still answered.
    spared: dict[str, int] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    released: Event = field(default_factory=Event)

    def fail(self, fault: str, **spared: int) -> None:
        self.fault, self.spared = fault, spared

    def heal(self) -> None:
        self.fault = ""

    def fails(self, method: str) -> bool:
        left = self.spared.get(method, 0)
        if not self.fault or left > 0:
            self.spared[method] = left - 1
            return False
        self.failed.append(method)
        return True

    def settings(self, **more: Any) -> dict[str, Any]:
        """Settings of a server that keeps its bytes in this bucket."""
        return {
            "store_url": f"s3://{BUCKET}/{self.prefix}",
            "store_endpoint": self.endpoint,
            "store_region": "us-east-1",
            "store_access_key_id": "someone",
            "store_secret_access_key": "their-secret",
            "store_timeout_seconds": 0.5,
            **more,
        }


class FaultyS3(BaseHTTPRequestHandler):
    """Hands requests on to a real one, or fails."""

    bucket: Bucket
    behind: str

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.bucket.fails(self.command):
            self._hand_on(body)
        elif self.bucket.fault == "silent":
            self.bucket.released.wait(30)
        elif self.bucket.fault == "missing":
            self._answer(404, {}, NO_BUCKET)
        else:
            self._answer(500, {}, BROKEN)

    do_PUT = do_POST = do_DELETE = do_HEAD = do_GET  # noqa: N815

    def _hand_on(self, body: bytes) -> None:
        connection = HTTPConnection(urlsplit(self.behind).netloc)
        connection.request(self.command, self.path, body, dict(self.headers))
        answer = connection.getresponse()
        self._answer(answer.status, dict(answer.getheaders()), answer.read())
        connection.close()

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in OF_THE_CONNECTION:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def faulty_bucket(behind: str) -> Iterator[Bucket]:
    """A faulty bucket in front of a real one."""
    bucket = Bucket()
    with http_server(FaultyS3, bucket=bucket, behind=behind) as endpoint:
        bucket.endpoint = endpoint
        try:
            yield bucket
        finally:
            bucket.released.set()
