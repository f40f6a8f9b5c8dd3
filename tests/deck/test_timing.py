import pytest


@pytest.fixture
def slide(deck):
    return lambda after: deck(after=after).slides[0]


@pytest.mark.parametrize(
    ("transition", "name"),
    [
        ("", None),
        ("<p:transition/>", None),
        ('<p:transition spd="slow"><p:fade/></p:transition>', "fade"),
        ("<p:transition><p:sndAc/></p:transition>", None),
        ('<p:transition><p14:vortex dir="r"/></p:transition>', "vortex"),
        ('<p:transition><p159:morph option="byObject"/></p:transition>', "morph"),
        ('<p:transition><p15:prstTrans prst="airplane"/></p:transition>', "airplane"),
    ],
)
def test_the_effect_of_a_transition_is_named(slide, transition, name):
    assert slide(transition).transition == name


def alternate(requires, choice, fallback):
    return (
        f'<mc:AlternateContent><mc:Choice Requires="{requires}">{choice}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )


def test_a_newer_transition_counts_before_its_fallback(slide):
    morph = '<p:transition advTm="500"><p159:morph/></p:transition>'
    fade = '<p:transition advTm="900"><p:fade/></p:transition>'
    found = slide(alternate("p159", morph, fade))
    assert (found.transition, found.advances_after_ms) == ("morph", 500)
    unknown = slide(alternate("am3d", morph, fade))
    assert (unknown.transition, unknown.advances_after_ms) == ("fade", 900)


@pytest.mark.parametrize(
    ("attributes", "ms"),
    [("", None), ('advTm="0"', 0), ('advTm="3000"', 3000), ('advTm="x"', None)],
)
def test_the_time_to_advance_is_told(slide, attributes, ms):
    assert slide(f"<p:transition {attributes}/>").advances_after_ms == ms


def effect(id, tag="animEffect"):
    target = f'<p:tgtEl><p:spTgt spid="{id}"/></p:tgtEl>'
    return f"<p:{tag}><p:cBhvr><p:cTn/>{target}</p:cBhvr></p:{tag}>"


def timeline(inner):
    build = '<p:bldLst><p:bldP spid="99"/></p:bldLst>'
    return f"<p:timing><p:tnLst><p:par><p:cTn>{inner}</p:cTn></p:par></p:tnLst>{build}</p:timing>"


def test_targets_of_effects_are_told_in_order_and_once(slide):
    inner = effect(5) + effect(3, "set") + effect(5, "animMotion") + effect("x")
    assert slide(timeline(inner)).animated == (5, 3)


def test_what_only_triggers_an_effect_is_not_animated(slide):
    trigger = '<p:cond evt="onClick"><p:tgtEl><p:spTgt spid="8"/></p:tgtEl></p:cond>'
    sound = "<p:audio><p:cMediaNode><p:tgtEl><p:sldTgt/></p:tgtEl></p:cMediaNode></p:audio>"
    assert slide(timeline(trigger + effect(2) + sound)).animated == (2,)


def test_a_timeline_among_alternatives_is_read_once(slide):
    found = slide(alternate("p14", timeline(effect(4)), timeline(effect(6))))
    assert found.animated == (4,)


def test_a_slide_without_timeline_has_no_animation(slide):
    assert slide("").animated == ()
    assert slide("<p:timing/>").animated == ()
