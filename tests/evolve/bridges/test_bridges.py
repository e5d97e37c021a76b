"""Our agents in other engines: on forced decks the same moves as at our table.

Their bots at ours: what they see, and what goes wrong.
"""

import json
import random
import re
from types import SimpleNamespace

import numpy as np
import pytest
from datasets import dataset
from folders import lay_out, refused
from other_engines import COUNTS, many, of, same_moves, theirs
from paths import ROOT
from typed import typed

from hanabi.action_ids import actions_of, game_of, no_op, number_of
from hanabi.environment.observed_game import ObservedGame, ObservedSeat
from hanabi.evolve import called_process
from hanabi.evolve.bridges import bot_process
from hanabi.evolve.bridges.engine_bots import BotError, to_action, to_number
from hanabi.evolve.bridges.hle import Agent
from hanabi.evolve.bridges.python_player_process import PythonPlayers
from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.behaviour import measure_behaviour
from hanabi.evolve.measure.one_game import play_game
from hanabi.evolve.measure.tournament import records
from hanabi.game import legal_moves
from hanabi.rules import load
from hanabi.state import VIEW
from hanabi.table import Table
from hanabi.variant import NAMED

FEW = {
    "piers": COUNTS,
    "convention-2026": (2, 3),
    "legal-random": (3, 4),
    "search:piers,rollouts=4": (2,),
}


@pytest.fixture(params=("openspiel", "hle"))
def engine(request):
    """The name of an engine that is installed."""
    if request.param == "hle":
        pytest.importorskip(
            "hanabi_learning_environment.rl_env",
            reason="HLE is not installed: see docs/guides/other-engines.md",
        )
    return request.param


@pytest.mark.parametrize(
    "spec, players", [(spec, players) for spec, counts in FEW.items() for players in counts]
)
def test_the_same_moves(engine, spec, players):
    same_moves(engine, spec, players, 1)


@pytest.mark.slow
@pytest.mark.parametrize("players", COUNTS)
def test_the_same_moves_in_hundreds_of_games(engine, players):
    assert sum(games for _, games in many(players)) >= 400
    for spec, games in many(players):
        same_moves(engine, spec, players, games)


def test_the_example_of_the_guide(capsys):
    """A whole game of OpenSpiel with our agents, as docs/guides/other-engines.md shows it."""
    page = (ROOT / "docs/guides/other-engines.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(import random, pyspiel.*?)^```$", page, re.M | re.S)
    random.seed(1)
    exec(compile(code, "guide", "exec"), {})
    points = json.loads(capsys.readouterr().out)
    assert len(set(points)) == 1 and 5 < points[0] <= 25


def test_a_bot_of_openspiel_looks_at_no_hidden_card():
    """With other cards in its hand and in the deck, as far as its hints allow them, it moves as
    before.
    """
    from hanabi.environment.observed_game import observe_history
    from hanabi.evolve.bridges.openspiel import Bot

    game, changed = of["openspiel"](3).game, 0
    deck = theirs(NAMED["standard"].deck())
    random.Random(3).shuffle(deck)
    bot, actions = Bot("piers", game, 0), []
    for turn in range(40):
        state = _after(game, deck, actions)
        if state.is_terminal():
            break
        if turn % 3 == 0:
            seen = ObservedGame(3, 0)
            observe_history(seen, state.history())
            other = _after(game, theirs(seen.complete_deck()), actions)
            changed += str(other) != str(state)
            assert bot.step(other) == bot.step(state)
            assert other.observation_string(0) == state.observation_string(0)
        actions.append(Bot("piers", game, state.current_player()).step(state))
    assert changed > 8


def _after(game, deck, actions):
    state, rest, made = game.new_initial_state(), iter(deck), iter(actions)
    while True:
        while state.is_chance_node():
            state.apply_action(next(rest))
        number = next(made, None)
        if number is None:
            return state
        state.apply_action(number)


def test_what_their_bots_see_at_our_table(engine):
    """Their own engine shows a bot what its seat sees, at each turn of the others too, and no card
    of its own.
    """
    players, bots, asked = 3, [], 0
    there = type(of[engine](players))(lambda *about: bots.append(_Bot()) or bots[-1], players)
    table = Table(NAMED["standard"].at(players), [load("piers").at(players)])
    there.begin(1)
    for step in table.steps(4, [0] * players):
        if step.seat != 1:
            continue
        seen, number, view, bot = (
            ObservedGame.from_view(step.view),
            number_of(step.view, step.move),
            step.view,
            bots[0],
        )
        bot.now, asked = number if engine == "openspiel" else to_action(number, players), asked + 1
        assert there.ask(1, theirs(seen.complete_deck()), seen.numbers) == number
        assert len(bot.told) == len(seen.moves) - asked + 1, "it hears of every turn of the others"
        if engine == "openspiel":
            assert (
                f"Deck size: {view.deck}\n" in bot.saw and f"Life tokens: {view.lives}\n" in bot.saw
            )
            continue
        hands = [
            [(card["color"], card["rank"]) for card in hand] for hand in bot.saw["observed_hands"]
        ]
        assert hands[0] == [(None, -1)] * len(seen.ages[1]) and bot.saw["deck_size"] == view.deck
        for offset in (1, 2):
            cards = [
                int(view.hands[(1 + offset) % 3, slot]) for slot in seen.ages[(1 + offset) % 3]
            ]
            assert hands[offset] == [("RBGYW"[card // 5], card % 5) for card in cards]
    assert asked > 15


class _Bot:
    """Makes the move that it is given, and keeps what it is shown."""

    def __init__(self):
        self.now, self.told, self.saw = None, [], None

    def inform_action(self, state, player, action):
        assert player != 1 and action in state.legal_actions()
        self.told.append(action)

    def step(self, state):
        self.saw = str(state)
        return self.now

    def act(self, observation):
        if observation["current_player_offset"]:
            return self.told.append(observation["deck_size"])
        self.saw = observation
        return self.now


BOTS = """import os, time
class Top:
    def __init__(self, game, player): pass
    def step(self, state): return max(state.legal_actions())
class Raises(Top):
    def step(self, state): return {}["x"]
class Hangs(Top):
    def step(self, state): time.sleep(10_000)
class Illegal(Top):
    def step(self, state): return 0
class Nonsense(Top):
    def step(self, state): return "play"
class Dies(Top):
    def step(self, state): os._exit(7)
"""
WRONG = {
    "Raises": "raised KeyError: 'x' (bots.py, line 6)",
    "Hangs": "needed more than 0.5 s for one move",
    "Illegal": "made the illegal move 6 (discard 0)",
    "Nonsense": "returned 'play', which is no action there",
    "Dies": "ended its process (exit code 7)",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_bot_that_goes_wrong_is_named(name, tmp_path):
    lay_out(tmp_path, {"bots.py": BOTS})
    code, out, err = typed(
        "tournament",
        f"openspiel:bots.py:{name}",
        "-n",
        2,
        "--players",
        2,
        "-j",
        1,
        "-o",
        "rows.csv",
        "--bot-seconds",
        0.5 if name == "Hangs" else 60,
        folder=tmp_path,
    )
    assert (code, out) == (2, "")
    assert err.startswith(
        f"hanabi: player openspiel:bots.py:{name} {WRONG[name]} (turn 0 of the game with seed "
    )
    assert err.count("\n") == 1 and not (tmp_path / "rows.csv").exists()


@pytest.mark.parametrize(
    "rest", ["-j 1", pytest.param("-j 2 --backend processes", marks=pytest.mark.slow)]
)
def test_a_bot_sits_at_our_table(rest, tmp_path):
    lay_out(tmp_path, {"bots.py": BOTS})
    words = (
        "tournament",
        "iggi",
        "openspiel:bots.py:Top",
        "--mode",
        "cross",
        "-n",
        2,
        "--players",
        2,
        "--json",
    )
    code, out, err = typed(*words, *rest.split(), folder=tmp_path)
    assert code == 0, err
    who, variant = (
        {"iggi": load("iggi").at(2), "openspiel:bots.py:Top": _Top()},
        NAMED["standard"].at(2),
    )
    for place, row in enumerate(json.loads(out)):
        mirror = row["agent"] == row["partner"]
        seeds, seats = deals(0, 2, 2, place=0 if mirror else place % 2, partner=int(not mirror))
        table = Table(variant, [who[row["agent"]]] + [who[row["partner"]]] * (not mirror))
        assert row["mean_kept"] == table.play(seeds, seats)["score"].mean(), row


class _Top:
    """The bot of that name, as a player of our own: the last legal move by number."""

    name, only_list_questions = "top", True  # asks a view nothing that would have to be compiled

    def move(self, view):
        return max(legal_moves(view), key=lambda move: number_of(view, move)), ""


def test_how_a_bot_plays_is_counted(tmp_path):
    lay_out(tmp_path, {"bots.py": BOTS})
    words = "behave openspiel:bots.py:Top --beside iggi -n 2 -p 2 -j 1 --json"
    code, out, err = typed(*words.split(), folder=tmp_path)
    assert code == 0, err
    same = measure_behaviour([_Top()], "iggi", [2], 2, jobs=1)
    assert json.loads(out) == records(same.assign(agent="openspiel:bots.py:Top"))


NOT = [
    ("tournament openspiel:b.py:X", "bot openspiel:b.py:X: there is no file "),
    (
        "tournament openspiel:no.such:X",
        "bot openspiel:no.such:X: there is no module no.such; a file of your own is written with "
        ".py",
    ),
    (
        "tournament openspiel:random",
        "bot openspiel:random: OpenSpiel has no bot 'random' for this, only "
        "fixed_action_preference, ",
    ),
    ("tournament hle:x", "bot 'hle:x': write hle:FILE.py:NAME, hle:MODULE:NAME"),
    (
        "tournament openspiel:uniform_random --bot-seconds 0",
        "a bot may take some seconds for a move, up to 3600, not 0",
    ),
    (
        "tournament openspiel:uniform_random --variant mini -j 1",
        "openspiel:uniform_random plays the standard game, as its engine",
    ),
    (
        "compare piers openspiel:uniform_random",
        "'openspiel:uniform_random' is a bot of another engine: only `hanabi tournament`",
    ),
]


@pytest.mark.parametrize("words, message", NOT, ids=[words for words, _ in NOT])
def test_what_is_no_bot_is_told(words, message, tmp_path):
    refused(words, tmp_path, message)


def test_an_agent_file_names_no_bot(tmp_path):
    lay_out(
        tmp_path,
        {
            "a.toml": '[foreign]\nengine = "openspiel"\nwhere = "bots.py"\nname = "Top"\n',
            "bots.py": "raise SystemExit",
        },
    )
    refused("tournament a.toml", tmp_path, "a.toml: no key 'foreign'")


def test_what_cannot_play_there_is_told():
    for spec in ("zhao:belief=peek", "osawa-ideal"):
        with pytest.raises(ValueError, match="sees hidden cards, which no other engine shows it"):
            ObservedSeat(spec, 2)
    for config, message in (
        ({}, "config should name an agent"),
        ({"agent": "pierz"}, "did you mean 'piers'"),
    ):
        with pytest.raises(ValueError, match=message):
            Agent(config).act(
                {
                    "current_player_offset": 0,
                    "num_players": 2,
                    "observed_hands": [[]],
                    "fireworks": {},
                    "pyhanabi": type("ObservedGame", (), {"last_moves": lambda self: []})(),
                }
            )
    pyspiel = pytest.importorskip("pyspiel")
    from hanabi.evolve.bridges.openspiel import Bot

    for other in ("hanabi(players=2,colors=2)", "tic_tac_toe"):
        with pytest.raises(ValueError, match="another game than the standard one"):
            Bot("piers", pyspiel.load_game(other), 0)


def test_the_numbers_of_jaxmarl():
    """As its action_encoding has them (jaxmarl 0.2.0, run with numpy in place of jax), and a game
    there and back.
    """
    assert [no_op(players) for players in COUNTS] == [20, 30, 38, 48]
    assert [to_action(number, 4) for number in (3, 4, 12, 22, 26, 27, 37)] == [
        {"action_type": "DISCARD", "card_index": 3},
        {"action_type": "PLAY", "card_index": 0},
        {"action_type": "REVEAL_COLOR", "color": "B", "target_offset": 1},
        {"action_type": "REVEAL_COLOR", "color": "B", "target_offset": 3},
        {"action_type": "REVEAL_RANK", "rank": 3, "target_offset": 1},
        {"action_type": "REVEAL_RANK", "rank": 4, "target_offset": 1},
        {"action_type": "REVEAL_RANK", "rank": 4, "target_offset": 3},
    ]
    for players in COUNTS:
        game = play_game(["iggi"], players, 3)
        deck, actions = actions_of(game)
        wanted = dataset([game])  # worked out anew in tests/support/datasets.py
        assert np.array_equal(deck, wanted["decks"][0]) and np.array_equal(
            actions, wanted["actions"][0, : len(game.moves)]
        )
        assert game_of(deck, actions).moves == game.moves
        for number in range(no_op(players)):
            assert (
                to_number(to_action(number, players), players)
                == to_number(np.int64(number), players)
                == number
            )
    for nothing in (no_op(2), -1, True, None, "PLAY", {"action_type": "PLAY"}):
        with pytest.raises(BotError, match="which is no move there"):
            to_number(nothing, 2)
    with pytest.raises(ValueError, match="for the standard game"):
        actions_of(play_game(["iggi"], 3, 1, "mini"))


def test_the_process_of_a_bot_ends_once_its_parent_is_gone(monkeypatch):
    """Also while the bot computes, and does not notice that its pipe is closed."""
    lives, slept, ended = iter([True, True, False]), [], []

    class InThisThread:
        def __init__(self, target, daemon):
            self.start = target
            assert daemon

    def sleep(seconds):
        assert len(slept) < 5, "it goes on"
        slept.append(seconds)

    def leave(code):
        raise SystemExit(code)

    monkeypatch.setattr(
        called_process.processes, "parent_check", lambda parent: lambda: next(lives)
    )
    monkeypatch.setattr(called_process.processes, "kill_group", ended.append)
    monkeypatch.setattr(called_process, "threading", SimpleNamespace(Thread=InThisThread))
    monkeypatch.setattr(called_process, "time", SimpleNamespace(sleep=sleep))
    system = {name: lambda *words: None for name in ("dup", "dup2", "fdopen", "open")}
    system |= {"_exit": leave, "getpid": lambda: 7, "devnull": "", "O_RDONLY": 0}
    monkeypatch.setattr(called_process, "os", SimpleNamespace(**system))
    with pytest.raises(SystemExit) as end:
        called_process.take_pipes(1)
    assert end.value.code == 1 and slept == [called_process.WATCH] * 2
    assert ended == [7], "with all that the bot started"


def test_random_numbers_of_a_bot_follow_from_the_game():
    bots = SimpleNamespace(answer=lambda request: (random.random(), np.random.random()))
    first, other, again = (bot_process.answer_request(bots, {"word": word}) for word in (5, 6, 5))
    assert first == again and first[0] != other[0] and first[1] != other[1]


def test_a_plain_player_gets_no_lists_of_conventions():
    """The code that keeps their marks runs in the other process, at addresses of that one."""

    class Passing:
        def move(self, view):
            return 0, ""

    table = Table(NAMED["standard"].at(2), [load("convention-2026").at(2)])
    facts = next(iter(table.steps(1, [0, 0]))).view.tobytes()
    assert np.frombuffer(facts, VIEW)[0].lists == 1
    assert PythonPlayers(Passing, {}).view_of(facts).lists == 0
