"""A deck's outline, read from its XML without changing anything."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from decklab.deck.colors import ColorScheme
from decklab.deck.outline import DeckOutline, Slide
from decklab.deck.shapes import Scene, read_shapes
from decklab.deck.source import Notes, Source
from decklab.deck.templates import Template, read_layout, read_master, shape_tree, slide_colors
from decklab.deck.timing import advance_after_ms, animated_shapes, transition_name
from decklab.errors import MalformedPart, UnsupportedFormat
from decklab.ooxml.names import MAIN_CONTENT_TYPES, local_name, qn
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_emu, parse_int

__all__ = ["read_outline"]

_DEFAULT_SIZE = (9_144_000, 6_858_000)
"""Slide size where the deck states none: 10 by 7.5 inches, as CT_SlideSize is in new files."""


def read_outline(package: Package) -> DeckOutline:
    """The outline of a presentation package (.pptx, .potx, .ppsx and their macro kinds).

    A damaged part is noted in ``problems`` and the rest is read; a slide whose part is damaged
    stays in its place without shapes. Raises MissingPart, MalformedPart or TruncatedDeck where
    there is no readable presentation part, UnsupportedFormat where the package is no
    presentation, and LimitExceeded where any part breaks the package's limits.
    """
    main = package.main_part
    content_type = package.content_type(main)
    root = package.xml(main)
    if root.tag != qn("p:presentation"):
        if content_type in MAIN_CONTENT_TYPES:
            raise MalformedPart(package.label, "it is no presentation inside", main)
        raise UnsupportedFormat(package.label, f"no presentation but {content_type}", main)
    reader = _Reader(Source(package, main, Notes()), root)
    masters = tuple(reader.masters())
    layouts = tuple(reader.layouts(masters))
    slides = tuple(reader.slides())
    return DeckOutline(
        path=package.path,
        size_emu=reader.size_emu,
        slides=slides,
        layouts=tuple(reader.known_layouts(layouts)),
        masters=tuple(template.outline for template in reader.known_masters.values()),
        problems=tuple(reader.source.notes.problems),
    )
