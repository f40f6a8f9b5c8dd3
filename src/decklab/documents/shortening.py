"""Sentences of a document shortened by rule, and how well each stands by itself.

A point keeps the words of its sentence in their order; what may go are citations, asides, leading
connectives and trailing clauses, but never a number. No sentence is refused: one that needs its
neighbours, or looks like code, stands less well. The rules for words know English; those for marks
and lengths hold for all languages.
"""

import re
from typing import Final

from decklab.documents.preformatted import plain_share
from decklab.documents.sentences import text_width, word_count

_LEAST_WORDS = 4
_MOST_WORDS = 44
"""Of a point at most; a longer sentence ends at its last clause before that. Ours."""
_LONG = 130
"""Characters from which a trailing clause without a number goes. Ours."""
_LEAST_REST = 45
FRAGMENT: Final = 0.25
"""How well code, what is cut or only a word or two, and what speaks of another part of its
document, stands by itself. Ours."""
_OF_OTHERS: Final = 0.1
"""The same of what only says what a part of the document holds. Ours."""
_BRIEF: Final = 12
"""Words of a sentence that may leave out its object. Ours."""
_WEAK, _FAIR = 0.35, 0.7
"""The same of a sentence that needs others, and of one without a verb. Ours."""


def _one_of(words: str) -> str:
    """A pattern for one of some words or phrases, which stand between commas or on lines."""
    phrases = [" ".join(phrase.split()) for phrase in re.split(r"[,\n]", words)]
    return "(?:" + "|".join(re.escape(phrase) for phrase in phrases if phrase) + ")"


_CONNECTIVES = _one_of("""
    however, therefore, moreover, furthermore, additionally, consequently, thus, finally, hence,
    in addition, in particular, in general, for example, for instance, in contrast, as a result
    in summary, in short, of course, in fact, indeed, overall, similarly, more precisely, note that
    in this section, in this chapter, in this paper, in this case, in this way, nevertheless
    on the other hand, on the one hand, lastly, firstly, secondly, thirdly, coincidentally
    fortunately, unfortunately, interestingly, conceptually, with this in mind, clearly, obviously
    to this end, naturally, typically, usually, importantly, as intended, specifically
    allerdings, jedoch, außerdem, daher, dabei, zudem, ferner
    en outre, de plus, par ailleurs, toutefois, cependant, en effet, además, sin embargo, asimismo
""")
_NEED_NEIGHBOURS = _one_of("""
    these, that, those, it, its, they, their, them, he, she, such, here, the latter, the former
    the above, the following, the same, the other, the second, the third, the next, the last
    the first two, the first of, as shown, as seen, as mentioned, as described, as above, as noted
    as before, as with, see, note, let, figure, fig, table, equation, eq, recall, consider, suppose
    now, then, again, so, both, another, other, others, also, but, and, or, yet, one such, one of
    in the above, in the following, in the previous, in the same, in the next, below, above, next
    first, second, third, likewise, instead, otherwise, alternatively, because, since, while
    whereas, where, which, we now, we then, we next, we will, we can now, we first, we also, we see
    we note, we start, we begin, we use, if this, if these, if it, to do this, to do so, to see this
    the output, the panel, the panels, the plot, the plots, the figure, the code, the call
    the command, the example, the result is, the result of, the resulting, the first statement
    the first argument, the first parameter, the first line, the first element, the first example
    the first states, the second states, having, we are thrilled, as a final, at time, if everything
    specifically, to illustrate, line, lines, all others, all following, the lines, the remaining
    in that case, in such a case, in these cases
    in this, on this, at this, for this, of this, with this
    as a first, our first, our second, our third, we thank, we appreciate, we are grateful
    we would like, thanks, details of, the details, the exact details, one more, there is one
    say, assume, following, to begin, to start, in order to, if you, for more, for a more
    for details, please
    das, dies, diese, dieser, dieses, es, sie, er, dort, hier, dann, auch, aber, und
""")
_NEED_MORE = _one_of("""
    a, an, the, of, to, in, on, at, by, for, from, with, as, and, or, but, nor, than, that, which
    who, whose, when, where, if, is, are, was, were, be, has, have, we, they, its, their, i.e
    e.g, et al, form, via, between, into, over, der, die, das, den, und, oder, von, mit, zu, für
    ist, sind, this, these, those, more, following, then, namely
    found, yield, yields, just, only, even, not, very, including, because, while, although, without
    bis, um, auf, für, nur, nicht, sehr, weil, de, du, des, par, pour, avec, et, sur, dans, en, y
    el, los, las, con, para, por, sin, una, un, que
""")
_WORKS = _one_of("report, paper, document, vignette, article, package, guide, book, study, manual")
_NUMBERED = _one_of("""
    figure, figures, fig, figs, fig., figs., table, tables, tab., section, sections, chapter
    chapters, equation, equations, eq, eq., eqs., appendix, page, pages, abbildung, tabelle
    abschnitt, kapitel
""")
_POINTERS = _one_of("""
    see also, see section, given in, beyond the scope
    are described, is described, are discussed, is discussed, is explained, are explained
    this manuscript, this document, of this manual, further details, more details
    we thank, helpful comments, excellent comments, the reader, the previous book
""")
_POINTS_AWAY = _one_of("""
    as follows, the following, described in, discussed in, mentioned in, listed in, discussed above
    the above, described above, shown above, mentioned above, illustrated in, discussion below
    below we, this section, this chapter, in what follows, preceding sections, the preceding
    the next section, the previous section, the next chapter, the example above, of the example
    the example shows, in the example, the final line, the first line, the line, lines
    the plot, the output shows, the listing, in our example, in this example
    shown below, described below, listed below, given below
    in diesem abschnitt, in diesem kapitel, siehe oben, siehe unten, wie folgt
""")
_ROADMAP = re.compile(
    r"(?:the (?:rest|remainder) of )?(?:this|each) (?:section|chapter|appendix|page|part)\b"
    r"|(?:section|chapter|appendix) [\dA-Z]\b|the (?:rest|remainder) of (?:this|the)\b"
    r"|.{0,90}\b(?:(?:has been|was) published (?:as|in)|modified version of|is a companion)\b"
    r"|.{0,40}\bwe (?:briefly|only) (?:outline|sketch|provide|describe|discuss|review)\b"
    r"|.{3,50}\b(?:describes|explains|discusses|documents) "
    r"(?:how to|the (?:use|usage|steps|programming))\b"
    r"|.{0,80}\b(?:is|are) (?:described|discussed|explained|covered|presented|listed|given|deferred"
    r"|organi[sz]ed|structured|documented)\b.{0,40}\b(?:sections?|chapters?|below|above|appendix"
    r"|manual|elsewhere)\b",
    re.IGNORECASE,
)
"""A sentence that says what another part of the document holds."""
_RELATIVES = _one_of("""
    which, where, whereas, although, though, while, so that, such as, e.g., i.e., wobei, welche
    welcher, welches, sodass
""")
_MARKER = re.compile(r"^(?:[^\w\s\"'“(§$€£]\s+|\(?(?:\d{1,2}|[a-z])[.)]\s+)+")
_FUNCTION_WORD = re.compile(
    r"\b(?:[a-zà-ÿ]{1,3}|with|from|were|have|been|than|that|will|The|An?|Der|Die|Das|Les?|La|El|Los|Las|Il)\b"
)
_STOPS = re.compile(
    r"\b(?:an?|the|of|and|or|but|nor|than|which|whose|via|between|into|with|from|as|is|are|was|were|be|"
    r"just|example|including|follows|namely|der|die|das|und|oder|von|mit|ist|sind)\Z",
    re.IGNORECASE,
)
"""Words with which no sentence ends that is whole."""
_MARKS = re.compile(r"[,;:.!?%$€£]")
_OPEN_END = re.compile(rf"\b{_NEED_MORE}\Z", re.IGNORECASE)
_CITATION = re.compile(
    r"\s*(?:\((?:[^()]*\b(?:1[89]|20)\d\d[a-z]?\b|e\.g\.|i\.e\.|see |cf)[^()]*\)"
    r"|\[\d+(?:\s?[,–-]\s?\d+)*\]|\[[A-ZÀ-Þ][^\[\]]*\b(?:1[89]|20)\d\d[a-z]?\])",
    re.IGNORECASE,
)
_RECORD = re.compile(r"\s*\((?:merge|commit|cherry picked)\b[^()]*\)", re.IGNORECASE)
_STATES = _one_of("closed, open, done, new, draft, resolved, cancelled, withdrawn, erledigt, neu")
_ASIDE = re.compile(rf"\s+\((?!{_STATES}\))[^()\d]{{2,80}}\)", re.IGNORECASE)
_REFERENCE_ASIDE = re.compile(rf"\s*\((?:also |see |cf\.? )*{_NUMBERED}\b[^()]*\)", re.IGNORECASE)
_LEAD = re.compile(
    rf"(?:{_CONNECTIVES}\s*,|however|therefore|thus|hence|note that"
    r"|(?:(?:using|from) [^,]{3,60}, )?it (?:is (?:obvious|clear|evident)|can be seen) that"
    r"|the (?:figure|histogram|plot|graph|chart|picture|map) (?:clearly )?"
    r"(?:shows?|illustrates?|indicates?|reveals?|suggests?) that)\s+",
    re.IGNORECASE,
)
_DANGLING = re.compile(rf"(?:this (?!{_WORKS}\b)|{_NEED_NEIGHBOURS}\b)", re.IGNORECASE)
_REFERENCE = re.compile(
    rf", see\b|\b(?:{_NUMBERED}\s*\(?(?:[A-Z]\.?)?\d|{_POINTERS}\b)", re.IGNORECASE
)
_AWAY = re.compile(
    rf"\b(?:{_POINTS_AWAY}\b|(?:sections?|chapters?|equations?|appendix|abschnitt|kapitel)\s+[A-Z]?\d)",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"\b(?:in|from|see|of|by) (?:the (?:\w+ )?(?:row|panel|part|half|column)s? (?:of|in) )?"
    r"(?:figures?|figs?\.?|tables?|abbildung|tabelle)\s+(?:\d|(?-i:[A-Z])\b)"
    r"|\A(?:the )?(?:figures?|tables?)\s+(?:\d|(?-i:[A-Z])\b)",
    re.IGNORECASE,
)
"""A sentence about what a figure or table shows, which is understood beside that only."""
_OPTION = (
    r"(?:options?|proposals?|möglichkeit(?:en)?|variante[ns]?|opci[oó]n|alternative[ns]?)"
    r"\s+(?:\d+|(?-i:[A-D]))\b"
)
_BY_NUMBER = re.compile(
    rf"\b(?:recommendations?|empfehlung(?:en)?)\s+\d+\b(?!\s*[(:])|(?<!\A)\b{_OPTION}(?!\s*[(:])",
    re.IGNORECASE,
)
_OPTION_TOLD = re.compile(_OPTION, re.IGNORECASE)
_FORMULA = re.compile(
    r"[{}|\\~^∑∏∫√∂∈∀⋆⊤∼]|−→|\w\([A-Z]\w?[,)]"
    r"|\b(?:with|by|in|from|to|and|integrals|both) \(\d{1,2}\)"
    r"|\b[A-Z][a-z]{1,3}=\d|(?:\b[A-Z]{1,2}(?:j[ik]?|ij)\d?\b.*){2}|\[\w{0,2},|\[\w+,(?!\s)|%%|[ˆ˜¯]|<[-/!\w]+>|[<-]-\s*\w+\s*[(\[]|^\d[A-Z]|(?<!\S)\$(?![\s\d.,])"
    r"|[α-ωΑ-Ω].*[=<>≤≥+]|[=<>≤≥+].*[α-ωΑ-Ω]|\b\w{1,3}\([^\W\d]\)|\b[a-z] [−+*/=] \w\b"
    r"|(?:(?<!\S)\(?[\d.,]*\d\)?[\s;]+){3}|^\w*[a-z][A-Z]\w* [A-Z][a-z]"
)
"""Formulas, markup, rows of numbers and what is left of them; sums of money, shares and
comparisons of numbers are none, nor are names from programs in a sentence."""
_PLAIN_SHARE = 0.6
"""Of the words of a sentence, as prose has them; the others are names from programs, numbers and
signs. Ours."""
_AUTHORS = re.compile(
    r"[A-ZÀ-Þ][\w'’-]+(?:,? (?:and|und|et al\.?|&|[A-ZÀ-Þ][\w'’-]+))*"
    r"(?: et al\.?| and [A-Z][\w'’-]+)"
)
"""Names of authors, which is what is left of a sentence that a formula tore."""
_TWICE = re.compile(r"\b(\w+ \w{2,}) \1\b", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"(?:although|though|while|if|when|whenever|because|since|unless|until|once|wenn|weil|obwohl)\b"
    r"[^,]*\Z",
    re.IGNORECASE,
)
"""A clause that waits for its main clause."""
_ENGLISH = re.compile(r"\b(?:the|of|and)\b")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|could|will|would|may|might|must|shall|should|do"
    r"|does|did|cannot|fell|rose|grew|cost|became|began|ran|took|made|paid|went|came|left|gave|got"
    r"|kept|let|put|set|said|saw|sold|built|brought|bought|lost|won|met|held|led|spent|sent|stood"
    r"|told|thought|found|felt|hit|cut|broke|chose|drew|drove|wrote|read|knew|need|want|use|show"
    r"|include|make|take|give|provide|allow|require|depend|contain|\w{2,}(?:ed|[^s]s|en|n't))\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:this|these|those|such|ones|here|we|our|us|my|just|simply|now|again|also|however"
    r"|for instance|for example|say|respectively|there (?:is|are))\b|\bi\.e\.|\be\.g\.",
    re.IGNORECASE,
)
_LEANS_BACK = re.compile(
    r"(?:if (?:not|so)\b|(?:at|on|in) (?:any|all) other |"
    r"this(?! (?:report|paper|document|article|guide|book|study|manual|faq|list)\b)|that|these|"
    r"those|it|its|they|their|them|he|she|his|her|such|neither|here|then|otherwise|instead|so|"
    r"thus|also|but|and|or|however|therefore|hence|another|alternatively|in (?:that|this|such|"
    r"these|those|contrast|addition)|for (?:example|instance|this|that)|as a result|nevertheless|"
    r"(?-i:where|which|whose)|of (?:these|those|them|this)|we (?:learned|did|also|now|then)|"
    r"with (?:this|that|these|them)|"
    r"dies\w*|jene\w*|er|sie|es|ihr\w*|sein\w*|dabei|dazu|davon|dafür|damit|dadurch|sonst|dort|"
    r"hier|auch|aber|und|oder|ce\w*|il|elle|ils|elles|leur\w*|ainsi|mais|et|ou|est[aeo]s?|"
    r"es[ao]s?|ellos?|ellas?|su|sus|así|pero|y|o)\b|其|该|这|那|它|他|她|但|而|并|同时",
    re.IGNORECASE,
)
_ONE_OF_THEM = re.compile(
    r"\bthe (?:first|second|third|fourth|last|latter|former|other) (?:options?|ones?|cases?|ways?|"
    r"forms?|sets?|kinds?|two|three)\b",
    re.IGNORECASE,
)
_MAY_LEAN_BACK = re.compile(
    r"(?:the|both|either|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|some|"
    r"several|many|there|others?|all|most|none|der|die|das|beide\w*|drei|zwei|vier|fünf|"
    r"le|la|les|el|los|las)\b",
    re.IGNORECASE,
)
_WITHOUT_OBJECT = re.compile(
    r"\b(?:knew|know|noticed|agreed|objected|understood|realised|realized|said so|thought so)\W*\Z"
    r"|\bthat (?:was|is|were|had been) (?:true|so|right|wrong|enough|not|the case|why|how|all)\b"
    r"|\b(?:did|do|does|was|were) (?:so|not)\W*\Z",
    re.IGNORECASE,
)
"""Sentences whose object is in the one before: what was true, what nobody knew."""
_FOUND_THERE = re.compile(
    rf"\b{_NUMBERED} \S+ (?:shows?|indicates?|suggests?|reveals?|demonstrates?|confirms?) "
    r"(?:that|hardly|no|little|clear|only|a (?:clear|strong|weak))\b",
    re.IGNORECASE,
)
"""The contents of a table or figure, which is understood without that."""
_OF_THEM = re.compile(
    r"\b(?:of (?:them|these|those)|them|they|this|these|those|that (?:date|day|time|case|one)|"
    r"the (?:latter|former|others?|remaining|second|third|proposal|last case)|davon|von ihnen|"
    r"beides|ihn|ihm|ihnen)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(rf"(?:,\s{_RELATIVES}(?!\w)|\s[–—]\s|:\s).*\Z", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\w,\s(?:is|are|was|were|has|have|had|can|could|will|would|may|might|must|should|do|does|did)\b"
)
"""The verb of the main clause after a clause inside it, which cannot be cut with what follows."""
_CLAUSE_END = re.compile(r"[,;:，；：](?=\s|[\u3000-\u9fff])|\s[–—]\s|\s\((?=\w)")
_FULL_STOPS = (".", "!", "。")
_END = re.compile(r"\s*(?<!\b[a-z]\.[a-z])[.;:,。；：，]+\Z")


def point_text(sentence: str) -> str:
    """A sentence as a point without its full stop; empty where it has no letter.

    >>> point_text("However, the mean cost fell by 12% (Smith 2019), which surprised everyone.")
    'The mean cost fell by 12%, which surprised everyone'
    >>> point_text("mm = Minute")
    'mm = Minute'
    >>> point_text("(see Table 2)")
    ''
    """
    bare = bare_sentence(sentence)
    text = _within(_shorter(bare or " ".join(sentence.split())))
    if not any(map(str.isalpha, text)) or _REFERENCE_ASIDE.fullmatch(f" {text}"):
        return ""
    first, *after = text.split()
    if first.replace("-", "").isalpha() and first.islower() and after[:1] != ["="]:
        return text[0].upper() + text[1:]
    return text


def standing(sentence: str, *, item: bool = False) -> float:
    """How well a sentence can be understood by itself: 1 for well, .25 for code or a fragment.

    >>> standing("The crane cost $4.2 million."), standing("This is shown in Figure 3.")
    (1.0, 0.35)
    """
    text = bare_sentence(sentence)
    if _ROADMAP.match(text):
        return _OF_OTHERS
    if not text or _few_letters(text) or is_formula(text) or points_away(text):
        return FRAGMENT
    if _is_cut(text, ended=sentence.rstrip().endswith(_FULL_STOPS)):
        return FRAGMENT
    if text.endswith(("?", "？", "؟")) or _is_names(text) or _TWICE.search(text):
        return _WEAK
    if _FOUND_THERE.search(text):
        return _FAIR
    if _REFERENCE.search(text) or _SUBORDINATE.match(text):
        return _WEAK
    if item:
        return 1.0
    if word_count(text) < _LEAST_WORDS - 1:
        return FRAGMENT
    if _DANGLING.match(text) or not _is_sentence(text):
        return _WEAK
    if word_count(text) < _LEAST_WORDS or lacks_verb(text) or leans(text):
        return _FAIR
    return 1.0


def points_away(text: str) -> bool:
    """Whether a text names another part of its document, or an option by its number alone.

    >>> points_away("The final line of the example does the same"), points_away("Take option 3")
    (True, True)
    >>> points_away("Costs stayed below the budget"), points_away("Option 3: charge at night")
    (False, False)
    """
    away = _AWAY.search(text) or _ROADMAP.match(text)
    return away is not None or by_number(text)


def is_of_visual(text: str) -> bool:
    """Whether a text says what a figure or table shows, so that it is understood beside that only.

    >>> is_of_visual("The rates are given in Table 3"), is_of_visual("Costs fell (Figure 2)")
    (True, False)
    """
    return _SHOWN.search(bare_sentence(text)) is not None


def by_number(text: str) -> bool:
    """Whether a text names an option or recommendation by its number alone.

    >>> by_number("We recommend option 3"), by_number("Option 3: charge at night")
    (True, False)
    """
    return _BY_NUMBER.search(text) is not None


def tells_option(text: str) -> bool:
    """Whether a text says what an option with a number or letter is.

    >>> tells_option("Option A keeps the calendar"), tells_option("We prefer option A")
    (True, False)
    """
    return _OPTION_TOLD.match(text) is not None


def is_fragment(sentence: str) -> bool:
    """Whether a sentence is code, cut, or a row of words without a verb or a little word between.

    >>> is_fragment("Subject Length Share 2024"), is_fragment("Costs fell by 12%")
    (True, False)
    """
    text = bare_sentence(sentence) or " ".join(sentence.split())
    if is_formula(text) or _STOPS.search(text) or _few_letters(text):
        return True
    wide = text_width(text) > len(text)
    row = len(text.split()) > 3 and _MARKS.search(sentence) is None
    return _AUTHORS.fullmatch(text) is not None or (row and not wide and _is_heads(text))


def is_formula(text: str) -> bool:
    """Whether a text is a formula, a command or a row of numbers, or has too few plain words.

    >>> is_formula("fit <- lm(y ~ x)"), is_formula("The function glm() fits models")
    (True, False)
    """
    wide = text_width(text) > len(text)
    few = not wide and len(text.split()) > 2 and plain_share(text) < _PLAIN_SHARE
    return few or _FORMULA.search(text) is not None


def leans_back(sentence: str, *, opens: bool = False) -> bool:
    """Whether a sentence leans on the one before: it begins with a pronoun, a connective or a
    bracket, names the second of several things, and,
    unless it ``opens`` its paragraph, with a definite article or a count, or speaks of "them".

    >>> leans_back("The rate is 14 per million hours."), leans_back("Sales fell by 12%.")
    (True, False)
    >>> leans_back("The rate is 14 per million hours.", opens=True)
    False
    """
    text = " ".join(sentence.split())
    if text.startswith("(") or _LEANS_BACK.match(text) or _ONE_OF_THEM.search(text):
        return True
    if len(text.split()) <= _BRIEF and _WITHOUT_OBJECT.search(text):
        return True
    return not opens and bool(_MAY_LEAN_BACK.match(text) or _OF_THEM.search(text))


def _is_heads(text: str) -> bool:
    """Whether a text is a row of column heads: capital words or numbers, none of them a verb."""
    words = [word for word in text.split() if word[0].isalnum()]
    capital = sum(word[0].isupper() or word[0].isdigit() for word in words)
    return capital > len(words) / 2 and _VERB.search(text) is None


def stands_alone(text: str, *, item: bool = False) -> bool:
    """Whether a sentence from ``bare_sentence`` needs no neighbours and is no question and no code.

    ``item`` is for an item of a list, which need not be a sentence.

    >>> stands_alone("The crane cost 4.2 million euros"), stands_alone("It cost more than that")
    (True, False)
    """
    if (
        not text
        or text[0] == "("
        or text.endswith(("?", "？", "؟"))
        or is_formula(text)
        or _REFERENCE.search(text)
        or points_away(text)
    ):
        return False
    if _is_names(text) or _TWICE.search(text) or _SUBORDINATE.match(text):
        return False
    return item or not (_DANGLING.match(text) or not _is_sentence(text) or lacks_verb(text))


def lacks_verb(text: str) -> bool:
    """Whether an English text has no word that can be a verb, by its ending."""
    return _ENGLISH.search(text) is not None and _VERB.search(text) is None


def ends_open(text: str) -> bool:
    """Whether a text ends with a word that needs another, or with a colon, comma or dots.

    >>> ends_open("Write packages that do not break just"), ends_open("Costs fell by 12%")
    (True, False)
    """
    return _OPEN_END.search(text) is not None or text.endswith((":", "：", ",", "…"))


def leans(text: str) -> bool:
    """Whether a point leans on its neighbours or speaks of its authors, as far as words show it.

    >>> leans("We use these models again"), leans("Models of this kind grow")
    (True, True)
    >>> leans("The harbour earned 61 million euros")
    False
    """
    return _LEANS.search(text) is not None


def bare_sentence(sentence: str) -> str:
    """A sentence without citations, asides, leading connectives and its full stop; empty if a
    bracket is not closed."""
    text = _MARKER.sub("", " ".join(sentence.split()))
    text = _REFERENCE_ASIDE.sub("", _CITATION.sub("", _RECORD.sub("", text)))
    text = _ASIDE.sub("", text)
    lead = _LEAD.match(text)
    if lead:
        rest = text[lead.end() :]
        begins = rest.split(maxsplit=1)[0].isalpha() if rest.strip() else False
        text = rest[:1].upper() + rest[1:] if begins else rest
    text = re.sub(r"\s+([.,;:])(?=\s|\Z)", r"\1", text)
    return "" if text.count("(") != text.count(")") else _END.sub("", text)


def _is_sentence(text: str) -> bool:
    """Whether a text begins like a sentence and has a short word in small letters, as sentences of
    alphabetic languages do, and labels of a drawing do not."""
    if sum(not character.isascii() for character in text) > len(text) / 2:
        return True
    first = text[0]
    starts = first.isupper() or first.isdigit() or not first.isascii()
    return starts and _FUNCTION_WORD.search(text) is not None


def _is_names(text: str) -> bool:
    """Whether a text is a row of names, such as of authors or places."""
    words = text.split()
    return len(words) > 3 and sum(word[0].isupper() for word in words) > 0.6 * len(words)


def _shorter(text: str) -> str:
    """Without the last clause, as long as the text is long, the clause has no number, and what is
    left can stand alone."""
    while len(text) > _LONG:
        cut = _TAIL.search(text)
        if cut is None or cut.start() < _LEAST_REST or _GOES_ON.search(cut.group()):
            break
        if any(map(str.isdigit, cut.group())) or cut.group().startswith(":"):
            break
        text = text[: cut.start()].rstrip(" ,;:")
    return text


def _within(text: str) -> str:
    """A text of at most as many words as a point has, cut at the end of a clause or word."""
    if word_count(text) <= _MOST_WORDS:
        return text
    ends = [found.start() for found in _CLAUSE_END.finditer(text)]
    fitting = [
        end for end in ends
        if word_count(text[:end]) <= _MOST_WORDS and text[:end].count("(") == text[:end].count(")")
    ]  # fmt: skip
    if fitting and word_count(text[: fitting[-1]]) >= _MOST_WORDS // 3:
        return text[: fitting[-1]]
    head = text.split()[:_MOST_WORDS]
    return f"{' '.join(head)} …" if len(head) > 1 else f"{text[: 2 * _MOST_WORDS]} …"


def _is_cut(text: str, *, ended: bool) -> bool:
    """Whether a text goes on somewhere else: a bracket or quotation is open, or it ends with a word
    that needs another, of which some can end a sentence that is ``ended`` by a full stop."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"), ("„", "“"))
    if text.count("«") != text.count("»"):
        return True
    opened = any(text.count(left) > text.count(right) for left, right in pairs)
    end = _STOPS if ended else _OPEN_END
    return opened or text.count('"') % 2 == 1 or end.search(text) is not None


def _few_letters(text: str) -> bool:
    """Whether a text is mostly figures and marks; a letter of East Asia counts as two."""
    spaces = sum(map(str.isspace, text))
    letters = "".join(filter(str.isalpha, text))
    unspaced = text_width(letters) > len(letters)
    return text_width(letters) + spaces < (0.5 if unspaced else 0.6) * text_width(text)
