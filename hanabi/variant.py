"""What is dealt: a variant of Hanabi, and the named ones."""

import dataclasses
import difflib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hanabi.files import read_toml
from hanabi.moves import STRIDE

NAME = 80  # letters that a name may have: of an agent, a rule, a run, a player
FILE_NAME = 60  # letters that a run's name may have: with a date and a number it names an agent
FILE_BYTES = 200  # of such a name: systems take 255
TEXT = 200  # letters of a variant's settings
LIMITS = {
    "players": (2, 5),
    "colours": (1, 6),
    "ranks": (1, 5),
    "hand": (1, 5),
    "tokens": (1, 8),
    "lives": (1, 4),
}
FLAGS = ("colour_token", "last_round", "stop_when_hopeless")


@dataclass(frozen=True)
class Variant:
    """The rules of one game.

    Attributes:
        players: Players, 2 to 5; None leaves it open.
        colours: Colours, 1 to 6.
        ranks: Ranks, 1 to 5.
        copies: Copies of each rank, 1 to 3; by default 3, 2, ..., 2, 1.
        hand: Cards of a hand, 1 to 5; by default 5 for 2 or 3 players, 4 for 4 or 5.
        tokens: Hint tokens at the start and at most, 1 to 8.
        lives: Lives, 1 to 4.
        colour_token: Whether a completed firework brings a token back.
        last_round: Whether every player moves once more after the last draw; else the game ends.
        stop_when_hopeless: Whether the game ends when no card can be played any more.

    Raises:
        ValueError: for a game that cannot be dealt, in one line.
    """

    players: int | None = None
    colours: int = 5
    ranks: int = 5
    copies: tuple[int, ...] = ()
    hand: int | None = None
    tokens: int = 8
    lives: int = 3
    colour_token: bool = True
    last_round: bool = True
    stop_when_hopeless: bool = False

    def __post_init__(self) -> None:
        for key, (low, high) in LIMITS.items():
            value = getattr(self, key)
            if value is None and key in ("players", "hand"):
                continue
            if type(value) is not int or not low <= value <= high:
                raise ValueError(
                    f"a variant's {key} must be a whole number from {low} to {high}, not "
                    f"{shown(value)}"
                )
        for key in FLAGS:
            if type(getattr(self, key)) is not bool:
                raise ValueError(
                    f"a variant's {key} must be true or false, not {shown(getattr(self, key))}"
                )
        copies = self.copies or ((3,) + (2,) * (self.ranks - 2) + (1,))[: self.ranks]
        if (
            not isinstance(copies, (tuple, list))
            or len(copies) != self.ranks
            or any(type(n) is not int or not 1 <= n <= 3 for n in copies)
        ):
            raise ValueError(
                f"a variant's copies must be {self.ranks} numbers from 1 to 3, one for each rank, "
                f"not {shown(copies)}"
            )
        object.__setattr__(self, "copies", tuple(copies))
        if self.players and self.players * self.hand_size >= self.cards:
            raise ValueError(
                f"{self.players} hands of {self.hand_size} leave nothing to draw from "
                f"{self.cards} cards: seat fewer players, deal fewer cards or add colours or copies"
            )

    @property
    def seats(self) -> int:
        """Number of players. Raises ValueError where it is open."""
        if self.players is None:
            raise ValueError("say how many players: 2 to 5")
        return self.players

    @property
    def cards(self) -> int:
        """Number of cards."""
        return self.colours * sum(self.copies)

    @property
    def perfect(self) -> int:
        """Highest score."""
        return self.colours * self.ranks

    @property
    def hand_size(self) -> int:
        """Cards in each hand. Raises ValueError where ``players`` and ``hand`` are open."""
        if self.hand is not None:
            return self.hand
        if self.players is None:
            raise ValueError("how many cards a hand has depends on the players: say how many")
        return 5 if self.players <= 3 else 4

    def at(self, players: int | None = None) -> "Variant":
        """Return this variant with a number of players.

        Raises:
            ValueError: where it is for another number of players.
        """
        if players is not None and self.players is not None and players != self.players:
            raise ValueError(f"this variant is for {self.players} players, not {players}")
        return dataclasses.replace(self, players=self.seats if players is None else players)

    def deck(self) -> list[int]:
        """Return every card, sorted."""
        return [
            colour * STRIDE + rank
            for colour in range(self.colours)
            for rank, copies in enumerate(self.copies)
            for _ in range(copies)
        ]

    def __str__(self) -> str:
        """Return the shortest text that reads back: a name, or the changes to ``standard``."""
        for name, variant in NAMED.items():
            if self == variant:
                return name
            if self.players and variant.players is None and self == variant.at(self.players):
                return name
        changes = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != getattr(NAMED["standard"], field.name):
                text = "".join(map(str, value)) if field.name == "copies" else str(value).lower()
                changes.append(f"{field.name}={text}")
        return ",".join(changes)


NAMED = {
    "standard": Variant(),
    # the 18 cards of the student report "MAS Hanabi", which says nothing of tokens and lives
    "mini": Variant(players=3, colours=3, ranks=3, copies=(3, 2, 1), hand=3),
    "two-colour": Variant(
        players=2, colours=2, ranks=5, hand=4, last_round=False, stop_when_hopeless=True
    ),
    # the games of publications: Irvall 2023; Osawa 2015; Zhao 2022, with two, three and four
    # colours
    "irvall": Variant(lives=4, colour_token=False),
    "osawa": Variant(players=2, colour_token=False),
    **{
        f"zhao-{colours}": Variant(
            players=2,
            colours=colours,
            hand=4,
            colour_token=False,
            last_round=False,
            stop_when_hopeless=True,
        )
        for colours in (2, 3, 4)
    },
}


def from_mapping(values: dict, where: str = "variant") -> Variant:
    """Return a variant from keys and values of a TOML table; errors call it ``where``."""
    check_keys(values, [field.name for field in dataclasses.fields(Variant)], where)
    values = {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
    with errors_named(where):
        return Variant(**values)


def read_variant(text: str | Variant) -> Variant:
    """Return the variant of a name, a TOML file or settings such as ``colours=3,hand=4``.

    Settings may follow a name: ``mini,hand=4``.

    Raises:
        ValueError: where the text names no variant, in one line.
    """
    if isinstance(text, Variant):
        return text
    if text in NAMED:
        return NAMED[text]
    if text.endswith(".toml"):
        return from_mapping(read_toml(text), text)
    if len(text) > TEXT:
        raise ValueError(f"a variant is written in up to {TEXT} letters, not {len(text):,}")
    if "=" not in text:
        raise ValueError(
            f"no variant {text!r}{nearest(text, NAMED)}; write one of {', '.join(NAMED)}, "
            "a .toml file or settings such as colours=3,hand=4"
        )
    first, *rest = text.split(",")
    base = {} if "=" in first else dataclasses.asdict(read_variant(first))
    values = {}
    for part in ([first] if "=" in first else []) + rest:
        key, equals, value = part.strip().partition("=")
        if not equals or key in values:
            raise ValueError(
                f"variant {text!r}: {part!r} should be one setting, key=value, and each key once"
            )
        values[key] = _setting(key, value, text)
    if "ranks" in values and "copies" not in values:
        base.pop("copies", None)
    return from_mapping(base | values, f"variant {text!r}")


def _setting(key, value, text):
    if value in ("true", "false"):
        return value == "true"
    if not (value.isascii() and value.isdigit()):
        raise ValueError(
            f"variant {text!r}: {f'{key}={value}'!r} should be a whole number, true or false"
        )
    return tuple(map(int, value)) if key == "copies" else int(value)


@contextmanager
def errors_named(where: str) -> Iterator[None]:
    """Put ``where`` and a colon before the message of a ValueError that is raised inside."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def check_distinct(names: Iterable[str], advice: str) -> None:
    """Raise ValueError, one line that ends with advice, where two agents have one name."""
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"two agents are called {name!r}: {advice}")


def check_known(
    name: object, known: Iterable[str], unknown: str, listed: str = "there are"
) -> None:
    """Raise ValueError, one line with the nearest known name, unless a name is known.

    Args:
        name: The name.
        known: The known names.
        unknown: Begin of the error: ``no agent``.
        listed: Words before the known names in the error.
    """
    names = list(known)
    if name not in names:
        close = nearest(str(name), names)
        raise ValueError(f"{unknown} {shown(name)}{close}; {listed} {', '.join(names) or 'none'}")


def check_keys(keys: Iterable[str], known: Iterable[str], where: str) -> None:
    """Raise ValueError, one line, for a key of a table that is not known."""
    for key in keys:
        check_known(key, known, f"{where}: no key", "the keys are")


def nearest(word: str, known) -> str:
    """Return `` (did you mean …?)`` with the nearest known name, or ""."""
    close = difflib.get_close_matches(word, list(known), 1, cutoff=0.5) if len(word) <= NAME else []
    return f" (did you mean {close[0]!r}?)" if close else ""


def check_name(name: object, where: str, is_file: bool = False) -> str:
    """Return a name, if it can be read back wherever it is written.

    Args:
        name: The name of an agent, a player, a run, a study, or a part of one.
        where: What errors begin with.
        is_file: Whether files or folders get this name: of a run, a study, or a part of one.

    Raises:
        ValueError: It is too long, or is no line of plain text. One line.
    """
    most, kind = (FILE_NAME, "a plain word") if is_file else (NAME, "one line of plain text")
    if isinstance(name, str) and name.isprintable() and 0 < len(name.strip()) == len(name) <= most:
        is_path = set("/\\") & set(name) or name[0] in ".-" or len(name.encode()) > FILE_BYTES
        if not is_file or not is_path:
            return name
    raise ValueError(f"{where}: the name {shown(name)} should be {kind} of up to {most} letters")


def shown(value: object) -> str:
    """Return a value as text for an error, at most 60 characters long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
