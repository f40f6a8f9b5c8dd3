from decklab.deck.model.shapes import Cell


def test_a_table_that_marks_no_header(build):
    (found,) = build.lint(build.table())
    assert found.rule == "accessibility.missing-table-headers" and found.severity == "warning"


def test_a_header_row_or_column_will_do_and_small_tables_need_none(build):
    assert build.lint(build.table(first_row=True)) == []
    assert build.lint(build.table(first_column=True)) == []
    assert build.lint(build.table(1, 4)) == [] and build.lint(build.table(4, 1)) == []


def test_merged_cells_are_counted(build):
    (found,) = build.lint(build.table(first_row=True, cell=Cell(column_span=2)))
    assert found.rule == "accessibility.merged-table-cells" and found.measured == 1


def test_the_tables_of_a_slide_are_one_finding(build):
    (found,) = build.lint(build.table(name="North"), build.table(name="South"))
    assert found.message == "North, South mark no row or column as header."


def test_hidden_tables_are_not_read(build):
    assert build.lint(build.table(hidden=True)) == []
