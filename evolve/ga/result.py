"""A run as a value: its settings, its agent and its tables, read from its folder when they are asked for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.run_folder import RunState, read, result, state_of
from hanabi.rules.agents import Agent, load
from hanabi.shell_command import command

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Run:
    """A run and its folder: what ``evolve`` and ``resume`` give, and ``Run("runs/2026-11-20-name")``.

    It stands wherever a path may: ``run / "best.toml"``, ``resume(run)``. As text it is a table: what it scored on the final
    deals, or its last generations where it is not done; in a notebook its charts stand above that. Raises ValueError, one line,
    for a folder that is none of a run, and for a file that the run has not come to.
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
        """What the folder is called."""
        return self.folder.name

    @property
    def config(self) -> Config:
        """What was evolved, and how."""
        return read(self.folder)[0]

    @property
    def state(self) -> RunState:
        """How far it is."""
        return state_of(self.folder)

    @property
    def parts(self) -> list[Run]:
        """The runs inside it, one for each list or reply that was evolved by itself; itself where there is one list."""
        return [Run(self / part) for part in self.config.parts()] or [self]

    @property
    def agent(self) -> Agent:
        """Return the agent it ended with. Load user rules first: ``hanabi.rules.load_rules``."""
        return load(str(self._file("best.toml")))

    @property
    def log(self) -> pd.DataFrame:
        """log.csv, a row per generation: the fitness of the best individual with its standard error, the mean of all with
        its own (over the deals, which are common), the worst, and the best one's points at each player count N; then what
        it is: ``order`` is called ``rules`` where rules come and go, ``conventions`` and ``weights`` are there where there
        are any. Of a run with several lists: the tables of all, one below the other, behind a column ``list``; ``timing``,
        ``race`` and ``changes`` likewise.

        Columns: ``generation``, ``best``, ``best_sem``, ``mean``, ``mean_sem``, ``worst``, ``best_N`` for each player count,
        ``order``, ``conventions``, ``weights``.
        """
        return self._tables("log.csv")

    @property
    def timing(self) -> pd.DataFrame:
        """timing.csv, a row per generation: the seconds that it took, its games, and the workers.

        Columns: ``generation``, ``seconds``, ``games``, ``games_per_second``, ``jobs``.
        """
        return self._tables("timing.csv")

    @property
    def race(self) -> pd.DataFrame:
        """race.csv, a row per finalist, the winner first: the rounds that it played, its games, its mean points with
        their standard error, and what it is, as in ``log``.

        Columns: ``place``, ``rounds``, ``games``, ``mean``, ``sem``, ``order``, ``conventions``, ``weights``.
        """
        return self._tables("race.csv")

    @property
    def finals(self) -> pd.DataFrame:
        """finals.csv, every use of the final deals: a row per player count and one for all ("2-5"), with mean points and
        standard errors under both scorings, and how many games were perfect or forfeited.

        Columns: ``date``, ``agent``, ``hash``, ``variant``, ``mode``, ``players``, ``games``, ``mean_kept``, ``sem_kept``,
        ``mean_zero``, ``sem_zero``, ``perfect_games``, ``forfeited_games``.
        """
        return self._table("finals.csv")

    @property
    def table(self) -> pd.DataFrame:
        """What it scored on the final deals, a row per player count and one for all; the last five rows of the log,
        without genes, where the run is not done.

        Columns: ``players``, ``games``, ``mean_kept``, ``sem_kept``, ``mean_zero``, ``sem_zero``,
        ``perfect_games``, ``forfeited_games``.
        """
        import pandas as pd

        if (self / "result.json").exists():
            rows = result(self.folder)["results"]
            return pd.DataFrame(rows).drop(columns=["variant", "mode"])
        return self.log.drop(
            columns=["order", "rules", "conventions", "weights"], errors="ignore"
        ).tail()

    @property
    def _headline(self):
        state = self.state
        spent = "" if state.games is None else f", {state.games:,} games in {state.seconds:,.0f} s"
        return (
            f"{self.name}: {state.state}, {state.mode}, {state.players} players, generation {state.generation} of "
            f"{state.generations}, seed {state.seed}{spent}"
        )

    def __str__(self) -> str:
        return f"{self._headline}\n{self.table.round(3).to_string(index=False)}"

    def _repr_html_(self) -> str:
        """For a notebook: how fitness rose, the points by number of players once it is done, and the table."""
        from hanabi.evolve.charts import notebook
        from hanabi.evolve.charts.run_charts import RunData, charts_of_run
        from hanabi.evolve.ga.curves import curves_of

        try:
            table, curves, scoring = self.table, curves_of(self), self.config.scoring
        except (
            ValueError,
            LookupError,
        ):  # nothing is written yet, or it is damaged: the headline says so
            return notebook.cell(self._headline, [], "")
        rows = table.to_dict("records") if "players" in table else []
        made = charts_of_run(RunData(scoring, rows, curves))
        return notebook.cell(self._headline, made, table.round(3).to_html(index=False, border=0))

    def _file(self, name):
        if not (self / name).exists():
            raise ValueError(
                f"{self.folder} has no {name} yet: {command('hanabi', 'resume', self.folder)} goes on with it"
            )
        return self / name

    @property
    def changes(self) -> pd.DataFrame:
        """changes.csv of a run that climbs, a row per change that an individual made of itself: the generation, the number of
        the individual in it, what it gained on the deals that decided, with its standard error, their number, the change.

        Columns: ``generation``, ``individual``, ``gain``, ``sem``, ``games``, ``change``.
        """
        return self._tables("changes.csv")

    @property
    def heads(self) -> pd.DataFrame:
        """heads.csv: with which rules the lists of each generation begin, and how many individuals with each; a row each, most first.
        ValueError for a run of before there was such a file.

        Columns: ``generation``, ``rule``, ``individuals``.
        """
        return self._tables("heads.csv")

    def _tables(self, name):
        import pandas as pd

        if not self.config.parts():
            return self._table(name)
        found = {part.name: part._table(name) for part in self.parts if (part / name).exists()}
        if not found:
            self._file(name)
        return pd.concat(found, names=["list"]).reset_index(level=0).reset_index(drop=True)

    def _table(self, name):
        import pandas as pd

        return pd.read_csv(self._file(name), dtype={"order": str, "players": str})
