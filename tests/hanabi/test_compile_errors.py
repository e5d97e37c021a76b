"""What numba cannot compile is said in one line: file, line, and what to write instead."""

import pytest
from typed import own_rules

from hanabi import rules
from hanabi.backend import PLAIN
from hanabi.rulebook import FAMILIES

HEAD = '''from hanabi.moves import NOTHING, play
from hanabi.rulebook import rule
import random
from functools import partial

TABLE = {"a": 1}
WORDS = [1, 2]
kept = partial(max, 1)


class Mine:
    pass


def my_helper(view):
    return view.me


@rule()
def bad(view):
    """Do nothing."""
'''
BODIES = [  # (what stands in the rule, what is said of it)
    (
        "return play(my_helper(view))",
        "my_helper is plain Python: write `from hanabi.authoring import compiled`, and @compiled above "
        "`def my_helper`",
    ),
    (
        'return TABLE["a"]',
        "TABLE is a dict, which machine code does not know: use numbers, tuples and functions "
        "with @compiled",
    ),
    (
        "return WORDS[0]",
        "WORDS is a list, which machine code does not know: write a tuple, WORDS = (…)",
    ),
    ("return kept(view.me)", "kept is a functools.partial, which machine code does not know"),
    (
        "try:\n        return 1 // view.me\n    except ZeroDivisionError:\n        return NOTHING",
        "machine code catches no exception by its name: ask before, with if",
    ),
    ("x = Mine()\n    return NOTHING", "Mine is a class, which machine code does not know"),
    (
        "return my_helpr(view)",
        "nothing is called 'my_helpr' here (did you mean 'my_helper'?): import it, or define it "
        "above",
    ),
    ("a = [1, 2]\n    a.sorted()\n    return NOTHING", "machine code knows no .sorted of a list"),
    ('x = "{}".format(view.me)\n    return NOTHING', "machine code knows no .format of text"),
    (
        "if view.me == 1:\n        return play(0)",
        "there is a way on which it returns no move; return NOTHING",
    ),
    ("return str(view.me)", "it returns text, which is no move; return play(slot)"),
    (
        "x = 1\n    if view.me == 1:\n        x = 'a'\n    return x",
        "x is once a whole number and once text: give the two different names",
    ),
    (
        "return play()",
        "a function that takes (slot) is called otherwise: missing a required argument",
    ),
    ("a = []\n    return NOTHING", "the list a is empty, so nothing says what it holds"),
    ("import math\n    return NOTHING", "an import stands at the top of the file"),
    (
        "return view.hands[view.me, 0.5]",
        "machine code takes no such index here: seats and slots are whole numbers",
    ),
    ("return max([1, 2], key=lambda x: x)", "machine code cannot use max with these values"),
    ("return len({1, 'a'})", "machine code cannot tell what this line makes"),
    ("return view.tokns", "the view has no field 'tokns' (did you mean 'tokens'?)"),
]


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
@pytest.mark.parametrize("body, said", BODIES, ids=[said[:40] for _, said in BODIES])
def test_what_cannot_be_compiled_is_said_in_words(body, said, tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(f"{HEAD}    {body}\n")
    with own_rules():
        rules.load_rules(file)
        with pytest.raises(ValueError) as error:
            FAMILIES["bad"].address()
    text = str(error.value)
    assert (
        said in text
        and text.startswith(f"rule bad cannot be compiled: {file}, line ")
        and "\n" not in text
    )
    assert HEAD.count("\n") - 2 <= int(text.split("line ")[1].split(":")[0]) <= HEAD.count("\n") + 4
    assert not {"Numba", "Literal", "unicode", "int64"} & set(text.replace("(", " ").split())
