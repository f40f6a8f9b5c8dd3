"""A run that ends with the outline, which a person changes before the deck is written."""

from pathlib import Path

import pytest
from pptx import Presentation
from tests.writer.scripted import END, GOOD, OUTLINED, PLAN, SAFE, Script

from decklab.core.errors import PlanError
from decklab.writer.outline import load_outline, write_outline
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck


def test_a_run_ends_with_the_outline_and_goes_on_from_it(harbour: Path, tmp_path: Path) -> None:
    out, keep = tmp_path / "deck.pptx", tmp_path / "keep"
    stages: list[str] = []
    ended = write_deck([harbour], out, keep=keep, until="outline", progress=stages.append)
    assert (ended.files, ended.slides, out.exists()) == ((), 0, False)
    assert "write" not in stages
    outline = load_outline(keep / "outline.json")
    assert outline == ended.outline
    first, second, *rest = outline.pages
    changed = second.model_copy(update={"title": "Changed by hand"})
    write_outline(
        outline.model_copy(update={"pages": (first, *reversed(rest), changed)}),
        keep / "outline.json",
    )
    written = write_deck([harbour], out, keep=keep, start="outline")
    titles = [slide.shapes.title.text for slide in Presentation(str(out)).slides]
    assert titles[-1] == "Changed by hand"
    assert written.slides == len(titles)
    assert titles[1] == rest[-1].title


def test_a_model_is_asked_for_the_outline_alone(harbour: Path, tmp_path: Path) -> None:
    script = Script(plan=[PLAN], outline=[OUTLINED], page2=[GOOD], page3=[SAFE], page4=[END])
    ended = write_deck(
        [harbour], tmp_path / "d.pptx", model=script, keep=tmp_path, until="outline",
        options=WriteOptions(slides=4),
    )  # fmt: skip
    assert set(script.asked) == {"plan", "outline", "page2", "page3", "page4"}
    assert ended.usage.requests == script.asked.total()
    assert [page.title for page in load_outline(tmp_path / "outline.json").pages][
        1
    ] == "Traffic grew"


@pytest.mark.parametrize(
    ("how", "said"),
    [({}, "name a folder to keep it in"), ({"start": "outline"}, "at the start of a run")],
)
def test_an_outline_that_nobody_could_see_is_refused(
    harbour: Path, tmp_path: Path, how: dict[str, str], said: str
) -> None:
    keep = tmp_path if how else None
    with pytest.raises(PlanError, match=said):
        write_deck([harbour], tmp_path / "d.pptx", keep=keep, until="outline", **how)  # type: ignore[arg-type]
