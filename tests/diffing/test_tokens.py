"""Word level edits, checked by making them."""

from hypothesis import given
from hypothesis import strategies as st

from decklab.diffing.tokens import blocks, word_edits

TEXTS = st.text("ab ,\n", max_size=40)


def applied(old: str, new: str) -> str:
    for edit in reversed(word_edits(old, new)):
        end = edit.position + len(edit.old)
        assert old[edit.position : end] == edit.old
        old = old[: edit.position] + edit.new + old[end:]
    return old


@given(TEXTS, TEXTS)
def test_making_the_edits_gives_the_newer_text(old: str, new: str) -> None:
    assert applied(old, new) == new


@given(TEXTS, TEXTS)
def test_blocks_cover_both_texts_and_equal_ones_are_equal(old: str, new: str) -> None:
    found = blocks(old, new)
    assert "".join(old[one.a0 : one.a1] for one in found) == old
    assert "".join(new[one.b0 : one.b1] for one in found) == new
    for one in found:
        assert not one.same or old[one.a0 : one.a1] == new[one.b0 : one.b1]


def test_words_are_never_cut() -> None:
    (edit,) = word_edits("interest rates rise", "interests rates rise")
    assert (edit.action, edit.old, edit.new, edit.position) == (
        "replace", "interest", "interests", 0,
    )  # fmt: skip


def test_equal_texts_have_no_edits() -> None:
    assert word_edits("same", "same") == word_edits("", "") == ()


def test_huge_rewritten_texts_are_replaced_whole() -> None:
    old, new = "a " * 3000, "b " * 3000
    assert [edit.action for edit in word_edits(old, new)] == ["replace"]
