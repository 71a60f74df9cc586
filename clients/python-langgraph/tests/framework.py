"""Tests that LangGraph wrote, as their sdists have them; `make adapters` fetches these."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest

from camillo_client import Camillo
from camillo_langgraph import CamilloStore

NEWEST = "4.3.2"


def module_of(sdist: str, name: str) -> ModuleType:
    """A module of tests out of an sdist; each has its own package `tests`. They are of the newest version."""
    if version("langgraph-checkpoint") != NEWEST:
        pytest.skip(f"the tests of {sdist} are run with langgraph-checkpoint {NEWEST}", allow_module_level=True)
    directory = Path(os.environ["CAMILLO_ADAPTER_SDISTS"]) / sdist
    ours = _without_tests()
    sys.path.insert(0, str(directory))
    try:
        module = importlib.import_module(f"tests.{name}")
        assert module.__file__ is not None
        assert Path(module.__file__).is_relative_to(directory)
        return module
    finally:
        sys.path.remove(str(directory))
        _without_tests()
        sys.modules.update(ours)


def _without_tests() -> dict[str, ModuleType]:
    names = [each for each in sys.modules if each == "tests" or each.startswith("tests.")]
    return {name: sys.modules.pop(name) for name in names}


def adopted(module: ModuleType, skipped: Mapping[str, str]) -> dict[str, Any]:
    """The module's tests by name; those in `skipped` are skipped for the reason given there."""
    found = {name: each for name, each in vars(module).items() if name.startswith(("test_", "Test"))}
    unknown = skipped.keys() - found.keys()
    assert not unknown, unknown
    return {
        name: pytest.mark.skip(reason=skipped[name])(each) if name in skipped else each for name, each in found.items()
    }


@cache
def _connection() -> Camillo:
    return Camillo.connect(timeout_seconds=60)


class NewStore(CamilloStore):
    """A store in a space of its own."""

    def __init__(self, **options: Any) -> None:
        super().__init__(_connection().for_project(f"t-{uuid4().hex}"), **options)
