"""Hanabi once more, slow and obvious: lists and dicts, no bit tricks, nothing from hanabi.game.

A card is (colour, rank), colours from 0 and ranks from 1. A move is ("play", slot), ("discard",
slot), ("colour", seat, colour) or ("rank", seat, rank). A held card is a dict: the card, the
colours and the ranks that the hints it got leave possible, whether a hint ever pointed at it, and
its place in the order of drawing.
"""


class SlowGame:
    """One game of a variant, dealt from a deck in the order of drawing."""

    def __init__(self, variant, deck):
        self.players, self.colours, self.ranks, self.copies = (
            variant.players,
            variant.colours,
            variant.ranks,
            variant.copies,
        )
        self.max_tokens, self.last_round = variant.tokens, variant.last_round
        self.stop_when_hopeless, self.colour_token = (
            variant.stop_when_hopeless,
            variant.colour_token,
        )
        self.deck, self.drawn = list(deck), 0
        self.tokens, self.lives = variant.tokens, variant.lives
        self.fireworks = [0] * self.colours
        self.discards, self.history = [], []
        self.mover, self.left = 0, None
        self.hands = [[None] * variant.hand_size for _ in range(self.players)]
        for seat in range(self.players):
            for slot in range(variant.hand_size):
                self.draw(seat, slot)

    def draw(self, seat, slot):
        """Put the next card of the deck into a slot; nothing once the deck is empty."""
        self.hands[seat][slot] = None
        if self.deck:
            self.hands[seat][slot] = {
                "card": self.deck.pop(0),
                "colours": set(range(self.colours)),
                "ranks": set(range(1, self.ranks + 1)),
                "touched": False,
                "born": self.drawn,
            }
            self.drawn += 1

    def score(self):
        """Points on the fireworks."""
        return sum(self.fireworks)

    def types(self):
        """Every card type."""
        return [
            (colour, rank) for colour in range(self.colours) for rank in range(1, self.ranks + 1)
        ]

    def fits(self, card):
        """Would the card fit now?"""
        return self.fireworks[card[0]] == card[1] - 1

    def dead(self, card):
        """Was such a card played?"""
        return self.fireworks[card[0]] >= card[1]

    def copies_left(self, card):
        """Copies that do not lie in the discards."""
        return self.copies[card[1] - 1] - self.discards.count(card)

    def useless(self, card):
        """Can such a card never be played any more?"""
        colour, rank = card
        steps = range(self.fireworks[colour] + 1, rank + 1)
        return self.dead(card) or any(self.copies_left((colour, step)) == 0 for step in steps)

    def over(self):
        """Has the game ended?"""
        if self.lives == 0 or self.score() == self.colours * self.ranks or self.left == 0:
            return True
        return self.stop_when_hopeless and all(self.useless(card) for card in self.types())

    def legal(self):
        """Every legal move of the mover."""
        found = []
        for slot, held in enumerate(self.hands[self.mover]):
            if held:
                found.append(("play", slot))
                if self.tokens < self.max_tokens:
                    found.append(("discard", slot))
        if self.tokens > 0:
            for seat, hand in enumerate(self.hands):
                if seat != self.mover:
                    found += [
                        ("colour", seat, colour)
                        for colour in {held["card"][0] for held in hand if held}
                    ]
                    found += [
                        ("rank", seat, rank) for rank in {held["card"][1] for held in hand if held}
                    ]
        return found

    def apply(self, move):
        """Make a legal move."""
        last_round = self.left is not None
        if move[0] in ("play", "discard"):
            self._reveal(move)
        else:
            self._hint(move)
        if last_round:
            self.left -= 1
        self.mover = (self.mover + 1) % self.players

    def _reveal(self, move):
        kind, slot = move
        card = self.hands[self.mover][slot]["card"]
        fits = kind == "play" and self.fits(card)
        if fits:
            self.fireworks[card[0]] += 1
            if self.colour_token and card[1] == self.ranks and self.tokens < self.max_tokens:
                self.tokens += 1
        else:
            self.discards.append(card)
            if kind == "play":
                self.lives -= 1
            else:
                self.tokens += 1
        self.history.append((move, card, fits))
        cards_before = len(self.deck)
        self.draw(self.mover, slot)
        if cards_before > 0 and len(self.deck) == 0:
            self.left = self.players if self.last_round else 0

    def _hint(self, move):
        kind, seat, what = move
        place, side = (0, "colours") if kind == "colour" else (1, "ranks")
        pointed = []
        for slot, held in enumerate(self.hands[seat]):
            if held is None:
                continue
            if held["card"][place] == what:
                held[side] = {what}
                held["touched"] = True
                pointed.append(slot)
            else:
                held[side] = held[side] - {what}
        self.tokens -= 1
        self.history.append((move, pointed))

    def unseen_by(self, seat):
        """The cards that a seat does not see: its own hand and the deck."""
        return self.deck + [held["card"] for held in self.hands[seat] if held]

    def hidden(self):
        """The cards that do not lie face up: all hands and the deck."""
        return self.deck + [held["card"] for hand in self.hands for held in hand if held]
