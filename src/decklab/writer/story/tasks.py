"""Decisions, tasks and terms as rows of a table: what they are about, who does it, and until when,
or what they mean."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from decklab.documents.sentences import word_count
from decklab.writer.outline import OutlinePoint
from decklab.writer.story.kinds import SectionRole
from decklab.writer.story.material import MARKS, Statement, Topic
from decklab.writer.story.roles import roles_of, without_formal
from decklab.writer.story.titles import title_head

_LEAST_TASKS, _LEAST_MARKED = 3, 3
"""Items of a list of tasks, and decisions with a mark where none is without. Ours."""
_OF_TASKS: Final = frozenset({"actions", "recommendation", "decisions", "ask", "risks"})
_LEAST_TERMS, _TERMS_SHARE, _TERMS_WORDS = 5, 0.8, 76
"""Items of a list of terms, the share of them with a meaning, and their words, below which they are
points. Ours."""
_PIECE_END: Final = re.compile(r"(?<=[^\W\d]{2}[.;])\s+(?=[^\W\d_a-zß-ÿ])")
_OWNER: Final = re.compile(
    r"(?:owners?|responsible|lead|verantwortlich|zuständig|responsables?)\s*[:：]\s*", re.IGNORECASE
)
_DUE: Final = re.compile(
    r"(?:due|deadline|by|frist|termin|bis|échéance|plazo)\s*[:：]\s*", re.IGNORECASE
)
_DATE: Final = re.compile(
    r"(?:(?:by|from|on|about|until|before|bis|ab|am|avant le|pour le|antes del?|para el)\s)?"
    r"(?=\D*\d)[^,;()]{3,26}\Z",
    re.IGNORECASE,
)
_BY_DATE: Final = re.compile(
    r"(?:by|from|until|before|ab|bis|avant|à partir|antes)\s[^,;()]*\d\Z|with immediate effect\Z"
    r"|(?:at once|done|ongoing|each \w+)\Z", re.IGNORECASE,
)  # fmt: skip
_UNTIL: Final = re.compile(r"(?:by|until|bis(?: zum)?|avant le|antes del)\s+", re.IGNORECASE)
_BRIEF: Final = 4
"""Words of a task that says little without the sentence before it. Ours."""
_NAME_WORDS, _DATE_CHARACTERS, _ABOUT = 5, 40, 60
_PERSON: Final = re.compile(r"(?-i:[^\W\d_a-zß-ÿ])[\w.'’-]*(?:\s(?:\w[\w.'’-]*|&)){0,5}\Z")
_OFFICE: Final = re.compile(
    r"[^\W\d_]+(?:\s[^\W\d_]+){0,4}, (?:by|from|until|each|at|in)\s", re.IGNORECASE
)
_NAME_ALONE: Final = re.compile(r"(?:ACTION|TODO)\s+(?:[A-Z][\w.'’-]*\s?){1,3}\.?")
_DOER: Final = re.compile(
    r"(?P<who>(?-i:[A-Z])[\w.'’&-]*(?:\s(?:(?-i:[A-Z])[\w.'’-]*|and|&)){0,4})\s(?:to|will)\s(?=[a-z])"
)
"""Who does a task, before what it is: "T. Boyle to place the order"."""
_NAMED_FIRST: Final = re.compile(
    r"(?P<who>(?-i:[A-Z]{2,3}|(?:(?:Mrs?|Ms|Dr|Herr|Frau|Mme|M)\.? )?[A-ZÀ-Þ][a-zß-ÿ]+"
    r"(?:(?: and|,| &)? [A-ZÀ-Þ][a-zß-ÿ]+)?))(?:\s[–—-]|:)\s+(?=\S+\s\S)"
)
"""Who does a task, before a colon or dash: "GT – draft the notice"."""
_LETTER: Final = re.compile(r"\((?P<letter>[a-h])\)")
_SHOULD: Final = re.compile(
    r"(?P<who>(?-i:[A-ZÀ-Þ])[^,.;:()]{2,48}?)\s(?:should|must|shall)\s(?!be\s|not\s)(?=[a-z])"
)
"""The same of what is recommended: "Officers should ask"."""
_CODED: Final = re.compile(r"(?P<code>[A-Z]{1,3}\s?\d{1,2})\\?\*?[.:)]\s+(?=[A-ZÀ-Þ])")
_LIMIT: Final = re.compile(
    r",?\s(?P<due>(?:by|before|until|not later than)\s(?:the\s)?(?:\w+\s)?"
    r"(?:\d{1,2}(?:st|nd|rd|th)?\s\w+(?:\s\d{4})?|\w+\s\d{1,2}(?:,\s\d{4})?))\s*[.;]?\Z",
    re.IGNORECASE,
)
_OF_RECORD: Final = re.compile(r"\bminutes\b|protokoll|procès-verbal|\bacta\b", re.IGNORECASE)
"""Headings of the item under which minutes are approved."""
_OPEN: Final = re.compile(
    r"\b(?:next time|not (?:yet )?(?:agreed|decided)|except that|deferred)\b|\?"
)
_SOMEBODY_AGREED: Final = re.compile(
    r"(?:(?:Mrs?|Ms|Dr|Cllr|Canon|Prof|Herr|Frau|Mme|M)\.? )?(?!It|We|The|Members|Trustees|All)"
    r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)? (?:also )?agreed\b"
)
"""How a sentence begins in which a person agrees with another one, which decides nothing."""
_PIECES: Final = re.compile(
    r"(?<=[^\W\d]{2}[.;])(?<!incl\.)(?<!approx\.)(?<!excl\.)\s+"
    r"|(?<=[\d)][.;])\s+(?=[^\W\d_a-zß-ÿ]|[$€£])|\s[–—]\s"
)
_BRACKET: Final = re.compile(r"\s*\((?P<inside>[^()]*,[^()]*)\)\s*\Z")


def gathered_topics(topics: Sequence[Topic], names: dict[SectionRole, str]) -> list[Topic]:
    """Topics with what is marked in them as a decision or action ("DECISION: ...") in topics of
    their own, which stand first, as rows of a table; ``names`` are their headings."""
    gathered: dict[SectionRole, list[tuple[str, list[Statement]]]] = {role: [] for role, _ in MARKS}

    marked = sum(
        item.marked == "decisions" for topic in topics for part in topic.walk()
        for item in part.statements
    ) >= _LEAST_MARKED  # fmt: skip

    def marked_as(item: Statement, topic: Topic) -> SectionRole:
        if item.marked != "other" or marked or _OF_RECORD.search(topic.heading):
            return item.marked
        decided = not item.flaw and "decision" in roles_of(item.evidence.quote)
        decided = decided and _SOMEBODY_AGREED.match(item.text) is None
        return "decisions" if decided and not _OPEN.search(item.text) else "other"

    def without(topic: Topic, about: str) -> Topic:
        kept: list[Statement] = []
        role: SectionRole = "other"
        for item in topic.statements:
            begun = marked_as(item, topic)
            alone = begun != "other" and not (item.lead and item.marked == begun)
            role = begun if begun != "other" or not item.goes_on else role
            if role in ("other", topic.role):
                kept.append(item)
            elif begun != "other":
                brief = word_count(item.text) <= _BRIEF or _NAME_ALONE.fullmatch(item.text)
                named = item.marked == "actions" and brief and kept and item.goes_on
                gathered[role].append((about, [*([kept.pop()] if named else []), item]))
            else:
                gathered[role][-1][1].append(item)
            role = "other" if alone and not item.opens_list else role
        return replace(
            topic, statements=tuple(kept),
            parts=tuple(without(part, about) for part in topic.parts),
            is_numbered=topic.is_numbered and len(kept) == len(topic.statements),
        )  # fmt: skip

    rest = [without(topic, title_head(topic.heading, _ABOUT)) for topic in topics]
    lettered = _lettered(topics)
    first = [
        Topic(
            topics[0].document, names[role], role,
            tuple(item for _, passage in found for item in passage),
            steps=tuple(
                _named_option(
                    task_row(passage, heading, named=role == "actions"), lettered.get(heading, ())
                )
                for heading, passage in found
            ),
        )
        for role, found in gathered.items() if found
    ]  # fmt: skip
    return [*first, *rest]


def _lettered(topics: Sequence[Topic]) -> dict[str, tuple[str, ...]]:
    """The first words of the items of each topic that has a list, by what its decisions are said to
    be about."""
    return {
        title_head(part.heading, _ABOUT): tuple(
            re.split(r"[,;.]\s", item.text)[0] for item in part.statements if item.item
        )
        for topic in topics for part in topic.walk()
    }  # fmt: skip


def _named_option(row: OutlinePoint, items: Sequence[str]) -> OutlinePoint:
    """A decision for items by their letters, "(a)", with what these are."""

    def named(found: re.Match[str]) -> str:
        at = ord(found["letter"]) - ord("a")
        item = items[at] if at < len(items) else ""
        return f"({found['letter']}) {item[:1].lower()}{item[1:]}" if item else found[0]

    text = _LETTER.sub(named, row.text)
    return row.model_copy(update={"text": text, "cells": (row.cells[0], text, *row.cells[2:])})


def with_tasks(topic: Topic, *, whole: bool = False) -> Topic:
    """A topic and its parts; a list of tasks, all with a name, are rows of a table, and so is a
    long list of terms with the beginnings of their meanings unless it is told ``whole``."""
    if topic.role == "recommendation" and topic.parts and not whole:
        topic = _with_coded_rows(topic)
        if topic.steps:
            return topic
    parts = tuple(with_tasks(part, whole=whole) for part in topic.parts)
    passages: list[list[Statement]] = []
    inside = False
    for item in topic.statements:
        told = item.item or (item.lead and topic.role == "actions")
        if told and not item.opens_list:
            passages.append([item])
            inside = True
        elif not item.goes_on:
            inside = False
        elif inside:
            passages[-1].append(item)
    rows = tuple(task_row(passage, "") for passage in passages)
    listed = topic.role in _OF_TASKS and len(rows) >= _LEAST_TASKS
    assigned = sum(bool(row.cells[2] or row.cells[3]) for row in rows)
    if listed and not whole and assigned >= _TERMS_SHARE * len(rows):
        return replace(topic, parts=parts, steps=rows)
    if listed and assigned == len(rows):
        return replace(topic, parts=parts, steps=rows)
    terms = tuple(row for passage in passages if (row := _term_row(passage)))
    words = sum(item.words for passage in passages for item in passage)
    listed = len(terms) >= _LEAST_TERMS and len(terms) >= _TERMS_SHARE * len(passages)
    if listed and words > _TERMS_WORDS and not (topic.steps or whole):
        return replace(topic, parts=parts, steps=terms)
    return replace(topic, parts=parts)


def _with_coded_rows(topic: Topic) -> Topic:
    """A topic whose parts hold recommendations with codes, such as R1, with these as its rows."""
    coded: list[tuple[str, list[str], list[Statement]]] = []
    rest: list[Topic] = []
    for part in topic.walk():
        if headed := _CODED.match(part.heading):
            coded.append((headed["code"], [part.heading[headed.end() :]], []))
        before, ended = len(coded) - (headed is not None), False
        for item in part.statements:
            quote = item.evidence.quote
            opened = _CODED.match(quote) if item.lead else None
            if opened:
                coded.append((opened["code"], [], []))
                quote = quote[opened.end() :]
            # a paragraph behind the items of a list is of none of them
            listed = len(coded) > before and any(told.item for told in coded[-1][2])
            ended = not opened and (ended or (listed and item.lead and not item.item))
            if len(coded) > before and not ended:
                coded[-1][1].append(quote)
                coded[-1][2].append(item)
        if part is not topic and len(coded) == before:
            rest.append(replace(part, parts=()))
    if len(coded) < _LEAST_TERMS:
        return topic
    rows = tuple(_coded_row(code, texts, items) for code, texts, items in coded if items)
    own = (*topic.statements, *(item for _, _, items in coded for item in items))
    kept = tuple(dict.fromkeys(own))
    return replace(topic, statements=kept, parts=tuple(rest), steps=rows)


def _coded_row(code: str, texts: Sequence[str], items: Sequence[Statement]) -> OutlinePoint:
    """A recommendation as a row: its code, its name and first sentence, who does it, until when."""
    who, due, said = "", "", list[str]()
    for piece in _pieces(". ".join(text.rstrip(" .") for text in texts)):
        if owner := _OWNER.match(piece):
            who = piece[owner.end() :]
        elif _BY_DATE.match(piece):
            due = due or _UNTIL.sub("", piece, count=1)
        elif len(said) < 1 + (word_count(" ".join(said)) < _BRIEF * 2):
            said.append(piece)
    evidence = tuple(item.evidence for item in items)
    shown = ". ".join(said)
    return OutlinePoint(text=shown, label=code, cells=(code, shown, who, due), evidence=evidence)


_QUOTED = re.compile("['\"‘“]([^'\"‘’“”]+)['\"’”]")


def _term_row(passage: Sequence[Statement]) -> OutlinePoint | None:
    """A term and the first sentence of its meaning as a row; None for what is no such item."""
    first = passage[0]
    name, _, meaning = first.text.partition(": ")
    if first.flaw or not meaning or name != first.name:
        return None
    pieces = _PIECE_END.split(meaning)
    enough = (at for at in range(len(pieces)) if word_count(" ".join(pieces[: at + 1])) >= _BRIEF)
    said = " ".join(pieces[: next(enough, len(pieces)) + 1]).rstrip(" .;")
    name = quoted[1] if (quoted := _QUOTED.fullmatch(name)) else name
    said = f"{said[:1].upper()}{said[1:]}"
    evidence = tuple(item.evidence for item in passage)
    return OutlinePoint(text=said, label=name, cells=(name, said), evidence=evidence)


def task_row(passage: Sequence[Statement], about: str, *, named: bool = True) -> OutlinePoint:
    """A decision or task as a row: what it is ``about``, what it is, who does it, until when if
    these are ``named``."""
    said, who, due = "", "", ""
    parts = [_unmarked(item.evidence.quote) for item in passage]
    at = next((at for at, item in enumerate(passage) if item.marked != "other"), 0)
    doers = (rule.match(parts[at]) for rule in (_DOER, _NAMED_FIRST, _SHOULD))
    if named and (doer := next(filter(None, doers), None)):
        who, task = doer["who"], parts[at][doer.end() :]
        limit = _LIMIT.search(task)
        due = limit["due"] if limit else ""
        task = f"{task[: limit.start()]}." if limit else task
        parts[at] = task[:1].upper() + task[1:]
    text = without_formal(" ".join(parts))
    for piece in _pieces(text) if named else [text]:
        person, date = _person_and_date(piece)
        if owner := _OWNER.match(piece):
            who, date = _person_and_date(piece[owner.end() :])
            due = due or date
        elif said and (limit := _DUE.match(piece)):
            due = piece[limit.end() :]
        elif said and not due and (_BY_DATE.match(piece) or _BY_DATE.match(person)):
            due = piece
        elif (
            said
            and not who
            and len(person.split()) <= _NAME_WORDS
            and (_PERSON.match(person) or (date and _OFFICE.match(piece)))
        ):
            who, due = person, due or date
        elif said and not due and _DATE.match(piece):
            due = piece
        else:
            said = f"{said}{'. ' if piece[0].isupper() else '; '}{piece}" if said else piece
    said = said.rstrip(" .;")
    said = said[:1].upper() + said[1:]
    due = _UNTIL.sub("", due, count=1) if _UNTIL.match(due) else due
    who, due = who[:1].upper() + who[1:], due[:1].upper() + due[1:]
    evidence = tuple(item.evidence for item in passage)
    return OutlinePoint(text=said, label=about, cells=(about, said, who, due), evidence=evidence)


def _unmarked(text: str) -> str:
    """A decision or task without the word that marks it."""
    for _, mark in MARKS:
        text = mark.sub("", text, count=1) if mark.match(text) else text
    return text


def _pieces(text: str) -> Iterator[str]:
    bracket = _BRACKET.search(text.rstrip(". "))
    if bracket and (
        _PERSON.match(bracket["inside"].split(", ")[0]) or _OFFICE.match(bracket["inside"])
    ):
        text = f"{text[: bracket.start()]}. {bracket['inside']}"
    yield from (piece.strip(" .;") for piece in _PIECES.split(text) if piece.strip(" .;"))


def _person_and_date(text: str) -> tuple[str, str]:
    """A name and the date behind it; the date is empty where there is none."""
    *names, last = text.strip(" .").split(", ")
    is_date = any(map(str.isdigit, last)) or _BY_DATE.match(last)
    if names and is_date and len(last) <= _DATE_CHARACTERS:
        return ", ".join(names), last
    return text.strip(" ."), ""
