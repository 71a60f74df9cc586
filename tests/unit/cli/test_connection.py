"""Directories in which the command line looks for the data of a server on this machine."""

from pathlib import Path

import pytest
from camillo_cli.connection import ROOT_KEY_FILE, data_directory
from camillo_client import local_key
from camillo_server.assembly.processes import root_key
from camillo_server.settings.settings import load_settings


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
    assert root_key.ROOT_KEY_FILE == ROOT_KEY_FILE == local_key.ROOT_KEY_FILE
