"""The callers, the scopes that they reach, and what is attributed to them."""

import enum
from collections.abc import Collection, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from camillo_server.kernel.channel import ReadLimit
from camillo_server.kernel.errors import ScopeForbidden
from camillo_server.kernel.ids import AgentId, KeyId, TenantId

# Names every agent of a tenant, where background work and administration read and change the rows of all of them. No
# agent can have it, either.
ANY_AGENT = AgentId("*")
# Names the tenant's shared scope in a request. No agent can have it: ids begin with a letter or a digit.
SHARED = "@shared"
# Verbs of grants: each allows what those before it allow, too.
READ, WRITE, FORGET = VERBS = ("read", "write", "forget")


# The types of actors that a credential may speak for, before a colon and an id or `*`.
ACTOR_TYPES = ("human", "agent", "tool", "system")


class Role(enum.IntEnum):
    """The role of a credential; each role allows what the lower ones allow."""

    READER = 1
    WRITER = 2
    TENANT_ADMIN = 3
    ROOT = 4


class Scope(NamedTuple):
    """One agent's memories in one tenant; an empty agent id is the tenant's shared scope. A tuple: each call looks it
    up some ten times, and the hash of a dataclass runs in Python."""

    tenant_id: TenantId
    agent_id: AgentId


def shared_scope(scope: Scope) -> Scope:
    """The shared scope of the same tenant."""
    return Scope(scope.tenant_id, AgentId(""))


def whole_tenant(tenant_id: TenantId) -> Scope:
    """The scopes of all agents of a tenant, for work of the tenant's and not of one agent's: row-level security lets
    through the rows of each."""
    return Scope(tenant_id, ANY_AGENT)


@dataclass(frozen=True, slots=True)
class Principal:
    """The authenticated caller. `agent_id` is None where the credential reaches any agent of the tenant."""

    tenant_id: TenantId
    agent_id: AgentId | None
    role: Role
    key_id: KeyId | None = None
    # When the credential ends; None: not by itself.
    expires_at: datetime | None = None
    # None: it reads in every channel, and every level.
    read_limit: ReadLimit | None = None
    # The actors that it speaks for, such as `human:ada` and `tool:*`; None: it may name any actor, but speaks for its
    # own agent alone.
    actors: frozenset[str] | None = None
    # The categories of documents that it reads; None: all documents, those without a category among them.
    document_categories: frozenset[str] | None = None
    # The rights of a credential of one agent in other spaces, such as `users/42:write` and `teams/eu/*:read`.
    spaces: frozenset[str] = frozenset()
    # The subject of a token or a certificate, which have no key id.
    subject: str = field(default="", compare=False)

    @property
    def credential(self) -> str:
        """Names the credential; empty where it has no name."""
        return self.key_id or self.subject

    def speaks_for(self, actor_type: str, actor_id: str) -> bool:
        """Whether what it records of this actor counts as said by it. Raises ScopeForbidden where it may not name the
        actor."""
        if self.actors is None:
            return actor_type == "agent" and actor_id == self.agent_id
        if self.actors.isdisjoint((f"{actor_type}:{actor_id}", f"{actor_type}:*")):
            raise ScopeForbidden(f"the credential does not speak for the actor {actor_type}:{actor_id}")
        return True

    def scope(self, asked_agent_id: str, default_agent_id: str = "", *, is_reading: bool = False) -> Scope:
        """The scope that the caller may use when it names this agent or the path of a space, or none: then the scope of
        the credential's own agent, else of the default one, else the tenant's shared scope. Raises ScopeForbidden."""
        if self.agent_id is None:
            agent_id = asked_agent_id or default_agent_id
            return Scope(self.tenant_id, AgentId("" if agent_id == SHARED else agent_id))
        if asked_agent_id not in ("", self.agent_id):
            if not self.holds(asked_agent_id, READ if is_reading else WRITE):
                is_space = "/" in asked_agent_id
                raise ScopeForbidden(
                    f"the credential {'has no grant for this' if is_space else 'acts for another agent'}"
                )
            return Scope(self.tenant_id, AgentId(asked_agent_id))
        return Scope(self.tenant_id, self.agent_id)

    def holds(self, path: str, verb: str) -> bool:
        """Whether a grant allows this in the space of the path: one for the path itself, or for a star above it. A path
        that is a pattern is covered by itself, or by a star above."""
        return covers(self.spaces, path, verb)

    def require_forget(self, agent_id: AgentId) -> None:
        """Raises ScopeForbidden where the caller may not delete this scope with all that is in it: that needs the role
        of an administrator of the tenant, or a grant of its own."""
        if self.agent_id in (None, agent_id):
            self.require(Role.TENANT_ADMIN)
        elif not self.holds(agent_id, FORGET):
            raise ScopeForbidden("the credential has no grant to forget this space")

    def require_agent(self, agent_id: AgentId | None) -> None:
        """Raises ScopeForbidden where the credential acts for one agent and this is another, or None for any."""
        if self.agent_id not in (None, agent_id):
            raise ScopeForbidden("the credential acts for another agent")

    def tenant(self, asked_tenant_id: str) -> TenantId:
        """The tenant that the caller may administer when it names this one, or none. Raises ScopeForbidden."""
        if asked_tenant_id in ("", self.tenant_id):
            return self.tenant_id
        self.require(Role.ROOT)
        self.require_agent(None)
        return TenantId(asked_tenant_id)

    def require(self, role: Role) -> None:
        """Raises ScopeForbidden where the caller's role is lower."""
        if self.role < role:
            raise ScopeForbidden(f"needs the role {role.name.lower()}", required_role=role)


def covers(grants: Collection[str], path: str, verb: str) -> bool:
    """As `Principal.holds`, of these grants."""
    return any(f"{name}:{each}" in grants for name in patterns_over(path) for each in VERBS[VERBS.index(verb) :])


def patterns_over(path: str) -> Sequence[str]:
    """The path, and the patterns that cover it: of `users/42/notes` also `users/*` and `users/42/*`."""
    parts = path.split("/")
    return [path, *(f"{'/'.join(parts[:count])}/*" for count in range(1, len(parts)))]


class TrustLevel(enum.IntEnum):
    """How far a text is to be trusted, the least first. The numbers are those of the contract."""

    UNKNOWN = 0
    WEB = 10
    TOOL = 20
    AGENT = 30
    USER = 40


TRUST_LEVELS = {int(level): level for level in TrustLevel}
# The levels of actors for whom the credential speaks, in the order of ACTOR_TYPES.
_LEVELS_OF_ACTORS = (TrustLevel.USER, TrustLevel.AGENT, TrustLevel.TOOL, TrustLevel.TOOL)
LEVEL_OF_ACTOR = dict(zip(ACTOR_TYPES, _LEVELS_OF_ACTORS, strict=True))


class Attribution(NamedTuple):
    """The actor is `type:id`, or empty where nobody was named. The fields are those of a memory."""

    trust_level: TrustLevel = TrustLevel.UNKNOWN
    actor: str = ""
    credential: str = ""

    def at_most(self, stated: TrustLevel) -> "Attribution":
        """The attribution with the level that a caller states, if that is lower; unknown states none."""
        return self._replace(trust_level=min(self.trust_level, stated)) if stated else self


UNATTRIBUTED = Attribution()


def may_ask(level: TrustLevel, *, is_person: bool) -> bool:
    """Whether who said something may ask for it to be remembered: a person for whom the credential speaks, or an agent
    on its own behalf. A page, a tool or an unknown source may not, nor an agent in the name of a person."""
    return level is TrustLevel.USER or (level is TrustLevel.AGENT and not is_person)


def level_of(actor_type: str, *, is_verified: bool) -> TrustLevel:
    """The trust level of an actor: at most that of an agent if the credential does not speak for the actor."""
    level = LEVEL_OF_ACTOR[actor_type]
    return level if is_verified else min(level, TrustLevel.AGENT)


def attributed(caller: Principal, actor: str = "") -> Attribution:
    """The attribution to the named actor, or if none is named, to the agent that the caller is bound to. Raises
    ScopeForbidden where the caller may not name the actor."""
    if not actor:
        own = f"agent:{caller.agent_id}" if caller.agent_id else ""
        return Attribution(TrustLevel.AGENT, own, caller.credential)
    actor_type, _, actor_id = actor.partition(":")
    level = level_of(actor_type, is_verified=caller.speaks_for(actor_type, actor_id))
    return Attribution(level, actor, caller.credential)


class Caller(NamedTuple):
    """The caller of the current call. A tuple: a frozen dataclass takes twice as long to create."""

    principal: Principal
    # The agent of requests that name none, where the credential reaches any.
    default_agent_id: str = ""
    # As gRPC names it: `/camillo.v1.MemoryService/Remember`.
    method: str = ""
    # The id that the logs have, too.
    request_id: str = ""
    # The other end of the connection, as gRPC names it.
    peer: str = ""
    # The method only reads: a grant to read is enough.
    is_reading: bool = False
    # The space of requests that name none, whatever the credential.
    space: str = ""


current_caller: ContextVar[Caller] = ContextVar("current_caller")
# The name of the background job that runs without a caller; empty otherwise.
current_job: ContextVar[str] = ContextVar("current_job", default="")
