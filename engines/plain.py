"""Values of dataclasses from plain tables, lists, numbers and texts that others may have written or damaged.

What a field may be is what its annotation says: nothing else is taken, and nothing is converted.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Union

LARGEST = 2**63 - 1
"""Whole numbers are no larger than this, nor smaller than its negative."""

_NAMES = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", type(None): "null"}


def build(kind: Any, value: Any, name: str = "it") -> Any:
    """The value as what ``kind`` says: a dataclass, a named tuple (from a list, whose end may be missing), a tuple, a
    mapping, a union, a literal or a plain type. ``name`` is what to call it. Raises ValueError, which says what is
    wrong where.
    """
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return _build_union(arguments, value, name)
    if origin is Literal:
        if not any(value == one and type(value) is type(one) for one in arguments):
            raise ValueError(f"{name} must be one of {', '.join(map(str, arguments))}")
        return value
    if origin is tuple:
        return _build_tuple(arguments, value, name)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, dict):
            raise ValueError(f"{name} must be a table")
        return {key: build(arguments[1], one, f"{name}.{key}") for key, one in value.items()}
    if dataclasses.is_dataclass(kind):
        return _build_dataclass(kind, value, name)
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _build_named(kind, value, name)
    return _build_plain(kind, value, name)


def _build_union(arguments: tuple[Any, ...], value: Any, name: str) -> Any:
    if value is None and type(None) in arguments:
        return None
    others = [one for one in arguments if one is not type(None)]
    for one in others[:-1]:
        try:
            return build(one, value, name)
        except ValueError:
            continue
    return build(others[-1], value, name)


def _build_tuple(arguments: tuple[Any, ...], value: Any, name: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{name} must be a list")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(build(arguments[0], one, f"{name}[{at}]") for at, one in enumerate(value))
    if len(value) != len(arguments):
        raise ValueError(f"{name} must have {len(arguments)} values, not {len(value)}")
    return tuple(build(*pair, f"{name}[{at}]") for at, pair in enumerate(zip(arguments, value, strict=True)))


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _build_dataclass(kind: Any, value: Any, name: str) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be a table")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    unknown = sorted(set(value) - set(fields))
    if unknown:
        raise ValueError(f"{name} has no '{unknown[0]}'")
    for key, field in fields.items():
        needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if needed and key not in value:
            raise ValueError(f"{name} has no '{key}'")
    return kind(**{key: build(_hints(kind)[key], one, key) for key, one in value.items()})


def _build_named(kind: Any, value: Any, name: str) -> Any:
    hints = _hints(kind)
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= len(hints):
        raise ValueError(f"{name} must be a list of 1 to {len(hints)} values")
    return kind(*[build(hints[key], one, f"{name}.{key}") for key, one in zip(hints, value, strict=False)])


def _build_plain(kind: Any, value: Any, name: str) -> Any:
    right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if kind is float:
        right = isinstance(value, (int, float)) and not isinstance(value, bool)
        right = right and abs(value) <= LARGEST and math.isfinite(value)
    elif kind is int:
        right = right and abs(value) <= LARGEST
    if not right:
        raise ValueError(f"{name} must be {_NAMES.get(kind, kind)}")
    return float(value) if kind is float else value
