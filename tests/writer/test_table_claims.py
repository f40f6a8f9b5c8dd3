"""Claims are held against the cells by plain arithmetic of these tests."""

import random
import re
from pathlib import Path

import pytest

from decklab.documents.computed import Proof
from decklab.documents.model import DocumentTable
from decklab.documents.reading import read_documents
from decklab.writer.table_views import table_views

NUMBER = r"(-?\d[\d,]*(?:\.\d+)?)"
FORMS = {
    "change": re.compile(rf"(.+) (rose|fell) {NUMBER} % from (.+) to (.+)"),
    "ends": re.compile(rf"(.+) (rose|fell) from {NUMBER} to {NUMBER} \((.+) to (.+)\)"),
    "same": re.compile(rf"(.+) (?:is|are) {NUMBER} in (.+), as in (.+)"),
    "share": re.compile(rf"(?P<b>.+) has {NUMBER} % of the (?P<a>.+) \({NUMBER} of {NUMBER}\)"),
    "outlier": re.compile(rf"(.+) (?:is|are) highest for (.+): {NUMBER}, {NUMBER} times the next"),
    "lowest": re.compile(rf"(.+) (?:is|are) lowest for (.+): {NUMBER}"),
    "highest": re.compile(rf"(.+) (?:is|are) highest for (.+): {NUMBER}"),
    "range": re.compile(rf"(Total) is highest for (.+) \({NUMBER}\), lowest for (.+) \({NUMBER}\)"),
    "peak": re.compile(rf"(.+) peaked at {NUMBER} \((.+)\)"),
}


def table(*rows: str) -> DocumentTable:
    cells = tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows)
    return DocumentTable("a.md", 1, cells, header_rows=1)


def claims(*rows: str, language: str = "en") -> list[str]:
    views = table_views(table(*rows), source="a.md", language=language)
    return [view.claim for view in views if view.claim]


def number(text: str) -> float:
    return float(text.replace(",", ""))


def is_rounded(text: str, exact: float) -> bool:
    decimals = len(text.partition(".")[2])
    return abs(number(text) - exact) <= 0.5 * 10**-decimals + 1e-6


def check(claim: str, rows: list[list[str]]) -> str:
    """The form of a claim, once it holds for the cells; rows as they stand, headings first."""
    header, *body = rows
    form, match = next(
        (name, found) for name, pattern in FORMS.items() if (found := pattern.fullmatch(claim))
    )
    if form == "range":
        total = dict(zip(header, rows[-1], strict=True))
        sums = sorted(float(total[name]) for name in header[1:])
        assert (number(match[5]), number(match[3])) == (sums[0], sums[-1])
        assert float(total[match[4]]) == sums[0] and float(total[match[2]]) == sums[-1]
        assert sums[0] < sums[1] and sums[-2] < sums[-1]
        return form
    name = match["a"].capitalize() if form == "share" else match[1]
    column = {
        row[0]: (None if row[at] in ("", "–") else float(row[at]))
        for at in [header.index(name)]
        for row in body
        if row[0] != "Total"
    }
    known = {label: value for label, value in column.items() if value is not None}
    if form in ("change", "ends", "same"):
        order = list(known)
        first, last = known[order[0]], known[order[-1]]
        at = {"change": (4, 5), "ends": (5, 6), "same": (4, 3)}[form]
        assert (match[at[0]], match[at[1]]) == (order[0], order[-1])
        if form == "same":
            assert first == last == number(match[2])
            return form
        assert (last > first) == (match[2] == "rose") and first != last
        if form == "change":
            assert first > 0 and is_rounded(match[3], 100 * abs(last - first) / first)
        else:
            assert (number(match[3]), number(match[4])) == (first, last)
        return form
    if form == "peak":
        order = list(known)
        others = [other for label, other in known.items() if label != match[3]]
        assert known[match[3]] == number(match[2]) > max(others)
        assert match[3] not in (order[0], order[-1])
        return form
    named = match["b"] if form == "share" else match[2]
    value = known[named]
    others = [other for label, other in known.items() if label != named]
    assert value < min(others) if form == "lowest" else value > max(others)
    if form == "share":
        assert len(known) == len(column) and min(known.values()) >= 0
        assert is_rounded(match[2], 100 * value / sum(known.values()))
        assert number(match[4]) == value and is_rounded(match[5], sum(known.values()))
    elif form == "outlier":
        assert number(match[3]) == value and is_rounded(match[4], value / max(others))
    else:
        assert number(match[3]) == value
    return form


def random_rows(seed: int) -> list[list[str]]:
    chance = random.Random(seed)
    count = chance.choice([1, 2, 3, 4, 6, 9, 12, 20])
    timed = chance.random() < 0.5
    labels = [str(2000 + at) if timed else f"Place {chr(65 + at)}" for at in range(count)]
    columns = []
    for _ in range(chance.choice([1, 1, 2, 3])):
        kind = chance.choice(["counts", "decimals", "signed", "zeros", "equal", "wide", "gaps"])
        low = -50 if kind == "signed" else 0
        values = [str(chance.randint(low, 200)) for _ in labels]
        if kind == "decimals":
            values = [f"{chance.uniform(0, 90):.1f}" for _ in labels]
        elif kind == "zeros":
            values = [chance.choice(["0", "0", "5"]) for _ in labels]
        elif kind == "equal":
            values = [values[0]] * count
        elif kind == "wide":
            values = [str(10 ** chance.randint(0, 6)) for _ in labels]
        elif kind == "gaps":
            values = [chance.choice([value, "–", ""]) for value in values]
        columns.append(values)
    names = chance.choice([["Calls", "Visitors", "Ships"], ["Delays", "Calls", "Losses"]])
    names = names[: len(columns)]
    rows = [["Year" if timed else "Place", *names]]
    rows += [
        [label, *(values[at] for values in columns)] for at, label in enumerate(labels)
    ]  # fmt: skip
    sums = [[float(value) for value in values if value not in ("", "–")] for values in columns]
    if chance.random() < 0.3:
        rows.append(["Total", *(f"{sum(values):.1f}".removesuffix(".0") for values in sums)])
    return rows


def test_what_is_claimed_of_random_tables_holds_by_arithmetic() -> None:
    forms = set()
    for seed in range(400):
        rows = random_rows(seed)
        for claim in claims(*("|".join(row) for row in rows)):
            forms.add(check(claim, rows))
    assert forms == set(FORMS)


def test_nothing_is_claimed_of_ties_single_rows_and_unknown_values() -> None:
    assert claims("Region|Calls", "North|3", "South|3", "East|3") == []
    assert claims("Region|Calls", "North|3") == []
    assert claims("Region|Calls", "North|–", "South|–", "East|–") == []
    assert claims("Year|Calls", "2023|–", "2024|5") == []


def test_a_change_from_nothing_or_from_a_loss_is_told_by_its_ends() -> None:
    assert claims("Year|Result", "2022|0", "2023|4", "2024|6")[0] == (
        "Result rose from 0 to 6 (2022 to 2024)"
    )
    assert claims("Year|Result", "2022|-5", "2023|4", "2024|-9")[0] == (
        "Result fell from -5 to -9 (2022 to 2024)"
    )


def test_shares_change_by_points_and_not_by_per_cent_of_per_cent() -> None:
    found = claims("Year|Quota", "2022|40 %", "2023|42 %", "2024|50 %")
    assert found[0] == "Quota rose from 40 % to 50 % (2022 to 2024)"


@pytest.mark.parametrize(
    ("language", "change", "share"),
    [
        ("en", "Calls rose 6 % from Q1 to Q4", "North has 40 % of the calls (1,930 of 4,812)"),
        ("de-AT", "Calls: Anstieg um 6 % von Q1 bis Q4",
         "Calls: 40 % entfallen auf North (1,930 von 4,812)"),
        ("fr", "Calls : hausse de 6 % de Q1 à Q4",
         "Calls : North représente 40 % (1,930 sur 4,812)"),
        ("es", "Calls: aumento del 6 % de Q1 a Q4",
         "Calls: North representa el 40 % (1,930 de 4,812)"),
    ],
)  # fmt: skip
def test_claims_are_made_in_four_languages(language: str, change: str, share: str) -> None:
    times = ("Quarter|Calls", "Q1|4812", "Q2|5001", "Q3|4950", "Q4|5102")
    parts = ("Region|Calls", "North|1,930", "South|1,500", "East|1,382")
    assert claims(*times, language=language)[0] == change
    assert claims(*parts, language=language)[0] == share


def test_other_languages_get_charts_without_a_claim() -> None:
    views = table_views(
        table("地区|销售", "北|3", "南|4", "东|9"), source="a.md", language="zh-Hans"
    )
    assert views[0].chart is not None and {view.claim for view in views} == {""}


def test_options_are_compared_by_their_totals_and_times_too() -> None:
    options = claims("Cost|Gas|Air|River", "Plant|20|53|41", "Pipes|3|6|9", "Total|23|59|50")
    assert options[0] == "Total cost is lowest for Gas: 23"
    others = claims("Use|Gas|Air|River", "Plant|20|53|41", "Pipes|3|6|9", "Total|23|59|50")
    assert others[0] == "Total is highest for Air (59), lowest for Gas (23)"
    times = claims(
        "Staff|2022|2023|2024", "Care|100|105|109", "Office|20|18|17", "Total|120|123|126"
    )
    assert times[0] == "Total rose 5 % from 2022 to 2024"
    columns = claims(
        "Year|Care|Office|Staff", "2022|100|20|120", "2023|105|18|123", "2024|109|17|126"
    )
    assert columns[0] == "Staff rose 5 % from 2022 to 2024"


def test_a_stated_total_that_is_no_sum_forbids_a_share() -> None:
    overlapping = claims("Answer|Complaints", "Bus|60", "Train|50", "Car|40", "Total|100")
    assert overlapping[0] == "Complaints are highest for Bus: 60"


def test_who_leads_near_equal_or_neutral_values_is_a_claim_of_one_measure_only() -> None:
    assert claims("Cost|A|B|C", "Rent|900|905|910", "Heat|90|91|90", "Total|990|996|1000") == []
    assert claims("Branch|Loans per day", "North|90", "South|89", "East|88") == []
    several = claims(
        "Branch|Loans in spring|Loans in summer", "North|90|91", "South|70|72", "East|60|61"
    )
    assert not any(claim.startswith("Loans") for claim in several)
    alone = claims("Branch|Loans per day", "North|90", "South|70", "East|60")
    assert alone[-1] == "Loans per day are highest for North: 90"
    waits = claims("Branch|Wait (min)", "North|90", "South|70", "East|60")
    assert waits[0] == "Wait is highest for North: 90 min"


def test_years_in_which_things_were_bought_are_no_time_axis() -> None:
    found = claims("Bought|Buses", "2010|13", "2013|9", "2017|4")
    assert not any("fell" in claim for claim in found)
    assert claims("Year|Buses", "2010|13", "2013|9", "2017|4")[0].startswith("Buses fell")


def test_a_row_named_by_a_number_is_named_with_its_heading() -> None:
    delays = claims("Gate|Delay (min)", "7|2.5", "3|1.5", "9|5.5")
    assert delays[0].startswith("Delay is highest for Gate 9: ")


def months(*values: float, first: int = 0, heading: str = "Month|Units") -> list[str]:
    """The claims of monthly values from January 2024 on, or some months later."""
    rows = [
        f"{2024 + at // 12}-{1 + at % 12:02}|{value}"
        for at, value in enumerate(values, start=first)
    ]
    return claims(heading, *rows)


def test_a_month_is_compared_with_the_same_month_a_year_before() -> None:
    values = [*range(100, 112), *range(150, 161), 222]
    assert months(*values)[0] == "Units are 100 % higher in Dec 2025 than in Dec 2024"
    later = months(*values[1:], 60, first=1)
    assert later[0] == "Units are 60 % lower in Jan 2026 than in Jan 2025"
    quarters = ("Q3 2024|7", "Q4 2024|10", "Q1 2025|4", "Q2 2025|5", "Q3 2025|6", "Q4 2025|9")
    assert claims("Quarter|Units", *quarters)[0] == (
        "Units are 10 % lower in Q4 2025 than in Q4 2024"
    )
    assert claims("Quarter|Profit", "Q1 2024|-3", "Q2 2024|2", "Q1 2025|5")[0] == (
        "Profit rose from -3 to 5 (Q1 2024 to Q1 2025)"
    )


def test_of_less_than_a_year_the_highest_time_is_claimed_and_no_change() -> None:
    assert months(5, 6, 9, 8)[0] == "Units are highest in Mar 2024: 9"
    assert months(5, 9, 9, 8) == []
    assert months(5, 9, 9, 8, heading="Month|Loss")[0] == "Loss is lowest in Jan 2024: 5"
    assert months(5, 6) == []
    weeks = claims("Week|Cost of repairs", "W1|5", "W2|7", "W3|6")
    assert weeks[0] == "Cost of repairs is highest in W2: 7"
    assert claims("Month|Units", "Jan|5", "Feb|7", "Mar|6", language="de")[0] == (
        "Units: Höchststand 7 (Feb)"
    )
    across = claims("Quarter|Units", "Q3 2024|5", "Q4 2024|6", "Q1 2025|9")
    assert across[0] == "Units are highest in Q1 2025: 9"


def test_a_low_value_is_claimed_only_where_low_is_good() -> None:
    rows = ("North|9", "South|9", "East|8.5", "West|2", "Total|99")
    assert claims("Region|Calls", *rows) == []
    assert claims("Region|Accidents", *rows)[0] == "Accidents are lowest for West: 2"


def test_values_that_look_alike_are_ties_and_the_larger_of_two_is_no_message() -> None:
    assert claims("Region|Mean", "North|3.1415926", "South|3.1415929", "East|2", "Total|9") == []
    assert claims("Region|Calls", "North|3", "South|5") == []


def test_lines_of_an_account_are_no_shares_of_their_sum() -> None:
    signs = claims("Line|Amount", "Fares|300", "Subsidy|200", "Costs|450")
    sums = claims("Line|Amount", "Staff|50", "Energy|20", "Rent|30", "Running|100", "Other|7")
    named = claims("Line|Amount", "Fares|300", "Energy|20", "Net result|280")
    assert not any("%" in claim for claim in (*signs, *sums, *named))
    parts = claims("Line|Amount", "Staff|50", "Energy|20", "Rent|31", "Other|107")
    assert any("%" in claim for claim in parts)


def test_only_the_series_by_which_rows_were_chosen_is_ranked() -> None:
    rows = [f"City {chr(65 + at)}|{100 + at}|{300 - 5 * at}" for at in range(26)]
    found = claims("City|Delays by bus|Delays by car", *rows)
    assert found and not any("by car" in claim for claim in found)


def test_options_are_drawn_by_their_totals_and_the_cheapest_stands_out() -> None:
    rows = ("Rent|900|700|800", "Moving|60|90|50", "Total|960|790|850")
    chart = table_views(table("Cost|A|B District|C", *rows), source="a.md")[0].chart
    assert chart is not None and chart.categories == ("A", "B District", "C")
    assert list(chart.series[0].values) == [960, 790, 850] and chart.accent_category == 1
    assert claims("Cost|A|B District|C", *rows)[0] == "Total cost is lowest for B District: 790"
    assert claims("Cost|A|B", "Rent|9|7", "Moving|6|9", "Fees|1|1", "Total|16|17")[0] == (
        "Total cost is lowest for A: 16"
    )
    plans = claims("Cost|Plan|Actual|Forecast", "Rent|9|7|8", "Moving|6|9|5", "Total|15|16|13")
    assert plans[0] == "Total cost is 7 % above plan: 16 instead of 15"
    assert not any("lowest" in claim for claim in plans)


def test_subsidies_and_further_totals_are_no_parts_of_an_option() -> None:
    head = "Line|A Gas|B District|C Pump"
    rows = ("Plant|20|53|41", "Pipes|3|6|9", "Subsidy|0|-9|-20", "Total|23|50|30")
    found = claims(head, *rows)
    assert not any("%" in claim for claim in found)
    again = claims(head, *rows[:2], "Total|23|59|50", "Total if gas is dearer|30|60|51")
    assert not any("dearer" in claim for claim in again)
    assert claims("Line|Budget|Last", "Income|9|8", "Cost|7|9", "Other cost|2|3") == []


def test_marks_are_compared_by_their_weighted_total_and_low_ones_are_not_better() -> None:
    rows = ("Running cost|60 %|2|4|3", "Emissions|40 %|1|4|5", "Weighted total|100 %|1.6|4|3.8")
    found = claims("Criterion|Weight|A|B|C", *rows)
    assert "Weighted total is highest for B (4), lowest for A (1.6)" in found


def captioned(caption: str, *rows: str) -> str:
    """The claim of the first way to show a table with a caption."""
    cells = tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows)
    shown = DocumentTable("a.md", 1, cells, caption=caption, header_rows=1)
    return table_views(shown, source="a.md")[0].claim


def test_a_claim_names_the_measure_that_the_caption_has() -> None:
    complaints = ("Bills and meters|1,240|871", "Pressure|402|366", "Taste|275|214")
    about = captioned("Table 3: Complaints by subject", "Subject|2024|2025", *complaints)
    assert about == "Complaints about bills and meters fell 30 % from 2024 to 2025"
    cost = captioned("Cost by part in $ million", "Part|2024|2026", "Building|17.2|18.7",
                     "Technical systems|6.1|6.9", "Fees|1.7|1.8")  # fmt: skip
    assert cost == "Cost of Building rose 9 % from 2024 to 2026"
    options = captioned("Table 1: Investment in thousand $", "|Gas|Air|River", "Plant|20|53|41",
                        "Pipes|3|6|9", "Total|23|59|50")  # fmt: skip
    assert options == "Total investment is lowest for Gas: 23 (thousand $)"
    of = captioned("Mains by material", "Material|Length (km)|Share", "Iron|212|20 %",
                   "Steel|874|70 %", "Clay|131|10 %")  # fmt: skip
    assert of == "Length of mains is highest for Steel: 874 km"
    figures = captioned("Key figures for three years", "|2023|2024|2025", "Customers|80|85|90",
                        "Burst mains|318|297|226", "Rating|3|2|4")  # fmt: skip
    assert figures == "Burst mains fell 29 % from 2023 to 2025"


def test_what_is_spent_of_a_budget_comes_before_the_largest_item() -> None:
    rows = ("Software|1,900|1,420", "Gates|1,650|610", "Reserve|450|330")
    assert claims("Item|Budget|Spent", *rows)[0] == "59 % of the budget is spent (2,360 of 4,000)"
    plan = claims("Item|Plan|Actual", *rows)
    assert plan[0] == "Actual is 41 % below plan: 2,360 instead of 4,000"


def test_the_numbers_of_a_plan_prove_themselves(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "| Item | Plan | Actual |\n|---|---|---|\n| Food | 840 | 867 |\n| Staff | 760 | 741 |\n"
        "| Transport | 310 | 262 |\n"
    )
    (source,) = read_documents([path]).documents
    view = table_views(source.tables[0], source="a.md")[0]
    assert view.claim == "Actual is 2 % below plan: 1,870 instead of 1,910"
    assert [Proof(source).values(item) for item in view.computed] == [(2,), (1870,), (1910,)]


def test_a_claim_of_a_chart_does_not_speak_of_a_total_that_it_does_not_show() -> None:
    rows = ("Building|17.2|18.7", "Systems|6.1|6.9", "Fees|1.7|1.8", "Total|25.0|27.4")
    chart, *_, whole = table_views(table("Cost|2024|2026", *rows), source="a.md")
    assert chart.chart is not None and "Total" not in chart.chart.categories
    assert chart.claim == "Cost of Building rose 9 % from 2024 to 2026"
    assert whole.table is not None and whole.claim == "Total cost rose 10 % from 2024 to 2026"


def test_a_letter_names_no_measure() -> None:
    assert claims("Criterion|A|B", "Noise|2|4", "Smell|3|1", "Light|5|2") == []


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Built", ("1911", "1974", "1889", "2004")),
        ("Room", ("201", "204", "305", "310")),
        ("Year built", ("1911", "1974", "1889", "2004")),
        ("Version", ("2.1", "3.0", "4.2", "4.8")),
    ],
)
def test_years_rooms_and_versions_are_no_quantities(heading: str, cells: tuple[str, ...]) -> None:
    rows = [f"Item {chr(65 + at)}|{cell}" for at, cell in enumerate(cells)]
    assert claims(f"Item|{heading}", *rows) == []
    lengths = [f"{row}|{length}" for row, length in zip(rows, (120, 240, 90, 310), strict=True)]
    found = claims(f"Item|{heading}|Delay (min)", *lengths)
    assert found[0] == "Delay is highest for Item D: 310 min"


def test_groups_that_hold_others_and_votes_have_no_shares() -> None:
    groups = claims(
        "Group|Graduates", "All students|3,871", "White|2,294", "Black|412", "Asian|800"
    )
    assert groups[0] == "Graduates are highest for White: 2,294"
    votes = ("First|15|0", "Second|14|1", "Third|8|5", "Fourth|9|2")
    assert claims("Proposal|For|Against", *votes) == []


def test_something_is_highest_on_a_day() -> None:
    days = [f"2025-06-{at + 1:02}|{bags}" for at, bags in enumerate((50, 60, 90, 40, 45))]
    assert claims("Day|Bags", *days)[0] == "Bags are highest on 2025-06-03: 90"


def test_money_and_numbers_in_a_caption_are_read_whole() -> None:
    rows = ("|A|B|C", "Staff|27|61|214", "Licences|325|153|96", "Total|352|214|310")
    claim = captioned("Table 2. Cost at 600,000 words a year, in thousand euro", *rows)
    assert claim == "Total cost at 600,000 words a year is lowest for B: 214 (thousand euro)"
    scores = captioned("Scores (1 poor, 5 good)", "Part|2023|2024", "A1|3|4", "B1|2|5", "C1|1|2")
    assert "(1 poor" not in scores


def test_only_the_group_with_the_highest_value_is_claimed_to_be_highest() -> None:
    tops = {"TB-01": 2.3, "TB-04": 2.56}
    rows = [f"{gauge}|2026-10-{day}|{top - (day - 12) ** 2 / 100}"
            for gauge, top in tops.items() for day in range(10, 24)]  # fmt: skip
    said = claims("station|date|stage_m", *rows)
    assert said[0] == "Stage of TB-04 is highest on 2026-10-12: 2.56 m"
    assert not [claim for claim in said if "TB-01" in claim]


def test_amounts_of_several_units_have_no_sum_and_no_highest() -> None:
    said = claims(
        "Item|Unit|In stock|Weeks left", "Fish|tin|412|2.1", "Milk|litre|705|3.4",
        "Pasta|500 g|2240|8.0", "Formula|800 g|22|1.3",
    )  # fmt: skip
    assert set(said) == {"Weeks left is lowest for Formula: 1.3"}


def test_nothing_is_claimed_of_income_beside_spending_and_of_states_of_one_price() -> None:
    assert not claims(
        "Posten|Ansatz 2026|Erwartung", "Gewerbesteuer|4200|3650", "Gebühren|1850|1870",
        "Personal|5310|5290", "Energie|780|865", language="de",
    )  # fmt: skip
    assert not claims(
        "Karte|bisher|Vorschlag|beschlossen", "Tag|4,00 €|5,50 €|5,00 €",
        "Familie|9,00 €|12,50 €|11,00 €", "Saison|70,00 €|95,00 €|90,00 €", language="de",
    )  # fmt: skip


def test_years_in_which_things_were_bought_are_no_times_of_a_change_and_have_no_share() -> None:
    said = claims(
        "Bought|Single deck|Double deck|All|Breakdowns per 100,000 miles",
        "2008-2011|17|9|26|26.3", "2012-2015|10|6|16|17.1", "2016-2019|9|5|14|9.0",
        "2020-2023|5|3|8|5.2",
    )  # fmt: skip
    assert said and not [claim for claim in said if re.search(r"fell|rose|%", claim)]
    assert "Breakdowns per 100,000 miles are highest for Bought 2008-2011: 26.3" in said


def test_the_highest_of_alternatives_is_no_message_and_their_sum_is_none() -> None:
    bids = ("Kestrel|8 hours", "Voltwerk|24 hours", "Norcharge|48 hours")
    assert claims("Site|Service", *bids) and not claims("Bidder|Service", *bids)
    options = ("1|New liner|3.42", "2|Steel basin|5.86", "3|Steel basin, sauna|8.14")
    assert set(claims("Option|Content|Cost (EUR m)", *options)) == {
        "Cost is lowest for New liner: EUR 3.42 m"
    }


def test_of_parts_of_one_thing_and_of_marks_by_criteria_no_extreme_is_claimed() -> None:
    funding = claims(
        "Source|Phase 1|Phase 2|Phase 3|All", "Fund|5.10|4.70|4.90|14.70",
        "Loan|4.84|4.90|5.10|14.84", "Reserve|1.95|1.93|1.72|5.60", "Total|11.89|11.53|11.72|35.14",
    )  # fmt: skip
    assert not [claim for claim in funding if "lowest" in claim]
    assert not claims("Criterion|Maximum|A|B", "Cost|45|41|45", "Safety|35|20|30", "Help|20|15|18")


def test_times_and_states_of_one_thing_are_no_options() -> None:
    rows = ("Road|38|7", "Falls|71|3", "Water|9|2", "Total|118|12")
    found = claims("Incident|All|Serious", *rows)
    assert found and found[0] == "Falls have 60 % of all (71 of 118)"
    assert not any(" lowest for " in claim for claim in found)
    money = ("Training|£214,000|£139,000", "Staff|£168,000|£174,000", "Total|£382,000|£313,000")
    found = claims("Cost|Year 1|Each year after", *money)
    assert not any("lowest for Each year after" in claim for claim in found)


def test_numbers_of_routes_have_no_share() -> None:
    found = claims("Route|From - to|Riders", "7|Hospital|2,010", "11|Lake|640", "19|Loop|280")
    assert found and not any("route" in claim for claim in found)
