"""Plays a story with a released client: run by a Python that sees that client and what it needs, and nothing else of
this tree.

It reads from its input which story, and where the server is; it prints what the client was and which methods were
called."""

from __future__ import annotations

import importlib
import importlib.util
import json
import pkgutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import camillo.v1
import camillo_client
import grpc


class Seen(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor, grpc.StreamUnaryClientInterceptor):
    """Writes down the methods that are called."""

    def __init__(self) -> None:
        self.methods: set[str] = set()

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        return self._noted(continuation, details, request)

    def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        return self._noted(continuation, details, request)

    def intercept_stream_unary(self, continuation: Any, details: Any, requests: Any) -> Any:
        return self._noted(continuation, details, requests)

    def _noted(self, continuation: Any, details: Any, request: Any) -> Any:
        self.methods.add(details.method.lstrip("/"))
        return continuation(details, request)


@dataclass(frozen=True, slots=True)
class Stage:
    """The server, and who may call it."""

    address: str
    # Secrets by the role of who holds them.
    keys: dict[str, str]
    # Something that the server takes out of what it stores.
    secret: str
    seen: Seen = field(default_factory=Seen)

    def client(self, role: str, **options: Any) -> camillo_client.Camillo:
        """The facade, on a channel where calls are noted."""
        return camillo_client.Camillo(self.channel(), key=self.keys[role], **options)

    def channel(self) -> grpc.Channel:
        """Channel for stubs."""
        return grpc.intercept_channel(grpc.insecure_channel(self.address), self.seen)

    def credential(self, role: str) -> tuple[tuple[str, str], ...]:
        """The metadata of a call through a stub."""
        return (("authorization", f"Bearer {self.keys[role]}"),)


def known_methods() -> set[str]:
    """Every method of the contract as the release knows it."""
    names = [module.name for module in pkgutil.iter_modules(camillo.v1.__path__)]
    services = [
        service
        for name in names
        if name.endswith("_service_pb2")
        for service in _contract(name).DESCRIPTOR.services_by_name.values()
    ]
    return {f"{each.full_name}/{method.name}" for each in services for method in each.methods}


def main() -> None:
    told = json.load(sys.stdin)
    stage = Stage(told["address"], told["keys"], told["secret"])
    _story(Path(told["story"])).play(stage)
    played = {
        "client": camillo_client.__file__,
        "contract": _contract("memory_pb2").__file__,
        "not_called": sorted(known_methods() - stage.seen.methods),
    }
    print(json.dumps(played))


def _contract(name: str) -> Any:
    return importlib.import_module(f"camillo.v1.{name}")


def _story(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"no story is at {path}")
    story = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(story)
    return story


if __name__ == "__main__":
    main()
