"""Reads, compares and draws the two decks of a graded edit, for rubric leaves and for damage."""

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.diffing.changes import DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.libreoffice import saved_by_libreoffice
from decklab.diffing.matching import match_shapes
from decklab.diffing.pictures import DecksSideBySide
from decklab.diffing.ppteval_diff import ppt_diff
from decklab.diffing.ppteval_records import PowerPointDiff
from decklab.diffing.snapshots import diff, match_decks
from decklab.evals.rubrics.running import DeckPair, Side
from decklab.ooxml.package import Package
from decklab.pages.pictures import encode_png
from decklab.rendering.renderer import Renderer
from decklab.seen.drawn import AudienceView


class ComparedDecks(DecksSideBySide):
    """Two decks side by side, read and compared.

    ``pair`` is the input of rubric leaves. ``earlier`` maps the number of a slide in the modified
    deck to its number in the original, where it is the same slide. ``like`` is an earlier
    comparison, open or closed, with the same original and ``renderer``: its reading and drawings of
    the original are used again. ``seconds`` says how long reading (``snapshot``) and comparing
    (``diff``) took.

    Raises DeckError where a deck cannot be read.
    """

    def __init__(
        self,
        original: str | Path,
        modified: str | Path,
        *,
        renderer: Renderer | None = None,
        like: "ComparedDecks | None" = None,
    ) -> None:
        super().__init__(original, modified, renderer=renderer)
        self._seen: dict[Side, AudienceView] = {}
        self._original_view: AudienceView | None = None
        self._later_ids: dict[tuple[int, int], Mapping[int, int]] = {}
        if like is not None and like._original_view:
            self._original_view = like._original_view
            self._drawn["original"] = self._original_view.drawn
            self._seen["original"] = self._original_view
        started = time.perf_counter()
        self.snapshots: dict[Side, Snapshot] = {
            "original": like.snapshots["original"] if like else snapshot_of(self.paths["original"]),
            "modified": snapshot_of(self.paths["modified"]),
        }
        read = time.perf_counter()
        matched = match_decks(*self.snapshots.values())
        self.earlier: dict[int, int] = {new["number"]: old["number"] for old, new in matched.pairs}
        paths = self.paths["original"], self.paths["modified"]
        snapshots = self.snapshots["original"], self.snapshots["modified"]
        self.diff: PowerPointDiff = ppt_diff(*paths, snapshots=snapshots)
        self.seconds = {"snapshot": read - started, "diff": time.perf_counter() - read}
        numbers = {side: _slides(snapshot) for side, snapshot in self.snapshots.items()}
        self.pair = DeckPair(*paths, self.diff, numbers, self.png, self.why_unseen)

    def close(self) -> None:
        """Close the drawn decks, and LibreOffice where it was started for them."""
        super().close()
        self._seen.clear()

    def seen(self, side: Side) -> AudienceView:
        """A deck as an audience sees it; raises RenderError where the deck cannot be drawn."""
        if side not in self._seen:
            drawn = self.rendered(side)
            self._seen[side] = AudienceView(self.paths[side], drawn, renderer=self._renderer)
            if side == "original":
                self._original_view = self._seen[side]
        return self._seen[side]

    @cached_property
    def changes(self) -> DeckDiff:
        """All that differs between the two decks. Of decks that LibreOffice saved, which writes
        every part anew, only what snapshots hold."""
        if self.written_anew:
            return diff(self.snapshots["original"], self.snapshots["modified"])
        with (
            Package.open(self.paths["original"]) as before,
            Package.open(self.paths["modified"]) as after,
        ):
            taken = self.snapshots["original"], self.snapshots["modified"]
            return diff_packages(before, after, taken=taken)

    @property
    def written_anew(self) -> bool:
        """Whether LibreOffice saved the modified deck."""
        return saved_by_libreoffice(self.snapshots["modified"])

    def why_unseen(self, number: int, shape: int | None, wanted: Mapping[str, Any]) -> str:
        """Why a shape of the modified deck is not seen, for rubric leaves; empty where it is seen.

        Slides are numbered from 1; without a shape the slide itself is meant. A thing that the
        original hides for the same reason does not count.
        """
        deck = self.seen("modified")
        if not 1 <= number <= len(deck.drawn):
            return f"there is no slide {number}"
        before = self.earlier.get(number)
        if shape is None:
            why = deck.why_slide_hidden(number)
            return (
                why if before is None or not self.seen("original").why_slide_hidden(before) else ""
            )
        text, drawing = wanted.get("text"), bool(wanted.get("drawing"))
        fault, why = deck.fault(number, shape, text, look=drawing)
        if fault is None and wanted.get("colour"):
            return deck.colour_fault(number, shape, str(wanted["colour"]))
        if fault is None or before is None:
            return why
        earlier = {new: old for old, new in self.later_ids(before, number).items()}
        was, _ = self.seen("original").fault(before, earlier.get(shape, shape), look=drawing)
        return "" if was == fault else why

    def later_ids(self, old: int, new: int) -> Mapping[int, int]:
        """The id in the modified deck of each shape of slide ``old`` of the original that is still
        on its slide ``new``: programs such as LibreOffice count ids anew when they save."""
        if (old, new) not in self._later_ids:
            before = _shapes(self.snapshots["original"], old)
            after = _shapes(self.snapshots["modified"], new)
            pairs = match_shapes(before, after)
            ids = ((before[i].get("id"), after[j].get("id")) for i, j in pairs)
            self._later_ids[old, new] = {was: now for was, now in ids if was and now}
        return self._later_ids[old, new]

    def png(self, side: Side, number: int) -> bytes:
        """A slide as drawn, as the bytes of a PNG."""
        return encode_png(self.drawn(side, number).image)


def _slides(snapshot: Snapshot) -> Sequence[tuple[int, str]]:
    return [(slide["number"], str(slide.get("id", 0))) for slide in snapshot["slides"]]


def _shapes(snapshot: Snapshot, number: int) -> list[dict[str, Any]]:
    shapes: list[dict[str, Any]] = next(
        slide["shapes"] for slide in snapshot["slides"] if slide["number"] == number
    )
    return shapes
