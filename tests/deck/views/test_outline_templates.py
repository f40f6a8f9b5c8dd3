def test_layouts_and_masters_are_told_with_name_part_and_shapes(deck, sp):
    found = deck(layout=sp(name="Body"), master=sp(name="Logo"))
    (layout,) = found.layouts
    assert (layout.part, layout.name, layout.master) == (
        "ppt/layout.xml",
        "Content",
        "ppt/master.xml",
    )
    assert [shape.name for shape in layout.shapes] == ["Body"]
    (master,) = found.masters
    assert (master.part, master.name, master.master) == ("ppt/master.xml", "Plain theme", None)
    assert [shape.name for shape in master.shapes] == ["Logo"]
    assert found.layout("ppt/layout.xml") is layout
    assert found.layout("ppt/master.xml") is master
    assert found.layout(None) is None


def test_a_masters_layouts_come_in_its_order_and_the_forgotten_after(
    outline, parts, relations, related, part_xml
):
    made = parts()
    names = ["b", "a", "c"]
    for name in names:
        made[f"ppt/{name}.xml"] = part_xml("p:sldLayout", "<p:cSld><p:spTree/></p:cSld>")
    made["ppt/master.xml"] = part_xml(
        "p:sldMaster",
        "<p:cSld><p:spTree/></p:cSld>"
        '<p:sldLayoutIdLst><p:sldLayoutId r:id="rb"/><p:sldLayoutId r:id="ra"/></p:sldLayoutIdLst>',
    )
    made["ppt/_rels/master.xml.rels"] = relations(
        *(related(f"r{name}", "slideLayout", f"{name}.xml") for name in sorted(names))
    )
    found = outline(made)
    assert [layout.part for layout in found.layouts] == [
        "ppt/b.xml", "ppt/a.xml", "ppt/c.xml", "ppt/layout.xml"
    ]  # fmt: skip


def test_a_layout_the_master_lost_is_noted(outline, parts, part_xml):
    made = parts()
    made["ppt/master.xml"] = part_xml(
        "p:sldMaster",
        "<p:cSld><p:spTree/></p:cSld>"
        '<p:sldLayoutIdLst><p:sldLayoutId r:id="rX"/></p:sldLayoutIdLst>',
    )
    assert "ppt/master.xml: layout rX leads to no part" in outline(made).problems


def test_damaged_templates_are_noted_and_empty(outline, parts, sp):
    made = parts(sp(nv="<p:ph/>")) | {"ppt/layout.xml": b"<", "ppt/theme.xml": b"<"}
    found = outline(made)
    assert found.layouts[0].shapes == ()
    assert found.slides[0].layout == "ppt/layout.xml"
    assert len(found.slides[0].shapes) == 1
    assert [line.partition(":")[0] for line in found.problems] == [
        "ppt/theme.xml",
        "ppt/layout.xml",
    ]
    made = parts(sp(nv="<p:ph/>")) | {"ppt/master.xml": b"<"}
    found = outline(made)
    assert [len(part.shapes) for part in (*found.masters, *found.slides)] == [0, 1]
