"""No answer of the site gives away the seed, the deck or the own cards of a game that still runs."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import pytest
from tables import play_on, site, table

from hanabi.evolve.site import game_list
from hanabi.evolve.site.pages.games import ACTIONS, QUESTIONS
from hanabi.evolve.site.play_table import WATCHING, PlayTable, deal_of
from hanabi.evolve.site.tables import OVER, SEAT, WATCH
from hanabi.game_record import Game

SEATS = ("person", "convention", "person")
SEED, TURNS, FILE = 8735214906, 6, "running"
NAMES = (FILE, f"{FILE}.toml", f"{FILE}.toml%231", f"{FILE}%231")
_, HIDDEN, ALL = WATCHING
LISTS = ("/", "/games")  # pages of the host that may name games


class Viewer(NamedTuple):
    """Who asks the site: whose link they have, and whether they have the token of the site."""

    link: int | str  # a seat, what spectators see, OVER, or "" for no link
    is_host: bool = False


PEOPLE = [Viewer(0, True), Viewer(2)]  # Ann is to move, Cal is not
OTHERS = [Viewer(HIDDEN), Viewer(ALL), Viewer(OVER), Viewer("", True)]


class Request(NamedTuple):
    """A request; its body is a tuple of pairs, None for GET."""

    method: str
    path: str
    body: tuple | None = None


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """Return a function: the text of every answer about a game to a viewer, by request."""
    folder = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch, site(folder) as (client, found):
        patch.setattr(game_list, "creation_time", lambda path: datetime(2026, 1, 2))
        of_the_token = dict(client.cookies)

        def walk(game, viewer):
            one = PlayTable(SEATS, game, folder / f"{FILE}.toml")
            one.watching = ALL if viewer.link == ALL else HIDDEN
            one.help = [4] * len(SEATS)
            one.save()
            found.tables.open.clear()
            client.cookies.clear()
            if viewer.is_host:
                client.cookies.update(of_the_token)
            return {
                request: client.request(
                    request.method,
                    request.path,
                    json=None if request.body is None else dict(request.body),
                ).text
                for request in requests_of(found, viewer, one)
            }

        yield walk


def requests_of(found, viewer, one) -> Iterator[Request]:
    """Yield a request for every route of a game, with the link of a viewer."""
    proof, sits = found.tables.proof(FILE, viewer.link), isinstance(viewer.link, int)
    for route in (route for page in found.pages for route in page.routes()):
        path = route.path.replace("{proof}", proof)
        path = path.replace("{seat:int}", str(viewer.link if sits else 0))
        is_read = "GET" in route.methods
        if viewer.is_host and (path.startswith("/games") or path in LISTS):
            for name in NAMES if "{name}" in path else ("",):
                named = path.replace("{name}", name)
                yield Request("GET", named) if is_read else Request("POST", named, ())
        elif route.path.startswith(SEAT if sits else (SEAT, WATCH)):
            path = path.replace("{name}", FILE)
            if is_read:
                yield Request("GET", path)
                if path.endswith("/state"):
                    yield Request("GET", f"{path}?version=1&begun={one.help[0]}&turns=3")
            elif "{action}" not in path:
                yield Request("POST", path, (("deal", "same"), ("by", "piers")))
            elif sits:
                for action in ACTIONS | QUESTIONS:
                    for body in bodies_of(action, one.turn):
                        yield Request("POST", path.replace("{action}", action), body)
    if viewer.is_host:
        for name in NAMES:
            yield Request("POST", "/tables", (("seats", SEATS), ("game", name), ("turn", 2)))


def bodies_of(action, turn):
    """Return bodies for an action at a seat that leave the game as it is."""
    now = ("turn", turn)
    return {
        "move": [(now, ("move", "play 9")), (("turn", 0), ("move", "play 1"))],
        "back": [],
        "help": [(("level", "?"),)],
        "note": [(("note", "?"),)],
        "card-note": [(("card", card), ("note", "?")) for card in (0, 49)],
        "name": [(("name", "?"),)],
        "watching": [(("what", "?"),)],
        "why": [(("turn", made),) for made in range(turn + 1)],
        "advice": [(), (("agent", "piers"),)],
        "end": [()],
        "preview": [(now, ("move", move)) for move in ("play 0", "discard 3", "tell Bob 1")],
    }[action]


def dealt():
    """Return a table that has run for some turns, with its deck and moves."""
    one = table(*SEATS, seed=SEED)
    play_on(one, TURNS)
    assert not one.over and one.to_move == 0
    return one, *deal_of(one.position())


def with_other_cards(one, deck, seats):
    """Return a deck with another card, which hints allow, for each card of some seats."""
    position, other = one.position(), list(deck)
    free = list(range(len(deck) - len(position.deck), len(deck)))
    for card in (card for seat in seats for card in position.hands[seat] if card):
        place = next((k for k in free if deck[k] != card.card and card.mask >> deck[k] & 1), None)
        if place is not None:
            free.remove(place)
            other[card.born], other[place] = deck[place], deck[card.born]
    assert sum(a != b for a, b in zip(deck, other)) >= 6 * len(seats)
    return other


def same_to(viewer, one, deck):
    """Return a deck that a viewer cannot tell from the true one."""
    if viewer.link == ALL:  # the cards that nobody has drawn yet are in another order
        drawn = len(deck) - len(one.position().deck)
        return [*deck[:drawn], *reversed(deck[drawn:])]
    return with_other_cards(one, deck, [viewer.link] if viewer in PEOPLE else [0, 2])


def different(answers, others):
    """Return the requests of a viewer that are answered differently in two games."""
    assert answers.keys() == others.keys()
    return [request for request in answers if answers[request] != others[request]]


@pytest.mark.parametrize("viewer", [*PEOPLE, *OTHERS], ids=str)
def test_no_answer_depends_on_a_hidden_card_or_holds_the_seed(walk, viewer):
    one, deck, moves = dealt()
    answers = walk(Game(one.variant, SEED, None, moves), viewer)
    assert len(answers) >= 7
    assert [request for request, text in answers.items() if str(SEED) in text] == []
    other = Game(one.variant, 1, tuple(same_to(viewer, one, deck)), moves)
    assert different(answers, walk(other, viewer)) == []


@pytest.mark.parametrize("viewer", [Viewer(2), Viewer(ALL)], ids=str)
def test_whoever_sees_the_cards_is_answered_differently(walk, viewer):
    """The comparison above can fail."""
    one, deck, moves = dealt()
    games = [
        Game(one.variant, SEED, tuple(cards), moves)
        for cards in (deck, with_other_cards(one, deck, [0]))
    ]
    assert different(*(walk(game, viewer) for game in games))


@pytest.mark.parametrize("viewer", [Viewer(0), Viewer("", True)], ids=str)
def test_the_seed_is_sent_once_the_game_is_over(walk, viewer):
    """The search above can find it."""
    one = table(*SEATS, seed=SEED)
    play_on(one)
    answers = walk(Game(one.variant, SEED, None, tuple(one.moves)), viewer)
    assert one.over and any(str(SEED) in text for text in answers.values())
