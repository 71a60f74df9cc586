"""The contract as a proxy needs it: its messages, and how each RPC may be treated."""

import importlib
import json
import pkgutil
from collections.abc import Iterator

import camillo.v1
from camillo_client.target import service_config
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.rpc import error_details_pb2, status_pb2

# So begin the names of the RPCs that change nothing.
READING = ("BatchRecall", "Build", "Get", "List", "Query", "Read", "Recall", "Render", "WhoAmI")


def services() -> list[ServiceDescriptor]:
    """All services of the contract, in the order of their names."""
    modules = [
        importlib.import_module(f"camillo.v1.{module.name}")
        for module in pkgutil.iter_modules(camillo.v1.__path__)
        if module.name.endswith("_service_pb2")
    ]
    found = [each for m in modules for each in m.DESCRIPTOR.services_by_name.values()]
    return sorted(found, key=lambda service: service.full_name)


def paths_by_treatment() -> dict[str, list[str]]:
    """The paths of `streams`, of `reads` and `writes` that may be repeated, and of all `others`."""
    paths: dict[str, list[str]] = {"streams": [], "reads": [], "writes": [], "others": []}
    repeatable = set(_repeatable())
    for service in services():
        for method in service.methods:
            path = f"/{service.full_name}/{method.name}"
            paths[_treatment(method, is_repeatable=path in repeatable)].append(path)
    return paths


def descriptor_set() -> bytes:
    """The contract as protoc writes it with --include_imports, and the messages that details of errors are."""
    files: dict[str, FileDescriptor] = {}
    for root in (status_pb2.DESCRIPTOR, error_details_pb2.DESCRIPTOR):
        _add(root, files)
    for service in services():
        _add(service.file, files)
    written = FileDescriptorSet()
    for file in files.values():
        written.file.add().ParseFromString(file.serialized_pb)
    return written.SerializeToString(deterministic=True)


def _treatment(method: MethodDescriptor, *, is_repeatable: bool) -> str:
    if method.client_streaming or method.server_streaming:
        return "streams"
    if not is_repeatable:
        return "others"
    return "reads" if method.name.startswith(READING) else "writes"


def _repeatable() -> Iterator[str]:
    """Methods that the clients repeat by themselves."""
    for config in json.loads(service_config())["methodConfig"]:
        for name in config["name"]:
            yield f"/{name['service']}/{name['method']}"


def _add(file: FileDescriptor, files: dict[str, FileDescriptor]) -> None:
    """A file follows those that it imports."""
    if file.name in files:
        return
    for imported in file.dependencies:
        _add(imported, files)
    files[file.name] = file
