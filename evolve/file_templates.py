"""Files to start from: `hanabi new agent|rule|convention|player FILE` writes one. Each runs as it stands."""

from __future__ import annotations

import os
from pathlib import Path

from hanabi.files import FileWriteError, whole_path
from hanabi.variant import nearest

AGENT = """\
# An agent: lists of rules by player count. The first rule that applies decides.
#   hanabi rules             lists the rules; rules of your own: hanabi new rule my_rules.py
#   hanabi conventions       lists what hints may come to mean
name = "{name}"

# Where no rule applies. "default": discard the oldest card, or with all tokens give a hint. "forfeit": the game ends there.
otherwise = "default"

[rules]
"2-5" = [
    "cig2018.play_safe_card",
    "cig2018.play_probably_safe(chance=0.6)",
    "cig2018.tell_anyone_about_useful",
]

# What hints mean beyond what they say; without this table they mean what they say.
# [conventions]
# "2-5" = ["focus(ranks=0)"]
"""

RULE = '''\
"""A rule of your own. A rule looks at a view, everything except its own hand, and returns a move or NOTHING.

hanabi questions lists what it may ask; hanabi check finds faults.
"""
from hanabi.moves import NOTHING, discard
from hanabi.rulebook import rule
from hanabi.view import oldest


# Each combination of the values is a rule: {name}.throw_oldest(lives=1), {name}.throw_oldest(lives=2), ...
@rule(prefix="{name}.", lives=(1, 2, 3))
def throw_oldest(view, lives):
    """Discard my oldest card if I have at most {{lives:#life|lives}}."""
    # The first paragraph above is the rule's sentence; values stand in braces.
    if view.tokens == view.max_tokens or view.lives > lives:
        return NOTHING                       # the rule does not apply: the next one of the list is asked
    return discard(oldest(view, view.me))
'''

CONVENTION = '''\
"""A convention of your own: it looks at a view and at the reading of a hint, and says what the hint means beyond what it says.

hanabi conventions lists those of the library; hanabi check finds faults. An agent plays by it if its file names it:

    [conventions]
    "2-5" = ["{name}_newest(ranks=1)"]
"""
from hanabi.conventions.marks import promise
from hanabi.conventions.register import convention
from hanabi.moves import SLOTS


# "meaning": asked about each hint, in the order of the list, until one returns 1: this is what the hint means.
@convention("meaning", ranks=(0, 1))
def {name}_newest(view, reading, ranks):
    """The newest card that a hint touches is playable. {{ranks:Only hints of a colour say so.|Hints of a rank say so, too.}}"""
    if reading.rank_told == 1 and ranks == 0:
        return 0                             # it says nothing of this hint: the next convention is asked
    newest = -1
    for slot in range(SLOTS):
        if reading.slots >> slot & 1 and (newest < 0 or view.born[reading.target, slot] > view.born[reading.target, newest]):
            newest = slot
    promise(reading, newest, view.playable)
    return 1
'''

PLAYER = '''\
"""A player in plain Python. It sits wherever an agent may: python:{file}:Careful.

It runs in a process of its own, and has 10 s for a move. A new object plays each game at each seat, so it may remember what it saw.
"""
from hanabi.moves import play
from hanabi.player import default_move
from hanabi.view import playable_chance


class Careful:
    """Plays what is likely enough to fit."""

    def __init__(self, least=1.0):           # python:{file}:Careful,least=0.8 sets it
        self.least = least

    def move(self, view):
        """Return a legal move and the reason for it. The view has everything except its own hand: hanabi questions."""
        for slot in range(view.hand_size):
            if playable_chance(view, slot) >= self.least:        # NaN, and so false, for an empty slot
                return play(slot), "it is likely to fit"
        return default_move(view), "nothing is likely to fit"    # discards the oldest card, or gives a hint
'''
KINDS = {
    "agent": (".toml", AGENT),
    "rule": (".py", RULE),
    "convention": (".py", CONVENTION),
    "player": (".py", PLAYER),
}


def write_template(kind: str, file: Path) -> list[tuple[str, ...]]:
    """Write a file to start from.

    Args:
        kind: agent, rule, convention or player.
        file: where; its name without the ending is the agent's name, and what names of rules begin with.

    Returns:
        The commands to try next, each as words.

    Raises:
        ValueError: one line, for an unknown kind, for a name that does not fit, or where there is a file already.
    """
    if kind not in KINDS:
        raise ValueError(
            f"no kind {kind!r}{nearest(kind, KINDS)}: write agent, rule, convention or player"
        )
    ending, text = KINDS[kind]
    if file.suffix != ending:
        raise ValueError(f"{file}: the file of a new {kind} is called NAME{ending}")
    name = file.stem
    if (
        not (name.isascii() and name.replace("-", "_").isidentifier())
        or "-" in name
        and kind != "agent"
    ):
        raise ValueError(f"{file}: name it by letters, digits and _, such as my_{kind}{ending}")
    if kind in ("rule", "convention"):
        from hanabi.conventions.register import CONVENTION_FAMILIES
        from hanabi.rules import SETS

        if name in SETS or f"{name}_newest" in CONVENTION_FAMILIES:
            raise ValueError(
                f"{file}: there is a set of rules called {name} already; choose another name"
            )
    try:
        with open(whole_path(file), "x", encoding="utf-8") as written:
            written.write(text.format(name=name, file=file))
    except FileExistsError:
        raise ValueError(
            f"{file} is there already, and is not written over: choose another name"
        ) from None
    except OSError as error:
        raise FileWriteError(file, error) from None
    return _next(kind, os.fspath(file), name)


def _next(kind, file, name):
    """The commands to try next."""
    if kind == "agent":
        return [("hanabi", "show", file), ("hanabi", "tournament", file, "piers")]
    if kind == "player":
        return [
            ("hanabi", "tournament", f"python:{file}:Careful", "piers", "--games", "100"),
            ("hanabi", "show", f"python:{file}:Careful", "piers"),
        ]
    return (
        [("hanabi", "check", file), ("hanabi", "evolve", "--preset", "quick", "--rules", file)]
        if kind == "rule"
        else [("hanabi", "check", file)]
    )
