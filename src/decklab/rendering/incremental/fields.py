"""Text that LibreOffice fills in as it draws: the number of the slide, the date, other facts."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from decklab.ooxml.names import qn
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import Element

__all__ = ["FieldReader", "Fields", "moment"]

_NUMBER = "slidenum"
"""Type of the fields that show a slide's number (ECMA-376 Part 1, 21.1.2.2.4)."""

_DATE = "datetime"
_CLOCK = frozenset(f"{_DATE}{number}" for number in (8, 9, 10, 11, 12, 13))
"""Types of date fields that show the time of day."""


@dataclass(frozen=True)
class Fields:
    """The types of the fields drawn on a slide."""

    own: frozenset[str]
    """Those on the slide itself."""
    inherited: frozenset[str]
    """Those of its layout and master, which are drawn where they stand outside placeholders."""

    @property
    def numbered(self) -> bool:
        """Whether the slide's number is drawn."""
        return _NUMBER in self.own | self.inherited

    @property
    def dated(self) -> bool:
        """Whether a date or the time of day is drawn."""
        return any(kind.startswith(_DATE) for kind in self.own | self.inherited)

    @property
    def foreign(self) -> bool:
        """Whether something other than number and date is drawn, such as the number of slides."""
        kinds = self.own | self.inherited
        return any(kind != _NUMBER and not kind.startswith(_DATE) for kind in kinds)


class FieldReader:
    """Finds the fields drawn on slides of one package, which has to stay open."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._inherited: dict[str, frozenset[str]] = {}

    def of(self, slide: str) -> Fields:
        """The fields drawn on the slide in the part ``slide``."""
        layouts = self._package.related(slide, "slideLayout")
        masters = [part for name in layouts for part in self._package.related(name, "slideMaster")]
        inherited = frozenset(kind for part in (*layouts, *masters) for kind in self._above(part))
        own = _kinds(self._package.xml(slide)) if self._has_fields(slide) else ()
        return Fields(frozenset(own), inherited)

    def _above(self, part: str) -> frozenset[str]:
        if part not in self._inherited:
            found = _free_fields(self._package.xml(part)) if self._has_fields(part) else ()
            self._inherited[part] = frozenset(found)
        return self._inherited[part]

    def _has_fields(self, part: str) -> bool:
        return b":fld" in self._package.read(part)


def moment(fields: Fields, now: datetime) -> str:
    """The part of ``now`` that the fields show: nothing, the day, or the minute."""
    if not fields.dated:
        return ""
    clock = _CLOCK & (fields.own | fields.inherited)
    return now.strftime("%Y-%m-%d %H:%M" if clock else "%Y-%m-%d")


def _free_fields(root: Element) -> Iterator[str]:
    for shape in root.iter(qn("p:sp")):
        if shape.find(f"{qn('p:nvSpPr')}/{qn('p:nvPr')}/{qn('p:ph')}") is None:
            yield from _kinds(shape)


def _kinds(root: Element) -> Iterator[str]:
    return (field.get("type") or "" for field in root.iter(qn("a:fld")))
