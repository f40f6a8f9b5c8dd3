"""The paper's filters on a data set that is made up; nothing is fetched."""

import hashlib
import json

import pytest

from decklab.deck.deck import write_samples
from decklab.evals.slideeval.zenodo import DATASET, REVISION, english_share, keep_decks


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decks")
    write_samples(folder)
    return (folder / "plain.pptx").read_bytes()


def row(data, **changes):
    made = {
        "filename": "talk.pptx", "url": "https://zenodo.example/talk.pptx",
        "license": "cc-by-4.0", "doi": "10.5281/zenodo.1", "title": "A talk",
        "checksum": f"md5:{hashlib.md5(data).hexdigest()}",
    }  # fmt: skip
    return made | changes


def kept(tmp_path, rows, fetch, language="en", sample=5):
    return keep_decks(rows, tmp_path, fetch=fetch, classify=lambda _: language, sample=sample)


def test_a_deck_that_fits_is_kept_with_its_license_and_source(tmp_path, deck):
    [found], refused = kept(tmp_path, [row(deck)], lambda _: deck)
    assert refused == []
    assert (tmp_path / found.file).read_bytes() == deck
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["dataset"], manifest["revision"]) == (DATASET, REVISION)
    assert manifest["decks"][0]["license"] == "cc-by-4.0"
    assert manifest["decks"][0]["doi"] == "10.5281/zenodo.1"
    assert manifest["decks"][0]["english"] == 1.0


def test_other_formats_and_licenses_are_not_even_fetched(tmp_path, deck):
    def fetch(url):
        raise AssertionError(url)

    rows = [row(deck, filename="old.ppt"), row(deck, license="cc-by-nc-4.0")]
    assert kept(tmp_path, rows, fetch) == ([], [])


def test_a_deck_in_another_language_is_not_kept(tmp_path, deck):
    found, [refused] = kept(tmp_path, [row(deck)], lambda _: deck, language="pt")
    assert found == []
    assert refused == "talk.pptx: 0% of its slides are in English"
    assert list(tmp_path.glob("*.pptx")) == []


def test_damaged_unreadable_and_missing_files_are_named(tmp_path, deck):
    rows = [
        row(deck, url="short"),
        row(b"no deck", url="text", filename="b.pptx"),
        row(deck, url="gone"),
    ]  # fmt: skip

    def fetch(url):
        if url == "gone":
            raise OSError("404")
        return {"short": deck[:-1], "text": b"no deck"}[url]

    found, refused = kept(tmp_path, rows, fetch)
    assert found == []
    assert "checksum" in refused[0]
    assert refused[1].startswith("b.pptx: ")
    assert refused[2] == "talk.pptx: could not be fetched: 404"
    assert list(tmp_path.glob("*.pptx")) == []


def test_fetching_stops_with_the_sample(tmp_path, deck):
    asked = []

    def fetch(url):
        asked.append(url)
        return deck

    rows = [row(deck, url=str(number)) for number in range(9)]
    found, _ = kept(tmp_path, rows, fetch, sample=2)
    assert (len(found), asked) == (2, ["0", "1"])


def test_seven_tenths_of_slides_with_words_count():
    language = {"one": "en", "zwei": "de"}.__getitem__
    assert english_share(["one"] * 7 + ["zwei"] * 3 + ["", "12"], language) == pytest.approx(0.7)
    assert english_share(["", "12"], language) == 0


def test_language_identification_tells_english_from_portuguese():
    classify = pytest.importorskip("py3langid").classify
    texts = ["The results of our survey among farmers", "Os resultados da pesquisa no Brasil"]
    assert english_share(texts, lambda text: classify(text)[0]) == 0.5
