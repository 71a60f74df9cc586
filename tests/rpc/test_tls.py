"""TLS, and client certificates whose SPIFFE identity is the caller."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_service_pb2 as service
from camillo_client import Tls
from cryptography import x509

from tests.rpc.certificates import LIFETIME, Authority, Certificate
from tests.rpc.memories.calls import listed, remember
from tests.server_fixtures import Server, StartServer, refused

ADA = "spiffe://example.org/tenant/acme/agent/ada"
UNREACHED = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


def tls_files(authority: Authority, directory: Path, *, clients: bool = False) -> dict[str, Any]:
    certificate, key = authority.sign("localhost").write(directory, "server")
    settings = {"certificate_path": str(certificate), "private_key_path": str(key)}
    if clients:
        (directory / "authority.pem").write_bytes(authority.certificate)
        settings["client_ca_path"] = str(directory / "authority.pem")
    return settings


def credentials(authority: Authority, own: Certificate | None = None) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(
        authority.certificate, own.private_key if own else None, own.certificate if own else None
    )


async def test_tls_serves_those_who_know_its_authority(
    authority: Authority, start_server: StartServer, tmp_path: Path
) -> None:
    server = await start_server(credentials(authority), tls=tls_files(authority, tmp_path))
    await remember(server.alice, "encrypted")
    assert await listed(server.alice) == ["encrypted"]
    tls = Tls(root_certificates=authority.certificate)
    async with server.client(server.keys.alice, tls=tls) as client:
        assert [memory.content async for memory in client.list_memories()] == ["encrypted"]
    for stranger in (
        grpc.aio.insecure_channel(server.address),
        grpc.aio.secure_channel(server.address, credentials(Authority())),
    ):
        async with stranger:
            call = Server.caller(_on(server, stranger), server.keys.alice)
            told = await refused(call(service.ListMemoriesRequest(), timeout=2))
            assert told.code in UNREACHED


async def test_a_certificate_is_an_identity(authority: Authority, start_server: StartServer, tmp_path: Path) -> None:
    server = await start_server(
        credentials(authority, authority.sign(ADA)),
        tls=tls_files(authority, tmp_path, clients=True),
        identity={"mtls": {"trust_domain": "example.org"}},
    )
    ada = server.caller("")
    who = await ada(admin.WhoAmIRequest())
    assert (who.tenant_id, who.agent_id, who.any_agent) == ("acme", "ada", False)
    assert (await remember(ada, "by certificate")).agent_id == "ada"
    told = await refused(ada(service.ListMemoriesRequest(agent_id="alice")))
    assert told.reason == "SCOPE_FORBIDDEN"
    # An explicit key counts instead of the certificate, whether it is good or bad.
    assert (await server.alice(admin.WhoAmIRequest())).agent_id == "alice"
    assert (await refused(server.caller("bad")(admin.WhoAmIRequest()))).reason == "CREDENTIAL_INVALID"


@pytest.mark.parametrize(
    "names",
    [
        ["spiffe://elsewhere.org/tenant/acme/agent/ada"],
        ["spiffe://example.org/tenant/acme"],
        [ADA, "spiffe://example.org/tenant/acme/agent/bob"],
        ["ada.example.org"],
    ],
    ids=["another domain", "no agent", "two identities", "a host"],
)
async def test_a_certificate_without_an_identity_of_ours_is_refused(
    authority: Authority, start_server: StartServer, tmp_path: Path, names: list[str]
) -> None:
    server = await start_server(
        credentials(authority, authority.sign(*names)),
        tls=tls_files(authority, tmp_path, clients=True),
        identity={"mtls": {"trust_domain": "example.org"}},
    )
    told = await refused(server.caller("")(admin.WhoAmIRequest()))
    assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID")
    assert (await server.alice(admin.WhoAmIRequest())).agent_id == "alice"


@pytest.mark.parametrize("kind", [x509.DNSName, x509.RFC822Name, x509.UniformResourceIdentifier])
async def test_only_a_uri_of_a_certificate_is_an_identity(
    authority: Authority, start_server: StartServer, tmp_path: Path, kind: Callable[[str], x509.GeneralName]
) -> None:
    server = await start_server(
        credentials(authority, authority.sign_for(kind(ADA))),
        tls=tls_files(authority, tmp_path, clients=True),
        identity={"mtls": {"trust_domain": "example.org"}},
    )
    if kind is x509.UniformResourceIdentifier:
        assert (await server.caller("")(admin.WhoAmIRequest())).agent_id == "ada"
    else:
        told = await refused(server.caller("")(admin.WhoAmIRequest()))
        assert told.reason == "CREDENTIAL_INVALID"


async def test_a_connection_is_refused_once_its_certificate_has_ended(
    authority: Authority, start_server: StartServer, tmp_path: Path
) -> None:
    server = await start_server(
        credentials(authority, authority.sign(ADA)),
        tls=tls_files(authority, tmp_path, clients=True),
        identity={"mtls": {"trust_domain": "example.org"}},
    )
    callers = [server.caller(""), server.alice]
    for caller in callers:
        await remember(caller, "in time")
    server.clock.move(LIFETIME.total_seconds())
    for caller in callers:
        told = await refused(caller(admin.WhoAmIRequest()))
        assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID")


async def test_without_a_certificate_of_the_authority_there_is_no_connection(
    authority: Authority, start_server: StartServer, tmp_path: Path
) -> None:
    settings = tls_files(authority, tmp_path, clients=True)
    server = await start_server(credentials(authority, authority.sign(ADA)), tls=settings)
    await remember(server.alice, "connected")
    for own in (None, Authority().sign(ADA)):
        async with grpc.aio.secure_channel(server.address, credentials(authority, own)) as channel:
            call = _on(server, channel).alice
            told = await refused(call(service.ListMemoriesRequest(), timeout=2))
            assert told.code in UNREACHED


def _on(server: Server, channel: grpc.aio.Channel) -> Server:
    """A handle on the same server through another channel."""
    return Server(server.app, server.address, server.clock, server.database, server.keys, channel)
