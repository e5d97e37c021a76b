"""The trial: a new user-defined rule or convention plays some games before its first real one.

At every table user-defined rules and conventions first play GAMES games of its variant and number
of players, compiled. At each turn every one is called with the extremes of its values in turn, and
checked as checked_call.py does it. What passes is remembered by a hash of its code, of this package
and of the variant, so that the next command pays nothing.

A bad index and a division by zero are faults in every game (backend/code_cache.py: USERS),
recursion is refused when a file is read. The trial finds what is left: writes to the view, illegal
moves, floats and bools for a move, loops without end. It cannot see them in positions that it never
reaches. `hanabi check` calls a rule in 260 more positions.
"""

import hashlib
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from weakref import WeakSet

import numpy as np

from hanabi.backend import CACHE
from hanabi.backend.code_cache import source_hash
from hanabi.checked_call import check_call
from hanabi.conventions.register import add_hooks, prepare_call, seat_players
from hanabi.game import apply, deal, event_fits, is_over, legal_moves
from hanabi.moves import FORFEIT, NOTHING, PLAY, SLOTS, TELL_COLOUR
from hanabi.player import ListPlayer, RuleFailedError
from hanabi.rule_dependencies import constants, has_loop, is_own, own_functions
from hanabi.rulebook import Family, Rule
from hanabi.state import State, View
from hanabi.variant import Variant

GAMES = 3  # games of a trial
SECONDS = 3.0  # CPU time of this thread after which the trial of slow rules ends
SETTINGS = 8  # extremes of a rule's values that are tried, at most
TABLES: WeakSet = WeakSet()  # tables with user-defined rules, for measure/watchdog.py
_passed: set[str] = set()  # keys of what passed in this process


def try_out(
    lists: Sequence[ListPlayer],
    records: tuple[State, View],
    plans: np.ndarray,
    variant: Variant,
) -> None:
    """Play the trial of the user-defined rules and conventions of some lists.

    Args:
        lists: The lists that sit at a table.
        records: State and view of the table, ready for a deal.
        plans: The plan of each list (register.make_plans).
        variant: The variant with its number of players.

    Raises:
        RuleFailedError: For the first fault.
    """
    entries = [
        entry for player in lists for entry in (*player.rules, *add_hooks(player.conventions))
    ]
    families = {(entry.family.what, entry.family.name): entry.family for entry in entries}
    own = [family for family in families.values() if is_own(family.function)]
    keys = [_key(family, variant) for family in own]
    if all(key in _passed or key and CACHE and (CACHE / "tried" / key).exists() for key in keys):
        return
    settings = [_extremes_of(family) for family in own]
    answered: set[str] = set()
    until = time.thread_time() + SECONDS
    for game in range(GAMES):
        _play(game, settings, answered, records, plans, variant, until)
    for key in filter(None, keys):
        _passed.add(key)
        if CACHE:
            with suppress(OSError):  # a full disk: the next process tries it again
                (CACHE / "tried").mkdir(exist_ok=True)
                (CACHE / "tried" / key).touch()


def _extremes_of(family: Family) -> list[Rule]:
    """Return a family at extremes of its values."""
    corners = list(product(*(dict.fromkeys(limits) for limits in family.within.values())))
    places = np.linspace(0, len(corners) - 1, min(SETTINGS, len(corners))).astype(int)
    return [Rule(family, corners[place]) for place in dict.fromkeys(places.tolist())]


def _play(
    game: int,
    settings: list[list[Rule]],
    answered: set[str],
    records: tuple[State, View],
    plans: np.ndarray,
    variant: Variant,
    until: float,
) -> None:
    """Play a game, at most until a CPU time, and check every call of user-defined code.

    In the first game no move is a rule's, in the last one every move that a rule proposes. A rule
    that loops is also called uncompiled, another one until it is in ``answered``: until it
    proposes a move.
    """
    rng = random.Random(game)
    state, view = (record.copy() for record in records)
    seat_players(view, plans, np.arange(variant.seats).reshape(1, -1) % max(1, len(plans)), 0)
    deal(state, view, np.uint64(game))

    def check(entry: Rule, asked: View) -> int:
        before = state.copy(), view.copy()
        is_uncompiled_first = has_loop(entry.family.function) or entry.name not in answered
        answer, problem = check_call(entry, asked, is_uncompiled_first)
        if problem:
            place = int(state.seed), int(view.turn)
            raise RuleFailedError(entry, *place, problem, before, variant, trial=True)
        if answer != NOTHING:
            answered.add(entry.name)
        return answer

    while not is_over(view) and time.thread_time() < until:
        turn = [some[view.turn % len(some)] for some in settings]
        proposed = [check(entry, view) for entry in turn if entry.family.what == "rule"]
        move = _choose(rng, game, proposed, state, view)
        for entry in turn:
            asked = _reading_view(entry, view, move)
            if asked is not None:
                check(entry, asked)
        apply(state, view, move)


def _reading_view(entry: Rule, view: View, move: int) -> View | None:
    """Return the view in which a convention reads a move; None where it does not read it."""
    is_read = {
        "game": view.turn == 0,
        "meaning": move >= TELL_COLOUR,
        "also": True,
        "fits": view.turn > 0 and event_fits(view.history[view.turn - 1]),
        "question": True,
        "on_hint": move >= TELL_COLOUR,
        "on_move": True,
        "after_move": view.turn > 0,
        "score": move >= TELL_COLOUR,
        "give": move >= TELL_COLOUR,
        "tells": True,
        "choose": 0 < move < TELL_COLOUR,
    }
    if not is_read.get(entry.family.stage, False):
        return None
    asked = view.copy()
    is_called = prepare_call(asked, entry.family.stage, move, entry.family.owner)
    return asked if is_called else None


def _choose(rng: random.Random, game: int, proposed: list[int], state: State, view: View) -> int:
    """Choose a move, mostly one that loses no life: a rule's, or any."""
    proposed = [move for move in proposed if move not in (NOTHING, FORFEIT)]
    if proposed and rng.random() * (GAMES - 1) < game:
        return rng.choice(proposed)
    legal = legal_moves(view)
    plays = [move for move in legal if move < PLAY + SLOTS]
    safe = [move for move in plays if view.playable >> state.hands[view.me, move - PLAY] & 1]
    hints = [move for move in legal if move >= TELL_COLOUR]
    harmless = [move for move in legal if move not in plays]
    chance = rng.random()
    for limit, moves in ((0.6, safe), (0.8, hints), (0.95, harmless)):
        if moves and chance < limit:
            return rng.choice(moves)
    return rng.choice(legal)


def _key(family: Family, variant: Variant) -> str:
    """Hash all that the trial of a family depends on except this package; "" without a file."""
    parts = [repr((str(variant), variant.players, family.within, family.function.__qualname__))]
    for found in own_functions(family.function):
        parts.append(source_hash(found.__code__.co_filename))
        parts += [
            f"{name}={value!r}"
            for name, value in sorted(constants(found).items())
            if isinstance(value, int | float | tuple | str)
        ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24] if all(parts) else ""
