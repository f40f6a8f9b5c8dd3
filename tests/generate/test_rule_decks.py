"""The decks in the pictures of the rules: one breaks each rule on its slide, one breaks none."""

from collections import defaultdict

import pytest
from generate.rule_decks import RULE_SLIDES, slide_of, write_rule_deck
from generate.rule_pictures import FOLDER, MOST_BYTES
from PIL import Image

from decklab.linting.lint import lint
from decklab.linting.rules.every import LINT_RULES
from decklab.rendering.renderer import Cache, Renderer


@pytest.fixture(scope="module")
def renderer(tmp_path_factory):
    with Renderer(cache=Cache(tmp_path_factory.mktemp("cache"))).started() as renderer:
        yield renderer


def test_every_rule_has_its_slides_and_its_picture():
    assert set(RULE_SLIDES) == set(LINT_RULES) - {"slide.not-drawn"}, "of that there is no picture"
    assert {path.stem for path in FOLDER.glob("*.webp")} == set(RULE_SLIDES)
    for path in FOLDER.glob("*.webp"):
        assert path.stat().st_size < MOST_BYTES
        with Image.open(path) as picture:
            left, right = (picture.crop((x, 30, x + 400, picture.height)) for x in (0, 412))
        assert left.tobytes() != right.tobytes()


@pytest.mark.long
def test_each_slide_of_the_bad_deck_breaks_its_rule_and_no_other(renderer, tmp_path):
    result = lint(write_rule_deck(tmp_path / "bad.pptx", bad=True), renderer=renderer)
    assert not result.not_run
    found = defaultdict(set)
    for finding in result.findings:
        for slide in finding.slides or (finding.slide,):
            found[slide].add(finding.rule)
    damaged, title = "package.damaged-part", "accessibility.duplicate-slide-title"
    own = {slide_of(rule): {rule} for rule in RULE_SLIDES if rule != damaged}
    # Damage is told of the deck; a repeated title of both slides.
    assert dict(found) == own | {None: {damaged}, len(RULE_SLIDES) + 1: {title}}


@pytest.mark.long
def test_the_good_deck_breaks_no_rule(renderer, tmp_path):
    result = lint(write_rule_deck(tmp_path / "good.pptx", bad=False), renderer=renderer)
    assert result.findings == () and not result.not_run
