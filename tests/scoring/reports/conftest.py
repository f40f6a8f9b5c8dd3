"""Results as the scoring room hands them over, without scoring anything."""

import io
import random
from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw

from decklab.core.geometry import Box
from decklab.core.results import DeckResult, Finding, Measurement, NotScored
from decklab.pages.pictures import SlidePicture

TEMPLATES = ("i", "V", "L", "I", "T", "Y", "X")
PARTS = ("harmony.score", "engagement.score", "usability.score", "rhythm.score")
ResultMaker = Callable[..., DeckResult]
PictureMaker = Callable[..., dict[int, SlidePicture]]


def draw_slide(slide: int, width: int = 960, height: int = 540) -> SlidePicture:
    """A slide with a title, lines of text and a noisy photograph: as heavy as real ones."""
    rng = random.Random(slide)
    image = Image.new("RGB", (width, height), (250, 250, 246))
    noise = Image.frombytes("RGB", (120, 90), rng.randbytes(120 * 90 * 3))
    image.paste(noise.resize((width // 2, height - 140)), (width // 2, 100))
    draw = ImageDraw.Draw(image)
    draw.text((40, 30), f"Slide {slide}: what we saw this quarter", fill=(20, 20, 90))
    for line in range(12):
        draw.text((40, 120 + 28 * line), "A point that is made in a few words " * 2, fill=(60,) * 3)
    data = io.BytesIO()
    image.save(data, "WEBP", quality=80)
    return SlidePicture(data.getvalue(), width, height)


@pytest.fixture(scope="session")
def pictures() -> PictureMaker:
    """Pictures of slides 1 to n."""
    drawn: dict[int, SlidePicture] = {}

    def make(slides: int) -> dict[int, SlidePicture]:
        for slide in range(len(drawn) + 1, slides + 1):
            drawn[slide] = draw_slide(slide)
        return {slide: drawn[slide] for slide in range(1, slides + 1)}

    return make


def _slide_rows(slide: int, rng: random.Random) -> list[Measurement]:
    weights = [rng.random() if i % 9 < 2 else 0.0 for i in range(72)]
    histogram = [weight / sum(weights) for weight in weights]
    hue = {
        "template": rng.choice(TEMPLATES),
        "angle_deg": rng.randrange(360),
        "sectors": [[rng.randrange(360), 93.6], [rng.randrange(360), 18.0]],
        "hue_histogram": histogram,
        "chromatic_share": 0.31,
        "slide_score": 0.94,
        "palette": [["#FAFAF6", 0.6], ["#14145A", 0.2], ["#B0380D", 0.05]],
    }
    region = {"text": f"words on {slide}", "figure": "#9A9A9A", "ground": "#E8E4DA"}
    contrast = {
        "regions": 12,
        "worst": [
            {**region, "box": [40, 120, 300, 150], "ratio": 2.1, "least_ratio": 4.5},
            {**region, "box": [40, 160, 300, 190], "ratio": 2.6},
            {**region, "box": [40, 30, 500, 70], "ratio": 12.0, "least_ratio": 3.0},
        ],
        "text_source": "layout",
    }

    def of(metric: str, value: float | NotScored, **rest: object) -> Measurement:
        return Measurement.of(metric, value, slide=slide, **rest)  # type: ignore[arg-type]

    if slide % 7 == 0:
        return [
            of("harmony.distance_deg", NotScored("no pixel has a hue"), unit="deg"),
            of("engagement.colorfulness", 0.0),
            of("usability.contrast", NotScored("the slide has no text"), direction="higher"),
            of("rhythm.subband_entropy", NotScored("the slide is of one colour"), unit="bit"),
        ]
    return [
        of("harmony.distance_deg", rng.uniform(0, 9), unit="deg", direction="lower", evidence=hue),
        of("engagement.colorfulness", rng.uniform(5, 140)),
        of("usability.contrast", rng.uniform(0.3, 1), direction="higher", evidence=contrast),
        of("rhythm.subband_entropy", rng.uniform(1, 5), unit="bit",
           evidence={"slide_score": rng.random()}),
    ]  # fmt: skip


def _gates(level: int) -> list[dict[str, object]]:
    def outcome(gate: int) -> str:
        return "passed" if gate <= level else "failed" if gate == level + 1 else "not_reached"

    titles = ("Text integrity", "Vector graphics", "Structural logic", "Native data", "Cinematic")
    return [
        {
            "level": gate, "name": title.split()[0].lower(), "title": title,
            "outcome": outcome(gate), "summary": f"What gate {gate} saw.",
            "evidence": [{"slide": 1, "shape": "Title 1 (id 2)", "detail": "Seen on this slide."}],
            "mend": "Do it the native way.",
        }
        for gate, title in enumerate(titles, 1)
    ]  # fmt: skip


def _deck_rows(
    scores: list[list[float]], level: int, values: dict[str, float]
) -> list[Measurement]:
    evidence: dict[str, dict[str, object]] = {
        "harmony.score": {"mean": 0.9, "std": 0.1, "slides_scored": len(scores)},
        "engagement.score": {"level": 0.5, "pacing": 0.7, "mean": 51.0, "std": 11.0},
        "usability.score": {"mean": 0.7, "slides_scored": len(scores)},
        "rhythm.score": {
            "mean_slide_score": 0.6, "rmssd": 0.05, "band": "healthy", "slide_scores": scores,
        },
    }  # fmt: skip
    rows = [
        Measurement.of(part, values[part], unit="points", direction="higher",
                       evidence=evidence[part])
        for part in PARTS
    ]  # fmt: skip
    total = Measurement.of(
        "aesthetics.total", sum(values.values()), unit="points", direction="higher",
        evidence={"parts": values},
    )  # fmt: skip
    pei = Measurement.of(
        "editability.level", float(level), unit="level", direction="higher",
        evidence={"protocol": "pptx", "class_name": "Vector", "gates": _gates(level)},
    )  # fmt: skip
    return [*rows, total, pei]


@pytest.fixture(scope="session")
def scored() -> ResultMaker:
    """A scored deck: slides, level, parts and the number of findings as asked."""

    def make(
        deck: str = "talks/kickoff.pptx",
        slides: int = 5,
        level: int = 2,
        findings: int = 3,
        parts: tuple[float, ...] = (4.0, 6.5, 7.25, 8.0),
    ) -> DeckResult:
        rng = random.Random(deck)
        rows = [row for s in range(1, slides + 1) for row in _slide_rows(s, rng)]
        scores = [
            [row.slide, row.evidence["slide_score"]]
            for row in rows
            if row.metric == "rhythm.subband_entropy" and row.value is not None
        ]
        return DeckResult(
            deck=deck,
            status="scored",
            slides=slides,
            measurements=(*_deck_rows(scores, level, dict(zip(PARTS, parts, strict=True))), *rows),
            findings=tuple(_finding(i, slides) for i in range(findings)),
        )

    return make


def _finding(i: int, slides: int) -> Finding:
    slide = i % slides + 1 if slides else None
    if i % 3 == 0:
        return Finding(
            rule="contrast.low", severity="error", message=f"Text {i} is hard to read.",
            slide=slide, shape=f"Title {i} (id {i})", box=Box(40, 120, 300, 150),
            measured=1.5 + i / 100, threshold=4.5, fix="Darken the text.",
        )  # fmt: skip
    if i % 3 == 1:
        return Finding(
            rule="fonts.replaced", severity="warning", fix="Install the font.",
            message=f"The font Corporate Sans {i} was drawn in DejaVu Sans.",
        )  # fmt: skip
    return Finding(
        rule="editability.text-fragments", severity="info", slide=slide,
        message=f"A paragraph is split over {i} boxes.", fix=f"Join the {i} boxes.",
    )  # fmt: skip


@pytest.fixture(scope="session")
def failed() -> DeckResult:
    """A deck that could not be read."""
    return DeckResult(
        deck="hostile/broken.pptx",
        status="failed",
        error="hostile/broken.pptx: ppt/slides/slide4.xml: the bytes of the part are damaged",
    )


@pytest.fixture(scope="session")
def without_slides() -> DeckResult:
    """A deck of 0 slides: everything that needs slides is not scored."""
    reason = NotScored("the deck has no slides")
    metrics = (*PARTS, "aesthetics.total", "editability.level")
    return DeckResult(
        deck="empty.pptx",
        status="scored",
        measurements=tuple(Measurement.of(metric, reason) for metric in metrics),
    )


HOSTILE = (
    "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;{{ 7 * 7 }}"
    "\x00\x1b[31m\x0b\ud800\u202e"
)


@pytest.fixture(scope="session")
def hostile(scored: ResultMaker) -> DeckResult:
    """A deck with markup, quotes and control characters in every field that holds text."""

    def spoil(value: object) -> object:
        if isinstance(value, str):
            return value + HOSTILE
        if isinstance(value, list):
            return [spoil(item) for item in value]
        if isinstance(value, dict):
            return {key: spoil(item) for key, item in value.items()}
        return value

    plain = scored(slides=2, findings=12)
    rows = []
    for row in plain.measurements:
        evidence = {key: spoil(item) for key, item in row.evidence.items()}
        rows.append(row.model_copy(update={
            "evidence": evidence, "unit": HOSTILE, "version": HOSTILE,
        }))  # fmt: skip
        rows.append(Measurement.of(HOSTILE, NotScored(HOSTILE), slide=row.slide))
    findings = [
        f.model_copy(update={"message": HOSTILE, "fix": HOSTILE, "shape": HOSTILE,
                             "rule": f.rule + (HOSTILE if f.rule != "fonts.replaced" else "")})
        for f in plain.findings
    ]  # fmt: skip
    return plain.model_copy(
        update={
            "deck": f"talks/{HOSTILE.replace('/', '')}\udce9.pptx",
            "measurements": tuple(rows),
            "findings": tuple(findings),
        }
    )
