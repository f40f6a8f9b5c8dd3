"""Shuffled slides put in order, on decks written here and on real ones."""

from itertools import permutations
from random import Random
from statistics import fmean

import numpy as np
import pytest
from scipy.stats import kendalltau

from decklab.evals.slideeval.slide_order import (
    SlideView,
    agendas,
    best_path,
    builds,
    counts,
    lists,
    order_slides,
    own_lines,
    page_numbers,
    path_cost,
    similarities,
    title_of,
    view_of,
    without_page_numbers,
    wordings,
)
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer

PLAIN = np.full((45, 80, 3), 240, np.uint8)
NEXT = "\n"
TALK = (
    "Keeping bees in the city\nAn evening course",
    "Agenda\nHives and their places\nFeeding through the year\nHarvesting honey",
    "Hives and their places\nA roof or a garden; hives face the south-east",
    "Hives and their places (cont.)\nNeighbours and hives; water near the hives",
    "Feeding through the year\nStep 1: syrup in autumn when nectar ends",
    "Feeding through the year\nStep 2: no feeding while nectar flows",
    "Harvesting honey\nFrames are ripe when nine cells of ten are sealed",
    "Thank you\nQuestions?",
)


def views(texts):
    return [SlideView(text, PLAIN) for text in texts]


def tau(order):
    return kendalltau(range(len(order)), order).statistic


def test_a_talk_with_an_agenda_is_put_in_order():
    for seed in range(4):
        places = list(range(len(TALK)))
        Random(seed).shuffle(places)
        order = order_slides(views([TALK[place] for place in places]))
        assert tau([places[index] for index in order]) > 0.8


def test_the_order_given_does_not_matter():
    results = set()
    for seed in range(5):
        places = list(range(len(TALK)))
        Random(seed).shuffle(places)
        order = order_slides(views([TALK[place] for place in places]))
        results.add(tuple(places[index] for index in order))
    assert len(results) == 1


def test_page_numbers_count_unless_they_are_not_to():
    texts = [f"Topic {name}\nwords\n{number}" for number, name in enumerate("qmzkav", start=1)]
    shuffled = [texts[place] for place in (3, 0, 5, 1, 4, 2)]
    assert [shuffled[i] for i in order_slides(views(shuffled))] == texts
    other = [f"{text.rpartition(NEXT)[0]}{NEXT}{9 - n}" for n, text in enumerate(shuffled)]
    unread = order_slides(views(shuffled), use_page_numbers=False)
    assert order_slides(views(other), use_page_numbers=False) == unread
    assert order_slides(views(other)) != unread


@pytest.mark.parametrize("texts", [(), ("only one",), ("", ""), ("same", "same", "same")])
def test_few_empty_and_equal_slides_are_each_in_the_order_once(texts):
    assert sorted(order_slides(views(texts))) == list(range(len(texts)))


def test_the_path_is_the_best_of_all_where_all_can_be_tried():
    for seed in range(6):
        draws = np.random.default_rng(seed)
        alike = draws.random((6, 6))
        alike = (alike + alike.T) / 2
        evidence = np.triu(draws.random((6, 6)) * 0.4, 1)
        cost = path_cost(np.array(best_path(alike, evidence)), alike, evidence)
        least = min(path_cost(np.array(p), alike, evidence) for p in permutations(range(6)))
        assert cost <= least * 1.05 + 1e-9


def test_cues_say_which_of_two_slides_comes_first():
    assert counts(["Step 2: bake", "Step 1: mix"])[1, 0] == 1
    assert counts(["Results (2/3)", "Results (1/3)"])[1, 0] == 1
    assert counts(["Method cont.", "Method"])[1, 0] == 1
    assert counts(["שאלה 11", "שאלה 2"])[1, 0] == 1
    assert builds(["Why\nfast cheap small", "Why\nfast cheap"])[1, 0] == 1
    assert builds(["Why\nfast", "Why"])[1, 0] == 1
    assert not builds(["Why\nfast cheap", "How\nfast"]).any()
    early, middle, late = wordings(["Welcome", "Sorting peas", "Thank you"])
    assert early < middle == 0 < late
    listed = agendas(["Plan\nred fox\ngrey owl\nblue jay", "blue jay", "grey owl", "red fox"])
    assert listed[3, 2] == listed[2, 1] == listed[0, 3] == 1
    assert not counts(["one", "two"]).any()


def test_numbered_lists_go_on_from_slide_to_slide():
    found = lists(["Herbs\n4. thyme\n5. sage", "1) rue\n2) dill", "no list", "3. mint\n4. basil"])
    assert np.argwhere(found).tolist() == [[1, 0], [1, 3]]


def test_a_large_low_title_opens_a_deck_unless_it_says_thanks():
    texts = ["Bees in towns\nAn evening", "Where hives stand best\nroofs", "Thank you\nall of you"]
    texts += [
        f"Honey of {kind}\n{kind} in {month}" for kind, month in (("lime", "June"), ("ivy", "May"))
    ]
    slides = [
        SlideView(text, PLAIN, title_pt=pt, title_top=top)
        for text, pt, top in zip(texts, (40, 28, 60, 28, 28), (220, 40, 260, 40, 40), strict=True)
    ]
    order = order_slides(slides)
    assert (order[0], order[-1]) == (0, 2)


def test_page_numbers_are_told_from_other_numbers():
    assert page_numbers(["a\n1", "b\n2", "c\n3"]) == [1, 2, 3]
    assert page_numbers(["a\n7", "b", "c", "d"]) == [None] * 4
    assert page_numbers(["a\n5", "b\n5", "c\n5"]) == [None] * 3
    assert without_page_numbers("Plan\n12\nPage 3 / 9\n12 apples") == "Plan\n12 apples"


def test_lines_of_most_slides_are_headers():
    texts = [f"ACME\n{name}" for name in "abcdef"]
    assert own_lines(texts) == list("abcdef")
    footers = [f"{name}\nACME yearly {n}\nyearly ACME" for n, name in enumerate("abcdef")]
    assert own_lines(footers) == list("abcdef")
    assert title_of("3\n\n Growth \nmore") == "Growth"


def test_texts_are_alike_by_their_rare_words():
    alike = similarities(["the red fox", "the red fox", "the grey owl", "12"])
    assert alike[0, 1] == pytest.approx(1)
    assert alike[0, 2] < 0.5
    assert alike[0, 3] == 0


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.office
def test_real_lessons_come_out_well_in_order_without_page_numbers(shared, office):
    folder = shared / "decks" / "real"
    found = []
    for name in ("full_django-get-started_slides", "presentation", "test-data_slideshow_aptia"):
        with open_rendered(folder / f"{name}.pptx", renderer=Renderer(office), ocr=False) as drawn:
            slides = [view_of(slide) for slide in drawn]
        found.append(tau(order_slides(slides, use_page_numbers=False)))
    assert fmean(found) > 0.3
