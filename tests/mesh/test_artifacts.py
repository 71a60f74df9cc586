"""Artifacts of any size through Envoy: whoever cuts the connection, all bytes arrive and come back."""

import os
import random
from hashlib import sha256

import pytest
from camillo_client import AsyncCamillo

from tests.mesh.cutting_relay import cutting_relay
from tests.mesh.fleet import Fleet

MIB = 1024 * 1024
# CAMILLO_TEST_MESH_MIB=256 for what a long run of tests puts out.
SIZE_MIB = int(os.environ.get("CAMILLO_TEST_MESH_MIB", "12"))

pytestmark = [pytest.mark.xdist_group("mesh_one"), pytest.mark.timeout(110 + SIZE_MIB)]


async def test_an_artifact_survives_cut_connections(served: Fleet) -> None:
    noise = random.Random(7)  # noqa: S311
    data = b"".join(noise.randbytes(MIB) for _ in range(SIZE_MIB))
    third = SIZE_MIB * MIB // 3
    async with cutting_relay(served.envoy.port, cut_after=[third, third]) as (relay, address):
        async with AsyncCamillo.connect(address, key=served.keys.alice) as client:
            stored = await client.artifacts.put(data, name="noise.bin")
            assert relay.cuts == 2
        assert (stored.size_bytes, stored.sha256) == (len(data), sha256(data).digest())
    async with cutting_relay(served.envoy.port, cut_after=[third]) as (relay, address):
        async with AsyncCamillo.connect(address, key=served.keys.alice) as client:
            assert await client.artifacts.read(stored.artifact_id) == data
        assert relay.cuts == 1
