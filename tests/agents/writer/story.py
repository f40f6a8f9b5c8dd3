"""What a scripted model writes about the harbour, stage by stage."""

from typing import Any

PLAN = {
    "title": "A good year for the harbour",
    "subtitle": "2025",
    "pages": [
        {"role": "opening", "section": "", "title": "A good year", "purpose": "open"},
        {"role": "body", "section": "Traffic", "title": "Traffic", "purpose": "it grew"},
        {"role": "body", "section": "Staff", "title": "Safety", "purpose": "it is safer"},
        {"role": "ending", "section": "", "title": "What follows", "purpose": "end"},
    ],
}
OUTLINED = {
    "pages": [
        {"title": "A good year for the harbour", "points": [], "queries": []},
        {"title": "Traffic grew", "points": ["containers"], "queries": ["container traffic grew"]},
        {"title": "Work is safer", "points": ["accidents"], "queries": ["accidents training"]},
        {"title": "What follows", "points": ["crane"], "queries": ["crane savings"]},
    ]
}


def page(**changes: Any) -> dict[str, Any]:
    return {
        "title": "Traffic grew", "title_quote": "", "title_evidence": 0, "points": [],
        "form": "points", "labels": [], "notes": "", **changes,
    }  # fmt: skip


def point(text: str, quote: str, evidence: int = 1) -> dict[str, Any]:
    return {"text": text, "quote": quote, "evidence": evidence}


GOOD = page(points=[point("Containers grew by 12%", "Container traffic grew by 12% to 48,000")])
SAFE = page(title="Work is safer", points=[point("Fewer accidents", "Accidents fell from 14 to 9")])
END = page(title="What follows", points=[point("The crane pays", "Savings in nine months reached")])


def visual(*ranked: str, chart: Any = None) -> dict[str, Any]:
    return {"ranked": list(ranked), "reason": "it shows the ships", "chart": chart}


NO_VISUAL = visual()
