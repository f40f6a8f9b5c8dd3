"""A check of a package while it runs: the parts it reads, and the problems it finds."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from decklab.core.errors import LimitExceeded, MalformedPart, MissingPart, TruncatedDeck
from decklab.core.results import shape_label
from decklab.ooxml.package import Package
from decklab.ooxml.parts import Relationship, reachable, relationships_part
from decklab.ooxml.xml import Element, qn

Severity = Literal["error", "warning"]
"""``error``: PowerPoint would offer to repair the file, or refuse it. ``warning``: harmless, yet
not as it should be."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a package."""

    rule: str
    """Stable id, such as ``relationship.missing-target``."""
    severity: Severity
    part: str
    """Where: the name of a part, ``""`` for the package as a whole."""
    detail: str
    """One sentence on the problem."""
    fix: str
    """The change that would fix it, as an instruction."""


_STRICT = b"http://purl.oclc.org/ooxml/presentationml"


@dataclass
class Inspection:
    """A package under check. A part that cannot be read is reported once and then left alone."""

    package: Package
    problems: dict[Problem, None] = field(default_factory=dict)
    """Problems in the order found, each once."""
    _roots: dict[str, Element | None] = field(default_factory=dict)

    def error(self, rule: str, part: str, detail: str, fix: str) -> None:
        """Note something that PowerPoint would want to repair."""
        self._note(rule, "error", part, detail, fix)

    def warn(self, rule: str, part: str, detail: str, fix: str) -> None:
        """Note something harmless."""
        self._note(rule, "warning", part, detail, fix)

    def root(self, part: str) -> Element | None:
        """The root of an XML part, not to be changed; None if it cannot be read."""
        if part not in self._roots:
            self._roots[part] = self._read(part)
        return self._roots[part]

    def links(self, part: str) -> dict[str, Relationship]:
        """The relationships of a part; none if they cannot be read."""
        if part and self.package.find(part) is None:
            return {}
        name = self.package.find(relationships_part(part))
        if name is None or self.root(name) is None:
            return {}
        return self.package.relationships(part)

    def related(self, part: str, kind: str) -> tuple[str, ...]:
        """Existing parts that a part leads to by a kind of relationship."""
        return tuple(
            link.target
            for link in self.links(part).values()
            if link.kind == kind and not link.external and link.target in self.package
        )

    def linked(self, part: str, element: Element) -> str | None:
        """The part that the ``r:id`` of an element leads to; None if it does not exist."""
        link = self.links(part).get(element.get(qn("r:id")) or "")
        if link is None or link.external or link.target not in self.package:
            return None
        return link.target

    @cached_property
    def strict(self) -> bool:
        """Whether the deck is written in the strict edition (ISO/IEC 29500 part 1)."""
        main = self.package.main_part
        return self.package.find(main) is not None and _STRICT in self.package.read(main)

    @cached_property
    def reached(self) -> frozenset[str]:
        """The parts that relationships lead to from the package; programs see no others."""
        return frozenset(reachable(self.package, links=self.links))

    def of_kind(self, ending: str) -> tuple[str, ...]:
        """Parts within reach whose content type ends so."""
        names = [name for name in self.package.names if name in self.reached]
        return tuple(n for n in names if (self.package.content_type(n) or "").endswith(ending))

    def _read(self, part: str) -> Element | None:
        try:
            return self.package.xml(part)
        except (MalformedPart, MissingPart, TruncatedDeck) as error:
            fix = "Write the part anew as well-formed XML."
            self.error("part.malformed", part, error.detail, fix)
        except LimitExceeded as error:
            self.warn("part.not-checked", part, error.detail, "Make the part smaller.")
        return None

    def _note(self, rule: str, severity: Severity, part: str, detail: str, fix: str) -> None:
        self.problems[Problem(rule, severity, part, " ".join(detail.split()), fix)] = None


def is_xml(content_type: str | None) -> bool:
    """Whether a content type promises XML."""
    return (content_type or "").endswith(("+xml", "/xml"))


def within_shape(element: Element) -> str:
    """The shape an element is in, as ``, in Title 1 (id 2)``; empty outside of shapes."""
    for parent in (element, *element.iterancestors()):
        for child in parent:
            names = child if child.tag == qn("p:cNvPr") else child.find(qn("p:cNvPr"))
            if names is not None and parent.tag != qn("p:spTree"):
                return f", in {shape_label(repr(names.get('name', '')[:60]), names.get('id'))}"
    return ""
