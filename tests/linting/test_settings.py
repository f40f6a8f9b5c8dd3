"""The configuration of lint: where it is found, what it changes, what is refused."""

from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Inches, Pt

from decklab.core.errors import SettingsError
from decklab.linting.lint import lint
from decklab.linting.project import LintOptions, lint_in_project
from decklab.linting.rules.every import LINT_RULES
from decklab.linting.rules.rule import THRESHOLDS, USUAL_LIMITS, RuleLimits
from decklab.linting.settings import UNSET, find_settings, read_settings


def written(folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def test_the_nearest_file_with_the_table_is_used(tmp_path):
    top = written(tmp_path, "pyproject.toml", '[tool.decklab.lint]\nignore = ["title"]\n')
    deck = tmp_path / "talks" / "2026" / "talk.pptx"
    written(deck.parent, "pyproject.toml", "[tool.other]\nx = 1\n")
    assert find_settings(deck).file == top
    near = written(deck.parent.parent, "decklab.toml", '[lint]\nselect = ["text"]\n')
    assert (find_settings(deck).file, find_settings(deck).select) == (near, ("text",))
    assert find_settings(tmp_path / "other.pptx").ignore == ("title",)


def test_nothing_configured_is_every_rule_with_its_own_thresholds(tmp_path):
    assert UNSET.rules_for(tmp_path / "a.pptx") == frozenset(LINT_RULES)
    assert UNSET.limits == USUAL_LIMITS
    assert {THRESHOLDS[name].default for name in THRESHOLDS} == {12, 10, 9, 18, 4.5, 3, 1.5}


def test_rules_are_selected_extended_and_ignored_by_file(tmp_path):
    settings = read_settings(
        written(
            tmp_path,
            "decklab.toml",
            '[lint]\nselect = ["title"]\nextend-select = ["contrast.low"]\n'
            'ignore = ["title.font"]\n'
            '[lint.per-file-ignores]\n"old/*" = ["title.size"]\n"*.potx" = ["contrast"]\n',
        )
    )
    usual = {"title.position", "title.size", "title.shrunk", "contrast.low"}
    assert settings.rules_for(tmp_path / "new.pptx") == usual
    assert settings.rules_for(tmp_path / "old" / "a.pptx") == usual - {"title.size"}
    assert settings.rules_for(tmp_path / "x" / "a.potx") == usual - {"contrast.low"}
    asked = settings.rules_for(tmp_path / "new.pptx", only=["text.small"], ignore=["contrast.low"])
    assert asked == {"text.small"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('selekt = ["text"]', "lint.selekt: there is no such key"),
        ('select = ["text.smal"]', "lint.select: .*did you mean 'text.small'"),
        ("ignore = 3", "lint.ignore: this is no list of names"),
        ('per-file-ignores = {"*" = ["nothing"]}', r"lint.per-file-ignores.\*: no lint rule"),
        ("thresholds = {text = {smal = 3}}", "lint.thresholds.text.smal: no threshold named"),
        ("thresholds = {'shape.drift' = 'a'}", "lint.thresholds.shape.drift: this is no number"),
        ("thresholds = {'contrast.low.text' = 40}", "is 40, not 1 to 21"),
        ('languages = ["English!"]', "lint.languages: 'English!' is no language tag"),
        ("select = [", "it is no TOML$"),
        ("select 3", "it is no TOML from line 2, column 8 on$"),
    ],
)
def test_what_is_wrong_names_file_and_key(tmp_path, text, says):
    file = written(tmp_path, "decklab.toml", f"[lint]\n{text}\n")
    with pytest.raises(SettingsError, match=says) as caught:
        find_settings(tmp_path / "deck.pptx")
    assert str(caught.value).startswith(str(file))


def test_a_file_that_is_named_must_have_the_table(tmp_path):
    with pytest.raises(SettingsError, match=r"no table \[lint\]"):
        read_settings(written(tmp_path, "mine.toml", "[other]\n"))
    with pytest.raises(SettingsError, match="No such file"):
        read_settings(tmp_path / "none.toml")


@pytest.mark.parametrize("name", list(THRESHOLDS))
def test_every_threshold_has_its_place(name):
    known = THRESHOLDS[name]
    changed = RuleLimits.of({name: known.low + 3})
    assert getattr(changed, known.field) == known.low + 3 != known.default
    assert name.startswith(tuple(LINT_RULES)), "its rule"


@pytest.mark.office
def test_thresholds_and_languages_change_what_is_found(tmp_path):
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Harvest"
    box = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(6), Inches(1))
    box.text_frame.text = "Eleven points are enough for us"
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(11)
    for shape in (slide.shapes.title, box):
        shape.text_frame.paragraphs[0].runs[0]._r.get_or_add_rPr().set("lang", "fr-FR")
    deck.save(tmp_path / "deck.pptx")
    assert lint(tmp_path / "deck.pptx").findings == ()
    written(
        tmp_path,
        "decklab.toml",
        '[lint]\nlanguages = ["en", "de-CH"]\n[lint.thresholds]\ntext.small.label = 14\n',
    )
    found = lint_in_project(tmp_path / "deck.pptx", LintOptions()).findings
    assert {item.rule for item in found} == {"text.small", "accessibility.language"}
    small = next(item for item in found if item.rule == "text.small")
    assert (small.measured, small.threshold) == (11, 14)
    written(tmp_path, "decklab.toml", '[lint]\nlanguages = ["fr"]\n')
    assert lint_in_project(tmp_path / "deck.pptx", LintOptions()).findings == ()


def test_the_page_has_every_threshold():
    page = (Path(__file__).parents[2] / "docs" / "lint.md").read_text()
    for name in THRESHOLDS:
        known = THRESHOLDS[name]
        unit = known.unit if known.unit.startswith(":") else f" {known.unit}"
        assert f"| `{name}` | {known.default:g}{unit} | {known.meaning} |" in page
