# Generated from _async/client.py by tools/generate_sync.py: do not edit.
"""The client."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from grpc import Channel

from camillo.v1.admin_service_pb2 import WhoAmIResponse
from camillo_client._sync.admin import Admin
from camillo_client._sync.artifacts import Artifacts
from camillo_client._sync.audit import Audit
from camillo_client._sync.calls import Calls, open_channel
from camillo_client._sync.context import Context
from camillo_client._sync.decisions import Decisions
from camillo_client._sync.distillation import AsyncDistillation
from camillo_client._sync.entities import Entities
from camillo_client._sync.events import Events
from camillo_client._sync.generic_calls import GenericCalls
from camillo_client._sync.knowledge import Documents
from camillo_client._sync.lifecycle import Lifecycle
from camillo_client._sync.links import Links
from camillo_client._sync.memories import Memories
from camillo_client._sync.runs import Runs
from camillo_client._sync.skills import Skills
from camillo_client._sync.slots import Slots
from camillo_client._sync.spaces import AsyncSpaces
from camillo_client._sync.spool import Spool
from camillo_client._sync.tasks import Tasks
from camillo_client._sync.workflows import Workflows
from camillo_client.addresses import refuse_address
from camillo_client.local_key import ROOT_KEY_FILE, data_directory, local_credential, resolved_credential
from camillo_client.named_arguments import checks_arguments
from camillo_client.revisions import WrittenRevisions
from camillo_client.spaces import beside, checked_space, user_space
from camillo_client.target import (
    KEEPALIVE_SECONDS,
    MAX_MESSAGE_BYTES,
    Target,
    Tls,
    resolved_address,
    warn_of_plaintext,
)

if TYPE_CHECKING:
    from camillo_client._sync.mirror import Mirror
    from camillo_client.local_server import LocalServer

P = ParamSpec("P")
R = TypeVar("R")


class ShortForm(Generic[P, R]):
    """A method of `memories` as the client's own: bound to it, so that warnings name the line of the caller."""

    def __init__(self, method: Callable[Concatenate[Memories, P], R]) -> None:
        self._method = method

    @overload
    def __get__(self, client: None, owner: type[Camillo]) -> Callable[Concatenate[Memories, P], R]: ...
    @overload
    def __get__(self, client: Camillo, owner: type[Camillo]) -> Callable[P, R]: ...
    def __get__(self, client: Camillo | None, owner: type[Camillo]) -> Any:
        if client is None:
            return self._method
        return getattr(client.memories, self._method.__name__)


class Camillo(GenericCalls):
    """A client of a memory service, with one credential. The methods for memories are in `memories` and, as short
    forms, here.

    `agent_id` and `timeout` of a method apply to that call in place of the client's own; a key of one agent acts for
    that one alone. Reads see the writes that this client has completed, on whichever replica they land: one that was
    spooled, as its `durability` says, once it is stored. Failed calls raise CamilloError.
    """

    # Where the client was made by `local`.
    _server: LocalServer | None = None

    def __init__(
        self,
        channel: Channel,
        *,
        key: str = "",
        agent_id: str = "",
        timeout_seconds: float = 10.0,
        pause: Callable[[float], None] = sleep,
        refusal: str = "",
    ) -> None:
        refuse_address(channel, type(self).__name__)
        calls = Calls(key, timeout_seconds, pause, agent_id, refusal)
        # Shared: reads of each part see the writes of all.
        written = WrittenRevisions()
        super().__init__(channel, calls, written, agent_id)
        self.admin = Admin(channel, calls)
        self.memories = Memories(channel, calls, written, agent_id)
        self.events = Events(channel, calls, written, agent_id)
        self.workflows = Workflows(channel, calls, written, agent_id)
        self.artifacts = Artifacts(channel, calls, written, agent_id)
        self.documents = Documents(channel, calls, written, agent_id)
        self.decisions = Decisions(channel, calls, written, agent_id)
        self.tasks = Tasks(channel, calls, written, agent_id)
        self.context = Context(channel, calls, written, agent_id)
        self.slots = Slots(channel, calls, written, agent_id)
        self.skills = Skills(channel, calls, written, agent_id)
        self.runs = Runs(channel, calls, written, agent_id)
        self.links = Links(channel, calls, written, agent_id)
        self.entities = Entities(channel, calls, written, agent_id)
        self.lifecycle = Lifecycle(channel, calls, written, agent_id)
        self.distillation = AsyncDistillation(channel, calls, written, agent_id)
        self.audit = Audit(channel, calls, written, agent_id)
        self.spaces = AsyncSpaces(channel, calls, written, agent_id)
        self.spool = Spool(channel, calls)

    remember = ShortForm(Memories.remember)
    remember_many = ShortForm(Memories.remember_many)
    recall = ShortForm(Memories.recall)
    search_my_memories = ShortForm(Memories.search_my_memories)
    recall_many = ShortForm(Memories.recall_many)
    get = ShortForm(Memories.get)
    list_memories = ShortForm(Memories.list)
    history = ShortForm(Memories.history)
    update = ShortForm(Memories.update)
    supersede = ShortForm(Memories.supersede)
    contradictions = ShortForm(Memories.contradictions)
    contradiction_pages = ShortForm(Memories.contradiction_pages)
    forget = ShortForm(Memories.forget)
    restore = ShortForm(Memories.restore)
    export = ShortForm(Memories.export)
    import_memories = ShortForm(Memories.import_)
    watch = ShortForm(Memories.watch)

    @classmethod
    def connect(
        cls,
        address: str | None = None,
        *,
        key: str | None = None,
        tls: Tls | None = None,
        agent_id: str = "",
        timeout_seconds: float = 10.0,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
        keepalive_seconds: float = KEEPALIVE_SECONDS,
        data_dir: str | Path | None = None,
    ) -> Self:
        """A client of one server; it connects with the first call.

        `address` defaults to CAMILLO_ADDRESS, then to localhost:7070; `key` to CAMILLO_KEY, then, for a server on this
        machine, to the one in `data_dir`, by default this user's data directory. Without `tls` nothing is encrypted,
        not even the key: a KeyUnprotected warning is issued where the key would leave this machine. `agent_id` is for
        keys that may act for any agent, and defaults to CAMILLO_AGENT, then to `default`; SHARED is the scope that all
        agents share.
        """
        target = Target(resolved_address(address), tls, max_message_bytes, keepalive_seconds)
        credential = resolved_credential(key, target, os.environ, data_dir)
        warn_of_plaintext(target, credential.key)
        return cls(
            open_channel(target),
            key=credential.key,
            # Refused now, not by the first call: what is no text, and what is no number.
            agent_id="" + agent_id,
            timeout_seconds=0.0 + timeout_seconds,
            refusal=credential.refusal,
        )

    @classmethod
    def local(
        cls,
        *,
        agent_id: str = "",
        timeout_seconds: float = 10.0,
        data_dir: str | Path | None = None,
        start_seconds: float = 60.0,
    ) -> Self:
        """A client of this user's own server on this machine, which is started if none runs: in the background, with
        an embedded database in `data_dir`, by default this user's data directory, and its root key.

        One server answers all programs of a user. It ends by itself 10 minutes after its last caller, or as the
        setting `server.idle_exit_seconds` says, never while a client made here is open. One that was killed is started
        again by the next call. LocalServerError where none is ready within `start_seconds`; a LocalServerVersion
        warning where the one that runs is of another version. CAMILLO_ADDRESS and CAMILLO_KEY, which name another
        server, do not count.
        """
        from camillo_client.local_server import find_or_start

        directory = data_directory(os.environ) if data_dir is None else Path(data_dir)
        server = find_or_start(directory, start_seconds)
        address = server.running.address
        credential = local_credential(address, server.directory / ROOT_KEY_FILE)
        client = cls(
            open_channel(Target(address)),
            key=credential.key,
            agent_id="" + agent_id,
            timeout_seconds=0.0 + timeout_seconds,
            refusal=credential.refusal,
        )
        client._server = server
        client._calls.server = server
        return client

    def for_user(self, user_id: str) -> Self:
        """This client for the memories of one person, `users/<user_id>`, whichever agent speaks to them; as
        `for_space`. ValueError for an id with a slash."""
        return self.for_space(user_space(user_id))

    def for_project(self, project: str) -> Self:
        """This client for the memories of one project, `projects/<project>`, such as `shop` or `github.com/acme/shop`;
        as `for_space`."""
        return self.for_space(f"projects/{project}")

    def for_team(self, team: str) -> Self:
        """This client for the memories of one team, `teams/<team>`, such as `eu/ops`; as `for_space`."""
        return self.for_space(f"teams/{team}")

    def for_space(self, space: str) -> Self:
        """This client, with another space in place of its own agent's: a path such as `users/42`, an agent's id, or
        SHARED. Cheap enough for each request; needs a key that may act for any agent.

        It has the connection in common with this client, and closing either closes it; both see each other's writes.
        ValueError for a text that names no space.
        """
        return self._in_space(checked_space(space))

    def with_spaces(self, *, read: Iterable[str], write: str = "") -> Self:
        """This client, whose recalls and bundles read these spaces as one with the one that it writes to: `write`, by
        default the space of this client. Up to 7 beside that one, and SHARED for what the tenant shares; as
        `for_space`.

        Each is read at least as fresh as this client's own writes there. A call that names an `agent_id` or `spaces`
        itself reads what it names.
        """
        own = checked_space(write) if write else self._agent_id
        return self._in_space(own, beside(read, own))

    @checks_arguments
    def mirror(
        self,
        directory: str | os.PathLike[str],
        *,
        prefix: str = "",
        shared: bool = False,
        flush: bool = False,
        rotated_lines: int = 0,
        agent_id: str | None = None,
    ) -> Mirror:
        """Slots as files; as `slots.mirror`."""
        return self.slots.mirror(
            directory,
            prefix=prefix,
            shared=shared,
            flush=flush,
            rotated_lines=rotated_lines,
            agent_id=agent_id,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Cancels all calls and closes the connection."""
        self._channel.close()
        if self._server is not None:
            self._server.close()

    def who_am_i(self, *, timeout: float | None = None) -> WhoAmIResponse:
        """The caller as the server sees it, and the server itself."""
        return self.admin.who_am_i(timeout=timeout)
