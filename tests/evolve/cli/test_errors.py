"""What is typed or written wrongly is told in one line that teaches: a table of (command, files,
what the line says).

Every row is run as a user types it, in a folder that holds the files of FILES and its own. Exit
code 2, one line on standard error that begins with ``hanabi: ``, nothing on standard output, and
the folder is as it was.
"""

import shlex

import pytest
from folders import AGENT, FILES, GAME, GOOD, HANDS, lay_out, refused, rule_text
from tiny import TINY, tiny
from typed import typed

from hanabi.evolve.ga.config import from_mapping


def agent(**changes):
    """The text of an agent file with something in it replaced."""
    text = AGENT
    for old, new in changes.items():
        text = text.replace(
            {
                "key": '"2-5"',
                "rule": "cig2018.play_safe_card",
                "rules": '["cig2018.play_safe_card"]',
                "name": '"one"',
            }[old],
            new,
        )
    return text


QUICK = 'base = "quick"\n'
NUMBERS = "Invalid value for '--"
TABLE = [  # (words, files, what the line says)
    # commands and options
    ("tournamnt piers", {}, "tournamnt"),
    ("tournament", {}, "Missing argument 'SPEC…'. (`hanabi tournament --help` tells more)"),
    ("tournament piers --gmes 3", {}, "--gmes"),
    ("tournament piers --games 0", {}, NUMBERS + "games'"),
    ("tournament piers --games 1.5", {}, NUMBERS + "games'"),
    ("tournament piers --seed -1", {}, NUMBERS + "seed'"),
    (
        "tournament piers --games 2 --seed 9999999999999999999999",
        {},
        "a seed is a number from 0 to",
    ),
    (
        "tournament piers --players 7",
        {},
        "--players '7': write player counts from 2 to 5 such as 3, 2-5 or 2,4",
    ),
    ("tournament piers --players 5-2", {}, "--players '5-2': write player counts from 2 to 5"),
    ("tournament piers --mode miror", {}, "no mode 'miror': write mirror, mixed or cross"),
    (
        "tournament piers --mode cross",
        {},
        "a cross tournament needs at least two agents: name another one",
    ),
    ("tournament piers pierz --mode cross", {}, "no agent 'pierz' (did you mean 'piers'?)"),
    (
        "tournament piers two.toml --mode cross",
        {"two.toml": agent(key='"2"')},
        "agent one has no list for 3 players, only for 2",
    ),
    ("tournament piers iggi --mode cross --searched-games 0", {}, NUMBERS + "searched-games'"),
    (
        "tournament piers iggi --picture it.svg",
        {},
        "a picture is of a matrix, and mirror has none: write --mode cross, or leave it out",
    ),
    (
        "tournament piers iggi --mode cross --picture it.pdf",
        {},
        "cannot write it.pdf: name it .svg or .png",
    ),
    (
        "tournament piers iggi --mode cross --picture no/it.png",
        {},
        "cannot write no/it.png: there is no folder no",
    ),
    (
        "tournament piers --pool cig2018-paper",
        {},
        "a pool is for mode mixed, not for mirror: write --mode mixed",
    ),
    (
        "tournament piers --mode mixed --pool nobody",
        {},
        "no pool or agent 'nobody': the pools are cig2018-paper, cig2018-nominal",
    ),
    (
        "tournament piers --mode mixed --pool piers --pool cig2018-papr",
        {},
        "(did you mean 'cig2018-paper'?)",
    ),
    (
        "evolve --preset paper-mixed --pool nobody",
        {},
        "no pool or agent 'nobody': the pools are cig2018-paper, cig2018-nominal",
    ),
    (
        "who game.toml --pool nobody",
        FILES,
        "no pool or agent 'nobody': the pools are cig2018-paper, cig2018-nominal",
    ),
    ("agents piers --pools", {}, "--pools lists the pools"),
    ("tournament piers piers", {}, "two agents are called 'piers': rename one"),
    ("tournament piers --jobs 0", {}, "jobs: 0 should be 1 or more, or -1 for all cores"),
    ("compare piers iggi --jobs -3", {}, "jobs: -3 should be 1 or more, or -1 for all cores"),
    ("compare", {}, "Missing argument 'SPEC SPEC…'"),
    (
        "compare piers",
        {},
        "a comparison needs at least two agents, and there is only piers: name another",
    ),
    ("compare piers iggi --width 0", {}, "width 0.0 should be points above 0, such as 0.1"),
    (
        "compare piers iggi -o rows.txt",
        {},
        "cannot write rows.txt: name it .csv, .parquet or .json",
    ),
    (
        "compare piers iggi --error 0.7",
        {},
        "error 0.7 should be a chance between 0 and 0.5, such as 0.05",
    ),
    ("compare piers iggi --margin nan", {}, "margin nan should be points, 0 or more"),
    ("compare piers iggi --scoring both", {}, "scoring 'both' should be kept or zero"),
    ("rules nobody", {}, "no set of rules 'nobody'; there are cig2018-old"),
    (
        "conventions focis",
        {},
        "no convention 'focis' (did you mean 'focus'?); there are chop, warning",
    ),
    ("bench nothing", {}, "no benchmark 'nothing'; there are piers-mirror"),
    ("agents piers iggi", {}, "(iggi)"),
    ("agents pires", {}, "did you mean 'piers'"),
    # agent specs and agent files
    (
        "show pierz",
        {},
        (
            "no agent 'pierz' (did you mean 'piers'?): write an agent file, a name that `hanabi"
            " agents` lists"
        ),
    ),
    ("show cig2018-paper", {}, "'cig2018-paper' is a pool of agents, not one: iggi, sample"),
    ("show none.toml", {}, "cannot read none.toml: no such file or directory"),
    (
        "show cig2018:99",
        {},
        "agent 'cig2018:99': '99' is no number of the set cig2018, which has 0 to 71",
    ),
    ("show cig2081:1", {}, "no set of rules 'cig2081' (did you mean 'cig2018'?)"),
    ("show piers --turns 9-5", {}, "--turns 9-5: it ends before it begins; write 5-9"),
    ("show piers --turns x", {}, "--turns 'x': write 10-20, 10-, -20 or 15"),
    ("show piers --turns 90-", {}, "--turns 90-: the game has turns 0 to "),
    (
        "show position.toml --turns 3",
        FILES,
        "--turns is for a game, and position.toml is a position",
    ),
    (
        "show piers --slots hanab.live",
        {},
        (
            "no numbering of slots 'hanab.live' (did you mean 'hanab-live'?); there are own,"
            " hanab-live"
        ),
    ),
    ("show piers iggi --players 3", {}, "2 agents for 3 players: name one agent, or one per seat"),
    ("show piers piers piers piers piers piers", {}, "6 agents: at most 5 sit at a table"),
    (
        "show piers --seed 99999999999999999999",
        {},
        "a seed is a number from 0 to 18446744073709551615",
    ),
    (
        "show a.toml",
        {"a.toml": "name 3"},
        "a.toml is not TOML: Expected '=' after a key in a key/value pair (at line 1,",
    ),
    ("show a.toml", {"a.toml": b"\xff\xfe"}, "a.toml is not text: save it as UTF-8"),
    (
        "show a.toml",
        {"a.toml": ""},
        'a.toml: an agent needs a list of rules, such as "2-5" = ["…"] below [rules]',
    ),
    (
        "show a.toml",
        {"a.toml": "nam = 3\n" + AGENT},
        "a.toml: no key 'nam' (did you mean 'name'?); the keys are name,",
    ),
    ("show a.toml", {"a.toml": agent(name="3")}, "a.toml: name should be text, not 3"),
    (
        "show a.toml",
        {"a.toml": agent(name='"a\\nb"')},
        "a.toml: name 'a\\nb' should be one line of plain text",
    ),
    (
        "show a.toml",
        {"a.toml": agent(key='"2-7"')},
        'a.toml: a list is for player counts such as "2" or "3-5", not \'2-7\'',
    ),
    (
        "show a.toml",
        {"a.toml": AGENT + '"3" = ["cig2018.osawa_discard"]\n'},
        "the lists '2-5' and '3' are both for 3 players",
    ),
    ("show a.toml", {"a.toml": agent(rules="[]")}, "a.toml: the list '2-5' has no rule"),
    (
        "show a.toml",
        {"a.toml": agent(rules="[3]")},
        "a.toml: rules.2-5 should be a list of rules, each as text",
    ),
    (
        "show a.toml",
        {"a.toml": agent(rule="cig2018.play_safe_crd")},
        (
            "a.toml: rules.2-5, rule 1: no rule 'cig2018.play_safe_crd' (did you mean"
            " 'cig2018.play_safe_card'?); `hanabi rules` lists them"
        ),
    ),
    (
        "show a.toml",
        {"a.toml": agent(rule="cig2018.play_probably_safe(chance=7)")},
        "chance=7 is out of its range, 0 to 1",
    ),
    (
        "show a.toml",
        {"a.toml": agent(rule="cig2018.play_probably_safe")},
        "play_probably_safe needs chance=, from 0 to 1",
    ),
    (
        "show a.toml",
        {"a.toml": 'otherwise = "pass"\n' + AGENT},
        'otherwise must be "default" or "forfeit", not \'pass\'',
    ),
    (
        "show a.toml --players 4",
        {"a.toml": agent(key='"2-3"')},
        "agent one has no list for 4 players, only for 2-3",
    ),
    # variants
    (
        "show iggi --variant standrd",
        {},
        "no variant 'standrd' (did you mean 'standard'?); write one of standard, mini,",
    ),
    (
        "show iggi --variant colours=9",
        {},
        "a variant's colours must be a whole number from 1 to 6, not 9",
    ),
    ("show iggi --variant mini --players 2", {}, "this variant is for 3 players, not 2"),
    (
        "show iggi --variant colours=1,ranks=1",
        {},
        "2 hands of 5 leave nothing to draw from 3 cards: seat fewer players",
    ),
    (
        "show iggi --variant hand=2,hand=3",
        {},
        "'hand=3' should be one setting, key=value, and each key once",
    ),
    (
        "show iggi --variant v.toml",
        {"v.toml": "colour = 3"},
        "v.toml: no key 'colour' (did you mean 'colours'?)",
    ),
    (
        "show iggi --variant v.toml",
        {"v.toml": "hand = 3.0"},
        "v.toml: a variant's hand must be a whole number",
    ),
    # configs
    ("evolve", {}, "say what to evolve: a config file, or --preset quick"),
    (
        "evolve c.toml --preset quick",
        {"c.toml": QUICK},
        "c.toml and --preset quick: give one of them",
    ),
    (
        "evolve --preset quik",
        {},
        "no preset 'quik' (did you mean 'quick'?); there are quick, paper-mirror",
    ),
    ("evolve nowhere", {}, "no config 'nowhere'; write a .toml file or one of the presets quick"),
    (
        "evolve c.toml",
        {"c.toml": ""},
        "c.toml: the key 'variant' is missing; add it, or take what is left out from a preset",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "populaton = 5"},
        "c.toml: no key 'populaton' (did you mean 'population'?)",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "population = 5.0"},
        "c.toml: population: 5.0 should be a whole number",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "population = 0"},
        "c.toml: population: 0 is out of its range, 1 to 100000",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "population = " + "9" * 5000},
        "c.toml is not TOML: Exceeds the limit",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "crossover = nan"},
        "c.toml: crossover: nan is out of its range, 0 to 1",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "crossover = true"},
        "c.toml: crossover: True should be a number",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "seed = 1979-05-27"},
        "c.toml: seed: datetime.date(1979, 5, 27) should be a whole",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "players = [1, 2]"},
        "c.toml: players: [1, 2] should be player counts from 2 to 5",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "elitism = 60"},
        "c.toml: elitism: 60 of a population of 60 leave no room",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "mode = 'mixed'"},
        "c.toml: pool: mixed mode needs agents to play with",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "mode = 'mixed'\npool = ['no.toml']"},
        "no.toml: no such file or directory",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "rules = ['cig2018.play_safe']"},
        "rules: no set and no rule 'cig2018.play_safe' (did you mean 'cig2018.play_safe_card'?)",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "rules = ['cig2018.play_safe_card']"},
        "alone cannot be ordered; name two or more",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "length = 1000"},
        "length: 1000 is more than the 72 rules there are; 0 reads them all",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + "rule_files = ['no.py']"},
        "no.py: no such file or directory",
    ),
    (
        "evolve c.toml",
        {"c.toml": QUICK + 'rule_files = ["\\u0000"]'},
        "c.toml: '\\x00' is not a path",
    ),
    (
        "evolve --preset quick --set population",
        {},
        "--set 'population': write key=value, such as population=50",
    ),
    (
        "evolve --preset quick --set population=x",
        {},
        "--set: population: 'x' should be a whole number",
    ),
    ("evolve --preset quick --set seed=1 --seed 2", {}, "--set: seed is set twice"),
    (
        "evolve --preset quick --seed 99999999999999999999",
        {},
        "seed: 99999999999999999999 is out of its range",
    ),
    (
        "evolve --preset quick --name a/b",
        {},
        "a run's name becomes a folder's name: 'a/b' should be a plain word",
    ),
    (
        "evolve --preset quick --name ''",
        {},
        "a run's name becomes a folder's name: '' should be a plain word",
    ),
    (
        "evolve --preset quick --backend thread",
        {},
        "backend 'thread' should be threads, processes, dask or ray",
    ),
    ("evolve --preset quick --jobs 0", {}, "jobs: 0 should be 1 or more, or -1 for all cores"),
    (
        (
            'evolve --preset quick --set \'rules=["cig2018.play_safe_card",'
            ' "cig2018.osawa_discard"]\' --runs text.csv'
        ),
        {},
        "cannot make a run folder in text.csv: file exists",
    ),
    # rule files
    ("rules --rules no.py", {}, "no.py: no such file or directory"),
    ("rules --rules mine.txt", {"mine.txt": GOOD}, "mine.txt should be a Python file, name.py"),
    (
        "rules --rules play.py --rules a/mine.py --rules mine.py",
        {"play.py": rule_text(name="x1"), "a/mine.py": rule_text(name="x2")},
        "mine.py: there is a set of rules called mine already; rename the file",
    ),
    (
        "rules --rules modern.py",
        {"modern.py": GOOD},
        "modern.py: there is a set of rules called modern already",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": "import nowhere"},
        "bad.py, line 1: ModuleNotFoundError: No module named 'nowhere'",
    ),
    ("rules --rules bad.py", {"bad.py": "def f(:"}, "bad.py, line 1: SyntaxError: invalid syntax"),
    (
        "rules --rules bad.py",
        {"bad.py": "\n1 / 0"},
        "bad.py, line 2: ZeroDivisionError: division by zero",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": "import sys\nsys.exit(3)"},
        "bad.py, line 2: SystemExit: 3",
    ),
    ("rules --rules bad.py", {"bad.py": "\0"}, "bad.py: SyntaxError: source code"),
    (
        "rules --rules bad.py",
        {"bad.py": "x = 1"},
        "write a function below @rule() from hanabi.rulebook",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text().replace("@rule()", "@rule")},
        "write @rule() above bad, with parentheses",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text(takes="view, lives")},
        "rule bad takes lives, its @rule gives none: write @rule(lives=(0, 1))",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text(given="lives=(1, 2)")},
        "rule bad takes no values, its @rule gives lives: write @rule()",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text(takes="")},
        "its first parameter is the view: def bad(view)",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text(given="a=3", takes="view, a")},
        "the choices of a should be numbers, such as a=(1, 2), not 3",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text(given="a=()", takes="view, a")},
        "every value needs at least one choice",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text(given="a=(1, 2), within={'a': 3}", takes="view, a")},
        "within gives a the range 3, which should be (lowest, highest) around the choices",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text(says="")},
        "rule bad has no docstring, which is its sentence in reports",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text(says='"""Do {x}."""')},
        "its docstring cannot be filled in (KeyError('x'))",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text() + rule_text()},
        "two rules are called bad: rename one",
    ),
    (
        "rules --rules bad.py",
        {"bad.py": rule_text(given="prefix='cig2018.'", name="play_safe_card")},
        "two rules are called cig2018.play_safe_card: rename one",
    ),
    (
        "show bad:0 --rules bad.py",
        {"bad.py": rule_text("return undefined(view)")},
        "rule bad cannot be compiled: ",
    ),
    (
        "show bad:0 --rules bad.py",
        {"bad.py": rule_text("return view.token")},
        "the view has no field 'token' (did you mean 'tokens'?)",
    ),
    (
        "show bad:0 --rules bad.py",
        {"bad.py": rule_text("if view.me == 7:\n        return 1")},
        "return NOTHING where it does not apply",
    ),
    (
        "show bad:0 --rules bad.py",
        {"bad.py": rule_text("return 'play 0'")},
        "which is no move; return play(slot)",
    ),
    (
        "evolve --preset quick --set 'rules=[\"cig2018.play_safe_card\"]' --rules bad.py",
        {"bad.py": rule_text("return undefined(view)")},
        "rule bad cannot be compiled: ",
    ),
    ("check", {}, "Missing argument 'FILE.py…'. (`hanabi check --help` tells more)"),
    ("check no.py", {}, "no.py: no such file or directory"),
    ("check mine.txt", {"mine.txt": GOOD}, "mine.txt should be a Python file, name.py"),
    ("check bad.py", {"bad.py": "\n1 / 0"}, "bad.py, line 2: ZeroDivisionError: division by zero"),
    ("check bad.py", {"bad.py": "x = 1"}, "write a function below @rule() from hanabi.rulebook"),
    # positions and games
    ("ask piers", {}, "Missing argument 'POSITION|GAME'"),
    ("ask piers game.toml", {}, "game.toml is a game: say at which turn to ask, --turn 0 to 1"),
    ("ask piers game.toml --turn 2", {}, "--turn 2: this game has turns 0 to 1, not 2"),
    (
        "ask piers position.toml --turn 2",
        {},
        "--turn is for a game, and position.toml is a position; leave it out",
    ),
    ("ask mine.older position.toml", {}, "no agent 'mine.older'"),
    (
        "ask cig2018.play_probably_safe(chance=2) position.toml",
        {},
        "chance=2 is out of its range, 0 to 1",
    ),
    (
        "ask piers p.toml",
        {"p.toml": 'lives = 0\ndiscards = "G112"\n' + HANDS},
        "the game is over in this position",
    ),
    ("ask convention position.toml", {}, "ask an agent with conventions in a written game"),
    (
        "show position.toml --json",
        {},
        "position.toml is a position: there is no game to write; `hanabi ask SPEC",
    ),
    (
        "show p.toml",
        {"p.toml": "tokens = 9\n" + HANDS},
        "p.toml: tokens must be from 0 to 8, not 9",
    ),
    (
        "show p.toml",
        {"p.toml": HANDS.replace("R2", "R1 R").replace("G1", "R1")},
        "p.toml: R1 stands 4 times in",
    ),
    (
        "show p.toml",
        {"p.toml": HANDS.replace("R2", "Q2")},
        "p.toml: no card 'Q2': write a colour of R B G Y W P and a rank",
    ),
    (
        "show p.toml",
        {"p.toml": HANDS.replace("Bob", "Rob")},
        "p.toml: nobody is called 'Rob' (did you mean 'Bob'?)",
    ),
    (
        "show g.toml",
        {"g.toml": GAME.replace("play 0", "play")},
        "g.toml, turn 0: no move 'play': write play 0, discard 4",
    ),
    (
        "show g.toml",
        {"g.toml": GAME.replace("play 0", "discard 0")},
        "g.toml, turn 0: Ann cannot discard 0; legal are play 0,",
    ),
    (
        "show g.toml",
        {"g.toml": GAME + "score = 7\n"},
        "g.toml: the score is said to be 7, but these moves make",
    ),
    (
        "show g.toml",
        {"g.toml": GAME.replace("seed = 1\n", "")},
        "g.toml: give the seed of the deal, or the deck",
    ),
    # run folders
    ("resume nowhere", {}, "nowhere is not a run folder; `hanabi runs` lists them"),
    ("resume .", {}, ". is not a run folder; `hanabi runs` lists them"),
    ("export .", {}, ". is not a run folder; `hanabi runs` lists them"),
    ("runs nowhere", {}, "there is no folder nowhere"),
    # outputs
    (
        "tournament piers --games 2 -o rows.txt",
        {},
        "cannot write rows.txt: name it .csv, .parquet or .json",
    ),
    (
        "tournament piers --games 2 -o no/rows.csv",
        {},
        "cannot write no/rows.csv: there is no folder no",
    ),
    (
        "tournament piers --games 2 -o d.parquet",
        {"d.parquet/x": ""},
        "cannot write d.parquet: it is a folder",
    ),
    ("show piers -o no/game.toml", {}, "cannot write no/game.toml: no such file or directory"),
    ("show piers -o d.toml", {"d.toml/x": ""}, "cannot write d.toml: it is a folder"),
]


def test_the_table_is_long_and_its_rows_differ():
    assert len(TABLE) > 100
    assert len({(words, repr(files)) for words, files, _ in TABLE}) == len(TABLE)


@pytest.mark.parametrize("words, files, message", TABLE)
def test_a_mistake_is_told_in_one_line(words, files, message, tmp_path):
    lay_out(tmp_path, FILES | files)
    refused(words, tmp_path, message)


def test_what_the_table_starts_from_is_good(tmp_path):
    lay_out(tmp_path, FILES)
    assert tmp_path.name and from_mapping(TINY, "x") == tiny()
    for words in (
        "rules mine --rules mine.py",
        "show one.toml",
        "show game.toml",
        "show position.toml",
        "ask piers position.toml --all",
        "ask piers game.toml --turn 0 --json",
        "ask cig2018.play_probably_safe(chance=0.65) position.toml",
    ):
        code, out, err = typed(*shlex.split(words), folder=tmp_path)
        assert code == 0 and out, err
