"""Options of the commands about local models."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from camillo_cli.options import AsJson
from typer import Option

from camillo_server.cli.server import load


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Where models are kept, and how results are printed."""

    config: Annotated[Path | None, Option(help="YAML file with settings. Also CAMILLO_CONFIG.")] = None
    data_dir: Annotated[Path | None, Option(help="Directory for all data. Also CAMILLO_DATA_DIR.")] = None
    as_json: AsJson = False

    def directory(self) -> Path:
        """The data directory: `models` and `rerankers` have a subdirectory for each model. Raises CliError."""
        overrides = {"data_dir": self.data_dir and str(self.data_dir)}
        return load(self.config, os.environ, overrides).data_dir
