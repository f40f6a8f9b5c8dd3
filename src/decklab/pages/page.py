"""Templates, and the frame that all pages share: no network, and no scripts of others; and plain
tables on a terminal."""

import re
from base64 import b64encode
from collections.abc import Iterable
from contextlib import AbstractContextManager
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.core.files import check_file, output_file, whole_file
from decklab.pages.wording import SEVERITY_LABELS, clean, counted, deck_name, number, plain


def plain_table(first: str, *headings: str, no_wrap: bool = False) -> Table:
    """A table without rows: a column of names, and columns of numbers, which stand to the right;
    these are not broken into lines with ``no_wrap``."""
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
    table.add_column(first)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=no_wrap)
    return table


def print_parts(parts: Iterable[Table | Text], console: Console) -> None:
    """Print tables and texts one below the other; the terminal breaks the lines of texts."""
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, Text))


_HEX_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\Z")


def _shown(value: Any) -> Any:
    return clean(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def css_colour(value: object) -> str:
    """``value`` if it is a ``#RRGGBB`` colour, else ``transparent``: safe inside a style.

    >>> css_colour("#1A2B3C"), css_colour("red;background:url(x)")
    ('#1A2B3C', 'transparent')
    """
    return value if isinstance(value, str) and _HEX_COLOUR.match(value) else "transparent"


def href(path: str) -> str:
    """The address of a file by its path relative to the page; never one with a scheme or host.

    >>> href("decks/q1 & q2.html"), href("javascript:alert(1)")
    ('./decks/q1%20%26%20q2.html', './javascript%3Aalert%281%29')
    """
    return "./" + quote(path, errors="surrogateescape")


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("decklab.pages")]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        optimized=False,  # compiling takes longer than filling a page
    )
    environment.filters.update(
        colour=css_colour,
        counted=counted,
        deck_name=deck_name,
        href=href,
        number=number,
        plain=plain,
        severity=SEVERITY_LABELS.__getitem__,
    )
    return environment


_HEAD = 4096
"""Bytes in which a page names its template."""


def is_page(path: Path, template: str) -> bool:
    """Whether a file is a page that ``write_page`` made from ``template``: it says so itself."""
    mark = f'<meta name="generator" content="decklab {Path(template).stem}">'
    try:
        with path.open("rb") as page:
            return mark.encode() in page.read(_HEAD)
    except OSError:
        return False


def check_page(
    path: str | Path, template: str, *, inputs: Iterable[str | Path] = (), force: bool = False
) -> None:
    """``check_file`` for a page that somebody named: one of the same ``template`` is replaced."""
    check_file(path, inputs=inputs, force=force, ours=partial(is_page, template=template))


def output_page(path: str | Path, template: str) -> AbstractContextManager[Path]:
    """``output_file`` for such a page, once ``check_page`` let it through."""
    return output_file(path, force=True, ours=partial(is_page, template=template))


def write_page(
    path: str | Path, template: str, script: str, *, package: str, **context: Any
) -> None:
    """Write ``template`` filled with ``context`` to ``path``, whole or not at all.

    Templates lie in the folder ``templates`` of ``package``, such as ``decklab.diffing``; templates
    that are not there, such as the frame of all pages, in that of this room. ``script`` names the
    one script template of the page. Its hash goes into the page's content security policy, so that
    nothing else could run or be fetched even if deck text got through. The page says that decklab
    made it, or what ``generated_by`` in the context says.
    """
    environment = _environment(package)
    source = environment.get_template(script).render()
    digest = b64encode(sha256(source.encode("utf-8")).digest()).decode("ascii")
    facts = {"script_name": script, "script_hash": digest, "generator": Path(template).stem}
    named = {"generated_by": "decklab", **facts, **context}
    parts = environment.get_template(template).generate(named)
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8") as page:
        page.writelines(parts)
