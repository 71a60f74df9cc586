"""`make run INPUT=...` hands the name of a folder over as it is."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["", "notes", "my  notes/ä b", "$HOME; echo 'x' $(shell id) \"q\" `id`"])
def test_the_input_is_one_argument(tmp_path: Path, name: str) -> None:
    program = tmp_path / "camillo"
    program.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    program.chmod(0o755)
    arguments = [f"INPUT={name}"] if name else []
    done = subprocess.run(
        ["make", "--silent", "-C", ROOT, "-o", ".venv/.installed", "run", f"BIN={tmp_path}", *arguments],
        capture_output=True,
        text=True,
        env={each: value for each, value in os.environ.items() if each != "INPUT"},
        check=True,
    )
    assert done.stdout.splitlines() == (["demo", name] if name else ["demo"])
