"""Tournaments and comparisons from a form, one at a time, and their results."""

from collections.abc import Generator
from functools import partial
from typing import Any, NamedTuple

from hanabi.evolve.site.page_registry import (
    SCRIPTS,
    HTTPException,
    ListPage,
    Request,
    Response,
    SiteContext,
    answer_with_file,
    found_or_404,
    get,
    post,
    read_number,
    render_page,
)
from hanabi.evolve.site.tournament_results import (
    COUNTS,
    LETTERS,
    Results,
    cost,
    is_slow,
    make_frame,
    make_sections,
    matchup_game,
    summary_sentence,
)
from hanabi.evolve.workbench.job_queue import Job, JobQueue
from hanabi.evolve.workbench.service import read_whole
from hanabi.notation import SEEDS
from hanabi.shell_command import command

NO_STATE: dict[str, Any] = {  # of a tournament that has not begun
    "running": False,
    "done": 0.0,
    "command": "",
    "error": "",
    "text": "",
    "kept": "",
    "left": None,
}
MODES = ("mirror", "mixed", "cross", "compare")
MOST, GAMES = 12, 20_000  # agents, and games for each player count, that a form may ask for


class TournamentOrder(NamedTuple):
    """What a form asks for. ``agents`` are specs; ``games`` count for each player count."""

    agents: list[str]
    mode: str
    games: int
    seed: int
    title: str

    @property
    def command(self) -> str:
        """The command that plays the same games."""
        words = ["--games", str(self.games), "--seed", str(self.seed)]
        if self.mode == "compare":
            return command("hanabi", "compare", *self.agents, *words)
        return command("hanabi", "tournament", *self.agents, "--mode", self.mode, *words)


class TournamentPages(ListPage):
    """Routes for one tournament or comparison at a time, and for all results.

    The results are kept in ``tournaments`` in the folder of the tables.
    """

    title, path, order = "Tournament", "/tournament", 5
    item_path = "/tournament/{name}"
    template, scripts = "tournament.html.j2", ("signs.js", "tables.js", "tournament.js")
    item_template, item_scripts = "result.html.j2", ("signs.js", "tables.js")

    def __init__(self, site: SiteContext) -> None:
        super().__init__(site)
        self.results = Results(site.tables.folder / "tournaments")
        self.queue = JobQueue()
        self.job: Job | None = None  # the newest

    @property
    def state(self) -> dict[str, Any]:
        """What the page is sent of the newest tournament."""
        return self.job.state | {"running": not self.job.ended} if self.job else NO_STATE

    def close(self) -> None:
        """Stop the games."""
        self.queue.close()

    def find(self, request: Request) -> dict[str, Any]:
        """Return the result of the name in an address. Raises HTTPException 404."""
        try:
            return self.results.read(request.path_params["name"])
        except ValueError:
            raise HTTPException(404, "There is no such result.") from None

    def list_values(self, request: Request) -> dict[str, Any]:
        """Return what the form offers, and the results."""
        return {
            "agents": self.site.seated,
            "is_slow": is_slow,
            "modes": MODES,
            "chosen": request.query_params.getlist("with"),
            "letters": LETTERS,
            "results": self.results.newest(),
        }

    def item_values(self, request: Request) -> dict[str, Any]:
        """Return a result: a sentence, the picture of a matrix, the tables with their errors."""
        found = self.find(request)
        return {
            "result": found,
            "sentence": summary_sentence(found),
            "sections": make_sections(found),
        }

    @get("/tournament/state")
    def progress(self, request: Request) -> dict[str, Any]:
        """How far the tournament is, and the name of its result at the end."""
        return self.state

    @get("/tournament/{name}/game")
    def game(self, request: Request) -> Response:
        """A game of a guest and a host: ``?guest=A&host=B&players=3&deal=0``."""
        found, asked = self.find(request), _asked_game(request)
        return render_page(
            "matchup.html.j2",
            "Tournament",
            (*SCRIPTS, "matchup.js"),
            name=request.path_params["name"],
            result=found,
            counts=COUNTS,
            query=request.url.query,
            **asked,
        )

    @get("/tournament/{name}/game/data", slow=True)
    def game_data(self, request: Request) -> list[dict[str, Any]]:
        """That game as data: it is played again on the deal of the tournament."""
        return [matchup_game(self.find(request), self.site.seated, _asked_game(request))]

    @post("/tournament/cost", slow=True)
    def cost(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """How long agents that think ahead need for what a form asks; each is timed once."""
        order = self._read_order(data)
        return cost(order.agents, order.mode, order.games)

    @get("/tournament/{name}/rows.csv")
    def rows(self, request: Request) -> Response:
        """The rows of a tournament as CSV."""
        found = self.find(request)
        rows = found_or_404(found["rows"], "A comparison has no rows: its text says all.")
        text = make_frame(rows).to_csv(index=False)
        return answer_with_file(text, f"tournament-{request.path_params['name']}.csv", "text/csv")

    @post("/tournament/stop")
    def stop(self, request: Request, data: dict[str, Any]) -> dict[str, str]:
        """Stop the tournament at its next progress call."""
        if self.job is not None:
            self.job.stop()
        return {"line": "Stopping."}

    @post("/tournament")
    async def begin(self, request: Request, data: dict[str, Any]) -> dict[str, str]:
        """Begin the tournament that a form asks for."""
        if self.state["running"]:
            raise HTTPException(409, "One is being played: wait for it, or stop it.")
        order = self._read_order(data)
        self.job = Job("tournament", "", partial(self.play, order))
        self.job.update(**NO_STATE | {"mode": order.mode, "command": order.command})
        self.queue.begin(self.job)
        return {"line": order.command}

    def _read_order(self, data: dict[str, Any]) -> TournamentOrder:
        """Check what a form sent. Raises HTTPException 422."""
        names, mode = data.get("agents"), data.get("mode", "mirror")
        games = read_whole(data, "games", 1, GAMES, default=1_000)
        seed = read_whole(data, "seed", 0, SEEDS - 1, default=0)
        title, agents = data.get("title", ""), self.site.seated
        if (
            not isinstance(names, list)
            or not 1 <= len(names) <= MOST
            or any(name not in agents for name in map(str, names))
        ):
            raise HTTPException(422, f"Choose 1 to {MOST} agents of the list.")
        if mode not in MODES:
            raise HTTPException(422, f"mode should be one of {', '.join(MODES)}.")
        if not isinstance(title, str) or len(title) > LETTERS:
            raise HTTPException(422, f"A name has at most {LETTERS} letters.")
        specs = [agents[name] for name in names]
        return TournamentOrder(specs, mode, games, seed, " ".join(title.split()))

    def play(self, order: TournamentOrder, job: Job) -> Generator[None]:
        """Play the games with one worker, so that tables stay responsive; keep the result."""
        yield
        common: dict[str, Any] = {"seed": order.seed, "jobs": 1}
        values = order._asdict() | {"command": order.command}
        title = values.pop("title")
        if order.mode == "compare":
            from hanabi.evolve.measure.comparison import compare

            most = max(2, order.games)

            def show(comparison: Any) -> None:
                job.progress(min(verdict.games for verdict in comparison.verdicts), most)
                job.update(text=str(comparison))

            values["text"] = str(compare(*order.agents, games=most, progress=show, **common))
            job.update(text=values["text"])
        else:
            from hanabi.evolve.measure.tournament import records, tournament

            result = tournament(
                [*order.agents],
                order.mode,
                games_each=order.games,
                progress=job.progress,
                **common,
            )
            values["rows"] = records(result.rows)
        job.update(kept=self.results.keep(title, values), done=1.0, left=None)


def _asked_game(request: Request) -> dict[str, Any]:
    """The game that an address names: ``guest``, ``host``, ``players`` and ``deal``."""
    asked = request.query_params
    return {
        "guest": asked.get("guest", ""),
        "host": asked.get("host", ""),
        "players": read_number(asked.get("players", "3")),
        "deal": read_number(asked.get("deal", "0")),
    }
