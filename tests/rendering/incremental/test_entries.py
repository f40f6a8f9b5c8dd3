from pathlib import Path

import pytest

from decklab.rendering.partial_copies import CachedPage, cache_pages, cached_pages
from decklab.rendering.renderer import Cache


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path)


def test_pages_are_found_by_the_keys_of_their_slides(cache: Cache) -> None:
    cache_pages(cache, "whole", b"%PDF one", {"a": 0, "b": 1})
    cache_pages(cache, "part", b"%PDF two", {"c": 2})
    assert cached_pages(cache, ["a", "c", "x", "a"]) == {
        "a": CachedPage("whole", b"%PDF one", 0),
        "c": CachedPage("part", b"%PDF two", 2),
    }


def test_a_page_whose_pdf_is_gone_is_unknown(cache: Cache) -> None:
    cache_pages(cache, "whole", b"%PDF", {"a": 0})
    (cache.folder / "wh" / "whole").unlink()
    assert cached_pages(cache, ["a"]) == {}


@pytest.mark.parametrize("entry", [b"", b"\xff", b"[]", b'{"pdf": "whole"}', b'{"page": 1}', b"3"])
def test_an_entry_of_another_kind_is_unknown(cache: Cache, entry: bytes) -> None:
    cache.put("whole", b"%PDF")
    cache.put("a", entry)
    assert cached_pages(cache, ["a"]) == {}


def test_what_cannot_be_kept_leaves_no_entries(tmp_path: Path) -> None:
    small = Cache(tmp_path, max_bytes=10)
    cache_pages(small, "whole", b"%PDF larger than that", {"a": 0})
    assert small.get("a") is None
