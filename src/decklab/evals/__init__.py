"""Systems that are judged: benchmarks of the five papers, judges, rubrics, perturbation, agreement.

Verbs for Python programs; ``decklab[evals]`` installs what they need::

    import decklab
    from decklab import evals

    graded = evals.grade("old.pptx", "new.pptx", "rubric.json")               # a rubric tree
    judged = evals.judge(["talk.pptx"], sources=["a.md"], setting="long-doc")  # paper 004
    built = evals.build_quiz(["report.pdf"], "bank.json")                     # QuizBank
    taken = evals.take_quiz(built.bank, ["talk.pptx"])
    with decklab.open("talk.pptx") as deck:                                   # paper 000's damage
        evals.write_perturbed(deck.package, "damaged.pptx", "geometry", 0.5)

``write_ladder`` writes a deck at every severity. ``agree`` compares scores with rankings by people,
``prefer`` decks with each other, ``prefer_systems`` folders of decks. ``check_rubrics``,
``draft_rubric`` and ``propose_tasks`` make tasks. ``bench_pptarena``, ``bench_ppteval``,
``bench_ppteval_meta``, ``bench_presentbench``, ``bench_sabotage``, ``bench_slidesgen`` and
``bench_unippt`` run benchmarks, as do the Inspect tasks of ``registry``; ``board`` compares their
systems. Settings: ``GradeOptions``, ``RequiredCriteria``.
"""

from typing import TYPE_CHECKING

from decklab.core.lazy import loaded_on_use

if TYPE_CHECKING:
    from decklab.evals.agreement.agree import agree as agree
    from decklab.evals.judges.preference.prefer import prefer as prefer
    from decklab.evals.judges.preference.prefer import prefer_systems as prefer_systems
    from decklab.evals.judges.quiz.quiz import build_quiz as build_quiz
    from decklab.evals.judges.quiz.quiz import take_quiz as take_quiz
    from decklab.evals.judges.scenario.judging import judge_decks
    from decklab.evals.perturb.deck import write_ladder as write_ladder
    from decklab.evals.perturb.deck import write_perturbed as write_perturbed
    from decklab.evals.pptarena.session import bench_pptarena as bench_pptarena
    from decklab.evals.ppteval.meta import bench_sabotage as bench_sabotage
    from decklab.evals.ppteval.running import bench_ppteval as bench_ppteval
    from decklab.evals.ppteval.running import bench_ppteval_meta as bench_ppteval_meta
    from decklab.evals.presentbench.running import bench_presentbench as bench_presentbench
    from decklab.evals.results.board import write_board
    from decklab.evals.rubrics.drafting import RequiredCriteria as RequiredCriteria
    from decklab.evals.rubrics.drafting import propose_for_deck, write_draft
    from decklab.evals.rubrics.grade import GradeOptions as GradeOptions
    from decklab.evals.rubrics.grade import grade as grade
    from decklab.evals.rubrics.graded import check_folder
    from decklab.evals.slidesgen.running import bench_slidesgen as bench_slidesgen
    from decklab.evals.unippt.running import bench_unippt as bench_unippt

    board = write_board
    check_rubrics = check_folder
    draft_rubric = write_draft
    judge = judge_decks
    propose_tasks = propose_for_deck
else:
    __getattr__, __dir__ = loaded_on_use(__name__)
