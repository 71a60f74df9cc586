"""Artifacts of any size through Envoy: whoever cuts the connection, all bytes arrive and come back."""

import os
import random
from hashlib import sha256

import pytest
from camillo_client import AsyncCamillo

from clients.conformance.wire import Cut, Wire, listening
from tests.mesh.fleet import Fleet

MIB = 1024 * 1024
# CAMILLO_TEST_MESH_MIB=256 for what a long run of tests puts out.
SIZE_MIB = int(os.environ.get("CAMILLO_TEST_MESH_MIB", "12"))

pytestmark = [pytest.mark.xdist_group("mesh_one"), pytest.mark.timeout(110 + SIZE_MIB)]


async def test_an_artifact_survives_cut_connections(served: Fleet) -> None:
    noise = random.Random(7)  # noqa: S311
    data = b"".join(noise.randbytes(MIB) for _ in range(SIZE_MIB))
    third = SIZE_MIB * MIB // 3
    wire, going, coming = Wire(served.envoy.port), Cut("up", third, times=2), Cut("down", third)
    async with listening(wire) as address, AsyncCamillo.connect(address, key=served.keys.alice) as client:
        wire.cut(going)
        stored = await client.artifacts.put(data, name="noise.bin")
        assert going.broken == 2
        assert (stored.size_bytes, stored.sha256) == (len(data), sha256(data).digest())
        wire.cut(coming)
        assert await client.artifacts.read(stored.artifact_id) == data
        assert coming.broken == 1
