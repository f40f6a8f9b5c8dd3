"""Pictures of a folder, and of an image model behind a server on the loopback."""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pptx import Presentation

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.core.errors import PlanError
from decklab.core.options import ImageModel
from decklab.writer.image_models import PictureService, with_generated
from decklab.writer.own_pictures import read_pictures, with_pictures
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck

CRANE = "The new crane lifts 60 tonnes"


def photo(seed: int = 0, size: tuple[int, int] = (160, 90)) -> Image.Image:
    """A picture of many colours."""
    noise = np.random.default_rng(seed).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    return Image.fromarray(noise)


def png(seed: int = 0) -> bytes:
    out = BytesIO()
    photo(seed).save(out, "PNG")
    return out.getvalue()


def slide(title: str, *points: str, **fields: Any) -> SlidePlan:
    data = {"layout": "body", "title": title, "body": [{"text": text} for text in points], **fields}
    return SlidePlan.model_validate(data, strict=False)


PLAN = DeckPlan(title="T", slides=(
    slide("Traffic", "Ships from 31 countries called"), slide("Machines", CRANE),
    slide("Staff", "Accidents fell", subtitle="Safety"),
))  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pictures whose words are in a name, a sidecar, EXIF, and one that fits nothing."""
    root = tmp_path / "own"
    root.mkdir()
    photo(1).save(root / "newCrane_at-night.png")
    photo(2).save(root / "IMG_0001.png")
    (root / "IMG_0001.txt").write_text("Ships waiting for the pilot\n")
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "Fewer accidents at work", 6
    photo(3).save(root / "DSC1.jpg", exif=exif)
    Image.new("RGB", (9, 9)).save(root / "zebra.gif")
    (root / "broken.png").write_bytes(b"not a picture")
    (root / "notes.docx").write_bytes(b"no picture, and none by its name")
    return root


def test_captions_come_from_sidecars_descriptions_and_names(folder: Path, tmp_path: Path) -> None:
    found, told = read_pictures(folder, tmp_path / "made")
    assert {one.caption: one.photograph for one in found} == {
        "Fewer accidents at work": True, "Ships waiting for the pilot": True,
        "new Crane at night": True, "zebra": False,
    }  # fmt: skip
    assert told == ["picture broken.png: not used: it is no picture"]
    (turned,) = [one.path for one in found if one.path.parent != folder]
    with Image.open(turned) as image:
        assert image.size == (90, 160)  # as it was held, not as it is stored


def test_each_picture_stands_once_on_the_slide_that_it_fits(folder: Path, tmp_path: Path) -> None:
    found, _ = read_pictures(folder, tmp_path / "made")
    plan, told = with_pictures(PLAN, found, "light")
    alts = [one.picture.alt if one.picture else "" for one in plan.slides]
    assert alts == ["Ships waiting for the pilot", "new Crane at night", "Fewer accidents at work"]
    assert {one.layout for one in plan.slides} == {"picture_left", "picture_right"}
    assert plan.slides[2].notes == "Safety"  # the subtitle, which such a slide does not show
    assert told == ["pictures without a slide that they fit: zebra.gif"]


def test_a_slide_that_is_full_takes_no_picture(folder: Path, tmp_path: Path) -> None:
    found, _ = read_pictures(folder, tmp_path / "made")
    full = DeckPlan(title="T", slides=(slide("Crane", *["The crane is new and tall. " * 4] * 4),))
    assert with_pictures(full, found, "light")[0] == full


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="no picture in it"):
        read_pictures(tmp_path, tmp_path)
    with pytest.raises(PlanError, match="cannot be read"):
        read_pictures(tmp_path / "nowhere", tmp_path)


def test_a_deck_shows_cropped_photographs_with_their_words(
    folder: Path, harbour: Path, tmp_path: Path
) -> None:
    options = WriteOptions(pictures=str(folder))
    written = write_deck([harbour], tmp_path / "deck.pptx", options=options, keep=tmp_path / "k")
    assert any("zebra.gif" in line for line in written.told)
    pictures = [shape for page in Presentation(str(written.files[0])).slides
                for shape in page.shapes if shape.shape_type == 13 or (shape.is_placeholder
                and hasattr(shape, "image"))]  # fmt: skip
    words = {one._element.nvPicPr.cNvPr.get("descr") for one in pictures}
    assert words & {"Fewer accidents at work", "new Crane at night", "Ships waiting for the pilot"}
    assert all(one.crop_left + one.crop_top > 0 for one in pictures)


Reply = tuple[int, dict[str, str], bytes]


class Service:
    """An image service on the loopback: replies in turn, the last for ever."""

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.asked = list(replies), list[dict[str, Any]]()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.asked.append({"path": self.path, "key": self.headers.get("Authorization"),
                                      **json.loads(body)})  # fmt: skip
                self._send(*service.replies[min(len(service.asked), len(service.replies)) - 1])

            def do_GET(self) -> None:
                self._send(200, {}, png(7))

            def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Service]]:
    running: list[Service] = []
    for name in ("DECKLAB_IMAGE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def start(*replies: Reply) -> Service:
        running.append(Service(*replies))
        return running[-1]

    yield start
    for one in running:
        one.server.shutdown()
        one.server.server_close()


def said(data: object, status: int = 200, **headers: str) -> Reply:
    return status, headers, json.dumps(data).encode()


GOOD = said({"data": [{"b64_json": base64.b64encode(png()).decode()}]})


def generated(one: Service, folder: Path, most: int = 2) -> tuple[DeckPlan, list[str], list[float]]:
    waits: list[float] = []
    model = ImageModel("painter", f"{one.url}/v1", most)
    made = with_generated(
        PLAN, PictureService(model, folder, waits.append), "light", lambda _line: None
    )
    return (*made, waits)


def test_pictures_are_made_within_the_budget_and_never_paid_twice(
    service: Callable[..., Service], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKLAB_IMAGE_API_KEY", "k1")
    one = service(GOOD)
    plan, told, _ = generated(one, tmp_path)
    assert told == [] and len(one.asked) == 2
    assert one.asked[0]["path"] == "/v1/images/generations" and one.asked[0]["key"] == "Bearer k1"
    assert (one.asked[0]["model"], one.asked[0]["n"]) == ("painter", 1)
    assert "Ships from 31 countries" in one.asked[0]["prompt"]
    shown = [page.picture for page in plan.slides if page.picture]
    assert [picture.alt for picture in shown] == [
        "Generated picture: Traffic", "Generated picture: Machines",
    ]  # fmt: skip
    assert plan.slides[0].notes == "The picture was generated by painter."
    assert generated(one, tmp_path)[0] == plan and len(one.asked) == 2


def test_a_picture_at_an_address_of_the_same_host_is_fetched_and_no_other(
    service: Callable[..., Service], tmp_path: Path
) -> None:
    one = service(GOOD)
    one.replies = [said({"data": [{"url": f"{one.url}/made.png"}]}),
                   said({"data": [{"url": "http://elsewhere.example/made.png"}]})]  # fmt: skip
    plan, told, _ = generated(one, tmp_path, most=1)
    assert plan.slides[0].picture is not None and told == []
    one.asked.clear()
    one.replies.pop(0)
    _, told, _ = generated(one, tmp_path / "other", most=1)
    assert all("another host" in line for line in told) and len(told) == 3


def test_a_busy_service_is_asked_again_and_a_failing_one_given_up(
    service: Callable[..., Service], tmp_path: Path
) -> None:
    busy = said({"error": {"message": "slow down"}}, 429, **{"Retry-After": "3"})
    plan, told, waits = generated(service(busy, GOOD), tmp_path / "a", most=1)
    assert plan.slides[0].picture is not None and told == [] and waits == [3.0]
    one = service(said({"error": {"message": "boom"}}, 500))
    plan, told, waits = generated(one, tmp_path / "b", most=1)
    assert plan == PLAN and len(one.asked) == 9 and len(told) == 3
    assert waits == [2.0, 4.0] * 3  # each of three pictures is asked for three times
    assert told[0] == "no picture for 'Traffic' by painter: HTTP 500: boom"


@pytest.mark.parametrize(("asked", "waited"), [("3600", 20.0), ("-5", 0.0), ("soon", 2.0)])
def test_a_service_is_never_waited_for_longer_than_20_seconds(
    asked: str, waited: float, service: Callable[..., Service], tmp_path: Path
) -> None:
    busy = said({"error": {"message": "slow down"}}, 503, **{"Retry-After": asked})
    plan, _, waits = generated(service(busy, GOOD), tmp_path, most=1)
    assert plan.slides[0].picture is not None and waits == [waited]


@pytest.mark.parametrize(
    ("reply", "problem", "requests"),
    [
        (said({"error": {"message": "against our policy"}}, 400), "HTTP 400: against our pol", 3),
        (said({"error": {"message": "no such key"}}, 401), "HTTP 401: no such key", 1),
        ((404, {}, b"<html>"), "HTTP 404", 1),
        ((302, {"Location": "/elsewhere"}, b""), "HTTP 302", 3),
        ((200, {}, b"not json"), "no picture in it", 3),
        (said({"data": []}), "no picture in it", 3),
        (said({"data": ["x"]}), "no picture in it", 3),
        (said({"data": [{"b64_json": "@@"}]}), "no picture in it", 3),
        (said({"data": [{"b64_json": base64.b64encode(b"words").decode()}]}), "is no picture", 3),
    ],
)
def test_what_is_no_picture_is_told_and_the_deck_goes_on(
    reply: Reply, problem: str, requests: int, service: Callable[..., Service], tmp_path: Path
) -> None:
    one = service(reply)
    plan, told, _ = generated(one, tmp_path)
    assert plan == PLAN and len(one.asked) == requests == len(told)
    assert problem in told[0]
    assert not list(tmp_path.glob("*.png"))


def test_a_service_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    model = ImageModel("painter", "http://127.0.0.1:9/v1")
    _, told = with_generated(PLAN, PictureService(model, tmp_path), "light", lambda _line: None)
    assert len(told) == 1 and "cannot be reached" in told[0]
