"""Games watched while they are played: which rule decided each move, what each hint meant, and what every lost point was lost by.

A point is lost by one of CAUSES. The cards of a firework above its highest rank are unreachable from the first one on of which
every copy is gone: these points were lost by the move that threw the last copy away. Those below it were still there: they were
lost by how the game ended.
"""

from __future__ import annotations

import numpy as np

from hanabi.backend import call, compiled
from hanabi.cards import STRIDE, slots_within
from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.marks import CONSIDER
from hanabi.conventions.register import seat_players
from hanabi.game import apply, deal, is_legal
from hanabi.moves import DISCARD, SLOTS, TELL_COLOUR, slot_of
from hanabi.player import decide
from hanabi.table import FAULTED, FORFEITED, Table, how_it_ended, how_it_stopped

CAUSES = {  # in the order of their numbers; "giver": the player before, who could have warned
    "known": "time: next card known playable",
    "unknown": "time: next card not known so",
    "untouched": "last copy, giver had a token",
    "untouched, no token": "last copy, giver had none",
    "five": "a 5, giver had a token",
    "five, no token": "a 5, giver had none",
    "touched": "last copy, hinted at",
    "misplayed": "last copy misplayed",
    "lives": "last life lost",
    "forfeit": "no rule applied",
}
KNOWN, UNKNOWN, UNTOUCHED, FIVE, TOUCHED, MISPLAYED, LIVES, NO_RULE = 0, 1, 2, 4, 6, 7, 8, 9
FIELDS: list[tuple] = [  # of a game
    ("score", "i8"),
    ("end", "i8"),  # as in table.RESULT
    ("tokens", "i8"),  # tokens left at its end
    ("bare", "i8"),  # discards by somebody who had no token
    ("misplays", "i8"),
    ("lost", "i8", len(CAUSES)),  # points, by cause
]
WATCHED = np.dtype((np.record, FIELDS))


@compiled
def known_playable(state, view, seat):
    """Bits of a seat's slots whose card it knows to be playable: by its conventions, or without any by hints and what it sees."""
    which = view.list_of[seat]
    if view.lists != 0 and which >= 0:
        return view.marks[which].plays[seat]
    return slots_within(view.mask[seat], state.unseen[0, seat], view.playable)


@compiled
def _cause(view, move, before):
    """What a point is lost by if this play or discard throws a last copy away; ``before``: the tokens of the player before."""
    if move < DISCARD:
        return MISPLAYED
    if view.touched[view.me] >> slot_of(move) & 1:
        return TOUCHED
    return UNTOUCHED + (1 if before == 0 else 0)


@compiled
def _lose(state, view, end, causes, lost):
    """Add the points that are missing at the end to those lost by each cause; ``causes``: what each type's last copy was thrown
    away by."""
    for colour in range(view.colours):
        height = view.fireworks[colour]
        there = height
        while there < view.ranks and view.alive[0] >> colour * STRIDE + there & 1:
            there += 1
        if there < view.ranks:
            cause = causes[colour * STRIDE + there]
            untouched = cause == UNTOUCHED or cause == UNTOUCHED + 1
            lost[cause + FIVE - UNTOUCHED if untouched and there + 1 == view.ranks else cause] += (
                view.ranks - there
            )
        if there > height:
            why = LIVES if end == 1 else NO_RULE if end == FORFEITED else UNKNOWN
            for seat in range(view.players if why == UNKNOWN else 0):
                slots = known_playable(state, view, seat)
                for slot in range(SLOTS):
                    if slots >> slot & 1 and state.hands[seat, slot] == colour * STRIDE + height:
                        why = KNOWN
            lost[why] += there - height


@compiled
def _watch(state, view, deals, players, out, causes):
    """Play games as table.play_games does (``players`` as there) and fill in ``out``: the first player's decisions (games,
    longest + 1), its hints by meaning (games, MAX_CONVENTIONS + 1; the last: none), WATCHED records. ``causes`` is room for work."""
    rows, lengths, otherwise, plans = players
    seeds, seats = deals
    fired, meant, games = out
    for game in range(len(seeds)):
        seat_players(view, plans, seats, game)
        deal(state, view, seeds[game])
        end, here, before = -1, games[game], view.max_tokens
        while end < 0:
            player = seats[game, view.me]
            place, move = decide(rows, player, lengths[player], otherwise[player], view)
            if player == 0:
                fired[game, place] += 1
            if is_legal(view, move):
                tokens = view.tokens
                if move < TELL_COLOUR:
                    bit = 1 << state.hands[view.me, slot_of(move)]
                    fits = move < DISCARD and view.playable & bit != 0
                    here.misplays += 1 if move < DISCARD and not fits else 0
                    here.bare += 1 if move >= DISCARD and tokens == 0 else 0
                    if not fits and view.alive[1] & bit == 0:
                        causes[state.hands[view.me, slot_of(move)]] = _cause(view, move, before)
                elif player == 0 and view.lists != 0 and view.list_of[view.me] >= 0:
                    call(view.reader, view, float(CONSIDER - move))
                    meaning = view.readings[0].meaning
                    meant[game, meaning if meaning >= 0 else MAX_CONVENTIONS] += 1
                before = tokens
                apply(state, view, move)
                end = how_it_ended(view)
            else:
                end = how_it_stopped(view, move)
        here.score, here.end, here.tokens = view.score, end, view.tokens
        _lose(state, view, end, causes, here.lost)


def watched(table: Table, seeds: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Play one game for each seed, as ``Table.play``: a record per game with the fields of WATCHED, ``fired`` (decisions of the
    first player by place of the rule; the last: ``otherwise``) and ``meant`` (its hints by meaning: the place of the convention in
    its list by stages; the last: none). RuleFailedError where a rule raised or moved illegally."""
    longest = int(table.lengths[0])
    fired, meant = (
        np.zeros((len(seeds), table.fired.shape[1]), np.int64),
        np.zeros((len(seeds), MAX_CONVENTIONS + 1), np.int64),
    )
    games = np.zeros(len(seeds), WATCHED)
    _watch(
        table.state,
        table.view,
        (seeds, seats),
        (table.rows, table.lengths, table.otherwise, table.plans),
        (fired, meant, games),
        np.zeros(6 * STRIDE, np.int64),
    )
    faulted = games["end"] == FAULTED
    if faulted.any():
        table.play(seeds[faulted], seats[faulted])  # raises what says all about it
    whole = np.zeros(
        len(seeds), [*FIELDS, ("fired", "i8", longest + 1), ("meant", "i8", MAX_CONVENTIONS + 1)]
    )
    for name, *_ in FIELDS:
        whole[name] = games[name]
    whole["fired"], whole["meant"] = fired[:, : longest + 1], meant
    return whole
