"""The rules of the architecture, read from the code itself; each is also shown to notice what breaks it."""

import ast
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "server" / "camillo_server"
GENERATED = ROOT / "clients" / "python" / "src" / "camillo"
MOST_LINES = 400
# A message cannot move to another file once it is out: that would break who has generated code of it.
MOST_LINES_OF_CONTRACT = 550

# Where everything is put together: these may import anything.
JOINING = {
    *(
        "app",
        "artifact_app",
        "job_app",
        "worker_app",
        "serve",
        "work",
        "one_process",
        "workers",
        "root_key",
    ),
    *("artifact_app", "interpreter"),
    *("lifecycle_app", "run_app", "worker_app"),
    *("cli", "__main__"),
}

# A part of the server takes the section of the settings that is about it, so all but the domain may import these; they
# know no part in turn.
SETTINGS = {
    *("settings", "settings_section", "settings_sources"),
    *("artifact_settings", "lifecycle_settings"),
}

# A package, and what it never imports. Where the bytes of artifacts lie is part of storing them.
ADAPTERS = {
    *("rpc", "storage", "retrieval", "embedding", "identity", "redaction", "jobs", "cli"),
    *("contents", "line_search", "json_parts", "summarising"),
}
NEVER: Mapping[str, set[str]] = {
    "rpc": ADAPTERS - {"rpc", "identity", "redaction"},
    "storage": ADAPTERS - {"storage", "contents", "redaction"},
    "jobs": ADAPTERS - {"jobs", "storage", "redaction"},
    "retrieval": ADAPTERS - {"retrieval", "storage", "embedding", "identity", "redaction"},
    "embedding": ADAPTERS - {"embedding", "redaction"},
    "summarising": ADAPTERS - {"summarising", "embedding", "redaction"},
    "identity": ADAPTERS - {"identity", "redaction"},
    "redaction": ADAPTERS - {"redaction"},
    "telemetry": ADAPTERS - {"redaction"},
    "contents": ADAPTERS - {"contents"},
    "line_search": ADAPTERS - {"line_search"},
    "json_parts": ADAPTERS - {"json_parts"},
}
# regex knows what a reader takes for one character (domain/written_characters.py).
DOMAIN_MAY_IMPORT = {*sys.stdlib_module_names, "numpy", "regex"}

# Modules that may catch everything: the outermost places of a call, a loop, a command and a worker; a thread that
# hands its error over; and the one that calls libraries whose errors have no base class but Exception.
CATCH_ALL = {
    "rpc.pipeline",
    "background",
    "cli.program",
    "workers",
    "storage.embedded.process",
    "embedding.onnx",
}
# Modules that may ask the machine for the time or wait without the event loop; they run outside of it.
OWN_TIME = {"domain.clock", "domain.deadline", "cli", "storage.embedded", "workers"}

Broken = Iterator[str]


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the server by its name below the package."""
    return {module_name(path): ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(tree: ast.Module) -> Iterator[str]:
    """The names of all imported modules, also of those imported late."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own(imported: str) -> str:
    """The package within the server, or nothing for what is not ours."""
    parts = imported.split(".")
    return parts[1] if parts[0] == "camillo_server" and len(parts) > 1 else ""


def imports_that_are_not_the_domains(name: str, tree: ast.Module) -> Broken:
    if name.split(".")[0] != "domain":
        return
    for imported in imports(tree):
        if own(imported) != "domain" and imported.split(".")[0] not in DOMAIN_MAY_IMPORT:
            yield imported


def imports_across_packages(name: str, tree: ast.Module) -> Broken:
    forbidden = NEVER.get(name.split(".")[0], set())
    yield from (imported for imported in imports(tree) if own(imported) in forbidden)


def imports_of_the_joining_modules(name: str, tree: ast.Module) -> Broken:
    """What puts everything together is imported by nothing but its like."""
    if name.split(".")[0] in JOINING or not name:
        return
    yield from (imported for imported in imports(tree) if own(imported) in JOINING)


def imports_of_the_settings(name: str, tree: ast.Module) -> Broken:
    """Settings import nothing of ours but each other, so that every part of the server can import them."""
    if name in SETTINGS:
        yield from (each for each in imports(tree) if own(each) not in SETTINGS | {""})


def times_of_the_machine(name: str, tree: ast.Module) -> Broken:
    if is_within(name, OWN_TIME):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("time.sleep", "time.time", "sleep", "datetime.today", "date.today"):
                yield called
            if called.endswith(("datetime.now", "datetime.utcnow")):
                yield called


def own_hand_overs_to_threads(name: str, tree: ast.Module) -> Broken:
    """The costs of all work are compared in one place."""
    if name.split(".")[-1] == "off_loop":
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("to_thread", "run_in_executor"):
            yield f"line {node.lineno}: use off_loop"


def catches_of_everything(name: str, tree: ast.Module) -> Broken:
    if is_within(name, CATCH_ALL):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and catches_all(node) and not raises_again(node):
            yield f"line {node.lineno}"


def catches_all(handler: ast.ExceptHandler) -> bool:
    caught = "" if handler.type is None else ast.unparse(handler.type)
    return caught == "" or bool({"Exception", "BaseException"} & set(re.findall(r"\w+", caught)))


def raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def is_within(name: str, places: set[str]) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in places)


RULES: Mapping[Callable[[str, ast.Module], Broken], tuple[str, str]] = {
    imports_that_are_not_the_domains: ("domain.x", "from camillo_server.rpc import limits"),
    imports_across_packages: ("rpc.x", "def f():\n  import camillo_server.storage.database"),
    imports_of_the_joining_modules: ("storage.x", "from camillo_server import app"),
    imports_of_the_settings: ("settings", "from camillo_server.storage import database"),
    times_of_the_machine: ("rpc.x", "from datetime import datetime\nnow = datetime.now()"),
    own_hand_overs_to_threads: ("storage.x", "await asyncio.to_thread(f)"),
    catches_of_everything: ("storage.x", "try: f()\nexcept (OSError, Exception): pass"),
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_no_module_breaks_the_rule(rule: Callable[[str, ast.Module], Broken]) -> None:
    assert len(modules()) > 80
    broken = [f"{name}: {what}" for name, tree in modules().items() for what in rule(name, tree)]
    assert not broken


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_rule_notices_what_breaks_it(rule: Callable[[str, ast.Module], Broken]) -> None:
    name, sample = RULES[rule]
    assert list(rule(name, ast.parse(sample)))


@pytest.mark.parametrize(
    ("rule", "name", "sample"),
    [
        (imports_that_are_not_the_domains, "domain.x", "import psycopg"),
        (imports_that_are_not_the_domains, "domain.x", "from camillo.v1 import memory_pb2"),
        (imports_across_packages, "identity.x", "from camillo_server.storage.tenants import X"),
        (imports_across_packages, "storage.x", "from camillo_server import rpc"),
        (imports_across_packages, "embedding.x", "import camillo_server.storage"),
        (imports_across_packages, "contents.x", "import camillo_server.storage.database"),
        (imports_across_packages, "rpc.x", "from camillo_server.contents import keyring"),
        (times_of_the_machine, "storage.x", "import time\ntime.sleep(1)"),
        (times_of_the_machine, "storage.x", "import datetime\ndatetime.datetime.now()"),
        (own_hand_overs_to_threads, "rpc.x", "await loop.run_in_executor(None, f)"),
        (catches_of_everything, "rpc.x", "try: f()\nexcept: pass"),
        (catches_of_everything, "rpc.x", "try: f()\nexcept BaseException as e: raise X from e"),
    ],
)
def test_the_rules_notice_other_ways_as_well(
    rule: Callable[[str, ast.Module], Broken], name: str, sample: str
) -> None:
    assert list(rule(name, ast.parse(sample)))


def hand_written() -> Iterator[Path]:
    for folder in ("server", "clients/python", "clients/conformance", "tests", "bench", "proto"):
        for pattern in ("*.py", "*.sql", "*.proto"):
            for path in (ROOT / folder).rglob(pattern):
                if GENERATED not in path.parents and "build" not in path.parts:
                    yield path


def test_no_file_is_too_long() -> None:
    files = list(hand_written())
    assert len(files) > 150
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files}
    assert not {name: count for name, count in lines.items() if count > most_lines(name)}


def most_lines(name: str) -> int:
    return MOST_LINES_OF_CONTRACT if name.endswith(".proto") else MOST_LINES


CLOCKS_OF_SQL = re.compile(
    r"\b(now\s*\(|current_timestamp|current_date|localtimestamp|(statement|transaction|clock)_timestamp)",
    re.IGNORECASE,
)


def without_comments(text: str) -> str:
    return re.sub(r"--[^\n]*", "", text)


def test_no_statement_asks_postgres_for_the_time() -> None:
    files = list((PACKAGE / "storage" / "sql").glob("*.sql"))
    assert len(files) > 5
    for path in files:
        assert not CLOCKS_OF_SQL.search(without_comments(path.read_text())), path.name


@pytest.mark.parametrize(
    "sample", ["select now()", "default CURRENT_TIMESTAMP", "clock_timestamp()"]
)
def test_a_statement_that_asks_for_the_time_is_noticed(sample: str) -> None:
    assert CLOCKS_OF_SQL.search(sample)
    assert not CLOCKS_OF_SQL.search(without_comments(f"-- {sample}"))
    assert not CLOCKS_OF_SQL.search("where created_at < %(now)s")
