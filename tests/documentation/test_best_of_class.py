"""The best of each class beside ours, from the committed data."""

import json
from pathlib import Path

import pandas as pd
import pytest

from docs.generate.best_of_class import DAGGER, HEADINGS, WHY, comparisons, table
from docs.generate.literature_tables import our_programs
from hanabi.evolve.papers.literature import COUNTS, class_of, literature
from hanabi.rules.agents import load

DATA = Path(__file__).parents[2] / "docs/data"


def test_nobody_is_better_than_the_best_and_laws_are_the_same():
    found = {(one.kind, one.players): one for one in comparisons(DATA)}
    assert set(WHY) | {"pair"} == {kind for kind, _ in found} == set(HEADINGS)
    for (kind, players), one in found.items():
        rivals = [other for some in literature().values() for other in some]
        if kind == "pair":
            assert one.published is None and players > 2 and one.ours.name == "pairs-finish"
            continue
        for other in rivals:
            if other.kind == kind and other.lives == 3 and not other.searches:
                assert other.scores.get(players, 0) <= one.published.scores[players]
        ours = one.ours.zeros if one.published.law == "zero" else one.ours.scores
        assert one.difference == pytest.approx(ours[players] - one.published.scores[players])
    assert {count for kind, count in found if kind == "code"} == set(COUNTS)


def committed_scores():
    """(class, players, row) of every list that committed data have mirror scores of: named
    agents of the tournaments, and kept runs that no named agent repeats.
    """
    named = {load(name).hash for name in ("convention", "from-both", "from-nothing")}
    for file in ("tournament", "codes", "hgroup", "pairs", "finish-two", "finish-scores"):
        for row in pd.read_csv(DATA / f"{file}.csv").to_dict("records"):
            yield class_of(load(row["agent"])), row["players"], row
    for folder in (DATA.parents[1] / "runs/reference").iterdir():
        agent = load(str(folder / "best.toml"))
        for row in json.loads((folder / "result.json").read_text(encoding="utf-8"))["results"]:
            if row["mode"] == "mirror" and row["players"].isdigit() and agent.hash not in named:
                yield class_of(agent), int(row["players"]), row


@pytest.mark.parametrize("kind", ["none", "human", "pair", "code"])
def test_ours_is_the_maximum_over_the_committed_data(kind):
    rows = [(players, row) for of, players, row in committed_scores() if of == kind]
    assert len({players for players, _ in rows}) == 4
    for one in comparisons(DATA):
        if one.kind == kind:
            law = "zero" if one.published and one.published.law == "zero" else "kept"
            best = max(row[f"mean_{law}"] for players, row in rows if players == one.players)
            assert one.our_points == pytest.approx(best)


def test_the_best_without_a_convention_is_a_kept_run():
    (row,) = [line for line in table(DATA).splitlines() if line.startswith("| No convention")]
    for points in ("21.48", "21.18", "20.52", "19.48"):
        assert f"mirror-modern+epistemic-per-count {points}: " in row


def test_learned_players_are_compared_without_pairs():
    for one in comparisons(DATA):
        if one.kind == "learned":
            assert one.ours.kind == "human"


def test_no_error_of_a_difference_from_few_games():
    few = {one.cell() for one in comparisons(DATA) if one.published and one.published.games == 3}
    assert few and all(cell.endswith(DAGGER) and "±" not in cell for cell in few)


def test_the_page_names_each_class_in_which_ours_is_behind():
    text = table(DATA)
    behind = [one for one in comparisons(DATA) if one.difference < 0]
    assert text.count("behind by") == len(behind) > 0
    kinds = {one.name: one.kind for one in our_programs(DATA)}
    assert kinds["code"] == kinds["code-information"] == "code"
