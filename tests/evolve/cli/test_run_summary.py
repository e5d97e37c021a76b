"""The end of a run: one screen with its score, bars, the rules that matter, its files; the whole
agent is printed by `hanabi show`.
"""

import re

import pandas as pd
import pytest
from folders import lay_out
from tiny import tiny
from typed import typed

from hanabi.evolve.cli.progress_display import blocks
from hanabi.evolve.cli.run_summary import MOST, most_useful
from hanabi.evolve.ga.result import Run
from hanabi.evolve.measure.tournament import LITERATURE


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """(the folder, what `hanabi evolve` printed at 80 columns) of a tiny run over rules of 2018."""
    folder = tmp_path_factory.mktemp("ended")
    lay_out(
        folder,
        {
            "c.toml": (
                tiny(rules=["cig2018"], rule_files=[], generations=1, players=(3,), games=3).text()
            )
        },
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        code, out, err = typed("evolve", "c.toml", "--quiet", "--jobs", 1, folder=folder)
    assert (code, err) == (0, "")
    return next(folder.glob("runs/20*")), out


def test_it_fits_a_screen(ended):
    lines = ended[1].splitlines()
    assert 15 < len(lines) <= 40 and max(map(len, lines)) <= 80


def test_bars_are_as_long_as_the_points_and_the_best_stands_first(ended):
    run, out = ended
    bars = re.findall(r"^(.) (\S+) +(█+) +([\d.]+) ± ", out, re.M)
    points = [float(mean) for *_, mean in bars]
    assert len(bars) == 7 and points == sorted(points, reverse=True)
    assert all(abs(len(drawn) - 28 * float(mean) / 25) < 1 for _, _, drawn, mean in bars)
    assert [name for mark, name, *_ in bars if mark == ">"] == [Run(run).agent.name]
    assert "piers" in {name for _, name, *_ in bars}


def test_the_files_that_it_names_are_there_and_no_page_path_is_lost(ended):
    run, out = ended
    named = re.findall(r"^  (\S+\.(?:html|toml|csv)) ", out, re.M)
    assert {"report.html", "best.toml", "worth.csv"} <= set(named) and all(
        (run / name).exists() for name in named
    )
    assert f"Files in runs/{run.name}:" in out and f"hanabi show runs/{run.name}" in out


def test_a_tournament_follows_that_the_folder_keeps(ended):
    run, _ = ended
    code, out, err = typed("evolve", "--resume", run, "--tournament", "--quiet", "--jobs", 1)
    assert (code, err) == (0, "") and "tournament.csv" in out
    rows = pd.read_csv(run / "tournament.csv")
    assert set(rows["agent"]) == {Run(run).agent.name, *LITERATURE} and set(rows["players"]) == {3}
    assert out.index("mirror, 1,000 games per player count") < out.index("Files in")


def test_the_rules_worth_most_stand_first(tmp_path):
    lay_out(tmp_path, {"config.toml": tiny().text()})
    (tmp_path / "worth.csv").write_text(
        "run,players,kind,place,entry,share,worth_kept,sem_kept,worth_zero\n"
        + "".join(
            f"r,{players},rule,{place},rule{place},0.1,{place if players == 2 else 0},0.3,0\n"
            for players in (2, 3)
            for place in range(12)
        )
        + "r,2,rule,12,only_two,0.5,8,0.2,0\n"
    )

    class Folder:
        config = tiny(scoring="kept")

        def __truediv__(self, name):
            return tmp_path / name

    found = most_useful(Folder())
    assert [name for name, *_ in found] == [
        "rule11",
        "rule10",
        "rule9",
        "only_two",
        "rule8",
        "rule7",
        "rule6",
        "rule5",
    ]
    assert len(found) == MOST
    assert [one[1:] for one in found if one.name == "only_two"] == [(0.25, 4.0, 0.1)], (
        "a list without it counts 0"
    )
    assert found[0].sem == pytest.approx((2 * 0.3**2) ** 0.5 / 2)


def test_show_prints_the_whole_agent(ended):
    run, _ = ended
    code, out, _ = typed("show", run)
    assert (
        code == 0
        and out.count("\n") > 10
        and all(name in out for name in [rule.name for rule in Run(run).agent.at(3).rules])
    )
    assert typed("agents", run) == (0, out, ""), "an agent is printed in one way"
    assert typed("agents", "piers")[1].startswith(
        "piers with 2-5 players: the first rule that applies decides"
    )


def test_the_end_of_a_run_of_the_map_names_the_map(tmp_path):
    """Its file, how many cells are filled, and the champion; ``-p`` as in other commands."""
    lay_out(
        tmp_path,
        {
            "m.toml": tiny(
                rules=["cig2018"],
                rule_files=[],
                generations=1,
                players=(2, 3),
                elitism=0,
                behaviours=["communicativeness", "information_per_play"],
                cells=3,
                random_individuals=8,
                elite_games=2,
            ).text()
        },
    )
    words = ("evolve", "m.toml", "-p", "3", "--quiet", "--jobs", 1)
    code, out, err = typed(*words, folder=tmp_path)
    assert (code, err) == (0, ""), err
    (run,) = tmp_path.glob("runs/20*")
    assert Run(run).config.game.players == (3,)
    filled = len(list((run / "elites").glob("*.toml")))
    score = Run(run).agent.provenance["score"]
    assert (
        f"The map has {filled} of 9 cells filled. Its champion is best.toml: {score:.2f} points on "
        "fresh deals." in " ".join(out.split())
    ), out
    assert re.search(r"^  map.html +the map", out, re.M) and (run / "map.html").exists()


def test_players_that_are_none_are_refused(tmp_path):
    code, out, err = typed("evolve", "--preset", "quick", "-p", "7", folder=tmp_path)
    assert (
        (code, out) == (2, "") and "--players '7': write" in err and not list(tmp_path.iterdir())
    ), err


def test_the_curve_has_a_block_per_generation_and_the_last_line_opens_the_page(ended, monkeypatch):
    run, out = ended
    best = Run(run).log["best"]
    [line] = re.findall(r"^Best by generation: (\S+) (\S+) to (\S+)$", out, re.M)
    assert line == (blocks(best, 25, 40), f"{best.iloc[0]:.2f}", f"{best.iloc[-1]:.2f}")
    last = out.splitlines()[-1].split()
    assert last[1:] == ["report", f"runs/{run.name}", "--browser"]
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    code, shown, _ = typed(*last[1:], "--jobs", 1, folder=run.parent.parent)
    assert code == 0 and shown == f"runs/{run.name}/report.html\n"
    assert opened == [(run / "report.html").as_uri()]


def test_blocks_grow_with_the_values_and_fit_the_room():
    assert blocks([0, 3.2, 12.4, 12.6, 24.9, 25], 25, 9) == "▁▂▄▅██"
    assert blocks(range(26), 25, 3) == "▁▄█", "the first, the middle and the last"
    assert blocks([7], 25, 5) == "▃" and blocks([], 25, 5) == ""
