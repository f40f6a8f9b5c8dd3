"""Formulas as native equations: MathML as Office Math (OMML), and as runs for other programs.

PowerPoint wants a shape with an equation among alternatives, and so does this module give it. The
choice requires two namespaces, both PowerPoint's: LibreOffice 7.4, which draws nothing of a formula
in a text, knows no such pair and takes the fallback.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from decklab.board.formulas import (
    MathElement,
    in_rows,
    is_accent,
    linear,
    math_root,
    name_of,
    spaced,
)
from decklab.deck.model.base import FontStyle
from decklab.deck.model.shapes import Run, RunFont
from decklab.editing.building.drawing import EquationRun, legal, solid_xml
from decklab.ooxml.xml import NAMESPACES, qn

_FACE: Final = "Cambria Math"
_NARY: Final = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂⋁⋀")
_FENCES: Final = {
    "(": ")",
    "[": "]",
    "{": "}",
    "|": "|",
    "‖": "‖",
    "⟨": "⟩",
    "⌊": "⌋",
    "⌈": "⌉",
    "": "",
}
_CLOSING: Final = frozenset(_FENCES.values())
_BREAKS_OFF: Final = frozenset("=<>≤≥≠≈≡∼→⇒⇔+−±,;")
"""Signs before which the part ends that a sum or an integral is of."""
_ACCENTS: Final = {"^": "̂", "~": "̃", "¯": "̅", "‾": "̅", "→": "⃗", "˙": "̇", "¨": "̈", "ˇ": "̌"}


def equation_run(markup: str, font: RunFont) -> EquationRun:
    """A formula in a line of text, from MathML."""
    root = math_root(markup)
    pieces = [piece for piece in _pieces(root) if piece[0]]
    if pieces:  # a sign that begins a formula has no room around it
        pieces[0] = (pieces[0][0].strip(), *pieces[0][1:])
    runs = tuple(_plain_run(piece, font) for piece in pieces)
    equation = f"<m:oMath>{omml(markup, font)}</m:oMath>"
    return EquationRun(text=linear(root), font=font, equation=equation, instead=runs)


_Piece = tuple[str, bool, float]
"""Characters, whether they are slanted, and how far they are raised as a share of their size."""


def _pieces(element: MathElement, raised: float = 0.0) -> list[_Piece]:
    """A formula as characters in a line: with raised and lowered ones where these are all."""
    kind, parts = name_of(element), list(element)
    if kind in ("msup", "msub", "msubsup") and not raised and all(map(_is_flat, parts)):
        shifts = {"msup": (0.3,), "msub": (-0.25,), "msubsup": (-0.25, 0.3)}[kind]
        shifted = [_pieces(part, shift) for part, shift in zip(parts[1:], shifts, strict=True)]
        return [*_pieces(parts[0]), *(piece for group in shifted for piece in group)]
    if parts and kind in _ROWS:
        return [piece for part in parts for piece in _pieces(part, raised)]
    words = linear(element) if parts or kind != "mo" else spaced(element.text or "")
    slanted = kind == "mi" and len(words) == 1
    return [(f" {words} " if kind == "mi" and len(words) > 1 else words, slanted, raised)]


_ROWS: Final = ("math", "mrow", "mstyle", "mpadded", "semantics")


def _is_flat(element: MathElement) -> bool:
    return name_of(element) in ("mi", "mn", "mo", "mtext") or (
        name_of(element) in _ROWS and all(map(_is_flat, element))
    )


def _plain_run(piece: _Piece, font: RunFont) -> Run:
    text, slanted, raised = piece
    style: tuple[FontStyle, ...] = ("italic",) if slanted else ()
    changes = {"style": (*font.style, *style), "baseline": raised}
    return Run(text=text.strip() if raised else text, font=font.model_copy(update=changes))


def equation_paragraph(markup: str, font: RunFont) -> str:
    """A paragraph that is a formula, in the middle of its shape."""
    return (
        f'<a:p><a:pPr algn="ctr"/><a14:m xmlns:a14="{NAMESPACES["a14"]}">'
        f'<m:oMathPara xmlns:m="{NAMESPACES["m"]}"><m:oMathParaPr><m:jc m:val="center"/>'
        f"</m:oMathParaPr><m:oMath>{omml(markup, font)}</m:oMath></m:oMathPara></a14:m></a:p>"
    )


def omml(markup: str, font: RunFont) -> str:
    """MathML as the content of ``m:oMath``, in Cambria Math of the size and colour of a font."""
    return _Writer(font).row(in_rows([math_root(markup)]))


class _Writer:
    """Writes the elements of a formula in one font."""

    def __init__(self, font: RunFont) -> None:
        self.size, self.paint = round(font.size * 100), solid_xml(font.color, font.alpha)
        self.bold = "bold" in font.style

    def row(self, elements: Sequence[MathElement]) -> str:
        """Elements beside each other: brackets that grow, sums and integrals take what follows."""
        made, at = [], 0
        while at < len(elements):
            end = _closing(elements, at)
            if end is not None:
                made.append(self.fence(elements[at:end]))
                at = end
            elif (signs := _nary(elements[at])) is not None:
                end = _operand(elements, at + 1)
                made.append(self.nary(*signs, elements[at + 1 : end]))
                at = end
            else:
                made.append(self.element(elements[at]))
                at += 1
        return "".join(made)

    def element(self, element: MathElement) -> str:
        """One element."""
        kind, children = name_of(element), list(element)
        write: Callable[[Sequence[MathElement]], str] | None = getattr(self, f"_{kind}", None)
        if write is not None:
            return write(children)
        if kind in ("mi", "mn", "mo", "mtext", "ms"):
            return self.run(element, kind)
        if kind == "mspace":
            return self.run(element, "mtext", " ")
        return self.row(in_rows(children))

    def run(self, element: MathElement, kind: str, text: str = "") -> str:
        """A run of letters: names of one letter are slanted, words and numbers upright."""
        words = text or legal(element.text or "")
        if not words:
            return ""
        slanted = kind == "mi" and len(words) == 1 and element.get("mathvariant") != "normal"
        style = "" if slanted or kind == "mo" else '<m:rPr><m:sty m:val="p"/></m:rPr>'
        if kind == "mtext":
            style = "<m:rPr><m:nor/></m:rPr>"
        return (
            f'<m:r>{style}<a:rPr sz="{self.size}" b="{int(self.bold)}" i="{int(slanted)}">'
            f'{self.paint}<a:latin typeface="{_FACE}"/></a:rPr><m:t>{escape(words)}</m:t></m:r>'
        )

    def part(self, tag: str, element: MathElement) -> str:
        """An element as the part of another."""
        return f"<m:{tag}>{self.row(in_rows([element]))}</m:{tag}>"

    def fence(self, elements: Sequence[MathElement]) -> str:
        """The content of two brackets that grow with it."""
        begin = (elements[0].text or "").strip()
        closed = name_of(elements[-1]) == "mo" and (elements[-1].text or "").strip() in _CLOSING
        end = (elements[-1].text or "").strip() if closed and len(elements) > 1 else ""
        inner = elements[1:-1] if closed else elements[1:]
        return (
            f"<m:d><m:dPr><m:begChr m:val={quoteattr(_sign(begin))}/><m:endChr "
            f"m:val={quoteattr(_sign(end))}/></m:dPr><m:e>{self.row(in_rows(inner))}</m:e></m:d>"
        )

    def nary(
        self, sign: str, below: MathElement | None, above: MathElement | None,
        of: Sequence[MathElement],
    ) -> str:  # fmt: skip
        """A sum or an integral."""
        beside = "subSup" if sign in "∫∬∭∮" else "undOvr"
        hidden = f"{_flag('subHide', below is None)}{_flag('supHide', above is None)}"
        return (
            f'<m:nary><m:naryPr><m:chr m:val={quoteattr(sign)}/><m:limLoc m:val="{beside}"/>'
            f"{hidden}</m:naryPr>{self.part('sub', below) if below is not None else '<m:sub/>'}"
            f"{self.part('sup', above) if above is not None else '<m:sup/>'}"
            f"<m:e>{self.row(of)}</m:e></m:nary>"
        )

    def _mfrac(self, parts: Sequence[MathElement]) -> str:
        return f"<m:f>{self.part('num', parts[0])}{self.part('den', parts[1])}</m:f>"

    def _msup(self, parts: Sequence[MathElement]) -> str:
        return f"<m:sSup>{self.part('e', parts[0])}{self.part('sup', parts[1])}</m:sSup>"

    def _msub(self, parts: Sequence[MathElement]) -> str:
        return f"<m:sSub>{self.part('e', parts[0])}{self.part('sub', parts[1])}</m:sSub>"

    def _msubsup(self, parts: Sequence[MathElement]) -> str:
        inner = self.part("e", parts[0]) + self.part("sub", parts[1]) + self.part("sup", parts[2])
        return f"<m:sSubSup>{inner}</m:sSubSup>"

    def _msqrt(self, parts: Sequence[MathElement]) -> str:
        inner = self.row(in_rows(parts))
        return (
            f"<m:rad><m:radPr>{_flag('degHide', True)}</m:radPr><m:deg/><m:e>{inner}</m:e></m:rad>"
        )

    def _mroot(self, parts: Sequence[MathElement]) -> str:
        return f"<m:rad>{self.part('deg', parts[1])}{self.part('e', parts[0])}</m:rad>"

    def _mover(self, parts: Sequence[MathElement]) -> str:
        sign = (parts[1].text or "").strip()
        if is_accent(sign):
            mark = quoteattr(_ACCENTS.get(sign, sign))
            return (
                f"<m:acc><m:accPr><m:chr m:val={mark}/></m:accPr>{self.part('e', parts[0])}</m:acc>"
            )
        if sign in "⏞︷":
            return self._brace(parts[0], sign, "top")
        return f"<m:limUpp>{self.part('e', parts[0])}{self.part('lim', parts[1])}</m:limUpp>"

    def _munder(self, parts: Sequence[MathElement]) -> str:
        sign = (parts[1].text or "").strip()
        if sign and sign in "⏟︸":
            return self._brace(parts[0], sign, "bot")
        return f"<m:limLow>{self.part('e', parts[0])}{self.part('lim', parts[1])}</m:limLow>"

    def _munderover(self, parts: Sequence[MathElement]) -> str:
        low = f"<m:limLow>{self.part('e', parts[0])}{self.part('lim', parts[1])}</m:limLow>"
        return f"<m:limUpp><m:e>{low}</m:e>{self.part('lim', parts[2])}</m:limUpp>"

    def _brace(self, element: MathElement, sign: str, side: str) -> str:
        return (
            f'<m:groupChr><m:groupChrPr><m:chr m:val={quoteattr(sign)}/><m:pos m:val="{side}"/>'
            f"</m:groupChrPr>{self.part('e', element)}</m:groupChr>"
        )

    def _mtable(self, rows: Sequence[MathElement]) -> str:
        count = max(len(row) for row in rows)
        sides = [cell.get("columnalign", "center") for cell in rows[0]]
        columns = "".join(
            f'<m:mc><m:mcPr><m:count m:val="1"/><m:mcJc m:val="{side}"/></m:mcPr></m:mc>'
            for side in (*sides, *["center"] * (count - len(sides)))
        )
        lines = "".join(
            f"<m:mr>{''.join(self.part('e', cell) for cell in row)}"
            f"{'<m:e/>' * (count - len(row))}</m:mr>"
            for row in rows
        )
        return f"<m:m><m:mPr><m:mcs>{columns}</m:mcs></m:mPr>{lines}</m:m>"

    def _mtd(self, cells: Sequence[MathElement]) -> str:
        return self.row(in_rows(cells))


def _flag(name: str, on: bool) -> str:
    return f'<m:{name} m:val="{int(on)}"/>'


def _sign(text: str) -> str:
    return "" if text == "." else text


def _is_fence(element: MathElement) -> bool:
    """Whether an operator is a bracket that grows."""
    return name_of(element) == "mo" and element.get("stretchy") != "false" and (
        (element.text or "").strip() in _CLOSING | set(_FENCES)
        and (element.get("fence") == "true" or (element.text or "").strip() != "")
    )  # fmt: skip


def _closing(elements: Sequence[MathElement], at: int) -> int | None:
    """Where the part ends that a growing bracket begins; None if none begins here."""
    opening = (elements[at].text or "").strip() if _is_fence(elements[at]) else None
    if opening is None or opening not in _FENCES or elements[at].get("form") == "postfix":
        return None
    for end in range(len(elements) - 1, at, -1):
        if _is_fence(elements[end]) and (elements[end].text or "").strip() in _CLOSING:
            return end + 1
    return len(elements) if any(name_of(item) == "mtable" for item in elements[at:]) else None


def _nary(element: MathElement) -> tuple[str, MathElement | None, MathElement | None] | None:
    """The sign of a sum or an integral, and its limits; None for another element."""
    kind, parts = name_of(element), list(element)
    base = element if kind == "mo" else parts[0] if parts else None
    if base is None or name_of(base) != "mo" or (base.text or "").strip() not in _NARY:
        return None
    sign = (base.text or "").strip()
    if kind in ("msubsup", "munderover"):
        return sign, parts[1], parts[2]
    if kind in ("msub", "munder"):
        return sign, parts[1], None
    return (sign, None, parts[1]) if kind in ("msup", "mover") else (sign, None, None)


def _operand(elements: Sequence[MathElement], start: int) -> int:
    """Where the part ends that a sum is of: before the next sign of a relation."""
    for at in range(start, len(elements)):
        ends = name_of(elements[at]) == "mo" and (elements[at].text or "").strip() in _BREAKS_OFF
        if ends and at > start:
            return at
    return len(elements)


def with_alternatives(shape: Any) -> Any:
    """A shape as it is, or, if equations are in it, the alternatives of it with and without."""
    alternate = qn("mc:AlternateContent")
    if next(shape.iter(alternate), None) is None:
        return shape
    branches = []
    for tag in ("mc:Choice", "mc:Fallback"):
        branch = deepcopy(shape)
        for inner in list(branch.iter(alternate)):
            for child in inner.find(qn(tag)):
                inner.addprevious(child)
            inner.getparent().remove(inner)
        branches.append(branch)
    return alternatives(*branches)


def alternatives(choice: Any, fallback: Any) -> Any:
    """Two forms of a shape: with an equation, and for programs that draw none."""
    maker = choice.makeelement
    spaces = {name: NAMESPACES[name] for name in ("mc", "a14", "p14")}
    outer = maker(qn("mc:AlternateContent"), nsmap={"mc": spaces["mc"]})
    first = maker(qn("mc:Choice"), {"Requires": "a14 p14"}, nsmap=spaces)
    second = maker(qn("mc:Fallback"))
    first.append(choice)
    second.append(fallback)
    outer.extend([first, second])
    return outer


def equations_apart(tree: Any) -> None:
    """Give each shape and table of a slide that holds equations its alternatives, in place."""
    whole = {holder for outer in tree.iter(qn("mc:Choice")) for holder in _holders(outer)}
    for shape in [holder for holder in _holders(tree) if holder not in whole]:
        made = with_alternatives(shape)
        if made is not shape:
            shape.addprevious(made)
            tail = shape.getparent()
            if tail is not None:
                tail.remove(shape)


def _holders(tree: Any) -> Iterator[Any]:
    for tag in ("p:sp", "p:graphicFrame"):
        yield from tree.iter(qn(tag))
