"""Owns the reading of docstrings: which part is for the tool, which for each parameter.

Must not know types or schemas. Understands the Google, NumPy and Sphinx forms; what it does not understand
stays in the text, so that nothing an author wrote is lost.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from inspect import cleandoc

__all__ = ["Docstring", "split"]

_HEADING = (
    r"args|arguments|params|parameters|other\s+parameters|other\s+args|other\s+arguments|"
    r"keyword\s+args|keyword\s+arguments|keyword\s+parameters|kwargs"
)
_GOOGLE = re.compile(rf"(?i)^(?P<indent>\s*)(?:{_HEADING}):\s*$")
_NUMPY = re.compile(rf"(?i)^(?P<indent>\s*)(?:{_HEADING})\s*$")
_UNDERLINE = re.compile(r"^\s*-{3,}\s*$")
_SPHINX = re.compile(
    r"^(?P<indent>\s*)[:@](?P<role>param|parameter|arg|argument|key|keyword|type|kwtype)\s+"
    r"(?:(?P<type>[^:\n]*?)\s+)?(?P<name>\\?\*{0,2}\w+)\s*:(?:\s+|$)(?P<text>.*)$"
)
_NAME = r"(?:\\?\*){0,2}\w+"
_ENTRY = re.compile(
    rf"^\s*(?P<quote>`{{0,2}})(?P<name>{_NAME})(?P=quote)\s*(?:\((?P<type>.*?)\))?\s*(?::(?=\s|$)|\s[-\u2013\u2014]\s)\s*(?P<text>.*)$"
)
_NUMPY_ENTRY = re.compile(rf"^\s*`?(?P<names>{_NAME}(?:\s*,\s*{_NAME})*)`?\s*(?::.*)?$")
_ANY = re.compile(rf"(?im)^\s*(?:(?:{_HEADING}):?\s*$|[:@](?:param|parameter|arg|argument|key|keyword)\s)")


@dataclass(frozen=True, slots=True)
class Docstring:
    """A docstring in its parts."""

    text: str = ""
    """What is said about the whole, without what has moved to the parameters."""
    parameters: dict[str, str] = field(default_factory=dict)
    """The text of each parameter, by its bare name."""


def split(doc: str | None, names: Collection[str]) -> Docstring:
    """Take the texts of the parameters `names` out of a docstring.

    Entries for other names stay in the text under their heading.
    """
    if not doc:
        return Docstring()
    text = cleandoc(doc).strip()
    if not names or _ANY.search(text) is None:
        return Docstring(text)
    reader = _Reader(text.split("\n"), frozenset(names))
    reader.run()
    kept = re.sub(r"\n{3,}", "\n\n", "\n".join(reader.kept)).strip()
    return Docstring(kept, {name: body for name, lines in reader.found.items() if (body := _body(lines))})


class _Reader:
    """Goes through the lines once; each method reads one section and returns the line after it."""

    def __init__(self, lines: list[str], names: frozenset[str]) -> None:
        self.lines = lines
        self.names = names
        self.kept: list[str] = []
        self.found: dict[str, list[str]] = {}

    def run(self) -> None:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
            if _GOOGLE.match(line):
                at = self.google(at)
            elif _NUMPY.match(line) and _UNDERLINE.match(below):
                at = self.numpy(at)
            elif (match := _SPHINX.match(line)) and _bare(match["name"]) in self.names:
                at = self.sphinx(at, match)
            else:
                self.kept.append(line)
                at += 1

    def google(self, heading: int) -> int:
        outer = _indent(self.lines[heading])
        end = heading + 1
        while end < len(self.lines) and (not self.lines[end].strip() or _indent(self.lines[end]) > outer):
            end += 1
        body = self.lines[heading + 1 : end]
        level = min((_indent(line) for line in body if line.strip()), default=0)
        rest: list[str] = []
        target = rest
        for line in body:
            if line.strip() and _indent(line) == level and (match := _ENTRY.match(line)):
                name = _bare(match["name"])
                if name in self.names:
                    target = self.found.setdefault(name, [])
                    target.append(match["text"])
                    continue
                target = rest
            target.append(line)
        self.keep(self.lines[heading : heading + 1], rest)
        return end

    def numpy(self, heading: int) -> int:
        outer = _indent(self.lines[heading])
        at = heading + 2
        rest: list[str] = []
        targets = [rest]
        while at < len(self.lines):
            line = self.lines[at]
            below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
            if line.strip() and (_indent(line) < outer or _UNDERLINE.match(below)):
                break
            if line.strip() and _indent(line) == outer:
                match = _NUMPY_ENTRY.match(line)
                named = [_bare(name) for name in match["names"].split(",")] if match else []
                known = [name for name in named if name in self.names]
                if match is None and self.found and targets[0] is not rest:
                    break  # prose below the section
                if known and len(known) == len(named):
                    targets = [self.found.setdefault(name, []) for name in known]
                    at += 1
                    continue
                targets = [rest]
            for target in targets:
                target.append(line)
            at += 1
        self.keep(self.lines[heading : heading + 2], rest)
        return at

    def sphinx(self, at: int, match: re.Match[str]) -> int:
        described = match["role"] not in ("type", "kwtype")
        target = self.found.setdefault(_bare(match["name"]), []) if described else []
        target.append(match["text"])
        outer = len(match["indent"])
        at += 1
        while at < len(self.lines) and self.lines[at].strip() and _indent(self.lines[at]) > outer:
            target.append(self.lines[at])
            at += 1
        return at

    def keep(self, heading: list[str], rest: list[str]) -> None:
        if any(line.strip() for line in rest):
            self.kept += [*heading, *rest]
        elif self.kept and self.kept[-1].strip():
            self.kept.append("")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _bare(name: str) -> str:
    return name.strip().lstrip("\\*").replace("\\*", "")


def _body(lines: list[str]) -> str:
    """The first line as it stands, the others without the indentation that they share."""
    if not lines:  # a NumPy entry may be a name alone
        return ""
    first, others = lines[0].strip(), lines[1:]
    margin = min((_indent(line) for line in others if line.strip()), default=0)
    return "\n".join([first, *(line[margin:].rstrip() for line in others)]).strip()
