"""Points of lists on fixed deals, played in blocks and kept, so that any two lists can be paired.

The deals of a purpose follow from the purpose, the player count and the number of the deal. Lists
are scored on other deals than those on which improvements are searched and proved.
"""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hanabi.evolve.analysis.loss_causes import CAUSES, watched
from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.game_sums import points
from hanabi.evolve.measure.paired import Estimate
from hanabi.table import ListPlayer, Table
from hanabi.variant import Variant

BLOCK = 500  # games: 25 ms of one core with conventions, 3 ms without
KEPT = 2_000  # lists whose points are kept: 4 kB each with 4,000 games
PURPOSES = {"score": 20_261_201, "improve": 20_261_202, "prove": 20_261_203}  # seeds of the deals
SCORING = "kept"


@dataclass(slots=True)
class ListScore:
    """What is known of a list at a player count: points by deal, and sums over these deals.

    Attributes:
        fired: int32 (rules + 1,): decisions by place of the rule; the last: ``otherwise``.
        points: int8 (games,), in the order of the deals.
        lost: int32 (2, causes): points lost by cause, in the order of ``CAUSES``, and sums of their
            squares.
        worst: int32 (causes, 2): the deal that lost most by it (-1: none) and how many points.
    """

    fired: np.ndarray
    points: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    lost: np.ndarray = field(default_factory=lambda: np.zeros((2, len(CAUSES)), np.int32))
    worst: np.ndarray = field(default_factory=lambda: np.array([[-1, 0]] * len(CAUSES), np.int32))

    def add(self, games: np.ndarray) -> None:
        """Count in the next games (records of ``watched``)."""
        first = len(self.points)
        some = points(games["score"], games["end"], SCORING).astype(np.int8)
        self.points = np.concatenate([self.points, some])
        self.fired += games["fired"].sum(axis=0)[: len(self.fired)]
        lost = games["lost"]
        self.lost += lost.sum(axis=0), (lost * lost).sum(axis=0)
        for cause in range(len(CAUSES)):
            game = int(lost[:, cause].argmax())
            if lost[game, cause] > self.worst[cause, 1]:
                self.worst[cause] = first + game, lost[game, cause]

    def lost_estimates(self) -> list[Estimate]:
        """Return the points that a game loses by each cause."""
        games = len(self.points)
        if games < 2:
            return [Estimate(None, None)] * len(CAUSES)
        sums, squares = self.lost.astype(float)
        sems = np.sqrt(np.maximum((squares - sums**2 / games) / (games - 1), 0) / games)
        return [Estimate(float(mean), float(sem)) for mean, sem in zip(sums / games, sems)]


def play_block(
    player: ListPlayer, variant: Variant, purpose: str, first: int, games: int
) -> np.ndarray:
    """Play deals first … first + games - 1 of a purpose with copies of a list.

    Returns:
        A record per game (``watched``).

    Raises:
        RuleFailedError: A user rule fails.
    """
    table = Table(variant, [player])
    return watched(table, *deals(PURPOSES[purpose], variant.seats, games, first))


class ListGames:
    """The points of a list on the first deals of a purpose, as far as it has played.

    Args:
        player: The list.
        variant: The variant with its player count.
        purpose: A key of PURPOSES.

    Attributes:
        points: int64 (games,).
    """

    def __init__(self, player: ListPlayer, variant: Variant, purpose: str) -> None:
        self.player, self.variant, self.purpose = player, variant, purpose
        self.points = np.zeros(0, np.int64)

    @cached_property
    def _table(self) -> Table:
        return Table(self.variant, [self.player])

    def play(self, first: int, games: int) -> np.ndarray:
        """Play some deals, and return their points; they are not kept.

        Raises:
            RuleFailedError: A user rule fails.
        """
        return self.play_numbers(np.arange(first, first + games))

    def play_numbers(self, numbers: np.ndarray) -> np.ndarray:
        """Play deals by their numbers in increasing order; return the points."""
        first, count = int(numbers[0]), int(numbers[-1] - numbers[0]) + 1
        dealt = deals(PURPOSES[self.purpose], self.variant.seats, count, first)
        seeds, seats = (some[numbers - first] for some in dealt)
        return self._table.play(seeds, seats)["score"].astype(np.int64)

    def extend(self, games: int) -> Iterator[None]:
        """Play until there are some games; one block per step."""
        while len(self.points) < games:
            count = min(BLOCK, games - len(self.points))
            self.points = np.concatenate([self.points, self.play(len(self.points), count)])
            yield


def find_deal(variant: Variant, seed: int, deals_of_scores: int) -> int | None:
    """Return the number of the deal of the scores with a seed, None if there is none."""
    seeds, _ = deals(PURPOSES["score"], variant.seats, deals_of_scores)
    found = np.flatnonzero(seeds == seed)
    return int(found[0]) if len(found) else None


class ListScores:
    """The scores of the lists that were measured last; for one thread.

    Args:
        kept: How many are kept.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self.scores: OrderedDict[tuple[str, str, int], ListScore] = OrderedDict()

    def find(self, digest: str, variant: Variant) -> ListScore | None:
        """Return what is known of the list with a hash in a variant with a player count."""
        return self.scores.get((digest, str(variant), variant.seats))

    def play(
        self, player: ListPlayer, digest: str, variant: Variant, games: int
    ) -> Iterator[ListScore]:
        """Play a list until it has some games; yield its score after each block.

        Raises:
            RuleFailedError: A user rule fails.
        """
        places = np.zeros(len(player.rules) + 1, np.int32)
        score = self.find(digest, variant) or ListScore(places)
        self.scores[digest, str(variant), variant.seats] = score
        self.scores.move_to_end((digest, str(variant), variant.seats))
        if len(self.scores) > self.kept:
            self.scores.popitem(last=False)
        while len(score.points) < games:
            first = len(score.points)
            score.add(play_block(player, variant, "score", first, min(BLOCK, games - first)))
            yield score
        yield score
