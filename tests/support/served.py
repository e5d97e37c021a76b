"""The site on a server, for browsers; and a person who plays by clicks or by keys."""

import math
import threading
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from browser import TOKENS
from tables import obvious, play_on

from hanabi.evolve.site.page_registry import NEWS
from hanabi.evolve.site.play_table import PERSON, PlayTable, new_game
from hanabi.evolve.site.seat_view import SeatViews
from hanabi.evolve.site.serving import Site, listen, make_server
from hanabi.evolve.site.tables import OpenTables
from hanabi.evolve.workbench import library_sweep
from hanabi.text.move_facts import BY_AGE
from hanabi.variant import read_variant


class Served:
    """``address`` of a site over the folder ``games``, and over a folder of runs."""

    def __init__(self, games, runs, news, per_second):
        self.games, self.listening, self.tables = games, listen("127.0.0.1", 0), OpenTables(games)
        host = f"127.0.0.1:{self.listening.getsockname()[1]}"
        self.address = f"http://{host}"
        TOKENS[self.address] = self.tables.token
        self.site = Site(self.tables, news=news, runs=Path(runs))
        self.server = make_server(self.site, [host], per_second)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listening]})
        self.thread.start()

    def close(self):
        del TOKENS[self.address]
        self.server.should_exit = True
        self.thread.join()
        self.listening.close()
        self.site.close()

    def create_table(self, *specs, seed=3, variant="mini", name="game", plays=lambda table: None):
        """Return (address of each person, the table's file); ``plays`` has played on it."""
        start = new_game(read_variant(variant), len(specs), seed)
        table = PlayTable(specs, start, self.games / f"{name}.toml")
        plays(table)
        table.save()
        SeatViews(table)
        play_on(
            PlayTable(specs, start), len(specs)
        )  # what has to be compiled is compiled before a browser waits for it
        return {
            seat: self.address + link
            for seat, link in self.tables.links(table).items()
            if specs[seat] == PERSON
        }, table.path


@contextmanager
def serving(games, runs="no-runs", news=NEWS, per_second=10_000):
    """A site that runs meanwhile.

    Its workbench tries the library with fewer games, as that of a new list starts in each test.
    """
    few = ((200, math.inf), (4_000, 0.0))
    with patch.multiple(library_sweep, SWEEP_GAMES=100, MORE_GAMES=few):
        served = Served(games, runs, news, per_second)
        try:
            yield served
        finally:
            served.close()


def ready(window):
    """Wait until it is this window's turn, or the game is over; True where it goes on.

    Moves that are shown one after another are skipped, as by a key.
    """
    skip = "document.querySelector('.replaying')?.click()"
    return window.wait(
        lambda b: next(
            (
                line
                for line in [b.ask(skip) or b.text("#line")]
                if line.startswith(("Your turn", "The game is over"))
            ),
            "",
        )
    ).startswith("Your turn")


def step(window, act):
    """Do something that makes a move, and wait until the page has heard of it."""
    before = len(window.all("#moves .n"))
    act()
    while (
        window.wait(
            lambda b: (
                "made"
                if len(b.all("#moves .n")) > before or b.text("#wrong")
                else "warned"
                if b.all("#meaning .danger")
                else ""
            )
        )
        == "warned"
    ):  # a warning came before the move: it has been read now
        window.ask("document.getElementById('do').click()")
    assert not window.text("#wrong"), window.text("#wrong")


def chosen(window):
    """(kind, slot or rank) of a move for the seat that this window shows, as a person would see it
    there.
    """
    state = window.ask(
        "(() => { const game = document.querySelector('hanabi-board').games[0]; "
        "return { game: { ...game, turns: game.turns.slice(-1) }, seat: game.seat }; })()"
    )
    kind, *rest = obvious(state).split()
    if kind == "tell":
        return kind, rest[-1]
    hand = state["game"]["turns"][-1]["hands"][state["seat"]]
    born = [card["born"] if card else -1 for card in hand]
    return kind, str(BY_AGE.number(born, int(rest[0])))


def by_clicks(window):
    """Make a move by clicks: the kind, then the card or the rank, then the button."""
    kind, what = chosen(window)
    for selector in (
        f"[data-mode={kind}]",
        f"[data-told='{what}']" if kind == "tell" else f"[data-pick='{what}']",
        "#do",
    ):
        window.find(selector).click()


def by_keys(window):
    """Make a move by keys."""
    kind, what = chosen(window)
    window.keys({"play": "a", "discard": "d", "tell": ";"}[kind], what, "ENTER")
