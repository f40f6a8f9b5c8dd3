"""Formulas as MathML, as Office Math and as a line: against forms written by hand."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from decklab.board.formulas import linear, math_root, mathml
from decklab.board.native.equations import equation_run, omml
from decklab.deck.model.shapes import RunFont

PIECES = (
    "x", "2", "+", "=", "^", "_", "{", "}", r"\frac{a}{b}", r"\frac", r"\sqrt", r"\sum",
    r"\int_0^1", r"\left(", r"\right)", r"\hat", r"\vec x", r"\begin{matrix} a & b \end{matrix}",
    r"\alpha", "|", r"\text{if }", r"\underbrace{x}_y", r"\overline{x}", "&", r"\\", r"\lim_{x}",
    r"\cos", ",",
)  # fmt: skip
FONT = RunFont(name="Calibri", size=20.0, style=(), color="#102030")


def office(tex: str) -> str:
    """Office Math without the looks of its letters."""
    markup = mathml(tex)
    assert markup is not None
    plain = re.sub(r"<a:rPr.*?</a:rPr>|<m:rPr>.*?</m:rPr>", "", omml(markup, FONT))
    return re.sub(r"</?m:(?:r|t)>", "", plain)


@pytest.mark.parametrize(
    ("tex", "written"),
    [
        (r"\frac{a}{b}", "<m:f><m:num>a</m:num><m:den>b</m:den></m:f>"),
        ("x^2", "<m:sSup><m:e>x</m:e><m:sup>2</m:sup></m:sSup>"),
        ("x_i^2", "<m:sSubSup><m:e>x</m:e><m:sub>i</m:sub><m:sup>2</m:sup></m:sSubSup>"),
        (r"\sqrt{x+1}", '<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>'
                        "<m:e>x+1</m:e></m:rad>"),
        (r"\sqrt[3]{x}", "<m:rad><m:deg>3</m:deg><m:e>x</m:e></m:rad>"),
        (r"\vec{E}", '<m:acc><m:accPr><m:chr m:val="\u20d7"/></m:accPr><m:e>E</m:e></m:acc>'),
        (r"\left( \frac{a}{b} \right)", '<m:d><m:dPr><m:begChr m:val="("/><m:endChr m:val=")"/>'
         "</m:dPr><m:e><m:f><m:num>a</m:num><m:den>b</m:den></m:f></m:e></m:d>"),
        (r"\sum_{k=1}^{n} a_k = s", '<m:nary><m:naryPr><m:chr m:val="∑"/><m:limLoc '
         'm:val="undOvr"/><m:subHide m:val="0"/><m:supHide m:val="0"/></m:naryPr>'
         "<m:sub>k=1</m:sub><m:sup>n</m:sup><m:e><m:sSub><m:e>a</m:e><m:sub>k</m:sub></m:sSub>"
         "</m:e></m:nary>=s"),
        (r"\begin{pmatrix} a \\ b \end{pmatrix}", '<m:d><m:dPr><m:begChr m:val="("/><m:endChr '
         'm:val=")"/></m:dPr><m:e><m:m><m:mPr><m:mcs><m:mc><m:mcPr><m:count m:val="1"/>'
         '<m:mcJc m:val="center"/></m:mcPr></m:mc></m:mcs></m:mPr><m:mr><m:e>a</m:e></m:mr>'
         "<m:mr><m:e>b</m:e></m:mr></m:m></m:e></m:d>"),
    ],
)  # fmt: skip
def test_office_math_is_that_of_the_standard(tex: str, written: str) -> None:
    assert office(tex) == written


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        (r"\frac{a+1}{b}", "(a + 1)/b"), (r"1/r^3", "1/r³"), (r"\sqrt{3x-1}", "√(3x − 1)"),
        (r"\rho = 0.9", "ρ = 0.9"), (r"\ln 2 / k", "ln 2/k"), (r"x_{max}", "x_(max)"),
    ],
)  # fmt: skip
def test_a_formula_is_read_in_a_line(tex: str, line: str) -> None:
    markup = mathml(tex)
    assert markup is not None and linear(math_root(markup)) == line


@pytest.mark.parametrize(
    "tex", [r"\nonsense{x}", r"\frac{a", "", "{", r"\begin{cd} a & b \end{cd}"]
)
def test_what_is_not_understood_is_none(tex: str) -> None:
    assert mathml(tex) is None


@examples(200)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join))
def test_any_formula_is_understood_or_none(tex: str) -> None:
    markup = mathml(tex)
    if markup is not None:
        letters = re.findall(r"<m:t>(.*?)</m:t>", omml(markup, FONT))
        shown = [(part.text or "").strip() for part in math_root(markup).iter()]
        marks = "".join(re.findall(r'm:val="(\W)"', omml(markup, FONT)))
        rest = Counter("".join(shown)) - Counter("".join(letters)) - Counter(marks)
        assert not [sign for sign in rest if sign.isalnum()], tex
        assert "\\" not in linear(math_root(markup))


@pytest.mark.parametrize("tex", [r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
                                 r"\begin{cases} a & b \\ c & d \end{cases}"])  # fmt: skip
def test_rows_of_amsmath_are_rows(tex: str) -> None:
    assert office(tex).count("<m:mr>") == 2


def test_programs_without_equations_get_raised_and_slanted_letters() -> None:
    markup = mathml("A_k = r^2")
    assert markup is not None
    run = equation_run(markup, FONT)
    shown = [
        (piece.text, piece.font.baseline, "italic" in piece.font.style) for piece in run.instead
    ]
    assert shown == [
        ("A", 0.0, True), ("k", -0.25, True), (" = ", 0.0, False), ("r", 0.0, True),
        ("2", 0.3, False),
    ]  # fmt: skip
