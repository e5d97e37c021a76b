"""What rules and conventions are written with: one import for each file of the library.

The names come from the modules of the game, its cards, moves and views; user-defined rules take
those of ``from hanabi import …``, and from here only ``compiled``, ``answer`` and ``ensure``.
"""

from functools import partial
from typing import Any

from hanabi.backend import compiled, copy_record, inlined, lowest, meets, popcount, singles
from hanabi.conventions.register import convention
from hanabi.game import (
    apply,
    below,
    cards_to_draw,
    event_card,
    event_fits,
    event_move,
    event_slots,
    is_legal,
    is_over,
    mix,
    told_cards,
    touched_by,
)
from hanabi.moves import (
    ALL,
    DISCARD,
    END,
    FEW,
    FORFEIT,
    NAMES,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONES,
    PLAY,
    SEATS,
    SLOTS,
    STRIDE,
    TELL_COLOUR,
    TELL_RANK,
    TYPES,
    card_text,
    colour_of,
    colour_set,
    copies_in,
    discard,
    highest,
    is_discard,
    is_play,
    is_tell,
    nth_of,
    only_colour,
    only_rank,
    play,
    rank_of,
    rank_set,
    set_text,
    slot_of,
    slots_within,
    target_of,
    tell_colour,
    tell_rank,
    told_colour_of,
    told_rank_of,
    types_in_brackets,
)
from hanabi.rulebook import rule
from hanabi.state import HISTORY, State, View, answer, ensure
from hanabi.view import (
    by_age,
    card_bit,
    chop,
    critical,
    critical_chance,
    critical_copies,
    holds,
    known,
    knows_colour,
    knows_rank,
    mask_after,
    may_discard,
    missing_colour_first,
    missing_rank_first,
    my_pool,
    my_slots_within,
    newest,
    oldest,
    open_after,
    partner_pool,
    partner_types,
    playable_chance,
    playable_copies,
    possible_copies,
    possible_types,
    random_below,
    seat_after,
    seat_before,
    slots_of,
    spare_turns,
    useless_chance,
    useless_copies,
)

__all__ = [
    "ALL",
    "DISCARD",
    "END",
    "FEW",
    "FORFEIT",
    "HISTORY",
    "NAMES",
    "NOTHING",
    "NO_CARD",
    "NO_SEAT",
    "ONES",
    "PLAY",
    "SEATS",
    "SLOTS",
    "STRIDE",
    "State",
    "TELL_COLOUR",
    "TELL_RANK",
    "TYPES",
    "View",
    "answer",
    "apply",
    "below",
    "by_age",
    "card_bit",
    "card_text",
    "cards_to_draw",
    "chop",
    "colour_of",
    "colour_set",
    "compiled",
    "convention",
    "copies_in",
    "copy_record",
    "critical",
    "critical_chance",
    "critical_copies",
    "discard",
    "discard_at",
    "discard_first",
    "ensure",
    "event_card",
    "event_fits",
    "event_move",
    "event_slots",
    "highest",
    "holds",
    "inlined",
    "is_discard",
    "is_legal",
    "is_over",
    "is_play",
    "is_tell",
    "known",
    "knows_colour",
    "knows_rank",
    "lowest",
    "mask_after",
    "may_discard",
    "meets",
    "missing_colour_first",
    "missing_rank_first",
    "mix",
    "my_pool",
    "my_slots_within",
    "newest",
    "nth_of",
    "oldest",
    "only_colour",
    "only_rank",
    "open_after",
    "partner_pool",
    "partner_types",
    "play",
    "play_at",
    "playable_chance",
    "playable_copies",
    "popcount",
    "possible_copies",
    "possible_types",
    "random_below",
    "rank_of",
    "rank_set",
    "rule",
    "rules_of",
    "seat_after",
    "seat_before",
    "set_text",
    "singles",
    "slot_of",
    "slots_of",
    "slots_within",
    "spare_turns",
    "target_of",
    "tell_colour",
    "tell_rank",
    "told_cards",
    "told_colour_of",
    "told_rank_of",
    "told_until",
    "touched_by",
    "types_in_brackets",
    "useless_chance",
    "useless_copies",
]


@compiled
def told_until(view: View) -> int:
    """Return the end of the steps to those whom I may tell something: 1 without a token."""
    return view.players if view.tokens > 0 else 1


@compiled
def play_at(slot: int) -> int:
    """Return the move that plays a slot, NOTHING for slot -1."""
    return play(slot) if slot >= 0 else NOTHING


@compiled
def discard_at(view: View, slot: int) -> int:
    """Return the move that discards a slot, NOTHING for slot -1 or with all tokens there."""
    return discard(slot) if slot >= 0 and may_discard(view) else NOTHING


@compiled
def discard_first(view: View, slots: int) -> int:
    """Return the move that discards the first of some slots, NOTHING if there is none."""
    return discard_at(view, lowest(slots) if slots else -1)


def rules_of(**common: Any) -> partial:
    """Return ``rule`` with some arguments filled in, for all rules of a file."""
    return partial(rule, **common)
