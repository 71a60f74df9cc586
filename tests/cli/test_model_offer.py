"""The demo at a terminal: it offers to download the sentence model, and goes on whatever the answer is."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import Finished, clean_environ, run_here, run_process
from tests.hub_server import hub_server
from tests.patience import PATIENCE_SECONDS
from tests.unit.embedding.conftest import write_tiny_model

QUESTION = "Download it now (22 MiB from "
# The command line, whose default model is one that the test's hub has.
WITH_TINY_MODEL = (
    "import sys\n"
    "from camillo_server.cli import main\n"
    "from camillo_server.models.embedding import model_catalogue as known, model_hub\n"
    "files = model_hub.hub_files('Acme/Tiny', 'main', 'onnx/model.onnx', {})\n"
    "tiny = known.KnownModel(model_hub.DEFAULT_MODEL, known.ModelUse.EMBEDDER, files)\n"
    "known.CATALOGUE = {tiny.name: tiny}\n"
    "sys.exit(main())\n"
)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/tea.md").write_text("# Tea\n\nAda prefers green tea to coffee.\n")
    return tmp_path / "notes"


@contextmanager
def at_terminal(*arguments: str, environ: dict[str, str]) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """A command whose standard input and output are a terminal, and our end of it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", WITH_TINY_MODEL, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=clean_environ() | {"COLUMNS": "200"} | environ,
    )
    os.close(theirs)
    try:
        yield ours, process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_SECONDS)
        os.close(ours)


def demo_at_terminal(notes: Path, directory: Path, answer: str, hub: str) -> Finished:
    """The demo, after a question that is answered once it is asked."""
    arguments = ("demo", str(notes), "--once", "--port", "0", "--data-dir", str(directory))
    with at_terminal(*arguments, environ={"HF_ENDPOINT": hub}) as (terminal, process):
        shown = read_until(terminal, "[y/N]:")
        os.write(terminal, answer.encode() + b"\n")
        shown += read_until(terminal, "")
        assert process.stderr is not None
        errors = process.stderr.read().decode()
        return Finished(process.wait(PATIENCE_SECONDS), shown, errors)


def read_until(terminal: int, text: str) -> str:
    """Output of a terminal up to a text, or to its end if the text is empty."""
    shown = b""
    deadline = time.monotonic() + 2 * PATIENCE_SECONDS
    while not text or text.encode() not in shown:
        left = max(0.0, deadline - time.monotonic())
        assert select.select([terminal], [], [], left)[0], shown.decode()
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            part = b""
        if not part:
            assert not text, shown.decode()
            break
        shown += part
    return shown.decode()


@pytest.mark.timeout(300)
def test_who_wants_the_model_gets_it(notes: Path, data_directory: Path, tmp_path: Path) -> None:
    with hub_server() as hub:
        hub.publish(write_tiny_model(tmp_path / "source"), "Acme/Tiny", "onnx/model.onnx")
        done = demo_at_terminal(notes, data_directory, "y", hub.url)
    assert done.returncode == 0, done.stderr
    assert "finds other words\r\nfor the same thing" in done.stdout
    assert f"{QUESTION}{hub.url.removeprefix('http://')} to {data_directory}/models)?" in done.stdout
    assert "embedding  all-minilm-l6-v2-" in done.stdout
    assert "remembered 1 new" in done.stdout
    again = run_here("models", "list", "--json", "--data-dir", str(data_directory))
    assert json.loads(again.stdout)["name"] == "all-minilm-l6-v2"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("answer", ["", "y"])
def test_without_the_model_the_demo_goes_on(notes: Path, data_directory: Path, answer: str) -> None:
    done = demo_at_terminal(notes, data_directory, answer, "http://127.0.0.1:1")
    assert done.returncode == 0, done.stderr
    assert "embedding  lexical-" in done.stdout
    assert "remembered 1 new" in done.stdout
    failures = [line for line in done.stderr.splitlines() if "no model was downloaded" in line]
    assert len(failures) == (answer == "y")
    assert not failures or "127.0.0.1:1" in failures[0]


@pytest.mark.timeout(300)
def test_nobody_is_asked_without_a_terminal(notes: Path, data_directory: Path) -> None:
    arguments = ("demo", str(notes), "--once", "--port", "0", "--data-dir", str(data_directory))
    done = run_process(*arguments, stdin=b"y\n")
    assert done.returncode == 0, done.stderr
    assert QUESTION not in done.stdout + done.stderr
    assert "embedding  lexical-" in done.stdout
    # With memories that have other vectors, nobody is asked at a terminal either.
    with at_terminal(*arguments, environ={}) as (terminal, process):
        shown = read_until(terminal, "")
        assert process.wait(PATIENCE_SECONDS) == 0
    assert QUESTION not in shown
    assert "models pull" in shown
