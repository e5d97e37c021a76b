"""A table line by line on a terminal: for scripts, remote shells and screen readers."""

import textwrap
from collections.abc import Callable, Iterable

from hanabi.evolve.site.move_preview import (
    ADVICE,
    KNOWN,
    MEANT,
    MovePreview,
    advice,
    adviser,
    at_level,
    can_know,
    final_lines,
    preview_move,
    turn_line,
    visible_position,
    why,
)
from hanabi.evolve.site.play_table import LEVELS, PlayTable
from hanabi.evolve.site.table_game import read_typed
from hanabi.game_record import Game
from hanabi.moves import NAMES
from hanabi.rules.agents.any_book import book_sentence, book_sentences
from hanabi.text.transcript import position_text
from hanabi.variant import nearest

NUMBERED_LEVELS = ", ".join(f"{place} {level}" for place, level in enumerate(LEVELS))
COMMANDS = {
    "play 1": "play the card of a slot; p 1 does, too",
    "discard 5": "discard the card of a slot; d 5 does, too",
    "tell Bob red": "tell somebody about a colour, or about a rank: tell Bob 3",
    "if tell Bob red": "say what a move would mean, without making it",
    "book": "by which book of conventions you seem to play",
    "why": "why the agents moved as they did since your last turn; why 12: at turn 12",
    "help": f"say how much help you want: {NUMBERED_LEVELS}; help 4 iggi: by iggi",
    "back": "take your last move back",
    "note TEXT": "keep a note in the game's file; note alone shows it",
    "board": "show the table again",
    "?": "this list",
    "quit": "stop; the game is kept",
}
CONFIRM = "An empty line, or the same again, makes this move; anything else does not."


class TextTable:
    """One person at a table.

    Args:
        table: The table.
        seat: The seat of the person.
        out: Called with each line.
        columns: The width of the lines.
        go_on: The command that continues the game.
    """

    def __init__(
        self,
        table: PlayTable,
        seat: int,
        out: Callable[[str], None],
        columns: int = 100,
        go_on: str = "",
    ) -> None:
        self.table, self.seat = table, seat
        self.out, self.columns, self.go_on = out, columns, go_on
        self.adviser = adviser(table)
        self.printed = table.turn  # the turn up to which moves were printed
        self.pending = ""  # a move whose meaning was printed, and that is not yet made
        # take the rest of the line; return whether the table has changed
        self.commands: dict[str, Callable[[str], bool | None]] = {
            "?": self.print_commands,
            "why": self.print_reasons,
            "help": self.set_help,
            "book": lambda rest: self.print_text(book_sentence(table.game, seat)),
            "back": self.take_back,
            "note": self.note,
            "board": lambda rest: self.print_board(),
            "if": lambda rest: self.print_preview(self.preview(rest), always=True),
        }

    def run(self, lines: Iterable[str]) -> bool:
        """Play by the lines that the person types; return True if the game is over at the end."""
        others = [
            f"{NAMES[seat]} ({name})"
            for seat, name in enumerate(self.table.names)
            if seat != self.seat
        ]
        self.print_text(
            f"You are {NAMES[self.seat]}; with you sit {', '.join(others)}. "
            "Type ? for what you can type."
        )
        if self.play_agents():
            return True
        for line in lines:
            words = line.strip()
            if words in ("quit", "q", "exit"):
                break
            words = words or self.pending
            if words and self.run_command(words) and self.play_agents():
                return True
        kept = f" `{self.go_on}` goes on." if self.go_on else ""
        self.print_text(f"Your game is safe to turn {self.table.turn}.{kept}")
        return False

    def print_text(self, text: str, start: str = "", more: str = "") -> None:
        """Print a text, folded; its lines are indented by ``start``, then by ``more``."""
        for line in textwrap.wrap(
            text, self.columns, initial_indent=start, subsequent_indent=more
        ) or [""]:
            self.out(line)

    def run_command(self, words: str) -> bool:
        """Run a command and print its errors; return True if the table has changed."""
        first, _, rest = words.partition(" ")
        confirmed, self.pending = self.pending, ""
        try:
            if first in self.commands:
                return bool(self.commands[first](rest.strip()))
            if words != confirmed and self.must_confirm(words):
                self.pending = words
                self.print_text(CONFIRM)
                return False
            self.table.make(self.seat, words, self.table.numbering)
            return True
        except ValueError as error:
            self.print_text(str(error))
            return False

    def print_commands(self, rest: str) -> None:
        """Print what can be typed."""
        for what, does in COMMANDS.items():
            self.print_text(f"{what:<17}{does}", more=" " * 17)

    def take_back(self, rest: str) -> bool:
        """Take the last move of the person back."""
        self.printed = min(self.printed, self.table.take_back(self.seat))
        self.print_text(f"Back to turn {self.table.turn}. The moves since are kept as a side line.")
        return True

    def note(self, text: str) -> None:
        """Keep a note, if there is one, and print the one that is kept."""
        if text:
            self.table.set_note(self.seat, text)
        self.print_text(self.table.notes[self.seat] or "No note is kept.")

    def preview(self, words: str) -> MovePreview:
        """Return what a typed move would mean, as far as the help level shows it."""
        table = self.table
        move = read_typed(words, table.view.born[self.seat].tolist(), table.numbering)
        return at_level(preview_move(table, self.seat, move), table.help[self.seat])

    def must_confirm(self, words: str) -> bool:
        """Print what a move would mean; return True if the person has to read it first."""
        found = self.preview(words)
        must = bool(found.warnings or found.tags)
        if must:
            self.print_preview(found)
        return must

    def print_preview(self, found: MovePreview, always: bool = False) -> None:
        """Print the meaning and the warnings of a move; ``always``: a line if there is none."""
        for line in found.meaning:
            self.print_text(line, "  = ", "    ")
        for warning in found.warnings:
            self.print_text(warning.text, "  ! ", "    ")
        if always and not (found.meaning or found.warnings):
            self.print_text("No warning. From help 2 on the meaning is said, too.")

    def play_agents(self) -> bool:
        """Let agents move and print the new moves; return True if the game is over then."""
        table = self.table
        while table.agent_to_move:
            if table.agent_to_move.is_slow:
                self.print_text(f"{NAMES[table.to_move]} is thinking …")
            table.agent_moves()
        for turn in range(self.printed, table.turn):
            place = turn - table.first_turn
            self.print_text(f"Turn {turn}: {table.words[place]}.", more="  ")
            if table.help[self.seat] >= MEANT:
                for note in table.means[place]:
                    self.print_text(note, "  = ", "    ")
        self.printed = table.turn
        self.print_board()
        return table.over

    def print_board(self) -> None:
        """Print the table as the person sees it, whose turn it is, and help by the help level."""
        table, level = self.table, self.table.help[self.seat]
        text = position_text(visible_position(table, self.seat), self.columns, table.numbering)
        for line in ["", *text[text.index("Turn ") :].splitlines(), ""]:
            self.out(line)
        if table.over:
            is_game = isinstance(table.start, Game)
            books = book_sentences(table.game, [self.seat]) if is_game else ()
            for sentence in (*final_lines(table), *books):
                self.print_text(sentence)
            return
        if level >= KNOWN:
            for sentence in can_know(table, self.seat):
                self.print_text(sentence, more="  ")
        if level >= ADVICE:
            self.print_text(advice(table, self.adviser), more="  ")
        self.print_text(turn_line(table, self.seat))

    def print_reasons(self, turn: str) -> None:
        """Print why agents made their moves: at one turn, or since the person's last turn."""
        table = self.table
        if turn and not (turn.isascii() and turn.isdigit() and len(turn) < 4):
            raise ValueError("Write why, or why and a turn, such as why 12.")
        seats = table.variant.seats
        last_round = range(max(table.first_turn, table.turn - seats), table.turn)
        agents = [made for made in last_round if table.agents[made % seats]]
        turns = [int(turn)] if turn else agents
        for made in turns:
            self.print_text(f"Turn {made}: {why(table, made)}", more="  ")
        if not turns:
            self.print_text("No agent has moved since your last turn.")

    def set_help(self, words: str) -> None:
        """Set the help level, by its number or its words, and the agent that gives advice."""
        first, _, spec = words.partition(" ")
        if first.isascii() and first.isdigit() and int(first[:2]) < len(LEVELS):
            level = LEVELS[int(first)]
            self.adviser = spec.strip() or self.adviser
        elif words in LEVELS:
            level = words
        else:
            raise ValueError(
                f"No help {words[:40]!r}{nearest(words, LEVELS)}: "
                f"write help and a number, {NUMBERED_LEVELS}."
            )
        self.table.set_help(self.seat, level)
        self.print_text(f"Help: {level.replace('X', self.adviser)}.")
        self.print_board()
