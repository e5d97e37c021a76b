"""Games of the site that may be looked at: those of tables that are over, and game files without a table. A game that is pasted becomes
such a file, and from any turn of one somebody may play on. Names in addresses are names of files of one folder, never a path."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hanabi.evolve.reports.game_data import NOBODY, game_data
from hanabi.evolve.reports.page_parts import SCRIPTS
from hanabi.evolve.site.new_table import new_file, time_of
from hanabi.evolve.site.page_templates import sheet
from hanabi.evolve.site.play_table import PERSON, PlayTable, made_folder
from hanabi.evolve.site.requests import json_of, told
from hanabi.evolve.site.seat_view import whole_game
from hanabi.evolve.site.tables import NAME, OpenTables
from hanabi.files import TOML as LIMIT
from hanabi.files import parse_toml, read_text, write_whole
from hanabi.game import is_over
from hanabi.game_reader import load as load_kept
from hanabi.game_reader import parse_game
from hanabi.game_record import Game
from hanabi.moves import NAMES
from hanabi.player import Player
from hanabi.positions.position import Position
from hanabi.rules.agents import NAMED, load

LISTED = 50  # games that are listed
LETTERS = 60_000  # of a text that is pasted
HERE = "the game"  # what errors call that text


class GamesPages:
    """Routes over the games of a hall's folder. ``agents``: by name the spec of those who may be seated."""

    def __init__(self, hall: OpenTables, agents: dict[str, str]) -> None:
        self.hall, self.agents = hall, agents
        self.routes = [
            Route("/games", self.page),
            Route("/games", self.bring, methods=["POST"]),
            Route("/games/{name}", self.game),
            Route("/games/{name}/data", self.data),
        ]

    async def page(self, request: Request) -> Response:
        """The games that there are, and where one is brought."""
        return sheet(
            "games.html.j2",
            "Games",
            ("signs.js", "tables.js", "bring.js"),
            games=await self.hall.run(self.games),
            names=NAMES,
            letters=LETTERS,
        )

    def games(self) -> list[dict[str, Any]]:
        """Describe the newest games of the folder, newest first; files that hold no game are left out."""
        found: list[dict[str, Any]] = []
        for path in sorted(self.hall.folder.glob("*.toml"), reverse=True)[:LISTED]:
            with suppress(ValueError, TypeError, KeyError):
                data = parse_toml(read_text(path, LIMIT), path)
                seats = data["table"]["seats"] if "table" in data else []
                if NAME.fullmatch(path.stem) and (seats or "moves" in data):
                    found.append(self._described(path, seats))
        return sorted(found, key=lambda game: game["when"], reverse=True)

    def _described(self, path, seats):
        """A row of the list. A game that is still played at a table has no seed there, for it gives the deck away."""
        kept = load_kept(path)
        if isinstance(kept, Game):
            over, score, turn, names = bool(kept.end), kept.score, len(kept.moves), kept.agents
        else:
            view = kept.state()[1]
            over, score, turn, names = bool(is_over(view)), int(view.score), kept.turn, ()
        seeded = isinstance(kept, Game) and kept.deck is None and (over or not seats)
        when = time_of(path)
        return {
            "name": path.stem,
            "when": when.isoformat(" ", "minutes"),
            "date": f"{when.day} {when:%B %Y, %H:%M}",
            "players": kept.variant.seats,
            "agents": [str(name) for name in names or seats],
            "score": score,
            "perfect": kept.variant.perfect,
            "seed": kept.seed if seeded else "",
            "variant": str(kept.variant),
            "state": "over" if over else f"at turn {turn}",
            "open": over or not seats,
            "links": [
                (seat, self.hall.link(path.stem, seat))
                for seat, spec in enumerate(seats)
                if spec == PERSON
            ],
        }

    async def bring(self, request: Request) -> Response:
        """Keep the game that a text holds: hanab.live's JSON or link, or a game file."""
        text = (await json_of(request)).get("text")
        return JSONResponse({"link": f"/games/{await told(self.hall.run(self.keep, text))}"})

    def keep(self, text: Any) -> str:
        """Write a pasted game into the folder, and give its name. ValueError, one line, as `hanabi import` says it, for what is none."""
        if not isinstance(text, str) or not text.strip():
            raise ValueError(
                "Paste hanab.live's JSON or link, or the text of a game file, or choose a file."
            )
        if len(text) > LETTERS:
            raise ValueError(f"The text has {len(text):,} letters; a game has at most {LETTERS:,}.")
        game = parse_game(text, HERE)
        path = new_file(made_folder(self.hall.folder))
        write_whole(path, str(game))
        return path.stem

    async def game(self, request: Request) -> Response:
        """A game in the viewer, and the form that plays on."""
        name = request.path_params["name"]
        found = await self._found(name)
        names = found.agents if isinstance(found, Game) else found.names
        return sheet(
            "game.html.j2",
            "Games",
            (*SCRIPTS, "game.js"),
            name=name,
            seats=list(enumerate(NAMES[: found.variant.seats])),
            agents=list(self.agents),
            usual=next((one for one in names if one in self.agents), "convention"),
        )

    async def data(self, request: Request) -> Response:
        """The same as data."""
        return JSONResponse(
            [await self.hall.run(_told_whole, await self._found(request.path_params["name"]))]
        )

    async def _found(self, name):
        with suppress(ValueError):
            return await self.hall.run(self.open, name)
        raise HTTPException(404, "There is no such game that is over.")

    def open(self, name: str) -> Game | PlayTable:
        """A game that may be looked at. ValueError for any other: nobody shall see cards that are still played with."""
        path = self.hall.folder / f"{name}.toml"
        if not NAME.fullmatch(name):
            raise ValueError("no name of a game")
        data = parse_toml(read_text(path, LIMIT), path)
        if "table" not in data:
            return Game.from_data(data, name)
        table = PlayTable.read(path)
        if not table.over:
            raise ValueError(f"{name} is still played")
        table.path = None  # it is looked at, and never written
        return table

    def at(self, name: Any, turn: Any) -> Game | Position:
        """Where somebody plays on: a game up to a turn, or, where its history is not known, the position there. ValueError, one line."""
        if not isinstance(name, str) or type(turn) is not int:
            raise ValueError("A game is sent by its name, with the turn from which to play on.")
        found = self.open(name)
        if isinstance(found, PlayTable) and isinstance(found.start, Position):
            _check(turn, found.first_turn, found.turn, True)
            found.take_back(0, turn)
            return found.position()
        game = found if isinstance(found, Game) else found.game
        _check(turn, 0, len(game.moves), bool(game.end))
        return Game(game.variant, game.seed, game.deck, game.moves[:turn], (), game.rules[:turn])


def _check(turn: int, first: int, last: int, ended: bool) -> None:
    """ValueError, one line, for a turn that nobody can play on from; ``ended``: is the game over after the last one?"""
    if not first <= turn <= last:
        raise ValueError(f"This game has turns {first} to {last}.")
    if turn == last and ended:
        raise ValueError("The game is over there: go back a turn, and play on from there.")


def _told_whole(found: Game | PlayTable) -> dict[str, Any]:
    """What a page shows of a game."""
    if isinstance(found, PlayTable):
        return (
            whole_game(found)
            if isinstance(found.start, Position)
            else game_data(found.game, found.players)
        )
    return game_data(found, [_named(name, found.variant.seats) for name in found.agents])


def _named(name: str, players: int) -> Player:
    """The agent of a name; nobody where it is a person's."""
    with suppress(ValueError):
        if name in NAMED:
            return load(name).at(players)
    return NOBODY
