"""Which individuals of a generation improve by local search, and in how many games.

1. The children of two parents share a few games first (``child_share``).
2. Each then plays paired games with the better one of its parents. One that wins takes the place
   before that parent.
3. The other games are for the best in this order, in equal shares: all at first, half of them after
   each halving, in the end one. The others are donors: they may be parents and mates.
"""

from dataclasses import dataclass

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.lineage import parents_of
from hanabi.evolve.ga.local_search import LocalSearchResult, climb, climb_together, is_better
from hanabi.evolve.ga.reproduction import halved_size
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.measure.arena import derive


@dataclass(frozen=True)
class Budget:
    """Shares the games of a generation's local search out.

    Attributes:
        evaluator: Plays the games.
        config: Its section ``local_search`` says how many games there are.
        space: What individuals may be made of.
        generation: The number of the generation.
    """

    evaluator: Evaluator
    config: Config
    space: SearchSpace
    generation: int

    def spend(
        self, population: list[Individual], before: list[Individual]
    ) -> list[LocalSearchResult]:
        """Return the result of the local search of each individual.

        Args:
            population: The individuals. Those that were kept come first, best first.
            before: The generation that they were made of, evaluated.
        """
        found = [LocalSearchResult(one) for one in population]
        order = [*range(len(found))]
        if self.config.schedule.crossed_share:
            parents = {
                place: max((before[number] for number in numbers), key=lambda one: one.fitness)
                for place, numbers in enumerate(parents_of(one.born) for one in population)
                if len(numbers) == 2
            }
            kept = [place for place in order if place not in parents]
            order = self._with_winners(found, population, parents, kept)
        left = self.config.local_search.local_search_games - sum(one.games for one in found)
        self._climb("climb", found, order[: halved_size(self.config, self.generation)], left)
        return found

    def _with_winners(self, found, population, parents, order):
        """Improve the children a little. Return the places of ``order`` and of those that win.

        Args:
            found: The results for all individuals; those of the children change.
            population: The individuals before any local search.
            parents: The better parent of each child, by the child's place.
            order: The places of all others, best first.
        """
        search, order = self.config.local_search, list(order)
        if parents:
            games = int(search.child_share * search.local_search_games)
            self._climb("child", found, [*parents], games)
        for place, parent in parents.items():
            seed = derive(self.config.search.seed, "proof", self.generation, place)
            child = found[place].individual
            wins, games = is_better(self.evaluator, child, parent, seed, self.config)
            found[place].games += games
            if wins:
                behind = [at for at, other in enumerate(order) if population[other] == parent]
                order.insert(behind[0] if behind else len(order), place)
        return order

    def _climb(self, what, found, places, games):
        """Add local searches of the individuals at some places to their results."""
        now = [one.individual for one in found]
        climbs = [
            climb(
                now[place],
                self.space,
                [mate for mate in now if mate is not now[place]],
                derive(self.config.search.seed, what, self.generation, place),
                games // len(places),
                self.config,
            )
            for place in places
        ]
        for place, one in zip(places, climb_together(self.evaluator, climbs)):
            found[place] = found[place].then(one)
