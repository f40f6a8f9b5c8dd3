"""Summaries, near-duplicates and choices of small data sets, against numbers by hand."""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from PIL import Image
from pptx import Presentation

from decklab.core.errors import SourceError
from decklab.workbench.cluster.jobs import Job
from decklab.workbench.cluster.run import Machine, run_job
from decklab.workbench.cluster.sources import source_items
from decklab.workbench.cluster.tables import picture_code, resemblance, signature
from decklab.workbench.corpus.select import (
    DuplicatePair,
    SelectionWishes,
    duplicate_groups,
    duplicates,
    select,
)
from decklab.workbench.corpus.summary import severities_of_rules, summary

DECKLAB = str(Path(sys.executable).with_name("decklab"))
WORDS = [
    *("market", "river", "question", "answer", "winter", "engine", "theory", "garden", "letter"),
    *("number", "signal", "bridge", "window", "paper", "season", "method", "island", "valley"),
]


def talk(path: Path, seed: int, slides: int, *, changed: int = 0, title: bool = True) -> None:
    """A deck of random words by ``seed``; the first ``changed`` slides have others."""
    deck = Presentation()
    deck.core_properties.author = f"author {seed}"
    for number in range(slides):
        words = random.Random(f"{seed} {number} {number < changed and 'new'}")
        slide = deck.slides.add_slide(deck.slide_layouts[1 if title else 6])
        text = " ".join(words.choices(WORDS, k=40))
        if title:
            slide.shapes.title.text = " ".join(words.choices(WORDS, k=4))
            slide.placeholders[1].text = text
        else:
            slide.shapes.add_textbox(0, 0, 10**6, 10**6).text_frame.text = text
    path.parent.mkdir(parents=True, exist_ok=True)
    deck.save(str(path))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("corpus")
    decks = place / "decks"
    for seed in range(8):
        talk(decks / f"talk-{seed}.pptx", seed, slides=6)
    talk(decks / "talk-0-again.pptx", 0, slides=6, changed=1)
    shutil.copy(decks / "talk-1.pptx", decks / "talk-1-copy.pptx")
    talk(decks / "long.pptx", 50, slides=40)
    talk(decks / "short.pptx", 51, slides=2)
    talk(decks / "untitled.pptx", 52, slides=6, title=False)
    talk(decks / "empty.pptx", 53, slides=0)
    (decks / "broken.pptx").write_bytes(b"PK\3\4 no deck")
    rows = [
        {"deck": str(path), "license": "CC0-1.0" if "talk" in path.name else "unknown"}
        for path in sorted(decks.iterdir())
    ]
    (place / "list.jsonl").write_text("\n".join(map(json.dumps, rows)))
    source = source_items([str(place / "list.jsonl")])
    run_job(source, Job("extract"), place / "out", machine=Machine(processes=1))
    return place / "out"


def names(decks: list[str]) -> list[str]:
    return [Path(deck).stem for deck in decks]


def test_signatures_estimate_the_share_of_common_runs() -> None:
    letters = random.Random(1)
    words = ["".join(letters.choices("abcdefghijklmnop", k=9)) for _ in range(400)]
    for same in (0, 100, 200, 300, 400):
        other = [*words[:same], *(word[::-1] for word in words[same:])]
        one_text, other_text = "".join(words), "".join(other)
        one_runs, other_runs = (
            {text[at : at + 9] for at in range(len(text) - 8)} for text in (one_text, other_text)
        )
        exact = len(one_runs & other_runs) / len(one_runs | other_runs)
        one, another = signature(one_text), signature(other_text)
        assert one is not None and another is not None
        found = resemblance(one, another)
        assert found == pytest.approx(exact, abs=0.15)
    assert signature("") is None


def test_a_picture_keeps_its_code_when_it_is_stored_anew(tmp_path: Path) -> None:
    random_pixels = np.random.default_rng(3).integers(0, 255, (9, 12, 3), np.uint8)
    picture = Image.fromarray(random_pixels).resize((640, 480), Image.Resampling.BICUBIC)
    codes = []
    kinds: dict[str, dict[str, Any]] = {"a.png": {}, "b.jpg": {"quality": 60}}
    for name, settings in kinds.items():
        picture.save(tmp_path / name, **settings)
        codes.append(picture_code((tmp_path / name).read_bytes()))
    picture.resize((320, 240)).save(tmp_path / "c.png")
    codes.append(picture_code((tmp_path / "c.png").read_bytes()))
    assert None not in codes
    assert max((codes[0] ^ code).bit_count() for code in codes) <= 4
    picture.transpose(Image.Transpose.ROTATE_180).save(tmp_path / "d.png")
    assert (codes[0] ^ picture_code((tmp_path / "d.png").read_bytes())).bit_count() > 10
    Image.new("RGB", (640, 480), "red").save(tmp_path / "e.png")
    assert picture_code((tmp_path / "e.png").read_bytes()) is None
    assert picture_code(b"") is None and picture_code(b"no picture") is None


def test_a_summary_counts_what_is_there(dataset: Path) -> None:
    found = summary(dataset)
    assert (found.decks, found.failed, found.copies) == (15, 1, 1)
    assert found.slides == 10 * 6 + 40 + 2 + 6
    slides = next(one for one in found.distributions if one.name == "Slides")
    assert (slides.least, slides.middle, slides.most, slides.decks) == (0, 6, 40, 14)
    assert sum(slides.bins) == 14
    assert slides.outliers == ()  # half of all decks have one value
    licences = next(group for group in found.groups if group.name.startswith("Licence"))
    assert licences.values == (("CC0-1.0", 10), ("unknown", 4))
    assert found.failures[0][1] == 1 and "broken" not in found.failures[0][0]


def test_near_duplicates_are_found_and_others_are_not(dataset: Path) -> None:
    pairs = duplicates(dataset)
    found = {tuple(sorted(names([pair.deck, pair.other]))) for pair in pairs}
    assert found == {("talk-0", "talk-0-again"), ("talk-1", "talk-1-copy")}
    copies = next(pair for pair in pairs if pair.identical)
    assert copies.words == 1.0
    groups = duplicate_groups(dataset, pairs)
    assert [len(group.others) for group in groups] == [1, 1]


def test_every_deck_is_chosen_or_refused_with_its_reasons(dataset: Path) -> None:
    found = {Path(item.deck).stem: item for item in select(dataset)}
    assert len(found) == 15
    assert found["short"].reasons == ("it has 2 slides, not 5 to 60",)
    assert found["untitled"].reasons == ("0% of its slides have a title, under 50%",)
    assert found["broken"].reasons[0].startswith("it could not be read")
    twins = [found["talk-1"], found["talk-1-copy"]]
    assert [item.chosen for item in twins] == [False, True]
    assert twins[0].reasons == (f"it is a near-duplicate of {twins[1].deck}",)
    assert sum(item.chosen for item in found.values()) == 9


def test_a_choice_is_the_same_every_time_and_by_its_seed(dataset: Path) -> None:
    def chosen(seed: int) -> list[str]:
        wishes = SelectionWishes(count=4, rank="random", seed=seed)
        return [item.deck for item in select(dataset, wishes) if item.chosen]

    assert chosen(1) == chosen(1)
    assert len({tuple(chosen(seed)) for seed in range(4)}) > 1
    longest = select(dataset, SelectionWishes(count=1, rank="size"))
    assert names([longest[0].deck]) == ["long"]


def test_licence_and_diversity(dataset: Path) -> None:
    found = select(dataset, SelectionWishes(licences=("cc0",)))
    assert all(Path(item.deck).stem.startswith("talk") for item in found if item.chosen)
    refused = next(item for item in found if Path(item.deck).stem == "long")
    assert refused.reasons == ("its licence is unknown",)
    one = select(dataset, SelectionWishes(near_duplicates=True, most_a_theme=1))
    assert sum(item.chosen for item in one) == 9  # each seed is an author


def test_no_data_set_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is no data set"):
        summary(tmp_path)


@pytest.mark.long
def test_the_commands_print_and_write(dataset: Path, tmp_path: Path) -> None:
    page, chosen = tmp_path / "corpus.html", tmp_path / "chosen.jsonl"
    said = command("summary", str(dataset), "--html", str(page))
    assert "15 decks, 108 slides, 1 failed" in said
    assert "<h1>out</h1>" in page.read_text() and "://" not in page.read_text()
    assert len(json.loads(command("duplicates", str(dataset), "--json"))["groups"]) == 2
    said = command("select", str(dataset), "--count", "3", "--out", str(chosen))
    assert "3 of 15 decks chosen" in said
    rows = [json.loads(line) for line in chosen.read_text().splitlines()]
    assert [row["rank"] for row in rows[:4]] == [1, 2, 3, None]
    again = list(source_items([str(chosen)]))
    assert [item.name for item in again] == [row["path"] for row in rows[:3]]
    assert [item.about.get("license") for item in again] == [row.get("license") for row in rows[:3]]


def command(*arguments: str) -> str:
    done = subprocess.run(
        [DECKLAB, "corpus", *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


def refusals(dataset: Path, **wishes: Any) -> dict[str, tuple[str, ...]]:
    found = select(dataset, SelectionWishes(**wishes))
    return {Path(item.deck).stem: item.reasons for item in found if not item.chosen}


def test_a_deck_without_slides_is_last_where_it_may_be_chosen(dataset: Path) -> None:
    for rank in ("quality", "aesthetics", "size"):
        found = select(dataset, SelectionWishes(least_slides=0, rank=rank))
        chosen = [Path(item.deck).stem for item in found if item.chosen]
        assert "empty" in chosen
        assert "short" in chosen
    scores = {Path(item.deck).stem: item.score for item in found}
    assert scores["empty"] == 0 == min(score for score in scores.values() if score is not None)


def test_each_wish_that_is_not_met_is_a_reason(dataset: Path) -> None:
    # 40 words and a title of 4 on each slide
    words = refusals(dataset, least_words=44.5)
    assert words["talk-3"] == ("it has 44.0 words a slide, under 44.5",)
    assert "talk-3" not in refusals(dataset, least_words=44.0)
    looks = refusals(dataset, least_aesthetics=20.0)
    assert looks["talk-3"] == ("its aesthetics are not known",)
    language = refusals(dataset, languages=frozenset({"zz", "yy"}))["talk-3"]
    assert len(language) == 1 and language[0].endswith(", not yy or zz")
    both = refusals(dataset, most_slides=5, least_titled=0.1)["untitled"]
    assert both == (
        "it has 6 slides, not 5 to 5", "0% of its slides have a title, under 10%",
    )  # fmt: skip


def test_any_of_several_licences_will_do_by_its_beginning(dataset: Path) -> None:
    allowed = refusals(dataset, licences=("MIT", "cc0-1"))
    assert "talk-3" not in allowed and allowed["long"] == ("its licence is unknown",)
    none = refusals(dataset, licences=("CC-BY",))
    assert none["talk-3"] == ("its licence is CC0-1.0",)
    field = refusals(dataset, licences=("CC0",), licence_field="rights")
    assert field["talk-3"] == ("its licence is not known",)


def test_decks_beyond_the_count_are_told_so(dataset: Path) -> None:
    found = select(dataset, SelectionWishes(count=2, rank="size"))
    assert [item.rank for item in found[:3]] == [1, 2, None]
    beyond = refusals(dataset, count=2, rank="size")
    assert beyond["talk-7"] == ("it is fit, but 2 others rank higher",)
    assert beyond["short"] == ("it has 2 slides, not 5 to 60",)


def test_near_duplicates_of_near_duplicates_are_one_group_with_the_longest_first(
    dataset: Path,
) -> None:
    decks = {Path(item.deck).stem: item.deck for item in select(dataset)}

    def pair(one: str, other: str) -> DuplicatePair:
        return DuplicatePair(decks[one], decks[other], 0.6, None, False)

    pairs = [pair("short", "talk-2"), pair("talk-2", "long"), pair("talk-4", "talk-5")]
    first, second = duplicate_groups(dataset, pairs)
    assert (first.keep, first.others) == (decks["long"], (decks["talk-2"], decks["short"]))
    assert {second.keep, *second.others} == {decks["talk-4"], decks["talk-5"]}
    assert duplicate_groups(dataset, []) == []


def test_all_severities_of_a_rule_are_told_worst_first() -> None:
    with duckdb.connect() as tables:
        tables.execute(
            "CREATE TABLE findings AS SELECT * FROM (VALUES "
            "('a', 'contrast.low', 'info'), ('a', 'contrast.low', 'error'), "
            "('b', 'contrast.low', 'warning'), ('b', 'title.missing', 'warning')"
            ") AS rows(deck, rule, severity)"
        )
        assert list(severities_of_rules(tables)) == [
            ("contrast.low", ("error", "warning", "info"), 2),
            ("title.missing", ("warning",), 1),
        ]
