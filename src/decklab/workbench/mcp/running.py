"""A call of a tool, as the processes of a server do it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from decklab.core.errors import DecklabError, one_line
from decklab.workbench.mcp import checking_tools, looking_tools, writing_tools
from decklab.workbench.mcp.answers import Answer
from decklab.workbench.mcp.roots import Roots


@dataclass(frozen=True)
class DeckTool:
    """A tool: its title for people, and the function that does a call, the roots first."""

    title: str
    run: Callable[..., Answer]
    writes: bool = False
    """Whether it makes a new file."""


TOOLS = {
    tool.run.__name__.removesuffix("_tool"): tool
    for tool in (
        DeckTool("List decks and documents", looking_tools.list_files_tool),
        DeckTool("Outline of a deck", looking_tools.outline_tool),
        DeckTool("Find words in a deck", looking_tools.find_tool),
        DeckTool("Read slides", looking_tools.extract_tool),
        DeckTool("Show slides as pictures", looking_tools.render_tool),
        DeckTool("Find faults in a deck", checking_tools.lint_tool),
        DeckTool("Check the file of a deck", checking_tools.validate_tool),
        DeckTool("Score a deck", checking_tools.score_tool),
        DeckTool("Compare two decks", checking_tools.diff_tool),
        DeckTool("Judge a deck for its task", checking_tools.judge_tool),
        DeckTool("Grade an edit with a rubric", checking_tools.grade_tool),
        DeckTool("Show the XML of a part", looking_tools.part_xml_tool),
        DeckTool("How to use the tools", looking_tools.how_to_tool),
        DeckTool("Edit a deck by commands", writing_tools.edit_tool, writes=True),
        DeckTool("Edit a deck by a program", writing_tools.run_program_tool, writes=True),
        DeckTool("Edit a deck by patches", writing_tools.apply_patches_tool, writes=True),
        DeckTool("Write a deck", writing_tools.write_tool, writes=True),
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
