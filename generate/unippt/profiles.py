"""The long parts of two reports: one short chapter a district, and one a turbine.

Such chapters make a report long and say little that a deck needs. Their numbers are made from the
position in the list, so they are the same on every run.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

_Chapter = Callable[[int, str], Iterator[str]]

_DISTRICTS: Final = (
    "Altmarkt", "Birkenhof", "Brook", "Deichtor", "Eichberg", "Fährhaus", "Gartenstadt",
    "Hagen", "Kirchwald", "Lerchenfeld", "Mühlau", "Oststrand", "Rosenhöhe", "Weinberg",
)  # fmt: skip
_GROUND: Final = ("clay", "sand", "gravel", "old river mud", "limestone")
_WORKS: Final = (
    "The pressure was raised in two steps, and nobody complained of it afterwards.",
    "A valve from 1938 could not be closed any more and was exchanged at night.",
    "The school was supplied through a pipe above ground for eleven days.",
    "Archaeologists found a wooden pipe of the year 1612 here, which is now in the museum.",
    "The trees along the main street had to be protected, so the trench was dug by hand.",
    "A new hydrant serves the fire brigade of the harbour.",
)
_REMARKS: Final = (
    "Residents asked above all how hard the water is.",
    "Several owners of houses asked for advice on old pipes in their cellars.",
    "The open day at the pumping station drew many families.",
    "The allotment gardens have had meters of their own since spring.",
    "Two bakeries asked for a second connection, because they cannot stop at all.",
)
_FINDINGS: Final = (
    "The oil was changed and showed no metal.",
    "The blades were polished, because salt and insects had made their edges rough.",
    "A cable in the tower had rubbed against a bracket and was laid anew.",
    "The lift stood still for three weeks, and technicians climbed the ladder.",
    "The lamp for aircraft failed twice and was exchanged.",
    "The foundation was checked for cracks, and there were none.",
)
_DISTRICTS_INTRO: Final = (
    "Each district has a page: its pipes, what was mended and renewed, and what is planned for "
    "2026. The numbers of leaks are those of pipes in the street; leaks in gardens and cellars "
    "belong to the owners of the houses."
)
_TURBINES_INTRO: Final = (
    "Each turbine has a paragraph on its yield, its services, its neighbours, and what is due in "
    "2026."
)
_FIELDS: Final = ("sheep", "barley", "rape", "set-aside land", "potatoes")


def districts() -> str:
    """The chapters on fourteen districts, as text."""
    return "\n\n".join(
        ["## Annex: the districts", _DISTRICTS_INTRO, *_chapters(_DISTRICTS, _district)]
    )


def turbines() -> str:
    """The chapters on twenty-four turbines, as text."""
    names = [f"N{number}" for number in range(1, 25)]
    return "\n\n".join(["## Annex: the turbines", _TURBINES_INTRO, *_chapters(names, _turbine)])


def _chapters(names: Sequence[str], chapter: _Chapter) -> Iterator[str]:
    for number, name in enumerate(names):
        yield f"### {name}"
        yield from chapter(number, name)


def _district(number: int, name: str) -> Iterator[str]:
    people = 2900 + (number * 1873) % 5200
    pipes = 21 + (number * 17) % 29
    yield (
        f"{name} has {people:,} inhabitants and {pipes} kilometres of pipe, which lie mostly in "
        f"{_GROUND[number % 5]}. The oldest section still in use is of "
        f"{1902 + (number * 13) % 60}. The zone is fed from "
        f"{('the upper tank', 'the lower tank', 'both tanks')[number % 3]} at a pressure of "
        f"{4.2 + (number % 5) * 0.3:.1f} bar."
    )
    leaks, before = _leaks(number, 2025), _leaks(number, 2024)
    yield (
        f"In 2025 the crews mended {leaks} leaks in {name}, against {before} in the year before. "
        f"{_WORKS[number % 6]} Road and pavement were opened at {leaks + 3 + number % 4} places "
        f"and closed again within {5 + number % 4} days on average."
    )
    yield "\n".join(
        ["| Year | Leaks mended | Metres renewed | House connections |", "|---|---|---|---|"]
        + [
            f"| {year} | {_leaks(number, year)} | "
            f"{180 + (number * 71 + year * 37) % 640} | {14 + (number * 5 + year) % 31} |"
            for year in range(2021, 2026)
        ]
    )
    yield (
        f"The hardness of the water in {name} is {11 + number % 6} degrees. "
        f"{_REMARKS[number % 5]} For 2026 the waterworks plans to renew "
        f"{240 + (number * 97) % 700} metres of pipe in {name}, and to read all meters by radio by "
        f"{('spring', 'summer', 'autumn')[number % 3]}. The crews will begin with the streets "
        f"where pipes and cables of others are renewed as well."
    )
    yield (
        f"The laboratory took {110 + (number * 29) % 90} samples in {name}. The water left the "
        f"taps at {9 + number % 4} to {14 + number % 5} degrees. {_REMARKS[(number + 2) % 5]} "
        f"{_WORKS[(number + 3) % 6]}"
    )


def _leaks(number: int, year: int) -> int:
    return 9 + (number * 11) % 23 + (2025 - year) * 3 + (number + year) % 3


def _turbine(number: int, name: str) -> Iterator[str]:
    hours = 7900 + (number * 137) % 620
    old = number < 12
    yield (
        f"Turbine {name} stands on {_FIELDS[number % 5]} and went into service in "
        f"{('May 2020' if old else 'June 2021')}. It ran for {hours:,} hours and gave "
        f"{11.9 - number % 2 / 10 + (number * 7 % 24) / 10:.1f} gigawatt-hours. The mean "
        f"wind at its hub was {6.8 - number % 2 / 10 + (number * 5 % 8) / 10:.1f} metres a second."
    )
    yield (
        f"Two services were done as planned, in {('April', 'May')[number % 2]} and "
        f"{('September', 'October')[number % 2]}. {_FINDINGS[number % 6]} "
        f"{_FINDINGS[(number + 2) % 6]} Its converter gave {1 + number % 5} alarms, which were "
        f"cleared from the control room in {10 + number * 3 % 35} minutes on average."
    )
    yield (
        f"The neighbours of {name} asked {('once', 'twice', 'three times')[number % 3]} about the "
        f"shadow of the blades; the turbine is stopped when its shadow would fall on a window for "
        f"more than {20 + number % 10} minutes a day. Sound was measured at the nearest farm with "
        f"{38 + number % 5} decibels."
    )
    yield (
        f"For 2026 a check of the bolts between tower and foundation of {name} is due, and the "
        f"{('yaw drive', 'brake', 'generator fan', 'hydraulic pump')[number % 4]} will be opened. "
        f"{_FINDINGS[(number + 4) % 6]}"
    )
