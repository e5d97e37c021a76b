"""What stands beside Zhao's numbers: his numbers, the partner that is his model of one, and cells
that the committed tables state.
"""

import json
from collections import Counter
from dataclasses import replace

import pytest
from paths import ROOT
from typed import typed

from hanabi.evolve.papers import zhao
from hanabi.evolve.papers.zhao import Modelled, cell, people_in, report
from hanabi.evolve.papers.zhao_tables import (
    AGGRESSIVE,
    PARTNERS,
    PROGRAM,
    SCORES,
    SEATED,
    games_of,
    seated_at,
    spec_of,
    tables as tables_of,
    wanted,
)
from hanabi.game_record import Stop, play_one
from hanabi.moves import is_play, is_tell
from hanabi.rules import load
from hanabi.table import Table
from hanabi.variant import read_variant

TABLES = json.loads((ROOT / "docs/data/zhao.json").read_text(encoding="utf-8"))["tables"]


def stated(title):
    """What the committed table says by (spec, partner): games, mean, s.e."""
    (table,) = [one for one in TABLES if one["title"].startswith(f"Score, {title}")]
    return {
        (spec, partner): (games, mean, sem)
        for spec, partner, games, mean, sem, *_ in table["rows"]
        if partner != "people"
    }


def test_the_report_has_his_numbers_and_ours(monkeypatch):
    told = []
    monkeypatch.setattr(
        zhao,
        "cell",
        lambda variant, spec, partner, games: dict(
            variant=variant,
            agent=spec,
            partner=partner,
            games=games,
            mean=5.0,
            sem=0.1,
            perfect=0.0,
            lost=0.0,
            play=0.5,
            hint=0.25,
            discard=0.25,
            useful=0.9,
            ms=0.1,
            least_ms=0.1,
            most_ms=0.2,
        ),
    )
    data = report(20, lambda *step: told.append(step))
    assert len(told) == len(wanted()) == len(data["cells"]) == len(set(wanted()))
    tables = {table["name"]: table for table in data["tables"]}
    assert [*tables] == [
        "zhao-2-colours-depth-2",
        "zhao-3-colours-depth-2",
        "zhao-2-colours-depth-3",
        "zhao-times",
        "zhao-shares",
        "zhao-weights",
        "zhao-lists",
        "zhao-baselines",
        "differences",
    ]
    assert tables["zhao-2-colours-depth-2"]["rows"][0] == [
        "AI and person (published)",
        "people",
        100,
        8.444,
        None,
        "23%",
        None,
    ]
    assert all(
        len(row) == len(table["columns"]) for table in tables.values() for row in table["rows"]
    )
    assert [row[0] for row in tables["differences"]["rows"]] == [
        *SEATED,
        PROGRAM,
        "zhao:piers",
        "uct:piers",
    ]
    weights = {tuple(row[:2]): row for row in tables["zhao-weights"]["rows"]}
    assert weights["zhao", "discard × 10"][3:] == [5.0, None, 0.0, "0%"], "no error of so few games"
    assert weights["AI and person (published)", "stack × 10"][2:4] == [20, 8.64]
    assert [row[0] for row in tables["zhao-lists"]["rows"] if row[1] == "outer"] == [
        "zhao:negative=1",
        "zhao:outer",
        "outer",
        "zhao",
    ]
    games = {(one["agent"], one["partner"]): one["games"] for one in data["cells"]}
    assert (games["zhao", "piers"], games["zhao:outer", "outer"], games["uct:piers", "piers"]) == (
        20,
        20,
        20,
    )
    assert (
        games_of("zhao-2", "zhao", 1000),
        games_of("zhao-2", "zhao:evolved", 1000),
        games_of("zhao-4", "zhao", 1000),
    ) == (1000, 200, 40)


def test_the_aggressive_weights_have_a_row_with_the_lives_that_they_lose():
    """A larger stack with smaller others: measured as the other weights, and said in the note."""
    data = json.loads((ROOT / "docs/data/zhao.json").read_text(encoding="utf-8"))
    cells = {(one["variant"], one["agent"], one["partner"]): one for one in data["cells"]}
    spec = "zhao:stack=100,penalty=-0.5,discard=-0.1"
    assert set(cells) == set(wanted()) and ("zhao-2", spec, "piers") in cells
    (table,) = (one for one in data["tables"] if one["name"] == "zhao-weights")
    assert data["tables"] == json.loads(json.dumps(tables_of(cells)))
    rows = {(row[0], row[1]): row for row in table["rows"]}
    row, before = rows["zhao", AGGRESSIVE.says], rows["zhao", "10, −5, −1"]
    now = cells["zhao-2", spec, "piers"]
    assert row[2:4] == [1000, round(now["mean"], 2)] and row[-1] == f"{now['lost']:.0%}"
    assert f"Here {now['lost']:.1%} of its games" in table["note"] and before[5] is None


def test_games_of_people_stand_beside_his(tmp_path, monkeypatch):
    """Finished games by game and partner; none of agents, none abandoned or going on."""
    law, player = read_variant("zhao-2").at(2), load("outer").at(2)
    games = [play_one(law, [player], [0, 0], seed) for seed in (1, 2, 3, 4)]
    going_on, abandoned = (replace(game, moves=game.moves[:4], rules=()) for game in games[2:])
    abandoned = replace(abandoned, stop=Stop("terminated"))
    for number, (game, seats) in enumerate(
        [
            (games[0], ("person", "zhao")),
            (games[1], ("zhao", "person")),
            (games[2], ("outer", "outer")),
            (games[3], ("zhao:depth=3", "person")),
            (games[2], ("person", "person")),
            (going_on, ("zhao", "person")),
            (abandoned, ("zhao", "person")),
        ]
    ):
        names = tuple(name.replace("person", "Zoe") for name in seats)
        table = f"\n[table]\nseats = {json.dumps(seats)}\n" * ("person" in seats)
        (tmp_path / f"{number}.toml").write_text(str(replace(game, agents=names)) + table)
    found = people_in(str(tmp_path))
    scores = [game.score for game in games]
    assert {key: one["games"] for key, one in found.items()} == {
        ("zhao-2", "zhao"): 2,
        ("zhao-2", "zhao:depth=3"): 1,
        ("zhao-2", "person"): 1,
    }
    both = found["zhao-2", "zhao"]
    assert both["mean"] == (scores[0] + scores[1]) / 2
    assert both["sem"] == pytest.approx(abs(scores[0] - scores[1]) / 2)
    assert both["lost"] == sum(game.end == "lives" for game in games[:2]) / 2
    assert both["perfect"] == sum(score == 10 for score in scores[:2]) / 2
    rest = dict.fromkeys(("play", "hint", "discard", "useful", "ms", "least_ms", "most_ms"), 0.5)
    monkeypatch.setattr(zhao, "cell", lambda *_: both | rest)
    two, three, deep, *_ = report(2, people=str(tmp_path))["tables"]
    assert two["title"].startswith(f"Score, {SCORES[0][0]}")
    assert [row[:3] for row in two["rows"][2:5]] == [
        ["zhao", "people", 2],
        ["person", "people", 1],
        ["zhao", "modelled", 2],
    ]
    assert [row[:3] for row in deep["rows"][1:3]] == [
        ["zhao:depth=3", "people", 1],
        ["zhao:depth=3", "modelled", 2],
    ]
    assert "people" not in {row[1] for row in three["rows"][2:]}
    for number in (0, 1, 3, 4):
        (tmp_path / f"{number}.toml").unlink()
    with pytest.raises(ValueError, match="no finished game of a person .* play some, hanabi play"):
        people_in(str(tmp_path))
    code, _, err = typed("experiment", "mas", "--people", tmp_path)
    assert code == 2 and "--people is for zhao, not for mas" in err


def test_a_cell_counts_what_was_played():
    one, again = (cell("zhao-2", "zhao:belief=peek", "evolved", 6) for _ in range(2))
    for key in ("ms", "least_ms", "most_ms"):
        assert one.pop(key) >= 0 and again.pop(key) >= 0  # the clock is all that may differ
    assert (
        one == again
        and one["play"] + one["hint"] + one["discard"] == pytest.approx(1)
        and 0 < one["mean"] <= 10
    )
    for partner in PARTNERS:
        assert cell("zhao-3", "zhao", partner, 2)["games"] == 2
    assert cell("zhao-2", "zhao:evolved,hands=5", "evolved", 2)["hint"] > 0


def test_the_partner_is_the_model_of_one():
    """A hint and each flag twice: with three flags in seven, of which one card has two."""
    law = read_variant("zhao-2")
    model = Modelled()
    table, drawn = Table(law, [Modelled(), Modelled()]), Counter()
    for seed in range(40):
        for step in table.steps(seed, [0, 1]):
            view = step.view
            model.move(view)
            flags = [
                int(
                    (model.zhao.colour_told[view.me] >> slot & 1)
                    + (model.zhao.rank_told[view.me] >> slot & 1)
                )
                for slot in range(4)
            ]
            if is_play(step.move):
                assert flags[step.move - 1] > 0
            if sum(flags) == 2:
                drawn[is_play(step.move)] += 1
            if is_tell(step.move):
                assert view.tokens > 0
    share = drawn[True] / sum(drawn.values())
    assert sum(drawn.values()) > 50 and abs(share - 4 / 5) < 4 * (0.16 / sum(drawn.values())) ** 0.5


def test_specs_with_more_settings():
    assert [spec_of(agent, stack=1.0) for agent in SEATED] == [
        "zhao:stack=1",
        "zhao:belief=peek,stack=1",
    ]
    assert spec_of("zhao:depth=3", utility="numbers") == "zhao:depth=3,utility=numbers"
    assert spec_of("zhao") == "zhao"


@pytest.mark.parametrize("games", [40, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "title, variant, depth",
    [
        ("2 colours, depth 2", "zhao-2", 2),
        pytest.param("2 colours, depth 3", "zhao-2", 3, marks=pytest.mark.slow),
        ("3 colours, depth 2", "zhao-3", 2),
    ],
)
def test_scores_are_those_of_the_committed_tables(title, variant, depth, games):
    found = stated(title)
    assert found.keys() == {(spec, partner) for spec in seated_at(depth) for partner in PARTNERS}
    for spec, partner in [*found][::3] if games < 100 else found:
        count, mean, sem = found[spec, partner]
        assert count >= 1_000
        assert (
            abs(cell(variant, spec, partner, games)["mean"] - mean)
            < 3.5 * sem * (1 + count / games) ** 0.5 + 0.005
        )


def test_the_command_says_what_it_cannot_do(tmp_path):
    code, out, err = typed("experiment", "zhoa", folder=tmp_path)
    assert (code, out) == (2, "") and "did you mean 'zhao'?" in err
