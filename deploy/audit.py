"""Looks up known vulnerabilities of what the image installs: `make audit`. Exit code 1 where there are any.

pip-audit asks PyPI's advisories. Behind a mirror that has none it finds nothing, which is said and is no failure: what
was not looked at was not found to be sound either."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REQUIREMENTS = Path(__file__).parent / "requirements.txt"
# Ids of vulnerabilities that do not reach us, each with the reason.
ACCEPTED: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Audit:
    """Findings of pip-audit: vulnerable packages in words, and how many were looked up and passed over."""

    vulnerable: Sequence[str]
    audited: int
    skipped: int

    @property
    def summary(self) -> str:
        if self.vulnerable:
            return "\n".join(["known vulnerabilities:", *self.vulnerable])
        if not self.audited:
            return f"no advisories are to be had here: {self.skipped} packages were not audited"
        return f"{self.audited} packages without known vulnerabilities, {self.skipped} not audited"


def read_audit(report: Mapping[str, Any]) -> Audit:
    """Reads pip-audit's JSON, without the accepted vulnerabilities."""
    vulnerable, audited, skipped = list[str](), 0, 0
    for package in report["dependencies"]:
        if "skip_reason" in package:
            skipped += 1
            continue
        audited += 1
        for found in package["vulns"]:
            if not {found["id"], *found["aliases"]} & ACCEPTED.keys():
                fixed = ", ".join(found["fix_versions"]) or "no version yet"
                line = f"  {package['name']} {package['version']}: {found['id']}, fixed by {fixed}"
                vulnerable.append(line)
    return Audit(vulnerable, audited, skipped)


def run_pip_audit() -> Mapping[str, Any]:
    """Returns pip-audit's report. Raises SystemExit with its message if it gives none."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(REQUIREMENTS)]
    options = ["--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)  # noqa: S603
    try:
        report: Mapping[str, Any] = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"pip-audit gave no report: {done.stderr.strip()[-2000:]}")
    return report


def main() -> None:
    audit = read_audit(run_pip_audit())
    print(audit.summary)
    sys.exit(bool(audit.vulnerable))


if __name__ == "__main__":
    main()
