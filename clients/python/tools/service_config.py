"""Writes the service config, by which every client repeats calls, from the contract: all methods but streams are
repeated."""

from __future__ import annotations

import json
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import camillo.v1

CLIENTS = Path(__file__).parents[2]
COPIES = (
    "service_config.json",
    "go/service_config.json",
    "java/src/main/resources/dev/camillo/client/service_config.json",
    "python/src/camillo_client/service_config.json",
    "rust/src/service_config.json",
)
MODULE = "typescript/src/service-config.ts"
POLICY = {
    "maxAttempts": 4,
    "initialBackoff": "0.1s",
    "maxBackoff": "2s",
    "backoffMultiplier": 3,
    "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
}
JSON = """{{
  "methodConfig": [
    {{
      "name": [
{names}
      ],
      "retryPolicy": {{
{policy}
      }}
    }}
  ]
}}
"""
TYPESCRIPT = """import type {{ ServiceConfig }} from "./retry-policy.js";

// Generated from the contract by clients/python/tools/service_config.py. It is no file beside the code: bundlers would leave
// that behind.

/** Which methods are repeated, and how, by clients in every language. */
export const SERVICE_CONFIG: ServiceConfig = {{
  methodConfig: [
    {{
      name: [
{names}
      ],
      retryPolicy: {{
{policy}
      }},
    }},
  ],
}};
"""  # noqa: E501


def repeated_methods() -> list[tuple[str, str]]:
    """The names of the services and methods that are no streams."""
    modules = sorted(
        each.name for each in pkgutil.iter_modules(camillo.v1.__path__) if each.name.endswith("_service_pb2")
    )
    services: list[Any] = [
        service
        for name in modules
        for service in import_module(f"camillo.v1.{name}").DESCRIPTOR.services_by_name.values()
    ]
    return [
        (service.full_name, method.name)
        for service in services
        for method in service.methods
        if not method.client_streaming and not method.server_streaming
    ]


def main() -> None:
    methods = repeated_methods()
    config = JSON.format(
        names=",\n".join(f'        {{"service": "{service}", "method": "{method}"}}' for service, method in methods),
        policy=",\n".join(f'        "{name}": {json.dumps(value)}' for name, value in POLICY.items()),
    )
    for copy in COPIES:
        (CLIENTS / copy).write_text(config, "utf-8")
    module = TYPESCRIPT.format(
        names="\n".join(f'        {{ service: "{service}", method: "{method}" }},' for service, method in methods),
        policy="\n".join(f"        {name}: {json.dumps(value)}," for name, value in POLICY.items()),
    )
    (CLIENTS / MODULE).write_text(module, "utf-8")


if __name__ == "__main__":
    main()
