"""E-mails (.eml, RFC 5322 and MIME), by the standard library: subject, sender, date and text.

Quoted replies and signatures stand under headings of their own, so that they are told from what the
sender wrote.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime
from itertools import groupby
from pathlib import Path
from typing import Final

from decklab.core.errors import EncryptedDeck, LimitExceeded, UnsupportedFormat
from decklab.documents.bylines import stated_byline
from decklab.documents.drafting import DocumentDraft
from decklab.documents.html.reader import read_html_part
from decklab.documents.model import Document
from decklab.documents.plain_text import add_plain_text
from decklab.documents.texts import MAX_TEXT_BYTES

QUOTED: Final = "Quoted message"
"""Heading of the message that an e-mail answers or passes on."""
SIGNATURE: Final = "Signature"
"""Heading of the lines below ``-- ``."""
_INTRODUCES = re.compile(
    r"\s*(?:(?:on|am|le|el|il)\s.{4,200}\s(?:wrote|schrieb.{0,80}|a écrit|escribió|ha scritto)\s*:"
    r"|-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d['’]origine)"
    r"\s*-{2,}|begin forwarded message:|_{20,})\s*\Z",
    re.IGNORECASE,
)
"""A line above a quoted message."""
_HTML_QUOTE = re.compile(
    r"<(?:div|blockquote|hr)\s[^>]{0,200}(?:gmail_quote|divRplyFwdMsg|type=[\"']?cite|stopSpelling|"
    r"moz-cite-prefix|yahoo_quoted)[^>]{0,200}>",
    re.IGNORECASE,
)
"""The element in which mail programs put the message that is answered."""
_QUOTES = re.compile(r"\A[ ]?(?:>[ ]?)+")
_FIELD = re.compile(
    r"(?:from|sent|date|to|cc|subject|von|gesendet|an|betreff|datum|de|envoyé|à|objet|enviado|para"
    r"|asunto)\s?:\s",
    re.IGNORECASE,
)
"""How a line of the head of a quoted message begins."""
_DAMAGE = (LookupError, ValueError, TypeError, AttributeError)
"""Errors of the standard library for damaged headers and unknown encodings."""


def read_mail(path: Path, name: str, data: bytes) -> Document:
    """An e-mail: its subject as title, the sender as author, its date and text.

    The plain text is read, or the HTML if there is no other. What it answers comes last, under
    ``QUOTED``; quoted lines between answers stay in their place and begin with ``>``. Attachments
    are listed as unread. Raises UnsupportedFormat if it is no e-mail, EncryptedDeck if its text is
    encrypted, LimitExceeded if it is too long or too deep.
    """
    if len(data) > MAX_TEXT_BYTES:
        raise LimitExceeded(path, f"{len(data):,} bytes of e-mail; at most {MAX_TEXT_BYTES:,}")
    try:
        message = BytesParser(policy=policy.default).parsebytes(data)
        return _document(path, name, message)
    except RecursionError:
        raise LimitExceeded(path, "its parts are too deep inside each other") from None


def _document(path: Path, name: str, message: EmailMessage) -> Document:
    stated = {key: _header(message, key) for key in ("subject", "from", "date", "to")}
    if not (stated["from"] or (stated["subject"] and stated["date"])):
        raise UnsupportedFormat(path, "no e-mail: it has no From, and no Subject and Date")
    if message.get_content_type() in {"multipart/encrypted", "application/pkcs7-mime"}:
        raise EncryptedDeck(path, "its text is encrypted")
    draft = DocumentDraft(path, name, "email")
    subject = stated["subject"] or "(no subject)"
    draft.add("heading", subject, 1)
    for label in ("from", "to", "date"):
        draft.add("paragraph", f"{label.title()}: {stated[label]}" if stated[label] else "")
    _add_body(draft, message)
    for part in _attachments(message):
        draft.refuse(f"the attachment {part} is not read: save it and read it by itself")
    names = [person or address for person, address in getaddresses([stated["from"]])]
    return draft.finish(title=subject, byline=stated_byline(names, _date(stated["date"])))


def _header(message: EmailMessage, key: str) -> str:
    try:
        return " ".join(str(message.get(key, "")).split())
    except _DAMAGE:
        return ""


def _date(stated: str) -> str:
    """The day on which an e-mail was sent, as its head has it: 4 Nov 2025."""
    try:
        sent = parsedate_to_datetime(stated)
    except _DAMAGE:
        return stated
    return f"{sent.day} {sent:%b %Y}"


def _add_body(draft: DocumentDraft, message: EmailMessage) -> None:
    body = message.get_body(preferencelist=("plain", "html"))
    try:
        text = "" if body is None else str(body.get_content())
    except _DAMAGE as error:
        draft.refuse(f"its text is damaged: {error}")
        return
    if body is not None and body.get_content_type() == "text/html":
        quote = _HTML_QUOTE.search(text)
        read_html_part(draft, text[: quote.start()] if quote else text)
        if quote:
            draft.add("heading", QUOTED, 2)
            read_html_part(draft, text[quote.start() :])
        return
    parts = _parted(text.splitlines())
    _add_own(draft, parts.own)
    for heading, lines in ((QUOTED, parts.quoted), (SIGNATURE, parts.signature)):
        if any(line.strip() for line in lines):
            draft.add("heading", heading, 2)
            add_plain_text(draft, "\n".join(lines), below=2)


def _add_own(draft: DocumentDraft, lines: Sequence[str]) -> None:
    """Add the text of the sender; what is quoted in it, without the heads of messages, are
    paragraphs that begin with ``>``."""
    for quoted, run in groupby(lines, lambda line: bool(_QUOTES.match(line))):
        own = [_QUOTES.sub("", line, count=1) for line in run]
        if not quoted:
            add_plain_text(draft, "\n".join(own), below=1)
            continue
        said = [line for line in own if not _FIELD.match(line)]
        for filled, paragraph in groupby(said, lambda line: bool(line.strip())):
            draft.add("paragraph", "> " + "\n".join(paragraph) if filled else "")


@dataclass
class _Parts:
    own: list[str] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)


def _parted(lines: Sequence[str]) -> _Parts:
    """Lines of the sender, of the message at the end that they answer, and of the signature."""
    start = len(lines)
    while start and (not lines[start - 1].strip() or _QUOTES.match(lines[start - 1])):
        start -= 1
    introduced = next((i for i, line in enumerate(lines) if _INTRODUCES.match(line)), start)
    if introduced < start and not all(
        _QUOTES.match(line) for line in lines[introduced + 1 :] if line.strip()
    ):
        answered = any(_QUOTES.match(line) for line in lines[introduced + 1 :])
        introduced = start if answered else introduced
    end = min(introduced, start)
    own, quoted = list(lines[:end]), [_QUOTES.sub("", line, count=1) for line in lines[end:]]
    if own and _INTRODUCES.match(own[-1]):
        quoted.insert(0, own.pop())
    signed = next((i for i, line in enumerate(own) if line.rstrip() == "--"), len(own))
    return _Parts(own[:signed], quoted, own[signed + 1 :])


def _attachments(message: EmailMessage) -> Iterator[str]:
    for part in message.walk():
        named = part.get_filename()
        if named or part.get_content_disposition() == "attachment":
            yield str(named or part.get_content_type())
