"""A real HTTP server with the addresses of a model hub, ranges and redirects, and failures on demand."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from tests.http_server import http_server


@dataclass(slots=True)
class Hub:
    """Server of model files by path, which misbehaves as a test wants."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    # Paths asked for, with the header Range.
    requests: list[tuple[str, str]] = field(default_factory=list)
    # A path, and after how many bytes its next answer breaks off.
    breaks: dict[str, int] = field(default_factory=dict)
    tags: bool = True
    ranges: bool = True
    redirects: bool = False

    def publish(self, model_dir: Path, repository: str, model_path: str, revision: str = "main") -> None:
        """Offers a model directory as a repository."""
        for name in ("config.json", "tokenizer.json", "model.onnx"):
            path = model_path if name == "model.onnx" else name
            self.files[f"/{repository}/resolve/{revision}/{path}"] = (model_dir / name).read_bytes()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    hub: Hub

    def do_GET(self) -> None:
        path = self.path.removeprefix("/elsewhere")
        content = self.hub.files.get(path)
        if content is None:
            self.give(404, b"Entry not found", {})
        elif self.hub.redirects and path == self.path:
            self.give(302, b"", {"location": f"/elsewhere{path}"})
        else:
            self.hub.requests.append((path, self.headers.get("range", "")))
            self.content(path, content)

    def content(self, path: str, content: bytes) -> None:
        tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        headers = {"etag": tag} if self.hub.tags else {}
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("range", ""))
        fresh = self.headers.get("if-range", tag) == tag
        if wanted is None or not self.hub.ranges or not fresh:
            self.give(200, content, headers, self.hub.breaks.pop(path, None))
        elif int(wanted[1]) >= len(content):
            self.give(416, b"", {"content-range": f"bytes */{len(content)}"})
        else:
            start = int(wanted[1])
            headers["content-range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
            self.give(206, content[start:], headers, self.hub.breaks.pop(path, None))

    def give(self, status: int, content: bytes, headers: dict[str, str], most: int | None = None) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:most])
        if most is not None:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def hub_server() -> Iterator[Hub]:
    """A hub for as long as the block runs."""
    hub = Hub()
    with http_server(Handler, hub=hub) as hub.url:
        yield hub
