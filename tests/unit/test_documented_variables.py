"""Every variable that a document names may be set for every process: none refuses to start because of it."""

import re
from pathlib import Path

from camillo_server.settings.settings import Settings, describe_settings
from camillo_server.settings.sources import environment_name, from_environment

ROOT = Path(__file__).parents[2]
VARIABLE = re.compile(r"\bCAMILLO_[A-Z0-9_]*[A-Z0-9]\b")
# Typing errors that documents show on purpose.
MISSPELT = frozenset({"CAMILLO_SEVER_PORT", "CAMILLO_SERVER_PROT"})
# Not of this program.
OF_BUILDS = frozenset({"CAMILLO_TEST_MESH"})


def paths() -> frozenset[str]:
    """Every setting."""
    return frozenset(path for path, _, _ in describe_settings(Settings(data_dir=ROOT)))


def documented() -> set[str]:
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    texts += [each for each in (ROOT / "deploy").rglob("*") if each.suffix in (".yaml", ".md")]
    found = {name for each in texts for name in VARIABLE.findall(each.read_text())}
    return found - MISSPELT - OF_BUILDS


def test_every_documented_variable_is_known_to_the_settings() -> None:
    names = documented()
    assert {"CAMILLO_KEY", "CAMILLO_HTTP_ADDRESS", "CAMILLO_HOOK_DEADLINE_MS"} <= names
    known = paths()
    for name in names:
        assert from_environment({name: "1"}, known).problems == [], name
    # A misspelt name is still told.
    for name in MISSPELT:
        assert "is not a setting" in from_environment({name: "1"}, known).problems[0]


def test_every_setting_has_a_variable() -> None:
    known = paths()
    assert len(known) > 100
    for path in known:
        assert from_environment({environment_name(path): "1"}, known).values == {path: "1"}
