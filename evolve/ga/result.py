"""A run as a value: its config, agent and tables, read from its folder on access."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from deap import tools

from hanabi.drawings import draw
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.progress import minutes_text
from hanabi.evolve.ga.run_folder import RunState, read, result, state_of
from hanabi.rules.agents import Agent, load
from hanabi.shell_command import command


@dataclass(frozen=True)
class Run:
    """A run folder, as ``evolve`` and ``resume`` return it; ``Run("runs/2026-11-20-name")``.

    It is a path: ``run / "best.toml"``, ``resume(run)``. As text it is a table of its scores on the
    final deals, or of its last generations if it is not done; notebooks show its charts, too.

    Raises:
        ValueError: The folder is not that of a run, or the run has not written a file yet.
    """

    folder: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", Path(self.folder))
        read(self.folder)

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"

    def __fspath__(self) -> str:
        return os.fspath(self.folder)

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.folder.name

    @property
    def config(self) -> Config:
        """The config."""
        return read(self.folder)[0]

    @property
    def state(self) -> RunState:
        """How far it is."""
        return state_of(self.folder)

    @property
    def parts(self) -> list[Run]:
        """The runs inside it, one for each list or reply; the run itself if there is one list."""
        return [Run(self / part) for part in self.config.part_configs()] or [self]

    @property
    def agent(self) -> Agent:
        """Return the agent it ended with. Load user rules first: ``hanabi.rules.load_rules``."""
        return load(str(self._file("best.toml")))

    @property
    def log(self) -> pd.DataFrame:
        """log.csv, a row per generation.

        All are points per game, ``word_price`` not taken off. ``best``, ``best_sem``: of the best
        individual, its standard error. ``mean``, ``mean_sem``: the mean of all, its standard error
        over the deals (common to all). ``worst``: the lowest. ``individuals``: how many there are.
        ``common``: the mean share of entries that two of them have in common (diversity.py).
        ``best_N``: the best individual's points with N players. ``order`` is called ``rules`` in
        lists of variable length; ``conventions`` and ``weights`` exist if they evolve. With several
        lists, the tables of all with a first column ``list``; so have ``timing``, ``race``,
        ``changes``, ``odds`` and ``first_rules``.

        Columns: ``generation``, ``best``, ``best_sem``, ``mean``, ``mean_sem``, ``worst``,
        ``individuals``, ``common``, ``best_N`` for each player count, ``order``,
        ``conventions``, ``weights``.
        """
        return self._tables("log.csv")

    @property
    def logbook(self) -> tools.Logbook:
        """log.csv as DEAP's Logbook: ``run.logbook.select("generation", "best")``."""
        book, numbers = tools.Logbook(), self.log.select_dtypes("number")
        book.header = list(numbers.columns)
        for row in numbers.to_dict("records"):
            book.record(**{str(key): value for key, value in row.items()})
        return book

    @property
    def timing(self) -> pd.DataFrame:
        """timing.csv, a row per generation: seconds, games, and workers.

        Columns: ``generation``, ``seconds``, ``games``, ``games_per_second``, ``jobs``.
        """
        return self._tables("timing.csv")

    @property
    def race(self) -> pd.DataFrame:
        """race.csv, a row per finalist, the winner first: rounds, games, and mean points.

        Columns: ``place``, ``rounds``, ``games``, ``mean``, ``sem``, ``order``,
        ``conventions``, ``weights``.
        """
        return self._tables("race.csv")

    @property
    def finals(self) -> pd.DataFrame:
        """finals.csv, every use of the final deals: a row per player count and one for all ("2-5").

        Columns: ``date``, ``agent``, ``hash``, ``variant``, ``mode``, ``players``, ``games``,
        ``mean_kept``, ``sem_kept``, ``mean_zero``, ``sem_zero``, ``perfect_games``,
        ``forfeited_games``.
        """
        return self._table("finals.csv")

    @property
    def table(self) -> pd.DataFrame:
        """Its scores on the final deals, a row per player count and one for all.

        If the run is not done: the last five rows of the log, without genes.

        Columns: ``players``, ``games``, ``mean_kept``, ``sem_kept``, ``mean_zero``, ``sem_zero``,
        ``perfect_games``, ``forfeited_games``.
        """
        if (self / "result.json").exists():
            return pd.DataFrame(result(self.folder)["results"]).drop(columns=["variant", "mode"])
        return self.log.drop(
            columns=["order", "rules", "conventions", "weights"], errors="ignore"
        ).tail()

    @property
    def time_limit(self) -> dict[str, Any] | None:
        """``minutes`` and ``generations`` (the last of each list) if its time limit ended it."""
        return result(self.folder).get("time_limit") if (self / "result.json").exists() else None

    @property
    def again(self) -> str:
        """The command that repeats the run bit for bit, without a clock if one ended it."""
        words: list[str | Path] = ["evolve", self / "config.toml"]
        if self.time_limit:
            config = self.config.without_clock(self.time_limit["generations"])
            words += ["--set", "minutes=0", "--set", f"generations={config.search.generations}"]
            if config.parts.part_generations:
                each = ",".join(map(str, config.parts.part_generations))
                words += ["--set", f"part_generations=[{each}]"]
        return command("hanabi", *words)

    @property
    def headline(self) -> str:
        """Its name, state, size and time in one line."""
        state = self.state
        spent = "" if state.games is None else f", {state.games:,} games in {state.seconds:,.0f} s"
        stated = result(self.folder) if (self / "result.json").exists() else {}
        extended = f", extended {stated['extended']}" if "extended" in stated else ""
        if limit := stated.get("time_limit"):
            extended += f", ended by its {minutes_text(limit['minutes'])}"
        return (
            f"{self.name}: {state.state}, {state.mode}, {state.players} players, "
            f"generation {state.generation} of {state.generations}, seed {state.seed}{spent}"
            f"{extended}"
        )

    def __str__(self) -> str:
        return f"{self.headline}\n{self.table.round(3).to_string(index=False)}"

    def _repr_html_(self) -> str:
        """Charts of fitness and of points by number of players, and the table, for notebooks."""
        return draw("run cell", self)

    def _file(self, name):
        if not (self / name).exists():
            raise ValueError(
                f"{self.folder} has no {name} yet: "
                f"{command('hanabi', 'evolve', '--resume', self.folder)} continues it"
            )
        return self / name

    @property
    def changes(self) -> pd.DataFrame:
        """changes.csv of a run with local search, a row per accepted mutation.

        ``individual``: the number of the individual in its generation; ``gain``, ``sem``,
        ``games``: its gain on the deals that decided, the standard error, their number.

        Columns: ``generation``, ``individual``, ``gain``, ``sem``, ``games``, ``change``.
        """
        return self._tables("changes.csv")

    @property
    def odds(self) -> pd.DataFrame:
        """odds.csv of a run with local search, a row per generation and kind of trial.

        ``kind``: a kind of mutation, ``graft`` or ``crossing``. ``odds``: of a mutation, how often
        its kind is drawn when the generation begins. ``trials``, ``accepted``, ``games``: those of
        the generation; a trial of two mutations counts half for each.

        Columns: ``generation``, ``kind``, ``odds``, ``trials``, ``accepted``, ``games``.
        """
        return self._tables("odds.csv")

    @property
    def language(self) -> pd.DataFrame:
        """language.csv of an ordered language, a row per decision about a family of conventions.

        ``turn``: the pass. ``convention``: the setting that was taken, or would have been; it
        brings ``gain`` points per game over ``games`` games, with the standard error ``sem``,
        ``distance`` more than the config asks for. ``taken``: 1 or 0. ``chance``: the chance that
        another run with the same list decides otherwise; it would then take the setting ``other``
        or, if that is empty, reverse ``taken``.

        Columns: ``turn``, ``family``, ``convention``, ``gain``, ``sem``, ``games``, ``distance``,
        ``taken``, ``chance``, ``other``.
        """
        return self._tables("language.csv")

    @property
    def front(self) -> pd.DataFrame:
        """front.csv of a run with ``select = "nsga2"``, a row per list of the front, by words.

        A list has more points than each list with fewer words, in ``games`` fresh games.
        ``sentences``: its rules and conventions; ``words`` of these sentences, which name its file
        in ``front/``. Rules that never decided are left out.

        Columns: ``sentences``, ``words``, ``mean_kept``, ``sem_kept``, ``mean_zero``,
        ``sem_zero``, ``games``, ``rules``, ``conventions``, ``weights``.
        """
        return self._table("front.csv")

    @property
    def first_rules(self) -> pd.DataFrame:
        """first_rules.csv: first rules of the lists of each generation, and how many have each.

        Columns: ``generation``, ``rule``, ``individuals``.
        """
        return self._tables("first_rules.csv")

    def _tables(self, name):
        if not self.config.part_configs():
            return self._table(name)
        found = {part.name: part._table(name) for part in self.parts if (part / name).exists()}
        if not found:
            self._file(name)
        return pd.concat(found, names=["list"]).reset_index(level=0).reset_index(drop=True)

    def _table(self, name):
        return pd.read_csv(self._file(name), dtype={"order": str, "players": str})
