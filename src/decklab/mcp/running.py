"""A call of a tool, as the processes of a server do it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from decklab.errors import DecklabError, one_line
from decklab.mcp import reading_tools, writing_tools
from decklab.mcp.answers import Answer
from decklab.mcp.roots import Roots


@dataclass(frozen=True)
class DeckTool:
    """A tool: its title for people, and the function that does a call, the roots first."""

    title: str
    run: Callable[..., Answer]
    writes: bool = False
    """Whether it makes a new file."""


TOOLS = {
    tool.run.__name__: tool
    for tool in (
        DeckTool("List decks and documents", reading_tools.list_files),
        DeckTool("Outline of a deck", reading_tools.outline),
        DeckTool("Find words in a deck", reading_tools.find),
        DeckTool("Read slides", reading_tools.extract),
        DeckTool("Show slides as pictures", reading_tools.render),
        DeckTool("Find faults in a deck", reading_tools.lint),
        DeckTool("Check the file of a deck", reading_tools.validate),
        DeckTool("Score a deck", reading_tools.score),
        DeckTool("Compare two decks", reading_tools.diff),
        DeckTool("Judge a deck for its task", reading_tools.judge),
        DeckTool("Grade an edit with a rubric", reading_tools.grade),
        DeckTool("Show the XML of a part", reading_tools.part_xml),
        DeckTool("How to use the tools", reading_tools.how_to),
        DeckTool("Edit a deck by commands", writing_tools.edit, writes=True),
        DeckTool("Edit a deck by a program", writing_tools.run_program, writes=True),
        DeckTool("Edit a deck by patches", writing_tools.apply_patches, writes=True),
        DeckTool("Write a deck", writing_tools.write, writes=True),
    )
}
"""All tools by name, in the order that clients show them."""

Call = tuple[str, Mapping[str, Any]]
"""The name of a tool, and its arguments."""


@contextmanager
def tool_runner(roots: Roots) -> Iterator[Callable[[Call], Answer]]:
    """Give the function that does a call; what is wrong with the call is an answer that failed."""
    yield partial(_answer, roots)


def _answer(roots: Roots, call: Call) -> Answer:
    name, arguments = call
    try:
        answer = TOOLS[name].run(roots, **arguments)
    except DecklabError as error:
        return Answer(roots.shortened(str(error)), failed=True)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return Answer(roots.shortened(one_line(f"{place}{error.strerror or error}")), failed=True)
    return Answer(
        roots.shortened(answer.told), roots.shortened(answer.content), answer.pictures,
        answer.failed,
    )  # fmt: skip
