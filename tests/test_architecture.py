"""The rules of the architecture, read from the code itself; each is also shown to notice what breaks it."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.python_sources import parsed

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "server" / "camillo_server"
GENERATED = ROOT / "clients" / "python" / "src" / "camillo"
MAX_LINES = 400
# A message cannot move to another file once it is released: that would break who has generated code of it.
MAX_LINES_OF_CONTRACT = 630

# Rooms by layer: a room may import those of the layers above it in this list, and no other one of its own layer.
GROUPS = {"lib", "models", "doors", "features", "across"}
LAYERS: Sequence[set[str]] = (
    {"kernel"},
    {"settings"},
    {"lib.crypto", "lib.text"},
    {"lib.outputs"},
    {"lib.redaction"},
    {"telemetry"},
    {"storage"},
    {"models.embedding"},
    {"models.reranking"},
    {"doors.identity"},
    {"doors.rpc"},
    {"doors.gateway", "doors.spool"},
    # The rows that are stored to be found.
    {"rows"},
    # Finds rows; knows no feature.
    {"search"},
    # Siblings.
    {
        *("features.artifacts", "features.audit", "features.compaction", "features.decisions", "features.events"),
        *("features.knowledge", "features.links", "features.memories", "features.slots", "features.tasks"),
    },
    # Reads events; what it finds becomes memories, decisions and tasks.
    {"features.distillation"},
    # Each reads several features.
    {"across.context", "across.forgetting", "across.lifecycle"},
    {"across.admin", "across.runs"},
    {"across.backup", "across.spaces"},
    # Puts everything together.
    {"assembly"},
    {"cli"},
    {"__main__"},
)
FEATURES = {room for rooms in LAYERS for room in rooms if room.startswith(("features.", "across.", "search"))}

# Modules that speak gRPC, beside these rooms: by the last part of their name.
GRPC_ROOMS = {"doors.rpc", "doors.gateway", "telemetry", "assembly", "cli"}
SPEAKS_GRPC = re.compile(r"(\w+_)?(servicer|messages)|page_tokens")
# Modules that speak to Postgres, beside all of `storage`: a module `store`, or one in a package `store`.
SPEAKS_SQL = re.compile(r"(.*\.)?store(\..*)?")

# Modules that may catch everything: the outermost places of a call, a loop, a command, a hook and a worker; a thread
# that hands its error over; and the one that calls libraries whose errors have no base class but Exception.
CATCH_ALL = {
    "doors.rpc.pipeline",
    "kernel.background",
    "doors.gateway.mcp.sdk_server",
    "doors.gateway.mcp.direct_answers",
    "doors.spool.replay",
    "assembly.processes.workers",
    "storage.embedded.process",
    "storage.embedded.server",
    "models.embedding.onnx_model",
}
# Modules that may ask the machine for the time or wait without the event loop; they run outside of it.
OWN_TIME = {"kernel.clock", "cli", "storage.embedded", "assembly.processes.workers"}

Broken = Iterator[str]


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the server by its name below the package."""
    return {module_name(path): parsed(path.read_text()) for path in PACKAGE.rglob("*.py")}


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


def room(name: str) -> str:
    """The room of a module of the server: the first part of its name, or two where the first one is a group of
    rooms."""
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] in GROUPS else parts[0]


def imports_across_rooms(name: str, tree: ast.Module) -> Broken:
    """Nothing below knows what is above it, and siblings do not know each other."""
    own = room(name)
    below = {each for rooms in LAYERS[: layer_of(own)] for each in rooms} | {own, ""}
    for imported in imports(tree):
        if imported.startswith("camillo_server.") and room(imported.removeprefix("camillo_server.")) not in below:
            yield imported


def layer_of(own: str) -> int:
    return next((index for index, rooms in enumerate(LAYERS) if own in rooms), 0)


def imports_of_grpc(name: str, tree: ast.Module) -> Broken:
    """Messages and stubs stay at the edge: use cases and stores have values."""
    if room(name) in GRPC_ROOMS or SPEAKS_GRPC.fullmatch(name.rpartition(".")[2]):
        return
    for imported in imports(tree):
        if imported.split(".")[0] in {"grpc", "grpc_status"} or imported.startswith(("camillo.v1", "google.protobuf")):
            yield imported


def imports_of_psycopg(name: str, tree: ast.Module) -> Broken:
    """Who asks Postgres is found by the name of the module."""
    if room(name) in {"storage", "assembly", "cli"} or SPEAKS_SQL.fullmatch(name):
        return
    for imported in imports(tree):
        if imported.split(".")[0] in {"psycopg", "psycopg_pool", "pgvector"}:
            yield imported


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


def is_within(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


RULES: Mapping[Callable[[str, ast.Module], Broken], tuple[str, str]] = {
    imports_across_rooms: ("features.tasks.x", "from camillo_server.features.events import event"),
    imports_of_grpc: ("features.tasks.tasks", "from camillo.v1 import task_pb2"),
    imports_of_psycopg: ("features.tasks.tasks", "from psycopg.rows import namedtuple_row"),
    times_of_the_machine: ("doors.rpc.x", "from datetime import datetime\nnow = datetime.now()"),
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
    assert list(rule(name, parsed(sample)))


@pytest.mark.parametrize(
    ("rule", "name", "sample"),
    [
        (imports_across_rooms, "kernel.x", "from camillo_server.settings import settings"),
        (imports_across_rooms, "lib.text.x", "from camillo_server.storage.database import Database"),
        (imports_across_rooms, "lib.text.x", "from camillo_server.lib.crypto import keyring"),
        (imports_across_rooms, "storage.x", "def f():\n  import camillo_server.rows.row"),
        (imports_across_rooms, "rows.x", "import camillo_server.features.memories.memories"),
        (imports_across_rooms, "features.tasks.x", "import camillo_server.across.context.bundle"),
        (imports_across_rooms, "across.context.x", "import camillo_server.across.forgetting.records"),
        (imports_across_rooms, "across.admin.x", "from camillo_server.assembly import kernel"),
        (imports_of_grpc, "features.tasks.store", "import grpc"),
        (imports_of_grpc, "kernel.x", "from google.protobuf.timestamp_pb2 import Timestamp"),
        (imports_of_psycopg, "features.memories.restore", "import psycopg"),
        (times_of_the_machine, "storage.x", "import time\ntime.sleep(1)"),
        (times_of_the_machine, "storage.x", "import datetime\ndatetime.datetime.now()"),
        (catches_of_everything, "doors.rpc.x", "try: f()\nexcept: pass"),
        (catches_of_everything, "doors.rpc.x", "try: f()\nexcept BaseException as e: raise X from e"),
    ],
)
def test_the_rules_notice_other_ways_as_well(rule: Callable[[str, ast.Module], Broken], name: str, sample: str) -> None:
    assert list(rule(name, parsed(sample)))


@pytest.mark.parametrize(
    ("rule", "name", "sample"),
    [
        (imports_across_rooms, "features.tasks.x", "from camillo_server.rows import row"),
        (imports_of_grpc, "features.tasks.servicer", "import grpc"),
        (imports_of_grpc, "features.events.content_messages", "import grpc"),
        (imports_of_psycopg, "features.tasks.store", "import psycopg"),
        (imports_of_psycopg, "rows.store.writer", "import psycopg"),
    ],
)
def test_the_rules_let_pass_what_keeps_them(rule: Callable[[str, ast.Module], Broken], name: str, sample: str) -> None:
    assert not list(rule(name, parsed(sample)))


def test_every_room_has_its_layer() -> None:
    rooms = [each for rooms in LAYERS for each in rooms]
    assert len(rooms) == len(set(rooms))
    assert {room(name) for name in modules() if name and name not in GROUPS} == set(rooms)


def imported_modules(name: str, tree: ast.Module) -> Iterator[str]:
    """The modules of the server that are imported when this one is, but for packages that only hold them."""
    top_level = ast.Module([node for node in tree.body if not isinstance(node, ast.If)], [])
    found = {each.removeprefix("camillo_server.") for each in imports(top_level)}
    for each in found & modules().keys() - {name}:
        if not any(other.startswith(f"{each}.") for other in found):
            yield each


def test_modules_do_not_import_each_other_in_circles() -> None:
    imported = {name: set(imported_modules(name, tree)) for name, tree in modules().items()}
    # Raises CycleError, which names the circle.
    assert len(list(TopologicalSorter(imported).static_order())) == len(modules())


def classes() -> Iterator[tuple[str, str]]:
    """Every class by its name, with its module."""
    for name, tree in modules().items():
        yield from ((node.name, name) for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def test_no_two_classes_have_one_name() -> None:
    by_name: dict[str, list[str]] = {}
    for name, module in classes():
        by_name.setdefault(name, []).append(module)
    assert len(by_name) > 400
    assert not {name: where for name, where in by_name.items() if len(where) > 1}


# Rooms in `across` that still import a feature by name, which could declare what they need as it declares what can be
# forgotten (`rows/forgettable.py`). This may only shrink.
NAMED_FEATURES: Mapping[str, set[str]] = {
    "across.context": {
        *("features.decisions", "features.events", "features.knowledge", "features.slots", "features.tasks")
    },
    "across.runs": {"features.events"},
}


def features_named_across() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, tree in modules().items():
        if name.startswith("across."):
            named = {room(each.removeprefix("camillo_server.")) for each in imports(tree)}
            found.setdefault(room(name), set()).update(each for each in named if each.startswith("features."))
    return {own: named for own, named in found.items() if named}


def test_across_reads_features_through_what_they_declare() -> None:
    assert features_named_across() == NAMED_FEATURES


def test_every_file_that_assembly_names_is_there() -> None:
    named = {
        file
        for name, tree in modules().items()
        if name.startswith("assembly.")
        for file in re.findall(r"`([\w/]+\.py)`", ast.get_docstring(tree) or "")
    }
    assert len(named) > 30
    assert not sorted(file for file in named if not (PACKAGE / file).exists())


def hand_written() -> Iterator[Path]:
    for folder in (
        *("server", "clients/python", "clients/python-cli", "clients/conformance"),
        *("tests", "bench", "tools", "proto"),
    ):
        for pattern in ("*.py", "*.sql", "*.proto"):
            for path in (ROOT / folder).rglob(pattern):
                if GENERATED not in path.parents and "build" not in path.parts:
                    yield path


def test_no_file_is_too_long() -> None:
    files = list(hand_written())
    assert len(files) > 150
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files}
    assert not {name: count for name, count in lines.items() if count > max_lines(name)}


def max_lines(name: str) -> int:
    return MAX_LINES_OF_CONTRACT if name.endswith(".proto") else MAX_LINES


CLOCKS_OF_SQL = re.compile(
    r"\b(now\s*\(|current_timestamp|current_date|localtimestamp|(statement|transaction|clock)_timestamp)", re.IGNORECASE
)


def without_comments(text: str) -> str:
    return re.sub(r"--[^\n]*", "", text)


def test_no_statement_asks_postgres_for_the_time() -> None:
    # Jobs call procrastinate's own functions, whose times are those of its tables. The schema's own take no time from
    # the server where it could choose it: entries of the audit trail are pruned.
    files = [
        path for path in PACKAGE.rglob("*.sql") if not {"jobs", "migrations"} & set(path.relative_to(PACKAGE).parts)
    ]
    assert len(files) > 20
    for path in files:
        assert not CLOCKS_OF_SQL.search(without_comments(path.read_text())), path.name


@pytest.mark.parametrize("sample", ["select now()", "default CURRENT_TIMESTAMP", "clock_timestamp()"])
def test_a_statement_that_asks_for_the_time_is_noticed(sample: str) -> None:
    assert CLOCKS_OF_SQL.search(sample)
    assert not CLOCKS_OF_SQL.search(without_comments(f"-- {sample}"))
    assert not CLOCKS_OF_SQL.search("where created_at < %(now)s")


def test_migrations_follow_each_other_in_the_order_of_their_numbers() -> None:
    before = "None"
    for path in sorted((PACKAGE / "storage" / "migrations" / "versions").glob("[0-9]*.py")):
        number = f'"{path.name.partition("_")[0]}"'
        lines = path.read_text().splitlines()
        assert f"revision = {number}" in lines, path.name
        assert f"down_revision = {before}" in lines, path.name
        before = number
    assert before != "None"
