"""Plain Python players by name and as objects: the same games as at our table, what goes wrong,
and that no data runs their code.
"""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from folders import ENVIRONMENT, HANABI, lay_out, refused
from sizes import some
from tables import obvious, seated, settled, site
from typed import own_rules, typed

from hanabi.evolve import compare, play_games, tournament
from hanabi.evolve.bridges.external_bot import load_players, load_python_player
from hanabi.game_record import play_one
from hanabi.player import PlayError, default_move
from hanabi.rules import load
from hanabi.table import Table
from hanabi.variant import NAMED

PLAYERS = """import os, random, time
from hanabi import default_move, play, playable_chance
from hanabi.game import legal_moves

open("ran", "a").write("loaded\\n")

class Blind:
    def __init__(self, least=1.0):
        self.least, self.moves = least, 0
    def move(self, view):
        assert (view.hands[view.me] == -1).all() and view.held[view.me] == 0
        self.moves += 1
        sure = [slot for slot in range(view.hand_size) if playable_chance(view, slot) >= self.least]
        return (play(sure[0]) if sure else default_move(view)), f"move {self.moves}"

class Any(Blind):
    def move(self, view):
        return random.choice(legal_moves(view)), "any"

class Begun:
    def begin(self, variant, seat):
        here = Blind()
        here.moves = 100 * seat + 10 * variant.seats
        return here
    def move(self, view):
        raise AssertionError("it was not begun")

class NoMove: pass
class Refuses:
    def __init__(self): raise OSError("no weights")
class Raises(Blind):
    def move(self, view): return {}["x"]
class Hangs(Blind):
    def move(self, view): time.sleep(10_000)
class Spins(Blind):
    def move(self, view):
        while True: pass
class Illegal(Blind):
    def move(self, view): return 6, "x"
class Nonsense(Blind):
    def move(self, view): return 3
class Dies(Blind):
    def move(self, view): os._exit(7)
"""


class Blind:
    """The same player in this process."""

    name = "blind"

    def __init__(self):
        self.moves = 0

    def move(self, view):
        from hanabi.moves import play as play_move
        from hanabi.view import playable_chance

        self.moves += 1
        sure = [slot for slot in range(view.hand_size) if playable_chance(view, slot) >= 1]
        return (play_move(sure[0]) if sure else int(default_move(view))), f"move {self.moves}"


class Peeking(Blind):
    """Asks to see its own hand."""

    sees_own_hand = True

    def peek(self, state):
        raise AssertionError("it was shown the state")

    def move(self, view):
        assert (view.hands[view.me] == -1).all() and view.held[view.me] == 0
        return super().move(view)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    lay_out(tmp_path, {"p.py": PLAYERS})
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "variant, partner",
    [("standard", "piers"), ("mini", "piers"), ("standard", "convention-simple")],
)
def test_it_plays_the_same_games_as_at_our_table(variant, partner, folder):
    """Also beside a list with conventions; a player remembers its own game alone."""
    seated, made = NAMED[variant].at(3), load_python_player("python:p.py:Blind")
    there = play_one(seated, [made.at(3), load(partner).at(3)], [0, 1, 0], 5)
    here = play_one(seated, [load(Blind()).at(3), load(partner).at(3)], [0, 1, 0], 5)
    assert there.moves == here.moves and there.rules == here.rules
    assert [reason for place, reason in enumerate(there.rules) if place % 3 == 2] == [
        f"move {number}" for number in range(1, len(there.moves) // 3 + 1)
    ]


def test_same_seed_same_result_for_any_number_of_workers(folder):
    """Its random numbers follow from the game, in one process as in two."""
    found = [
        typed(
            "tournament",
            "python:p.py:Any",
            "python:p.py:Blind,least=0.5",
            "-n",
            6,
            "--players",
            2,
            "-j",
            jobs,
            "--json",
        )
        for jobs in (1, 2)
    ]
    assert found[0][0] == 0 and found[0][:2] == found[1][:2], found
    assert {row["agent"] for row in json.loads(found[0][1])} == {
        "python:p.py:Any",
        "python:p.py:Blind,least=0.5",
    }


def test_begin_is_told_variant_and_seat(folder):
    game = play_one(
        NAMED["standard"].at(2), [load_python_player("python:p.py:Begun").at(2)], [0, 0], 3
    )
    assert game.rules[:4] == ("move 21", "move 121", "move 22", "move 122")


def test_every_command_that_names_agents_takes_it(folder):
    spec = "python:p.py:Blind"
    lay_out(folder, {"in.txt": "quit\n"})
    assert typed("show", spec, "piers", "--seed", 2, "-o", "g.toml")[0] == 0
    code, out, err = typed("compare", spec, "piers", "-n", 4, "--players", 2, "-j", 1)
    assert code == 0 and spec in out, err
    code, out, err = typed(
        "tournament",
        "piers",
        "--mode",
        "mixed",
        "--pool",
        spec,
        "-n",
        2,
        "--players",
        2,
        "-j",
        1,
        "--json",
    )
    assert code == 0 and json.loads(out)[0]["partner"] == spec, err
    code, out, err = typed("ask", spec, "g.toml", "--turn", 6, "--json")
    game = json.loads(typed("show", "g.toml", "--json")[1])
    assert (
        code == 0
        and json.loads(out)["move"] == game["turns"][6]["move"]
        and json.loads(out)["rule"] == "move 4"
    ), err
    code, out, err = typed("behave", "--agree", spec, "g.toml", "--json")
    agrees = {row["kind"]: row for row in json.loads(out)}
    assert (
        code == 0 and set(agrees) == {"agent", "chance"} and 0.5 < agrees["agent"]["agrees"] < 1
    ), err
    code, out, err = typed("behave", "--who", "g.toml", "--pool", spec, "--pool", "piers", "--json")
    assert code == 0 and json.loads(out)["moves"][-1]["shares"][spec] < 1, err
    first = [move for move in json.loads(out)["moves"] if move["seat"] == "Ann"]
    assert all(move["chances"][spec] == 1 for move in first) and first[-1]["shares"][spec] > 0.9, (
        "Ann played like it"
    )


def test_it_sits_at_a_table_and_the_game_goes_on(folder, monkeypatch):
    """`hanabi play` keeps the spec in the file, which alone does not run it; typed again it goes
    on.
    """
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("d 0\ntell Bob 1\nquit\n"))
    code, out, err = typed("play", "--text", "python:p.py:Blind", "--seed", 3)
    assert code == 0 and "Bob (python:p.py:Blind)" in out, err
    [file] = (folder / "games").glob("*.toml")
    assert f"play --text games/{file.name} python:p.py:Blind" in " ".join(out.split()), out
    Path("ran").unlink()
    refused(
        f"play --text games/{file.name}",
        folder,
        "'python:p.py:Blind' runs code, so only a command line may name it",
    )
    assert not Path("ran").exists()
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert typed("play", "--text", f"games/{file.name}", "python:p.py:Blind")[0] == 0
    refused(f"play --text games/{file.name} piers", folder, "says who sits where: leave piers out")


WRONG = {
    "Raises": "raised KeyError: 'x' (p.py, line 32)",
    "Hangs": "needed more than 0.5 s for one move",
    "Spins": "needed more than 0.5 s for one move",
    "Illegal": "made the illegal move 6 (discard 0)",
    "Nonsense": 'returned 3, not a move and its reason, such as (play(0), "it fits")',
    "Dies": "ended its process (exit code 7)",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_player_that_goes_wrong_is_named(name, folder):
    Path("ran").touch()
    code, out, err = typed(
        "tournament",
        f"python:p.py:{name}",
        "-n",
        2,
        "--players",
        2,
        "-j",
        1,
        "-o",
        "rows.csv",
        "--bot-seconds",
        0.5 if "0.5" in WRONG[name] else 60,
    )
    assert (code, out) == (2, "")
    assert err.startswith(
        f"hanabi: player python:p.py:{name} {WRONG[name]} (turn 0 of the game with seed "
    ), err
    assert err.count("\n") == 1 and not Path("rows.csv").exists()


NOT = [
    ("show python:no.py:X", "player python:no.py:X: there is no file "),
    ("show python:p.py:X", "has no class or function X"),
    (
        "show python:p.py:NoMove",
        "player python:p.py:NoMove: has no move: a player is a class with move(view)",
    ),
    (
        "show python:p.py:Refuses",
        "player python:p.py:Refuses: raised OSError: no weights (p.py, line 30)",
    ),
    (
        "show python:p.py:Blind,most=1",
        "raised TypeError: Blind.__init__() got an unexpected keyword argument 'most'",
    ),
    (
        "show python:p.py",
        "player 'python:p.py': write python:FILE.py:CLASS, or python:FILE.py:CLASS,argument=value",
    ),
    (
        "show python:p.py:Blind,least=1,least=2",
        "player python:p.py:Blind,least=1,least=2: an argument stands there twice",
    ),
    (
        "tournament python:p.py:Blind --bot-seconds 0",
        "a player may take some seconds for a move, up to 3600, not 0",
    ),
    (
        "show search:python:p.py:Blind",
        "'python:p.py:Blind' runs code, so only a command line may name it, by itself",
    ),
    (
        "analyse --only parts python:p.py:Blind",
        "python:p.py:Blind is a plain Python player, and this takes lists apart",
    ),
    ("export python:p.py:Blind --standalone a.py", "python:p.py:Blind"),
    (
        "show search:search:piers",
        "search is there twice; write search:piers",
    ),
    (
        "show search:search:piers,rollouts=3",
        "search is there twice; write search:piers,rollouts=3",
    ),
]


@pytest.mark.parametrize("words, message", NOT, ids=[words for words, _ in NOT])
def test_what_cannot_play_is_told(words, message, folder):
    Path("ran").write_text("loaded\n" * (0 if "no.py" in words else 1))
    code, out, err = typed(*words.split())
    assert (
        (code, out) == (2, "")
        and err.startswith("hanabi: ")
        and err.count("\n") == 1
        and message in err
    ), err


TABLE = 'players = 2\nseed = 1\nmoves = []\nagents = ["person", "python:p.py:Blind"]\n[table]\nseats = ["person", "python:p.py:Blind"]\n'
DATA = {  # commands over files that somebody may have downloaded
    "a.toml": ('[python]\nfile = "p.py"\nname = "Blind"\n', "tournament a.toml"),
    "b.toml": (
        'name = "python:p.py:Blind"\n[partners]\npool = "python:p.py:Blind"\n',
        "tournament b.toml",
    ),
    "t.toml": (TABLE, "play --text t.toml"),
    "m.toml": (TABLE.split("[table]")[0].replace("person", "piers"), "show m.toml --marks"),
    "s.toml": (TABLE.split("[table]")[0].replace("person", "piers"), "show s.toml --search"),
    "c.toml": ('base = "quick"\nmode = "mixed"\npool = ["python:p.py:Blind"]\n', "evolve c.toml"),
    "e.toml": (
        '[runs.one]\ntable = "T"\nagent = "python:p.py:Blind"\nconfig = { base = "quick" }\n',
        "experiment e.toml",
    ),
}


@pytest.mark.parametrize("name", DATA)
def test_no_data_runs_a_player(name, folder):
    lay_out(folder, {file: text for file, (text, _) in DATA.items()})
    code, _, err = typed(*DATA[name][1].split())
    assert code == 2 and err.count("\n") == 1, err
    assert not Path("ran").exists(), err


def test_no_function_takes_its_spec(folder):
    spec = "python:p.py:Blind"
    for call in (
        lambda: load(spec),
        lambda: tournament([spec]),
        lambda: play_games("piers", partner=spec),
        lambda: compare("piers", spec),
    ):
        with pytest.raises(ValueError, match="runs code, so only a command line may name it"):
            call()
    assert not Path("ran").exists()


def test_the_site_seats_it_only_where_the_command_line_names_it(folder):
    """No request and no game that is sent or lies there runs it; named on the command line it is
    one of the agents.
    """
    spec = "python:p.py:Blind"
    with site(folder / "games") as (client, _):
        for path, data in (
            ("/tables", {"seats": ["person", spec]}),
            ("/games", {"text": TABLE}),
            ("/tournament", {"agents": [spec], "mode": "mirror", "games": 1, "seed": 0}),
        ):
            answer = client.post(path, json=data)
            assert answer.status_code == 422 or path == "/games", answer.text
        (folder / "games/t.toml").write_text(TABLE)
        for page in ("/games", "/games/t", "/games/t/data", "/agents"):
            client.get(page)
        assert not Path("ran").exists()
    with own_rules():
        load_players([spec])
        with site(folder / "games", {spec: spec}) as (client, _):
            [link] = seated(client, "person", spec, variant="mini,players=2", seed=4).values()
            while not (state := settled(client, link))["over"]:
                client.post(
                    f"{link}/move",
                    json={"move": obvious(state), "turn": state["game"]["turns"][-1]["turn"]},
                )
            assert not state["problem"]
    assert Path("ran").exists()


def test_objects_in_the_functions():
    options = dict(players=[2], jobs=1, games_each=4)
    rows = tournament([Blind(), "piers"], "cross", **options).rows
    assert rows["agent"].tolist() == ["blind", "blind", "piers", "piers"]
    table = Table(NAMED["standard"].at(2), [load(Blind()).at(2)])
    game = play_games(Blind(), 2, 4, jobs=2)
    assert game["score_kept"].tolist() == [
        int(table.play([seed], [0, 0])["score"][0]) for seed in game["seed"]
    ]
    assert compare(Blind(), "piers", players=[2], games=4, jobs=1).agents == ("blind", "piers")
    assert tournament(["piers"], "mixed", [Blind()], **options).rows["partner"].tolist() == [
        "blind"
    ]
    for what, message in (
        (Blind, "Blind is a class and cannot play: seat Blind()"),
        (42, "int cannot sit at a table"),
    ):
        with pytest.raises(ValueError, match=message.replace("(", r"\(").replace(")", r"\)")):
            tournament([what])


def test_an_object_is_blind_and_no_worker_shares_its_memory():
    asked = Peeking()
    assert len(play_games(asked, 2, 4, jobs=2)) == 4 and asked.moves == 0

    class Uncopied(Blind):
        def __deepcopy__(self, memo):
            raise TypeError("no copies")

    with pytest.raises(
        PlayError,
        match=r"^player blind raised TypeError: no copies \(as it was copied for a game: give it begin",
    ):
        play_games(Uncopied(), 2, 1, jobs=1)


@pytest.mark.parametrize("how", ["the end", "Ctrl-C"])
def test_its_process_ends_with_the_command(how, folder):
    """Also one that never gives its move."""
    (folder / "p.py").write_text(
        PLAYERS.replace("class Blind", "open('pid', 'w').write(str(os.getpid()))\nclass Blind")
    )
    name = "Blind" if how == "the end" else "Spins"
    process = subprocess.Popen(
        [*HANABI, "show", f"python:p.py:{name}"],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    pid = _until(lambda: Path("pid").exists() and Path("pid").read_text())
    if how == "Ctrl-C":
        time.sleep(4)  # into the first move
        process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()[-15:]) == (
        (0, "") if how == "the end" else (130, "hanabi: stopped")
    ), err
    assert _until(lambda: _is_gone(pid))


HOSTILE = """
import fcntl, os, stat, subprocess, time

def our_pipe():
    '''The pipe to the caller, which a player could find and write to.'''
    for number in range(3, 64):
        try:
            is_pipe = stat.S_ISFIFO(os.fstat(number).st_mode)
            if is_pipe and fcntl.fcntl(number, fcntl.F_GETFL) & os.O_WRONLY:
                return open(number, "wb", buffering=0, closefd=False)
        except OSError:
            pass

class Writes:
    def __init__(self, what=""): self.what = what
    def move(self, view):
        end = our_pipe()
        while self.what == "bytes":
            end.write(b" ")
            time.sleep(0.3)
        while self.what == "messages":
            end.write(b'{"compiles": "x"}')
            time.sleep(0.3)
        while self.what == "much":
            end.write(b"x" * (1 << 20))
        end.write({"list": b"[1]\\n", "deep": b"[" * 60_000 + b"\\n", "nothing": b"{}\\n",
                     "odd": b'{"move": "1", "reason": 2}\\n'}[self.what])
        time.sleep(1000)

class Large:
    def __init__(self, power=40): self.power = power
    def move(self, view): return 10**self.power, "large"

class Talks:
    def move(self, view):
        from hanabi import default_move
        return default_move(view), "word\\x1b[2J\\n" * 4_000_000

class Screams:
    def move(self, view): raise ValueError("\\x1b]0;owned\\x07 " + "x" * 50_000_000)

class Forks:
    def move(self, view):
        child = subprocess.Popen(["sleep", "1000"])
        open("child", "w").write(str(child.pid))
        from hanabi import default_move
        if not os.path.exists("stay"):
            os._exit(3)
        return default_move(view), "forked"
"""


@pytest.fixture
def hostile(folder):
    (folder / "h.py").write_text(HOSTILE)
    return folder


ANSWERS = {
    "Writes,what=bytes": "needed more than 1 s for one move",
    "Writes,what=messages": "needed more than 1 s for one move",
    "Writes,what=much": "sent more than 64 kB for one answer",
    "Writes,what=list": "sent what is no answer",
    "Writes,what=deep": "sent what is no answer",
    "Writes,what=nothing": "made the illegal move 0",
    "Writes,what=odd": "returned ('1', '2'), not a move and its reason",
    "Large": f"returned {10**40}, which is no move: moves are 1 to 65",
    "Large,power=5000": "returned a number of more than 60 digits, which is no move",
    "Screams": r"raised ValueError: \x1b]0;owned\x07 xxx",
}


@pytest.mark.parametrize(
    "name", some(*ANSWERS, fast=("Writes,what=much", "Writes,what=deep", "Large", "Screams"))
)
def test_whatever_a_player_sends_is_one_line_in_time(name, hostile):
    """One deadline per request, 64 kB per answer, moves in their range."""
    player = load_python_player(f"python:h.py:{name}", 1.0 if "1 s" in ANSWERS[name] else 60.0)
    begun = time.monotonic()
    with pytest.raises(PlayError) as error:
        play_one(NAMED["standard"].at(2), [player.at(2)], [0, 0], 3)
    said = str(error.value)
    assert ANSWERS[name] in said and said.isprintable() and len(said) < 1000, said[:1000]
    assert "1 s" not in ANSWERS[name] or time.monotonic() - begun < 20, "the limit is per request"


def test_a_long_reason_is_cut_and_its_control_characters_are_escaped(hostile):
    player = load_python_player("python:h.py:Talks", 60.0)
    game = play_one(NAMED["mini"], [player.at(3)], [0, 0, 0], 3)
    assert set(game.rules) == {(r"word\x1b[2J\n" * 30)[:300]}


@pytest.mark.parametrize("how", ["it ends", "the game ends"])
def test_what_a_player_started_ends_with_it(how, hostile):
    player = load_python_player("python:h.py:Forks", 60.0)
    if how == "it ends":
        with pytest.raises(PlayError, match=r"ended its process \(exit code 3\)"):
            play_one(NAMED["mini"], [player.at(3)], [0, 0, 0], 3)
    else:
        Path("stay").touch()
        play_one(NAMED["mini"], [player.at(3)], [0, 0, 0], 3)
        player.kind.process().end()
    assert _until(lambda: _is_gone(Path("child").read_text()))


def _until(what):
    for _ in range(600):
        found = what()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("it never came")


def _is_gone(pid):
    return (
        not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]
    )
