"""Cases of the categories Interactivity and Structure."""

from generate.pptarena.cases.harm import BAD, PLAIN, RICH
from generate.pptarena.edits import deckwide, motion, shapes, text
from generate.pptarena.recipe import Recipe

_BODY = "Text Placeholder 2"
_MANAGEMENT = "Slide Management, Numbers, Footers, Notes"

INTERACTIVITY: tuple[Recipe, ...] = (
    Recipe(
        "One calm entrance",
        "rich",
        "Animations",
        "On slide 4, let only the chart enter, fading in over 1.2 seconds after the slide appears, "
        "without a click. On slide 5 the same for its chart.",
        "Slides 4 and 5: one entrance each, effect fade, 1200 ms, after what went before, on the "
        "chart. All other slides keep their animations.",
        truth=(
            motion.animation(4, ("Heat by source", "fade", "after", 1200)),
            motion.animation(5, ("Emission pathways", "fade", "after", 1200)),
        ),
        wrong=(
            motion.animation(11, ("Heat mix 2035", "fade", "after", 1200)),
            motion.animation(12, ("Four phases", "fade", "after", 1200)),
        ),
        damage=RICH["network recoloured"],
    ),
    Recipe(
        "The lookout fades in",
        "plain",
        "Animations",
        "On slide 5, let the picture fade in at a click and the text beside it wipe in after it, "
        "half a second each. On slide 3, let the table fade in at a click.",
        "Slide 5: two entrances, 'View from the lookout' fade on click and 'Text Placeholder 3' "
        "wipe after it, 500 ms each. Slide 3: table, fade, on click, 500 ms. No others.",
        truth=(
            motion.animation(3, ("Work by month", "fade", "click", 500)),
            motion.animation(
                5,
                ("View from the lookout", "fade", "click", 500),
                ("Text Placeholder 3", "wipe", "after", 500),
            ),
        ),
        wrong=(
            motion.animation(4, (_BODY, "fade", "click", 500)),
            motion.animation(6, ("Title 1", "fade", "click", 500), (_BODY, "wipe", "after", 500)),
        ),
        damage=PLAIN["glance recoloured"],
    ),
    Recipe(
        "Push from slide to slide",
        "plain",
        "Slide Transitions",
        "Set the transition on slides 2-7 to push.",
        "Slides 2 to 7: transition push from below, which is what a push is unless told otherwise. "
        "Slide 1 has none. Contents stay.",
        truth=tuple(motion.transition(n, '<p:push dir="u"/>') for n in range(2, 8)),
        wrong=(motion.transition(1, '<p:push dir="u"/>'),),
        damage=PLAIN["ridge smaller"],
    ),
    Recipe(
        "No more morphing",
        "rich",
        "Slide Transitions",
        "On slide 8, use a slow wipe from the left in the place of the morph, and let slides 1 and "
        "2 move on by themselves after ten seconds, both with a fade.",
        "Slide 8: transition wipe from the left, slow. Slides 1 and 2: fade at medium speed, on to "
        "the next slide after 10 s. The other slides keep their transitions.",
        truth=(
            motion.transition(8, '<p:wipe dir="l"/>', speed="slow"),
            motion.transition(1, "<p:fade/>", after_ms=10_000),
            motion.transition(2, "<p:fade/>", after_ms=10_000),
        ),
        wrong=(
            motion.transition(7, '<p:wipe dir="l"/>', speed="slow"),
            motion.transition(9, "<p:fade/>", after_ms=10_000),
            motion.transition(10, "<p:fade/>", after_ms=10_000),
        ),
        damage=RICH["pathways retold"],
    ),
    Recipe(
        "Where to sign up",
        "plain",
        "Hyperlinks",
        "Link 'Sign up on our page: ridgetrail.example.org' on slide 7 to "
        "'https://ridgetrail.example.org/volunteer'. Link 'First work day: Saturday 11 April, "
        "9:00, quarry car park' on slide 7 to 'https://maps.example.org/quarry'.",
        "Slide 7: the third paragraph's address is https://ridgetrail.example.org/volunteer, the "
        "first one's https://maps.example.org/quarry. Words stay.",
        truth=(
            text.link(7, _BODY, 3, "https://ridgetrail.example.org/volunteer"),
            text.link(7, _BODY, 1, "https://maps.example.org/quarry"),
        ),
        wrong=(
            text.link(6, _BODY, 3, "https://ridgetrail.example.org/volunteer"),
            text.link(6, _BODY, 1, "https://maps.example.org/quarry"),
        ),
        damage=PLAIN["footer gone"],
    ),
    Recipe(
        "To the phases",
        "rich",
        "Hyperlinks",
        "Let the button on slide 13 lead to the slide with the four phases, name it 'See the "
        "phases', and link the box 'Homes' on slide 7 to the numbers on slide 2.",
        "Slide 13: the button's click leads to slide 12 and it reads 'See the phases'. Slide 7: a "
        "click on 'Homes box' leads to slide 2. Looks stay.",
        truth=(
            shapes.jump_to(13, "Assumptions button", 12),
            text.text(13, "Assumptions button", "See the phases"),
            shapes.jump_to(7, "Homes box", 2),
        ),
        wrong=(
            shapes.jump_to(7, "Storage box", 12),
            text.paragraph_text(7, "Storage box", 1, "See the phases"),
            shapes.jump_to(13, "Assumptions button", 2),
        ),
        damage=RICH["section smaller"],
    ),
)

STRUCTURE: tuple[Recipe, ...] = (
    Recipe(
        "Plans before lessons",
        "plain",
        _MANAGEMENT,
        "Move the slide 'Plans for 2026' to third place, delete the slide on the north ridge, and "
        "write 'Ridge Trail Volunteers, 2026' into the footer of the last slide.",
        "Six slides: cover, the season, plans, work by month, lessons, how to help. The last one's "
        "footer reads 'Ridge Trail Volunteers, 2026'. What is on the slides stays.",
        truth=(
            deckwide.footer(7, "Ridge Trail Volunteers, 2026"),
            deckwide.delete_slide(5),
            deckwide.move_slide(5, 3),
        ),
        wrong=(
            deckwide.footer(6, "Ridge Trail Volunteers, 2026"),
            deckwide.delete_slide(4),
            deckwide.move_slide(6, 3),
        ),
        damage=PLAIN["glance recoloured"],
    ),
    Recipe(
        "Notes and a section",
        "rich",
        _MANAGEMENT,
        "Set the notes of slide 4 to 'Ask who heats with oil.'. Set the notes of slide 10 to "
        "'Thank the harbour master.'. Rename the section 'Backup' to 'Appendix'.",
        "Notes of slide 4: 'Ask who heats with oil.'; of slide 10: 'Thank the harbour master.'; no "
        "other notes change. The last section is 'Appendix' and holds the same slide.",
        truth=(
            text.notes(4, "Ask who heats with oil."),
            text.notes(10, "Thank the harbour master."),
            deckwide.section_name("Backup", "Appendix"),
        ),
        wrong=(
            text.notes(5, "Ask who heats with oil."),
            text.notes(11, "Thank the harbour master."),
            deckwide.section_name("The plan", "Appendix"),
        ),
        damage=RICH["cover moved"],
    ),
    Recipe(
        "Heard, not seen",
        "bad",
        "Comments & Accessibility",
        "Make slides 4 and 7 accessible. Set the alt text of 'Screenshot 2025-11-03 at 16.42' "
        "on slide 4 to 'Chart of rising revenue'. Set the alt text of 'launch_teaser_FINAL' on "
        "slide 7 to 'Teaser of the launch'. Set the title of slide 7 to 'Thank you'.",
        "Slide 4: alt text of the screenshot 'Chart of rising revenue'. Slide 7: alt text of the "
        "video 'Teaser of the launch', title placeholder 'Thank you'. Nothing moves.",
        truth=(
            shapes.alt_text(4, "Screenshot 2025-11-03 at 16.42", "Chart of rising revenue"),
            shapes.alt_text(7, "launch_teaser_FINAL", "Teaser of the launch"),
            text.text(7, "title", "Thank you"),
        ),
        wrong=(
            shapes.alt_text(1, "Picture 1", "Chart of rising revenue"),
            shapes.alt_text(6, "Picture 99", "Teaser of the launch"),
            text.text(4, "title", "Thank you"),
        ),
        damage=BAD["moat moved"],
    ),
    Recipe(
        "Ask for the source",
        "plain",
        "Comments & Accessibility",
        "Leave the comment 'Which days were these?' on slide 3 and 'Still true?' on slide 5, and "
        "let screen readers read the picture on slide 5 after the text beside it.",
        "Slide 3: one comment, 'Which days were these?'. Slide 5: one comment, 'Still true?', and "
        "the picture after 'Text Placeholder 3' in reading order. Looks stay.",
        truth=(
            deckwide.comment(3, "Which days were these?", number=1),
            deckwide.comment(5, "Still true?", number=2),
            deckwide.reading_order(5, "View from the lookout", 3),
        ),
        wrong=(
            deckwide.comment(4, "Which days were these?", number=1),
            deckwide.comment(6, "Still true?", number=2),
            deckwide.reading_order(4, "Text Placeholder 2", 3),
        ),
        damage=PLAIN["plans retold"],
        partial=(deckwide.comment(3, "Which days were these?", number=1),),
    ),
)
