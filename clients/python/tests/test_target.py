"""Where a client connects, and how."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
from clients.python.tests.fake_server import FakeServer

from camillo_client import AsyncCamillo, Tls
from camillo_client.target import Target, resolved_address, resolved_key


def test_an_address_is_given_or_in_the_environment_or_local() -> None:
    environment = {"CAMILLO_ADDRESS": "example:1"}
    assert resolved_address("other:2", environment) == "other:2"
    assert resolved_address(None, environment) == "example:1"
    assert resolved_address(None, {}) == "localhost:7070"


def test_a_key_is_given_or_in_the_environment_or_none() -> None:
    environment = {"CAMILLO_KEY": "secret\n"}
    assert resolved_key("given", environment) == "given"
    assert resolved_key(None, environment) == "secret"
    assert resolved_key("", environment) == resolved_key(None, {}) == ""


def test_space_around_an_address_is_none_of_it() -> None:
    assert resolved_address(" a:1\r\n", {}) == resolved_address(None, {"CAMILLO_ADDRESS": "a:1\n"})


@pytest.mark.parametrize("key", ["s3cr\net", "s3cr\0et", "s3crét", "s3cr\x7fet", "\N{NO-BREAK SPACE}s3\u200b"])
def test_a_key_that_no_header_carries_is_refused_without_being_told(key: str) -> None:
    with pytest.raises(ValueError, match="printable") as raised:
        AsyncCamillo.connect("localhost:1", key=key)
    assert "s3" not in str(raised.value)


async def test_connect_reads_the_environment(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAMILLO_ADDRESS", server.address)
    monkeypatch.setenv("CAMILLO_KEY", "from-environment")
    async with AsyncCamillo.connect() as client:
        await client.who_am_i()
    assert server.desk.calls[0].metadata["authorization"] == "Bearer from-environment"


def test_options_follow_the_target() -> None:
    tls = Tls(server_name="camillo.example")
    options = dict(Target("a:1", tls, max_message_bytes=7, keepalive_seconds=1.5).options())
    assert options["grpc.max_send_message_length"] == 7
    assert options["grpc.max_receive_message_length"] == 7
    assert options["grpc.keepalive_time_ms"] == 1500
    assert options["grpc.ssl_target_name_override"] == "camillo.example"
    assert "grpc.ssl_target_name_override" not in dict(Target("a:1").options())


def test_certificates_are_bytes_or_files(tmp_path: Path) -> None:
    pem = tmp_path / "root.pem"
    pem.write_bytes(b"pem")
    for source in (b"pem", pem, str(pem), None):
        assert isinstance(Tls(source).credentials(), grpc.ChannelCredentials)
    with pytest.raises(FileNotFoundError):
        Tls(tmp_path / "missing.pem").credentials()


def test_a_chain_needs_its_key() -> None:
    assert Tls(certificate_chain=b"c", private_key=b"k").credentials()
    with pytest.raises(ValueError, match="go together"):
        Tls(certificate_chain=b"c").credentials()


def test_a_private_key_is_in_nothing_that_is_printed() -> None:
    """The key is shown neither as bytes, nor as text that was taken for a path."""
    pem = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"
    assert "c2VjcmV0" not in repr(Tls(certificate_chain=b"c", private_key=pem.encode()))
    with pytest.raises(ValueError, match="encode") as raised:
        Tls(certificate_chain=b"c", private_key=pem).credentials()
    assert "c2VjcmV0" not in str(raised.value)
