"""Forecast how long matches with look-ahead players take, from their own first games."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

import numpy as np

WORTH_IT = 20  # searched games; fewer are over before a forecast would help
WARM = 1  # place of the times that count; those at 0 include compiling


class Forecast:
    """Seconds that matches still take, estimated from the tasks of them that are done.

    The first tasks are ordered so that every match is timed by one of its tasks. The first task
    of each worker is left out, because it compiles; its time counts only where no other is known.
    The estimate follows every later task, so it adapts to the load of the machine.

    Args:
        games: Games of each match.
        searched: Whether a look-ahead player takes part in each match.
        workers: Number of tasks that run at once.
        foretell: Called once, when the first tasks are done, with the seconds that are left.
    """

    def __init__(
        self,
        games: Sequence[int],
        searched: Sequence[bool],
        workers: int,
        foretell: Callable[[float], None] | None = None,
    ) -> None:
        self.left = np.array(games, np.int64)
        self.searched = np.array(searched, bool)
        self.workers = workers
        self.foretell = foretell
        self.spent = 0.0  # seconds of one core since the forecast
        self._first_tasks = 0  # still to be done before the forecast
        self._games = np.zeros((2, len(games)), np.int64)
        self._seconds = np.zeros((2, len(games)))

    def in_order(self, starts: Sequence[range]) -> Iterator[tuple[int, int]]:
        """Order the tasks of all matches: those that are timed for the forecast come first.

        These are one task of each match, then one per worker of the searched matches, in turn,
        since the first task of each worker does not count.

        Args:
            starts: The first game of each task, by match.

        Returns:
            (match, first game) of each task.
        """
        first = [(match, games[0]) for match, games in enumerate(starts) if games]
        searched = np.flatnonzero(self.searched).tolist()
        second = (
            (match, starts[match][place])
            for place in range(1, self.workers + 1)
            for match in searched
            if place < len(starts[match])
        )
        first += islice(second, self.workers)
        self._first_tasks = len(first)
        taken = Counter(match for match, _ in first)
        rest = (
            (match, start) for match, games in enumerate(starts) for start in games[taken[match] :]
        )
        return chain(first, rest)

    def add(self, match: int, games: int, seconds: float, warm: bool) -> None:
        """Count in a task that is done.

        Args:
            match: Its match.
            games: Its games.
            seconds: The time it took.
            warm: Whether the worker had compiled everything before.
        """
        self._games[int(warm), match] += games
        self._seconds[int(warm), match] += seconds
        self.left[match] -= games
        if self.is_ready:
            self.spent += seconds
            return
        self._first_tasks -= 1
        if self.is_ready and self.foretell and self.left.any():
            self.foretell(self.seconds_left() / self.workers)

    @property
    def is_ready(self) -> bool:
        """Whether the first tasks are done."""
        return self._first_tasks <= 0

    def seconds_left(self) -> float:
        """Return the seconds of one core that the games still to be played take."""
        return float(self.costs() @ self.left)

    def costs(self) -> np.ndarray:
        """Return the seconds per game of each match.

        Where a match has no task that counts, they are the mean of the other matches of its kind,
        else those of its tasks that include compiling.
        """
        timed = self._games > 0
        cold, costs = np.divide(
            self._seconds, self._games, out=np.zeros_like(self._seconds), where=timed
        )
        for kind in (False, True):
            mine = self.searched == kind
            known = mine & timed[WARM]
            costs[mine & ~timed[WARM]] = (
                costs[known].mean() if known.any() else cold[mine & ~timed[WARM]]
            )
        return costs
