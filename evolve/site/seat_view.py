"""What the page of a seat is sent: the game (evolve/reports/game_data.py) as that seat may see it.

How much is sent follows from the help level of the seat. Until the game is over, nothing depends
on cards that the seat does not see.
"""

from collections.abc import Sequence
from typing import Any

from hanabi.evolve.reports.game_data import (
    TurnLog,
    frame_data,
    move_data,
    reason_data,
    seen_turn,
    turn_data,
)
from hanabi.evolve.site.move_preview import KNOWN, MEANT, TOLD, final_lines, turn_line, why
from hanabi.evolve.site.table_game import LEVELS, WATCHING, TableGame
from hanabi.moves import FORFEIT
from hanabi.state import View
from hanabi.text.move_facts import lost_at

SPECTATOR = -1  # in the place of a seat
KNOWLEDGE = ("possible", "chances", "meant")  # keys of a card that help level KNOWN shows
MEANING = ("promised", "assumed", "tag")  # keys of a card that help level MEANT shows


class SeatViews:
    """Observes a table for the persons at it.

    Attributes:
        begun: How often the table was replayed; earlier turns that a page has are then invalid.
        logs: By seat, every turn so far as that seat sees it, with all help, and with ``line``,
            whose turn it is; of SPECTATOR where the table lets somebody watch.
    """

    def __init__(self, table: TableGame) -> None:
        self.table: Any = table  # on the site a PlayTable
        self.people = table.people
        self.full = sum(1 << card for card in set(table.variant.deck()))
        self.begun = 0
        table.observer = self.observe
        table.replay()

    def observe(self, before: View | None, move: int | None) -> None:
        """Add a move to the turns of all seats; start again at a replay (None, None)."""
        table = self.table
        records = table.table.state, table.table.view
        if before is None or move is None:
            self.begun += 1
            watchers = [] if table.watching == WATCHING[0] else [SPECTATOR]
            self.logs = {seat: TurnLog() for seat in [*self.people, *watchers]}
        else:
            made = move_data(move, before, records[1], table.means[-1])
            for log in self.logs.values():
                log.add_move(made, int(before.turn))
            if move == FORFEIT:
                return
        for seat, log in self.logs.items():
            turn = (
                self._spectator_turn(records)
                if seat == SPECTATOR
                else seen_turn(turn_data(records, table.over, seat.__eq__), seat)
            )
            log.begin(turn | {"line": turn_line(table, seat)})

    def _spectator_turn(self, records):
        """Return a turn as spectators see it.

        Without "all hands" it lacks the cards in all hands of people. Such a spectator sees no more
        than each person at the table does.
        """
        sees_all = self.table.watching == WATCHING[-1]
        turn = turn_data(records, self.table.over, lambda seat: sees_all)
        if not sees_all:
            for seat in self.people:
                turn["hands"][seat] = [
                    card and card | {"card": None} for card in turn["hands"][seat]
                ]
        return turn

    def state_for(self, seat: int, known: Sequence[int] = (0, 0)) -> dict[str, Any]:
        """Return the state of the table for a seat, or for SPECTATOR.

        Args:
            seat: The seat.
            known: (``begun``, number of turns) that the page has; of these turns only the last
                one is sent again.
        """
        table, over = self.table, self.table.over
        level = 0 if seat == SPECTATOR else table.help[seat]
        turns, first = self.logs[seat].turns if seat in self.logs else [], 0
        begun = self.begun * len(LEVELS) + level  # a change of level changes all turns
        if known[0] == begun and turns and not over:
            first = min(max(0, known[1] - 1), len(turns) - 1)
        game = _game_data(table, final_lines(table) if over else [""])
        game["turns"] = turns[first:]
        state = {
            "game": game,
            "begun": begun,
            "first": first,
            "to_move": table.to_move,
            "watching": table.watching,
            "over": over,
        }
        if seat == SPECTATOR:
            return state
        shown_level = KNOWN if over else level
        game["turns"] = [self._with_help(turn, shown_level) for turn in turns[first:]]
        if over:
            game["live"] = table.live
            self._reveal(game["turns"])
        else:
            game["seat"] = seat
        return state | {
            "seat": seat,
            "level": level,
            "people": self.people,
            "note": table.notes[seat],
            "card_notes": table.card_notes[seat],
            "seed": table.seed if over else None,
            "can_take_back": any(turn["me"] == seat and turn["move"] for turn in turns),
        }

    def _reveal(self, turns):
        """Add what was hidden until the end: the seat's own cards, and why agents moved."""
        drawn = self.table.table.state.deck
        for turn in turns:
            turn["hands"] = [
                [card and card | {"card": int(drawn[card["born"]])} for card in hand]
                for hand in turn["hands"]
            ]
            if turn["move"] and self.table.agents[turn["turn"] % self.table.variant.seats]:
                turn["move"] |= {"rule": why(self.table, turn["turn"]), "says": "", "place": None}

    def _with_help(self, turn, level):
        """Return a copy of a turn with no more help than a level gives."""
        hidden = (KNOWLEDGE if level < KNOWN else ()) + (MEANING if level < MEANT else ())
        shown = {"hinted": self.full} if level < TOLD else {}

        def show(card: dict[str, Any] | None) -> dict[str, Any] | None:
            return card and {key: card[key] for key in card if key not in hidden} | shown

        move = turn["move"] and dict(turn["move"])
        if move and level < MEANT:
            move |= {"means": [], "hint": ""}
        hands = [[show(card) for card in hand] for hand in turn["hands"]]
        return turn | {"hands": hands, "move": move}


def _game_data(table, lines):
    """What pages need of a game, without its turns. ``lines``: the result and its causes."""
    return frame_data(table.variant) | {
        "agents": table.names,
        "score": int(table.view.score),
        "end": table.end,
        "result": lines[0],
        "lost": lines[1:],
    }


def whole_game(table: TableGame) -> dict[str, Any]:
    """Return a game that is over and began from a position without a history, as data of a page.

    It has all cards and every reason. It has no lists, whose answers depend on the history.
    """
    log, views = TurnLog(), []

    def observe(before: View | None, move: int | None) -> None:
        view = table.table.view
        if before is not None and move is not None:
            made = move_data(move, before, view, table.means[-1])
            reason = reason_data(table.reasons[len(log.turns) - 1])
            log.add_move(made | reason, int(before.turn))
            if move == FORFEIT:
                return
        log.begin(turn_data((table.table.state, view), table.over, lambda seat: True))
        views.append(view.copy())

    table.observer = observe
    table.replay()
    lost = {"lost_at": lost_at(views, table.variant.perfect), "turns": log.turns}
    return _game_data(table, final_lines(table)) | lost
