"""What a user of the library prints, saves and seats first."""

import numpy as np
import pytest

from hanabi import Player, Table, default_move, load_game, play_one, read_games, read_variant
from hanabi.evolve import measure_behaviour
from hanabi.rules import load

VARIANT = read_variant("standard").at(2)


class Careful(Player):
    name = "careful"

    def move(self, view):
        return default_move(view), "so"


@pytest.fixture(scope="module")
def game():
    return play_one(VARIANT, ["piers", "iggi"], [0, 1], 3)


def test_a_step_is_printed_as_a_sentence(game):
    """Also later, when its card has left the hand and another one lies there."""
    kept = list(game.steps())
    for step, later in zip(game.steps(), kept, strict=True):
        assert repr(step) == str(step) == repr(later) and len(str(step)) < 60
        assert str(step).startswith(f"Step(turn {step.turn}, {'Ann' if step.seat == 0 else 'Bob'} ")
    texts = {str(step).partition(", ")[2] for step in kept}
    assert {"Ann tells Bob 1)", "Bob plays B1)", "Bob discards B2)"} <= texts, texts


def test_records_are_printed_in_a_few_words(game):
    step = next(game.steps())
    assert repr(step.view) == str(step.view) == "View(turn 0, Ann of 2 players to move)"
    assert repr(step.state) == f"{step.state}" == "State(seed 3, 50 cards)"
    assert repr(step.view.copy()) == repr(step.view)
    nested = [name for name in step.view.dtype.names if step.view.dtype[name].base.names]
    assert nested, "records within the record"
    for name in nested:
        assert len(repr(np.atleast_1d(step.view[name])[0])) < 4_000, name


def test_a_forfeit_is_a_step(game):
    forfeited = type(game)(VARIANT, 3, None, (*game.moves[:2], -1))
    assert str(list(forfeited.steps())[-1]) == "Step(turn 2, Ann forfeits)"


def test_names_agents_and_objects_sit_down_alike(game):
    """In ``play_one`` and at a table, as in ``tournament``."""
    for players in (
        [load("piers"), load("iggi")],
        [load("piers").at(2), "iggi"],
        ["piers", load("iggi").at(2)],
    ):
        assert play_one(VARIANT, players, [0, 1], 3) == game
    table = Table(VARIANT, ["piers", Careful()])
    assert [player.name for player in table.players] == ["piers", "careful"]
    assert play_one(VARIANT, [Careful(), "piers"], [1, 0], 3).agents == ("piers", "careful")
    with pytest.raises(ValueError, match=r"no agent 'pierz' \(did you mean 'piers'"):
        Table(VARIANT, ["pierz"])


def test_behaviour_of_names_agents_and_objects():
    options = dict(players=[2], games=4, jobs=1)
    rows = measure_behaviour(["iggi", load("iggi"), Careful()], "piers", **options)
    assert rows["agent"].tolist() == ["iggi", "iggi", "careful"]
    assert set(rows["partner"]) == {"piers"}
    numbers = rows.drop(columns=["agent", "partner"]).to_numpy(float)
    assert np.array_equal(numbers[0], numbers[1], equal_nan=True)


def test_a_game_is_saved_and_read_by_its_name(game, tmp_path):
    path = tmp_path / "g.toml"
    game.save(path)
    assert load_game(path) == game
    for spec in (str(path), path, [path], [str(path)]):
        assert [found for _, found in read_games(spec).games] == [game]
