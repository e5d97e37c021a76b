"""Say in words what an observation holds, and what one of its numbers means."""

import json
from pathlib import Path

import numpy as np

from hanabi.action_ids import card_named, their_colours
from hanabi.moves import COLOURS, card_text, set_text
from hanabi.observations.encoding import Part, observation_size, parts_of
from hanabi.variant import NAMED, Variant

_UNARY = ("deck", "tokens", "lives")  # as many ones as there are
_KINDS = ("play", "discard", "hint of a colour", "hint of a rank")


def meaning_of(index: int, variant: Variant) -> str:
    """Return what a number of an observation means, in words.

    Args:
        index: Its index, from 0.
        variant: Variant with its players.

    Raises:
        ValueError: No number has this index. One line.
    """
    size = observation_size(variant)
    if not 0 <= index < size:
        raise ValueError(f"no number {index}: an observation of this game has 0 to {size - 1}")
    part = next(part for part in reversed(parts_of(variant)) if part.start <= index)
    return f"{part.name}: {_words(part, index - part.start, variant)}"


def _words(part: Part, place: int, variant: Variant) -> str:
    """Return what the number at a place of a part means."""
    types, size = variant.perfect, variant.hand_size
    if part.name in _UNARY:
        return f"at least {place + 1}"
    if part.name == "hands":
        hand, kind = divmod(place, types)
        return f"{_seat(hand // size + 1)} holds {_type(kind, variant)} as card {hand % size}"
    if part.name == "knowledge":
        return _knowledge_words(place, variant)
    if part.name == "discards":
        for kind in range(types):
            copies = variant.copies[kind % variant.ranks]
            if place < copies:
                return f"{_type(kind, variant)}, copy {place + 1} of {copies}"
            place -= copies
    if part.name in ("fireworks", "card"):
        return _type(place, variant)
    if part.name in ("missing", "mover", "target"):
        return _seat(place)
    if part.name == "colour told":
        return _colour(place, variant)
    if part.name == "rank told":
        return str(place + 1)
    if part.name in ("touched", "place"):
        return f"card {place}"
    return _KINDS[place] if part.name == "kind" else "yes"


def _knowledge_words(place, variant):
    types = variant.perfect
    card, kind = divmod(place, types + variant.colours + variant.ranks)
    seat, slot = divmod(card, variant.hand_size)
    which = f"{_seat(seat)}, card {slot}"
    if kind < types:
        return f"{which} can be {_type(kind, variant)}"
    told = kind - types
    named = _colour(told, variant) if told < variant.colours else told - variant.colours + 1
    return f"{which} was told {named}"


def _seat(offset):
    return f"seat +{offset}" if offset else "the observer"


def _colour(theirs, variant):
    return COLOURS[their_colours(variant.colours)[theirs]]


def _type(kind, variant):
    return card_text(card_named(kind // variant.ranks, kind % variant.ranks, variant.colours))


def decode(observation: np.ndarray, variant: Variant) -> str:
    """Return what an observation says, a line for each part that is not empty.

    Cards of a hand are numbered from the oldest, 0. Shares of JaxMARL's layout are read as types
    that are possible.

    Args:
        observation: The numbers.
        variant: Variant with its players.

    Raises:
        ValueError: It has not as many numbers as an observation of this game. One line.
    """
    values, size = np.asarray(observation), observation_size(variant)
    if values.shape != (size,):
        raise ValueError(
            f"an observation of this game has {size} numbers, not shape {values.shape}"
        )
    lines = []
    for part in parts_of(variant):
        places = np.flatnonzero(values[part.start : part.start + part.length]).tolist()
        if part.name in _UNARY:
            lines.append(f"{part.name}: {len(places)}")
        elif part.name == "knowledge":
            lines += _knowledge_lines(places, variant)
        elif places:
            lines.append(
                f"{part.name}: {'; '.join(_words(part, place, variant) for place in places)}"
            )
    return "\n".join(lines)


def read_observation(file: Path) -> tuple[np.ndarray, Variant]:
    """Return the observation in a file, and the standard game that has so many numbers.

    Args:
        file: A list of numbers, .json or numpy's .npy.

    Raises:
        ValueError: It is neither, or no game has so many numbers. One line.
    """
    try:
        found = (
            np.load(file, allow_pickle=False)
            if file.suffix == ".npy"
            else np.array(json.loads(file.read_text(encoding="utf-8")), float)
        )
    except (OSError, ValueError, TypeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no list of numbers"
        raise ValueError(f"{file}: {reason}: write an observation as .json or .npy") from None
    sizes = {observation_size(NAMED["standard"].at(count)): count for count in (2, 3, 4, 5)}
    if found.ndim != 1 or len(found) not in sizes:
        raise ValueError(
            f"{file}: an observation has {', '.join(map(str, sizes))} numbers for 2, 3, 4, 5 "
            f"players, not shape {found.shape}"
        )
    return found, NAMED["standard"].at(sizes[len(found)])


def _knowledge_lines(places, variant):
    """Return a line for each card, with the types that it can be and what was told."""
    types, width = variant.perfect, variant.perfect + variant.colours + variant.ranks
    cards: dict[int, list[int]] = {}
    for place in places:
        cards.setdefault(place // width, []).append(place % width)
    lines = []
    for card, kinds in cards.items():
        possible = sum(
            1 << card_named(kind // variant.ranks, kind % variant.ranks, variant.colours)
            for kind in kinds
            if kind < types
        )
        told = [_knowledge_words(card * width + kind, variant) for kind in kinds if kind >= types]
        said = "".join(f"; {words.partition(' was ')[2]}" for words in told)
        seat, slot = divmod(card, variant.hand_size)
        lines.append(f"{_seat(seat)}, card {slot}: {set_text(possible)}{said}")
    return lines
