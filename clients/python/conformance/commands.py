"""Carries out the commands of the conformance suite with the Python client."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from camillo.v1.memory_pb2 import Source
from camillo_client import AsyncCamillo, CamilloError, Hit, RecallAnswer, Tls, memory_refs
from camillo_client.convert import enum_name
from camillo_client.methods import method_named

Command = Mapping[str, Any]
Options = dict[str, Any]


class UnknownCommand(Exception):
    """This runner is older than the suite."""


class Commands:
    """The clients that were connected, and what is asked of them."""

    def __init__(self) -> None:
        self._clients: dict[str, AsyncCamillo] = {}
        self._by_name: dict[str, Callable[[Command], Awaitable[Any]]] = {
            "connect": self._connect,
            "bind": self._bind,
            "call": self._call,
            "hits": self._hits,
            "recall": self._recall,
            "bundle": self._bundle,
            "record": self._record,
            "pages": self._pages,
            "stream": self._stream,
            "put": self._put,
            "publish": self._publish,
            "read": self._read,
            "offload": self._offload,
            "render_ref": self._render_ref,
            "parse_refs": self._parse_refs,
            "close": self._close,
        }

    async def answer(self, command: Command) -> Options:
        """The answer to a command; a failed command is answered by its error."""
        try:
            result = await self._named(command["do"])(command)
        except CamilloError as error:
            return {"id": command["id"], "error": _told(error)}
        except UnknownCommand as error:
            return {"id": command["id"], "error": _failure("UNKNOWN_COMMAND", error)}
        except Exception as error:  # noqa: BLE001
            # The runner goes on after any failure of a command.
            return {"id": command["id"], "error": _failure("RUNNER", error)}
        return {"id": command["id"], "ok": result}

    async def close(self) -> None:
        """Closes all clients."""
        for client in self._clients.values():
            await client.close()

    def _named(self, name: str) -> Callable[[Command], Awaitable[Any]]:
        if name not in self._by_name:
            raise UnknownCommand(f"no command is named {name}")
        return self._by_name[name]

    async def _connect(self, command: Command) -> None:
        names = ("key", "agent_id", "timeout_seconds", "max_message_bytes")
        options: Options = {name: command[name] for name in names if name in command}
        if "tls" in command:
            options["tls"] = _tls(command["tls"])
        # A former client is left by a scenario that did not close it.
        if former := self._clients.pop(command["client"], None):
            await former.close()
        self._clients[command["client"]] = AsyncCamillo.connect(command.get("address"), **options)

    async def _bind(self, command: Command) -> None:
        client = self._clients[command["of"]]
        bindings = {
            "user": client.for_user,
            "project": client.for_project,
            "team": client.for_team,
            "space": client.for_space,
        }
        for name, bind in bindings.items():
            if name in command:
                client = bind(command[name])
        if "beside" in command:
            client = client.with_spaces(read=command["beside"])
        self._clients[command["client"]] = client

    async def _call(self, command: Command) -> Any:
        answer = await self._clients[command["client"]].call(
            command["method"], _request(command), timeout=command.get("timeout_seconds")
        )
        return MessageToDict(answer)

    async def _hits(self, command: Command) -> Any:
        answer = await self._clients[command["client"]].call(command["method"], _request(command))
        return [_shown(hit) for hit in RecallAnswer(answer).hits]

    async def _recall(self, command: Command) -> Any:
        client = self._clients[command["client"]]
        return MessageToDict((await client.recall(command["text"], **_zone(command))).message)

    async def _bundle(self, command: Command) -> Any:
        context = self._clients[command["client"]].context
        return MessageToDict(await context.bundle(command["text"], **_zone(command)))

    async def _record(self, command: Command) -> Any:
        events = self._clients[command["client"]].events
        recorded = await events.record(command["text"], session_id=command["session_id"])
        return MessageToDict(recorded.message)

    async def _pages(self, command: Command) -> Any:
        pages = self._clients[command["client"]].pages(command["method"], _request(command))
        return [MessageToDict(page) async for page in pages]

    async def _stream(self, command: Command) -> Any:
        take, taken = command.get("take"), []
        stream = self._clients[command["client"]].stream(
            command["method"], _request(command), timeout=command.get("timeout_seconds")
        )
        async with aclosing(stream) as messages:
            async for message in messages:
                taken.append(MessageToDict(message))
                if len(taken) == take:
                    break
        return taken

    async def _put(self, command: Command) -> Any:
        artifacts = self._clients[command["client"]].artifacts
        named = {"name": command["name"]} if command.get("name") else {}
        return MessageToDict(await artifacts.put(Path(command["path"]), **named))

    async def _publish(self, command: Command) -> Any:
        names = ("categories", "expected_version", "request_id")
        told: Options = {name: command[name] for name in names if name in command}
        documents = self._clients[command["client"]].documents
        answer = await documents.publish(command["name"], Path(command["path"]), **told)
        return MessageToDict(answer)

    async def _read(self, command: Command) -> Any:
        data = await self._clients[command["client"]].artifacts.read(command["artifact"])
        await asyncio.to_thread(Path(command["path"]).write_bytes, data)
        return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    async def _offload(self, command: Command) -> Any:
        artifacts = self._clients[command["client"]].artifacts
        told = {"tool": command["tool"]} if command.get("tool") else {}
        return MessageToDict((await artifacts.offload(command["text"], **told)).response)

    async def _render_ref(self, command: Command) -> str:
        return memory_refs.render(command["artifact_id"], command["description"])

    async def _parse_refs(self, command: Command) -> Any:
        refs = memory_refs.find_all(command["text"])
        return [{"artifact_id": ref.artifact_id, "description": ref.description} for ref in refs]

    async def _close(self, command: Command) -> None:
        await self._clients.pop(command["client"]).close()


def _zone(command: Command) -> Options:
    return {"time_zone": command["time_zone"]} if "time_zone" in command else {}


def _request(command: Command) -> Message:
    return ParseDict(command.get("request", {}), method_named(command["method"]).request())


def _shown(hit: Hit) -> Options:
    return {
        "text": hit.text,
        "id": hit.id,
        "ref": hit.ref,
        "kind": hit.kind,
        "occurred_at_ms": round(hit.occurred_at.timestamp() * 1000),
        "source": enum_name(Source, hit.source),
        "citation": hit.citation.document_id or None,
    }


def _tls(told: Mapping[str, str]) -> Tls:
    return Tls(
        root_certificates=told.get("root"),
        certificate_chain=told.get("certificate"),
        private_key=told.get("private_key"),
        server_name=told.get("server_name", ""),
    )


def _told(error: CamilloError) -> Options:
    return {
        "code": error.code.name,
        "reason": error.reason,
        "type": type(error).__name__,
        "message": error.message,
        "metadata": dict(error.metadata),
        "fields": [violation.field for violation in error.field_violations],
        "retry_after_seconds": error.retry_after_seconds,
        "request_id": error.request_id,
    }


def _failure(code: str, error: Exception) -> Options:
    return {"code": code, "type": type(error).__name__, "message": str(error)}
