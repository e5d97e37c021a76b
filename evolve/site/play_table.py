"""A table where people and agents play one game, and its file.

The file is written before a move is shown. It is a game that every command reads
(hanabi/game_record.py), or the current position if the table began from a position without a
history. Below ``[table]`` it holds what only a table has: seats, help levels, side lines, notes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hanabi.backend.bits import copy_record, numpy_fields
from hanabi.card_notes import card_note_texts, check_card_note, read_card_notes
from hanabi.conventions.marks import read
from hanabi.evolve.site.known_deal import deal_of
from hanabi.evolve.site.typed_moves import fault_of, read_typed
from hanabi.files import FileWriteError, read_toml, write_whole
from hanabi.game import apply, blank, is_over
from hanabi.game_record import PERSON, Game, game_text, split_names
from hanabi.moves import FORFEIT, NAMES, move_text, read_move
from hanabi.notation import check_seed, quote, read_value
from hanabi.player import ListPlayer, Player, choice_of, followed_list
from hanabi.positions.position import Position
from hanabi.rules.agents import Agent, load
from hanabi.state import GAME, View
from hanabi.steps import Choice
from hanabi.table import ENDS, Table, how_it_ended
from hanabi.text.commentary import meaning_of
from hanabi.text.slot_numbering import BY_AGE, ENGINE, Numbering
from hanabi.text.transcript import move_words
from hanabi.variant import NAME, Variant, nearest

LEVELS = ("none", "what hints say", "what they mean", "what I can know", "what X would do and why")
WATCHING = ("nobody", "hands of agents", "all hands")  # what spectators see of a running game
NOTE = 2_000  # letters of a note
SIDE_LINES = 100  # that are kept


@dataclass(frozen=True)
class Person(Player):
    """A person at a table; the agents assume that the person knows the conventions of an agent.

    Args:
        follows: The list with these conventions.
    """

    follows: ListPlayer
    name: str = PERSON
    only_list_questions = True

    def move(self, view: View) -> tuple[int, str]:
        """Raise ValueError: a person moves on the page."""
        raise ValueError("a person moves by hand")


class PlayTable:
    """A game that people and agents play, for use by one thread at a time.

    Args:
        specs: An agent spec or "person" for each seat.
        start: A position, or a game so far, whose moves count.
        path: The file, written after each change; None for a table without one.

    Raises:
        ValueError: There is no such table. Methods raise it, too, for what cannot be done; the
            table is then unchanged. One line.
    """

    def __init__(
        self, specs: Sequence[str], start: Game | Position, path: Path | None = None
    ) -> None:
        self.specs, self.path, self.variant = tuple(specs), path, start.variant
        # called with each move and the view before it; with None, None at each replay
        self.observer: Callable[[View | None, int | None], object] = lambda before, move: None
        if len(specs) != self.variant.seats:
            raise ValueError(
                f"{len(specs)} seats are named, and {self.variant.seats} play: "
                f"name {PERSON} or an agent for each seat"
            )
        self.agents: list[Agent | None] = [None if spec == PERSON else load(spec) for spec in specs]
        self.names = [agent.name if agent else PERSON for agent in self.agents]
        self.help = [1] * len(specs)  # by seat, the place in LEVELS
        self.helped: list[str] = []  # each change of a level, as a sentence
        self.side_lines: list[str] = []
        self.watching = WATCHING[0]
        self.notes = [""] * len(specs)
        # by seat: notes on cards, by their place in the order of drawing
        self.card_notes: list[dict[int, str]] = [{} for _ in specs]
        agents = {id(agent): agent.at(len(specs)) for agent in self.agents if agent}
        partner = next((followed_list(player) for player in agents.values()), ListPlayer(()))
        self.players: list[Player] = [
            agents[id(agent)] if agent else Person(partner) for agent in self.agents
        ]
        if isinstance(start, Position) and start.history:
            start = Game(start.variant, start.seed, *deal_of(start))
        self.start = start
        self.deck: list[int] | None = None
        self.moves: list[int] = []
        self.reasons: list[str] = []  # of each move: the rule that made it
        if isinstance(start, Game):
            self.moves = list(start.moves)
            self.reasons = list(start.rules or ("",) * len(self.moves))
            self.deck = None if start.deck is None else list(start.deck)
        self.words: list[str]  # of each move: a sentence without its dot, of what all players see
        self.means: list[list[str]]  # of each move: what it means by the agents' conventions
        self.hands: list[list[int]]  # of each move: when the cards of the mover's hand were drawn
        self.numbering = BY_AGE  # of slots in words and means
        self.table = Table(self.variant, self.players, self.deck)
        self.replay()

    @staticmethod
    def read(path: Path) -> PlayTable:
        """Read the file of a table. Raises ValueError, one line, for any other file."""
        data = read_toml(path)
        extra = read_value(data, "table", dict, None, str(path))
        if extra is None:
            raise ValueError(f"{path} is no table: it does not say who sits where")
        where = f"{path}: [table]"
        texts = partial(_texts, extra, where)
        specs = texts("seats")
        has_position = "start" in extra
        start: Game | Position
        if has_position:
            start = Position.read(read_value(extra, "start", str, "", where), where)
        else:
            start = Game.from_data(data, str(path))
        table = PlayTable(specs, start)
        for seat, name in enumerate(data.get("agents") or ()):
            if specs[seat : seat + 1] == [PERSON]:
                table.names[seat] = name
        levels = [LEVELS.index(level) if level in LEVELS else 1 for level in texts("help")]
        table.help, table.notes = levels or table.help, texts("notes") or table.notes
        table.helped, table.side_lines = texts("helped"), texts("side_lines")
        table.watching = read_value(extra, "watching", str, WATCHING[0], where)
        if table.watching not in WATCHING:
            raise ValueError(f"{where}: watching is one of {', '.join(WATCHING)}")
        table.card_notes = read_card_notes(texts("card_notes"), len(specs), where)
        if any(len(values) != len(specs) for values in (table.help, table.notes)):
            raise ValueError(
                f"{where}: help and notes need one text for each of {len(specs)} seats"
            )
        for made in texts("moves") if has_position else ():
            move, _, reason = made.partition(" | ")
            table._make(Choice(read_move(move), reason))
        table.path = path
        return table

    def save(self) -> None:
        """Write and sync the file, in a folder that is made. Raises FileWriteError."""
        if self.path:
            make_folder(self.path.parent)
            write_whole(self.path, str(self))

    def __str__(self) -> str:
        """The text of the file, which ``read`` reads."""
        more: dict[str, Sequence[str]] = {
            "seats": self.specs,
            "help": [LEVELS[level] for level in self.help],
            "helped": self.helped,
            "side_lines": self.side_lines,
            "notes": self.notes,
        }
        if any(self.card_notes):
            more["card_notes"] = card_note_texts(self.card_notes)
        if isinstance(self.start, Position):
            text = str(self.position())
            made = zip(self.moves, self.reasons)
            more["moves"] = [f"{move_text(move)} | {reason}" for move, reason in made]
        else:
            deal = (self.variant, self.start.seed, self.start.deck)
            score = int(self.view.score)
            text = game_text(deal, score, self.names, self.moves, self.reasons)
        lines = [text, "[table]"]
        lines += [f"{key} = [{', '.join(map(quote, texts))}]" for key, texts in more.items()]
        if self.watching != WATCHING[0]:
            lines.append(f"watching = {quote(self.watching)}")
        if isinstance(self.start, Position):
            lines.insert(-1, f"start = {quote(str(self.start))}")
        return "\n".join(lines) + "\n"

    @property
    def game(self) -> Game:
        """The game so far. Raises ValueError if it began from a position without a history."""
        if isinstance(self.start, Position):
            raise ValueError("this game began from a position, so it is no game from the deal on")
        agents, people = split_names(self.names, self.specs)
        return Game(
            self.variant,
            self.start.seed,
            self.start.deck,
            tuple(self.moves),
            agents,
            tuple(self.reasons),
            people if any(people) else (),
        )

    def position(self) -> Position:
        """Return the current position, with all cards."""
        return Position.of(self.table.state, self.table.view, self.variant)

    @property
    def played(self) -> tuple[int, list[int] | None, tuple[int, ...]] | None:
        """(seed, deck, moves), which questions about conventions need; None if not known."""
        if isinstance(self.start, Position):
            return None
        return self.start.seed, self.deck, tuple(self.moves)

    @property
    def seed(self) -> int | None:
        """The seed of the deal, None if the deck or a position was given."""
        return self.start.seed if isinstance(self.start, Game) and self.start.deck is None else None

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, spec in enumerate(self.specs) if spec == PERSON]

    @property
    def view(self) -> View:
        """What the seat to move sees."""
        return self.table.view

    @property
    def first_turn(self) -> int:
        """The turn at which the moves of this table begin."""
        return self.start.turn if isinstance(self.start, Position) else 0

    @property
    def turn(self) -> int:
        """How many moves were made."""
        return int(self.table.view.turn)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(is_over(self.table.view)) or bool(self.moves) and self.moves[-1] == FORFEIT

    @property
    def end(self) -> str:
        """How the game ended, a member of table.ENDS; "" while it goes on."""
        if not self.over:
            return ""
        place = how_it_ended(self.table.view)
        return ENDS[place] if place >= 0 else "forfeit"

    @property
    def to_move(self) -> int:
        """The seat to move, -1 after the end."""
        return -1 if self.over else int(self.table.view.me)

    @property
    def agent_to_move(self) -> Agent | None:
        """The agent to move, None if a person is to move or the game is over."""
        return None if self.over else self.agents[self.to_move]

    def make(self, seat: int, move: int | str, numbering: Numbering = ENGINE) -> None:
        """Make a person's move. Raises ValueError, a sentence, for an impossible one.

        Args:
            seat: The seat of the person.
            move: The move, or its text.
            numbering: How the slot in a text is numbered.
        """
        if isinstance(move, str):
            number = read_typed(move, self.view.born[seat].tolist(), numbering)
        else:
            number = move
        wrong = "The game is over: no more moves."
        if not self.over:
            wrong = fault_of(self.view, seat, number)
        if wrong:
            raise ValueError(wrong)
        self.accept(Choice(number))

    def agent_moves(self) -> None:
        """Let the agent to move make its move. Raises PlayError if it fails."""
        self.accept(self.move_finder()())

    def move_finder(self) -> Callable[[], Choice]:
        """Return a function that finds the move of the agent to move.

        It works on copies, so it can run in another thread while the table is used.
        """
        state, view = self.table.state.copy(), self.view.copy()
        player = self.sitting[self.to_move]
        return partial(choice_of, player, view, int(state.seed), state, self.variant)

    def accept(self, choice: Choice) -> None:
        """Make a legal move and write it; if it cannot be written, it is not made."""
        self._make(choice)

        def undo() -> None:
            del self.moves[-1], self.reasons[-1]
            self.replay()

        self._save_or(undo)

    def take_back(self, seat: int, turn: int | None = None) -> int:
        """Go back to an earlier turn; the moves since then are kept as a side line.

        Args:
            seat: Who takes back.
            turn: Where to go; None for the last turn at which the seat moved.

        Returns:
            The turn.
        """
        if turn is None:
            turns = range(self.first_turn, self.turn)
            turn = max((made for made in turns if made % self.variant.seats == seat), default=-1)
        if not self.first_turn <= turn < self.turn:
            raise ValueError("There is no move of yours to take back.")
        keep = turn - self.first_turn
        gone = ", ".join(map(move_text, self.moves[keep:]))
        line = f"{NAMES[seat]} took back to turn {turn}: {gone}"
        before = self.side_lines, self.moves, self.reasons

        def undo() -> None:
            self.side_lines, self.moves, self.reasons = before
            self.replay()

        self.side_lines = [*self.side_lines, line][-SIDE_LINES:]
        self.moves, self.reasons = self.moves[:keep], self.reasons[:keep]
        self.replay()
        self._save_or(undo)
        return turn

    def set_numbering(self, numbering: Numbering) -> None:
        """Change how slots are numbered in the sentences of this table."""
        self.numbering = numbering
        self.replay()

    def set_help(self, seat: int, level: str) -> None:
        """Change the help level of a seat, and note that in the file."""
        if level not in LEVELS:
            raise ValueError(
                f"No help level {level[:NAME]!r}{nearest(level, LEVELS)}: "
                f"there are {', '.join(LEVELS)}."
            )
        if self.help[seat] == LEVELS.index(level):
            return
        line = f"turn {self.turn}, {NAMES[seat]}: {level}"
        before, self.helped = self.helped, [*self.helped, line][-SIDE_LINES:]
        try:
            self._set(self.help, seat, LEVELS.index(level))
        except (OSError, ValueError):
            self.helped = before
            raise

    def set_watching(self, what: str) -> None:
        """Change what spectators see, a member of WATCHING, and note that in the file."""
        if what not in WATCHING:
            raise ValueError(f"Spectators see {', '.join(WATCHING[:-1])} or {WATCHING[-1]}.")
        if self.watching == what:
            return
        before = self.watching, self.helped

        def undo() -> None:
            self.watching, self.helped = before

        line = f"turn {self.turn}, spectators: {what}"
        self.watching, self.helped = what, [*self.helped, line][-SIDE_LINES:]
        self._save_or(undo)

    def set_note(self, seat: int, text: str) -> None:
        """Change the notes of a seat, which only that seat sees."""
        if len(text) > NOTE:
            raise ValueError(f"Notes have up to {NOTE:,} letters, not {len(text):,}.")
        self._set(self.notes, seat, text)

    def set_card_note(self, seat: int, card: int, text: str) -> None:
        """Change the note of a seat on a card, which only that seat sees; "" removes it.

        Args:
            seat: The seat.
            card: The card's place in the order of drawing.
            text: The note, one line.
        """
        text = check_card_note(text, card, self.variant.cards)
        notes = {place: note for place, note in self.card_notes[seat].items() if place != card}
        self._set(self.card_notes, seat, notes | ({card: text} if text else {}))

    def set_name(self, seat: int, name: str) -> None:
        """Change the name of the person at a seat."""
        name = " ".join(name.split())
        if len(name) > NAME or not name.isprintable():
            raise ValueError(f"A name is one line of up to {NAME} letters.")
        self._set(self.names, seat, name or PERSON)

    def _set(self, values, seat, value):
        """Change a value of a seat and write it; if it cannot be written, it is not changed."""
        before = values[seat]

        def undo() -> None:
            values[seat] = before

        values[seat] = value
        self._save_or(undo)

    def _save_or(self, undo):
        """Write the file; if that fails, undo the change and raise."""
        try:
            self.save()
        except (OSError, ValueError):
            undo()
            raise

    def _make(self, choice):
        self._apply(choice.move)
        self.reasons.append(choice.reason)

    def _apply(self, move):
        view = self.table.view
        before = view.copy()
        if move != FORFEIT:
            apply(self.table.state, view, move)
        self.hands.append(before.born[before.me].tolist())
        self.words.append(move_words(before, view, move, self.numbering))
        means = []
        if move != FORFEIT:
            means = meaning_of(before, view, move, self.players, self.numbering)
        self.means.append(means)
        self.moves.append(move)
        self.observer(before, move)

    def replay(self) -> None:
        """Deal again and make all moves so far; the observer is called for each."""
        seats = range(self.variant.seats)
        self.words, self.means, self.hands = [], [], []
        if isinstance(self.start, Game):
            self.table.deal(self.start.seed, list(seats))
        else:
            self._deal_position(self.start)
        self.sitting = [self.table.begin(tuple(self.players), seat) for seat in seats]
        moves, self.moves = self.moves, []
        self.observer(None, None)
        for move in moves:
            self._apply(move)

    def _deal_position(self, position):
        """Set the table to a position, with the marks of a game without earlier hints."""
        table = self.table
        table.deal(0, list(range(self.variant.seats)))
        state, view = position.state()
        for name, *_ in numpy_fields(GAME):
            table.view[name] = view[name]
        copy_record(state, table.state)
        if table.view.lists:
            read(table.view, 0)
        blank(table.state, table.view)


def seats_of(specs: Sequence[str], players: int | None, variant: Variant) -> list[str]:
    """Return the spec of each seat for the specs of a command.

    Args:
        specs: A spec for each seat, one of them "person"; or, beside one person, one agent for
            all other seats or one for each.
        players: The number of players, None if the specs or the variant give it.
        variant: The variant.

    Raises:
        ValueError: The specs do not fit the number of players. One line.
    """
    given = list(specs)
    if PERSON not in given:
        count = players or variant.players or max(2, len(given) + 1)
        given = [PERSON, *(given * (count - 1) if len(given) == 1 else given)]
    wanted = players or variant.players or len(given)
    if not 2 <= len(given) <= len(NAMES) or len(given) != wanted:
        raise ValueError(
            f"{len(given)} seats are named for {wanted} players: 2 to 5 sit at a table; "
            f"name one agent for all other seats, or {PERSON} and an agent for each"
        )
    return given


def new_game(variant: Variant, players: int, seed: int) -> Game:
    """Return a deal without moves."""
    return Game(variant.at(players), check_seed(seed, "seed"))


def make_folder(folder: Path) -> Path:
    """Make a folder if there is none, and return it. Raises FileWriteError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileWriteError(folder, error) from None
    return folder


def _texts(data: dict[str, Any], where: str, key: str) -> list[str]:
    texts = read_value(data, key, list, [], where)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{where}: {key} should be a list of texts in quotes")
    return texts
