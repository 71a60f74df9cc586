"""Readers of one tenant that send one body again and again, by connections that are kept: a process of its own, at a
lower priority."""

import http.client
import multiprocessing
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection

NICE, TIMEOUT_SECONDS = 5, 60.0
# As a client waits that is told to come back.
RETRY_SECONDS = 0.1
_processes = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Sending:
    """A body for a path, and how many send it at once."""

    path: str
    body: bytes
    readers: int


class Readers:
    """Quiet until something is to be sent."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @contextmanager
    def sending(self, sending: Sending) -> Iterator[Counter[int]]:
        """Sends for as long as the block runs; then the answers are counted by status, and nothing is under way."""
        answers = Counter[int]()
        self._connection.send(sending)
        try:
            yield answers
        finally:
            self._connection.send(None)
            answers.update(self._connection.recv())


@contextmanager
def readers(port: int, secret: str) -> Iterator[Readers]:
    """A process with this key of the readers' tenant."""
    ours, theirs = _processes.Pipe()
    process = _processes.Process(target=_run, args=(port, secret, theirs), daemon=True)
    process.start()
    try:
        ours.recv()
        yield Readers(ours)
    finally:
        process.kill()


def _run(port: int, secret: str, connection: Connection) -> None:
    os.nice(NICE)
    connection.send("ready")
    while True:
        sending: Sending = connection.recv()
        is_over, answers = threading.Event(), list[int]()
        threads = [
            threading.Thread(target=_send, args=(port, secret, sending, is_over, answers))
            for _ in range(sending.readers)
        ]
        for thread in threads:
            thread.start()
        connection.recv()
        is_over.set()
        for thread in threads:
            thread.join()
        connection.send(Counter(answers))


def _send(port: int, secret: str, sending: Sending, is_over: threading.Event, answers: list[int]) -> None:
    headers = {
        "authorization": f"Bearer {secret}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
    }
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    while not is_over.is_set():
        try:
            client.request("POST", sending.path, sending.body, headers)
            answer = client.getresponse()
            answer.read()
            answers.append(answer.status)
        except (http.client.HTTPException, OSError):
            # Refused before it was whole: the server has closed the connection.
            client.close()
            answers.append(0)
        if answers[-1] == 429:
            time.sleep(RETRY_SECONDS)
    client.close()
