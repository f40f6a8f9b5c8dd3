"""An HTML text as a tree of elements, by the standard library's parser; menus, footers and notices
about cookies are kept apart from the page's text. Nothing is fetched or run.

They are recognised by the page's own elements and roles (HTML standard, WAI-ARIA 1.2), by the names
that pages give their parts, and by lists that are nothing but links.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from decklab.documents.texts import raised_text

EMPTY = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
     "wbr"]
)  # fmt: skip
"""Elements without an end tag (HTML standard, section 13.1.2)."""
ENDS_PARAGRAPH = frozenset(
    ["address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figcaption",
     "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main", "menu",
     "nav", "ol", "p", "pre", "section", "table", "ul"]
)  # fmt: skip
"""Elements that end an open paragraph (HTML standard, section 13.1.2.4)."""
UNSEEN = frozenset(["head", "title", "script", "style", "noscript", "template", "datalist"])
_SELF_CLOSING = {
    "p": {"p"},
    "li": {"p", "li"},
    "tr": {"p", "tr", "td", "th"},
    "td": {"p", "td", "th"},
    "th": {"p", "td", "th"},
    "dt": {"p", "dt", "dd"},
    "dd": {"p", "dt", "dd"},
    "thead": {"colgroup", "caption"},
    "tbody": {"thead", "tbody", "tr", "td", "th", "p", "colgroup", "caption"},
    "tfoot": {"thead", "tbody", "tr", "td", "th", "p", "colgroup", "caption"},
    "option": {"option"},
}
"""For each tag, which open ones it ends (HTML standard, optional end tags)."""
_BREAKS = ENDS_PARAGRAPH | {"li", "dt", "dd", "tr", "td", "th", "caption", "summary", "br"}
_PERMALINKS = frozenset(["#", "¶", "§", "🔗"])
_MOST_DEPTH = 120  # ours: deeper elements are read as if they stood at this depth


@dataclass
class HtmlNode:
    """An element: its tag and attributes in small letters, and its elements and texts in order."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[HtmlNode | str]" = field(default_factory=list)

    def all(self, *tags: str) -> "Iterator[HtmlNode]":
        """Elements below with one of these tags, in document order."""
        waiting = list(self.elements())[::-1]
        while waiting:
            node = waiting.pop()
            if node.tag in tags:
                yield node
            waiting += list(node.elements())[::-1]

    def elements(self) -> "Iterator[HtmlNode]":
        """The elements right below."""
        return (child for child in self.children if isinstance(child, HtmlNode))

    def holds(self, *tags: str) -> bool:
        """Whether an element with one of these tags is below."""
        return next(self.all(*tags), None) is not None

    @property
    def hidden(self) -> bool:
        """Whether the page says by itself that nobody sees it."""
        style = self.attributes.get("style", "").replace(" ", "").lower()
        return (
            "hidden" in self.attributes
            or self.attributes.get("aria-hidden") == "true"
            or "display:none" in style
        )

    @property
    def is_permalink(self) -> bool:
        """Whether it is the sign beside a heading by which a reader links to it."""
        return (
            self.tag == "a"
            and self.attributes.get("href", "").startswith("#")
            and "".join(child for child in self.children if isinstance(child, str)).strip()
            in _PERMALINKS
        )


class _TreeParser(HTMLParser):
    """The elements of a page as a tree; end tags that are missing or too many do no harm."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = HtmlNode("html")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element inside the last that is open."""
        self._end_implied(tag)
        node = HtmlNode(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(node)
        if tag not in EMPTY and len(self._open) < _MOST_DEPTH:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """``<a/>``: without effect in HTML, an element without contents in XHTML and SVG."""
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY and self._open[-1].tag == tag and tag not in ENDS_PARAGRAPH:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Close the last element of that name with all inside it."""
        if any(node.tag == tag for node in self._open[1:]):
            while self._open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Text inside the last element that is open."""
        self._open[-1].children.append(data)

    def _end_implied(self, tag: str) -> None:
        ended = _SELF_CLOSING.get(tag, set())
        if tag in ENDS_PARAGRAPH:
            ended = ended | {"p"}
        while len(self._open) > 1 and self._open[-1].tag in ended:
            self._open.pop()


def html_tree(text: str) -> HtmlNode:
    """The elements of a page or of a part of one below one element ``html``; never raises."""
    parser = _TreeParser()
    parser.feed(text)
    parser.close()
    return parser.root


def node_words(node: HtmlNode) -> str:
    """All text of an element that is seen, as it is written; a line break where a block begins or
    ends and where ``br`` stands. Of formulas in MathML their text alternative."""
    if node.tag == "math" and (stated := node.attributes.get("alttext", "")):
        return stated
    parts: list[str] = []
    noted = any(child.tag == "sup" for child in node.children[:1] if isinstance(child, HtmlNode))
    for child in node.children:
        if isinstance(child, str):  # the number of a footnote is glued to it, as in other formats
            glued = noted and len(parts) == 1 and _NOTE_MARK.fullmatch(parts[0])
            parts.append(child.lstrip() if glued else child)
        elif child.tag in UNSEEN or child.hidden or child.is_permalink or _leads_to_note(child):
            continue
        elif child.tag in _BREAKS:
            parts += ["\n", node_words(child), "\n"] if child.tag != "br" else ["\n"]
        elif child.tag == "sup":
            parts.append(raised_text("".join(parts), node_words(child)))
        elif child.tag not in {"svg", "select", "button", "annotation", "annotation-xml"}:
            parts.append(node_words(child))
    return "".join(parts)


_NOTE_NAME = re.compile(r"(?:doc-)?note-?ref|footnote-?ref(?:erence)?", re.IGNORECASE)
_NOTE_MARK = re.compile(r"\s*(?:\d{1,2}|[a-z*†‡])\s*")


def _leads_to_note(node: HtmlNode) -> bool:
    """Whether an element is the raised number of a footnote, a link to it, or named as one."""
    names = f"{node.attributes.get('role', '')} {node.attributes.get('class', '')}".split()
    if node.tag in {"a", "sup"} and any(map(_NOTE_NAME.fullmatch, names)):
        return True
    links = [node] if node.tag == "a" and any(node.all("sup")) else list(node.all("a"))
    return (
        node.tag in ("a", "sup")
        and any(link.attributes.get("href", "")[:1] == "#" for link in links)
        and _NOTE_MARK.fullmatch("".join(map(node_words, links))) is not None
    )


def word_count(node: HtmlNode) -> int:
    """Words of an element that are seen."""
    return len(node_words(node).split())


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
    "navigation": "navigation", "menu": "navigation", "menubar": "navigation",
    "toolbar": "navigation", "banner": "a header", "contentinfo": "a footer", "search": "a form",
    "doc-footnote": "footnotes", "doc-endnotes": "footnotes",
    "complementary": "a side note", "dialog": "a dialogue", "alertdialog": "a dialogue",
}  # fmt: skip
_COOKIES = re.compile(r"cookie|consent|gdpr", re.IGNORECASE)
_NAMES = {
    "navigation": re.compile(
        r"^(?:(?:site|main|top|page|side|primary|global|doc)?-?_?nav(?:bar|igation|header|footer)?|"
        r"nav(?:header|footer|igation)|breadcrumbs?|sidebar|sphinxsidebar\w*|side-?bar|menu|toc|"
        r"table-of-contents|contents-?list|pagination|pager|related|skip-?link|share|social)$",
        re.IGNORECASE,
    ),
    "a footer": re.compile(r"^(?:(?:site|page)-?)?footer$|^colophon$", re.IGNORECASE),
    "footnotes": re.compile(r"^(?:foot|end)notes?$", re.IGNORECASE),
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
    in it belong to its text. So does the header of a section.
    """

    def __init__(self, body: HtmlNode, *, whole: bool) -> None:
        self.words: Counter[str] = Counter()
        self._whole = whole
        self._named = True
        self._related = sum(map(_is_related, body.all("a"))) >= 2
        sections = body.all("section", "article")
        self._theirs = {id(header) for section in sections for header in section.all("header")}
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
        """The parts left out, as a line; empty if none of them has words."""
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
        own = self._whole or id(node) in self._theirs
        stated = _TAGS.get(node.tag) or ("" if own else _AROUND.get(node.tag, ""))
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
        """Lists and tables of short links, and of links to places on the page."""
        if node.tag not in {"ul", "ol", "dl", "table", "p"}:
            return ""
        found = [link for link in node.all("a") if node_words(link).strip()]
        links = [node_words(link).split() for link in found]
        linked = sum(map(len, links))
        inner = all(link.attributes.get("href", "").startswith("#") for link in found)
        short = inner or (node.tag != "p" and linked <= _LONGEST_LINK * len(links))
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
