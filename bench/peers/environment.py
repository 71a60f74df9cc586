"""The peers' own virtual environment: they need other versions of protobuf and grpcio than the server does."""

import subprocess
import sys
import tomllib
from pathlib import Path

from bench.measure.servers import ROOT

EXTRA = "peers"
DIRECTORY = ROOT / "build" / "peers-venv"
PYTHON = DIRECTORY / "bin" / "python"
INSTALL_COMMAND = "python -m bench.peers --install"


def requirements(pyproject: Path = ROOT / "pyproject.toml") -> list[str]:
    """Requirements of the extra `peers`, without those of the server itself."""
    extras = tomllib.loads(pyproject.read_text("utf-8"))["project"]["optional-dependencies"]
    return list(extras[EXTRA])


def install() -> dict[str, str]:
    """Makes the environment and puts all of them in; why each that is not installable is not."""
    _uv("venv", "--quiet", "--allow-existing", "--python", sys.executable, str(DIRECTORY))
    wanted = requirements()
    if _cause(wanted) is None:
        return {}
    causes = {requirement: _cause([requirement]) for requirement in wanted}
    return {requirement: cause for requirement, cause in causes.items() if cause}


def _cause(wanted: list[str]) -> str | None:
    """Why these cannot be installed together; None when they are."""
    try:
        _uv("pip", "install", "--quiet", "--python", str(PYTHON), *wanted)
    except subprocess.CalledProcessError as error:
        return str(error.stderr).strip()
    return None


def _uv(*arguments: str) -> None:
    uv = Path(sys.executable).parent / "uv"
    subprocess.run([uv, *arguments], cwd=ROOT, check=True, stderr=subprocess.PIPE, text=True)
