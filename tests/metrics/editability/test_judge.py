from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.editability.judge import (
    judge_cinematic,
    judge_pptx,
    judge_static,
    judge_web,
    not_covered,
    reading_order_share,
)
from decklab.metrics.editability.verdict import (
    ChartFacts,
    InheritanceFacts,
    PictureFacts,
    ReflowFacts,
    WebFacts,
)


@dataclass(frozen=True)
class RecordedProbes:
    """Probes with recorded results: from a file, or from a test."""

    picture_facts: Sequence[PictureFacts] | NotScored = ()
    reflow_facts: Sequence[ReflowFacts] | NotScored = ()
    inheritance_facts: Sequence[InheritanceFacts] | NotScored = ()
    chart_facts: Sequence[ChartFacts] | NotScored = ()

    def pictures(self) -> Sequence[PictureFacts] | NotScored:
        """The recorded pictures."""
        return self.picture_facts

    def reflow(self) -> Sequence[ReflowFacts] | NotScored:
        """The recorded doublings."""
        return self.reflow_facts

    def inheritance(self) -> Sequence[InheritanceFacts] | NotScored:
        """The recorded layout changes."""
        return self.inheritance_facts

    def charts(self) -> Sequence[ChartFacts] | NotScored:
        """The recorded charts."""
        return self.chart_facts


def outcomes(verdict):
    return [gate.outcome for gate in verdict.gates]


def sound(build, *, transition="fade", layout=None):
    """A deck that passes all gates, and the probes that say so."""
    title, chart = build.title("Sales doubled in the last year"), build.chart()
    fields: dict[str, Any] = {} if layout is None else {"layout": layout}
    deck = build.deck(
        build.slide(title, chart, transition=transition, animated=(title.id,), **fields)
    )
    probes = {
        "reflow_facts": [ReflowFacts(1, title.id, title.box, Box(70, 40, 800, 80), 2)],
        "inheritance_facts": [InheritanceFacts(1, "l", True)],
        "chart_facts": [ChartFacts(1, chart.id, "readable", "", 2, (), True)],
    }
    return deck, probes


def test_a_deck_that_passes_every_gate_is_cinematic(build):
    deck, probes = sound(build)
    verdict = judge_pptx(deck, RecordedProbes(**probes))
    assert outcomes(verdict) == ["passed"] * 5
    assert (verdict.level, verdict.class_name) == (5, "Cinematic")


def test_evaluation_ceases_at_the_first_failure(build):
    deck, probes = sound(build, layout=build.blank())
    verdict = judge_pptx(deck, RecordedProbes(**probes))
    assert verdict.level == 2
    assert outcomes(verdict) == ["passed", "passed", "failed", "not_reached", "not_reached"]


def test_the_level_is_known_by_both_criteria_of_the_first_gate(build):
    deck, probes = sound(build)
    title = deck.slides[0].shapes[0]
    tall = [ReflowFacts(1, title.id, title.box, Box(70, 40, 800, 140), 3)]
    recorded = RecordedProbes(**probes | {"reflow_facts": tall})
    strict, loose = judge_pptx(deck, recorded), judge_pptx(deck, recorded, text_gate="slide")
    assert (strict.level, loose.level) == (1, 5)
    assert strict.levels == loose.levels == {"box": 1, "slide": 5}
    assert judge_pptx(deck, RecordedProbes(**probes)).levels == {"box": 5, "slide": 5}


def test_perfect_animations_do_not_save_broken_charts(build):
    deck, probes = sound(build)
    broken = [ChartFacts(1, deck.slides[0].shapes[1].id, "missing")]
    verdict = judge_pptx(deck, RecordedProbes(**probes | {"chart_facts": broken}))
    assert verdict.level == 3


def test_a_static_show_of_sound_charts_is_level_4(build):
    deck, probes = sound(build)
    for lost in ({"transition": None}, {"transition": "cut"}, {"animated": ()}):
        still = build.deck(replace(deck.slides[0], **lost))
        assert judge_pptx(still, RecordedProbes(**probes)).level == 4


def test_what_could_not_be_drawn_leaves_no_level(build):
    deck, probes = sound(build)
    missing = NotScored("LibreOffice is not installed")
    verdict = judge_pptx(deck, RecordedProbes(**probes | {"reflow_facts": missing}))
    assert isinstance(verdict.level, NotScored)
    assert "LibreOffice is not installed" in verdict.level.reason
    assert outcomes(verdict) == ["not_scored"] + ["not_reached"] * 4
    assert verdict.class_name == ""


def test_a_failure_by_structure_needs_no_drawing(build):
    missing = NotScored("LibreOffice is not installed")
    raster = build.deck(build.slide(build.picture((0, 0, 960, 540))))
    assert judge_pptx(raster, RecordedProbes((), missing, missing, missing)).level == 0


def test_no_data_can_be_left_out_and_the_ladder_goes_on(build):
    title = build.title("Words only, on one slide")
    deck = build.deck(build.slide(title, transition="fade", animated=(title.id,)))
    probes = RecordedProbes(
        reflow_facts=[ReflowFacts(1, title.id, title.box, Box(70, 40, 800, 80), 2)],
        inheritance_facts=[InheritanceFacts(1, "l", True)],
    )
    assert judge_pptx(deck, probes).level == 3
    verdict = judge_pptx(deck, probes, no_data="not_applicable")
    assert verdict.level == 5 and verdict.gates[3].outcome == "not_applicable"


def test_empty_and_blank_decks_are_not_scored(build):
    for deck, words in ((build.deck(), "no slides"), (build.deck(build.slide()), "blank")):
        verdict = judge_pptx(deck, RecordedProbes())
        assert isinstance(verdict.level, NotScored) and words in verdict.level.reason
        assert outcomes(verdict) == ["not_scored"] * 5


def test_slides_that_cannot_be_read_are_not_taken_for_blank_ones(build):
    told = "ppt/slides/slide2.xml: the XML ends early"
    other = "ppt/theme/theme1.xml: the XML ends early"
    torn = replace(build.deck(build.slide(), build.slide()), problems=(other, told))
    verdict = judge_pptx(torn, RecordedProbes())
    assert verdict.level == NotScored(
        f"the slides cannot be read: {told}; there is nothing to edit"
    )
    blank = replace(torn, problems=(other,))
    assert "blank" in judge_pptx(blank, RecordedProbes()).level.reason


def test_a_deck_of_hidden_slides_is_judged_by_them(build):
    deck = build.deck(build.slide(build.picture((0, 0, 960, 540)), hidden=True))
    assert judge_pptx(deck, RecordedProbes()).level == 0


@pytest.mark.parametrize("name", ["talk.pdf", "slide.PNG", "folder"])
def test_flat_files_are_level_0_at_once(name):
    verdict = judge_static(name)
    assert (verdict.level, verdict.protocol) == (0, "static")
    assert outcomes(verdict) == ["failed"] + ["not_reached"] * 4


def test_other_office_formats_are_not_scored_and_told_what_to_do():
    verdict = not_covered("old/talk.ppt")
    assert isinstance(verdict.level, NotScored)
    assert ".ppt" in verdict.level.reason and "save the deck as .pptx" in verdict.level.reason


def web(**fields):
    plain = WebFacts(
        slides=4, text_blocks=10, reflowing=10, fragments=0, vectors=5, rasters=0, raster_slides=0
    )
    return replace(plain, **fields)


@pytest.mark.parametrize(
    ("fields", "level"),
    [
        ({}, 2),
        ({"raster_slides": 3}, 0),
        ({"text_blocks": 1, "unselectable": 9}, 0),
        ({"fragments": 6}, 1),
        ({"reflowing": 4}, 1),
        ({"rasters": 6}, 1),
        ({"rasters": 5}, 2),
        ({"vectors": 0}, 2),
        ({"text_blocks": 0, "reflowing": 0}, 2),
    ],
)
def test_web_decks_reach_level_2_at_most(fields, level):
    verdict = judge_web(web(**fields))
    assert (verdict.level, verdict.protocol, len(verdict.gates)) == (level, "web", 5)
    assert outcomes(verdict)[2:] == ["not_applicable"] * 3
    assert [gate.level for gate in verdict.gates] == [1, 2, 3, 4, 5]


def test_web_decks_without_anything_are_not_scored():
    nothing = {"text_blocks": 0, "reflowing": 0, "vectors": 0}
    for facts in (web(slides=0), web(**nothing), web(**nothing, raster_slides=1)):
        verdict = judge_web(facts)
        assert isinstance(verdict.level, NotScored) and len(verdict.gates) == 5


def test_a_static_show_fails(build):
    gate = judge_cinematic(build.deck(build.slide(build.title("x"))))
    assert gate.outcome == "failed" and gate.summary.startswith("The show is static")


def moving(build, **fields):
    title = build.title("x")
    return build.slide(title, **{"transition": "fade", "animated": (title.id,)} | fields)


def test_half_of_the_slides_must_transition_and_a_quarter_build(build):
    still, fades = build.slide(build.title("x")), moving(build, animated=())
    runs = moving(build, transition=None, advances_after_ms=2000)
    for first in (moving(build), runs):
        for others, outcome in (
            ([still], "passed"), ([still, still], "failed"), ([fades] * 3, "passed"),
            ([fades] * 4, "failed"),
        ):  # fmt: skip
            assert judge_cinematic(build.deck(first, *others)).outcome == outcome


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        ({"animated": ()}, "Hardly anything builds"),
        ({"transition": None}, "Most slides are cut"),
        ({"transition": "cut"}, "Most slides are cut"),
        ({"animated": (), "transition": None}, "The show is static"),
    ],
)
def test_a_fade_or_effects_alone_are_no_choreography(build, lost, words):
    gate = judge_cinematic(build.deck(*[moving(build, **lost)] * 4))
    assert gate.outcome == "failed" and gate.summary.startswith(words)


def test_builds_against_the_reading_order_fail(build):
    lines = [build.text("x", (0, top, 10, top + 10)) for top in (0, 100, 200)]
    ids = [line.id for line in lines]
    for animated, outcome in ((ids, "passed"), (ids[::-1], "failed")):
        slide = build.slide(*lines, transition="fade", animated=tuple(animated))
        assert judge_cinematic(build.deck(slide)).outcome == outcome


def test_hidden_slides_do_not_count(build):
    hidden = [build.slide(build.title("x"), hidden=True)] * 3
    assert judge_cinematic(build.deck(moving(build), *hidden)).outcome == "passed"


def test_linked_or_missing_media_fail_whatever_moves(build):
    for medium in (build.media(part=None, link="file:///C:/clip.mp4"), build.media(part=None)):
        gate = judge_cinematic(build.deck(build.slide(medium, transition="fade")))
        assert gate.outcome == "failed"
        assert gate.evidence[0].rule == "editability.linked-media"
    embedded = judge_cinematic(build.deck(build.slide(build.media(), transition="fade")))
    assert embedded.outcome == "passed" and "1 of 1 media files are embedded" in embedded.summary


def test_the_build_order_is_compared_with_the_reading_order(build):
    top, left, right = (build.text("x", box) for box in
                        ((0, 0, 10, 10), (0, 100, 10, 110), (500, 102, 510, 112)))  # fmt: skip
    read = build.slide(top, left, right, animated=(top.id, left.id, right.id))
    mixed = build.slide(top, left, right, animated=(left.id, right.id, top.id))
    assert reading_order_share(read) == 1
    assert reading_order_share(mixed) == pytest.approx(0.5)
    assert reading_order_share(build.slide(top, animated=(top.id,))) is None
    assert reading_order_share(build.slide(top, animated=(top.id, 777))) is None


def test_what_is_seen_beyond_the_gate_that_decided_is_told_as_milder(build):
    deck, probes = sound(build, layout=build.blank())
    lost = build.deck(
        replace(deck.slides[0], shapes=(*deck.slides[0].shapes, build.media(part=None)))
    )
    beyond = judge_pptx(lost, RecordedProbes(**probes)).gates[4]
    assert (beyond.outcome, beyond.level) == ("not_reached", 5)
    assert " Seen beyond: " in beyond.summary and beyond.mend
    assert {item.severity for item in beyond.evidence} == {"warning"}
    still = build.deck(replace(deck.slides[0], transition=None, animated=()))
    beyond = judge_pptx(still, RecordedProbes(**probes)).gates[4]
    assert "Seen beyond: The show is static" in beyond.summary
    sound_show = judge_pptx(deck, RecordedProbes(**probes)).gates[4]
    assert "Seen beyond" not in sound_show.summary and sound_show.evidence == ()
