"""What is endless, huge or nested without end is refused at once, in one line; see test_errors.py
for how.
"""

import os
import time

import pytest
from folders import AGENT, FILES, GAME, HANDS, lay_out, refused
from typed import typed

from hanabi import files, rules
from hanabi.moves import NOTHING
from hanabi.player import default_move
from hanabi.rulebook import MOST, make_family
from hanabi.rules import agents
from hanabi.table import Table
from hanabi.variant import read_variant

PIPE = "it is a pipe or a device; write what it gives to a file, and name that"
LOOP = "too many levels of symbolic links"
PROVENANCE = AGENT + "[provenance]\n"
RULE = '''from itertools import count
from hanabi.rulebook import rule


@rule({})
def bad({}):
    """Do nothing."""
    return 0
'''


def own(given, takes="view, a"):
    """A rule file whose rule has this grid."""
    return {"bad.py": RULE.format(given, takes)}


def many(what, times):
    return "[" + f"{what}," * times + "]"


PLACES = [  # a file that a user names: the command, by its ending
    "agents X.toml",
    "show X.toml",
    "ask X.toml",
    "ask piers X.toml",
    "logic holds true X.toml",
    "evolve X.toml",
    "show iggi --variant X.toml",
    "tournament piers --mode mixed --pool X.toml",
    "compare piers X.toml",
    "analyse --only parts X.toml",
    "rules --rules X.py",
    "check X.py",
    "show iggi --rules X.py",
    "import X.json",
    "import X.safetensors",
    "behave --agree piers X.jsonl",
]
TABLE = [  # (words, files, what the line says)
    (
        "agents a.toml",
        {"a.toml": AGENT + "#" * files.TOML},
        "cannot read a.toml: it is larger than 1 MB, the most that is read",
    ),
    ("rules --rules a.py", {"a.py": "#" * (files.LIMIT + 1)}, "a.py: it is larger than 16 MB"),
    (
        "agents a.toml",
        {"a.toml": PROVENANCE + "x = " + "[" * 900 + "]" * 900},
        "a.toml is not TOML: nested too deeply",
    ),
    ("agents a.toml", {"a.toml": PROVENANCE + "x = " + "[" * 40 + "]" * 40}, "nested too deeply"),
    (
        "agents a.toml",
        {"a.toml": PROVENANCE + "a." * 100_000 + "b = 1"},
        "a key has more than 32 parts",
    ),
    (
        "agents a.toml",
        {"a.toml": PROVENANCE + "'a' . " * 100_000 + "b = 1"},
        "a key has more than 32 parts",
    ),
    (
        "agents a.toml",
        {"a.toml": PROVENANCE + "x = " + many("1", 20_000)},
        "it holds more than 20,000 values",
    ),
    (
        "agents a.toml",
        {"a.toml": PROVENANCE + "x = 0x" + "f" * 9000},
        "a number has more than 60 digits",
    ),
    (
        "agents a.toml",
        {"a.toml": AGENT.replace("one", "n" * 81)},
        "should be one line of plain text of up to 80 letters",
    ),
    (
        "agents a.toml",
        {
            "a.toml": AGENT.replace(
                '["cig2018.play_safe_card"]', many('"cig2018.play_safe_card"', 2501)
            )
        },
        "a.toml: rules.2-5 has 2,501 rules, more than 2,500",
    ),
    (
        "agents a.toml",
        {"a.toml": AGENT.replace("cig2018.play_safe_card", "r" * 9000)},
        "has up to 400 letters, not 9,000",
    ),
    (
        "agents a.toml",
        {"a.toml": AGENT.replace("play_safe_card", f"play_probably_safe(chance=1{'0' * 320})")},
        "is out of its range",
    ),
    ("agents cig2018:" + "1," * 2500 + "1", {}, "more than 2,500 rules"),
    ("agents cig2018:" + "9" * 5000, {}, "is no number of the set cig2018, which has 0 to 71"),
    (
        "show g.toml",
        {"g.toml": GAME.replace('["play 0"]', many('"play 0"', 9000))},
        "9000 moves are more than any game can have",
    ),
    (
        "show g.toml",
        {"g.toml": f'agents = ["{"x" * 1001}", "b"]\n' + GAME},
        "agents should be names in quotes, each of up to 1000",
    ),
    (
        "show p.toml",
        {"p.toml": "history = " + many('"play 0: R1"', 9000) + "\n" + HANDS},
        "more than the 256 moves",
    ),
    (
        "show p.toml",
        {"p.toml": f'discards = "R{"1" * 9000}"\n' + HANDS},
        "discards: more cards than any deck has, 90",
    ),
    (
        "show p.toml",
        {"p.toml": f'deck = "{"R1 " * 9000}"\n' + HANDS},
        "deck: more cards than any deck has, 90",
    ),
    (
        "evolve c.toml",
        {"c.toml": 'base = "quick"\nmode = "mixed"\npool = ' + many('"piers"', 2001)},
        "pool: 2,001 names are more than",
    ),
    ("evolve --preset quick --name " + "n" * 61, {}, "should be a plain word of up to 60 letters"),
    (
        "show iggi --variant " + "hand=3," * 30,
        {},
        "a variant is written in up to 200 letters, not 210",
    ),
    ("logic holds (((" + "(" * 9000 + " position.toml", {}, "nested more than 100 deep"),
    ("show " + "p" * 9000, {}, "no agent 'pppp"),
    ("rules --rules bad.py", own("a=range(10**12)"), "its grid makes more than 100,000 rules"),
    ("rules --rules bad.py", own("a=count()"), "its grid makes more than 100,000 rules"),
    (
        "rules --rules bad.py",
        own("a=range(400), b=range(400)", "view, a, b"),
        "its grid makes more than 100,000 rules",
    ),
    (
        "rules --rules bad.py",
        own("a=(1, 2), sets={'x': {10**9: (1,)}}"),
        "numbers of the set x go from 0 to 99,999, not 1000000000",
    ),
    ("rules --rules bad.py", own("a=(1, 2), sets={'x': {-1: (1,)}}"), "not -1"),
    (
        "rules --rules bad.py",
        own("'p' * 10**6, a=(1, 2)"),
        "a name has up to 80 letters, not 1,000,003",
    ),
]


@pytest.mark.parametrize(
    "words, what",
    [
        *((words, "pipe") for words in PLACES),
        *(
            (words, what)
            for words in ("agents X.toml", "rules --rules X.py")
            for what in ("device", "folder", "loop")
        ),
    ],
)
def test_only_regular_files_are_read(words, what, tmp_path):
    """A pipe would be waited for, a device be read for ever."""
    name = next(word for word in words.split() if word.startswith("X."))
    lay_out(tmp_path, FILES)
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "dir").mkdir()
    os.symlink(
        {"pipe": "fifo", "device": "/dev/zero", "folder": "dir", "loop": name}[what],
        tmp_path / name,
    )
    message = {"folder": "is a directory", "loop": LOOP}.get(what, PIPE)
    code, out, err = typed(*words.split(), folder=tmp_path)
    assert (
        code == 2
        and not out
        and err.startswith("hanabi: ")
        and err.count("\n") == 1
        and message in err
    ), err


@pytest.mark.parametrize(
    "words, given, message",
    TABLE,
    ids=[f"{words[:40]} {message[:30]}" for words, _, message in TABLE],
)
def test_the_huge_is_refused(words, given, message, tmp_path):
    lay_out(tmp_path, FILES | given)
    begin = time.process_time()
    err = refused(words, tmp_path, message)
    assert len(err) < 1100 and time.process_time() - begin < 5


def test_what_is_within_the_limits_is_read(tmp_path):
    """A byte order mark, a link to a file, a long list, a deep table."""
    text = PROVENANCE + "a." * 20 + "x = " + many("1", 900)
    lay_out(
        tmp_path,
        {"bom.toml": "\ufeff" + text, "bom.py": "\ufeff" + RULE.format("a=(1, 2)", "view, a")},
    )
    os.symlink("bom.toml", tmp_path / "link.toml")
    for words in ("agents link.toml", "rules bom --rules bom.py"):
        code, out, err = typed(*words.split(), folder=tmp_path)
        assert code == 0 and out, err


def test_a_loop_of_links_is_not_written_over(tmp_path):
    os.symlink("loop.toml", tmp_path / "loop.toml")
    code, _, err = typed("show", "iggi", "-o", "loop.toml", folder=tmp_path)
    assert code == 2 and LOOP in err and (tmp_path / "loop.toml").is_symlink()


def test_a_grid_of_the_size_that_is_allowed_is_not_made_by_its_check():
    def some(view, a, b):
        """Do nothing."""
        return NOTHING

    assert make_family("rule", "some", some, {"a": range(MOST // 10), "b": range(10)}, {}, {}).grid[
        "b"
    ] == tuple(range(10))
    with pytest.raises(ValueError, match="more than 100,000 rules"):
        make_family("rule", "some", some, {"a": range(MOST // 10 + 1), "b": range(10)}, {}, {})


def test_a_players_name_has_a_limit():
    class Long:
        name = "n" * 81

        def move(self, view):
            return default_move(view), "so"

    with pytest.raises(
        ValueError, match="Long cannot sit at a table: the name .* of up to 80 letters"
    ):
        Table(read_variant("standard").at(2), [Long()])


def test_no_agent_of_the_library_comes_near_the_limits():
    from hanabi.rulebook import BOOK

    assert rules and len(BOOK) * 2 < agents.MOST
    assert len(agents.dumps(agents.Agent("all", {"2-5": tuple(BOOK.values())}))) * 4 < files.TOML
