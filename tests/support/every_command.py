"""The output of each command that plays games on many machines, small; also with user-defined
rules.
"""

from folders import GOOD
from stopped import results
from tiny import tiny

from hanabi import rules
from hanabi.evolve import analyse, compare, experiment, lab, tournament
from hanabi.evolve.ga.run import evolve
from hanabi.rules import agents

OWN = 'name = "own"\notherwise = "default"\n[rules]\n"2-5" = ["mine.old"]'
EXPERIMENT = """says = "one small run"
[runs.one]
table = "Table A"
agent = "piers"
config = {{ base = "quick", rules = ["toy_rules"], rule_files = ["{}"], otherwise = "default", \
players = [2], population = 8, elitism = 2, tournament_size = 3, generations = 3, games = 3, \
finalists = 3, race_games = 60, final_games = 80 }}
"""


def everything(folder, **how):
    """By command what it gave, as text or bytes. ``how``: the workers, as each of them takes it."""
    folder.mkdir()
    (folder.parent / "mine.py").write_text(GOOD)
    rules.load_rules(folder.parent / "mine.py")
    made = tiny(generations=3)
    (folder / "small.toml").write_text(EXPERIMENT.format(made.genome.rule_files[0]))
    run = evolve(made, folder / "runs", **how)
    tried = experiment(str(folder / "small.toml"), runs=folder / "tried", games=20, **how)
    return {
        "evolve, race": results(run.folder),
        "tournament": (
            tournament(
                [agents.loads(OWN), "iggi", "search:piers,rollouts=2"],
                "cross",
                players=[2],
                games_each=40,
                searched_games=2,
                **how,
            ).rows.to_csv()
        ),
        "compare": compare("piers", "iggi", players=[2, 3], games=600, **how).rows.to_csv(),
        "lab": lab("convention-simple", [2], 20, **how).to_csv(),
        "analyse": str(analyse([run.folder], games_each=20, **how)),
        "experiment": (tried.rows.to_csv(), results(next(tried.folder.glob("one*")))),
    }
