"""Random sequences of operations keep a deck whole."""

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pptx import Presentation

from decklab.ooxml.package import Package
from decklab.ooxml.slides.cloning import clone_slide
from decklab.ooxml.slides.deleting import delete_slide
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.importing import import_slide
from decklab.ooxml.slides.listing import slide_entries
from decklab.ooxml.slides.moving import move_slide
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


def apply(draft: Draft, source: Package, step: tuple[str, int, int]) -> int:
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


@given(steps=STEPS)
@settings(max_examples=15)
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
