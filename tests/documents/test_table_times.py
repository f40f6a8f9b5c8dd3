import datetime

import pytest

from decklab.documents.table_times import TimeLabel, read_time, read_times


@pytest.mark.parametrize(
    ("text", "time", "grain"),
    [
        ("2024", (2024, 0, 0), "year"),
        ("FY 24", (2024, 0, 0), "year"),
        ("2023/24", (2023, 0, 0), "year"),
        ("1990s", (1990, 0, 0), "decade"),
        ("Q3", (0, 3, 0), "quarter"),
        ("2024-Q1", (2024, 1, 0), "quarter"),
        ("1Q24", (2024, 1, 0), "quarter"),
        ("1. Quartal 2024", (2024, 1, 0), "quarter"),
        ("1er trimestre 2024", (2024, 1, 0), "quarter"),
        ("2T 2024", (2024, 2, 0), "quarter"),
        ("H2 2023", (2023, 2, 0), "half"),
        ("Mär 2024", (2024, 3, 0), "month"),
        ("août", (0, 8, 0), "month"),
        ("enero de 2024", (2024, 1, 0), "month"),
        ("Jan-24", (2024, 1, 0), "month"),
        ("2024-11", (2024, 11, 0), "month"),
        ("2024年1月", (2024, 1, 0), "month"),
        ("KW 12", (0, 12, 0), "week"),
        ("2024-W07", (2024, 7, 0), "week"),
        ("15 de marzo de 2024", (2024, 3, 15), "day"),
        ("Jan 5, 2024", (2024, 1, 5), "day"),
        ("2024-01-05T12:30:00Z", (2024, 1, 5), "day"),
        ("08:30", (0, 8, 30), "hour"),
    ],
)
def test_labels_of_time_are_read_in_their_forms(
    text: str, time: tuple[int, int, int], grain: str
) -> None:
    read = read_time(text)
    assert read is not None
    assert ((read.year, read.part, read.day), read.grain) == (time, grain)


@pytest.mark.parametrize(
    "text", ["", "North", "12", "3.5", "Q5", "H1", "T1", "13/2024", "Mayor", "2024-00-10", "x" * 99]
)
def test_other_labels_are_no_times(text: str) -> None:
    assert read_time(text) is None


def test_iso_days_sort_as_the_calendar_does() -> None:
    days = [datetime.date(2023, 12, 20) + datetime.timedelta(days=9 * n) for n in range(12)]
    read = read_times([day.isoformat() for day in days])
    assert read is not None and list(read) == sorted(time for time in read if time)


def test_a_column_has_times_of_one_grain_only() -> None:
    assert read_times(["Q1 2024", "2024"]) is None
    assert read_times(["Q1 2024", "Q2"]) is None
    assert read_times([]) is None
    assert read_times(["Q1", "", "Q3"]) == (read_time("Q1"), None, read_time("Q3"))


def test_days_with_slashes_are_told_by_their_column_or_are_no_times() -> None:
    american = read_times(["1/30/2024", "2/3/2024"])
    assert american is not None and american[1] == TimeLabel(2024, 2, 3)
    by_order = read_times(["5/1/2024", "12/1/2024", "3/2/2024"])
    assert by_order is not None and by_order[2] == TimeLabel(2024, 2, 3)
    assert read_times(["1/2/2024", "1/3/2024"]) is None


def test_a_time_lies_in_coarser_ones_if_it_has_a_year() -> None:
    day = TimeLabel(2024, 5, 17, "day")
    assert [day.within(grain).text for grain in ("month", "quarter", "year", "decade")] == [
        "2024-05", "Q2 2024", "2024", "2020s",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="lies in no"):
        TimeLabel(0, 5, grain="month").within("year")
