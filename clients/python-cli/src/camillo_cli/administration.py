"""whoami, tenants, agents, keys: who may use a server."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from camillo_cli.arguments import span
from camillo_cli.connection import ClientOptions, administering
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import SHARED, counted, field_text, time_text
from camillo_cli.options import Channel, DryRun, Role, Sensitivity, Yes, literal
from camillo_cli.output import note, print_message, print_result, print_value
from camillo_cli.removals import note_receipt, rows_by_store
from camillo_cli.tables import Column, print_list, show_details

if TYPE_CHECKING:
    from camillo.v1.admin_pb2 import ApiKey

Tenant = Annotated[str, Option("--tenant", help="Default: the tenant of the key.")]
DisplayName = Annotated[str, Option("--name", help="A name for people.")]
Confirmed = Annotated[str | None, Option("--confirm", help="The id again: then the command does not ask for it.")]
TenantId = Annotated[str, Argument(help="The id of a tenant.")]
AgentId = Annotated[str, Argument(help="The id of an agent.")]
KeyId = Annotated[str, Argument(help="The id of a key, as 'keys list' shows it.")]


def whoami(client: ClientOptions) -> None:
    """Show the tenant, the agent and the role of the key, and the server at the address.

    Example: camillo whoami
    """
    with administering(client) as camillo:
        caller = camillo.who_am_i()
    if client.as_json:
        print_message(caller)
        return
    server = f"{client.address}, version {caller.server_version}"
    show_details(caller, [*CALLER, ("server", lambda _: server), EMBEDDING])


def list_tenants(client: ClientOptions) -> None:
    """List all tenants (needs the role root).

    Example: camillo tenants list
    """
    with administering(client) as camillo:
        print_list(client, camillo.admin.list_tenants(), TENANTS, empty="no tenants")


def create_tenant(client: ClientOptions, tenant_id: TenantId, name: DisplayName = "") -> None:
    """Create a tenant (needs the role root).

    Example: camillo tenants create acme --name "Acme Ltd"
    """
    with administering(client) as camillo:
        tenant = camillo.admin.create_tenant(tenant_id, display_name=name)
    print_result(client, tenant, f"created tenant {tenant.tenant_id}")


def tenant_quotas(
    client: ClientOptions,
    tenant_id: Annotated[str, Argument(help="The id of a tenant. Default: that of the key.")] = "",
    changes: Annotated[
        list[str] | None,
        Argument(metavar="[NAME=NUMBER]...", help="New quotas; 0: no limit; NAME=default: the server's."),
    ] = None,
) -> None:
    """Show what a tenant uses of its quotas, or change them (needs the role root).

    Example: camillo tenants quotas acme memories=5000000 calls_per_second=200
    """
    if "=" in tenant_id:
        raise CliError(f"name the tenant first: camillo tenants quotas TENANT {tenant_id}", ExitCode.USAGE)
    limits, reset = _bounds(changes or [])
    with administering(client) as camillo:
        if changes:
            quotas = camillo.admin.set_quotas(tenant_id, limits, reset=reset)
        else:
            quotas = camillo.admin.quotas(tenant_id=tenant_id)
    print_list(client, quotas, QUOTAS, empty="")


def _bounds(changes: list[str]) -> tuple[dict[str, int], list[str]]:
    """The new bounds by name, and the names of those that are the server's again. Raises CliError."""
    limits, reset = dict[str, int](), list[str]()
    for change in changes:
        name, _, value = change.partition("=")
        if value == "default":
            reset.append(name)
        elif value.isdecimal():
            limits[name] = int(value)
        else:
            raise CliError(f"{change}: must be NAME=NUMBER or NAME=default", ExitCode.USAGE)
    return limits, reset


def delete_tenant(client: ClientOptions, tenant_id: TenantId, confirm: Confirmed = None) -> None:
    """Remove a tenant with everything in it, permanently (needs the role root).

    Example: camillo tenants delete acme --confirm acme
    """
    repeated = confirm_id("tenant", tenant_id, confirm)
    with administering(client) as camillo:
        count = camillo.admin.delete_tenant(tenant_id, confirm_tenant_id=repeated)
    _print_deleted(client, "tenant", tenant_id, count)


def list_agents(client: ClientOptions, tenant: Tenant = "") -> None:
    """List the agents of a tenant.

    Example: camillo agents list
    """
    with administering(client) as camillo:
        agents = camillo.admin.list_agents(tenant_id=tenant)
        print_list(client, agents, AGENTS, empty="no agents")


def create_agent(client: ClientOptions, agent_id: AgentId, name: DisplayName = "", tenant: Tenant = "") -> None:
    """Create an agent. The first write of an agent creates it, too.

    Example: camillo agents create researcher
    """
    with administering(client) as camillo:
        agent = camillo.admin.create_agent(agent_id, display_name=name, tenant_id=tenant)
    print_result(client, agent, f"created agent {agent.agent_id}")


def delete_agent(
    client: ClientOptions,
    agent_id: AgentId,
    confirm: Confirmed = None,
    block: Annotated[bool, Option("--block", help="What it stated may not be stated again under this id.")] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    tenant: Tenant = "",
) -> None:
    """Erase an agent: every record of every store, permanently; its keys are revoked. Counts by store, and a receipt.

    Example: camillo agents delete ada --dry-run
    """
    with administering(client) as camillo:
        is_sure = dry_run or (yes and confirm is None)
        receipt = camillo.admin.erase_agent(
            agent_id,
            confirm_agent_id=agent_id if is_sure else confirm_id("agent", agent_id, confirm),
            block_values=block,
            dry_run=dry_run,
            tenant_id=tenant,
        )
    verb = "would delete" if dry_run else "deleted"
    print_result(client, receipt, f"{verb} agent {agent_id}: {rows_by_store(receipt.stores)}")
    if not client.as_json:
        note_receipt(receipt)


def list_keys(client: ClientOptions, tenant: Tenant = "") -> None:
    """List the keys of a tenant, newest first, without their secrets.

    Example: camillo keys list
    """
    with administering(client) as camillo:
        print_list(client, camillo.admin.list_keys(tenant_id=tenant), KEYS, empty="no keys")


def create_key(
    client: ClientOptions,
    role: Annotated[Role, Option(help="What the key allows.")] = Role.WRITER,
    for_agent: Annotated[str | None, Option(metavar="AGENT", help="The one agent that it acts for.")] = None,
    any_agent: Annotated[bool, Option("--any-agent", help="It may act for any agent of the tenant.")] = False,
    description: Annotated[str, Option(help="What it is for.")] = "",
    lifetime: Annotated[
        str | None,
        Option(help="It expires after this time: 12h, 90d. Default: with your own key, or never."),
    ] = None,
    channel: Annotated[
        Channel | None,
        Option(help="It reads as in this channel, whatever a call asks for, or in one that loads less."),
    ] = None,
    max_sensitivity: Annotated[Sensitivity | None, Option(help="It reads nothing that is more sensitive.")] = None,
    actor: Annotated[
        list[str] | None,
        Option(
            metavar="TYPE:ID",
            help="It speaks for this actor (human:ada, tool:*) and names no other; may be repeated.",
        ),
    ] = None,
    category: Annotated[
        list[str] | None,
        Option(
            metavar="NAME",
            help="It reads documents of this category and no others; may be repeated. Default: as your own key.",
        ),
    ] = None,
    grant: Annotated[
        list[str] | None,
        Option(
            metavar="PATH:VERB",
            help="A space that it reaches beside its agent's own: users/42:write, teams/eu/*:read, or with :forget; may"
            " be repeated.",
        ),
    ] = None,
    tenant: Tenant = "",
) -> None:
    """Create a key, and print its secret, which is shown only once.

    Example: camillo keys create --for-agent researcher --role writer --lifetime 90d
    """
    if (for_agent is None) != any_agent:
        raise CliError("give either --for-agent or --any-agent", ExitCode.USAGE)
    with administering(client) as camillo:
        created = camillo.admin.create_key(
            literal(role),
            agent_id=for_agent,
            any_agent=any_agent,
            description=description,
            lifetime=span(lifetime) if lifetime else None,
            channel=literal(channel),
            max_sensitivity=literal(max_sensitivity),
            actors=actor or (),
            document_categories=category or (),
            spaces=grant or (),
            tenant_id=tenant,
        )
    print_result(client, created, created.secret)
    if not client.as_json:
        note(f"key {created.key.key_id}: keep the secret now, it is not stored")


def revoke_key(
    client: ClientOptions,
    key_id: KeyId,
    with_created: Annotated[
        bool,
        Option("--with-created", help="Also the keys that it created, and those they created."),
    ] = False,
    tenant: Tenant = "",
) -> None:
    """Revoke a key.

    Example: camillo keys revoke 5e8f0c1a-0000-4000-8000-000000000001
    """
    with administering(client) as camillo:
        key = camillo.admin.revoke_key(key_id, with_created_keys=with_created, tenant_id=tenant)
    print_result(client, key, f"revoked key {key.key_id}")


def _print_deleted(client: ClientOptions, noun: str, deleted_id: str, memories: int) -> None:
    deleted = {f"{noun}_id": deleted_id, "forgotten_memories": memories}
    text = f"deleted {noun} {deleted_id} with {counted(memories)}"
    print_value(deleted, text, as_json=client.as_json)


def confirm_id(noun: str, wanted_id: str, confirm: str | None) -> str:
    """The id again, from the option or typed. Raises CliError where nobody can be asked."""
    if confirm is None and not sys.stdin.isatty():
        raise CliError(f"this is permanent: repeat the id with --confirm {wanted_id}", ExitCode.USAGE)
    repeated: str = confirm or typer.prompt(f"This is permanent: type the id of the {noun}", err=True)
    if repeated != wanted_id:
        raise CliError(f"{repeated!r} is not {wanted_id!r}: nothing was deleted", ExitCode.USAGE)
    return repeated


def _agent(item: Any) -> str:
    """The agent that a key acts for."""
    return "any" if item.any_agent else item.agent_id


def _state(key: ApiKey) -> str:
    if key.HasField("revoked_at"):
        return "revoked"
    if key.HasField("expires_at"):
        # To the minute, so that there is room for the whole id beside it.
        return f"until {time_text(key.expires_at)[:-4]}Z"
    return "valid"


def _bound_to(key: ApiKey) -> str:
    """The limits of what the key may read, and the actors for whom it speaks."""
    channel = field_text(key, "channel") if key.channel else ""
    documents = f"documents:{_documents(key)}" if key.document_categories else ""
    return " ".join(filter(None, (channel, key.max_sensitivity, documents, *key.actors, *key.spaces)))


def _documents(item: Any) -> str:
    """The categories of the documents that are read; empty for all documents."""
    return ",".join(item.document_categories)


CALLER = (
    ("tenant", "tenant_id"),
    ("agent", _agent),
    ("role", "role"),
    ("documents", _documents),
    ("spaces", lambda caller: " ".join(caller.spaces)),
)
EMBEDDING = (
    "embedding",
    lambda caller: f"{caller.model_id}, {caller.model_dimensions} dimensions",
)
TENANTS = (
    Column("id", "tenant_id"),
    Column("created", "created_at"),
    Column("name", "display_name"),
)
# Quotas of which nothing is used up.
RATES = ("calls_per_second", "weight")
QUOTAS = (
    Column("quota", "name"),
    Column("used", lambda quota: "" if quota.name in RATES else f"{quota.used:,}", right=True),
    Column("limit", lambda quota: f"{quota.limit:,}" if quota.limit else "none", right=True),
    Column("set for", lambda quota: "the tenant" if quota.is_own else "all tenants"),
)
AGENTS = (
    Column("id", lambda agent: agent.agent_id or SHARED),
    Column("created", "created_at"),
    Column("name", "display_name"),
)
KEYS = (
    Column("key id", "key_id"),
    Column("agent", _agent),
    Column("role", "role", optional=True),
    Column("state", _state),
    Column("bound to", _bound_to, optional=True),
    Column("created by", lambda key: key.created_by_key_id[:8], optional=True),
    Column("description", "description"),
)
