"""The trial: before a rule or a convention that is not the library's plays as machine code, plain Python asks it in some games.

At every table own rules and conventions first sit through GAMES games of its variant and number of players. At each turn
they are asked as checked_call.py does it, with the extremes of their values in turn. What passes is remembered by a hash of
its code, of this package and of the variant, so the next command pays nothing.

A bad index and a division by zero are faults in every game (machine/store.py: USERS). The trial is for the rest: writes to the view,
moves that are no integers, recursion and loops without end. It cannot see them in positions that it never reaches. ``hanabi check``
asks in 260 positions more, and with HANABI_PLAIN=1 all games are plain Python.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import cycle, product
from weakref import WeakSet

import numpy as np

from hanabi.backend import CACHE
from hanabi.backend.code_cache import stamp
from hanabi.checked_call import CheckedCaller, ConventionFailedError, PlainRecord
from hanabi.conventions.register import needs_marks, seat_players
from hanabi.game import apply, deal, is_over, legal_moves
from hanabi.moves import FORFEIT, NOTHING, PLAY, SLOTS, TELL_COLOUR
from hanabi.player import ListPlayer, RuleFailedError
from hanabi.rule_dependencies import constants, is_own, own_functions
from hanabi.rulebook import Family, Rule
from hanabi.variant import Variant

GAMES = 3  # games of a trial
SECONDS = 3.0  # of this thread's own time, after which a trial of slow rules ends where it stands
SETTINGS = 8  # extremes of a rule's values that are asked, at most
TABLES: WeakSet = (
    WeakSet()
)  # where users' own rules play, for whoever looks after a rule that never ends
_passed: set[str] = set()  # in this process


def try_out(
    lists: Sequence[ListPlayer],
    records: tuple[np.record, np.record],
    plans: np.ndarray,
    variant: Variant,
) -> None:
    """Have the own rules and conventions of some lists sit through GAMES games, unless they passed before. RuleFailedError for
    the first that does what none may. ``records`` and ``plans``: those of a table, ready for a deal."""
    rules = _own(entry for player in lists for entry in player.rules)
    conventions = _own(entry for player in lists for entry in player.conventions)
    keys = [_key(some[0].family, variant) for some in (*rules, *conventions)]
    if all(map(_remembered, keys)):
        return
    if not conventions and not any(needs_marks(some[0]) for some in rules):
        plans = plans[:0]
    with CheckedCaller() as asker:
        walk = _Walk(asker, records, plans, variant)
        for game in range(GAMES):
            asker.guard(some[game % len(some)] for some in conventions)
            walk.play(game, [cycle(some) for some in rules])
    for key in keys:
        _remember(key)


def _own(entries: Iterable[Rule]) -> list[list[Rule]]:
    """Of each family that is a user's own the entries that are asked: extremes of its values."""
    families: dict[str, Family] = {
        entry.family.name: entry.family for entry in entries if is_own(entry.family.function)
    }
    return [_extremes(family) for family in families.values()]


def _extremes(family):
    corners = list(product(*(dict.fromkeys(limits) for limits in family.within.values())))
    return [
        Rule(family, corners[place])
        for place in dict.fromkeys(
            np.linspace(0, len(corners) - 1, min(SETTINGS, len(corners))).astype(int).tolist()
        )
    ]


class _Walk:
    """Games in which rules are asked at every turn, and conventions as the moves are read."""

    def __init__(
        self,
        asker: CheckedCaller,
        records: tuple[np.record, np.record],
        plans: np.ndarray,
        variant: Variant,
    ) -> None:
        self.asker, self.records, self.plans, self.variant = asker, records, plans, variant
        self.seat_players, self.deal, self.apply, self.is_over, self.legal_moves = map(
            asker.twins.of, (seat_players, deal, apply, is_over, legal_moves)
        )
        self.until = time.thread_time() + SECONDS

    def play(self, game: int, rules: list) -> None:
        """The game of a number. In the first no move is a rule's, in the last all are for which there is one."""
        rng = random.Random(game)
        self.state, self.view = (PlainRecord(record.copy()) for record in self.records)
        seats = np.arange(self.variant.seats).reshape(1, -1) % max(1, len(self.plans))
        before = None
        try:
            with np.errstate(all="ignore"):
                self.seat_players(self.view, self.plans, seats, 0)
                self.deal(self.state, self.view, np.uint64(game))
                while not self.is_over(self.view) and time.thread_time() < self.until:
                    proposed = [self._ask(next(some)) for some in rules]
                    before = self._now() if self.asker.guarding else None
                    self.apply(self.state, self.view, self._move(rng, game, proposed))
        except ConventionFailedError as fault:
            raise self._fault(fault.rule, fault.problem, before or self._now()) from None

    def _now(self):
        return self.state.record(), self.view.record()

    def _fault(self, rule, problem, records):
        return RuleFailedError(
            rule,
            int(records[0].seed),
            int(records[1].turn),
            problem,
            records,
            self.variant,
            trial=True,
        )

    def _ask(self, rule):
        move, problem = self.asker.ask(rule, self.view)
        if problem:
            raise self._fault(rule, problem, self._now())
        return move

    def _move(self, rng, game, proposed):
        """A move that takes the game on, mostly without the loss of a life: a rule's, or any."""
        view = self.view
        proposed = [move for move in proposed if move not in (NOTHING, FORFEIT)]
        if proposed and rng.random() * (GAMES - 1) < game:
            return rng.choice(proposed)
        legal = self.legal_moves(view)
        plays = [move for move in legal if move < PLAY + SLOTS]
        safe = [
            move for move in plays if view.playable >> self.state.hands[view.me, move - PLAY] & 1
        ]
        hints = [move for move in legal if move >= TELL_COLOUR]
        chance = rng.random()
        if safe and chance < 0.6:
            return rng.choice(safe)
        return rng.choice(
            hints
            if hints and chance < 0.8
            else legal
            if chance > 0.95
            else [move for move in legal if move not in plays] or legal
        )


def _key(family: Family, variant: Variant) -> str:
    """A hash of all that the trial of a family depends on but this package; "" where its code stands in no file."""
    parts = [repr((str(variant), variant.players, family.within, family.function.__qualname__))]
    for found in own_functions(family.function):
        parts.append(stamp(found.__code__.co_filename))
        parts += [
            f"{name}={value!r}"
            for name, value in sorted(constants(found).items())
            if isinstance(value, int | float | tuple | str)
        ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24] if all(parts) else ""


def _remembered(key):
    return key in _passed or bool(key and CACHE and (CACHE / "tried" / key).exists())


def _remember(key):
    if key:
        _passed.add(key)
    if key and CACHE:
        with suppress(OSError):  # a full disk: it is tried again next time
            (CACHE / "tried").mkdir(exist_ok=True)
            (CACHE / "tried" / key).touch()
