"""Annotations for GitHub Actions: one workflow command a line, whatever a message holds."""

from decklab.core.errors import DeckError
from decklab.core.results import Finding
from decklab.linting.lint import LintResult
from decklab.linting.sarif import github_lines


def test_messages_and_paths_are_escaped():
    # GitHub, "Workflow commands": % CR LF in messages, and : , in properties.
    finding = Finding(
        rule="text.small", severity="warning", message="50 %: small\nprint", slide=2, fix="Larger."
    )
    deck = LintResult("a,b:c.pptx", 3, (finding,))
    assert list(github_lines([deck, DeckError("x.pptx", "it is empty")])) == [
        "::warning file=a%2Cb%3Ac.pptx,line=1,title=text.small::"
        "slide 2: 50 %25: small%0Aprint%0AFix: Larger.",
        "::error file=x.pptx,line=1,title=deck not read::x.pptx: it is empty",
    ]


def test_notes_are_notices_and_the_whole_deck_has_no_slide():
    finding = Finding(rule="a.b", severity="info", message="m")
    assert list(github_lines([LintResult("d.pptx", 1, (finding,))])) == [
        "::notice file=d.pptx,line=1,title=a.b::deck: m"
    ]
    assert list(github_lines([])) == []
