"""A real HTTP server that speaks the rerank API of Jina and Cohere, and answers as it is told to."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.http_server import http_server

Answer = Callable[["Handler", list[str]], None]


def score_of(text: str) -> float:
    """The score that the server gives a text: the more of its letters are `a`, the better."""
    return text.count("a") / max(1, len(text))


@dataclass(slots=True)
class RerankServer:
    """Keeps what it is asked, and answers by `orders`; without an order it answers well."""

    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    orders: deque[Answer] = field(default_factory=deque)
    # Set at the end, so that answers held back do not outlive the test.
    released: threading.Event = field(default_factory=threading.Event)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    state: RerankServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.state.bodies.append(body)
        self.state.authorizations.append(self.headers.get("authorization", ""))
        order = self.state.orders.popleft() if self.state.orders else well
        order(self, body["documents"])

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def results(self, scores: dict[int, Any]) -> None:
        """An answer of the API with these scores, the best first."""
        ordered = sorted(scores.items(), key=lambda each: str(each[1]), reverse=True)
        results = [{"index": index, "relevance_score": score} for index, score in ordered]
        usage = {"total_tokens": 10, "prompt_tokens": 10}
        self.answer(200, json.dumps({"id": "1", "results": results, "usage": usage}).encode())


def well(handler: Handler, texts: list[str]) -> None:
    """A good answer."""
    handler.results({index: score_of(text) for index, text in enumerate(texts)})


def says(scores: dict[int, Any]) -> Answer:
    """An answer with these scores."""
    return lambda handler, texts: handler.results(scores)


def fails(status: int) -> Answer:
    """An error of this status."""
    content = json.dumps({"detail": f"told to answer {status}"})
    return lambda handler, texts: handler.answer(status, content.encode())


def never(handler: Handler, texts: list[str]) -> None:
    """No answer for as long as the server runs."""
    handler.state.released.wait()


@contextmanager
def rerank_server() -> Iterator[RerankServer]:
    """A server for as long as the block runs."""
    server = RerankServer()
    with http_server(Handler, state=server) as server.url:
        try:
            yield server
        finally:
            server.released.set()
