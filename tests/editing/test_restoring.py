"""Two changes of the same XML brought together; what comes is written out by hand."""

import pytest
from lxml import etree

from decklab.editing.restoring import merged

A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def merge(base: str, ours: str, theirs: str) -> str:
    def parsed(inside: str) -> etree._Element:
        return etree.fromstring(f"<a:txBody {A}>{inside}</a:txBody>")

    made = etree.tostring(merged(*map(parsed, (base, ours, theirs)))).decode()
    return made.removeprefix(f"<a:txBody {A}>").removesuffix("</a:txBody>")


def line(text: str, looks: str = "") -> str:
    return f"<a:p><a:r><a:rPr{looks}/><a:t>{text}</a:t></a:r></a:p>"


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "made"),
    [
        # one side alone
        (line("a"), line("a"), line("b"), line("b")),
        (line("a"), line("b"), line("a"), line("b")),
        (line("a"), line("b"), line("b"), line("b")),
        # words on one side, looks on the other
        (line("a"), line("a", ' sz="900"'), line("b"), line("b", ' sz="900"')),
        (line("a", ' b="1" sz="9"'), line("a", ' b="1" sz="8"'), line("a", ' sz="9"'),
         line("a", ' sz="8"')),
        # different lines
        (line("a") + line("b"), line("a") + line("c"), line("d") + line("b"),
         line("d") + line("c")),
        (line("a") + line("b"), line("a") + line("b") + line("c"), line("d") + line("b"),
         line("d") + line("b") + line("c")),
        (line("a") + line("b"), line("b"), line("a") + line("d"), line("d")),
        # the same line: ours stays as a whole
        (line("a"), line("b"), line("c", ' sz="900"'), line("b")),
        (line("a"), line("a") + line("b"), line("a") + line("c"), line("a") + line("b")),
        ("<a:bodyPr/>",) * 4,
    ],
)  # fmt: skip
def test_both_changes_are_there_unless_they_meet(
    base: str, ours: str, theirs: str, made: str
) -> None:
    def plain(xml: str) -> str:
        return etree.tostring(etree.fromstring(f"<x {A}>{xml}</x>"), method="c14n").decode()

    assert plain(merge(base, ours, theirs)) == plain(made)


def test_properties_come_and_go_by_their_kind() -> None:
    red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
    font = '<a:latin typeface="Georgia"/>'

    def run(*inside: str) -> str:
        return f"<a:bodyPr>{''.join(inside)}</a:bodyPr>"

    assert merge(run(red), run(red, font), run()) == run(font)
    assert red in merge(run(font), run(), run(red, font))
    blue = red.replace("FF0000", "0000FF")
    assert blue in merge(run(red), run(blue), run())  # ours changed what theirs took out
