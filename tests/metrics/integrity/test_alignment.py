import pytest


def row(build, *tops, lefts=None):
    places = lefts or [100 + 150 * index for index in range(len(tops))]
    return [build.rect(x, y, 120, 80) for x, y in zip(places, tops, strict=True)]


def test_one_card_of_a_row_that_sits_lower(build):
    (found,) = build.lint(build.slide(*row(build, 100, 100, 103.5, 100)))
    assert found.rule == "shape.drift" and found.severity == "info"
    assert found.measured == 3.5 and "Shape 3 stands 3.5 px lower than the 3" in found.message


@pytest.mark.parametrize("off", [0.4, 1.0, 7.0, 40.0])
def test_what_cannot_be_seen_or_may_be_meant_is_left_alone(build, off):
    assert build.lint(build.slide(*row(build, 100, 100, 100 + off, 100))) == []


def test_three_do_not_make_a_row(build):
    assert build.lint(build.slide(*row(build, 100, 100, 103))) == []


def test_two_that_stray_together_are_a_row_of_their_own(build):
    assert build.lint(build.slide(*row(build, 100, 100, 100, 104, 104))) == []


def test_a_pile_is_no_row(build):
    assert (
        build.lint(build.slide(*row(build, 100, 100, 100, 104, lefts=[100, 104, 108, 112]))) == []
    )


def test_a_column_drifts_sideways(build):
    items = [build.rect(x, 60 + 100 * n, 120, 80) for n, x in enumerate((100, 100, 97, 100))]
    (found,) = build.lint(build.slide(*items))
    assert "3.0 px farther left than the 3 objects like it in its column" in found.message


def test_objects_of_other_sizes_kinds_or_groups_are_not_compared(build):
    items = row(build, 100, 100, 100)
    assert build.lint(build.slide(*items, build.rect(550, 103, 140, 80))) == []
    assert build.lint(build.slide(*items, build.image(550, 103, 120, 80))) == []
    assert build.lint(build.slide(*items, build.rect(550, 103, 120, 80, groups=(7,)))) == []
