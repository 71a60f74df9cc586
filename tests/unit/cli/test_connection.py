"""The key of a server on this machine is found, and sent nowhere else."""

from pathlib import Path

import pytest
from camillo_server.cli.connection import ROOT_KEY_FILE, data_directory, local_key
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.processes import root_key
from camillo_server.settings import load_settings

LOCAL = ["localhost:7070", "127.0.0.1:7070", "[::1]:7070", "unix:/run/camillo.sock", "127.1.2.3:1"]
REMOTE = ["example.org:7070", "10.0.0.1:7070", "[2001:db8::1]:7070", "localhost.example.org:1"]


@pytest.mark.parametrize("address", LOCAL)
def test_the_key_is_found_for_a_server_on_this_machine(address: str, tmp_path: Path) -> None:
    (tmp_path / ROOT_KEY_FILE).write_text("cam_secret\n")
    assert local_key(address, tmp_path, {}) == "cam_secret"


@pytest.mark.parametrize("address", REMOTE)
def test_the_key_is_not_sent_to_another_machine(address: str, tmp_path: Path) -> None:
    (tmp_path / ROOT_KEY_FILE).write_text("cam_secret\n")
    assert local_key(address, tmp_path, {}) == ""


def test_no_file_is_no_key(tmp_path: Path) -> None:
    assert local_key(LOCAL[0], tmp_path / "missing", {}) == ""


def test_a_key_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ROOT_KEY_FILE).write_bytes(b"\xff")
    with pytest.raises(CliError) as caught:
        local_key(LOCAL[0], tmp_path, {})
    assert caught.value.code is ExitCode.REFUSED


@pytest.mark.parametrize(
    "environ",
    [
        {"HOME": "/home/ada"},
        {"HOME": "/home/ada", "XDG_DATA_HOME": "/srv/share"},
        {"HOME": "/home/ada", "XDG_DATA_HOME": "relative"},
        {"CAMILLO_DATA_DIR": "/srv/camillo"},
        {"CAMILLO_DATA_DIR": "~/camillo"},
    ],
)
def test_the_directory_is_where_the_server_looks(environ: dict[str, str]) -> None:
    assert data_directory(environ) == load_settings(None, environ, {}).data_dir


def test_the_directory_may_stand_in_the_configuration_file(tmp_path: Path) -> None:
    config = tmp_path / "camillo.yaml"
    config.write_text("data_dir: /srv/from-file\n")
    environ = {"CAMILLO_CONFIG": str(config), "CAMILLO_AGENT": "ada"}
    assert data_directory(environ) == Path("/srv/from-file")


def test_the_file_has_the_name_that_the_server_gives_it() -> None:
    assert root_key.ROOT_KEY_FILE == ROOT_KEY_FILE
