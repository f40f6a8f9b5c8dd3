def test_a_slide_of_sentences_is_told_with_its_longest_text(build):
    words = " ".join(["word"] * 120)
    text = build.text(words, 60, 100, 840, 400)
    (found,) = build.told(
        "density.crowded", build.slide(text), build.lines(text, top=110, count=12)
    )
    assert found.severity == "warning" and found.measured == 120
    assert found.shape == "Shape 1 (id 1)" and found.box is not None


def test_a_short_text_is_no_wall(build):
    text = build.text(" ".join(["word"] * 60), 60, 100, 840, 400)
    spans = build.lines(text, top=110, count=6)
    assert build.told("density.crowded", build.slide(text), spans) == []


def test_single_letters_are_no_words(build):
    text = build.text(" ".join("R" * 150), 60, 100, 840, 400)
    spans = build.lines(text, top=110, count=12)
    assert build.told("density.crowded", build.slide(text), spans) == []


def title(build, y=40.0):
    text = build.text("Costs", 60, y, 600, 40, placeholder="title")
    return text, [build.span("Costs", 67, y + 8, 160, y + 28)]


def test_a_title_alone_at_the_top_is_an_empty_slide(build):
    text, spans = title(build)
    (found,) = build.told("density.empty", build.slide(text), spans, build.inked(spans))
    assert found.severity == "warning" and "nothing but its title" in found.message


def test_a_title_in_the_middle_begins_a_section(build):
    text, spans = title(build, 250.0)
    assert build.told("density.empty", build.slide(text), spans, build.inked(spans)) == []


def test_a_title_over_a_picture_of_the_layout_is_not_alone(build):
    text, spans = title(build)
    image = build.inked(spans)
    image[200:400, 300:600] = 90
    assert build.told("density.empty", build.slide(text), spans, image) == []


def test_boxes_without_a_word_show_nothing(build):
    slide = build.slide(build.rect(100, 100, 200, 100), build.rect(400, 100, 200, 100))
    (found,) = build.told("density.empty", slide, [], build.white())
    assert "neither words nor a picture" in found.message


def test_a_picture_alone_is_something(build):
    slide = build.slide(build.image(100, 100, 700, 400))
    assert build.told("density.empty", slide, [], build.white()) == []


def test_two_thirds_of_nothing_are_told(build):
    text, spans = title(build)
    body = build.text("A line", 60, 120, 600, 40)
    spans = [*spans, build.span("A line", 67, 128, 160, 148, line=1)]
    (found,) = build.told("density.empty", build.slide(text, body), spans, build.inked(spans))
    assert found.severity == "warning" and found.measured == 0.72


def test_a_text_that_fills_the_slide_is_a_wall_with_fewer_words(build):
    text = build.text("one two three four " * 11, 60, 60, 800, 460)
    spans = build.lines(text, top=70, count=11, pitch=41.0, right=800)
    (found,) = build.told("density.crowded", build.slide(text), spans, build.inked(spans))
    assert found.measured == 44.0
    narrow = build.lines(text, top=70, count=11, pitch=41.0, right=300)
    assert build.told("density.crowded", build.slide(text), narrow, build.inked(narrow)) == []
