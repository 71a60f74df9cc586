"""whoami, tenants, agents, keys."""

import sys
from typing import Annotated, Any

import typer
from typer import Argument, Option

from camillo_server.cli.arguments import span
from camillo_server.cli.choices import Role
from camillo_server.cli.connection import ClientOptions, administering
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import counted, note, print_json, print_message, say
from camillo_server.cli.tables import Column, show_table

Tenant = Annotated[str, Option("--tenant", help="Default: the key's own tenant.")]
Confirmed = Annotated[
    str | None, Option("--confirm", help="The id once more, instead of being asked.")
]


def whoami(client: ClientOptions) -> None:
    """Show who the key makes you, and the server behind the address.

    Example: camillo whoami
    """
    from camillo.v1.admin_pb2 import Role as WireRole
    from camillo_client import enum_name

    with administering(client) as camillo:
        caller = camillo.who_am_i()
    if client.as_json:
        print_message(caller)
        return
    rows = {
        "tenant": caller.tenant_id,
        "agent": "any" if caller.any_agent else caller.agent_id,
        "role": enum_name(WireRole, caller.role),
        "server": f"{client.address}, version {caller.server_version}",
        "embedding": f"{caller.model_id}, {caller.model_dimensions} dimensions",
    }
    for name, value in rows.items():
        say(f"{name:<10} {value}")


def list_tenants(client: ClientOptions) -> None:
    """List all tenants (needs the role root).

    Example: camillo tenants list
    """
    with administering(client) as camillo:
        found = list(camillo.admin.list_tenants())
    _show(client, found, ("tenant_id", "display_name"))


def create_tenant(
    client: ClientOptions,
    tenant_id: Annotated[str, Argument()],
    name: Annotated[str, Option(help="A name for people.")] = "",
) -> None:
    """Create a tenant (needs the role root).

    Example: camillo tenants create acme --name "Acme Ltd"
    """
    with administering(client) as camillo:
        tenant = camillo.admin.create_tenant(tenant_id, display_name=name)
    _tell(client, tenant, f"created tenant {tenant.tenant_id}")


def delete_tenant(
    client: ClientOptions, tenant_id: Annotated[str, Argument()], confirm: Confirmed = None
) -> None:
    """Remove a tenant with everything in it, for good (needs the role root).

    Example: camillo tenants delete acme --confirm acme
    """
    repeated = _confirmation("tenant", tenant_id, confirm)
    with administering(client) as camillo:
        count = camillo.admin.delete_tenant(tenant_id, confirm_tenant_id=repeated)
    _tell_deleted(client, "tenant", tenant_id, count)


def list_agents(client: ClientOptions, tenant: Tenant = "") -> None:
    """List the agents of a tenant.

    Example: camillo agents list
    """
    with administering(client) as camillo:
        found = list(camillo.admin.list_agents(tenant_id=tenant))
    _show(client, found, ("agent_id", "display_name"))


def create_agent(
    client: ClientOptions,
    agent_id: Annotated[str, Argument()],
    name: Annotated[str, Option(help="A name for people.")] = "",
    tenant: Tenant = "",
) -> None:
    """Create an agent. Its first write does so, too.

    Example: camillo agents create researcher
    """
    with administering(client) as camillo:
        agent = camillo.admin.create_agent(agent_id, display_name=name, tenant_id=tenant)
    _tell(client, agent, f"created agent {agent.agent_id}")


def delete_agent(
    client: ClientOptions,
    agent_id: Annotated[str, Argument()],
    confirm: Confirmed = None,
    tenant: Tenant = "",
) -> None:
    """Remove an agent with all its memories, for good; its keys are revoked.

    Example: camillo agents delete researcher --confirm researcher
    """
    repeated = _confirmation("agent", agent_id, confirm)
    with administering(client) as camillo:
        count = camillo.admin.delete_agent(agent_id, confirm_agent_id=repeated, tenant_id=tenant)
    _tell_deleted(client, "agent", agent_id, count)


def list_keys(client: ClientOptions, tenant: Tenant = "") -> None:
    """List the keys of a tenant, newest first, without their secrets.

    Example: camillo keys list
    """
    from camillo.v1.admin_pb2 import Role as WireRole
    from camillo_client import enum_name

    with administering(client) as camillo:
        found = list(camillo.admin.list_keys(tenant_id=tenant))
    if client.as_json:
        for key in found:
            print_message(key)
        return
    rows = [
        [
            key.key_id,
            "any" if key.any_agent else key.agent_id,
            enum_name(WireRole, key.role),
            _state(key),
            key.description,
        ]
        for key in found
    ]
    columns = [Column("key id"), Column("agent"), Column("role"), Column("state")]
    show_table([*columns, Column("description")], rows)


def create_key(
    client: ClientOptions,
    role: Annotated[Role, Option(help="What the key allows.")] = Role.WRITER,
    for_agent: Annotated[
        str | None, Option(metavar="AGENT", help="The one agent it acts for.")
    ] = None,
    any_agent: Annotated[
        bool, Option("--any-agent", help="It may act for any agent of the tenant.")
    ] = False,
    description: Annotated[str, Option(help="What it is for.")] = "",
    lifetime: Annotated[
        str | None, Option(help="Refused after this long: 12h, 90d. Default: never.")
    ] = None,
    tenant: Tenant = "",
) -> None:
    """Create a key. Its secret is shown this one time, alone on standard output.

    Example: camillo keys create --for-agent researcher --role writer --lifetime 90d
    """
    if (for_agent is None) != any_agent:
        raise CliError("give either --for-agent or --any-agent", ExitCode.USAGE)
    with administering(client) as camillo:
        created = camillo.admin.create_key(
            role.value,
            agent_id=for_agent,
            any_agent=any_agent,
            description=description,
            lifetime=span(lifetime) if lifetime else None,
            tenant_id=tenant,
        )
    if client.as_json:
        print_message(created)
    else:
        say(created.secret)
        note(f"key {created.key.key_id}: keep the secret now, it is not stored")


def revoke_key(
    client: ClientOptions, key_id: Annotated[str, Argument()], tenant: Tenant = ""
) -> None:
    """Revoke a key by its id, as 'keys list' shows it.

    Example: camillo keys revoke 5e8f0c1a-0000-4000-8000-000000000001
    """
    with administering(client) as camillo:
        key = camillo.admin.revoke_key(key_id, tenant_id=tenant)
    _tell(client, key, f"revoked key {key.key_id}")


def _show(client: ClientOptions, found: list[Any], names: tuple[str, str]) -> None:
    from camillo_server.cli.wording import moment

    if client.as_json:
        for message in found:
            print_message(message)
        return
    rows = [
        [getattr(m, names[0]) or "(shared)", moment(m.created_at), getattr(m, names[1])]
        for m in found
    ]
    show_table([Column("id"), Column("created"), Column("name")], rows)


def _state(key: Any) -> str:
    from camillo_server.cli.wording import moment

    if key.HasField("revoked_at"):
        return "revoked"
    return f"until {moment(key.expires_at)}" if key.HasField("expires_at") else "valid"


def _tell(client: ClientOptions, message: Any, text: str) -> None:
    if client.as_json:
        print_message(message)
    else:
        say(text)


def _tell_deleted(client: ClientOptions, noun: str, deleted_id: str, memories: int) -> None:
    if client.as_json:
        print_json({f"{noun}_id": deleted_id, "forgotten_memories": memories})
    else:
        say(f"deleted {noun} {deleted_id} with {counted(memories)}")


def _confirmation(noun: str, wanted_id: str, confirm: str | None) -> str:
    """The id repeated, by option or when asked. Raises CliError where nobody can be asked."""
    if confirm is None and not sys.stdin.isatty():
        raise CliError(
            f"this is for good: repeat the id with --confirm {wanted_id}", ExitCode.USAGE
        )
    repeated: str = confirm or typer.prompt(f"For good: type the id of the {noun}", err=True)
    if repeated != wanted_id:
        raise CliError(f"{repeated!r} is not {wanted_id!r}: nothing was deleted", ExitCode.USAGE)
    return repeated
