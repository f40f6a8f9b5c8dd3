"""The sentences in which tables are claimed to say something, by language."""

from typing import Final, NamedTuple


class ClaimWords(NamedTuple):
    """Titles of one language, with the names of their blanks in braces."""

    rose: str
    fell: str
    rose_from: str
    fell_from: str
    same: str
    share: str
    times: str
    lowest: str
    highest: str
    peak: str
    range: str
    above: str
    below: str
    highest_time: str
    lowest_time: str
    spent: str
    over: str
    under: str
    total: str


CLAIM_WORDS: Final = {
    "en": ClaimWords(
        "{name} rose {change} from {first} to {last}",
        "{name} fell {change} from {first} to {last}",
        "{name} rose from {before} to {after} ({first} to {last})",
        "{name} fell from {before} to {after} ({first} to {last})",
        "{name} {verb} {after} in {last}, as in {first}",
        "{label} {has} {share} of the {lower} ({part} of {all})",
        "{name} {verb} highest for {label}: {text}, {times} times the next",
        "{name} {verb} lowest for {label}: {text}",
        "{name} {verb} highest for {label}: {text}",
        "{name} peaked at {text} ({label})",
        "{name} {verb} highest for {last} ({after}), lowest for {first} ({before})",
        "{name} {verb} {change} higher in {last} than in {first}",
        "{name} {verb} {change} lower in {last} than in {first}",
        "{name} {verb} highest in {label}: {text}",
        "{name} {verb} lowest in {label}: {text}",
        "{share} of the {plan} is spent ({part} of {all})",
        "{name} {verb} {share} above plan: {part} instead of {all}",
        "{name} {verb} {share} below plan: {part} instead of {all}",
        "Total {measure}",
    ),
    "de": ClaimWords(
        "{name}: Anstieg um {change} von {first} bis {last}",
        "{name}: Rückgang um {change} von {first} bis {last}",
        "{name}: Anstieg von {before} auf {after} ({first} bis {last})",
        "{name}: Rückgang von {before} auf {after} ({first} bis {last})",
        "{name}: {after} in {last} wie in {first}",
        "{name}: {share} entfallen auf {label} ({part} von {all})",
        "{name}: {label} hat den höchsten Wert ({text}), {times}-mal den nächsten",
        "{name}: {label} hat den niedrigsten Wert ({text})",
        "{name}: {label} hat den höchsten Wert ({text})",
        "{name}: Höchststand {text} ({label})",
        "{name}: von {before} ({first}) bis {after} ({last})",
        "{name}: {last} liegt {change} über {first}",
        "{name}: {last} liegt {change} unter {first}",
        "{name}: Höchststand {text} ({label})",
        "{name}: Tiefststand {text} ({label})",
        "{plan}: {share} sind ausgegeben ({part} von {all})",
        "{name}: {share} über dem Plan ({part} statt {all})",
        "{name}: {share} unter dem Plan ({part} statt {all})",
        "{measure} insgesamt",
    ),
    "fr": ClaimWords(
        "{name} : hausse de {change} de {first} à {last}",
        "{name} : baisse de {change} de {first} à {last}",
        "{name} : hausse de {before} à {after} (de {first} à {last})",
        "{name} : baisse de {before} à {after} (de {first} à {last})",
        "{name} : {after} en {last} comme en {first}",
        "{name} : {label} représente {share} ({part} sur {all})",
        "{name} : {label} a la valeur la plus élevée ({text}), {times} fois la suivante",
        "{name} : {label} a la valeur la plus basse ({text})",
        "{name} : {label} a la valeur la plus élevée ({text})",
        "{name} : maximum de {text} ({label})",
        "{name} : de {before} ({first}) à {after} ({last})",
        "{name} : {last} dépasse {first} de {change}",
        "{name} : {last} est inférieur de {change} à {first}",
        "{name} : maximum de {text} ({label})",
        "{name} : minimum de {text} ({label})",
        "{plan} : {share} dépensés ({part} sur {all})",
        "{name} : {share} au-dessus du plan ({part} au lieu de {all})",
        "{name} : {share} au-dessous du plan ({part} au lieu de {all})",
        "{measure} : total",
    ),
    "es": ClaimWords(
        "{name}: aumento del {change} de {first} a {last}",
        "{name}: descenso del {change} de {first} a {last}",
        "{name}: aumento de {before} a {after} (de {first} a {last})",
        "{name}: descenso de {before} a {after} (de {first} a {last})",
        "{name}: {after} en {last}, igual que en {first}",
        "{name}: {label} representa el {share} ({part} de {all})",
        "{name}: {label} tiene el valor más alto ({text}), {times} veces el siguiente",
        "{name}: {label} tiene el valor más bajo ({text})",
        "{name}: {label} tiene el valor más alto ({text})",
        "{name}: máximo de {text} ({label})",
        "{name}: de {before} ({first}) a {after} ({last})",
        "{name}: {last} supera a {first} en un {change}",
        "{name}: {last} está un {change} por debajo de {first}",
        "{name}: máximo de {text} ({label})",
        "{name}: mínimo de {text} ({label})",
        "{plan}: {share} gastado ({part} de {all})",
        "{name}: {share} por encima del plan ({part} en vez de {all})",
        "{name}: {share} por debajo del plan ({part} en vez de {all})",
        "{measure}: total",
    ),
}
"""By the first letters of a BCP 47 tag; tables of other languages claim nothing."""
