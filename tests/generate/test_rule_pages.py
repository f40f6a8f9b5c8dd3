"""The pages of the rules: one a rule, and what the code says now."""

from generate.rule_pages import FOLDER, main, pages

from decklab.linting.mend import FIXABLE
from decklab.linting.rules.every import CHECKS, LINT_RULES


def test_the_pages_are_up_to_date(capsys):
    assert main(["--check"]) == 0, capsys.readouterr().out


def test_every_rule_has_its_page_its_reason_and_its_check():
    assert set(CHECKS) == set(LINT_RULES) and all(LINT_RULES[id].why for id in LINT_RULES)
    for id in LINT_RULES:
        page = (FOLDER / f"{id}.md").read_text()
        assert page.startswith(f"# {id}\n") and "## Why" in page and LINT_RULES[id].fix in page
        assert ("`decklab lint --fix` does this" in page) == (id in FIXABLE)
        assert f"[`{id}`]({id}.md)" in pages()["index.md"]
