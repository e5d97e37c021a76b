"""A game of people and agents at a table, without its file and without the agents' players.

Moves that people type are read and checked here; a fault is explained in one line.

This module and those it imports are plain Python beside the compiled functions: a page plays with
copies of them (page_export.py).
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from hanabi.card_notes import check_card_note
from hanabi.game import Choice, apply, is_legal, is_over
from hanabi.game_loop import ENDS, how_it_ended
from hanabi.game_record import PERSON
from hanabi.knowledge.plain_interface import HandKnowledge, copies, rows_of
from hanabi.moves import (
    COLOUR_NAMES,
    COLOURS,
    FORFEIT,
    NAMES,
    NO_CARD,
    discard,
    is_discard,
    is_play,
    move_text,
    play,
    slot_of,
    target_of,
    tell_colour,
    tell_rank,
    told_colour_of,
    told_rank_of,
)
from hanabi.notation import all_of, counted
from hanabi.state import State, View
from hanabi.text.commentary import meaning_of
from hanabi.text.move_facts import BY_AGE, ENGINE, MoveFacts, Numbering, facts_of, move_words
from hanabi.variant import NAME, Variant, nearest, shown
from hanabi.view import critical

LETTERS = 60  # that a move may have
HOW = "write play 1, discard 5, tell Bob red or tell Bob 3"
OVER = "The game is over: no more moves."
_SLOT = re.compile(r"(play|p|discard|d)\s*([0-9])")
_TELL = re.compile(r"(?:(?:tell|t|hint|clue)\s+)?([a-z]+)[\s:,]+(?:the\s+)?([a-z]+|[0-9])s?")


def read_typed(text: str, born: Sequence[int], numbering: Numbering) -> int:
    """Return the number of a move as a person types it.

    Examples: ``play 1``, ``p 1``, ``d 5``, ``tell Bob red``, ``bob 3``.

    Args:
        text: The move.
        born: When each card of the person was drawn (``view.born``), -1 for an empty slot.
        numbering: How the slots of a typed move are numbered.

    Raises:
        ValueError: The text is no move. One line.
    """
    words = " ".join(text.lower().split()) if len(text) <= LETTERS else ""
    if found := _SLOT.fullmatch(words):
        slot = numbering.slot(born, int(found[2]))
        if slot < 0:
            held = all_of(numbering.held(born))
            raise ValueError(f"Slot {found[2]} holds no card: yours are in {held}.")
        return int(play(slot) if found[1][0] == "p" else discard(slot))
    if found := _TELL.fullmatch(words):
        name, what = found[1].capitalize(), found[2]
        if name in NAMES:
            seat = NAMES.index(name)
            if what.isdigit() and 1 <= int(what) <= 5:
                return int(tell_rank(seat, int(what)))
            for colour, name in enumerate(COLOUR_NAMES):
                if what in (name, COLOURS[colour].lower()):
                    return int(tell_colour(seat, colour))
            raise ValueError(
                f"A hint tells a colour ({', '.join(COLOUR_NAMES)}) or a rank (1 to 5), "
                f"not {shown(what)}."
            )
    raise ValueError(f"{shown(text)} is no move: {HOW}.")


def fault_of(view: View, seat: int, move: int) -> str:
    """Return why a seat cannot make a move and what it can do instead; "" for a legal move."""
    if is_over(view):
        return OVER
    if seat != view.me:
        return f"It is {NAMES[view.me]}'s turn, not yours. Your move waits for it."
    if is_legal(view, move):
        return ""
    if is_play(move) or is_discard(move):
        if not view.filled[seat] >> slot_of(move) & 1:
            held = all_of(BY_AGE.held(view.born[seat].tolist()))
            return f"There is no card in this slot: yours are in {held}."
        return (
            f"You cannot discard with {counted(int(view.tokens), 'hint token')}, which are all "
            "there are: play a card, or tell somebody about theirs."
        )
    others = " or ".join(NAMES[other] for other in range(view.players) if other != seat)
    target = int(target_of(move))
    if target == seat:
        return f"You cannot tell yourself: tell {others}."
    if target >= view.players:
        return f"Nobody called {NAMES[target]} sits here: tell {others}."
    if view.tokens == 0:
        return "No hint token is left: play a card, or discard one, which brings a token back."
    colour = told_colour_of(move)
    what = COLOUR_NAMES[colour] if colour >= 0 else f"a {told_rank_of(move)}"
    return f"No card of {NAMES[target]}'s is {what}, and a hint must touch a card."


class MoverKnowledge(NamedTuple):
    """The hints, what they mean, and the cards that everybody at the table sees, before a move.

    The cards of people are not among them: the answer must not tell people their own cards.
    """

    seat: int
    masks: list[list[int]]  # by hints alone
    meant: list[int]  # of the seat's slots, with what hints mean to it
    hands: list[list[int]]
    left: list[int]
    kinds: tuple[int, int, int, int]  # sets of playable, dead and useless types, of last copies

    def ways(self, slot: int) -> tuple[list[int], int]:
        """Return in how many ways the card of a slot has each kind, and the number of all ways."""
        masks = [*self.masks[: self.seat], self.meant, *self.masks[self.seat + 1 :]]
        try:
            sight = HandKnowledge.of(masks, self.hands, self.seat, self.left)
        except ValueError:  # what is meant cannot all be true
            sight = HandKnowledge.of(self.masks, self.hands, self.seat, self.left)
        rows, total = sight.weights(*self.kinds)
        return [row[slot] for row in rows], total


def knowledge_of_mover(table: State, view: View, people: Collection[int]) -> MoverKnowledge:
    """Return what the seat to move can know without the cards in the hands of people."""
    seats, width, me = int(view.players), int(view.hand_size), int(view.me)
    masks, hands = rows_of(view.mask, seats, width), rows_of(table.hands, seats, width)
    for seat in set(people) - {me}:
        masks[seat], hands[seat] = [0] * width, [NO_CARD] * width
    which = int(view.list_of[me]) if view.lists else -1
    meant = rows_of(view.marks[which].assumed, seats, width)[me] if which >= 0 else masks[me]
    kinds = int(view.playable), int(view.dead), int(view.useless), int(critical(view))
    return MoverKnowledge(me, masks, meant, hands, copies(view.pool.tolist()), kinds)


LEVELS = ("none", "what hints say", "what they mean", "what I can know", "what X would do and why")
WATCHING = ("nobody", "hands of agents", "all hands")  # what spectators see of a running game
NOTE = 2_000  # letters of a note
SIDE_LINES = 100  # that are kept
# attributes of a table that change; their elements are replaced, never changed
SAVED = "moves reasons help helped side_lines watching notes card_notes names".split()


class TableGame:
    """What a table keeps of its game.

    A subclass sets ``table`` and ``players``, and calls ``replay``.

    Args:
        variant: The variant, its players seated.
        specs: An agent spec or "person" for each seat.
        agents: Of each seat what has the agent's name, None for a person.

    Raises:
        ValueError: Methods raise it for what cannot be done; the table is then unchanged. One line.
    """

    table: Any  # its state and view are those of the game
    players: list[Any]  # whose conventions hold, by seat
    first_turn = 0  # the turn at which the moves of this table begin
    seed: int | None = None  # of the deal, None if the deck or a position was given

    def __init__(self, variant: Variant, specs: Sequence[str], agents: Sequence[Any]) -> None:
        self.variant, self.specs, self.agents = variant, tuple(specs), list(agents)
        # called with each move and the view before it; with None, None at each replay
        self.observer: Callable[[View | None, int | None], object] = lambda before, move: None
        self.names = [agent.name if agent else PERSON for agent in self.agents]
        self.help = [1] * len(specs)  # by seat, the place in LEVELS
        self.helped: list[str] = []  # each change of a level, as a sentence
        self.side_lines: list[str] = []
        self.watching = WATCHING[0]
        self.notes = [""] * len(specs)
        # by seat: notes on cards, by their place in the order of drawing
        self.card_notes: list[dict[int, str]] = [{} for _ in specs]
        self.moves: list[int] = []
        self.reasons: list[str] = []  # of each move: the rule that made it
        self.words: list[str]  # of each move: a sentence without its dot, of what all players see
        self.means: list[list[str]]  # of each move: what it means by the agents' conventions
        self.made: list[MoveFacts]  # the facts of each move
        self.knowledge: list[MoverKnowledge]  # of each move: what its maker could know
        self.numbering = BY_AGE  # of slots in words and means

    @property
    def live(self) -> str:
        """The link of the game on hanab.live, "" where the site cannot show it."""
        raise NotImplementedError

    def deal(self) -> None:
        """Set ``table`` to the beginning of the game."""
        raise NotImplementedError

    def save(self) -> None:
        """Keep the game; this class keeps none."""

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, spec in enumerate(self.specs) if spec == PERSON]

    @property
    def view(self) -> View:
        """What the seat to move sees."""
        return self.table.view

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
        """How the game ended, a member of game_loop.ENDS; "" while it goes on."""
        if not self.over:
            return ""
        place = how_it_ended(self.table.view)
        return ENDS[place] if place >= 0 else "forfeit"

    @property
    def to_move(self) -> int:
        """The seat to move, -1 after the end."""
        return -1 if self.over else int(self.table.view.me)

    def make(self, seat: int, move: int | str, numbering: Numbering = ENGINE) -> None:
        """Make a person's move. Raises ValueError, a sentence, for an impossible one.

        Args:
            seat: The seat of the person.
            move: The move, or its text.
            numbering: How the slot in a text is numbered.
        """
        if isinstance(move, str):
            move = read_typed(move, self.view.born[seat].tolist(), numbering)
        if wrong := OVER if self.over else fault_of(self.view, seat, move):
            raise ValueError(wrong)
        self.accept(Choice(move))

    def accept(self, choice: Choice) -> None:
        """Make a legal move and write it; if it cannot be written, it is not made."""
        with self._saved():
            self._make(choice)

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
        gone = map(move_text, self.moves[keep:])
        line = f"{NAMES[seat]} took back to turn {turn}: {', '.join(gone)}"
        with self._saved():
            self.side_lines = [*self.side_lines, line][-SIDE_LINES:]
            self.moves, self.reasons = self.moves[:keep], self.reasons[:keep]
            self.replay()
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
        if self.help[seat] != LEVELS.index(level):
            with self._saved(f"{NAMES[seat]}: {level}"):
                self.help[seat] = LEVELS.index(level)

    def set_watching(self, what: str) -> None:
        """Change what spectators see, a member of WATCHING, and note that in the file."""
        if what not in WATCHING:
            raise ValueError(f"Spectators see {', '.join(WATCHING[:-1])} or {WATCHING[-1]}.")
        if self.watching != what:
            with self._saved(f"spectators: {what}"):
                self.watching = what

    def set_note(self, seat: int, text: str) -> None:
        """Change the notes of a seat, which only that seat sees."""
        if len(text) > NOTE:
            raise ValueError(f"Notes have up to {NOTE:,} letters, not {len(text):,}.")
        with self._saved():
            self.notes[seat] = text

    def set_card_note(self, seat: int, card: int, text: str) -> None:
        """Change the note of a seat on a card, which only that seat sees; "" removes it.

        Args:
            seat: The seat.
            card: The card's place in the order of drawing.
            text: The note, one line.
        """
        text = check_card_note(text, card, self.variant.cards)
        notes = {place: note for place, note in self.card_notes[seat].items() if place != card}
        with self._saved():
            self.card_notes[seat] = notes | ({card: text} if text else {})

    def set_name(self, seat: int, name: str) -> None:
        """Change the name of the person at a seat."""
        name = " ".join(name.split())
        if len(name) > NAME or not name.isprintable():
            raise ValueError(f"A name is one line of up to {NAME} letters.")
        with self._saved():
            self.names[seat] = name or PERSON

    @contextmanager
    def _saved(self, helped: str = "") -> Iterator[None]:
        """Write the file after a change; if that fails, undo the change and raise.

        Args:
            helped: A change of a help level or of what spectators see; the file notes it.
        """
        before = {name: getattr(self, name)[:] for name in SAVED}
        try:
            yield
            if helped:
                self.helped = [*self.helped, f"turn {self.turn}, {helped}"][-SIDE_LINES:]
            self.save()
        except (OSError, ValueError):
            vars(self).update(before)
            self.replay()
            raise

    def _make(self, choice):
        self._apply(choice.move)
        self.reasons.append(choice.reason)

    def _apply(self, move):
        view = self.table.view
        before = view.copy()
        self.knowledge.append(knowledge_of_mover(self.table.state, view, self.people))
        if move != FORFEIT:
            apply(self.table.state, view, move)
        self.made.append(facts_of(before, move, view))
        self.words.append(move_words(before, view, move, self.numbering))
        said = move != FORFEIT and meaning_of(before, view, move, self.players, self.numbering)
        self.means.append(said or [])
        self.moves.append(move)
        self.observer(before, move)

    def replay(self) -> None:
        """Deal again and make all moves so far; the observer is called for each."""
        self.words, self.means, self.made, self.knowledge = [], [], [], []
        self.deal()
        moves, self.moves = self.moves, []
        self.observer(None, None)
        for move in moves:
            self._apply(move)
