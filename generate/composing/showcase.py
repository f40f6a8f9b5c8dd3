"""A plan with one slide of each layout, about a project of our own invention."""

from pathlib import Path
from typing import Any

from decklab.board.blueprint import DeckPlan
from generate.samples.pictures import harbour_evening, jpeg, mountain_ridges


def showcase_plan(folder: Path) -> DeckPlan:
    """The plan; its two pictures are written into ``folder``."""
    ridges, harbour = written_pictures(folder)
    return DeckPlan.model_validate(
        {
            "title": "Clean water for every village by 2030",
            "language": "en-GB",
            "footer": "Clean water by 2030",
            "sections": ("Start", "Findings", "Plan"),
            "slides": (*_opening(), *_findings(ridges, harbour), *_plan()),
        },
        strict=False,
    )


def written_pictures(folder: Path) -> tuple[Path, Path]:
    """Two drawn photographs in ``folder``: ridges and a harbour."""
    ridges, harbour = folder / "ridges.jpg", folder / "harbour.jpg"
    ridges.write_bytes(jpeg(mountain_ridges()))
    harbour.write_bytes(jpeg(harbour_evening()))
    return ridges, harbour


def _points(*texts: str) -> list[dict[str, Any]]:
    """Points of a body; a text that begins with two spaces is one level down."""
    return [{"text": text.strip(), "level": int(text.startswith("  "))} for text in texts]


def _column(heading: str, *texts: str) -> dict[str, Any]:
    return {"heading": heading, "points": _points(*texts)}


def _steps(**steps: str) -> list[dict[str, Any]]:
    return [{"label": label.replace("_", " ").strip(), "text": text}
            for label, text in steps.items()]  # fmt: skip


def _opening() -> list[dict[str, Any]]:
    return [
        {
            "layout": "title", "section": "Start",
            "title": "Clean water for every village by 2030",
            "subtitle": "What two years of measurements tell us about where to begin",
            "byline": "Department of Water, June 2026",
        },
        {
            "layout": "contents", "section": "Start", "title": "What we will look at",
            "body": _points("Where the wells stand today", "What the measurements show",
                            "Three ways to keep a pump running",
                            "Costs, dates and who does what", "What we ask of you"),
        },
        {
            "layout": "section", "section": "Findings", "title": "Where the wells stand today",
            "subtitle": "Two pumps in five do not work on a given day",
        },
    ]  # fmt: skip


def _findings(ridges: Path, harbour: Path) -> list[dict[str, Any]]:
    return [
        {
            "layout": "body", "section": "Findings",
            "title": "Broken pumps, not dry wells, leave villages without water",
            "subtitle": "Findings of the survey of 2025",
            "body": _points("Only 4 of 40 wells ran dry in the dry season",
                            "  The four lie on the eastern ridge",
                            "16 pumps stood still for more than a month",
                            "Spare parts took 47 days on average to arrive",
                            "Villages with a trained mechanic repaired theirs in 6 days"),
            "source": "Survey of 40 villages, 2025",
            "notes": "Begin with the question that people ask: are the wells dry?",
        },
        {
            "layout": "picture_left", "section": "Findings",
            "title": "The eastern ridge needs deeper wells",
            "picture": {"path": str(ridges), "alt": "Wooded ridges in the morning haze",
                        "kind": "photograph"},
            "body": _points("Ground water fell by 3 metres in ten years",
                            "Four wells end in the layer that dries up",
                            "Drilling 20 metres deeper reaches the next one"),
        },
        {
            "layout": "picture_right", "section": "Findings",
            "title": "Spare parts arrive by boat",
            "picture": {"path": str(harbour), "alt": "A harbour town across the water at dusk",
                        "kind": "figure"},
            "body": _points("One boat a week brings parts from the coast",
                            "No village is more than a day from a depot"),
        },
        {
            "layout": "picture_full", "section": "Findings",
            "title": "Forty villages lie behind these ridges",
            "picture": {"path": str(ridges), "alt": "Five ridges, one behind the other",
                        "kind": "photograph"},
            "source": "Picture: Department of Water",
        },
        {
            "layout": "chart", "section": "Findings",
            "title": "Repairs doubled once mechanics were trained",
            "chart": {
                "kind": "column", "categories": ["2020", "2021", "2022", "2023", "2024", "2025"],
                "series": [{"name": "Repairs", "values": [31, 28, 34, 33, 41, 68]}],
                "unit": "Pumps repaired in a year", "source": "Repair log, 2020 to 2025",
                "accent_category": 5,
            },
        },
        {
            "layout": "chart_takeaways", "section": "Findings",
            "title": "The north waits a third as long as the west",
            "chart": {
                "kind": "line", "categories": ["2021", "2022", "2023", "2024", "2025"],
                "series": [{"name": "North", "values": [44, 41, 38, 27, 12]},
                           {"name": "East", "values": [58, 61, 60, 61, 49]},
                           {"name": "West", "values": [49, 52, 51, 52, 37]}],
                "unit": "Days until a pump runs again", "source": "Repair log, 2021 to 2025",
            },
            "body": _points("Training began in the north in 2024",
                            "East and west follow this year", "Parts are no longer the limit"),
        },
        {
            "layout": "table", "section": "Findings",
            "title": "Repair times fell in every district",
            "table": {
                "header": ["District", "Villages", "Pumps", "Days in 2024", "Days in 2025"],
                "rows": [["North", "14", "22", "27", "12"], ["East", "9", "13", "61", "49"],
                         ["South", "11", "19", "38", "21"], ["West", "6", "8", "52", "37"]],
            },
            "source": "Repair log, 2024 and 2025",
        },
        {
            "layout": "big_numbers", "section": "Findings",
            "title": "What the training changed in one year",
            "numbers": [{"value": "12 days", "label": "to repair a pump in the north, not 27"},
                        {"value": "92 %", "label": "of pumps in the north work on a given day"},
                        {"value": "28", "label": "mechanics in 14 villages"}],
        },
        {
            "layout": "quote", "section": "Findings", "title": "What the villages say",
            "quote": {
                "text": "We no longer wait for somebody to come. We open the box and begin.",
                "by": "A mechanic in a village of the north",
            },
        },
    ]  # fmt: skip


def _plan() -> list[dict[str, Any]]:
    return [
        {
            "layout": "two_columns", "section": "Plan",
            "title": "Training pays for itself within the first year",
            "columns": [
                _column("What it costs", "One course of ten days for two people",
                        "A box of tools for each village", "A visit every half year"),
                _column("What it saves", "15 days of waiting for each repair",
                        "Two journeys of a lorry", "Fuel for carrying water"),
            ],
        },
        {
            "layout": "three_columns", "section": "Plan",
            "title": "Three ways to keep pumps running",
            "columns": [
                _column("Train", "Two mechanics in each village", "Courses every spring"),
                _column("Stock", "Spare parts in three depots", "Orders by telephone"),
                _column("Measure", "A counter on each pump", "Reports by text message"),
            ],
        },
        {
            "layout": "comparison", "section": "Plan",
            "title": "Repairing beats drilling for most villages",
            "columns": [
                _column("Drill a new well", "12,000 euros and four months",
                        "Needed on the eastern ridge only", "Still needs a working pump"),
                _column("Repair the pump", "150 euros and twelve days",
                        "Enough for 36 of 40 villages", "Can begin next week"),
            ],
        },
        {
            "layout": "process", "section": "Plan", "title": "How a repair is done",
            "steps": _steps(Report="The counter sends a message",
                            Look="The mechanic finds the part",
                            Order="The depot sends it in two days",
                            Repair="The pump runs again"),
        },
        {
            "layout": "timeline", "section": "Plan", "title": "From first survey to all villages",
            "steps": _steps(_2024="Survey of forty villages", _2025="Training in the north",
                            _2026="Depots open", _2028="Training in all districts",
                            _2030="Every village has water"),
        },
        {
            "layout": "cards", "section": "Plan", "title": "Who does what until December",
            "cards": _steps(District_office="Chooses villages and signs contracts",
                            Depots="Keep parts for thirty days of repairs",
                            Mechanics="Report each repair on the same day",
                            Schools="Teach how to use a pump",
                            Villages="Name two people to be trained",
                            Department="Publishes the numbers every month"),
        },
        {
            "layout": "code", "section": "Plan", "title": "Mechanics report a repair by one line",
            "code": {"language": "sh", "lines": [
                "for pump in $(cat repaired.txt); do", '    report --pump "$pump" --works yes',
                "done",
            ]},
            "body": _points("Text messages work, too", "The depot sees it the same day"),
        },
        {
            "layout": "closing", "section": "Plan", "title": "Start with the pumps",
            "subtitle": "We ask for 60,000 euros for training and tools in 2026",
            "body": _points("water@example.org"),
        },
    ]  # fmt: skip
