"""The site by its messages: whole games, two persons, what a seat is sent, many tables."""

import asyncio
import gc
import json
import threading
import time
import tracemalloc

import pytest
from tables import obvious, seated, settled, site, table

from hanabi.backend import announce
from hanabi.evolve.lessons.game_review import par_sentence
from hanabi.evolve.site.play_table import LEVELS, PlayTable, deal_of
from hanabi.evolve.site.seat_view import SeatViews
from hanabi.evolve.site.tables import OpenTable, OpenTables
from hanabi.game_reader import load
from hanabi.game_record import Game
from hanabi.moves import card_text
from hanabi.rules.agents.any_book import book_sentence


@pytest.mark.parametrize(
    "spec",
    [
        "piers",
        "convention",
        pytest.param("search:piers,rollouts=10", marks=pytest.mark.slow),
        pytest.param("partners:cig2018-paper", marks=pytest.mark.slow),
    ],
)
def test_a_person_plays_a_whole_game(spec, tmp_path):
    with site(tmp_path, {"it": spec}) as (client, found):
        [link] = seated(client, "person", "it", variant="mini,players=2", seed=4).values()
        early = client.post(f"{link}/end", json={})
        assert (early.status_code, early.json()) == (422, {"error": "The game is not over."})
        while not (state := settled(client, link))["over"]:
            turn = state["game"]["turns"][-1]["turn"]
            answer = client.post(f"{link}/move", json={"move": obvious(state), "turn": turn})
            assert answer.status_code == 200, answer.text
        assert not state["problem"] and state["game"]["result"].startswith(
            f"{state['game']['score']} of 9 points"
        )
        assert all(
            card is None or card["card"] is not None
            for turn in state["game"]["turns"]
            for hand in turn["hands"]
            for card in hand
        )
        [file] = tmp_path.glob("*.toml")
        assert load(file).end and load(file).score == state["game"]["score"]
        ended = client.post(f"{link}/end", json={}).json()["line"]
        assert ended == f"{par_sentence(load(file))} {book_sentence(load(file), 0)}"
        assert (
            client.post(
                f"{link}/move", json={"move": "play 0", "turn": len(load(file).moves)}
            ).status_code
            == 422
        )


def test_two_people_at_one_table_see_each_other_move(tmp_path):
    with site(tmp_path, news=60) as (client, found):
        links = seated(client, "person", "person", "piers", seed=5)
        states = [client.get(f"{links[seat]}/state").json() for seat in (0, 1)]
        waited = []
        waiter = threading.Thread(
            target=lambda: waited.append(
                client.get(
                    f"{links[1]}/state?version={states[1]['version']}&begun={states[1]['begun']}&turns=1"
                ).json()
            )
        )
        waiter.start()
        assert client.post(f"{links[1]}/move", json={"move": "play 0", "turn": 0}).json() == {
            "error": "It is Ann's turn, not yours. Your move waits for it."
        }
        assert (
            client.post(f"{links[0]}/move", json={"move": "play 0", "turn": 0}).status_code == 200
        )
        waiter.join(60)
        assert (
            waited[0]["to_move"] == 1
            and waited[0]["first"] == 0
            and len(waited[0]["game"]["turns"]) == 2
        )
        assert (
            client.post(f"{links[0]}/move", json={"move": "play 0", "turn": 0})
            .json()["error"]
            .startswith("The table has moved on")
        )
        for seat, state in ((0, states[0]), (1, waited[0])):
            hands = state["game"]["turns"][-1]["hands"]
            assert all(card["card"] is None for card in hands[seat])
            assert all(
                card["card"] is not None
                for other, hand in enumerate(hands)
                if other != seat
                for card in hand
            )


def test_the_bytes_of_a_seat_hang_on_nothing_that_it_does_not_see(tmp_path):
    """In two deals that a seat cannot tell apart it is sent the same, at every help level; and
    never seed, deck or another's link.
    """
    with site(tmp_path) as (client, found):
        links = seated(client, "person", "convention", "person", seed=987654321)
        for _ in range(8):
            for seat in (0, 2):
                state = settled(client, links[0])
                if state["to_move"] == seat:
                    state = client.get(f"{links[seat]}/state").json()
                    client.post(
                        f"{links[seat]}/move",
                        json={"move": obvious(state), "turn": state["game"]["turns"][-1]["turn"]},
                    )
        settled(client, links[0])
        [file] = tmp_path.glob("*.toml")
        game, compared = load(file), 0
        proofs = [link.rsplit("/", 1)[1] for link in links.values()]
        for turn in range(2, len(game.moves), 4):
            for seat in (0, 2):
                position = game.position(turn)
                deck, moves = deal_of(position)
                for card in position.hands[seat]:
                    place = next(
                        (
                            place
                            for place in range(len(deck) - len(position.deck), len(deck))
                            if card and deck[place] != card.card and card.mask >> deck[place] & 1
                        ),
                        None,
                    )
                    if place is None:
                        continue
                    other = list(deck)
                    other[card.born], other[place] = other[place], other[card.born]
                    tables = [
                        PlayTable(
                            ["person", "convention", "person"],
                            Game(game.variant, game.seed, tuple(cards), moves),
                        )
                        for cards in (deck, other)
                    ]
                    for level in range(len(LEVELS)):
                        sent = []
                        for table in tables:
                            table.help[seat] = level
                            sent.append(json.dumps(SeatViews(table).state_for(seat)))
                        assert sent[0] == sent[1]
                        assert "987654321" not in sent[0] and not any(
                            proof in sent[0] for proof in proofs
                        )
                    compared += 1
                    break
        assert compared >= 6
        for seat in (0, 2):
            state = client.get(f"{links[seat]}/state")
            text = state.text + client.get(links[seat]).text
            others = [link.rsplit("/", 1)[1] for at, link in links.items() if int(at) != seat]
            assert len(others) == 1  # its own link leads to the review of the game
            assert state.json()["over"], "only then the seed is sent"
            assert (
                state.json().pop("seed") == 987654321
                and text.count("987654321") == 1
                and not any(proof in text for proof in others)
            )
            hand = game.position(len(game.moves)).hands[seat]
            assert " ".join(map(str, hand)) not in text and all(
                card_text(card.card) for card in hand if card
            )


def test_levels_of_help(tmp_path):
    with site(tmp_path) as (client, found):
        links = seated(client, "person", "convention", seed=2)
        link = links[0]
        client.post(f"{link}/move", json={"move": "play 4", "turn": 0})
        settled(client, link)
        keys = {}
        for level in LEVELS:
            assert client.post(f"{link}/help", json={"level": level}).status_code == 200
            state = client.get(f"{link}/state?begun=1&turns=3").json()
            assert state["first"] == 0  # all is told anew
            cards = [
                card for turn in state["game"]["turns"] for hand in turn["hands"] for card in hand
            ]
            keys[level] = (
                set().union(*cards),
                len({card["hinted"] for card in cards}),
                state["game"]["turns"][1]["move"]["means"],
            )
        assert (
            keys["none"][1] == 1 < keys["what hints say"][1]
            and keys["what hints say"][0] == keys["none"][0]
        )
        assert (
            not keys["what hints say"][2]
            and keys["what they mean"][2]
            and "tag" in keys["what they mean"][0]
        )
        assert (
            "chances" in keys["what I can know"][0] and "chances" not in keys["what they mean"][0]
        )
        assert client.post(f"{link}/advice", json={}).json()["line"].startswith("convention would ")
        assert (
            client.post(f"{link}/advice", json={"agent": "piers"})
            .json()["line"]
            .startswith("piers would ")
        )
        assert "by its rule" in client.post(f"{link}/why", json={"turn": 1}).json()["line"]
        assert (
            client.post(f"{link}/back", json={}).json()["line"]
            == "Back to turn 0. The moves since are kept as a side line."
        )
        assert client.get(f"{link}/state").json()["to_move"] == 0


def test_names_and_notes_are_text_and_a_note_is_ones_own(tmp_path):
    with site(tmp_path) as (client, found):
        links = seated(client, "person", "person")
        name = "<b>&\"'" + "x" * 70
        assert client.post(f"{links[0]}/name", json={"name": name}).status_code == 200
        assert client.post(f"{links[0]}/note", json={"note": "</script><b>"}).status_code == 200
        other = client.get(f"{links[1]}/state").json()
        assert other["game"]["agents"][0] == name and other["note"] == ""
        page = client.get("/games")
        assert "<b>&\"'" not in page.text and "&lt;b&gt;&amp;" in page.text
        for act, body in (
            ("name", {"name": "x" * 81}),
            ("name", {"name": "a\0b"}),
            ("note", {"note": "x" * 2001}),
        ):
            assert client.post(f"{links[0]}/{act}", json=body).status_code == 422
        assert client.get(f"{links[0]}/state").json()["note"] == "</script><b>"


def test_an_agent_that_fails_is_told_and_the_table_stays(tmp_path, monkeypatch):
    with site(tmp_path) as (client, found):
        link = seated(client, "person", "piers")[0]
        monkeypatch.setattr(
            PlayTable,
            "move_finder",
            lambda self: (_ for _ in ()).throw(ValueError("no such\nthing")),
        )
        client.post(f"{link}/move", json={"move": "play 0", "turn": 0})
        assert settled(client, link)["problem"] == "The agent cannot move: no such thing"


def test_many_tables_are_forgotten_and_found_again(tmp_path, monkeypatch):
    monkeypatch.setattr("hanabi.evolve.site.tables.OPEN", 3)
    with site(tmp_path) as (client, found):
        links = [seated(client, "person", "piers", seed=seed)[0] for seed in range(8)]
        for link in links:
            assert settled(client, link)["to_move"] == 0
        assert len(found.tables.open) <= 4 and len(list(tmp_path.glob("*.toml"))) == 8


@pytest.mark.slow
def test_many_games_leave_nothing_in_memory(tmp_path, monkeypatch):
    """Of games that are over, and forgotten, less stays than a tenth of a table."""
    monkeypatch.setattr("hanabi.evolve.site.tables.OPEN", 5)
    with site(tmp_path) as (client, found):

        def play(games):
            for seed in range(games):
                link = seated(
                    client, "person", "piers", variant="mini,players=2,colours=2", seed=seed
                )[0]
                while not (state := settled(client, link))["over"]:
                    client.post(
                        f"{link}/move",
                        json={"move": obvious(state), "turn": state["game"]["turns"][-1]["turn"]},
                    )
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

        play(10)  # what is remembered once and for all
        tracemalloc.start()
        try:
            before, after = play(10), play(40)
        finally:
            tracemalloc.stop()
        assert (after - before) / 40 < 4_000, "bytes per game"


def test_it_says_when_an_agent_waits_for_machine_code(tmp_path):
    async def look():
        tables = OpenTables(tmp_path)
        open_table = OpenTable(
            tables, SeatViews(table("person", "piers", variant="mini,players=2"))
        )
        told = []
        for compiling in (False, True):
            open_table.thinking = 1, time.monotonic()
            if compiling:
                for tell in announce:
                    tell("some.function")
            told.append((await open_table.state_for(0))["thinking"]["compiles"])
        tables.close()
        return told

    before = list(announce)
    assert asyncio.run(look()) == [False, True] and announce == before
