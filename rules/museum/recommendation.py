"""The recommendation strategy of Cox et al. (2015): a hint recommends a move to every other player.

Each player but the giver is recommended to play or to discard one slot: a number from 0 to 7, with
four slots. The hint tells their sum modulo 8: who gets it, counted from the next player, and 4 more
for a hint of a colour. Everybody sees the hands of all others as they were at the hint, and works
out the own number. Which card is recommended, the first of these that the hand has:

1. a playable 5, then the playable card of the lowest rank (of equal ranks, the first colour);
2. of the played types the highest rank (the last colour);
3. of the types of which no copy is discarded, 5s apart, the highest rank (the last colour);
4. to discard the newest card.

Where the paper says no more, the program of its authors is followed (github.com/rjtobin/HanSim). It
ends a game at the fourth misplay: its 23.00 points at 5 players are those of a game of four lives.
"""

from hanabi.authoring import (
    NOTHING,
    STRIDE,
    TELL_COLOUR,
    TELL_RANK,
    View,
    compiled,
    discard,
    event_card,
    event_fits,
    event_move,
    may_discard,
    newest,
    oldest,
    play,
    rank_set,
    rules_of,
    seat_after,
    slot_of,
    target_of,
    tell_colour,
    tell_rank,
)

COLOURS = 6  # at most
rule = rules_of(prefix="cox.")


@compiled
def last_hint(view: View) -> int:
    """Return the turn of the last hint, -1 for none."""
    turn = view.turn - 1
    while turn >= 0 and event_move(view.history[turn]) < TELL_COLOUR:
        turn -= 1
    return turn


@compiled
def slot_emptied(view: View, seat: int, turn: int) -> int:
    """Return the slot whose card a seat played or discarded in a turn, -1 for none."""
    move = event_move(view.history[turn])
    return slot_of(move) if turn % view.players == seat and move < TELL_COLOUR else -1


@compiled
def card_before(view: View, seat: int, slot: int, turn: int) -> int:
    """Return the card that another player's slot held before a turn, -1 for none."""
    for later in range(turn, view.turn):
        if slot_emptied(view, seat, later) == slot:
            return event_card(view.history[later])
    return view.hands[seat, slot]


@compiled
def recommend(view: View, seat: int, turn: int) -> int:
    """Return the number that a hint in a turn recommends to a seat whose hand I see."""
    playable, played, thrown, last = view.full[0] & rank_set(1), 0, 0, view.hand_size - 1
    for before in range(turn):
        card = event_card(view.history[before])
        if slot_emptied(view, seat, before) >= 0:
            last = slot_emptied(view, seat, before)
        bit = 1 << card if card >= 0 else 0
        if event_fits(view.history[before]):
            played |= bit
            playable ^= bit | bit << 1 & ~rank_set(1) & view.full[0]
        else:
            thrown |= bit
    best, most = last + view.hand_size, 0
    for slot in range(view.hand_size):
        card = card_before(view, seat, slot, turn)
        bit = 1 << card if card >= 0 else 0
        rank, value = card % STRIDE + 1, card % STRIDE * COLOURS + card // STRIDE + 1
        number = slot + view.hand_size
        if bit & playable:
            value, number = 200 if rank == view.ranks else 200 - value, slot
        elif bit & played:
            value += 100
        elif bit & thrown or rank == view.ranks:
            value = 0
        if card >= 0 and value > most:
            best, most = number, value
    return best


@compiled
def all_recommended(view: View, turn: int) -> int:
    """Return the sum of what a hint in a turn recommends to all players but its giver and me."""
    total = 0
    for seat in range(view.players):
        if seat != turn % view.players and seat != view.me:
            total += recommend(view, seat, turn)
    return total


@compiled
def number_told(view: View, turn: int) -> int:
    """Return what a hint of another player in a turn recommends to me.

    That is a slot to play, ``hand_size`` more to discard.
    """
    giver, move = turn % view.players, event_move(view.history[turn])
    told = (target_of(move) - giver) % view.players - 1
    told += view.hand_size if move < TELL_RANK else 0
    return (told - all_recommended(view, turn)) % (2 * view.hand_size)


@compiled
def recommended(view: View) -> int:
    """Return what the last hint recommends to me; -1 if there was none, or it was mine."""
    turn = last_hint(view)
    return number_told(view, turn) if turn >= 0 and turn % view.players != view.me else -1


@rule(plays=(0, 1, 2), lives=(0, 1, 2))
def play_recommended(view: View, plays: float, lives: float) -> int:
    """With more than {lives:#life|lives}, play the card that the last hint recommends me to play,
    if {plays:no card|at most one card|at most two cards} fitted since.
    """
    number, fitted = recommended(view), 0
    for turn in range(last_hint(view) + 1, view.turn):
        fitted += 1 if event_fits(view.history[turn]) else 0
    mine = number >= 0 and view.filled[view.me] >> number & 1 == 1
    return play(number) if mine and view.lives > lives and fitted <= plays else NOTHING


@rule()
def tell_recommended(view: View) -> int:
    """Give the hint whose number recommends a move to every other player (as agreed, it says no
    more).
    """
    if view.tokens == 0 or view.hand_size > view.players - 1:
        return NOTHING  # too few partners for all numbers
    number = all_recommended(view, view.turn) % (2 * view.hand_size)
    seat = seat_after(view, 1 + number % view.hand_size)
    card = view.hands[seat, oldest(view, seat)]
    if number < view.hand_size:
        return tell_rank(seat, card % STRIDE + 1)
    return tell_colour(seat, card // STRIDE)


@rule()
def discard_recommended(view: View) -> int:
    """Discard the card that the last hint recommends me to discard, else my newest one."""
    number = recommended(view) - view.hand_size
    mine = number >= 0 and view.filled[view.me] >> number & 1 == 1
    return discard(number if mine else newest(view, view.me)) if may_discard(view) else NOTHING
