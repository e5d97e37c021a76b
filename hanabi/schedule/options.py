"""The moves that may make sense late in a game, and what the schedule makes of each.

All are tried in the same worlds, so that luck with the cards favours none of them.
"""

from hanabi.backend import compiled, copy_record
from hanabi.conventions.hint_evaluation import NOT_ALL_TRUE, best_hint
from hanabi.conventions.marks import GIVE, apply_hooks
from hanabi.conventions.own_hand import own_types
from hanabi.moves import DISCARD, SLOTS, discard, is_play, is_tell, play, slot_of
from hanabi.schedule.turns import (
    Schedule,
    deal_unseen,
    discard_card,
    play_card,
    play_out,
    write_position,
)
from hanabi.state import View
from hanabi.view import critical, may_discard, partner_types, seat_after

NO_HINT = -1
TIE = 0.003  # points for a unit of a hint's value by the weights: decides between equal hints
UNTRUE = 0.1  # points against a hint that is not all true
LATER = 0.001  # points against a discard: with equal points a play or a hint goes first
RISK, FORCED_RISK = 1.0, 0.3  # points against a play that may not fit; where no discard is legal


@compiled
def list_options(view: View) -> None:
    """Fill ``view.options`` with the moves that may make sense.

    They are plays of cards that may fit (with the last life: that surely fit by promises), discards
    of cards that may be lost, and hints without a false play that one turn answers.
    """
    view.option_count = 0
    for slot in range(SLOTS):
        types = own_types(view, slot)
        doubtful = view.own_promised[slot] & ~view.playable != 0
        if types & view.playable and (view.lives > 1 or not doubtful):
            _add_option(view, play(slot), NO_HINT)
        if may_discard(view) and types & ~critical(view):
            _add_option(view, discard(slot), NO_HINT)
    best_hint(view, -1, 0, NOT_ALL_TRUE)  # weighs all of them
    for place in range(view.hint_count):
        if view.hints[place].honest >= NOT_ALL_TRUE and view.hints[place].lasting == 0:
            _add_option(view, view.hints[place].move, place)


@compiled
def _add_option(view, move, hint):
    """Add a move to the options."""
    option = view.options[view.option_count]
    option.move, option.hint, option.points, option.value = move, hint, 0.0, 0.0
    view.option_count += 1


@compiled
def value_options(view: View, listed: int, worlds: int, schedule: Schedule) -> None:
    """Try every option in some worlds and fill in its points and its value.

    Args:
        view: The view, with its options listed.
        listed: The move that is made otherwise: a risk is none of its options' own.
        worlds: How many worlds.
        schedule: How the seats play on.
    """
    write_position(view)
    for _ in range(worlds):
        deal_unseen(view)
        for place in range(view.option_count):
            copy_record(view.dealt, view.world)
            _make_move(view, view.options[place])
            score = play_out(view.world, view, seat_after(view, 1), schedule)
            view.options[place].points += score / worlds
    for place in range(view.option_count):
        option = view.options[place]
        option.value = option.points + _credit(view, option, listed)


@compiled
def _make_move(view, option):
    """Make the move of an option in ``view.world``."""
    world = view.world
    last = world.left
    if is_tell(option.move):
        _give_hint(view, option.hint)
    elif is_play(option.move):
        play_card(world, view, view.me, slot_of(option.move))
    else:
        discard_card(world, view, view.me, slot_of(option.move))
    if last > 0:
        world.left = last - 1


@compiled
def _credit(view, option, listed):
    """Return what counts for and against the move of an option besides its points."""
    if is_tell(option.move):
        hint = view.hints[option.hint]
        return TIE * hint.value - (UNTRUE if hint.honest == NOT_ALL_TRUE else 0.0)
    if option.move >= DISCARD:
        return -LATER
    if option.move == listed or own_types(view, slot_of(option.move)) & ~view.playable == 0:
        return 0.0
    return -RISK if may_discard(view) else -FORCED_RISK


@compiled
def _give_hint(view, place):
    """Give a hint in ``view.world``: what its receiver and others then take their cards for."""
    world, target, reading = view.world, view.hints[place].seat, view.readings[1 + place]
    seen = partner_types(view, target)
    world.tokens -= 1
    world.touched[target] |= reading.slots
    for slot in range(SLOTS):
        world.types[target, slot] = reading.assumed[slot] & seen
    if reading.order_seat >= 0:
        ordered = world.types[reading.order_seat, reading.order_slot] & view.playable
        world.types[reading.order_seat, reading.order_slot] = (
            ordered if ordered != 0 else view.playable
        )
    apply_hooks(view, GIVE, 2 << place)


@compiled
def option_of(view: View, move: int) -> int:
    """Return the place of a move in the options, -1 where it is none of them."""
    for place in range(view.option_count):
        if view.options[place].move == move:
            return place
    return -1


@compiled
def best_option(view: View) -> int:
    """Return the place of the option of the highest value, of equal ones the first; -1 of none."""
    best = -1
    for place in range(view.option_count):
        if best < 0 or view.options[place].value > view.options[best].value:
            best = place
    return best
