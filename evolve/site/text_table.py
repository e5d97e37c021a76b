"""A table line by line, over standard input and output: for scripts, a remote shell and those who have a page read to them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable

from hanabi.evolve.site.assistance import (
    ADVICE,
    KNOWN,
    MEANT,
    advice,
    adviser,
    can_know,
    ended,
    seen,
    turn_line,
    why,
)
from hanabi.evolve.site.play_table import LEVELS, PlayTable
from hanabi.moves import NAMES
from hanabi.text.transcript import position_text
from hanabi.variant import nearest

COMMANDS = {
    "play 0": "play the card of a slot; p 0 does, too",
    "discard 4": "discard the card of a slot; d 4 does, too",
    "tell Bob red": "tell somebody about a colour, or about a rank: tell Bob 3",
    "why": "why the agents moved as they did since your last turn; why 12: at turn 12",
    "help": "say how much help you want: "
    + ", ".join(f"{i} {level}" for i, level in enumerate(LEVELS))
    + "; help 4 iggi: by iggi",
    "back": "take your last move back",
    "note TEXT": "keep a note in the game's file; note alone shows it",
    "board": "show the table again",
    "?": "this list",
    "quit": "stop; the game is kept",
}


class TextTable:
    """One person at a table. ``say`` gets each line; ``go_on``: the command that goes on with the game."""

    def __init__(
        self,
        table: PlayTable,
        seat: int,
        say: Callable[[str], None],
        columns: int = 100,
        go_on: str = "",
    ) -> None:
        self.table, self.seat, self.columns, self.go_on, self.out = table, seat, columns, go_on, say
        self.adviser = adviser(table)
        self.heard = table.turn  # the turn up to which moves were told

    def run(self, lines: Iterable[str]) -> bool:
        """Play by the lines that the person types, until the game is over or there are no more. True where it is over."""
        self.say(
            f"You are {NAMES[self.seat]}; with you sit "
            + ", ".join(
                f"{NAMES[seat]} ({name})"
                for seat, name in enumerate(self.table.names)
                if seat != self.seat
            )
            + ". Type ? for what you can type."
        )
        if self.agents():
            return True
        for line in lines:
            words = line.strip()
            if words in ("quit", "q", "exit"):
                break
            if words and self.obey(words) and self.agents():
                return True
        kept = f" `{self.go_on}` goes on." if self.go_on else ""
        self.say(f"Your game is safe to turn {self.table.turn}.{kept}")
        return False

    def say(self, text: str, start: str = "", more: str = "") -> None:
        """A line, folded."""
        for line in textwrap.wrap(
            text, self.columns, initial_indent=start, subsequent_indent=more
        ) or [""]:
            self.out(line)

    def obey(self, words: str) -> bool:
        """Do what a line says; a wrong one is answered by a line. True where the table has changed."""
        first, _, rest = words.partition(" ")
        try:
            if first == "?":
                for what, does in COMMANDS.items():
                    self.say(f"{what:<14}{does}", more=" " * 14)
            elif first == "why":
                self.reasons(rest)
            elif first == "help":
                self.help(rest.strip())
            elif first == "back":
                self.heard = min(self.heard, self.table.take_back(self.seat))
                self.say(
                    f"Back to turn {self.table.turn}. The moves since are kept as a side line."
                )
                return True
            elif first == "note":
                if rest.strip():
                    self.table.set_note(self.seat, rest.strip())
                self.say(self.table.notes[self.seat] or "No note is kept.")
            elif first == "board":
                self.board()
            else:
                self.table.make(self.seat, words)
                return True
        except ValueError as error:
            self.say(str(error))
        return False

    def agents(self) -> bool:
        """Let the agents move, and say what was done since the person last heard of it. True where the game is over then."""
        table = self.table
        while table.agent_to_move:
            if table.agent_to_move.is_slow:
                self.say(f"{NAMES[table.to_move]} is thinking …")
            table.agent_moves()
        for turn in range(self.heard, table.turn):
            self.say(f"Turn {turn}: {table.words[turn - table.first_turn]}.", more="  ")
            for note in (
                table.means[turn - table.first_turn] if table.help[self.seat] >= MEANT else []
            ):
                self.say(note, "  = ", "    ")
        self.heard = table.turn
        self.board()
        return table.over

    def board(self) -> None:
        """The table as the person sees it, whose turn it is, and the help that was asked for."""
        table, level = self.table, self.table.help[self.seat]
        text = position_text(seen(table, self.seat), self.columns)
        for line in ["", *text[text.index("Turn ") :].splitlines()]:
            self.out(line)
        self.out("")
        if table.over:
            for sentence in ended(table):
                self.say(sentence)
            return
        if level >= KNOWN:
            for sentence in can_know(table, self.seat):
                self.say(sentence, more="  ")
        if level >= ADVICE:
            self.say(advice(table, self.adviser), more="  ")
        self.say(turn_line(table, self.seat))

    def reasons(self, turn: str) -> None:
        """Why the agents moved as they did."""
        table = self.table
        if turn and not (turn.isascii() and turn.isdigit() and len(turn) < 4):
            raise ValueError("Write why, or why and a turn, such as why 12.")
        last = range(max(table.first_turn, table.turn - table.variant.seats), table.turn)
        turns = (
            [int(turn)]
            if turn
            else [made for made in last if table.agents[made % table.variant.seats]]
        )
        for made in turns:
            self.say(f"Turn {made}: {why(table, made)}", more="  ")
        if not turns:
            self.say("No agent has moved since your last turn.")

    def help(self, words: str) -> None:
        """Set the help level, by its number or its words, and who advises."""
        first, _, spec = words.partition(" ")
        if first.isascii() and first.isdigit() and int(first[:2]) < len(LEVELS):
            level = LEVELS[int(first)]
            self.adviser = spec.strip() or self.adviser
        elif words in LEVELS:
            level = words
        else:
            raise ValueError(
                f"No help {words[:40]!r}{nearest(words, LEVELS)}: write help and a number, "
                + ", ".join(f"{i} {name}" for i, name in enumerate(LEVELS))
                + "."
            )
        self.table.set_help(self.seat, level)
        self.say(f"Help: {level.replace('X', self.adviser)}.")
        self.board()
