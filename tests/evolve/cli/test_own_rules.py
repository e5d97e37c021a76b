"""User-defined rules: whatever machine code would not notice is refused in one line."""

import os
import shlex
import signal
import subprocess
import sys
import time

import pytest
from folders import ENVIRONMENT, lay_out, rule_text
from paths import PATIENCE
from typed import typed

from hanabi import trial
from hanabi.evolve.measure import watchdog
from hanabi.positions.position import Position
from hanabi.rulebook import Family, Rule
from hanabi.table import ListPlayer, Table
from hanabi.variant import NAMED

HELPER = """
from hanabi.backend import compiled


@compiled
def lose(view):
    view.lives -= 1
    return view.lives


@compiled
def forget(row):
    row[0] = 0


@compiled
def deep(n):
    if n < 0:
        return 0
    return deep(n + 1)
"""

CIRCLE = """
from hanabi.backend import compiled


@compiled
def even(n):
    return 0 if n == 0 else odd(n - 1)


@compiled
def odd(n):
    return 0 if n == 0 else even(n - 1)
"""


def own(body, imports="", **more):
    """The text of a rule file with the rule own.bad."""
    return imports + "\n" + rule_text(body, given='prefix="own."' + more.pop("given", ""), **more)


# what stands in the text is refused when the file is read: (the file, what is said)
WRITES = "which is read-only; work on"
REFUSED = {
    "a number": (
        own("view.lives = 3\n    return NOTHING"),
        f"rule own.bad writes to view.lives, {WRITES} a number of your own: "
        "mine = view.lives (own.py, line 10)",
    ),
    "a look-ahead": (own("view.tokens -= 1\n    return NOTHING"), "writes to view.tokens"),
    "an array": (
        own("view.hands[0, 1] = 3\n    return NOTHING"),
        f"writes to view.hands, {WRITES} a copy: mine = view.hands.copy() (own",
    ),
    "another name": (
        own("mine = view.hands[1]\n    mine[0] = 3\n    return NOTHING"),
        "writes to view.hands",
    ),
    "two at once": (own("a, view.score = 1, 2\n    return NOTHING"), "writes to view.score"),
    "marks": (own("view.marks[0].plays[1] |= 3\n    return NOTHING"), "writes to view.marks"),
    "a helper": (own("return NOTHING if lose(view) else NOTHING", HELPER), "writes to view.lives"),
    "another file": (
        own("return NOTHING if lose(view) else NOTHING", "from helpers_of_tests import lose"),
        "mine = view.lives (helpers_of_tests.py, line 7)",
    ),
    "numpy's chance": (
        own("return discard(np.random.randint(5))", "import numpy as np"),
        "asks np.random.randint for random numbers that no seed repeats; ask random_below(view,"
        " salt, n) of hanabi.view",
    ),
    "Python's chance": (
        own("return discard(random.randrange(5))", "import random"),
        "asks random.randrange for random numbers",
    ),
    "one function of it": (
        own("return discard(randrange(5))", "from random import randrange"),
        "asks randrange for random numbers",
    ),
    "a generator": (
        own(
            "return discard(rng.integers(5))", "import numpy as np\nrng = np.random.default_rng(1)"
        ),
        "asks rng.integers for random numbers",
    ),
    "secrets": (
        own("return discard(randbelow(5))", "from secrets import randbelow"),
        "asks randbelow for random numbers",
    ),
    "a yield": (
        own("yield 3\n    return NOTHING"),
        "has a yield or is async: a rule returns its answer at once, by return (own.py, line ",
    ),
    "the time": (
        own("return NOTHING if time.time() > 0 else NOTHING", "import time"),
        "asks time.time for something outside the game",
    ),
}
# what shows in a call of functions: (the file, what is said)
REFUSED |= {
    "a recursion": (
        own("return deep(view.turn)", HELPER),
        "calls deep, which calls deep again: a recursion may never end;"
        " write a loop (own.py, line 20)",
    ),
    "a circle": (
        own("return even(view.turn)", CIRCLE),
        "calls odd, which calls even again: a recursion may never end;"
        " write a loop (own.py, line 7)",
    ),
}
# what shows in a game: (the body of the rule, what it imports, what is said)
PLAYED = {
    "a far index": (
        "return NOTHING if playable_chance(view, 5000000) > 2 else NOTHING",
        "from hanabi.view import playable_chance",
        "raised IndexError: index 5000000 is out of bounds for axis 0 with size 5 (own.py,"
        " line 10)",
    ),
    "a far index of one's own": (
        "return NOTHING if np.zeros(3)[10**9] > 2 else NOTHING",
        "import numpy as np",
        "raised IndexError: index 1000000000 is out of bounds",
    ),
    "a loop too long": (
        "n = 0\n    for i in range(SLOTS + 8):\n        n += view.mask[view.me, i]\n"
        "    return NOTHING if n else NOTHING",
        "from hanabi.moves import SLOTS",
        "raised IndexError: index 5 is out of bounds",
    ),
    "an index too low": (
        "return NOTHING if view.mask[view.me, -6] == 7 else NOTHING",
        "",
        "raised IndexError: index -6 is out of bounds",
    ),
    "an index from the end": (
        "last = view.turn - 1\n    return NOTHING if view.history[last] == 7 else NOTHING",
        "",
        "raised IndexError: index -1 is out of bounds: places count from 0 (own.py, line 11)",
    ),
    "five players": (
        "return NOTHING if view.players == 5 and view.hand_size"
        " + view.fireworks[view.players + 1] == 7 else NOTHING",
        "",
        "raised IndexError: index 6 is out of bounds",
    ),
    "late": (
        "if view.turn > 40:\n        return play(view.fireworks[view.turn])\n    return NOTHING",
        "from hanabi.moves import play",
        "raised IndexError: index 4",
    ),
    "hidden writing": (
        "forget(view.mask[view.me])\n    return NOTHING",
        HELPER,
        f"writes to view.mask, {WRITES} a copy: mine = view.mask.copy() (own.py, line 13)",
    ),
    "writing after a move": (  # found compiled: it was called uncompiled until it proposed a move
        "if view.turn > 20:\n        forget(view.mask[view.me])\n"
        "    return discard(0) if view.tokens < view.max_tokens else NOTHING",
        HELPER,
        f"writes to view.mask, {WRITES} a copy: mine = view.mask.copy() (own.py, line 13)",
    ),
    "a view by another name": (
        "mine = view\n    mine.lives = 3\n    return NOTHING",
        "",
        "writes to view.lives",
    ),
    "by a text": ("view['lives'] = 3\n    return NOTHING", "", "writes to view.lives"),
    "a float": (
        "return view.tokens / 2",
        "",
        "returned 4.0, which is no move; return play(slot), discard(slot), "
        "tell_rank(seat, rank), tell_colour(seat, colour) or NOTHING",
    ),
    "a bool": ("return view.tokens > 2", "", "returned True, which is no move"),
    "a division": (
        "return NOTHING if view.tokens // view.score > 2 else NOTHING",
        "",
        "raised ZeroDivisionError: division by zero (own",
    ),
    "endless": (
        "while view.turn >= 0:\n        pass\n    return NOTHING",
        "",
        "needed more than 1 s for one decision in plain Python (own.py, line ",
    ),
    "an exception": ("raise ValueError('no')", "", "raised ValueError: no (own.py, line 10)"),
    "an illegal move": ("return 77", "", "made the illegal move 77"),
    "a number beyond all": ("return 10**12", "", "made the illegal move 1000000000000"),
}
COMMANDS = (
    "tournament own:0 --games 2 --jobs 2 --backend processes",
    "analyse --only parts own:0 --players 5",
    "evolve --preset quick --set 'rules=[\"cig2018.play_safe_card\"]' --set otherwise=default"
    " --jobs 2",
)


AGENT = """name = "own"
otherwise = "default"
[rules]
"2-5" = ["cig2018.play_safe_card", "cig2018.tell_anyone_about_useful"]
[conventions]
"2-5" = ["own_says"]
"""
CONVENTIONS = {
    "an index": (
        "return 1 if view.mask[reading.target, 7] else 0",
        "raised IndexError: index 7 is out of bounds",
    ),
    "hidden writing": (
        "mine = view\n    mine.lives = 1\n    return 0",
        "writes to view.lives, which is read-only",
    ),
    "slots": ("return reading.slots", "; a convention returns 1 where it applied, else 0"),
}


@pytest.fixture(autouse=True)
def patience(monkeypatch, request):
    """Wait long for what ends on a busy machine; give up soon what does not end."""
    endless = "endless" in request.node.name
    monkeypatch.setattr("hanabi.checked_call.PATIENCE", 1.0 if endless else 600.0)
    if endless:
        monkeypatch.setattr("hanabi.checked_call.MACHINE_PATIENCE", 1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    lay_out(tmp_path, {"helpers_of_tests.py": HELPER})
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("case", REFUSED)
def test_what_stands_in_the_text_is_refused_when_it_is_read(case, folder):
    text, message = REFUSED[case]
    lay_out(folder, {"own.py": text})
    code, out, err = typed("rules", "own", "--rules", "own.py", folder=folder)
    assert code == 2 and out == "" and err.count("\n") == 1
    assert message in err, err


def test_a_name_that_a_function_shares_with_a_field_is_no_recursion(folder):
    body = "return play(0) if tokens(view) > 9 else NOTHING"
    text = (
        "from hanabi.backend import compiled\nfrom hanabi.moves import play\n\n\n"
        "@compiled\ndef tokens(view):\n    return view.tokens\n"
    )
    lay_out(folder, {"own.py": own(body, text)})
    code, out, err = typed("rules", "own", "--rules", "own.py", folder=folder)
    assert code == 0, err


def convention_text(body):
    return f"""from hanabi.conventions.marks import promise
from hanabi.conventions.register import convention


@convention("also")
def own_says(view, reading):
    \"""Says something.\"""
    {body}
"""


@pytest.mark.parametrize("case", CONVENTIONS)
def test_a_convention_is_tried_too(case, folder):
    body, message = CONVENTIONS[case]
    lay_out(folder, {"own.py": convention_text(body), "own.toml": AGENT})
    code, out, err = typed("show", "own.toml", "--rules", "own.py", folder=folder)
    assert code == 1 and out == "", out + err
    first, second = err.splitlines()[-2:]
    assert (
        first.startswith("hanabi: convention own_says ")
        and message in first
        and "the position is in fault.toml" in first
    )
    assert second.startswith("hanabi: more of it: hanabi check ") and Position.read(
        (folder / "fault.toml").read_text()
    )


def test_the_verbs_of_conventions_may_write(folder):
    """What they write, and what lazy answers and one's own arrays are for, stays possible."""
    body = (
        "if reading.target >= 0:\n        promise(reading, 0, view.playable)\n"
        "        reading.warned |= 1\n    return 1"
    )
    lay_out(
        folder,
        {
            "own.py": convention_text(body),
            "own.toml": AGENT,
            "fine.py": own(
                "mine = np.zeros(5, np.int64)\n    hands = view.hands.copy()\n"
                "    for slot in range(SLOTS):\n        mine[slot] = hands[1, slot]\n"
                "        hands[0, slot] = 3\n    lives = view.lives\n    lives -= 1\n"
                "    known = i_know(view, view.playable)\n"
                "    return play(0) if known + mine[0] + lives + hands[0, 0] < -9 else NOTHING",
                "import numpy as np\nfrom hanabi.knowledge.questions import i_know\n"
                "from hanabi.moves import SLOTS, play",
            ),
        },
    )
    code, out, err = typed(
        "show", "own.toml", "fine:0", "--rules", "own.py", "--rules", "fine.py", folder=folder
    )
    assert code == 0 and err == "" and out, err


def test_a_division_by_zero_is_named_in_a_game_that_no_trial_played(folder, untried):
    untried(
        folder / "own.py",
        own("return NOTHING if view.turn < 9 or 1 / (view.players - 2) > 2 else NOTHING"),
    )
    code, out, err = typed(
        "tournament",
        "own:0",
        "--games",
        2,
        "--jobs",
        1,
        "--players",
        2,
        "--rules",
        "own.py",
        folder=folder,
    )
    assert code == 1 and out == "", out + err
    assert (
        "rule own.bad raised ZeroDivisionError: division by zero (own.py, line 10) (turn 9 of the"
        " game with seed " in err
    ), err


def test_what_passed_is_remembered_until_it_is_edited(folder, monkeypatch):
    asked = []
    before = trial.check_call
    monkeypatch.setattr(
        "hanabi.trial.check_call", lambda *given: asked.append(given) or before(*given)
    )
    monkeypatch.setattr("hanabi.trial._passed", set())
    for text in (f"if view.turn == {id(folder)}:\n        return NOTHING\n    return NOTHING",) * 2:
        lay_out(folder, {"own.py": own(text)})
        assert typed("show", "own:0", "--rules", "own.py", folder=folder)[0] == 0
        assert len(asked) > 100
        first = len(asked)
    assert len(asked) == first
    assert typed("show", "own:0", "--rules", "own.py", "--players", 3, folder=folder)[0] == 0
    assert len(asked) > first, "another number of players is another trial"


@pytest.mark.parametrize("case", PLAYED)
def test_what_shows_in_a_game_is_named_with_its_position(case, folder):
    body, imports, message = PLAYED[case]
    lay_out(folder, {"own.py": own(body, imports)})
    code, out, err = typed(
        "tournament", "own:0", "--games", 2, "--jobs", 1, "--rules", "own.py", folder=folder
    )
    assert code == 1 and out == "" and "Traceback" not in err, out + err
    first, second = err.splitlines()[-2:]
    assert first.startswith("hanabi: rule own.bad ") and message in first, err
    assert " of a trial game for " in first and first.endswith("the position is in fault.toml"), err
    told = second.removeprefix("hanabi: set it up again: hanabi ")
    assert told.startswith("ask own.bad fault.toml") and Position.read(
        (folder / "fault.toml").read_text()
    )
    code, out, err = typed(*shlex.split(told), folder=folder)
    assert code == 0 and f" to move: the rule {message[:20]}" in out, out + err


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_plays_it_first(words, folder):
    lay_out(folder, {"own.py": own(*PLAYED["a far index of one's own"][:2])})
    code, out, err = typed(*shlex.split(words), "--rules", "own.py", folder=folder)
    assert (
        code == 1
        and out == ""
        and "index 1000000000 is out of bounds" in err
        and "hanabi ask own.bad fault" in err
    ), err


AT_IT = """
import hashlib, subprocess
from hanabi.evolve.cli.app import stop_on_interrupt
from hanabi.rules.user_rules import LOADED
LOADED["own.py"] = ""
with stop_on_interrupt():
    child = subprocess.Popen(["sleep", "3600"], stdout=-3, stderr=-3)  # DEVNULL
    while True:
        try:  # wherever the signal comes: like machine code, without the GIL, and deaf
            print(child.pid, flush=True)
            hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
        except KeyboardInterrupt:
            pass
"""


def test_ctrl_c_ends_what_never_comes_back_and_what_it_started():
    process = subprocess.Popen(
        [sys.executable, "-c", AT_IT],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    try:
        child = int(process.stdout.readline())
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130 and err == "hanabi: stopped\n"
    assert time.monotonic() - start < 60, "3 seconds, on a machine that does nothing else"
    with pytest.raises(ProcessLookupError):
        for _ in range(600):  # until it is reaped
            os.kill(child, 0)
            time.sleep(0.1)


@pytest.fixture
def endless():
    """A table at which an own rule does not come to an end."""

    def never_ends(view):
        """Never end."""
        while view.turn >= 0:
            pass
        return 0

    rule = Rule(Family("own.endless", never_ends, {}, {}), ())
    table = Table(NAMED["standard"].at(2), [ListPlayer((rule,))], trial=False)
    table.deal(1, [0, 0])
    return table


def test_the_rule_that_does_not_end_is_named(endless):
    """As Ctrl-C asks the tables, where one stands in a decision that takes too long."""
    fault = endless.stuck()
    assert (
        fault is not None
        and fault.rule.family.name == "own.endless"
        and fault.turn == 0
        and fault.seed == 1
    )


def test_one_of_the_worker_processes_names_it_unasked(endless, monkeypatch, capfd, tmp_path):
    permit = tmp_path / "permit"
    permit.touch()
    monkeypatch.setattr("hanabi.trial.TABLES", {endless})
    monkeypatch.setattr(watchdog, "LONG", -1)
    first, second = watchdog.Watchdog(str(permit)), watchdog.Watchdog(str(permit))
    told = []
    for lookout in (first, second):
        for _ in range(3):
            lookout.look()
            told.append(capfd.readouterr().err)
        assert not permit.exists()
    assert told[1].startswith("hanabi: rule own.endless needed more than 0.2 s") and told[
        1
    ].endswith("; Ctrl-C stops\n")
    assert told == ["", told[1], "", "", "", ""], "at the second look, once, and by one of two"
    monkeypatch.setattr("hanabi.table.Table.stuck", lambda table: None)
    permit.touch()
    lookout = watchdog.Watchdog(str(permit))
    for _ in range(3):
        lookout.look()
    assert capfd.readouterr().err == "" and permit.exists(), "it is slow, and gets on"
