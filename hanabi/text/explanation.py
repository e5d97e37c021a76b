"""What each player knows about its cards in a position, and explanations of searches.

Also what others know that it knows. Everything is computed with `hanabi.knowledge.plain_interface`,
once for every seat. For each slot: the types that its holder thinks possible, as a small table,
what follows from them for certain, and how much of that each other player knows that the holder
knows (K_q K_p) and is common knowledge.

Where the seat to move has cards written ``??``, the knowledge of others depends on them, as they
see them. Then everything is described from the view of that seat: what it knows, and what it knows
that the others know.

Searches are explained in sentences for ``hanabi show --search`` and ``hanabi ask search:…``.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hanabi.knowledge.plain_interface import sight_of
from hanabi.lookahead.search_explanation import Candidate, Card, SearchExplanation
from hanabi.moves import (
    ALL,
    COLOURS,
    NAMES,
    NO_CARD,
    STRIDE,
    UNKNOWN,
    card_text,
    is_tell,
    move_text,
    set_text,
)
from hanabi.notation import all_of, counted, mask_text
from hanabi.text.move_facts import BY_AGE, Numbering
from hanabi.variant import Variant
from hanabi.view import critical


@dataclass(frozen=True)
class Known:
    """What is known of one slot: the set of possible types, and what follows from it, as words."""

    types: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Slot:
    """A card (-1 for ``??``) and what is known of it.

    Values that depend on cards written ``??`` are None or missing.

    Attributes:
        chance: The chance for its holder that it is playable.
        holder: What its holder knows.
        others: What each other seat knows that the holder knows.
        all: Common knowledge (never too small a set, see `common_knowledge.common`).
    """

    seat: int
    slot: int
    card: int
    told: str
    chance: float | None
    holder: Known | None
    others: dict[int, Known]
    all: Known


def explain(
    table: np.record, view: np.record, variant: Variant, unknown: Sequence[int] = ()
) -> list[Slot]:
    """Return every slot that holds a card, by seat.

    `unknown` are the slots of the seat to move that are written ``??`` (`Position.unknown`).
    """
    me = int(view.me)
    sights = {
        seat: sight_of(table, view, seat)
        for seat in range(view.players)
        if seat == me or not unknown
    }
    kinds = {
        "playable": int(view.playable),
        "dead": int(view.dead),
        "unreachable": int(view.useless & ~view.dead),
        "critical": int(critical(view)),
    }
    kinds["dispensable"] = ALL & ~int(view.useless) & ~kinds["critical"]
    found = []
    for seat in range(view.players):
        sight = sights.get(seat)
        mine, total, ways = (
            (sight.possible(), sight.total(), sight.weigh(kinds["playable"]))
            if sight
            else ([], 0, [])
        )
        theirs = {
            other: (one.considers(seat), one.knows_duplicates(seat))
            for other, one in sights.items()
            if other != seat
        }
        shared = (sight or sights[me]).common().sets[seat]
        for slot in range(variant.hand_size):
            if view.filled[seat] >> slot & 1:
                found.append(
                    Slot(
                        seat,
                        slot,
                        NO_CARD if seat == me and slot in unknown else int(table.hands[seat, slot]),
                        mask_text(int(view.mask[seat, slot]), variant),
                        ways[slot] / total if sight else None,
                        _known(mine[slot], kinds, mine[slot] & ~sight.in_hands() == 0)
                        if sight
                        else None,
                        {
                            other: _known(sets[slot], kinds, duplicates[slot])
                            for other, (sets, duplicates) in theirs.items()
                        },
                        _known(shared[slot], kinds, False),
                    )
                )
    return found


def _known(types, kinds, duplicate):
    words = [card_text(types.bit_length() - 1)] if types.bit_count() == 1 else []
    words += [name for name, kind in kinds.items() if types & ~kind == 0]
    words += (
        ["not playable"]
        if types & kinds["playable"] == 0 and not {"dead", "unreachable"} & set(words)
        else []
    )
    if not {"dead", "unreachable", "critical", "dispensable"} & set(words):
        useless = kinds["dead"] | kinds["unreachable"]
        words += (
            ["useless"]
            if types & ~useless == 0
            else ["not critical"]
            if types & kinds["critical"] == 0
            else []
        )
    return Known(types, tuple(words + ["a duplicate"] * bool(duplicate)))


def slot_data(slot: Slot) -> dict:
    """Return a slot as data that JSON can hold; sets of types are text (cards.set_text)."""

    def data(known):
        return {"possible": set_text(known.types), "knows": list(known.words)}

    return {
        "seat": NAMES[slot.seat],
        "slot": slot.slot,
        "card": _card(slot),
        "told": slot.told,
        "playable_chance": None if slot.chance is None else round(slot.chance, 6),
        "holder": slot.holder and data(slot.holder),
        "others": {NAMES[seat]: data(known) for seat, known in slot.others.items()},
        "everybody": data(slot.all),
    }


def _card(slot):
    return UNKNOWN if slot.card == NO_CARD else card_text(slot.card)


def knowledge_data(
    table: np.record, view: np.record, variant: Variant, unknown: Sequence[int] = ()
) -> list[dict]:
    """Return `explain` as data that JSON can hold."""
    return [slot_data(slot) for slot in explain(table, view, variant, unknown)]


def types_row(types: int, variant: Variant) -> str:
    """Return a set of types as a row, a column per colour.

    For example ``..3.. 1.3..`` for red 3, blue 1, blue 3.
    """
    return " ".join(
        "".join(
            str(rank + 1) if types >> STRIDE * colour + rank & 1 else "."
            for rank in range(variant.ranks)
        )
        for colour in range(variant.colours)
    )


def words_of(slot: Slot) -> list[str]:
    """Return what is known of a slot in plain sentences."""
    holder, lines = NAMES[slot.seat], []
    who = holder if slot.holder else f"{NAMES[next(iter(slot.others))]} knows that {holder}"
    words = _first(slot).words
    if not words:
        return [f"{holder} knows nothing for certain."]
    lines.append(f"{who} knows: {all_of(words)}.")
    if set(slot.all.words) >= set(words):
        return [*lines, "This is common knowledge."]
    knowing: dict[tuple[str, ...], list[str]] = {}
    for seat, known in slot.others.items() if slot.holder else ():
        knowing.setdefault(known.words, []).append(NAMES[seat])
    for theirs, names in knowing.items():
        know = "know" if len(names) > 1 else "knows"
        if set(theirs) >= set(words):
            lines.append(f"{all_of(names)} {know} that {holder} knows this.")
        elif theirs:
            lines.append(f"{all_of(names)} {know} only that {holder} knows: {all_of(theirs)}.")
        else:
            lines.append(f"{all_of(names)} {know} of none of this that {holder} knows it.")
    if slot.all.words:
        lines.append(f"Common knowledge is only: {all_of(slot.all.words)}.")
    return lines


def _first(slot):
    """Return the most certain knowledge of a slot: its holder's.

    Where that depends on cards written ``??``: what the seat to move knows that the holder knows.
    """
    return slot.holder or next(iter(slot.others.values()))


def knowledge_text(
    table: np.record,
    view: np.record,
    variant: Variant,
    width: int = 110,
    numbering: Numbering = BY_AGE,
    unknown: Sequence[int] = (),
) -> str:
    """Return what is known in a position, for a terminal of `width` columns.

    For each player a table of its slots (what its hints leave possible, what the card can be for
    its holder, how likely it is playable), and below it in words what the holder knows and who
    knows that. `unknown` is as for `explain`.
    """
    header = " ".join(letter.ljust(variant.ranks) for letter in COLOURS[: variant.colours])
    slots, lines, at, mover = (
        explain(table, view, variant, unknown),
        [],
        numbering.at(view),
        NAMES[view.me],
    )
    if unknown:
        lines += [
            *textwrap.wrap(
                f"Cards of {mover} are written ??, and what others know hangs on them: of the "
                "others stands here what "
                f"{mover} knows that they know.",
                width,
            ),
            "",
        ]
    for seat in range(view.players):
        mine = sorted((at(seat, slot.slot), slot) for slot in slots if slot.seat == seat)
        title = NAMES[seat]
        if seat == view.me:
            title += " (to move)"
        elif unknown:
            title += f", as far as {mover} can tell"
        lines.append(title)
        if not mine:
            lines.append("  holds no card")
            continue
        told = max(4, *(len(slot.told) for _, slot in mine))
        rows = [("slot", "card", "told", header, "playable")] + [
            (
                str(number),
                _card(slot),
                slot.told or "-",
                types_row(_first(slot).types, variant),
                f"{'?' if slot.chance is None else f'{slot.chance:.1%}':>7}",
            )
            for number, slot in mine
        ]
        apart = (
            2 + 4 + 1 + 4 + 1 + told + 1 + len(header) + 2 + 8 > width
        )  # six colours on 60 columns
        for number, card, hint, types, chance in rows:
            start = f"  {number:<4} {card:<4} {hint:<{told}}"
            lines += (
                [f"{start} {chance}", f"       {types}".rstrip()]
                if apart
                else [f"{start} {types}  {chance}"]
            )
        for number, slot in mine:
            if _first(slot).words:
                lines += textwrap.wrap(
                    " ".join(words_of(slot)),
                    width,
                    initial_indent=f"  slot {number}: ",
                    subsequent_indent=" " * 10,
                )
        silent = [str(number) for number, slot in mine if not _first(slot).words]
        if silent:
            knows = (
                f"{NAMES[seat]} knows nothing"
                if mine[0][1].holder
                else f"{mover} knows of nothing that {NAMES[seat]} knows"
            )
            lines += textwrap.wrap(
                f"Of slot{'s' * (len(silent) > 1)} {all_of(silent)} {knows} for certain.",
                width,
                initial_indent="  ",
                subsequent_indent="    ",
            )
    return "\n".join(lines) + "\n"


SHOWN = 3  # chances of a card, and candidates, that are listed
SURE = 0.995


def search_sentences(
    explanation: SearchExplanation, view: np.record, numbering: Numbering = BY_AGE
) -> list[str]:
    """Return sentences on what was tried, and why the list's move was made or not.

    Args:
        explanation: of the move.
        view: what the seat saw.
        numbering: how slots are numbered.
    """
    born = view.born[view.me].tolist()

    def named(move):
        return numbering.move(move_text(move), born)

    lines = _partner_sentence(explanation.taken)
    if not explanation.searched:
        return [*lines, "It follows its list without a thought."]
    listed = named(explanation.listed)
    others = [one for one in explanation.candidates if one.move != explanation.listed]
    if not others:
        return [*lines, f"There is nothing to choose: {listed}."]
    worlds = max(one.worlds for one in explanation.candidates)
    where = f"in {counted(worlds, 'world')} that may be"
    if explanation.exact:
        where = f"in each of {counted(worlds, 'hand')} that it may hold"
    tried = ", ".join(f"{named(one.move)} {gain_text(one)}" for one in others[:SHOWN])
    lines.append(
        f"Its list wants {listed} ({explanation.rule}). "
        f"{counted(len(others), 'other move')} tried {where}: {tried}."
    )
    if explanation.move == explanation.listed:
        lines.append("No other move brings enough more for certain, so it follows its list.")
    else:
        move = named(explanation.move)
        lines.append(
            f"{move[0].upper()}{move[1:]} brings {gain_text(others[0])} points more, "
            "so it leaves its list."
        )
    return lines


def _partner_sentence(taken: str) -> list[str]:
    """Return a sentence on whom it takes its partners for, such as ``for piers 97%``; [] for ""."""
    if not taken:
        return []
    whom, _, sure = taken.rpartition(" ")
    if sure.endswith("%"):
        sure = f"({sure})"
    return [f"It takes its partners {whom} {sure}."]


def gain_text(candidate: Candidate) -> str:
    """Return the gain of a candidate, such as ``+0.62 ± 0.15``."""
    error = f" ± {candidate.error:.2f}" if candidate.error else ""
    return f"{candidate.gain:+.2f}{error}"


def card_sentences(
    explanation: SearchExplanation, view: np.record, numbering: Numbering = BY_AGE
) -> list[str]:
    """Return for each card of the seat its likeliest types, and the move that told most of it."""
    slot_at, me = numbering.at(view), int(view.me)
    lines = []
    for card in sorted(explanation.cards, key=lambda card: slot_at(me, card.slot)):
        likely = card.chances[:SHOWN]
        text = ", ".join(f"{card_text(one)} {chance:.0%}" for one, chance in likely)
        if card.chances[0][1] >= SURE:
            text = f"{card_text(card.chances[0][0])} for certain"
        elif len(card.chances) > len(likely):
            text += f", or one of {len(card.chances) - len(likely)} more"
        lines.append(f"Slot {slot_at(me, card.slot)}: {text}.{_evidence_sentence(card, view)}")
    return lines


def _evidence_sentence(card: Card, view: np.record) -> str:
    if card.told is None:
        return ""
    name = NAMES[card.told.turn % int(view.players)]
    kind = "hint" if is_tell(card.told.move) else move_text(card.told.move).split()[0]
    return f" {name}'s {kind} of turn {card.told.turn} told most of it ({card.told.bits:.1f} bits)."


def notes(
    explanations: Sequence[tuple[SearchExplanation, np.record] | None],
    numbering: Numbering = BY_AGE,
) -> list[list[str]]:
    """Return the sentences for each move of a game; none where the seat did not search."""
    return [
        [*search_sentences(*entry, numbering), " ".join(card_sentences(*entry, numbering))]
        if entry and entry[0].searched
        else []
        for entry in explanations
    ]
