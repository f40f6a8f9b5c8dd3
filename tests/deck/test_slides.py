"""Comments, transitions, animations and diagrams, written down by hand."""

import pytest

P188 = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"
AC = "http://schemas.microsoft.com/office/drawing/2013/main/command"


def with_presentation(parts, more_links, related, relations):
    """The parts of a deck whose presentation has further relationships."""
    parts["ppt/_rels/presentation.xml.rels"] = relations(
        related("rM", "slideMaster", "master.xml"), related("rS", "slide", "slide.xml"), *more_links
    )
    return parts


def test_classic_comments_with_a_reply(parts, of_parts, related, relations, part_xml):
    thread = (
        '<p:extLst><p:ext uri="x"><p15:threadingInfo><p15:parentCm authorId="1" idx="1"/>'
        "</p15:threadingInfo></p:ext></p:extLst>"
    )
    comments = part_xml(
        "p:cmLst",
        '<p:cm authorId="1" dt="2024-01-02T03:04:05" idx="1"><p:pos x="576" y="288"/>'
        "<p:text>Look &amp; see</p:text></p:cm>"
        f'<p:cm authorId="2" idx="1"><p:pos x="1" y="1"/><p:text>Done</p:text>{thread}</p:cm>',
    )
    authors = part_xml(
        "p:cmAuthorLst",
        '<p:cmAuthor id="1" name="Ann" initials="A"/><p:cmAuthor id="2" name="Bo" initials="B"/>',
    )
    deck = parts(
        links=(related("rC", "comments", "comments.xml"),),
        parts={"ppt/comments.xml": comments, "ppt/authors.xml": authors},
    )
    with_presentation(deck, [related("rA", "commentAuthors", "authors.xml")], related, relations)
    (comment,) = of_parts(deck).slides[0].comments
    assert (comment.kind, comment.author, comment.text) == ("classic", "Ann", "Look & see")
    assert comment.created == "2024-01-02T03:04:05"
    assert (comment.x, comment.y) == (91.44, 45.72)
    assert [(reply.author, reply.text) for reply in comment.replies] == [("Bo", "Done")]


def test_modern_comments_with_a_reply_on_a_shape(parts, of_parts, related, relations):
    text = "<p188:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></p188:txBody>"
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    comments = (
        f'<p188:cmLst xmlns:p188="{P188}" xmlns:a="{a}" xmlns:ac="{AC}">'
        '<p188:cm id="{C}" authorId="{A}" status="resolved" created="2024-01-02T00:00:00">'
        '<ac:deMkLst><ac:spMk id="4" creationId="{0}"/></ac:deMkLst><p188:replyLst>'
        f'<p188:reply id="{{R}}" authorId="{{B}}" created="x">{text.format("Yes")}</p188:reply>'
        f"</p188:replyLst>{text.format('Why?')}</p188:cm></p188:cmLst>"
    )
    authors = (
        f'<p188:authorLst xmlns:p188="{P188}"><p188:author id="{{A}}" name="Ann" initials="A"/>'
        '<p188:author id="{B}" name="Bo"/></p188:authorLst>'
    )
    deck = parts(
        links=(related("rC", "comments", "comments.xml"),),
        parts={"ppt/comments.xml": comments.encode(), "ppt/authors.xml": authors.encode()},
    )
    with_presentation(deck, [related("rA", "authors", "authors.xml")], related, relations)
    (comment,) = of_parts(deck).slides[0].comments
    assert (comment.kind, comment.author, comment.text) == ("modern", "Ann", "Why?")
    assert (comment.id, comment.status, comment.shape, comment.x) == ("{C}", "resolved", 4, None)
    assert [(reply.author, reply.text) for reply in comment.replies] == [("Bo", "Yes")]


@pytest.mark.parametrize(
    ("pos", "place"),
    [
        ('<p188:pos x="4800000" y="2700000"/>', (480, 270)),  # EMU: half way, of 9600000 by 5400000
        ('<p188:pos x="9700000" y="0"/>', (None, None)),
        ('<p188:pos x="here"/>', (None, None)),
        ("", (None, None)),
    ],
)
def test_a_modern_comment_on_the_slide_has_its_place_if_it_is_on_it(slide_of, related, pos, place):
    comments = (
        f'<p188:cmLst xmlns:p188="{P188}" xmlns:ac="{AC}"><p188:cm id="{{C}}" authorId="{{A}}">'
        f'<ac:sldMkLst><ac:sldMk sldId="256" cId="1"/></ac:sldMkLst>{pos}</p188:cm></p188:cmLst>'
    )
    (comment,) = slide_of(
        links=(related("rC", "comments", "c.xml"),), parts={"ppt/c.xml": comments.encode()}
    ).comments
    assert ((comment.x, comment.y), comment.shape, comment.author) == (place, None, "")
    assert (comment.status, comment.text) == ("active", "")


def test_header_footer_date_and_number_are_those_of_their_placeholders(slide_of, sp):
    def shown(id, kind, inner):
        return sp("", f"<a:p>{inner}</a:p>", nv=f'<p:ph type="{kind}" idx="{id}"/>', id=id)

    text = "<a:r><a:t>{}</a:t></a:r>"
    number = '<a:fld id="{0}" type="slidenum"><a:t>7</a:t></a:fld>'
    day = '<a:fld id="{1}" type="datetime1"><a:t>1 May</a:t></a:fld>'
    slide = slide_of(
        shown(10, "hdr", text.format("Top"))
        + shown(11, "ftr", text.format("Confidential"))
        + shown(12, "dt", day)
        + shown(13, "sldNum", text.format("Page ") + number)
    )
    assert (slide.header, slide.footer) == ("Top", "Confidential")
    assert (slide.date, slide.slide_number) == ("1 May", "Page 7")
    assert [(run.kind, run.field) for run in slide.texts[3].paragraphs[0].runs] == [
        ("run", None), ("field", "slidenum"),
    ]  # fmt: skip


def test_what_only_the_layout_shows_is_not_the_slides_footer(slide_of, sp):
    footer = sp("", "<a:p><a:r><a:t>Prompt</a:t></a:r></a:p>", nv='<p:ph type="ftr" idx="11"/>')
    slide = slide_of(layout=footer)
    assert (slide.header, slide.footer, slide.date, slide.slide_number) == (None,) * 4


def test_a_transition_in_alternate_content(slide_of):
    after = (
        '<mc:AlternateContent><mc:Choice Requires="p14"><p:transition spd="slow" p14:dur="1500" '
        'advClick="0" advTm="4000"><p14:vortex dir="r"/></p:transition></mc:Choice><mc:Fallback>'
        "<p:transition><p:fade/></p:transition></mc:Fallback></mc:AlternateContent>"
    )
    transition = slide_of(after=after).transition
    assert (transition.name, transition.options) == ("vortex", {"dir": "r"})
    assert (transition.duration_ms, transition.speed) == (1500, "slow")
    assert (transition.advance_on_click, transition.advance_after_ms) == (False, 4000)


def test_named_presets_and_bare_advances(slide_of):
    preset = '<p:transition advTm="9"><p15:prstTrans prst="airplane" invX="1"/></p:transition>'
    assert slide_of(after=preset).transition.name == "airplane"
    bare = slide_of(after='<p:transition advTm="9"/>').transition
    assert (bare.name, bare.advance_after_ms, bare.advance_on_click) == ("", 9, True)
    assert slide_of().transition is None


def test_the_sound_of_a_transition(slide_of):
    sound = '<p:sndAc><p:stSnd><p:snd r:embed="rS" name="chime.wav"/></p:stSnd></p:sndAc>'
    found = slide_of(after=f'<p:transition><p:push dir="u"/>{sound}</p:transition>').transition
    assert (found.name, found.options, found.sound) == ("push", {"dir": "u"}, "chime.wav")
    alone = slide_of(after=f"<p:transition>{sound}</p:transition>").transition
    assert (alone.name, alone.sound) == ("", "chime.wav")


def effect(node: str, preset: str, target: str, *, delay: int = 0, duration: int = 500) -> str:
    return (
        f'<p:par><p:cTn {preset} nodeType="{node}"><p:stCondLst><p:cond delay="{delay}"/>'
        '</p:stCondLst><p:childTnLst><p:set><p:cBhvr><p:cTn dur="1"><p:stCondLst>'
        f'<p:cond delay="0"/></p:stCondLst></p:cTn><p:tgtEl>{target}</p:tgtEl></p:cBhvr></p:set>'
        f'<p:animEffect><p:cBhvr><p:cTn dur="{duration}"/><p:tgtEl>{target}</p:tgtEl></p:cBhvr>'
        "</p:animEffect></p:childTnLst></p:cTn></p:par>"
    )


def timing(main: str, interactive: str = "") -> str:
    return (
        '<p:timing><p:tnLst><p:par><p:cTn nodeType="tmRoot"><p:childTnLst><p:seq><p:cTn '
        f'nodeType="mainSeq"><p:childTnLst><p:par><p:cTn><p:childTnLst>{main}</p:childTnLst>'
        f"</p:cTn></p:par></p:childTnLst></p:cTn></p:seq>{interactive}</p:childTnLst></p:cTn>"
        "</p:par></p:tnLst></p:timing>"
    )


FADE = 'presetID="10" presetClass="entr" presetSubtype="0"'
TITLE = '<p:spTgt spid="2"/>'
SECOND_LINE = '<p:spTgt spid="3"><p:txEl><p:pRg st="1" end="1"/></p:txEl></p:spTgt>'


def test_effects_with_trigger_delay_duration_order_and_target(slide_of):
    spin = 'presetID="8" presetClass="emph"'
    strange = 'presetID="999" presetClass="exit"'
    main = (
        effect("clickEffect", FADE, TITLE, delay=250)
        + effect("withEffect", spin, SECOND_LINE, duration=2000)
        + effect("afterEffect", strange, TITLE)
    )
    found = slide_of(after=timing(main)).animations
    assert [(a.order, a.effect, a.kind, a.trigger) for a in found] == [
        (0, "fade", "entrance", "on_click"),
        (1, "spin", "emphasis", "with_previous"),
        (2, "exit_999", "exit", "after_previous"),
    ]
    assert [(a.delay_ms, a.duration_ms, a.shape) for a in found] == [
        (250, 500, 2), (0, 2000, 3), (0, 500, 2),
    ]  # fmt: skip
    assert [a.paragraphs for a in found] == [(), (1, 1), ()]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ('<p:txEl><p:charRg st="4" end="9"/></p:txEl>', ((), (4, 9), "")),
        ('<p:txEl><p:pRg st="0" end="2"/></p:txEl>', ((0, 2), (), "")),
        ("<p:bg/>", ((), (), "background")),
        ('<p:graphicEl><a:chart seriesIdx="1" categoryIdx="-3" bldStep="series"/></p:graphicEl>',
         ((), (), "graphicEl bldStep=series categoryIdx=-3 seriesIdx=1")),
        ('<p:graphicEl><a:dgm id="{D}" bldStep="sp"/></p:graphicEl>',
         ((), (), "graphicEl bldStep=sp id={D}")),
        ('<p:subSp spid="9"/>', ((), (), "subSp spid=9")),
    ],
)  # fmt: skip
def test_the_part_of_a_shape_that_an_effect_plays_on(slide_of, target, expected):
    main = effect("clickEffect", FADE, f'<p:spTgt spid="5">{target}</p:spTgt>')
    (found,) = slide_of(after=timing(main)).animations
    assert found.shape == 5
    assert (found.paragraphs, found.characters, found.part) == expected


def test_words_repeats_directions_and_paths_of_effects(slide_of):
    fly = effect(
        "clickEffect", 'presetID="2" presetClass="entr" presetSubtype="8" repeatCount="3000"', TITLE
    ).replace("</p:stCondLst>", '</p:stCondLst><p:iterate type="wd"/>', 1)
    path = effect("withEffect", 'presetID="64" presetClass="path"', TITLE)
    play = (
        '<p:par><p:cTn presetID="1" presetClass="mediacall" nodeType="afterEffect"><p:childTnLst>'
        '<p:cmd type="call" cmd="playFrom(0.0)"><p:cBhvr><p:cTn dur="indefinite"/><p:tgtEl>'
        '<p:spTgt spid="8"/></p:tgtEl></p:cBhvr></p:cmd></p:childTnLst></p:cTn></p:par>'
    )
    first, second, third = slide_of(after=timing(fly + path + play)).animations
    assert (first.effect, first.subtype, first.repeat, first.by) == ("fly_in", 8, "3000", "wd")
    assert (second.effect, second.kind) == ("up", "motion")
    assert (third.effect, third.kind, third.duration_ms) == ("play", "media", None)


def test_an_effect_that_a_click_on_a_shape_starts(slide_of):
    interactive = (
        '<p:seq><p:cTn nodeType="interactiveSeq"><p:stCondLst><p:cond evt="onClick"><p:tgtEl>'
        '<p:spTgt spid="8"/></p:tgtEl></p:cond></p:stCondLst><p:childTnLst>'
        f"{effect('clickEffect', FADE, TITLE)}</p:childTnLst></p:cTn></p:seq>"
    )
    (found,) = slide_of(after=timing("", interactive)).animations
    assert (found.trigger, found.trigger_shape, found.shape) == ("on_shape_click", 8, 2)


@pytest.mark.parametrize("requires", ["p14", "unheard"])
def test_animations_in_alternate_content(slide_of, requires):
    wrapped = (
        f'<mc:AlternateContent xmlns:unheard="urn:x"><mc:Choice Requires="{requires}">'
        f"{timing(effect('clickEffect', FADE, TITLE))}</mc:Choice><mc:Fallback>"
        f"{timing(effect('clickEffect', FADE, SECOND_LINE))}</mc:Fallback></mc:AlternateContent>"
    )
    (found,) = slide_of(after=wrapped).animations
    assert found.shape == (2 if requires == "p14" else 3)


def test_smartart_text_comes_in_the_order_of_its_outline(slide_of, related, part_xml):
    def node(id, text, kind="node"):
        return (
            f'<dgm:pt modelId="{id}" type="{kind}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>{text}</a:t>'
            "</a:r></a:p></dgm:t></dgm:pt>"
        )

    def link(source, target, order, kind="parOf"):
        return (
            f'<dgm:cxn modelId="c{target}{kind}" type="{kind}" srcId="{source}" '
            f'destId="{target}" srcOrd="{order}" destOrd="0"/>'
        )

    model = part_xml(
        "dgm:dataModel",
        "<dgm:ptLst>"
        + node("3", "third")
        + node("1", "first")
        + node("1a", "under first", "asst")
        + node("2", "second")
        + '<dgm:pt modelId="0" type="doc"/>'
        + '<dgm:pt modelId="9" type="pres"/>'
        + node("lost", "hangs nowhere")
        + "</dgm:ptLst><dgm:cxnLst>"
        + link("0", "3", 2)
        + link("0", "2", 1)
        + link("0", "1", 0)
        + link("1", "1a", 0)
        + link("1a", "1", 0)
        + link("0", "9", 5, "presOf")
        + "</dgm:cxnLst>",
    )
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="D"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="10000" cy="10000"/>'
        '</p:xfrm><a:graphic><a:graphicData '
        'uri="http://schemas.openxmlformats.org/drawingml/2006/diagram">'
        '<dgm:relIds r:dm="rD" r:lo="rL2" r:qs="" r:cs=""/></a:graphicData></a:graphic>'
        "</p:graphicFrame>"
    )  # fmt: skip
    layout = part_xml("dgm:layoutDef", "", 'uniqueId="urn:microsoft.com/office/layout/hierarchy1"')
    slide = slide_of(
        frame,
        links=(
            related("rD", "diagramData", "data.xml"),
            related("rL2", "diagramLayout", "dlayout.xml"),
        ),
        parts={"ppt/data.xml": model, "ppt/dlayout.xml": layout},
    )
    (diagram,) = slide.diagrams
    assert diagram.layout == "hierarchy1"
    assert [(n.text, n.depth, n.assistant) for n in diagram.nodes] == [
        ("first", 0, False),
        ("under first", 1, True),
        ("second", 0, False),
        ("third", 0, False),
        ("hangs nowhere", 0, False),
    ]


def test_sections_and_custom_shows_without_the_slide_that_is_missing(parts, of_parts, part_xml):
    deck = parts()
    deck["ppt/presentation.xml"] = part_xml(
        "p:presentation",
        '<p:sldMasterIdLst><p:sldMasterId r:id="rM"/></p:sldMasterIdLst><p:sldIdLst>'
        '<p:sldId id="256" r:id="rS"/><p:sldId id="300" r:id="rGone"/></p:sldIdLst>'
        '<p:sldSz cx="9600000" cy="5400000"/><p:custShowLst><p:custShow name="Short" id="0">'
        '<p:sldLst><p:sld r:id="rS"/><p:sld r:id="rGone"/></p:sldLst></p:custShow></p:custShowLst>'
        '<p:extLst><p:ext uri="x"><p14:sectionLst><p14:section name="Start" id="{S}">'
        '<p14:sldIdLst><p14:sldId id="256"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext>'
        "</p:extLst>",
    )
    found = of_parts(deck)
    assert [(s.number, s.id, s.section) for s in found.slides] == [(1, 256, "Start")]
    assert [(s.name, s.slides) for s in found.shows] == [("Short", (256,))]
    assert any("entry 2 of the slide list" in line for line in found.problems)


def test_a_deck_without_slides_has_none(parts, of_parts, part_xml):
    deck = parts()
    deck["ppt/presentation.xml"] = part_xml("p:presentation")
    found = of_parts(deck)
    assert found.slides == ()
    assert found.size_pt == (720.0, 540.0)


def test_a_damaged_slide_is_noted_and_keeps_its_place(parts, of_parts):
    deck = parts(parts={"ppt/slide.xml": b"<p:sld"})
    found = of_parts(deck)
    assert found.slides[0].elements() == ()
    assert any("ppt/slide.xml" in line for line in found.problems)


def test_an_answer_to_an_answer_stays_in_the_thread(slide_of, related, part_xml):
    def comment(idx, parent=None):
        above = f'<p15:parentCm authorId="0" idx="{parent}"/>' if parent else ""
        thread = (
            f"<p:extLst><p:ext><p15:threadingInfo>{above}</p15:threadingInfo></p:ext></p:extLst>"
        )
        return f'<p:cm authorId="0" idx="{idx}"><p:text>{idx}</p:text>{thread}</p:cm>'

    inner = (
        comment(1) + comment(2, 1) + comment(3, 2) + comment(4, 9) + comment(5, 6) + comment(6, 5)
    )
    comments = slide_of(
        links=(related("rC", "comments", "c.xml"),), parts={"ppt/c.xml": part_xml("p:cmLst", inner)}
    ).comments
    assert [(one.text, [reply.text for reply in one.replies]) for one in comments] == [
        ("1", ["2", "3"]), ("4", []), ("5", []), ("6", []),
    ]  # fmt: skip


DRAWING = "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing"
DSP = "http://schemas.microsoft.com/office/drawing/2008/diagram"


@pytest.mark.parametrize("with_data", [True, False])
def test_smartart_without_texts_in_its_data_says_what_it_was_drawn_with(
    slide_of, related, part_xml, with_data
):
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="D"/><p:cNvGraphicFramePr/>'
        "<p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData "
        'uri="http://schemas.openxmlformats.org/drawingml/2006/diagram">'
        '<dgm:relIds r:dm="rD"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    shapes = "".join(
        f"<dsp:sp><dsp:spPr/><dsp:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p>"
        "</dsp:txBody></dsp:sp>"
        for text in ("First", " ", "Second")
    )
    drawn = part_xml("dsp:drawing", f"<dsp:spTree>{shapes}</dsp:spTree>", f'xmlns:dsp="{DSP}"')
    empty = part_xml(
        "dgm:dataModel",
        f'<dgm:ptLst/><a:ext><dsp:dataModelExt xmlns:dsp="{DSP}" relId="rDr"/></a:ext>',
    )
    link = f'<Relationship Id="rDr" Type="{DRAWING}" Target="drawn.xml"/>'
    parts = {"ppt/drawn.xml": drawn} | ({"ppt/data.xml": empty} if with_data else {})
    (found,) = slide_of(
        frame, links=(link, related("rD", "diagramData", "data.xml")), parts=parts
    ).diagrams
    assert [(node.text, node.depth) for node in found.nodes] == [("First", 0), ("Second", 0)]
