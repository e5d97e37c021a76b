"""A user's file adds words to the language; a wrong one is told, and nothing of it stays."""

from folders import lay_out
from typed import typed

GOOD = '''from hanabi import primitive


@primitive("third", makes="slots", words="the third of its hand")
def third(view, seat):
    """Return the third slot."""
    return view.filled[seat] & 4


@primitive("seat", makes="condition", words="{choice}", choices={"first": (0, "I began")})
def sits(view, seat):
    """Return whether I have a seat."""
    return -1 if view.me == seat else 0
'''
AGENT = 'name = "own"\n[rules]\n"2-5" = ["grown.play_oldest(where(seat_first, third))"]\n'


def refused(folder, words, told):
    (folder / "words.py").write_text(words)
    code, _, err = typed("rules", "--rules", "words.py", folder=folder)
    assert code == 2 and told in err and err.count("\n") == 1, err


def test_a_word_of_a_file_is_played(tmp_path):
    lay_out(tmp_path, {"words.py": GOOD, "own.toml": AGENT})
    code, out, err = typed("show", "own.toml", "--rules", "words.py", folder=tmp_path)
    assert code == 0 and "the third of its hand, if I began" in " ".join(out.split()), err
    code, out, err = typed(
        "tournament",
        "own.toml",
        "--players",
        "3",
        "--games",
        "5",
        "--rules",
        "words.py",
        folder=tmp_path,
    )
    assert code == 0, err


def test_mistakes(tmp_path):
    refused(tmp_path, GOOD.replace('"slots"', '"slot"'), "makes is types, places, slots")
    refused(tmp_path, GOOD.replace("third(view, seat)", "third(view)"), "write (view, seat)")
    refused(
        tmp_path, GOOD.replace('"third"', '"touched"'), "there is a primitive 'touched' already"
    )
    refused(
        tmp_path,
        GOOD.replace("return view.filled", "view.lives = 1\n    return view.filled"),
        "writes to view.lives",
    )
    refused(tmp_path, GOOD.replace('makes="slots"', 'makes="move"'), "begin its name with play_")
