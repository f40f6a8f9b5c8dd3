import pytest

from decklab.metrics.accessibility.links import is_address, is_vague

URL = "https://example.org"


@pytest.mark.parametrize(
    "words", ["Click here", "here.", "READ  MORE »", "this link", "Saiba mais"]
)
def test_words_that_lead_anywhere(build, words):
    assert is_vague(words)
    (found,) = build.lint(build.text("For the data ", build.run(words, url=URL)))
    assert found.rule == "accessibility.link-text" and found.severity == "warning"


@pytest.mark.parametrize("words", ["Annual report", "here be dragons", "aka.ms/learn"])
def test_words_that_tell(build, words):
    assert not is_vague(words) and build.lint(build.text(build.run(words, url=URL))) == []


def test_a_long_address_is_tiring_and_a_short_one_is_not(build):
    long = "https://example.org/reports/2024/annual.html"
    assert is_address(long) and not is_address("https://aka.ms/learn")
    (found,) = build.lint(build.text(build.run(long, url=long)))
    assert found.severity == "info" and "is an address" in found.message


def test_the_runs_of_one_link_are_one_text(build):
    runs = [build.run("Annual report: read ", url=URL), build.run("more", url=URL)]
    assert build.lint(build.text(*runs)) == []
    (found,) = build.lint(
        build.text(build.run("Report", url=URL), " or ", build.run("more", url=URL))
    )
    assert '"more"' in found.message


def test_words_without_a_link_are_words(build):
    assert build.lint(build.text("Click here", " to begin")) == []
