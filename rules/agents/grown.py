"""The family ``grown`` of rules, whose entries are expressions: ``grown.play_newest(told_alone)``.

It is an ordinary family with six values: the machine form of the expression. It is not beside the
other rules, since those are imported at every start.
"""

from collections.abc import Callable, Sequence

from hanabi.language.expressions import of_program, places_by_hand, read
from hanabi.language.interpreter import make_player
from hanabi.language.register import Primitive
from hanabi.rulebook import BOOK, FAMILIES, SETS, Family, Rule, find, make_family

NAME = "grown"
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


class Growing:
    """How the entries of the family read and are shown."""

    def read(self, text: str) -> tuple[int, ...]:
        """Return the values of an expression; ValueError, one line, where it is none."""
        return read(text).program()

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
    return [find(f"{NAME}.{around.format(word)}") for around in AROUND[one.makes]]


def _enter() -> Family:
    programs = [read(text).program() for text in EXAMPLES]
    grid = dict(zip("abcdef", ((word,) for word in programs[0])))
    family = make_family("rule", NAME, make_player(), grid, {}, FAMILIES)
    family.grammar = Growing()
    entries = {entry.name: entry for entry in (Rule(family, words) for words in programs)}
    BOOK.update(entries)
    SETS[NAME] = list(entries)
    return family


_enter()
