"""Names that a package exports without importing the modules that have them before somebody asks.

A daemon is started for every game, and needs few of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def exporter(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` of a package; ``homes`` has the module of every name that it exports."""

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return get


def homes(modules: Mapping[str, str]) -> dict[str, str]:
    """The module of every name, of a table that has the names, parted by blanks, of every module."""
    return {name: module for module, names in modules.items() for name in names.split()}
