"""A real HTTP server that speaks the OpenAI chat completions API, and answers as it is told to."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.http_server import http_server

TOKENS = 100

Answer = Callable[["Handler", list[str]], None]


@dataclass(slots=True)
class ChatServer:
    """Keeps what it is asked, and answers by `orders`; without an order it answers with all that it was told."""

    url: str = ""
    notes: list[list[str]] = field(default_factory=list)
    bodies: list[Mapping[str, Any]] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    orders: deque[Answer] = field(default_factory=deque)
    always: Answer | None = None
    # Set at the end, so that answers held back do not outlive the test.
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_order(self) -> Answer:
        if self.orders:
            return self.orders.popleft()
        return self.always or well


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    state: ChatServer
    # Headers and content leave in one packet: apart, the second would wait for the first one's receipt.
    wbufsize = -1

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        notes = json.loads(body["messages"][-1]["content"])
        with self.state.lock:
            self.state.bodies.append(body)
            self.state.notes.append(notes)
            self.state.authorizations.append(self.headers.get("authorization", ""))
            order = self.state.next_order()
        order(self, notes)

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def complete(self, text: object, tokens: int | None = TOKENS, reason: str = "stop") -> None:
        """An answer of the API with this text."""
        message = {"role": "assistant", "content": text}
        answer: dict[str, Any] = {
            "id": "chat-1",
            "object": "chat.completion",
            "created": 0,
            "model": "test",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        }
        if tokens is not None:
            answer["usage"] = {"prompt_tokens": tokens - 1, "completion_tokens": 1, "total_tokens": tokens}
        self.answer(200, json.dumps(answer).encode())


def well(handler: Handler, notes: list[str]) -> None:
    """Answers with all that was told, in one line."""
    handler.complete(" ".join(notes))


def says(text: object, tokens: int | None = TOKENS, reason: str = "stop") -> Answer:
    """Answers with this text, whatever was asked."""
    return lambda handler, notes: handler.complete(text, tokens, reason)


def fails(status: int) -> Answer:
    """An error of this status, in the API's form."""
    content = json.dumps({"error": {"message": f"told to answer {status}", "type": "test"}})
    return lambda handler, notes: handler.answer(status, content.encode())


def garbage(handler: Handler, notes: list[str]) -> None:
    """Answers with something that is no JSON."""
    handler.answer(200, b"<html>\xff")


def no_choice(handler: Handler, notes: list[str]) -> None:
    """An answer without any text."""
    handler.answer(200, json.dumps({"id": "x", "object": "chat.completion", "choices": []}).encode())


def never(handler: Handler, notes: list[str]) -> None:
    """No answer for as long as the server runs."""
    handler.state.released.wait()
    handler.close_connection = True


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """A server for as long as the block runs."""
    state = ChatServer()
    with http_server(Handler, state=state) as address:
        state.url = f"{address}/v1"
        try:
            yield state
        finally:
            state.released.set()
