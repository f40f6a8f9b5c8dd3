"""What a busy reader wants of a document: what is recommended or asked for, what came out, and by
when; each in a sentence that is understood alone."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from decklab.core.options import DocumentKindName
from decklab.documents.shortening import points_away
from decklab.writer.story.importance import Weighed, has_fact
from decklab.writer.story.kinds import SectionRole
from decklab.writer.story.material import Topic
from decklab.writer.story.passages import FULL_WORDS
from decklab.writer.story.titles import is_plain, states

_ROLES: Final[tuple[SectionRole, ...]] = (
    "summary", "recommendation", "decisions", "ask", "conclusion", "findings", "findings",
    "actions",
)  # fmt: skip
"""Sections whose best statement a summary has, the most important first. Ours."""
_OWN: Final = 14
"""Statements of a summary that the deck takes for its own; a longer one is a part. Ours."""
_WITHOUT: Final = frozenset({"minutes", "faq", "how-to", "manual", "data"})
"""Kinds whose first pages say what matters, or whose statements lean on their headings. Ours."""
_ANSWER_FIRST: Final = frozenset({"comparison", "memo"})
_LEAST_NOUN: Final = 4
_MOST_POINTS, _MOST_WORDS, _LEAST_STANDING, _ALIKE = 5, 40, 0.7, 0.5
_ASKS: Final = re.compile(
    r"\b(?:recommend\w*|propos(?:e|es|ed|al)|asks?|requests?|should|decision is needed|decided|"
    r"please|approve|conclude|empfehl\w*|schlagen vor|schlägt vor|bitten?|beantrag\w*|"
    r"recommand\w*|propos(?:ons|e)|recomend\w*|propone\w*|solicit\w*)\b|建议|请",
    re.IGNORECASE,
)
_RESULTS: Final = re.compile(
    r"\b(?:rose|fell|grew|dropped|saved?|costs?|earned|\w+est|least|most|less|fewer|lower|higher|increas\w+|"
    r"decreas\w+|reduc\w+|improv\w+|outperform\w*|surplus|deficit|failed|late|stieg|sank|ergab|"
    r"weniger|mehr als|gesunken|gestiegen|spart|beträgt|kostet)\b|超过|完成|慢|快",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(r"\((?:\d|i+|[a-z])\)")
_ASKED, _FOUND, _SETTING = 3.0, 1.6, 0.6
"""How much rather a summary has what is asked for, and what came out, than the setting. Ours."""


def summary_statements(
    weights: Weighed, owners: Mapping[int, Topic], kind: DocumentKindName
) -> tuple[list[int], set[int]]:
    """The statements of a summary in the order in which it says them, and all of the summary of
    the document itself if they are of that; nothing where too little is fit for one."""
    if kind in _WITHOUT:
        return [], set()
    own = {at for at, topic in owners.items() if topic.role == "summary"}
    own = {at for at in own if not weights.statements[at].flaw}
    fit = [at for at, topic in owners.items() if _is_fit(at, weights, topic.role)]
    pool = [at for at in fit if at in own] if 2 <= len(own) <= _OWN else []
    whole = own if len(pool) > 1 else set()
    chosen: list[int] = []
    ranked = sorted(pool if whole else fit, key=lambda at: (-_worth(at, weights, owners[at]), at))
    offered = ranked if whole else _by_roles(ranked, owners)
    if offered and not whole:
        leads = [at for at in ranked if weights.statements[at].lead and at not in offered]
        found = [at for at in leads if _finds(weights.statements[at].text)]
        offered += found[:2] if found or len(offered) > 1 else leads[:2]
    for at in offered:
        words = sum(weights.statements[other].words for other in (*chosen, at))
        alike = any(
            weights.likeness(at, other) >= _ALIKE or _begins(at, weights) == _begins(other, weights)
            for other in chosen
        )
        if len(chosen) < _MOST_POINTS and words <= FULL_WORDS and not alike:
            chosen.append(at)
    if len(chosen) < 2:
        return [], set()
    answers = kind in _ANSWER_FIRST
    asked = {at for at in chosen if answers and _asks(at, weights, owners[at])}
    return sorted(chosen, key=lambda at: (at not in asked, at)), whole


def _is_fit(at: int, weights: Weighed, role: SectionRole) -> bool:
    """Whether a statement is a sentence that says something without its neighbours."""
    item = weights.statements[at]
    leans = item.needs_before and role not in _ROLES
    if item.flaw or leans or item.opens_list or item.standing < _LEAST_STANDING:
        return False
    whole = item.evidence.quote.rstrip().endswith((".", "!", "。"))
    return (
        role not in ("options", "appendix")
        and 3 < item.words <= _MOST_WORDS
        and is_plain(item.text)
        and _COUNTED.search(item.text) is None
        and not points_away(item.text)
        and (not item.item or role in _ROLES)
        and ((whole and not item.item) or states(item.text))
    )


def _asks(at: int, weights: Weighed, owner: Topic) -> bool:
    item = weights.statements[at]
    named = owner.role == "recommendation" and at == weights.of(owner).start
    return named or _ASKS.search(item.text) is not None


def _begins(at: int, weights: Weighed) -> list[str]:
    """The subject of a statement as far as its first words show it."""
    words = weights.statements[at].text.split()[:2]
    return words[:1] if len(words[0]) > _LEAST_NOUN else words


def _worth(at: int, weights: Weighed, owner: Topic) -> float:
    text = weights.statements[at].text
    if _asks(at, weights, owner):
        return _ASKED * weights.scores[at]
    return (_FOUND if _finds(text) else _SETTING) * weights.scores[at]


def _finds(text: str) -> bool:
    return _RESULTS.search(text) is not None and has_fact(text)


def _by_roles(ranked: Sequence[int], owners: Mapping[int, Topic]) -> list[int]:
    """The best statement of each role that a summary has, of findings two."""
    chosen: list[int] = []
    for role in _ROLES:
        chosen += [at for at in ranked if owners[at].role == role and at not in chosen][:1]
    return chosen
