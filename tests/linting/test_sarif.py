"""SARIF against what the OASIS standard 2.1.0 requires of a log."""

import json

import pytest

from decklab.core.errors import DeckError
from decklab.core.geometry import Box
from decklab.core.results import Finding
from decklab.linting.lint import LintResult
from decklab.linting.rules.every import LINT_RULES
from decklab.linting.sarif import sarif_log

LEVELS = {"none", "note", "warning", "error"}  # section 3.27.10


@pytest.fixture
def log():
    overflow = Finding(
        rule="text.overflow", severity="warning", message="It runs over.", slide=3,
        shape="Title 1 (id 2)", box=Box(1, 2.251, 3, 4), measured=12.5, threshold=6.0,
        fix="Shorten it.",
    )  # fmt: skip
    whole = Finding(rule="accessibility.language", severity="info", message="No language.")
    read = LintResult("a deck/talk ü.pptx", 4, (overflow, whole), {"text.small": "no LibreOffice"})
    made = sarif_log([read, DeckError("broken.pptx", "the file may be cut short")])
    return json.loads(json.dumps(made))


def test_the_log_has_what_the_standard_requires(log):
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "decklab"
    for rule in driver["rules"]:
        assert rule["id"] and rule["shortDescription"]["text"] and rule["help"]["text"]
        assert rule["fullDescription"]["text"].startswith(rule["shortDescription"]["text"])
        assert rule["defaultConfiguration"]["level"] in LEVELS
    assert [rule["id"] for rule in driver["rules"]] == list(LINT_RULES)
    for result in run["results"]:
        assert result["message"]["text"] and result["level"] in LEVELS
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_result_says_where_it_is(log):
    run = log["runs"][0]
    overflow, whole = run["results"]
    place = overflow["locations"][0]
    artifact = place["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "a%20deck/talk%20%C3%BC.pptx", "index": 0}
    assert run["artifacts"][artifact["index"]]["location"]["uri"] == artifact["uri"]
    (logical,) = place["logicalLocations"]
    assert logical["fullyQualifiedName"] == "slide 3/Title 1 (id 2)"
    assert overflow["properties"] == {
        "measured": 12.5, "threshold": 6.0, "box": [1, 2.25, 3, 4], "fix": "Shorten it.",
    }  # fmt: skip
    assert "logicalLocations" not in whole["locations"][0] and whole["level"] == "note"


def test_what_was_not_done_is_a_notification(log):
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    failed, skipped = invocation["toolExecutionNotifications"]
    assert (failed["level"], failed["message"]["text"]) == (
        "error", "broken.pptx: the file may be cut short",
    )  # fmt: skip
    assert skipped["associatedRule"]["id"] == "text.small" and skipped["level"] == "warning"


def test_no_decks_make_an_empty_run():
    (run,) = sarif_log([])["runs"]
    assert run["results"] == [] and run["invocations"][0]["executionSuccessful"]


def test_one_cause_on_several_slides_is_one_result_that_names_them():
    finding = Finding(
        rule="text.small", severity="warning", message="Small.", slide=2, slides=(2, 4, 7)
    )
    run = sarif_log([LintResult("deck.pptx", 7, (finding,))])["runs"][0]
    (result,) = run["results"]
    related = [item["logicalLocations"][0]["name"] for item in result["relatedLocations"]]
    assert related == ["slide 4", "slide 7"]
    alone = finding.model_copy(update={"slides": ()})
    (result,) = sarif_log([LintResult("deck.pptx", 7, (alone,))])["runs"][0]["results"]
    assert "relatedLocations" not in result


def test_rules_lead_to_their_pages_where_these_are_known():
    for address in ("https://example.org/rules", "https://example.org/rules/"):
        (run,) = sarif_log([], address)["runs"]
        uris = {rule["id"]: rule["helpUri"] for rule in run["tool"]["driver"]["rules"]}
        assert uris["text.small"] == "https://example.org/rules/text.small.md"
    (run,) = sarif_log([], "")["runs"]
    assert all("helpUri" not in rule for rule in run["tool"]["driver"]["rules"])
    assert all("**Fix:**" in rule["help"]["markdown"] for rule in run["tool"]["driver"]["rules"])


@pytest.mark.parametrize(
    ("deck", "uri"),
    [
        ("caf\udce9.pptx", "caf%E9.pptx"),
        ("/talks/caf\udce9.pptx", "file:///talks/caf%E9.pptx"),
        ("50% off #2?.pptx", "50%25%20off%20%232%3F.pptx"),
        ("/a b.pptx", "file:///a%20b.pptx"),
    ],
)
def test_every_name_of_a_file_is_an_address(deck, uri):
    (run,) = sarif_log([LintResult(deck, 1, ())])["runs"]
    assert run["artifacts"] == [{"location": {"uri": uri}}]
