"""What one seat of a table is sent: the game as its board shows it (evolve/reports/game_data.py), as far as it may be seen from there
and as its help level says. Nothing here depends on cards that the seat does not see, until the game is over."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanabi.evolve.reports.game_data import law_data, live_link, move_data, seen_by, turn_data
from hanabi.evolve.reports.game_summary import hint_word, lost_at
from hanabi.evolve.site.assistance import KNOWN, MEANT, TOLD, ended, turn_line, why
from hanabi.evolve.site.play_table import LEVELS, PERSON, PlayTable
from hanabi.game_record import Game
from hanabi.moves import FORFEIT
from hanabi.text.transcript import rule_says

KNOWLEDGE, MEANING = ("possible", "chances", "meant"), ("promised", "assumed", "tag")


class SeatViews:
    """Watches a table for the people at it. ``turns``: by seat, every turn so far as that seat sees it, with all helps."""

    def __init__(self, table: PlayTable) -> None:
        self.table, self.people = (
            table,
            [seat for seat, spec in enumerate(table.specs) if spec == PERSON],
        )
        self.full = sum(1 << card for card in set(table.variant.deck()))
        self.begun = 0  # how often all began anew: what was sent before holds no more
        table.watch = self.see
        table.again()

    def see(self, before: np.record | None, move: int | None) -> None:
        """Hear of a move, or that all begins anew."""
        table = self.table
        records = table.table.state, table.table.view
        if before is None or move is None:
            self.begun += 1
            self.turns: dict[int, list[dict[str, Any]]] = {seat: [] for seat in self.people}
            self.discards: list[list[int]] = []
        else:
            made = move_data(move, before, table.view) | {"means": table.means[-1]}
            made["hint"] = hint_word(made["means"]) if made["kind"] == "tell" else ""
            if made["kind"] == "discard" or made.get("fits") is False:
                self.discards = [*self.discards, [made["card"], int(before.turn)]]
            for seen in self.turns.values():
                seen[-1] = seen[-1] | {"move": made}
            if move == FORFEIT:
                return
        for seat, seen in self.turns.items():
            turn = turn_data(records, table.over, seat.__eq__) | {"discards": self.discards}
            seen += seen_by({"turns": [turn]}, seat)["turns"]

    def sent(self, seat: int, known: tuple[int, int] = (0, 0)) -> dict[str, Any]:
        """The state of a table for a seat. ``known``: (begun, turns) that its page has already, of which only the last is sent again."""
        table, level = self.table, self.table.help[seat]
        turns = self.turns[seat]
        begun = self.begun * len(LEVELS) + level  # another level is another telling of all
        first = (
            min(max(0, known[1] - 1), len(turns) - 1) if known[0] == begun and not table.over else 0
        )
        over, variant = table.over, table.variant
        lines = ended(table) if over else []
        game = law_data(variant) | {
            "id": "",
            "agents": table.names,
            "live": live_link(table.game) if over and isinstance(table.start, Game) else "",
            "score": int(table.view.score),
            "end": table.end,
            "result": lines[0] if over else "",
            "lost": lines[1:],
            "lost_at": None,
            "lists": [],
            "list_of": [-1] * variant.seats,
            "head": "",
            "turns": [self._levelled(turn, KNOWN if over else level) for turn in turns[first:]],
        }
        if over:
            self._reveal(game["turns"])
        else:
            game["seat"] = seat
        return {
            "game": game,
            "begun": begun,
            "first": first,
            "seat": seat,
            "to_move": table.to_move,
            "line": turn_line(table, seat),
            "level": level,
            "over": over,
            "people": self.people,
            "note": table.notes[seat],
            "seed": table.seed if over else None,
            "can_take_back": any(turn["me"] == seat and turn["move"] for turn in turns),
        }

    def _reveal(self, turns):
        """Put in, once the game is over, what was hidden: the seat's own cards, and why agents moved."""
        drawn = self.table.table.state.deck
        for turn in turns:
            turn["hands"] = [
                [card and card | {"card": int(drawn[card["born"]])} for card in hand]
                for hand in turn["hands"]
            ]
            if turn["move"] and self.table.agents[turn["turn"] % self.table.variant.seats]:
                turn["move"] |= {"rule": why(self.table, turn["turn"]), "says": "", "place": None}

    def _levelled(self, turn, level):
        """A turn with no more help than a level gives."""
        hidden = (KNOWLEDGE if level < KNOWN else ()) + (MEANING if level < MEANT else ())
        hands = [
            [
                card and {key: value for key, value in card.items() if key not in hidden}
                for card in hand
            ]
            for hand in turn["hands"]
        ]
        if level < TOLD:
            hands = [[card and card | {"hinted": self.full} for card in hand] for hand in hands]
        move = turn["move"] and dict(turn["move"])
        if move and level < MEANT:
            move |= {"means": [], "hint": ""}
        return turn | {"hands": hands, "move": move}


def whole_game(table: PlayTable) -> dict[str, Any]:
    """A game that is over and began from a position without a history, as the data of a page (evolve/reports/game_data.py), with all
    cards and every reason; without lists, whose answers hang on the history."""
    turns: list[dict[str, Any]] = []
    views: list[np.record] = []

    def see(before: np.record | None, move: int | None) -> None:
        view = table.table.view
        thrown: list[list[int]] = []
        if before is None or move is None:
            turns.clear()
            views.clear()
        else:
            made, rule = move_data(move, before, view), table.reasons[len(turns) - 1]
            turns[-1]["move"] = made | {
                "means": table.means[-1],
                "hint": hint_word(table.means[-1]) if made["kind"] == "tell" else "",
                "rule": rule,
                "says": rule_says(rule),
                "place": None,
                "answers": {},
            }
            thrown = turns[-1]["discards"] + (
                [[made["card"], int(before.turn)]]
                if made["kind"] == "discard" or made.get("fits") is False
                else []
            )
            if move == FORFEIT:
                return
        turns.append(
            turn_data((table.table.state, view), table.over, lambda seat: True)
            | {"discards": thrown}
        )
        views.append(view.copy())

    table.watch = see
    table.again()
    variant, lines = table.variant, ended(table)
    return law_data(variant) | {
        "id": "",
        "agents": table.names,
        "score": int(table.view.score),
        "end": table.end,
        "result": lines[0],
        "lost": lines[1:],
        "lost_at": lost_at(views, variant.perfect),
        "lists": [],
        "list_of": [-1] * variant.seats,
        "live": "",
        "head": "",
        "turns": turns,
    }
