"""Boards in pages: games that are played when the site is built, to be stepped through.

A page asks for one by a comment on its own line::

    <!-- board: convention players=3 seed=7 turn=12 title="How Bob knows" -->

The agent is a spec, or a file ``NAME.toml`` that the same page lists in a block. It plays with
copies of itself. ``turn`` is where the board opens. The page in the repository has the position as
text. On the site the game becomes a self-contained page (the viewer of reports), shown in a frame:
it needs no network.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from html import escape
from pathlib import Path
from typing import NamedTuple

from hanabi.evolve.reports.game_data import game_data
from hanabi.evolve.reports.page_parts import page
from hanabi.game_record import play_one
from hanabi.rules.agents import Agent, load
from hanabi.text.transcript import game_text
from hanabi.variant import read_variant

DIRECTIVE = re.compile(r"^<!-- board: (.*?) -->\n(?:\n(?:(?!<!-- ).*\n)*?<!-- end -->\n)?", re.M)
KEYS = {"players", "seed", "turn", "title", "variant"}


class Board(NamedTuple):
    """A board that a page asks for."""

    agent: str
    players: int
    seed: int
    turn: int
    title: str
    variant: str
    block: str  # the agent file, where the page lists it

    @property
    def name(self) -> str:
        """The file name of its page."""
        words = re.sub(r"\W+", "-", f"{self.agent}-{self.variant}-{self.players}-{self.seed}")
        return f"boards/{words}.html"


def boards(text: str) -> list[Board]:
    """Return the boards that a page asks for.

    Raises:
        ValueError: If a directive has an unknown key.
    """
    return [read_board(found[1], text) for found in DIRECTIVE.finditer(text)]


def read_board(words: str, text: str) -> Board:
    """Return the board that the words of a directive ask for, in the text of its page."""
    agent, *settings = shlex.split(words)
    values = dict(setting.split("=", 1) for setting in settings)
    if set(values) - KEYS:
        raise ValueError(f"a board has {', '.join(sorted(KEYS))}, not {set(values) - KEYS}")
    block = re.search(rf"^```toml\n(# {re.escape(agent)}\n.*?)^```$", text, re.M | re.S)
    return Board(
        agent,
        int(values.get("players", 3)),
        int(values.get("seed", 0)),
        int(values.get("turn", 0)),
        values.get("title", f"A game of {agent}"),
        values.get("variant", "standard"),
        block[1] if block else "",
    )


def board_page(board: Board) -> str:
    """Return the self-contained page of a board's game."""
    game, player = _played(board)
    data = game_data(game, [player] * board.players, others=True)
    return page("page.html.j2", title=board.title, games=[data | {"id": "game"}])


def board_as_text(board: Board) -> str:
    """Return the position at which a board opens, and the move there, as a block of text."""
    game, _ = _played(board)
    shown = game_text(game, width=90, turns=range(board.turn, board.turn + 1))
    return f"```text\n{shown.rstrip()}\n```"


def _played(board):
    """Return the game of a board, and the player at each of its seats."""
    agent = _agent(board)
    player = agent.at(board.players)
    game = play_one(
        read_variant(board.variant).at(board.players),
        [player],
        [0] * board.players,
        board.seed,
        agents=[agent.name] * board.players,
    )
    return game, player


def _agent(board: Board) -> Agent:
    """Return the agent of a board: by its spec, or from the block of its page."""
    if not board.block:
        return load(board.agent)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, board.agent)
        file.write_text(board.block, encoding="utf-8")
        return load(str(file))


def with_boards(text: str, up: str) -> str:
    """Return a page's Markdown with each directive replaced by a frame.

    Args:
        text: The page.
        up: The way from the page to the root of the site, such as ``../``.
    """
    return DIRECTIVE.sub(lambda found: _frame(read_board(found[1], text), up), text)


def _frame(board, up):
    """Return the frame of a board."""
    title = escape(board.title)
    address = f"{up}{board.name}#game=game&turn={board.turn}"
    return (
        f'<figure class="board" markdown="0"><iframe src="{address}" title="{title}" '
        f'style="--players: {board.players}" loading="lazy"></iframe><figcaption>{title}. '
        f'<a href="{address}">Open it on a separate page.</a></figcaption></figure>\n'
    )
