"""Batches: their slow twin, any size and number of threads, restarts, partners, bad input."""

import numpy as np
import pytest
from environment_games import any_actions, legal_numbers
from slow_batch import SlowPlace

from hanabi import Player, PlayError
from hanabi.environment import Batch
from hanabi.game import legal_moves
from hanabi.many_games.kernels import seed_of
from hanabi.rules.agents import load, pool
from hanabi.variant import NAMED, Variant


class FirstLegal(Player):
    """A partner in plain Python, which counts its moves."""

    name = "first legal"

    def begin(self, variant, seat):
        found = FirstLegal()
        found.moves = 0
        return found

    def move(self, view):
        self.moves += 1
        assert self.moves == int(view.turn) // int(view.players) + 1, "another game's object"
        assert not view.history[view.turn :].any(), "moves of the game that was here before"
        return legal_moves(view)[0], "the first"


def run(batch, steps, seed=3):
    """What a batch returns in some steps with any legal actions, copied."""
    found = []
    observations, legal = batch.reset()
    for step in range(steps):
        found.append((observations.copy(), legal.copy()))
        # each place draws its own actions, whatever the size of the batch
        draws = np.random.default_rng([seed, step]).random((100, legal.shape[1]))[: len(legal)]
        stepped = batch.step(np.argmax(legal * draws, axis=1))
        observations, legal = stepped.observations, stepped.legal
        found.append((stepped.rewards.copy(), stepped.terminated.copy(), batch.scores.copy()))
    return found


CASES = [
    (2, None, None, "kept"),
    (3, ["piers", "iggi"], None, "zero"),
    (2, "convention-2026", 1, "kept"),
    (5, ["piers", "mirror-situational-2018"], (1, 3), "zero"),
]


@pytest.mark.parametrize("players, partners, seats, scoring", CASES)
def test_a_batch_plays_what_its_slow_twin_plays(players, partners, seats, scoring):
    places, variant = 3, NAMED["standard"].at(players)
    batch = Batch(players, places, partners, seats, seed=5, scoring=scoring)
    found = [load(name).at(players) for name in np.atleast_1d(partners or "piers").tolist()]
    twins = [SlowPlace(variant, found, i, 5, scoring == "zero") for i in range(places)]
    rng = np.random.default_rng(7)
    observations, legal = batch.reset()

    def begin(i):
        me = int(batch.seats[i])
        seats_of = (
            range(players) if partners is None else [me] if seats is None else np.atleast_1d(seats)
        )
        while twins[i].begin(int(batch.partner_ids[i]), [int(seat) for seat in seats_of]):
            pass  # over before the learner's first move

    for i in range(places):
        begin(i)
    ended, totals = 0, np.zeros(places)
    for _ in range(90):
        for i, twin in enumerate(twins):
            assert batch.seeds[i] == twin.seed and batch.seats[i] == twin.table.view.me
            assert np.array_equal(observations[i], twin.sees())
            assert np.flatnonzero(legal[i]).tolist() == legal_numbers(twin.table.view, variant)
        actions = any_actions(legal, rng)
        observations, rewards, terminated, legal = batch.step(actions)
        for i, twin in enumerate(twins):
            over = twin.step(int(actions[i]))
            assert (rewards[i], terminated[i]) == (twin.taken_reward(), over)
            totals[i] += rewards[i]
            if over:
                ended += 1
                assert totals[i] == batch.scores[i]
                totals[i] = 0
                assert batch.scores[i] == twin.score
                assert np.array_equal(batch.last_observations[i], twin.last())
                begin(i)
    assert ended >= 3


def test_games_do_not_depend_on_the_size_of_the_batch_or_the_threads():
    one = run(Batch(2, 70, ["piers", "iggi"], seed=1), 25)
    few = run(Batch(2, 3, ["piers", "iggi"], seed=1), 25)
    more = run(Batch(2, 70, ["piers", "iggi"], seed=1, threads=2), 25)
    other = run(Batch(2, 70, ["piers", "iggi"], seed=2), 25)
    for rows, same, fewer in zip(one, more, few):
        assert all(map(np.array_equal, rows, same))
        assert all(np.array_equal(row[:3], less) for row, less in zip(rows, fewer))
    assert not all(np.array_equal(a, b) for row, rest in zip(one, other) for a, b in zip(row, rest))
    assert any(rows[1].any() for rows in one[1::2]), "no game ended"


def test_each_game_at_each_place_has_a_seed_of_its_own():
    seeds = [seed_of(np.uint64(3), place, game) for place in range(20) for game in range(20)]
    assert len(set(map(int, seeds))) == 400


def test_partners_and_seats_are_drawn_for_each_game():
    batch = Batch(3, 300, "cig2018-paper")
    batch.reset()
    names = [agent.name for agent in pool("cig2018-paper")]
    assert batch.names == names
    counts = np.bincount(batch.partner_ids, minlength=len(names))
    assert counts.min() > 0.4 * 300 / len(names) and counts.max() < 2 * 300 / len(names)
    assert np.bincount(batch.seats, minlength=3).min() > 60
    assert set(Batch(3, 40, "piers", seats=2).reset()[1].sum(axis=1)) != {0}


def test_partners_in_python_and_look_ahead_play_too():
    rng = np.random.default_rng(2)
    slow = "search:piers,rollouts=2"
    batch = Batch(2, 4, [FirstLegal(), "piers", slow], seed=6)
    _, legal = batch.reset()
    ended = 0
    for _ in range(30):
        _, _, terminated, legal = batch.step(any_actions(legal, rng))
        ended += int(terminated.sum())
    assert ended > 2 and batch.names[0] == "first legal"


def test_an_illegal_action_leaves_the_games_as_they_were():
    batch = Batch(2, 3, "piers", seats=0, seed=4)
    _, legal = batch.reset()
    before = [array.tobytes() for array in batch._games.store]
    actions = np.argmax(legal, axis=1)
    actions[1] = 0  # with all tokens there no discard is legal
    with pytest.raises(ValueError) as raised:
        batch.step(actions)
    said = str(raised.value)
    assert said.startswith(
        "game 1: action 0 is not legal; the legal ones are 5 (play 0), 6 (play 1)"
    )
    assert "\n" not in said and [array.tobytes() for array in batch._games.store] == before
    legal[:] = 1  # what the learner got is its own to change
    with pytest.raises(ValueError, match="game 0: action -1 is not legal"):
        batch.step(np.array([-1, 0, 0]))


@pytest.mark.parametrize("illegal, said", [([70], 70), ([70, 99], 70), ([3, 70], 3)])
def test_threads_name_the_first_illegal_action_of_all(illegal, said):
    batch = Batch(2, 100, seed=4, threads=2)
    _, legal = batch.reset()
    before = [array.tobytes() for array in batch._games.store]
    actions = np.argmax(legal, axis=1)
    actions[illegal] = 0
    with pytest.raises(ValueError, match=f"^game {said}: action 0 is not legal"):
        batch.step(actions)
    assert [array.tobytes() for array in batch._games.store] == before


WRONG = [
    (dict(players=6), "players should be a whole number from 2 to 5, not 6"),
    (dict(games=0), "games should be a whole number from 1 to 1,048,576, not 0"),
    (dict(games=2.0), "games should be a whole number"),
    (dict(threads=0), "threads should be a whole number from 1 to 64, not 0"),
    (dict(seed=-1), "seed should be a whole number"),
    (dict(partners="pires"), "no pool or agent 'pires' (did you mean 'piers'?)"),
    (dict(partners=[]), "partners should name at least one agent or pool"),
    (dict(partners="zhao", players=3), "zhao does not play with 3 players"),
    (dict(partners="piers", seats=2), "a seat should be a whole number from 0 to 1, not 2"),
    (dict(partners="piers", seats=(0, 1)), "seats should be one seat or several different ones"),
    (dict(partners="piers", seats=()), "seats should be one seat or several different ones"),
    (dict(seats=0), "without partners the learner plays all seats"),
    (dict(scoring="zeros"), "no scoring 'zeros' (did you mean 'zero'?); there are kept, zero"),
    (dict(layout="hle"), "no layout 'hle'; there are canonical, canonical-float32, jaxmarl"),
]


@pytest.mark.parametrize("given, message", WRONG, ids=[message for _, message in WRONG])
def test_wrong_settings_are_said_in_one_line(given, message):
    with pytest.raises(ValueError) as raised:
        Batch(**dict(players=2, games=2) | given)
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_wrong_actions_are_said_in_one_line():
    batch = Batch(2, 2)
    with pytest.raises(ValueError, match="no games are dealt yet: call reset"):
        batch.step(np.zeros(2, np.int64))
    batch.reset()
    for actions in (np.zeros(3, np.int64), np.zeros(2), [[0, 0]], ["a", "b"], None):
        with pytest.raises(ValueError, match="actions should be 2 integers, one for each game"):
            batch.step(actions)


@pytest.mark.slow
def test_other_variants_and_layouts():
    rng = np.random.default_rng(1)
    for variant, layout in ((NAMED["mini"], "jaxmarl"), (Variant(2, 6), "canonical-float32")):
        batch = Batch(variant, 5, layout=layout)
        observations, legal = batch.reset()
        assert observations.dtype == np.float32
        for _ in range(40):
            observations, _, _, legal = batch.step(any_actions(legal, rng))
        assert observations.max() == 1 and observations.min() == 0


def test_a_game_takes_kilobytes_and_not_a_whole_record():
    plain, marked = (Batch(2, 8, name).bytes_per_game for name in ("piers", "convention-2026"))
    assert plain < 6_000 < marked < 20_000  # 3,840 of them are what conventions remember


def test_games_in_which_partners_forfeit_at_once_are_no_endless_loop(tmp_path):
    """A list that never applies and forfeits: no game reaches a learner in seat 1."""
    file = tmp_path / "never.toml"
    file.write_text('otherwise = "forfeit"\n[rules]\n2-5 = ["play_safe(newest=1)"]\n')
    with pytest.raises(
        PlayError, match="1000 deals in a row ended before the learner's first move"
    ):
        Batch(2, 2, str(file), seats=1).reset()
    batch = Batch(2, 2, str(file), seats=0)
    _, legal = batch.reset()
    stepped = batch.step(np.argmax(legal, axis=1))
    assert stepped.terminated.all(), "the partner forfeits at its first move"
