"""A real HTTP server that speaks the OpenAI embeddings API, and fails as it is told to."""

import hashlib
import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np

from tests.http_server import http_server

DIMENSIONS = 16
TOKENS_PER_TEXT = 10

Failure = Callable[["Handler", list[str]], None]


def direction(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """The vector that the server gives a text: the same each time, and not of unit length."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    values = np.random.default_rng(int.from_bytes(digest)).standard_normal(dimensions)
    return [float(value) for value in 3 * values]


def unit(text: str) -> Any:
    """The direction of a text at unit length."""
    values = np.array(direction(text))
    return values / np.linalg.norm(values)


@dataclass(slots=True)
class EmbeddingsServer:
    """Keeps what it is asked, and answers by `orders`; without an order it answers well."""

    url: str = ""
    requests: list[list[str]] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    orders: deque[Failure] = field(default_factory=deque)
    always: Failure | None = None
    running: int = 0
    most_running: int = 0
    # Set while an answer is held back.
    holding: threading.Event = field(default_factory=threading.Event)
    # Set at the end, so that answers held back do not outlive the test.
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def then(self, *failures: Failure) -> None:
        """The next requests are answered so, one after the other."""
        self.orders.extend(failures)

    def next_order(self) -> Failure:
        if self.orders:
            return self.orders.popleft()
        return self.always or well


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    state: EmbeddingsServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = body["input"]
        state = self.state
        with state.lock:
            state.requests.append(texts)
            state.bodies.append(body)
            state.authorizations.append(self.headers.get("authorization", ""))
            state.running += 1
            state.most_running = max(state.most_running, state.running)
            order = state.next_order()
        try:
            order(self, texts)
        finally:
            with state.lock:
                state.running -= 1

    def log_message(self, format: str, *args: Any) -> None:
        pass

    # Headers and content leave in one packet: apart, the second would wait for the first one's receipt.
    wbufsize = -1

    def answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def vectors(self, vectors: list[list[float]], tokens: int | None) -> None:
        """An answer of the API with these vectors."""
        answer: dict[str, Any] = {
            "object": "list",
            "model": "test",
            "data": [
                {"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)
            ],
        }
        if tokens is not None:
            answer["usage"] = {"prompt_tokens": tokens, "total_tokens": tokens}
        self.answer(200, json.dumps(answer).encode())


def well(handler: Handler, texts: list[str]) -> None:
    """A good answer."""
    handler.vectors([direction(text) for text in texts], TOKENS_PER_TEXT * len(texts))


def status(code: int, retry_after: str | None = None) -> Failure:
    """An error of this status, in the API's form."""

    def fail(handler: Handler, texts: list[str]) -> None:
        content = json.dumps({"error": {"message": f"told to answer {code}", "type": "test"}})
        headers = {} if retry_after is None else {"retry-after": retry_after}
        handler.answer(code, content.encode(), headers)

    return fail


def reset(handler: Handler, texts: list[str]) -> None:
    """The connection ends without an answer."""
    handler.close_connection = True
    handler.connection.shutdown(2)


def never(handler: Handler, texts: list[str]) -> None:
    """No answer for as long as the server runs."""
    handler.state.holding.set()
    handler.state.released.wait()
    handler.close_connection = True


def held_until(event: threading.Event) -> Failure:
    """A good answer, once the event is set."""

    def hold(handler: Handler, texts: list[str]) -> None:
        event.wait(30)
        well(handler, texts)

    return hold


def garbage(handler: Handler, texts: list[str]) -> None:
    """Answers with something that is no JSON."""
    handler.answer(200, b"<html>\xff")


def too_few(handler: Handler, texts: list[str]) -> None:
    """A vector is missing."""
    handler.vectors([direction(text) for text in texts[1:]], TOKENS_PER_TEXT)


def not_a_number(handler: Handler, texts: list[str]) -> None:
    """A vector has a NaN."""
    handler.vectors([[float("nan"), *direction(text)[1:]] for text in texts], TOKENS_PER_TEXT)


def too_short(handler: Handler, texts: list[str]) -> None:
    """The vectors are of another dimension."""
    handler.vectors([direction(text)[1:] for text in texts], TOKENS_PER_TEXT)


def without_usage(handler: Handler, texts: list[str]) -> None:
    """Good vectors, and nothing about their tokens."""
    handler.vectors([direction(text) for text in texts], None)


def backwards(handler: Handler, texts: list[str]) -> None:
    """Good vectors with their places, in another order."""
    rows = [{"object": "embedding", "index": index, "embedding": direction(text)} for index, text in enumerate(texts)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    answer = {"object": "list", "model": "test", "data": rows[::-1], "usage": usage}
    handler.answer(200, json.dumps(answer).encode())


@contextmanager
def embeddings_server() -> Iterator[EmbeddingsServer]:
    """A server for as long as the block runs."""
    state = EmbeddingsServer()
    with http_server(Handler, state=state) as address:
        state.url = f"{address}/v1"
        try:
            yield state
        finally:
            state.released.set()
