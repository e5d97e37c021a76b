"""Imitation: an agent agrees with itself wholly; each number is counted by hand."""

import numpy as np
import pytest
from typed import typed

from hanabi.evolve.measure.imitation import _meant, _ratio, measure_agreement
from hanabi.evolve.measure.one_game import play_game
from hanabi.formats.hanab_live import to_json
from hanabi.game import legal_moves
from hanabi.moves import NOTHING
from hanabi.rules.agents import Agent, load
from hanabi.table import Table


@pytest.fixture(scope="module")
def games():
    """By convention-simple, two of them at two players."""
    return [
        play_game(["convention-simple"], players, seed)
        for players, seed in ((2, 1), (2, 2), (3, 3))
    ]


@pytest.fixture(scope="module")
def found(games):
    return measure_agreement(load("convention-simple"), games)


def test_an_agent_agrees_with_itself(games, found):
    """… if no rule is random; the rules that decided agree at least as often."""
    rows = found.rows
    for players in (2, 3):
        some = [game for game in games if game.variant.seats == players]
        (own,) = rows[(rows["kind"] == "agent") & (rows["players"] == players)].to_dict("records")
        assert own["agrees"] == 1 and own["asked"] == sum(len(game.moves) for game in some)
        (chance,) = rows[(rows["kind"] == "chance") & (rows["players"] == players)].to_dict(
            "records"
        )
        legal = [1 / len(legal_moves(step.view)) for game in some for step in game.steps()]
        assert chance["agrees"] == pytest.approx(np.mean(legal))
        decided = [rule for game in some for rule in game.rules]
        for row in rows[(rows["kind"] == "rule") & (rows["players"] == players)].to_dict("records"):
            assert (
                row["asked"] * (row["agrees"] if row["asked"] else 0)
                >= decided.count(row["name"]) - 1e-9
            )
    assert np.isnan(rows[rows["players"] == 3]["sem"]).all() and not np.isnan(
        rows[rows["players"] == 2]["sem"].iloc[0]
    )


def test_a_rule_is_asked_by_itself(games):
    """What a rule answers where the game stands, in plain Python, move by move."""
    agent = load("iggi")
    rows = measure_agreement(agent, games[:1]).rows
    player, counts = agent.list_at(2), {}
    table = Table(games[0].variant, [player], games[0].deck)
    for step in table.replay(games[0].seed, [0, 0], games[0].moves):
        for rule in player.rules:
            answer = rule(step.view.copy())
            asked, right = counts.get(rule.name, (0, 0))
            counts[rule.name] = asked + (answer != NOTHING), right + (answer == step.move)
    for row in rows[rows["kind"] == "rule"].to_dict("records"):
        asked, right = counts[row["name"]]
        if "random" in row["name"]:  # by chance: what is counted here is one throw
            continue
        assert row["asked"] == asked and (
            not asked or row["agrees"] == pytest.approx(right / asked)
        )


def test_what_a_convention_explains(games, found):
    """The agent's agreement less that of the same agent without it."""
    rows = found.rows[(found.rows["kind"] == "convention") & (found.rows["players"] == 2)]
    agent = load("convention-simple")
    (focus,) = rows[rows["name"] == "focus"].to_dict("records")
    less = Agent(
        "less",
        {"2": agent.rules(2)},
        agent.otherwise,
        "",
        {},
        {
            "2": tuple(
                entry for entry in agent.list_at(2).conventions if entry.family.name != "focus"
            )
        },
        dict(agent.weights),
    )
    without = measure_agreement(less, games[:2]).rows.iloc[0]
    assert focus["gain"] == pytest.approx(1 - without["agrees"]) and focus["gain"] > 0.1
    assert focus["asked"] > 0 and 0.8 < focus["agrees"] <= 1, (
        "an agent's own promises are rarely false"
    )
    best = rows.sort_values("gain").iloc[-1]["name"]
    assert (
        f"Of its conventions {best} explains most: with it convention-simple agrees with"
        in " ".join(found.sentences())
    )


def test_what_a_hint_says_is_held_against_the_cards(games):
    """A promise that is true of a hand is false if the promised card is another one."""
    player = load("convention-simple").list_at(2)
    table = Table(games[0].variant, [player], games[0].deck)
    tried = 0
    for step in table.replay(games[0].seed, [0, 0], games[0].moves):
        view, state = step.view.copy(), step.state.copy()
        if not step.reason and step.move >= 11:
            meaning, true = _meant(state, view, step.move)
            if meaning >= 0 and true:
                state.hands[1 - view.me, :] = np.where(
                    state.hands[1 - view.me] >= 0, 29, -1
                )  # no card that anybody promised
                assert not _meant(state, view, step.move)[1]
                tried += 1
    assert tried > 5


def test_errors_are_over_games():
    """The error of a ratio of sums over games; for equal games that of their mean."""
    share, error = _ratio(np.array([10.0, 10, 10]), np.array([1.0, 2, 6]))
    assert share == pytest.approx(0.3) and error == pytest.approx(
        np.std([0.1, 0.2, 0.6], ddof=1) / np.sqrt(3)
    )
    assert np.isnan(_ratio(np.zeros(3), np.zeros(3))).all() and np.isnan(
        _ratio(np.array([4.0]), np.array([2.0]))[1]
    )


def test_by_command(games, tmp_path):
    (tmp_path / "g.jsonl").write_text("".join(map(to_json, games)))
    code, out, err = typed("behave", "--agree", "convention-simple", "g.jsonl", folder=tmp_path)
    assert code == 0 and not err
    assert (
        "2 players, 2 games: in how many decisions" in out
        and "100.0 ± 0.0%" in out
        and "3 players, 1 game: how many hints" in out
    )
    assert "explains most" in " ".join(out.split()) and max(map(len, out.splitlines())) <= 110
