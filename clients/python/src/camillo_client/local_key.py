"""The key of a server on this machine: the file that it writes at its first start."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from camillo_client.target import Target, resolved_key, stays_here

ROOT_KEY_FILE = "root.key"
_KEY = re.compile("[!-~]+")


@dataclass(frozen=True, slots=True)
class Credential:
    """A key, and what a caller is told when the server does not take it."""

    key: str = field(repr=False)
    # Empty for a key that the caller gave: the server's own words.
    refusal: str = ""


def resolved_credential(
    key: str | None,
    target: Target,
    environment: Mapping[str, str],
    data_dir: str | Path | None = None,
) -> Credential:
    """The key given, else that of CAMILLO_KEY, else the one in the data directory for a server on this machine.

    The last is for callers who show nothing else, and it must not travel to whatever an address names.
    """
    given = resolved_key(key, environment)
    shows_certificate = target.tls is not None and target.tls.certificate_chain is not None
    if given or key is not None or shows_certificate or not stays_here(target.address):
        return Credential(given)
    directory = data_directory(environment) if data_dir is None else Path(data_dir)
    return local_credential(target.address, directory / ROOT_KEY_FILE)


def local_credential(address: str, path: Path) -> Credential:
    """The key in a file of the server at an address on this machine."""
    try:
        # Whatever is not ASCII is no key; it should not be an error of its own.
        key = path.read_text("latin-1").strip()
    except (FileNotFoundError, NotADirectoryError):
        return Credential("", f"no key was given, and there is none in {path}")
    except OSError as error:
        return Credential("", f"no key was given, and {path} cannot be read: {error.strerror}")
    if not _KEY.fullmatch(key):
        return Credential("", f"no key was given, and {path} holds none")
    return Credential(key, f"the server at {address} does not accept the key in {path}")


def data_directory(environment: Mapping[str, str]) -> Path:
    """Where a server that this user starts keeps its data: CAMILLO_DATA_DIR, else `camillo` below XDG_DATA_HOME."""
    if directory := environment.get("CAMILLO_DATA_DIR"):
        return Path(directory).expanduser()
    share = Path(environment.get("XDG_DATA_HOME", ""))
    home = environment.get("HOME")
    if not share.is_absolute():
        share = (Path(home) if home else Path.home()) / ".local" / "share"
    return share / "camillo"
