"""The address that a hook calls, and the key that it calls with."""

from pathlib import Path

import pytest
from camillo_cli.hooks.endpoint import endpoint_of

HERE = ["localhost:7070", "127.0.0.1:7070", "127.255.9.9:1", "[::1]:7070", "http://localhost:7071"]
ELSEWHERE = [
    *("127.evil.example:7070", "127.0.0.1.evil.example:7070", "127.0.0.evil:7070", "127:7070"),
    *("127.0.0.1000:7070", "127.0.0.256:7070", "localhost.evil.example:7070", "10.0.0.1:7070"),
    *("https://127.evil.example:443", "[::1:2]:7070", "127.0.0.1-evil.example:7070"),
]


@pytest.mark.parametrize(
    ("address", "key"), [*((each, "cam_root") for each in HERE), *((each, "") for each in ELSEWHERE)]
)
def test_the_root_key_goes_to_no_other_machine(address: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "root.key").write_text("cam_root\n")
    environ = {"CAMILLO_ADDRESS": address, "CAMILLO_DATA_DIR": str(tmp_path)}
    assert endpoint_of(environ, "/", "", "").key == key
