"""What all pages of the site share: tables, agents, games, runs and their reports."""

from collections.abc import Sequence
from pathlib import Path

from starlette.exceptions import HTTPException

from hanabi.evolve.pools.partner_menu import THINKERS
from hanabi.evolve.site.game_list import GameList
from hanabi.evolve.site.game_reviews import GameReviews
from hanabi.evolve.site.report_writer import ReportWriter
from hanabi.evolve.site.run_list import RunList
from hanabi.evolve.site.run_starter import RunStarter
from hanabi.evolve.site.tables import OpenTables
from hanabi.evolve.workbench.service import WorkbenchService, WorkerProcess
from hanabi.rules.agents import NAMED

NEWS = 20.0  # seconds that a page waits for news, at most


class SiteContext:
    """What all pages of the site share. Call ``close`` at the end.

    Args:
        tables: The tables of a folder; their threads run what takes time.
        agents: By the name that pages show, the spec of each agent that may be seated.
        news: Seconds that a page waits for news.
        runs: The folder of runs.
        agents_folder: Where agents are saved; ``agents`` in the folder of the tables by default.
        rule_files: Files of user rules. With some, lists are measured in another process, so that
            a file that is saved is read again.
    """

    def __init__(
        self,
        tables: OpenTables,
        agents: dict[str, str] | None = None,
        news: float = NEWS,
        runs: Path = Path("runs"),
        agents_folder: Path | None = None,
        rule_files: Sequence[Path] = (),
    ) -> None:
        self.tables, self.news = tables, news
        self.agents = {name: name for name in NAMED} if agents is None else agents
        self.rule_files = list(rule_files)
        self.agents_folder = agents_folder or tables.folder / "agents"
        self.bench: WorkbenchService | WorkerProcess = (
            WorkerProcess(rule_files) if rule_files else WorkbenchService()
        )
        self.runs = RunList(runs, self.agents)
        self.games = GameList(tables)
        self.reviews = GameReviews(tables)
        self.reports = ReportWriter()
        self.starter = RunStarter(runs)

    @property
    def seated(self) -> dict[str, str]:
        """By name, the spec of each agent that may be seated: some think ahead."""
        return self.agents | {spec: spec for spec in THINKERS}

    def find_agent(self, name: str) -> str:
        """Return the spec of an agent that may be seated. Raises HTTPException 404."""
        self.runs.states()  # adds the winners of runs
        if name not in self.seated:
            raise HTTPException(404, "There is no such agent.")
        return self.seated[name]

    def close(self) -> None:
        """Stop all work and forget all tables."""
        self.bench.close()
        self.reports.close()
        self.reviews.close()
        self.tables.close()
