"""Files in `deploy/` for operators, held against the settings, commands, metrics and documents that they name."""

import re
from pathlib import Path
from typing import Any

import yaml
from camillo_server.settings.settings import Settings, describe_settings
from camillo_server.settings.sources import from_environment

from tests.cli.commands import COMMANDS

ROOT = Path(__file__).parents[3]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
RULES = [
    rule
    for group in yaml.safe_load((ROOT / "deploy/prometheus/alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
]
UNITS = {"s": "_seconds", "By": "_bytes", "USD": "_USD"}
NAMES = {command.words for command in COMMANDS}


def test_compose_sets_what_the_settings_know() -> None:
    known = frozenset(path for path, _, _ in describe_settings(Settings(data_dir=ROOT)))
    for name in ("migrate", "camillo"):
        service = COMPOSE["services"][name]
        assert service["image"] == "camillo"
        assert service["command"][0] in NAMES
        for variable, value in service["environment"].items():
            assert from_environment({variable: str(value)}, known).problems == []
            assert from_environment({variable: str(value)}, known).values, variable
    for service in COMPOSE["services"].values():
        volumes = [each.partition(":")[0] for each in service.get("volumes", ())]
        assert all(each in COMPOSE["volumes"] or (ROOT / "deploy" / each).is_file() for each in volumes)
    build = COMPOSE["services"]["migrate"]["build"]
    assert (ROOT / "deploy" / build["context"] / build["dockerfile"]).is_file()


def test_compose_opens_no_port_beyond_this_machine_and_writes_no_password() -> None:
    assert all(each.startswith("127.0.0.1:") for each in COMPOSE["services"]["camillo"]["ports"])
    text = (ROOT / "deploy/compose.yaml").read_text()
    passwords = re.findall(r"[A-Z_]*PASSWORD[^\s/@]*", "\n".join(text.split("services:")[1:]))
    assert passwords
    assert all(":?choose" in each or each.endswith(":") for each in passwords)


def test_compose_prepares_a_database_as_the_document_does() -> None:
    script = (ROOT / "deploy/compose/prepare-database.sh").read_text()
    document = (ROOT / "docs/postgres.md").read_text()
    statements = [
        statement.strip()
        for block in re.findall(r"```sql\n(.*?)```", document, re.DOTALL)[:2]
        for statement in re.sub(r"'choose-\w+'", "PASSWORD", block).split(";")
        if statement.strip()
    ]
    assert len(statements) == 7
    stated = re.sub(r":'\w+_password'", "PASSWORD", script)
    assert all(f"{statement};" in stated for statement in statements)


def metrics() -> dict[str, str]:
    """The names that Prometheus shows for each documented metric, and its row."""
    found: dict[str, str] = {}
    rows = re.findall(
        r"^\| `(camillo\.[\w.]+)` \| (\w+)(?:, (\w+))? \|(.*)$",
        (ROOT / "docs/configuration.md").read_text(),
        re.MULTILINE,
    )
    for name, kind, unit, row in rows:
        base = name.replace(".", "_") + UNITS.get(unit, "")
        ends = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("_total",)}
        found |= {base + end: row for end in ends.get(kind, ("",))}
    return found


def test_alerts_ask_for_metrics_that_there_are() -> None:
    known = metrics()
    assert len(known) > 30
    for rule in RULES:
        asked = re.findall(r"\bcamillo_\w+", rule["expr"])
        assert asked or rule["expr"].startswith('up{job="camillo"}')
        for name in asked:
            assert name in known, f"{rule['alert']}: {name}"
        for name, label in re.findall(r"\b(camillo_\w+)\{(\w+)[=~!]", rule["expr"]):
            assert f"`{label}`" in known[name], f"{rule['alert']}: {label}"
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["expr"].count("(") == rule["expr"].count(")")


def test_alerts_name_commands_and_documents_that_there_are() -> None:
    for rule in RULES:
        action = rule["annotations"]["action"]
        for path in re.findall(r"\bdocs/[\w.-]+\.md", action):
            assert (ROOT / path).is_file(), path
        for command in re.findall(r"camillo ([a-z]+(?: [a-z]+)?)", action):
            assert command in NAMES or command.split()[0] in NAMES, command
