import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from decklab.core.result_store import ResultStore
from decklab.rendering import pictures
from decklab.rendering.pictures import can_read_pictures, kept_picture_spans, picture_spans

pytestmark = pytest.mark.skipif(not can_read_pictures(), reason="RapidOCR is not installed")


@pytest.fixture(scope="module")
def drawn() -> tuple[np.ndarray, list[tuple[int, int, int, int]]]:
    """A dark slide with two lines of text, and where Pillow says their ink is."""
    picture = Image.new("RGB", (1280, 720), "#102030")
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size=44)
    boxes = []
    for text, top in (("Quarterly figures", 120), ("Growth by region", 420)):
        pen.text((150, top), text, fill="#F0F0F0", font=font)
    image = np.array(picture)
    for first, last in ((100, 300), (400, 600)):
        rows, columns = np.nonzero(image[first:last].max(axis=2) > 100)
        boxes.append((columns.min(), first + rows.min(), columns.max() + 1, first + rows.max() + 1))
    return image, boxes


@pytest.mark.long
def test_lines_are_found_and_their_boxes_hug_the_ink(drawn: tuple[np.ndarray, list]) -> None:
    image, boxes = drawn
    spans = picture_spans(image)
    assert [(span.text, span.font, span.color, span.line) for span in spans] == [
        ("", "", "", 0),
        ("", "", "", 1),
    ]
    for span, ink in zip(spans, boxes, strict=True):
        assert tuple(span.box.scaled(1280 / 960, 720 / 540)) == pytest.approx(ink, abs=2)


@pytest.mark.long
def test_lines_can_be_read(drawn: tuple[np.ndarray, list]) -> None:
    texts = [span.text for span in picture_spans(drawn[0], recognize=True)]
    assert texts == ["Quarterly figures", "Growth by region"]


@pytest.mark.long
def test_sizes_follow_the_height_of_the_slide(drawn: tuple[np.ndarray, list]) -> None:
    normal, taller = picture_spans(drawn[0])[0], picture_spans(drawn[0], 1080)[0]
    assert taller.size_pt == pytest.approx(2 * normal.size_pt, abs=0.02)
    assert normal.size_pt == pytest.approx(44 * 0.75, rel=0.25)


def test_text_that_was_found_once_is_kept_by_the_pixels(
    drawn: tuple[np.ndarray, list], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, results = drawn[0], ResultStore(tmp_path / "results.sqlite")
    found = kept_picture_spans(results, image)
    assert found == picture_spans(image) and len(found) == 2
    monkeypatch.setattr(pictures, "picture_spans", lambda image, height_pt: ())
    assert kept_picture_spans(results, image.copy()) == found
    assert kept_picture_spans(results, image, 1080.0) == ()
    assert kept_picture_spans(results, image[::-1]) == ()


def test_a_plain_picture_holds_no_text() -> None:
    assert picture_spans(np.full((720, 1280, 3), 90, np.uint8)) == ()


@pytest.mark.long
def test_a_picture_without_text_holds_none() -> None:
    image = np.full((720, 1280, 3), 255, np.uint8)
    image[200:500, 300:900] = (200, 30, 30)
    assert picture_spans(image) == ()


@pytest.mark.long
def test_the_engine_reports_to_nobody(tmp_path: Path) -> None:
    """ONNX Runtime's telemetry leaves a file of its session where temporary files go."""
    script = (
        "import numpy as np; from decklab.rendering.pictures import picture_spans;"
        "picture_spans(np.eye(64, dtype=np.uint8)[:, :, None].repeat(3, 2) * 255)"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)
    assert list(tmp_path.iterdir()) == []
