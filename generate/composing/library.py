"""A plan with one slide of each layout for figures of thought, people and several pictures."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from decklab.board.blueprint import DeckPlan
from generate.composing.showcase import written_pictures
from generate.samples.pictures import harbour_evening, jpeg

_SOURCE = "Repair log, 2021 to 2025"
_YEARS = ["2021", "2022", "2023", "2024", "2025"]


def library_plan(folder: Path) -> DeckPlan:
    """The plan; its two pictures are written into ``folder``."""
    ridges, harbour = written_pictures(folder)
    quay = folder / "quay.jpg"
    quay.write_bytes(jpeg(harbour_evening().crop((0, 420, 640, 900))))
    photograph = {"path": str(ridges), "alt": "Wooded ridges in the morning haze",
                  "kind": "photograph"}  # fmt: skip
    port = {"path": str(harbour), "alt": "A harbour town across the water at dusk",
            "kind": "photograph"}  # fmt: skip
    return DeckPlan.model_validate(
        {
            "title": "Clean water for every village by 2030",
            "language": "en-GB",
            "footer": "Clean water by 2030",
            "slides": (*_words(), *_choices(), *_flows(), *_people(photograph), *_charts(),
                       *_pictures(photograph, port, {**port, "path": str(quay),
                                                     "alt": "Houses at the quay"})),
        },
        strict=False,
    )  # fmt: skip


def _points(*texts: str) -> list[dict[str, Any]]:
    """Points; each leading space is a level."""
    return [{"text": text.strip(), "level": len(text) - len(text.lstrip())} for text in texts]


def _steps(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"label": label, "text": text} for label, text in pairs]


def _words() -> list[dict[str, Any]]:
    return [
        {"layout": "agenda", "title": "Where we are", "key": 1,
         "body": _points("Where the wells stand today", "What the measurements show",
                         "Three ways to keep a pump running", "Costs, dates and who does what",
                         "What we ask of you")},
        {"layout": "statement",
         "title": "Most villages wait for spare parts, not for rain",
         "body": _points("Only 4 of 40 wells ran dry in the dry season",
                         "16 pumps stood still for more than a month",
                         "Spare parts took 47 days on average to arrive",
                         "Villages with a trained mechanic repaired theirs in 6 days"),
         "source": "Survey of 40 villages, 2025"},
        {"layout": "call_to_action", "title": "What we ask of the council", "key": 0,
         "body": _points("Release 60,000 euros for training and tools by 30 June",
                         "Courses begin in September", "Every district gets a depot",
                         "We report each quarter"),
         "byline": "Reply to water@example.org by 15 May"},
        {"layout": "checklist", "title": "Before a pump is handed over",
         "body": _points("The counter sends its message", "Two people know how to change the seal",
                         "The box of tools is complete", "The depot has the pump's number",
                         "The committee has signed")},
        {"layout": "next_steps", "title": "What happens until December",
         "actions": [
             {"text": "Choose the villages of the first course", "owner": "District office",
              "due": "30 June"},
             {"text": "Order tools and parts for three depots", "owner": "Purchasing",
              "due": "15 July"},
             {"text": "Train two people of each village", "owner": "Training centre",
              "due": "October"},
             {"text": "Publish the first numbers", "owner": "Department", "due": "December"}]},
        {"layout": "decisions", "title": "Decided in May",
         "actions": [
             {"text": "Repair before drilling, except on the eastern ridge", "owner": "Council",
              "due": "4 May"},
             {"text": "Three depots instead of one", "owner": "Purchasing", "due": "11 May"},
             {"text": "A counter on each pump until 2027", "owner": "Department",
              "due": "18 May"},
             {"text": "Numbers are public", "owner": "Council", "due": "25 May"}]},
        {"layout": "faq", "title": "What people ask us",
         "cards": _steps(
             ("Why not drill new wells?", "36 of 40 wells have water. Their pumps do not work."),
             ("Who pays for spare parts?", "The district, for the first two years."),
             ("How long is a course?", "Ten days, in spring or autumn, for two people."),
             ("What if both leave?", "The next course takes two more at no cost."))},
        {"layout": "problem_solution", "title": "Each delay has a cure that we have tried",
         "columns": [
             {"heading": "What delays a repair",
              "points": _points("Nobody in the village can change a seal",
                                "Parts come by boat once a week",
                                "The fault is reported late")},
             {"heading": "What ends the delay",
              "points": _points("Two trained mechanics in each village",
                                "Depots with parts for thirty days",
                                "Counters that report by text message")}]},
        {"layout": "before_after", "title": "A repair takes days now, not weeks",
         "columns": [
             {"heading": "Until 2023",
              "points": _points("A letter to the district", "A visit of an engineer",
                                "Parts ordered from the coast", "Water after 47 days")},
             {"heading": "Since 2024",
              "points": _points("A text message from the counter", "A mechanic in the village",
                                "Parts from the depot", "Water after 12 days")}]},
    ]  # fmt: skip


def _choices() -> list[dict[str, Any]]:
    return [
        {"layout": "options", "title": "Training gives most water for the money",
         "options": [
             {"name": "Drill", "text": "Ten new wells in four years",
              "pros": ["Lasts for decades"], "cons": ["120,000 euros", "Needs pumps, too"]},
             {"name": "Train", "text": "Two mechanics in each village", "recommended": True,
              "pros": ["Water after 12 days", "36 of 40 villages"], "cons": ["People move away"]},
             {"name": "Contract", "text": "A company repairs all pumps",
              "pros": ["No training"], "cons": ["31 days on average", "90,000 euros a year"]}]},
        {"layout": "two_by_two", "title": "Parts and training come first", "key": 0,
         "axes": {"across": "Cost", "up": "Water gained"},
         "cards": _steps(("Training", "Two people in each village"),
                         ("New wells", "On the eastern ridge only"),
                         ("Counters", "Messages from each pump"),
                         ("A second boat", "Twice a week from the coast"))},
        {"layout": "number_wall", "title": "The programme in numbers",
         "numbers": [{"value": "40", "label": "villages in four districts"},
                     {"value": "62", "label": "pumps in use"},
                     {"value": "28", "label": "mechanics trained"},
                     {"value": "12 days", "label": "until a pump runs again"},
                     {"value": "92 %", "label": "of pumps work on a given day"},
                     {"value": "60,000 €", "label": "a year for tools and courses"}]},
        {"layout": "formula", "title": "What decides how many pumps work",
         "formula": {"text": "A = T / (T + R)",
                     "reading": "Availability is the time between faults, as a share of that time "
                                "and the time of repair"},
         "steps": _steps(("A", "share of days on which a pump gives water"),
                         ("T", "days from one fault to the next, 140 on average"),
                         ("R", "days until the pump runs again, 12 in the north"))},
        {"layout": "free", "title": "Most of the money goes into parts, not into travel",
         "html": _SHARES},
    ]  # fmt: skip


_SHARES = (
    '<div style="display:grid;grid-template-columns:6fr 3fr 1fr;gap:4px;margin-top:32px">'
    '<div style="background:var(--accent);color:var(--on-accent);padding:48px 24px">'
    '<h3 style="color:var(--on-accent);font-size:40px">60 %</h3><p>parts and tools</p></div>'
    '<div style="background:var(--tint);padding:48px 24px">'
    '<h3 style="font-size:40px">30 %</h3><p>wages of the crews</p></div>'
    '<div style="background:var(--surface);padding:48px 12px">'
    '<h3 style="font-size:28px">10 %</h3><p style="font-size:14px">travel</p></div></div>'
)


def _flows() -> list[dict[str, Any]]:
    return [
        {"layout": "cycle", "title": "Each repair makes the next one faster",
         "steps": _steps(("Report", "The counter sends a message"),
                         ("Repair", "The mechanic changes the part"),
                         ("Record", "The depot notes which part failed"),
                         ("Restock", "The depot orders what fails most"))},
        {"layout": "funnel", "title": "Two reports in three end with a repair in a week",
         "steps": _steps(("412 reports", "Messages of counters and calls of villages"),
                         ("368 faults", "Found when the mechanic looked"),
                         ("301 parts in stock", "Sent by the depot in two days"),
                         ("274 repairs", "Done within seven days"))},
        {"layout": "pyramid", "title": "Water rests on people",
         "steps": _steps(("Water", "Every day, in every village"),
                         ("Pumps", "Repaired within twelve days"),
                         ("Parts", "Thirty days of stock in each depot"),
                         ("People", "Two trained mechanics in each village"))},
        {"layout": "gantt", "title": "All depots are open before the first course ends", "key": 2,
         "schedule": {
             "periods": ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug"],
             "tasks": [{"label": "Survey of villages", "first": 1, "last": 2},
                       {"label": "Contracts", "first": 2, "last": 3},
                       {"label": "Depots", "first": 3, "last": 6},
                       {"label": "Courses in the north", "first": 4, "last": 7},
                       {"label": "Counters on pumps", "first": 6, "last": 8}]}},
        {"layout": "swimlanes", "title": "Who does what in a repair",
         "lanes": [
             {"name": "Village", "steps": [{"text": "Reports the fault", "at": 1},
                                           {"text": "Signs for the repair", "at": 5}]},
             {"name": "Mechanic", "steps": [{"text": "Finds the part", "at": 2},
                                            {"text": "Changes it", "at": 4}]},
             {"name": "Depot", "steps": [{"text": "Sends the part", "at": 3}]}]},
        {"layout": "flowchart", "title": "A fault ends in a repair or in a new pump",
         "flow": {
             "nodes": [
                 {"text": "Fault reported", "kind": "end"},
                 {"text": "Part in the depot?", "kind": "decision"},
                 {"text": "Change the part"}, {"text": "Order the part"},
                 {"text": "Pump runs", "kind": "end"}],
             "links": [
                 {"first": 0, "second": 1}, {"first": 1, "second": 2, "label": "yes"},
                 {"first": 1, "second": 3, "label": "no"}, {"first": 2, "second": 4},
                 {"first": 3, "second": 1, "label": "by boat", "dashed": True}],
             "across": True}},
    ]  # fmt: skip


def _people(photograph: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"layout": "org_chart", "title": "Four districts report to one office",
         "people": [
             {"name": "Nadia Ames", "role": "Head of water"},
             {"name": "Jo Berg", "role": "Depots", "level": 1},
             {"name": "Ines Calva", "role": "North depot", "level": 2},
             {"name": "Sam Dahl", "role": "West depot", "level": 2},
             {"name": "Mira Eke", "role": "Training", "level": 1},
             {"name": "Tom Fehr", "role": "Courses", "level": 2},
             {"name": "Ada Grun", "role": "Numbers", "level": 1}]},
        {"layout": "tree", "title": "Why a pump stands still",
         "body": _points("A pump stands still", " Nobody can repair it", "  No mechanic",
                         "  No tools", " Parts are missing", "  One boat a week",
                         "  No stock", " Nobody knows of it", "  No counter")},
        {"layout": "team", "title": "Who you can ask",
         "people": [{"name": "Nadia Ames", "role": "Head of water", "picture": photograph},
                    {"name": "Jo Berg", "role": "Depots", "text": "Parts and orders"},
                    {"name": "Mira Eke", "role": "Training", "text": "Courses and tools"},
                    {"name": "Ada Grun", "role": "Numbers", "text": "Counters and reports"}]},
    ]  # fmt: skip


def _chart(kind: str, name: str, values: Sequence[float], **more: Any) -> dict[str, Any]:
    return {"kind": kind, "categories": _YEARS, "series": [{"name": name, "values": values}],
            "unit": "Days", "source": _SOURCE, **more}  # fmt: skip


def _charts() -> list[dict[str, Any]]:
    districts = {"North": [44, 41, 38, 27, 12], "East": [58, 61, 60, 61, 49],
                 "South": [50, 47, 45, 38, 21], "West": [49, 52, 51, 52, 37]}  # fmt: skip
    return [
        {"layout": "chart_table", "title": "A repair takes longest in the west",
         "chart": _chart("column", "North", [44, 41, 38, 27, 12], accent_category=4),
         "table": {"header": ["District", "2024", "2025"],
                   "rows": [["North", "27", "12"], ["East", "61", "49"], ["South", "38", "21"],
                            ["West", "52", "37"]]}},
        {"layout": "two_charts", "title": "Where mechanics are, pumps wait less",
         "charts": [_chart("column", "Mechanics", [2, 4, 9, 16, 28], unit="People",
                           heading="Mechanics in the north"),
                    _chart("line", "North", [44, 41, 38, 27, 12],
                           heading="Days until a pump runs again")]},
        {"layout": "small_multiples", "title": "Waiting fell first where training began",
         "charts": [_chart("line", name, values, heading=name)
                    for name, values in districts.items()]},
    ]  # fmt: skip


def _pictures(
    photograph: dict[str, Any], port: dict[str, Any], quay: dict[str, Any]
) -> list[dict[str, Any]]:
    return [
        {"layout": "picture_half", "title": "Four wells of the eastern ridge run dry",
         "picture": photograph,
         "body": _points("Ground water fell by 3 metres in ten years",
                         "Four wells end in the layer that dries up",
                         "Drilling 20 metres deeper reaches the next one")},
        {"layout": "picture_grid", "title": "From the coast to the ridges",
         "pictures": [{**port, "caption": "The harbour: one boat a week"},
                      {**photograph, "caption": "The ridges: forty villages"},
                      {**quay, "caption": "The depot stands beside the quay"}]},
        {"layout": "picture_labels", "title": "What stands where",
         "picture": photograph,
         "labels": [{"x": 0.2, "y": 0.35, "label": "Northern ridge", "text": "14 villages"},
                    {"x": 0.55, "y": 0.6, "label": "Valley", "text": "The road and two depots"},
                    {"x": 0.85, "y": 0.3, "label": "Eastern ridge", "text": "Four dry wells"}]},
        {"layout": "quote_picture", "title": "Mechanics begin at once", "picture": port,
         "quote": {"text": "We no longer wait for somebody to come. We open the box and begin.",
                   "by": "A mechanic in a village of the north"}},
        {"layout": "code_remarks", "title": "Five lines report all repairs of a day",
         "code": {"language": "sh", "lines": [
             "#!/bin/sh", "for pump in $(cat repaired.txt); do",
             '    report --pump "$pump" --works yes', "done", "report --send"]},
         "remarks": [{"line": 2, "text": "One number of a pump on each line"},
                     {"line": 3, "text": "Also by text message: WORKS and the number"},
                     {"line": 5, "text": "The depot sees it the same day"}]},
    ]  # fmt: skip
