"""Games watched in machine code against the same games walked step by step; why points are lost, in games made by hand."""

import numpy as np
import pytest
from slow_watch import SlowGame

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.evolve.analysis.loss_causes import CAUSES, watched
from hanabi.rules.agents import load
from hanabi.table import RuleFailedError, Table, game_seeds
from hanabi.variant import read_variant

# with conventions, forfeits and third lives; in one seat among partners who know of no conventions
CASES = [
    ("convention-2026", None, 2),
    ("convention-2026", None, 5),
    ("piers", None, 3),
    ("flawed", None, 4),
    ("mirror-situational-2018", None, 5),
    ("convention-2026", "piers", 3),
    ("piers", "convention-simple", 4),
]


def table_of(agent, partner, players):
    return Table(
        read_variant("standard").at(players),
        [load(one).at(players) for one in (agent, partner) if one],
    )


@pytest.mark.parametrize("agent, partner, players", CASES)
def test_watched_games_equal_a_recount_step_by_step(agent, partner, players):
    games = 6
    table, seeds = table_of(agent, partner, players), game_seeds(players, games)
    seats = np.ones((games, players), np.int64) if partner else np.zeros((games, players), np.int64)
    for game in range(games):
        seats[game, game % players] = 0
    found = watched(table, seeds, seats)
    plain = table_of(agent, partner, players).play(seeds, seats)
    assert (found["score"] == plain["score"]).all() and (found["end"] == plain["end"]).all()
    for game in range(games):
        slow = SlowGame(
            table_of(agent, partner, players), seeds[game], [int(seat) for seat in seats[game]]
        )
        one = found[game]
        assert dict(zip(CAUSES, one["lost"])) == {cause: slow.lost[cause] for cause in CAUSES}, game
        assert (one["tokens"], one["bare"], one["misplays"]) == (
            slow.tokens,
            slow.bare,
            slow.misplays,
        )
        assert list(one["fired"]) == [slow.fired[place] for place in range(len(one["fired"]))]
        assert list(one["meant"]) == [slow.meant[place] for place in range(MAX_CONVENTIONS + 1)]
        assert one["lost"].sum() == 25 - one["score"]


def test_every_cause_is_met():
    """Each number of the table counts something somewhere: otherwise the test above would say nothing of it."""
    met = np.zeros(len(CAUSES), np.int64)
    for agent, partner, players in CASES[:5]:
        table = table_of(agent, partner, players)
        met += watched(table, game_seeds(players, 60), np.zeros((60, players), np.int64))[
            "lost"
        ].sum(axis=0)
    assert (met > 0).all(), dict(zip(CAUSES, met))


def test_a_faulty_rule_is_told(tmp_path):
    from folders import rule_text
    from typed import own_rules

    from hanabi.rules import load_rules
    from hanabi.rules.agents import loads

    file = tmp_path / "mine.py"
    file.write_text(rule_text("return discard(0) if view.turn == 0 else NOTHING", name="bad"))
    with own_rules():
        load_rules(file)
        agent = loads('name = "x"\n[rules]\n3 = ["bad", "cig2018.legal_random"]\n').at(3)
        table = Table(read_variant("standard").at(3), [agent], trial=False)
        with pytest.raises(RuleFailedError, match="rule bad"):
            watched(table, game_seeds(1, 60), np.zeros((60, 3), np.int64))
