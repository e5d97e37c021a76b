"""What a new user's first agent does is explained where it is printed; an unknown standard error is
not printed.
"""

import csv
import json
import math
import re

import pytest
from folders import AGENT, lay_out
from tiny import tiny
from typed import typed

from hanabi.evolve.measure.arena import error_text, mean_sem
from hanabi.text.transcript import ABOUT_FORFEITS

FORFEITS = {
    "one.toml": AGENT.replace("[rules]", 'otherwise = "forfeit"\n[rules]'),
    "two.toml": AGENT.replace("one", "two"),
}


def flat(text):
    """A text in one line, however it was wrapped."""
    return " ".join(text.split())


def test_a_forfeit_is_explained_where_one_is_printed(tmp_path):
    lay_out(tmp_path, FORFEITS)
    assert 'otherwise = "default"' in ABOUT_FORFEITS
    _, out, _ = typed(
        "tournament", "one.toml", "two.toml", "--players", "2-3", "--games", 5, folder=tmp_path
    )
    assert f"Forfeits, 100.0% of the games of one: {ABOUT_FORFEITS}" in flat(out)
    _, out, _ = typed("tournament", "two.toml", "--players", 2, "--games", 5, folder=tmp_path)
    assert ABOUT_FORFEITS not in flat(out), "nobody forfeits"
    _, out, _ = typed("show", "one.toml", folder=tmp_path)
    assert 'A forfeit: no rule applied, and the agent has otherwise = "forfeit".' in flat(out)
    _, out, _ = typed("show", "two.toml", folder=tmp_path)
    assert "A forfeit" not in flat(out)


@pytest.mark.parametrize("otherwise", ["forfeit", "default"])
def test_it_is_explained_at_the_end_of_a_run(otherwise, tmp_path):
    """With rules that never apply in a first turn all games are forfeited, or none is."""
    lay_out(
        tmp_path,
        {
            "c.toml": tiny(
                otherwise=otherwise,
                rules=["cig2018.play_safe_card", "cig2018.osawa_discard"],
                rule_files=[],
                generations=0,
            ).text()
        },
    )
    code, out, err = typed("evolve", "c.toml", "--jobs", 1, folder=tmp_path)
    assert code == 0, err
    page = next(tmp_path.glob("runs/*/report.html")).read_text(encoding="utf-8")
    assert (f"Forfeits, 100.0% of these games: {ABOUT_FORFEITS}" in flat(out)) == (
        otherwise == "forfeit"
    )
    assert ("A forfeit: no rule applied" in page) == (otherwise == "forfeit")
    assert ">forfeited_games</th>" in page, "counts are called counts"


def test_one_game_has_no_error(tmp_path):
    lay_out(tmp_path, FORFEITS)
    _, sem = mean_sem([[7]])
    assert math.isnan(sem) and error_text(sem) == "" and error_text(0.25, 2) == " ± 0.25"
    _, out, _ = typed("tournament", "two.toml", "--players", "2-3", "--games", 1, folder=tmp_path)
    assert "±" not in out and "nan" not in out
    assert (
        "±" in typed("tournament", "two.toml", "--players", "2-3", "--games", 2, folder=tmp_path)[1]
    )
    for output in ("rows.json", "rows.csv"):
        _, out, _ = typed(
            "tournament",
            "two.toml",
            "--players",
            2,
            "--games",
            1,
            "-o",
            output,
            "--json",
            folder=tmp_path,
        )
        assert json.loads(out, parse_constant=pytest.fail)[0]["sem_kept"] is None
    assert (
        json.loads((tmp_path / "rows.json").read_text(), parse_constant=pytest.fail)[0]["sem_zero"]
        is None
    )
    (row,) = csv.DictReader((tmp_path / "rows.csv").read_text().splitlines())
    assert row["sem_kept"] == row["sem_zero"] == "" and row["forfeited_games"] == "0"


def test_a_run_of_single_games_states_no_error(tmp_path):
    lay_out(tmp_path, {"c.toml": tiny(players=(2,), games=1, race_games=1).text()})
    code, out, err = typed("evolve", "c.toml", "--jobs", 1, folder=tmp_path)
    assert code == 0 and re.search(r"best [\d.]+, mean", err) and "nan" not in out + err, err
    (run,) = tmp_path.glob("runs/20*")
    for file in ("log.csv", "race.csv", "finals.csv", "best.toml", "result.json", "report.html"):
        assert not re.search(r"\bnan\b", (run / file).read_text(encoding="utf-8"), re.I), file
    assert {
        row["best_sem"] for row in csv.DictReader((run / "log.csv").read_text().splitlines())
    } == {""}
