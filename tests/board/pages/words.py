"""The words of HTML decks."""

from html.parser import HTMLParser

_BLOCKS = ("h1", "h3", "li", "p", "pre", "span", "td", "th")


class _Words(HTMLParser):
    """The words of each section, without styles and drawings."""

    def __init__(self) -> None:
        super().__init__()
        self.sections: list[str] = []
        self._skipped = self._code = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "section":
            self.sections.append("")
        self._skipped += tag in ("aside", "style", "svg", "title")
        self._code += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        self._skipped -= tag in ("aside", "style", "svg", "title")
        self._code -= tag == "pre"
        if self.sections and tag in _BLOCKS and not (self._code and tag == "span"):
            self.sections[-1] += " "

    def handle_data(self, data: str) -> None:
        if self.sections and not self._skipped:
            self.sections[-1] += data


def words_of(html: str) -> list[str]:
    """What each section says, without styles and drawings."""
    parser = _Words()
    parser.feed(html)
    return parser.sections
