"""Pages of games, reviews and runs, and cells of notebooks with games, positions and agents.

A game and a position are shown by the viewer of reports (parts/board.js) in a frame of their own:
its style sheets and keys do not reach the notebook. Nothing is fetched.
"""

from html import escape
from pathlib import Path
from typing import Any

from hanabi.drawings import drawing
from hanabi.evolve.charts import notebook
from hanabi.evolve.reports.game_data import frame_data, game_data, turn_data
from hanabi.evolve.reports.game_page import game_page
from hanabi.evolve.reports.page_parts import page
from hanabi.game_loop import how_it_ended
from hanabi.game_record import Game
from hanabi.notation import counted
from hanabi.positions.position import Position
from hanabi.rules.agents.agent import OTHERWISE, Agent

GAME, POSITION = 1040, 900  # height of the frame in pixels, at a width of 900

drawing("game page")(game_page)


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
    over = how_it_ended(view) >= 0
    turn = turn_data((state, view), over, lambda seat: True)
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
    parts: list[str] = []
    for key, rules in agent.lists.items():
        summary = (
            f"With {key} players: {counted(len(rules), 'rule')}, the first that applies decides"
        )
        after = f"<p>Otherwise {escape(OTHERWISE[agent.otherwise])}</p>"
        parts.append(_details(summary, _items("ol", rules) + after, is_open=not parts))
    for key, conventions in agent.conventions.items():
        if conventions:
            summary = f"With {key} players: {counted(len(conventions), 'convention')}"
            parts.append(_details(summary, _items("ul", conventions)))
    for key, weights in agent.weights.items():
        if weights:
            items = [
                f"<li><code>{escape(name)}</code> {value:g}</li>" for name, value in weights.items()
            ]
            summary = f"With {key} players: {counted(len(weights), 'weight')}"
            parts.append(_details(summary, f"<ul>{''.join(items)}</ul>"))
    if agent.kind:
        parts.append(f"<p>{escape(agent.kind.describe(bool(agent.lists)))}</p>")
    if agent.source:
        parts.append(f"<p>Source: {escape(agent.source)}</p>")
    return notebook.cell(agent.name, [], "".join(parts))


def _details(summary, content, is_open=False):
    state = " open" if is_open else ""
    return f"<details{state}><summary>{escape(summary)}</summary>{content}</details>"


def _items(tag, rules):
    rows = (f"<li>{escape(rule.says)} <code>{escape(rule.name)}</code></li>" for rule in rules)
    return f"<{tag}>{''.join(rows)}</{tag}>"
