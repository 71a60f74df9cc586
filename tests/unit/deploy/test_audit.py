"""The report made of pip-audit's, and the names in the bill of materials."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.audit import REQUIREMENTS, read_audit

ROOT = Path(__file__).parents[3]
SOUND = {"name": "numpy", "version": "2.4.0", "vulns": []}
VULNERABLE = {
    "name": "requests",
    "version": "2.20.0",
    "vulns": [{"id": "PYSEC-2023-74", "aliases": ["CVE-2023-32681"], "fix_versions": ["2.31.0"]}],
}
UNKNOWN = {"name": "camillo", "skip_reason": "Dependency not found on PyPI"}


def test_a_known_vulnerability_is_told_with_what_mends_it() -> None:
    audit = read_audit({"dependencies": [SOUND, VULNERABLE, UNKNOWN]})
    assert audit.vulnerable == ["  requests 2.20.0: PYSEC-2023-74, fixed by 2.31.0"]
    assert "PYSEC-2023-74" in audit.summary


def test_what_is_accepted_is_known_by_any_of_its_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deploy.audit.ACCEPTED", {"CVE-2023-32681": "no proxy is used"})
    audit = read_audit({"dependencies": [SOUND, VULNERABLE]})
    assert (audit.vulnerable, audit.audited) == ([], 2)


def test_what_was_not_looked_up_is_not_called_sound() -> None:
    assert "were not audited" in read_audit({"dependencies": [UNKNOWN]}).summary
    assert "1 packages without" in read_audit({"dependencies": [SOUND, UNKNOWN]}).summary


def test_the_bill_of_materials_names_all_that_the_image_installs(tmp_path: Path) -> None:
    bill = tmp_path / "bill.json"
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", str(REQUIREMENTS)]
    pyproject = ["--pyproject", str(ROOT / "pyproject.toml"), "--output-file", str(bill)]
    subprocess.run([*command, *pyproject], check=True, capture_output=True)
    parts = {each["name"]: each for each in json.loads(bill.read_text())["components"]}
    installed = re.findall(r"^([\w.-]+)(?:\[.*\])?==(\S+)", REQUIREMENTS.read_text(), re.MULTILINE)
    assert "psycopg" in parts
    assert {name: parts[name]["version"] for name, _ in installed} == dict(installed)
    assert all(each["externalReferences"][0]["hashes"] for each in parts.values())
