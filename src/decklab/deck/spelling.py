"""Texts compared by what they say, however they are spaced and cased."""

import unicodedata


def squeezed(text: str) -> str:
    """A text's characters without spaces, in one case and form.

    >>> squeezed("Ofﬁce  365")
    'office365'
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c)[0] != "C")


def bare(text: str) -> str:
    """Its letters, digits and symbols alone; of nothing but punctuation, the punctuation.

    >>> bare("Well, well!"), bare("?!")
    ('wellwell', '?!')
    """
    inked = squeezed(text)
    return "".join(c for c in inked if unicodedata.category(c)[0] != "P") or inked
