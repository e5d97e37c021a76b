"""Rows begin cache lines, in records and in memory."""

import numpy as np
import pytest

from hanabi.backend import (
    BITS_AT_ONCE,
    ROW,
    compiled,
    copy_prefix,
    fetch_ahead,
    memory_layout,
    write_bits,
)
from hanabi.conventions.fields import MARKS, READING
from hanabi.game import new_state
from hanabi.state import FACTS_BYTES, VIEW
from hanabi.variant import read_variant

LINE = memory_layout.CACHE_LINE
ROWS = {
    "hands",
    "mask",
    "born",
    "history",
    "marks",
    "weights",
    "hints",
    "readings",
    "draft",
    "theirs",
    "conventions",
}


@pytest.mark.parametrize("kind", [VIEW, MARKS, READING], ids=["view", "marks", "reading"])
def test_each_row_begins_a_cache_line(kind):
    rows = {name for name in kind.names if kind[name].itemsize >= LINE}
    assert rows >= (ROWS if kind is VIEW else {"promised", "assumed"})
    for name in rows:
        assert kind.fields[name][1] % LINE == 0, name
    assert kind.itemsize % LINE == 0


def test_a_rule_is_a_cache_line():
    assert ROW.itemsize == LINE


def test_the_facts_end_where_the_memo_begins():
    assert VIEW.fields["asked"][1] == FACTS_BYTES


def test_a_view_begins_a_page_and_its_state_lies_beside_the_history():
    state, view = new_state(read_variant("standard").at(3))
    view.history[:] = range(len(view.history))
    begin, *views = [
        record.__array_interface__["data"][0] % memory_layout.PAGE
        for record in (state, view, memory_layout.copy_of(view))
    ]
    assert views == [0, 0] and begin % LINE == 0
    first, (kind, history) = begin, VIEW.fields["history"][:2]
    assert history < first and first + state.dtype.itemsize <= history + kind.itemsize
    assert memory_layout.copy_of(view).tobytes() == view.tobytes()


def test_a_record_without_rows_gets_no_padding():
    assert memory_layout.align_rows([("turn", "i8"), ("slots", "i8", 7)]) == [
        ("turn", "i8"),
        ("slots", "i8", 7),
    ]


@compiled
def copy_facts(source, target):
    copy_prefix(source, target, FACTS_BYTES)


@pytest.mark.parametrize("copy", [copy_facts, lambda *two: copy_prefix(*two, FACTS_BYTES)])
def test_a_copied_prefix_ends_at_its_size(copy):
    random = np.random.default_rng(1)
    raw = random.integers(0, 256, (2, VIEW.itemsize), np.uint8)
    source, target = raw.copy().view(VIEW)[:, 0]
    copy(source, target)
    assert target.tobytes()[:FACTS_BYTES] == raw[0].tobytes()[:FACTS_BYTES]
    assert target.tobytes()[FACTS_BYTES:] == raw[1].tobytes()[FACTS_BYTES:]
    assert source.tobytes() == raw[0].tobytes()


@compiled
def write_compiled(bits, out, at):
    write_bits(bits, out, at)


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
@pytest.mark.parametrize("bits", [0, 1, 0x80000001, 0x5A5A1234, (1 << 40) - 1, -1])
def test_bits_are_written_as_numbers(bits, kind):
    found, wanted = np.full(40, 7, kind), np.full(40, 7, kind)
    write_compiled(bits, found, 5)
    write_bits(bits, wanted, 5)
    assert found.tolist() == wanted.tolist()
    assert found[5] == (bits & 1) and found[5 + BITS_AT_ONCE] == 7 and found[4] == 7


@compiled
def sum_fetched(rows):
    total = 0
    for row in range(len(rows)):
        fetch_ahead(rows, row + 1, 8 * 40)  # also behind the last row
        total += rows[row, 0]
    return total


def test_what_is_fetched_ahead_changes_nothing():
    assert sum_fetched(np.arange(400).reshape(10, 40)) == 1800
