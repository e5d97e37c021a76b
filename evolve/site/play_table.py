"""A table where people and agents play one game, and its file.

The file is written before a move is shown. It is a game that every command reads
(hanabi/game_record.py), or the current position if the table began from a position without a
history. Below ``[table]`` it holds what only a table has: seats, help levels, side lines, notes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hanabi.backend.bits import copy_record, numpy_fields
from hanabi.card_notes import card_note_texts, read_card_notes
from hanabi.conventions.marks import read
from hanabi.evolve.reports.game_data import live_link
from hanabi.evolve.site.table_game import LEVELS, WATCHING, TableGame
from hanabi.files import make_folder, read_toml, write_whole
from hanabi.game import Choice, blank, event_card, event_move
from hanabi.game_record import PERSON, Game, game_text, split_names
from hanabi.moves import NAMES, is_tell, move_text, read_move, slot_of
from hanabi.notation import check_seed, quote, read_texts, read_value
from hanabi.player import ListPlayer, Player, choice_of, followed_list
from hanabi.positions.position import Position
from hanabi.rules.agents import Agent, load
from hanabi.state import GAME, View
from hanabi.table import Table
from hanabi.variant import Variant


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


class PlayTable(TableGame):
    """A game that people and agents play, for use by one thread at a time.

    Args:
        specs: An agent spec or "person" for each seat.
        start: A position, or a game so far, whose moves count.
        path: The file, written after each change; None for a table without one.

    Raises:
        ValueError: There is no such table. Methods raise it, too, for what cannot be done; the
            table is then unchanged. One line.
    """

    agents: list[Agent | None]

    def __init__(
        self, specs: Sequence[str], start: Game | Position, path: Path | None = None
    ) -> None:
        if len(specs) != start.variant.seats:
            raise ValueError(
                f"{len(specs)} seats are named, and {start.variant.seats} play: "
                f"name {PERSON} or an agent for each seat"
            )
        self.path = path
        super().__init__(
            start.variant, specs, [None if spec == PERSON else load(spec) for spec in specs]
        )
        agents = {id(agent): agent.at(len(specs)) for agent in self.agents if agent}
        partner = next((followed_list(player) for player in agents.values()), ListPlayer(()))
        self.players: list[Player] = [
            agents[id(agent)] if agent else Person(partner) for agent in self.agents
        ]
        if isinstance(start, Position) and start.history:
            start = Game(start.variant, start.seed, *deal_of(start))
        self.start = start
        self.deck: list[int] | None = None
        if isinstance(start, Position):
            self.first_turn = start.turn
        else:
            self.seed = start.seed if start.deck is None else None
            self.deck = None if start.deck is None else list(start.deck)
            self.moves = list(start.moves)
            self.reasons = list(start.rules or ("",) * len(self.moves))
        self.table = Table(self.variant, self.players, self.deck)
        self.replay()

    @staticmethod
    def read(path: Path) -> "PlayTable":
        """Read the file of a table. Raises ValueError, one line, for any other file."""
        data = read_toml(path)
        extra = read_value(data, "table", dict, None, str(path))
        if extra is None:
            raise ValueError(f"{path} is no table: it does not say who sits where")
        where = f"{path}: [table]"
        texts = partial(read_texts, extra, where=where)
        specs, position = texts("seats"), read_value(extra, "start", str, None, where)
        table = PlayTable(
            specs,
            Game.from_data(data, str(path)) if position is None else Position.read(position, where),
        )
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
        for made in texts("moves") if position is not None else ():
            move, _, reason = made.partition(" | ")
            table._make(Choice(read_move(move), reason))
        table.path = path
        return table

    def save(self) -> None:
        """Write and sync the file, in a folder that is made. Raises FileWriteError."""
        if self.path:
            make_folder(self.path.parent)
            write_whole(self.path, str(self), 0o600)  # it holds the deck

    def __str__(self) -> str:
        """The text of the file, which ``read`` reads."""
        more: dict[str, str | Sequence[str]] = {
            "seats": self.specs,
            "help": [LEVELS[level] for level in self.help],
            "helped": self.helped,
            "side_lines": self.side_lines,
            "notes": self.notes,
            "card_notes": card_note_texts(self.card_notes) if any(self.card_notes) else "",
            "watching": self.watching if self.watching != WATCHING[0] else "",
        }
        if isinstance(self.start, Position):
            text = str(self.position())
            made = zip(self.moves, self.reasons)
            more["moves"] = [f"{move_text(move)} | {reason}" for move, reason in made]
            more["start"] = str(self.start)
        else:
            deal = (self.variant, self.start.seed, self.start.deck)
            score = int(self.view.score)
            text = game_text(deal, score, self.names, self.moves, self.reasons)
        lines = [f"{key} = {_toml_value(value)}" for key, value in more.items() if value != ""]
        return "\n".join([text, "[table]", *lines]) + "\n"

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

    @property
    def name(self) -> str:
        """The name of the table in addresses, the stem of its file; "" without a file."""
        return self.path.stem if self.path else ""

    @property
    def live(self) -> str:
        """The link of the game on hanab.live, "" where the site cannot show it."""
        return live_link(self.game) if isinstance(self.start, Game) else ""

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
    def agent_to_move(self) -> Agent | None:
        """The agent to move, None if a person is to move or the game is over."""
        return None if self.over else self.agents[self.to_move]

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

    def deal(self) -> None:
        """Deal the game again, and seat the players for it."""
        table, seats = self.table, range(self.variant.seats)
        table.deal(self.start.seed if isinstance(self.start, Game) else 0, list(seats))
        if isinstance(self.start, Position):  # with the marks of a game without earlier hints
            state, view = self.start.state()
            for name, *_ in numpy_fields(GAME):
                table.view[name] = view[name]
            copy_record(state, table.state)
            if table.view.lists:
                read(table.view, 0)
            blank(table.state, table.view)
        self.sitting = [self.table.begin(tuple(self.players), seat) for seat in seats]


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


def _toml_value(value: str | Sequence[str]) -> str:
    """Return a text, or a list of texts, in TOML."""
    return quote(value) if isinstance(value, str) else f"[{', '.join(map(quote, value))}]"


def deal_of(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the deck in the order of drawing, and the moves, of a position with a history.

    Raises:
        ValueError: The history does not lead to the position. One line.
    """
    variant, size = position.variant, position.variant.hand_size
    seats, drawn = variant.seats, variant.seats * variant.hand_size
    # by (seat, slot), the place of the card in the order of drawing
    held = {(seat, slot): seat * size + slot for seat in range(seats) for slot in range(size)}
    cards = {card.born: card.card for hand in position.hands for card in hand if card}
    moves = [int(event_move(event)) for event in position.history]
    for turn, (move, event) in enumerate(zip(moves, position.history)):
        if not is_tell(move):
            place = turn % seats, int(slot_of(move))
            cards[held.pop(place)] = int(event_card(event))
            if drawn < variant.cards:
                held[place] = drawn
                drawn += 1
    taken = range(variant.cards - len(position.deck))
    deck = tuple(cards.get(draw, -1) for draw in taken) + position.deck
    if -1 in deck:
        raise ValueError(
            "the history does not lead to these hands: leave it out, "
            "or copy the whole position again"
        )
    return deck, tuple(moves)
