"""Files that the package ships beside its code."""

from __future__ import annotations

import tomllib
from pathlib import Path

from camillo_client.target import VERSION

HERE = Path(__file__).parent.parent
PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))


def test_the_license_is_the_projects_and_goes_along() -> None:
    assert PROJECT["project"]["license-files"] == ["LICENSE"]
    assert (HERE / "LICENSE").read_bytes() == (HERE.parents[1] / "LICENSE").read_bytes()


def test_the_version_told_to_servers_is_that_of_the_package() -> None:
    assert PROJECT["project"]["version"] == VERSION


def test_every_package_and_all_data_are_named() -> None:
    """A package or file that is not named is missing in the wheel, though in no test that runs from the source tree."""
    source, tool = HERE / "src", PROJECT["tool"]["setuptools"]
    packages = {
        str(path.parent.relative_to(source)).replace("/", ".")
        for path in source.rglob("*.py")
        if "egg-info" not in str(path)
    }
    assert packages == set(tool["packages"])
    data = {
        path.relative_to(source / "camillo_client").as_posix()
        for path in (source / "camillo_client").rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    }
    assert data == set(tool["package-data"]["camillo_client"])
