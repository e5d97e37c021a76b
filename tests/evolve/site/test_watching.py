"""The link of spectators: what it shows, whom it lets in, and the link of a game that is over."""

import json
from functools import partial

import pytest
from tables import play_on, seated, settled, site, table

from hanabi.evolve.site.play_table import WATCHING, PlayTable, deal_of
from hanabi.evolve.site.seat_view import SPECTATOR, SeatViews
from hanabi.evolve.site.tables import OVER, WAITING, WATCHERS, OpenTable
from hanabi.game_record import Game

NOBODY, HIDDEN, ALL = WATCHING
SEATS = ("person", "convention", "person")


def shown(state):
    """The cards (turn, seat, slot) that a state shows."""
    return {
        (turn["turn"], seat, slot): card["card"]
        for turn in state["game"]["turns"]
        for seat, hand in enumerate(turn["hands"])
        for slot, card in enumerate(hand)
        if card and card["card"] is not None
    }


def watched(what, turns=6):
    """A table that spectators watch, after some moves, and its views."""
    found = table(*SEATS)
    found.watching = what
    play_on(found, turns)
    assert not found.over
    return found, SeatViews(found)


def test_a_hidden_view_shows_no_more_than_every_person_sees():
    found, views = watched(HIDDEN)
    spectator = shown(views.state_for(SPECTATOR))
    found.help = [4] * 3
    people = [shown(views.state_for(seat)) for seat in views.people]
    assert spectator == dict(people[0].items() & people[1].items())
    assert {seat for _, seat, _ in spectator} == {1}
    _, views = watched(ALL)
    assert {seat for _, seat, _ in shown(views.state_for(SPECTATOR))} == {0, 1, 2}


def test_what_a_hidden_view_sends_hangs_on_no_card_of_a_person():
    found, _ = watched(HIDDEN)
    deck, moves = deal_of(found.position())
    compared = 0
    for seat in (0, 2):
        for card in found.position().hands[seat]:
            for place in range(len(deck) - len(found.position().deck), len(deck)):
                if card and deck[place] != card.card and card.mask >> deck[place] & 1:
                    other = list(deck)
                    other[card.born], other[place] = other[place], other[card.born]
                    texts = []
                    for cards in (deck, other):
                        one = PlayTable(SEATS, Game(found.variant, 7, tuple(cards), moves))
                        one.watching = HIDDEN
                        texts.append(json.dumps(SeatViews(one).state_for(SPECTATOR)))
                    assert texts[0] == texts[1]
                    compared += 1
                    break
    assert compared >= 6


def test_each_link_opens_what_it_is_for_and_nothing_else(tmp_path):
    with site(tmp_path) as (host, site_of):
        links = seated(host, *SEATS, seed=3)
        name, _, proof = links[0].removeprefix("/seat/").split("/")
        assert host.get(f"{links[0]}/state").json()["watch_link"] == ""
        tables, found = [], {}
        for what in (HIDDEN, ALL):
            answer = host.post(f"{links[0]}/watching", json={"what": what})
            assert answer.status_code == 200, answer.text
            state = host.get(f"{links[0]}/state").json()
            assert state["watching"] == what
            found[what] = state["watch_link"]
            tables.append(host.get(f"{found[what]}/state").json()["watching"])
        assert tables == [HIDDEN, ALL] and found[HIDDEN] != found[ALL]
        assert host.get(found[HIDDEN]).status_code == 404, "it showed no person's cards"
        assert PlayTable.read(tmp_path / f"{name}.toml").watching == ALL
        assert "spectators: all hands" in (tmp_path / f"{name}.toml").read_text()
        host.cookies.clear()  # a guest from here on
        page = host.get(found[ALL])
        assert page.status_code == 200 and "/agents" not in page.text
        state = host.get(f"{links[2]}/state").json()
        assert state["watching"] == ALL and state["watch_link"] == ""
        assert host.post(f"{links[2]}/watching", json={"what": HIDDEN}).status_code == 403
        whole = site_of.tables.game_link(site_of.tables.open[name].table)
        for path in (f"/watch/{name}/{proof}", whole, f"/seat/{name}/0/{found[ALL][-24:]}"):
            assert host.get(path).status_code == 404, path
        assert host.get(f"{found[ALL]}/data").status_code == 422, "the game goes on"
        for act in ("move", "watching", "state"):
            assert host.post(f"{found[ALL]}/{act}", json={"move": "play 0"}).status_code in (
                404,
                405,
            )
        assert host.get(f"/watch/..%2f{name}/{proof}").status_code == 404
        assert site_of.tables.proof(name, OVER) not in (proof, found[ALL])


def test_of_the_turns_that_a_page_has_the_last_one_is_sent_again():
    """Meanwhile its move was made; the turns before have not changed."""
    found, views = watched(ALL)
    for state_for in (partial(views.state_for, SPECTATOR), partial(views.state_for, 0)):
        whole = state_for()
        turns = whole["game"]["turns"]
        assert (whole["first"], len(turns)) == (0, 7)
        for known, first in ((0, 0), (1, 0), (3, 2), (7, 6), (99, 6)):
            again = state_for((whole["begun"], known))
            assert again["first"] == first and again["game"]["turns"] == turns[first:]
        assert turns[2]["move"] and state_for((whole["begun"] + 99, 3))["first"] == 0


def test_no_more_requests_wait_at_a_seat_than_a_person_needs(tmp_path):
    one = table(*SEATS, path=tmp_path / "game.toml")
    one.watching = ALL
    one.save()
    with site(tmp_path) as (client, found):
        for link, seat, most in (
            (found.tables.link("game", 0), 0, WAITING),
            (found.tables.watch_link(one), SPECTATOR, WATCHERS),
        ):
            for waiting, status in ((most - 1, 200), (most, 429)):
                assert client.get(f"{link}/state").status_code == 200
                found.tables.open["game"].waiting[seat] = waiting
                assert client.get(f"{link}/state").status_code == status
                found.tables.open["game"].waiting[seat] = 0


def test_a_deal_is_played_again_once_its_game_is_over(tmp_path):
    """At another table with the same deal one would see the cards of one's hand."""
    with site(tmp_path) as (client, found):
        link = seated(client, "person", "piers", variant="mini,players=2,colours=2", seed=3)[0]
        for deal in ("same", "new", "next"):
            answer = client.post(f"{link}/again", json={"deal": deal})
            assert (answer.status_code, answer.json()["error"][:14]) == (422, "The game goes ")
        assert len(list(tmp_path.glob("*.toml"))) == 1


def test_a_link_that_ends_during_a_long_poll_is_refused(tmp_path, monkeypatch):
    async def wait(self, seat, version, seconds):
        self.table.watching = NOBODY

    one = table(*SEATS, path=tmp_path / "game.toml")
    one.watching = ALL
    one.save()
    with site(tmp_path) as (client, found):
        link = found.tables.watch_link(one)
        assert client.get(f"{link}/state").status_code == 200
        monkeypatch.setattr(OpenTable, "wait", wait)
        assert client.get(f"{link}/state").status_code == 404


def test_the_seed_is_sent_to_a_seat_once_the_game_is_over():
    found, views = watched(ALL)
    assert [views.state_for(seat)["seed"] for seat in (0, 2)] == [None, None]
    assert '"seed"' not in json.dumps(views.state_for(SPECTATOR)), "spectators have the link"
    play_on(found)
    assert [views.state_for(seat)["seed"] for seat in (0, 2)] == [7, 7]


def test_a_game_that_is_over_stays_at_its_link_with_all_cards(tmp_path):
    with site(tmp_path) as (client, site_of):
        link = seated(client, "person", "piers", variant="mini,players=2,colours=2", seed=3)[0]
        [file] = tmp_path.glob("*.toml")
        shared = settled(client, link)["game_link"]
        assert client.get(shared).status_code == 404
        one = PlayTable.read(file)
        play_on(one)
        one.save()
        site_of.tables.open.clear()
        assert client.get(shared).status_code == 200
        [data] = client.get(f"{shared}/data").json()
        state = client.get(f"{shared}/state").json()
        assert state["over"] and data["end"] and len(data["turns"]) == len(one.moves) + 1
        assert all(card["card"] is not None for hand in data["turns"][0]["hands"] for card in hand)
        assert data["turns"][1]["move"]["rule"], "with reasons"


def test_wrong_words_change_nothing():
    found = table("person", "piers")
    with pytest.raises(ValueError, match="Spectators see nobody, hands of agents or all hands"):
        found.set_watching("everything")
    assert found.watching == NOBODY and SPECTATOR not in SeatViews(found).logs
