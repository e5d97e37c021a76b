"""The list of games, a game in the viewer, the form that lays a table, and the page of a seat.

From any turn of a game in the viewer one may play on.

Reviews, too: that of a game that is over is begun in the background, then shown; also from a seat.
"""

import hashlib
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from hanabi.evolve.lessons.agent_lessons import is_taught
from hanabi.evolve.lessons.game_review import deal_sentences
from hanabi.evolve.pools.partner_menu import CARDS, DEFAULT, seat_choice
from hanabi.evolve.reports.review_page import review_parts
from hanabi.evolve.site import table_actions
from hanabi.evolve.site.game_list import LETTERS, LISTS, mean_points, page_data, page_title
from hanabi.evolve.site.move_preview import advice, adviser
from hanabi.evolve.site.page_registry import (
    REVIEW_SCRIPTS,
    SCRIPTS,
    TABLE_SCRIPTS,
    HTTPException,
    ListPage,
    Page,
    Request,
    Response,
    SiteContext,
    data_text,
    found_or_404,
    get,
    post,
    read_number,
    render_page,
    wait_for_news,
)
from hanabi.evolve.site.pages.agents import load_kept
from hanabi.evolve.site.play_table import (
    LEVELS,
    PERSON,
    WATCHING,
    PlayTable,
    new_game,
)
from hanabi.evolve.site.seat_view import SPECTATOR, SeatViews
from hanabi.evolve.site.tables import SEAT, WATCH, deal_again, new_file
from hanabi.evolve.workbench.service import NAME, read_page_variant, read_whole
from hanabi.files import make_folder, write_whole
from hanabi.game_record import Game
from hanabi.moves import NAMES
from hanabi.positions.position import Position
from hanabi.rules.user_rules import load_rules
from hanabi.state import HISTORY
from hanabi.variant import NAMED as VARIANTS, shown

ON_SCRIPTS = ("lay-table.js", "game.js")  # of the form that plays on


class GamesPages(ListPage):
    """Routes that list, keep and show games: the list with the form that takes one, the viewer."""

    title, path, order = "Games", "/games", 6
    item_path = "/games/{name}"
    template, scripts = "games.html.j2", ("signs.js", "tables.js", "bring.js")
    item_template, item_scripts = "game.html.j2", (*SCRIPTS, *ON_SCRIPTS)

    def list_values(self, request: Request) -> dict[str, Any]:
        """Return all games and their mean points."""
        games = self.site.games.newest()
        return {"games": games, "means": mean_points(games), "names": NAMES, "letters": LETTERS}

    def item_values(self, request: Request) -> dict[str, Any]:
        """Return what the viewer and the form that plays on show of a game."""
        item = open_game(self.site, request.path_params["name"])
        players = [
            agent if isinstance(agent, str) else agent.name for agent in item.agents if agent
        ]
        return {
            "title": page_title(item),
            "seats": list(enumerate(NAMES[: item.variant.seats])),
            "agents": list(self.site.agents),
            "usual": next((agent for agent in players if agent in self.site.agents), DEFAULT),
        }

    @post("/games")
    def keep(self, request: Request, data: dict[str, Any]) -> dict[str, str]:
        """Keep the game that a text holds; the answer holds its link."""
        return {"link": f"/games/{self.site.games.keep(data.get('text'))}"}

    @get("/games/{name}/data")
    def data(self, request: Request) -> list[dict[str, Any]]:
        """A game as data."""
        return [page_data(open_game(self.site, request.path_params["name"]))]


def open_game(site: SiteContext, name: str) -> Game | PlayTable:
    """Return the game of a name. Raises HTTPException 404 if it may not be seen."""
    with suppress(ValueError):
        return site.games.open(name)
    raise HTTPException(404, "There is no such game that is over.")


PATHS = ("/games/{name}/review", f"{SEAT}/review")
LOOK = 0.05  # seconds between two looks at a job


class Asked(NamedTuple):
    """What a request asks for.

    Attributes:
        game: The game.
        by: The agent of ``?by=``, or "".
        name: The name of the game.
        people: The seats of people at a table; None for a game from elsewhere.
    """

    game: Game
    by: str
    name: str
    people: list[int] | None


class ReviewPages(Page):
    """Routes of reviews: of a game by its name, and of the game at a seat by its link."""

    @get(*PATHS)
    async def review(self, request: Request) -> Response:
        """The review, or the page that waits for it; ``?by=AGENT``: all seats follow that agent."""
        asked = await self._asked(request)
        game, by = asked.game, asked.by
        run = self.site.tables.run
        review = await run(self.site.reviews.find, game, self._spec(by), asked.people)
        parts = await run(review_parts, review) if review else None
        inside = request.state.inside
        return render_page(
            "review.html.j2",
            "Games" if inside else "",
            (*REVIEW_SCRIPTS, "what-if.js", "review.js", *(ON_SCRIPTS if parts and inside else ())),
            name=asked.name,
            title=page_title(game),
            by=by,
            review=parts,
            games=data_text(parts.games) if parts else "",
            inside=inside,
            seats=list(enumerate(NAMES[: game.variant.seats])),
            agents=list(self.site.agents),
            usual=next((agent for agent in game.agents if agent in self.site.agents), DEFAULT),
        )

    @post(*(f"{path}/begin" for path in PATHS), status=202)
    async def begin(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Begin the review, unless it has begun or is kept; the answer holds its state."""
        asked, reviews = await self._asked(request, str(data.get("by") or "")), self.site.reviews
        wanted, run = (asked.game, self._spec(asked.by), asked.people), self.site.tables.run
        if await run(reviews.find, *wanted):
            return {"ended": True, "kept": True}
        return (await run(reviews.begin, *wanted)).data()

    @post(*(f"{path}/moves" for path in PATHS), status=202)
    async def moves(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Begin to play each legal move of ``turn`` on; the answer holds the state of the job."""
        asked = await self._asked(request, str(data.get("by") or ""))
        turn = read_whole(data, "turn", 0, HISTORY, default=-1)
        wanted = asked.game, turn, self._spec(asked.by), asked.people
        return (await self.site.tables.run(self.site.reviews.begin_other_moves, *wanted)).data()

    @get(*(f"{path}/state" for path in PATHS))
    async def state(self, request: Request) -> dict[str, Any]:
        """The state of the review ``?job=`` once it is newer than ``?version=``."""
        await self._asked(request)
        job = found_or_404(
            self.site.reviews.queue.find(request.query_params.get("job", "")),
            "This review has stopped: open the page again.",
        )
        known = request.query_params.get("version", "")

        async def look() -> dict[str, Any]:
            return job.data()

        return await wait_for_news(
            request,
            look,
            lambda found: str(found["version"]) != known or found["ended"],
            self.site.news,
            LOOK,
        )

    def _spec(self, by: str) -> str | None:
        return self.site.agents[by] if by else None

    async def _asked(self, request: Request, by: str | None = None) -> Asked:
        """Return what a request asks for.

        Raises:
            HTTPException: 404 for a game that is not over, or that has no deal; 422 for an agent.
        """
        given, tables = request.path_params, self.site.tables
        by = request.query_params.get("by", "") if by is None else by
        if by and by not in self.site.agents:
            raise HTTPException(422, f"No agent {shown(by)} is here: choose one of the list.")
        if "proof" in given:
            await tables.enter(given)
        found = await tables.run(open_game, self.site, given["name"])
        if isinstance(found, Game):
            return Asked(found, by, given["name"], None)
        if isinstance(found.start, Position):
            raise HTTPException(
                404, "This game began from a position without its moves: it has no review."
            )
        return Asked(found.game, by, given["name"], found.people)


MOST_SEED = (1 << 53) - 1  # exact in a browser
FORM_SCRIPTS = ("signs.js", "lay-table.js", "seats.js", "home.js")


class PlayPages(Page):
    """Routes that lay a table and play at it."""

    title, path, order = "Play", "/play", 1

    @get("/play")
    async def form(self, request: Request) -> Response:
        """The form that lays a table."""
        await self.site.tables.run(self.site.runs.states)
        chosen = request.query_params.get("with", DEFAULT)
        return render_page(
            "home.html.j2",
            "Play",
            FORM_SCRIPTS,
            partners=await self.site.tables.run(self.partners, chosen),
            variants=list(VARIANTS),
            chosen=chosen,
        )

    def partners(self, chosen: str) -> list[dict[str, Any]]:
        """Return what the form says of each agent: CARDS and the chosen one first."""
        seated = self.site.seated
        cards = {name: seated[name] for name in (*CARDS, chosen) if name in seated}
        return [_choice(name, spec, name in cards) for name, spec in (cards | seated).items()]

    @post("/tables")
    async def open_table(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Lay a table; the answer holds the links of its seats."""
        return await self._open(lambda: self.create_table(data))

    @post(f"{SEAT}/again")
    async def play_again(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Create a new table for the same players after a game; the answer has its links."""
        if not request.state.inside:
            raise HTTPException(403, "This needs the link with the token that was printed.")
        open_table, _ = await self.site.tables.enter(request.path_params)
        folder = self.site.tables.folder
        return await self._open(lambda: deal_again(open_table.table, data.get("deal"), folder))

    async def _open(self, create: Callable[[], PlayTable]) -> dict[str, Any]:
        """Open the table that a function returns, in a thread: it may have to be compiled."""
        tables = self.site.tables
        views = await tables.run(lambda: SeatViews(create()))
        return {"links": tables.links(tables.add(views).table)}

    def create_table(self, data: dict[str, Any]) -> PlayTable:
        """Return the new table that a form asks for, with its file.

        Args:
            data: ``seats``, each the name of an agent, "person", or a list of the workbench as
                ``{"list": list, "name": name}``; and either ``variant`` and ``seed``, or
                ``position``, a text, or ``game`` and ``turn``, from which to play on.

        Raises:
            ValueError: There is no such table. One line.
        """
        seats = data.get("seats")
        if (
            not isinstance(seats, list)
            or not 2 <= len(seats) <= 5
            or not all(isinstance(seat, str | dict) for seat in seats)
        ):
            raise ValueError("Two to five seats are needed, each a name or a list.")
        if PERSON not in seats:
            raise ValueError("Nobody plays: seat a person.")
        table = PlayTable(
            [self._spec_of(seat, len(seats)) for seat in seats],
            self._start(data),
            new_file(self.site.tables.folder),
        )
        table.save()
        return table

    def _spec_of(self, seat: str | dict[str, Any], players: int) -> str:
        """Return the spec of a seat; a list is written to a file, for the table is opened again."""
        if isinstance(seat, str):
            known = self.site.seated | {PERSON: PERSON}
            if seat not in known:
                raise ValueError(f"No agent {shown(seat)} sits here: choose one of the list.")
            return known[seat]
        name = seat.get("name", "list")
        if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= NAME:
            raise ValueError(f"The name of a list is one line of up to {NAME} letters.")
        for file in self.site.rule_files:
            load_rules(file)  # raises, if it was edited since the site began
        text = self.site.bench.call("list_text", name, seat.get("list"), players)["text"]
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        path = make_folder(self.site.tables.folder / LISTS) / f"{digest}.toml"
        write_whole(path, text)
        return str(path)

    def _start(self, data: dict[str, Any]) -> Game | Position:
        """Return the deal, the game so far or the position that a form asks for."""
        if "game" in data:
            return self.site.games.start_at(data["game"], data.get("turn"))
        if position := data.get("position"):
            return Position.read(str(position))
        seed = read_whole(data, "seed", 0, MOST_SEED, default=secrets.randbelow(1 << 32))
        variant = read_page_variant(data.get("variant", "standard"))
        return new_game(variant, len(data["seats"]), seed)

    @get(SEAT)
    async def seat(self, request: Request) -> Response:
        """The page of a seat; it holds nothing of the game, which its script fetches."""
        found, _ = await self.site.tables.enter(request.path_params)
        table = found.table
        taught = (agent.name for agent in table.agents if agent and is_taught(agent))
        players = {"agent": next(taught, ""), "players": len(table.specs)}
        teaches = f"{request.url.path}/teach?{urlencode(players)}" if players["agent"] else ""
        return render_page(
            "play.html.j2",
            "Play" if request.state.inside else "",
            (*SCRIPTS, *TABLE_SCRIPTS),
            levels=list(enumerate(LEVELS)),
            teaches=teaches,
            watching=WATCHING if request.state.inside else (),
            agents=list(self.site.agents),
        )

    @get(f"{SEAT}/state")
    async def state(self, request: Request) -> dict[str, Any]:
        """The table as a seat sees it: at once, or when it is newer than ``?version=``."""
        open_table, seat = await self.site.tables.enter(request.path_params)
        version, *known = read_known(request)
        await open_table.wait(seat, version, self.site.news)
        inside, tables = request.state.inside, self.site.tables
        page = {
            "inside": inside,
            "game_page": f"/games/{request.path_params['name']}",
            "game_link": tables.game_link(open_table.table),
            "watch_link": tables.watch_link(open_table.table) if inside else "",
        }
        return await open_table.state_for(seat, known) | page

    @post(SEAT + "/{action}")
    async def act(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Do what a person at a seat asks for: one of ACTIONS, or a question of QUESTIONS."""
        open_table, seat = await self.site.tables.enter(request.path_params)
        name = request.path_params["action"]
        action = found_or_404(
            (ACTIONS | QUESTIONS).get(name), "There is nothing of this kind to do."
        )
        if name == "watching" and not request.state.inside:
            raise HTTPException(403, "Whoever runs the site decides what spectators see.")
        if name == "advice":
            data["agents"] = self.site.agents
        answer = await open_table.do(partial(action, seat, data), changes=name in ACTIONS)
        return answer if isinstance(answer, dict) else {"line": answer or ""}


def read_known(request: Request) -> list[int]:
    """Return what a page has: the version of the table, ``begun`` and the number of turns."""
    asked = request.query_params
    return [read_number(asked.get(key, "0")) for key in ("version", "begun", "turns")]


class WatchPages(Page):
    """Routes of spectators; nothing that is sent here changes a table."""

    @get(WATCH)
    async def page(self, request: Request) -> Response:
        """The page; it holds nothing of the game, which its script fetches."""
        await self.site.tables.watch(request.path_params)
        return render_page(
            "watch.html.j2",
            "Games" if request.state.inside else "",
            (*SCRIPTS, "table-motion.js", "watch.js"),
        )

    @get(f"{WATCH}/state")
    async def state(self, request: Request) -> dict[str, Any]:
        """The table as spectators see it: at once, or when it is newer than ``?version=``."""
        open_table = await self.site.tables.watch(request.path_params)
        version, *known = read_known(request)
        await open_table.wait(SPECTATOR, version, self.site.news)
        await self.site.tables.watch(request.path_params)  # the link may have ended meanwhile
        return await open_table.state_for(SPECTATOR, known)

    @get(f"{WATCH}/data")
    async def data(self, request: Request) -> list[dict[str, Any]]:
        """A game that is over, as data of the viewer."""
        await self.site.tables.watch(request.path_params)
        name, run = request.path_params["name"], self.site.tables.run
        # raises ValueError while the game is played
        return [await run(page_data, await run(self.site.games.open, name))]


def _choice(name: str, spec: str, shown: bool) -> dict[str, Any]:
    """Return what the form says of an agent."""
    agent = None
    with suppress(ValueError):
        agent = load_kept(spec)
    return seat_choice(name, agent, shown) | {"taught": agent is not None and is_taught(agent)}


def _set_watching(seat: int, data: dict[str, Any], table: PlayTable) -> None:
    table.set_watching(str(data.get("what", "")))
    table.replay()  # what spectators have seen so far changes


def _advise(seat: int, data: dict[str, Any], table: PlayTable) -> str:
    name, agents = str(data.get("agent") or ""), data["agents"]
    if table.to_move != seat:
        # advice uses all hands except the mover's, so it would show other seats their own cards
        raise ValueError("It is not your turn.")
    if name and name not in agents:
        raise ValueError(f"No agent {shown(name)} is here: choose one of the list.")
    return advice(table, agents[name] if name else adviser(table))


def _end(seat: int, data: dict[str, Any], table: PlayTable) -> str:
    """Say what agents make of the deal, and by which book of conventions the person plays."""
    if not table.over:
        raise ValueError("The game is not over.")
    return deal_sentences(table.game, [seat]) if isinstance(table.start, Game) else ""


ACTIONS = table_actions.ACTIONS | {"watching": _set_watching}
QUESTIONS = table_actions.QUESTIONS | {"advice": _advise, "end": _end}
