"""A position explained: what each player knows about its cards, and what others know that it knows. For people.

Everything follows from `hanabi.knowledge.sight`, asked once for every seat. For each slot: the types that its holder thinks
possible, as a small table, what follows from them for certain, and how much of that each other player knows that the
holder knows (K_q K_p) and is common knowledge.
"""
from __future__ import annotations

import textwrap
from dataclasses import dataclass

import numpy as np

from hanabi.cards import COLOURS, STRIDE, TYPES, card_text, set_text
from hanabi.knowledge.sight import Sight
from hanabi.moves import NAMES
from hanabi.notation import told_text
from hanabi.variant import Variant
from hanabi.view import critical
from hanabi.words.slots import OWN, Numbering

ALL = (1 << TYPES) - 1


def sight_of(table: np.record, view: np.record, seat: int | None = None) -> Sight:
    """What a seat sees (the one to move if none is said), from the two records of a game."""
    players, width = int(view.players), int(view.hand_size)
    left = [sum(int(plane) >> card & 1 for plane in view.pool) for card in range(TYPES)]
    return Sight.of(view.mask[:players, :width].tolist(), table.hands[:players, :width].tolist(),
                    int(view.me) if seat is None else seat, left)


@dataclass(frozen=True)
class Known:
    """What is known of one slot: a set of types that are possible, and what follows from it, in words."""
    types: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Slot:
    """A card and what is known of it. ``chance``: that it is playable, for its holder. ``holder``: what its holder
    knows; ``others``: what each other seat knows that the holder knows; ``all``: common knowledge (sound, see
    public.common)."""
    seat: int
    slot: int
    card: int
    told: str
    chance: float
    holder: Known
    others: dict[int, Known]
    all: Known


def explain(table: np.record, view: np.record, variant: Variant) -> list[Slot]:
    """Every slot that holds a card, by seat."""
    sights = [sight_of(table, view, seat) for seat in range(view.players)]
    kinds = {"playable": int(view.playable), "dead": int(view.dead), "unreachable": int(view.useless & ~view.dead),
             "critical": int(critical(view))}
    kinds["dispensable"] = ALL & ~int(view.useless) & ~kinds["critical"]
    found = []
    for seat, sight in enumerate(sights):
        mine, total, ways = sight.possible(), sight.total(), sight.weigh(kinds["playable"])
        theirs = {other: (sights[other].considers(seat), sights[other].knows_duplicates(seat))
                  for other in range(view.players) if other != seat}
        shared = sight.common().sets[seat]
        for slot in range(variant.hand_size):
            if view.filled[seat] >> slot & 1:
                found.append(Slot(
                    seat, slot, int(table.hands[seat, slot]), told_text(int(view.mask[seat, slot]), variant),
                    ways[slot] / total, _known(mine[slot], kinds, mine[slot] & ~sight.in_hands() == 0),
                    {other: _known(sets[slot], kinds, duplicates[slot]) for other, (sets, duplicates) in theirs.items()},
                    _known(shared[slot], kinds, False)))
    return found


def _known(types, kinds, duplicate):
    words = [card_text(types.bit_length() - 1)] if types.bit_count() == 1 else []
    words += [name for name, kind in kinds.items() if types & ~kind == 0]
    words += ["not playable"] if types & kinds["playable"] == 0 and not {"dead", "unreachable"} & set(words) else []
    if not {"dead", "unreachable", "critical", "dispensable"} & set(words):
        useless = kinds["dead"] | kinds["unreachable"]
        words += ["useless"] if types & ~useless == 0 else ["not critical"] if types & kinds["critical"] == 0 else []
    return Known(types, tuple(words + ["a duplicate"] * bool(duplicate)))


def slot_data(slot: Slot) -> dict:
    """A slot as data that JSON can hold; sets of types as text (cards.set_text)."""
    def data(known):
        return {"possible": set_text(known.types), "knows": list(known.words)}
    return {"seat": NAMES[slot.seat], "slot": slot.slot, "card": card_text(slot.card), "told": slot.told,
            "playable_chance": round(slot.chance, 6), "holder": data(slot.holder),
            "others": {NAMES[seat]: data(known) for seat, known in slot.others.items()}, "everybody": data(slot.all)}


def knowledge_data(table: np.record, view: np.record, variant: Variant) -> list[dict]:
    """`explain` as data that JSON can hold."""
    return [slot_data(slot) for slot in explain(table, view, variant)]


def types_row(types: int, variant: Variant) -> str:
    """A set of types as a row: ``..3.. 1.3..`` for red 3, blue 1, blue 3; a column a colour."""
    return " ".join("".join(str(rank + 1) if types >> STRIDE * colour + rank & 1 else "."
                            for rank in range(variant.ranks)) for colour in range(variant.colours))


def words_of(slot: Slot) -> list[str]:
    """What is known of a slot in plain sentences."""
    holder, lines = NAMES[slot.seat], []
    if not slot.holder.words:
        return [f"{holder} knows nothing for certain."]
    lines.append(f"{holder} knows: {_list(slot.holder.words)}.")
    if set(slot.all.words) >= set(slot.holder.words):
        return [*lines, "This is common knowledge."]
    knowing: dict[tuple[str, ...], list[str]] = {}
    for seat, known in slot.others.items():
        knowing.setdefault(known.words, []).append(NAMES[seat])
    for words, names in knowing.items():
        know = "know" if len(names) > 1 else "knows"
        if set(words) >= set(slot.holder.words):
            lines.append(f"{_list(names)} {know} that {holder} knows this.")
        elif words:
            lines.append(f"{_list(names)} {know} only that {holder} knows: {_list(words)}.")
        else:
            lines.append(f"{_list(names)} {know} of none of this that {holder} knows it.")
    if slot.all.words:
        lines.append(f"Common knowledge is only: {_list(slot.all.words)}.")
    return lines


def _list(words):
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def knowledge_text(table: np.record, view: np.record, variant: Variant, width: int = 110, numbering: Numbering = OWN) -> str:
    """What is known, for a terminal of so many columns: for each player a table of its slots (what its hints leave
    possible, what the card can be for its holder, how likely it is playable), and below it in words what the holder
    knows and who knows that."""
    header = " ".join(letter.ljust(variant.ranks) for letter in COLOURS[:variant.colours])
    slots, lines, at = explain(table, view, variant), [], numbering.at(view)
    for seat in range(view.players):
        mine = sorted((at(seat, slot.slot), slot) for slot in slots if slot.seat == seat)
        lines.append(f"{NAMES[seat]}{' (to move)' if seat == view.me else ''}")
        if not mine:
            lines.append("  holds no card")
            continue
        told = max(4, *(len(slot.told) for _, slot in mine))
        rows = [("slot", "card", "told", header, "playable")] + [
            (str(number), card_text(slot.card), slot.told or "-", types_row(slot.holder.types, variant), f"{slot.chance:7.1%}")
            for number, slot in mine]
        apart = 2 + 4 + 1 + 4 + 1 + told + 1 + len(header) + 2 + 8 > width       # six colours on 60 columns
        for number, card, hint, types, chance in rows:
            start = f"  {number:<4} {card:<4} {hint:<{told}}"
            lines += [f"{start} {chance}", f"       {types}".rstrip()] if apart else [f"{start} {types}  {chance}"]
        for number, slot in mine:
            if slot.holder.words:
                lines += textwrap.wrap(" ".join(words_of(slot)), width, initial_indent=f"  slot {number}: ",
                                       subsequent_indent=" " * 10)
        silent = [str(number) for number, slot in mine if not slot.holder.words]
        if silent:
            lines += textwrap.wrap(f"Of slot{'s' * (len(silent) > 1)} {_list(silent)} {NAMES[seat]} knows nothing for certain.",
                                   width, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"
