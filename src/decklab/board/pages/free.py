"""HTML of a page that a model or a person wrote for one slide, without what could do harm.

Elements and styles that say what stands where are kept; scripts, links, addresses, other positions
than in the page and everything unknown are left out. nh3 (ammonia) parses and cleans.
"""

import re
from html import unescape
from typing import Final

from decklab.core.lazy import extra_module

ELEMENTS: Final = frozenset({
    "article", "b", "blockquote", "br", "div", "em", "figure", "h2", "h3", "h4", "hr", "i", "li",
    "ol", "p", "section", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th",
    "thead", "tr", "ul",
})  # fmt: skip
"""Elements that a page may have; a figure is the place of the slide's picture, chart or table."""
STYLES: Final = frozenset({
    "align-content", "align-items", "align-self", "background", "background-color", "border",
    "border-bottom", "border-collapse", "border-color", "border-inline-start", "border-left",
    "border-radius", "border-right", "border-style", "border-top", "border-width", "bottom",
    "box-shadow", "color", "column-gap", "display", "flex", "flex-direction", "flex-grow",
    "flex-wrap", "font", "font-family", "font-size", "font-style", "font-weight", "gap",
    "grid-area", "grid-auto-flow", "grid-auto-rows", "grid-column", "grid-row",
    "grid-template-areas", "grid-template-columns", "grid-template-rows", "height",
    "justify-content", "justify-items", "justify-self", "left", "letter-spacing", "line-height",
    "list-style", "list-style-type", "margin", "margin-bottom", "margin-left", "margin-right",
    "margin-top", "max-height", "max-width", "min-height", "min-width", "opacity", "order",
    "padding", "padding-bottom", "padding-left", "padding-right", "padding-top", "position",
    "right", "row-gap", "text-align", "text-transform", "top", "transform", "vertical-align",
    "white-space", "width", "z-index",
})  # fmt: skip
"""Properties of the style attributes."""
_MOST_CHARACTERS: Final = 20_000
_PLACE = re.compile(r"<figure\b([^>]*)>.*?</figure>", re.DOTALL)
_FORBIDDEN = re.compile(r"url\s*\(|image-set|expression\s*\(|position\s*:\s*(?:fixed|sticky)", re.I)


def clean_html(html: str) -> str:
    """The HTML with nothing but ``ELEMENTS``, classes and ``STYLES``.

    Raises ValueError for HTML with addresses or fixed places, or of more than 20,000 characters;
    Unavailable without ``decklab[write]``.
    """
    if len(html) > _MOST_CHARACTERS:
        raise ValueError(f"the page's HTML has {len(html)} characters, at most {_MOST_CHARACTERS}")
    bad = _FORBIDDEN.search(unescape(html))
    if bad:
        raise ValueError(f"the page's HTML has {bad.group()!r}: no addresses and fixed places")
    attributes = {"*": {"class", "style"}, "td": {"colspan", "rowspan"}, "th": {"colspan"}}
    cleaned: str = extra_module("nh3", "cleaning the HTML of a page", "write").clean(
        html, tags=set(ELEMENTS), attributes=attributes, filter_style_properties=set(STYLES)
    )
    return cleaned


def places(html: str) -> int:
    """How many places for what the slide shows some cleaned HTML has."""
    return len(_PLACE.findall(html))


def filled(html: str, shown: str) -> str:
    """Cleaned HTML with what the slide shows, which is HTML too, in its place."""
    return _PLACE.sub(
        lambda found: f'<div{found[1]}><div class="shown">{shown}</div></div>', html, count=1
    )


def html_words(html: str) -> tuple[str, ...]:
    """The texts of some HTML in order, one of each element that holds words itself.

    >>> html_words("<div>Up <b>12 %</b></div><p>of 48,000 units &amp; more</p>")
    ('Up 12 %', 'of 48,000 units & more')
    """
    broken = re.sub(r"</?(?:b|em|i|small|span|strong|sub|sup)\b[^>]*>", "", html)
    texts = (" ".join(unescape(text).split()) for text in re.split(r"<[^>]*>", broken))
    return tuple(text for text in texts if text)
