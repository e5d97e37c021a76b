"""Pages of games, reviews and runs, and cells of notebooks with games, positions and agents.

A game and a position are shown by the viewer of reports (parts/board.js) in a frame of their own:
its style sheets and keys do not reach the notebook. Nothing is fetched.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from hanabi.drawings import drawing
from hanabi.evolve.charts.chart import notebook_cell
from hanabi.evolve.reports.game_data import frame_data, game_data, named_player, turn_data
from hanabi.evolve.reports.page_parts import fragment, page
from hanabi.game_loop import how_it_ended
from hanabi.game_record import Game
from hanabi.notation import counted
from hanabi.player import Player
from hanabi.positions.position import Position
from hanabi.rules.agents.agent import OTHERWISE, Agent

GAME, POSITION = 1040, 900  # height of the frame in pixels, at a width of 900


@drawing("game page")
def game_page(game: Game, players: Sequence[Player] = (), begin: int | None = None) -> str:
    """Return the page of a game, with what its moves mean where its agents are known.

    Args:
        game: The game.
        players: The player of each seat; by default the named agents that the game tells of.
        begin: The turn at which the board begins; by default the one that lost the first point.
    """
    known = list(players) or [named_player(name, game.variant.seats) for name in game.agents]
    data = game_data(game, known) | ({} if begin is None else {"start": begin})
    return page("page.html.j2", title=f"hanabi: {data['result']}", games=[data])


@drawing("run page")
def draw_run(run: Path, **settings: Any) -> Path:
    """Write the page of a run; see ``run_report.report``."""
    from hanabi.evolve.reports.run_report import report  # it loads all measurements

    return report(run, **settings)


@drawing("review page")
def draw_review(found: Any) -> str:
    """Return the page of a ``GameReview``."""
    from hanabi.evolve.reports.review_page import review_page  # it loads look-ahead

    return review_page(found)


@drawing("game cell")
def game_html(game: Game) -> str:
    """Return a game to step through, with the reason of each move."""
    names = ", ".join(dict.fromkeys(filter(None, game.names)))
    title = " · ".join(filter(None, [f"Seed {game.seed}", names, f"{game.score} points"]))
    return _board(game_data(game), title, GAME)


def position_data(position: Position) -> dict[str, Any]:
    """Return a position as the data of a page, without names of agents and without a move.

    Cards that the position leaves open (``??``) are hidden.
    """
    state, view = position.state()
    turn = turn_data((state, view), how_it_ended(view) >= 0, lambda seat: True)
    for slot in position.unknown:
        turn["hands"][position.me][slot]["card"] = None
    turn["discards"] = [[card, position.turn] for card in position.discards]
    told = {"id": str(position.seed), "score": sum(position.fireworks), "turns": [turn]}
    return frame_data(position.variant) | told


@drawing("position cell")
def position_html(position: Position) -> str:
    """Return a position with what each seat can know about its cards."""
    return _board(position_data(position), f"Turn {position.turn}", POSITION)


def _board(data: dict[str, Any], title: str, height: int) -> str:
    whole = page("page.html.j2", title=title, games=[data | {"title": title}])
    return (
        f'<iframe srcdoc="{escape(whole)}" title="{escape(title)}" sandbox="allow-scripts" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )


@drawing("agent cell")
def agent_html(agent: Agent) -> str:
    """Return an agent's rules as sentences, list by list."""
    about = {"agent": agent, "otherwise": OTHERWISE[agent.otherwise], "counted": counted}
    return notebook_cell(agent.name, [], fragment("agent_cell.html.j2", **about))
