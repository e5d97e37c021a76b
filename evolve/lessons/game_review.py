"""Review of a game: every move's loss against the best one, the costliest moves, and the curve.

Every number is an expected score if all seats follow known lists from there on. The lists are
those of the agents that played. People, and agents without a list, are taken to follow the list of
an agent at the table, or else ``piers``, whose hints mean what they say. What a player could infer
from earlier moves depends on who made them: agents depart from their lists where they search, and
people at any time.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from hanabi.evolve.analysis.candidates import Candidate, candidates_of
from hanabi.game import snapshots
from hanabi.game_record import Game, play_one
from hanabi.lookahead.look_ahead_player import Searcher
from hanabi.lookahead.move_values import (
    AT_ANY_TIME,
    NEVER,
    Departures,
    MoveEvaluator,
    MoveValue,
    ReviewSettings,
    is_significant,
)
from hanabi.moves import FORFEIT, NAMES, SLOTS, is_tell, move_text
from hanabi.notation import all_of
from hanabi.player import ListPlayer
from hanabi.rules.agents import NAMED, load
from hanabi.table import Table
from hanabi.text.commentary import (
    Moment,
    MoveNotes,
    loss_text,
    mistake_sentences,
    notes_of,
)
from hanabi.text.move_facts import BY_AGE, Numbering, lost_at, rule_says
from hanabi.variant import Variant

FOR_PEOPLE = "piers"  # the agent that people are taken to play by
PEOPLE_DOUBT = 0.5  # share of moves in which people are expected to depart from it
COSTLIEST = 3
PEERS = ("piers", "convention")  # agents that people are compared with
PAR = ("pairs", "convention", "piers")  # agents whose points on a deal are its par
SEARCH = "search:"


@dataclass(frozen=True)
class GameReview:
    """The reviewed moves of a game.

    Attributes:
        game: the game.
        by: by seat, the name of the agent that the seat is taken to follow from each position on.
        moves: the values of its moves.
        notes: by turn, what is said about the moves.
        people: the seats of people.
        peers: by agent of PEERS, the turns of people at which its move would be a mistake.
        choices: by turn of a mistake of people: the best move, the one that was made, and others.
        par: what agents make of the deal, and by which books people seem to play; "" where single
            turns are reviewed.
    """

    game: Game
    by: tuple[str, ...]
    moves: tuple[MoveValue, ...]
    notes: dict[int, MoveNotes]
    people: tuple[int, ...] = ()
    peers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    choices: dict[int, tuple[Candidate, ...]] = field(default_factory=dict)
    par: str = ""

    @property
    def model(self) -> str:
        """The sentence that says what the numbers mean."""
        names = list(dict.fromkeys(self.by))
        if len(names) == 1:
            follow = f"every seat follows {names[0]}"
        else:
            follow = ", ".join(f"{NAMES[seat]} follows {name}" for seat, name in enumerate(self.by))
        return f"Points are expected scores if {follow} from there on."

    @property
    def mistakes(self) -> list[MoveValue]:
        """Moves whose loss is larger than chance explains, the costliest first."""
        return sorted(
            (value for value in self.moves if value.is_mistake), key=lambda value: -value.loss
        )

    @property
    def mistake_share(self) -> float:
        """Share of the moves that are mistakes, which sums a game up; 0.0 without moves.

        It ranks agents as their scores do. Points lost per move do not: the few moves after which
        many rollouts lose the last life, and so count 0, dominate their mean.
        """
        return len(self.mistakes) / max(1, len(self.moves))

    @property
    def first_seats(self) -> tuple[int, ...]:
        """The seats whose moves come first: those of people, all where these or none are people."""
        return self.people or tuple(range(self.game.variant.seats))

    @property
    def last_seats(self) -> tuple[int, ...]:
        """The other seats."""
        return tuple(set(range(self.game.variant.seats)) - set(self.first_seats))

    @property
    def summary(self) -> str:
        """The sentence that sums the game up; it begins with the moves of people."""
        mistakes, moves = len(self.costliest(None, self.first_seats)), len(self.moves)
        if not self.people:
            return f"{MistakeShare(mistakes, moves)}."
        moves = sum(value.seat in self.people for value in self.moves)
        who = all_of([NAMES[seat] for seat in self.people])
        parts = [
            f"{name} would make {MistakeShare(len(turns), moves).counts}"
            for name, turns in self.peers.items()
        ]
        beside = f" In the same positions {all_of(parts)}." if parts else ""
        return f"{who}: {MistakeShare(mistakes, moves)}.{beside}"

    def costliest(
        self, count: int | None = COSTLIEST, seats: Sequence[int] | None = None
    ) -> list[MoveValue]:
        """Return the moves of some seats (by default of all) that cost most, None for all."""
        return [value for value in self.mistakes if seats is None or value.seat in seats][:count]

    @property
    def missed_hints(self) -> list[MoveValue]:
        """Mistakes where a hint would have been better than the play or discard."""
        return [value for value in self.mistakes if is_tell(value.best) and not is_tell(value.move)]

    @property
    def mean_loss(self) -> float:
        """Points that a move loses on average; 0.0 for a game without moves."""
        return sum(value.loss for value in self.moves) / max(1, len(self.moves))

    @property
    def efficiency(self) -> float | None:
        """Cards played or touched per hint that was given, as the board counts; None without hints.

        A touched card that is still held counts unless hints show it to be useless.
        """
        moves = [move for move in self.game.moves if move != FORFEIT]
        hints = sum(bool(is_tell(move)) for move in moves)
        view = self.game.at(len(moves))[1]
        held = sum(
            int(view.touched[seat]) >> slot & 1
            and int(view.mask[seat, slot]) & ~int(view.useless) != 0
            for seat in range(self.game.variant.seats)
            for slot in range(SLOTS)
            if int(view.filled[seat]) >> slot & 1
        )
        return (self.game.score + held) / hints if hints else None

    def seat_losses(self) -> list[dict[str, Any]]:
        """Return by seat its moves, its mean loss and its mistakes."""
        found = []
        for seat in range(self.game.variant.seats):
            values = [value for value in self.moves if value.seat == seat]
            found.append(
                dict(
                    seat=NAMES[seat],
                    by=self.by[seat],
                    moves=len(values),
                    mean_loss=round(sum(v.loss for v in values) / max(1, len(values)), 4),
                    mistakes=sum(v.is_mistake for v in values),
                    mistake_share=round(sum(v.is_mistake for v in values) / max(1, len(values)), 4),
                    missed_hints=sum(v.seat == seat for v in self.missed_hints),
                )
            )
        return found

    def sentences(self, value: MoveValue) -> list[str]:
        """Return what is said about a mistake: its cost, what it did, and what was better."""
        return mistake_sentences(value, self.notes[value.turn])

    def with_notes(self) -> Game:
        """Return the game with what each mistake cost as the reason of its move."""
        reasons = list(self.game.rules or ("",) * len(self.game.moves))
        for value in self.mistakes:
            reasons[value.turn] = (
                f"costs {loss_text(value)}, better {self.notes[value.turn].better}"
            )
        return replace(self.game, rules=tuple(reasons) if any(reasons) else ())

    def data(self) -> dict[str, Any]:
        """Return it as data that JSON can hold; slots and seats in moves count as in game files."""
        return dict(
            model=self.model,
            by=list(self.by),
            score=self.game.score,
            perfect=self.game.variant.perfect,
            mistakes=len(self.mistakes),
            mistake_share=round(self.mistake_share, 4),
            mean_loss=round(self.mean_loss, 4),
            par=self.par,
            efficiency=None if self.efficiency is None else round(self.efficiency, 3),
            seats=self.seat_losses(),
            costliest=[value.turn for value in self.costliest()],
            missed_hints=sorted(value.turn for value in self.missed_hints),
            people=[NAMES[seat] for seat in self.people],
            peers={name: list(turns) for name, turns in self.peers.items()},
            moves=[self._move_data(value) for value in self.moves],
        )

    def _move_data(self, value):
        notes = self.notes.get(value.turn) if value.is_mistake else None
        return dict(
            turn=value.turn,
            seat=NAMES[value.seat],
            move=move_text(value.move),
            best=move_text(value.best),
            value=round(value.value, 3),
            best_value=round(value.best_value, 3),
            loss=round(value.loss, 3),
            error=round(value.error, 3),
            exact=value.exact,
            mistake=value.is_mistake,
            candidates=value.candidates,
            rollouts=value.rollouts,
            **({"notes": notes._asdict()} if notes else {}),
        )


class MistakeShare(NamedTuple):
    """How many moves of a player are mistakes."""

    mistakes: int
    moves: int

    @property
    def share(self) -> float:
        """Mistakes per move, 0.0 without moves."""
        return self.mistakes / max(1, self.moves)

    @property
    def counts(self) -> str:
        """The number and the share, such as ``3 (14 %)``."""
        return f"{self.mistakes} ({percent(self.share)})"

    def __str__(self) -> str:
        are = "is a mistake" if self.mistakes == 1 else "are mistakes"
        return f"{self.mistakes} of {self.moves} moves {are} ({percent(self.share)})"


def percent(share: float) -> str:
    """Return a share such as ``39 %``."""
    return f"{share:.0%}".replace("%", " %")


def players_text(names: Sequence[str], variant: Variant) -> str:
    """Return the players of a game: seats, with the names of agents or people in parentheses."""
    return ", ".join(
        f"{seat} ({name})" if name and name != seat else seat
        for seat, name in zip(NAMES, names or ("",) * variant.seats)
    )


class ReviewModel(NamedTuple):
    """What the players of a reviewed game are taken to be.

    Attributes:
        names: by seat, the agent whose list the seat follows from each position on.
        lists: by seat, that list.
        departures: by seat, when it may have departed from its list.
        people: the seats of people.
    """

    names: list[str]
    lists: list[ListPlayer]
    departures: list[Departures]
    people: tuple[int, ...]

    def evaluator(self, variant: Variant, settings: ReviewSettings) -> MoveEvaluator:
        """Return what evaluates moves; it expects more departures of people and unknown players."""
        if AT_ANY_TIME in self.departures:
            settings = replace(settings, doubt=max(settings.doubt, PEOPLE_DOUBT))
        return MoveEvaluator(variant, self.lists, settings, self.departures)


def model_of(game: Game, by: str | None = None, people: Sequence[int] | None = None) -> ReviewModel:
    """Return what the players of a game are taken to be.

    Args:
        game: the game.
        by: the agent that every seat is taken to follow; None for those that played.
        people: the seats of people; None for those that the game names, and those with names of no
            agent.

    Raises:
        ValueError: ``by`` is no agent with a list of rules.
    """
    seats = game.variant.seats
    agents = list(game.agents or ("",) * seats)
    known = [_agent_of(agent) for agent in agents]
    if by is not None:
        found = _list_named(by, seats)
        if found is None:
            raise ValueError(
                f"--by {by}: a review plays on by lists of rules, and {by} has none; "
                f"name one such as {FOR_PEOPLE} or convention"
            )
        names, lists = [by] * seats, [found] * seats
    else:
        usual = next((name for name in known if name), FOR_PEOPLE)
        names = [name or usual for name in known]
        lists = [found for name in names if (found := _list_named(name, seats))]
    departures = [
        _departures_of(agent, seats) if name == one else AT_ANY_TIME
        for agent, name, one in zip(agents, names, known)
    ]
    if people is None:
        persons = game.people or ("",) * seats
        people = [
            seat
            for seat, agent in enumerate(agents)
            if persons[seat] or agent and agent not in NAMED and ":" not in agent
        ]
    return ReviewModel(names, lists, departures, tuple(people))


def _departures_of(agent: str, seats: int) -> Departures:
    """Return when an agent departs from the list that it follows."""
    if not agent.startswith(SEARCH):
        return NEVER
    try:
        player = load(agent).at(seats)
    except ValueError:  # the settings in a game file are data: no agent need know them
        return AT_ANY_TIME
    if not isinstance(player, Searcher):
        return AT_ANY_TIME
    search = player.search
    return Departures(search.search_deck, search.numbers(seats, search.sits_alone).plays)


def _agent_of(name: str) -> str:
    """Return the named agent whose list a player follows, "" for people and other players.

    Only named agents count: a game file is data, and its names must load no other file.
    """
    while name.startswith(SEARCH):
        name = name.removeprefix(SEARCH).partition(",")[0]
    if name not in NAMED:
        return ""
    return name if _list_named(name, 2) is not None else ""


def _list_named(spec: str, seats: int) -> ListPlayer | None:
    """Return the list that an agent is or follows."""
    player = load(spec).at(seats)
    found = player if isinstance(player, ListPlayer) else player.follows
    return found if found is not None and found.rules else None


def review_game(
    game: Game,
    by: str | None = None,
    settings: ReviewSettings | None = None,
    progress: Callable[..., None] | None = None,
    turns: Sequence[int] | None = None,
    slots: Numbering = BY_AGE,
) -> GameReview:
    """Review the moves of a game.

    Args:
        game: the game.
        by: the agent that every seat is taken to follow; by default those that played.
        settings: how much is computed per move.
        progress: called with (moves done, of all).
        turns: only these turns; by default all.
        slots: how sentences number the cards of a hand.

    Raises:
        ValueError: ``by`` is no agent with a list, or the game has no moves. One line.
    """
    steps = review_steps(game, by, settings, progress, turns, slots)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def review_steps(
    game: Game,
    by: str | None = None,
    settings: ReviewSettings | None = None,
    progress: Callable[..., None] | None = None,
    turns: Sequence[int] | None = None,
    slots: Numbering = BY_AGE,
    people: Sequence[int] | None = None,
) -> Generator[None, None, GameReview]:
    """Review a game as ``review_game`` does, in steps of one move; return the review.

    ``people`` are the seats of people, where they are known.
    """
    model = model_of(game, by, people)
    company, seats = model.lists, game.variant.seats
    moves = [move for move in game.moves if move != FORFEIT]
    if not moves:
        raise ValueError("the game has no moves to review")
    evaluator = model.evaluator(game.variant, settings or ReviewSettings())
    wanted = range(len(moves)) if turns is None else sorted(turns)
    values: list[MoveValue] = []
    known = {name: _list_named(name, seats) for name in PEERS if model.people}
    lists = {name: one for name, one in known.items() if one}
    peers: dict[str, tuple[int, ...]] = dict.fromkeys(lists, ())
    walks = [_walk(game, [one] * seats, moves) for one in lists.values()]
    choices: dict[int, tuple[Candidate, ...]] = {}
    for step, *theirs in zip(_walk(game, company, moves), *walks):
        if step.turn not in wanted:
            continue
        if progress:
            progress(len(values), len(wanted))
        yield
        values.append(evaluator.evaluate(step.view, step.move))
        if step.seat in model.people:
            agents = [one.move(other.view.copy())[0] for one, other in zip(lists.values(), theirs)]
            for name, move in zip(lists, agents):
                if _would_err(evaluator, step.view, values[-1], move):
                    peers[name] += (step.turn,)
            if values[-1].is_mistake:
                choices[step.turn] = candidates_of(evaluator, step.view, values[-1], agents, slots)
    par = deal_sentences(game, model.people) if turns is None else ""
    review = GameReview(
        game, tuple(model.names), tuple(values), {}, model.people, peers, choices, par
    )
    review.notes.update(_notes(review, company, evaluator, moves, slots))
    return review


def _would_err(evaluator, view, value, move):
    """Return whether another move than the reviewed one would be a mistake."""
    if move in (value.move, value.best):
        return move == value.move and value.is_mistake
    return is_significant(*evaluator.loss(view, move, value.best))


def _walk(game, company, moves):
    """Return the steps of a game, with the marks of the lists of the company."""
    table = Table(game.variant, company, game.deck)
    return table.replay(game.seed, range(game.variant.seats), moves)


def _notes(review, company, evaluator, moves, slots):
    """Return by turn what is said about each move."""
    wanted = {value.turn: value for value in review.moves}
    found = {}
    for step in _walk(review.game, company, moves):
        if value := wanted.get(step.turn):
            view = step.view.copy()
            moment = Moment(step.state.copy(), view, company)
            place, listed = evaluator.context.listed(view)
            reason = company[step.seat].reason(place)
            found[step.turn] = notes_of(value, moment, (listed, rule_says(reason)), slots)
    return found


def first_out_of_reach(game: Game) -> int | None:
    """Return the first turn at which a perfect score was out of reach; None if it never was."""
    lost = lost_at([view for _, view in snapshots(game.steps())], game.variant.perfect)
    return None if lost is None else lost + 1


def par_sentence(game: Game) -> str:
    """Return what agents make of the deal of a game, and when its perfect score was lost."""
    seats, perfect = game.variant.seats, game.variant.perfect
    scores = [
        f"{name} makes {play_one(game.variant, [name], [0] * seats, game.seed, game.deck).score}"
        for name in PAR
        if load(name).plays(seats)
    ]
    turn = first_out_of_reach(game)
    lost = f"out of reach from turn {turn} on" if turn is not None else "within reach to the end"
    return f"On this deal {all_of(scores)} points. {perfect} points were {lost}."


def deal_sentences(game: Game, people: Sequence[int]) -> str:
    """Return what agents make of a deal, and by which books of conventions people seem to play.

    Args:
        game: The game.
        people: The seats of people; a single one is spoken to.
    """
    # here: it registers an agent kind, and is only needed after a game
    from hanabi.rules.agents.any_book import book_sentences

    return " ".join([par_sentence(game), *book_sentences(game, people)])
