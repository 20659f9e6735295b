"""Owns one source's private package: which module a file is, and what the files' own imports mean.

Every file below the source's folders is one module of the package, whatever name it is imported by. Plain
names reach the source's own files from the source's own modules alone: each of them runs with an
`__import__` of its own, so nothing is added to `sys.path` and nothing that is installed is shadowed. Must
not run files; `importing` does.
"""

from __future__ import annotations

import builtins
import importlib
import os
import re
import sys
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from glob import escape, glob
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, PathFinder
from itertools import count
from types import ModuleType
from typing import Any

__all__ = ["PREFIX", "Source", "imported_files", "source_of", "without_private_names"]

PREFIX = "pegboard_source_"
"""How the name of every private package starts."""

_SUFFIXES = (*SOURCE_SUFFIXES, *EXTENSION_SUFFIXES)
_numbers = count(1)
_sources: dict[str, Source] = {}
_PRIVATE = re.compile(rf"\b{PREFIX}\d+(?:_\d+)?\.")


def source_of(module_name: str) -> Source | None:
    """The source that a module belongs to."""
    return _sources.get(module_name.partition(".")[0])


def imported_files(root: str) -> list[str]:
    """The files of the modules that sources with that root have imported, whichever load they belong to."""
    sources = {source for source in list(_sources.values()) if source.root == _clean(root)}
    return sorted({file for source in sources for file in source.module_files()})


def without_private_names(text: str) -> str:
    """`text` with modules of sources named as their authors name them, whatever load they belong to."""
    return _PRIVATE.sub("", text) if PREFIX in text else text


class Source:
    """The private package of one source, for one load."""

    def __init__(self, root: str, import_roots: Sequence[str], files: Sequence[str]) -> None:
        """Make the package; nothing is imported yet.

        `root` is the folder that relative names start from, `import_roots` are folders whose modules the
        files may import by plain names, `files` are the tool files.
        """
        self.package = f"{PREFIX}{next(_numbers)}"
        self.root = _clean(root)
        self.roots = [self.root, *map(_clean, import_roots)]
        """Where plain names are looked up, besides the importing file's own folder."""
        self.capability_root: str | None = None
        """What `CAPABILITY_ROOT` is for this source's modules."""
        self.extra: list[str] = []
        """Folders that files of this source have put on `sys.path`."""
        self.loading = True
        """Whether `sys.path` may hold folders that a file has just put there."""
        self.baseline = tuple(sys.path)
        """`sys.path` as it was before the first file ran."""
        self.after_import: Callable[[], None] | None = None
        """What wants to know, while loading, that a file has imported something."""
        self.imported: list[tuple[str, str, tuple[str, ...]]] = []
        """What `from … import` statements took while loading: importing module, module, names."""
        self._anchors: list[tuple[str, str]] = []
        self._found: dict[tuple[str, str], str | None] = {}
        self._public: dict[str, bool] = {}
        outer = [folder for folder in self.roots[1:] if _inside(self.root, folder)]
        for folder in dict.fromkeys([*outer, self.root, *self.roots[1:]]):
            if not any(_inside(folder, known) for known, _ in self._anchors):
                self._anchor(folder)
        self.folders: dict[str, str] = {}
        """Folders by private name, where the name alone does not tell them."""
        self.files: dict[str, str] = {}
        """The tool files by module name, in the order in which they were given."""
        for path in map(_clean, files):
            name = self.module_name(path)
            while name in self.files:
                name += "_"
            self.files[name] = path
        self.builtins = vars(builtins) | {"__import__": self.import_module}
        """The `__builtins__` of every module of this source."""

    def module_name(self, path: str) -> str:
        """The private name of a file or folder."""
        for folder, package in self._anchors:
            if path == folder:
                return package
            if _inside(path, folder):
                break
        else:
            folder = os.path.dirname(path)
            package = self._anchor(folder)
        parts = path[len(folder) :].strip(os.sep).split(os.sep)
        stem = parts.pop().removesuffix(".py")
        name = package
        for part in parts:
            name = f"{name}.{part.replace('.', '_')}"
            folder = os.path.join(folder, part)
            shadowed = _is_shadowed(folder)
            if shadowed:
                name += "_"
            if shadowed or "." in part:  # a dot would make one part look like two
                self.folders[name] = folder
        if stem == "__init__" and parts:
            return name
        return f"{name}.{stem.replace('.', '_')}"

    def has_module(self, name: str) -> bool:
        """Whether a module name is one of this source's private names."""
        return source_of(name) is self

    def module_files(self) -> list[str]:
        """The files of this source's modules that were imported."""
        modules = [module for name, module in list(sys.modules.items()) if source_of(name) is self]
        files = (getattr(module, "__file__", None) for module in modules)
        return sorted(file for file in files if isinstance(file, str))

    def readable(self, text: str) -> str:
        """`text` without the private names in it."""
        for _, package in reversed(self._anchors):
            text = text.replace(f"{package}.", "").replace(package, os.path.basename(self.root))
        return text

    def add_folder(self, folder: object) -> None:
        """Look up plain names of this source in one more folder: an entry that a file put on `sys.path`."""
        if not isinstance(folder, str | os.PathLike):
            return  # Python itself passes over such an entry
        folder = _clean(folder)
        if folder not in self.extra:
            self.extra.append(folder)
            self._found.clear()

    def live_with(self, holders: Sequence[object]) -> None:
        """Forget the package when the last of `holders` is gone: a reload makes a new one each time."""
        remaining = len(holders)

        def release() -> None:
            nonlocal remaining
            remaining -= 1
            if remaining == 0:
                self.forget()

        for holder in holders:
            weakref.finalize(holder, release).atexit = False

    def forget(self) -> None:
        """Take the package and its modules out of `sys.modules`."""
        for _, package in self._anchors:
            _sources.pop(package, None)
            for name in list(sys.modules):
                if name == package or name.startswith(f"{package}."):
                    sys.modules.pop(name, None)

    def import_module(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What `import` means in this source's modules; the signature is that of `builtins.__import__`."""
        private = self._private_name(name, globals) if level == 0 and globals is not None else None
        if private is None:
            module = builtins.__import__(name, globals, locals, fromlist or (), level)
            if self.after_import is not None:
                self.after_import()
        elif fromlist:
            module = builtins.__import__(private, globals, locals, fromlist, 0)
        else:
            importlib.import_module(private)
            return sys.modules[private.removesuffix(name[len(name.partition(".")[0]) :])]
        if fromlist and self.loading and globals is not None:
            self.imported.append((globals.get("__name__", ""), module.__name__, tuple(fromlist)))
        return module

    def _private_name(self, name: str, importing: Mapping[str, Any]) -> str | None:
        """The private name behind a plain one, or `None` where it is not for this source to answer."""
        top, _, rest = name.partition(".")
        file = importing.get("__file__")
        own = os.path.dirname(file) if isinstance(file, str) else self.root
        key = (own, top)
        if self.loading:
            for entry in sys.path:
                if entry not in self.baseline:
                    self.add_folder(entry)
        if key not in self._found:
            self._found[key] = self._look_up(top, [own, *self.roots, *self.extra])
        private = self._found[key]
        return f"{private}.{rest}" if private and rest else private

    def _look_up(self, top: str, folders: Iterable[str]) -> str | None:
        if top in sys.stdlib_module_names or top in sys.builtin_module_names:
            return None
        folders = list(dict.fromkeys(folders))
        for candidate in (_regular, _namespace):
            for folder in folders:
                path = candidate(folder, top)
                if path is not None:
                    if self._before_everything(folder) or not self._is_public(top, path):
                        return self.module_name(os.path.join(folder, top))
                    return None
        return None

    def _before_everything(self, folder: str) -> bool:
        """Whether a file has put the folder in front of `sys.path`, over what is installed."""
        if folder not in self.extra:
            return False
        for entry in sys.path:
            if entry in self.baseline:
                return False
            if _clean(entry) == folder:
                return True
        return False

    def _is_public(self, top: str, path: str) -> bool:
        """Whether a name is answered by more than a file that happens to be in the working directory."""
        present = sys.modules.get(top)
        if present is not None:
            places = _places(present)
            same = any(os.path.realpath(place) == os.path.realpath(path) for place in places)
            if same or (places and all(map(_is_local, places))):
                # Of what the application has imported itself, the very same file is the same module here; but
                # not while it is being imported, because waiting for that would not end.
                return same and not getattr(present.__spec__, "_initializing", False)
            return True
        known = self._public.get(top)
        if known is None:
            known = self._public[top] = _installed(top, self.baseline)
        return known

    def _anchor(self, folder: str) -> str:
        package = self.package if not self._anchors else f"{self.package}_{len(self._anchors)}"
        module = ModuleType(package, f"The files below {folder}, loaded by pegboard.")
        module.__path__ = [folder]
        module.__package__ = package
        sys.modules[package] = module
        _sources[package] = self
        self._anchors.append((folder, package))
        return package


def _is_shadowed(folder: str) -> bool:
    """Whether a module stands beside the folder and has its name, which then means the module alone."""
    return os.path.isfile(f"{folder}.py") and not os.path.isfile(os.path.join(folder, "__init__.py"))


def _installed(top: str, path: Sequence[str]) -> bool:
    searched = [entry for entry in path if not _is_local_entry(entry)]
    for finder in sys.meta_path:
        find_spec = getattr(finder, "find_spec", None)
        if find_spec is None:
            continue
        try:
            spec = PathFinder.find_spec(top, searched) if finder is PathFinder else find_spec(top, None)
        except Exception:  # a finder of somebody else's; what it knows of the name is its own affair
            return True
        if spec is not None and (spec.loader is not None or finder is not PathFinder):
            return True
    return False


def _places(module: ModuleType) -> list[str]:
    """The file of a module, or the folders of a package without a file."""
    file = getattr(module, "__file__", None)
    return [file] if isinstance(file, str) else [str(folder) for folder in getattr(module, "__path__", ())]


def _is_local_entry(entry: str) -> bool:
    """Whether an entry of `sys.path` is there because of where the process was started."""
    return entry in ("", ".") or os.path.realpath(entry) in _local_folders()


def _is_local(file: str) -> bool:
    return any(_inside(os.path.realpath(file), folder) for folder in _local_folders()) and not any(
        part in ("site-packages", "dist-packages") for part in file.split(os.sep)
    )


def _local_folders() -> set[str]:
    folders = set()
    with suppress(OSError):  # the working directory may be gone
        folders.add(os.path.realpath(os.getcwd()))
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    if isinstance(main, str):
        folders.add(os.path.dirname(os.path.realpath(main)))
    return folders


def _regular(folder: str, top: str) -> str | None:
    package = os.path.join(folder, top, "__init__.py")
    if os.path.isfile(package):
        return package
    for suffix in _SUFFIXES:
        file = os.path.join(folder, top + suffix)
        if os.path.isfile(file):
            return file
    return None


def _namespace(folder: str, top: str) -> str | None:
    """A folder with code but without `__init__.py`; a folder of data must not answer an import."""
    path = os.path.join(folder, top)
    for depth in ("*.py", os.path.join("*", "*.py")):
        if glob(os.path.join(escape(path), depth)):
            return path
    return None


def _clean(path: str | os.PathLike[str]) -> str:
    return os.path.normpath(os.path.abspath(path))


def _inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
