"""A model that says what a test tells it to, by the protocols of OpenAI and Anthropic, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from camillo_client.testing.streams import JSON, Call, Say, Step, answer_of

MODELS = {"object": "list", "data": [{"id": "scripted", "object": "model", "created": 1, "owned_by": "test"}]}
SCRIPT_ENDED = {"error": {"message": "the script of this model has no further answer", "type": "script_ended"}}


@dataclass
class ScriptedModel:
    """`url` is for a client of OpenAI, whose `base_url` it is; a client of Anthropic takes `address`.

    Answers Chat Completions, Responses and Messages, whole or as a stream, in the order of the script, from several
    threads one at a time. Without a further answer, it refuses the call with status 400.
    """

    address: str = ""
    # The bodies of the requests that were answered, in their order.
    asked: list[dict[str, Any]] = field(default_factory=list)
    _script: deque[Step] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """The address with the path that clients of OpenAI expect."""
        return f"{self.address}/v1"

    def says(self, *texts: str) -> None:
        """Adds answers in words to the script."""
        self.will(*map(Say, texts))

    def calls(self, tool: str, **arguments: Any) -> None:
        """Adds a call of a tool to the script."""
        self.will(Call(tool, arguments))

    def will(self, *steps: Step) -> None:
        """Adds answers to the script."""
        with self._lock:
            self._script.extend(steps)

    def is_done(self) -> bool:
        """Whether every answer of the script was asked for."""
        return not self._script

    def reset(self) -> None:
        """Forgets the script, and what was asked."""
        with self._lock:
            self._script.clear()
            self.asked = []

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, str, bytes]:
        """Status, content type and content of the answer to a request."""
        with self._lock:
            if not self._script:
                return 400, JSON, json.dumps(SCRIPT_ENDED).encode()
            step = self._script.popleft()
            self.asked.append(body)
        return 200, *answer_of(path, body, step)


class Handler(BaseHTTPRequestHandler):
    """One connection. A subclass has the model."""

    protocol_version = "HTTP/1.1"
    # Headers and content leave in one packet.
    wbufsize = -1
    model: Any

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        self._send(*self.model.answer(self.path, body))

    def do_GET(self) -> None:
        self._send(200, JSON, json.dumps(MODELS).encode())

    def do_HEAD(self) -> None:
        self._send(200, JSON, b"")

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    """A model that listens on a free port of this machine while the block runs."""
    model = ScriptedModel()
    with listening(model) as address:
        model.address = address
        yield model


@contextmanager
def listening(model: object) -> Iterator[str]:
    """The address at which this model answers while the block runs, by its method `answer`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("ModelHandler", (Handler,), {"model": model}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
