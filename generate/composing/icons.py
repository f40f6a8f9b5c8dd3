"""Makes the icons that ship with decklab: ``python -m generate.composing.icons PACKAGE``.

``PACKAGE`` is the unpacked npm package ``lucide-static`` (made with 1.62.0; ISC, and MIT for what
comes from Feather). Of the icons below the outlines are written to
``src/decklab/board/icons/lucide.json`` as absolute lines and curves on a square of 24 units,
with the words that they stand for; the licence is copied beside them.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import SVGPath

WORDS: Final = {
    "anchor": "harbour harbor port dock quay anchor",
    "ship": "ship ships shipping vessel ferry boat boats fleet",
    "truck": "truck trucks lorry lorries delivery deliver haulage logistics freight",
    "train-front": "train trains rail railway tram",
    "plane": "plane flight flights airport airline travel aviation",
    "car": "car cars vehicle vehicles driving drivers",
    "bike": "bike bikes bicycle cycling",
    "bus": "bus buses transit",
    "package": "package packages parcel container containers goods cargo product products",
    "warehouse": "warehouse storage stock inventory depot",
    "factory": "factory plant manufacturing production industry industrial",
    "construction": "construction crane cranes site scaffolding",
    "hammer": "build building built",
    "wrench": "repair repairs maintenance fix fixes tool tools mechanic mechanics",
    "hard-hat": "safety accident accidents helmet",
    "users": "people staff team teams employees members group groups customers users crew",
    "user": "person user individual customer client patient",
    "user-plus": "hire hired hiring recruit recruiting apprentices onboarding join",
    "handshake": "partner partners partnership agreement deal contract contracts cooperation",
    "graduation-cap": "training trained education learning learn school course courses study",
    "book-open": "book books reading manual documentation guide literature chapter",
    "library": "library libraries archive",
    "file-text": "document documents report reports paper papers file files form",
    "clipboard-check": "check checks checklist audit inspection inspect review approval",
    "list-checks": "tasks list requirements steps",
    "pen": "write writing edit editing draft author",
    "newspaper": "news press media article publication",
    "coins": "cost costs money price prices savings save cash reserves fee fees",
    "banknote": "pay paid payment payments salary wages loan revenue revenues",
    "piggy-bank": "budget budgets saving fund funds funding",
    "wallet": "spending expenses purchase purchases buy",
    "receipt": "invoice invoices tax taxes bill",
    "landmark": "bank government law public institution policy authority museum",
    "gavel": "legal court regulation regulations rule rules compliance",
    "scale": "balance fairness justice weigh compare comparison",
    "trending-up": "growth grow grew grows increase increased rise rose profit profits gain",
    "trending-down": "decline decrease decreased fall fell loss losses drop reduction reduced",
    "chart-column": "results data figures statistics numbers kpi",
    "chart-line": "trend trends forecast time-series regression",
    "chart-pie": "share shares proportion",
    "target": "goal goals target targets aim aims objective objectives",
    "flag": "milestone milestones finish launch",
    "trophy": "success award awards win won winner best record",
    "star": "quality rating favourite feature features",
    "lightbulb": "idea ideas insight insights innovation suggestion",
    "rocket": "start startup release begin speed-up",
    "puzzle": "solution solutions module modules integration component components",
    "cog": "process processes machine machines engine method methods operation operators",
    "workflow": "workflow pipeline procedure",
    "sliders-horizontal": "settings options parameters configuration tuning control controls",
    "clock": "time hour hours minute minutes duration delay delays waiting wait late",
    "calendar": "date dates day days week weeks month months year years schedule quarter deadline",
    "hourglass": "patience slow remaining",
    "timer": "fast faster quick speed performance",
    "repeat": "repeat cycle cycles iteration iterations routine",
    "refresh-cw": "update updates renewal renew refresh restart",
    "map": "map region regions area country district",
    "map-pin": "place location locations berth address city village villages town",
    "globe": "world global international worldwide web website online countries",
    "compass": "direction strategy orientation navigate",
    "route": "route routes road roads path journey",
    "house": "home house houses housing household",
    "building-2": "company companies office offices business organisation organization firm",
    "store": "shop shops store retail sales market",
    "shopping-cart": "order orders shopping basket",
    "hospital": "hospital clinic hospitals",
    "stethoscope": "doctor doctors medical nurse medicine diagnosis",
    "heart-pulse": "health healthy survival cardiac",
    "pill": "drug drugs treatment therapy dose",
    "microscope": "research science laboratory sample samples",
    "flask-conical": "experiment experiments test tests testing chemistry",
    "dna": "gene genes genetic biology",
    "brain": "thinking intelligence ai cognitive knowledge mind",
    "bot": "robot robots automation automated automatic agent agents",
    "cpu": "computer computers processor computing hardware chip",
    "database": "database databases dataset datasets records table tables",
    "server": "server servers hosting backend",
    "cloud": "cloud saas",
    "code": "code software program programs function functions programming developer developers",
    "terminal": "command commands shell terminal console",
    "git-branch": "branch branches version versions fork",
    "bug": "bug bugs error errors fault faults defect",
    "wifi": "wireless signal connectivity internet",
    "network": "network networks graph graphs nodes",
    "link": "link links connection connections reference",
    "smartphone": "phone phones mobile app apps",
    "monitor": "screen display monitor desktop",
    "camera": "camera photo photos picture pictures image images",
    "lock": "security secure privacy private locked password encryption",
    "key": "key access login credential credentials",
    "shield-check": "protection protect protected insurance guarantee safe",
    "triangle-alert": "risk risks warning danger hazard problem problems caution",
    "circle-x": "failure failed fail rejected stop",
    "circle-check": "done complete completed confirmed accepted passed",
    "circle-question-mark": "question questions why unknown",
    "search": "search find analysis analyse analyze investigate query",
    "eye": "view vision visibility observe monitoring watch",
    "funnel": "filter filters selection select",
    "layers": "layers layer levels level architecture structure",
    "mail": "mail email letter message messages newsletter",
    "phone": "call calls hotline telephone contact",
    "message-circle": "discussion chat conversation feedback comment comments talk",
    "megaphone": "marketing campaign announcement communication advertising",
    "presentation": "presentation slides lecture workshop meeting meetings",
    "mic": "interview interviews speaker speech voice audio",
    "vote": "vote election elections poll decision decisions",
    "leaf": "environment environmental green sustainability sustainable ecology",
    "trees": "forest forests tree trees park",
    "sprout": "agriculture farming crop crops seed seeds plants",
    "recycle": "recycling waste reuse circular",
    "droplets": "water pump pumps rain",
    "waves-horizontal": "sea ocean river coast tide",
    "flame": "fire heat heating gas",
    "zap": "energy power electricity electric voltage",
    "sun": "solar sun light summer",
    "wind": "wind air turbine",
    "thermometer": "temperature climate warming",
    "snowflake": "cold cooling frozen winter",
    "battery-charging": "battery batteries charging",
    "utensils": "food meal meals restaurant kitchen",
    "coffee": "coffee break breakfast",
    "music": "music concert song",
    "palette": "design art style colour color colours",
    "scissors": "cut cuts cutting",
    "gift": "gift bonus donation donations",
    "ticket": "event events ticket visitors visitor",
    "baby": "children child family families birth",
    "accessibility": "accessibility inclusion disability",
}  # fmt: skip
"""Names in Lucide, with the English words that each stands for."""

TARGET: Final = Path("src/decklab/board/icons")


def outline(svg: Path) -> str:
    """The outline of an icon: ``M``, ``L``, ``C``, ``Q`` and ``Z`` with numbers of two decimals."""
    pen = RecordingPen()
    SVGPath(str(svg)).draw(pen)
    return " ".join(_commands(pen.value))


def _commands(drawn: list[tuple[str, tuple[tuple[float, float], ...]]]) -> Iterator[str]:
    letters = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "qCurveTo": "Q", "closePath": "Z"}
    for name, points in drawn:
        if name == "endPath":
            continue
        numbers = " ".join(f"{value:.2f}".rstrip("0").rstrip(".") for at in points for value in at)
        yield f"{letters[name]} {numbers}".strip()


def main(arguments: list[str]) -> int:
    """Write the icons from the package that is named; 0 where it went well."""
    package = Path(arguments[0])
    icons = {
        name: {"words": words, "path": outline(package / "icons" / f"{name}.svg")}
        for name, words in sorted(WORDS.items())
    }
    text = json.dumps(icons, indent=1, ensure_ascii=False)
    (TARGET / "lucide.json").write_text(f"{text}\n", encoding="utf-8")
    shutil.copy(package / "LICENSE", TARGET / "LICENSE-lucide.txt")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
