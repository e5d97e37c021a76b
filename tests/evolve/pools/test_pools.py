"""Pool files, thinning, parts, cross-play in halves, responses."""

import json

import numpy as np
import pytest
from typed import typed

from hanabi.evolve.pools import pool_responses
from hanabi.evolve.pools.pool_making import split, thin
from hanabi.evolve.pools.pool_report import CrossScores, cross_scores
from hanabi.rules.agents import POOLS, load, member_specs, pool, read_pool
from hanabi.rules.agents.pool_file import Member, Pool, loads
from hanabi.rules.agents.responses import read_responses

MAPS = [name for name in POOLS if "map" in name or "conventions" in name]


@pytest.mark.parametrize("name", POOLS)
def test_a_pool_file_reads_back(name):
    found = read_pool(name)
    assert loads(found.dumps(), "x") == found and found.says
    assert len(member_specs(name)) == len(found.members)


@pytest.mark.parametrize("name", MAPS)
def test_pools_of_maps_have_thirty_to_sixty_partners_in_two_parts(name):
    found = read_pool(name)
    train, test = (set(member_specs(f"{name}:{part}")) for part in ("train", "test"))
    assert 30 <= len(found.members) <= 60 and found.source and found.choice
    assert not train & test and train | test == set(member_specs(name))
    assert abs(len(train) - len(test)) <= 1
    means = [np.mean([one.points for one in found.part(part)]) for part in ("train", "test")]
    assert abs(means[0] - means[1]) < 1.5  # the parts are alike
    [count] = found.players
    for member in found.members:
        assert member.played[str(count)]["games"] >= 600 and 0 < member.points <= 25
    assert pool(name)[0].at(count) == load(member_specs(name)[0]).at(count)


def test_thinning_keeps_the_best_of_each_block():
    random = np.random.default_rng(1)
    places, points = random.random((60, 2)), random.random(60)
    places[0] = 1, 1  # the edge belongs to the last block
    blocks = {}
    for i, (x, y) in enumerate(places):
        blocks.setdefault((min(int(x * 3), 2), min(int(y * 3), 2)), []).append(i)
    slow = [max(blocks[block], key=lambda i: points[i]) for block in sorted(blocks)]
    assert thin(places, points, 3) == slow


def test_a_split_takes_one_of_each_neighbours_by_points():
    members = tuple(
        Member(f"a{i}", "piers", "", {"2": {"points": float(i % 7)}}) for i in range(12)
    )
    whole = Pool("p", "", members)
    found = split(whole, 3, 5)
    ranked = sorted(found.members, key=lambda one: -one.points)
    for first in range(0, 12, 3):
        parts = [one.part for one in ranked[first : first + 3]]
        assert sorted(parts) == ["test", "train", "train"]
    assert split(whole, 3, 5) == found != split(whole, 3, 6)


def test_what_one_half_chooses_the_other_scores():
    halves = np.array([[[9.0, 0.5], [5.0, 5.0]], [[1.0, 1.0], [5.0, 5.0]]])
    found = CrossScores(("a", "b"), halves, None)
    # with a, the first half chooses a (9), worth 1 on the other; the second chooses b, worth 5
    assert found.oracle()[0].points == 3 and found.oracle()[0].name == "a"
    assert found.generalist().points == 5
    assert found.held_back().tolist() == [5 - 5, 5 - 0.75]
    # the first half chooses a (mean 6), worth 1 on the other; the second chooses b, worth 5 on the
    # first; on the halves that chose them they would be worth 6 and 3
    halves = np.array([[[9.0, 3.0], [5.0, 5.0]], [[1.0, 1.0], [2.0, 4.0]]])
    found = CrossScores(("a", "b"), halves, None)
    assert found.generalist() == ("b", (1 + 5) / 2) and (1 + 5) / 2 != (6 + 3) / 2


def test_cross_play_of_a_pool_is_that_of_a_tournament():
    agents = [load(name) for name in ("piers", "iggi", "legal-random")]
    from hanabi.evolve import tournament

    names = ["piers", "iggi", "legal-random"]
    for games in (11, 10):  # an odd game is in the second half
        rows = tournament(names, "cross", players=[2], games_each=games).rows
        found = cross_scores(agents, [2], games, jobs=1)
        assert found.rows.equals(rows)
    assert np.allclose(found.points.ravel(), rows["mean_kept"])
    assert found.clusters(0.001) == [1, 1, 2] and found.clusters(25) == [1, 1, 1]


def test_a_pool_is_made_measured_and_split(tmp_path, monkeypatch):
    monkeypatch.setattr(pool_responses, "GENERATIONS", 2)
    monkeypatch.setattr(pool_responses, "CHILDREN", 3)
    monkeypatch.setattr(pool_responses, "GAMES", 6)
    words = "pool", "make", "p.toml", "piers", "legal-random", "map-2p/10-14", "-p", 2, "-n", 20
    code, out, err = typed(*words, "-j", 1, folder=tmp_path)
    assert (code, err) == (0, "") and "piers" in out
    text = (tmp_path / "p.toml").read_text(encoding="utf-8")
    made = loads(text, "p")
    assert [one.name for one in made.members] == ["piers", "legal-random", "10-14"]
    assert made.member("piers").points > made.member("legal-random").points
    words = "pool", "measure", "p.toml", "-n", 10, "--responses", "r.toml", "-o", "rows.csv"
    code, out, err = typed(*words, "--picture", "m.svg", "--json", folder=tmp_path)
    found = json.loads(out)
    assert (code, err) == (0, "") and len(found["partners"]) == 3
    assert {"response", "oracle", "held_back", "cluster"} <= set(found["partners"][0])
    assert (tmp_path / "m.svg").read_text(encoding="utf-8").startswith("<svg")
    table = read_responses(str(tmp_path / "r.toml"), lambda data, where: data["name"])
    assert list(table.replies) == ["anybody", *table.partners]
    assert load(f"partners:{tmp_path}/r.toml").plays(2)
    assert typed("pool", "split", "p.toml", "--one-in", 3, folder=tmp_path)[0] == 0
    assert (
        sum(one.part == "test" for one in loads((tmp_path / "p.toml").read_text(), "p").members)
        == 1
    )


def test_an_evolved_response_gains_on_fresh_deals():
    """19-07 scores 6.8 with itself and 12.9 with the best of the pool."""
    from hanabi.evolve import play_games

    spec, start = "map-2p/19-07", ["map-2p/10-14"]
    one, same = (
        pool_responses.evolve_response([spec], 2, start, "r", 1, 12, jobs) for jobs in (1, 2)
    )
    assert one.lists == same.lists
    gained, before = (
        play_games(who, 2, 600, spec, seed=9)["score_kept"].to_numpy() for who in (one, start[0])
    )
    gain = gained.astype(float) - before
    assert gain.mean() > 3.5 * gain.std() / len(gain) ** 0.5
