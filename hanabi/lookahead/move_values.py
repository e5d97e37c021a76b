"""Values of moves that were made: expected scores after them and after the best other move.

The player's possible hands are sampled from what the player saw. The move that was made and every
other candidate are played out in the same sampled worlds, all seats following their lists. A race
(race.py) finds the best candidate; then the two are measured again in other worlds, because the
winner of a race is overestimated in the worlds in which it won. The hands of those worlds are drawn
anew, too: decks alone do not suffice where the race saw only a few hands.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hanabi.backend import compiled
from hanabi.game import apply, event_fits, is_over, mix
from hanabi.game_loop import choose_from_list
from hanabi.lookahead.belief import fill_belief
from hanabi.lookahead.look_ahead_player import ALWAYS, LookAhead, LookaheadContext
from hanabi.lookahead.race import EXACT, compare, prepare, run_race
from hanabi.lookahead.rollout import begin_world, imagine, pick_hand, play_out
from hanabi.lookahead.workspace import GOLDEN, Workspace, uniform, word_for
from hanabi.moves import COLOURS, NOTHING, SLOTS, is_play
from hanabi.player import ListPlayer
from hanabi.state import View
from hanabi.variant import Variant
from hanabi.view import critical

OF_MEASURES = np.uint64(0x8CB92BA72F3D8DD7)  # random streams apart from those of the race
OF_OTHER_HANDS = np.uint64(0xD1B54A32D192ED03)
OF_REVIEWS = np.uint64(0xA0761D6478BD642F)  # apart from those of a player that searches itself
COLUMNS = len(COLOURS) + 1
REPLY_WORLDS = 32  # worlds in which the next seat's reply to a move is looked up
SIGNIFICANT = 2.0  # standard errors from which a loss counts as one


@dataclass(frozen=True)
class ReviewSettings:
    """How much is computed for each move.

    Attributes:
        rollouts: games played out to find the best candidate, at most.
        worlds: worlds in which the move and the best candidate are then measured.
        hands: hands that those worlds draw from, at most, where not all are listed.
        doubt: share of moves in which a partner that may depart from its list is expected to.
    """

    rollouts: int = 4_000
    worlds: int = 800
    hands: int = 256
    doubt: float = 0.1


class Departures(NamedTuple):
    """When a seat may depart from its list, as all players know.

    Attributes:
        deck: most cards in the deck where it may; -1 for never.
        plays: most cards in the deck where it may play instead, or not play.
    """

    deck: int
    plays: int


AT_ANY_TIME, NEVER = Departures(ALWAYS, ALWAYS), Departures(-1, -1)


class Reply(NamedTuple):
    """What the next seat's list does most often after a move.

    Attributes:
        seat: the next seat.
        move: its move.
        share: of the sampled worlds in which it makes this move.
        fits: share of those in which the played card fits; 0 for other moves.
    """

    seat: int
    move: int
    share: float
    fits: float


class CardChances(NamedTuple):
    """What one of the player's cards is, with the chances that the player has for it."""

    slot: int
    playable: float
    useless: float
    critical: float


@dataclass(frozen=True)
class MoveValue:
    """The value of a move that was made, and of the best candidate.

    Attributes:
        turn: the turn.
        seat: who moved.
        move: the move that was made.
        best: the best candidate, which is ``move`` where none is better.
        value: expected score after the move that was made.
        best_value: expected score after the best candidate.
        loss: points that the move loses against ``best``; 0.0 where they are the same. An estimate,
            which chance can make negative.
        error: standard error of the loss; 0.0 for exact values.
        exact: whether each hand that the player may hold was tried; only with an empty deck.
        candidates: how many moves were compared.
        rollouts: games that were played to their end.
        reply: what the next seat does after the move that was made; None where the game ends.
        best_reply: the same after ``best``.
        cards: chances of the player's cards.
        colour_losses: by colour, how much higher the firework ends after ``best``.
        lives_lost: shares of the games that lose the last life, after ``move`` and after ``best``.
    """

    turn: int
    seat: int
    move: int
    best: int
    value: float
    best_value: float
    loss: float
    error: float
    exact: bool
    candidates: int
    rollouts: int
    reply: Reply | None
    best_reply: Reply | None
    cards: tuple[CardChances, ...]
    colour_losses: tuple[float, ...]
    lives_lost: tuple[float, float]

    @property
    def is_mistake(self) -> bool:
        """Whether the loss is larger than chance explains."""
        return is_significant(self.loss, self.error)

    @property
    def grade(self) -> str:
        """The loss in a word or two: best, mistake, or not told apart from the best move."""
        if self.move == self.best:
            return "best"
        return "mistake" if self.is_mistake else "not told apart"


def is_significant(loss: float, error: float) -> bool:
    """Return whether a loss of points is larger than chance explains."""
    return loss > 0 and loss >= SIGNIFICANT * error


@compiled
def _start_world(view: View, work: Workspace, i: int) -> int:
    """Set up world i of the stream of measures. Returns the row of its hand."""
    word = word_for(view.word, OF_MEASURES) + np.uint64(i) * GOLDEN
    row = pick_hand(work.belief, uniform(word))
    imagine(view, work, row, mix(word))
    return row


@compiled
def _measure(view: View, work: Workspace, rows: np.ndarray, ends: np.ndarray) -> None:
    """Play the candidates of the race out in fresh worlds; none is dropped.

    Args:
        view: what the seat to move sees.
        work: the workspace.
        rows: by world, the row of its hand; filled in.
        ends: by candidate, sums of the heights of the fireworks at the end, and in the last column
            of games that lost the last life; filled in.
    """
    race, worlds = work.race, len(rows)
    state, now, spare = work.records
    for c in range(race.count):
        race.sums[c], race.played[c] = 0.0, worlds
        for column in range(COLUMNS):
            ends[c, column] = 0.0
    for i in range(worlds):
        rows[i] = _start_world(view, work, i)
        for c in range(race.count):
            score = play_out(work.lists, state, now, work.world, spare, race.moves[c])
            work.scores[c, i] = score
            race.sums[c] += score
            for colour in range(view.colours):
                ends[c, colour] += spare.fireworks[colour]
            ends[c, COLUMNS - 1] += spare.lives == 0
    race.rollouts += race.count * worlds


@compiled
def _find_replies(view: View, work: Workspace, move: int, replies: np.ndarray) -> int:
    """Fill rows (move of the next seat, 1 if its card fits) after a move; return their number."""
    state, now, spare = work.records
    found = 0
    for i in range(len(replies)):
        _start_world(view, work, i)
        begin_world(state, now, work.world, spare)
        apply(state, spare, move)
        if is_over(spare):
            continue
        _, reply = choose_from_list(state, spare, work.lists, 0)
        replies[found, 0], replies[found, 1] = reply, 0
        if reply > NOTHING and is_play(reply):
            turn = spare.turn
            apply(state, spare, reply)
            replies[found, 1] = event_fits(spare.history[turn])
        found += 1
    return found


class MoveEvaluator:
    """Evaluates moves of one table, whose seats are taken to play by known lists.

    For one thread.

    Args:
        variant: the game, its players seated.
        company: by seat, the list that the seat is taken to follow from each position on.
        settings: how much is computed.
        departures: by seat, when it may have departed from its list; by default at any time.
    """

    def __init__(
        self,
        variant: Variant,
        company: Sequence[ListPlayer],
        settings: ReviewSettings = ReviewSettings(),
        departures: Sequence[Departures] | None = None,
    ) -> None:
        decks, plays = zip(*(departures or [AT_ANY_TIME] * len(company)))
        self.context = LookaheadContext(variant, company, decks, plays)
        self.settings = settings
        self._ends = np.zeros((2, COLUMNS))
        self._rows = np.zeros(settings.worlds, np.int64)
        self._search = LookAhead(
            rollouts=max(settings.rollouts, 2 * settings.worlds),
            gain=0.0,
            doubt=settings.doubt,
            plays=ALWAYS,
            particles=LookAhead().numbers(len(company), alone=False).particles,
        )

    def evaluate(self, view: np.record, move: int) -> MoveValue:
        """Return the value of a move that the seat to move makes in a view.

        Args:
            view: the view of a table at which ``company`` plays, or a copy of it.
            move: a legal move.

        Raises:
            ValueError: for a seat without cards, which has no hand to sample.
        """
        view, has_choice = self._prepare(view, move)
        work = self.context.work
        race, belief = work.race, work.belief
        is_exact = bool(view.deck == 0 and belief.is_exact and belief.count <= EXACT)
        candidates, best = int(race.count), 0
        if has_choice or is_exact:
            run_race(view, work)
            best = self._find_best(is_exact)
        best_move = int(race.moves[best])
        values = float(race.sums[0]), float(race.sums[best])
        loss, error = values[1] - values[0], 0.0
        measured = self._measure_pair(view, move, best_move)
        if not is_exact:
            values, loss, error = measured
        made, better = self._ends[0], self._ends[int(move != best_move)]
        return MoveValue(
            int(view.turn),
            int(view.me),
            int(move),
            best_move,
            *values,
            loss,
            error,
            is_exact,
            candidates,
            int(race.rollouts),
            self._reply(view, move),
            self._reply(view, best_move),
            self._card_chances(view),
            tuple((better - made)[: int(view.colours)].tolist()),
            (float(made[-1]), float(better[-1])),
        )

    def loss(self, view: np.record, move: int, better: int) -> tuple[float, float]:
        """Return (points that a move loses against another, standard error), both sampled.

        Args:
            view: as for ``evaluate``.
            move: a legal move.
            better: another one.

        Raises:
            ValueError: as for ``evaluate``.
        """
        view, _ = self._prepare(view, move)
        return self._measure_pair(view, move, better)[1:]

    def _prepare(self, view, move):
        """Fill the workspace. Return the view with other worlds, and whether it leaves a choice.

        With the worlds of a search, a review would share the errors of the move that it chose.
        """
        context, view = self.context, view.copy()
        view.word = int(word_for(view.word, OF_REVIEWS)) >> 1
        context.configure(self._search, view)
        work = context.work
        work.settings.rollouts = self.settings.rollouts
        work.settings.gain = 0.0
        has_choice = prepare(view, move, work)
        if fill_belief(work) == 0:
            raise ValueError(f"turn {view.turn}: no hand fits what the player knows")
        return view, has_choice

    def _find_best(self, is_exact):
        """Return the candidate with the highest mean of those that the race left."""
        race, best = self.context.work.race, 0
        for c in range(1, int(race.count)):
            if race.is_alive[c] and race.played[c] >= race.played[best]:
                ahead = race.sums[c] - race.sums[best]
                if not is_exact:  # in the worlds in which both were played
                    ahead = compare(self.context.work, c, best)[0]
                best = c if ahead > 1e-9 else best
        return best

    def _measure_pair(self, view, move, best_move):
        """Return ((value, value of the best), loss, its standard error) in fresh worlds.

        Writes means into the rows of ``_ends``.
        """
        work, worlds = self.context.work, self.settings.worlds
        race = work.race
        is_same = move == best_move
        race.moves[0], race.moves[1] = move, best_move
        race.count = 1 if is_same else 2
        if not work.belief.is_exact:
            self._draw_other_hands(view)
        _measure(view, work, self._rows, self._ends)
        self._ends /= worlds
        value = float(race.sums[0]) / worlds
        if is_same:
            return (value, value), 0.0, 0.0
        return (value, float(race.sums[1]) / worlds), *self._compare_pair()

    def _draw_other_hands(self, view):
        """Fill the belief with hands that do not depend on those of the race."""
        work = self.context.work
        work.settings.particles = self.settings.hands
        work.belief.counter = np.uint64(word_for(view.word, OF_OTHER_HANDS))
        fill_belief(work)

    def _compare_pair(self):
        """Return how much more the second candidate scored than the first, and the standard error.

        Worlds with one hand are no independent sample of hands, so the error is that of the sums
        over the worlds of each hand, where hands are sampled.
        """
        work, worlds = self.context.work, self.settings.worlds
        loss, error = map(float, compare(work, 1, 0))
        if work.belief.is_exact:
            return loss, error
        scores = work.scores[:2, :worlds].astype(float)
        _, hands = np.unique(work.belief.hands[self._rows], axis=0, return_inverse=True)
        sums = np.bincount(hands.ravel(), weights=scores[1] - scores[0] - loss)
        if len(sums) < 2:
            return loss, error
        variance = (sums @ sums) * len(sums) / (len(sums) - 1)
        return loss, max(error, float(variance + 1.0) ** 0.5 / worlds)

    def _reply(self, view, move):
        """Return the most frequent reply to a move."""
        replies = np.zeros((REPLY_WORLDS, 2), np.int64)
        found = int(_find_replies(view, self.context.work, move, replies))
        if not found:
            return None
        made = replies[:found].tolist()
        reply, count = Counter(row[0] for row in made).most_common(1)[0]
        fits = sum(row[1] for row in made if row[0] == reply) / count
        return Reply(int(view.me + 1) % int(view.players), reply, count / found, fits)

    def _card_chances(self, view):
        """Return the chances of each card of the seat to move."""
        belief = self.context.work.belief
        weights = belief.weights[: belief.count] / belief.total
        hands = belief.hands[: belief.count]
        kinds = int(view.playable), int(view.useless), int(critical(view))
        found = []
        for slot in range(SLOTS):
            if int(view.filled[view.me]) >> slot & 1:
                bits = 1 << hands[:, slot]
                found.append(
                    CardChances(
                        slot,
                        *(float(np.clip(weights[bits & kind != 0].sum(), 0, 1)) for kind in kinds),
                    )
                )
        return tuple(found)
