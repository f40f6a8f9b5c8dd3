from decklab.writer.defects import html_overflows

BOX = "position:absolute;font:16px/20px sans-serif;left:{}px;top:{}px;width:{}px;height:{}px"
SLIDE = '<section style="position:relative;width:960px;height:540px">{}</section>'


def box(place: tuple[int, int, int, int], words: str, more: str = "") -> str:
    """A text in a box: left, top, width, height."""
    return f'<div style="{BOX.format(*place)};{more}">{words}</div>'


def test_words_that_leave_their_box_or_the_slide_are_found() -> None:
    words = "six words that take two lines"
    parts = [
        box((10, 10, 400, 40), words),  # fits
        box((10, 100, 120, 40), f"low {words}"),  # three lines in the height of two
        box((10, 200, 120, 40), f"up {words}", "display:flex;align-items:flex-end"),
        box((940, 300, 200, 40), "off the slide"),
        '<table style="position:absolute;left:500px;top:10px;width:60px;height:20px">'
        "<tr><td>grown table of words</td></tr></table>",
    ]
    found = html_overflows(f"<body>{SLIDE.format(''.join(parts))}{SLIDE.format('')}</body>")
    assert [one.slide for one in found] == [1] * 4
    assert [one.text.split()[0] for one in found] == ["low", "up", "off", "grown"]
    assert found[0].element == "div" and 15 <= found[0].past <= 25
    assert all(one.past > 2 for one in found)
