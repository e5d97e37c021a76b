"""What is called by address is an object file; what is only inlined has no machine code."""

import numpy as np
import pytest

from hanabi import backend
from hanabi.backend import call_address, compiled

pytestmark = pytest.mark.skipif(backend.PLAIN, reason="numba's private parts are not used")
FORM = np.dtype((np.record, [("turn", "i8"), ("places", "i8", 3)]))


@compiled
def deeper(record, places):
    """Prints, which needs what numba calls an environment: its own, not that of who calls it."""
    if record.turn < 0:
        print("below", record.turn)
    return places[0] + record.turn


def told(record, factor):
    print("told", record.turn)
    if record.turn == 7:
        raise ValueError("seven", record.turn)
    return int(deeper(record, record.places) * factor)


def turn_of(record):
    return record.turn


def last_place(record):
    return record.places[2]


def times(factor):
    def product(record):
        return record.turn * factor

    return product


@compiled
def even(number):
    return 1 if number < 1 else odd(number - 1)


@compiled
def odd(number):
    return 0 if number < 1 else even(number - 1)


def parity(record):
    return even(record.turn)


@compiled
def ask(where, record):
    return call_address(where, record, 2.0)


@compiled
def ask_nothing(where, record):
    return call_address(where, record, ())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder for machine code."""
    from hanabi.backend import numba_private

    monkeypatch.setattr(numba_private, "CACHE", tmp_path)
    return tmp_path


@pytest.fixture
def heard(monkeypatch):
    """The functions that are compiled."""
    names: list[str] = []
    monkeypatch.setattr("hanabi.backend.code_cache.announce", [names.append])
    return names


def answers(where, capsys):
    """What the code at an address returns and prints for some records."""
    record, found = np.zeros(1, FORM)[0], []
    record["places"] = 5
    for turn in (3, 7, -2, 4):
        record["turn"] = turn
        found.append(ask(where, record))
    return found, capsys.readouterr().out


def test_what_was_kept_answers_prints_and_raises_as_what_was_compiled(folder, heard, capsys):
    (first, _), before = backend.address(FORM, 1, told), list(heard)
    (second, _), after = backend.address(FORM, 1, told), heard[len(before) :]
    assert f"{__name__}.told" in before and f"{__name__}.told" not in after and first != second
    expected = [16, backend.FAULT, 6, 18], "told 3\ntold 7\ntold -2\nbelow -2\ntold 4\n"
    assert answers(first, capsys) == answers(second, capsys) == expected
    for form in deeper.overloads.values():
        assert not form.library._get_compiled_object()


@pytest.mark.parametrize("again", [False, True], ids=["compiled", "kept"])
def test_functions_of_one_call_lie_side_by_side(folder, again):
    """Each alone would begin a page, and the first bytes of pages compete in the code cache."""
    codes = [backend.Code(FORM, 0, turn_of), backend.Code(FORM, 0, last_place)]
    if again:
        backend.addresses(codes)
    (first, _), (second, _) = backend.addresses(codes)
    assert 0 < abs(first - second) < 1024
    record = np.zeros(1, FORM)[0]
    record["turn"], record["places"] = 4, (1, 2, 3)
    assert (ask_nothing(first, record), ask_nothing(second, record)) == (4, 3)


def test_two_functions_of_one_name_are_told_apart(folder):
    """By its name only the one that was loaded last is found."""
    factors = [2, 3]
    codes = [backend.Code(FORM, 0, times(factor)) for factor in factors]
    names = {place: code for (place, _), code in zip(backend.addresses(codes), factors)}
    record = np.zeros(1, FORM)[0]
    record["turn"] = 5
    assert {ask_nothing(place, record) for place in names} == {10, 15}
    for place, factor in names.items():
        assert ask_nothing(place, record) == 5 * factor


def test_another_form_is_another_file(folder):
    other = np.dtype((np.record, [("more", "i8"), ("turn", "i8")]))
    for form, values in ((FORM, 0), (other, 0), (FORM, 1), (FORM, 0)):
        backend.address(form, values, turn_of)
    assert len(list((folder / "called by address").iterdir())) == 3


def test_functions_in_a_circle_are_linked_by_numba_and_not_kept(folder, capsys):
    """A process that found them kept would end at once: "LLVM ERROR: Symbol not found"."""
    where, alive = backend.address(FORM, 1, parity)
    assert answers(where, capsys)[0] == [0, 0, 1, 1] and alive
    assert not [
        file for file in folder.rglob("*.nbc") if ".ask-" not in file.name
    ]  # ask may be compiled here for the first time


def test_what_holds_something_that_cannot_be_pickled_is_compiled_and_not_kept(folder):
    def around(helper):
        def closed(record):
            return helper(record.turn)

        return closed

    helper = compiled(lambda number: number + 1)
    helper.py_func.note = (number for number in ())
    where, alive = backend.address(FORM, 0, around(helper))
    record = np.zeros(1, FORM)[0]
    record["turn"] = 4
    assert (
        ask_nothing(where, record) == 5
        and alive
        and not list((folder / "called by address").rglob("*.nbc"))
    )


@compiled
def place_of(row, index):
    return row[index]


def test_indices_count_from_the_front():
    """Numba adds the length of the row to a negative index, and then it is within bounds."""
    row = np.arange(3)
    assert [place_of(row, index) for index in range(3)] == [0, 1, 2]
    for index in (-1, -3, 3):
        with pytest.raises(IndexError):
            place_of(row, index)


@compiled
def differing(row, other):
    return np.setxor1d(row, other)


@pytest.mark.slow
def test_numbas_own_functions_may_count_from_the_end():
    """``setxor1d`` writes to flag[-1]: without the length added it would write outside."""
    found = differing(np.array([1, 2, 3, 4]), np.array([2, 4, 6]))
    assert found.tolist() == [1, 3, 6]
