"""TLS on both sides of Envoy, with a certificate that replicas ask it for."""

from pathlib import Path

import grpc
import pytest
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo_client import AsyncCamillo, Tls
from camillo_client.errors import CredentialInvalid, Unavailable

from tests.mesh.conftest import NewReplica, StartEnvoy
from tests.mesh.replicas import Replica
from tests.mesh.web import requested
from tests.rpc.certificates import Authority
from tests.server_fixtures import Caller, refused
from tests.tenant_keys import Keys

REPLICAS = "replicas.example.com"

pytestmark = [pytest.mark.xdist_group("mesh_tls"), pytest.mark.timeout(110)]


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


@pytest.fixture(scope="module")
def directory(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The PEM files of all."""
    place = tmp_path_factory.mktemp("tls")
    (place / "authority.pem").write_bytes(authority.certificate)
    for name in (REPLICAS, "envoy.example.com", "localhost"):
        authority.sign(name).write(place, name)
    return place


@pytest.fixture(scope="module")
async def replica(new_replica: NewReplica, directory: Path) -> Replica:
    """A server that lets nobody in without a certificate of the authority."""
    tls = {
        "certificate_path": str(directory / f"{REPLICAS}.pem"),
        "private_key_path": str(directory / f"{REPLICAS}.key"),
        "client_ca_path": str(directory / "authority.pem"),
    }
    made = new_replica(tls=tls, identity={"mtls": {"trust_domain": "example.com"}})
    await made.start()
    return made


@pytest.fixture(scope="module")
def variables(directory: Path) -> dict[str, str]:
    """Certificates that Envoy shows to servers and expects of them, and those that it shows to callers."""
    return {
        "MESH_REPLICA_CA": str(directory / "authority.pem"),
        "MESH_REPLICA_NAME": REPLICAS,
        "MESH_REPLICA_CERTIFICATE": str(directory / "envoy.example.com.pem"),
        "MESH_REPLICA_PRIVATE_KEY": str(directory / "envoy.example.com.key"),
        "MESH_CERTIFICATE": str(directory / "localhost.pem"),
        "MESH_PRIVATE_KEY": str(directory / "localhost.key"),
    }


async def test_callers_reach_through_envoy_whom_they_cannot_reach_alone(
    replica: Replica, start_envoy: StartEnvoy, authority: Authority, variables: dict[str, str], mesh_keys: Keys
) -> None:
    envoy = await start_envoy([replica], **variables)
    await envoy.until_well(1)
    alice = mesh_keys.alice
    tls = Tls(root_certificates=authority.certificate, server_name="localhost")
    async with AsyncCamillo.connect(envoy.address, key=alice, tls=tls) as client:
        assert (await client.who_am_i()).agent_id == "alice"
    # Envoy's certificate opens the connection and is nobody's credential.
    async with AsyncCamillo.connect(envoy.address, key="", tls=tls) as nobody:
        with pytest.raises(CredentialInvalid):
            await nobody.who_am_i()
    root = grpc.ssl_channel_credentials(authority.certificate)
    name = [("grpc.ssl_target_name_override", REPLICAS)]
    async with grpc.aio.secure_channel(replica.address, root, name) as channel:
        told = await refused(Caller(channel, alice, 30)(WhoAmIRequest()))
        assert told.code == grpc.StatusCode.UNAVAILABLE


async def test_a_server_of_another_name_is_not_trusted(
    replica: Replica, start_envoy: StartEnvoy, variables: dict[str, str], mesh_keys: Keys
) -> None:
    plain = {name: value for name, value in variables.items() if "REPLICA" in name}
    stranger = await start_envoy([replica], **plain | {"MESH_REPLICA_NAME": "camillo"})
    alice = mesh_keys.alice
    async with AsyncCamillo.connect(stranger.address, key=alice) as client:
        with pytest.raises(Unavailable):
            await client.who_am_i(timeout=3)
    assert (await requested(stranger, "GET /healthz")).status == 503
    # It is the name: by the right one it is found well.
    envoy = await start_envoy([replica], **plain)
    await envoy.until_well(1)
    assert (await requested(envoy, "GET /healthz")).status == 200
