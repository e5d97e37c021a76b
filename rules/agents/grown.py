"""The family ``grown`` of rules, whose entries are expressions: ``grown.play_newest(told_alone)``.

It is an ordinary family with six values: the machine form of the expression. ``grown_marks`` also
has the words about marks, which say what hints mean by the conventions of the list. They are two
families as marks are kept, at much more time, only where a rule of the list can ask for them.
Neither is beside the other rules, since those are imported at every start.
"""

from collections.abc import Callable, Sequence

from hanabi.language.expressions import of_program, places_by_hand, read
from hanabi.language.interpreter import make_player
from hanabi.language.primitive_register import Primitive, words_of
from hanabi.rulebook import BOOK, FAMILIES, SETS, Rule, find, make_family

NAME, NAME_OF_MARKS = "grown", "grown_marks"
EXAMPLES = (  # the rules of piers that often decide, and two that evolution finds by itself
    "play_first(within(playable))",
    "play_likeliest(where(lives_2, likely_60))",
    "tell_first_missing_rank(holds(playable) but not (knows_colour and knows_rank))",
    "tell_first_missing_colour(where(not tokens_4, "
    "holds(dead) but not (knows_colour and knows_rank)))",
    "discard_first(within(useless))",
    "discard_oldest(mine)",
    "tell_first_missing_rank(hand_next)",
    "play_newest(told_alone)",
    "tell_last_clearer(newest_of(holds(critical and playable)))",
)
EXAMPLES_OF_MARKS = (  # a short list over the book of convention: 24.24 points with 3 players
    "play_oldest(answer)",
    "tell_that_critical(danger)",
    "tell_lax(danger)",
    "play_oldest(known_play)",
    "tell_to(chop)",
    "discard_marked_safest(mine)",
)


class Growing:
    """How the entries of a family read and are shown.

    Args:
        has_marks: Whether its words include those about marks.
    """

    def __init__(self, has_marks: bool) -> None:
        self.has_marks = has_marks

    @property
    def words(self) -> tuple[Primitive, ...]:
        """Return the words that expressions are made of."""
        return words_of(self.has_marks)

    def make_player(self) -> Callable:
        """Return the machine of all words that are registered now."""
        return make_player(self.has_marks)

    def read(self, text: str) -> tuple[int, ...]:
        """Return the values of an expression; ValueError, one line, where it is none."""
        return read(text, self.has_marks).program()

    def show(self, values: Sequence[float]) -> str:
        """Return the expression of some values."""
        return str(of_program(values))

    def sentence(self, values: Sequence[float]) -> str:
        """Return it in words."""
        return of_program(values).sentence

    def functions(self, values: Sequence[float]) -> list[Callable]:
        """Return the functions that ``source`` calls."""
        return [places_by_hand, *(one.primitive.function for one in of_program(values))]

    def source(self, values: Sequence[float], name_of: Callable[[Callable], str]) -> str:
        """Return it as a Python expression of a view."""
        return of_program(values).source(name_of)


SIMPLE = {"places": "anywhere", "types": "playable", "condition": "lives_2"}  # words of each kind
AROUND = {  # expressions with a word of each kind
    "places": ("play_newest({})", "discard_oldest({})", "tell_newest_rank({})"),
    "types": ("play_newest(within({}))", "tell_newest_rank(holds({}))"),
    "condition": ("discard_oldest(where({}, mine))", "tell_newest_rank(where({}, others))"),
    "move": ("{}",),
}


def examples_of(one: Primitive) -> list[Rule]:
    """Return rules that try a word out."""
    word = f"{one.name}({', '.join(SIMPLE[kind] for kind in one.takes)})" if one.takes else one.name
    name = NAME_OF_MARKS if one.of_marks else NAME
    return [find(f"{name}.{around.format(word)}") for around in AROUND[one.makes]]


def _enter(name: str, has_marks: bool, examples: Sequence[str]) -> None:
    programs = [read(text).program() for text in examples]
    grid = dict(zip("abcdef", ((word,) for word in programs[0])))
    growing = Growing(has_marks)
    family = make_family("rule", name, growing.make_player(), grid, {}, FAMILIES)
    family.grammar = growing
    entries = {entry.name: entry for entry in (Rule(family, words) for words in programs)}
    BOOK.update(entries)
    SETS[name] = list(entries)


_enter(NAME, False, EXAMPLES)
_enter(NAME_OF_MARKS, True, EXAMPLES_OF_MARKS)
