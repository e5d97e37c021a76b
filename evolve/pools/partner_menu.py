"""What a person should expect of each agent as a partner: one line, stars, and time per move."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hanabi.files import read_toml
from hanabi.rules.agents import NAMED, Agent, mean_score, read_scores

DEFAULT = "piers"  # the partner where none is named: its hints mean what they say
STARS = (12, 16, 19, 23)  # points from which on an agent has two, three, four and five stars
MOST = len(STARS) + 1
CARDS = ("hgroup-5", DEFAULT, "pairs")  # partners that the form of a new table shows first
THINKERS = ("search:piers", "search:convention", "partners:cig2018-paper")


class Partner(NamedTuple):
    """An agent as a partner.

    Attributes:
        name: Its spec.
        plays: The conventions of people that it plays by; "" for none.
        says: What its hints mean to it, and what it does, as one line; "" if nobody has said it.
        alone: Mean points with copies of itself; None if not measured.
        strangers: Mean points beside each of the other agents of docs/data/cross.csv; None if not
            measured.
        seconds: Of processor time per move, for an agent that thinks ahead; None for a list.
    """

    name: str
    plays: str
    says: str
    alone: float | None
    strangers: float | None
    seconds: float | None

    @property
    def line(self) -> str:
        """What a menu says: the sentence, the stars, the time per move."""
        return f"{self.says} {self.facts}".strip()

    @property
    def facts(self) -> str:
        """The stars, and the time per move."""
        alone, strangers, seconds = self.alone, self.strangers, self.seconds
        beside = "" if strangers is None else f", with strangers {stars(strangers)}"
        rating = "" if alone is None else f"Alone {stars(alone)}{beside}."
        return f"{rating} {'' if seconds is None else f'{1000 * seconds:.0f} ms per move.'}".strip()


def stars(points: float) -> str:
    """Return mean points as one to five stars."""
    count = 1 + sum(points >= least for least in STARS)
    return "★" * count + "☆" * (MOST - count)


@cache
def _entries():
    return read_toml(Path(__file__).with_name("partners.toml"))


def partner(name: str) -> Partner:
    """Return an agent as a partner; an agent of a user's file has no line."""
    entry = _entries().get(name, {})
    alone, strangers, seconds = map(entry.get, ("alone", "strangers", "seconds"))
    if alone is None and name in NAMED:
        measured = read_scores().get(name)
        alone = mean_score(measured)[0] if measured else None
    return Partner(name, entry.get("plays", ""), entry.get("says", ""), alone, strangers, seconds)


def described() -> list[Partner]:
    """Return all agents that are described, in the order of the file."""
    return [partner(name) for name in _entries()]


def seat_choice(name: str, agent: Agent | None, shown: bool = False) -> dict[str, Any]:
    """Return what the form of a new table says of an agent.

    Args:
        name: Its name there.
        agent: The agent; None where it cannot be read, which is told when it is seated.
        shown: Whether it is one of the partners that are shown as cards.
    """
    told = partner(name)
    players = "".join(str(n) for n in range(2, 6) if agent is None or agent.plays(n))
    more = {"facts": told.facts, "players": players, "shown": shown, "taught": False}
    return told._asdict() | more
