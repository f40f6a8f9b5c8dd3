"""The library of layouts: for each its title, what it needs and shows, and when to use it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from decklab.core.registry import Registry

LayoutName = str
"""A name in ``LAYOUTS``."""

Role = Literal["opening", "contents", "section", "body", "ending"]
"""The role of a slide in its deck; style modules go by it (paper 004, section V-B)."""


@dataclass(frozen=True)
class Layout:
    """A layout: its title, the content it needs, when to use it, and what else it shows.

    ``needs`` and ``shows`` are fields of a slide's plan, beside its title, source and notes.
    ``count`` is the least and the largest number of what it needs first.
    """

    title: str
    needs: tuple[str, ...]
    use: str
    shows: tuple[str, ...] = ("subtitle",)
    count: tuple[int, int] | None = None
    role: Role = "body"
    splits: str = ""
    """The content that goes on over several slides."""
    plainer: LayoutName | None = None
    """The layout that shows the same words if this one does not hold them."""
    headings: bool = False
    """Whether each column needs a heading."""
    dense: bool = False
    """Whether it is read piece by piece, so that small text does not need a second slide."""
    large_title: bool = False
    forms: tuple[str, ...] = ()
    """How its parts may stand, the usual way first; the page has the class ``as-`` and its name."""
    template: Path | None = None
    """The Jinja template of its page, of a layout of another package; see docs/extending.md."""


ITEMS: Final = (
    "body", "columns", "numbers", "steps", "cards", "actions", "people", "lanes", "schedule",
    "table",
)  # fmt: skip
"""The content that consists of items, of which one can stand out."""
_CARDS: Final = ("columns", "rows")
"""Forms of parts that are like cards."""
_BESIDE: Final = ("beside", "below")
"""Forms of remarks on a table or chart."""
_SEVERAL: Final = (2, 24)
"""Long rows go on over several slides."""

_LIBRARY: Final[Mapping[LayoutName, Layout]] = {
    "title": Layout("Title", (), "opens the deck", ("subtitle", "byline"), role="opening",
                    large_title=True),
    "contents": Layout("Contents", ("body",), "lists the parts of the deck", (), role="contents",
                       splits="body"),
    "section": Layout("Section", (), "begins a part of the deck", role="section",
                      large_title=True),
    "body": Layout("Title and Text", ("body",), "explains by points", splits="body",
                   forms=("lead", "aside", "panel")),
    "two_columns": Layout("Two Columns", ("columns",), "shows two groups of points",
                          count=(2, 2), splits="columns", forms=_CARDS),
    "three_columns": Layout("Three Columns", ("columns",), "shows three groups of points",
                            count=(3, 3), splits="columns", forms=_CARDS),
    "picture_left": Layout("Picture Left", ("picture",), "a picture and what it means", ("body",)),
    "picture_right": Layout("Picture Right", ("picture",), "points with a picture of them",
                            ("body",)),
    "picture_full": Layout("Picture", ("picture",), "a picture that speaks for itself"),
    "chart": Layout("Chart", ("chart",), "a chart that the title explains"),
    "chart_takeaways": Layout("Chart and Takeaways", ("chart",), "a chart and what follows",
                              ("body",), forms=_BESIDE),
    "table": Layout("Table", ("table",), "exact values to look up", ("subtitle", "body"),
                    splits="table", dense=True, forms=_BESIDE),
    "big_numbers": Layout("Big Numbers", ("numbers",), "one to four numbers that matter",
                          count=(1, 4)),
    "quote": Layout("Quote", ("quote",), "the words of somebody", ()),
    "timeline": Layout("Timeline", ("steps",), "events in the order of their dates",
                       count=_SEVERAL, splits="steps"),
    "process": Layout("Process", ("steps",), "steps that follow each other", count=_SEVERAL,
                      splits="steps", forms=_CARDS),
    "comparison": Layout("Comparison", ("columns",), "two things side by side", count=(2, 2),
                         splits="columns", headings=True),
    "cards": Layout("Cards", ("cards",), "parallel terms with a text each", count=_SEVERAL,
                    splits="cards", forms=_CARDS),
    "code": Layout("Code", ("code",), "lines of a program", ("subtitle", "body"), splits="code"),
    "closing": Layout("Closing", (), "ends the deck", ("subtitle", "body"), role="ending",
                      large_title=True),
    "agenda": Layout("Agenda", ("body",), "shows again where in the deck we are", (),
                     role="contents", plainer="contents"),
    "statement": Layout("Statement", ("body",), "one large claim, with its evidence",
                        count=(1, 6), plainer="body", large_title=True),
    "call_to_action": Layout("Call to Action", ("body",), "asks the audience for something",
                             ("subtitle", "byline"), count=(1, 5), plainer="body"),
    "checklist": Layout("Checklist", ("body",), "things to tick off", splits="body"),
    "next_steps": Layout("Next Steps", ("actions",), "what happens next, by whom and when",
                         splits="actions"),
    "decisions": Layout("Decisions", ("actions",), "decisions with their owners and dates",
                        splits="actions", dense=True),
    "faq": Layout("Questions and Answers", ("cards",), "questions with their answers",
                  splits="cards"),
    "problem_solution": Layout("Problem and Solution", ("columns",),
                               "each problem with its solution", count=(2, 2), splits="columns",
                               headings=True),
    "before_after": Layout("Before and After", ("columns",), "what a change makes different",
                           count=(2, 2), splits="columns", headings=True),
    "options": Layout("Options", ("options",), "choices with pros, cons and a recommendation",
                      count=(2, 4), plainer="body"),
    "two_by_two": Layout("Two by Two", ("cards",), "four things ordered by two measures",
                         ("subtitle", "axes"), count=(4, 4), plainer="cards"),
    "number_wall": Layout("Number Wall", ("numbers",), "five to nine numbers at a glance",
                          count=(5, 9), splits="numbers"),
    "cycle": Layout("Cycle", ("steps",), "steps that begin again after the last", count=(3, 8),
                    plainer="process"),
    "funnel": Layout("Funnel", ("steps",), "stages that fewer and fewer reach", count=(3, 6),
                     plainer="process"),
    "pyramid": Layout("Pyramid", ("steps",), "levels that rest on each other, the top first",
                      count=(3, 6), plainer="cards"),
    "gantt": Layout("Gantt Chart", ("schedule",), "tasks over time that overlap",
                    splits="schedule", dense=True),
    "org_chart": Layout("Organisation Chart", ("people",), "who reports to whom", count=(2, 24),
                        plainer="team", dense=True),
    "tree": Layout("Tree", ("body",), "a whole and its parts, on two or three levels",
                   count=(3, 24), plainer="body", dense=True),
    "swimlanes": Layout("Swimlanes", ("lanes",), "who does which step of a process",
                        count=(2, 5), plainer="body", dense=True),
    "team": Layout("Team", ("people",), "people and what they do", splits="people"),
    "chart_table": Layout("Chart and Table", ("chart", "table"), "a chart with its exact values",
                          dense=True),
    "two_charts": Layout("Two Charts", ("charts",), "two charts to be compared", count=(2, 2)),
    "small_multiples": Layout("Small Multiples", ("charts",),
                              "the same chart for three to six groups", count=(3, 6)),
    "picture_half": Layout("Picture Half", ("picture",), "a photograph over half of the slide",
                           ("subtitle", "body")),
    "picture_grid": Layout("Picture Grid", ("pictures",), "two to six pictures with captions",
                           count=(2, 6)),
    "picture_labels": Layout("Picture with Labels", ("picture", "labels"),
                             "a picture whose parts are named", plainer="picture_right"),
    "quote_picture": Layout("Quote and Picture", ("quote", "picture"),
                            "the words of somebody, with a picture", ()),
    "code_remarks": Layout("Code with Remarks", ("code", "remarks"),
                           "a program with remarks on its lines", plainer="code"),
    "formula": Layout("Formula", ("formula",), "a formula, how to read it and what it is made of",
                      ("subtitle", "steps"), splits="steps"),
    "flowchart": Layout("Flowchart", ("flow",), "steps with branches, joins and ways back",
                        plainer="body", dense=True),
    "free": Layout("Free", ("html",), "what no other layout shows, as HTML of its own",
                   ("subtitle", "picture", "chart", "table")),
}  # fmt: skip

LAYOUTS: Final[Registry[Layout]] = Registry("layout", group="decklab.layouts", accepts=Layout)
"""Each layout by its name: those of the library, and those of other packages."""

for _name, _layout in _LIBRARY.items():
    LAYOUTS.register(_name, _layout)


def layout_fields(layout: LayoutName) -> tuple[str, ...]:
    """The fields of a slide's plan that a layout shows, those that it needs first.

    >>> layout_fields("chart_takeaways")
    ('chart', 'body')
    """
    return (*LAYOUTS[layout].needs, *LAYOUTS[layout].shows)
