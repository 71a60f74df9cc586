"""A command that no Camillo server answers says what is wrong with the address, or what listens there."""

import http.server
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from camillo_cli.unreachable import unreachable

from tests.cli.conftest import Camillo

CASES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "clients" / "addresses.json").read_text("utf-8")
)


class Quiet(http.server.BaseHTTPRequestHandler):
    """Does not log to the standard error of the tests."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def web_server() -> Iterator[str]:
    """The address of a server that speaks HTTP/1 alone."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_foreign_listener_is_told_from_no_listener(camillo: Camillo, web_server: str) -> None:
    code, line = camillo.refused("recall", "tea", "--address", web_server)
    assert (code, f"what listens at {web_server} is not a Camillo server" in line) == (6, True)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        free = f"127.0.0.1:{bound.getsockname()[1]}"
        assert "no server answers at" in camillo.refused("recall", "tea", "--address", free)[1]


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: ascii(case["given"]))
def test_an_address_that_is_written_wrong_is_corrected(case: dict[str, Any]) -> None:
    told = (case["problem"], f"use --address {case['use']}{' and --tls' if case.get('tls') else ''}")
    assert unreachable(case["given"].strip(), "") == told


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("localhost", "has no port: use --address localhost:7070"),
        ("https://localhost:7070", "use --address localhost:7070 and --tls"),
        ("nowhere.invalid:7070", "no server answers at nowhere.invalid:7070 ("),
    ],
)
def test_commands_say_what_is_wrong_with_an_address(camillo: Camillo, address: str, expected: str) -> None:
    done = camillo.run("recall", "tea", "--address", address, "--key", "k")
    assert (done.returncode, expected in done.stderr) == (6, True), done.stderr


def test_the_demo_does_not_take_a_foreign_listener_for_a_server(
    camillo: Camillo, web_server: str, tmp_path: Path
) -> None:
    (tmp_path / "tea.md").write_text("# Tea\n\nAda prefers tea.\n")
    port = web_server.rpartition(":")[2]
    directory = ("--data-dir", str(tmp_path / "data"))
    code, line = camillo.refused("demo", str(tmp_path), "--port", port, *directory)
    assert (code, line) == (1, f"what listens at {web_server} is not a Camillo server: choose another --port")


def test_the_doctor_says_what_is_wrong_with_an_address(camillo: Camillo, web_server: str) -> None:
    for address, expected in (
        (web_server, "is not a Camillo server"),
        ("http://localhost:7070", "without http:// → use --address localhost:7070"),
        (camillo.address, f"serving at {camillo.address}"),
    ):
        [*_, server] = camillo.rows("doctor", "--address", address)
        assert expected in server[2]


def test_tls_to_a_server_without_it_says_so(camillo: Camillo) -> None:
    code, line = camillo.refused("recall", "tea", "--tls")
    assert (code, "answers without TLS" in line) == (6, True), line


def test_failures_are_json_where_json_is_asked_for(camillo: Camillo) -> None:
    done = camillo.run("get", "nothing", "--json")
    failure = json.loads(done.stderr)["error"]
    assert (done.returncode, failure["exit_code"], done.stdout) == (2, 2, "")
    assert failure["message"]


def test_a_blank_text_is_refused_and_a_long_one_has_a_place(camillo: Camillo) -> None:
    told = (2, "memory.content: must contain a visible character")
    for blank in ("  \n ", "\u200b\ufeff"):
        assert camillo.refused("remember", blank) == told
    stored = camillo.json("remember", "\u200btea")["memory_id"]
    assert camillo.refused("update", stored, "--content", "\u3000") == told
    line = camillo.refused("remember", "a" * 30_000)[1]
    assert "split it with 'camillo import FILE'" in line
    assert "'camillo offload'" in line


def test_what_cannot_be_confirmed_is_not_forgotten(camillo: Camillo) -> None:
    camillo("remember", "Ada prefers tea", "--tag", "x")
    code, line = camillo.refused("forget", "--tag", "x")
    assert (code, line) == (2, "this forgets 1 memory permanently: confirm it with --yes")
    assert len(camillo.lines("list")) == 1
    camillo("event", "record", "Where is the tea?", "--session", "s1")
    code, line = camillo.refused("event", "forget", "--session", "s1")
    assert (code, line) == (2, "this forgets 1 event permanently: confirm it with --yes")
    assert len(camillo.lines("event", "list")) == 1
    for command, what in (
        (("artifact", "rm", "a1"), "removes a1"),
        (("artifact", "rm", "a1", "a2"), "removes 2 artifacts"),
        (("view", "delete", "rules"), "removes the view rules"),
        (("recipe", "delete", "mine"), "removes the recipe mine"),
        (("lifecycle", "prune", "--tag", "x"), "removes 1 memory"),
        (("lifecycle", "forget", "--value", "Ada prefers tea"), "forgets 1 memory"),
    ):
        code, line = camillo.refused(*command)
        assert (code, line) == (2, f"this {what} permanently: confirm it with --yes")
    assert len(camillo.lines("list")) == 1


def test_nothing_to_forget_leaves_no_receipt(camillo: Camillo) -> None:
    done = camillo.run("forget", "--tag", "none", "--yes")
    assert (done.stdout, done.stderr) == ("forgot 0 memories\n", "")
    done = camillo.run("event", "forget", "--session", "none", "--yes")
    assert (done.stdout, done.stderr) == ("forgot 0 events\n", "")
    assert camillo.lines("lifecycle", "receipts") == []


def test_a_model_directory_that_does_not_exist_is_named(camillo: Camillo) -> None:
    code, line = camillo.refused("serve", "--model-dir", "/no/such/model")
    assert (code, "'/no/such/model' does not exist" in line) == (2, True), line
