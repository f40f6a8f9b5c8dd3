import pytest

from decklab.deck.styles.text import LINE_BREAK

P = "<a:p>{}</a:p>"
RUN = "<a:r><a:rPr {}/><a:t>{}</a:t></a:r>"


def body_of(shape, sp, paragraphs="<a:p/>", properties=""):
    return shape(sp(body=f"<a:bodyPr {properties}/>{paragraphs}")).text


def test_paragraphs_are_plain_text_empty_ones_too(shape, sp):
    text = P.format(RUN.format("", "one ") + RUN.format("", "two")) + "<a:p/>" + P.format("<a:r/>")
    found = body_of(shape, sp, text)
    assert found.paragraphs == ("one two", "", "")
    assert found.text == "one two\n\n"


def test_breaks_fields_and_formulas_are_text(shape, sp):
    formula = (
        '<mc:AlternateContent><mc:Choice Requires="a14"><a14:m><m:r><m:t>x=1</m:t></m:r></a14:m>'
        f"</mc:Choice><mc:Fallback>{RUN.format('', 'picture')}</mc:Fallback></mc:AlternateContent>"
    )
    field = '<a:fld type="slidenum"><a:t>7</a:t></a:fld>'
    found = body_of(shape, sp, P.format(f"{RUN.format('', 'a')}<a:br/>{field}{formula}"))
    assert found.paragraphs == (f"a{LINE_BREAK}7x=1",)


def test_a_shape_without_a_body_has_no_text(shape, sp):
    assert shape(sp()).text is None


@pytest.mark.parametrize(
    ("stated", "wraps"),
    [
        (("", "", ""), True),
        (('wrap="none"', "", ""), False),
        (('wrap="square"', 'wrap="none"', ""), True),
        (("", 'wrap="none"', ""), False),
        (("", "", 'wrap="none"'), False),
    ],
)
def test_wrapping_comes_from_the_first_that_states_it(deck, sp, stated, wraps):
    bodies = (sp(body=f"<a:bodyPr {text}/><a:p/>", nv="<p:ph/>") for text in stated)
    slide, layout, master = bodies
    assert deck(slide, layout=layout, master=master).slides[0].shapes[0].text.wraps is wraps


@pytest.mark.parametrize(
    ("own", "layout", "autofit"),
    [
        ("", "", "none"),
        ("<a:normAutofit fontScale='62500'/>", "", "shrink"),
        ("<a:spAutoFit/>", "<a:normAutofit/>", "grow"),
        ("", "<a:normAutofit/>", "shrink"),
        ("<a:noAutofit/>", "<a:normAutofit/>", "none"),
    ],
)
def test_autofit_comes_from_the_first_that_states_it(deck, sp, own, layout, autofit):
    slide, layout = (
        sp(body=f"<a:bodyPr>{text}</a:bodyPr><a:p/>", nv="<p:ph/>") for text in (own, layout)
    )
    assert deck(slide, layout=layout).slides[0].shapes[0].text.autofit == autofit


@pytest.mark.parametrize(
    ("properties", "vertical"),
    [("", False), ('vert="horz"', False), ('vert="vert"', True), ('vert="eaVert"', True)],
)
def test_direction_is_told(shape, sp, properties, vertical):
    assert body_of(shape, sp, properties=properties).vertical is vertical


def test_the_largest_size_that_a_run_states_counts(shape, sp):
    runs = RUN.format('sz="1250"', "a") + RUN.format('sz="800"', "b") + RUN.format("", "c")
    end = '<a:endParaRPr sz="9900"/>'
    assert body_of(shape, sp, P.format(runs + end)).size_pt == 12.5
    assert body_of(shape, sp, P.format(RUN.format("", "c") + end)).size_pt is None
    assert body_of(shape, sp, P.format(RUN.format('sz="big"', "c"))).size_pt is None
