"""The observations of JaxMARL's Hanabi and of the Learning Environment, worked out from positions of
our games.

The order of the features is that of jaxmarl 0.2.0. ``python tests/support/jaxmarl_observations.py
FILE.npz`` writes some games with them, to compare with the original where jax is installed.
"""

import sys

import numpy as np

from hanabi import moves as m
from hanabi.action_ids import THEIRS, actions_of, no_op, number_of, pair_of
from hanabi.evolve.measure.one_game import play_game
from hanabi.game import legal_moves
from hanabi.moves import COLOURS


def _one_hot(size, place=-1):
    found = np.zeros(size)
    if place >= 0:
        found[place] = 1
    return found


def _card(card):
    return _one_hot(25, 5 * pair_of(card)[0] + pair_of(card)[1])


def _hand(position, seat):
    held = [card for card in position.hands[seat] if card]
    return sorted(held, key=lambda card: card.born)


def _ranks(position):
    """The heights of the fireworks in their order of colours."""
    return [position.fireworks[COLOURS.index(colour)] for colour in THEIRS]


def last_move(game, turn, me):
    """The features of the move before a turn."""
    n, hand = game.variant.seats, game.variant.hand_size
    parts = [_one_hot(size) for size in (n, 4, n, 5, 5, hand, hand, 25, 1, 1)]
    if turn == 0:
        return np.concatenate(parts)
    before, after, move = _position(game, turn - 1), _position(game, turn), game.moves[turn - 1]
    mover = before.me
    parts[0][(mover - me) % n] = 1
    if m.is_tell(move):
        target, colour = int(m.target_of(move)), int(m.told_colour_of(move))
        parts[2][(target - me) % n] = 1
        parts[1][2 if colour >= 0 else 3] = 1
        for place, card in enumerate(_hand(before, target)):
            theirs, rank = pair_of(card.card)
            if colour >= 0:
                parts[3][THEIRS.index(COLOURS[colour])] = 1
                parts[5][place] = theirs == THEIRS.index(COLOURS[colour])
            else:
                parts[4][int(m.told_rank_of(move)) - 1] = 1
                parts[5][place] = rank == int(m.told_rank_of(move)) - 1
    else:
        played = before.hands[mover][int(m.slot_of(move))]
        parts[1][0 if m.is_play(move) else 1] = 1
        parts[6][_hand(before, mover).index(played)] = 1
        parts[7] = _card(played.card)
        parts[8][0] = sum(after.fireworks) > sum(before.fireworks)
        parts[9][0] = bool(m.is_play(move)) and after.tokens > before.tokens
    return np.concatenate(parts)


def observation(game, turn, me, shares=True):
    """What a seat is shown at a turn; ``shares``: JaxMARL's shares of copies, else ones."""
    position, n = _position(game, turn), game.variant.seats
    hand, everything = game.variant.hand_size, game.variant.deck()
    empty = _one_hot(25)
    rows = [_hand(position, (me + offset) % n) for offset in range(n)]
    parts = [
        [_card(row[place].card) if place < len(row) else empty for place in range(hand)]
        for row in rows[1:]
    ]
    board = [np.arange(50 - n * hand) < len(position.deck)]
    board += [_one_hot(5, height - 1) for height in _ranks(position)]
    board += [np.arange(8) < position.tokens, np.arange(3) < position.lives]
    discards = [
        np.arange(3 if rank == 0 else 1 if rank == 4 else 2)
        < position.discards.count(5 * COLOURS.index(colour) + rank)
        for colour in THEIRS
        for rank in range(5)
    ]
    left = sum(_card(card) for card in everything)
    left = left - sum((_card(card) for card in [*position.discards, *position.face_up]), empty)
    beliefs = []
    for row in rows:
        for place in range(hand):
            if place >= len(row):
                beliefs.append(np.zeros(35))
                continue
            fits = sum((_card(c) for c in range(25) if row[place].mask >> c & 1), empty)
            colours, ranks = fits.reshape(5, 5).any(axis=1), fits.reshape(5, 5).any(axis=0)
            told = row[place].touched
            beliefs.append(
                np.concatenate(
                    [
                        fits * left / (fits * left).sum() if shares else fits,
                        colours
                        * (told and colours.sum() == 1 and _told(game, turn, row[place], 0)),
                        ranks * (told and ranks.sum() == 1 and _told(game, turn, row[place], 1)),
                    ]
                )
            )
    return np.concatenate(
        [
            *(np.ravel(part) for part in parts),
            [len(row) < hand for row in rows],
            *board,
            *discards,
            last_move(game, turn, me),
            *beliefs,
        ]
    ).astype(float)


_known = {}  # by id of a game: the game, its positions by turn, its hints


def _of(game):
    """What is known of a game, which is no key itself."""
    return _known.setdefault(id(game), (game, {}, []))


def _position(game, turn):
    positions = _of(game)[1]
    if turn not in positions:
        positions[turn] = game.position(turn)
    return positions[turn]


def _hints(game):
    """By hint: its turn, whether it told a rank, the cards that it touched by their place."""
    found = _of(game)[2]
    if found:
        return found
    for turn, move in enumerate(game.moves):
        if m.is_tell(move):
            is_rank = int(m.told_colour_of(move)) < 0
            told = int((m.told_rank_of if is_rank else m.told_colour_of)(move))
            found.append(
                (
                    turn,
                    is_rank,
                    {
                        card.born
                        for card in _position(game, turn).hands[int(m.target_of(move))]
                        if card and told == (card.card % 5 + 1 if is_rank else card.card // 5)
                    },
                )
            )
    return found


def _told(game, turn, card, rank):
    """Whether a hint named the rank (1) or the colour (0) of a card."""
    return any(
        at < turn and is_rank == bool(rank) and card.born in touched
        for at, is_rank, touched in _hints(game)
    )


def legal(game, turn, me):
    """The legal moves of a seat at a turn, as zeros and ones."""
    n = game.variant.seats
    found = np.zeros(no_op(n) + 1)
    _, view = game.at(turn)
    if view.me != me:
        found[-1] = 1
        return found
    for move in legal_moves(view):
        found[number_of(view, move)] = 1
    return found


if __name__ == "__main__":
    data = {}
    for players in (2, 3, 4, 5):
        game = play_game(["iggi"], players, 3)
        deck, actions = actions_of(game)
        data[f"deck{players}"], data[f"actions{players}"] = deck, actions
        data[f"obs{players}"] = np.array(
            [
                [observation(game, turn, me) for me in range(players)]
                for turn in range(len(game.moves))
            ]
        )
        data[f"legal{players}"] = np.array(
            [[legal(game, turn, me) for me in range(players)] for turn in range(len(game.moves))]
        )
    np.savez(sys.argv[1], **data)
