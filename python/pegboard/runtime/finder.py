"""Owns finding and loading the modules of private packages: Python's own machinery, with two differences.

A module runs with its source's `__builtins__`, and byte code is trusted by the hash of the text. Python
itself compares the time in seconds and the size, which serves old code for an edit of equal size within the
same second.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
)
from importlib.machinery import SourceFileLoader as _SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash, spec_from_file_location
from threading import get_ident
from types import CodeType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from .source import PREFIX, Source, source_of

__all__ = ["SourceFinder", "ToolFileLoader", "install"]

_CHECKED_HASH = (0b11).to_bytes(4, "little")
"""The flags of byte code that is valid only for a text of the same hash."""


class ToolFileLoader(_SourceFileLoader):
    """Loads one file of a source."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the file with its source's own `__import__`."""
        source = source_of(module.__name__)
        if source is not None:
            module.__dict__["__builtins__"] = source.builtins
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, fullname: str) -> CodeType:
        """The code of the text as it stands, compiled or from the cache."""
        path = self.get_filename(fullname)
        text = self.get_data(path)
        digest = source_hash(text)
        try:
            cache = cache_from_source(path)
        except NotImplementedError:  # this Python has no cache
            return self._compiled(text, path)
        code = _read(cache, digest, path)
        if code is None:
            code = self._compiled(text, path)
            if not sys.dont_write_bytecode:
                _write(cache, digest, code)
        return code

    @staticmethod
    def _compiled(text: bytes, path: str) -> CodeType:
        return compile(text, path, "exec", dont_inherit=True)


class SourceFinder(MetaPathFinder):
    """Finds modules of private packages, and nothing else."""

    def __init__(self) -> None:
        """Start without knowledge of any folder."""
        self._finders: WeakKeyDictionary[Source, dict[str, FileFinder]] = WeakKeyDictionary()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a file or folder of a source, or `None`."""
        if not fullname.startswith(PREFIX) or path is None:
            return None
        source = source_of(fullname)
        if source is None:
            return None
        file = source.files.get(fullname)
        if file is not None:
            return spec_from_file_location(fullname, file, loader=ToolFileLoader(fullname, file))
        named = source.folders.get(fullname)
        if named is not None:
            start = os.path.join(named, "__init__.py")
            if os.path.isfile(start):
                return spec_from_file_location(fullname, start, loader=ToolFileLoader(fullname, start))
            return _namespace(fullname, [named])
        folders: list[str] = []
        for folder in path:
            finders = self._finders.setdefault(source, {})
            if folder not in finders:
                loaders: Any = ((ExtensionFileLoader, EXTENSION_SUFFIXES), (ToolFileLoader, SOURCE_SUFFIXES))
                finders[folder] = FileFinder(folder, *loaders)
            spec = finders[folder].find_spec(fullname)
            if spec is None:
                continue
            if spec.loader is not None:
                return spec
            folders += spec.submodule_search_locations or ()
        return _namespace(fullname, folders) if folders else None


def _namespace(fullname: str, folders: list[str]) -> ModuleSpec:
    spec = ModuleSpec(fullname, None, is_package=True)
    spec.submodule_search_locations = folders
    return spec


def install() -> SourceFinder:
    """The finder, in its place before all others."""
    for finder in sys.meta_path:
        if isinstance(finder, SourceFinder):
            return finder
    made = SourceFinder()
    sys.meta_path.insert(0, made)
    return made


def _read(cache: str, digest: bytes, path: str) -> CodeType | None:
    try:
        with open(cache, "rb") as file:
            stored = file.read()
        if stored[:4] != MAGIC_NUMBER or stored[4:8] != _CHECKED_HASH or stored[8:16] != digest:
            return None
        code = marshal.loads(memoryview(stored)[16:])
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return code if isinstance(code, CodeType) and code.co_filename == path else None


def _write(cache: str, digest: bytes, code: CodeType) -> None:
    """Keep the code for the next load; a folder that cannot be written to is no fault."""
    part = f"{cache}.{os.getpid()}.{get_ident()}"
    try:
        os.makedirs(os.path.dirname(cache), exist_ok=True)
        with open(part, "wb") as file:
            file.write(MAGIC_NUMBER + _CHECKED_HASH + digest + marshal.dumps(code))
        os.replace(part, cache)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(part)
