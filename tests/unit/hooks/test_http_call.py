"""Answers of the server to a hook, and which of them came too late."""

import socket
import threading

import pytest
from camillo_cli.hooks.endpoint import Endpoint, HookError
from camillo_cli.hooks.http_call import HttpRefused, ServerAway, post

from tests.patience import PATIENCE_SECONDS


def answered_with(status: str) -> type[HookError]:
    """The error of a call that is answered so."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(f"HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n".encode())

        thread = threading.Thread(target=answer)
        thread.start()
        port = listener.getsockname()[1]
        endpoint = Endpoint("127.0.0.1", port, is_encrypted=False, key="", agent="ferret")
        with pytest.raises(HookError) as caught:
            post(endpoint, "/v1/context:bundle", {}, PATIENCE_SECONDS)
        thread.join()
    return caught.type


def test_a_server_that_had_too_little_time_did_not_answer_in_time() -> None:
    assert answered_with("504 Gateway Timeout") is ServerAway
    assert answered_with("403 Forbidden") is HttpRefused
