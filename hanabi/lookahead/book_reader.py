"""Players that find out by which book of conventions each partner plays, and play by it.

They are recognisers (partners.py) whose lists are those of the books, one each, with another list
for partners that play by none of them. While more than one list is likely they look for a hint
that means the same in all of these.
"""

from dataclasses import dataclass, field

import numpy as np

from hanabi.game import apply, event_card, event_move, is_legal, is_over
from hanabi.lookahead.look_ahead_player import LookaheadContext
from hanabi.lookahead.partners import Partners, Recogniser, SeatedRecogniser, view_in
from hanabi.moves import (
    COLOUR_NAMES,
    NAMES,
    card_text,
    is_play,
    is_tell,
    target_of,
    told_colour_of,
    told_rank_of,
)

LIKELY = 0.1  # probability from which on a list is likely


@dataclass(frozen=True)
class BookSettings(Partners):
    """How a seat recognises books; agents of a book often depart from the book's list.

    Attributes:
        agreed_hints: 1: of the hints that likely lists give it prefers one that means the same by
            more of them; 0: it follows the likeliest.
    """

    hands: int = 8
    slip: float = 0.2
    outside: float = 0.3
    alike: float = 0.5
    agreed_hints: int = 1

    key = "any_book"
    ranges = Partners.ranges | {"agreed_hints": (0, 1)}


@dataclass(frozen=True)
class BookReader(Recogniser):
    """A recogniser of books: each list has the reply at its place, and the last is for no book."""

    settings: BookSettings = field(default_factory=BookSettings)

    @property
    def seated(self) -> type[SeatedRecogniser]:
        """The class of its object for a game."""
        return SeatedBookReader


class SeatedBookReader(SeatedRecogniser):
    """A reader of books in a game."""

    player: BookReader

    def move(self, view: np.record) -> tuple[int, str]:
        """Return its move and why: the partners' books, and the reason of the list's move."""
        move, reason = super().move(view)
        settings = self.player.settings
        if settings.agreed_hints and settings.search is None and is_tell(move):
            agreed = self._agreed_hint(view, move)
            if agreed != move:
                books = self.replying_searcher(view)[2]
                return agreed, f"{books}: means the same in more of the likely books"
        return move, reason

    def _agreed_hint(self, view, listed):
        """Return the hint of a likely list on whose plays most likely lists agree.

        ``listed``, the hint of the likeliest list, is the first choice.
        """
        player, me = self.player, int(view.me)
        posterior = self.tracker.posterior(player.settings.alike)
        weights = np.delete(posterior, me, axis=0).mean(axis=0)
        likely = [
            (weights[place], player.context(self.variant, [player.replies[place]] * len(posterior)))
            for place in np.argsort(-weights, kind="stable")
            if weights[place] > LIKELY
        ]
        if len(likely) < 2:
            return listed
        moves = [context.listed(view_in(context, view))[1] for _, context in likely]
        hints = dict.fromkeys([listed, *(move for move in moves if is_tell(move))])
        legal = [hint for hint in hints if is_legal(view, hint)]
        return max(legal, key=lambda hint: _agreement(likely, view, hint), default=listed)

    def _taken_for(self, view, posterior, likeliest):
        """Return by other seat its book, the probability of it, and the move that says most."""
        evidence, said = self.tracker.evidence, []
        for seat, (row, best) in enumerate(zip(posterior, likeliest)):
            turns = [turn for turn in evidence if turn % len(posterior) == seat]
            if turns:
                second = np.argsort(row)[-2]
                turn = max(turns, key=lambda turn: evidence[turn][best] - evidence[turn][second])
                did = _said(int(view.history[turn]), int(view.me))
                book = self.player.known[best].name.removeprefix("book:")
                by = f"{NAMES[seat]} plays by {book} with {row[best]:.0%}"
                said.append(f"{by}: {did} on turn {turn}")
        return "; ".join(said) or "no partner has moved"


def _agreement(likely, view, hint):
    """Return the greatest weight of lists which see the same plays, at least one, after a hint."""
    found: dict[tuple, float] = {}
    for weight, context in likely:
        if plays := plays_after(context, view, hint):
            found[plays] = found.get(plays, 0.0) + float(weight)
    return round(max(found.values(), default=0.0), 9)


def _said(event, me):
    """Return in words what a move of another seat was, such as ``told me 5s``."""
    move = event_move(event)
    if not is_tell(move):
        return f"{'played' if is_play(move) else 'discarded'} {card_text(event_card(event))}"
    target, colour = target_of(move), told_colour_of(move)
    what = COLOUR_NAMES[colour] if colour >= 0 else f"{told_rank_of(move)}s"
    return f"told {'me' if target == me else NAMES[target]} {what}"


def plays_after(
    context: LookaheadContext, view: np.record, move: int
) -> tuple[tuple[int, int], ...]:
    """Return (seat, play) of what the others play after a move of the seat, until its next turn.

    They play by the lists of a context, in a dealt world; if one of their cards does not fit, the
    result is empty.
    """
    view_in(context, view)
    state, now, _ = context.work.records
    apply(state, now, move)
    plays = []
    while now.me != view.me and not is_over(now):
        seat, made = int(now.me), context.listed(now)[1]
        if not is_legal(now, made):
            break
        if is_play(made):
            plays.append((seat, made))
        apply(state, now, made)
    return tuple(plays) if now.lives == view.lives else ()
