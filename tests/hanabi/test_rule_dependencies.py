"""What a rule needs is found on every way: lazy answers, marks, user-defined lazy answers."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest
from paths import ROOT
from typed import own_rules

from hanabi import rules, state
from hanabi.conventions.own_hand import own_cards
from hanabi.game_loop import FAULTED
from hanabi.knowledge.questions import my_cards, my_chances, their_playables
from hanabi.rule_dependencies import answers_of, reads_marks
from hanabi.rulebook import FAMILIES, find
from hanabi.state import ANSWERS, VIEW, answer, answer_bit
from hanabi.table import ListPlayer, Table, game_seeds
from hanabi.variant import NAMED

FILE = '''
"""Rules that reach the library in every way that there is."""
from collections import namedtuple

import hanabi.knowledge.questions
import hanabi.state
import settings_of_tests as settings
from hanabi import knowledge
from hanabi.conventions import marks as marks_of, own_hand
from hanabi.knowledge import questions
from hanabi.knowledge.questions import i_know
from hanabi.state import answer, ensure
from hanabi.backend import compiled, lowest
from hanabi.moves import NOTHING, discard, play
from hanabi.rulebook import rule
from hanabi.view import oldest

marks = 1
OWN = namedtuple("Own", "marks")(2)


@compiled
def first(slots):
    return play(lowest(slots)) if slots else NOTHING


@rule()
def by_name(view):
    """Play what I know to be playable."""
    return first(i_know(view, view.playable))


@rule()
def by_module(view):
    """Play what I know to be playable."""
    return first(questions.i_know(view, view.playable))


@rule()
def by_package(view):
    """Play what I know to be playable."""
    return first(knowledge.questions.i_know(view, view.playable))


@rule()
def by_full_name(view):
    """Play what I know to be playable."""
    return first(hanabi.knowledge.questions.i_know(view, view.playable))


@compiled
def mine(view):
    return questions.i_know(view, view.playable)


@rule()
def by_helper(view):
    """Play what I know to be playable."""
    return first(mine(view))


def around(ask):
    def by_closure(view):
        """Play what I know to be playable."""
        return first(ask(view, view.playable))
    return by_closure


rule()(around(i_know))


@answer
def of_my_own(view):
    """The slots that I know to be playable, in the scratch, where nothing that runs later writes."""
    slots = questions.i_know(view, view.playable)
    view.scratch[127] = slots
    return 0


@rule()
def by_an_answer(view):
    """Play what I know to be playable."""
    ensure(view, of_my_own)
    return first(view.scratch[127])


@rule()
def marks_of_others(view):
    """Names that are no view's marks: a constant, a field of one, one in a module, a variable."""
    mine = marks + OWN.marks + settings.marks + settings.OWN.marks
    marks_here = view.lives
    return discard(oldest(view, view.me)) if mine + marks_here > 100 else NOTHING


@rule()
def marks_by_name(view):
    """Play what was promised."""
    return first(view.marks[view.list].plays[view.me])


@rule()
def marks_by_another_name(view):
    """Play what was promised."""
    seen = view
    return first(seen.marks[seen.list].plays[seen.me])


@rule()
def marks_as_an_item(view):
    """Play what was promised."""
    return first(view["marks"][view.list].plays[view.me])


@compiled
def promised(count, view):
    return view.marks[view.list].plays[view.me] if count else 0


@rule()
def marks_by_helper(view):
    """Play what was promised."""
    return first(promised(1, view))


@rule()
def marks_by_module(view):
    """Play what I know by the marks."""
    slot = own_hand.known_play(view)
    return play(slot) if slot >= 0 else NOTHING
'''
SETTINGS = 'from collections import namedtuple\n\nmarks = 3\nOWN = namedtuple("Own", "marks")(4)\n'
WAYS = [
    "by_name",
    "by_module",
    "by_package",
    "by_full_name",
    "by_helper",
    "by_closure",
    "by_an_answer",
]
READERS = [
    "marks_by_name",
    "marks_by_another_name",
    "marks_as_an_item",
    "marks_by_helper",
    "marks_by_module",
]
PLAY = """
import sys
sys.path[:0] = [{root!r}, {folder!r}]
from hanabi import rules
rules.load_rules({file!r})
from hanabi.rulebook import find
from hanabi.table import ListPlayer, Table, game_seeds
from hanabi.variant import NAMED
for name in {names!r}:
    results = Table(NAMED["standard"].at(3), [ListPlayer((find(name),))]).play(game_seeds(1, 2), [0, 0, 0])
    print(name, *results["score"], *results["turns"], *results["end"])
"""


@pytest.fixture(scope="module", autouse=True)
def user_file(tmp_path_factory):
    """The file above, loaded as a user's rule file; with its folder."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "settings_of_tests.py").write_text(SETTINGS)
    (folder / "ways.py").write_text(FILE)
    sys.path.insert(0, str(folder))
    known = dict(state._known)
    try:
        with own_rules():
            rules.load_rules(folder / "ways.py")
            yield folder / "ways.py"
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("settings_of_tests", None)
        state._known.clear()
        state._known.update(known)


def function(name):
    return FAMILIES[name].function


def played(name, games=50):
    """Whole games in machine code by one rule and the default."""
    return Table(NAMED["standard"].at(3), [ListPlayer((find(name),))]).play(
        game_seeds(1, games), [0, 0, 0]
    )


@pytest.mark.parametrize("name", WAYS)
def test_knowledge_is_found_however_it_is_reached(name):
    assert my_cards in answers_of(function(name))
    results = played(name)
    assert (results["end"] != FAULTED).all() and (results == played("by_name")).all()


def test_an_answer_brings_what_it_needs_itself():
    assert answers_of(function("by_an_answer")) == {
        my_cards,
        sys.modules["rules_of_ways"].of_my_own,
    }

    def sure(view):
        return hanabi_questions.they_know_playable_chance(view, 1, 0)

    from hanabi.knowledge import questions as hanabi_questions

    assert answers_of(sure) == {their_playables, my_chances}


def test_plain_python_finds_and_plays_the_same(user_file):
    """The same rules in a process that compiles nothing."""
    names = [
        "by_module",
        "by_helper",
        "by_an_answer",
        "marks_by_module",
        "marks_by_helper",
        "marks_of_others",
    ]
    script = PLAY.format(
        root=str(ROOT), folder=str(user_file.parent), file=str(user_file), names=names
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=os.environ | {"HANABI_PLAIN": "1"},
    )
    assert done.returncode == 0, done.stderr
    for line, name in zip(done.stdout.splitlines(), names, strict=True):
        results = played(name, 2)
        expected = " ".join(map(str, [*results["score"], *results["turns"], *results["end"]]))
        assert line == f"{name} {expected}"


def test_marks_are_kept_for_who_reads_them_of_a_view():
    for name in READERS:
        assert reads_marks(function(name)), name
        assert Table(NAMED["standard"].at(3), [ListPlayer((find(name),))]).plans.size == 1
    assert own_cards in answers_of(function("marks_by_module"))
    assert not any(reads_marks(function(name)) for name in WAYS)


def test_bits_do_not_depend_on_what_was_imported_before():
    assert [answer_bit(name) for name in ANSWERS] == [1 << place for place in range(len(ANSWERS))]
    script = "import sys; sys.path.insert(0, {!r}); from hanabi.{} import {}; print(int({}))"
    for module, name in [
        ("knowledge.questions", "their_playables"),
        ("conventions.hint_evaluation", "judged_hints"),
    ]:
        done = subprocess.run(
            [sys.executable, "-c", script.format(str(ROOT), module, name, name)],
            capture_output=True,
            text=True,
            env=os.environ | {"HANABI_PLAIN": "1"},
        )
        assert int(done.stdout) == answer_bit(name), done.stderr
    assert len(ANSWERS) + 32 == VIEW["answer_code"].shape[0] <= 62


def test_two_answers_do_not_share_a_place():
    from zlib import crc32

    place = crc32(b"of_my_own") % 32
    name = next(f"other_{i}" for i in range(1000) if crc32(f"other_{i}".encode()) % 32 == place)
    spec = importlib.util.spec_from_loader("elsewhere", None)
    module = importlib.util.module_from_spec(spec)
    exec(f"def {name}(view):\n    return 0\n\n\ndef of_my_own(view):\n    return 0\n", vars(module))
    for taken in (name, "of_my_own"):
        with pytest.raises(
            ValueError,
            match=rf"^no room for the lazy answer {taken}: of_my_own \(rules_of_ways\) has its place; "
            "give it another name$",
        ):
            answer(getattr(module, taken))
    with pytest.raises(ValueError, match="^no room for the lazy answer my_cards: my_cards "):
        exec("def my_cards(view):\n    return 0\n", vars(module))
        answer(module.my_cards)


def test_a_view_that_no_table_prepared_says_so():
    from hanabi.knowledge.questions import i_know

    with pytest.raises(
        RuntimeError, match="^this view has no code for a lazy answer: see state.set_answers$"
    ):
        i_know(np.zeros(1, VIEW)[0], 1)
