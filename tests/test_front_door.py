"""``import decklab``: what it offers, how little it loads, and how results show themselves."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import decklab
from decklab.deck.samples import write_samples
from decklab.results import DeckResult, Measurement
from decklab.tabular import Tabular

VERBS = ("open", "score", "lint", "diff", "edit", "grade", "render", "extract")


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    return write_samples(tmp_path_factory.mktemp("samples"))


def test_importing_it_loads_nothing_else():
    program = "import sys, decklab; print(len([n for n in sys.modules if n.startswith('decklab')]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"1\n"


def test_every_name_is_there_typed_and_documented():
    for name in decklab.__all__:
        found = getattr(decklab, name)
        assert found.__doc__, name
        if inspect.isfunction(found):
            signature = inspect.signature(found)
            assert signature.return_annotation is not signature.empty, name
    assert set(VERBS) <= set(decklab.__all__) <= set(dir(decklab))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = decklab.nothing


def test_what_type_checkers_see_is_what_is_loaded():
    tree = ast.parse(Path(decklab.__file__).read_text())
    seen = {
        alias.asname or alias.name: (node.module, alias.name)
        for block in tree.body if isinstance(block, ast.If)
        for node in block.body if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }  # fmt: skip
    assert set(seen) == set(decklab.__all__)
    for name, (module, defined) in seen.items():
        assert getattr(decklab, name).__module__ == module, name
        assert getattr(decklab, name).__name__ == defined, name


def test_a_deck_is_opened_read_and_closed(samples):
    with decklab.open(samples[0]) as deck:
        assert len(deck) == len(deck.slides) == len(deck.outline.slides)
        assert deck.slides[0].title in deck.markdown()
        assert deck.snapshot()["slides"][0]["title"] == deck.slides[0].title
        assert not deck.problems
    assert deck.elements.slides  # what was read stays


def test_a_diff_an_extraction_and_a_validation_take_paths(samples):
    assert not decklab.diff(samples[0], samples[0]).edits
    assert decklab.diff(samples[0], samples[1]).edits
    assert [slide.number for slide in decklab.extract(samples[0], slides=[2]).slides] == [2]
    assert not [item for item in decklab.validate(samples[0]) if item.severity == "error"]


class Rows(Tabular):
    def __init__(self, *rows):
        self.rows = rows

    def records(self):
        return iter(self.rows)


def test_rows_become_a_frame_an_arrow_table_and_html():
    rows = Rows(
        {"deck": "<a>.pptx", "score": 0.123456, "why": None},
        {"deck": "b", "score": 1.0, "why": "x"},
    )
    assert list(rows.to_frame()["deck"]) == ["<a>.pptx", "b"]
    assert rows.to_arrow().column("score").to_pylist() == [0.123456, 1.0]
    page = rows._repr_html_()
    assert "&lt;a&gt;.pptx" in page and "<a>" not in page
    assert "0.1235" in page and "None" not in page


def test_no_rows_and_very_many_rows_say_so():
    assert Rows()._repr_html_() == "<p>Rows: nothing</p>"
    assert "3 more rows" in Rows(*({"n": n} for n in range(203)))._repr_html_()


def test_each_result_has_rows_of_one_shape(samples, tmp_path):
    score = Measurement.of("a.b", 1.5, slide=2)
    opened = decklab.open(samples[0])
    results = [
        DeckResult(deck="d", status="scored", slides=2, measurements=(score,)),
        decklab.diff(samples[0], samples[1]),
        decklab.extract(samples[0]),
        opened,
        decklab.lint(samples[2], rules=decklab.lint_rules(["title", "accessibility"])),
        decklab.edit(samples[0], "hide slide 2", out=tmp_path / "edited.pptx"),
    ]
    for result in results:
        rows = list(result.records())
        assert rows and len({tuple(row) for row in rows}) == 1, type(result)
        assert result._repr_html_().startswith("<table>")
        assert len(result.to_frame()) == len(rows)
    opened.close()
