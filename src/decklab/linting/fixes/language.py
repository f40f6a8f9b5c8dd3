"""Fixes of the proofing language: by the script that text is in, and the project's languages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from decklab.deck.model.shapes import Text
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.model.text import RunFont
from decklab.editing.mending import RunPlace, set_run_language
from decklab.linting.fixes.fix import Fix, Way, do_all, runs_of
from decklab.linting.rules.accessibility import LANGUAGE, may_be_written_in, script_of
from decklab.linting.rules.rule import called

ONLY_LANGUAGE: Final = {
    "Greek": "el-GR", "Hebrew": "he-IL", "Thai": "th-TH", "Korean": "ko-KR", "Japanese": "ja-JP",
}  # fmt: skip
"""Scripts in which hardly any deck has more than one language."""


def languages_by_use(texts: Iterable[Text]) -> list[str]:
    """The languages that texts are marked as, by the number of their letters."""
    letters: Counter[str] = Counter()
    for text in texts:
        for place, font, _kind in runs_of(text):
            if font.language:
                letters[font.language] += sum(map(str.isalpha, place.text))
    return [language for language, _count in letters.most_common()]


def wrong_languages(
    slide: SlideElements, languages: Sequence[str], used: Sequence[str]
) -> Iterator[Fix]:
    """Runs whose script is not that of their language get one of its script: the project's first,
    else the script's only one, else the one that most of the deck's text has."""
    for text in slide.texts:
        marked: dict[str, list[tuple[RunPlace, RunFont, str]]] = {}
        for run in runs_of(text):
            if run[1].language and run[2] == "run":
                marked.setdefault(run[1].language, []).append(run)
        for language, runs in marked.items():
            script = script_of("".join(place.text for place, _font, _kind in runs))
            if text.hidden or not script or may_be_written_in(language, script):
                continue
            only = ONLY_LANGUAGE.get(script)
            wanted = _first(languages, script) or only or _first(used, script)
            if wanted:
                places = tuple(place for place, _font, _kind in runs)
                yield Fix(
                    LANGUAGE.id,
                    slide.number,
                    f"text of {called(text)} in {script} script is marked as {wanted}",
                    frozenset({"style"}),
                    (_marking(slide.number, text.id, places, wanted),),
                    shape=text.id,
                    removes=0.0,
                )


def _marking(slide: int, shape: int, runs: tuple[RunPlace, ...], language: str) -> Way:
    return partial(set_run_language, slide=slide, shape=shape, runs=runs, language=language)


def _first(languages: Iterable[str], script: str) -> str | None:
    return next((one for one in languages if may_be_written_in(one, script)), None)


def unmarked_languages(deck: DeckElements, languages: Sequence[str]) -> Iterator[Fix]:
    """All text of a deck in which none says its language gets the project's first, or that of the
    deck's properties, where the script is not against it."""
    wanted = [*languages[:1], *filter(None, [deck.properties.get("language", "").strip()])]
    if not wanted:
        return
    ways: list[Way] = []
    slides: list[int] = []
    for slide in deck.slides:
        for text in slide.texts:
            runs = [run for run in runs_of(text) if run[2] == "run"]
            if any(font.language for _place, font, _kind in runs):
                return
            script = script_of(text.text)
            places = tuple(place for place, _font, _kind in runs)
            if places and (not script or may_be_written_in(wanted[0], script)):
                ways.append(_marking(slide.number, text.id, places, wanted[0]))
                slides.append(slide.number)
    numbers = tuple(dict.fromkeys(slides))
    if numbers:
        says = f"all text is marked as {wanted[0]}"
        yield Fix(
            LANGUAGE.id, numbers[0], says, frozenset({"style"}), (partial(do_all, ways=ways),),
            others=numbers[1:], of_deck=True,
        )  # fmt: skip
