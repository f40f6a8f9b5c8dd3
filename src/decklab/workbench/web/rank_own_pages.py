"""The Rank pages of an annotator, who comes by a link and sees one study, blind."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Cookie
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse

from decklab.workbench.web.library import NotThere
from decklab.workbench.web.pages import render
from decklab.workbench.web.rank_studies import FLAGS, BlindTopic, Studies, numbered
from decklab.workbench.web.rank_tables import AnnotatorRow
from decklab.workbench.web.workbench import Workbench

LINK_COOKIE: Final = "decklab_annotator"
Link = Annotated[str, Cookie(alias=LINK_COOKIE)]
_DAYS = 90


def rank_own_pages(bench: Workbench) -> APIRouter:
    """A study as one annotator sees it."""
    router = APIRouter(prefix="/rank", default_response_class=HTMLResponse)
    studies = Studies(bench.library)

    @router.get("/link/{token}")
    def enter(token: str) -> HTMLResponse:
        """The first page; it leads on by a click, as browsers send a strict cookie only then."""
        annotator = studies.by_token(token)
        page = render("rank-welcome.html", **_study(studies, annotator, studies.topics(annotator)))
        answer = HTMLResponse(page, headers={"cache-control": "no-store"})
        answer.set_cookie(
            LINK_COOKIE, token, httponly=True, samesite="strict", max_age=_DAYS * 86400,
            path="/rank/own",
        )  # fmt: skip
        return answer

    @router.get("/own", response_model=None)
    def own(decklab_annotator: Link = "") -> RedirectResponse | str:
        """To the first topic that is not done; where all are, an overview."""
        annotator = studies.by_token(decklab_annotator)
        topics = studies.topics(annotator)
        for topic in topics:
            if not (topic.order and topic.order.done):
                return RedirectResponse(f"/rank/own/{topic.number}", 303)
        return render("rank-welcome.html", **_study(studies, annotator, topics))

    @router.get("/own/{number}")
    def topic_page(number: int, decklab_annotator: Link = "") -> str:
        annotator = studies.by_token(decklab_annotator)
        topics = studies.topics(annotator)
        topic = _topic(studies, numbered(topics, number))
        return render("rank-topic.html", **_study(studies, annotator, topics), **topic)

    @router.post("/own/{number}", response_class=JSONResponse)
    def save(
        number: int, given: Annotated[dict[str, Any], Body()], decklab_annotator: Link = ""
    ) -> Mapping[str, bool]:
        annotator = studies.by_token(decklab_annotator)
        studies.save(annotator, studies.topic(annotator, number), given)
        return {"saved": True}

    @router.get("/own/{number}/{key}/{slide}.webp")
    def picture(number: int, key: str, slide: int, decklab_annotator: Link = "") -> FileResponse:
        annotator = studies.by_token(decklab_annotator)
        entry = studies.topic(annotator, number).by_key(key).entry
        version = bench.library.version(entry.deck, entry.number)
        found = bench.library.picture(version, slide)
        if found is None:
            raise NotThere(f"slide {slide} is not drawn")
        return FileResponse(
            found, media_type="image/webp", headers={"cache-control": "private, max-age=86400"}
        )

    return router


def _study(
    studies: Studies, annotator: AnnotatorRow, topics: Sequence[BlindTopic]
) -> dict[str, Any]:
    return {
        "study": studies.study(annotator.study), "annotator": annotator,
        "topics": [_place(one) for one in topics],
        "done": sum(bool(one.order and one.order.done) for one in topics),
    }  # fmt: skip


def _place(topic: BlindTopic) -> dict[str, Any]:
    state = "done" if topic.order and topic.order.done else "begun" if topic.order else ""
    return {"number": topic.number, "name": topic.name, "decks": len(topic.decks), "state": state}


def _topic(studies: Studies, topic: BlindTopic) -> dict[str, Any]:
    """What the page of a topic shows: the groups of ranked decks, then those that are not."""
    by_entry = {one.entry.id: one for one in topic.decks}
    order = topic.order
    groups = [
        [by_entry[one] for one in group if one in by_entry] for group in order.ranked
    ] if order else []  # fmt: skip
    ranked = {one.key for group in groups for one in group}
    flags: Mapping[str, str] = order.flags if order else {}
    return {
        "number": topic.number, "name": topic.name,
        "groups": [group for group in groups if group],
        "left": [one for one in topic.decks if one.key not in ranked],
        "slides": {one.key: studies.slides(one.entry) for one in topic.decks},
        "note": order.note if order else "",
        "flagged": {one.key: flags.get(one.entry.id, "") for one in topic.decks},
        "flags": FLAGS, "is_done": bool(order and order.done),
    }  # fmt: skip
