"""The paragraph on how numbers were made."""

import hashlib

from decklab.core.version import VERSION
from decklab.evals.results.methods import methods_text, prompt_hash
from decklab.metrics.statistics import SEED


def test_it_names_version_facts_prompts_and_seed():
    text = methods_text(
        "Trial", facts={"Judge": "openai/gpt-5"}, prompts=["decklab.evals.judges.scenario"]
    )
    assert VERSION in text and "judge: openai/gpt-5." in text and f"seed {SEED}" in text
    assert prompt_hash("decklab.evals.judges.scenario") in text


def test_the_hash_is_of_the_prompts_and_changes_with_them(tmp_path, monkeypatch):
    package = tmp_path / "judging"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    assert prompt_hash("judging") == ""
    (package / "prompts.toml").write_text("a = 'Be fair.'")
    expected = hashlib.sha256(b"prompts.toml\na = 'Be fair.'").hexdigest()[:12]
    assert prompt_hash("judging") == expected
    (package / "prompts.toml").write_text("a = 'Be kind.'")
    assert prompt_hash("judging") != expected


def test_without_facts_and_prompts_it_still_stands():
    assert "Of the run" not in methods_text("Trial", facts={})
