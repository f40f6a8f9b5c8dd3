"""Parts changed by patches: small edits, each addressed by part name and XPath.

::

    with Package.open("talk.pptx") as package:
        draft = apply_patches(package, [Patch(
            part="ppt/slides/slide2.xml", action="set",
            xpath="//p:sp[p:nvSpPr/p:cNvPr[@id='3']]//a:rPr", attribute="sz", value="2400",
        )])
        draft.save("talk-2.pptx")

Patches come from strangers, models among them: paths are held to a small part of XPath that cannot
run away (``paths``), XML is read like that of a stranger's deck, and the patched package has to be
as valid as it was. All patches take, or none (``PatchesRefused``). ``part_text`` shows a part the
way patches have to speak of it.
"""
