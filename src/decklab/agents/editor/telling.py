"""What came of an edit, as its report shows it."""

from decklab.agents.editor.result import EditResult
from decklab.reports.edit_page import EditStory


def story(result: EditResult) -> EditStory:
    """The result as the report of an edit tells it."""
    checked = result.best.verification if result.best else None
    new_faults = tuple(m for m in checked.messages if m.startswith("New fault")) if checked else ()
    return EditStory(
        instruction=result.instruction,
        outcome=result.outcome,
        done=result.done,
        undone=result.undone,
        warnings=new_faults,
        stages=tuple(result.seconds.items()),
        tokens=result.usage.input_tokens + result.usage.output_tokens,
        cost=result.cost,
        written=str(result.output) if result.output else "",
    )
