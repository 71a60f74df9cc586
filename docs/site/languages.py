"""The reference of each language, made by the language's own tool."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import camillo_client

from docs.site.godoc import go_page

# The prefix `javadoc` alone is not known to a Maven that has never fetched the plugin.
JAVADOC_PLUGIN = "org.apache.maven.plugins:maven-javadoc-plugin"
# Its messages and stubs are the contract's.
GO_PACKAGES = {"README.md": ".", "memoryref.md": "./memoryref"}


@dataclass(frozen=True, slots=True)
class Language:
    """How the reference of a client is made: `build` writes it and returns its first page, relative to the
    directory."""

    tools: tuple[str, ...]
    build: Callable[[Path, Path], str]


class ReferenceFailed(Exception):
    """A tool that is there failed."""


def python_page() -> str:
    """Every name of the Python client, one after the other, for mkdocstrings."""
    names = sorted(camillo_client.__all__, key=_order)
    entries = "\n\n".join(f"::: camillo_client.{name}" for name in names)
    return f"# Python\n\n{camillo_client.__doc__}\n\n{entries}\n\n## Errors\n\n{_errors()}\n"


def _order(name: str) -> tuple[bool, bool, str, bool]:
    """The clients first, then what they hand out, then functions; each asynchronous twin follows its own."""
    own = name.removeprefix("Async")
    return (own != "Camillo", name[0].islower(), own, name != own)


def _errors() -> str:
    return "::: camillo_client.errors\n    options:\n      heading_level: 3\n      show_root_heading: false\n"


def build_language(name: str, root: Path, reference: Path) -> str | None:
    """Writes the reference into `reference/NAME`, and returns its first page; None where the toolchain is missing."""
    language = LANGUAGES[name]
    missing = [tool for tool in language.tools if shutil.which(tool) is None]
    if missing:
        sys.stderr.write(f"{', '.join(missing)} is not here: skipped the reference of {name}\n")
        return None
    target = reference / name
    target.mkdir(parents=True, exist_ok=True)
    sys.stderr.write(f"reference of {name} ...\n")
    return language.build(root / "clients" / name, target)


def _run(directory: Path, *command: str, **environ: str) -> str:
    done = subprocess.run(
        command,
        cwd=directory,
        env=os.environ | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ReferenceFailed(f"{' '.join(command)} in {directory}:\n{done.stdout[-4000:]}")
    return done.stdout


def _python(client: Path, target: Path) -> str:
    (target / "README.md").write_text(python_page(), "utf-8")
    return "README.md"


def _typescript(client: Path, target: Path) -> str:
    if not (client / "node_modules").is_dir():
        _run(client, "npm", "ci", "--no-audit", "--no-fund")
    _run(client, "npx", "--no-install", "typedoc", "--out", str(target))
    return "index.html"


def _go(client: Path, target: Path) -> str:
    for page, package in GO_PACKAGES.items():
        text = _run(client, "go", "doc", "-all", package)
        (target / page).write_text(go_page(text), "utf-8")
    return "README.md"


def _java(client: Path, target: Path) -> str:
    _run(client, "mvn", "-q", "-B", f"{JAVADOC_PLUGIN}:javadoc")
    made = _directory_with(client / "target", "reports/apidocs", "site/apidocs")
    shutil.copytree(made, target, dirs_exist_ok=True)
    return "index.html"


def _rust(client: Path, target: Path) -> str:
    made = client.parent.parent / "build" / "cargo"
    cargo_target = os.environ.get("CARGO_TARGET_DIR", str(made))
    _run(client, "cargo", "doc", "--quiet", "--no-deps", "--lib", CARGO_TARGET_DIR=cargo_target)
    shutil.copytree(Path(cargo_target) / "doc", target, dirs_exist_ok=True)
    return "camillo_client/index.html"


def _directory_with(parent: Path, *names: str) -> Path:
    found: Iterator[Path] = (parent / name for name in names if (parent / name).is_dir())
    return next(found)


LANGUAGES = {
    "python": Language((), _python),
    "typescript": Language(("node", "npm"), _typescript),
    "go": Language(("go",), _go),
    "java": Language(("java", "mvn"), _java),
    "rust": Language(("cargo",), _rust),
}
