"""Requests whose results a program can make and check: what is asked, and the rubric for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from decklab.core.files import package_data
from decklab.evals.rubrics.rubric import Rubric, parse_rubric

_SLIDES: Final = "Slide Management, Numbers, Footers, Notes"
_REST: Final = "Nothing else changes."
_Leaf = tuple[str, str]
"""A criterion in words, and the call of ``plain_leaves.txt`` that scores it."""


@dataclass(frozen=True)
class EditRequest:
    """What an editor is asked, and what is known of it."""

    words: str
    target: str = ""
    """What the result must fulfil; empty where nobody said."""
    edit_type: str = ""
    """Of PPTArena; empty where nobody said."""
    difficulty: str = "Easy"
    asked: Sequence[_Leaf] = ()
    kept: Sequence[_Leaf] = ()
    """Criteria of what is asked, and of what must not change; none where a model made it up."""

    @property
    def rubric(self) -> Rubric:
        """The rubric of a request that a program knows."""
        branches = (
            ("What was asked is done", True, self.asked),
            ("The rest is kept", False, self.kept),
        )
        children = [
            {
                "name": name, "is_critical": critical,
                "children": [_leaf(leaf, critical) for leaf in leaves],
            }
            for name, critical, leaves in branches
        ]  # fmt: skip
        return parse_rubric({"root": {"name": self.words, "children": children}})


def _leaf(leaf: _Leaf, critical: bool) -> dict[str, Any]:
    name, call = leaf
    code = package_data("decklab.workbench.corpus", "plain_leaves.txt").decode()
    code += f"def compute_score():\n    return {call}\n"
    scorer = {"type": "function", "function_code": code}
    return {"name": name, "is_critical": critical, "scorer": scorer}


def plain_requests(deck: Mapping[str, Any]) -> Iterator[EditRequest]:
    """The plain requests that fit the deck with this snapshot."""
    slides = deck["slides"]
    last = len(slides)
    if last >= 3:
        yield from _of_slides(last)
    yield EditRequest(
        "set the transition to fade", f"Every slide fades in. {_REST}", "Slide Transitions",
        asked=[("Every slide fades in", "all_fade()")],
        kept=[("The slides say what they said", "words_are_as_before()")],
    )  # fmt: skip
    if any(_is_title(shape) for slide in slides for shape in slide["shapes"]):
        yield EditRequest(
            "make the titles italic", f"All words of titles are italic. {_REST}",
            "Text & Typography", asked=[("Titles are italic", "titles_are_italic()")],
            kept=[
                ("The slides say what they said", "words_are_as_before()"),
                ("Other words are as they were", "rest_is_as_upright_as_before()"),
            ],
        )  # fmt: skip


def _of_slides(last: int) -> Iterator[EditRequest]:
    """Requests about whole slides of a deck that has ``last`` of them, at least three."""
    middle, unchanged = last // 2 + 1, ("No other slide changed", "nothing_else_changed()")
    numbers = range(1, last + 1)
    yield EditRequest(
        f"hide slide {middle}", f"Slide {middle} is hidden. {_REST}", _SLIDES,
        asked=[("It is hidden", f"is_hidden({middle})")],
        kept=[
            ("Others are shown as before", f"others_as_hidden_as_before({middle})"),
            ("The slides say what they said", "words_are_as_before()"),
            ("No other slide changed", f"nothing_else_changed({middle})"),
        ],
    )  # fmt: skip
    yield EditRequest(
        f"delete slide {last}", f"The last slide is gone. {_REST}", _SLIDES,
        asked=[("It is gone", f"is_gone({last})")],
        kept=[("The other slides are there", f"others_as_before({last})"), unchanged],
    )  # fmt: skip
    swapped = [{2: last, last: 2}.get(number, number) for number in numbers]
    yield EditRequest(
        f"swap slides 2 and {last}", f"Both slides have changed places. {_REST}", _SLIDES,
        asked=[
            (f"Slide 2 is slide {last}", f"has_moved(2, {last})"),
            (f"Slide {last} is slide 2", f"has_moved({last}, 2)"),
        ],
        kept=[("The slides are in order", f"order_is{tuple(swapped)}"), unchanged],
    )  # fmt: skip
    moved = [1, last, *range(2, last)]
    yield EditRequest(
        f"move slide {last} to position 2", f"The last slide is second. {_REST}", _SLIDES,
        asked=[("It is second", f"has_moved({last}, 2)")],
        kept=[("The slides are in order", f"order_is{tuple(moved)}"), unchanged],
    )  # fmt: skip


def _is_title(shape: Any) -> bool:
    placeholder = shape.get("placeholder")
    kind = placeholder.get("type") if isinstance(placeholder, dict) else placeholder
    return "title" in str(kind).lower()
