"""A study: one file makes tables, figures, versions and BibTeX, the same bytes each time."""

import json
import re

import pandas as pd
import pytest
from folders import refused
from paths import ROOT
from typed import typed

from hanabi.evolve.experiments.study import latex, references
from hanabi.evolve.experiments.study_plan import read_study
from hanabi.evolve.measure.tournament import tournament
from hanabi.rules.agents import load

EXAMPLE = (ROOT / "examples/study.toml").read_text(encoding="utf-8")
SMALL = (
    'base = "quick", population = 4, generations = 1, games = 2, finalists = 1, race_games = 2,'
    " final_games = 20, tournament_size = 2, elitism = 1"
)
TINY = EXAMPLE.replace('base = "quick"', SMALL).replace("convention-simple", "epistemic")


def files_of(folder):
    """The content of the files, without the folders of runs, by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "runs" not in path.parts
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The folder of the example at a tiny size."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "paper.toml").write_text(TINY, encoding="utf-8")
    code, out, err = typed("experiment", "paper.toml", "-n", 4, "-j", 1, "-q", folder=folder)
    assert (code, err) == (0, "") and "are in studies/paper." in out
    return folder / "studies/paper"


def test_it_writes_what_a_paper_needs(written):
    found, data = files_of(written), json.loads((written / "study.json").read_text())
    kinds = {"mirror", "strangers", "cross", "pairs", "pool"}
    assert {*data["comparisons"]} == kinds
    wanted = {f"{kind}{ending}" for kind in kinds for ending in (".csv", ".tex", ".svg", ".png")}
    agents = {f"agents/{name}.toml" for name in ("piers", "outer", "conventions", "evolved")}
    assert {*found} == wanted | agents | {"study.json", "references.bib", "paper.toml"}
    assert found["paper.toml"].decode() == TINY
    assert data["seed"] == 1 and {"hanabi", "numpy", "numba"} < {*data["versions"]}
    assert data["runs"]["evolved"]["seed"] == 1 and data["comparisons"]["pool"]["games"] == 4
    assert found["cross.png"].startswith(b"\x89PNG") and found["pool.svg"].startswith(b"<svg")
    bib = found["references.bib"].decode()
    assert {"hanabi", "canaan2018evolving", "osawa2015solving"} < {*re.findall(r"@\w+{(\w+),", bib)}
    assert "VERSION" not in bib and bib.count("{") == bib.count("}")


def test_its_numbers_are_those_of_a_tournament(written):
    mirror, strangers = (pd.read_csv(written / f"{one}.csv") for one in ("mirror", "strangers"))
    again = tournament(["piers"], "mirror", None, [2, 3], 4, seed=1).rows
    assert mirror[mirror["agent"] == "piers"].equals(again)
    pool = ["iggi", "van-den-bergh", "legal-random"]
    again = tournament(["outer"], "mixed", pool, [2, 3], 4, seed=1).rows
    mine = strangers[strangers["agent"] == "outer"].reset_index(drop=True)
    pd.testing.assert_frame_equal(mine, again)
    text = (written / "mirror.tex").read_text(encoding="utf-8")
    mean = mirror[mirror["agent"] == "outer"]["mean_kept"].mean()
    assert f"outer & {mirror['mean_kept'][2]:.2f} &" in text and f"{mean:.2f} $\\pm$" in text
    assert load(str(written / "agents/evolved.toml")).at(2) == load(
        str(written / "runs/evolved/best.toml")
    ).at(2)


def test_it_makes_the_same_bytes_with_two_workers(written, tmp_path):
    (tmp_path / "paper.toml").write_text(TINY, encoding="utf-8")
    words = "experiment", "paper.toml", "-n", 4, "-o", "out", "--json"
    for jobs in (2, 1):  # the second time the run is there
        code, out, err = typed(*words, "-j", jobs, "-q", folder=tmp_path)
        assert (code, err) == (0, "")
        assert files_of(tmp_path / "out") == files_of(written)
    assert json.loads(out) == json.loads((written / "study.json").read_text())


def test_latex_is_escaped(written):
    plan = read_study(written / "paper.toml").comparisons[0]
    table = pd.DataFrame({"agent": ["a_b"], "points": ["1.0 ± 0.1"]})
    made = type("R", (), {"plan": plan, "table": table})()
    object.__setattr__(plan, "caption", "50 % & more_")
    assert r"a\_b & 1.0 $\pm$ 0.1" in latex(made) and r"\caption{50 \% \& more\_}" in latex(made)
    assert references([]).startswith("@software{hanabi") and references([]).count("@") == 1


WRONG = [
    ("title", "titel", "no key 'titel'"),
    ('mode = "mirror"', 'mode = "miror"', "did you mean 'mirror'"),
    ('mode = "mirror"', 'mode = "mirror"\ngmaes = 3', "comparisons.mirror: no key 'gmaes'"),
    ('"evolved"]\ncaption = "Who', '"evolvd"]\ncaption = "Who', "did you mean 'evolved'"),
    ('agents = ["evolved", "piers"]', 'agents = ["piers"]', "mode pairs takes 2 agents or more"),
    ('pool = "strangers"\n', "", "comparisons.strangers: mode mixed needs a pool"),
    ('pool = "strangers"', 'pool = "stranger"', "did you mean 'strangers'"),
    ('pool = "cig2018-paper"', 'pool = "strangers"', "mode pool needs a pool or a pool file"),
    ('piers = "piers"', 'piers = "pierz"', "agents.piers: "),
    ('piers = "piers"', 'evolved = "piers"', "evolved is an agent and a run"),
    ('piers = "piers"', '"a/b" = "piers"', "'a/b' should be a plain word"),
    ('"legal-random"]', '"legal"]', "pools.strangers: "),
    ("players = [2, 3]\ngames", "players = [2, 7]\ngames", "players should be counts"),
    ("games = 1000", "games = 1", "games should be a number from 2"),
    ('base = "quick"', 'base = "quik"', "runs.evolved"),
    ("[comparisons.", "[comparison.", "no key 'comparison'"),
]


@pytest.mark.parametrize("old, new, message", WRONG, ids=[message for _, _, message in WRONG])
def test_what_is_no_study_is_told_in_one_line(old, new, message, tmp_path):
    assert old in EXAMPLE
    (tmp_path / "x.toml").write_text(EXAMPLE.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.toml: ") as raised:
        read_study(tmp_path / "x.toml")
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_a_comparison_that_cannot_be_played_writes_nothing(tmp_path):
    text = '[agents]\nconv = "map-3p/10-17"\n[comparisons.mirror]\nmode = "mirror"\nplayers = [2]\n'
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    refused("experiment x.toml -n 2", tmp_path, "comparison mirror: ")
    assert not (tmp_path / "studies").exists()
    refused("experiment x.csv", tmp_path, "no experiment 'x.csv' … .toml file")
    refused("experiment none.toml", tmp_path, "none.toml")
