"""Writes what Envoy needs: envoy.yaml with its gaps filled from the environment, and camillo.pb, the contract.

MESH_REPLICAS=camillo-replicas:7070 python -m deploy.envoy.render DIRECTORY
"""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from deploy.envoy.contract import descriptor_set, paths_by_treatment, services
from deploy.envoy.local_replies import local_replies

TEMPLATE = Path(__file__).with_name("envoy.yaml")
GAP = re.compile(r"\$\{(\w+)\}")

# The variables, and what they are where they are not set; nothing: that part is left out.
DEFAULTS: Mapping[str, str] = {
    # host:port, one or several with commas between; of a name every address counts.
    "MESH_REPLICAS": "localhost:7070",
    "MESH_HOST": "0.0.0.0",  # noqa: S104 (a proxy listens to others)
    "MESH_PORT": "8080",
    "MESH_ADMIN_PORT": "9901",
    # Where Envoy will find the contract.
    "MESH_DESCRIPTORS": "/etc/envoy/camillo.pb",
    # Origins of web pages that may call, with commas between.
    "MESH_ORIGINS": "",
    # PEM files for callers; with an authority, callers have to show a certificate of it.
    "MESH_CERTIFICATE": "",
    "MESH_PRIVATE_KEY": "",
    "MESH_CLIENT_CA": "",
    # PEM files for replicas: their authority turns TLS on, the name is that in their certificates.
    "MESH_REPLICA_CA": "",
    "MESH_REPLICA_NAME": "camillo",
    "MESH_REPLICA_CERTIFICATE": "",
    "MESH_REPLICA_PRIVATE_KEY": "",
}


# Files that are of no use without others.
NEEDED_FILES: Mapping[str, tuple[str, ...]] = {
    "MESH_CERTIFICATE": ("MESH_PRIVATE_KEY",),
    "MESH_PRIVATE_KEY": ("MESH_CERTIFICATE",),
    "MESH_CLIENT_CA": ("MESH_CERTIFICATE",),
    "MESH_REPLICA_CERTIFICATE": ("MESH_REPLICA_PRIVATE_KEY", "MESH_REPLICA_CA"),
    "MESH_REPLICA_PRIVATE_KEY": ("MESH_REPLICA_CERTIFICATE",),
}


class RenderError(Exception):
    """A variable that cannot be right, in one line."""


def rendered(environ: Mapping[str, str]) -> str:
    """The configuration. Raises RenderError."""
    values = _values(environ)
    template = yaml.safe_load(TEMPLATE.read_text())
    del template["definitions"]
    filled = _filled(template, values)
    [host] = _hosts(filled)
    host["routes"] = _routes(host["routes"])
    return yaml.safe_dump(filled, sort_keys=False, width=1000)


def _values(environ: Mapping[str, str]) -> dict[str, Any]:
    unknown = [name for name in environ if name.startswith("MESH_") and name not in DEFAULTS]
    if unknown:
        raise RenderError(f"{', '.join(unknown)}: is not one of {', '.join(DEFAULTS)}")
    values: dict[str, Any] = {name: environ.get(name) or DEFAULTS[name] for name in DEFAULTS}
    _check_files(values)
    return values | {
        "replicas": [_endpoint(address) for address in _listed(values["MESH_REPLICAS"])],
        "origins": [{"exact": origin} for origin in _listed(values["MESH_ORIGINS"])],
        "services": [service.full_name for service in services()],
        "local_replies": local_replies(),
        "MESH_CLIENT_CA_GIVEN": bool(values["MESH_CLIENT_CA"]),
    }


def _check_files(values: Mapping[str, str]) -> None:
    """A file without those that it needs would be left out in silence, and with it the lock that it was to be."""
    for name, others in NEEDED_FILES.items():
        missing = [other for other in others if values[name] and not values[other]]
        if missing:
            raise RenderError(f"{name} needs {', '.join(missing)}")


def _listed(text: str) -> list[str]:
    return [part for part in (part.strip() for part in text.split(",")) if part]


def _endpoint(address: str) -> dict[str, Any]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise RenderError(f"MESH_REPLICAS: {address!r} is not host:port")
    place = {"address": host.strip("[]"), "port_value": int(port)}
    return {"endpoint": {"address": {"socket_address": place}}}


def _filled(node: Any, values: Mapping[str, Any]) -> Any:
    """The node without gaps; None where it is for something that is not asked for."""
    if isinstance(node, str):
        gap = GAP.fullmatch(node)
        return values[gap[1]] if gap else node
    if isinstance(node, list):
        return [each for each in (_filled(item, values) for item in node) if each is not None]
    if not isinstance(node, dict):
        return node
    if "when" in node and not values[node["when"]]:
        return None
    parts = {name: _filled(part, values) for name, part in node.items() if name != "when"}
    return {name: part for name, part in parts.items() if part is not None}


def _hosts(filled: dict[str, Any]) -> list[dict[str, Any]]:
    [listener] = filled["static_resources"]["listeners"]
    manager = listener["filter_chains"][0]["filters"][0]["typed_config"]
    hosts: list[dict[str, Any]] = manager["route_config"]["virtual_hosts"]
    return hosts


def _routes(classes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A route for each path: Envoy refuses one pattern for so many."""
    paths = paths_by_treatment()
    routes: list[dict[str, Any]] = []
    for each in classes:
        if "methods" not in each["match"]:
            routes.append(each)
            continue
        more = {**each["match"]}
        treatment = more.pop("methods")
        routes += [{**each, "match": {"path": path, **more}} for path in paths[treatment]]
    return routes


def main() -> None:
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    try:
        (directory / "envoy.yaml").write_text(rendered(os.environ))
    except RenderError as error:
        sys.exit(str(error))
    (directory / "camillo.pb").write_bytes(descriptor_set())


if __name__ == "__main__":
    main()
