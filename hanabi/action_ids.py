"""Action numbers of the Hanabi Learning Environment, OpenSpiel and JaxMARL, to and from our moves.

They are for the standard game. With h cards in a hand and p players: 0 to h-1 discard, h to 2h-1
play, then 5 (p-1) colour hints, then 5 (p-1) rank hints. Cards count from the oldest, partners
from the next player, colours go R Y G W B. JaxMARL has one more number, the last: a no-op for
players that are not to move.
"""

from collections.abc import Sequence

import numpy as np

from hanabi import moves as m
from hanabi.backend import compiled, inlined, popcount
from hanabi.game import is_legal
from hanabi.game_record import Game, follow_actions
from hanabi.moves import COLOURS, ROW, STRIDE, ranks_in
from hanabi.notation import counted
from hanabi.state import View
from hanabi.variant import NAMED, Variant

THEIRS = "RYGWB"  # their colours, by number; a variant with purple puts it last
CARDS = 50


def their_colours(colours: int) -> list[int]:
    """Return our numbers of the colours of a variant, in their order."""
    return sorted(range(colours), key=lambda colour: f"{THEIRS}P".index(COLOURS[colour]))


def action_count(variant: Variant) -> int:
    """Return how many numbers a variant with its players has; JaxMARL's no-op is one more."""
    return 2 * variant.hand_size + (variant.seats - 1) * (variant.colours + variant.ranks)


@compiled
def legal_bits(view: View, colours: np.ndarray) -> int:
    """Return a bit for each number that is legal for the seat to move.

    Args:
        view: VIEW of the seat to move.
        colours: int64 (colours,): ``their_colours``.
    """
    size, cards = view.hand_size, (1 << popcount(view.filled[view.me])) - 1
    bits = cards << size
    if view.tokens < view.max_tokens:
        bits |= cards
    if view.tokens == 0:
        return bits
    at = 2 * size
    ranks_at = at + (view.players - 1) * view.colours
    for offset in range(1, view.players):
        seat = (
            view.me + offset if view.me + offset < view.players else view.me + offset - view.players
        )
        held = view.held[seat]
        for theirs in range(view.colours):
            bits |= (1 if held >> (STRIDE * colours[theirs]) & ROW else 0) << at + theirs
        bits |= ranks_in(held) << ranks_at
        at += view.colours
        ranks_at += view.ranks
    return bits


@inlined
def write_legal(bits: int, legal: np.ndarray) -> None:
    """Write which numbers are legal.

    Args:
        bits: ``legal_bits``.
        legal: uint8 (action_count,), filled in.
    """
    for number in range(len(legal)):
        legal[number] = bits >> number & 1


@compiled
def move_numbered(view: View, colours: np.ndarray, number: int) -> int:
    """Return the move of a number for the seat to move; NOTHING if it is not legal.

    Args:
        view: VIEW of the seat to move.
        colours: int64 (colours,): ``their_colours``.
        number: The number, any integer.
    """
    size, move = view.hand_size, m.NOTHING
    if 0 <= number < 2 * size:
        place = number % size
        for slot in range(size):
            if view.filled[view.me] >> slot & 1 and age_of(view, view.me, slot) == place:
                move = m.discard(slot) if number < size else m.play(slot)
    hint = number - 2 * size
    colour_hints = (view.players - 1) * view.colours
    if 0 <= hint < colour_hints:
        seat = (view.me + 1 + hint // view.colours) % view.players
        move = m.tell_colour(seat, colours[hint % view.colours])
    elif colour_hints <= hint < colour_hints + (view.players - 1) * view.ranks:
        hint -= colour_hints
        seat = (view.me + 1 + hint // view.ranks) % view.players
        move = m.tell_rank(seat, hint % view.ranks + 1)
    return move if is_legal(view, move) else m.NOTHING


@compiled
def age_of(view: View, seat: int, slot: int) -> int:
    """Return how many older cards a seat holds than that in a slot: 0 for the oldest."""
    born, older = view.born[seat, slot], 0
    for other in range(m.SLOTS):
        older += (view.filled[seat] >> other & 1) & (1 if view.born[seat, other] < born else 0)
    return older


def hints(players: int) -> int:
    """Return the number of colour hints at a table; there are as many rank hints."""
    return 5 * (players - 1)


def no_op(players: int) -> int:
    """Return JaxMARL's number for a player that is not to move: one more than the last move."""
    return 2 * NAMED["standard"].at(players).hand_size + 2 * hints(players)


def card_of(colour: int, rank: int) -> int:
    """Our card of their colour and their rank, both from 0."""
    return STRIDE * COLOURS.index(THEIRS[colour]) + rank


def card_named(colour: int, rank: int, colours: int) -> int:
    """Return ``card_of`` in a variant with some number of colours."""
    return STRIDE * their_colours(colours)[colour] + rank


def pair_of(card: int) -> tuple[int, int]:
    """Return (their colour, their rank), both from 0, of a card of ours."""
    return THEIRS.index(COLOURS[card // STRIDE]), card % STRIDE


def by_age(view: np.record, seat: int) -> list[int]:
    """Return the slots of a seat that hold a card, the oldest card first."""
    return sorted(
        (slot for slot in range(view.hand_size) if view.filled[seat] >> slot & 1),
        key=lambda slot: view.born[seat, slot],
    )


def move_of(view: np.record, number: int, where: str = "moves") -> int:
    """Return the move of one of their numbers, for the seat to move; it may be illegal.

    Args:
        view: VIEW of the seat to move.
        number: Their number.
        where: What errors call the source.

    Raises:
        ValueError: where it is no number of a move, in one line.
    """
    hand, players = int(view.hand_size), int(view.players)
    if 0 <= number < 2 * hand:
        slots, place = by_age(view, view.me), number % hand
        if place >= len(slots):
            raise ValueError(f"{where}: {m.NAMES[view.me]} has no card {place}")
        return int(m.discard(slots[place]) if number < hand else m.play(slots[place]))
    hint = number - 2 * hand
    if not 0 <= hint < 2 * hints(players):
        raise ValueError(
            f"{where}: {number} is no move; they are numbered from 0 to "
            f"{2 * hand + 2 * hints(players) - 1}"
        )
    return hint_of(hint, int(view.me), players)


def hint_of(number: int, me: int, players: int) -> int:
    """Return the hint of a seat that a number of theirs is, counted from the first hint on."""
    other, what = divmod(number % hints(players), 5)
    seat = (me + 1 + other) % players
    return int(
        m.tell_colour(seat, COLOURS.index(THEIRS[what]))
        if number < hints(players)
        else m.tell_rank(seat, what + 1)
    )


def number_of(view: np.record, move: int) -> int:
    """Their number of a legal move of the seat to move."""
    return numbered(
        move, int(view.me), by_age(view, view.me), int(view.players), int(view.hand_size)
    )


def numbered(move: int, me: int, slots: Sequence[int], players: int, hand: int) -> int:
    """Their number of a move of a seat whose cards lie in these slots, the oldest first."""
    if not m.is_tell(move):
        return slots.index(int(m.slot_of(move))) + (hand if m.is_play(move) else 0)
    other, colour = (int(m.target_of(move)) - me) % players - 1, int(m.told_colour_of(move))
    if colour >= 0:
        return 2 * hand + 5 * other + THEIRS.index(COLOURS[colour])
    return 2 * hand + hints(players) + 5 * other + int(m.told_rank_of(move)) - 1


def actions_of(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Return a game as JaxMARL's arrays.

    Returns:
        (deck (50, 2): colour and rank from 0 in the order of drawing, actions (turns, players): the
        mover's number, no-ops for the others).

    Raises:
        ValueError: for a game that is not the standard one and for a forfeit, in one line.
    """
    players = game.variant.seats
    if game.variant != NAMED["standard"].at(players):
        raise ValueError(
            f"their numbers are for the standard game, and this is one of {game.variant}"
        )
    if m.FORFEIT in game.moves:
        raise ValueError("this game ends with a forfeit, and they have no number for one")
    start = game.position(0)
    dealt = [card.card for hand in start.hands for card in hand if card]
    actions = np.full((len(game.moves), players), no_op(players), np.int64)
    for step in game.steps():
        actions[step.turn, step.seat] = number_of(step.view, step.move)
    return np.array([pair_of(card) for card in (*dealt, *start.deck)], np.int64), actions


def game_of(
    deck: Sequence | np.ndarray, actions: np.ndarray, count: int | None = None, where: str = "game"
) -> Game:
    """Return the game that JaxMARL's arrays hold.

    Args:
        deck: (50, 2): colour and rank from 0, in the order of drawing.
        actions: (turns, players): their numbers.
        count: Turns that were played; all of them by default.
        where: What errors call the source.

    Raises:
        ValueError: where it is no game, in one line.
    """
    count = len(actions) if count is None else count
    if not 0 <= count <= len(actions):
        raise ValueError(
            f"{where}: {count} actions are said to be there, and there is room for {len(actions)}"
        )
    pairs = np.asarray(deck)
    if pairs.min() < 0 or pairs.max() >= STRIDE:
        raise ValueError(f"{where}: colours and ranks of the deck go from 0 to {STRIDE - 1}")
    variant, players = NAMED["standard"].at(actions.shape[1]), actions.shape[1]
    cards = [card_of(colour, rank) for colour, rank in pairs.tolist()]
    if sorted(cards) != variant.deck():
        raise ValueError(f"{where}: the deck is not that of the standard game")
    made = [int(actions[turn, turn % players]) for turn in range(count)]
    followed = follow_actions(variant, cards, made, move_of, where)
    if followed.rest:
        rest = counted(len(followed.rest), "action follows", "actions follow")
        raise ValueError(f"{where}, action {len(followed.moves) + 1}: the game is over, and {rest}")
    return Game(variant, 0, tuple(cards), followed.moves)
