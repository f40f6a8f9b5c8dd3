"""Random sequences of operations keep a deck whole, in a file and open in python-pptx."""

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pptx import Presentation
from tests.examples import examples

from decklab.diffing.decks import diff_packages
from decklab.editing.open_parts import EditableParts, parts_of
from decklab.editing.slide_import import import_slide
from decklab.editing.slide_operations import clone_slide, delete_slide, move_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["clone", "delete", "move", "import", "adopt"]),
        st.integers(0, 10**6),
        st.integers(0, 10**6),
    ),
    min_size=1,
    max_size=8,
)


def apply(draft: EditableParts, source: Package, step: tuple[str, int, int]) -> int:
    """Carry out one step and return by how much the deck grew."""
    name, one, two = step
    count = len(slide_entries(draft))
    slide, place = 1 + one % count, 1 + two % (count + 1)
    if name == "clone":
        clone_slide(draft, slide, place)
    elif name == "delete" and count > 1:
        delete_slide(draft, slide)
        return -1
    elif name == "move":
        move_slide(draft, slide, 1 + two % count)
        return 0
    elif name in ("import", "adopt"):
        taken = 1 + one % len(slide_entries(source))
        import_slide(draft, source, taken, place, keep_design=name == "import")
    else:
        return 0
    return 1


def test_a_sequence_gives_the_same_deck_in_a_file_and_in_python_pptx(
    full: Path, samples: dict[str, Path], tmp_path: Path
) -> None:
    steps = [("clone", 3, 0), ("clone", 4, 9), ("delete", 1, 0), ("move", 6, 2), ("delete", 8, 0),
             ("import", 0, 3), ("adopt", 1, 20), ("clone", 2, 2)]  # fmt: skip
    prs = Presentation(str(full))
    with Package.open(full) as package, Package.open(samples["bad"]) as source:
        known = {(one.rule, one.detail) for one in validate(package) + validate(source)}
        draft = Draft(package)
        with parts_of(prs) as parts:
            for step in steps:
                apply(draft, source, step)
                apply(parts, source, step)
        draft.save(tmp_path / "draft.pptx")
    prs.save(str(tmp_path / "open.pptx"))
    with (
        Package.open(tmp_path / "draft.pptx") as one,
        Package.open(tmp_path / "open.pptx") as other,
    ):
        assert [fault for fault in validate(other) if (fault.rule, fault.detail) not in known] == []
        assert diff_packages(one, other).edits == ()


@pytest.mark.long
@given(steps=STEPS)
@examples(15)
def test_any_sequence_keeps_the_deck_whole(
    full: Path, samples: dict[str, Path], look: Callable[[Path], Any], steps: Any
) -> None:
    with tempfile.TemporaryDirectory() as room:
        with Package.open(full) as package, Package.open(samples["bad"]) as source:
            known = {(one.rule, one.detail) for one in validate(package) + validate(source)}
            draft = Draft(package)
            count = 14 + sum(apply(draft, source, step) for step in steps)
            saved = draft.save(Path(room) / "out.pptx")
        with Package.open(saved) as after:
            new = [one for one in validate(after) if (one.rule, one.detail) not in known]
        assert new == []
        seen = look(saved)
        assert seen.dangling() == []
        assert seen.orphans() == set()
        slides = [part for _, part in seen.slides()]
        assert len(slides) == count == len(Presentation(str(saved)).slides)
        for kind in ("chart", "notesSlide", "comments", "diagramData", "tags"):
            owners = Counter(part for slide in slides for part in set(seen.related(slide, kind)))
            assert max(owners.values(), default=1) == 1
        members = [id for section in seen.sections() for id in section]
        assert members == [id for id, _ in seen.slides()]
