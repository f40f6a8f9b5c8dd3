"""Normalised texts, for comparisons that ignore spaces and letter case."""

import unicodedata


def squeezed(text: str) -> str:
    """The characters of a text without spaces, in one letter case and one Unicode form.

    >>> squeezed("Ofﬁce  365")
    'office365'
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c)[0] != "C")


def bare(text: str) -> str:
    """The letters, digits and symbols of a text; the punctuation where it has nothing else.

    >>> bare("Well, well!"), bare("?!")
    ('wellwell', '?!')
    """
    inked = squeezed(text)
    return "".join(c for c in inked if unicodedata.category(c)[0] != "P") or inked
