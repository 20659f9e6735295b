"""Owns the preparation of types for pydantic: descriptions as plain strings, `TypedDict` before 3.12.

Must not build schemas and must not change what a type accepts.
"""

from __future__ import annotations

import functools
import operator
import sys
import types
import typing
from typing import Annotated, Any, Union, get_args, get_origin

import typing_extensions
from pydantic import Field
from pydantic.fields import FieldInfo

__all__ = ["describe_parts", "described", "metadata_text", "prepared", "typed_dict_of_unpack", "unmarked"]

_MARKERS = (typing_extensions.Required, typing_extensions.NotRequired, typing_extensions.ReadOnly)


def metadata_text(metadata: typing.Iterable[Any]) -> str | None:
    """The description in the metadata of an `Annotated`: its strings and `Doc` objects, one per line.

    `None` where a `Field` in there has a description of its own, or where there is no text.
    """
    texts: list[str] = []
    for item in metadata:
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, typing_extensions.Doc):
            texts.append(item.documentation)
        elif isinstance(item, FieldInfo) and item.description is not None:
            return None
    return "\n".join(texts) or None


def described(annotation: Any, default: Any, text: str | None) -> Any:
    """`annotation` with the docstring's `text` as its description, unless it has a description already."""
    if not text or (isinstance(default, FieldInfo) and default.description is not None):
        return annotation
    if get_origin(annotation) is Annotated and any(
        isinstance(item, FieldInfo) and item.description is not None for item in annotation.__metadata__
    ):
        return annotation
    return Annotated[annotation, Field(description=text)]


def prepared(annotation: Any) -> Any:
    """`annotation` with each string in an `Annotated`, at any depth, as a description for pydantic."""
    origin = get_origin(annotation)
    if origin is None:
        if sys.version_info < (3, 12) and type(annotation) is typing._TypedDictMeta:  # type: ignore[attr-defined]
            return _typed_dict(annotation)
        return annotation
    if origin is Annotated:
        inner = prepared(annotation.__origin__)
        metadata = annotation.__metadata__
        text = metadata_text(metadata)
        if text is None and inner is annotation.__origin__:
            return annotation
        kept = [item for item in metadata if not isinstance(item, str | typing_extensions.Doc)]
        if text is not None:
            kept.append(Field(description=text))
        return _annotated(inner, kept)
    if origin is typing.Literal or origin is typing_extensions.Literal:
        return annotation
    if origin is Union or origin is types.UnionType:
        return _union(annotation)
    arguments = get_args(annotation)
    inners = tuple(
        prepared(argument) if not isinstance(argument, list) else argument for argument in arguments
    )
    if all(new is old for new, old in zip(inners, arguments, strict=True)):
        return annotation
    if hasattr(annotation, "copy_with"):
        return annotation.copy_with(inners)
    return origin[inners]


def unmarked(hint: Any) -> Any:
    """The type of a key of a `TypedDict`, without `Required` and the like."""
    while get_origin(hint) in _MARKERS:
        (hint,) = get_args(hint)
    return hint


def describe_parts(annotation: Any, schema: dict[str, Any]) -> None:
    """Add the strings in the parts of a type to the parts of its JSON Schema.

    For the fields of classes, whose schemas pydantic has made before anybody could prepare their types.
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        describe_parts(annotation.__origin__, schema)
        return
    parts: list[Any] = []
    if origin is Union or origin is types.UnionType:
        parts = schema.get("anyOf", [])
    elif len(arguments) == 1 and "items" in schema:
        parts = [schema["items"]]
    elif len(arguments) == 2 and "additionalProperties" in schema:
        arguments, parts = arguments[1:], [schema["additionalProperties"]]
    elif "prefixItems" in schema:
        parts = schema["prefixItems"]
    if len(parts) != len(arguments):
        return
    for argument, part in zip(arguments, parts, strict=True):
        if isinstance(part, dict):
            text = metadata_text(getattr(argument, "__metadata__", ()))
            if text is not None:
                part.setdefault("description", text)
            describe_parts(argument, part)


def typed_dict_of_unpack(annotation: Any) -> Any:
    """The `TypedDict` in `Unpack[TypedDict]`, or `None`."""
    if get_origin(annotation) in (typing.Unpack, typing_extensions.Unpack):
        return get_args(annotation)[0]
    return None


def _annotated(inner: Any, metadata: list[Any]) -> Any:
    return Annotated[(inner, *metadata)] if metadata else inner


def _union(annotation: Any) -> Any:
    arguments = get_args(annotation)
    inners = tuple(prepared(argument) for argument in arguments)
    others = [inner for inner in inners if inner is not type(None)]
    if len(others) == 1 and len(inners) == 2 and get_origin(others[0]) is Annotated:
        # `Annotated[T, "text"] | None`: the text is meant for the whole.
        (original,) = [argument for argument in arguments if argument is not type(None)]
        text = metadata_text(original.__metadata__) if get_origin(original) is Annotated else None
        if text is not None:
            kept = [
                item
                for item in others[0].__metadata__
                if not (
                    isinstance(item, FieldInfo)
                    and item.description == text
                    and item not in original.__metadata__
                )
            ]
            bare = _annotated(others[0].__origin__, kept)
            return Annotated[bare | None, Field(description=text)]
    if all(new is old for new, old in zip(inners, arguments, strict=True)):
        return annotation
    return functools.reduce(operator.or_, inners)


@functools.cache
def _typed_dict(declared: Any) -> Any:
    """The same dictionary type in the form that pydantic takes on Python 3.11.

    Which keys are required is read from the resolved types: under `from __future__ import annotations` the
    class itself does not know it.
    """
    hints = typing.get_type_hints(declared, include_extras=True)
    items: dict[str, Any] = {}
    for name, hint in hints.items():
        required = name in declared.__required_keys__
        inner = hint
        while get_origin(inner) in _MARKERS:
            if get_origin(inner) is not typing_extensions.ReadOnly:
                required = get_origin(inner) is typing_extensions.Required
            (inner,) = get_args(inner)
        inner = prepared(inner) if inner is not declared else inner
        items[name] = (typing_extensions.Required if required else typing_extensions.NotRequired)[inner]
    make: Any = typing_extensions.TypedDict
    made = make(declared.__name__, items)
    made.__module__ = declared.__module__
    made.__qualname__ = declared.__qualname__
    made.__doc__ = declared.__doc__
    if hasattr(declared, "__pydantic_config__"):
        made.__pydantic_config__ = declared.__pydantic_config__
    return made
