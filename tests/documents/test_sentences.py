import pysbd

from decklab.documents.sentences import sentences, text_width, word_count

PARAGRAPH = (
    "It cost $5.5 million, i.e. a lot. Dr. Smith (see p. 5) left! Why? 1. First. 2. Second. "
    'He said: "No. Never." The end. The end. See https://example.org/a.b. v1.2.3 is out.'
)


def test_sentences_are_those_that_pysbd_finds() -> None:
    segmenter = pysbd.Segmenter(language="en", clean=False)
    assert sentences(PARAGRAPH) == [part.strip() for part in segmenter.segment(PARAGRAPH)]
    assert sentences("") == sentences(" \n ") == []


def test_millions_keep_their_unit() -> None:
    text = "Die Kosten betragen 68,25 Mio. € im Jahr. Zwei Kräne kosten 18 Mio. Das ist viel."
    assert sentences(text) == [
        "Die Kosten betragen 68,25 Mio. € im Jahr.",
        "Zwei Kräne kosten 18 Mio.",
        "Das ist viel.",
    ]


def test_chinese_is_parted_at_its_own_marks() -> None:
    text = "港口有3400名工人。他说：“好。”去年的收入增长了12%！"
    assert sentences(text) == ["港口有3400名工人。", "他说：“好。”", "去年的收入增长了12%！"]
    assert (word_count("新 crane"), text_width("新 crane")) == (1, 8)


def test_evident_and_doubtful_texts_are_parted_as_by_pysbd() -> None:
    """Alone and beside others, which have abbreviations, lists, brackets and quotations."""
    texts = (
        "The harbour has 31 cranes (two of steel). They cost 4.5 million euros, as planned.",
        "We chose three ways: a) by rail, b) by road. It rained in 2019).",
        "The firm is called Smith and sons corp. Nobody knows why.",
        "It doesn't pay. That’s all.", "The fee (of 5.) rose. Costs fell.", "One. Two. Three.",
        "No stop at the end", "It grew (i) fast. Then (ii) slowly.", "a plain end. and no capital.",
        "He paid 5.5 percent. The rest was given to the state min. The end.", "Ends in a stop.",
        'Words “in quotation. Marks” stand here. "So. Too."', "Was it so? Yes it was. Fine!",
    )  # fmt: skip
    segmenter = pysbd.Segmenter(language="en", clean=False)
    for first in texts:
        for text in (first, *(f"{first} {other}" for other in texts)):
            assert sentences(text) == [part.strip() for part in segmenter.segment(text)], text


def test_numbers_and_abbreviations_stay_in_their_sentence() -> None:
    told = "Call by 20 July, Tel. 0711 / 555 018, in the evening. Bring a boat incl. oars."
    assert sentences(told) == [
        "Call by 20 July, Tel. 0711 / 555 018, in the evening.", "Bring a boat incl. oars.",
    ]  # fmt: skip
    wind = "It broke twice with six dinghies out in a force 5. It is old, e.g. at the bow."
    assert sentences(wind) == [
        "It broke twice with six dinghies out in a force 5.", "It is old, e.g. at the bow.",
    ]  # fmt: skip


def test_titles_of_persons_stay_before_their_names() -> None:
    text = "Dabei waren Herr Dipl.-Ing. Kornelius Wach und Prof. Dr.-Ing. Otto. Danach war Schluss."
    first, second = text.split(" Danach ")
    assert sentences(text, language="de") == [first, f"Danach {second}"]
