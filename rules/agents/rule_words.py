"""Words of grown rules that ask what rules of the library ask (hanabi/language/mark_words.py)."""

from hanabi.authoring import NOTHING, View, compiled, slot_of
from hanabi.language.primitive_register import primitive
from hanabi.rules import convention_play, pair_rules

_finesse, _pair = compiled(convention_play.answer_finesse), compiled(pair_rules.answer_pair)


@primitive("answer", makes="places", words="my answer to a finesse that passes over me")
def finesse_answer(view: View) -> int:
    """Return the slot that the rule ``answer_finesse`` plays."""
    move = _finesse(view)
    return 1 << slot_of(move) if move != NOTHING else 0


@primitive("pair_answer", makes="places", words="my answer to a pair that passes over me")
def pair_answer(view: View) -> int:
    """Return the slot that the rule ``answer_pair`` plays."""
    move = _pair(view)
    return 1 << slot_of(move) if move != NOTHING else 0


@primitive("mistaken", makes="slots", words="misread by its holder")
def mistaken_slots(view: View, seat: int) -> int:
    """Return the slots of a partner whose card is not of the types that it is assumed to be."""
    return convention_play.mistaken(view, seat, 1) if seat != view.me else 0
