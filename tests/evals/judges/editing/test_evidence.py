from typing import Any

from tests.evals.judges.editing.conftest import Judged

from decklab.evals.judges.editing.verdict import LONGEST, _cut, json_share, xml_lines, xml_share
from decklab.evals.pptarena.cases import Decks
from decklab.evals.pptarena.running import evidence_of


def test_shares_by_hand() -> None:
    one: dict[str, Any] = {"a": 1, "b": [1, 2, {"c": "x"}]}
    other: dict[str, Any] = {"a": 1, "b": [1, 3, {"c": "x"}], "d": None}
    # paths: /a, /b/0, /b/1, /b/2/c, /d; /b/1 and /d differ
    assert json_share(one, other) == 2 / 5
    assert json_share(one, one) == 0
    # 3 + 2 lines, of which 2 + 2 are in common
    assert xml_share({"p": ["a", "b", "c"]}, {"p": ["a", "c"]}) == 1 - 4 / 5
    assert xml_share({"p": ["a"]}, {}) == 1
    assert xml_share({}, {}) == 0


def test_the_form_with_the_greater_share_is_told(judged: dict[str, Judged]) -> None:
    for one in judged.values():
        found = one.evidence
        told = (
            found.remaining.startswith("{")
            if found.form == "json"
            else "part ppt/" in found.remaining
        )
        assert told


def test_no_differences_are_told_as_such(judged: dict[str, Judged]) -> None:
    case = judged["Crew leaders"].case
    with Decks(pictures=False) as decks:
        found = evidence_of(case, case.ground_truth, decks)
    assert found.remaining == "no differences"
    assert found.form == "json"


def test_spelling_of_xml_is_no_difference() -> None:
    data = (
        b'<?xml version="1.0"?>\n<p:a xmlns:p="urn:p" y="1" x="2"><p:b></p:b></p:a>',
        b"<p:a x='2' y='1'><p:b></p:b></p:a>",
    )

    class Held:
        names = ("ppt/a.xml",)

        def __init__(self, text: bytes) -> None:
            self.text = text

        def read(self, _name: str) -> bytes:
            return self.text

    one, other = (xml_lines(Held(text)) for text in data)  # type: ignore[arg-type]
    assert one == other == {"ppt/a.xml": ['<p:a x="2" y="1">', "<p:b>", "</p:b>", "</p:a>"]}


def test_long_differences_are_cut_and_say_so() -> None:
    lines = ["x" * 500] * 200
    cut = _cut(lines)
    assert len(cut) < LONGEST + 100
    assert cut.endswith("more lines)")
