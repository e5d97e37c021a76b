"""Tables of the site, and people who play by a simple plan."""

from contextlib import contextmanager
from pathlib import Path

from starlette.testclient import TestClient

from hanabi.evolve.site.play_table import PlayTable, new_game
from hanabi.evolve.site.request_guard import cookie_name
from hanabi.evolve.site.serving import Site
from hanabi.evolve.site.tables import OpenTables
from hanabi.game import legal_moves
from hanabi.variant import read_variant


def table(*specs, seed=7, variant="standard", path=None):
    """A table with somebody at each seat."""
    return PlayTable(specs, new_game(read_variant(variant), len(specs), seed), path)


def any_move(table):
    """A legal move, another one at each turn: the person plays on without a plan."""
    legal = legal_moves(table.view)
    return legal[table.turn * 7 % len(legal)]


def play_on(table, turns=200):
    """Let people (by ``any_move``) and agents play so many turns, or to the end."""
    for _ in range(turns):
        if table.over:
            return
        if table.agent_to_move:
            table.agent_moves()
        else:
            table.make(table.to_move, any_move(table))


HOST = "127.0.0.1:8765"


@contextmanager
def site(
    folder,
    agents=None,
    inside=True,
    news=0.0,
    per_second=100_000.0,
    runs=Path("no-runs"),
    rule_files=(),
    address="127.0.0.1",
):
    """(a client of a site over a folder, the site); ``address`` is the client's.

    The client has opened the printed link, unless it is not ``inside``.
    """
    tables = OpenTables(folder)
    found = Site(tables, agents, news, runs, rule_files=rule_files)
    app = found.app([HOST], per_second)
    try:
        with TestClient(app, base_url=f"http://{HOST}", client=(address, 50_000)) as client:
            if inside:
                client.cookies.set(cookie_name(HOST), tables.token)
            yield client, found
    finally:
        found.close()


def seated(client, *seats, **more):
    """The links of a new table's people, by seat."""
    answer = client.post("/tables", json={"seats": seats, **more})
    assert answer.status_code == 200, answer.text
    return {int(seat): link for seat, link in answer.json()["links"].items()}


def settled(client, link):
    """What a seat is sent once no agent moves any more."""
    while True:
        state = client.get(f"{link}/state").json()
        if state["over"] or state["to_move"] in state["people"] or state["problem"]:
            return state


def obvious(state):
    """A move that is legal, from what a seat is sent: tell the next player about its first card, or
    discard.
    """
    turn, seat = state["game"]["turns"][-1], state["seat"]
    other = (seat + 1) % state["game"]["players"]
    card = next((card for card in turn["hands"][other] if card), None)
    if turn["tokens"] and card and turn["turn"] % 3:
        return f"tell {state['game']['names'][other]} {card['card'] % 5 + 1}"
    slot = next(slot for slot, card in enumerate(turn["hands"][seat]) if card)
    return f"{'discard' if turn['tokens'] < state['game']['tokens'] else 'play'} {slot}"
