"""Installs the wheels of server and client in a clean environment of each Python that they are for, and starts the demo
of the README there: `make pythons`.

python -m tools.pythons                  3.11 to 3.14
python -m tools.pythons --only 3.13
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "pythons"
UV = Path(sys.executable).with_name("uv")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
# The image has it, too.
EXTRA = "documents"
DEMO_SECONDS = 300


def main() -> int:
    """Prints a line for each version, and the sum; 1 if something failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.pythons", description=__doc__)
    parser.add_argument("--only", action="append", choices=VERSIONS, help="a version; may be repeated")
    only = parser.parse_args().only
    wheels = [_wheel(project) for project in (ROOT, ROOT / "clients" / "python")]
    passed = failed = skipped = 0
    for version in only or VERSIONS:
        started = time.monotonic()
        interpreter = _interpreter(version)
        problem = _tried(version, interpreter, *wheels) if interpreter else _resolved(version, *wheels)
        seconds = f"{time.monotonic() - started:.0f} s"
        if problem:
            failed += 1
            print(f"{version}: failed after {seconds}: {problem}", flush=True)
        elif interpreter:
            passed += 1
            print(f"{version}: installed, demo answered, client imported ({seconds}, {interpreter})", flush=True)
        else:
            skipped += 1
            print(f"{version}: no interpreter to be had here; all it needs has wheels ({seconds})", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def _wheel(project: Path) -> Path:
    to = BUILD / "wheels" / project.name
    shutil.rmtree(to, ignore_errors=True)
    _run(UV, "build", "--quiet", "--wheel", "--out-dir", to, project)
    return next(to.glob("*.whl"))


def _interpreter(version: str) -> str:
    """An interpreter of uv, of this machine or of pyenv; empty without any."""
    for verb in ("find", "install", "find"):
        ran = _run(UV, "python", verb, version, check=False)
        if ran.returncode == 0 and verb == "find":
            return ran.stdout.strip()
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = sorted(pyenv.glob(f"{version}.*/bin/python{version}"))
    return str(found[-1]) if found else ""


def _tried(version: str, interpreter: str, server: Path, client: Path) -> str:
    """The failure in clean environments, in a line; empty if there was none."""
    for name, wheel in (("server", f"{server}[{EXTRA}]"), ("client", str(client))):
        place = BUILD / f"{version}-{name}"
        shutil.rmtree(place, ignore_errors=True)
        commands: tuple[tuple[str | Path, ...], ...] = (
            ("venv", "--quiet", "--python", interpreter, place),
            ("pip", "install", "--quiet", "--python", place / "bin" / "python", wheel),
        )
        for words in commands:
            if problem := _problem(UV, *words):
                return problem
    data = BUILD / f"{version}-data"
    shutil.rmtree(data, ignore_errors=True)
    demo = (BUILD / f"{version}-server" / "bin" / "camillo", "demo", ROOT / "README.md", "--once")
    return _problem(*demo, CAMILLO_DATA_DIR=str(data)) or _problem(
        BUILD / f"{version}-client" / "bin" / "python", "-c", "import camillo_client; camillo_client.Camillo"
    )


def _resolved(version: str, *wheels: Path) -> str:
    """The package that has no wheel for a version; empty if all have."""
    for wheel in wheels:
        ran = subprocess.run(  # noqa: S603
            [UV, "pip", "compile", "--quiet", "--python-version", version, "--only-binary", ":all:", "-"],
            input=f"{wheel.name.split('-')[0]} @ {wheel.as_uri()}",
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            return _line(ran.stderr)
    return ""


def _problem(*words: str | Path, **environ: str) -> str:
    try:
        ran = _run(*words, check=False, timeout=DEMO_SECONDS, environ=environ)
    except subprocess.TimeoutExpired:
        return f"{words[0]} did not end within {DEMO_SECONDS} s"
    return _line(ran.stderr or ran.stdout) if ran.returncode else ""


def _line(text: str) -> str:
    return " ".join(text.split())[-400:]


def _run(
    *words: str | Path, check: bool = True, timeout: float | None = None, environ: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    # Outside the checkout, whose packages would be found first.
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(  # noqa: S603
        words,
        cwd=BUILD if BUILD.exists() else ROOT,
        env=known | (environ or {}),
        capture_output=True,
        text=True,
        check=check,
        timeout=timeout,
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error}\n{error.stderr}")
