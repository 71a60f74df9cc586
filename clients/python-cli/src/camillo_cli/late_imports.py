"""Imports of a command that calls a server: what it does not use waits until it is used, and no garbage is looked for
among what is imported, which stays."""

import gc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType

# gRPC imports them for an interface that commands do not use: a tenth of a short command.
LATE = frozenset({"asyncio", "grpc.aio"})
# More than a command makes as it starts; with the default of 700 another tenth of it looks for garbage.
GARBAGE_THRESHOLD = 100_000


def import_late() -> None:
    """Sets up this process; call it before the first import of gRPC."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    sys.meta_path.insert(0, LateFinder)


class LateFinder:
    """Finds the modules in LATE, which are executed when something of them is asked for."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The specification of a module in LATE; None for any other."""
        spec = PathFinder.find_spec(name, path, target) if name in LATE else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec
