"""`make image` takes the builder that is there. The builders are scripts that print how they were called."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ARGUMENTS = "--file deploy/Dockerfile --tag camillo:try ."
IGNORED = "--ignorefile deploy/Dockerfile.dockerignore"
BUILDER = '#!/bin/sh\n[ "$1" = info ] && exit {daemon}\necho "called: ${{0##*/}} $*"\n'


def make_image(folder: Path, *builders: str, daemon: bool = True) -> tuple[int, str]:
    for name in builders:
        program = folder / name
        program.write_text(BUILDER.format(daemon=0 if daemon else 1))
        program.chmod(0o755)
    make = shutil.which("make")
    if make is None:
        pytest.skip("needs make")
    done = subprocess.run(
        [make, "--no-print-directory", "image", "IMAGE=camillo:try"],
        cwd=ROOT,
        env={"PATH": str(folder), "HOME": os.environ.get("HOME", "/")},
        capture_output=True,
        text=True,
        check=False,
    )
    called = [line for line in done.stdout.splitlines() if line.startswith("called: ")]
    return done.returncode, called[0] if called else done.stderr.splitlines()[0]


@pytest.mark.parametrize(
    ("builders", "daemon", "called"),
    [
        (("docker",), True, f"docker build {ARGUMENTS}"),
        (("docker", "podman"), True, f"docker build {ARGUMENTS}"),
        (("docker", "podman"), False, f"podman build {IGNORED} {ARGUMENTS}"),
        (("docker", "buildah"), False, f"buildah build {IGNORED} {ARGUMENTS}"),
        (("podman", "buildah"), True, f"podman build {IGNORED} {ARGUMENTS}"),
    ],
)
def test_the_image_is_built_with_what_is_there(
    tmp_path: Path, builders: tuple[str, ...], daemon: bool, called: str
) -> None:
    assert make_image(tmp_path, *builders, daemon=daemon) == (0, f"called: {called}")


def test_a_missing_builder_is_named(tmp_path: Path) -> None:
    code, message = make_image(tmp_path)
    assert code != 0
    assert message == "no builder of images here: install docker, podman or buildah"


def test_a_daemon_that_does_not_answer_is_named(tmp_path: Path) -> None:
    code, message = make_image(tmp_path, "docker", daemon=False)
    assert code != 0
    assert message.startswith("docker is installed, but its daemon does not answer")
