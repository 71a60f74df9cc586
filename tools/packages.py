"""Builds what a release publishes, and looks into each package: `make packages`. Nothing is published by it.

python -m tools.packages build/packages                 everything whose toolchain is here
python -m tools.packages build/packages --only pypi --only npm
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
UV = Path(sys.executable).with_name("uv")
# Builds leave these behind; no package may hold them.
FOREIGN = ("/node_modules/", "/__pycache__/", "/.venv/", "/build/")


class BadPackage(Exception):
    """A package lacks what it must have, or holds what it must not."""


def pypi(to: Path) -> Iterator[Path]:
    """Wheels and source distributions of the server, the client, the command line and all adapters."""
    for project in (ROOT, *sorted(path.parent for path in (ROOT / "clients").glob("python*/pyproject.toml"))):
        built = to / "pypi" / project.name if project != ROOT else to / "pypi" / "server"
        _run(UV, "build", "--quiet", "--out-dir", built, project)
        yield from sorted([*built.glob("*.whl"), *built.glob("*.tar.gz")])


def npm(to: Path) -> Iterator[Path]:
    """The TypeScript client, and what is built on it."""
    for project in sorted(path.parent for path in (ROOT / "clients").glob("typescript*/package.json")):
        if not (project / "node_modules").exists():
            _run("npm", "ci", "--no-audit", "--no-fund", "--silent", at=project)
        (to / "npm").mkdir(parents=True, exist_ok=True)
        _run("npm", "pack", "--silent", "--pack-destination", to / "npm", at=project)
    yield from sorted((to / "npm").glob("*.tgz"))


def crates(to: Path) -> Iterator[Path]:
    """The Rust client. Its adapters can be packed once the registry has it."""
    _run(
        *("cargo", "package", "--quiet", "--allow-dirty", "--no-verify", "--target-dir", to / "crates"),
        at=ROOT / "clients" / "rust",
    )
    yield from sorted((to / "crates" / "package").glob("*.crate"))


def maven(_: Path) -> Iterator[Path]:
    """The Java client and its adapters, which Maven makes together."""
    _run("mvn", "-q", "-B", "package", "-DskipTests", at=ROOT / "clients" / "adapters")
    for jars in sorted((ROOT / "clients").glob("java*/target")):
        yield from sorted(path for path in jars.glob("camillo-*.jar") if "tests" not in path.name)


# Each registry with the program that builds for it.
REGISTRIES: Mapping[str, tuple[str, Callable[[Path], Iterator[Path]]]] = {
    "pypi": (str(UV), pypi),
    "npm": ("npm", npm),
    "crates": ("cargo", crates),
    "maven": ("mvn", maven),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.packages", description=__doc__)
    parser.add_argument("to", type=Path, help="where packages are written; what is there is removed")
    parser.add_argument("--only", action="append", choices=REGISTRIES, help="a registry; may be repeated")
    given = parser.parse_args()
    to = given.to.resolve()
    shutil.rmtree(to, ignore_errors=True)
    for registry in given.only or REGISTRIES:
        program, build = REGISTRIES[registry]
        if shutil.which(program) is None:
            print(f"{registry}: skipped, for {program} is not here")
            continue
        for package in build(to):
            count = check(package)
            print(
                f"{registry:7} {package.stat().st_size / 1024:8,.0f} KiB {count:6,} files  {package.name}", flush=True
            )
    return 0


def check(package: Path) -> int:
    """How many files a package holds. Raises BadPackage."""
    names = names_in(package)
    if package.suffix != ".jar" and not any(Path(name).name == "LICENSE" for name in names):
        raise BadPackage(f"{package.name} has no LICENSE")
    foreign = [name for name in names if any(part in f"/{name}" for part in FOREIGN)]
    if foreign:
        raise BadPackage(f"{package.name} holds {foreign[0]}")
    return len(names)


def names_in(package: Path) -> list[str]:
    """The files of a wheel, a jar or an archive."""
    if package.suffix in (".whl", ".jar"):
        with ZipFile(package) as archive:
            return [name for name in archive.namelist() if not name.endswith("/")]
    with tarfile.open(package) as archive:
        return [member.name for member in archive if member.isfile()]


def _run(*words: str | Path, at: Path = ROOT) -> None:
    subprocess.run(words, cwd=at, check=True)  # noqa: S603


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BadPackage, subprocess.CalledProcessError) as error:
        sys.exit(str(error))
