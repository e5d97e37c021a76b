"""What a move means is said before it is made: the lives that natural hints cost are warned of."""

from collections import Counter

import pytest
from natural_hints import STANDARD, life_is_lost, natural_hints

from hanabi.evolve.site.move_preview import NOTHING_SAID, at_level, preview_move
from hanabi.evolve.site.play_table import PERSON, PlayTable, new_game
from hanabi.game import legal_moves
from hanabi.moves import discard, is_tell, play, target_of, tell_rank
from hanabi.positions.position import Position


def test_each_natural_hint_that_costs_a_life_is_warned_of():
    """The trap of the partner `convention`: 36 of 58 deals at three players."""
    found = [
        (bool(preview_move(table, 0, move).warnings), life_is_lost(table, move))
        for table, move in natural_hints("convention", 3)
    ]
    assert len(found) == 58 and sum(lost for _, lost in found) == 36
    assert all(warned for warned, lost in found if lost)
    late = sum(warned and not lost for warned, lost in found)
    assert late == 3, "the order is carried out a turn later, or the other copy is not played"


def test_a_hint_that_means_what_it_says_is_not_warned_of():
    for table, move in natural_hints("piers", 3, range(10)):
        preview = preview_move(table, 0, move)
        assert preview.meaning == ["It means what it says."] and not preview.warnings


def test_by_a_code_a_hint_is_a_number_and_the_right_one_tags_the_cards_of_all_readers():
    table, _ = next(natural_hints("code-information", 3, range(1)))
    hints = [move for move in legal_moves(table.view) if is_tell(move)]
    previews = [preview_move(table, 0, int(move)) for move in hints]
    assert all(one.meaning[0].startswith("It tells number ") for one in previews)
    right = [one for one in previews if "would be right" not in one.meaning[0]]
    assert 0 < len(right) < len(previews)
    for preview in right:
        assert len(preview.meaning) == 3, "each of the two others reads something"
        assert preview.tags and not any(tag.wrong for tag in preview.tags)
    assert any(tag.wrong for preview in previews for tag in preview.tags)


def test_the_help_level_decides_what_is_shown():
    table, preview = next(
        (table, found)
        for table, move in natural_hints("convention", 3)
        if (found := preview_move(table, 0, move)).warnings
    )
    assert at_level(preview, 0) == NOTHING_SAID
    assert at_level(preview, 1) == NOTHING_SAID._replace(warnings=preview.warnings)
    assert at_level(preview, 2) == at_level(preview, 4) == preview
    assert preview.meaning and any(tag.wrong for tag in preview.tags)
    with pytest.raises(ValueError, match="You cannot tell yourself"):
        preview_move(table, 0, int(tell_rank(0, 1)))


OWN_CARDS = """players = 2
tokens = 3
fireworks = "R1"
[hands]
Ann = ["B4", "R1 R1", "R5 5", "Y4", "W4"]
Bob = ["B2", "B3", "G2", "G3", "W2"]
"""


def test_an_own_card_that_cannot_fit_or_is_a_last_copy():
    table = PlayTable([PERSON, "piers"], Position.read(OWN_CARDS))
    [line] = preview_move(table, 0, int(play(1))).warnings
    assert line == ("Whatever this card is, it does not fit: playing it costs a life.", 0, 1)
    [line] = preview_move(table, 0, int(discard(2))).warnings
    assert line == ("It is a last copy: a discard loses its points for good.", 0, 2)
    assert preview_move(table, 0, int(play(0))) == NOTHING_SAID


def hints_to_cal(spec, deals):
    """Yield (table, move): at turn 0 Ann gives Cal each hint."""
    for seed in deals:
        game = new_game(STANDARD, 3, seed)
        for move in legal_moves(PlayTable([PERSON, spec, spec], game).view):
            if is_tell(move) and target_of(move) == 2:
                yield PlayTable([PERSON, spec, spec], game), int(move)


def test_a_hint_of_a_pair_tags_the_card_of_the_next_player_and_the_one_that_fits_then():
    seen = Counter()
    for table, move in hints_to_cal("reactor", range(12)):
        preview = preview_move(table, 0, move)
        plays = [tag for tag in preview.tags if tag.tag == "plays"]
        if preview.meaning[0].startswith("Pair with number ") and plays:
            assert [tag.seat for tag in plays] == [1, 2]
            wrong = any(tag.wrong for tag in plays)
            assert wrong == life_is_lost(table, move)
            seen[wrong] += 1
    assert seen[True] > 5 and seen[False] > 5


def test_a_hint_of_a_chain_tags_the_cards_that_answer_first_and_warns_of_a_false_answer():
    seen = Counter()
    for table, move in hints_to_cal("hgroup-5", range(40)):
        preview = preview_move(table, 0, move)
        answers = [tag for tag in preview.tags if tag.seat == 1 and tag.tag == "plays"]
        if preview.meaning[0].startswith("Chain: Cal's slot ") and answers:
            wrong = any(tag.wrong for tag in answers)
            if wrong:
                assert life_is_lost(table, move)
                told = [one for one in preview.warnings if "is told to play slot " in one.text]
                wrongs = {(tag.seat, tag.slot) for tag in preview.tags if tag.wrong}
                assert {(one.seat, one.slot) for one in told} == wrongs
                assert any(one.seat == 1 and one.text.startswith("Bob is") for one in told)
            seen[wrong] += 1
    assert seen[True] > 5 and seen[False] > 5
