"""Conventions with memory and hooks, as a user's file may have them."""

import pytest
from worked_examples import judged

from hanabi.conventions.fields import MAX_MEMORIES
from hanabi.conventions.hint_evaluation import HONEST
from hanabi.conventions.hint_plays import count_play
from hanabi.conventions.memory import has_convention, memory_key, memory_of
from hanabi.conventions.register import (
    CONVENTION_FAMILIES,
    convention,
    find_convention,
    keep_marks,
    prepare_call,
    sort_by_stage,
)
from hanabi.game import apply, deal, legal_moves, new_state
from hanabi.game_record import play_one
from hanabi.moves import NOTHING, PLAY, is_tell, move_text, play
from hanabi.player import RuleFailedError
from hanabi.rulebook import Family, Rule
from hanabi.table import ListPlayer, Table
from hanabi.text.commentary import commentary
from hanabi.variant import NAMED, Variant

GIVER, MOVES, AFTER = range(3)


def entered(stage, function, **declared):
    """A convention that is in no register."""
    convention(stage, **declared)(function)
    return Rule(CONVENTION_FAMILIES.pop(function.__name__), ())


def remember(view, reading, memory):
    memory[GIVER] = reading.giver


def count(view, reading, memory):
    memory[MOVES] = max(0, memory[MOVES]) + 1


def note(view, reading, memory):
    memory[AFTER] = 100 * reading.giver + reading.move


def reward(view, reading, hint, memory):
    """The receiver of an echo will play, by its giver's weight."""
    count_play(view, hint, view.playable & -view.playable)
    hint.safe = 1


def echo(view, reading, memory):
    """The first hint says nothing more."""
    return 1 if memory[GIVER] == -1 else 0


def says(view, reading, at):
    return ["An echo."]


def says_move(view, reading, at):
    return [f"Move {reading.move}."]


def says_after(before, after, at):
    return [f"Giver {memory_of(after, ECHO)[GIVER]}."]


def plain_words(view, reading):
    """Say nothing."""
    return 0


def answer_echo(view):
    """If I gave the first hint, play slot 0."""
    return PLAY if memory_of(view, ECHO)[GIVER] == view.me else NOTHING


def follows_echo(view):
    """Play slot 1 by a list with the convention."""
    return PLAY + 1 if has_convention(view, ECHO) else NOTHING


ECHO = memory_key("echo")
HOOKS = {"on_hint": remember, "on_move": count, "after_move": note, "score": reward}
WORDS = {"says": says, "says_move": says_move, "says_after": says_after}
ECHOES = entered("meaning", echo, memory=["giver", "moves", "after"], hooks=HOOKS | WORDS)
RULES = [Rule(Family(one.__name__, one, {}, {}), ()) for one in (answer_echo, follows_echo)]


def dealt(*lists):
    """State and view of a new game, by a list of conventions for each seat."""
    state, view = new_state(Variant(players=len(lists)))
    keep_marks(view, lists)
    deal(state, view, 3)
    return state, view


def test_memory_lasts_from_move_to_move_and_not_from_game_to_game():
    state, view = dealt(*[(ECHOES,)] * 3)
    assert list(memory_of(view, ECHO)[:3]) == [-1, -1, -1]
    hint, other = legal_hints(view)[:2]
    apply(state, view, hint)
    assert list(memory_of(view, ECHO)[:3]) == [0, 1, hint]
    apply(state, view, play(0))
    assert list(memory_of(view, ECHO)[:3]) == [0, 2, 101], "giver 1 played slot 0"
    apply(state, view, legal_hints(view)[0])
    assert memory_of(view, ECHO)[GIVER] == 0, "a later hint has not this meaning"
    deal(state, view, 4)
    assert list(memory_of(view, ECHO)[:3]) == [-1, -1, -1]


def legal_hints(view):
    return [move for move in legal_moves(view) if is_tell(move)]


def test_each_list_has_its_memory_and_others_have_none():
    state, view = dealt((ECHOES,), (), (find_convention("ones_in_order"), ECHOES))
    apply(state, view, legal_hints(view)[0])
    assert view.me == 1 and not has_convention(view, ECHO)
    assert set(memory_of(view, ECHO)) == {-1}, "no other convention's"
    assert [int(rule(view)) for rule in RULES] == [NOTHING, NOTHING]
    apply(state, view, play(0))
    assert has_convention(view, ECHO) and memory_of(view, ECHO)[GIVER] == 0
    assert [int(rule(view)) for rule in RULES] == [NOTHING, play(1)]
    apply(state, view, play(0))
    assert [int(rule(view)) for rule in RULES] == [play(0), play(1)]


def test_the_hook_score_counts_plays_of_hints_with_this_meaning():
    _, view = dealt(*[(ECHOES,)] * 3)
    hint = move_text(legal_hints(view)[0])
    assert judged(view, hint)[1] >= 1
    _, view = dealt((), (), ())
    assert judged(view, hint) == (HONEST, 0)


def test_hooks_of_a_meaning_are_checked_only_where_it_is_given(monkeypatch):
    monkeypatch.setitem(CONVENTION_FAMILIES, "echo", ECHOES.family)
    _, view = dealt(*[(ECHOES,)] * 3)
    hint = legal_hints(view)[0]
    assert prepare_call(view, "score", hint, "echo") and view.open == 2
    assert not prepare_call(view, "score", hint, "chain")
    memory_of(view, ECHO)[GIVER] = 0
    assert not prepare_call(view, "score", hint, "echo"), "it is not the first hint"
    assert prepare_call(view, "on_move", hint, "echo")


def test_a_game_is_commented_by_the_hooks():
    player = ListPlayer((), "default", (ECHOES,))
    game = play_one(NAMED["standard"].at(3), [player], [0] * 3, seed=3)
    spoken = commentary(game, [player], [0, 0, 0])
    first = next(i for i, lines in enumerate(spoken) if "An echo." in lines)
    assert [f"Move {game.moves[first]}.", f"Giver {first % 3}."] == spoken[first][1:]
    assert sum("An echo." in lines for lines in spoken) == 1


def far(view, reading, memory):
    memory[view.turn + 5] = 1


def test_a_hook_that_raises_is_reported_with_its_line():
    failing = entered("also", silent, memory=["one"], hooks={"on_move": far})
    player = ListPlayer((), "default", (failing,))
    with pytest.raises(RuleFailedError, match=r"silent\.on_move raised IndexError.*line \d+"):
        Table(NAMED["standard"].at(3), [player])
    table = Table(NAMED["standard"].at(3), [player], trial=False)
    with pytest.raises(RuleFailedError, match=r"silent\.on_move.*test_memory\.py, line \d+"):
        list(table.steps(3, [0] * 3))


@pytest.mark.parametrize("hook", ["tells", "choose"])
def test_the_trial_calls_the_hooks_of_what_moves_tell(hook):
    failing = entered("also", silent, memory=["one"], hooks={hook: far})
    with pytest.raises(RuleFailedError, match=rf"silent\.{hook} raised IndexError.*line \d+"):
        Table(NAMED["standard"].at(3), [ListPlayer((), "default", (failing,))])


def silent(view, reading, memory):
    """Say nothing."""
    return 0


@pytest.mark.parametrize(
    "declared, says",
    [
        ({"memory": "giver"}, 'name the numbers that it keeps, such as memory=["giver"], not'),
        (
            {"memory": ["a[seat]", "b[seat]", "c[seat]", "d", "e"]},
            "its memory has 17 numbers, more than 16; keep slots as the bits of one number",
        ),
        (
            {"memory": ["a"], "hooks": {"on_hnt": remember}},
            "no hook 'on_hnt' (did you mean 'on_hint'?); there are on_hint, on_move, after_move, "
            "score, due, own_cards, deal, give, tells, choose, says",
        ),
        (
            {"memory": ["a"], "hooks": {"score": remember}},
            "write its hook score as def remember(view, reading, hint, memory)",
        ),
        ({"memory": ["a"], "hooks": {"on_hint": says}}, "as def says(view, reading, memory)"),
        ({"memory": ["a"], "hooks": {"says": count}}, "def count(view, reading, at)"),
        ({}, 'such as memory=["giver"], not memory=()'),
    ],
)
def test_what_is_declared_wrongly_is_refused(declared, says):
    with pytest.raises((TypeError, ValueError)) as error:
        entered("also", silent, **declared)
    assert says in str(error.value) and "\n" not in str(error.value)
    assert "silent" not in CONVENTION_FAMILIES


def test_a_list_has_at_most_seven_memories():
    several = []
    for i in range(MAX_MEMORIES + 1):
        family = Family(f"echo{i}", echo, {}, {}, "convention", stage="meaning", owner=f"echo{i}")
        several.append(Rule(family, ()))
    plain = entered("also", plain_words, hooks={"says_move": says_move})
    assert len(sort_by_stage([*several[1:], plain])) == 8, "words alone need no place"
    with pytest.raises(ValueError, match="at most 7 conventions of a list have a memory or hooks"):
        sort_by_stage(several)
