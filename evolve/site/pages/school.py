"""The school: ten questions about positions, one of the day, and logic puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from hanabi.evolve.analysis.school import KINDS, Question, question, question_of_day
from hanabi.evolve.reports.game_data import game_data, seen_by
from hanabi.evolve.reports.game_page import named_player
from hanabi.evolve.reports.page_parts import SCRIPTS, data_text
from hanabi.evolve.site.page_registry import Page, get, render_page
from hanabi.evolve.site.requests import read_number
from hanabi.evolve.site.seat_view import KNOWLEDGE, MEANING
from hanabi.logic.puzzles import PUZZLES, SEATINGS, play_through, puzzle_of, stages_text
from hanabi.player import Player

SEEDS = 1_000_000_000
LETTERS = 16  # of the case of a puzzle
DIGITS = frozenset("123456789")  # of answers


class SchoolPages(Page):
    """Routes of the school."""

    title, path, order = "School", "/school", 7

    @get("/school")
    def overview(self, request: Request) -> Response:
        """The list of questions of a seed with what was answered, and the form of puzzles."""
        sitting = Sitting.read(request)
        results = sitting.results()
        return render_page(
            "school.html.j2",
            "School",
            (),
            sitting=sitting,
            questions=list(zip(KINDS, results)),
            right=results.count(True),
            answered=len(results) - results.count(None),
        )

    @get("/school/{seed:int}/{number:int}")
    def ask(self, request: Request) -> Response:
        """A question; with an answer also whether that is right, and why."""
        seed, number = request.path_params["seed"], request.path_params["number"]
        if not 1 <= number <= len(KINDS) or seed >= SEEDS:
            raise HTTPException(404, f"A school has questions 1 to {len(KINDS)}.")
        sitting, one = Sitting.read(request)._replace(seed=seed), _question(seed, number - 1)
        given = given_answer(request, one) or sitting.given(number)
        sitting = sitting.with_answer(number, given)
        results = sitting.results()
        following = sitting.link(number + 1) if given and number < len(KINDS) else ""
        answered = len(results) - results.count(None)
        values = {
            "score": f"{results.count(True)} of {answered} right so far." if answered else "",
            "following": following,
        }
        title = f"Question {number} of {len(KINDS)}"
        return _render(one, given, sitting, title=title, **values)

    @get("/school/day")
    def day(self, request: Request) -> Response:
        """The question of the day."""
        one = _question_of_day(date.today())
        values = {"title": "Question of the day", "score": "", "following": ""}
        return _render(one, given_answer(request, one), Sitting.read(request), **values)

    @get("/school/puzzle")
    def puzzle(self, request: Request) -> Response:
        """A logic puzzle, announcement by announcement."""
        asked = request.query_params
        name, case = asked.get("name", "wise-men"), asked.get("case", "").strip().upper()
        seating = asked.get("seating", "all")
        solved, wrong = "", ""
        try:
            if name not in PUZZLES or len(case) > LETTERS:
                raise ValueError(f"The puzzles are {', '.join(PUZZLES)}, of up to 16 people.")
            one = puzzle_of(
                name, case=case or None, seating=seating if name == "wise-men" else None
            )
            solved = stages_text(one, play_through(one))
        except ValueError as error:
            wrong = str(error)
        return render_page(
            "puzzle.html.j2",
            "School",
            (),
            names=list(PUZZLES),
            seatings=list(SEATINGS),
            chosen=dict(name=name, case=case, seating=seating),
            solved=solved,
            wrong=wrong,
        )


class Sitting(NamedTuple):
    """The ten questions of a seed and the answers so far, which addresses carry.

    Attributes:
        seed: The seed of the school.
        answers: A letter per question: the digit of the chosen answer, "-" for none.
    """

    seed: int
    answers: str

    @staticmethod
    def read(request: Request) -> Sitting:
        """Return the sitting of an address; what is no answer counts as none."""
        asked = request.query_params
        letters = [letter if letter in DIGITS else "-" for letter in asked.get("answers", "")]
        answers = "".join(letters[: len(KINDS)]).ljust(len(KINDS), "-")
        return Sitting(min(read_number(asked.get("seed", "0")), SEEDS - 1), answers)

    @property
    def query(self) -> str:
        """The end of an address that keeps the seed and the answers."""
        return f"?seed={self.seed}&answers={self.answers}"

    def link(self, number: int) -> str:
        """Return the address of a question."""
        return f"/school/{self.seed}/{number}?answers={self.answers}"

    def given(self, number: int) -> int:
        """Return the answer to a question, 0 for none."""
        return int(self.answers[number - 1].replace("-", "0"))

    def with_answer(self, number: int, given: int) -> Sitting:
        """Return the sitting after an answer to a question, 0 for none."""
        letter, before = str(given) if given else "-", self.answers
        return self._replace(answers=before[: number - 1] + letter + before[number:])

    def results(self) -> list[bool | None]:
        """Return by question whether its answer is right, None without an answer."""
        return [
            None if letter == "-" else _question(self.seed, place).answer + 1 == int(letter)
            for place, letter in enumerate(self.answers)
        ]


def given_answer(request: Request, one: Question) -> int:
    """Return the place of the answer that a request gives to a question, from 1; 0 for none."""
    given = read_number(request.query_params.get("answer", "0"))
    return given if given <= len(one.choices) else 0


@lru_cache(64)
def _question(seed: int, number: int) -> Question:
    return question(seed, number)


@lru_cache(2)
def _question_of_day(day: date) -> Question:
    return question_of_day(day)


def question_data(one: Question, players: Sequence[Player]) -> dict[str, Any]:
    """Return the position of a question, and the move before it, without any hidden card.

    Args:
        one: The question.
        players: The player of each seat, whose conventions give the meanings of hints; (): none
            are shown.
    """
    turns = range(max(0, one.turn - 1), one.turn + 1)
    shown = seen_by(game_data(one.game, players, turns), one.turn % one.game.variant.seats)
    shown["turns"][-1]["move"] = None
    over = {"result": "", "lost": [], "end": "", "score": 0}
    return shown | over | {"start": len(shown["turns"]) - 1}


def _without_help(turn):
    """Return a turn without what its cards can be and mean."""
    hidden = (*KNOWLEDGE, *MEANING)
    hands = [
        [card and {key: value for key, value in card.items() if key not in hidden} for card in hand]
        for hand in turn["hands"]
    ]
    return turn | {"hands": hands}


def _render(one, given, sitting, **values):
    """Return the page of a question; its board shows no hidden card."""
    players = [named_player(name, len(one.game.agents)) for name in one.game.agents]
    # what hints mean, and what follows for the cards, is shown after the answer
    shown = question_data(one, players if given else ())
    if not given:
        shown["turns"] = [_without_help(turn) for turn in shown["turns"]]
    return render_page(
        "question.html.j2",
        "School",
        SCRIPTS,
        question=one,
        given=given,
        sitting=sitting,
        games=data_text([shown]),
        **values,
    )
