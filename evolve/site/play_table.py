"""A table at which people and agents play one game, and its file, which holds every move before anybody is shown it.

The file is a game that every command reads (hanabi/game_record.py), or, where the table began from a position without a history, the
position where it stands; what only a table knows stands in it below ``[table]``: who sits where, help levels, side lines, notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hanabi.backend.bits import copy_record, laid
from hanabi.conventions.marks import read
from hanabi.evolve.site.known_deal import deal_of
from hanabi.evolve.site.typed_moves import read_typed, wrong_with
from hanabi.files import TOML as LIMIT
from hanabi.files import FileWriteError, parse_toml, read_text, write_whole
from hanabi.game import apply, blank, is_over
from hanabi.game_record import Game, game_text
from hanabi.moves import FORFEIT, NAMES, move_text, read_move
from hanabi.notation import good_seed, quote, taken
from hanabi.player import ListPlayer, Player, choice_of, followed_list
from hanabi.positions.position import Position
from hanabi.rules.agents import Agent, load
from hanabi.state import GAME
from hanabi.steps import Choice
from hanabi.table import ENDS, Table, how_it_ended
from hanabi.text.commentary import meaning_of
from hanabi.text.transcript import move_words
from hanabi.variant import NAME, Variant, nearest

PERSON = "person"  # the spec of a seat where somebody sits
LEVELS = ("none", "what hints say", "what they mean", "what I can know", "what X would do and why")
NOTE = 2_000  # letters of a note
SIDE_LINES = 100  # that are kept


@dataclass(frozen=True)
class Person(Player):
    """A person at a table, whom the agents take to know their conventions: those of ``follows``. Moves by hand."""

    follows: ListPlayer
    name: str = PERSON
    only_list_questions = True

    def move(self, view: np.record) -> tuple[int, str]:
        """Nobody asks a person so."""
        raise ValueError("a person moves by hand")


class PlayTable:
    """A game that people and agents play. ``specs``: an agent spec or "person" for each seat. ``start``: a Position, or a Game so
    far whose moves count. ``path``: its file, written at once and after each change; None for a table without one.

    One thread at a time. ValueError, one line, for what cannot be, and then nothing has changed.
    """

    def __init__(
        self, specs: Sequence[str], start: Game | Position, path: Path | None = None
    ) -> None:
        self.specs, self.path, self.variant = tuple(specs), path, start.variant
        # hears of each move, with the view before it; and, with None, of each time that all begins anew
        self.watch: Callable[[np.record | None, int | None], object] = lambda before, move: None
        if len(specs) != self.variant.seats:
            raise ValueError(
                f"{len(specs)} seats are named, and {self.variant.seats} play: name {PERSON} or an agent for each seat"
            )
        self.agents: list[Agent | None] = [None if spec == PERSON else load(spec) for spec in specs]
        self.names = [agent.name if agent else PERSON for agent in self.agents]
        self.help = [1] * len(specs)  # by seat, the place in LEVELS
        self.helped: list[str] = []  # each change of a level, as a sentence
        self.side_lines: list[str] = []
        self.notes = [""] * len(specs)
        agents = {id(agent): agent.at(len(specs)) for agent in self.agents if agent}
        partner = next((followed_list(player) for player in agents.values()), ListPlayer(()))
        self.players: list[Player] = [
            agents[id(agent)] if agent else Person(partner) for agent in self.agents
        ]
        if isinstance(start, Position) and start.history:
            start = Game(start.variant, start.seed, *deal_of(start))
        self.start = start
        self.moves: list[int] = list(start.moves) if isinstance(start, Game) else []
        self.reasons: list[str] = (
            list(start.rules or ("",) * len(self.moves)) if isinstance(start, Game) else []
        )
        self.words: list[str]
        self.means: list[list[str]]
        self.deck = list(start.deck) if isinstance(start, Game) and start.deck is not None else None
        self.table = Table(self.variant, self.players, self.deck)
        self._replay()

    @staticmethod
    def read(path: Path) -> PlayTable:
        """The table of a file. ValueError, one line, for a file that is none."""
        text = read_text(path, LIMIT)
        data = parse_toml(text, path)
        extra = taken(data, "table", dict, None, str(path))
        if extra is None:
            raise ValueError(f"{path} is no table: it does not say who sits where")
        where = f"{path}: [table]"
        specs = _texts(extra, "seats", where)
        start: Game | Position = (
            Position.read(taken(extra, "start", str, "", where), where)
            if "start" in extra
            else Game.from_data(data, str(path))
        )
        table = PlayTable(specs, start)
        names = data.get("agents") or table.names
        table.names = [
            name if spec == PERSON else usual
            for name, spec, usual in zip(names, specs, table.names)
        ]
        table.help = [
            LEVELS.index(level) if level in LEVELS else 1 for level in _texts(extra, "help", where)
        ] or table.help
        table.helped, table.side_lines = (
            _texts(extra, "helped", where),
            _texts(extra, "side_lines", where),
        )
        table.notes = _texts(extra, "notes", where) or table.notes
        if any(len(some) != len(specs) for some in (table.help, table.notes)):
            raise ValueError(
                f"{where}: help and notes need one text for each of {len(specs)} seats"
            )
        if "start" in extra:
            for made in _texts(extra, "moves", where):
                move, _, reason = made.partition(" | ")
                table._make(Choice(read_move(move), reason))
        table.path = path
        return table

    def save(self) -> None:
        """Write the file: whole, and synced, in a folder that is made if need be. CannotWrite where it cannot be."""
        if self.path:
            made_folder(self.path.parent)
            write_whole(self.path, str(self))

    def __str__(self) -> str:
        """The text of the file, which reads back."""
        begun = isinstance(self.start, Position)
        stands = (
            str(self.position())
            if isinstance(self.start, Position)
            else game_text(
                (self.variant, self.start.seed, self.start.deck),
                int(self.view.score),
                self.names,
                self.moves,
                self.reasons,
            )
        )
        lines = [
            stands,
            "[table]",
            f"seats = {_array(self.specs)}",
            f"help = {_array(LEVELS[level] for level in self.help)}",
            f"helped = {_array(self.helped)}",
            f"side_lines = {_array(self.side_lines)}",
            f"notes = {_array(self.notes)}",
        ]
        if begun:
            lines += [
                f"start = {quote(str(self.start))}",
                "moves = "
                + _array(
                    f"{move_text(move)} | {reason}"
                    for move, reason in zip(self.moves, self.reasons)
                ),
            ]
        return "\n".join(lines) + "\n"

    @property
    def game(self) -> Game:
        """The game so far. ValueError where it began from a position whose history is not known."""
        if isinstance(self.start, Position):
            raise ValueError("this game began from a position, so it is no game from the deal on")
        return Game(
            self.variant,
            self.start.seed,
            self.start.deck,
            tuple(self.moves),
            tuple(self.names),
            tuple(self.reasons),
        )

    def position(self) -> Position:
        """Where it stands, with every card."""
        return Position.of(self.table.state, self.table.view, self.variant)

    @property
    def played(self) -> tuple[int, list[int] | None, tuple[int, ...]] | None:
        """How it came here (seed, deck, moves), which questions about conventions need; None where that is not known."""
        return (
            None
            if isinstance(self.start, Position)
            else (self.start.seed, self.deck, tuple(self.moves))
        )

    @property
    def seed(self) -> int | None:
        """The seed of the deal, None where the deck or a position was given."""
        return self.start.seed if isinstance(self.start, Game) and self.start.deck is None else None

    @property
    def view(self) -> np.record:
        """What the seat to move sees."""
        return self.table.view

    @property
    def first_turn(self) -> int:
        """The turn at which the moves of this table begin."""
        return self.start.turn if isinstance(self.start, Position) else 0

    @property
    def turn(self) -> int:
        """Moves made so far."""
        return int(self.table.view.turn)

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return bool(is_over(self.table.view)) or bool(self.moves) and self.moves[-1] == FORFEIT

    @property
    def end(self) -> str:
        """How it ended, a member of table.ENDS; "" while it goes on."""
        place = how_it_ended(self.table.view) if self.over else None
        return "" if place is None else ENDS[place] if place >= 0 else "forfeit"

    @property
    def to_move(self) -> int:
        """The seat to move, -1 where the game is over."""
        return -1 if self.over else int(self.table.view.me)

    @property
    def agent_to_move(self) -> Agent | None:
        """The agent that is to move, None where a person is or the game is over."""
        return None if self.over else self.agents[self.to_move]

    def make(self, seat: int, move: int | str) -> None:
        """Make a person's move. ValueError, a sentence, for one that cannot be made; nothing is lost then."""
        number = read_typed(move) if isinstance(move, str) else move
        wrong = (
            "The game is over: no more moves." if self.over else wrong_with(self.view, seat, number)
        )
        if wrong:
            raise ValueError(wrong)
        self._make(Choice(number))
        self._kept()

    def agent_moves(self) -> None:
        """Let the agent to move make its move. PlayError where it does what none may; nothing has changed then."""
        self.accept(self.asked()())

    def asked(self) -> Callable[[], Choice]:
        """What finds the move of the agent to move; it works on copies, so it may take its time in another thread."""
        state, view = self.table.state.copy(), self.view.copy()
        return partial(
            choice_of, self.sitting[self.to_move], view, int(state.seed), state, self.variant
        )

    def accept(self, choice: Choice) -> None:
        """Make the move that was found for the agent to move."""
        self._make(choice)
        self._kept()

    def take_back(self, seat: int, turn: int | None = None) -> int:
        """Back to the last turn at which a seat moved (or to a turn), which is returned; the moves since are kept as a side line."""
        before = [
            made for made in range(self.first_turn, self.turn) if made % self.variant.seats == seat
        ]
        turn = turn if turn is not None else before[-1] if before else -1
        if not self.first_turn <= turn < self.turn:
            raise ValueError("There is no move of yours to take back.")
        keep = turn - self.first_turn
        line = f"{NAMES[seat]} took back to turn {turn}: {', '.join(map(move_text, self.moves[keep:]))}"
        kept = self.side_lines, self.moves, self.reasons
        self.side_lines = [*self.side_lines, line][-SIDE_LINES:]
        self.moves, self.reasons = self.moves[:keep], self.reasons[:keep]
        self._replay()
        try:
            self.save()
        except (OSError, ValueError):
            self.side_lines, self.moves, self.reasons = kept
            self._replay()
            raise
        return turn

    def set_help(self, seat: int, level: str) -> None:
        """Change a seat's help level, which the file notes."""
        if level not in LEVELS:
            raise ValueError(
                f"No help level {level[:NAME]!r}{nearest(level, LEVELS)}: there are {', '.join(LEVELS)}."
            )
        if self.help[seat] != LEVELS.index(level):
            before, self.helped = (
                self.helped,
                [*self.helped, f"turn {self.turn}, {NAMES[seat]}: {level}"][-SIDE_LINES:],
            )
            try:
                self._set(self.help, seat, LEVELS.index(level))
            except (OSError, ValueError):
                self.helped = before
                raise

    def set_note(self, seat: int, text: str) -> None:
        """A seat's notes, which it alone sees."""
        if len(text) > NOTE:
            raise ValueError(f"Notes have up to {NOTE:,} letters, not {len(text):,}.")
        self._set(self.notes, seat, text)

    def set_name(self, seat: int, name: str) -> None:
        """What the person at a seat is called."""
        name = " ".join(name.split())
        if len(name) > NAME or not name.isprintable():
            raise ValueError(f"A name is one line of up to {NAME} letters.")
        self._set(self.names, seat, name or PERSON)

    def _set(self, values, seat, value):
        """Change what stands at a seat; where that cannot be kept, it is not changed."""
        before, values[seat] = values[seat], value
        try:
            self.save()
        except (OSError, ValueError):
            values[seat] = before
            raise

    def again(self) -> None:
        """Walk through all moves once more, for who watches."""
        self._replay()

    def _make(self, choice):
        self._apply(choice.move)
        self.reasons.append(choice.reason)

    def _apply(self, move):
        view = self.table.view
        before = view.copy()
        if move != FORFEIT:
            apply(self.table.state, view, move)
        self.words.append(move_words(before, view, move))
        self.means.append(meaning_of(before, view, move, self.players) if move != FORFEIT else [])
        self.moves.append(move)
        self.watch(before, move)

    def _kept(self):
        """Write the move that was just made; where that cannot be done, it is not made."""
        try:
            self.save()
        except (OSError, ValueError):
            del self.moves[-1], self.reasons[-1]
            self._replay()
            raise

    def _replay(self):
        """Set the records up anew: as dealt, and the moves made."""
        seats = range(self.variant.seats)
        self.words = []  # each move as a sentence without its dot, of what everybody sees
        self.means = []  # what each came to mean, by the conventions of the agents that sit here
        if isinstance(self.start, Game):
            self.table.deal(self.start.seed, list(seats))
        else:
            self.table.deal(
                0, list(seats)
            )  # who sits down; then the position, and the marks of a game where nothing was told
            state, view = self.start.state()
            for name, *_ in laid(GAME):
                self.table.view[name] = view[name]
            copy_record(state, self.table.state)
            if self.table.view.lists:
                read(self.table.view, 0)
            blank(self.table.state, self.table.view)
        self.sitting = [self.table.begin(tuple(self.players), seat) for seat in seats]
        moves, self.moves = self.moves, []
        self.watch(None, None)
        for move in moves:
            self._apply(move)


def seats_of(specs: Sequence[str], players: int | None, variant: Variant) -> list[str]:
    """Who sits where: as the specs say where one of them is "person"; else a person and, beside it, the agents: one for all other
    seats, or one for each. ValueError, one line, where that makes no table."""
    given = list(specs)
    if PERSON not in given:
        count = players or variant.players or max(2, len(given) + 1)
        given = [PERSON, *(given * (count - 1) if len(given) == 1 else given)]
    wanted = players or variant.players or len(given)
    if not 2 <= len(given) <= len(NAMES) or len(given) != wanted:
        raise ValueError(
            f"{len(given)} seats are named for {wanted} players: 2 to 5 sit at a table; name one agent for all other seats, "
            f"or {PERSON} and an agent for each"
        )
    return given


def new_game(variant: Variant, players: int, seed: int) -> Game:
    """A deal that nobody has moved in."""
    return Game(variant.at(players), good_seed(seed, "seed"))


def made_folder(folder: Path) -> Path:
    """A folder that is there. CannotWrite where it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileWriteError(folder, error) from None
    return folder


def _array(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(quote, texts))}]"


def _texts(data: dict[str, Any], key: str, where: str) -> list[str]:
    texts = taken(data, key, list, [], where)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{where}: {key} should be a list of texts in quotes")
    return texts
