"""Explained knowledge, for people."""

from random_games import STANDARD, walks

from hanabi.text.explanation import explain, knowledge_text, sight_of as sight_seen


def test_explained_knowledge_is_what_sight_says():
    """Every slot of some positions, from every seat; and the texts name each slot once."""
    for turn, (table, view) in enumerate(walks(STANDARD[1], 1, seed=21, wish=0.6)):
        if turn % 6:
            continue
        slots = explain(table, view, STANDARD[1])
        assert len(slots) == sum(int(bits).bit_count() for bits in view.filled)
        for slot in slots:
            sight = sight_seen(table, view, slot.seat)
            assert (
                slot.holder.types == sight.possible()[slot.slot]
                and slot.holder.types >> slot.card & 1
            )
            assert ("playable" in slot.holder.words) == (slot.chance == 1)
            for other, known in slot.others.items():
                assert known.types == sight_seen(table, view, other).considers(slot.seat)[slot.slot]
                assert slot.holder.types & ~known.types == 0 and known.types & ~slot.all.types == 0
        text = knowledge_text(table, view, STANDARD[1])
        assert all(name in text for name in ("Ann", "Bob", "Cal")) and "(to move)" in text
        assert max(map(len, text.splitlines())) <= 110
