"""The school: ten questions about positions, one of the day, and logic puzzles.

Lessons, too: an agent's conventions as cards with an example each, and a quiz about them; also
from a seat. The costly moves of the user of this machine are asked when they are due, and listed.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.responses import RedirectResponse

from hanabi.evolve.lessons.agent_lessons import QUIZ, Subject, lessons, quiz
from hanabi.evolve.lessons.school import (
    KINDS,
    Mistake,
    Question,
    due_mistakes,
    mistake_rows,
    note_answer,
    question,
    question_of_day,
    read_mistakes,
)
from hanabi.evolve.pools.partner_menu import partner
from hanabi.evolve.reports.game_data import game_data, named_player, seen_by
from hanabi.evolve.site.page_registry import (
    SCRIPTS,
    Page,
    Request,
    Response,
    SiteContext,
    check_this_machine,
    data_text,
    found_or_404,
    get,
    post,
    read_number,
    render_page,
)
from hanabi.evolve.site.seat_view import KNOWLEDGE, MEANING
from hanabi.evolve.site.tables import SEAT
from hanabi.evolve.workbench.service import read_whole
from hanabi.logic.puzzles import PUZZLES, SEATINGS, play_through, puzzle_of, stages_text
from hanabi.player import Player
from hanabi.rules.agents import Agent, load

SEEDS = 1_000_000_000
LETTERS = 16  # of the case of a puzzle
_question, _question_of_day = lru_cache(64)(question), lru_cache(2)(question_of_day)


class SchoolPages(Page):
    """Routes of the school."""

    title, path, order = "School", "/school", 7

    @get("/school")
    def overview(self, request: Request) -> Response:
        """The questions of a seed with what was answered; a script draws their boards."""
        sitting = Sitting.read(request)
        return render_page(
            "school.html.j2",
            "School",
            ("signs.js", "cards.js", "school.js"),
            sitting=sitting,
            kinds=KINDS,
        )

    @get("/school/{seed:int}/{number:int}/board", slow=True)
    def board(self, request: Request) -> dict[str, Any]:
        """The position of a question as data, without what its cards can be and mean."""
        return shown_position(self._find(request)[2])

    @get("/school/{seed:int}/{number:int}")
    def ask(self, request: Request) -> Response:
        """A question; with an answer also whether that is right, and why."""
        seed, number, one = self._find(request)
        sitting = Sitting.read(request)._replace(seed=seed)
        given = given_answer(request, one) or sitting.given(number)
        sitting = sitting.with_answer(number, given)
        return render_question(
            one,
            given,
            sitting,
            (*SCRIPTS, "school.js"),
            title=f"Question {number} of {len(KINDS)}",
            following=sitting.link(number + 1) if given and number < len(KINDS) else "",
            number=number,
        )

    def _find(self, request: Request) -> tuple[int, int, Question]:
        """Return the seed, number and question of an address. Raises HTTPException 404."""
        seed, number = request.path_params["seed"], request.path_params["number"]
        is_question = 1 <= number <= len(KINDS) and seed < SEEDS
        found_or_404(is_question, f"A school has questions 1 to {len(KINDS)}.")
        return seed, number, _question(seed, number - 1)

    @get("/school/day")
    def day(self, request: Request) -> Response:
        """The question of the day."""
        one = _question_of_day(date.today())
        given, sitting = given_answer(request, one), Sitting.read(request)
        return render_question(one, given, sitting, title="Question of the day")

    @get("/school/puzzle")
    def puzzle(self, request: Request) -> Response:
        """A logic puzzle, announcement by announcement."""
        asked = request.query_params
        name, case = asked.get("name", "wise-men"), asked.get("case", "").strip().upper()
        seating, solved, wrong = asked.get("seating", "all"), "", ""
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
    def read(request: Request) -> "Sitting":
        """Return the sitting of an address; what is no answer counts as none."""
        asked = request.query_params
        answers = re.sub("[^1-9]", "-", asked.get("answers", ""))[: len(KINDS)].ljust(
            len(KINDS), "-"
        )
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

    def with_answer(self, number: int, given: int) -> "Sitting":
        """Return the sitting after an answer to a question, 0 for none."""
        before, after = self.answers[: number - 1], self.answers[number:]
        return self._replace(answers=before + (str(given) if given else "-") + after)

    def results(self) -> list[bool | None]:
        """Return by question whether its answer is right, None without an answer."""
        return [
            None if letter == "-" else _question(self.seed, place).answer + 1 == int(letter)
            for place, letter in enumerate(self.answers)
        ]

    def streak(self) -> int:
        """Return how many answers are right after the last wrong one."""
        signs = "".join({None: "", True: "r", False: "w"}[one] for one in self.results())
        return len(signs.rpartition("w")[2])


def given_answer(request: Request, one: Question) -> int:
    """Return the place of the answer that a request gives to a question, from 1; 0 for none."""
    given = read_number(request.query_params.get("answer", "0"))
    return given if given <= len(one.choices) else 0


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
    return shown | {
        "result": "",
        "lost": [],
        "end": "",
        "score": 0,
        "start": len(shown["turns"]) - 1,
    }


def shown_position(one: Question) -> dict[str, Any]:
    """Return the position of a question that is not answered yet, without any help.

    It lacks what its cards can be and mean.
    """
    shown = question_data(one, ())
    for turn in shown["turns"]:
        for card in filter(None, chain(*turn["hands"])):
            for key in (*KNOWLEDGE, *MEANING):
                card.pop(key, None)
    return shown


def render_question(
    one: Question, given: int, sitting: Sitting, scripts: tuple[str, ...] = SCRIPTS, **values: Any
) -> Response:
    """Return the page of a question; its board shows no hidden card.

    Args:
        one: The question.
        given: The place of the answer, from 1; 0 for none.
        sitting: The other questions of the page's reader.
        scripts: The scripts of the page.
        **values: What the template needs besides: ``title``, and perhaps ``score``, ``following``.
    """
    players = [named_player(name, len(one.game.agents)) for name in one.game.agents]
    # what hints mean, and what follows for the cards, is shown after the answer
    shown = question_data(one, players) if given else shown_position(one)
    return render_page(
        "question.html.j2",
        "School",
        scripts,
        question=one,
        given=given,
        sitting=sitting,
        games=data_text([shown]),
        **({"score": "", "following": ""} | values),
    )


USUAL = 3  # players
REMEMBERED = 64  # lessons and quizzes


class Links(NamedTuple):
    """Links of the pages about one agent.

    Attributes:
        cards: The beginning of the address of the cards, up to a parameter.
        quiz: The same of the quiz.
        agent: The page of the agent; "" where it may not be opened.
        others: (name, link) of other agents at the table.
    """

    cards: str
    quiz: str
    agent: str = ""
    others: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def of(name: str) -> "Links":
        """Return the links of an agent that may be seated."""
        name = quote(name)
        return Links(f"/teach/{name}?", f"/teach-quiz/{name}?", f"/agents/{name}")


class TeachPages(Page):
    """Routes that teach an agent; the state of a quiz is its address."""

    def __init__(self, site: SiteContext) -> None:
        super().__init__(site)
        self.found: OrderedDict[tuple[object, ...], Any] = OrderedDict()

    async def _asked(self, request: Request) -> tuple[Agent, Links, str]:
        """Return the agent of an address, its links, and the place in the navigation.

        It may be seated, or sits at the table of a seat: the one asked for, else the first.

        Raises:
            HTTPException: 404 for any other agent.
        """
        given, run = request.path_params, self.site.tables.run
        if "agent" in given:
            agent = await run(load, await run(self.site.find_agent, given["agent"]))
            return agent, Links.of(agent.name), "Agents"
        found, _ = await self.site.tables.enter(given)
        agents = {agent.name: agent for agent in found.table.agents if agent}
        wanted = request.query_params.get("agent", next(iter(agents), ""))
        agent = found_or_404(agents.get(wanted), "This agent does not sit at this table.")
        base = f"/seat/{given['name']}/{given['seat']}/{given['proof']}/teach"
        players = urlencode({"players": len(found.table.specs)})
        others = tuple(
            (name, f"{base}?{urlencode({'agent': name})}&{players}")
            for name in agents
            if name != wanted
        )
        of = urlencode({"agent": wanted})
        place = "Play" if request.state.inside else ""
        return agent, Links(f"{base}?{of}&", f"{base}-quiz?{of}&", "", others), place

    @get("/teach/{agent:path}", f"{SEAT}/teach")
    async def teach(self, request: Request) -> Response:
        """The cards of an agent that may be seated, or that sits at the table of a seat."""
        agent, links, place = await self._asked(request)
        subject = await self._subject(request, agent)
        found = await self._remembered(agent, subject, -1, lambda: lessons(subject))
        card = read_number(request.query_params.get("card", "0"))
        if not 1 <= card <= len(found):
            card = next((place for place, one in enumerate(found, 1) if one.example), 1)
        games = []
        if example := found[card - 1].example:
            turns = range(example.turn, example.last + 2)
            players = [subject.player] * subject.players
            data = await self.site.tables.run(game_data, example.game, players, turns)
            games = [data | {"start": 0}]
        return render_page(
            "teach.html.j2",
            place,
            SCRIPTS,
            subject=subject,
            line=partner(agent.name).line,
            lessons=found,
            card=card,
            here=f"{links.cards}players={subject.players}&",
            quiz=f"{links.quiz}players={subject.players}",
            counts=[
                (count, f"{links.cards}players={count}")
                for count in range(2, 6)
                if agent.plays(count)
            ],
            others=links.others,
            back=links.agent,
            games=data_text(games),
        )

    @get("/teach-quiz/{agent:path}", f"{SEAT}/teach-quiz")
    async def ask(self, request: Request) -> Response:
        """A question about such an agent, or after the last one the result."""
        agent, links, place = await self._asked(request)
        subject = await self._subject(request, agent)
        asked = request.query_params
        seed, answers = read_number(asked.get("seed", "0")), asked.get("answers", "")
        found = await self._remembered(agent, subject, seed, lambda: quiz(subject, seed, QUIZ))
        found_or_404(_are_answers(answers, found), "These are no answers of this quiz.")
        base = f"{links.quiz}players={subject.players}&seed="
        cards = f"{links.cards}players={subject.players}"
        if len(answers) == len(found):
            answered = [
                (one, int(digit) - 1, f"{base}{seed}&answers={answers[:number]}&answer={digit}")
                for number, (one, digit) in enumerate(zip(found, answers))
            ]
            return render_page(
                "quiz_result.html.j2",
                place,
                (),
                subject=subject,
                right=_right(found, answers),
                answered=answered,
                again=f"{base}{seed + 1}",
                cards=cards,
            )
        one, number = found[len(answers)], len(answers) + 1
        given = given_answer(request, one)
        right = _right(found, answers) + (given == one.answer + 1)
        done = len(answers) + (given > 0)
        following = "Next question" if number < len(found) else "Result"
        forth = [(f"{base}{seed}&answers={answers}{given}", following)] if given else []
        hidden = {"players": subject.players, "seed": seed, "answers": answers}
        hidden |= {"agent": asked["agent"]} if "agent" in asked else {}
        players = [subject.player] * subject.players
        data = await self.site.tables.run(question_data, one, players)
        return render_page(
            "agent_question.html.j2",
            place,
            SCRIPTS,
            title=f"{subject.name}: question {number} of {len(found)}",
            question=one,
            given=given,
            hidden=hidden,
            score=f"{right} of {done} right so far." if done else "",
            links=[*forth, (cards, "Its sentences with examples")],
            games=data_text([data | {"lists": []}]),
        )

    async def _remembered(
        self, agent: Agent, subject: Subject, seed: int, make: Callable[[], list]
    ) -> list:
        """Return lessons (seed -1) or the questions of a seed, made at first use."""
        key = agent.hash, agent.name, subject.players, seed
        if key not in self.found:
            self.found[key] = await self.site.tables.run(make, slow=True)
            if len(self.found) > REMEMBERED:
                self.found.popitem(last=False)
        return self.found[key]

    async def _subject(self, request: Request, agent: Agent) -> Subject:
        """Return what is taught: the agent with the number of players asked for."""
        usual = next(count for count in (USUAL, 2, 4, 5) if agent.plays(count))
        players = read_number(request.query_params.get("players", str(usual)))
        return await self.site.tables.run(Subject.of, agent, players)


def _are_answers(answers, questions):
    """Return whether a text has a digit of a choice for each of the first questions."""
    return len(answers) <= len(questions) and all(
        digit in "123456789"[: len(one.choices)] for digit, one in zip(answers, questions)
    )


def _right(questions, answers):
    """Return how many of the answers so far are right."""
    return sum(int(digit) == one.answer + 1 for digit, one in zip(answers, questions))


PATH = "/school/mistakes"


class MistakePages(Page):
    """Routes of costly moves, for this machine alone: they are in the user's data folder."""

    @get(PATH)
    def overview(self, request: Request) -> Response:
        """The move that is due first; where none is due the list of them."""
        check_this_machine(request)
        if due := due_mistakes():
            return RedirectResponse(f"{PATH}/{due[0].key}", 303)
        return render_page("mistakes.html.j2", "School", (), rows=mistake_rows(read_mistakes()))

    @get(f"{PATH}/{{key}}")
    def ask(self, request: Request) -> Response:
        """The position of a costly move; with an answer what each candidate costs."""
        one = self._find(request)
        given = given_answer(request, one.question)
        return render_question(
            one.question,
            given,
            Sitting.read(request),
            (*SCRIPTS, "mistakes.js"),
            title="One of your costly moves",
            score=f"It is asked again from {one.due:%Y-%m-%d %H:%M} UTC on." if given else "",
            following=PATH if given else "",
            note=f"{PATH}/{one.key}",
        )

    @post(f"{PATH}/{{key}}")
    def answer(self, request: Request, sent: dict) -> dict[str, str]:
        """Keep an answer, and say where its page is."""
        one = self._find(request)
        given = read_whole(sent, "answer", 1, len(one.candidates), default=0)
        if one.due <= datetime.now(UTC):  # an answer that is sent twice counts once
            note_answer(one, one.question.is_right(given - 1))
        return {"link": f"{PATH}/{one.key}?answer={given}"}

    def _find(self, request: Request) -> Mistake:
        check_this_machine(request)
        by_key = {one.key: one for one in read_mistakes()}
        return found_or_404(
            by_key.get(request.path_params["key"]), "This move is not kept any more."
        )
