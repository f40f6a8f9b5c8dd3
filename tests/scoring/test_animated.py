"""Which contrasts of an animated slide are judged."""

from decklab.deck.model.shapes import Image
from decklab.deck.model.slide import Animation, DeckElements, SlideElements
from decklab.results import Measurement
from decklab.scoring.animated import still_rows


def deck(*animations):
    picture = Image(id=7, z=1, x=100.0, y=100.0, w=400.0, h=200.0)
    slide = SlideElements(background="#FFFFFF", images=(picture,), animations=animations)
    return DeckElements(size_pt=(960.0, 540.0), slides=(slide,), layouts=(), masters=(), themes=())


def row():
    region = {"ratio": 1.1, "least_ratio": 4.5, "text": "words"}
    worst = [region | {"box": [110, 110, 200, 130]}, region | {"box": [600, 110, 700, 130]}]
    return Measurement.of(
        "usability.contrast", 0.5, slide=1, evidence={"worst": worst, "covered": worst[:1]}
    )


def test_text_under_what_animations_bring_in_is_not_judged():
    enters = Animation(order=0, effect="fade", kind="entrance", trigger="on_click", shape=7)
    (still,) = still_rows([row()], deck(enters))
    assert [item["box"][0] for item in still.evidence["worst"]] == [600]
    assert still.evidence["covered"] == [] and still.value == 0.5


def test_other_slides_and_rows_stay_as_they_are():
    other = Measurement.of("rhythm.subband_entropy", 3.0, slide=1)
    assert still_rows([row(), other], deck()) == [row(), other]
