"""Lists that begin with the best of the lists before them."""

import json
import shutil

import pytest
from stopped import kill_and_resume
from tiny import tiny

from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.run import evolve, resume
from hanabi.evolve.ga.run_folder import RunError, winners_before

LISTS = dict(players=[2, 3, 4], lists=["3", "2", "4"], inherit=["2", "4"], generations=0)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """(config file, the folder of a run that was never stopped) of orders."""
    place = tmp_path_factory.mktemp("inherit")
    (place / "tiny.toml").write_text(tiny(**LISTS).text())
    return place / "tiny.toml", evolve(str(place / "tiny.toml"), place / "runs", jobs=1).folder


def winner(run, part):
    stated = json.loads((run / part / "result.json").read_text())
    return Individual(stated["rules"], stated["conventions"], stated["weights"])


def first_generation(part):
    return json.loads((part / "checkpoint-0000000.json").read_text().partition("\n")[2])[
        "individuals"
    ]


def test_each_begins_with_the_best_of_those_before(unbroken):
    run = unbroken[1]
    assert winners_before(run / "3") == [] and winners_before(run / "2") == [winner(run, "3")]
    assert winners_before(run / "4") == [winner(run, "3"), winner(run, "2")]
    first = first_generation(run / "2")
    everyone = {tuple(rules) for rules, *_ in first}
    (order,) = everyone  # nothing varies before the first generation is played
    assert list(order[: len(winner(run, "3").rules)]) == winner(run, "3").rules and len(first) == 8
    drawn = first_generation(run / "3")
    assert len({tuple(rules) for rules, *_ in drawn}) == 8 and sorted(order) == sorted(drawn[0][0])


def test_free_lists_begin_with_what_won(tmp_path):
    free = LISTS | dict(
        lists=["2", "3-4"],
        inherit=["3-4"],
        variable_length=True,
        generations=1,
        local_search_games=240,
        population=2,
        elitism=2,
    )
    run = evolve(tiny(**free), tmp_path, jobs=1)
    first = first_generation(run.folder / "3-4")
    families = {rule.partition("(")[0] for rule in winner(run.folder, "2").rules}
    for rules, *_ in first:  # a few games of climbing later
        assert families & {rule.partition("(")[0] for rule in rules}


def test_broken_off_anywhere_it_ends_the_same(unbroken, tmp_path):
    kill_and_resume(unbroken, tmp_path, ["replace:11", "replace:6", "half:2"], ["jobs=2"])


def test_a_winner_that_is_missing_or_was_edited_is_told(unbroken, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(unbroken[1], run)
    for path in [
        *(run / "4").glob("checkpoint-*"),
        *(run / "4").glob("*.csv"),
        run / "4" / "result.json",
    ]:
        path.unlink()
    result = (run / "3" / "result.json").read_text()
    (run / "3" / "result.json").write_text(result.replace("toy", "tyo", 1))
    with pytest.raises(RunError, match=r"3 are damaged .result.json was edited"):
        resume(run / "4", jobs=1)
    (run / "3" / "result.json").unlink()
    with pytest.raises(
        RunError,
        match=r"begins with the winner for 3 players, which is not finished: resume .*run$",
    ):
        resume(run / "4", jobs=1)


def test_only_lists_behind_the_first_can_inherit():
    for names in (["3"], ["5"], ["2", "4", "3"]):
        with pytest.raises(
            ValueError, match=r"inherit: '[35]' should be one of the lists behind the first, 2, 4$"
        ):
            tiny(**LISTS | dict(inherit=names))
    assert (
        tiny(inherit=["2"]).part_configs() == {}
        and tiny(**LISTS).part_configs()["4"].parts.inherit == ()
    )
