"""The packages of all languages say of themselves what registries show to strangers."""

import json
import re
import tarfile
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from camillo_client.target import VERSION

from tools.packages import BadPackage, check

ROOT = Path(__file__).parent.parent
CLIENTS = ROOT / "clients"
PYTHON = [ROOT / "pyproject.toml", *sorted(CLIENTS.glob("python*/pyproject.toml"))]
NPM = sorted(CLIENTS.glob("typescript*/package.json"))
POMS = sorted(CLIENTS.glob("java*/pom.xml"))
POM = {"m": "http://maven.apache.org/POM/4.0.0"}
HOMEPAGE = "https://camillo.dev"


@pytest.mark.parametrize("file", PYTHON, ids=lambda file: file.parent.name)
def test_a_python_package_says_what_it_is(file: Path) -> None:
    project: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))["project"]
    assert project["version"] == VERSION
    assert re.fullmatch(r"[A-Z].{20,120}[^.]", project["description"])
    assert (project["license"], project["license-files"]) == ("Apache-2.0", ["LICENSE"])
    assert project["requires-python"] == ">=3.11"
    assert project["urls"] == {"Homepage": HOMEPAGE}
    assert (file.parent / project["readme"]).read_text("utf-8").startswith("# ")
    assert (file.parent / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    own = [each for each in project["dependencies"] if each.startswith("camillo-")]
    assert all(each.endswith(f"=={VERSION}") for each in own)
    # An upper bound for each package of others. Versions of time zones are dates, and break nothing.
    unbound = {each for each in project["dependencies"] if "<" not in each} - {*own, "tzdata>=2025.2"}
    assert unbound == set()


@pytest.mark.parametrize("file", NPM, ids=lambda file: file.parent.name)
def test_an_npm_package_says_what_it_is(file: Path) -> None:
    package = json.loads(file.read_text("utf-8"))
    assert (package["version"], package["license"], package["homepage"]) == (VERSION, "Apache-2.0", HOMEPAGE)
    assert (package["type"], package["files"]) == ("module", ["dist"])
    targets = [each for each in package["exports"].values() if isinstance(each, dict)]
    assert targets
    assert all(set(each) == {"types", "default"} for each in targets)
    assert (file.parent / "LICENSE").exists()
    lock = (file.parent / "package-lock.json").read_text("utf-8")
    assert '"resolved": "http' not in lock


def test_the_other_languages_have_the_same_version() -> None:
    crate = tomllib.loads((CLIENTS / "rust" / "Cargo.toml").read_text("utf-8"))
    assert (crate["workspace"]["package"]["version"], crate["package"]["homepage"]) == (VERSION, HOMEPAGE)
    rig = tomllib.loads((CLIENTS / "rust-rig" / "Cargo.toml").read_text("utf-8"))
    assert (rig["package"]["version"], rig["package"]["homepage"]) == (VERSION, HOMEPAGE)
    assert rig["dependencies"]["camillo-client"]["version"] == f"={VERSION}"
    assert (rig["package"]["license"], rig["package"]["rust-version"]) == ("Apache-2.0", "1.95")


@pytest.mark.parametrize("file", POMS, ids=lambda file: file.parent.name)
def test_a_maven_package_says_what_it_is(file: Path) -> None:
    project = _xml(file)
    name = file.parent.name.replace("java-", "camillo-") if file.parent.name != "java" else "camillo-client"
    stated = {tag: project.findtext(f"m:{tag}", "", POM) for tag in ("artifactId", "name", "version", "url")}
    assert stated == {"artifactId": name, "name": name, "version": VERSION, "url": HOMEPAGE}
    assert re.fullmatch(r"[A-Z].{20,120}[^.]", project.findtext("m:description", "", POM))
    assert project.findtext("m:licenses/m:license/m:name", "", POM) == "Apache-2.0"
    modules = _xml(CLIENTS / "adapters" / "pom.xml").findall("m:modules/m:module", POM)
    assert f"../{file.parent.name}" in [module.text for module in modules]


def test_a_tag_publishes_after_the_tests_and_without_secrets() -> None:
    text = (ROOT / ".github" / "workflows" / "publish.yml").read_text("utf-8")
    jobs: dict[str, dict[str, Any]] = yaml.safe_load(text)["jobs"]
    assert "secrets." not in text
    assert jobs["test"]["steps"][-1]["run"] == ".ci/run"
    publishing = {name: job for name, job in jobs.items() if name != "test"}
    assert {"pypi", "npm", "crates", "go", "image", "chart"} <= set(publishing)
    assert all(job["needs"] == "test" for job in publishing.values())
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_a_package_without_a_licence_or_with_what_builds_leave_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "a.whl"
    for names, problem in (
        (["a.py"], "no LICENSE"),
        (["a.dist-info/LICENSE", "a/__pycache__/a.pyc"], "holds a/__pycache__"),
    ):
        with ZipFile(wheel, "w") as archive:
            for name in names:
                archive.writestr(name, "")
        with pytest.raises(BadPackage, match=problem):
            check(wheel)
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as packed:
        packed.add(ROOT / "LICENSE", "package/LICENSE")
    assert check(tmp_path / "a.tgz") == 1


def _xml(file: Path) -> ElementTree.Element:
    return ElementTree.fromstring(file.read_text("utf-8"))  # noqa: S314
