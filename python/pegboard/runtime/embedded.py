"""Owns the finder that serves this package from memory inside a Rust application.

Runs before anything else of the package exists, so it must not import any of it.
"""

from __future__ import annotations

import marshal
import sys
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import MAGIC_NUMBER
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import CodeType, ModuleType

_PACKAGE = "pegboard"
_INITIALIZER = "__init__.py"


class EmbeddedFinder(MetaPathFinder, InspectLoader):
    """Finds and loads the package's modules from texts keyed by their path below the package."""

    def __init__(self, sources: Mapping[str, str], compiled: Mapping[str, bytes]) -> None:
        """Take the texts, and their code in marshal's format; keys such as ``runtime/load.py``."""
        self._paths: dict[str, str] = {}
        self._compiled = compiled
        self._sources = sources
        for path in sources:
            folder, _, file = path.rpartition("/")
            stem = folder if file == _INITIALIZER else path.removesuffix(".py")
            self._paths[".".join([_PACKAGE, *filter(None, stem.split("/"))])] = path

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of one of the package's modules, or ``None`` for any other."""
        found = self._paths.get(fullname)
        if found is None:
            return None
        spec = ModuleSpec(fullname, self, origin=self._origin(found), is_package=self.is_package(fullname))
        spec.has_location = True
        return spec

    def is_package(self, fullname: str) -> bool:
        """Return whether the module is a folder."""
        return self._path(fullname).rpartition("/")[2] == _INITIALIZER

    def get_source(self, fullname: str) -> str:
        """Return the module's text, so that tracebacks and ``inspect`` show it."""
        return self._sources[self._path(fullname)]

    def get_filename(self, fullname: str) -> str:
        """Return the name under which the module's code is compiled."""
        return self._origin(self._path(fullname))

    def _path(self, fullname: str) -> str:
        try:
            return self._paths[fullname]
        except KeyError:
            raise ImportError(f"pegboard does not embed {fullname}", name=fullname) from None

    @staticmethod
    def _origin(path: str) -> str:
        return f"<{_PACKAGE}>/{path}"

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code under its embedded name."""
        spec = module.__spec__
        name = spec.name if spec is not None else module.__name__
        exec(self.get_code(name), module.__dict__)

    def get_code(self, fullname: str) -> CodeType:
        """Return the module's code, compiled when the library was built or else now."""
        compiled = self._compiled.get(self._path(fullname))
        if compiled is not None:
            code: CodeType = marshal.loads(compiled)
            return code
        return compile(self.get_source(fullname), self.get_filename(fullname), "exec", dont_inherit=True)


def install(sources: Mapping[str, str], code: bytes = b"") -> None:
    """Answer ``import pegboard`` from memory, before any installed package of that name.

    `code` is ``(magic number, {path: code})`` in marshal's format; another Python's is not used.
    """
    if any(type(finder).__name__ == EmbeddedFinder.__name__ for finder in sys.meta_path):
        return
    magic, compiled = marshal.loads(code) if code else (b"", {})
    if magic != MAGIC_NUMBER:
        compiled = {}
    sys.meta_path.insert(0, EmbeddedFinder(sources, compiled))
