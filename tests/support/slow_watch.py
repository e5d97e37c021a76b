"""What hanabi.evolve.analysis.loss_causes counts, once more: one game at a time by Table.steps,
with lists of cards instead of bits.
"""

from collections import Counter

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.marks import CONSIDER, read
from hanabi.moves import DISCARD, TELL_COLOUR, slot_of

RANKS, COLOURS = range(1, 6), range(5)
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}


def colour_rank(card):
    return card // 5, card % 5 + 1


def could_be(types):
    """The cards of a set of types."""
    return {colour_rank(card) for card in range(25) if int(types) >> card & 1}


class SlowGame:
    """One game of the standard deck, watched: ``fired``, ``meant`` (counters), ``lost`` (points by
    cause), ``tokens``, ``bare``, ``misplays``.
    """

    def __init__(self, table, seed, seats):
        self.table, self.fired, self.meant, self.lost = table, Counter(), Counter(), Counter()
        self.bare = self.misplays = 0
        self.gone, self.cause = Counter(), {}
        before = 8
        for step in table.steps(seed, seats):
            self.last = step.move
            tokens, lives = int(step.view.tokens), int(step.view.lives)
            if seats[step.seat] == 0:
                self.fired[step.place] += 1
            if step.move >= TELL_COLOUR:
                self.hint(step, seats)
            elif step.move > 0:
                self.reveal(step, before)
            before, self.lives = tokens, lives
        self.tokens, self.score = int(table.view.tokens), sum(map(int, table.view.fireworks))
        self.end()

    def hint(self, step, seats):
        view = step.view
        if seats[step.seat] == 0 and view.lists and view.list_of[step.seat] >= 0:
            view = view.copy()
            read(view, CONSIDER - step.move)
            meaning = int(view.readings[0].meaning)
            self.meant[MAX_CONVENTIONS if meaning < 0 else meaning] += 1

    def reveal(self, step, before):
        view, slot = step.view, slot_of(step.move)
        card = colour_rank(int(step.state.hands[step.seat, slot]))
        fits = step.move < DISCARD and view.fireworks[card[0]] == card[1] - 1
        self.misplays += step.move < DISCARD and not fits
        self.bare += step.move >= DISCARD and view.tokens == 0
        if not fits:
            self.gone[card] += 1
            if self.gone[card] == COPIES[card[1]]:
                touched = bool(view.touched[step.seat] >> slot & 1)
                what = "five" if card[1] == 5 else "untouched"
                self.cause[card] = (
                    "misplayed"
                    if step.move < DISCARD
                    else "touched"
                    if touched
                    else f"{what}, no token"
                    if before == 0
                    else what
                )

    def end(self):
        view, hands = self.table.view, self.table.state.hands
        for colour in COLOURS:
            height = int(view.fireworks[colour])
            for rank in range(height + 1, 6):
                broken = [
                    below
                    for below in range(height + 1, rank + 1)
                    if self.gone[colour, below] == COPIES[below]
                ]
                if broken:
                    self.lost[self.cause[colour, broken[0]]] += 1
                elif view.lives == 0:
                    self.lost["lives"] += 1
                elif self.last < 0:
                    self.lost["forfeit"] += 1
                else:
                    wanted = (colour, height + 1)
                    holders = [
                        (seat, slot)
                        for seat in range(view.players)
                        for slot in range(5)
                        if hands[seat, slot] >= 0 and colour_rank(int(hands[seat, slot])) == wanted
                    ]
                    assert holders
                    self.lost[
                        "known" if any(self.knows(*place) for place in holders) else "unknown"
                    ] += 1

    def knows(self, seat, slot):
        """Is the card in a slot known to fit: by the conventions of its holder, else by hints and
        what the holder sees?
        """
        view, state = self.table.view, self.table.state
        if view.lists and view.list_of[seat] >= 0:
            types = could_be(view.marks[view.list_of[seat]].assumed[seat, slot])
        else:
            seen = Counter(self.gone)
            for other in range(view.players):
                for place in range(5):
                    if other != seat and state.hands[other, place] >= 0:
                        seen[colour_rank(int(state.hands[other, place]))] += 1
            for colour in COLOURS:
                for rank in range(1, int(view.fireworks[colour]) + 1):
                    seen[colour, rank] += 1
            types = {
                card for card in could_be(view.mask[seat, slot]) if seen[card] < COPIES[card[1]]
            }
        return bool(types) and all(view.fireworks[colour] == rank - 1 for colour, rank in types)
