"""Look-ahead players: they follow a list of rules, and depart where a search finds a better move.

A search plays every candidate out in imagined worlds (race.py). It sees what any player sees; of
the other seats it knows, as all players do, which list each follows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hanabi.agent_kind import AgentKind, Settings, agent_kind, read_pairs
from hanabi.backend import memory_layout
from hanabi.conventions.register import make_plans, seat_players
from hanabi.game import is_legal, new_state
from hanabi.game_loop import Lists, Records
from hanabi.lookahead.belief import BELIEF, fill_belief
from hanabi.lookahead.race import RACE, place_of, prepare, run_race
from hanabi.lookahead.replay import FACTS_DTYPE, OWN_HAND, PARTNER_MOVES
from hanabi.lookahead.rollout import WORLD
from hanabi.lookahead.workspace import (
    ASSUMED,
    FILTER,
    LISTED,
    LITERAL,
    MISFIT,
    MOVES,
    PARTICLES,
    PAST,
    PROPOSALS,
    SETTINGS,
    Workspace,
)
from hanabi.moves import FORFEIT, is_play
from hanabi.player import ListPlayer, Player, decide
from hanabi.rule_dependencies import answers_of
from hanabi.rulebook import ROW, program
from hanabi.state import set_answers
from hanabi.variant import Variant

LEVELS = {"literal": LITERAL, "assumed": ASSUMED, "filter": FILTER}
GAIN_AT_THE_END = 0.05  # points, with an empty deck: partners no longer interpret that move
FEW = 200  # rollouts below which the first look is earlier and a choice needs more certainty
MANY = 10_000  # rollouts from which on candidates are dropped later, and a choice needs less
ALWAYS = 90  # cards in the deck, or more
AHEAD = "ahead"  # first word of the reason of a move that departs from the list


class Numbers(NamedTuple):
    """The settings that depend on the number of players and on who searches; see LookAhead."""

    rollouts: int
    gain: float
    particles: int
    plays: int
    z: float = 2.0

    @property
    def first_look(self) -> int:
        """Worlds before the first candidate may be dropped."""
        return 8 if self.rollouts >= FEW else 6

    @property
    def margin(self) -> float:
        """Standard errors behind the leader at which a candidate is dropped."""
        return 2.5 if self.rollouts >= MANY else 2.0


# With two players a rollout takes a third of the time that it takes with five, so there are more;
# and plays are searched earlier: only one partner can misread a departure.
AT_TWO, AT_MORE = Numbers(4_000, 0.15, 128, 10), Numbers(1_000, 0.3, 48, 2)
# Where one seat alone searches, the others follow their lists, as rollouts take them to do, and no
# search of theirs misreads a departure: small gains count, and plays are searched always.
ALONE = Numbers(40_000, 0.01, 1_024, ALWAYS, 1.0)


def is_alone(search_deck: Sequence[int]) -> bool:
    """Return whether at most one seat searches; ``search_deck`` as for ``LookaheadContext``."""
    return sum(deck >= 0 for deck in search_deck) <= 1


class LookaheadContext:
    """The lists of one table, as all look-ahead seats know them, and a workspace for searches.

    Good in this process, for one thread.

    Args:
        variant: the game.
        company: by seat, the list that is taken to play there.
        search_deck: by seat, most cards in the deck where the seat searches; -1: never.
        play_deck: by seat, most cards in the deck where it searches plays too.
    """

    def __init__(
        self,
        variant: Variant,
        company: Sequence[ListPlayer],
        search_deck: Sequence[int],
        play_deck: Sequence[int],
    ) -> None:
        self.alone = is_alone(search_deck)
        state, now = new_state(variant)
        state.forced = 1
        longest = max(1, *(len(player.rules) for player in company))
        rows = np.zeros((len(company), longest), ROW)
        functions = set()
        for row, player in zip(rows, company):
            row[: len(player.rules)] = program(list(player.rules))
            functions |= {entry.family.function for entry in player.rules}
        set_answers(now, set().union(*map(answers_of, functions)))
        lists = Lists(
            rows,
            np.array([len(player.rules) for player in company], np.int64),
            np.array([player.otherwise == "default" for player in company], np.int64),
            make_plans(list(company), now),
            np.arange(len(company)).reshape(1, -1),
        )
        seat_players(now, lists.plans, lists.seats, 0)
        settings = np.zeros(1, SETTINGS)[0]
        settings.search_deck[:] = -1
        settings.search_deck[: len(company)] = search_deck
        settings.play_deck[: len(company)] = play_deck
        self.work = Workspace(
            settings=settings,
            own=np.zeros(1, OWN_HAND)[0],
            partner_moves=np.zeros(1, PARTNER_MOVES)[0],
            partner_views=np.zeros(PAST, FACTS_DTYPE),
            belief=np.zeros(1, BELIEF)[0],
            world=np.zeros(1, WORLD)[0],
            race=np.zeros(1, RACE)[0],
            scores=np.zeros((MOVES, 1), np.int8),
            records=Records(state, now, memory_layout.copy_of(now)),
            lists=lists,
        )

    def listed(self, view: np.record) -> tuple[int, int]:
        """Return (place, move) of the list of the seat to move."""
        lists, me = self.work.lists, int(view.me)
        place, move = decide(lists.rows, me, lists.lengths[me], lists.otherwise[me], view)
        return int(place), int(move)

    def configure(self, search: "LookAhead", view: np.record) -> None:
        """Copy the settings of a search, for the position of a view, into the workspace."""
        settings, numbers = self.work.settings, search.numbers(int(view.players), self.alone)
        settings.rollouts, settings.first_look = numbers.rollouts, numbers.first_look
        settings.gain = numbers.gain if view.deck else min(numbers.gain, GAIN_AT_THE_END)
        settings.z, settings.margin = numbers.z, numbers.margin
        settings.level = LEVELS[search.belief]
        settings.particles, settings.steps = numbers.particles, search.steps
        # Listing as many hands as would be proposed costs no more, and is exact.
        settings.most_listed = max(LISTED, PROPOSALS * numbers.particles)
        settings.plays = int(view.deck <= numbers.plays)
        slip = search.doubt / 20  # a departure is one of about 20 legal moves
        settings.unit = -math.log(slip / (1 - search.doubt + slip)) / MISFIT
        worlds = numbers.rollouts // 2 + 1
        if self.work.scores.shape[1] < worlds:
            self.work = self.work._replace(scores=np.zeros((MOVES, worlds), np.int8))

    def search(self, search: "LookAhead", view: np.record, listed: int) -> int:
        """Search and return the best move; fall back to ``listed``, the list's move.

        The candidates and their values stay in the workspace.
        """
        self.configure(search, view)
        if not prepare(view, listed, self.work) or fill_belief(self.work) == 0:
            return listed
        return int(run_race(view, self.work))


class SeatedPlayer(Player):
    """A player's object for one game at a seat."""

    player: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.player.name)


@dataclass(frozen=True)
class ListFollower(Player):
    """A player that follows a list, except where its object for a game departs from it.

    Outside of a game it follows its list.
    """

    follows: ListPlayer = field()  # a default would be that of Player
    only_list_questions = True  # reads nothing of a view that its list does not read

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the move of its list, and the rule that makes it."""
        return self.follows.move(view)


@dataclass(frozen=True)
class SelfModelFollower(ListFollower):
    """A follower that takes every seat to play by its own list, whoever is at the table."""

    kind: Any = None
    name: str = field(default="", compare=False)
    contexts: dict = field(default_factory=dict, init=False, compare=False, repr=False)

    def context(self, variant: Variant) -> LookaheadContext:
        """Return the context of a variant."""
        if variant not in self.contexts:
            self.contexts[variant] = context_of(variant, self.follows)
        return self.contexts[variant]


def context_of(variant: Variant, follows: ListPlayer) -> LookaheadContext:
    """Return a context in which every seat plays by one list, and none searches."""
    seats = variant.seats
    return LookaheadContext(variant, [follows] * seats, [-1] * seats, [0] * seats)


@agent_kind("search")
@dataclass(frozen=True)
class LookAhead(Settings, AgentKind):
    """Settings of a search. None means the default for the players and for who else searches.

    Attributes:
        rollouts: games played to their end per searched move, at most; 0: the list decides.
        seats: which seats search: all; of two, the one that moves first (lead); in mirror play,
            one among lists.
        late: most cards in the deck where it searches; None: always.
        gain: points that a move has to bring more than the list's.
        z: standard errors that it has to bring more; by default 3 below 200 rollouts, else 1 from
            10,000 on or where no other seat searches, else 2.
        belief: what my possible hands follow from: hints (literal), what hints have come to mean
            (assumed), or all moves of my partners (filter).
        particles: hands that the filter keeps.
        steps: Metropolis steps of each.
        doubt: share of its moves in which a partner that searches departs from its list.
        plays: most cards in the deck where plays are searched too.
    """

    rollouts: int | None = None
    seats: str = "all"
    late: int | None = None
    gain: float | None = None
    z: float | None = None
    belief: str = "filter"
    particles: int | None = None
    steps: int = 3
    doubt: float = 0.1
    plays: int | None = None

    phrase = "thinks ahead"
    spec_help = "search:SPEC searches, and departs from the list of SPEC"
    example = "late=5"
    wraps_list = True
    choices = {"seats": ("all", "lead", "one"), "belief": ("literal", "assumed", "filter")}
    ranges = {
        "rollouts": (0, 100_000),
        "late": (0, 90),
        "gain": (0, 30),
        "z": (0, 10),
        "particles": (4, PARTICLES),
        "steps": (0, 100),
        "doubt": (1e-6, 0.9),
        "plays": (0, 90),
    }
    real = ("gain", "z", "doubt")

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind does."""
        return (
            f"It thinks ahead ({str(self) or 'as usual'}), "
            "and leaves its list where another move brings more."
        )

    def make_player(self, players: int, name: str, listed: ListPlayer) -> "Searcher":
        """Return the player."""
        return Searcher(listed, self, name)

    @property
    def sits_alone(self) -> bool:
        """Whether in mirror play its lists alone sit at the other seats."""
        return self.seats == "one"

    @property
    def leads(self) -> bool:
        """Whether of two such seats only the first one searches."""
        return self.seats == "lead" and self.search_deck >= 0

    def numbers(self, players: int, alone: bool) -> Numbers:
        """Return the settings for a number of players.

        Args:
            players: seats of the table.
            alone: no other seat searches.
        """
        usual = AT_TWO if players == 2 else AT_MORE
        if alone and self.seats != "all":  # the others were told not to search
            usual = ALONE
        elif alone:  # it departs as easily, with the rollouts of its table
            usual = usual._replace(gain=ALONE.gain, plays=ALONE.plays, z=ALONE.z)
        given = {name: getattr(self, name) for name in usual._fields}
        numbers = usual._replace(**{name: x for name, x in given.items() if x is not None})
        if self.z is None and numbers.rollouts < FEW:
            return numbers._replace(z=3.0)  # the best of the means is far too high
        return numbers._replace(z=1.0) if self.z is None and numbers.rollouts >= MANY else numbers

    @property
    def search_deck(self) -> int:
        """Most cards in the deck where it searches, -1 for never."""
        if self.rollouts == 0:
            return -1
        return ALWAYS if self.late is None else self.late


NO_SEARCH = LookAhead(rollouts=0)
FROM_HINTS = LookAhead(  # for worlds that follow from hints alone
    belief="literal", **AT_MORE._asdict()
)


def read_search(text: str) -> LookAhead:
    """Return the settings ``rollouts=100,late=5``. Raises ValueError, one line, for other text."""
    return LookAhead.from_data(read_pairs(text, "search", LookAhead.example))


@dataclass(frozen=True)
class Searcher(ListFollower):
    """A player that follows a list and searches; a game tells it who is at the table (``join``)."""

    search: LookAhead = field(default_factory=LookAhead)
    name: str = field(default="", compare=False)
    contexts: dict = field(default_factory=dict, init=False, compare=False, repr=False)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> "SeatedSearcher":
        """Return its object for a game among players that it knows by the lists that they follow.

        A player without a known list is taken to follow its own.
        """
        searches = [
            player.search if isinstance(player, Searcher) else NO_SEARCH for player in company
        ]
        searches[seat] = self.search
        if len(company) == 2 and all(search.leads for search in searches):
            searches[1] = NO_SEARCH
        decks = [search.search_deck for search in searches]
        key = variant, *map(id, company), *decks
        if key not in self.contexts:
            alone = is_alone(decks)
            context = LookaheadContext(
                variant,
                [_list_of(player) or self.follows for player in company],
                decks,
                [search.numbers(len(company), alone).plays for search in searches],
            )
            # The company is kept beside it, so that no other player can get the same ids.
            self.contexts[key] = company, context
        return SeatedSearcher(self, self.contexts[key][1], searches[seat])


def _list_of(player):
    """Return the list that a player is or follows, None for neither."""
    return player if isinstance(player, ListPlayer) else player.follows


@dataclass(frozen=True)
class SeatedSearcher(SeatedPlayer):
    """A searcher at a table."""

    player: Searcher
    context: LookaheadContext
    search: LookAhead

    def searches(self, view: np.record, listed: int) -> bool:
        """Return whether it searches in a view, where its list makes the move ``listed``.

        Where that is a play, it searches only with few cards in the deck, or where it searches
        alone: partners that search rely on plays.
        """
        if view.deck > self.search.search_deck:
            return False
        if listed != FORFEIT and not is_legal(view, listed):
            return False  # the table reports what is wrong with the list
        plays = self.search.numbers(int(view.players), self.context.alone).plays
        return not is_play(listed) or bool(view.deck <= plays)

    def move(self, view: np.record) -> tuple[int, str]:
        """Return its move and why: the rule of its list, or the gain over that rule's move."""
        place, listed = self.context.listed(view)
        reason = self.player.follows.reason(place)
        if not self.searches(view, listed):
            return listed, reason
        move = self.context.search(self.search, view, listed)
        if move == listed:
            return listed, reason
        race = self.context.work.race
        chosen = place_of(race, move)
        error = f" ± {race.errors[chosen]:.2f}" if race.errors[chosen] else ""
        return move, f"{AHEAD}: {race.gains[chosen]:+.2f}{error} points over {reason}"
