"""What a busy reader wants of a document: what is recommended or asked for, what came out, what it
costs and by when; each in a sentence that is understood alone.

A summary is a contract by kind of document: for each role it has the best statement, if the
document has one. What sums up the document itself comes before what stands elsewhere.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from decklab.core.options import DocumentKindName
from decklab.documents.shortening import FRAGMENT, by_number, lacks_verb, points_away, tells_option
from decklab.writer.story.importance import Weighed, has_fact
from decklab.writer.story.kinds import SectionRole
from decklab.writer.story.material import Topic
from decklab.writer.story.roles import ASKED, COUNTS, FOUND, StatementRole
from decklab.writer.story.titles import is_plain, states

_ANSWER: Final[frozenset[StatementRole]] = frozenset({"recommendation", "request", "decision"})
_Slots = tuple[frozenset[StatementRole], ...]


def _slots(*roles: StatementRole) -> _Slots:
    return (frozenset({"answer"}), _ANSWER, *(frozenset({role}) for role in roles))


_USUAL: Final = _slots("result", "result", "cost", "deadline", "risk")
_CONTRACTS: Final[dict[DocumentKindName, _Slots]] = {
    "status": (
        frozenset({"light"}),
        frozenset({"status"}),
        *_slots("deadline", "cost", "result", "risk"),
    ),
    "memo": _slots("deadline", "cost", "reason", "result"),
    "comparison": _slots("cost", "result", "deadline", "risk"),
    "paper": (*_slots("result", "result", "result")[2:], _ANSWER),
    "faq": (*_slots("deadline", "cost", "cost", "reason", "result")[2:],),
}
"""The roles that the summary of a kind has, the most important first; of others the usual. Ours."""
_WITHOUT: Final = frozenset({"minutes", "how-to", "manual", "data"})
"""Kinds whose first pages say what matters, or whose statements lean on their headings; they have
a summary if they state one themselves. Ours."""
_ANSWER_FIRST: Final = frozenset({"comparison", "memo"})
_TELLING: Final[frozenset[SectionRole]] = frozenset(
    {"summary", "recommendation", "decisions", "ask", "conclusion", "findings", "actions", "risks"}
)
_ASKING: Final[frozenset[SectionRole]] = frozenset(
    {"ask", "decisions", "recommendation", "actions"}
)
_RULED: Final = frozenset({"report", "manual"})
_LEAST_RULES, _RULED_SHARE = 12, 0.3
"""Kinds that may be policies and handbooks, by the statements that say what must be done, and their
share. Ours."""
_LONG: Final = 14
"""Statements of a summary of the document of which a deck has what opens its parts. Ours."""
_OWN: Final = 40
"""Statements of a summary that the deck takes for its own; a longer one is a part. Ours."""
_LEAST_NOUN: Final = 4
_OWN_WORDS: Final = 60
"""Words of a sentence of the document's own summary, at most. Ours."""
_MOST_POINTS, _LEAST_WORDS, _MOST_WORDS, _LEAST_STANDING, _ALIKE = 6, 5, 40, 0.7, 0.5
_FEW: Final = 3
"""Statements up to which a summary takes any that leads a paragraph. Ours."""
_FEW_LEFT: Final = 0.5
"""The share of a document's own summary that may be left out of that of the deck. Ours."""
_SUMMARY_WORDS: Final = 88
"""Words of a summary at most, below the 90 that a page may have. Ours."""
_PAGE_WORDS: Final = 100
"""Words of one of two pages of a summary at most. Ours."""
_META: Final = re.compile(
    r"(?:this|the present) (?:report|study|paper|memo|note|document) (?:looks|describes|says|sets"
    r"|presents|examines|explains|gives|covers|summari[sz]es)\b",
    re.IGNORECASE,
)
"""How a document speaks of itself."""
_POINTS_ON: Final = re.compile(
    r"\b(?:these|this|follows?|following|folgende|suivants?|siguientes?)\Z"
    r"|\A\d+\s?% (?:were|was|are|is|had|have|has)\b"
    r"|\A.{8,}\b(?:two|three|four|five|six) (?:things|rules|changes|questions)\b",
    re.IGNORECASE,
)
_IF: Final = ("If ", "Wenn ", "Falls ", "Si ")
_COUNTED: Final = re.compile(
    r"\((?:\d|i+|[a-z])\)|\b(?:items?|actions?|steps?|points?|punkte?|puntos?) \d+ "
    r"(?:to|and|[-–]|bis|und|à|et|a|y) \d|\b(?:would be|wäre) (?:\w+er|worse)\Z",
    re.IGNORECASE,
)
"""Words that name items by their numbers, or compare with an item that they do not name."""


@dataclass(frozen=True)
class Summary:
    """The statements of a summary in the order in which it says them, and those of the document's
    own summary that need no further page.

    ``further`` are those of more pages, of a document whose own summary does not fit on one.
    """

    chosen: tuple[int, ...] = ()
    own: frozenset[int] = frozenset()
    further: tuple[tuple[int, ...], ...] = ()


def summary_of(
    weights: Weighed, owners: Mapping[int, Topic], kind: DocumentKindName, *, pages: int = 1,
    sections: Sequence[Collection[int]] = (),
) -> Summary:  # fmt: skip
    """The summary of a document of a kind on at most ``pages`` pages; empty where too little is fit
    for one. ``sections`` are the statements of each section, of which a policy has the rules."""
    own = [
        at for at, topic in owners.items()
        if topic.role == "summary" and not weights.statements[at].flaw
    ]  # fmt: skip
    long = pages > 1 and kind != "paper" and _words(own, weights) > _PAGE_WORDS
    if long and (runs := _on_pages(own, weights, pages)):
        return Summary(tuple(runs[0]), frozenset(own), tuple(map(tuple, runs[1:])))
    listed = {item for at in own for item in weights.items_of(at)}
    if _FEW <= len(listed) < len(own) - 1:  # the page of the summary has its list whole
        own = [at for at in own if at not in listed]
    else:
        listed = set()
    if len(own) > _LONG and (gist := _gist(own, weights)):
        return Summary(tuple(gist), frozenset(gist))
    own = own if 2 <= len(own) <= _OWN else []
    if not own and kind in _RULED and (ruled := _rules(weights, owners, sections)):
        return Summary(tuple(ruled))
    if kind == "minutes" or (kind in _WITHOUT and not own):
        return Summary()
    fit: list[int] = []
    for at, topic in ((at, topic) for at, topic in owners.items() if at not in listed):
        leans_on_fit = at - 1 in fit and owners[at - 1] is topic
        if _is_fit(at, weights, topic.role, leaning=at in own or leans_on_fit):
            fit.append(at)
    whole = len(own) > 1 and _words(own, weights) <= _SUMMARY_WORDS and len(own) <= _MOST_POINTS
    chosen = [*own] if whole else []
    for at in _offered(fit, own, chosen, weights=weights, owners=owners, kind=kind):
        more = _with_what_it_leans_on(at, chosen, weights)
        room = _words((*chosen, *more), weights) <= _SUMMARY_WORDS
        if (
            room
            and len(chosen) + len(more) <= _MOST_POINTS
            and _is_new(at, chosen, weights, owners)
        ):
            chosen += more
    telling = frozenset({"answer", "light", "status"})
    tells = any(weights.roles[at] & telling or owners[at].role in _TELLING for at in chosen)
    if len(chosen) < 2 or not (own or tells or pages == 1):  # of a long document only details
        return Summary()
    left = [at for at in own if at not in chosen]
    counts = any(weights.statements[at].needs_after > 1 for at in left)
    few = not counts and _words(left, weights) <= _FEW_LEFT * _words(own, weights)
    said = own if kind == "paper" or few else ()
    asked = {at for at in chosen if weights.roles[at] & ASKED}
    first = asked if kind in _ANSWER_FIRST or not own else set()
    order = sorted(chosen, key=lambda at: (_head(at, weights) not in first, at))
    return Summary(tuple(order), frozenset(said) or frozenset(chosen).intersection(own))


def _on_pages(own: Sequence[int], weights: Weighed, pages: int) -> list[list[int]]:
    """A summary in its order on pages, without the sentences that count least if it is too long.

    None goes on which another one leans, and what is asked for goes last. A page begins where a
    passage does, else at a sentence that stands alone.
    """
    kept: list[int] = []
    for at in own:
        item = weights.statements[at]
        said = not (_META.match(item.text) or "aside" in weights.roles[at])
        if said and (not item.needs_before or at == own[0] or at - 1 in kept):
            kept.append(at)
    asked: set[int] = set()
    for at in kept:
        leans = weights.statements[at].needs_before and at - 1 in asked
        asked |= {at} if leans or weights.roles[at] & ASKED else set()
        asked |= {*weights.items_of(at)} if at in asked else set()
    listed = {item for at in kept for item in weights.items_of(at)}
    pages = min(pages, round(_words(kept, weights) / _SUMMARY_WORDS) or 1)
    while _words(kept, weights) > pages * _SUMMARY_WORDS or len(kept) > pages * _MOST_POINTS:
        leaned = {at - 1 for at in kept if weights.statements[at].needs_before}
        leaned |= {at for at in kept if not {*kept}.isdisjoint(weights.items_of(at))}
        kept.remove(min(
            set(kept) - leaned,
            key=lambda at: (at in asked | listed, _told(at, weights), weights.scores[at], -at),
        ))  # fmt: skip
    kept = [
        at for at in kept
        if {*range(at + 1, at + 1 + weights.statements[at].needs_after)} <= {*kept}
        and (not (items := weights.items_of(at)) or not {*kept}.isdisjoint(items))
    ]  # fmt: skip
    listed = {item for at in kept for item in weights.items_of(at)}
    leaning = {at for at in kept if weights.statements[at].needs_before}
    divided = (_divided(kept, weights, pages, bound) for bound in (listed | leaning, leaning, ()))
    return next(filter(None, divided), [])


def _divided(
    kept: Sequence[int], weights: Weighed, pages: int, bound: Collection[int]
) -> list[list[int]]:
    """Statements in their order on as many pages, of about as many words each; none if a page would
    have too many. No page begins with one that is ``bound`` to those before it."""
    if pages == 1:
        return [[*kept]] if _words(kept, weights) <= _PAGE_WORDS else []
    share = _words(kept, weights) / pages
    breaks = {
        place: abs(_words(kept[:place], weights) - share) / (1 + weights.statements[at].lead)
        for place, at in enumerate(kept)
        if place and _words(kept[:place], weights) <= _PAGE_WORDS
        and at not in bound
    }  # fmt: skip
    for place in sorted(breaks, key=breaks.__getitem__):
        if rest := _divided(kept[place:], weights, pages - 1, bound):
            return [[*kept[:place]], *rest]
    return []


def _told(at: int, weights: Weighed) -> bool:
    """Whether a statement has a number or says what came out."""
    return _counts(weights.statements[at].text) or bool(weights.roles[at] & FOUND)


def _rules(
    weights: Weighed, owners: Mapping[int, Topic], sections: Sequence[Collection[int]]
) -> list[int]:
    """The rule of each section that counts most, as far as there is room; none of a document that
    says little of what must be done."""
    ruling = [at for at in owners if "rule" in weights.roles[at]]
    if len(ruling) < _LEAST_RULES or len(ruling) < _RULED_SHARE * len(owners):
        return []
    best: list[int] = []
    for section in sections:
        fit = [at for at in ruling if at in section
               and _is_fit(at, weights, owners[at].role, leaning=False)]  # fmt: skip
        best += sorted(fit, key=lambda at: -weights.scores[at])[:1]
    while _words(best, weights) > _SUMMARY_WORDS or len(best) > _MOST_POINTS:
        best.remove(min(best, key=lambda at: weights.scores[at]))
    return best if len(best) >= _FEW else []


def _gist(own: Sequence[int], weights: Weighed) -> list[int]:
    """Of a long summary of the document its first sentence, what it recommends, and the items that
    it gives names, such as "Cost: ...", if there are three; else what opens its paragraphs, as far
    as that fits."""
    leads = [at for at in own if weights.statements[at].lead]
    named = [at for at in leads if weights.statements[at].name]
    order = [*leads[:1], *(at for at in named if at != leads[0])] if len(named) > 2 else leads
    asked = [
        at for at in own if weights.roles[at] & ASKED
        and not (weights.statements[at].flaw or _META.match(weights.statements[at].text))
    ]  # fmt: skip
    told = [at for at in order if weights.roles[at] & FOUND] if asked else []
    order = [*dict.fromkeys((*asked[:1], *told, *order))]
    gist: list[int] = []
    for at in order:
        item = weights.statements[at]
        fit = _is_fit(at, weights, "summary", leaning=False) or (at in named and not item.flaw)
        fit = fit or (item.item and not item.flaw and any(
            weights.starts[other] == weights.starts[at] for other in gist
        ))  # fmt: skip
        fit = fit or (at in asked[:1] and item.item and item.words <= _SUMMARY_WORDS // 2)
        if fit and _words((*gist, at), weights) <= _SUMMARY_WORDS and len(gist) < _MOST_POINTS:
            gist.append(at)
    return sorted(gist) if len(gist) > 1 else []


def _words(numbers: Iterable[int], weights: Weighed) -> int:
    return sum(weights.statements[at].words for at in numbers)


def _head(at: int, weights: Weighed) -> int:
    """The statement on which one leans in the end."""
    while weights.statements[at].needs_before and at:
        at -= 1
    return at


def _with_what_it_leans_on(at: int, chosen: Sequence[int], weights: Weighed) -> list[int]:
    """A statement behind those before it without which it is not understood, with all that the
    first of these counts."""
    first = at
    while weights.statements[first].needs_before and first - 1 not in chosen and first:
        first -= 1
    return list(range(first, max(at, first + weights.statements[first].needs_after) + 1))


def _offered(
    fit: Sequence[int], own: Sequence[int], chosen: Sequence[int], *, weights: Weighed,
    owners: Mapping[int, Topic], kind: DocumentKindName,
) -> Iterator[int]:  # fmt: skip
    """Statements for a summary: the best of each role that it has to have, if none that was chosen
    before has it, then the rest of the document's own summary, and what leads a section; of a
    comparison that says what it recommends nothing else unless that is too little."""
    compared = kind == "comparison" and any(owners[at].role in _ASKING for at in fit)
    ranked = sorted(
        (at for at in fit if not compared or owners[at].role in _TELLING),
        key=lambda at: (
            at not in own, kind == "paper" and owners[at].role != "conclusion",
            not weights.roles[at],
            -_rank(at, weights), at,
        ),
    )  # fmt: skip
    wanted = [*_CONTRACTS.get(kind, _USUAL)]
    for place, roles in enumerate(wanted):
        times = wanted[: place + 1].count(roles)
        for at in ranked:
            if sum(bool(weights.roles[other] & roles) for other in chosen) >= times:
                break
            told = owners[at].role == ("conclusion" if kind == "paper" else "ask")
            elsewhere = at not in own and (not own or told)
            if weights.roles[at] & roles and (
                at in own or (elsewhere and _tells(at, weights, owners, roles))
            ):
                yield at
    yield from (at for at in ranked if at in own)
    if not own and kind != "faq":
        found = (at for at in ranked if weights.roles[at] & FOUND)
        yield from (at for at in found if _counts(weights.statements[at].text))
        yield from (at for at in ranked if len(chosen) < _FEW and weights.statements[at].lead)
        rest = (at for at in fit if compared and weights.roles[at] & FOUND)
        yield from (at for at in rest if len(chosen) < _FEW)


def _rank(at: int, weights: Weighed) -> float:
    """The weight of a statement in a summary: however well it stands by itself, unless it leans on
    another one."""
    item = weights.statements[at]
    return weights.scores[at] / (1.0 if item.needs_before else item.standing)


def _tells(
    at: int, weights: Weighed, owners: Mapping[int, Topic], roles: frozenset[StatementRole]
) -> bool:
    """Whether a statement outside the document's own summary is fit for a role: what is asked for
    and a risk stand in sections of that, other things have a number or stand in a conclusion."""
    own = owners[at].role
    if roles <= {"risk"}:
        return own == "risks"
    if own == "conclusion":
        return True
    said = roles & (_ANSWER | {"answer", "light", "deadline"})
    return bool(said) or _counts(weights.statements[at].text)


def _counts(text: str) -> bool:
    """Whether a text has a number in figures or words."""
    return has_fact(text) or COUNTS.search(text) is not None


def _is_new(at: int, chosen: Sequence[int], weights: Weighed, owners: Mapping[int, Topic]) -> bool:
    """Whether a statement is like none that is chosen; of a list of requests one stands for all."""
    asked = weights.statements[at].item and owners[at].role in _ASKING
    return at not in chosen and not any(
        weights.likeness(at, other) >= _ALIKE or _begins(at, weights) == _begins(other, weights)
        or (asked and owners[other] is owners[at])
        for other in chosen
    )  # fmt: skip


def _is_fit(at: int, weights: Weighed, role: SectionRole, *, leaning: bool) -> bool:
    """Whether a statement is a sentence that says something, without its neighbours unless it may
    be ``leaning`` on those before it."""
    item = weights.statements[at]
    if item.flaw or item.opens_list or (item.needs_before and not leaning):
        return False
    counts = item.needs_after > 1 and ". " not in item.text
    counts = counts or (item.needs_after > 0 and lacks_verb(item.text))
    if counts or _POINTS_ON.search(item.text):
        return False
    if "caveat" in weights.roles[at] or "aside" in weights.roles[at]:
        return False
    if leaning and item.needs_before:
        return item.standing > FRAGMENT and item.words <= _MOST_WORDS and not _META.match(item.text)
    if item.standing < _LEAST_STANDING:
        return False
    own = role == "summary" and weights.roles[at] & ASKED
    most = _SUMMARY_WORDS // 2 if own else _OWN_WORDS if role == "summary" else _MOST_WORDS
    whole = item.evidence.quote.rstrip().endswith((".", "!", "。"))
    return (
        role != "appendix"
        and not (role == "options" and (item.item or tells_option(item.text)))
        and _LEAST_WORDS <= item.words <= most
        and not _META.match(item.text)
        and (is_plain(item.text) or item.text.startswith(_IF) or "answer" in weights.roles[at])
        and _COUNTED.search(item.text) is None
        and (by_number(item.text) or not points_away(item.text))
        and (not item.item or role in _TELLING)
        and ((whole and not item.item) or states(item.text) or bool(weights.roles[at] & _ANSWER))
    )


def _begins(at: int, weights: Weighed) -> list[str]:
    """The subject of a statement as far as its first words show it."""
    words = weights.statements[at].text.split()[:3]
    return words[:1] if len(words[0]) > _LEAST_NOUN else words
