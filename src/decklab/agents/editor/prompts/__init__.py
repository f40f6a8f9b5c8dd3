"""What the editor tells a model: one text file each, with ``$names`` to be filled in."""

from functools import cache
from importlib import resources
from string import Template

__all__ = ["prompt"]


def prompt(name: str, **values: str) -> str:
    """A prompt with its names filled in; values are put in as they are, ``$`` included.

    Raises KeyError where a name has no value.
    """
    return _template(name).substitute(values).strip()


@cache
def _template(name: str) -> Template:
    return Template(resources.files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8"))
