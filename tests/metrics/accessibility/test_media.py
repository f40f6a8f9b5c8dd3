def test_a_videos_captions_are_for_people_to_check(build):
    (found,) = build.lint(build.media("video", alt_text="Tour of the plant"))
    assert found.rule == "accessibility.captions" and found.severity == "info"
    assert build.lint(build.media("audio", alt_text="Greeting by the chair")) == []
