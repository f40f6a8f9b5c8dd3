"""E-mails: who wrote what and when; what is quoted, and whose signature it is, is told apart."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from decklab.core.errors import EncryptedDeck, LimitExceeded, UnsupportedFormat
from decklab.documents.model import Document
from decklab.documents.reading import read_document
from decklab.documents.sections import document_sections

TEXT = """Hello Bob,

the new pier will be 120 m long and cost 4.2 million euros. It will be
finished by 30 June 2025.

- ask the board
- sign the contract

-- 
Anna Smith
Elm Harbour

On Mon, 11 Mar 2024 at 09:00, Bob Jones <bob@elm.example> wrote:
> How long will the pier be?
>
> Bob
"""  # noqa: W291


def message(text: str = TEXT, **headers: str) -> EmailMessage:
    made = EmailMessage()
    named = {
        "From": "Anna Smith <anna@elm.example>",
        "To": "Bob Jones <bob@elm.example>",
        "Date": "Tue, 12 Mar 2024 10:15:00 +0100",
        "Subject": "Größe of the pier",
    }
    for key, value in {**named, **headers}.items():
        made[key] = value
    made.set_content(text)
    return made


def read(folder: Path, made: EmailMessage | bytes) -> Document:
    path = folder / "a.eml"
    path.write_bytes(made if isinstance(made, bytes) else bytes(made))
    return read_document(path)


def test_text_signature_and_quoted_message_are_apart(tmp_path):
    document = read(tmp_path, message())
    assert (document.title, document.author, document.date) == (
        "Größe of the pier",
        "Anna Smith",
        "12 Mar 2024",
    )
    sections = document_sections(document)
    assert [(section.heading, section.part) for section in sections] == [
        ("Größe of the pier", "body"),
        ("Quoted message", "front"),
        ("Signature", "front"),
    ]
    assert sections[0].text.splitlines()[3:] == [
        "Hello Bob,",
        "the new pier will be 120 m long and cost 4.2 million euros. It will be finished by "
        "30 June 2025.",
        "ask the board",
        "sign the contract",
    ]
    assert "How long will the pier be?" in sections[1].text
    assert ">" not in sections[1].text.replace("<bob@elm.example>", "")
    assert sections[2].text.splitlines() == ["Anna Smith", "Elm Harbour"]


def test_answers_between_quoted_lines_stay_in_their_place(tmp_path):
    text = "> How long?\n\n120 m, as we said.\n\n> How much?\n\n4.2 million euros.\n"
    document = read(tmp_path, message(text))
    assert [block.text for block in document.blocks[4:]] == [
        "> How long?",
        "120 m, as we said.",
        "> How much?",
        "4.2 million euros.",
    ]


def test_a_forwarded_message_without_marks_is_quoted(tmp_path):
    text = "See below.\n\n-----Original Message-----\nFrom: Carl\n\nThe pier is done.\n"
    sections = document_sections(read(tmp_path, message(text)))
    assert "See below." in sections[0].text
    assert "The pier is done." in sections[1].text
    assert sections[1].heading == "Quoted message"


def test_html_is_read_where_there_is_no_plain_text_and_attachments_are_told(tmp_path):
    made = message()
    made.set_content("<h1>Pier</h1><p>It is <b>long</b>.</p>", subtype="html")
    made.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="plan.pdf")
    document = read(tmp_path, made)
    assert [block.text for block in document.blocks[-2:]] == ["Pier", "It is long."]
    assert [item.reason for item in document.unread] == [
        "the attachment plan.pdf is not read: save it and read it by itself"
    ]


def test_a_quoted_message_in_html_is_told_apart(tmp_path):
    made = message()
    page = "<p>120 m.</p><div class='gmail_quote'>Bob:<blockquote>How long?</blockquote></div>"
    made.set_content(page, subtype="html")
    sections = document_sections(read(tmp_path, made))
    assert [section.heading for section in sections] == ["Größe of the pier", "Quoted message"]
    assert "How long?" not in sections[0].text
    assert "How long?" in sections[1].text


def test_what_is_no_e_mail_or_encrypted_is_told(tmp_path):
    with pytest.raises(UnsupportedFormat, match=r"a\.eml: no e-mail"):
        read(tmp_path, b"Just a text.\n")
    made = message()
    made.replace_header("Content-Type", 'multipart/encrypted; boundary="x"')
    with pytest.raises(EncryptedDeck, match="encrypted"):
        read(tmp_path, made)


@pytest.mark.parametrize(
    "data",
    [
        b"From: a@b\nSubject: x\nContent-Type: text/plain; charset=nonsense\n\nhi\n",
        b"From: a@b\nDate: never\nSubject: =?utf-8?b?!!?=\nContent-Type: multipart/mixed\n\nhi\n",
        b"From: " + b"<" * 5000 + b"\nSubject: x\n\nhi\n",
        b"From: a@b\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n",
        b"From: a@b\nSubject: x\n\n" + b">" * 1_000_000,
    ],
)
@pytest.mark.timeout(30)
def test_damaged_e_mails_do_no_harm(tmp_path, data):
    assert read(tmp_path, data).kind == "email"


def test_parts_inside_each_other_end(tmp_path):
    parts = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(2_000)
    )
    path = tmp_path / "a.eml"
    path.write_bytes(b"From: a@b\nSubject: x\n" + parts + b"\nhi\n")
    with pytest.raises(LimitExceeded, match="too deep"):
        read_document(path)


def test_the_head_of_a_message_quoted_inside_is_left_out(tmp_path):
    text = (
        "The crane stood still.\n\n> From: Elm desk\n> Sent: Monday, 3 June\n> Subject: Crane\n"
        ">\n> Does anyone repair it?\n> We wait.\n>\n>> Sent: Sunday\n>> It is broken.\n\n"
        "Nobody did.\n"
    )
    said = [one.text for one in read(tmp_path, message(text)).blocks if one.kind == "paragraph"]
    assert said[-4:] == [
        "The crane stood still.", "> Does anyone repair it? We wait.", "> It is broken.",
        "Nobody did.",
    ]  # fmt: skip
