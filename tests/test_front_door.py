"""``import decklab``: what it offers, how little it loads, and how results show themselves."""

import ast
import inspect
import pydoc
import subprocess
import sys

import pytest

import decklab
from decklab import evals, workbench
from decklab.core.lazy import listed_names
from decklab.core.results import DeckResult, Measurement, Tabular
from decklab.deck.deck import write_samples
from decklab.linting.settings import chosen_rules

VERBS = ("open", "score", "lint", "diff", "edit", "render", "extract")


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    return write_samples(tmp_path_factory.mktemp("samples"))


def test_importing_it_loads_no_room():
    program = "import sys, decklab; print([n for n in sys.modules if n.startswith('decklab')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ast.literal_eval(done.stdout.decode()) == [
        "decklab.core", "decklab.core.errors", "decklab.core.lazy", "decklab.core.version",
        "decklab",
    ]  # fmt: skip


@pytest.mark.parametrize("door", [decklab, evals, workbench], ids=lambda door: door.__name__)
def test_every_name_of_a_door_is_there_typed_and_documented(door):
    names = listed_names(door.__name__)
    for name, (module, defined) in names.items():
        value = getattr(door, name)
        assert (value.__module__, value.__name__) == (module, defined), name
        assert value.__doc__, name
        assert name in door.__doc__ or name == "Deck", name
        if inspect.isfunction(value):
            signature = inspect.signature(value)
            assert signature.return_annotation is not signature.empty, name
    assert set(names) <= set(dir(door))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = door.nothing


def test_help_fits_on_a_page_and_names_a_dozen_verbs():
    page = pydoc.plain(pydoc.render_doc(decklab))
    assert page.count("\n") < 90
    verbs = {name for name in listed_names("decklab") if name.islower()}
    assert set(VERBS) <= verbs
    assert 12 <= len(verbs) <= 15
    assert all(f"decklab.{verb}(" in page for verb in verbs)


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


@pytest.mark.long
def test_each_result_has_rows_of_one_shape(samples, tmp_path):
    score = Measurement.of("a.b", 1.5, slide=2)
    opened = decklab.open(samples[0])
    results: list[Tabular] = [
        DeckResult(deck="d", status="scored", slides=2, measurements=(score,)),
        decklab.diff(samples[0], samples[1]),
        decklab.extract(samples[0]),
        opened,
        decklab.lint(samples[2], rules=chosen_rules(["title", "accessibility"])),
        decklab.edit(samples[0], "hide slide 2", out=tmp_path / "edited.pptx"),
    ]
    for result in results:
        rows = list(result.records())
        assert rows and len({tuple(row) for row in rows}) == 1, type(result)
        assert result._repr_html_().startswith("<table>")
        assert len(result.to_frame()) == len(rows)
    opened.close()
