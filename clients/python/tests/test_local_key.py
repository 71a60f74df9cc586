"""The key of a server on this machine is found, and sent nowhere else."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import status

from camillo_client import AsyncCamillo, Tls
from camillo_client.errors import CredentialInvalid
from camillo_client.local_key import ROOT_KEY_FILE, Credential, data_directory, resolved_credential
from camillo_client.target import Target

LOCAL = ["localhost:7070", "127.0.0.1:7070", "[::1]:7070", "unix:/run/camillo.sock", "dns:///localhost:1"]
REMOTE = ["example.org:7070", "10.0.0.1:7070", "[2001:db8::1]:7070", "localhost.example.org:1", "127.evil.example:7070"]


def _environment(tmp_path: Path, key: str = "cam_local\n") -> dict[str, str]:
    (tmp_path / ROOT_KEY_FILE).write_text(key)
    return {"CAMILLO_DATA_DIR": str(tmp_path)}


@pytest.mark.parametrize("address", LOCAL)
def test_the_key_is_found_for_a_server_on_this_machine(address: str, tmp_path: Path) -> None:
    assert resolved_credential(None, Target(address), _environment(tmp_path)).key == "cam_local"


@pytest.mark.parametrize("address", REMOTE)
def test_the_key_is_not_sent_to_another_machine(address: str, tmp_path: Path) -> None:
    assert resolved_credential(None, Target(address), _environment(tmp_path)).key == ""


def test_what_the_caller_shows_is_used_instead(tmp_path: Path) -> None:
    environment, target = _environment(tmp_path), Target(LOCAL[0])
    assert resolved_credential("given", target, environment).key == "given"
    assert resolved_credential("", target, environment).key == ""
    assert resolved_credential(None, target, {**environment, "CAMILLO_KEY": "k"}).key == "k"
    proven = Target(LOCAL[0], Tls(certificate_chain=b"pem", private_key=b"pem"))
    assert resolved_credential(None, proven, environment).key == ""


def test_the_directory_is_that_of_the_user() -> None:
    home = {"HOME": "/home/ada"}
    assert data_directory(home) == Path("/home/ada/.local/share/camillo")
    assert data_directory({**home, "XDG_DATA_HOME": "relative"}) == data_directory(home)
    assert data_directory({**home, "XDG_DATA_HOME": "/srv"}) == Path("/srv/camillo")
    assert data_directory({**home, "CAMILLO_DATA_DIR": "/srv/mine"}) == Path("/srv/mine")


@pytest.mark.parametrize("content", ["", "\n", "k\u00e9y", "k\0y", "cam local"])
def test_a_file_without_a_key_is_named(content: str, tmp_path: Path) -> None:
    (tmp_path / ROOT_KEY_FILE).write_text(content, "utf-8")
    found = resolved_credential(None, Target(LOCAL[0]), {"CAMILLO_DATA_DIR": str(tmp_path)})
    path = tmp_path / ROOT_KEY_FILE
    assert found == Credential("", f"no key was given, and {path} holds none")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / ROOT_KEY_FILE).mkdir()
    found = resolved_credential(None, Target(LOCAL[0]), {"CAMILLO_DATA_DIR": str(tmp_path)})
    path = tmp_path / ROOT_KEY_FILE
    assert found.refusal == f"no key was given, and {path} cannot be read: Is a directory"


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_key_that_is_wrong_or_missing_is_told_with_its_file(
    is_there: bool, server: FakeServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CAMILLO_DATA_DIR", str(tmp_path))
    if is_there:
        _environment(tmp_path)
    server.desk.refuse("Recall", status(grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID"))
    async with AsyncCamillo.connect(server.address) as client:
        with pytest.raises(CredentialInvalid) as raised:
            await client.recall("tea")
    path = tmp_path / ROOT_KEY_FILE
    assert raised.value.message == (
        f"the server at {server.address} does not accept the key in {path}"
        if is_there
        else f"no key was given, and there is none in {path}"
    )
    sent = server.desk.calls[0].metadata.get("authorization")
    assert sent == ("Bearer cam_local" if is_there else None)
