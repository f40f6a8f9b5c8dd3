"""What stands on a web page and is no part of its text: menus, footers, notices about cookies.

Told by the page's own elements and roles (HTML standard, WAI-ARIA 1.2), by the names that pages
give their parts, and by lists that are nothing but links.
"""

import re
from collections import Counter

from decklab.documents.html.tree import HtmlNode, node_words, word_count

_TAGS = {
    "nav": "navigation",
    "menu": "navigation",
    "form": "a form",
    "dialog": "a dialogue",
    "button": "a form",
    "select": "a form",
}
_AROUND = {"header": "a header", "footer": "a footer", "aside": "a side note"}
_ROLES = {
    "navigation": "navigation",
    "menu": "navigation",
    "menubar": "navigation",
    "toolbar": "navigation",
    "banner": "a header",
    "contentinfo": "a footer",
    "search": "a form",
    "complementary": "a side note",
    "dialog": "a dialogue",
    "alertdialog": "a dialogue",
}
_COOKIES = re.compile(r"cookie|consent|gdpr", re.IGNORECASE)
_NAMES = {
    "navigation": re.compile(
        r"^(?:(?:site|main|top|page|side|primary|global|doc)?-?_?nav(?:bar|igation|header|footer)?|"
        r"nav(?:header|footer|igation)|breadcrumbs?|sidebar|sphinxsidebar\w*|side-?bar|menu|toc|"
        r"table-of-contents|contents-?list|pagination|pager|related|skip-?link|share|social)$",
        re.IGNORECASE,
    ),
    "a footer": re.compile(r"^(?:(?:site|page)-?)?footer$|^colophon$", re.IGNORECASE),
    "a header": re.compile(r"^(?:(?:site|page)-?)?(?:masthead|banner)$", re.IGNORECASE),
}
_LEAST_LINKS = 5  # ours: a list of fewer links may be part of the text
_LINKED = 0.9  # ours: of the words of a list of links
_LONGEST_LINK = 8  # ours: words; longer ones are sentences
_RELATIONS = frozenset(["next", "prev", "previous", "up", "start", "home", "contents", "index"])
_MOST_RELATED = 12  # ours: words for each of such links
_LEAST_LEFT = 0.3  # ours: of a page's words; where less is left, names and links say too little


class PageFurniture:
    """Which elements of a page are left out; ``words`` counts what was, by what it is.

    ``whole`` for a part that the page itself names its main one: headers, footers and side notes
    in it belong to its text.
    """

    def __init__(self, body: HtmlNode, *, whole: bool) -> None:
        self.words: Counter[str] = Counter()
        self._whole = whole
        self._named = True
        self._related = sum(map(_is_related, body.all("a"))) >= 2
        seen = word_count(body)
        self._most = (1 - _LEAST_LEFT) * seen
        if seen and self._left(body) < _LEAST_LEFT * seen:
            self._named = False

    def leaves_out(self, node: HtmlNode) -> bool:
        """Whether an element is no part of the text; its words are counted."""
        kind = self._kind(node)
        if kind:
            self.words[kind] += word_count(node)
        return bool(kind)

    def told(self) -> str:
        """What was left out, as a line; empty where nothing was that has words."""
        parts = [f"{kind} ({count} words)" for kind, count in sorted(self.words.items()) if count]
        return f"left out as no part of the text: {', '.join(parts)}" if parts else ""

    def _left(self, node: HtmlNode) -> int:
        if self._kind(node):
            return 0
        count = sum(len(child.split()) for child in node.children if isinstance(child, str))
        return count + sum(self._left(child) for child in node.elements() if not child.hidden)

    def _kind(self, node: HtmlNode) -> str:
        if node.hidden:
            return "hidden text"
        stated = _TAGS.get(node.tag) or ("" if self._whole else _AROUND.get(node.tag, ""))
        stated = stated or _ROLES.get(node.attributes.get("role", "").lower(), "")
        if stated or not self._named or node.tag in {"html", "body", "main", "article"}:
            return stated
        return self._by_name(node) or self._by_links(node) or self._by_relations(node)

    def _by_name(self, node: HtmlNode) -> str:
        names = f"{node.attributes.get('class', '')} {node.attributes.get('id', '')}".split()
        found = next((kind for kind, form in _NAMES.items() if any(map(form.match, names))), "")
        if any(map(_COOKIES.search, names)) and node.tag in {"div", "section", "aside", "p"}:
            found = "a notice about cookies"
        if not found or node.tag in {"a", "span", "code", "td", "th", "h1", "h2", "h3"}:
            return ""
        return "" if node.holds("main", "article", "h1") or word_count(node) > self._most else found

    def _by_links(self, node: HtmlNode) -> str:
        """Lists and tables of short links."""
        if node.tag not in {"ul", "ol", "dl", "table"}:
            return ""
        links = [words for link in node.all("a") if (words := node_words(link).split())]
        linked = sum(map(len, links))
        short = linked <= _LONGEST_LINK * len(links)
        if len(links) < _LEAST_LINKS or not short or linked < _LINKED * word_count(node):
            return ""
        return "navigation"

    def _by_relations(self, node: HtmlNode) -> str:
        """Lines of links to the pages before, after and above."""
        if not self._related or node.tag not in {"p", "div", "table"}:
            return ""
        around = sum(map(_is_related, node.all("a")))
        return "navigation" if around >= 2 and word_count(node) <= _MOST_RELATED * around else ""


def _is_related(link: HtmlNode) -> bool:
    return link.attributes.get("rel", "") in _RELATIONS
