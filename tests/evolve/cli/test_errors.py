"""A mistake of a user is reported in one line: a table of (command, files, key words of the line).

Every row is run as a user types it, in a folder that holds the files of FILES and its own. Expected
are exit code 2, one line on standard error that begins with ``hanabi: ``, nothing on standard
output, and an unchanged folder.
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
# of `evolve c.toml`: (what the config says after QUICK, key words of the error)
CONFIGS = [
    ("populaton = 5", "c.toml … 'populaton' … mean … 'population'"),
    ("population = 5.0", "c.toml … population … 5.0"),
    ("population = 0", "c.toml … population … 0 … 1"),
    ("population = " + "9" * 5000, "c.toml … Exceeds … limit"),
    ("crossover_probability = nan", "c.toml … crossover_probability … 0 … 1"),
    ("crossover_probability = true", "c.toml … crossover_probability … should"),
    ("seed = 1979-05-27", "c.toml … datetime.date … 1979 … should"),
    ("[search]\ntrials = 4", "c.toml: [search] … 'trials': it belongs below [local_search]"),
    ("[search]\nhalving_interval = 2", "c.toml: [search] … belongs below [schedule]"),
    ("players = [1, 2]", "c.toml … players … 1 … 2"),
    ("elitism = 60", "c.toml … 60 … population"),
    ("mode = 'mixed'", "c.toml … mixed … agents"),
    ("mode = 'mixed'\npool = ['no.toml']", "no.toml … file … directory"),
    ("rules = ['cig2018.play_safe']", "rules … 'cig2018.play_safe' … 'cig2018.play_safe_card'"),
    ("rule_files = ['no.py']", "no.py … file … directory"),
    ('rule_files = ["\\u0000"]', "c.toml: '\\x00' is not a path"),
]
# the same after a preset of fixed orders
ORDERS = [
    ("rules = ['cig2018.play_safe_card']", "cannot … ordered"),
    ("order_length = 1000", "order_length … 1000 … 72"),
]
# of `show a.toml`: (the agent file, key words of the error)
AGENTS = [
    ("name 3", "a.toml … Expected … '=' … 1"),
    (b"\xff\xfe", "a.toml … text … 8"),
    ("", 'a.toml … agent … "2-5" … "…"'),
    ("nam = 3\n" + AGENT, "a.toml … 'nam' … mean … 'name'"),
    (agent(name="3"), "a.toml … should … 3"),
    (agent(name='"a\\nb"'), "a.toml … 'a\\nb' … should"),
    (agent(key='"2-7"'), 'a.toml … player … "2" … "3-5"'),
    (AGENT + '"3" = ["cig2018.osawa_discard"]\n', "'2-5' … '3' … players"),
    (agent(rules="[]"), "a.toml … list … '2-5'"),
    (agent(rules="[3]"), "a.toml … rules.2 … 5 … should"),
    (agent(rule="cig2018.play_safe_crd"), "a.toml … rules.2 … 5"),
    (agent(rule="cig2018.play_probably_safe(chance=7)"), "chance … 7 … 0 … 1"),
    (agent(rule="cig2018.play_probably_safe"), "play_probably_safe … chance … 0 … 1"),
    ('otherwise = "pass"\n' + AGENT, 'otherwise … "default" … "forfeit" … \'pass\''),
]
# of `rules --rules bad.py`: (the rule file, key words of the error)
RULE_FILES = [
    ("import nowhere", "bad.py … 1 … ModuleNotFoundError … 'nowhere'"),
    ("def f(:", "bad.py … 1 … SyntaxError"),
    ("\n1 / 0", "bad.py … 2 … ZeroDivisionError"),
    ("import sys\nsys.exit(3)", "bad.py, line 2: SystemExit: 3"),
    ("\0", "bad.py … SyntaxError … source"),
    ("x = 1", "function … below … @rule()"),
    (rule_text().replace("@rule()", "@rule"), "above … parentheses"),
    (rule_text(takes="view, lives"), "takes … 0 … 1"),
    (rule_text(given="lives=(1, 2)"), "takes … values"),
    (rule_text(takes=""), "first … parameter"),
    (rule_text(given="a=3", takes="view, a"), "choices … 1 … 2 … 3"),
    (rule_text(given="a=()", takes="view, a"), "every … choice"),
    (rule_text(given="a=(1, 2), within={'a': 3}", takes="view, a"), "3 … highest … choices"),
    (rule_text(says=""), "docstring … sentence"),
    (rule_text(says='"""Do {x}."""'), "docstring … KeyError … 'x'"),
    (rule_text() + rule_text(), "called … rename"),
    (
        rule_text(given="prefix='cig2018.'", name="play_safe_card"),
        "called … cig2018.play_safe_card … rename",
    ),
]
# of `show bad:0 --rules bad.py`: (the body of the rule, key words of the error)
FAILING_RULES = [
    ("return undefined(view)", "rule bad cannot be compiled: "),
    ("return view.token", "field … 'token' … 'tokens'"),
    ("if view.me == 7:\n        return 1", "return … NOTHING"),
    ("return 'play 0'", "which … return"),
]
# (command, files, key words of the error)
TABLE = [
    # commands and options
    ("tournamnt piers", {}, "tournamnt"),
    ("tournament", {}, "argument … 'SPEC…' … `hanabi tournament --help`"),
    ("tournament piers --gmes 3", {}, "--gmes"),
    ("tournament piers --games 0", {}, NUMBERS + "games'"),
    ("tournament piers --games 1.5", {}, NUMBERS + "games' … whole number … 1e6"),
    ("show", {}, "Missing argument"),
    ("logic", {}, "Missing command … `hanabi logic --help`"),
    ("behave --who", {}, "Missing argument"),
    ("behave --who game.toml game.toml", FILES, "--who … one game, not 2"),
    ("evolve --resume r --preset quick", {}, "--resume r … leave all else out"),
    ("analyse piers --only worth --beside iggi", {}, "beside whom … parts"),
    ("analyse piers --only worth --off focus", {}, "switched off … parts"),
    ("behave piers --axes hints,plays", {}, "--axes … 'hints' … information_per_play"),
    ("behave piers --axes on_pace", {}, "--axes X,Y: no behaviour ''"),
    ("behave piers --picture how.gif", {}, "name it .svg or .png"),
    ("teach --day --mistakes", {}, "--day and --mistakes … give one"),
    ("experiment paper --people x", {}, "--people … zhao, not for paper"),
    ("teach", {}, "name an agent … --quiz"),
    ("experiment paper --games 3", {}, "--games 3: paper takes 14"),
    ("experiment cig2018 --seeds 2", {}, "--seeds … not for cig2018"),
    ("games piers -o x.parquet --players 2-3", {}, "--players 2-3 … one player count"),
    ("tournament piers --seed -1", {}, NUMBERS + "seed'"),
    (
        "tournament piers --games 2 --seed 9999999999999999999999",
        {},
        "a seed is a number from 0 to",
    ),
    ("tournament piers --players 7", {}, "--players … '7' … 2"),
    ("tournament piers --players 5-2", {}, "--players … '5-2'"),
    ("tournament piers --mode miror", {}, "'miror' … mirror … mixed"),
    ("tournament piers --mode cross", {}, "tournament … agents"),
    ("tournament piers pierz --mode cross", {}, "agent … 'pierz' … 'piers'"),
    ("tournament piers two.toml --mode cross", {"two.toml": agent(key='"2"')}, "3 … players … 2"),
    ("tournament piers iggi --mode cross --searched-games 0", {}, NUMBERS + "searched-games'"),
    ("tournament piers iggi --picture it.svg", {}, "picture … matrix … --mode"),
    ("tournament piers iggi --mode cross --picture it.pdf", {}, "cannot … it.pdf"),
    ("tournament piers iggi --mode cross --picture no/it.png", {}, "cannot … no/it.png … folder"),
    ("tournament piers --pool cig2018-paper", {}, "mixed … mirror … --mode"),
    (
        "tournament piers --mode mixed --pool nobody",
        {},
        "'nobody' … cig2018-paper … cig2018-nominal",
    ),
    (
        "tournament piers --mode mixed --pool piers --pool cig2018-papr",
        {},
        "mean … 'cig2018-paper'",
    ),
    ("evolve --preset paper-mixed --pool nobody", {}, "'nobody' … cig2018-paper … cig2018-nominal"),
    ("behave --who game.toml --pool nobody", FILES, "'nobody' … cig2018-paper … cig2018-nominal"),
    ("pool lst", {}, "'lst' … mean … 'list'"),
    ("pool list map-2p", {}, "argument … (map-2p) … `hanabi pool list --help`"),
    ("pool show", {}, "Missing argument 'POOL'"),
    ("pool show map-9p", {}, "'map-9p' … mean … map-2p"),
    ("pool show map-2p:tset", {}, "map-2p … part … train and test"),
    ("pool show cig2018-paper:test", {}, "no part … pool split"),
    ("pool make p.toml", {}, "Missing argument 'SOURCE…'"),
    ("pool make p piers iggi", {}, "'p' … .toml"),
    ("pool make p.toml piers piers -n 2", {}, "two agents … 'piers'"),
    ("pool split cig2018-paper", {}, ".toml"),
    ("pool split p.toml", {"p.toml": "[members]\na.agent = 3"}, "p.toml, members.a … agent"),
    ("pool show p.toml", {"p.toml": "[members.a]\nagent = 'piers'\npart = 'x'"}, "part … train"),
    ("pool show p.toml", {"p.toml": "membres = 3"}, "p.toml … 'membres' … mean … 'members'"),
    ("pool measure map-2p --responses r.csv", {}, "r.csv … .toml"),
    ("pool measure map-2p --look-ahead 3", {}, "--look-ahead … --responses"),
    ("pool measure cig2018-paper --responses r.toml", {}, "one player count … --players 2"),
    ("show map-2p", {}, "'map-2p' is a pool"),
    ("show map-2p/09-31", {}, "no agent '09-31' … pool show map-2p"),
    ("tournament piers piers", {}, "agents … called … 'piers'"),
    ("tournament piers --jobs 0", {}, "jobs … 0"),
    ("compare piers iggi --jobs -3", {}, "jobs … -3"),
    ("compare", {}, "Missing argument 'SPEC SPEC…'"),
    ("compare piers", {}, "comparison … agents"),
    ("compare piers iggi --width 0", {}, "width … 0.0"),
    ("compare piers iggi -o rows.txt", {}, "cannot … rows.txt … parquet"),
    ("compare piers iggi --error 0.7", {}, "error … 0.7"),
    ("compare piers iggi --margin nan", {}, "margin … should … 0"),
    ("compare piers iggi --scoring both", {}, "scoring … 'both' … should"),
    ("rules nobody", {}, "rules … 'nobody' … cig2018-old"),
    ("rules --conventions focis", {}, "convention … 'focis' … 'focus'"),
    ("bench nothing", {}, "benchmark … 'nothing' … piers-mirror"),
    ("agents piers iggi", {}, "(iggi)"),
    ("agents pires", {}, "did you mean 'piers'"),
    # agent specs and agent files
    ("show pierz", {}, "'pierz' … 'piers' … `hanabi agents`"),
    ("show cig2018-paper", {}, "'cig2018-paper' … agents … sample"),
    ("show none.toml", {}, "cannot … none.toml … directory"),
    ("show cig2018:99", {}, "'cig2018:99' … '99'"),
    ("show cig2081:1", {}, "rules … 'cig2081' … 'cig2018'"),
    ("show piers --turns 9-5", {}, "--turns … 9 … 5 … before"),
    ("show piers --turns x", {}, "--turns … 'x' … 10"),
    ("show piers --turns 90-", {}, "--turns … 90"),
    ("show position.toml --turns 3", FILES, "--turns … position.toml"),
    ("show piers --slots hanab.live", {}, "'hanab.live' … age, engine"),
    ("show piers iggi --players 3", {}, "2 … 3 … players"),
    ("show piers piers piers piers piers piers", {}, "6 … agents … 5"),
    ("show piers --seed 99999999999999999999", {}, "number … 0 … 18446744073709551615"),
    ("show a.toml --players 4", {"a.toml": agent(key='"2-3"')}, "4 … players … 2 … 3"),
    # variants
    ("show iggi --variant standrd", {}, "'standrd' … 'standard'"),
    ("show iggi --variant colours=9", {}, "variant … 1 … 6 … 9"),
    ("show iggi --variant mini --players 2", {}, "variant … 3 … 2"),
    ("show iggi --variant colours=1,ranks=1", {}, "2 … 5 … nothing … 3"),
    ("show iggi --variant hand=2,hand=3", {}, "'hand=3' … should … setting"),
    (
        "show iggi --variant v.toml",
        {"v.toml": "colour = 3"},
        "v.toml … 'colour' … mean … 'colours'",
    ),
    ("show iggi --variant v.toml", {"v.toml": "hand = 3.0"}, "v.toml … variant … number"),
    # configs
    ("evolve", {}, "evolve … config … --preset"),
    ("evolve c.toml --preset quick", {"c.toml": QUICK}, "c.toml … --preset … quick"),
    ("evolve --preset quik", {}, "'quik' … 'quick' … paper-mixed"),
    ("evolve nowhere", {}, "config … 'nowhere' … presets"),
    ("evolve c.toml", {"c.toml": ""}, "c.toml … 'variant' … missing"),
    ("evolve --preset quick --set population", {}, "--set … 'population' … 50"),
    ("evolve --preset quick --set population=x", {}, "--set … population … 'x'"),
    ("evolve --preset quick --set seed=1 --seed 2", {}, "--set: seed is set twice"),
    (
        "evolve --preset quick --seed 99999999999999999999",
        {},
        "seed … 99999999999999999999 … range",
    ),
    ("evolve --preset quick --name a/b", {}, "folder … the name 'a/b' should be a plain word"),
    ("evolve --preset quick --name ''", {}, "folder … the name '' should be a plain word"),
    ("evolve --preset quick --backend thread", {}, "backend … 'thread' … processes"),
    ("evolve --preset quick --jobs 0", {}, "jobs … 0"),
    (
        'evolve --preset quick --set \'rules=["cig2018.play_safe_card",'
        ' "cig2018.osawa_discard"]\' --runs text.csv',
        {},
        "cannot … folder … text.csv",
    ),
    # rule files
    ("rules --rules no.py", {}, "no.py … file … directory"),
    ("rules --rules mine.txt", {"mine.txt": GOOD}, "mine.txt … Python … name.py"),
    (
        "rules --rules play.py --rules a/mine.py --rules mine.py",
        {"play.py": rule_text(name="x1"), "a/mine.py": rule_text(name="x2")},
        "mine.py … called … already",
    ),
    ("rules --rules modern.py", {"modern.py": GOOD}, "modern.py … called … already"),
    (
        "evolve --preset quick --set 'rules=[\"cig2018.play_safe_card\"]' --rules bad.py",
        {"bad.py": rule_text("return undefined(view)")},
        "rule bad cannot be compiled: ",
    ),
    ("check", {}, "argument … 'FILE.py…' … `hanabi check --help`"),
    ("check no.py", {}, "no.py … file … directory"),
    ("check mine.txt", {"mine.txt": GOOD}, "mine.txt … Python … name.py"),
    ("check bad.py", {"bad.py": "\n1 / 0"}, "bad.py … 2 … ZeroDivisionError"),
    ("check bad.py", {"bad.py": "x = 1"}, "function … below … @rule()"),
    # positions and games
    ("ask piers", {}, "piers names no position or game … piers GAME"),
    ("ask piers game.toml", {}, "game.toml … game … --turn … 0"),
    ("ask piers game.toml --turn 2", {}, "--turn … 2 … turns … 0"),
    ("ask piers position.toml --turn 2", {}, "--turn … position.toml"),
    ("ask mine.older position.toml", {}, "no agent 'mine.older'"),
    ("ask", {}, "position … game … --observation FILE"),
    ("ask game.toml --observation o.json", {}, "position … game … --observation FILE"),
    ("ask --observation o.json", {}, "o.json … No such file"),
    ("ask --observation o.json", {"o.json": "[1, 2]"}, "o.json … 658, 956, 1041, 1280"),
    ("ask --observation o.json", {"o.json": "{"}, "o.json … no list of numbers"),
    ("show policy:no.onnx", {}, "policy:no.onnx … No such file"),
    ("ask cig2018.play_probably_safe(chance=2) position.toml", {}, "chance … 2 … 0 … 1"),
    ("ask piers p.toml", {"p.toml": 'lives = 0\ndiscards = "G112"\n' + HANDS}, "game … position"),
    ("ask convention position.toml", {}, "conventions … written"),
    ("show position.toml --json", {}, "position.toml … hanabi"),
    ("show p.toml", {"p.toml": "tokens = 9\n" + HANDS}, "p.toml … tokens … 0 … 8"),
    (
        "show p.toml",
        {"p.toml": HANDS.replace("R2", "R1 R").replace("G1", "R1")},
        "p.toml: R1 stands 4 times in",
    ),
    ("show p.toml", {"p.toml": HANDS.replace("R2", "Q2")}, "p.toml … 'Q2' … colour"),
    ("show p.toml", {"p.toml": HANDS.replace("Bob", "Rob")}, "p.toml … no player … 'Rob' … 'Bob'"),
    ("show g.toml", {"g.toml": GAME.replace("play 0", "play")}, "g.toml … 0 … 'play' … discard"),
    ("show g.toml", {"g.toml": GAME.replace("play 0", "discard 0")}, "g.toml … 0 … discard"),
    ("show g.toml", {"g.toml": GAME + "score = 7\n"}, "g.toml … score … 7"),
    ("show g.toml", {"g.toml": GAME.replace("seed = 1\n", "")}, "g.toml … seed … deal"),
    # the workbench
    ("build nothing", {}, "nothing … agent"),
    ("build osawa-ideal", {}, "osawa-ideal … lists"),
    ("build piers --variant colours=9", {}, "colours … 9"),
    # run folders
    ("evolve --resume nowhere", {}, "nowhere … folder … `hanabi runs`"),
    ("evolve --resume .", {}, "folder … `hanabi runs` … them"),
    ("export .", {}, "folder … `hanabi runs` … them"),
    ("export piers iggi", {}, "several agents … --page FOLDER"),
    ("export piers --pyodide cdn", {}, "--pyodide … --page FOLDER"),
    ("export piers --page p -o a.toml", {}, "--standalone … --page … one of them"),
    ("export piers piers --page p --pyodide cdn", {}, "two agents are called 'piers'"),
    ("export piers --page p --pyodide none", {}, "none has no pyodide.mjs … 314.0.7"),
    ("export search:piers --page p --pyodide cdn", {}, "search:piers"),
    ("runs nowhere", {}, "there is no folder nowhere"),
    # outputs
    ("tournament piers --games 2 -o rows.txt", {}, "cannot … rows.txt … parquet"),
    ("tournament piers --games 2 -o no/rows.csv", {}, "cannot … no/rows.csv … folder"),
    ("tournament piers --games 2 -o d.parquet", {"d.parquet/x": ""}, "cannot … d.parquet … folder"),
    ("show piers -o no/game.toml", {}, "cannot … no/game.toml … directory"),
    ("show piers -o d.toml", {"d.toml/x": ""}, "cannot … d.toml … folder"),
]
TABLE += [("evolve c.toml", {"c.toml": QUICK + text}, says) for text, says in CONFIGS]
TABLE += [
    ("evolve c.toml", {"c.toml": 'base = "paper-mirror"\n' + text}, says) for text, says in ORDERS
]
TABLE += [("show a.toml", {"a.toml": text}, says) for text, says in AGENTS]
TABLE += [("rules --rules bad.py", {"bad.py": text}, says) for text, says in RULE_FILES]
TABLE += [
    ("show bad:0 --rules bad.py", {"bad.py": rule_text(body)}, says) for body, says in FAILING_RULES
]


def test_the_table_is_long_and_its_rows_differ():
    assert len(TABLE) > 100
    assert len({(words, repr(files)) for words, files, _ in TABLE}) == len(TABLE)


@pytest.mark.parametrize("words, files, message", TABLE)
def test_a_mistake_is_reported_in_one_line(words, files, message, tmp_path):
    lay_out(tmp_path, FILES | files)
    refused(words, tmp_path, message)


def test_the_files_of_the_table_are_valid(tmp_path):
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
