"""What an individual is made of: an order of rules, and, where a config asks for it, conventions and weights.

    order         a permutation of the places in the rule set
    conventions   one gene per convention: (1 on or 0 off, the place of each of its values among the choices); what is
                  switched off keeps its values, silently
    weights       one number per weight that evolves

The order in which conventions speak does not evolve: it is that of the agent one starts from, then of the library.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from deap import base

from hanabi.conventions.register import CONVENTION_FAMILIES, find_convention, in_stages
from hanabi.conventions.weights import WEIGHTS
from hanabi.rule import Rule
from hanabi.table import ListPlayer
from hanabi.variant import nearest


class Fitness(base.Fitness):
    """Mean points; more is better."""
    weights = (1.0,)


class Individual(list):
    """One individual: a permutation of places in the rule set (or the first part of one), convention genes and weights;
    ``fitness`` is invalid until it was evaluated."""

    def __init__(self, order: Iterable[int], conventions: Iterable = (), weights: Iterable[float] = ()) -> None:
        super().__init__(order)
        self.conventions = [tuple(gene) for gene in conventions]
        self.weights = list(weights)
        self.fitness = Fitness()

    def having(self, order: Iterable[int]) -> Individual:
        """The same individual with another order, not evaluated."""
        return Individual(order, self.conventions, self.weights)

    def clone(self) -> Individual:
        """A copy, not evaluated."""
        return self.having(self)


@dataclass(frozen=True)
class ConventionGene:
    """A convention in a genome: the choices of each of its values, and whether it may be switched off."""
    name: str
    values: tuple[tuple[str, tuple[float, ...]], ...]
    switched: bool

    def settings(self) -> list[Rule]:
        """The convention with each of its choices; the place of a gene's choice is ``place``."""
        family = CONVENTION_FAMILIES[self.name]
        return [Rule(family, values) for values in product(*(choices for _, choices in self.values))]

    def place(self, gene: tuple[int, ...]) -> int:
        """The place in ``settings`` of what a gene says."""
        place = 0
        for (_, choices), choice in zip(self.values, gene[1:], strict=True):
            place = place * len(choices) + choice
        return place

    def write(self, entry: Rule | None) -> tuple[int, ...]:
        """The gene of a convention with its values (which must be among the choices); None: off, middle choices."""
        if entry is None:
            return (0, *(len(choices) // 2 for _, choices in self.values))
        return (1, *(choices.index(entry.settings[key]) for key, choices in self.values))


@dataclass(frozen=True)
class GenomeSpec:
    """What a genome has besides its order: conventions and weights; ``held`` are weights that do not evolve."""
    conventions: tuple[ConventionGene, ...] = ()
    weights: tuple[str, ...] = ()
    held: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, conventions: tuple[str, ...], weights: tuple[str, ...], start: list[ListPlayer]) -> GenomeSpec:
        """From config keys and the players one starts from: what does not evolve is as the first of them has it.

        ``conventions``: names, each with values (then only switched) or without (then its values evolve, too), or
        "all"; ``weights``: weights, or "all". Raises ValueError, one line, for what there is not.
        """
        wanted: dict[str, Rule | None] = {}
        for text in conventions:
            for name in CONVENTION_FAMILIES if text == "all" else [text]:
                if "(" not in name and name not in CONVENTION_FAMILIES:
                    near = nearest(name, [*CONVENTION_FAMILIES, "all"])
                    raise ValueError(f"conventions: no convention {name!r}{near}; there are "
                                     f"{', '.join(CONVENTION_FAMILIES)}, and \"all\"")
                entry = find_convention(name) if "(" in name else None
                if name.partition("(")[0] in wanted and text != "all":
                    raise ValueError(f"conventions: {name.partition('(')[0]} is named twice")
                wanted.setdefault(name.partition("(")[0], entry)
        wanted_weights = [name for text in weights for name in (WEIGHTS if text == "all" else [text])]
        for name in wanted_weights:
            if name not in WEIGHTS:
                raise ValueError(f"weights: no weight {name!r}{nearest(name, [*WEIGHTS, 'all'])}; there are "
                                 f"{', '.join(WEIGHTS)}, and \"all\"")
        first = in_stages(start[0].conventions) if start else ()
        genes: list[ConventionGene] = []
        for name in dict.fromkeys([*(entry.family.name for entry in first),
                                   *(name for name in CONVENTION_FAMILIES if name in wanted)]):
            held = [entry for player in start for entry in player.conventions if entry.family.name == name]
            if name not in wanted or wanted[name] is not None:
                held, grid = [wanted.get(name) or held[0]], {}
            else:
                grid = CONVENTION_FAMILIES[name].grid
            genes.append(ConventionGene(name, tuple((key, tuple(sorted({*grid.get(key, ()), *(
                entry.settings[key] for entry in held)}))) for key in CONVENTION_FAMILIES[name].grid), name in wanted))
        evolving = tuple(name for name in WEIGHTS if name in wanted_weights)
        return cls(tuple(genes), evolving, tuple((name, value) for name, value in (start[0].weights if start else ())
                                                 if name not in evolving))

    def write(self, player: ListPlayer) -> tuple[list[tuple[int, ...]], list[float]]:
        """The genes (conventions, weights) of a player, as far as they can say it."""
        held = {entry.family.name: entry for entry in player.conventions}
        genes = []
        for gene in self.conventions:
            entry = held.get(gene.name) if gene.switched else gene.settings()[0]
            if entry is not None and any(entry.settings[key] not in choices for key, choices in gene.values):
                entry = gene.settings()[0]   # the config names one value of it
            genes.append(gene.write(entry))
        return genes, [float(dict(player.weights).get(name, WEIGHTS[name][0])) for name in self.weights]

    def whole(self, genes: Iterable[int]) -> Individual:
        """An individual as it is; a plain order of rules with what is held and no other convention."""
        return genes if isinstance(genes, Individual) else Individual(genes, *self.write(ListPlayer(())))

    def conventions_of(self, individual: Individual) -> tuple[Rule, ...]:
        """The list of conventions that an individual plays by."""
        return tuple(gene.settings()[gene.place(said)]
                     for gene, said in zip(self.conventions, individual.conventions, strict=True) if said[0])

    def weights_of(self, individual: Individual) -> dict[str, float]:
        """The weights of an individual that evolve or are held."""
        mine = dict(self.held) | dict(zip(self.weights, individual.weights, strict=True))
        return {name: mine[name] for name in WEIGHTS if name in mine}

    def key(self, individual: Individual) -> tuple:
        """The same for individuals that have the same conventions and weights, whatever they keep silently."""
        return tuple(entry.name for entry in self.conventions_of(individual)), tuple(individual.weights)

    def columns(self) -> list[str]:
        """The names of the columns of ``cells``: those of a genome of this kind."""
        return ["order", *(["conventions"] if self.conventions else []), *(["weights"] if self.weights else [])]

    def cells(self, individual: Individual) -> list[str]:
        """A genome as text: ``7 0 3``, ``1:2:0 0:1``, ``14.3 4``; reads back with ``read``."""
        return [" ".join(map(str, individual)), *([" ".join(":".join(map(str, gene)) for gene in individual.conventions)]
                                             if self.conventions else []),
                *([" ".join(map(repr, individual.weights))] if self.weights else [])]

    def read(self, cells: Iterable[str]) -> Individual:
        """The individual that ``cells`` wrote. Raises ValueError for other text."""
        said = dict(zip(self.columns(), cells, strict=True))
        return Individual(map(int, said["order"].split()),
                     [tuple(map(int, gene.split(":"))) for gene in said.get("conventions", "").split()],
                     map(float, said.get("weights", "").split()))
