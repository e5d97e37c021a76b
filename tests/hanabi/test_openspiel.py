"""Our games against OpenSpiel's ``hanabi``, which is the Hanabi Learning Environment, move by move.

The deck is forced there by choosing the chance actions. Its hands are sorted oldest card first;
ours keep their slots, so slots are translated by ``born``. It numbers colours R Y G W B and we R B
G Y W: colours are compared by number.
"""

import random
from collections import Counter

import numpy as np
import pytest
from kernels import FROM, TO, legality
from sizes import tries

from hanabi.game import apply, deal, is_over, new_state
from hanabi.moves import (
    colour_set,
    is_discard,
    is_play,
    is_tell,
    rank_set,
    slot_of,
    target_of,
    tell_colour,
    tell_rank,
    told_colour_of,
    told_rank_of,
)
from hanabi.variant import NAMED

THEIRS = "RYGWB"
GAMES = tries(108)  # a player count; half of them random
(
    colour_set,
    rank_set,
    is_play,
    is_discard,
    is_tell,
    slot_of,
    target_of,
    told_colour_of,
    told_rank_of,
) = (
    getattr(function, "py_func", function)
    for function in (
        colour_set,
        rank_set,
        is_play,
        is_discard,
        is_tell,
        slot_of,
        target_of,
        told_colour_of,
        told_rank_of,
    )
)


@pytest.fixture(scope="module")
def pyspiel():
    try:
        import pyspiel
    except ImportError as error:
        pytest.fail(
            f"OpenSpiel is needed to check the rules of the game: pip install open_spiel ({error})"
        )
    return pyspiel


def their_card(text):
    """``Y3`` of theirs as (colour, rank); None for XX."""
    return None if text == "XX" else (THEIRS.index(text[0]), int(text[1]))


def parse(text):
    """Their state or observation as data: tokens, lives, fireworks, deck, discards, mover (by
    place) and hands, each card as (card or None, colours, ranks, directly told colour, directly
    told rank).
    """
    head, rest = text.split("Hands:\n")
    body, tail = rest.split("Deck size: ")
    lines = dict(line.split(": ", 1) for line in head.splitlines())
    size, _, discards = tail.partition("\nDiscards:")
    hands, mover = [], None
    for place, block in enumerate(body.strip("\n").split("-----\n")):
        hand = []
        for line in block.splitlines():
            if line == "Cur player":
                mover = place
                continue
            shown, knowledge = line.split(" || ")
            told, plausible = knowledge.split("|")
            hand.append(
                (
                    their_card(shown),
                    {THEIRS.index(sign) for sign in plausible if sign in THEIRS},
                    {int(sign) for sign in plausible if sign in "12345"},
                    None if told[0] == "X" else THEIRS.index(told[0]),
                    None if told[1] == "X" else int(told[1]),
                )
            )
        hands.append(hand)
    return {
        "lives": int(lines["Life tokens"]),
        "tokens": int(lines["Info tokens"]),
        "mover": mover,
        "hands": hands,
        "fireworks": [int(part[1]) for part in lines["Fireworks"].split()],
        "deck": int(size),
        "discards": Counter(map(their_card, discards.split())),
    }


class Ours:
    """Our state as plain Python data, read once a move."""

    def __init__(self, table, view):
        self.me, self.players, self.tokens, self.lives, self.deck, self.score, self.left = (
            int(view[key]) for key in ("me", "players", "tokens", "lives", "deck", "score", "left")
        )
        self.playable, self.useless = int(view.playable), int(view.useless)
        self.fireworks = view.fireworks.tolist()[:5]
        self.mask, self.born, self.touched = (
            view.mask.tolist(),
            view.born.tolist(),
            view.touched.tolist(),
        )
        self.knows_colour, self.knows_rank = view.knows_colour.tolist(), view.knows_rank.tolist()
        self.seen, self.true = view.hands.tolist(), table.hands.tolist()
        self.full, self.alive = view.full.tolist(), view.alive.tolist()
        self.order = [
            sorted(
                (slot for slot in range(5) if self.true[seat][slot] >= 0),
                key=self.born[seat].__getitem__,
            )
            for seat in range(self.players)
        ]

    def discards(self):
        """Discarded cards, as theirs."""
        found = Counter()
        for card in range(25):
            copies = sum(
                full >> card & ~alive >> card & 1
                for full, alive in zip(self.full, self.alive, strict=True)
            )
            if copies:
                found[divmod(card, 5)[0], card % 5 + 1] = copies
        return found

    def hand(self, seat, hidden=False):
        """A hand as theirs, oldest first: what parse gives, but ``touched`` in place of what was
        told directly.
        """
        rows = self.seen if hidden else self.true
        result = []
        for slot in self.order[seat]:
            card, mask = rows[seat][slot], self.mask[seat][slot]
            result.append(
                (
                    None if card < 0 else (card // 5, card % 5 + 1),
                    {colour for colour in range(5) if mask & colour_set(colour)},
                    {rank for rank in range(1, 6) if mask & rank_set(rank)},
                    self.touched[seat] >> slot & 1,
                )
            )
        return result

    def their_action(self, move):
        """The number of our move there."""
        size = 5 if self.players <= 3 else 4
        if not is_tell(move):
            return self.order[self.me].index(slot_of(move)) + (size if is_play(move) else 0)
        ahead = (target_of(move) - self.me) % self.players
        if told_colour_of(move) >= 0:
            return 2 * size + (ahead - 1) * 5 + told_colour_of(move)
        return 2 * size + (self.players - 1) * 5 + (ahead - 1) * 5 + told_rank_of(move) - 1


def compare(state, ours, undrawn, counts):
    """Assert that both stand in the same position.

    ``undrawn``: we drew a card that they, at the end, did not.
    """
    theirs = parse(str(state))
    assert (theirs["lives"], theirs["tokens"], theirs["fireworks"]) == (
        ours.lives,
        ours.tokens,
        ours.fireworks,
    )
    assert theirs["deck"] == ours.deck + undrawn
    assert theirs["discards"] == ours.discards()
    for seat, hand in enumerate(theirs["hands"]):
        mine = ours.hand(seat)
        if undrawn and seat == (ours.me - 1) % ours.players:
            mine = mine[:-1]
        assert [card[:3] for card in hand] == [card[:3] for card in mine]
        for (_, _, _, colour, rank), (_, _, _, touched) in zip(hand, mine, strict=True):
            assert touched == (colour is not None or rank is not None)
        for slot in ours.order[seat][: len(mine)]:
            mask = ours.mask[seat][slot]
            assert ours.knows_colour[seat] >> slot & 1 == (
                sum(bool(mask & colour_set(c)) for c in range(5)) == 1
            )
            assert ours.knows_rank[seat] >> slot & 1 == (
                sum(bool(mask & rank_set(r)) for r in range(1, 6)) == 1
            )
    if state.is_terminal():
        return
    assert theirs["mover"] == ours.me == state.current_player()
    observed = parse(state.observation_string(ours.me))["hands"]
    for ahead, hand in enumerate(observed):
        seat = (ours.me + ahead) % ours.players
        assert [card[:3] for card in hand] == [card[:3] for card in ours.hand(seat, hidden=True)]
    counts["empty decks"] += ours.deck == 0 and ours.left == ours.players


def cheat(ours, legal, rng):
    """A player that looks at its hand: plays what fits, keeps what is critical, passes with hints."""
    hand = ours.true[ours.me]
    plays = [move for move in legal if is_play(move) and ours.playable >> hand[slot_of(move)] & 1]
    if plays:
        return min(plays, key=lambda move: hand[slot_of(move)] % 5)
    hints, discards = (
        [move for move in legal if is_tell(move)],
        [move for move in legal if is_discard(move)],
    )
    useless = [move for move in discards if ours.useless >> hand[slot_of(move)] & 1]
    if useless and (ours.tokens < 7 or not hints):
        return rng.choice(useless)
    if hints and (ours.tokens > 2 or not discards):
        return rng.choice(hints)
    spare = (
        [move for move in discards if ours.alive[1] >> hand[slot_of(move)] & 1] if discards else []
    )
    return rng.choice(spare or hints or discards or legal)


def play_game(game, players, rng, random_play, counts):
    """Play one forced-deck game on both sides. Returns our final state."""
    variant = NAMED["standard"].at(players)
    deck = variant.deck()
    rng.shuffle(deck)
    table, view = new_state(variant, deck)
    deal(table, view, np.uint64(0))
    state, place, out = game.new_initial_state(), 0, np.zeros(TO - FROM, np.bool_)
    while True:
        while state.is_chance_node():
            state.apply_action(deck[place])
            place += 1
        ours = Ours(table, view)
        assert is_over(view) == state.is_terminal()
        undrawn = int(variant.cards - ours.deck - place)
        assert undrawn == 0 or (
            state.is_terminal() and undrawn == 1 and (ours.lives == 0 or ours.score == 25)
        )
        compare(state, ours, undrawn, counts)
        if state.is_terminal():
            kept = ours.score if ours.lives else 0
            assert state.returns() == [kept] * players
            return ours
        legality(view, out)
        legal = (np.flatnonzero(out) + FROM).tolist()
        assert sorted(map(ours.their_action, legal)) == state.legal_actions()
        move = rng.choice(legal) if random_play else cheat(ours, legal, rng)
        if is_play(move) and ours.tokens == 8:
            card = ours.true[ours.me][slot_of(move)]
            counts["fives at 8 tokens"] += card % 5 == 4 and ours.playable >> card & 1
        state.apply_action(ours.their_action(move))
        apply(table, view, move)
        counts["moves"] += 1


def test_every_move_as_in_openspiel(pyspiel):
    counts, scores = Counter(), []
    for players in (2, 3, 4, 5):
        game = pyspiel.load_game("hanabi", {"players": players})
        for number in range(GAMES):
            rng = random.Random(1000 * players + number)
            final = play_game(game, players, rng, number % 2 == 0, counts)
            counts["games"] += 1
            counts["finished colours"] += final.fireworks.count(5)
            counts["lost games"] += final.lives == 0
            counts["perfect games"] += final.score == 25
            if number % 2:
                scores.append(final.score)
    print(dict(counts), f"mean score of the good player {np.mean(scores):.1f}")
    assert counts["games"] == 4 * GAMES and np.mean(scores) >= 20
    for what in ("finished colours", "lost games", "empty decks", "fives at 8 tokens"):
        assert counts[what] >= tries(20), (what, counts)


def test_their_numbers_of_moves(pyspiel):
    """The translation of moves itself, against OpenSpiel's own words for them."""
    state = pyspiel.load_game("hanabi", {"players": 3}).new_initial_state()
    deck = NAMED["standard"].deck()
    random.Random(4).shuffle(deck)
    for card in deck[:15]:
        state.apply_action(card)
    table, view = new_state(NAMED["standard"].at(3), deck)
    deal(table, view, np.uint64(0))
    ours = Ours(table, view)
    assert state.action_to_string(0, ours.their_action(1)) == "(Play 0)"
    assert (
        state.action_to_string(0, ours.their_action(tell_colour(2, 1)))
        == "(Reveal player +2 color Y)"
    )
    assert (
        state.action_to_string(0, ours.their_action(tell_rank(1, 4))) == "(Reveal player +1 rank 4)"
    )
    assert state.action_to_string(0, ours.their_action(6)) == "(Discard 0)"
