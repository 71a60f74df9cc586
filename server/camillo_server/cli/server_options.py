"""The options that say how a server is set up, for the commands that need no running server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from camillo_server.cli.failures import CliError, ExitCode, one_line

if TYPE_CHECKING:
    from camillo_server.settings import Settings

# Read by client commands; no settings of a server.
CLIENT_VARIABLES = frozenset({"CAMILLO_AGENT", "CAMILLO_ADDRESS", "CAMILLO_KEY"})
PANEL = "Server"


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The settings that are often given as flags; every other one has a variable and a place in the file."""

    config: Annotated[
        Path | None,
        Option(help="YAML file with settings. Also CAMILLO_CONFIG.", rich_help_panel=PANEL),
    ] = None
    data_dir: Annotated[
        Path | None,
        Option(help="Where data is kept. Also CAMILLO_DATA_DIR.", rich_help_panel=PANEL),
    ] = None
    database_url: Annotated[
        str | None,
        Option(
            metavar="URL",
            help="Your own Postgres; else an embedded one. Also CAMILLO_DATABASE_URL.",
            rich_help_panel=PANEL,
        ),
    ] = None
    host: Annotated[
        str | None, Option(help="Address to listen on. [default: 127.0.0.1]", rich_help_panel=PANEL)
    ] = None
    port: Annotated[
        int | None,
        Option(help="Port to listen on; 0: any free one. [default: 7070]", rich_help_panel=PANEL),
    ] = None
    workers: Annotated[
        int | None,
        Option(help="Processes that share the port. [default: 1]", rich_help_panel=PANEL),
    ] = None
    model_dir: Annotated[
        Path | None, Option(help="Directory of a local ONNX model.", rich_help_panel=PANEL)
    ] = None
    embedding_model: Annotated[
        str | None, Option(help="auto, onnx, lexical, random or litellm.", rich_help_panel=PANEL)
    ] = None

    def overrides(self) -> dict[str, object]:
        """By the path of the setting; None is not given."""
        return {
            "data_dir": self.data_dir and str(self.data_dir),
            "database.url": self.database_url,
            "server.host": self.host,
            "server.port": self.port,
            "server.workers": self.workers,
            "memory.model_dir": self.model_dir and str(self.model_dir),
            "memory.embedding_model": self.embedding_model,
        }

    def settings(self) -> Settings:
        """The settings from all sources. Raises CliError."""
        return load(self.config, os.environ, self.overrides())

    def arguments(self) -> list[str]:
        """The command line that gives the same options."""
        given = {
            "--config": self.config,
            "--data-dir": self.data_dir,
            "--database-url": self.database_url,
            "--host": self.host,
            "--port": self.port,
            "--workers": self.workers,
            "--model-dir": self.model_dir,
            "--embedding-model": self.embedding_model,
        }
        return [f"{flag}={value}" for flag, value in given.items() if value is not None]


def load(
    config: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object]
) -> Settings:
    """Settings from all sources. Raises CliError with every problem in one line."""
    from camillo_server.settings import SettingsError, load_settings

    servers = {name: value for name, value in environ.items() if name not in CLIENT_VARIABLES}
    try:
        return load_settings(config, servers, overrides)
    except SettingsError as error:
        raise CliError(one_line("; ".join(error.problems)), ExitCode.USAGE) from error
