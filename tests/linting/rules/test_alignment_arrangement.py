def row(build, *lefts, top=200, width=100):
    return [build.rect(left, top, width, 60) for left in lefts]


def test_a_row_with_uneven_gaps_is_told_with_its_place(build):
    boxes = row(build, 100, 220, 360)  # gaps of 20 and 40 px
    (found,) = build.told("layout.gaps", build.slide(*boxes))
    assert found.severity == "warning" and "20 to 40 px apart" in found.message
    assert found.box == (100, 200, 460, 260) and found.measured == 20


def test_columns_count_as_rows_do(build):
    boxes = [build.rect(100, top, 100, 60) for top in (100, 180, 280)]
    (found,) = build.told("layout.gaps", build.slide(*boxes))
    assert "in the column of" in found.message


def test_even_gaps_slight_differences_and_groups_are_left_alone(build):
    assert build.told("layout.gaps", build.slide(*row(build, 100, 220, 340))) == []
    assert build.told("layout.gaps", build.slide(*row(build, 100, 220, 343))) == []
    # a gap of 20 px and one of 120 part two from one
    assert build.told("layout.gaps", build.slide(*row(build, 100, 220, 440))) == []
    assert build.told("layout.gaps", build.slide(*row(build, 100, 260))) == []


def grid(build, lefts):
    return build.slide(*(build.rect(x, y, 200, 60) for y, xs in lefts.items() for x in xs))


def test_a_grid_whose_columns_are_off_is_told(build):
    slide = grid(build, {100: (100, 400), 200: (118, 394)})
    (found,) = build.told("layout.grid", slide)
    assert found.measured == 18 and found.slide == 1 and found.shape == "Shape 3 (id 3)"


def test_exact_and_staggered_grids_are_left_alone(build):
    assert build.told("layout.grid", grid(build, {100: (100, 400), 200: (100, 400)})) == []
    assert build.told("layout.grid", grid(build, {100: (100, 400), 200: (200, 500)})) == []


def test_circles_around_something_are_no_grid(build):
    places = ((100, 100), (400, 100), (118, 200), (394, 200))
    circles = [build.rect(x, y, 200, 60, geometry="ellipse") for x, y in places]
    assert build.told("layout.grid", build.slide(*circles)) == []


def test_boxes_of_other_sizes_are_no_grid(build):
    boxes = [build.rect(100, 100, 200, 60), build.rect(400, 100, 90, 30),
             build.rect(118, 200, 150, 44), build.rect(394, 200, 60, 20)]  # fmt: skip
    assert build.told("layout.grid", build.slide(*boxes)) == []
