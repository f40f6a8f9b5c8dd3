from decklab.metrics.editability.clusters import complex_groups, loose_clusters


def row(build, count, *, step=10, **fields):
    return [build.shape((step * n, 100, step * n + 10, 110), **fields) for n in range(count)]


def test_twenty_touching_shapes_are_a_loose_graphic(build):
    wide = [build.shape((40 * n, 100, 40 * n + 40, 110)) for n in range(20)]
    (cluster,) = loose_clusters(build.slide(*wide))
    assert len(cluster.pieces) == 20
    assert cluster.box == (0, 100, 800, 110)
    assert loose_clusters(build.slide(*wide[1:])) == []


def test_eight_pieces_close_together_are_a_loose_icon(build):
    assert len(loose_clusters(build.slide(*row(build, 8)))) == 1
    assert loose_clusters(build.slide(*row(build, 7))) == []


def test_pieces_all_over_the_slide_are_a_composition(build):
    pieces = [build.shape((90 * n, 55 * n, 90 * n + 95, 55 * n + 60))
              for n in range(9)]  # fmt: skip
    assert loose_clusters(build.slide(*pieces)) == []


def test_shapes_apart_are_no_cluster(build):
    assert loose_clusters(build.slide(*row(build, 25, step=15))) == []


def test_grouped_labelled_glued_and_large_shapes_are_no_pieces(build):
    for fields in ({"groups": (9,)}, {"placeholder": "pic"}, {"filled": False},
                   {"kind": "connector", "connects": (1, None)}):  # fmt: skip
        assert loose_clusters(build.slide(*row(build, 30, **fields))) == []
    words = [build.text("a", (10 * n, 100, 10 * n + 10, 110), filled=True) for n in range(30)]
    assert loose_clusters(build.slide(*words)) == []
    panel = build.shape((0, 0, 960, 540))
    apart = row(build, 25, step=15)
    assert loose_clusters(build.slide(panel, *apart)) == []


def test_a_hundred_pieces_fail_by_themselves(build):
    pieces = [build.shape((10 * (n % 10), 10 * (n // 10), 10 * (n % 10) + 10, 10 * (n // 10) + 10))
              for n in range(100)]  # fmt: skip
    (cluster,) = loose_clusters(build.slide(*pieces))
    assert cluster.hundreds


def test_groups_count_by_their_outermost_group(build):
    members = [build.shape(groups=(5, 6)) for _ in range(3)] + [build.shape(groups=(5,))] * 2
    assert complex_groups(build.slide(*members, build.shape(groups=(8,)))) == 1
    assert complex_groups(build.slide()) == 0
