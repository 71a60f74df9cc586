"""Finding the root key that an embedded server leaves in its data directory, without reading all settings."""

import ipaddress
from collections.abc import Mapping
from pathlib import Path

from camillo_server.cli.failures import CliError, ExitCode

ROOT_KEY_FILE = "root.key"


def local_key(address: str, data_dir: Path | None, environ: Mapping[str, str]) -> str:
    """The secret in the data directory's key file; empty if there is none.

    Only for a server on this machine: the key must not travel to whatever an address names.
    """
    if not _is_local(address):
        return ""
    path = (data_dir or data_directory(environ)) / ROOT_KEY_FILE
    try:
        return path.read_text(encoding="ascii").strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a key"
        raise CliError(f"cannot read the key in {path}: {reason}", ExitCode.REFUSED) from error


def data_directory(environ: Mapping[str, str]) -> Path:
    """Where a server started in this environment keeps its data."""
    if given := environ.get("CAMILLO_DATA_DIR"):
        return Path(given).expanduser()
    if environ.get("CAMILLO_CONFIG"):
        return _configured(environ)
    share = Path(environ.get("XDG_DATA_HOME", ""))
    home = environ.get("HOME")
    if not share.is_absolute():
        share = (Path(home) if home else Path.home()) / ".local" / "share"
    return share / "camillo"


def _configured(environ: Mapping[str, str]) -> Path:
    from camillo_server.cli.server_options import load

    return load(None, environ, {}).data_dir


def _is_local(address: str) -> bool:
    if address.startswith("unix:"):
        return True
    host = address.removeprefix("dns:///").rpartition(":")[0].strip("[]") or address
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
