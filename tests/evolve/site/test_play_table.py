"""A table: laws, its file, take back, positions, helps that tell nothing of one's own cards."""

import asyncio
import os
import socket

import pytest
from tables import any_move, play_on, table

from hanabi.evolve.site import move_preview as assistance, play_table as site_table
from hanabi.evolve.site.move_preview import preview_move
from hanabi.evolve.site.play_table import PlayTable, deal_of, seats_of
from hanabi.evolve.site.seat_view import SeatViews
from hanabi.evolve.site.serving import listen
from hanabi.evolve.site.tables import create_table
from hanabi.formats.hanab_live import to_link
from hanabi.game import legal_moves
from hanabi.game_reader import load
from hanabi.game_record import Game, Position
from hanabi.moves import NAMES
from hanabi.text.move_facts import lost_points
from hanabi.text.transcript import position_text
from hanabi.variant import read_variant

MINI = 'variant = "mini"\nto_move = "Bob"\nhands = {Ann = ["R2", "B1 1", "G1"], Bob = ["R1", "B2", "G3"], Cal = ["R1", "G2", "B1"]}'


@pytest.mark.parametrize(
    "spec",
    [
        "piers",
        "convention",
        "search:piers,rollouts=10",
        "partners:cig2018-paper",
        "zhao:belief=peek",
    ],
)
def test_a_whole_game_with_each_kind_of_agent_is_in_its_file(spec, tmp_path):
    file = tmp_path / "game.toml"
    here = table("person", spec, variant="mini,players=2", path=file)
    while not here.over:
        play_on(here, 1)
        assert load(file).moves == tuple(here.moves)  # at once, move by move
    assert load(file).end and assistance.final_lines(here)[0].startswith(
        f"{load(file).score} of 9 points"
    )
    again = PlayTable.read(file)
    assert str(again) == str(here) == file.read_text() and again.words == here.words


@pytest.mark.parametrize(
    "move, says",
    [
        (
            "discard 0",
            "You cannot discard with 8 hint tokens, which are all there are: play a card, or tell "
            "somebody about theirs.",
        ),
        ("tell Bob purple", "No card of Bob's is purple, and a hint must touch a card."),
        ("tell Ann 1", "You cannot tell yourself: tell Bob or Cal."),
        ("tell Eve 1", "Nobody called Eve sits here: tell Bob or Cal."),
        ("play 7", "Slot 7 holds no card: yours are in 0, 1, 2, 3 and 4."),
        ("play", "'play' is no move: write play 1, discard 5, tell Bob red or tell Bob 3."),
        (
            "tell Bob 7",
            "A hint tells a colour (red, blue, green, yellow, white, purple) or a rank (1 to 5), "
            "not '7'.",
        ),
        (
            "x" * 99,
            f"'{'x' * 56}... is no move: write play 1, discard 5, tell Bob red or tell Bob 3.",
        ),
    ],
)
def test_a_wrong_move_is_said_in_a_line_and_nothing_is_lost(move, says):
    here = table("person", "person", "piers")
    before = str(here)
    with pytest.raises(ValueError) as wrong:
        here.make(0, move)
    assert str(wrong.value) == says and str(here) == before
    with pytest.raises(ValueError, match="It is Ann's turn, not yours"):
        here.make(1, "play 0")
    here.make(0, "PLAY  0")
    here.make(1, "d 0") if here.view.tokens < 8 else here.make(1, "p 0")
    assert here.turn == 2


def test_a_file_with_a_deck_is_private(tmp_path):
    """Its permissions are kept where they were changed."""
    file = tmp_path / "tables" / "a.toml"
    sat = table("person", "piers", seed=1)
    sat.path = file
    before = os.umask(0)
    try:
        sat.save()
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    sat.save()
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_game_that_has_ended_opens_on_hanab_live():
    here = table("person", "piers")
    eyes = SeatViews(here)
    while not here.over:
        assert eyes.state_for(0)["game"]["live"] == ""  # it holds the deck
        play_on(here, 5)
    assert eyes.state_for(0)["game"]["live"] == to_link(here.game) != ""


def test_no_token_no_hint():
    here = table("person", "person")
    with pytest.raises(ValueError, match="No hint token is left: play a card, or discard one"):
        for _ in range(9):
            other = 1 - here.to_move
            here.make(
                here.to_move, f"tell {NAMES[other]} {here.position().hands[other][0].card % 5 + 1}"
            )


def test_take_back_keeps_the_moves_as_a_side_line(tmp_path):
    here = table("person", "convention", "piers", path=tmp_path / "a.toml")
    play_on(here, 7)
    moves, view = list(here.moves), here.view.copy()
    assert here.take_back(0) == 6 and here.turn == 6 and here.take_back(0) == 3
    assert (
        here.side_lines[0].startswith("Ann took back to turn 6: ")
        and PlayTable.read(here.path).side_lines == here.side_lines
    )
    here.make(0, moves[3])
    play_on(here, 2)
    assert here.moves == moves[:6]  # the same agents do the same again
    here.make(0, moves[6])
    assert here.view.tobytes() == view.tobytes()
    fresh = table("person", "piers")
    with pytest.raises(ValueError, match="no move of yours to take back"):
        fresh.take_back(0)


def test_a_game_is_played_on_from_a_turn(tmp_path):
    played = table("person", "piers", path=tmp_path / "game.toml")
    play_on(played)
    file, last = str(played.path), len(played.moves)
    here = create_table([file], tmp_path / "games", turn=7)
    assert here.moves == played.moves[:7] and here.specs == ("person", "piers")
    assert here.to_move == 1 and here.path != played.path
    assert create_table([file, "iggi", "person"], tmp_path, turn=0).specs == ("iggi", "person")
    for words, turn, said in (
        ([file], last, "The game is over there"),
        ([file], last + 1, f"turns 0 to {last}"),
        (["piers"], 3, "--turn is for a game to play on, and piers is none"),
    ):
        with pytest.raises(ValueError, match=said):
            create_table(words, tmp_path, turn=turn)


def test_a_position_is_a_start(tmp_path):
    """One written by hand, whose moves before nobody knows, and one with its history."""
    file = tmp_path / "p.toml"
    file.write_text(MINI)
    here = create_table([str(file), "convention", "person", "piers"], tmp_path / "games")
    assert here.to_move == 1 and here.specs[1] == "person"
    play_on(here, 5)
    assert isinstance(load(here.path), Position) and load(here.path).turn == here.turn == 6
    assert (
        str(PlayTable.read(here.path)) == str(here)
        and PlayTable.read(here.path).words == here.words
    )
    assert (
        "does not stand in a position" in assistance.advice(here, "convention")
        if not here.over
        else True
    )
    with pytest.raises(ValueError, match="to take back"):
        here.take_back(1, 0)
    assert here.take_back(1) in (1, 4)

    played = table("person", "convention", "piers")
    play_on(played, 9)
    again = PlayTable(played.specs, played.position())
    assert again.moves == played.moves and str(again.position()) == str(played.position())
    play_on(played, 3), play_on(again, 3)
    assert again.moves == played.moves


def test_a_move_that_cannot_be_kept_is_not_made(tmp_path, monkeypatch):
    here = table("person", "piers", path=tmp_path / "a.toml")

    def full(path, text, *more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(site_table, "write_whole", full)
    before = here.view.tobytes()
    with pytest.raises(OSError):
        here.make(0, "play 0")
    assert here.turn == 0 and here.view.tobytes() == before and here.words == []


def test_what_a_seat_is_told_hangs_on_nothing_that_it_does_not_see():
    """Two deals that a seat cannot tell apart: all helps are the same, at every turn, though its
    cards are not.
    """
    here = table("person", "convention", "convention", seed=11)
    play_on(here, 16)
    seen = 0
    for turn in range(0, here.turn, 3):
        position = here.game.position(turn)
        deck, moves = deal_of(position)
        drawn = len(deck) - len(position.deck)
        for card in position.hands[0]:
            place = next(
                (
                    place
                    for place in range(drawn, len(deck))
                    if deck[place] != card.card and card.mask >> deck[place] & 1
                ),
                None,
            )
            if place is None:
                continue
            other = list(deck)
            other[card.born], other[place] = other[place], other[card.born]
            games = [Game(here.variant, 11, tuple(cards), moves) for cards in (deck, other)]
            tables = [PlayTable(here.specs, game) for game in games]
            assert tables[0].position().hands[0] != tables[1].position().hands[0]
            told = [
                (
                    assistance.can_know(one, 0),
                    one.means,
                    assistance.advice(one, "convention"),
                    assistance.turn_line(one, 0),
                    one.words,
                    position_text(assistance.visible_position(one, 0)),
                    [preview_move(one, 0, move) for move in legal_moves(one.view)],
                )
                for one in tables
            ]
            assert told[0] == told[1]
            seen += 1
            break
    assert seen >= 4


def test_seats():
    standard = read_variant("standard")
    assert seats_of(["piers"], None, standard) == ["person", "piers"]
    assert seats_of(["piers"], 4, standard) == ["person", "piers", "piers", "piers"]
    assert seats_of(["piers", "iggi"], None, standard) == ["person", "piers", "iggi"]
    assert seats_of(["piers", "person"], None, standard) == ["piers", "person"]
    for specs, players in (
        (["a"] * 5, None),
        (["person"], None),
        (["person", "piers"], 3),
        (["a", "b"], 4),
    ):
        with pytest.raises(ValueError, match="sit at a table"):
            seats_of(specs, players, standard)


def test_the_end_in_words():
    """A game of nothing but misplays."""
    here = table("person", "person", "person", variant="mini")
    while not here.over:
        here.make(here.to_move, any_move(here))
    lost = assistance.final_lines(here)
    height = [int(rank) for rank in here.view.fireworks[:3]]
    assert len(lost) - 1 >= sum(rank < 3 for rank in height) and lost[0].startswith(
        f"{sum(height)} of 9 points"
    )
    view = here.view.copy()
    view.alive[0] |= 1
    view.fireworks[0] = 0
    assert lost_points(view, "deck")[0].startswith("Red stopped before R1")


def test_an_agent_says_why(tmp_path):
    here = table("person", "piers")
    here.make(0, "play 0")
    here.agent_moves()
    assert assistance.why(here, 1).startswith("piers ") and ", by its rule " in assistance.why(
        here, 1
    )
    for turn, says in (
        (0, "A person moved at turn 0: ask Ann."),
        (2, "No move was made at turn 2."),
        (-1, "No move was made"),
    ):
        with pytest.raises(ValueError, match=says):
            assistance.why(here, turn)


def test_files_that_are_no_tables(tmp_path):
    file = tmp_path / "a.toml"
    here = table("person", "piers", path=file)
    play_on(here, 4)
    good = file.read_text()
    for old, new, says in (
        ("[table]", "[other]", "no key 'other'"),
        ('seats = ["person", "piers"]', 'seats = ["person"]', "1 seats"),
        ('notes = ["", ""]', 'notes = [""]', "one text for each"),
        ('notes = ["", ""]', "notes = [1, 2]", "texts in quotes"),
        ('variant = "standard"', 'variant = "x.toml,hand=4"', "holds its variant itself"),
    ):
        assert old in good
        file.write_text(good.replace(old, new))
        with pytest.raises(ValueError, match=says) as wrong:
            PlayTable.read(file) if says[:2] != "no" else load(file)
        assert "\n" not in str(wrong.value)
    assert os.listdir(tmp_path) == ["a.toml"]


def test_answers_are_sent_at_once():
    """Nagle's delay would keep the second part of each answer back for 40 ms."""

    async def look():
        delays: list[int] = []

        async def answer(reader, writer):
            delays.append(
                writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            )
            writer.close()

        async with await asyncio.start_server(answer, sock=listen("127.0.0.1", 0)) as server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            await reader.read()
            writer.close()
        return delays

    assert all(asyncio.run(look()))
