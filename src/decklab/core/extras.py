"""How to install the packages that the base install does not have."""

import json
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit


def needs_extra(work: str, extra: str) -> str:
    """A line that says which command installs what ``work`` needs; ``extra`` is a name of
    ``pyproject.toml``, such as ``write``.

    The command names the checkout that decklab was installed from, if that is still there.
    """
    source = _checkout()
    if source is None:
        return f"{work} needs more packages: pip install 'decklab[{extra}]'"
    pip = _from_here(Path(sys.prefix, "bin", "pip"))
    return f"{work} needs more packages: {pip} install '{_from_here(source)}[{extra}]'"


@cache
def _checkout() -> Path | None:
    """The folder that pip installed decklab from; None if that was an index of packages."""
    from importlib import metadata  # noqa: PLC0415  # slow to load, and help needs none

    try:
        told = metadata.distribution("decklab").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return None
    address = urlsplit(json.loads(told)["url"] if told else "")
    source = Path(unquote(address.path))
    is_folder = address.scheme == "file" and (source / "pyproject.toml").is_file()
    return source if is_folder else None


def _from_here(path: Path) -> Path:
    """``path`` as it is written in the current folder: relative, if it lies below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
