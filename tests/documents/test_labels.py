"""Paragraphs with typed numbers or with headings run in are the items of a list."""

from decklab.documents.labels import with_items
from decklab.documents.model import DocumentBlock


def read(*texts: str, kind: str = "paragraph") -> list[tuple[str, str]]:
    blocks = [DocumentBlock(kind, text) for text in texts]  # type: ignore[arg-type]
    return [(block.kind, block.text) for block in with_items(blocks)]


def test_headings_run_in_are_labels() -> None:
    assert read(
        "Cause. A main under the road broke at two in the afternoon.",
        "Health effects. We found no evidence that anyone became ill.",
    ) == [
        ("item", "Cause: A main under the road broke at two in the afternoon."),
        ("item", "Health effects: We found no evidence that anyone became ill."),
    ]
    numbered = "R2. Restore the valve crew. Three positions with a truck, by April."
    assert read(numbered, "R3\\*. Correct the map. Survey every valve with GPS first.") == [
        ("item", "R2. Restore the valve crew: Three positions with a truck, by April."),
        ("item", "R3. Correct the map: Survey every valve with GPS first."),
    ]


def test_short_sentences_are_no_labels() -> None:
    for texts in (
        ["It failed. The crane stood still for the whole of the day.",
         "We were late. The ship had left an hour before we came."],
        ["The crane is old. It was built by a yard that is gone now.",
         "Nobody knows. The papers were lost in the fire of last year."],
        ["Cause. A main under the road broke at two in the afternoon.", "It was mended at night."],
    ):  # fmt: skip
        assert read(*texts) == [("paragraph", text) for text in texts]


def test_typed_numbers_that_count_on_are_a_list() -> None:
    rules = ["1. Nothing moves without a number.", "2. Pests stop at the door.", "3. Wait."]
    assert read(*rules) == [("item", text) for text in rules]
    assert read(*rules, kind="heading") == [("item", text) for text in rules]
    assert read("2. Pests stop.", "3. Wait.") == [
        ("paragraph", "2. Pests stop."), ("paragraph", "3. Wait."),
    ]  # fmt: skip
    chapters = ["1. Purpose", "2. Scope"]
    assert read(*chapters, kind="heading") == [("heading", text) for text in chapters]


def test_no_block_and_one_block_stay() -> None:
    assert read() == []
    assert read("Cost. The event cost the town 1.2 million.")[0][0] == "paragraph"


def mixed(*blocks: tuple[str, str]) -> list[tuple[str, str]]:
    made = [DocumentBlock(kind, text) for kind, text in blocks]  # type: ignore[arg-type]
    return [(block.kind, block.text) for block in with_items(made)]


def test_terms_over_their_meanings_are_items() -> None:
    options = [("-c", "Compress to the standard output."), ("-k", "Keep the input files."),
               ("-v", "Tell how much each file shrinks.")]  # fmt: skip
    listed = [(kind, text) for option, meaning in options
              for kind, text in (("code", option), ("paragraph", meaning))]  # fmt: skip
    assert mixed(*listed) == [("item", f"{option}: {meaning}") for option, meaning in options]
    assert mixed(*listed[:4]) == listed[:4], "two may be examples"


def test_code_that_a_sentence_announces_is_no_term() -> None:
    shown = [("paragraph", "Pack a file so:"), ("code", "pack file"),
             ("paragraph", "It is gone then.")]  # fmt: skip
    assert mixed(*shown, *shown, *shown) == [*shown, *shown, *shown]


def test_items_that_were_read_as_one_are_parted() -> None:
    assert mixed(("item", "pack a file • unpack it")) == [
        ("item", "pack a file"), ("item", "unpack it"),
    ]  # fmt: skip
