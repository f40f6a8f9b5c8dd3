"""Command lines of coding agents by name: files of ``presets``, one an agent.

A file has ``command``, with ``{prompt}`` for the request in whole sentences; ``environment``, the
variables it needs; ``network``; and ``tried``, the version it was tried with. That is empty where
it was never tried here: the options are those of its documentation.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from decklab.core.errors import UnknownName
from decklab.core.options import EditorAccess
from decklab.models.asking import fill_prompt

_PACKAGE: Final = "decklab.evals.desktop"


@dataclass(frozen=True)
class CommandPreset:
    """The command line of an agent, and what it needs; ``tried`` is empty where nobody tried it."""

    name: str
    about: str
    command: str
    environment: tuple[str, ...] = ()
    network: bool = False
    tried: str = ""

    @property
    def access(self) -> EditorAccess:
        """What the agent may reach."""
        return EditorAccess(environment=self.environment, network=self.network)


def command_preset(name: str) -> CommandPreset:
    """The preset of that name. Raises UnknownName where there is none."""
    known = command_presets()
    if name not in known:
        raise UnknownName(f"no agent's command is called {name!r}; there are {', '.join(known)}")
    return known[name]


@cache
def command_presets() -> dict[str, CommandPreset]:
    """All presets by name, in the order of names; their commands name ``{deck}`` and
    ``{instruction}``.

    >>> sorted(command_presets())
    ['claude-code', 'codex', 'gemini-cli']
    """
    prompt = " ".join(fill_prompt(_PACKAGE, "prompts/command.txt").split())
    found = {}
    files = resources.files(_PACKAGE).joinpath("presets").iterdir()
    for file in sorted(files, key=lambda file: file.name):
        name, told = file.name.removesuffix(".toml"), tomllib.loads(file.read_text("utf-8"))
        told["command"] = told["command"].replace("{prompt}", prompt)
        told["environment"] = tuple(told["environment"])
        found[name] = CommandPreset(name, **told)
    return found
