"""The observations of the Hanabi Learning Environment, as far as ``act`` of a written agent asks
them, made from one of our games.

Written from the environment's own description (pyhanabi.py): hands from the oldest card on, players
by how many seats on they sit, the last moves from the newest back to the observer's own, colours R
Y G W B.
"""

from types import SimpleNamespace as Thing

from hanabi.game import event_card, event_fits, event_move, event_slots
from hanabi.moves import COLOURS, is_play, is_tell, slot_of, target_of, told_colour_of, told_rank_of

THEIRS = "RYGWB"


def by_age(view, seat):
    """The slots of a seat that hold a card, oldest first."""
    return sorted(
        (slot for slot in range(5) if view.filled[seat] >> slot & 1),
        key=lambda slot: view.born[seat, slot],
    )


def card(number):
    """A card as a dict."""
    return {"color": COLOURS[number // 5], "rank": number % 5}


class Watcher:
    """Sees a game turn by turn and says what the seat to move observes."""

    def __init__(self, players):
        self.items, self.players = [], players  # (seat, what the environment says of a move)

    def saw(self, view, after):
        """Take in a move: the views before and after it."""
        event, seat, me = int(after.history[view.turn]), int(view.me), int(view.me)
        move, number = event_move(event), event_card(event)
        if is_tell(move):
            seat, colour = int(target_of(move)), int(told_colour_of(move))
            ages, offset = by_age(view, seat), (seat - me) % self.players
            kind = "REVEAL_COLOR" if colour >= 0 else "REVEAL_RANK"
            made = Thing(
                type=lambda: Thing(name=kind),
                target_offset=lambda: offset,
                color=lambda: THEIRS.index(COLOURS[colour]),
                rank=lambda: int(told_rank_of(move)) - 1,
            )
            pointed = [place for place, slot in enumerate(ages) if event_slots(event) >> slot & 1]
            item = dict(card_info_revealed=lambda: pointed)
        else:
            kind, place = (
                "PLAY" if is_play(move) else "DISCARD",
                by_age(view, me).index(int(slot_of(move))),
            )
            made = Thing(type=lambda: Thing(name=kind), card_index=lambda: place)
            item = dict(
                color=lambda: THEIRS.index(COLOURS[int(number) // 5]),
                rank=lambda: int(number) % 5,
                scored=lambda: bool(event_fits(event)),
            )
        self.items.append((me, made, item))
        if view.deck > after.deck:
            self.items.append((-1, Thing(type=lambda: Thing(name="DEAL")), {}))

    def observation(self, state, view, discards):
        """What the seat to move observes."""
        me, seen = int(view.me), []
        for seat, made, item in reversed(self.items):
            offset = (seat - me) % self.players if seat >= 0 else -1
            seen.append(
                Thing(move=lambda made=made: made, player=lambda offset=offset: offset, **item)
            )
            if seat == me:
                break
        hands, known = [], []
        for seat in ((me + offset) % self.players for offset in range(self.players)):
            slots = by_age(view, seat)
            hands.append(
                [
                    (
                        {"color": None, "rank": -1}
                        if seat == me
                        else card(int(state.hands[seat, slot]))
                    )
                    for slot in slots
                ]
            )
            known.append(
                [
                    _knowledge(int(view.mask[seat, slot]), view.touched[seat] >> slot & 1)
                    for slot in slots
                ]
            )
        return {
            "current_player": me,
            "current_player_offset": 0,
            "num_players": self.players,
            "life_tokens": int(view.lives),
            "information_tokens": int(view.tokens),
            "deck_size": int(view.deck),
            "observed_hands": hands,
            "fireworks": {letter: int(view.fireworks[COLOURS.index(letter)]) for letter in THEIRS},
            "discard_pile": [card(number) for number in discards],
            "pyhanabi": Thing(last_moves=lambda: seen, card_knowledge=lambda: known),
        }


def _knowledge(mask, touched):
    colours = {number // 5 for number in range(25) if mask >> number & 1}
    ranks = {number % 5 for number in range(25) if mask >> number & 1}
    return Thing(
        color_plausible=lambda colour: COLOURS.index(THEIRS[colour]) in colours,
        rank_plausible=lambda rank: rank in ranks,
        color=lambda: 0 if touched else None,
        rank=lambda: None,
    )
