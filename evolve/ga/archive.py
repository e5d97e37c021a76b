"""The archive of MAP-Elites: the best individual of each cell of a space of behaviours."""

import shutil
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.log_writer import cells, columns, line
from hanabi.evolve.ga.run_folder import sealed
from hanabi.evolve.ga.winner import agent_of
from hanabi.files import write_whole
from hanabi.rules import agents
from hanabi.variant import NAME

SAMPLES_PER_CELL = 100  # random points from which the centroids of a CVT follow


class Elite(NamedTuple):
    """An individual of an archive, as it was measured last.

    Attributes:
        individual: The individual.
        points: Mean points per game, by player count.
        behaviour: Its value of each behaviour, from 0 to 1.
        generation: The generation in which it was made.
    """

    individual: Individual
    points: tuple[float, ...]
    behaviour: tuple[float, ...]
    generation: int = 0

    @property
    def score(self) -> float:
        """Mean points over the player counts."""
        return sum(self.points) / len(self.points)

    def data(self) -> list[Any]:
        """Return it as data for JSON; ``of_data`` reads it back."""
        return [self.individual.data(), list(self.points), list(self.behaviour), self.generation]

    @classmethod
    def of_data(cls, data: Sequence[Any]) -> "Elite":
        """Return the elite that ``data`` returned."""
        genome, points, behaviour, generation = data
        return cls(Individual(*genome), tuple(points), tuple(behaviour), generation)


class Grid:
    """Cells of equal size: each behaviour is cut into the same number of parts."""

    def __init__(self, parts: int, dimensions: int) -> None:
        self.parts, self.dimensions = parts, dimensions

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.parts**self.dimensions

    def cell(self, behaviour: Sequence[float]) -> int:
        """Return the number of a cell; the last behaviour counts fastest."""
        return self._number([min(int(value * self.parts), self.parts - 1) for value in behaviour])

    def _number(self, coordinates: Sequence[int]) -> int:
        return int(np.ravel_multi_index(tuple(coordinates), (self.parts,) * self.dimensions))

    def coordinates(self, cell: int) -> tuple[int, ...]:
        """Return the part of each behaviour that a cell is in."""
        return tuple(map(int, np.unravel_index(cell, (self.parts,) * self.dimensions)))

    def neighbours(self, cell: int) -> list[int]:
        """Return the cells that differ by at most one part in each behaviour."""
        around = (
            range(max(part - 1, 0), min(part + 2, self.parts)) for part in self.coordinates(cell)
        )
        return [other for other in map(self._number, product(*around)) if other != cell]

    def name(self, cell: int) -> str:
        """Return the name of a cell: its part of each behaviour, such as ``09-15``."""
        return "-".join(f"{part:02d}" for part in self.coordinates(cell))


class Centroids:
    """Cells of a centroidal Voronoi tessellation (CVT): each is what is nearest to a centroid.

    Attributes:
        points: float64 (cells, behaviours).
    """

    def __init__(self, points: Iterable[Iterable[float]]) -> None:
        self.points = np.array([list(point) for point in points])

    @classmethod
    def drawn(cls, cells: int, dimensions: int, seed: int) -> "Centroids":
        """Return the centroids that follow from a seed, by k-means of uniform random points."""
        from scipy.cluster.vq import kmeans2

        draws = np.random.default_rng(seed)
        samples = draws.random((SAMPLES_PER_CELL * cells, dimensions))
        points, _ = kmeans2(samples, cells, iter=30, minit="points", seed=draws)
        return cls(points.round(6).tolist())

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.points)

    def cell(self, behaviour: Sequence[float]) -> int:
        """Return the number of the nearest centroid; of equals the first."""
        return int(((self.points - np.asarray(behaviour)) ** 2).sum(axis=1).argmin())

    @cached_property
    def _sides(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the neighbours of each cell begin, and the neighbours of all cells."""
        from scipy.spatial import Delaunay

        return Delaunay(self.points).vertex_neighbor_vertices

    def neighbours(self, cell: int) -> list[int]:
        """Return the cells that have a side in common with a cell."""
        cells, dimensions = self.points.shape
        if cells <= dimensions + 1:  # so few all have sides in common
            return [other for other in range(cells) if other != cell]
        begins, neighbours = self._sides
        return sorted(neighbours[begins[cell] : begins[cell + 1]].tolist())

    def name(self, cell: int) -> str:
        """Return the name of a cell: its number."""
        return f"{cell:04d}"


class Archive:
    """Elites by cell.

    Attributes:
        cells: The grid or the tessellation.
        elites: The elite of each filled cell, by the cell's number.
    """

    def __init__(self, cells: Grid | Centroids, elites: dict[int, Elite] | None = None) -> None:
        self.cells, self.elites = cells, dict(elites or {})

    def filled(self) -> list[int]:
        """Return the filled cells in order."""
        return sorted(self.elites)

    def border(self) -> list[int]:
        """Return the filled cells that have an empty neighbour, in order."""
        return [
            cell
            for cell in self.filled()
            if any(other not in self.elites for other in self.cells.neighbours(cell))
        ]

    def challenged(self, children: Iterable[Elite]) -> list[int]:
        """Return the filled cells into which some children fall, in order."""
        return sorted({self.cells.cell(child.behaviour) for child in children} & set(self.elites))

    def put(self, one: Elite) -> bool:
        """Put an individual into its cell if that is empty or its elite is worse."""
        cell = self.cells.cell(one.behaviour)
        better = cell not in self.elites or one.score > self.elites[cell].score
        if better:
            self.elites[cell] = one
        return better

    def summary(self) -> dict[str, float]:
        """Return the statistics of the archive.

        Returns:
            ``cells`` filled, ``coverage`` (their share), ``mean`` and ``best`` score, and
            ``qd_score``, the sum of all scores.
        """
        scores = [one.score for one in self.elites.values()]
        return dict(
            cells=len(scores),
            coverage=len(scores) / self.cells.size,
            mean=sum(scores) / len(scores) if scores else 0.0,
            best=max(scores, default=0.0),
            qd_score=sum(scores),
        )

    def data(self) -> dict[str, Any]:
        """Return it as data for JSON; ``of_data`` reads it back."""
        return {
            "centroids": self.cells.points.tolist() if isinstance(self.cells, Centroids) else [],
            "elites": [[cell, self.elites[cell].data()] for cell in self.filled()],
        }

    @classmethod
    def of_data(cls, data: dict[str, Any], grid: Grid) -> "Archive":
        """Return the archive that ``data`` returned; ``grid`` is used if there are no centroids."""
        cells = Centroids(data["centroids"]) if data["centroids"] else grid
        return cls(cells, {cell: Elite.of_data(elite) for cell, elite in data["elites"]})


ARCHIVE, SUMMARY, ELITES = "archive.csv", "map.json", "elites"


def write_archive(
    folder: Path,
    problem: Problem,
    config: Config,
    archive: Archive,
    fresh: list[Elite],
    corrected: Archive,
) -> dict[str, Any]:
    """Write archive.csv, map.json and an agent file for each elite.

    ``archive.csv`` has a row per elite: ``index`` (number of its cell), ``cell`` (its name),
    ``objective`` and ``measures_0`` … as the search stored them (column names as in
    pyribs), ``corrected_index``, ``corrected_objective``, ``corrected_measures_0`` … and the points
    by player count on fresh deals, ``stays`` (whether it is in its cell on fresh deals), the
    ``generation`` that made it, and its genes.

    Args:
        folder: The run folder.
        problem: What was evolved.
        config: The config of the run.
        archive: The archive as found.
        fresh: Its elites in the order of cells, as they play fresh deals.
        corrected: The archive of these.

    Returns:
        ``cells``, the number of elites, and ``mean``, their mean points on fresh deals.
    """
    rows, stays, texts = [_header(problem, config)], 0, {}
    for cell, now in zip(archive.filled(), fresh):
        name, place = archive.cells.name(cell), archive.cells.cell(now.behaviour)
        stays += place == cell
        shown = now.individual.as_read(config.genome.order_length)
        rows.append(
            [
                cell,
                name,
                *_numbers(archive.elites[cell]),
                place,
                *_numbers(now),
                *(f"{points:.6f}" for points in now.points),
                int(place == cell),
                now.generation,
                *cells(problem, shown),
            ]
        )
        facts = {
            "score": now.score,
            "games": config.map.elite_games * len(config.game.players),
            **dict(zip(config.map.behaviours, now.behaviour)),
        }
        source = "an elite of MAP-Elites, evolved by hanabi"
        agent = agent_of(member_name(folder, name), shown, config, facts, source)
        texts[name] = agents.dumps(agent)
    write_agents(folder / ELITES, texts)
    write_whole(folder / ARCHIVE, b"".join(map(line, rows)))
    of_elites = sum(one.score for one in fresh) / len(fresh)
    found = {
        "behaviours": list(config.map.behaviours),
        "size": archive.cells.size,
        "found": archive.summary(),
        "corrected": corrected.summary(),
        "mean_of_elites": of_elites,
        "stays": stays / len(fresh),
        "elite_games": config.map.elite_games,
    }
    write_whole(folder / SUMMARY, sealed(found))
    return {"cells": len(fresh), "mean": of_elites}


def _header(problem, config):
    numbers = ["objective", *(f"measures_{place}" for place in range(len(config.map.behaviours)))]
    return [
        "index",
        "cell",
        *numbers,
        *(f"corrected_{name}" for name in ["index", *numbers]),
        *(f"points_{players}" for players in config.game.players),
        "stays",
        "generation",
        *columns(problem),
    ]


def _numbers(one):
    return [f"{one.score:.6f}", *(f"{value:.6f}" for value in one.behaviour)]


def member_name(folder: Path, name: str) -> str:
    """Return the name of an agent of a run that has many."""
    return f"{folder.name[: NAME - 1 - len(name)]}-{name}"


def write_agents(folder: Path, texts: dict[str, str]) -> None:
    """Write agent files, by their names without ending, in place of a folder."""
    aside = folder.with_name(f".{folder.name}")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    for name, text in texts.items():
        write_whole(aside / f"{name}.toml", text)
    shutil.rmtree(folder, ignore_errors=True)
    aside.rename(folder)
