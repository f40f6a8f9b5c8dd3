from pathlib import Path

import pytest

HARBOUR = """# The harbour in 2025

This report sums up how the harbour did. Traffic grew by 12% compared with 2024, and the new crane
paid for itself within nine months.

## Traffic

Ships from 31 countries called at the harbour. Container traffic grew by 12% to 48,000 units. Bulk
goods fell by 3% because two steel works closed. The stay of a ship shortened by 5 hours.

| Quarter | Ships |
|---|---|
| Q1 | 210 |
| Q2 | 262 |
| Q3 | 301 |
| Q4 | 244 |

## The new crane

- The crane lifts 60 tonnes and needs two operators
- It handled 18,000 containers in its first year
- Repairs took 4 days in total

The crane cost 4.2 million euros. Savings in nine months reached 4.3 million euros.

## Staff

Accidents fell from 14 to 9. Every member of the staff now trains for 40 hours a year. The harbour
hired 12 apprentices.

## References

Smith, J. (2019). Harbours of the north.
"""


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short report in Markdown with numbers, a table, a list and a chapter nobody wants."""
    path = tmp_path_factory.mktemp("sources") / "harbour.md"
    path.write_text(HARBOUR)
    return path
