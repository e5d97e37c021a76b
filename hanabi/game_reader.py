"""Read games and positions of any format (hanabi/formats): files, folders, links and texts.

``FILE#12`` means one game of a file with several: line 12 of a text with one game per line, game 12
(from 1) of a JSON array, or game 12 (from 0) of a dataset. ``-`` is standard input, and what gzip
packed is unpacked.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple, Protocol, cast

import hanabi.formats
from hanabi.game_loop import is_hopeless
from hanabi.game_record import Game, Position
from hanabi.game_source import STANDARD_INPUT, Entries, Source, ending_of, split_number
from hanabi.notation import counted
from hanabi.replay_link import first_turn, is_link
from hanabi.variant import errors_named

MOST = 200_000  # games
AGENTS = ".toml"  # the ending of agent files, which are no games


class Format(Protocol):
    """A module of hanabi/formats; its ``__init__`` says what each name means."""

    NAME: str
    ENDINGS: tuple[str, ...]

    def matches(self, source: Source) -> bool:
        """Return whether a source is of this format."""

    def read(self, source: Source) -> Entries:
        """Return the games of a source."""


FORMATS = [
    cast(Format, import_module(f"hanabi.formats.{found.name}"))
    for found in iter_modules(hanabi.formats.__path__)
]
ENDINGS = tuple(ending for one in FORMATS for ending in one.ENDINGS)


class Refusal(NamedTuple):
    """A game that cannot be read: its name, and the message that says why."""

    name: str
    message: str

    @property
    def reason(self) -> str:
        """The message without the name of the game."""
        return self.message.removeprefix(self.name).lstrip(":, ")


class Found(NamedTuple):
    """The games of some sources.

    Attributes:
        games: (name, game), each game once.
        refused: Those that were left out.
        repeated: (name, name of the same game).
    """

    games: list[tuple[str, Game]]
    refused: list[Refusal]
    repeated: list[tuple[str, str]]

    def reasons(self) -> list[list[Refusal]]:
        """Return the games that were left out for each reason, most first.

        Reasons that differ in numbers alone are the same.
        """
        found: dict[str, list[Refusal]] = {}
        for one in self.refused:
            found.setdefault(re.sub(r"\d+", "0", one.reason), []).append(one)
        return sorted(found.values(), key=len, reverse=True)


def names_game(spec: str) -> bool:
    """Return whether an argument names a game or a position, and not an agent.

    Links do, files whose content is of a format, and names with the ending of a format, except the
    ending of agent files.

    Raises:
        ValueError: for a file that cannot be read, in one line.
    """
    path, _ = split_number(spec)
    if is_link(spec) or path == STANDARD_INPUT:
        return True
    ending = ending_of(path)
    if os.path.isfile(path):  # Path.is_file raises for long names
        return _matching(Source.of(spec)) is not None or ending in ENDINGS and ending != AGENTS
    return ":" not in spec and ending in ENDINGS and ending != AGENTS


def load(spec: str | os.PathLike[str], turn: int | None = None) -> Game | Position:
    """Read the one game or position that a file or a link holds, or that ``FILE#12`` names.

    Args:
        spec: The file or the link.
        turn: Return the position after this many moves of the game, and not the game.

    Raises:
        ValueError: where there is no game, or several, or no such turn, in one line.
    """
    source = Source.of(spec)
    found = _only(source)
    if turn is None:
        return found
    if isinstance(found, Position):
        raise ValueError(
            f"{source.name} is a position, which has no turns: leave the turn out, or give a game"
        )
    with errors_named(source.name):
        return found.position(turn)


def turn_to_begin(spec: str, moves: int) -> int | None:
    """Return the turn of a game with some moves at which a link begins, None if it says none."""
    turn = first_turn(spec)
    return None if turn is None else min(turn, moves)


def load_game(spec: str | os.PathLike[str]) -> Game:
    """Read the one game that a file or a link holds, or that ``FILE#12`` names.

    Raises:
        ValueError: where there is no game, or several, or a position, in one line.
    """
    return _no_position(load(spec), os.fspath(spec))


def parse_game(text: str, name: str) -> Game:
    """Read the game that a text of any format holds; errors call it ``name``.

    Raises:
        ValueError: where it holds no game, in one line.
    """
    return _no_position(_only(Source.of_text(text.strip(), name)), name)


def read_games(
    specs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    progress: Callable[..., None] | None = None,
) -> Found:
    """Read all games of some files, links and folders; the same game in several places counts once.

    Args:
        specs: The files, links and folders, or one of them.
        progress: Is called with ``what``, a few words, at each game.

    Raises:
        ValueError: in one line, where there is no game at all, and for a file that cannot be read.
    """
    found, seen = Found([], [], []), _Seen()
    for spec in [specs] if isinstance(specs, str | os.PathLike) else specs:
        for name, read in _games_of(os.fspath(spec)):
            try:
                game = _no_position(read(), name)
            except ValueError as error:
                found.refused.append(Refusal(name, str(error)))
                continue
            if before := seen.before(name, game):
                found.repeated.append((name, before))
                continue
            found.games.append((name, game))
            if len(found.games) > MOST:
                raise ValueError(f"more than {MOST:,} games: give fewer at once")
            if progress:
                progress(what=f"reading game {len(found.games):,}")
    if not found.games:
        raise ValueError(found.refused[0].message if found.refused else "there is no game in it")
    return found


def list_entries(
    spec: str | os.PathLike[str],
) -> list[tuple[str, Callable[[], Game | Position]]]:
    """Return (name, function that reads it) for each game or position of a file or link.

    Raises:
        ValueError: The file cannot be read or is of no format. One line.
    """
    return _entries(Source.of(spec))


class _Seen:
    """The games so far, to find repeated ones.

    Two games are the same if deal and moves are and, where both name them, the agents: different
    agents may play one deal alike. Moves count until no card can be played any more, as hanab.live
    leaves out the rest.
    """

    def __init__(self) -> None:
        self._names: dict[tuple, dict[tuple[str, ...], str]] = {}

    def before(self, name: str, game: Game) -> str:
        """Return the name of the same game, if it was there before, else "", and keep this one."""
        start = game.position(0)
        dealt = bytes(card.card for hand in start.hands for card in hand if card) + bytes(
            start.deck
        )
        moves = tuple(
            step.move
            for step in takewhile(lambda step: not is_hopeless(step.state, step.view), game.steps())
        )
        others = self._names.setdefault(
            (replace(game.variant, stop_when_hopeless=False), dealt, moves), {}
        )
        same = next(
            (
                other
                for names, other in others.items()
                if not any(names) or not any(game.names) or names == game.names
            ),
            "",
        )
        if not same:
            others[game.names] = name
        return same


def _games_of(spec: str) -> Iterator[tuple[str, Callable[[], Game | Position]]]:
    """Yield (name, function that reads it) for each game of a file, link or folder."""
    path = Path(spec)
    if is_link(spec) or not os.path.isdir(path):
        yield from _entries(Source.of(spec))
        return
    files = sorted(file for file in path.iterdir() if ending_of(file) in ENDINGS and file.is_file())
    if not files:
        raise ValueError(f"no games in {spec}: it has no files {', '.join(ENDINGS)}")
    for file in files:
        try:
            yield from _entries(Source.of(file))
        except ValueError as error:  # the others are read all the same
            yield str(file), partial(_fail, error)


def _fail(error):
    raise error


def _matching(source):
    """Return the format of a source by its content, or None."""
    return next((one for one in FORMATS if one.matches(source)), None)


def _entries(source: Source) -> list[tuple[str, Callable[[], Game | Position]]]:
    """Return (name, function that reads it) for each game that a source means."""
    # where no format matches, the one that the ending promises says what is wrong with the content
    format_ = _matching(source) or next(
        (one for one in FORMATS if source.ending in one.ENDINGS), None
    )
    if format_ is None:
        raise ValueError(
            f"{source.name} is not in a format that is read; formats of games are "
            f"{'; '.join(one.NAME for one in FORMATS)}"
        )
    entries = format_.read(source)
    if source.number is not None:
        if source.number not in entries:
            raise ValueError(
                f"there is no {source.name}#{source.number}: " + _what_there_is(source, entries)
            )
        entries = {source.number: entries[source.number]}
    names = {
        number: source.name if number is None else f"{source.name}#{number}" for number in entries
    }
    return [(names[number], partial(read, names[number])) for number, read in entries.items()]


def _what_there_is(source, entries):
    """Say how many games a source has and how one of them is named."""
    if None in entries:
        return f"{source.name} holds one game; leave #{source.number} out"
    if not entries:
        return f"{source.name} holds no game"
    first, last = f"{source.name}#{min(entries)}", f"{source.name}#{max(entries)}"
    return f"{source.name} holds {counted(len(entries), 'game')}, {first} to {last}"


def _only(source: Source) -> Game | Position:
    """Read the game of a source. Raises ValueError where it holds none or several."""
    entries = _entries(source)
    if len(entries) != 1:
        raise ValueError(
            f"{source.name} holds {counted(len(entries), 'game')}"
            + (f": name one of them, {entries[0][0]} to {entries[-1][0]}" if entries else "")
        )
    return entries[0][1]()


def _no_position(found, name):
    if isinstance(found, Position):
        raise ValueError(f"{name} is a position, and this is about the moves of a game")
    return found
