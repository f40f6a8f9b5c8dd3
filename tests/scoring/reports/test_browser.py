"""The pages as people meet them: in Chromium, on a desk and on a phone, by day and by night."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from decklab.core.results import DeckResult
from decklab.pages.pictures import SlidePicture
from decklab.scoring.reports.deck_page import write_deck_page
from decklab.scoring.reports.leaderboard_page import LeaderboardRow, write_index

ResultMaker = Callable[..., DeckResult]
PictureMaker = Callable[..., dict[int, SlidePicture]]
pytestmark = pytest.mark.chromium

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield started
        started.close()


class Visit:
    """An open page, and all it complained about or asked for."""

    def __init__(self, browser: Any, path: Path, **context: Any) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._context = browser.new_context(**context)
        self.page = self._context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())

    def __enter__(self) -> "Visit":
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()


def viewport(width: int, **rest: object) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": 800}, **rest}


@pytest.fixture(scope="module")
def deck_page(
    tmp_path_factory: pytest.TempPathFactory, scored: ResultMaker, pictures: PictureMaker
) -> Path:
    path = tmp_path_factory.mktemp("deck") / "deck.html"
    name = "talks/a_rather_long_deck_name_without_any_space_in_it_at_all_2025_final.pptx"
    write_deck_page(path, scored(deck=name, slides=40, findings=120), pictures(40))
    return path


@pytest.fixture(scope="module")
def index_page(
    tmp_path_factory: pytest.TempPathFactory,
    scored: ResultMaker,
    failed: DeckResult,
    without_slides: DeckResult,
    pictures: PictureMaker,
) -> Path:
    path = tmp_path_factory.mktemp("index") / "index.html"
    rows = [LeaderboardRow.of(failed), LeaderboardRow.of(without_slides)]
    for i in range(30):
        deck = scored(
            deck=f"talks/quarterly review {i}.pptx", slides=(i * 7) % 41 + 1, level=i % 6,
            findings=i % 4, parts=((i * 5) % 7 - 2.0, 6.0, 7.0, (i * 3) % 11 / 1.0),
        )  # fmt: skip
        rows.append(LeaderboardRow.of(deck, page=f"decks/{i}.html", cover=pictures(3)[i % 3 + 1]))
    write_index(path, rows)
    return path


@pytest.mark.by_day(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("kind", ["deck_page", "index_page"])
def test_a_page_fits_the_screen_asks_for_nothing_and_complains_of_nothing(
    browser: Any, request: pytest.FixtureRequest, kind: str, width: int, scheme: str
) -> None:
    path = request.getfixturevalue(kind)
    with Visit(browser, path, **viewport(width, color_scheme=scheme)) as visit:
        visit.page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        widths = visit.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert widths[0] == widths[1] == width
        outside = [url for url in visit.requests if not url.startswith("data:")]
        assert outside == [path.as_uri()]
        assert visit.complaints == []


@pytest.mark.long
def test_a_deck_of_40_slides_makes_a_page_under_5_mb_with_every_picture_shown(
    browser: Any, deck_page: Path, pictures: PictureMaker
) -> None:
    weight = sum(len(picture.data) for picture in pictures(40).values())
    assert weight > 2_500_000
    assert deck_page.stat().st_size < 5_000_000
    with Visit(browser, deck_page, **viewport(1280)) as visit:
        shown = visit.page.evaluate(
            "Promise.all([...document.querySelectorAll('image')].map(async (svg) => {"
            " const picture = new Image(); picture.src = svg.href.baseVal;"
            " await picture.decode(); return picture.naturalWidth }))"
        )
        assert shown == [960] * 40
        thumbnails = visit.page.evaluate(
            "[...document.querySelectorAll('.film use')].filter("
            " (use) => use.getBoundingClientRect().width > 50).length"
        )
        assert thumbnails == 40


@pytest.mark.long
def test_the_filmstrip_shows_the_slides_themselves(browser: Any, deck_page: Path) -> None:
    with Visit(browser, deck_page, **viewport(1280)) as visit:
        shot = visit.page.locator(".film .shot").first.screenshot()
        empty = visit.page.evaluate("document.querySelector('.film use').remove()")
        assert empty is None
        assert visit.page.locator(".film .shot").first.screenshot() != shot


@pytest.mark.long
def test_every_finding_leads_to_its_slide(browser: Any, deck_page: Path) -> None:
    with Visit(browser, deck_page, **viewport(1280)) as visit:
        links = visit.page.evaluate(
            "[...document.querySelectorAll('#findings a')].map((a) => ["
            " a.getAttribute('href'), a.textContent,"
            " document.querySelector(a.getAttribute('href'))?.querySelector('h3').textContent])"
        )
        assert len(links) == 80
        assert all(text == title for _, text, title in links)
        visit.page.locator("#findings a").first.click()
        visit.page.wait_for_function("document.querySelector(':target')")
        target = visit.page.evaluate("document.querySelector(':target').id")
        assert f"#{target}" == links[0][0]


LUMINANCE = """(selector) => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const colour = rgb(getComputedStyle(element).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll(selector)]
    .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
    .filter((e) => e.getClientRects().length && !e.closest('.sample'))
    .map((e) => {
      const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
}"""


@pytest.mark.by_day(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["deck_page", "index_page"])
def test_all_text_stands_out_from_its_ground(
    browser: Any, request: pytest.FixtureRequest, kind: str, scheme: str
) -> None:
    path = request.getfixturevalue(kind)
    with Visit(browser, path, **viewport(1280, color_scheme=scheme)) as visit:
        ratios = visit.page.evaluate(LUMINANCE, "body :not(script):not(style):not(svg *)")
        assert len(ratios) > 100
        assert min(ratios) >= 4.5


def column(visit: Visit, index: int) -> list[str]:
    rows: list[str] = visit.page.evaluate(
        f"[...document.querySelectorAll('.board tbody tr')].map("
        f"(row) => row.cells[{index}].dataset.value)"
    )
    return rows


def test_a_click_sorts_by_a_column_and_unscored_decks_stay_last(
    browser: Any, index_page: Path
) -> None:
    with Visit(browser, index_page, **viewport(1280)) as visit:
        totals = column(visit, 3)
        assert totals[-1] == ""
        numbers = [float(total) for total in totals[:-1]]
        assert numbers == sorted(numbers, reverse=True)
        head = visit.page.get_by_role("button", name="Harmony")
        for reverse, state in ((True, "descending"), (False, "ascending")):
            head.click()
            shown = column(visit, 4)
            values = [float(value) for value in shown[:-1]]
            assert values == sorted(values, reverse=reverse)
            assert shown[-1] == ""
            assert visit.page.locator("th[aria-sort=none]").count() == 9
            assert (
                visit.page.locator(f"th[aria-sort={state}]")
                .inner_text()
                .strip()
                .endswith("Harmony")
            )
        visit.page.get_by_role("button", name="Deck").press("Enter")
        names = column(visit, 0)
        assert names == sorted(names, key=lambda n: [int(d) for d in re.findall(r"\d+", n)])


@pytest.mark.long
def test_pages_are_whole_without_javascript(
    browser: Any, deck_page: Path, index_page: Path
) -> None:
    with Visit(browser, index_page, **viewport(1280, java_script_enabled=False)) as visit:
        assert visit.page.locator(".board tbody tr").count() == 31
        assert visit.page.locator("th button:enabled").count() == 0
        assert visit.page.locator("svg.wide .deck-dot").count() == 30
    with Visit(browser, deck_page, **viewport(1280, java_script_enabled=False)) as visit:
        closed = visit.page.locator("details.group:not([open]) > summary").first
        closed.click()
        assert visit.page.locator("details.group[open]").count() == 2


@pytest.mark.parametrize(("width", "kind"), [(1280, "wide"), (360, "narrow")])
def test_labels_of_the_matrix_do_not_collide(
    browser: Any, index_page: Path, width: int, kind: str
) -> None:
    with Visit(browser, index_page, **viewport(width)) as visit:
        boxes = visit.page.evaluate(
            f"[...document.querySelectorAll('svg.{kind} .deck-label, svg.{kind} .quad')].map("
            "(label) => { const b = label.getBBox();"
            " return [b.x, b.y + 2, b.x + b.width, b.y + b.height - 2] })"
        )
        assert len(boxes) > 8
        for i, (left, top, right, bottom) in enumerate(boxes):
            for x0, y0, x1, y1 in boxes[:i]:
                assert right <= x0 or x1 <= left or bottom <= y0 or y1 <= top


@pytest.mark.parametrize("width", [1280, 360])
def test_exactly_one_variant_of_each_chart_is_shown(
    browser: Any, deck_page: Path, width: int
) -> None:
    with Visit(browser, deck_page, **viewport(width)) as visit:
        shown = visit.page.evaluate(
            "[...document.querySelectorAll('#rhythm svg.plot')].filter("
            "(svg) => svg.getClientRects().length).map((svg) => svg.getAttribute('aria-label'))"
        )
        assert len(shown) == len(set(shown)) == 3


def test_the_keyboard_reaches_the_content_first(browser: Any, deck_page: Path) -> None:
    with Visit(browser, deck_page, **viewport(1280)) as visit:
        visit.page.keyboard.press("Tab")
        focused = "document.activeElement.getAttribute('href')"
        assert visit.page.evaluate(focused) == "#main"
        unnamed = visit.page.evaluate(
            "[...document.querySelectorAll('a[href], button, summary, svg[role=img], img')]"
            ".filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label')"
            " || e.hasAttribute('alt'))).length"
        )
        assert unnamed == 0


def test_hostile_text_does_nothing(
    browser: Any, tmp_path: Path, hostile: DeckResult, pictures: PictureMaker
) -> None:
    write_deck_page(tmp_path / "deck.html", hostile, pictures(2))
    rows = [LeaderboardRow.of(hostile.model_copy(update={"deck": hostile.deck + i})) for i in "ab"]
    write_index(tmp_path / "index.html", rows)
    for name in ("deck.html", "index.html"):
        with Visit(browser, tmp_path / name, **viewport(360)) as visit:
            visit.page.on("dialog", lambda dialog: pytest.fail(dialog.message))
            assert visit.complaints == []
            outside = [url for url in visit.requests if not url.startswith("data:")]
            assert len(outside) == 1
            assert visit.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.long
def test_a_page_can_be_printed_with_everything_open(browser: Any, deck_page: Path) -> None:
    with Visit(browser, deck_page, **viewport(1280)) as visit:
        visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert visit.page.locator("details:not([open])").count() == 0
        assert visit.page.pdf(format="A4")[:5] == b"%PDF-"
