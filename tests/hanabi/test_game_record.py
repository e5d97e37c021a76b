"""Games and positions as text: they read back exactly, impossible ones are named, and games look
the way they look.
"""

import dataclasses
import json
import os
import random

import numpy as np
import pytest
import small_rules
from paths import GOLDEN
from sizes import THOROUGH

from hanabi.game import apply, cards_to_draw
from hanabi.game_loop import ENDS
from hanabi.game_reader import load, names_game
from hanabi.game_record import Game, play_one
from hanabi.moves import FORFEIT
from hanabi.notation import event_text, mask_text, read_event, read_mask
from hanabi.positions.history import follow
from hanabi.positions.position import HeldCard, Position
from hanabi.rulebook import FAMILIES
from hanabi.state import FACTS_BYTES
from hanabi.table import ListPlayer, RuleFailedError, Table, game_seeds
from hanabi.text.move_facts import ENGINE
from hanabi.text.transcript import game_data, game_text, replay
from hanabi.variant import NAMED, Variant, read_variant

GAMES = GOLDEN / "games.txt"
CRUEL = ListPlayer(
    small_rules.honest(
        "play_likely(chance=1)", "cig2018.forfeits_without_tokens", "tell_randomly"
    ).rules
)
VARIANTS = [
    *(NAMED["standard"].at(players) for players in (2, 3, 4, 5)),
    NAMED["mini"],
    NAMED["two-colour"],
    Variant(players=2, colours=6, ranks=1, copies=(3,), hand=2, lives=1, tokens=2),
    Variant(players=4, colours=1, ranks=5, copies=(3, 3, 3, 3, 3), hand=3),
]


def games():
    """Games of every variant by every strategy, some forced, one stopped on the way."""
    rng = random.Random(6)
    for variant in VARIANTS:
        for strategy in range(len(small_rules.STRATEGIES)):
            deck = variant.deck() if strategy % 2 else None
            if deck:
                rng.shuffle(deck)
            seats = [strategy] + [0] * (variant.players - 1)
            yield play_one(
                variant,
                small_rules.STRATEGIES,
                seats,
                rng.getrandbits(64),
                deck,
                ["sensible", 'careful "c"', "wasteful\n", "random", "bold"]
                if strategy != 2
                else (),
            )
    whole = play_one(VARIANTS[0], [small_rules.SENSIBLE], [0, 0], 5)
    yield Game(whole.variant, 5, None, whole.moves[:20])
    yield play_one(VARIANTS[1], [CRUEL], [0, 0, 0], 5)


def test_games_read_back():
    ends = set()
    for game in games():
        assert Game.read(game.text) == game and Game.read(game.text).text == game.text
        ends.add(game.end)
    assert ends >= {"", "lives", "deck", "forfeit"} and ends <= {"", *ENDS}, ends


def test_positions_read_back():
    """… and stand in the same bytes: every fact, the true hands, what each seat does not see, the
    rest of the deck.
    """
    for game in list(games())[::2]:
        for turn in range(0, len(game.moves) + (game.end != "forfeit"), 5):
            position = game.position(turn)
            again = Position.read(str(position))
            assert again == position and str(again) == str(position)
            for (table, view), (table_2, view_2) in ((game.at(turn), again.state()),):
                assert view.tobytes()[:FACTS_BYTES] == view_2.tobytes()[:FACTS_BYTES]
                assert np.array_equal(table.hands, table_2.hands) and table.seed == table_2.seed
                assert np.array_equal(
                    table.unseen[:, : game.variant.players],
                    table_2.unseen[:, : game.variant.players],
                )
                assert (
                    cards_to_draw(table, view) == cards_to_draw(table_2, view_2) == list(again.deck)
                )


def test_a_game_goes_on_from_its_position():
    """Playing on from a position that was read is playing on in the game."""
    for game in list(games())[:20:3]:
        middle = len(game.moves) // 2
        table, view = Position.read(str(game.position(middle))).state()
        for move in game.moves[middle:]:
            apply(table, view, move)
        _, wanted = game.at(len(game.moves))
        assert view.tobytes()[:FACTS_BYTES] == wanted.tobytes()[:FACTS_BYTES]


def test_one_game_is_what_the_table_plays():
    for variant in (NAMED["standard"].at(4), NAMED["two-colour"]):
        table, seeds = Table(variant, small_rules.STRATEGIES), game_seeds(8, 12)
        seats = [[(place + game) % 5 for place in range(variant.players)] for game in range(12)]
        results = table.play(seeds, np.array(seats))
        for seed, row, result in zip(seeds, seats, results, strict=True):
            game = play_one(variant, small_rules.STRATEGIES, row, int(seed))
            assert (game.score, game.end, len(game.moves)) == (
                result.score,
                ENDS[result.end],
                result.turns,
            )
            assert game.score_zero == (0 if result.lives == 0 else result.score)


def test_a_faulty_rule_is_named():
    with pytest.raises(RuleFailedError, match="faulty.raises raised ValueError"):
        play_one(
            VARIANTS[1],
            [ListPlayer((small_rules.FAULTY["raised"], *small_rules.RANDOM.rules))],
            [0, 0, 0],
            1,
        )
    with pytest.raises(RuleFailedError, match="faulty.moves_illegally made the illegal move 5"):
        play_one(VARIANTS[2], [ListPlayer((small_rules.FAULTY["illegal"],))], [0] * 4, 1)


def test_reprs_rebuild():
    names = {"Game": Game, "Position": Position, "HeldCard": HeldCard, "Variant": Variant}
    for game in list(games())[::6]:
        assert eval(repr(game), names) == game
        position = game.position(len(game.moves) // 2)
        assert eval(repr(position), names) == position


def test_load_says_what_a_file_is(tmp_path):
    game = play_one(VARIANTS[1], [small_rules.SENSIBLE], [0, 0, 0], 7)
    texts = {
        "game.toml": game.text,
        "position.toml": str(game.position(9)),
        "agent.toml": 'name = "x"',
        "bad.toml": "moves = [",
        "binary.toml": b"\xff\xfe",
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    file = {name: tmp_path / name for name in texts}
    assert [names_game(str(path)) for path in file.values()] == [True, True, False, False, False]
    assert load(file["game.toml"]) == game and load(str(file["game.toml"]), 9) == game.position(9)
    assert load(file["position.toml"]) == game.position(9)
    for name, turn, message in (
        ("game.toml", 999, "game.toml: this game has turns 0 to"),
        (
            "position.toml",
            0,
            "position.toml is a position, which has no turns: leave the turn out, or give a game",
        ),
        (
            "agent.toml",
            None,
            "agent.toml is neither game nor position",
        ),
        ("bad.toml", None, "bad.toml is not TOML"),
        ("binary.toml", None, "binary.toml is not text"),
        ("gone.toml", None, "gone.toml: no such file"),
    ):
        with pytest.raises(ValueError) as caught:
            load(tmp_path / name, turn)
        assert message in str(caught.value) and "\n" not in str(caught.value)
    (tmp_path / "wrong.toml").write_text('players = 2\nseed = 1\nmoves = ["play"]')
    with pytest.raises(ValueError, match="wrong.toml, turn 0: no move 'play'"):
        load(tmp_path / "wrong.toml")


def test_a_history_is_followed_by_the_laws_of_the_game():
    """What events alone make of the fireworks, the tokens and the rest is what the game itself
    made of them.
    """
    for game in games():
        _, view = game.at(len(game.moves))
        events = view.history[: view.turn].tolist()
        told = follow(
            game.variant, [event & ~(1 << 24) for event in events]
        )  # whether a play fitted is worked out
        for name in (
            "turn",
            "me",
            "tokens",
            "lives",
            "score",
            "deck",
            "left",
            "playable",
            "dead",
            "useless",
        ):
            assert told[name] == view[name], name
        assert (told.history == view.history).all() and (told.fireworks == view.fireworks).all()
        assert (
            (told.alive == view.alive).all()
            and (told.filled == view.filled).all()
            and (told.touched == view.touched).all()
        )
        assert [read_event(event_text(event)) for event in events] == [
            event & ~(1 << 24) for event in events
        ]


def test_a_history_that_lies_about_a_play():
    game = play_one(VARIANTS[1], [small_rules.SENSIBLE], [0, 0, 0], 7)
    position = game.position(20)
    turn = next(turn for turn, event in enumerate(position.history) if event >> 24 & 1)
    history = list(position.history)
    history[turn] ^= 1 << 24
    with pytest.raises(
        ValueError, match=f"history, turn {turn}: play .: .. is written as a play that does not fit"
    ):
        dataclasses.replace(position, history=tuple(history))


def test_what_hints_told_reads_back():
    variant = Variant(colours=4, ranks=3)
    for colours in range(1, 16):
        for ranks in range(1, 8):
            mask = sum(
                1 << (5 * c + r)
                for c in range(4)
                for r in range(3)
                if colours >> c & 1 and ranks >> r & 1
            )
            assert read_mask(mask_text(mask, variant), variant) == mask
    assert (
        mask_text(read_mask("", variant), variant) == ""
        and mask_text(read_mask("RB3", variant), variant) == "RB3"
    )


def test_replay_tells_what_happened():
    game = play_one(NAMED["standard"].at(3), [small_rules.SENSIBLE], [0, 0, 0], 7)
    turns = list(replay(game, ENGINE))
    assert len(turns) == len(game.moves) and [turn.seat for turn in turns[:4]] == [
        "Ann",
        "Bob",
        "Cal",
        "Ann",
    ]
    for before, after in zip(turns, turns[1:], strict=False):
        assert after.turn == before.turn + 1
        assert (after.score > before.score) == before.words.split(", ")[0].endswith(": it fits")
        assert (after.tokens < before.tokens) == (" tells " in before.words)
        assert (after.lives < before.lives) == before.words.endswith("life is lost")
        if " tells " in before.words:
            target = before.move.split()[1]
            told = before.words.split(": slot")[1].replace(" are ", " is ").split(" is ")[0]
            pointed = [int(sign) for sign in told if sign.isdigit()]
            assert pointed and all(after.hands[target][slot]["touched"] for slot in pointed)


def test_data_is_json():
    """Of every variant (each is played by five strategies), of every strategy, and of the last
    two, which stand alone.
    """
    found = list(games())
    for game in [*found[:: 1 if THOROUGH else 4], *found[-2:]]:
        data = json.loads(json.dumps(game_data(game)))
        assert (
            len(data["turns"]) == len(game.moves)
            and data["score_kept"] == game.score
            and data["end"] == game.end
        )
        assert set(data["turns"][0]) == {
            field.name for field in dataclasses.fields(next(replay(game)))
        }
        assert (
            Game.read(
                f'variant = "{data["variant"]}"\nplayers = {data["players"]}\nseed = {data["seed"]}\n'
                + (f'deck = "{data["deck"]}"\n' if data["deck"] else "")
                + f"moves = {json.dumps([turn['move'] for turn in data['turns']])}"
            ).moves
            == game.moves
        )


def golden():
    """The golden games as text."""
    named = {
        "sensible": small_rules.SENSIBLE,
        "bold": small_rules.BOLD,
        "random": small_rules.RANDOM,
        "cruel": CRUEL,
    }
    shown = [
        ("standard", 3, ["sensible"] * 3, 7),
        ("mini", 3, ["sensible", "random", "bold"], 1),
        ("two-colour", 2, ["sensible", "bold"], 2),
        ("standard", 5, ["cruel"] * 5, 3),
    ]
    texts = []
    for name, players, agents, seed in shown:
        variant = read_variant(name).at(players)
        seats = [list(named).index(agent) for agent in agents]
        game = play_one(variant, list(named.values()), seats, seed, None, list(named))
        texts += [game_text(game), game.text, str(game.position(len(game.moves) // 2))]
    return ("\n" + "=" * 100 + "\n").join(texts)


def test_golden_games(monkeypatch):
    """HANABI_GOLDEN=write writes the file anew; look at the difference before you commit it."""
    for entry in [*small_rules.HONEST]:
        monkeypatch.setitem(FAMILIES, entry.family.name, entry.family)
    text = golden()
    if os.environ.get("HANABI_GOLDEN") == "write":
        GAMES.write_text(text, encoding="utf-8")
    assert text == GAMES.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 160 and all(
        len(line) <= 100
        for line in text.splitlines()
        if not line.startswith(("deck = ", "Ann = ", "Bob = "))
    )


SMALL = 'variant = "standard"\nplayers = 2\nseed = 1\n'
BAD_GAMES = [
    ("x", "game is not TOML: Expected '=' after a key in a key/value pair (at end of document)"),
    ("players = 2", "game: give the seed of the deal, or the deck in the order of drawing"),
    ("seed = 1", "game: say how many players: 2 to 5"),
    (
        SMALL + "turns = 3",
        "game: no key 'turns'; the keys are variant, players, seed, deck, score, agents, moves",
    ),
    (
        SMALL + "move = 3",
        "game: no key 'move' (did you mean 'moves'?); the keys are variant, players, seed, deck, "
        "score, "
        "agents, moves",
    ),
    (SMALL + 'score = "3"', "game: score should be a whole number, not '3'"),
    (SMALL + "score = 3", "game: the score is said to be 3, but these moves make 0"),
    (SMALL + 'agents = ["piers"]', "game: 2 names of agents are needed, not 1"),
    (SMALL + "agents = [1, 2]", "game: agents should be names in quotes"),
    (
        SMALL + 'moves = ["play"]',
        "game, turn 0: no move 'play': write play 0, discard 4, tell Bob R or tell Bob 3 "
        "(slots from 0; names Ann, Bob, Cal, Dee, Eve; colours RBGYWP)",
    ),
    (
        SMALL + 'moves = [["play 0", "a", "b"]]',
        'game, turn 0: write a move as "play 0" or as ["play 0", "name of the rule"]',
    ),
    (
        SMALL + 'moves = ["discard 0"]',
        "game, turn 0: Ann cannot discard slot 5; legal are play slot 5, play slot 4, play slot 3, "
        "play slot 2, play slot 1, tell Bob R, tell Bob G, tell Bob Y, tell Bob W, tell Bob 1, tell Bob 2, tell Bob "
        "5",
    ),
    (SMALL + 'moves = ["forfeit", "play 0"]', "game, turn 0: Ann cannot forfeit; legal are"),
    (SMALL + 'moves = ["nothing"]', "game, turn 0: Ann cannot nothing; legal are"),
    (
        SMALL + 'deck = "R1 R1"',
        "game: a deck of this variant has the 50 cards of standard, each as often as it stands "
        "there",
    ),
    (
        SMALL + 'deck = "R1 X1"',
        "deck: no cards 'X1'; write a colour of R B G Y W P and ranks, such as R3 or R113",
    ),
    ("players = 2\nseed = -1", "game: a seed is a number from 0 to 18446744073709551615, not -1"),
    (
        "players = 7\nseed = 1",
        "game: a variant's players must be a whole number from 2 to 5, not 7",
    ),
    ('variant = "mini"\nplayers = 2\nseed = 1', "game: this variant is for 3 players, not 2"),
    (
        'variant = "my.toml"\nplayers = 2\nseed = 1',
        "game: a game holds its variant itself: write the settings, not the file 'my.toml'",
    ),
]
HANDS = '[hands]\nAnn = ["R1", "R1", "B2", "B3", "W5"]\nBob = ["R2", "G1", "Y2", "Y4", "W4"]\n'
BAD_POSITIONS = [
    ("", "position: say how many players: 2 to 5"),
    ("players = 2", 'position: Bob\'s hand should be a list of 5 slots, "--" where one is empty'),
    (
        "clock = 3\n" + HANDS,
        "position: no key 'clock'; the keys are variant, players, to_move, turn, tokens, lives",
    ),
    (
        HANDS + "Cat = []",
        "position: no player 'Cat' (did you mean 'Cal'?); players are Ann, Bob, Cal, Dee, Eve",
    ),
    ("players = 3\n" + HANDS, "position: Cal's hand should be a list of 5 slots"),
    ("players = 2\n" + HANDS + "Eve = []", "position: Eve has a hand, but only 2 players sit here"),
    (
        'to_move = "Cal"\n' + HANDS,
        "position: nobody called 'Cal' sits here; to_move is one of Ann, Bob",
    ),
    ("tokens = 9\n" + HANDS, "position: tokens must be from 0 to 8, not 9"),
    ("lives = -1\n" + HANDS, "position: lives must be from 0 to 3, not -1"),
    ("lives = 2\n" + HANDS, "position: 1 life is lost, but only 0 cards are discarded"),
    (
        "turn = 1\n" + HANDS,
        "position: turn 1 is not Ann's: turns count from 0, where Ann moves, to 255",
    ),
    ('fireworks = "R6"\n' + HANDS, "position: fireworks: no cards 'R6'"),
    (
        'fireworks = "R1 R2"\n' + HANDS,
        "position: fireworks 'R1 R2': write the highest card of each colour (RBGYW), once",
    ),
    (
        'fireworks = "R1"\ndiscards = "R11"\n' + HANDS,
        "position: R1 stands 5 times in the fireworks, the discards, Ann's hand; this variant has "
        "3",
    ),
    (
        'fireworks = "W5"\n' + HANDS,
        "position: W5 stands 2 times in the fireworks, Ann's hand; this variant has 1",
    ),
    (
        'discards = "P1"\n' + HANDS,
        "position: P1 stands 1 time in the discards; this variant has none",
    ),
    ('deck = "R3"\n' + HANDS, "position: the deck is written, but R123445"),
    (
        "left = 2\n" + HANDS,
        "position: left counts moves once the deck is empty; 40 cards are left to draw, so leave "
        "it out",
    ),
    (
        'history = ["play 0"]\n' + HANDS,
        "position: history, turn 0 (Ann): 'play 0' should be a move and what it showed",
    ),
    (
        'history = ["tell Ann R: 0"]\n' + HANDS,
        "position: history, turn 0 (Ann): 'tell Ann R: 0' is no hint that could be "
        "given: it must be for somebody else who sits here",
    ),
    (
        'history = ["tell Bob R: 7"]\n' + HANDS,
        "position: history, turn 0 (Ann): 'tell Bob R: 7' should name the slots",
    ),
    (
        'history = ["tell Bob P: 0"]\n' + HANDS,
        "position: history, turn 0 (Ann): 'tell Bob P: 0' is no hint that could be "
        "given: this variant has no such card",
    ),
    (
        'history = ["play 0: P1"]\n' + HANDS,
        "position: history, turn 0 (Ann): 'play 0: P1' could not be done: there is no such "
        "card or slot in this variant",
    ),
    (
        'variant = "hand=4"\nhistory = ["tell Bob R: 4"]\n'
        + HANDS.replace(', "W5"', "").replace(', "W4"', ""),
        "position: history, turn 0 (Ann): 'tell Bob R: 4' points at a slot that holds no card",
    ),
    (
        'history = ["play 0: W5", "play 0: W4", "play 0: W4", "play 0: B1"]\n' + HANDS,
        "position: history, turn 3 (Bob): 'play 0: B1' could not be done: the game was over",
    ),
    ("history = [3]\n" + HANDS, "position: history, turn 0 (Ann): 3 should be text such as"),
    (
        "history = [" + '"play 0: G1",' * 256 + "]\n" + HANDS,
        "position: the history has more than the 256 moves",
    ),
    (
        'history = ["discard 0: R1"]\n' + HANDS,
        "position: history, turn 0 (Ann): 'discard 0: R1' could not be done",
    ),
    (
        'turn = 3\nto_move = "Bob"\nhistory = ["play 0: G1"]\n' + HANDS,
        "position: the history has 1 move and the turn is 3",
    ),
    (
        'tokens = 8\nhistory = ["tell Bob R: 0"]\n' + HANDS,
        "position: tokens 8 and the history disagree: it makes 7",
    ),
    (
        'fireworks = "B1"\nhistory = ["play 0: G1"]\n' + HANDS,
        "position: fireworks B1 and the history disagree: it makes G1",
    ),
    (HANDS.replace("B2", "B2 R"), "position: Ann's B2 cannot be: its hints say R"),
    (HANDS.replace("B2", "B2 X"), "position: 'X' does not say what hints leave possible"),
    (HANDS.replace("B2", "B2 B B"), "position: Ann's hand: cannot read 'B' in 'B2 B B'"),
    (
        HANDS.replace("B2", "B2 touched"),
        "position: Ann's B2 is touched, but then its colour or its rank would be known",
    ),
    (HANDS.replace("B2", "B2 #9"), "position: Ann's B2 has place #9 in the order of drawing"),
    (
        HANDS.replace("B2", "B2 #99"),
        "position: Ann's B2 has place #99 in the order of drawing: places go from 0 to 9",
    ),
    (HANDS.replace("B2", "--"), "position: a slot is empty while 41 cards are left to draw"),
    (HANDS.replace("B2", "-- B"), 'position: Ann\'s hand: an empty slot is just "--"'),
    (HANDS.replace("B2", "Z2"), "position: no card 'Z2'"),
    (HANDS.replace('"B2"', "2"), "position: Ann's hand: a slot is written"),
    (
        HANDS.replace("G1", "??"),
        "position: Bob is not to move: everybody sees that hand, so ?? cannot stand in it",
    ),
    (
        'discards = "B1112"\n' + HANDS.replace('"R1", "R1", "B2"', '"?? B1", "R1", "B2"'),
        "position: no cards are left that fit every ?? of Ann's hand",
    ),
    (
        'variant = "players=2,colours=1,ranks=5,hand=2"\ndiscards = "R1"\n'
        '[hands]\nAnn = ["R1", "R2"]\nBob = ["R1", "--"]\n',
        "position: a slot is empty while 6 cards",
    ),
    (
        'variant = "players=2,colours=1,ranks=3,hand=2"\ndiscards = "R1"\nfireworks = "R2"\nleft = 2\n'
        '[hands]\nAnn = ["R1", "R2"]\nBob = ["R3", "R2"]\n',
        "position: R2 stands 3 times",
    ),
    (
        'variant = "players=2,colours=1,ranks=2,copies=32,hand=2"\nleft = 2\nturn = 2\nfireworks = "R1"\ntokens = 7\n'
        '[hands]\nAnn = ["R1", "R1"]\nBob = ["R2", "--"]\n',
        "position: a slot is empty while 1 card is left to draw",
    ),
    (
        'variant = "players=2,colours=1,ranks=2,copies=32,hand=2"\nleft = 2\nturn = 2\nfireworks = "R2"\n'
        '[hands]\nAnn = ["R1", "R1"]\nBob = ["R2", "--"]\n',
        "position: Bob has 1 empty slot, but moved not since",
    ),
]


@pytest.mark.parametrize("text, message", BAD_GAMES)
def test_bad_games(text, message):
    with pytest.raises(ValueError) as caught:
        Game.read(text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("text, message", BAD_POSITIONS)
def test_bad_positions(text, message):
    with pytest.raises(ValueError) as caught:
        Position.read(text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_bad_turns_are_named():
    game = play_one(NAMED["mini"], [small_rules.SENSIBLE], [0, 0, 0], 1)
    with pytest.raises(ValueError, match="this game has turns 0 to"):
        game.at(len(game.moves) + 1)
    with pytest.raises(ValueError, match="turn 0 .*the game is over|the game is over"):
        dataclasses.replace(game, moves=(*game.moves, 1), rules=())


def test_a_position_by_hand():
    """What is left out is sensible: nothing told, everything there, the deck is the rest, ages by
    slot.
    """
    position = Position.read("""
        variant = "standard"
        to_move = "Bob"
        tokens = 3
        fireworks = "R2 B1"
        discards = "R113 B4"
        [hands]
        Ann = ["R4 R", "B2", "G1 1", "W5", "Y3"]
        Bob = ["R3 RB3 #21", "??", "?? 5", "??", "??"]
        Cal = ["G2", "G3", "W1 12345W", "Y4", "Y1 untouched 1"]
    """)
    assert position.variant.players == 3 and position.lives == 3 and position.left == -1
    assert position.turn % 3 == 1 and position.turn >= 7 + 9
    _, view = position.state()
    assert (
        view.me == 1
        and view.deck == 50 - 15 - 7
        and view.score == 3
        and (view.hands[1] == -1).all()
    )
    assert [bin(int(bits)) for bits in view.touched[:3]] == ["0b101", "0b101", "0b100"]
    assert view.born[1].tolist() == [21, 6, 7, 8, 9] and view.born[0].tolist() == [0, 1, 2, 3, 4]
    assert mask_text(int(view.mask[1, 0]), position.variant) == "RB3" and (view.history == 0).all()
    assert position.hands[1][2].card % 5 == 4 and view.unseen[0] >> position.hands[1][2].card & 1
    assert Position.read(str(position)) == position


def test_the_last_round_by_hand():
    variant = Variant(players=2, colours=1, ranks=2, copies=(3, 2), hand=2)
    text = """variant = "players=2,colours=1,ranks=2,copies=32,hand=2"
              fireworks = "R1"
              discards = "R2"
              tokens = 8
              to_move = "%s"
              [hands]
              Ann = ["R1", "R2"]
              Bob = ["R1", "--"]
           """
    assert Position.read(text % "Ann").left == 1 and Position.read(text % "Bob").left == 0
    assert Position.read(text % "Ann").variant == variant


def test_forfeits_end_a_game():
    game = play_one(NAMED["standard"].at(2), [ListPlayer((), "forfeit")], [0, 0], 3)
    assert game.moves == (FORFEIT,) and game.end == "forfeit" and game.rules == ("otherwise",)
    assert "Ann forfeits the game" in game_text(
        game
    ) and "Game over: forfeited. 0 of 25 points" in game_text(game)
