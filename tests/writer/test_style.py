import json
from pathlib import Path
from typing import Any

import pytest
from tests.writer.scripted import STYLE, Script

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.board.themes import THEMES, DesignTheme
from decklab.core.errors import ModelFailed, PlanError
from decklab.models.asking_loop import PicturesUnseen
from decklab.writer.request import WriteOptions
from decklab.writer.style import (
    DeckStyle,
    StyledTheme,
    ask_style,
    choose_draft,
    kept_style,
    style_of,
    styled,
    write_style,
)

LIGHT = THEMES["light"]
DECK = DeckPlan(title="T", slides=(SlidePlan(layout="title", title="The harbour"),))


def style(**colors: str) -> dict[str, Any]:
    return {**STYLE, "colors": {**STYLE["colors"], **colors}}


def asked(*replies: Any, theme: str = "light") -> tuple[StyledTheme, Script]:
    script = Script(style=list(replies))
    return ask_style(DECK, WriteOptions(prompt="ships"), THEMES[theme], script), script


def contrast(one: str, other: str) -> float:
    """WCAG 2.2 relative luminance, by its formula."""

    def luminance(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(
            share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
        )

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", list(THEMES))
def test_a_theme_with_its_own_slots_is_the_same_theme(name: str) -> None:
    theme = THEMES[name]
    assert styled(theme, style_of(theme)) == theme


def test_slots_reach_the_theme() -> None:
    got, script = asked({**style(accent="#0b6e4f"), "spacing": 6, "opening": {
        "ground": "accent", "align": "center",
    }})  # fmt: skip
    assert script.asked["style"] == 1 and got.told == ()
    theme = got.theme
    assert (theme.name, theme.colors.accent, theme.spacing) == ("light", "#0B6E4F", 6)
    opening = theme.role("opening")
    assert (opening.ground, opening.title, opening.align) == ("accent", "background", "center")
    assert all(shape.box.width >= 864 for shape in opening.decor)
    assert theme.role("body") == LIGHT.role("body")
    assert "ships" in script.prompts[0] and "The harbour" in script.prompts[0]


def test_a_pair_that_cannot_be_read_is_sent_back_with_the_cause() -> None:
    got, script = asked(style(muted="#C0C0C0"), style(muted="#505050"))
    assert script.asked["style"] == 2
    ratio = contrast("#C0C0C0", "#FFFFFF")
    assert f"muted on background has a contrast of {ratio:.1f}:1" in script.prompts[1]
    assert got.theme.colors.muted == "#505050" and got.told == ()


def test_a_model_that_insists_leaves_the_theme() -> None:
    got, script = asked(style(muted="#C0C0C0", accent="#0B6E4F"))
    assert script.asked["style"] == 3 and got.theme == LIGHT
    assert "muted on background" in got.told[0]


@pytest.mark.parametrize("name", list(THEMES))
def test_every_pair_that_is_measured_is_told_before(name: str) -> None:
    theme = THEMES[name]
    for color in ("#FFFFFF", "#000000", "#808080", "#FF0000"):
        given = {**style_of(theme).model_dump(), "colors": dict.fromkeys(STYLE["colors"], color)}
        script = Script(style=[given])
        ask_style(DECK, WriteOptions(), theme, script)
        told = script.prompts[0].partition("contrasts: ")[2].partition(". Larger")[0]
        refused = script.prompts[1].partition("could not be used: ")[2].splitlines()[0]
        for problem in refused.split("; "):
            assert problem.partition(" has a contrast")[0] in told


def test_a_style_in_which_pages_run_over_is_sent_back_with_the_cause() -> None:
    def fault(look: DesignTheme) -> str | None:
        return "page 3 runs over" if look.spacing > 6 else None

    script = Script(style=[{**STYLE, "spacing": 12}, {**STYLE, "spacing": 6}])
    got = ask_style(DECK, WriteOptions(), LIGHT, script, fault)
    assert got.theme.spacing == 6 and "page 3 runs over" in script.prompts[1]
    got = ask_style(DECK, WriteOptions(), LIGHT, Script(style=[{**STYLE, "spacing": 12}]), fault)
    assert got.theme == LIGHT and "page 3 runs over" in got.told[0]


@pytest.mark.parametrize(
    "bad",
    ["no JSON", {}, style(accent="green"), {**STYLE, "spacing": 99}, {"colors": STYLE["colors"]}],
    ids=["prose", "empty", "a colour by name", "a space too large", "slots missing"],
)
def test_a_style_in_another_form_is_asked_again_then_the_theme_stands(bad: Any) -> None:
    got, script = asked(bad, style(accent="#0B6E4F"))
    assert script.asked["style"] == 2 and got.theme.colors.accent == "#0B6E4F"
    got, script = asked(bad)
    assert script.asked["style"] == 3
    assert got.theme == LIGHT
    (line,) = got.told
    assert line.startswith("style: the theme light stays as it is: ")


def test_a_server_that_fails_ends_the_stage() -> None:
    with pytest.raises(ModelFailed):
        asked(ModelFailed("script", "down"))


def test_a_kept_style_can_be_changed_by_a_person(tmp_path: Path) -> None:
    path = tmp_path / "style.json"
    write_style("light", DeckStyle.model_validate(style(accent="#0B6E4F")), path)
    path.write_text(path.read_text().replace("#0B6E4F", "#8A1C1C"))
    assert kept_style(path, LIGHT).theme.colors.accent == "#8A1C1C"
    other = kept_style(path, THEMES["dark"])
    assert other.theme == THEMES["dark"] and "for the theme light" in other.told[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["style"]["colors"].update(text="#FFFFFF"), "text on background"),
        (lambda data: data["style"]["colors"].update(text="white"), "style.colors.text"),
        (lambda data: data.pop("theme"), "theme: is missing"),
    ],
)
def test_a_kept_style_that_gives_no_theme_is_one_line(
    tmp_path: Path, change: Any, said: str
) -> None:
    data = {"theme": "light", "style": style()}
    change(data)
    path = tmp_path / "style.json"
    path.write_text(json.dumps(data))
    with pytest.raises(PlanError, match=said) as caught:
        kept_style(path, LIGHT)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def drafts_of(*names: str) -> list[StyledTheme]:
    looks = {name: THEMES[name] for name in names}
    return [StyledTheme(look, style_of(look), (f"told by {name}",)) for name, look in looks.items()]


@pytest.mark.chromium
@pytest.mark.parametrize(
    ("reply", "chosen", "told"),
    [
        ({"best": 2, "reason": "r"}, "dark", 0),
        ({"best": 9, "reason": "r"}, "light", 1),
        ("no form", "light", 1),
        (PicturesUnseen("script", "blind"), "light", 0),
    ],
    ids=["the second", "none of that number", "no answer", "a model that does not see"],
)
def test_the_draft_with_the_best_picture_is_taken(reply: Any, chosen: str, told: int) -> None:
    plan = DeckPlan(title="T", slides=DECK.slides * 5)
    script = Script(drafts=[reply])
    got = choose_draft(plan, WriteOptions(), drafts_of("light", "dark"), script)
    assert got.theme.name == chosen
    assert got.told[:2] == ("told by light", "told by dark") and len(got.told) == 2 + told
    images = script.images[0][1]
    assert len(images) == 2 and images[0] != images[1]
    assert got.usage.requests == (0 if isinstance(reply, Exception) else script.asked["drafts"])
