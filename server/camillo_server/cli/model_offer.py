"""Offers a person at a terminal the sentence model, before a new database gets vectors of another one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import typer
from camillo_cli.failures import CliError
from camillo_cli.output import note, say

from camillo_server.cli.models import DEFAULT_ENDPOINT, download_known

if TYPE_CHECKING:
    from camillo_server.settings.settings import Settings

ABOUT = """\
There is no sentence model yet: without one, recall compares words and parts of words. With one it also finds other words
for the same thing, such as "car" for "automobile". It runs on this machine: no text leaves it."""  # noqa: E501


def offer_model(settings: Settings) -> None:
    """Asks whether to download the sentence model, and does so; a download that fails is noted."""
    if not _is_worth_asking(settings):
        return
    from camillo_server.models.embedding.model_hub import DEFAULT_MODEL

    endpoint = os.environ.get("HF_ENDPOINT") or DEFAULT_ENDPOINT
    models = settings.data_dir / "models"
    say(ABOUT)
    if not typer.confirm(f"Download it now (22 MiB from {urlsplit(endpoint).netloc} to {models})?"):
        return
    try:
        download_known(DEFAULT_MODEL, endpoint, settings.data_dir)
    except CliError as error:
        note(f"note: no model was downloaded, and the demo goes on without it: {error}")


def _is_worth_asking(settings: Settings) -> bool:
    """Whether somebody can answer, and the server would take the model, but has none.

    Memories that are stored already would have no vector of it, so that less of them would be found.
    """
    from camillo_server.models.embedding.onnx_model import MODEL_FILE

    memory, directory = settings.memory, settings.data_dir
    takes_it = memory.embedding_model == "auto" and memory.model_dir is None
    is_new = settings.database.url is None and not (directory / "postgres").exists()
    is_asked_for = sys.stdin.isatty() and sys.stdout.isatty() and takes_it and is_new
    return is_asked_for and not any(directory.glob(f"models/*/{MODEL_FILE}"))
