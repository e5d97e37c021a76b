"""What hanab.live knows of a game besides its deal, moves and end; an export repeats it.

In a game file it is the table ``[hanab_live]`` after the moves.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from hanabi.notation import quote, read_value
from hanabi.variant import check_keys, shown

ORIGIN = "hanab_live"  # the table of a game file
LETTERS = 50_000  # of all notes of a game
SURROGATE = re.compile("[\ud800-\udfff]")  # JSON can hold it, and no file in UTF-8


class Origin(NamedTuple):
    """What hanab.live knows of a game.

    Attributes:
        id: Its number, 0 for none.
        seed: The site's name of the deal, such as ``p2v0s1``.
        starting_player: The player who began, by the site's order of the players.
        notes: By player, in the site's order, a text per card of the deck.
        left_out: How many actions after the end were left out.
    """

    id: int = 0
    seed: str = ""
    starting_player: int = 0
    notes: tuple[tuple[str, ...], ...] = ()
    left_out: int = 0

    def __str__(self) -> str:
        """Return the table of a game file that reads back."""
        lines = [f"[{ORIGIN}]"]
        for key, value in self._asdict().items():
            if key == "notes" and value:
                rows = (f"  [{', '.join(map(quote, row))}]," for row in value)
                lines += ["notes = [", *rows, "]"]
            elif value:
                lines.append(f"{key} = {quote(value) if key == 'seed' else value}")
        return "\n".join(lines) + "\n"

    @staticmethod
    def from_data(data: Any, where: str) -> "Origin":
        """Return what the table of a game file, or hanab.live's JSON, says.

        Raises:
            ValueError: A value is of another kind. One line.
        """
        if not isinstance(data, dict):
            raise ValueError(f"{where}: {ORIGIN} should be a table, not {shown(data)}")
        check_keys(data, Origin._fields, f"{where}, {ORIGIN}")
        numbers = [
            read_value(data, key, int, 0, where) for key in ("id", "starting_player", "left_out")
        ]
        if not all(0 <= number < 1 << 63 for number in numbers):
            raise ValueError(f"{where}: id, starting_player and left_out are numbers from 0")
        seed = read_value(data, "seed", str, "", where)
        notes = _read_notes(read_value(data, "notes", list, [], where), where)
        for text in (seed, *(note for row in notes for note in row)):
            if SURROGATE.search(text):
                raise ValueError(
                    f"{where}: {shown(text)} has half of a surrogate pair, which is not text"
                )
        return Origin(numbers[0], seed, numbers[1], notes, numbers[2])


def _read_notes(rows: Sequence[Any], where: str) -> tuple[tuple[str, ...], ...]:
    if not all(isinstance(row, list) and all(type(note) is str for note in row) for row in rows):
        raise ValueError(f"{where}: notes should be a list of texts for each player")
    if sum(len(note) + 4 for row in rows for note in row) > LETTERS:
        raise ValueError(f"{where}: the notes have more than {LETTERS:,} letters, the most kept")
    return tuple(map(tuple, rows))
