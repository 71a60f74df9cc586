"""A server imports what it needs for its first answers, so that it is soon back after a restart."""

import gc
import subprocess
import sys

from camillo_server.assembly.processes.interpreter import loading_modules

from tests.patience import PATIENCE_SECONDS

# Modules that only some settings, a missing migration, the command line or the first search in memory need.
NEEDLESS = {
    "alembic",
    "camillo_server.storage.parts.bucket_parts",
    "camillo_server.doors.identity.jwt",
    "camillo_server.lib.outputs.summary.recognize",
    "camillo_server.assembly.processes.workers",
    "camillo_server.telemetry.exporters",
    "camillo_server.telemetry.metrics_export",
    "jwt",
    "litellm",
    "mcp",
    "obstore",
    "onnxruntime",
    "opentelemetry.sdk",
    "prometheus_client",
    "psutil",
    "sqlalchemy",
    "starlette",
    "tokenizers",
    "typer",
}
# Modules that answer calls; they are imported while Postgres starts.
SERVER = {"camillo_server.assembly.app", "faiss", "google.protobuf", "grpc", "numpy"}


def imported(module: str) -> set[str]:
    """The modules that importing this one imports, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_a_server_imports_nothing_that_its_settings_do_not_ask_for() -> None:
    modules = imported("camillo_server.assembly.processes.one_process")
    assert modules >= SERVER
    assert not modules & NEEDLESS


def test_postgres_is_started_before_what_answers_is_imported() -> None:
    modules = imported("camillo_server.assembly.processes.serve")
    assert {"camillo_server.storage.embedded.server", "psycopg"} <= modules
    assert not modules & (SERVER | NEEDLESS)


def test_no_garbage_is_collected_while_modules_are_loaded_and_what_was_loaded_is_spared() -> None:
    frozen, was_enabled = gc.get_freeze_count(), gc.isenabled()
    try:
        with loading_modules():
            assert not gc.isenabled()
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen
    finally:
        gc.unfreeze()
        if not was_enabled:
            gc.disable()
