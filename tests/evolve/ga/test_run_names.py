"""A run that is accepted is read again by all that reads runs; other names are refused at once."""

import pytest
from tiny import tiny

from hanabi.evolve import export, resume
from hanabi.evolve.cli import app  # noqa: F401  enters the names of all commands
from hanabi.evolve.ga import config
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run import evolve
from hanabi.rules import agents, load

SHORT = dict(generations=1, population=4, games=2, race_games=20, final_games=20)
SHAPES = ["n" * 60, "a b", "été-±", "\U0001f600" * 50, "v1.2", "x" * 59 + "'", 'quote"d']


@pytest.mark.parametrize("name", SHAPES)
def test_a_finished_run_of_any_accepted_name_is_read_again(name, tmp_path):
    folder = evolve(tiny(**SHORT), tmp_path, name, jobs=1).folder
    again = evolve(tiny(**SHORT), tmp_path, name, jobs=1).folder
    assert again.name == f"{folder.name}-2", "with a number behind it"
    for run in (folder, again):
        assert load(str(run / "best.toml")).name == run.name
        assert agents.loads(export(run)).name == run.name == Run(run).agent.name
        assert resume(run, jobs=1).folder == run


@pytest.mark.parametrize("name", ["n" * 61, "tab\tname", "line\nname", "", "a/b", ".hidden", "-n"])
def test_other_names_are_refused_before_generation_0(name, tmp_path):
    with pytest.raises(
        ValueError, match="^a run's folder and agent: the name .* a plain word of up"
    ):
        evolve(tiny(**SHORT), tmp_path, name, jobs=1)
    assert not list(tmp_path.iterdir())


def test_an_elite_is_read_again_whatever_its_run_is_called(tmp_path):
    made = tiny(
        **SHORT | dict(rules=["cig2018"], rule_files=[], players=[2]),
        behaviours=["communicativeness", "information_per_play"],
        cells=3,
        random_individuals=8,
        elite_games=2,
        elitism=0,
    )
    folder = evolve(made, tmp_path, "n" * 60, jobs=1).folder
    elites = list((folder / "elites").glob("*.toml"))
    names = {load(str(file)).name for file in elites}
    assert len(names) == len(elites) > 1


def test_a_reply_has_a_name_that_its_folder_and_its_agent_can_have():
    partner = "cig2018:" + ",".join(["0"] * 40)
    with pytest.raises(ValueError, match="pool: .* the name .* a plain word of up to 60 letters"):
        config.from_mapping(
            dict(base="quick", mode="mixed", pool=["piers", partner], replies=True), "here"
        )
